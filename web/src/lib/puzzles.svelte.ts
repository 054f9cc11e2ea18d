import { api, Refusal } from "./api";
import { Board } from "./board.svelte";
import { rehearsed } from "./guide.svelte";
import { t } from "./i18n.svelte";
import type { PuzzleAsked, PuzzleSolution, PuzzleSolver, PuzzleValue } from "./protocol";
import { pointedAtAnswer } from "./review.svelte";
import { load, save } from "./storage";

const PLAIN = "puzzles.plain";

/** Whether somebody wants puzzles without the Market and modules only. */
export const plain = {
  get on(): boolean {
    return load(PLAIN) === "on";
  },
  set on(wanted: boolean) {
    save(PLAIN, wanted ? "on" : null);
  },
};

/** One puzzle: asked, answered by acting at the table, and explained. */
export class Solving {
  asked = $state.raw<PuzzleAsked | null>(null);
  solution = $state.raw<PuzzleSolution | null>(null);
  solver = $state.raw<PuzzleSolver | null>(null);
  /** What the answer has changed about the rating; null where it did not count. */
  change = $state<number | null>(null);
  failure = $state.raw<Refusal | null>(null);
  private sent = false;
  private readonly acting = rehearsed((action) => void this.answer(action));
  private readonly looking = new Board();

  constructor(
    readonly puzzle: string,
    private readonly answered: () => void = () => undefined,
  ) {
    this.acting.tab = this.looking.tab = "cards";
  }

  get board(): Board {
    return this.solution ? this.looking : this.acting;
  }

  /** What is said of the answer that was given. */
  get own(): PuzzleValue | undefined {
    return this.solution?.values.find((each) => each.action === this.solution?.action);
  }

  get best(): PuzzleValue | undefined {
    return this.solution?.values[0];
  }

  async load(language: string): Promise<void> {
    try {
      const asked = await api.puzzle(this.puzzle, language);
      this.asked = asked;
      this.solver ??= asked.solver;
      if (asked.solution) this.tell(asked.solution);
    } catch (failure) {
      this.fail(failure);
    }
  }

  /** Only the first answer goes out. */
  async answer(action: string): Promise<void> {
    if (this.sent || this.solution) return;
    this.sent = true;
    this.failure = null;
    try {
      const { solution, change, solver } = await api.answerPuzzle(this.puzzle, action);
      this.change = change;
      this.solver = solver;
      this.tell(solution);
      this.answered();
    } catch (failure) {
      this.fail(failure);
    }
    this.sent = false;
  }

  private tell(solution: PuzzleSolution): void {
    this.solution = solution;
    this.looking.pointed = pointedAtAnswer(solution.action, solution.best);
  }

  private fail(failure: unknown): void {
    this.failure = failure instanceof Refusal ? failure : new Refusal("network", t("error.network"));
  }
}
