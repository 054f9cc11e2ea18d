import { createHash } from "node:crypto";
import type { Plugin, Rollup } from "vite";

/** The entries that are service workers: they have names that stay, since browsers look for them there. */
export const WORKERS = { sw: "src/worker/sw.ts", farewell: "src/worker/farewell.ts" } as const;

export function entryName(chunk: { name: string }): string {
  return chunk.name in WORKERS ? `${chunk.name}.js` : "assets/[name]-[hash].js";
}

/** The files without which the app does not start: the page's own, and the texts of every language. */
function frame(bundle: Rollup.OutputBundle): string[] {
  const found = new Set<string>();
  const add = (name: string): void => {
    const chunk = bundle[name];
    if (found.has(name) || chunk?.type !== "chunk") return;
    found.add(name);
    chunk.imports.forEach(add);
    const styles = (chunk as { viteMetadata?: { importedCss: Set<string> } }).viteMetadata?.importedCss ?? [];
    for (const style of styles) found.add(style);
  };
  for (const [name, chunk] of Object.entries(bundle)) {
    if (chunk.type !== "chunk" || chunk.name in WORKERS) continue;
    if (chunk.isEntry || /virtual:texts\/\w+$/.test(chunk.facadeModuleId ?? "")) add(name);
  }
  return [...found].sort();
}

/** Tells the service worker which build it belongs to and what to keep. */
export function worker(): Plugin {
  return {
    name: "nevsky-worker",
    enforce: "post",
    generateBundle(_, bundle) {
      const files = frame(bundle);
      const all = Object.keys(bundle).sort().join(" ");
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== "chunk" || chunk.name !== "sw") continue;
        if (chunk.imports.length) throw new Error(`The service worker stands alone, and imports ${chunk.imports.join(", ")}`);
        const build = createHash("sha256").update(all + chunk.code).digest("hex").slice(0, 12);
        chunk.code = chunk.code
          .replace("__NEVSKY_BUILD__", build)
          .replace("__NEVSKY_FRAME__", files.map((name) => `/${name}`).join(" "));
      }
    },
  };
}
