import { describe, expect, it } from "vitest";
import { gains, newLines, sounds } from "../src/lib/news";
import type { GainLine, LogLine, TableState } from "../src/lib/protocol";
import { SOUNDS, strength } from "../src/lib/sounds";
import { choice, player, state } from "./mock";

const line = (number: number, seat: number | null = 1, got?: GainLine[]): LogLine => ({
  number, round: 1, phase: "building", seat, text: "x", auto: false, late: false, passed: seat !== null, ...(got ? { gains: got } : {}),
});
const others = (more: Partial<TableState> = {}): TableState => state({ to_move: 1, ...more });
const got = [{ seat: 1, rubles: 3, points: 2 }];

describe("what is new", () => {
  const before = others({ log: [line(1), line(2)] });
  it("are the lines after the last move that was known", () => {
    expect(newLines(before, others({ log: [line(2), line(3), line(3, null)] }))?.map((each) => each.number)).toEqual([3, 3]);
  });
  it("is nothing to look at after a jump", () => {
    expect(newLines(null, before)).toBeNull();
    expect(newLines(before, others({ log: [line(4)] }))).toBeNull(); // moves are missing
    expect(newLines(before, others({ log: [line(1)] }))).toBeNull(); // taken back
    expect(newLines(before, others({ table: "other", log: [line(3)] }))).toBeNull();
    expect(newLines(before, others({ log: Array.from({ length: 20 }, (_, place) => line(place + 1)) }))).toBeNull();
  });
  it("brings gains with the phase they come from, once", () => {
    const after = others({ log: [line(2), line(3), line(3, null, got)] });
    expect(gains(before, after)).toEqual([{ seat: 1, rubles: 3, points: 2, phase: "building" }]);
    expect(gains(after, after)).toEqual([]);
    expect(gains(null, after)).toEqual([]);
  });
});

describe("what is heard", () => {
  const before = others({ log: [line(1)] });
  const after = (more: Partial<TableState>) => others({ log: [line(1), line(2)], ...more });
  const laid = [player(0), player(1, { area: [{ card: "market", count: 1, face_down: 0, covered: false, attached: [], tile: null }] })];
  it("is the most important thing only", () => {
    expect(sounds(before, after({}), true)).toEqual(["pass"]);
    expect(sounds(before, after({ players: laid }), true)).toEqual(["buy"]);
    expect(sounds(before, after({ players: laid, log: [line(1), line(2), line(2, null, got)] }), true)).toEqual(["points"]);
    expect(sounds(before, after({ players: laid, to_move: 0, choices: [choice("pass")] }), true)).toEqual(["turn"]);
    expect(sounds(before, after({ status: "over" }), true)).toEqual(["end"]);
    expect(sounds(before, before, true)).toEqual([]);
  });
  it("calls people back who look at something else, and does not bother them else", () => {
    expect(sounds(before, after({ players: laid }), false)).toEqual([]);
    expect(sounds(before, after({ to_move: 0 }), false)).toEqual(["turn"]);
  });
  it("tells that somebody else has written", () => {
    const said = (seat: number | null) => ({ chat: [{ seat, name: "B", text: "Hi", at: "now", speaker: "b" }] });
    expect(sounds(before, others({ log: [line(1)], ...said(1) }), true)).toEqual(["chat"]);
    expect(sounds(before, others({ log: [line(1)], ...said(0) }), true)).toEqual([]);
    expect(sounds(null, others({ log: [line(1)], ...said(1) }), true)).toEqual([]);
  });
});

describe("sounds", () => {
  it("are short and never loud", () => {
    for (const notes of Object.values(SOUNDS)) {
      expect(notes.length).toBeGreaterThan(0);
      for (const note of notes) {
        expect(note.at + note.seconds).toBeLessThanOrEqual(2.1);
        expect(strength(note.loud, 100)).toBeLessThan(0.3);
        expect(strength(note.loud, 20)).toBeLessThan(strength(note.loud, 100) / 10);
      }
    }
  });
});
