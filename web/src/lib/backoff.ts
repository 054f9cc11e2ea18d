/** Seconds to wait before the n-th try to connect again: 0.5, 1, 2, 4 … 20, with some spread so that not all come at once. */
export function backoff(attempt: number, random: () => number = Math.random): number {
  return Math.min(20, 0.5 * 2 ** Math.max(0, attempt)) * (0.8 + 0.4 * random());
}
