import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Plugin } from "vite";

interface IconSet {
  icons: Record<string, { body: string }>;
}

const PREFIX = "virtual:icons/";

const NUMBER = /-?(?:\d+\.?\d*|\.\d+)/g;
const ARC = /(-?[\d.]+)[\s,]*(-?[\d.]+)[\s,]*(-?[\d.]+)[\s,]*([01])[\s,]*([01])[\s,]*(-?(?:\d+\.?\d*|\.\d+))[\s,]*(-?(?:\d+\.?\d*|\.\d+))/g;
const ARITY: Record<string, number> = { m: 2, l: 2, t: 2, h: 1, v: 1, c: 6, s: 4, q: 4, a: 7 };

function numbers(command: string, rest: string): number[] {
  if (command !== "a") return (rest.match(NUMBER) ?? []).map(Number);
  return [...rest.matchAll(ARC)].flatMap((arc) => arc.slice(1).map(Number));
}

/**
 * Path data in whole units of the grid of 512. Every point is rounded where it really lies, so that the errors of
 * relative steps do not add up.
 */
export function rounded(path: string): string {
  let [x, y, startX, startY] = [0, 0, 0, 0];
  return path.replace(/([a-z])([^a-z]*)/gi, (_, letter: string, rest: string) => {
    const command = letter.toLowerCase(), relative = letter === command, arity = ARITY[command] ?? 0;
    if (!arity) [x, y] = [startX, startY];
    const given = numbers(command, rest), written: number[] = [];
    for (let at = 0; arity && at + arity <= given.length; at += arity) {
      const [fromX, fromY] = [x, y];
      given.slice(at, at + arity).forEach((value, place) => {
        if (command === "a" && place < 5) return void written.push(Math.round(value * 10) / 10);
        const down = command === "v" || (command !== "h" && (command === "a" ? place === 6 : place % 2 === 1));
        const from = relative ? (down ? fromY : fromX) : 0;
        const to = from + value;
        written.push(Math.round(to) - (relative ? Math.round(from) : 0));
        if (down) y = to;
        else x = to;
      });
      if (command === "m" && at === 0) [startX, startY] = [x, y];
    }
    return letter + written.join(" ").replace(/ -/g, "-");
  });
}

/** The modules `virtual:icons/ui` and `virtual:icons/cards`: our own names with SVG, only those of src/lib/icons.json. */
export function icons(listFile: URL): Plugin {
  return {
    name: "nevsky-icons",
    resolveId: (id) => (id.startsWith(PREFIX) ? "\0" + id : undefined),
    load(id) {
      if (!id.startsWith("\0" + PREFIX)) return;
      this.addWatchFile(listFile.pathname);
      const lists = JSON.parse(readFileSync(listFile, "utf8")) as Record<string, Record<string, string>>;
      const wanted = lists[id.slice(PREFIX.length + 1)] ?? {};
      const file = createRequire(import.meta.url).resolve("@iconify-json/game-icons/icons.json");
      const set = JSON.parse(readFileSync(file, "utf8")) as IconSet;
      const bodies: Record<string, string> = {};
      for (const [name, icon] of Object.entries(wanted)) {
        const body = set.icons[icon]?.body;
        if (!body) throw new Error(`There is no pictogram "${icon}" for ${name} in game-icons.`);
        bodies[icon] = body.replace(/ d="([^"]*)"/g, (_, path: string) => ` d="${rounded(path)}"`);
      }
      return `export const bodies = ${JSON.stringify(bodies)}; export const names = ${JSON.stringify(wanted)};`;
    },
  };
}
