/** Whether there is a network, and whether this page came from it. */

const PERIOD = 10_000;

class Network {
  /** The browser knows of no network. */
  off = $state(!navigator.onLine);
  /** The page was kept by the service worker, since the server could not be reached. */
  kept = $state(document.documentElement.dataset["kept"] === "yes");

  /** Load a page that was kept anew as soon as the server answers; returns how to stop. */
  watch(): () => void {
    const look = (): void => {
      this.off = !navigator.onLine;
      if (this.kept && !this.off) void this.retry();
    };
    addEventListener("online", look);
    addEventListener("offline", look);
    const timer = setInterval(look, PERIOD);
    return () => {
      removeEventListener("online", look);
      removeEventListener("offline", look);
      clearInterval(timer);
    };
  }

  async retry(): Promise<void> {
    const answer = await fetch("/health", { cache: "no-store" }).catch(() => null);
    if (answer?.ok) location.reload();
  }
}

export const network = new Network();
