import { many, t } from "./i18n.svelte";
import type { RatingFamily } from "./protocol";

/** What is rated apart, in the order in which it is offered. */
export const FAMILIES: readonly RatingFamily[] = ["second", "first", "market", "modules"];

export function familyName(family: RatingFamily): string {
  if (family === "market") return t("market.with");
  return family === "modules" ? t("ratings.modules") : t(`edition.${family}`);
}

export function poolName(family: RatingFamily, players: number): string {
  return `${familyName(family)} · ${many("players", players)}`;
}

/** How many can play it: five only with the Market. */
export function sizes(family: RatingFamily): number[] {
  return family === "market" || family === "modules" ? [2, 3, 4, 5] : [2, 3, 4];
}

export function address(family: RatingFamily, players: number, page = 0): string {
  return `/ratings?family=${family}&players=${Math.min(players, Math.max(...sizes(family)))}${page ? `&page=${page}` : ""}`;
}

/** A rating with its uncertainty: 1543 ± 92. */
export function figure({ rating, uncertainty }: { rating: number; uncertainty: number }): string {
  return `${rating}\u00a0±\u00a0${uncertainty}`;
}

/** What a line of ratings needs of room, with those in between which the strength may be. */
export function range(points: readonly { rating: number; uncertainty: number }[]): [number, number] {
  const low = Math.min(...points.map((point) => point.rating - point.uncertainty));
  const high = Math.max(...points.map((point) => point.rating + point.uncertainty));
  return [Math.floor(low / 100) * 100, Math.ceil(high / 100) * 100];
}
