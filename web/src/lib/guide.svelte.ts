import { Board } from "./board.svelte";
import type { GuideStep } from "./protocol";
import type { TableConnection } from "./table.svelte";
import { extraChoices } from "./view";

/** What the components of a table use of its connection. */
type Line = Pick<
  TableConnection,
  "busy" | "wish" | "error" | "hint" | "hintPending" | "act" | "undo" | "autoPass" | "askHint" | "chat" | "away"
>;
const nothing = (): void => undefined;

/** A board on which one can act although nothing is sent to a table. */
export function rehearsed(act: (action: string) => void): Board {
  const line: Line = {
    busy: false, wish: null, error: null, hint: null, hintPending: false,
    act, undo: nothing, autoPass: nothing, askHint: nothing, chat: () => false, away: nothing,
  };
  return new Board(line as TableConnection);
}

/** The learner's way through the guide. Nothing is sent: every state is there from the start. */
export class Walk {
  steps = $state.raw<GuideStep[]>([]);
  at = $state(0);
  /** The furthest step so far: behind it there is nothing left to decide. */
  reached = $state(0);
  /** How often the learner has tried something else at this step. */
  tries = $state(0);

  /** For steps at which the learner acts, and for those with a picture only. */
  private readonly acting = rehearsed((action) => this.act(action));
  private readonly looking = new Board();

  constructor(private readonly moved: () => void = nothing) {}

  get step(): GuideStep | undefined {
    return this.steps[this.at];
  }

  /** The step whose move the learner can make now: this one, or the next if it is about the same turn. */
  private get decided(): number | null {
    if (this.step?.expected) return this.at;
    const { to_move, you } = this.step?.state ?? {};
    return to_move === you && this.steps[this.at + 1]?.expected ? this.at + 1 : null;
  }

  get board(): Board {
    return this.decided === null ? this.looking : this.acting;
  }

  get last(): boolean {
    return this.at === this.steps.length - 1;
  }

  /** Whether the learner still has to make the move of this step. */
  get asks(): boolean {
    return Boolean(this.step?.expected) && this.at === this.reached;
  }

  /** A move at the table: the expected one leads on, any other changes nothing. */
  act(action: string): void {
    const decided = this.decided;
    if (decided === null) return;
    if (action === this.steps[decided]?.expected) {
      this.go(decided + 1);
      this.moved();
    } else {
      const tries = this.tries + 1;
      this.go(decided);
      this.tries = tries;
    }
  }

  go(to: number): void {
    this.at = Math.max(0, Math.min(this.steps.length - 1, to));
    this.reached = Math.max(this.reached, this.at);
    this.tries = 0;
    for (const board of [this.acting, this.looking]) {
      board.detail = null;
      board.confirming = null;
    }
  }
}

const PLACES: Record<GuideStep["point"], string> = {
  phases: ".full > .bar",
  row1: ".display .row1",
  row2: ".display .row2",
  question: ".main > .bar",
  area: ".area > .player",
  hand: ".panel.hand",
  players: ".players",
  track: "div.track",
  market: ".panel.market",
  modules: "div.modules",
  end: ".finish",
};
/** Cards on their way out are still on the page. */
const STAYS = ":not([inert])";

const expectedChoice = ({ state, expected }: GuideStep) =>
  expected ? state.choices.find((each) => each.action === expected) : undefined;

/** Whether the expected answer is a button in the drawer. */
export function isLoose(step: GuideStep): boolean {
  const choice = expectedChoice(step);
  return choice !== undefined && extraChoices(step.state).includes(choice);
}

/** The element to point at: the card or button that the learner is asked to click, or what the text is about. */
export function pointed(root: ParentNode, step: GuideStep): Element | null {
  const { state } = step;
  const choice = expectedChoice(step);
  if (choice?.verb === "pass") return root.querySelector(".main > .bar .tools .gold") ?? root.querySelector(PLACES.question);
  if (choice && isLoose(step)) {
    const place = extraChoices(state).indexOf(choice);
    return root.querySelectorAll(".drawer .choices button")[place] ?? root.querySelector(".main > .bar .tools .more");
  }
  if (choice?.verb === "play" && state.you !== null) {
    const place = state.players[state.you]?.hand.findIndex((each) => each.card === choice.card) ?? -1;
    return root.querySelectorAll(`.hand li${STAYS}`)[place] ?? null;
  }
  if (choice?.row) {
    const place = state[choice.row === 1 ? "row1" : "row2"].findIndex((each) => each.card === choice.card);
    return root.querySelectorAll(`.display .row${choice.row} li${STAYS}`)[place] ?? null;
  }
  return root.querySelector(PLACES[step.point]);
}

/** The button of the opened card that makes the expected move. */
export function pointedChoice(root: ParentNode, step: GuideStep, board: Board): Element | null {
  if (!step.expected || !board.detail) return null;
  const place = board.choices(step.state).findIndex((each) => each.action === step.expected);
  return root.querySelectorAll("dialog .choices button")[place] ?? null;
}
