import { backoff } from "./backoff";
import { unasked } from "./log";
import type { AutoPass, ClientMessage, HintReply, Language, ServerMessage, TableState } from "./protocol";
import { motion } from "./settings.svelte";

type Link = "connecting" | "open" | "lost" | "gone";

const PACE = 420;
const LONGEST_QUEUE = 10;

/** One table over a WebSocket: the newest state, what can be sent, and connecting again when the line breaks. */
export class TableConnection {
  state = $state.raw<TableState | null>(null);
  link = $state<Link>("connecting");
  error = $state<string | null>(null);
  hint = $state.raw<HintReply | null>(null);
  hintPending = $state(false);
  /** What was done for the player without asking. */
  notice = $state<string | null>(null);
  /** A move has been sent and not been answered. */
  busy = $state(false);

  private socket: WebSocket | null = null;
  private attempt = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private ping: ReturnType<typeof setInterval> | undefined;
  private queue: TableState[] = [];
  private pacer: ReturnType<typeof setTimeout> | undefined;
  private closed = false;
  private sent = false;

  constructor(
    readonly table: string,
    private readonly token: string | null,
    private language: Language,
  ) {
    this.connect();
    addEventListener("online", this.retry);
    document.addEventListener("visibilitychange", this.retry);
  }

  private connect(): void {
    clearTimeout(this.timer);
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const query = new URLSearchParams({ language: this.language });
    if (this.token) query.set("seat", this.token);
    const socket = new WebSocket(`${scheme}//${location.host}/api/tables/${encodeURIComponent(this.table)}/ws?${query}`);
    this.socket = socket;
    socket.onopen = () => {
      this.attempt = 0;
      this.link = "open";
      clearInterval(this.ping);
      this.ping = setInterval(() => this.send({ type: "ping" }), 25_000);
    };
    socket.onmessage = (event: MessageEvent<string>) => this.receive(JSON.parse(event.data) as ServerMessage);
    socket.onclose = (event) => {
      if (socket !== this.socket || this.closed) return;
      clearInterval(this.ping);
      this.busy = false;
      if (event.code === 4404 || event.code === 4403 || event.code === 1008) {
        this.link = "gone";
        this.error = event.reason || this.error;
        return;
      }
      this.link = "lost";
      this.timer = setTimeout(() => this.connect(), backoff(this.attempt++) * 1000);
    };
  }

  /** Do not wait any longer when the network or the person comes back. */
  private retry = (): void => {
    if (this.link === "lost" && document.visibilityState === "visible") {
      this.attempt = 0;
      this.connect();
    }
  };

  receive(message: ServerMessage): void {
    switch (message.type) {
      case "state":
        this.enqueue(message);
        break;
      case "hint":
        this.hint = message;
        this.hintPending = false;
        break;
      case "error":
        this.busy = false;
        this.sent = false;
        this.hintPending = false;
        this.error = message.message;
        if (message.code === "not_found" || message.code === "not_allowed") {
          if (!this.state) this.link = "gone";
        }
        break;
      case "pong":
        break;
    }
  }

  /** States of others' quick moves are shown one after the other, so that one sees what happened. */
  private enqueue(state: TableState): void {
    this.queue.push(state);
    if (this.pacer === undefined) this.showNext();
  }

  private showNext(): void {
    if (this.queue.length > LONGEST_QUEUE) this.queue.splice(0, this.queue.length - 3);
    const state = this.queue.shift();
    if (!state) {
      this.pacer = undefined;
      return;
    }
    const moved = this.state !== null && state.log.at(-1)?.number !== this.state.log.at(-1)?.number;
    const mine = this.state !== null && this.state.you !== null && this.state.to_move === this.state.you;
    if (this.state && this.state.version !== state.version) this.hint = null;
    const away = state.you !== null && state.players[state.you]?.away;
    const own = this.state && !away ? unasked(this.state.log, state.log, state.you, this.sent) : [];
    if (own.length) this.notice = own.map((line) => line.text).join(" · ");
    if (moved) this.sent = false;
    this.state = state;
    this.busy = false;
    const pause = moved && !mine && document.visibilityState === "visible" ? motion(PACE) : 0;
    this.pacer = setTimeout(() => this.showNext(), pause);
  }

  private send(message: ClientMessage): boolean {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  act(action: string): void {
    if (!this.state || this.busy) return;
    this.error = null;
    this.sent = this.busy = this.send({ type: "act", version: this.state.version, action });
  }

  undo(): void {
    if (this.state) this.send({ type: "undo", version: this.state.version });
  }

  autoPass(until: AutoPass["until"]): void {
    this.send({ type: "auto_pass", until });
  }

  chat(text: string): void {
    if (text.trim()) this.send({ type: "chat", text: text.trim().slice(0, 300) });
  }

  askHint(): void {
    if (this.state) this.hintPending = this.send({ type: "hint", version: this.state.version });
  }

  away(away: boolean, seat: number | null = null): void {
    this.send({ type: "away", away, seat });
  }

  setLanguage(language: Language): void {
    if (language === this.language) return;
    this.language = language;
    this.send({ type: "language", language });
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
    clearTimeout(this.pacer);
    clearInterval(this.ping);
    removeEventListener("online", this.retry);
    document.removeEventListener("visibilitychange", this.retry);
    this.socket?.close();
  }
}
