import { describe, expect, it } from "vitest";
import { flights, keyframes, LONGEST } from "../src/lib/flights";
import { latest } from "../src/lib/log";
import type { LogLine } from "../src/lib/protocol";

const way = () => ({ from: { x: 0, y: 100 }, to: { x: 200, y: 300 } });
const gain = (rubles: number, points: number) => ({ seat: 0, rubles, points, phase: "worker" });

describe("what was got flies", () => {
  it("as a few coins and shields, and the sum where they arrive", () => {
    const found = flights([gain(12, 2)], way);
    expect(found.filter((each) => each.sum === null).map((each) => each.kind)).toEqual([
      ...Array<string>(5).fill("rubles"),
      ...Array<string>(2).fill("points"),
    ]);
    expect(found.filter((each) => each.sum !== null).map((each) => each.sum)).toEqual([12, 2]);
    for (const { delay, duration } of found) expect(delay + duration).toBeLessThanOrEqual(LONGEST);
  });
  it("not where nobody can see it, and losses never", () => {
    expect(flights([gain(12, 2)], () => null)).toEqual([]);
    expect(flights([gain(-3, 0)], way)).toEqual([]);
  });
  it("from one place to the other, by transforms alone", () => {
    const [coin] = flights([gain(1, 0)], way);
    const frames = keyframes(coin!);
    expect(frames[0]?.transform).toContain("translate(0px, 100px)");
    expect(frames.at(-1)?.transform).toContain("translate(200px, 300px)");
    for (const frame of frames) expect(Object.keys(frame).every((key) => ["transform", "opacity", "offset"].includes(key))).toBe(true);
  });
});

describe("the line of the last moves", () => {
  const line = (number: number, seat: number | null, text: string): LogLine => ({
    number, round: 1, phase: "worker", seat, text, passed: false, auto: false, late: false,
  });
  it("begins with the newest and leaves out headings", () => {
    const first = [line(1, null, "Round 1"), line(1, 0, "a"), line(2, 1, "b"), line(2, null, "Scoring")];
    const log = [...first, line(3, null, "Round 2"), line(3, 0, "c")];
    expect(latest(log, 3).map((each) => each.text)).toEqual(["c", "Scoring", "b"]);
    expect(latest([], 3)).toEqual([]);
  });
});
