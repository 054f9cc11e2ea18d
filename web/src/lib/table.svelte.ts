import type { Closing } from "./closing";
import { t } from "./i18n.svelte";
import { Line, type Link } from "./line.svelte";
import { unasked } from "./log";
import { patched } from "./patch";
import { PROTOCOL_VERSION } from "./protocol";
import type { AutoPass, ClientMessage, ErrorReply, HintReply, Language, LogLine, ServerMessage, StatePatch, TableState } from "./protocol";
import { motion, type BotSpeed } from "./settings.svelte";
import { turns } from "./turns.svelte";
import { isDone, isPossible, wish, type Wish } from "./wish";

/** Milliseconds for which a move of others is shown before the next one, by the speed of bots. */
const PACES: Record<BotSpeed, number> = { slow: 900, normal: 420, quick: 160, instant: 0 };
const LONGEST_QUEUE = 10;

/** One table over a WebSocket: the newest state, and what can be sent. A decision waits here until the server has answered it. */
export class TableConnection {
  state = $state.raw<TableState | null>(null);
  error = $state<string | null>(null);
  hint = $state.raw<HintReply | null>(null);
  hintPending = $state(false);
  /** What was done for the player without asking. */
  unasked = $state.raw<LogLine[]>([]);
  /** The decision that has not been answered: under way, or kept until there is a connection. */
  wish = $state.raw<Wish | null>(null);

  private line: Line<ServerMessage, ClientMessage>;
  /** The newest state of this connection, which patches are made for; the one that is shown may be older. */
  private newest: TableState | null = null;
  private refreshing = false;
  /** Whether this connection has brought a state: before, one cannot know what is still possible. */
  private greeted = false;
  private queue: TableState[] = [];
  private pacer: ReturnType<typeof setTimeout> | undefined;
  private sent = false;

  constructor(
    readonly table: string,
    public token: string | null,
    private language: Language,
    private speed: BotSpeed = "normal",
  ) {
    this.line = new Line(
      () => this.address(),
      { fresh: () => this.fresh(), receive: (message) => this.receive(message), lost: () => (this.hintPending = false) },
      { type: "ping" },
    );
  }

  private address(): string {
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const query = new URLSearchParams({ language: this.language, protocol: String(PROTOCOL_VERSION) });
    if (this.token) query.set("seat", this.token);
    return `${scheme}//${location.host}/api/tables/${encodeURIComponent(this.table)}/ws?${query}`;
  }

  get link(): Link {
    return this.line.link;
  }

  /** How the connection was closed. */
  get code(): number {
    return this.line.code;
  }

  get offer(): Closing["offer"] {
    return this.line.offer;
  }

  /** Whether the connection has been lost for longer than a moment. */
  get missed(): boolean {
    return this.line.missed;
  }

  get mayTry(): boolean {
    return this.line.mayTry;
  }

  /** Whether nothing has come back for longer than one likes to wait. */
  get silent(): boolean {
    return this.line.silent;
  }

  /** Whether a decision has not been answered. */
  get busy(): boolean {
    return this.wish !== null;
  }

  /** The person wants to try once more, or at once. */
  again(): void {
    this.error = null;
    this.line.tryNow();
  }

  private fresh(): void {
    this.newest = null;
    this.refreshing = false;
    this.greeted = false;
    if (this.wish?.sent) this.wish = { ...this.wish, doubtful: true };
  }

  receive(message: ServerMessage): void {
    switch (message.type) {
      case "state":
        this.line.greet();
        this.refreshing = false;
        if (!this.greeted) this.greet(message);
        this.greeted = true;
        this.newest = message;
        this.enqueue(message);
        break;
      case "patch":
        this.patch(message);
        break;
      case "hint":
        this.hint = message;
        this.hintPending = false;
        break;
      case "error":
        this.refused(message);
        break;
      case "nudge":
        void turns.refresh();
        break;
      case "pong":
        if (!this.newest && !this.refreshing) this.refresh();
        break;
    }
  }

  private refused({ code, message, about }: ErrorReply): void {
    this.refreshing &&= code !== "too_fast";
    if (!about || about === "hint") this.hintPending = false;
    if (code === "shutting_down" || code === "moved") return; // what was not done is done when a server is back
    if (!about || about === this.wish?.message.type) {
      this.wish = null;
      this.sent = false;
    }
    this.error = message;
  }

