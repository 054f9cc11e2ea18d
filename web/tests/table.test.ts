import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Board } from "../src/lib/board.svelte";
import { TableConnection } from "../src/lib/table.svelte";
import { choice, displayCard, state } from "./mock";

class FakeSocket {
  static readonly OPEN = 1;
  static all: FakeSocket[] = [];
  readyState = 0;
  sent: Record<string, unknown>[] = [];
  onopen?: () => void;
  onclose?: (event: { code: number; reason: string }) => void;
  onmessage?: (event: { data: string }) => void;
  constructor(readonly url: string) {
    FakeSocket.all.push(this);
  }
  send(text: string) {
    this.sent.push(JSON.parse(text) as Record<string, unknown>);
  }
  close() {}
  open() {
    this.readyState = 1;
    this.onopen?.();
  }
  say(message: unknown) {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
}

let connection: TableConnection;
const socket = () => FakeSocket.all.at(-1)!;

beforeEach(() => {
  vi.useFakeTimers();
  FakeSocket.all = [];
  vi.stubGlobal("WebSocket", FakeSocket);
  connection = new TableConnection("abc", "secret", "de");
  socket().open();
});
afterEach(() => {
  connection.close();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe("a table", () => {
  it("is asked for with language and seat", () => {
    expect(socket().url).toMatch(/\/api\/tables\/abc\/ws\?language=de&seat=secret$/);
  });
  it("shows states and sends moves with their version", () => {
    socket().say(state({ version: 7 }));
    expect(connection.state?.version).toBe(7);
    connection.act("pass");
    expect(socket().sent).toEqual([{ type: "act", version: 7, action: "pass" }]);
    connection.act("pass");
    expect(socket().sent).toHaveLength(1);
  });
  it("is connected to again when the line breaks, and not when there is no such table", () => {
    socket().onclose?.({ code: 1006, reason: "" });
    expect(connection.link).toBe("lost");
    vi.advanceTimersByTime(2000);
    expect(FakeSocket.all).toHaveLength(2);
    socket().open();
    expect(connection.link).toBe("open");
    socket().onclose?.({ code: 4404, reason: "" });
    vi.advanceTimersByTime(60_000);
    expect(FakeSocket.all).toHaveLength(2);
    expect(connection.link).toBe("gone");
  });
  it("forgets a hint when the position changes", () => {
    socket().say(state({ version: 1 }));
    socket().say({ type: "hint", version: 1, suggestions: [] });
    expect(connection.hint).not.toBeNull();
    vi.advanceTimersByTime(1000);
    socket().say(state({ version: 2 }));
    expect(connection.hint).toBeNull();
  });
  it("says what the server refused", () => {
    socket().say(state());
    connection.act("buy market");
    socket().say({ type: "error", code: "illegal", message: "Not now." });
    expect(connection.error).toBe("Not now.");
    expect(connection.busy).toBe(false);
  });
});

describe("the board", () => {
  it("asks again where a slip is costly", () => {
    socket().say(state());
    const board = new Board(connection);
    const costly = choice("pass", { confirm: true });
    board.choose(costly);
    expect(socket().sent).toHaveLength(0);
    expect(board.confirming).toEqual(costly);
    board.choose(board.confirming!);
    expect(socket().sent).toHaveLength(1);
  });
  it("finds the choices of the card that is looked at, with the newest prices", () => {
    const board = new Board();
    board.look("market", "row2");
    const game = state({ choices: [choice("buy market row 2", { price: 4 })], row2: [displayCard("market", [0])] });
    expect(board.choices(game).map((each) => each.price)).toEqual([4]);
    expect(board.choices(state())).toEqual([]);
  });
});
