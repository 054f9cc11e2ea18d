import { api } from "./api";
import type { ReplayStep } from "./protocol";

/** Scores in the course of a game: for each of some steps a value for every seat. */
export interface Race {
  steps: number[];
  series: number[][];
}

const SAMPLES = 24;

/** Steps spread evenly over a game, its first and its last one among them. */
export function spread(last: number, samples: number): number[] {
  const n = Math.min(samples, last + 1);
  if (n <= 1) return [0];
  return Array.from({ length: n }, (_, i) => Math.round((i * last) / (n - 1)));
}

/** What each seat would score if the game ended at that step. */
export function scores(step: ReplayStep): number[] {
  return step.state.players.map((player) => {
    const final = step.state.final?.find((line) => line.seat === player.seat);
    return final?.total ?? player.projected ?? player.points;
  });
}

/** The bots' evaluation where the server has one for every step, otherwise the scores at some of the steps. */
export async function raceOf(table: string, language: string): Promise<Race> {
  const first = await api.replay(table, 0, null, language);
  if (first.evaluation.length > first.steps) {
    return { steps: first.evaluation.map((_, step) => step), series: first.evaluation };
  }
  const steps = spread(first.steps, SAMPLES);
  const series: number[][] = [];
  for (const step of steps) series.push(scores(step === 0 ? first : await api.replay(table, step, null, language)));
  return { steps, series };
}

/** The place in a list of rising steps that comes closest to a step. */
export function nearest(steps: readonly number[], step: number): number {
  return steps.reduce((best, each, place) => (Math.abs(each - step) < Math.abs((steps[best] ?? 0) - step) ? place : best), 0);
}
