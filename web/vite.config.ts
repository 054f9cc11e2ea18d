import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";
import { icons } from "./scripts/icons.ts";
import { texts } from "./scripts/texts.ts";

const server = process.env["NEVSKY_SERVER"] ?? "http://127.0.0.1:8400";
const TEXTS = new URL("../src/nevsky/texts", import.meta.url).pathname;

export default defineConfig({
  plugins: [icons(new URL("src/lib/icons.json", import.meta.url)), texts(TEXTS), svelte()],
  build: {
    outDir: "../src/nevsky/server/static",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: { proxy: { "/api": { target: server, ws: true } } },
  resolve: process.env["VITEST"] ? { conditions: ["browser"] } : {},
  test: { environment: "happy-dom", include: ["tests/**/*.test.ts"] },
});
