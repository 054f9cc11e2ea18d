import { describe, expect, it } from "vitest";
import { updated } from "../src/lib/lobby.svelte";
import { seatsReason, wishOf } from "../src/lib/playnow";
import type { LobbyState, LobbyUpdate, TableSummary } from "../src/lib/protocol";

const table = (name: string, at: string) => ({ table: name, updated: at }) as TableSummary;
const STATE: LobbyState = {
  type: "lobby", stamp: "a", online: 2, waiting: 0, matching: true, tables: [table("t2", "12:02"), table("t1", "12:01")],
};
const UPDATE: LobbyUpdate = {
  type: "lobby_update", base: "a", stamp: "b", online: 3, waiting: 1, matching: true, put: [], gone: [],
};

describe("the live lobby", () => {
  it("puts tables where they belong and takes others away", () => {
    const put = [table("t3", "12:02"), table("t1", "12:05"), table("t0", "12:02")];
    const next = updated(STATE, { ...UPDATE, put, gone: ["t2"] });
    expect(next?.tables.map((each) => each.table)).toEqual(["t1", "t0", "t3"]);
    expect(next).toMatchObject({ type: "lobby", stamp: "b", online: 3, waiting: 1 });
  });

  it("takes no change that belongs to another edition", () => {
    expect(updated(STATE, { ...UPDATE, base: "x" })).toBeNull();
  });

  it("says what somebody would play", () => {
    expect(wishOf({ edition: "any", market: "without", seats: "3", bots: true })).toEqual({
      type: "wish", editions: ["second", "first"], market: false, seats: [3], bots_after: 30,
    });
    expect(seatsReason({ edition: "any", market: "without", seats: "5", bots: false })).toBe("reason.five_market");
    expect(seatsReason({ edition: "any", market: "any", seats: "5", bots: false })).toBeNull();
  });
});
