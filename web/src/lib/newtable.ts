/** The form of a new table: what is possible with what. The server has the last word. */
import type { Edition, ModuleInfo, NewTable, SeatRequest, TableChange, TableState } from "./protocol";

export interface Draft {
  edition: Edition;
  market: boolean;
  modules: number[];
  openRubles: boolean;
  openHands: boolean;
  public: boolean;
  pace: "live" | "relaxed" | "none";
  /** Seconds for each decision and in reserve; null: as usual at this pace. */
  decision: number | null;
  reserve: number | null;
  showSeen: boolean;
  rated: boolean;
  realObstacles: number | null;
  /** Cards of Good Company that stay in the box. */
  leftOut: string[];
  seats: SeatRequest[];
}

export type Reason = "reason.second_only" | "reason.needs_market" | "reason.five_market";

/** Why a module cannot be chosen now (1.3); null if it can. */
export function moduleReason(draft: Draft, module: Pick<ModuleInfo, "needs_market">): Reason | null {
  if (draft.edition === "first") return "reason.second_only";
  return module.needs_market && !draft.market ? "reason.needs_market" : null;
}

/** Why the Market cannot be switched on. */
export function marketReason(draft: Draft): Reason | null {
  return draft.edition === "first" ? "reason.second_only" : null;
}

/** Why so many cannot play. */
export function playersReason(draft: Draft, players: number): Reason | null {
  return players === 5 && !draft.market ? "reason.five_market" : null;
}

/** What is sent: only what is possible together. */
export function request(draft: Draft, modules: readonly ModuleInfo[]): NewTable {
  const market = draft.market && !marketReason(draft);
  const chosen = modules.filter((module) => draft.modules.includes(module.number) && !moduleReason(draft, module));
  const company = chosen.find((module) => module.cards.length)?.cards;
  return {
    ruleset: {
      edition: draft.edition,
      players: draft.seats.length,
      market,
      modules: chosen.map((module) => module.number),
      good_company: company && draft.leftOut.length ? company.filter((card) => !draft.leftOut.includes(card)) : null,
      real_obstacles: chosen.some((module) => module.number === 6) ? draft.realObstacles : null,
      open_rubles: draft.openRubles,
      open_hands: draft.openHands,
    },
    seats: draft.seats,
    public: draft.public,
    pace: draft.pace,
    decision_seconds: draft.pace === "none" ? null : draft.decision,
    reserve_seconds: draft.pace === "none" ? null : draft.reserve,
    show_seen_cards: draft.showSeen,
    rated: draft.rated,
  };
}

/** The form filled in with what a table is now; its seats are only counted. */
export function draftOf(state: TableState, modules: readonly ModuleInfo[]): Draft {
  const { edition, players, market, modules: chosen, options } = state.ruleset;
  const company = modules.find((module) => chosen.includes(module.number) && module.cards.length)?.cards ?? [];
  const kept = options.good_company;
  return {
    edition,
    market,
    modules: chosen,
    openRubles: options.open_rubles,
    openHands: options.open_hands,
    public: state.public,
    pace: state.clock?.pace ?? "none",
    decision: state.clock?.decision_seconds ?? null,
    reserve: state.clock?.reserve_seconds ?? null,
    showSeen: state.show_seen_cards,
    rated: state.rated,
    realObstacles: options.real_obstacles,
    leftOut: kept ? company.filter((card) => !kept.includes(card)) : [],
    seats: Array.from({ length: players }, () => ({ kind: "open" })),
  };
}

/** What is sent to change a table. */
export function changes(draft: Draft, modules: readonly ModuleInfo[]): TableChange {
  const { seats: _, ...wanted } = request(draft, modules);
  return wanted;
}

/** A draft after a change: without the Market there are no five players, and a rated game needs a clock and people. */
export function changed(draft: Draft, part: Partial<Draft>): Draft {
  const next = { ...draft, ...part };
  if (part.rated) {
    if (next.pace === "none") next.pace = "live";
    next.seats = next.seats.map((seat) => (seat.kind === "bot" ? { kind: "open" } : seat));
  } else if (next.pace === "none" || next.seats.some((seat) => seat.kind === "bot")) next.rated = false;
  const market = next.market && !marketReason(next);
  return market ? next : { ...next, seats: next.seats.slice(0, 4) };
}
