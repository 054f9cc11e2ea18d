/** Small questions about a state: what to show where. No rules, only sorting of what the server said. */
import type { Choice, DisplayCard, FinalLine, HandView, PlayerState, TableState } from "./protocol";

export interface Keyed<T> {
  key: string;
  item: T;
}

/** Keys for cards of a row, so that the n-th copy of a card keeps its element when others go. */
export function keyed<T extends { card: string | null }>(items: readonly T[], prefix = ""): Keyed<T>[] {
  const seen = new Map<string, number>();
  return [...items].reverse().map((item) => {
    const name = item.card ?? "?";
    const n = seen.get(name) ?? 0;
    seen.set(name, n + 1);
    return { key: `${prefix}${name}#${n}`, item };
  }).reverse();
}

/** Decisions of an ordinary turn are made on the cards; all others are questions with every answer as a button. */
export function isTurn(state: TableState): boolean {
  return state.due === "turn" || state.due === "must_buy";
}

/** The choices that belong to no card on the table and therefore need a button of their own. */
export function looseChoices(state: TableState): Choice[] {
  if (!isTurn(state)) return state.choices;
  const onCards = new Set<number>();
  const add = (card: DisplayCard | HandView) => card.choices.forEach((place) => onCards.add(place));
  state.row1.forEach(add);
  state.row2.forEach(add);
  state.players.forEach((player) => player.hand.forEach(add));
  state.drawn_choices.forEach((place) => onCards.add(place));
  return state.choices.filter((_, place) => !onCards.has(place));
}

/** The answers that need a button of their own, but for the pass of a turn, which has its place in the bar. */
export function extraChoices(state: TableState): Choice[] {
  return looseChoices(state).filter((choice) => !(isTurn(state) && isPass(choice)));
}

export function choicesAt(state: TableState, places: readonly number[]): Choice[] {
  return places.flatMap((place) => state.choices[place] ?? []);
}

export function isPass(choice: Choice): boolean {
  return choice.verb === "pass";
}

/** Own seat first, then clockwise; as seated for spectators. */
export function seatOrder(state: TableState): PlayerState[] {
  const from = state.you ?? 0;
  return [...state.players.slice(from), ...state.players.slice(0, from)];
}

/** Whether nobody sits there yet; it may be kept for somebody. */
export function isFree(player: PlayerState): boolean {
  return player.name === "" && player.bot === null;
}

/** By seat; empty for free ones. */
export function namesOf(state: TableState): string[] {
  return state.players.map((player) => player.name);
}

export function byPlace(lines: readonly FinalLine[]): FinalLine[] {
  return [...lines].sort((a, b) => a.place - b.place || b.total - a.total);
}

const FINAL_PARTS = ["track", "nobles", "assignment", "rubles", "hand", "obstacles"] as const;
export type FinalPart = (typeof FINAL_PARTS)[number];

/** The track always, the other parts where they brought or cost somebody something. */
export function finalParts(lines: readonly FinalLine[]): FinalPart[] {
  return FINAL_PARTS.filter((part) => part === "track" || lines.some((line) => line[part]));
}

/** A number with a real minus sign. */
export function signed(n: number): string {
  return String(n).replace("-", "−");
}

/** How long the track is drawn: 100 points, and more in steps of 20 when somebody has gone further. */
export function trackLength(points: readonly number[]): number {
  return Math.max(100, Math.ceil((Math.max(0, ...points) + 1) / 20) * 20);
}

/** Whether a bot plays for the viewer. */
export function isAway(state: TableState): boolean {
  return state.status === "playing" && state.you !== null && (state.players[state.you]?.away ?? false);
}

/** Whether a bot plays for the viewer to the end. */
export function isResigned(state: TableState): boolean {
  return state.you !== null && (state.players[state.you]?.resigned ?? false);
}

/** Whether one person plays with bots; those who resigned do not count. */
export function isAlone(state: TableState): boolean {
  return state.players.filter((player) => player.bot === null && !player.resigned).length === 1;
}

/** Whether the viewer is asked something now, and no bot answers for them. */
export function isAsked(state: TableState): boolean {
  return state.status === "playing" && state.you !== null && state.to_move === state.you && !isAway(state);
}

/** What could be laid instead of passing: every card once at its lowest price, the cheapest first. */
export function stillPossible(state: TableState, most: number): { card: string; price: number }[] {
  const lowest = new Map<string, number>();
  for (const { card, price } of state.choices) {
    if (card !== null && price !== null) lowest.set(card, Math.min(price, lowest.get(card) ?? price));
  }
  return [...lowest].map(([card, price]) => ({ card, price })).sort((a, b) => a.price - b.price).slice(0, most);
}
