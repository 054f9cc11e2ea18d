import { atOnce, backoff, soon } from "./backoff";
import { closing, type Closing } from "./closing";
import { Heartbeat } from "./heartbeat";
import { renew } from "./renewal";

export type Link = "connecting" | "open" | "lost" | "gone";

/** Milliseconds without a connection that nobody needs to hear of: a table that moves to another server takes no longer. */
export const HARDLY_SEEN = 1_500;

interface Listener<In> {
  /** A new connection is being made: what was known of the last one counts no more. */
  fresh(): void;
  receive(message: In): void;
  lost(): void;
}

/** A WebSocket that is made again when it breaks, soon while somebody looks and rarely while nobody does. */
export class Line<In, Out> {
  link = $state<Link>("connecting");
  /** When the connection is gone for good: how it was closed, and what the person may do. */
  code = $state(0);
  offer = $state<Closing["offer"]>(null);
  /** Connected, but the server has not answered for a while. */
  silent = $state(false);
  /** Lost for longer than a moment. */
  missed = $state(false);
  /** Whether it helps to try at once: not where the server asked for a pause. */
  mayTry = $state(false);

  private socket: WebSocket | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private missing: ReturnType<typeof setTimeout> | undefined;
  private attempt = 0;
  private lostAt = 0;
  private notBefore = 0;
  private greeted = false;
  private closed = false;
  private heartbeat: Heartbeat;

  constructor(
    private readonly address: () => string,
    private readonly listener: Listener<In>,
    ping: Out,
  ) {
    this.heartbeat = new Heartbeat(
      () => this.send(ping, false),
      () => (this.silent = this.link === "open"),
      () => this.abandon(),
    );
    this.connect();
    addEventListener("online", this.comeBack);
    addEventListener("offline", this.ask);
    document.addEventListener("visibilitychange", this.comeBack);
  }

  /** Somebody is there who knows us: only now a break is nothing but a break. */
  greet(): void {
    this.greeted = true;
    this.attempt = 0;
  }

  /** Whether it could be sent. */
  send(message: Out, answered = true): boolean {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    if (answered) this.heartbeat.sent();
    return true;
  }

  /** The person does not want to wait for the next try, or wants to try once more. */
  tryNow(): void {
    if (this.link === "open" || Date.now() < this.notBefore) return;
    if (this.link === "gone") this.link = "connecting";
    this.connect();
  }

  /** Make the connection anew: what came over it does not fit together. */
  renew(): void {
    this.connect();
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
    this.found();
    this.heartbeat.stop();
    removeEventListener("online", this.comeBack);
    removeEventListener("offline", this.ask);
    document.removeEventListener("visibilitychange", this.comeBack);
    this.socket?.close();
  }

  private connect(): void {
    clearTimeout(this.timer);
    const before = this.socket;
    const socket = new WebSocket(this.address());
    let opened = false;
    this.socket = socket;
    before?.close();
    this.greeted = false;
    this.heartbeat.expect();
    this.listener.fresh();
    socket.onopen = () => {
      if (socket !== this.socket) return;
      opened = true;
      this.link = "open";
      this.found();
      this.heartbeat.heard();
    };
    socket.onmessage = (event: MessageEvent<string>) => {
      if (socket !== this.socket) return;
      this.silent = false;
      this.heartbeat.heard();
      this.listener.receive(JSON.parse(event.data) as In);
    };
    socket.onclose = (event) => {
      if (socket === this.socket && !this.closed) this.lose(event.code, opened);
    };
  }

  /** The connection has ended: come back after a while, or leave it to the person. */
  private lose(code: number, opened: boolean): void {
    const how = closing(code);
    this.heartbeat.stop();
    this.socket = null;
    this.silent = false;
    this.code = code;
    this.offer = how.offer;
    if (this.link !== "lost") this.lostAt = Date.now();
    this.link = how.again ? "lost" : "gone";
    this.listener.lost();
    if (how.offer === "reload") renew();
    if (!how.again) return this.found();
    this.missing ??= setTimeout(() => (this.missed = true), HARDLY_SEEN);
    const sentAway = how.unwanted || (opened && !this.greeted);
    const patient = sentAway || document.visibilityState !== "visible";
    const lostFor = (Date.now() - this.lostAt) / 1000;
    const wait = patient ? backoff(this.attempt++) : how.moved ? atOnce() : soon(lostFor);
    this.notBefore = Date.now() + how.after * 1000;
    this.mayTry = how.after === 0;
    this.timer = setTimeout(() => this.connect(), (how.after + wait) * 1000);
  }

  private found(): void {
    clearTimeout(this.missing);
    this.missing = undefined;
    this.missed = false;
  }

  /** Nothing comes back any more; whoever closed the connection could not tell us. */
  private abandon(): void {
    const dead = this.socket;
    this.lose(1006, false);
    dead?.close();
  }

  private ask = (): void => {
    if (this.link === "open") this.heartbeat.ask();
  };

  /** The network or the person comes back: do not wait any longer, and see whether the server is still there. */
  private comeBack = (): void => {
    if (document.visibilityState !== "visible") return;
    if (this.link === "open") this.heartbeat.ask();
    else if (this.link === "lost" && Date.now() >= this.notBefore) {
      this.attempt = 0;
      this.connect();
    }
  };
}
