import { duration } from "./clock";
import { t } from "./i18n.svelte";
import type { TableList, TableSummary } from "./protocol";

/** Pages of the list that are fetched at most. */
const PAGES = 5;

export interface OwnGames {
  /** Where it is the visitor's turn, the most urgent first. */
  turn: TableSummary[];
  others: TableSummary[];
  open: TableSummary[];
}

function byTime(a: TableSummary, b: TableSummary): number {
  if (a.deadline !== b.deadline) return a.deadline === null ? 1 : b.deadline === null ? -1 : a.deadline.localeCompare(b.deadline);
  return a.updated.localeCompare(b.updated) || a.table.localeCompare(b.table);
}

/** One's games by who is to move; those with the least time left first, then those that wait longest. */
export function sorted(tables: readonly TableSummary[]): OwnGames {
  const found: OwnGames = { turn: [], others: [], open: [] };
  for (const table of [...tables].sort(byTime)) {
    found[table.status === "open" ? "open" : table.your_turn ? "turn" : "others"].push(table);
  }
  return found;
}

/** All of a list that comes in pages. */
export async function whole(fetch: (after: string | null) => Promise<TableList>): Promise<TableSummary[]> {
  const found: TableSummary[] = [];
  let after: string | null = null;
  for (let page = 0; page < PAGES; page++) {
    const { tables, next }: TableList = await fetch(after);
    found.push(...tables);
    after = next ?? null;
    if (after === null) break;
  }
  return found;
}

/** How much time whoever is to move has left; empty where no clock runs. */
export function timeLeft(table: TableSummary, now: number): string {
  if (table.deadline === null) return "";
  const left = (Date.parse(table.deadline) - now) / 1000;
  if (Number.isNaN(left)) return "";
  return left <= 0 ? t("games.out") : t("games.left", { time: duration(left < 60 ? left : Math.floor(left / 60) * 60) });
}
