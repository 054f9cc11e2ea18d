import { flushSync, mount, unmount } from "svelte";
import { afterEach, expect, it } from "vitest";
import CardDialog from "../src/components/CardDialog.svelte";
import { Board, type Place } from "../src/lib/board.svelte";
import type { Reason, TableState } from "../src/lib/protocol";
import { displayCard, player, state } from "./mock";

const short: Reason = { key: "price", text: "You are 7 rubles short.", missing: 7 };
const full: Reason = { key: "hand", text: "Your hand is full.", missing: null };

let shown: ReturnType<typeof mount> | undefined;
afterEach(() => {
  if (shown) void unmount(shown);
  document.body.replaceChildren();
});

/** The sentences of the dialog of a card. */
function reasons(game: TableState, card: string, place: Place): (string | null)[] {
  const board = new Board();
  board.look(card, place);
  shown = mount(CardDialog, { target: document.body, props: { game, board, card } });
  flushSync();
  return [...document.querySelectorAll(".why li")].map((item) => item.textContent);
}

it("says why a card of the hand cannot be played", () => {
  const hand = [{ pile: "building", card: "theater", price: 20, why_not: [short], choices: [] }];
  expect(reasons(state({ players: [player(0, { hand }), player(1)] }), "theater", "hand")).toEqual([short.text]);
});

it("says why a card of the display cannot be had", () => {
  const row1 = [displayCard("theater", [], { why_not: [short, full] })];
  expect(reasons(state({ row1 }), "theater", "row1")).toEqual([short.text, full.text]);
});

it("says what cannot be done with the drawn card", () => {
  const game = state({ due: "drawn", drawn: "judge", drawn_price: 17, drawn_why_not: [full] });
  expect(reasons(game, "judge", "drawn")).toEqual([full.text]);
});

it("has nothing to say about a card that lies elsewhere", () => {
  expect(reasons(state(), "theater", "elsewhere")).toEqual([]);
});
