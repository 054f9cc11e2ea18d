/** The form of a new table: what is possible with what. The server has the last word. */
import type { Edition, ModuleInfo, NewTable, SeatRequest } from "./protocol";

export interface Draft {
  edition: Edition;
  market: boolean;
  modules: number[];
  openRubles: boolean;
  openHands: boolean;
  public: boolean;
  pace: "live" | "relaxed" | "none";
  showSeen: boolean;
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
    show_seen_cards: draft.showSeen,
  };
}
