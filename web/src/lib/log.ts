/** The log as it is shown: whole, without gaps, in groups. */
import type { LogLine } from "./protocol";

export interface LogGroup {
  round: number;
  phase: string;
  /** The heading of the server; null where the log begins in the middle of a phase. */
  title: string | null;
  lines: LogLine[];
}

/** Add the newest lines to those known already; null where moves are missing in between. */
export function merge(known: readonly LogLine[], newest: readonly LogLine[]): LogLine[] | null {
  const from = newest[0]?.number;
  if (from === undefined || from === 1) return [...newest];
  if ((known.at(-1)?.number ?? 0) < from) return null;
  // the newest lines may begin in the middle of a move, so that move is taken from what is known
  return [...known.filter((line) => line.number <= from), ...newest.filter((line) => line.number > from)];
}

/** A heading stands before the first move of a phase. */
function isHeading(line: LogLine, next: LogLine | undefined): boolean {
  return line.seat === null && next !== undefined && next.seat !== null && next.number === line.number;
}

/** The newest lines that tell what happened, the newest first. */
export function latest(lines: readonly LogLine[], most: number): LogLine[] {
  return lines.filter((line, place) => !isHeading(line, lines[place + 1])).slice(-most).reverse();
}

export function groups(lines: readonly LogLine[]): LogGroup[] {
  const found: LogGroup[] = [];
  lines.forEach((line, place) => {
    let group = found.at(-1);
    if (!group || group.round !== line.round || group.phase !== line.phase) {
      group = { round: line.round, phase: line.phase, title: null, lines: [] };
      found.push(group);
    }
    if (isHeading(line, lines[place + 1])) group.title = line.text;
    else group.lines.push(line);
  });
  return found;
}

/** Own moves that were made without being asked: new ones, but for the one that was sent. */
export function unasked(before: readonly LogLine[], after: readonly LogLine[], you: number | null, sent: boolean): LogLine[] {
  const last = before.at(-1)?.number;
  if (you === null || last === undefined) return [];
  const own = after.filter((line) => line.seat === you && line.number > last);
  return sent ? own.slice(1) : own;
}
