// A whole game by clicking, in a real browser: NEVSKY_URL=http://localhost:8400 npm run e2e
// It fails on any error in the page, on horizontal scrolling, and when the game does not end.
import { existsSync } from "node:fs";
import { chromium } from "playwright-core";

const base = process.env.NEVSKY_URL ?? "http://localhost:8400";
const browserPath = process.env.CHROMIUM ?? ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((path) => existsSync(path));
const LIMIT = Number(process.env.SECONDS ?? 300) * 1000;
const problems = [];

const browser = await chromium.launch({
  executablePath: browserPath,
  args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});
// without movements a game takes seconds instead of minutes
const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: "en-US", reducedMotion: "reduce" });
const page = await context.newPage();
page.on("pageerror", (error) => problems.push(`error in the page: ${error.message}`));
page.on("console", (message) => message.type() === "error" && problems.push(`console: ${message.text()}`));

const expect = (truth, what) => truth || problems.push(what);
const any = async (locator) => locator.nth(Math.floor(Math.random() * (await locator.count())));

async function fits(width) {
  await page.setViewportSize({ width, height: 800 });
  await page.waitForTimeout(150);
  const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(over <= 0, `${page.url()} is ${over} pixels too wide at ${width}`);
}

/** One answer to what is asked, by mouse; false if nothing is asked. */
async function answer() {
  if (!(await page.locator(".bar.asked").count())) return false;
  const cards = page.locator(".display button.card.active, .hand button.card.active");
  const buttons = page.locator(".bar .choices button");
  const pass = page.locator(".bar .tools .gold");
  try {
    if ((await cards.count()) && Math.random() < 0.8) {
      await (await any(cards)).click({ timeout: 2000 });
      const choices = page.locator("dialog .choices button");
      if (await choices.count()) await choices.first().click({ timeout: 2000 });
      else await page.keyboard.press("Escape");
    } else if ((await buttons.count()) && (Math.random() < 0.6 || !(await pass.count()))) await (await any(buttons)).click({ timeout: 2000 });
    else if (await pass.count()) await pass.click({ timeout: 2000 });
    else await page.waitForTimeout(50);
    const sure = page.locator("dialog .button.primary", { hasText: "Yes" });
    if (await sure.count()) await sure.click({ timeout: 2000 });
  } catch {
    await page.keyboard.press("Escape"); // the table moved on meanwhile
  }
  return true;
}

await page.goto(base);
await page.locator('input[name="bots"][value="1"]').check({ force: true });
for (const width of [360, 1024, 1600]) await fits(width);
await page.locator(".start").click();
await page.waitForSelector(".display");
for (const width of [360, 768, 1280]) await fits(width);

const began = Date.now();
while (!(await page.locator(".final").count()) && Date.now() - began < LIMIT) {
  await answer();
  await page.waitForTimeout(30);
}
expect(await page.locator(".final").count(), "the game did not come to its end");
if (!problems.length) {
  await fits(360);
  await fits(1280);
  await page.locator('a[href^="/replay/"]').first().click();
  await page.waitForSelector(".controls");
  await page.keyboard.press("End");
  await page.waitForSelector(".final");
}
for (const path of ["/new", "/rules", "/about"]) {
  await page.goto(base + path);
  await page.waitForSelector("h1");
  await fits(360);
}
await browser.close();
for (const problem of problems) console.error(problem);
console.log(problems.length ? `0 passed, ${problems.length} failed` : "1 passed, 0 failed");
process.exit(problems.length ? 1 : 0);
