import { api } from "./api";
import type { PlayerState } from "./protocol";

/** Who at the table that is shown has a page of their own. */
class Players {
  private table = "";
  private known = "";
  private pages = $state.raw<(string | null)[]>([]);

  /** The page of whoever sits there; null if they have none. */
  of(table: string, seat: number): string | null {
    return table === this.table ? (this.pages[seat] ?? null) : null;
  }

  /** Ask again when others sit there; bots have no pages. */
  async look(table: string, seats: readonly PlayerState[]): Promise<void> {
    const people = seats.map(({ name, bot }) => (bot === null ? name : ""));
    const known = [table, ...people].join("\n");
    if (known === this.known || people.filter(Boolean).length < 2) return;
    this.known = known;
    const found = await api.players(table).catch(() => null);
    if (known !== this.known) return;
    this.pages = found?.players ?? [];
    this.table = table;
  }
}

export const players = new Players();
