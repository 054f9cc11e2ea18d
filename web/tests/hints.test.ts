import { describe, expect, it } from "vitest";
import { chancesOf, percentages, standing } from "../src/lib/hints";
import type { SuggestionLine } from "../src/lib/protocol";
import { player } from "./mock";

function line(more: Partial<SuggestionLine>): SuggestionLine {
  return { action: "pass", label: "pass", expected: 70, behind: 0, close: true, chances: [], reason: "", ...more };
}

describe("a hint", () => {
  it("says how an action stands beside the best one", () => {
    expect(standing(line({}), 0)).toBe("best");
    expect(standing(line({ behind: 0.3, close: true }), 1)).toBe("close");
    expect(standing(line({ behind: 2.1, close: false }), 2)).toBe("behind");
    expect(standing(line({ behind: null }), 0)).toBeNull();
  });
  it("gives shares that make a hundred", () => {
    expect(percentages([1 / 3, 1 / 3, 1 / 3])).toEqual([34, 33, 33]);
    expect(percentages([0.075, 0.549, 0.376])).toEqual([7, 55, 38]);
    expect(percentages([0, 1])).toEqual([0, 100]);
  });
  it("names everybody's chance, one's own first", () => {
    const players = ["Natalia", "Anna", "Grigory"].map((name, seat) => player(seat, { name }));
    const found = chancesOf(line({ chances: [0.38, 0.07, 0.55] }), { you: 1, players }, "you");
    expect(found.replaceAll("\u00a0", " ")).toBe("you 7 %, Natalia 38 %, Grigory 55 %");
  });
});
