import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Board } from "../src/lib/board.svelte";
import { atOnce } from "../src/lib/backoff";
import { layers } from "../src/lib/layers";
import { settings } from "../src/lib/settings.svelte";
import { TableConnection } from "../src/lib/table.svelte";
import type { TableState } from "../src/lib/protocol";
import { coming, without } from "../src/lib/wish";
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
  closed = false;
  close() {
    this.closed = true;
  }
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
    expect(socket().url).toMatch(/\/api\/tables\/abc\/ws\?language=de&protocol=\d+&seat=secret$/);
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
  it("gets the whole state first and then what has changed, and leaves alone what was shown before", () => {
    const first = state({ serial: 4, chat: [] });
    socket().say(first);
    const shown = connection.state!;
    socket().say({
      type: "patch", base: 4, serial: 5,
      patch: [{ op: "replace", path: "/players/1/rubles", value: 12 }, { op: "replace", path: "/version", value: 2 }],
    });
    vi.advanceTimersByTime(1000);
    expect(connection.state).toEqual({ ...first, serial: 5, version: 2, players: [first.players[0], { ...first.players[1], rubles: 12 }] });
    expect(shown).toEqual(first);
    expect(connection.state!.players[0]).toBe(shown.players[0]);
    socket().say({ type: "patch", base: 5, serial: 6, patch: [{ op: "replace", path: "/round", value: 2 }] });
    vi.advanceTimersByTime(1000);
    expect(connection.state).toMatchObject({ serial: 6, round: 2, version: 2 });
    expect(socket().sent).toEqual([]);
  });
  it("is asked for whole when a patch is missing or does not fit, once, and waits for it", () => {
    const patch = (base: number, path: string, value: unknown) =>
      ({ type: "patch", base, serial: base + 1, patch: [{ op: "replace", path, value }] });
    socket().say(state({ serial: 1 }));
    socket().say(patch(2, "/round", 9));
    socket().say(patch(3, "/round", 9));
    expect(socket().sent).toEqual([{ type: "refresh" }]);
    expect(connection.state?.round).toBe(1);
    socket().say(state({ serial: 7, round: 5 }));
    socket().say(patch(7, "/round", 6));
    vi.advanceTimersByTime(1000);
    expect(connection.state?.round).toBe(6);
    socket().say(patch(8, "/nowhere", 6));
    expect(socket().sent).toEqual([{ type: "refresh" }, { type: "refresh" }]);
    expect(connection.state?.round).toBe(6);
  });
  it("takes patches that come quicker than they are shown", () => {
    vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener() {} }));
    socket().say(state({ serial: 1, to_move: 1 }));
    const line = { number: 1, round: 1, phase: "worker", seat: 1, text: "x", passed: false, auto: false, late: false };
    for (let serial = 1; serial < 6; serial++) {
      socket().say({ type: "patch", base: serial, serial: serial + 1, patch: [
        { op: "add", path: "/log/-", value: { ...line, number: serial } }, { op: "replace", path: "/version", value: serial + 1 },
      ] });
    }
    vi.advanceTimersByTime(10_000);
    expect(connection.state?.log.map((each) => each.number)).toEqual([1, 2, 3, 4, 5]);
    expect(connection.state?.version).toBe(6);
  });
  it("takes no patch for the state of an earlier connection", () => {
    socket().say(state({ serial: 1 }));
    socket().onclose?.({ code: 1006, reason: "" });
    vi.advanceTimersByTime(2000);
    socket().open();
    socket().say({ type: "patch", base: 1, serial: 2, patch: [{ op: "replace", path: "/round", value: 9 }] });
    expect(connection.state?.round).toBe(1);
    expect(socket().sent).toEqual([{ type: "refresh" }]);
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
    socket().say({ type: "error", code: "illegal", message: "Not now.", about: "act" });
    expect(connection.error).toBe("Not now.");
    expect(connection.busy).toBe(false);
  });
});

