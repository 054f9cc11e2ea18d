import { describe, expect, it } from "vitest";
import { Spaces } from "../src/lib/spaces";

const cards = (text: string) => [...text].map((card) => ({ card }));
const laid = (spaces: Spaces<{ card: string }>, when: string, text: string) => spaces.lay(when, cards(text));
const where = (found: { space: number }[]) => found.map(({ space }) => space);

describe("the spaces of a row", () => {
  it("keep a gap where a card went, until the next phase", () => {
    const spaces = new Spaces("d");
    const before = laid(spaces, "1 worker", "abcd");
    const after = laid(spaces, "1 worker", "bd");
    expect(where(after)).toEqual([1, 3]);
    expect(after.map(({ key }) => key)).toEqual([before[1]?.key, before[3]?.key]);
    const next = laid(spaces, "1 building", "bdx");
    expect(where(next)).toEqual([0, 1, 2]);
    expect(next.slice(0, 2).map(({ key }) => key)).toEqual(after.map(({ key }) => key));
  });
  it("take back a card where it lay", () => {
    const spaces = new Spaces("d");
    laid(spaces, "1 worker", "abc");
    laid(spaces, "1 worker", "ac");
    expect(where(laid(spaces, "1 worker", "abc"))).toEqual([0, 1, 2]);
  });
  it("close up when new cards come in the middle of a phase", () => {
    const spaces = new Spaces("d");
    laid(spaces, "1 worker", "abc");
    laid(spaces, "1 worker", "ac");
    expect(where(laid(spaces, "1 worker", "acx"))).toEqual([0, 1, 2]);
  });
  it("never give two cards one space or one key", () => {
    const spaces = new Spaces("d");
    for (const [when, text] of [["1", "aabba"], ["1", "aba"], ["1", "a"], ["2", "aaab"], ["2", "aab"], ["3", "baaab"]] as const) {
      const found = laid(spaces, when, text);
      expect(new Set(where(found)).size).toBe(text.length);
      expect(new Set(found.map(({ key }) => key)).size).toBe(text.length);
      expect(where(found)).toEqual([...where(found)].sort((a, b) => a - b));
    }
  });
});
