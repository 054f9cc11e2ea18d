import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Plugin } from "vite";

interface IconSet {
  icons: Record<string, { body: string }>;
}

const PREFIX = "virtual:icons/";

/** Path data with one digit after the point: a tenth of a unit on a grid of 512. Arcs, with their packed flags, stay. */
export function rounded(path: string): string {
  return path.replace(/([a-z])([^a-z]*)/gi, (whole, command: string, rest: string) => {
    if (/[az]/i.test(command)) return whole;
    const numbers = rest.match(/-?(?:\d+\.?\d*|\.\d+)(?:e-?\d+)?/gi) ?? [];
    const text = numbers.map((number) => String(Math.round(Number(number) * 10) / 10).replace(/^(-?)0\./, "$1."));
    return command + text.join(" ").replace(/ -/g, "-");
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
