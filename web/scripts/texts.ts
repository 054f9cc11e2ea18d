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
 * their names, the numbers that are singular in them and what loads their texts; `virtual:texts/de` are those of one.
 * A page loads one of them; tests see to it that none lacks anything.
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
          return `${code}: { name: ${JSON.stringify(name)}, one: [${one.split(" ")}], load: () => import("${PREFIX}${code}") }`;
        });
        return `export default { ${entries.join(", ")} };`;
      }
      if (!id.startsWith("\0" + PREFIX)) return;
      const language = id.slice(PREFIX.length + 1);
      const found = ["cards.csv", "web.csv"].map((name) => {
        this.addWatchFile(join(folder, language, name));
        return read(join(language, name)).map(({ key = "", text }) => [key, text] as const);
      });
      const [game = [], pages = []] = found;
      const modules = game.filter(([key]) => /^module\.\d+$/.test(key));
      return `export default ${JSON.stringify(Object.fromEntries([...modules, ...pages]))};`;
    },
  };
}
