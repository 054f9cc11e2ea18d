import type { Wish } from "./protocol";
import { load, save } from "./storage";

/** Seconds after which bots take the places of people who have not come. */
export const BOTS_AFTER = 30;

/** What somebody would like to play, as they choose it. */
export interface Wanted {
  edition: "any" | "first" | "second";
  market: "any" | "with" | "without";
  seats: "any" | "2" | "3" | "4" | "5";
  bots: boolean;
}

const CHOICES = {
  edition: ["any", "first", "second"],
  market: ["any", "with", "without"],
  seats: ["any", "2", "3", "4", "5"],
} as const;

/** The choice of last time. */
export function kept(): Wanted {
  const [edition, market, seats, bots] = (load("now") ?? "").split(" ");
  const one = <T extends string>(choices: readonly T[], word: string | undefined) =>
    choices.find((each) => each === word) ?? choices[0]!;
  return {
    edition: one(CHOICES.edition, edition),
    market: one(CHOICES.market, market),
    seats: one(CHOICES.seats, seats),
    bots: bots === "bots",
  };
}

export function keep({ edition, market, seats, bots }: Wanted): void {
  save("now", `${edition} ${market} ${seats} ${bots ? "bots" : "people"}`);
}

/** Why it cannot be played. */
export function seatsReason({ edition, market, seats }: Wanted): "reason.five_market" | "reason.second_only" | null {
  if (edition === "first" && market === "with") return "reason.second_only";
  return seats === "5" && (market === "without" || edition === "first") ? "reason.five_market" : null;
}

export function wishOf({ edition, market, seats, bots }: Wanted): Wish {
  return {
    type: "wish",
    editions: edition === "any" ? ["second", "first"] : [edition],
    market: market === "any" ? null : market === "with",
    seats: seats === "any" ? [2, 3, 4, 5] : [Number(seats)],
    bots_after: bots ? BOTS_AFTER : null,
  };
}
