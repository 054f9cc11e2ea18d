import { describe, expect, it } from "vitest";
import type { Choice } from "../src/lib/protocol";
import { byPlace, choicesAt, isAsked, keyed, looseChoices, seatOrder, stillPossible, trackLength } from "../src/lib/view";
import { choice, displayCard, player, state } from "./mock";

const names = (choices: Choice[]) => choices.map((each) => each.action);

describe("choices", () => {
  const game = state({
    choices: [choice("buy market"), choice("pass"), choice("play pub"), choice("observe noble")],
    row1: [displayCard("market", [0])],
    players: [player(0, { hand: [{ pile: "building", card: "pub", price: 1, why_not: [], choices: [2] }] }), player(1)],
  });
  it("on cards are found at the card", () => {
    expect(names(choicesAt(game, [0]))).toEqual(["buy market"]);
  });
  it("that belong to no card get a button of their own", () => {
    expect(names(looseChoices(game))).toEqual(["pass", "observe noble"]);
  });
  it("of a question are all buttons, so that none is lost", () => {
    expect(looseChoices({ ...game, due: "half" })).toHaveLength(4);
  });
  it("name every card that a pass gives up once, at its lowest price, the cheapest first", () => {
    const choices = [
      choice("buy judge", { price: 9 }),
      choice("buy judge onto author", { card: "judge", price: 6 }),
      choice("take author"),
      choice("play pub", { price: 1 }),
      choice("pass"),
    ];
    expect(stillPossible(state({ choices }), 3)).toEqual([{ card: "pub", price: 1 }, { card: "judge", price: 6 }]);
    expect(stillPossible(state({ choices }), 1)).toEqual([{ card: "pub", price: 1 }]);
  });
});

describe("the table", () => {
  it("asks the viewer only on their turn", () => {
    expect(isAsked(state({ you: 0, to_move: 0 }))).toBe(true);
    expect(isAsked(state({ you: 0, to_move: 1 }))).toBe(false);
    expect(isAsked(state({ you: null, to_move: 0 }))).toBe(false);
    expect(isAsked(state({ you: 0, to_move: 0, status: "over" }))).toBe(false);
  });
  it("shows the own seat first, then clockwise", () => {
    const game = state({ you: 1, players: [player(0), player(1), player(2)] });
    expect(seatOrder(game).map((each) => each.seat)).toEqual([1, 2, 0]);
  });
  it("keeps the element of a card when the leftmost of its equals goes", () => {
    const before = keyed([{ card: "pub" }, { card: "market" }, { card: "pub" }]).map((each) => each.key);
    const after = keyed([{ card: "market" }, { card: "pub" }]).map((each) => each.key);
    expect(before.slice(1)).toEqual(after);
    expect(new Set(before).size).toBe(3);
  });
  it("draws the track long enough", () => {
    expect(trackLength([3, 40])).toBe(100);
    expect(trackLength([100])).toBe(120);
    expect(trackLength([-3])).toBe(100);
  });
  it("sorts the final scoring by place", () => {
    const line = { track: 0, nobles: 0, assignment: null, rubles: 0, hand: 0, obstacles: null, tie: 0 };
    const lines = [{ ...line, seat: 0, total: 5, place: 2 }, { ...line, seat: 1, total: 9, place: 1 }];
    expect(byPlace(lines).map((each) => each.seat)).toEqual([1, 0]);
  });
});
