import { describe, expect, it } from "vitest";
import de from "../src/lib/i18n/de.json";
import en from "../src/lib/i18n/en.json";
import fr from "../src/lib/i18n/fr.json";
import it_ from "../src/lib/i18n/it.json";
import { fill, many, t, useLanguage } from "../src/lib/i18n.svelte";

const places = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1]).sort();

describe.each([["de", de], ["fr", fr], ["it", it_]])("%s", (_, texts) => {
  it("has the same keys as English, in the same order", () => {
    expect(Object.keys(texts)).toEqual(Object.keys(en));
  });
  it("has the same places to fill in", () => {
    for (const [key, text] of Object.entries(en)) {
      expect(places((texts as Record<string, string>)[key] ?? ""), key).toEqual(places(text));
    }
  });
  it("leaves no text empty", () => {
    for (const [key, text] of Object.entries(texts)) expect(text.trim(), key).not.toBe("");
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
    await useLanguage("en");
    expect(t("pass")).toBe("Pass");
  });
});
