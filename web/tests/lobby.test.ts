import { afterEach, describe, expect, it, vi } from "vitest";
import { lobby, updated } from "../src/lib/lobby.svelte";
import { seatsReason, wishOf } from "../src/lib/playnow";
import type { LobbyOwn, LobbyState, LobbyUpdate, TableSummary, Wish } from "../src/lib/protocol";

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

class Socket {
  static readonly OPEN = 1;
  static newest: Socket | null = null;
  readyState = Socket.OPEN;
  said: { type: string; number?: number }[] = [];
  onopen = (): void => {};
  onclose = (): void => {};
  onmessage = (_: { data: string }): void => {};

  constructor() {
    Socket.newest = this;
  }

  send(text: string): void {
    this.said.push(JSON.parse(text) as { type: string });
  }

  close(): void {}

  tell(own: Partial<LobbyOwn>): void {
    const nothing: LobbyOwn = { type: "own", wish: null, seconds: 0, table: null, invitations: [], number: 0 };
    this.onmessage({ data: JSON.stringify({ ...nothing, ...own }) });
  }
}

describe("a wish", () => {
  const wish: Wish = { type: "wish", editions: ["second"], market: false, seats: [2], bots_after: null };
  let stop = (): void => {};

  async function look(): Promise<Socket> {
    vi.stubGlobal("WebSocket", Socket);
    Socket.newest = null;
    stop = lobby.watch();
    const socket = await vi.waitUntil(() => Socket.newest);
    socket.onopen();
    socket.tell({});
    return socket;
  }

  afterEach(async () => {
    stop();
    await new Promise((done) => setTimeout(done));
    vi.unstubAllGlobals();
    lobby.took();
  });

  it("that is made again before the server has heard of the end of the first leads to its table", async () => {
    const socket = await look();
    lobby.wish(wish);
    socket.tell({ wish, number: 1 });
    expect(lobby.waiting?.wish).toEqual(wish);
    lobby.unwish();
    lobby.wish(wish);
    expect(socket.said.map(({ type, number }) => [type, number])).toEqual([["wish", 1], ["unwish", 2], ["wish", 3]]);
    socket.tell({ number: 2 });
    socket.tell({ wish, number: 3 });
    expect(lobby.waiting?.wish).toEqual(wish);
    socket.tell({ table: "t7", number: 3 });
    expect([lobby.table, lobby.waiting]).toEqual(["t7", null]);
  });

  it("that was ended in another tab leads nowhere", async () => {
    const socket = await look();
    lobby.wish(wish);
    socket.tell({ wish, number: 1 });
    socket.tell({ number: 1 });
    socket.tell({ table: "t7", number: 1 });
    expect([lobby.table, lobby.waiting]).toEqual([null, null]);
  });

  it("that was refused leaves nothing behind", async () => {
    const socket = await look();
    lobby.wish(wish);
    socket.onmessage({ data: JSON.stringify({ type: "error", code: "refused", message: "No.", about: "wish" }) });
    expect([lobby.error, lobby.waiting]).toEqual(["No.", null]);
    lobby.wish(wish);
    socket.tell({ wish, number: 1 });
    expect(lobby.waiting?.wish).toEqual(wish);
  });
});
