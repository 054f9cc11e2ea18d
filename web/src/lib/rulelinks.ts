/** Numbers of rules in what people read. */
export interface Part {
  text: string;
  /** It is the number of a rule. */
  rule: boolean;
}

const NUMBER = String.raw`(?:\d{1,2}\.\d{1,2}(?: [a-k]\b)?|D\d{1,2})`;
/** In brackets, or after the word for a rule: no other number can be meant. */
const MENTIONED = new RegExp(
  String.raw`(\((?:\p{L}+ )?${NUMBER}(?:, ${NUMBER})*\)|(?:rules?|Regeln?|règles?|regol[ae]) ${NUMBER})`,
  "iu",
);
const NUMBERS = new RegExp(`(${NUMBER})`);

const cut = (text: string): Part[] =>
  text.split(NUMBERS).map((part, place) => ({ text: part, rule: place % 2 === 1 })).filter((part) => part.text);

/** A text cut at the numbers of rules that it mentions. */
export function linked(text: string): Part[] {
  return text.split(MENTIONED).flatMap((part, place) => (place % 2 ? cut(part) : part ? [{ text: part, rule: false }] : []));
}

/** The same for the rules themselves, where every number that is one of theirs is meant. */
export function linkedRules(text: string, known: ReadonlySet<string>): Part[] {
  return cut(text).flatMap(({ text: found, rule }) => {
    if (!rule || known.has(found)) return [{ text: found, rule }];
    // “4.1 a 4.5” in Italian: the letter is a word
    const [number = "", ...rest] = found.split(" ");
    return known.has(number) && rest.length
      ? [{ text: number, rule: true }, { text: ` ${rest.join(" ")}`, rule: false }]
      : [{ text: found, rule: false }];
  });
}

/** Where a rule stands. */
export function ruleAddress(number: string): string {
  return `/rules#${encodeURIComponent(number)}`;
}
