import { appendFileSync, cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import languages from "virtual:languages";
import first from "virtual:texts/en";
import pages from "virtual:texts/en/pages";
import { describe, expect, it } from "vitest";
import { rows, texts } from "../scripts/texts";
import { fill, isOne, many, t, useLanguage } from "../src/lib/i18n.svelte";
import type { Language } from "../src/lib/protocol";

const places = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1]).sort();

const en = { ...first, ...pages };
const others = Object.entries(languages).filter(([code]) => code !== "en");

describe.each(others)("%s", (_, spoken) => {
  const load = async () => ({ ...(await spoken.load()).default, ...(await spoken.loadPages()).default });
  it("has the same keys as English, in the same order", async () => {
    expect(Object.keys(await load())).toEqual(Object.keys(en));
  });
  it("has the same places to fill in", async () => {
    const texts = await load();
    for (const [key, text] of Object.entries(en)) expect(places(texts[key] ?? ""), key).toEqual(places(text));
  });
  it("leaves no text empty", async () => {
    for (const [key, text] of Object.entries(await load())) expect(text.trim(), key).not.toBe("");
  });
});

describe("texts", () => {
  it("fill in their places and keep unknown ones", () => {
    expect(fill("{n} of {m}", { n: 3 })).toBe("3 of {m}");
  });
  it("tell one from many", async () => {
    await useLanguage("en");
    expect(many("rubles", 1)).toBe("1 ruble");
    expect(many("rubles", 2)).toBe("2 rubles");
    await useLanguage("de");
    expect(many("points", 1)).toBe("1 Punkt");
    expect(document.documentElement.lang).toBe("de");
    await useLanguage("fr");
    expect([0, 1, 2, 21].map((n) => many("rubles", n))).toEqual(["0 rouble", "1 rouble", "2 roubles", "21 roubles"]);
    await useLanguage("en");
    expect(t("pass")).toBe("Pass");
  });
  it("have the plural of tests/texts/test_store.py", () => {
    const singular = (language: Language) => [0, 1, 2, 21].filter((n) => isOne(n, language));
    const found = Object.fromEntries(Object.keys(languages).map((code) => [code, singular(code as Language)]));
    expect(found).toEqual({ en: [1], de: [1], fr: [0, 1], it: [1] });
  });
});

describe("files of texts", () => {
  it("make a language of one folder and one line", () => {
    const folder = mkdtempSync(join(tmpdir(), "texts-"));
    cpSync(join(import.meta.dirname, "../../src/nevsky/texts"), folder, { recursive: true });
    cpSync(join(folder, "it"), join(folder, "es"), { recursive: true });
    appendFileSync(join(folder, "languages.csv"), "es,Español,1\n");
    const plugin = texts(folder) as { load: (this: object, id: string) => string };
    const load = (id: string) => plugin.load.call({ addWatchFile: () => undefined }, id);
    expect(load("\0virtual:languages")).toContain('es: { name: "Español", one: [1], load: () => import("virtual:texts/es")');
    for (const part of ["", "/pages"]) expect(load(`\0virtual:texts/es${part}`)).toBe(load(`\0virtual:texts/it${part}`));
    rmSync(folder, { recursive: true });
  });
  it("are read with quotes, commas and line breaks", () => {
    expect(rows('key,text\na,plain\nb,"one, ""two"""\nc,"two\nlines"\nd,\n')).toEqual([
      { key: "a", text: "plain" },
      { key: "b", text: 'one, "two"' },
      { key: "c", text: "two\nlines" },
      { key: "d", text: "" },
    ]);
  });
});
