import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import en from "virtual:texts/en";
import { expect, it } from "vitest";

function* sources(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* sources(path);
    else if (/\.(svelte|ts)$/.test(entry.name)) yield readFileSync(path, "utf8");
  }
}

it("every text that the pages ask for exists", () => {
  for (const source of sources(join(import.meta.dirname, "../src"))) {
    for (const [, key] of source.matchAll(/\bmany\("([^"]+)"/g)) expect(en, key).toHaveProperty([`${key}.one`]);
  }
});

it("components stay small", () => {
  for (const source of sources(join(import.meta.dirname, "../src/components"))) expect(source.split("\n").length).toBeLessThan(130);
});
