import { afterEach, describe, expect, it, vi } from "vitest";
import { flushSync, mount, unmount } from "svelte";
import GuideCoach from "../src/components/GuideCoach.svelte";
import { pointed, pointedChoice, Walk } from "../src/lib/guide.svelte";
import type { GuideStep } from "../src/lib/protocol";
import { parse } from "../src/lib/router.svelte";
import { choice, displayCard, state } from "./mock";

const turn = state({
  choices: [choice("buy market", { card: "market", row: 1 }), choice("take hospital", { card: "hospital", row: 1 }), choice("pass")],
  row1: [displayCard("theater"), displayCard("market", [0]), displayCard("hospital", [1])],
});

function step(title: string, more: Partial<GuideStep> = {}): GuideStep {
  return { title, text: `${title}.`, expected: null, otherwise: null, point: "row1", state: state({ to_move: 1 }), ...more };
}
function decision(title: string, expected: string): GuideStep {
  return step(title, { expected, otherwise: `${title}: something else`, state: turn });
}
function walk(...steps: GuideStep[]): Walk {
  const found = new Walk();
  found.steps = steps;
  return found;
}

describe("the way through the guide", () => {
  it("leads on with the expected move only", () => {
    const way = walk(step("a"), decision("b", "buy market"), step("c"));
    way.go(1);
    way.board.connection?.act("pass");
    expect([way.at, way.tries]).toEqual([1, 1]);
    way.board.connection?.act("take hospital");
    expect([way.at, way.tries]).toEqual([1, 2]);
    way.board.connection?.act("buy market");
    expect([way.at, way.tries]).toEqual([2, 0]);
  });
  it("tells when a move was made", () => {
    const moved = vi.fn();
    const way = new Walk(moved);
    way.steps = [decision("a", "pass"), step("b")];
    way.board.connection?.act("buy market");
    expect(moved).not.toHaveBeenCalled();
    way.board.connection?.act("pass");
    expect(moved).toHaveBeenCalledOnce();
  });
  it("stays between its first and its last step", () => {
    const way = walk(step("a"), step("b"));
    way.go(-1);
    expect(way.at).toBe(0);
    way.go(7);
    expect([way.at, way.last]).toEqual([1, true]);
  });
  it("asks for a move until it has been made once", () => {
    const way = walk(decision("a", "pass"), step("b"));
    expect(way.asks).toBe(true);
    way.go(1);
    way.go(0);
    expect(way.asks).toBe(false);
    way.board.connection?.act("pass");
    expect(way.at).toBe(1);
  });
  it("lets nobody act while others do", () => {
    expect(walk(step("a"), decision("b", "pass")).board.connection).toBeNull();
  });
  it("takes a move one step early when it is the learner's turn already", () => {
    const early = step("a", { state: turn });
    const way = walk(early, decision("b", "pass"), step("c"));
    way.board.connection?.act("pass");
    expect(way.at).toBe(2);
    way.go(0);
    way.board.connection?.act("buy market");
    expect([way.at, way.tries]).toEqual([1, 1]);
  });
  it("closes an opened card when it goes on", () => {
    const way = walk(decision("a", "buy market"), step("b"));
    way.board.look("market", "row1");
    const { board } = way;
    way.go(1);
    expect(board.detail).toBeNull();
  });
});

describe("pointing", () => {
  const page = document.createElement("div");
  page.innerHTML = `
    <div class="full"><section class="bar" id="phases"></section></div>
    <div class="main"><section class="bar" id="question"><div class="tools"><button class="gold" id="pass"></button></div></section></div>
    <div class="display">
      <div class="row1"><ul><li inert></li><li></li><li id="market"></li><li id="hospital"></li></ul></div>
      <div class="row2" id="row2"><ul></ul></div>
    </div>
    <dialog><ul class="choices"><li><button id="buy"></button></li></ul></dialog>`;
  it("finds the card or the button to click", () => {
    expect(pointed(page, decision("a", "buy market"))?.id).toBe("market");
    expect(pointed(page, decision("a", "take hospital"))?.id).toBe("hospital");
    expect(pointed(page, decision("a", "pass"))?.id).toBe("pass");
  });
  it("finds what the text is about", () => {
    expect(pointed(page, step("a", { point: "phases" }))?.id).toBe("phases");
    expect(pointed(page, step("a", { point: "row2" }))?.id).toBe("row2");
    expect(pointed(page, step("a", { point: "question" }))?.id).toBe("question");
  });
  it("finds the choice of an opened card", () => {
    const way = walk(decision("a", "buy market"));
    const at = way.steps[0]!;
    expect(pointedChoice(page, at, way.board)).toBeNull();
    way.board.look("market", "row1");
    expect(pointedChoice(page, at, way.board)?.id).toBe("buy");
    way.board.look("hospital", "row1");
    expect(pointedChoice(page, at, way.board)).toBeNull();
  });
});

describe("the coach", () => {
  let shown: ReturnType<typeof mount> | undefined;
  afterEach(() => {
    if (shown) void unmount(shown);
    document.body.replaceChildren();
  });
  const button = (name: string) => document.querySelector<HTMLButtonElement>(`.coach .${name}`);

  it("shows the step, its place and what the example does instead", () => {
    const way = walk(step("First"), decision("Second", "pass"), step("Third"));
    shown = mount(GuideCoach, { target: document.body, props: { walk: way } });
    flushSync();
    expect(document.querySelector("h2")?.textContent).toBe("First");
    expect(document.querySelector("progress")?.getAttribute("aria-label")).toBe("Step 1 of 3");
    expect(button("back")?.disabled).toBe(true);
    button("next")?.click();
    flushSync();
    expect(document.querySelector("h2")?.textContent).toBe("Second");
    expect(button("next")?.textContent).toBe("Do it for me");
    expect(document.querySelector(".otherwise")).toBeNull();
    way.act("buy market");
    flushSync();
    expect(document.querySelector(".otherwise")?.textContent).toContain("Second: something else");
    expect(document.querySelector("[aria-live=polite] .otherwise")).not.toBeNull();
    button("next")?.click();
    flushSync();
    expect(button("next")).toBeNull();
    expect(button("play")).not.toBeNull();
    button("back")?.click();
    flushSync();
    expect(button("next")?.textContent).toBe("Next");
  });
});

it("has an address", () => {
  expect(parse(new URL("http://localhost/guide"))).toEqual({ page: "guide", which: "first" });
  expect(parse(new URL("http://localhost/guide/events"))).toEqual({ page: "guide", which: "events" });
  expect(parse(new URL("http://localhost/guide/chess"))).toEqual({ page: "missing" });
  expect(parse(new URL("http://localhost/guide/x"))).toEqual({ page: "missing" });
});