describe("a decision", () => {
  const seconds = (number: number) => vi.advanceTimersByTime(number * 1000);
  const buy = choice("buy market row 1", { card: "market", to: "area", price: 5, label: "buy the market" });
  const turn = (version: number, more: Partial<TableState> = {}) =>
    state({ version, choices: [buy, choice("pass")], row1: [displayCard("market", [0])], log: [line(1, 1)], ...more });
  const line = (number: number, seat: number) => ({
    number, round: 1, phase: "worker", seat, text: "x", passed: false, auto: false, late: false,
  });
  const acts = () => FakeSocket.all.flatMap((each) => each.sent).filter((message) => message["type"] === "act");
  const breakLine = () => {
    socket().readyState = 3;
    socket().onclose?.({ code: 1006, reason: "" });
  };
  const comeBack = (message: TableState) => {
    seconds(1.1);
    socket().open();
    socket().say(message);
  };

  it("waits for its answer, whatever else comes in, and is not sent twice", () => {
    socket().say(turn(3));
    connection.act(buy.action);
    expect(connection.wish).toMatchObject({ choice: buy, place: 0, sent: true });
    socket().say(turn(3, { question: "Somebody wrote something." }));
    seconds(1);
    connection.act(buy.action);
    expect(connection.busy).toBe(true);
    expect(acts()).toHaveLength(1);
    socket().say({ type: "error", code: "too_fast", message: "Not so fast.", about: "chat" });
    expect(connection.busy).toBe(true);
    socket().say(turn(4));
    seconds(1);
    expect(connection.busy).toBe(false);
    expect(connection.error).toBe("Not so fast.");
  });
  it("is kept without a connection and sent once when it is back", () => {
    socket().say(turn(3));
    breakLine();
    connection.act(buy.action);
    expect(connection.wish).toMatchObject({ choice: buy, sent: false });
    expect(acts()).toEqual([]);
    comeBack(turn(3));
    expect(acts()).toEqual([{ type: "act", version: 3, action: buy.action }]);
    socket().say(turn(4, { log: [line(1, 1), line(2, 0)] }));
    seconds(1);
    expect(connection.wish).toBeNull();
    expect(connection.error).toBeNull();
    expect(acts()).toHaveLength(1);
  });
  it("is sent after the first state and not before, so that it fits what there is", () => {
    socket().say(turn(3));
    breakLine();
    seconds(1.1);
    socket().open();
    connection.act(buy.action);
    expect(acts()).toEqual([]);
    socket().say(turn(3));
    expect(acts()).toHaveLength(1);
  });
  it("is given up, with a word, when the game went on meanwhile", () => {
    socket().say(turn(3));
    breakLine();
    connection.act(buy.action);
    comeBack(turn(5, { log: [line(1, 1), line(2, 0)] }));
    seconds(1);
    expect(acts()).toEqual([]);
    expect(connection.wish).toBeNull();
    expect(connection.error).toContain("buy the market");
  });
  it("that got through before the line broke is not made again", () => {
    socket().say(turn(3));
    connection.act(buy.action);
    breakLine();
    expect(connection.wish).not.toBeNull();
    comeBack(turn(4, { log: [line(1, 1), line(2, 0)] }));
    seconds(1);
    expect(acts()).toHaveLength(1);
    expect(connection.wish).toBeNull();
    expect(connection.error).toBeNull();
  });
  it("that got lost on the way is made again", () => {
    socket().say(turn(3));
    connection.act(buy.action);
    breakLine();
    comeBack(turn(3));
    expect(acts()).toHaveLength(2);
    expect(connection.wish).toMatchObject({ sent: true });
  });
  it("that got lost while others went on is given up", () => {
    socket().say(turn(3));
    connection.act(buy.action);
    breakLine();
    comeBack(turn(4, { log: [line(1, 1), line(2, 1)] }));
    seconds(1);
    expect(acts()).toHaveLength(1);
    expect(connection.error).toContain("buy the market");
  });
  it("survives a server that stops", () => {
    socket().say(turn(3));
    connection.act(buy.action);
    socket().say({ type: "error", code: "shutting_down", message: "Back in a moment.", about: "act" });
    socket().onclose?.({ code: 1012, reason: "" });
    comeBack(turn(3));
    expect(acts()).toHaveLength(2);
    expect(connection.error).toBeNull();
  });
  it("can be let go of", () => {
    socket().say(turn(3));
    breakLine();
    connection.act(buy.action);
    connection.withdraw();
    comeBack(turn(3));
    expect(acts()).toEqual([]);
  });
  it("to take back or to pass is kept as well", () => {
    socket().say(turn(3, { can_undo: true }));
    breakLine();
    connection.undo();
    comeBack(turn(3, { can_undo: true }));
    expect(socket().sent).toEqual([{ type: "undo", version: 3 }]);
    socket().say(turn(4));
    seconds(1);
    breakLine();
    connection.autoPass("phase");
    comeBack(turn(4));
    expect(socket().sent).toEqual([{ type: "auto_pass", until: "phase" }]);
    expect(connection.busy).toBe(false);
  });
  it("moves its card at once, and no other", () => {
    const rows = [displayCard("market", [0]), displayCard("market", [0]), displayCard("pub", [1])];
    socket().say(turn(3, { row1: rows }));
    connection.act(buy.action);
    expect(without(connection.wish, rows).map((each) => each.card)).toEqual(["market", "pub"]);
    expect([coming(connection.wish, "area"), coming(connection.wish, "hand")]).toEqual(["market", null]);
    socket().say({ type: "error", code: "illegal", message: "No.", about: "act" });
    expect(without(connection.wish, rows)).toHaveLength(3);
  });
  it("and words that cannot be sent are not swallowed", () => {
    socket().say(turn(3));
    breakLine();
    expect(connection.chat("Hello")).toBe(false);
    expect(connection.error).not.toBeNull();
    connection.askHint();
    expect(connection.hintPending).toBe(false);
  });
});

