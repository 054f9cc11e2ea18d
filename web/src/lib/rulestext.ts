/** Searching in the rules, and the few marks that their text uses. */
import type { RuleSection, RuleText } from "./protocol";

const isUnder = (number: string | null, wanted: string) => `${number?.toLowerCase()}.`.startsWith(`${wanted}.`);

/** What a number or a word finds; everything if nothing is looked for. */
export function findRules(sections: readonly RuleSection[], query: string): RuleSection[] {
  const wanted = query.trim().toLowerCase();
  if (!wanted) return [...sections];
  const byNumber = /^d?\d+(\.\d+)?$/.test(wanted);
  const fits = (rule: RuleText, section: RuleSection) =>
    byNumber
      ? isUnder(rule.number, wanted) || isUnder(section.number, wanted)
      : rule.text.toLowerCase().includes(wanted) || section.title.toLowerCase().includes(wanted);
  return sections
    .map((section) => ({ ...section, rules: section.rules.filter((rule) => fits(rule, section)) }))
    .filter((section) => section.rules.length);
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
