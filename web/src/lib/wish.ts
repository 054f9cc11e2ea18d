/** A decision that the server has not answered yet, and how it shows on the table. No rules: only what the server said of the choice. */
import type { Act, AutoPass, Choice, TableState, Undo } from "./protocol";

export interface Wish {
  message: Act | Undo | AutoPass;
  /** The version of the state that it was decided on. */
  version: number;
  /** The number of the last line of the log at that time. */
  after: number;
  /** What it is about, and its place among the choices; null for what has no card. */
  choice: Choice | null;
  place: number;
  /** Whether it is under way, so that it may have been done even if we never hear of it. */
  sent: boolean;
  /** Whether the connection on which it was sent broke before an answer came. */
  doubtful: boolean;
}

type Message = Wish["message"];

export function wish(message: Message, state: TableState, choice: Choice | null = null): Wish {
  const place = choice ? state.choices.indexOf(choice) : -1;
  return { message, version: state.version, after: state.log.at(-1)?.number ?? 0, choice, place, sent: false, doubtful: false };
}

/** Whether it can still be done, unchanged, on the state that came after connecting again. */
export function isPossible({ message, version }: Wish, state: TableState): boolean {
  if (state.version !== version) return false;
  if (message.type === "act") return state.choices.some((choice) => choice.action === message.action);
  return message.type !== "undo" || state.can_undo;
}

/** Whether it was done when the table has gone on: not if it was never sent, nor if it got lost and no move of the player is new. */
export function isDone({ sent, doubtful, after, message }: Wish, state: TableState): boolean {
  if (!sent || !doubtful || message.type !== "act") return sent;
  const isWhole = (state.log[0]?.number ?? 0) <= after;
  return !isWhole || state.log.some((line) => line.seat === state.you && line.number > after);
}

type Lying = { card: string | null; choices: readonly number[] };

/** Where the card of a decision lies among others; -1 if it does not. */
export function placeOf(wanted: Wish | null, items: readonly Lying[]): number {
  if (!wanted?.choice) return -1;
  return items.findIndex((item) => item.card === wanted.choice?.card && item.choices.includes(wanted.place));
}

/** The cards without the one that is on its way to the player. */
export function without<T extends Lying>(wanted: Wish | null, items: readonly T[]): readonly T[] {
  const place = wanted?.choice?.to ? placeOf(wanted, items) : -1;
  return place < 0 ? items : items.filter((_, each) => each !== place);
}

/** The card that is on its way to the player's area or hand. */
export function coming(wanted: Wish | null, to: "area" | "hand"): string | null {
  return wanted?.choice?.to === to ? wanted.choice.card : null;
}
