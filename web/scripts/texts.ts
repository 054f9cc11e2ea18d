import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";

const PREFIX = "virtual:texts/";
const LANGUAGES = "virtual:languages";

/** The rows of a CSV file by the names of its columns; quoted cells may hold commas, quotes and line breaks. */
export function rows(csv: string): Record<string, string>[] {
  const lines: string[][] = [[]];
  for (const [, quoted, plain, end] of csv.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/gy)) {
    lines.at(-1)!.push(quoted?.replaceAll('""', '"') ?? plain ?? "");
    if (end !== ",") lines.push([]);
  }
  const [columns = [], ...cells] = lines.filter((line) => line.length > 1);
  return cells.map((line) => Object.fromEntries(columns.map((column, place) => [column, line[place] ?? ""])));
}

/**
 * What the pages say, from the store of texts that the server reads too: `virtual:languages` lists its languages, with
 * their names, the numbers that are singular in them and what loads their texts; `virtual:texts/de` are those of one
 * that the frame and the first page use, `virtual:texts/de/pages` those of everything that is loaded later.
 * A visitor loads those of one language; tests see to it that none lacks anything.
 * A module that the pages have no shorter name for has the one of the game.
 */
export function texts(folder: string): Plugin {
  const read = (file: string) => rows(readFileSync(join(folder, file), "utf8"));
  return {
    name: "nevsky-texts",
    resolveId: (id) => (id === LANGUAGES || id.startsWith(PREFIX) ? "\0" + id : undefined),
    load(id) {
      if (id === "\0" + LANGUAGES) {
        this.addWatchFile(join(folder, "languages.csv"));
        const entries = read("languages.csv").map(({ code, name, one = "" }) => {
          const load = `load: () => import("${PREFIX}${code}"), loadPages: () => import("${PREFIX}${code}/pages")`;
          return `${code}: { name: ${JSON.stringify(name)}, one: [${one.split(" ")}], ${load} }`;
        });
        return `export default { ${entries.join(", ")} };`;
      }
      if (!id.startsWith("\0" + PREFIX)) return;
      const [language = "", pages] = id.slice(PREFIX.length + 1).split("/");
      const texts = (name: string) => {
        this.addWatchFile(join(folder, language, name));
        return read(join(language, name)).map(({ key = "", text }) => [key, text] as const);
      };
      const modules = () => texts("cards.csv").filter(([key]) => /^module\.\d+$/.test(key));
      const found = pages ? texts("pages.csv") : [...modules(), ...texts("web.csv")];
      return `export default ${JSON.stringify(Object.fromEntries(found))};`;
    },
  };
}
