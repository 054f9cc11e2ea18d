import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "..");
const LONGEST = 140;
const files = [
  "index.html",
  "svelte.config.js",
  "vite.config.ts",
  ...["src", "tests", "scripts"].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" }).map((name) => join(folder, name)),
  ),
].filter((name) => /\.(ts|svelte|css|js|html)$/.test(name));
const text = new Map(files.map((name) => [name, readFileSync(join(ROOT, name), "utf8")]));

it("has no line that does not fit on a screen", () => {
  const long = [...text].flatMap(([name, content]) =>
    content.split("\n").flatMap((line, place) => (line.length > LONGEST ? [`${name}:${place + 1}`] : [])),
  );
  expect(long).toEqual([]);
});

it("has nothing that nobody uses", () => {
  const sources = [...text].filter(([name]) => name.startsWith("src"));
  const everything = sources.map(([, content]) => content).join("\n");
  const unused = sources.flatMap(([name, content]) => {
    if (!name.endsWith(".ts") || name.endsWith("protocol.ts")) return [];
    const exported = [...content.matchAll(/^export (?:async )?(?:const|function|class|interface|type) (\w+)/gm)];
    return exported.map(([, word]) => word).filter((word) => everything.split(new RegExp(`\\b${word}\\b`)).length < 3);
  });
  expect(unused).toEqual([]);
});
