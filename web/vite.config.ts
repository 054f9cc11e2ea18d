import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";
import { icons } from "./scripts/icons.ts";
import { texts } from "./scripts/texts.ts";
import { entryName, worker, WORKERS } from "./scripts/worker.ts";

const server = process.env["NEVSKY_SERVER"] ?? "http://127.0.0.1:8400";
const TEXTS = new URL("../src/nevsky/texts", import.meta.url).pathname;

/** The frame of the app and its first page. */
const LIB =
  "api|badges|clock|games|i18n|kept|layers|levels|offline|panels|quick|router|rulebook|rulelinks|seats|settings|storage|title|turns|view";
const COMPONENTS =
  "AskDialog|DeleteButton|Dialog|ErrorPage|GuideInvitation|Header|HeroAction|Icon|Linked|NameForm|OfflineBanner|Pawn|QuickGame|RuleLink" +
  "|RulesetLine|GamesLink|Skyline|TableList";
const SHARED = new RegExp(`/src/(App|pages/Home|lib/(${LIB})|components/(${COMPONENTS}))[.]|node_modules/svelte`);

export default defineConfig({
  plugins: [icons(new URL("src/lib/icons.json", import.meta.url)), texts(TEXTS), svelte(), worker()],
  build: {
    outDir: "../src/nevsky/server/static",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // what every page needs is one file with the frame of the app: many small ones compress badly
    rolldownOptions: {
      input: { index: "index.html", ...WORKERS },
      output: { entryFileNames: entryName, advancedChunks: { groups: [{ name: "shared", test: SHARED }] } },
    },
  },
  server: { proxy: { "/api": { target: server, ws: true } } },
  resolve: process.env["VITEST"] ? { conditions: ["browser"] } : {},
  test: { environment: "happy-dom", include: ["tests/**/*.test.ts"], setupFiles: ["tests/setup.ts"] },
});
