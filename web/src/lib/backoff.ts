/** Seconds of a lost connection after which nobody sits there counting them. */
const WHILE = 180;

/**
 * Seconds to wait before the next try while somebody looks at the page. A server that is back is found within a second, and
 * the spread keeps a thousand browsers that lost it together from coming back together.
 */
export function soon(lostFor: number, random: () => number = Math.random): number {
  return (lostFor < WHILE ? 1 : 5) * (0.4 + 0.6 * random());
}

/** Seconds to wait where another server is there already: none that one would notice, but not everybody at the same moment. */
export function atOnce(random: () => number = Math.random): number {
  return random();
}

/** Seconds to wait before the n-th try where nobody looks or the server does not want us: 0.5, 1, 2, 4 … 20, with some spread. */
export function backoff(attempt: number, random: () => number = Math.random): number {
  return Math.min(20, 0.5 * 2 ** Math.max(0, attempt)) * (0.8 + 0.4 * random());
}
