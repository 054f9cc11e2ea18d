import type { Choice, DisplayCard, HandView, State } from "./protocol";
import type { TableConnection } from "./table.svelte";
import { choicesAt } from "./view";

export type Place = "row1" | "row2" | "hand" | "drawn" | "elsewhere";

export interface Detail {
  card: string;
  place: Place;
}

/** What the viewer is looking at and about to do on one table. Without a connection it is a picture only. */
export class Board {
  detail = $state.raw<Detail | null>(null);
  confirming = $state.raw<Choice | null>(null);

  constructor(readonly connection: TableConnection | null = null) {}

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
  found(state: State): DisplayCard | HandView | null {
    const detail = this.detail;
    if (!detail) return null;
    if (detail.place === "row1" || detail.place === "row2") {
      return state[detail.place].find((item) => item.card === detail.card) ?? null;
    }
    if (detail.place === "hand" && state.you !== null) {
      return state.players[state.you]?.hand.find((item) => item.card === detail.card) ?? null;
    }
    return null;
  }

  choices(state: State): Choice[] {
    if (this.detail?.place === "drawn") return choicesAt(state, state.drawn_choices);
    return choicesAt(state, this.found(state)?.choices ?? []);
  }
}
