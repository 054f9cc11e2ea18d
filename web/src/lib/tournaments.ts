import { t } from "./i18n.svelte";
import type { Language, TournamentGame, TournamentInfo, TournamentState } from "./protocol";

/** How far it is, in words. */
export function stage({ status, round, rounds }: TournamentInfo): string {
  return status === "playing" ? t("tournament.round_of", { round, rounds }) : t(`tournament.${status}`);
}

/** A number with at most one place behind the point. */
export function number(value: number, language: Language): string {
  return new Intl.NumberFormat(language, { maximumFractionDigits: 1 }).format(value);
}

/** The game that one has to play now. */
export function ownGame({ games, you }: TournamentState): TournamentGame | undefined {
  return games.find((game) => game.status === "playing" && game.seats.some((seat) => seat.player !== null && seat.player === you));
}

/** Whether the present round is over, or none has begun. */
export function roundOver({ games }: TournamentState): boolean {
  return games.every((game) => game.status !== "playing");
}