  /** The first state of a connection. */
  private greet(state: TableState): void {
    if (this.speed !== "normal") this.line.send({ type: "bot_speed", speed: this.speed });
    this.resend(state);
  }

  /** After connecting again: what nobody has heard of is sent once more, if it is still possible. */
  private resend(state: TableState): void {
    const kept = this.wish;
    if (!kept || !isPossible(kept, state)) {
      if (kept && state.version === kept.version) this.giveUp(kept);
      return;
    }
    this.dispatch(kept);
  }

  private giveUp(kept: Wish): void {
    this.wish = null;
    this.error = kept.choice ? t("kept.late", { move: kept.choice.label }) : t("kept.late.other");
  }

  /** Change the newest state; where the patch is for another one, ask for the whole state. */
  private patch({ base, serial, patch }: StatePatch): void {
    if (this.refreshing) return;
    try {
      if (this.newest?.serial !== base) throw new Error("A patch for another state");
      this.newest = { ...patched(this.newest, patch), serial };
      this.enqueue(this.newest);
    } catch {
      this.newest = null;
      this.refresh();
    }
  }

  private refresh(): void {
    this.refreshing = this.line.send({ type: "refresh" });
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
    if (own.length) this.unasked = own;
    if (moved) this.sent = false;
    this.state = state;
    this.settle(state);
    const pause = moved && !mine && document.visibilityState === "visible" ? motion(PACES[this.speed]) : 0;
    this.pacer = setTimeout(() => this.showNext(), pause);
  }

  /** The table has gone on: the decision is made, or comes too late. */
  private settle(state: TableState): void {
    const wanted = this.wish;
    if (!wanted || state.version === wanted.version) return;
    if (isDone(wanted, state)) this.wish = null;
    else this.giveUp(wanted);
  }

  /** Do it now, or as soon as there is a connection. */
  private want(wanted: Wish): void {
    if (this.wish) return;
    this.error = null;
    this.wish = wanted;
    if (this.greeted) this.dispatch(wanted);
  }

  private dispatch(wanted: Wish): void {
    if (!this.line.send(wanted.message)) return;
    this.sent = wanted.message.type === "act";
    // whether passing without being asked changes anything is not said, so nothing waits for it
    this.wish = wanted.message.type === "auto_pass" ? null : { ...wanted, sent: true };
  }

  act(action: string): void {
    if (!this.state) return;
    const choice = this.state.choices.find((each) => each.action === action) ?? null;
    this.want(wish({ type: "act", version: this.state.version, action }, this.state, choice));
  }

  undo(): void {
    if (this.state) this.want(wish({ type: "undo", version: this.state.version }, this.state));
  }

  autoPass(until: AutoPass["until"]): void {
    if (this.state) this.want(wish({ type: "auto_pass", until }, this.state));
  }

  /** Let go of a decision that could not be sent. */
  withdraw(): void {
    if (this.link !== "open") this.wish = null;
  }

  /** Send something that is not kept: whoever wants it is told if it does not go. */
  private say(message: ClientMessage): boolean {
    const said = this.line.send(message);
    this.error = said ? null : t("lost.unsent");
    return said;
  }

  chat(text: string): boolean {
    return Boolean(text.trim()) && this.say({ type: "chat", text: text.trim().slice(0, 300) });
  }

  askHint(): void {
    if (this.state) this.hintPending = this.say({ type: "hint", version: this.state.version });
  }

  away(away: boolean, seat: number | null = null): void {
    this.say({ type: "away", away, seat });
  }

  resign(): void {
    this.say({ type: "resign" });
  }

  /** End the game without a result, as soon as everybody agrees. */
  endGame(agree: boolean): void {
    this.say({ type: "end_game", agree });
  }

  setLanguage(language: Language): void {
    if (language === this.language) return;
    this.language = language;
    this.line.send({ type: "language", language });
  }

  setSpeed(speed: BotSpeed): void {
    if (speed === this.speed) return;
    this.speed = speed;
    if (this.greeted) this.line.send({ type: "bot_speed", speed });
  }

  close(): void {
    clearTimeout(this.pacer);
    this.line.close();
  }
}
