import type { SuggestionLine, TableState } from "./protocol";

/** How an action stands beside the best one, which is the first; null where actions were not compared. */
export function standing(line: SuggestionLine, place: number): "best" | "close" | "behind" | null {
  if (line.behind === null) return null;
  if (place === 0) return "best";
  return line.close ? "close" : "behind";
}

/** Shares in whole percent that together make 100. */
export function percentages(shares: readonly number[]): number[] {
  const exact = shares.map((share) => share * 100);
  const found = exact.map(Math.floor);
  const left = Math.round(exact.reduce((sum, each) => sum + each, 0)) - found.reduce((sum, each) => sum + each, 0);
  const byRest = exact.map((each, at) => [each - Math.floor(each), at] as const).sort(([one], [other]) => other - one);
  for (const [, at] of byRest.slice(0, Math.max(0, left))) found[at] = (found[at] ?? 0) + 1;
  return found;
}

/** Everybody's chance to win, one's own first: "you 7 %, Grigory 55 %, Natalia 38 %". */
export function chancesOf(line: SuggestionLine, game: Pick<TableState, "you" | "players">, you: string): string {
  const shares = percentages(line.chances);
  const seats = game.players.map((player) => player.seat).sort((one, other) => Number(other === game.you) - Number(one === game.you));
  const name = (seat: number) => (seat === game.you ? you : (game.players[seat]?.name ?? ""));
  return seats.map((seat) => `${name(seat)}\u00a0${shares[seat] ?? 0}\u00a0%`).join(", ");
}
