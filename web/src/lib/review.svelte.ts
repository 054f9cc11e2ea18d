import { api, said } from "./api";
import type { Choice, JudgedDecision, SeatReviewed, TableState } from "./protocol";

export type Mark = JudgedDecision["mark"];

/** The marks that one learns from, in their order; colour is never the only sign. */
export const SIGNS: Record<Mark, string> = { best: "★", good: "✓", inaccuracy: "?!", mistake: "?", blunder: "??" };

/** Decisions that could have been better. */
export function flawed(each: JudgedDecision): boolean {
  return each.mark !== "best" && each.mark !== "good";
}

/** The next decision to learn from after a step, or the last one before it; undefined where there is none. */
export function neighbour(decisions: readonly JudgedDecision[], step: number, forward: boolean): number | undefined {
  const steps = decisions.filter(flawed).map((each) => each.step);
  return forward ? steps.find((each) => each > step) : steps.findLast((each) => each < step);
}

/** What to point at on the table: what was played, and what would have been better. */
export interface Pointed {
  played: string;
  better: string | null;
}

export function pointedAt(each: JudgedDecision | undefined): Pointed | null {
  return each ? { played: each.played, better: flawed(each) ? each.better : null } : null;
}

/** The same for a puzzle that was answered. */
export function pointedAtAnswer(played: string, best: string): Pointed {
  return { played, better: played === best ? null : best };
}

/** How a card is to be marked, by the choices it offers. */
export function pointing(state: TableState, places: readonly number[], pointed: Pointed | null): "better" | "played" | null {
  if (!pointed) return null;
  const actions = places.map((place) => (state.choices[place] as Choice | undefined)?.action);
  if (pointed.better !== null && actions.includes(pointed.better)) return "better";
  return actions.includes(pointed.played) ? "played" : null;
}

/** How often the server may answer without having found out more. */
const PATIENCE = 200;

/** How much is known, in a number that only grows. */
function progress(found: SeatReviewed | null): number {
  return found ? found.decisions.length + found.luck_done : 0;
}

/** The review of one seat, looked at again and again while it goes on. */
export class Reviewing {
  found = $state.raw<SeatReviewed | null>(null);
  error = $state("");
  private wanted = 0;

  constructor(readonly table: string) {}

  get judged(): boolean {
    return this.found !== null && this.found.decisions.length >= this.found.total;
  }

  /** Whether nothing is left to find out, about the deal neither. */
  get complete(): boolean {
    return this.judged && this.found?.luck !== null;
  }

  at(step: number): JudgedDecision | undefined {
    return this.found?.decisions.find((each) => each.step === step);
  }

  stop(): void {
    this.wanted++;
  }

  /** What is known about a seat; more of it as long as it is found out. */
  async look(seat: number, language: string, ask = false): Promise<void> {
    const mine = ++this.wanted;
    this.error = "";
    if (this.found?.seat !== seat) this.found = null;
    try {
      let answer = ask ? await api.askReview(this.table, seat, language) : await api.review(this.table, seat, -1, language);
      for (let idle = 0; mine === this.wanted; ) {
        const known = progress(this.found);
        this.found = answer;
        if (!answer.asked || answer.failed || this.complete || idle > PATIENCE) return;
        answer = await api.review(this.table, seat, answer.decisions.length, language);
        idle = progress(answer) > known ? 0 : idle + 1;
      }
    } catch (refusal) {
      if (mine === this.wanted) this.error = said(refusal);
    }
  }
}
