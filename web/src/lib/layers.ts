/** Milliseconds after which we look whether a step back was done that nobody told us of. */
const PATIENCE = 500;
/** How often we look until it counts as done in any case: a device may be busy. */
const LOOKS = 20;

function depth(): number {
  return (history.state as { layer?: number } | null)?.layer ?? 0;
}

/** Dialogs are steps of the history: Back closes the topmost one and does not leave the page. */
class Layers {
  private open: (() => void)[] = [];
  private moving: ReturnType<typeof setTimeout> | undefined;
  private waiting: (() => void)[] = [];
  private patient: (() => void)[] = [];

  constructor() {
    addEventListener("popstate", () => this.arrive());
    queueMicrotask(this.settle); // the page may have been loaded anew over an open dialog
  }

  /** A dialog has opened; call what comes back when it is closed. */
  add(close: () => void): () => void {
    const layer = () => close();
    this.open.push(layer);
    queueMicrotask(this.settle);
    return () => {
      this.open = this.open.filter((each) => each !== layer);
      queueMicrotask(this.settle);
    };
  }

  /** Go somewhere else: over an open dialog the step of the dialog is used, so that Back leads to the page and not to nothing. */
  leave(go: (replace: boolean) => void): void {
    if (this.moving !== undefined) this.waiting.push(() => this.leave(go));
    else go(depth() > 0);
  }

  /** Do something when no dialog is open. */
  whenNone(then: () => void): void {
    this.patient.push(then);
    queueMicrotask(this.settle);
  }

  /** As many steps as there are dialogs. */
  private settle = (): void => {
    if (this.moving !== undefined) return;
    const extra = depth() - this.open.length;
    if (extra > 0) {
      this.wait(depth(), LOOKS);
      history.go(-extra);
    } else if (extra < 0) {
      // the page behind a dialog stays where it is
      history.scrollRestoration = "manual";
      for (let layer = depth() + 1; layer <= this.open.length; layer++) history.pushState({ layer }, "");
    } else if (!this.open.length) {
      history.scrollRestoration = "auto";
      for (const then of this.patient.splice(0)) then();
    }
  };

  private wait(before: number, looks: number): void {
    this.moving = setTimeout(() => {
      if (depth() === before && looks > 1) this.wait(before, looks - 1);
      else this.arrive();
    }, PATIENCE);
  }

  private arrive(): void {
    const ours = this.moving !== undefined;
    clearTimeout(this.moving);
    this.moving = undefined;
    if (!ours) for (const close of this.open.splice(depth()).reverse()) close();
    this.settle();
    for (const go of this.waiting.splice(0)) go();
  }
}

export const layers = new Layers();
