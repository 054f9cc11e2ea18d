import { api } from "./api";
import type { PlayerState, SeatRating, TableState } from "./protocol";

/** Who at the table that is shown has a page of their own, and their ratings if it is rated. */
class Players {
  private table = $state("");
  private known = "";
  private pages = $state.raw<(string | null)[]>([]);
  private ratings = $state.raw<SeatRating[]>([]);

  /** The page of whoever sits there; null if they have none. */
  of(table: string, seat: number): string | null {
    return table === this.table ? (this.pages[seat] ?? null) : null;
  }

  /** The rating of whoever sits there, at a rated table. */
  rating(table: string, seat: number): SeatRating | undefined {
    return table === this.table ? this.ratings.find((each) => each.seat === seat) : undefined;
  }

  /** Ask again when others sit there; bots have no pages. */
  async look({ table, players: seats, rated }: Pick<TableState, "table" | "players" | "rated">): Promise<void> {
    const people = seats.map(({ name, bot }: PlayerState) => (bot === null ? name : ""));
    const known = [table, rated, ...people].join("\n");
    if (known === this.known || people.filter(Boolean).length < (rated ? 1 : 2)) return;
    this.known = known;
    const [found, figures] = await Promise.all([
      api.players(table).catch(() => null),
      rated ? api.tableRating(table).catch(() => null) : null,
    ]);
    if (known !== this.known) return;
    this.pages = found?.players ?? [];
    this.ratings = figures?.seats ?? [];
    this.table = table;
  }
}

export const players = new Players();
