import { api } from "./api";
import type { LevelInfo, TableSummary } from "./protocol";
import { enter } from "./seats";
import { load, save } from "./storage";

export interface Quick {
  bots: number;
  level: string;
}

/** The choice of last time as far as it is still on offer, otherwise two bots of the middle level. */
export function usual(levels: readonly LevelInfo[]): Quick {
  const kept = load("quick.level");
  const level = levels.some((each) => each.level === kept) ? kept : levels[Math.floor((levels.length - 1) / 2)]?.level;
  const bots = Number(load("quick.bots"));
  return { bots: [1, 2, 3, 4].includes(bots) ? bots : 2, level: level ?? "" };
}

/** Sit down with bots and begin. */
export async function start({ bots, level }: Quick): Promise<void> {
  save("quick.level", level);
  save("quick.bots", String(bots));
  const seats = [{ kind: "me" as const }, ...Array.from({ length: bots }, () => ({ kind: "bot" as const, level }))];
  enter(await api.create({ ruleset: { players: bots + 1, market: bots === 4 }, seats }));
}

/** Games that wait for the visitor first, then the newest. */
export function urgent(tables: readonly TableSummary[]): TableSummary[] {
  return [...tables].sort((a, b) => Number(b.your_turn) - Number(a.your_turn) || b.updated.localeCompare(a.updated));
}
