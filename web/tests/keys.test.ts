import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import first from "virtual:texts/en";
import pages from "virtual:texts/en/pages";
import { expect, it } from "vitest";

const SOURCE = join(import.meta.dirname, "../src");
const en = { ...first, ...pages };

function* sources(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* sources(path);
    else if (/\.(svelte|ts)$/.test(entry.name)) yield readFileSync(path, "utf8");
  }
}

it("every text that the pages ask for exists", () => {
  for (const source of sources(SOURCE)) {
    for (const [, key] of source.matchAll(/\bmany\("([^"]+)"/g)) expect(en, key).toHaveProperty([`${key}.one`]);
  }
});

/** A file and all that comes with it, without what is loaded later. */
function* together(path: string, seen = new Set<string>()): Generator<string> {
  if (seen.has(path)) return;
  seen.add(path);
  const source = readFileSync(path, "utf8");
  yield source;
  for (const [, name] of source.matchAll(/^\s*(?:import|export) (?!type)[^;()]*?"(\.[^"]+)"/gm)) {
    const found = ["", ".ts"].map((ending) => join(dirname(path), name + ending)).find((each) => existsSync(each));
    if (found && /\.(svelte|ts)$/.test(found)) yield* together(found, seen);
  }
}

it("the frame and the first page have all their texts", () => {
  const shown = [...together(join(SOURCE, "main.ts"))].join("\n");
  expect(shown).toContain("home.title");
  const whole = new Set([...shown.matchAll(/["`]([\w.]+)["`]/g)].map(([, key]) => key!));
  const beginnings = [...shown.matchAll(/\b(?:t|many|word)\(`([\w.]+)\$\{/g)].map(([, beginning]) => beginning!);
  const missing = Object.keys(pages).filter(
    (key) => whole.has(key) || whole.has(key.replace(/\.(one|many)$/, "")) || beginnings.some((each) => key.startsWith(each)),
  );
  expect(missing).toEqual([]);
});

it("components stay small", () => {
  for (const source of sources(join(SOURCE, "components"))) expect(source.split("\n").length).toBeLessThan(130);
});