describe("a lost server", () => {
  const gaps = (seconds: number) => {
    const times: number[] = [];
    for (let passed = 0; passed < seconds * 10; passed++) {
      vi.advanceTimersByTime(100);
      if (socket().readyState === 0) {
        times.push(passed / 10);
        socket().readyState = 3;
        socket().onclose?.({ code: 1006, reason: "" });
      }
    }
    return times.slice(1).map((time, place) => time - times[place]!);
  };
  it("is looked for every second while somebody looks, and rarely while nobody does", () => {
    socket().say(state());
    socket().readyState = 3;
    socket().onclose?.({ code: 1006, reason: "" });
    expect(Math.max(...gaps(60))).toBeLessThan(1.2);
    vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
    expect(gaps(60).at(-1)).toBeGreaterThan(5);
    vi.restoreAllMocks();
  });
  it("is looked for at once when asked to, and when the network comes back", () => {
    socket().say(state());
    socket().onclose?.({ code: 1006, reason: "" });
    connection.again();
    expect(FakeSocket.all).toHaveLength(2);
    dispatchEvent(new Event("online"));
    expect(FakeSocket.all).toHaveLength(3);
    expect(FakeSocket.all[1]!.closed).toBe(true);
  });
});

describe("a table that moves to another server", () => {
  it("is found again within a second, and the sentence is not shown", () => {
    socket().say(state());
    socket().say({ type: "error", code: "moved", message: "It has moved." });
    socket().onclose?.({ code: 4421, reason: "moved" });
    expect([connection.link, connection.error, connection.missed]).toEqual(["lost", null, false]);
    vi.advanceTimersByTime(1000);
    expect(FakeSocket.all).toHaveLength(2);
    socket().open();
    vi.advanceTimersByTime(5000);
    expect([connection.link, connection.missed]).toEqual(["open", false]);
  });
  it("keeps the move that was on its way", () => {
    socket().say(state({ version: 7, choices: [choice("pass")] }));
    connection.act("pass");
    socket().say({ type: "error", code: "moved", message: "It has moved.", about: "act" });
    socket().onclose?.({ code: 4421, reason: "moved" });
    vi.advanceTimersByTime(1000);
    socket().open();
    socket().say(state({ version: 7, choices: [choice("pass")] }));
    expect(socket().sent).toEqual([{ type: "act", version: 7, action: "pass" }]);
  });
  it("is spread over the second, so that not everybody comes at the same moment", () => {
    expect([0, 0.25, 0.999].map((random) => atOnce(() => random))).toEqual([0, 0.25, 0.999]);
  });
  it("is missed only when it takes longer", () => {
    socket().say(state());
    socket().onclose?.({ code: 4421, reason: "moved" });
    for (let tries = 0; tries < 30; tries++) {
      vi.advanceTimersByTime(100);
      if (socket().readyState === 0) {
        socket().readyState = 3;
        socket().onclose?.({ code: 1006, reason: "" });
      }
      expect(connection.missed).toBe(tries >= 14);
    }
  });
});

describe("a page that is too old", () => {
  const reload = vi.fn();
  const outdated = () => {
    socket().say({ type: "error", code: "outdated", message: "Load it again." });
    socket().onclose?.({ code: 4426, reason: "outdated" });
    vi.advanceTimersByTime(1000);
  };
  beforeEach(() => {
    sessionStorage.clear();
    reload.mockClear();
    vi.spyOn(location, "reload").mockImplementation(reload);
  });
  afterEach(() => vi.restoreAllMocks());
  it("loads itself anew, once, and then leaves it to the person", async () => {
    outdated();
    await vi.advanceTimersByTimeAsync(1000);
    expect(reload).toHaveBeenCalledOnce();
    connection.close();
    connection = new TableConnection("abc", "secret", "de");
    socket().open();
    outdated();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(reload).toHaveBeenCalledOnce();
    expect([connection.link, connection.offer, connection.error]).toEqual(["gone", "reload", "Load it again."]);
    expect(FakeSocket.all).toHaveLength(2);
  });
  it("waits until the dialog is closed", async () => {
    const close = layers.add(() => undefined);
    outdated();
    await vi.advanceTimersByTimeAsync(5000);
    expect(reload).not.toHaveBeenCalled();
    close();
    await vi.advanceTimersByTimeAsync(5000);
    expect(reload).toHaveBeenCalledOnce();
  });
});

