/** Milliseconds of silence before we ask whether anybody is there; less after something was sent. */
export const QUIET = 15_000;
export const QUIET_AFTER_SENDING = 2_000;
/** Milliseconds without an answer after which we say so. */
export const DOUBT = 1_500;
/** Milliseconds to wait for an answer, and for a connection. */
export const PATIENCE = 8_000;

/**
 * Notices when a connection is dead although nobody closed it: a train in a tunnel, a laptop that slept. After some silence
 * it pings, and if nothing comes back the connection counts as lost.
 */
export class Heartbeat {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private doubt: ReturnType<typeof setTimeout> | undefined;
  private asked = false;

  constructor(
    private readonly ping: () => void,
    private readonly doubtful: () => void,
    private readonly lost: () => void,
  ) {}

  /** Anything has come in, or the connection has just been made. */
  heard(): void {
    clearTimeout(this.doubt);
    this.asked = false;
    this.wait(QUIET, () => this.ask());
  }

  /** An answer is expected soon. */
  sent(): void {
    if (!this.asked) this.wait(QUIET_AFTER_SENDING, () => this.ask());
  }

  /** Find out now, for example when the network or the person has come back. */
  ask(): void {
    if (this.asked) return;
    this.expect();
    this.doubt = setTimeout(() => this.doubtful(), DOUBT);
    this.ping();
  }

  /** Something must come in before patience ends. */
  expect(): void {
    this.asked = true;
    this.wait(PATIENCE, () => {
      this.stop();
      this.lost();
    });
  }

  stop(): void {
    clearTimeout(this.timer);
    clearTimeout(this.doubt);
    this.asked = false;
  }

  private wait(milliseconds: number, then: () => void): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(then, milliseconds);
  }
}
