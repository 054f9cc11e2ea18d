import type { Subject } from "./explain";
import type { AutoPass, ChatLine, Choice, DisplayCard, HandView, TableState } from "./protocol";
import { pointing, type Pointed } from "./review.svelte";
import { settings, type Switch } from "./settings.svelte";
import type { TableConnection } from "./table.svelte";
import { choicesAt, extraChoices, isAsked, isPass, isTurn } from "./view";
import type { Wish } from "./wish";

export type Place = "row1" | "row2" | "hand" | "drawn" | "elsewhere";

export const TABS = ["log", "chat", "cards"] as const;

/** A card that something may be done with, wherever it lies. */
export type Found = Pick<DisplayCard | HandView, "price" | "why_not" | "choices">;

export interface Detail {
  card: string;
  place: Place;
}

/** A choice that waits for a second click; with a pass, for how long it is to be repeated. */
export interface Confirming {
  choice: Choice;
  until: AutoPass["until"];
}

/** The switch that says whether to ask before a choice. */
export function asksFor(choice: Choice): Switch {
  return isPass(choice) ? "ask_pass" : "ask_risk";
}

const mark = (line: ChatLine | undefined) => (line ? `${line.at} ${line.name} ${line.text}` : "");

/** What the viewer is looking at and about to do on one table. Without a connection it is a picture only. */
export class Board {
  detail = $state.raw<Detail | null>(null);
  confirming = $state.raw<Confirming | null>(null);
  /** What of the Market or a module is being explained. */
  explained = $state.raw<Subject | null>(null);
  /** Whether the person has opened or closed the drawer of the present question; null as long as they have not. */
  drawer = $state<boolean | null>(null);
  /** What a review points at. */
  pointed = $state.raw<Pointed | null>(null);
  private version = -1;
  /** Whether the game was seen under way, so that its end is shown as an event. */
  live = $state(false);
  /** Whether the person has seen the end. */
  ended = $state(false);
  tab = $state<(typeof TABS)[number]>("log");
  /** The newest line of the chat that has been seen; null as long as nothing is known. */
  private read = $state<string | null>(null);

  constructor(readonly connection: TableConnection | null = null) {}

  /** What was decided and is not answered yet. */
  get wish(): Wish | null {
    return this.connection?.wish ?? null;
  }

  /** Lines of the chat that came since it was last open; what was there at the beginning is not new. */
  unread(heard: readonly ChatLine[]): number {
    if (this.tab === "chat" || this.read === null) return 0;
    return heard.length - 1 - heard.map(mark).lastIndexOf(this.read);
  }

  /** Take note of the chat: all of it when it is open, its beginning in any case. */
  listen(heard: readonly ChatLine[]): void {
    if (this.tab === "chat" || this.read === null) this.read = mark(heard.at(-1));
  }

  /** What a review says of a card that offers these choices. */
  pointing(state: TableState, places: readonly number[]): "better" | "played" | null {
    return pointing(state, places, this.pointed);
  }

  look(card: string, place: Place = "elsewhere"): void {
    this.detail = { card, place };
  }

  /** Do it, or ask first where a slip is costly. Passing once or again and again follows the same rule. */
  choose(choice: Choice, until: AutoPass["until"] = "off"): void {
    if (choice.confirm && settings.on[asksFor(choice)]) this.confirming = { choice, until };
    else this.carryOut({ choice, until });
  }

  /** Do what was asked about. */
  carryOut({ choice, until }: Confirming): void {
    this.confirming = null;
    this.detail = null;
    if (until === "off") this.connection?.act(choice.action);
    else this.connection?.autoPass(until);
  }

  /** Take note of a state: what was opened for one question is not open for the next. */
  see(state: TableState): void {
    if (state.version !== this.version) this.drawer = null;
    this.version = state.version;
    if (state.status !== "playing") return;
    this.live = this.connection !== null;
    this.ended = false;
  }

  /** Whoever saw the game go on is shown its end as an event; whoever comes later finds it at the top. */
  isEnding(state: TableState): boolean {
    return state.final !== null && this.live && !this.ended;
  }

  /** Open where an answer is needed or a hint was given, and where there is room also for what one may do besides. */
  drawerOpen(state: TableState, roomy: boolean): boolean {
    if (!isAsked(state)) return false;
    if (this.connection?.hint?.version === state.version) return true;
    return extraChoices(state).length > 0 && (this.drawer ?? (roomy || !isTurn(state)));
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
