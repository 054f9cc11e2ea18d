/** A card of a row, where it lies and what its element is known by. */
export interface Laid<T> {
  key: string;
  space: number;
  item: T;
}

interface Space {
  card: string;
  key: string;
}

/**
 * The spaces of a row. As on a real table, a card that goes leaves a gap and the others stay where they are;
 * they close up when new cards are laid, in the next phase at the latest.
 */
export class Spaces<T extends { card: string }> {
  private spaces: Space[] = [];
  private when = "";
  private made = 0;

  constructor(private readonly prefix: string) {}

  lay(when: string, items: readonly T[]): Laid<T>[] {
    const found = when === this.when ? fitting(this.spaces, items) : null;
    if (found) return items.map((item, place) => this.at(found[place] ?? 0, item));
    const left = [...this.spaces];
    this.spaces = items.map(({ card }) => {
      const old = left.findIndex((space) => space.card === card);
      return left.splice(old, old < 0 ? 0 : 1)[0] ?? { card, key: `${this.prefix}${card}#${this.made++}` };
    });
    this.when = when;
    return items.map((item, space) => this.at(space, item));
  }

  private at(space: number, item: T): Laid<T> {
    return { key: this.spaces[space]?.key ?? "", space, item };
  }
}

/** The spaces on which these cards lie if some others have gone; null where a card is new. */
function fitting(spaces: readonly Space[], items: readonly { card: string }[]): number[] | null {
  let from = 0;
  const found: number[] = [];
  for (const { card } of items) {
    while (from < spaces.length && spaces[from]?.card !== card) from++;
    if (from === spaces.length) return null;
    found.push(from++);
  }
  return found;
}
