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

export function byPlace(lines: readonly FinalLine[]): FinalLine[] {
  return [...lines].sort((a, b) => a.place - b.place || b.total - a.total);
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

/** Whether the viewer is asked something now, and no bot answers for them. */
export function isAsked(state: TableState): boolean {
  return state.status === "playing" && state.you !== null && state.to_move === state.you && !isAway(state);
}
