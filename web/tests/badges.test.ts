import { describe, expect, it } from "vitest";
import { badges } from "../src/lib/badges";

describe("badges", () => {
  it("are initials where these are enough", () => {
    expect(badges(["Anna", "boris", "Éva"])).toEqual(["A", "B", "É"]);
  });
  it("have a second letter for equal initials", () => {
    expect(badges(["Anna", "Boris", "Alex"])).toEqual(["An", "B", "Al"]);
    expect(badges(["Anna Berg", "Anna Cole"])).toEqual(["AB", "AC"]);
    expect(badges(["Guest 123", "Guest 878"])).toEqual(["G1", "G8"]);
    expect(badges(["Guest 812", "Guest 878"])).toEqual(["G1", "G7"]);
    expect(badges(["Maria", "Marta"])).toEqual(["Mi", "Mt"]);
  });
  it("count seats for equal names and for no names", () => {
    expect(badges(["Anna", "ANNA", "Boris"])).toEqual(["A1", "A2", "B"]);
    expect(badges(["", " ", "Boris"])).toEqual(["1", "2", "B"]);
    expect(badges(["2", ""])).toEqual(["21", "22"]);
  });
  it("differ for all names", () => {
    const words = ["A", "a", "Ab", "aB", "Ab c", "", "1", "2", "12", "Guest 111", "Guest 112", "😀", "😀😀"];
    for (const a of words)
      for (const b of words)
        for (const c of words) {
          const marks = badges([a, b, c]).map((mark) => mark.toLowerCase());
          expect(new Set(marks).size, `${a}|${b}|${c}: ${marks}`).toBe(3);
        }
  });
});
