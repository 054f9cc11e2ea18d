import { api } from "./api";
import type { Race, RaceSource, ReplayStep } from "./protocol";

/** Scores in the course of a game: for each of some steps a value for every seat. */
export interface Outlook {
  steps: number[];
  series: number[][];
  /** Final scores that a bot expects; otherwise what each would have scored if the game had ended there. */
  expected: boolean;
  /** The chances to win in percent, where there are expected scores. */
  chances: number[][];
  /** How many steps the game has. */
  all: number;
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

/** Whether every step is in it. */
export function complete(outlook: Outlook): boolean {
  return !outlook.expected || outlook.steps.length > outlook.all;
}

/** How often the server may answer without having found out more. */
const PATIENCE = 20;

/**
 * The bots' evaluation, again and again while more of it is found out, as long as somebody looks. Where there is none, the
 * scores at some of the steps.
 */
export async function* outlooks(table: string, language: string, wanted: () => boolean): AsyncGenerator<Outlook> {
  let known = 0;
  for (let idle = 0; idle < PATIENCE && wanted(); idle++) {
    const found = await api.evaluation(table);
    if (found.scores.length <= known) continue;
    [known, idle] = [found.scores.length, 0];
    const chances = found.chances.map((shares) => shares.map((share) => share * 100));
    yield { steps: found.scores.map((_, step) => step), series: found.scores, expected: true, chances, all: found.steps };
    if (known > found.steps) return;
  }
  if (!known && wanted()) yield await standings(table, language);
}

async function standings(table: string, language: string): Promise<Outlook> {
  const first = await api.replay(table, 0, null, language);
  const steps = spread(first.steps, SAMPLES);
  const series: number[][] = [];
  for (const step of steps) series.push(scores(step === 0 ? first : await api.replay(table, step, null, language)));
  return { steps, series, expected: false, chances: [], all: first.steps };
}

/** The place in a list of rising steps that comes closest to a step. */
export function nearest(steps: readonly number[], step: number): number {
  return steps.reduce((best, each, place) => (Math.abs(each - step) < Math.abs((steps[best] ?? 0) - step) ? place : best), 0);
}

const SOURCES: readonly RaceSource[] = [
  "worker",
  "market",
  "building",
  "noble",
  "exchange",
  "pub",
  "obstacles",
  "other",
  "final_nobles",
  "assignment",
  "rubles",
  "hand",
  "final_obstacles",
];

export interface Piece {
  source: RaceSource;
  points: number;
  /** Where the piece begins and ends on the scale: losses hang below zero. */
  from: number;
  to: number;
}

export interface Column {
  round: number | null;
  seat: number;
  pieces: Piece[];
  total: number;
  step: number;
}

/** The points of a source, one number for every seat. */
export interface SourceLine {
  source: RaceSource;
  points: number[];
}

/** One column for every round and seat, the final scoring at the end. */
export function columns(race: Race, players: number): Column[] {
  const rounds: (number | null)[] = [...Array.from({ length: race.rounds }, (_, i) => i + 1), null];
  return rounds.flatMap((round) => {
    const parts = race.parts.filter((part) => part.round === round);
    return Array.from({ length: players }, (_, seat) => {
      let [up, down] = [0, 0];
      const pieces = parts.flatMap((part) => {
        const points = part.points[seat] ?? 0;
        if (!points) return [];
        const from = points > 0 ? up : down;
        if (points > 0) up += points;
        else down += points;
        return [{ source: part.source, points, from, to: from + points }];
      });
      return { round, seat, pieces, total: up + down, step: Math.max(0, ...parts.map((part) => part.step)) };
    });
  });
}

/** The sources that brought anybody anything, each with its points for every seat over the whole game. */
export function bySource(race: Race, players: number): SourceLine[] {
  return SOURCES.flatMap((source) => {
    const parts = race.parts.filter((part) => part.source === source);
    const points = Array.from({ length: players }, (_, seat) => parts.reduce((sum, part) => sum + (part.points[seat] ?? 0), 0));
    return parts.length ? [{ source, points }] : [];
  });
}
