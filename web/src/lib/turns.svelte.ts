/** Where the visitor is waited for, for the number in the header and the way to the next game. */
import { api } from "./api";

const PERIOD = 60_000;

class TurnList {
  number = $state(0);
  /** The most urgent first. */
  tables = $state.raw<string[]>([]);
  /** Invitations that wait. */
  invited = $state(0);
  private asking: Promise<void> | null = null;

  /** Ask the server; whoever asks meanwhile gets the same answer. */
  refresh(): Promise<void> {
    this.asking ??= this.ask().finally(() => (this.asking = null));
    return this.asking;
  }

  private async ask(): Promise<void> {
    try {
      const found = await api.turns();
      this.number = found.number;
      this.tables = found.tables;
      this.invited = found.invited;
      // the icon of an installed app shows it, too
      if (found.number) void navigator.setAppBadge?.(found.number).catch(() => undefined);
      else void navigator.clearAppBadge?.().catch(() => undefined);
    } catch {
      // what is known stays until the server answers
    }
  }

  /** Look now and then while the page is seen; returns how to stop. */
  watch(): () => void {
    const look = () => document.visibilityState === "visible" && void this.refresh();
    look();
    const timer = setInterval(look, PERIOD);
    document.addEventListener("visibilitychange", look);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", look);
    };
  }
}

export const turns = new TurnList();
