/** What has happened between two states of a table, for eyes and ears. No rules: only what the server told. */
import { muted } from "./muted.svelte";
import type { ChatLine, GainLine, LogLine, TableState } from "./protocol";
import type { Sound } from "./sounds";
import { isAsked } from "./view";

/** More moves than this at once are a jump: somebody was away, and nobody wants to see it all again. */
const MOST = 12;

export interface Gain extends GainLine {
  /** The phase in which it was got, whose cards it comes from. */
  phase: string;
}

/** The lines of the log that are new; null after a jump: another game, moves taken back, or too much at once. */
export function newLines(before: TableState | null, after: TableState): LogLine[] | null {
  const last = before?.log.at(-1)?.number ?? 0;
  const first = after.log[0]?.number ?? 1;
  if (!before || before.table !== after.table || before.status !== "playing" || first > last + 1) return null;
  const fresh = after.log.filter((line) => line.number > last);
  const moves = (after.log.at(-1)?.number ?? 0) - last;
  return moves < 0 || moves > MOST ? null : fresh;
}

/** What everybody got since, as it came. */
export function gains(before: TableState | null, after: TableState): Gain[] {
  return (newLines(before, after) ?? []).flatMap((line) => (line.gains ?? []).map((gain) => ({ ...gain, phase: line.phase })));
}

const laid = (state: TableState) => JSON.stringify(state.players.map(({ area, hand }) => [area, hand.length]));

/** The one sound that tells best what has happened; null for silence. */
function moveSound(before: TableState | null, after: TableState): Sound | null {
  if (before && before.status === "playing" && after.status === "over") return "end";
  if (isAsked(after) && !(before && isAsked(before))) return "turn";
  const fresh = newLines(before, after);
  if (!before || !fresh?.some((line) => line.seat !== null)) return null;
  if (fresh.some((line) => line.gains?.length)) return "points";
  if (laid(before) !== laid(after)) return "buy";
  return fresh.some((line) => line.passed) ? "pass" : null;
}

/** Whether somebody else has said something. */
function isSpokenTo(before: TableState | null, after: TableState): boolean {
  const mark = (line: ChatLine | undefined) => line && `${line.at} ${line.speaker} ${line.text}`;
  const [old, line] = [muted.heard(before?.chat ?? []).at(-1), muted.heard(after.chat).at(-1)];
  return before !== null && line !== undefined && mark(line) !== mark(old) && (line.seat === null || line.seat !== after.you);
}

/** What there is to hear. Whoever does not look at the page hears only what calls them back. */
export function sounds(before: TableState | null, after: TableState, looking: boolean): Sound[] {
  const all = [moveSound(before, after), isSpokenTo(before, after) ? ("chat" as const) : null];
  return all.filter((sound) => sound !== null).filter((sound) => looking || ["turn", "end", "chat"].includes(sound));
}
