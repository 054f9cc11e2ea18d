// Pictures of the main pages for the documents: NEVSKY_URL=http://localhost:8000 node e2e/screenshots.mjs DIRECTORY
import { existsSync, mkdirSync } from "node:fs";
import { chromium } from "playwright-core";

const base = process.env.NEVSKY_URL ?? "http://localhost:8000";
const directory = process.argv[2] ?? "../docs/screenshots";
const browserPath = process.env.CHROMIUM ?? ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((path) => existsSync(path));
mkdirSync(directory, { recursive: true });

const browser = await chromium.launch({
  executablePath: browserPath,
  args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});

const TABLES = {
  table: { edition: "second", players: 3 },
  market: { edition: "second", players: 4, market: true, modules: [1, 2, 3, 4, 5, 6] },
};

/** A table with bots, played on by a script for a number of own decisions. */
async function table(page, ruleset, decisions) {
  return page.evaluate(
    async ([rules, most]) => {
      await fetch("/api/me");
      const seats = [{ kind: "me" }, ...Array.from({ length: rules.players - 1 }, () => ({ kind: "bot", level: "medium" }))];
      const body = JSON.stringify({ ruleset: rules, seats });
      const made = await (await fetch("/api/tables", { method: "POST", headers: { "content-type": "application/json" }, body })).json();
      await new Promise((done) => {
        const socket = new WebSocket(`ws://${location.host}/api/tables/${made.table}/ws?language=en`);
        let left = most;
        socket.onmessage = (message) => {
          const state = JSON.parse(message.data);
          if (state.type !== "state" || state.to_move !== state.you || !state.choices.length) return;
          if (left-- <= 0) return socket.close(), done();
          const lays = state.choices.filter((choice) => choice.price !== null);
          const choice = (left % 3 && lays[0]) || state.choices.at(-1);
          socket.send(JSON.stringify({ type: "act", version: state.version, action: choice.action }));
        };
      });
      return made.table;
    },
    [ruleset, decisions],
  );
}

for (const [width, height, size] of [[1600, 1000, "desktop"], [1024, 768, "tablet"], [390, 844, "phone"]]) {
  for (const colorScheme of ["light", "dark"]) {
    const context = await browser.newContext({ viewport: { width, height }, colorScheme, locale: "en-US", reducedMotion: "reduce" });
    const page = await context.newPage();
    const take = async (name) => {
      await page.waitForTimeout(600);
      await page.screenshot({ path: `${directory}/${name}-${size}-${colorScheme}.png` });
    };
    await page.goto(base);
    await take("home");
    await page.goto(`${base}/new`);
    await take("new");
    await page.goto(`${base}/rules`);
    await take("rules");
    for (const [name, ruleset] of Object.entries(TABLES)) {
      await page.goto(`${base}/table/${await table(page, ruleset, 26)}`);
      await page.waitForSelector(".display");
      await take(name);
    }
    await context.close();
  }
}
await browser.close();
