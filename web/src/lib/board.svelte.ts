import type { ChatLine, Choice, DisplayCard, HandView, TableState } from "./protocol";
import type { TableConnection } from "./table.svelte";
import { choicesAt } from "./view";

export type Place = "row1" | "row2" | "hand" | "drawn" | "elsewhere";

export const TABS = ["log", "chat", "cards"] as const;

/** A card that something may be done with, wherever it lies. */
export type Found = Pick<DisplayCard | HandView, "price" | "why_not" | "choices">;

export interface Detail {
  card: string;
  place: Place;
}

const mark = (line: ChatLine | undefined) => (line ? `${line.at} ${line.name} ${line.text}` : "");

/** What the viewer is looking at and about to do on one table. Without a connection it is a picture only. */
export class Board {
  detail = $state.raw<Detail | null>(null);
  confirming = $state.raw<Choice | null>(null);
  tab = $state<(typeof TABS)[number]>("log");
  /** The newest line of the chat that has been seen; null as long as nothing is known. */
  private read = $state<string | null>(null);

  constructor(readonly connection: TableConnection | null = null) {}

  /** Lines of the chat that came since it was last open; what was there at the beginning is not new. */
  unread(heard: readonly ChatLine[]): number {
    if (this.tab === "chat" || this.read === null) return 0;
    return heard.length - 1 - heard.map(mark).lastIndexOf(this.read);
  }

  /** Take note of the chat: all of it when it is open, its beginning in any case. */
  listen(heard: readonly ChatLine[]): void {
    if (this.tab === "chat" || this.read === null) this.read = mark(heard.at(-1));
  }

  look(card: string, place: Place = "elsewhere"): void {
    this.detail = { card, place };
  }

  /** Do it, or ask first where a slip is costly. */
  choose(choice: Choice): void {
    if (choice.confirm && this.confirming !== choice) {
      this.confirming = choice;
      return;
    }
    this.confirming = null;
    this.detail = null;
    this.connection?.act(choice.action);
  }

  /** The card that is looked at as it lies on the table now. */
  found(state: TableState): Found | null {
    const detail = this.detail;
    if (!detail) return null;
    if (detail.place === "row1" || detail.place === "row2") {
      return state[detail.place].find((item) => item.card === detail.card) ?? null;
    }
    if (detail.place === "hand" && state.you !== null) {
      return state.players[state.you]?.hand.find((item) => item.card === detail.card) ?? null;
    }
    if (detail.place === "drawn" && state.drawn === detail.card) {
      return { price: state.drawn_price, why_not: state.drawn_why_not, choices: state.drawn_choices };
    }
    return null;
  }

  choices(state: TableState): Choice[] {
    return choicesAt(state, this.found(state)?.choices ?? []);
  }
}
