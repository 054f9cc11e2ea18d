import en from "./i18n/en.json";
import type { Language } from "./protocol";
import { settings } from "./settings.svelte";

export type Key = keyof typeof en;
type Texts = Record<string, string>;
type Values = Record<string, string | number>;

const loaders = import.meta.glob<{ default: Texts }>(["./i18n/*.json", "!./i18n/en.json"]);
let texts = $state.raw<Texts>(en);

/** Fill in `{name}` places of a text. */
export function fill(text: string, values: Values): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

/** The text of a key in the language of the page. */
export function t(key: Key, values: Values = {}): string {
  return fill(texts[key] ?? en[key], values);
}

/** The text for a number of things: `key.one` or `key.many`, in which `{n}` is the number. */
export function many(key: string, n: number, values: Values = {}): string {
  const which = `${key}.${n === 1 ? "one" : "many"}`;
  return fill(texts[which] ?? (en as Texts)[which] ?? key, { n, ...values });
}

/** The text of a key put together at run time, such as `phase.worker`; the fallback where there is none. */
export function word(key: string, fallback = ""): string {
  return texts[key] ?? (en as Texts)[key] ?? fallback;
}

/** Speak a language from now on; `keep` it for the next visit if a person chose it. */
export async function useLanguage(language: Language, keep = false): Promise<void> {
  const loader = loaders[`./i18n/${language}.json`];
  texts = loader ? (await loader()).default : en;
  settings.setLanguage(language, keep);
  document.documentElement.lang = language;
}
