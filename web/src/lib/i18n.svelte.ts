import languages from "virtual:languages";
import type { Key } from "./keys";
import type { Language } from "./protocol";
import { settings } from "./settings.svelte";

type Texts = Record<string, string>;
type Values = Record<string, string | number>;

let texts = $state.raw<Texts>({});
/** Set once more is shown than the frame and the first page. */
let later: Promise<void> | null = null;

/** Fill in `{name}` places of a text. */
export function fill(text: string, values: Values): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

/** The text of a key in the language of the page. */
export function t(key: Key, values: Values = {}): string {
  return fill(texts[key] ?? key, values);
}

/** Whether a language speaks of so many things in the singular. */
export function isOne(n: number, language: Language): boolean {
  return languages[language].one.includes(Math.abs(n));
}

/** The text for a number of things: `key.one` or `key.many`, in which `{n}` is the number. */
export function many(key: string, n: number, values: Values = {}): string {
  const which = `${key}.${isOne(n, settings.language) ? "one" : "many"}`;
  return fill(texts[which] ?? key, { n, ...values });
}

/** The text of a key put together at run time, such as `phase.worker`; the fallback where there is none. */
export function word(key: string, fallback = ""): string {
  return texts[key] ?? fallback;
}

async function load(language: Language): Promise<Texts> {
  const { load, loadPages } = languages[language];
  const parts = await Promise.all([load(), ...(later ? [loadPages()] : [])]);
  return Object.assign({}, ...parts.map((part) => part.default));
}

/** What is loaded later has the texts of its own; they come with the first such part. */
export async function withTexts<T>(part: Promise<T>): Promise<T> {
  later ??= languages[settings.language].loadPages().then((more) => {
    texts = { ...more.default, ...texts };
  });
  later.catch(() => (later = null));
  const [loaded] = await Promise.all([part, later]);
  return loaded;
}

/** Speak a language from now on; `keep` it for the next visit if a person chose it. */
export async function useLanguage(language: Language, keep = false): Promise<void> {
  texts = await load(language);
  settings.setLanguage(language, keep);
  document.documentElement.lang = language;
}
