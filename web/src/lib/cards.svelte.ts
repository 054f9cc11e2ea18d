import { api } from "./api";
import type { CardInfo, Edition, Language } from "./protocol";

/** Colours in the order of the phases. */
export const COLOURS = ["green", "yellow", "blue", "red"] as const;
export const GOODS = ["sack", "chicken", "apple", "fish", "cabbage"] as const;

/** The colour of cards that a phase scores, and back. */
export const COLOUR_PILE: Record<string, string> = { green: "worker", yellow: "market", blue: "building", red: "noble", purple: "purple" };

/** `ship_builder:sack` is drawn like `ship_builder`, `away_with_it@noble` like `away_with_it`. */
export function base(card: string): string {
  return card.replace(/[:@].*$/, "");
}

/** The pictogram of a card. */
export function picture(card: string): string {
  return base(card).replace(/_\d+_\d+$/, "");
}

/** The word that stands for a card's colours in CSS: worker, market, orange, building, noble, purple. */
export function tint(info: Pick<CardInfo, "colour" | "orange"> | undefined): string {
  if (!info) return "exchange";
  return info.orange ? "orange" : (COLOUR_PILE[info.colour] ?? "exchange");
}

/** The name of a pictogram for a pile's glyph. */
export function glyph(pile: string): string {
  return pile === "market" || pile === "orange" ? "market_pile" : pile;
}

class Cards {
  /** Market symbols mean something only at a table with the Market. */
  market = $state(false);
  private all = $state.raw<Map<string, CardInfo>>(new Map());
  private language: Language | null = null;

  async load(language: Language): Promise<void> {
    if (this.language === language) return;
    this.language = language;
    try {
      this.set((await api.cards(language)).cards);
    } catch (error) {
      this.language = null;
      throw error;
    }
  }

  set(cards: CardInfo[]): void {
    this.all = new Map(cards.map((card) => [card.card, card]));
  }

  get list(): CardInfo[] {
    return [...this.all.values()];
  }

  get(card: string): CardInfo | undefined {
    return this.all.get(card) ?? this.all.get(base(card));
  }

  name(card: string, edition: Edition): string {
    const info = this.get(card);
    return (edition === "first" ? info?.name_first : info?.name) ?? base(card).replaceAll("_", " ");
  }

  /** The name with soft hyphens, for narrow places. */
  hyphens(card: string, edition: Edition): string {
    const info = this.get(card);
    return (edition === "first" ? info?.hyphens_first : info?.hyphens) ?? this.name(card, edition);
  }

  /** The name as what one buys, with its article. */
  bought(card: string, edition: Edition): string {
    const info = this.get(card);
    return (edition === "first" ? info?.bought_first : info?.bought) ?? this.name(card, edition);
  }

  cost(card: string, edition: Edition): number {
    const info = this.get(card);
    return (edition === "first" ? info?.cost_first : info?.cost_second) ?? 0;
  }
}

export const cards = new Cards();
