/** Money and points on their way from the cards that brought them to their owners. Where things lie is measured by the caller. */
import type { Gain } from "./news";

export type Coin = "rubles" | "points";

export interface Point {
  x: number;
  y: number;
}

export interface Flight {
  kind: Coin;
  from: Point;
  to: Point;
  /** Milliseconds. */
  delay: number;
  duration: number;
  /** What was got in sum, written where it arrives; the others are coins and shields. */
  sum: number | null;
}

const COINS = 5;
const EVERY = 70;
const AIRBORNE = 750;
const READ = 1100;
/** After this everything has arrived. */
export const LONGEST = AIRBORNE + COINS * EVERY + READ + 100;

/** The flights of what was got: a few coins or shields for each, and the sum. What has no way is left out; losses do not fly. */
export function flights(gains: readonly Gain[], way: (gain: Gain, kind: Coin) => { from: Point; to: Point } | null): Flight[] {
  return gains.flatMap((gain) =>
    (["rubles", "points"] as const).flatMap((kind) => {
      const sum = gain[kind];
      const path = sum > 0 ? way(gain, kind) : null;
      if (!path) return [];
      const coins = Array.from({ length: Math.min(COINS, sum) }, (_, place): Flight => {
        return { kind, ...path, delay: place * EVERY, duration: AIRBORNE, sum: null };
      });
      const arrival = AIRBORNE + (coins.length - 1) * EVERY;
      return [...coins, { kind, from: path.to, to: path.to, delay: arrival * 0.8, duration: READ, sum }];
    }),
  );
}

/** How a coin moves: in an arc, small at both ends. */
export function keyframes({ from, to, sum }: Flight): Keyframe[] {
  const at = ({ x, y }: Point, scale: number) => `translate(${x}px, ${y}px) scale(${scale})`;
  if (sum !== null) {
    return [
      { transform: at(to, 0.6), opacity: 0 },
      { transform: at({ x: to.x, y: to.y - 14 }, 1.1), opacity: 1, offset: 0.2 },
      { transform: at({ x: to.x, y: to.y - 18 }, 1), opacity: 1, offset: 0.75 },
      { transform: at({ x: to.x, y: to.y - 26 }, 0.9), opacity: 0 },
    ];
  }
  const middle = { x: (from.x + to.x) / 2, y: Math.min(from.y, to.y) - 24 };
  return [
    { transform: at(from, 0.4), opacity: 0 },
    { transform: at(from, 1.1), opacity: 1, offset: 0.15 },
    { transform: at(middle, 1.2), opacity: 1, offset: 0.55 },
    { transform: at(to, 0.8), opacity: 1, offset: 0.95 },
    { transform: at(to, 0.5), opacity: 0 },
  ];
}
