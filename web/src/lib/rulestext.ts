/** Searching in the rules, and the few marks that their text uses. */
import type { RuleSection, RuleText } from "./protocol";

const isUnder = (number: string | null, wanted: string) => `${number?.toLowerCase()}.`.startsWith(`${wanted}.`);

/** What a number or a word finds; everything if nothing is looked for. */
export function findRules(sections: readonly RuleSection[], query: string): RuleSection[] {
  const wanted = query.trim().toLowerCase();
  if (!wanted) return [...sections];
  const byNumber = /^d?\d+(\.\d+( [a-z])?)?$/.test(wanted);
  const fits = (rule: RuleText, section: RuleSection) =>
    byNumber
      ? isUnder(rule.number, wanted) || isUnder(section.number, wanted)
      : rule.text.toLowerCase().includes(wanted) || section.title.toLowerCase().includes(wanted);
  return sections
    .map((section) => ({ ...section, rules: section.rules.filter((rule) => fits(rule, section)) }))
    .filter((section) => section.rules.length);
}

/** Every number that something can be found under. */
export function numbers(sections: readonly RuleSection[]): Set<string> {
  return new Set(sections.flatMap((section) => [section, ...section.rules].flatMap(({ number }) => number ?? [])));
}

/** A rule with the title of its section; all rules of a section where the number is that of the section. */
export function ruleOf(sections: readonly RuleSection[], number: string): Pick<RuleSection, "title" | "rules"> | null {
  const whole = sections.find((section) => section.number === number && section.rules.length);
  if (whole) return whole;
  for (const section of sections) {
    const rules = section.rules.filter((rule) => rule.number === number);
    if (rules.length) return { title: section.title, rules };
  }
  return null;
}

/** Where a section stands on the page of the rules: its rules have their numbers themselves. */
export function sectionId(section: RuleSection, place: number): string {
  return `s-${section.number ?? `n${place}`}`;
}

export interface Piece {
  kind: "text" | "em" | "strong" | "code";
  text: string;
}

/** A paragraph cut at its marks: *emphasis*, **strong**, `code`. */
export function pieces(text: string): Piece[] {
  return text
    .split(/(\*\*[^*]+\*\*|\*[^*]+\*|`[^`]+`)/)
    .filter(Boolean)
    .map((part): Piece => {
      if (part.startsWith("**")) return { kind: "strong", text: part.slice(2, -2) };
      if (part.startsWith("`")) return { kind: "code", text: part.slice(1, -1) };
      if (part.startsWith("*") && part.length > 2) return { kind: "em", text: part.slice(1, -1) };
      return { kind: "text", text: part };
    });
}
