import { beforeEach, describe, expect, it } from "vitest";
import { Board } from "../src/lib/board.svelte";
import { clockText } from "../src/lib/clock";
import { groups, merge, unasked } from "../src/lib/log";
import { muted } from "../src/lib/muted.svelte";
import type { ChatLine, LogLine, Race, TableSummary } from "../src/lib/protocol";
import { urgent, usual } from "../src/lib/quick";
import { bySource, columns } from "../src/lib/race";
import { isAsked } from "../src/lib/view";
import { player, state } from "./mock";

const line = (number: number, seat: number | null = 0, more: Partial<LogLine> = {}): LogLine => ({
  number, round: 1, phase: "worker", seat, text: `line ${number}`, passed: false, auto: false, late: false, ...more,
});

describe("the log", () => {
  it("is continued by newer lines", () => {
    const known = [line(1), line(2), line(2, null), line(3)];
    expect(merge(known, [line(2, null), line(3), line(4)])?.map((each) => each.number)).toEqual([1, 2, 2, 3, 4]);
  });
  it("loses moves that were taken back", () => {
    const known = [1, 2, 3, 4, 5].map((n) => line(n));
    expect(merge(known, [line(2), line(3)])?.map((each) => each.number)).toEqual([1, 2, 3]);
  });
  it("has no gaps: what is missing must be asked for", () => {
    expect(merge([line(1), line(2)], [line(5), line(6)])).toBeNull();
    expect(merge([], [line(1), line(2)])).toHaveLength(2);
  });
  it("is grouped by phase under the headings of the server", () => {
    const building = { phase: "building" };
    const found = groups([line(1, null), line(1), line(1, null, { text: "scoring" }), line(2, null, building), line(2, 1, building)]);
    expect(found.map((group) => [group.phase, group.title, group.lines.map((each) => each.text)])).toEqual([
      ["worker", "line 1", ["line 1", "scoring"]],
      ["building", "line 2", ["line 2"]],
    ]);
  });
  it("may begin in the middle of a phase", () => {
    expect(groups([line(3, null), line(4)]).map((group) => [group.title, group.lines.length])).toEqual([[null, 2]]);
  });
  it("tells what was done without asking, but not the move just made", () => {
    const after = [line(1), line(2, 1), line(3), line(4, 1), line(5)];
    expect(unasked([line(1)], after, 0, false).map((each) => each.number)).toEqual([3, 5]);
    expect(unasked([line(1)], after, 0, true).map((each) => each.number)).toEqual([5]);
    expect(unasked([line(1)], after, null, false)).toEqual([]);
    expect(unasked([], after, 0, false)).toEqual([]);
  });
});

describe("where the points came from", () => {
  const race: Race = {
    rounds: 2,
    parts: [
      { round: 1, source: "building", points: [3, 0], step: 20 },
      { round: 2, source: "building", points: [4, 1], step: 50 },
      { round: 2, source: "noble", points: [2, 0], step: 60 },
      { round: null, source: "final_nobles", points: [6, 10], step: 80 },
      { round: null, source: "hand", points: [-10, 0], step: 80 },
    ],
  };
  it("is one column for each round and seat, losses below zero", () => {
    const found = columns(race, 2);
    expect(found.map((column) => column.total)).toEqual([3, 0, 6, 1, -4, 10]);
    expect(found.map((column) => column.round)).toEqual([1, 1, 2, 2, null, null]);
    expect(found[2]?.pieces.map((piece) => [piece.from, piece.to])).toEqual([[0, 4], [4, 6]]);
    expect(found[4]?.pieces.map((piece) => [piece.from, piece.to])).toEqual([[0, 6], [0, -10]]);
    expect(found[3]?.step).toBe(60);
  });
  it("adds up by source", () => {
    expect(bySource(race, 2)).toEqual([
      { source: "building", points: [7, 1] },
      { source: "noble", points: [2, 0] },
      { source: "final_nobles", points: [6, 10] },
      { source: "hand", points: [-10, 0] },
    ]);
  });
});

describe("clocks", () => {
  it("read like clocks", () => {
    expect([120, 61.2, 9, 0, -3].map(clockText)).toEqual(["2:00", "1:02", "0:09", "0:00", "0:00"]);
    expect(clockText(47 * 3600 + 5 * 60)).toBe("47:05 h");
  });
});

describe("the chat", () => {
  const said = (text: string, name = "Anna", speaker = `of ${name}`): ChatLine =>
    ({ seat: 0, name, text, at: "2026-01-01T10:00:00+00:00", speaker });
  beforeEach(() => localStorage.clear());
  it("counts what came while it was closed, even within a second", () => {
    const board = new Board();
    board.listen([said("old")]);
    expect(board.unread([said("old")])).toBe(0);
    expect(board.unread([said("old"), said("new"), said("newer")])).toBe(2);
    board.tab = "chat";
    board.listen([said("old"), said("new"), said("newer")]);
    board.tab = "log";
    expect(board.unread([said("old"), said("new"), said("newer")])).toBe(0);
  });
  it("leaves out who is muted, also next time", () => {
    muted.toggle("t", "of Boris");
    expect(muted.heard([said("a"), said("b", "Boris")]).map((each) => each.text)).toEqual(["a"]);
    expect(localStorage.getItem("nevsky.muted")).toBe('["of Boris"]');
    muted.toggle("t", "of Boris");
    expect(localStorage.getItem("nevsky.muted")).toBeNull();
  });
  it("mutes a person and not a name", () => {
    muted.toggle("t", "b");
    const lines = [said("1", "Boris", "b"), said("2", "Boris", "another"), said("3", "Anna", "b"), said("4", "Anna", "a")];
    expect(muted.heard(lines).map((each) => each.text)).toEqual(["2", "4"]);
    expect(muted.silent(lines)).toEqual([{ speaker: "b", name: "Anna" }]);
    muted.toggle("t", "b");
    expect(muted.silent(lines)).toEqual([]);
  });
});

describe("the first page", () => {
  const table = (id: string, your_turn: boolean, updated: string) => ({ table: id, your_turn, updated }) as TableSummary;
  it("shows games that wait for me first, then the newest", () => {
    const found = urgent([
      table("a", false, "2026-01-03"),
      table("b", true, "2026-01-01"),
      table("c", false, "2026-01-04"),
      table("d", true, "2026-01-02"),
    ]);
    expect(found.map((each) => each.table)).toEqual(["d", "b", "c", "a"]);
  });
  it("plays like last time, or against two bots of the middle level", () => {
    localStorage.clear();
    const levels = ["easy", "medium", "hard"].map((level) => ({ level, name: level, description: "" }));
    expect(usual(levels)).toEqual({ bots: 2, level: "medium" });
    localStorage.setItem("nevsky.quick.level", "hard");
    localStorage.setItem("nevsky.quick.bots", "7");
    expect(usual(levels)).toEqual({ bots: 2, level: "hard" });
    expect(usual([]).level).toBe("");
  });
});

it("nobody is asked while a bot plays for them", () => {
  expect(isAsked(state())).toBe(true);
  expect(isAsked(state({ players: [player(0, { away: true }), player(1)] }))).toBe(false);
});