describe("a silent connection", () => {
  const seconds = (number: number) => vi.advanceTimersByTime(number * 1000);
  it("is asked whether it lives, and given up without an answer", () => {
    socket().say(state());
    seconds(14);
    expect(socket().sent).toEqual([]);
    seconds(2);
    expect(socket().sent).toEqual([{ type: "ping" }]);
    socket().say({ type: "pong" });
    seconds(16);
    expect(socket().sent).toEqual([{ type: "ping" }, { type: "ping" }]);
    const dead = socket();
    seconds(9);
    expect(connection.link).toBe("lost");
    expect(connection.busy).toBe(false);
    expect(dead.closed).toBe(true);
    seconds(2);
    expect(FakeSocket.all).toHaveLength(2);
    dead.say(state({ round: 9 })); // what the dead one still says does not count
    dead.onclose?.({ code: 1006, reason: "" });
    expect(FakeSocket.all).toHaveLength(2);
    socket().open();
    socket().say(state({ round: 3 }));
    expect(connection.link).toBe("open");
    expect(connection.state?.round).toBe(3);
  });
  it("is asked sooner after a move", () => {
    socket().say(state());
    connection.act("pass");
    seconds(4);
    expect(socket().sent.at(-1)).toEqual({ type: "ping" });
    seconds(9);
    expect(connection.link).toBe("lost");
  });
  it("is asked at once when the network or the person comes back", () => {
    socket().say(state());
    dispatchEvent(new Event("online"));
    expect(socket().sent).toEqual([{ type: "ping" }]);
    socket().say({ type: "pong" });
    document.dispatchEvent(new Event("visibilitychange"));
    expect(socket().sent).toHaveLength(2);
    seconds(9);
    expect(connection.link).toBe("lost");
  });
  it("that never opens is tried again", () => {
    socket().onclose?.({ code: 1006, reason: "" });
    seconds(1);
    expect(FakeSocket.all).toHaveLength(2);
    seconds(10);
    expect(FakeSocket.all.length).toBeGreaterThan(2);
  });
});

describe("a closed door", () => {
  it("is not knocked at ever faster", () => {
    for (let times = 0; times < 6; times++) {
      const tries = FakeSocket.all.length;
      socket().open();
      socket().onclose?.({ code: 1006, reason: "" });
      while (FakeSocket.all.length === tries) vi.advanceTimersByTime(100);
    }
    const tries = FakeSocket.all.length;
    socket().open();
    socket().onclose?.({ code: 1006, reason: "" });
    vi.advanceTimersByTime(10_000);
    expect(FakeSocket.all).toHaveLength(tries);
  });
  it.each([
    [4500, "gone", null, 600], [4403, "gone", null, 600], [4409, "gone", "here", 600], [1008, "gone", "retry", 600],
    [4429, "lost", null, 9.9], [4503, "lost", null, 29.9],
  ])("%i leaves it %s and offers %s", (code, link, offer, quiet) => {
    socket().say({ type: "error", code: "refused", message: "Why." });
    socket().onclose?.({ code, reason: "refused" });
    vi.advanceTimersByTime(quiet * 1000);
    dispatchEvent(new Event("online"));
    expect(FakeSocket.all).toHaveLength(1);
    expect([connection.link, connection.offer, connection.error]).toEqual([link, offer, "Why."]);
    if (link === "gone") connection.again();
    else vi.advanceTimersByTime(2000);
    expect(FakeSocket.all).toHaveLength(2);
    expect(connection.link).toBe(link === "gone" ? "connecting" : "lost");
  });
});

describe("the board", () => {
  it("asks again where a slip is costly", () => {
    socket().say(state());
    const board = new Board(connection);
    const costly = choice("pass", { confirm: true });
    board.choose(costly);
    expect(socket().sent).toHaveLength(0);
    expect(board.confirming).toEqual({ choice: costly, until: "off" });
    board.carryOut(board.confirming!);
    expect(socket().sent).toHaveLength(1);
  });
  it("asks before passing again and again as before passing once, until it shall not", () => {
    socket().say(state());
    const board = new Board(connection);
    const costly = choice("pass", { confirm: true });
    for (const until of ["change", "phase"] as const) {
      board.choose(costly, until);
      expect(board.confirming).toEqual({ choice: costly, until });
    }
    expect(socket().sent).toHaveLength(0);
    settings.turn("ask_pass", false);
    board.choose(costly, "phase");
    expect(socket().sent).toEqual([{ type: "auto_pass", until: "phase" }]);
    board.choose(choice("upkeep drop", { confirm: true }));
    expect(board.confirming?.choice.verb).toBe("upkeep");
    settings.turn("ask_pass", true);
  });
  it("finds the choices of the card that is looked at, with the newest prices", () => {
    const board = new Board();
    board.look("market", "row2");
    const game = state({ choices: [choice("buy market row 2", { price: 4 })], row2: [displayCard("market", [0])] });
    expect(board.choices(game).map((each) => each.price)).toEqual([4]);
    expect(board.choices(state())).toEqual([]);
  });
});
