import { afterEach, describe, expect, it, vi } from "vitest";
import { flushSync, mount, unmount } from "svelte";
import PuzzleCoach from "../src/components/PuzzleCoach.svelte";
import { api } from "../src/lib/api";
import type { PuzzleAsked, PuzzleSolution } from "../src/lib/protocol";
import { Solving } from "../src/lib/puzzles.svelte";
import { parse } from "../src/lib/router.svelte";
import { choice, state } from "./mock";

const solver = { rating: 1500, tries: 0, solved: 0 };
const game = state({ choices: [choice("buy market"), choice("pass")] });
const asked: PuzzleAsked = { puzzle: "abcdefgh", rating: 1600, tries: 0, solved: 0, state: game, solution: null, solver };

function told(action: string): PuzzleSolution {
  const value = (name: string, behind: number) => ({
    action: name, label: `Label of ${name}`, mark: behind ? ("mistake" as const) : ("best" as const),
    behind, doubt: 1, chance: 0.5, why: "Because.",
  });
  return {
    action, best: "buy market", solved: action === "buy market", points: 3.2, doubt: 1, chance: 0.1, chance_doubt: 0.05, playouts: 250,
    values: [value("buy market", 0), value("pass", 3.2)],
  };
}

afterEach(() => vi.restoreAllMocks());

async function ready(): Promise<Solving> {
  vi.spyOn(api, "puzzle").mockResolvedValue(asked);
  const solving = new Solving("abcdefgh");
  await solving.load("en");
  return solving;
}

describe("solving a puzzle", () => {
  it("sends the first action at the table and no other", async () => {
    const solving = await ready();
    const send = vi.spyOn(api, "answerPuzzle").mockResolvedValue({ solution: told("pass"), change: -12, solver });
    expect(solving.solution).toBeNull();
    solving.board.connection?.act("pass");
    solving.board.connection?.act("buy market");
    await vi.waitFor(() => expect(solving.solution).not.toBeNull());
    await solving.answer("buy market");
    expect(send.mock.calls).toEqual([["abcdefgh", "pass"]]);
    expect(solving.change).toBe(-12);
    expect(solving.board.connection).toBeNull();
    expect(solving.board.pointed).toEqual({ played: "pass", better: "buy market" });
  });
  it("can be answered again after a failure", async () => {
    const solving = await ready();
    const send = vi.spyOn(api, "answerPuzzle").mockRejectedValueOnce(new Error("cut off"));
    await solving.answer("pass");
    expect(solving.failure?.code).toBe("network");
    send.mockResolvedValue({ solution: told("buy market"), change: 9, solver });
    await solving.answer("buy market");
    expect(solving.failure).toBeNull();
    expect(solving.board.pointed).toEqual({ played: "buy market", better: null });
  });
  it("tells what was better", async () => {
    const solving = await ready();
    vi.spyOn(api, "answerPuzzle").mockResolvedValue({ solution: told("pass"), change: -12, solver });
    const page = mount(PuzzleCoach, {
      target: document.body,
      props: { solving, asked, error: "", onnext: () => undefined, onplay: () => undefined },
    });
    flushSync();
    expect(document.body.textContent).not.toContain("Label of");
    await solving.answer("pass");
    flushSync();
    expect(document.querySelector(".coach.wrong strong")?.textContent).toBe("Label of pass");
    expect(document.querySelectorAll(".coach li").length).toBe(2);
    await unmount(page);
  });
});

it("puzzles have addresses", () => {
  expect(parse(new URL("http://here/puzzles"))).toEqual({ page: "puzzles", puzzle: null });
  expect(parse(new URL("http://here/puzzles/abcdefgh"))).toEqual({ page: "puzzles", puzzle: "abcdefgh" });
  expect(parse(new URL("http://here/puzzles/a/b"))).toEqual({ page: "missing" });
});
