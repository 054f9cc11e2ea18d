import { api } from "./api";
import { Line } from "./line.svelte";
import { PROTOCOL_VERSION } from "./protocol";
import type {
  InvitationInfo,
  LobbyClientMessage,
  LobbyOwn,
  LobbyServerMessage,
  LobbyState,
  LobbyUpdate,
  TableSummary,
  Wish,
} from "./protocol";
import { settings } from "./settings.svelte";

/** The lobby after something has changed; null if the change does not belong to the one we have. */
export function updated(state: LobbyState, { base, put, gone, ...rest }: LobbyUpdate): LobbyState | null {
  if (base !== state.stamp) return null;
  const away = new Set([...gone, ...put.map((each) => each.table)]);
  const tables = [...state.tables.filter((each) => !away.has(each.table)), ...put];
  return { ...state, ...rest, type: "lobby", tables: tables.sort(newest) };
}

/** As the server orders them. */
function newest(a: TableSummary, b: TableSummary): number {
  if (a.updated !== b.updated) return a.updated > b.updated ? -1 : 1;
  return a.table < b.table ? -1 : 1;
}

/** The live lobby: one connection while some page looks, which goes on where it was after a break. */
class Lobby {
  state = $state.raw<LobbyState | null>(null);
  /** The server has no lobby, or does not want us there. */
  closed = $state(false);
  /** What we wait for, and since when. */
  waiting = $state.raw<{ wish: Wish; since: number } | null>(null);
  /** The table that was made for us. */
  table = $state<string | null>(null);
  error = $state("");
  invitations = $state.raw<InvitationInfo[]>([]);
  /** Whether some page shows what comes. */
  watched = $state(false);

  private line = $state.raw<Line<LobbyServerMessage, LobbyClientMessage> | null>(null);
  private users = 0;
  /** Whether this tab has asked: others of the same person only look on. */
  private asked = false;
  /** Nothing has come over this connection that concerns us. */
  private fresh = true;
  /** The number of what we said last: what comes before the server has heard it tells of what was before. */
  private said = 0;

  /** Whether something can be said. */
  get ready(): boolean {
    return this.line?.link === "open";
  }

  /** Look until the function that comes back is called. */
  watch(): () => void {
    this.users += 1;
    this.watched = true;
    if (this.users === 1) void this.open();
    return () => {
      this.users -= 1;
      this.watched = this.users > 0;
      // the next page may look, too
      setTimeout(() => this.users || this.leave());
    };
  }

  private async open(): Promise<void> {
    await api.me().catch(() => undefined); // whoever is nobody yet could not be matched or invited
    if (!this.users || this.line) return;
    this.closed = false;
    this.line = new Line<LobbyServerMessage, LobbyClientMessage>(
      () => this.address(),
      { fresh: () => this.begin(), receive: (message) => this.receive(message), lost: () => this.lost() },
      { type: "ping" },
    );
  }

  private begin(): void {
    this.fresh = true;
    this.said = 0;
  }

  private leave(): void {
    this.line?.close();
    this.line = null;
    this.waiting = null;
    this.asked = false;
    this.error = "";
    this.invitations = [];
  }

  wish(wish: Wish): void {
    this.error = "";
    this.asked = true;
    this.line?.send({ ...wish, number: ++this.said });
  }

  /** If it is too late, since a table has just been made, we go there all the same: others wait for us. */
  unwish(): void {
    this.waiting = null;
    this.line?.send({ type: "unwish", number: ++this.said });
  }

  /** The table, once. */
  took(): string {
    const table = this.table ?? "";
    this.table = null;
    return table;
  }

  private address(): string {
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const query = new URLSearchParams({ language: settings.language, protocol: String(PROTOCOL_VERSION) });
    if (this.state) query.set("since", this.state.stamp);
    return `${scheme}//${location.host}/api/lobby/ws?${query}`;
  }

  private lost(): void {
    this.closed = this.line?.link === "gone";
  }

  private receive(message: LobbyServerMessage): void {
    switch (message.type) {
      case "lobby":
        this.line?.greet();
        this.state = message;
        break;
      case "lobby_update": {
        this.line?.greet();
        const next = this.state && updated(this.state, message);
        if (next) this.state = next;
        else this.again();
        break;
      }
      case "own":
        this.line?.greet();
        this.concerns(message);
        break;
      case "error":
        this.said = 0; // it may not have been done
        if (message.about === "wish") {
          this.asked = false;
          this.waiting = null;
          this.error = message.message;
        }
        break;
      case "pong":
        this.line?.greet();
        break;
    }
  }

  private concerns({ wish, seconds, table, invitations, number }: LobbyOwn): void {
    this.invitations = invitations;
    if (table && this.asked) this.table = table;
    if (number < this.said) return;
    // what was wished for has ended with the connection
    if (this.fresh && !wish && this.asked && this.waiting) this.wish(this.waiting.wish);
    else {
      if (!wish) this.asked = false;
      this.waiting = wish && { wish, since: Date.now() - seconds * 1000 };
    }
    this.fresh = false;
  }

  /** Something was missed: begin anew. */
  private again(): void {
    this.state = null;
    this.line?.renew();
  }
}

export const lobby = new Lobby();
