/** All cards of an edition, sorted for looking at. */
import { base, COLOUR_PILE } from "./cards.svelte";
import type { CardInfo, Edition } from "./protocol";

export interface Shelf {
  /** `worker`, `exchange`, `market` or the number of a module. */
  name: string;
  cards: CardInfo[];
}

const SHELVES = ["worker", "building", "noble", "exchange", "market", "1", "2"];
const COLOUR_ORDER = ["green", "yellow", "blue", "red", "purple"];
/** A colour of its own only: exchange cards of one colour lie together. */
const order = (card: CardInfo) => COLOUR_ORDER.indexOf(card.colour) * 2 + (card.orange ? 1 : 0);

/** Where a card lies: modules by themselves, all others by pile. */
export function shelf(card: CardInfo): string {
  return card.module ? String(card.module) : card.exchange ? "exchange" : (COLOUR_PILE[card.colour] ?? card.pile);
}

/** Every card once, however many copies and backs it has. */
export function shelves(cards: Iterable<CardInfo>, edition: Edition): Shelf[] {
  const once = new Map<string, CardInfo>();
  for (const card of cards) if (!once.has(base(card.card))) once.set(base(card.card), card);
  const all = [...once.values()].filter((card) => edition === "second" || !(card.module || card.pile === "market"));
  const cost = (card: CardInfo) => (edition === "first" ? card.cost_first : card.cost_second);
  return SHELVES.map((name) => ({
    name,
    cards: all.filter((card) => shelf(card) === name).sort((a, b) => order(a) - order(b) || cost(a) - cost(b)),
  })).filter((each) => each.cards.length);
}
