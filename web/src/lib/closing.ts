/** What a browser does after a connection was closed. */
export interface Closing {
  /** Whether to connect again by itself, and not before so many seconds. */
  again: boolean;
  after: number;
  /** Whether the server has sent us away, so that we come back more and more rarely. */
  unwanted: boolean;
  /** Whether the person may try once more. */
  offer: "retry" | "here" | "reload" | null;
  /** Whether somebody else is there already, so that nobody has to be given time to come back. */
  moved: boolean;
}

const BROKEN: Closing = { again: true, after: 0, unwanted: false, offer: null, moved: false };
const stop = (offer: Closing["offer"]): Closing => ({ ...BROKEN, again: false, unwanted: true, offer });
const later = (after: number): Closing => ({ ...BROKEN, after, unwanted: true });

const CODES: Record<number, Closing> = {
  1008: stop("retry"), // no room for more spectators
  1013: later(0), // the database fails
  4421: { ...BROKEN, moved: true }, // another server has the table
  4403: stop(null), // not allowed
  4404: stop(null), // no such table
  4409: stop("here"), // open in too many other places
  4426: stop("reload"), // the page is too old
  4429: later(10), // too fast
  4500: stop(null), // the table cannot be loaded
  4503: later(30), // too many connections
};

export function closing(code: number): Closing {
  return CODES[code] ?? BROKEN;
}
