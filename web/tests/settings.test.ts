import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

async function fresh() {
  vi.resetModules();
  return (await import("../src/lib/settings.svelte")).settings;
}

describe("settings", () => {
  beforeEach(() => localStorage.clear());
  afterEach(() => localStorage.clear());

  it("are quiet and careful until somebody changes them", async () => {
    const settings = await fresh();
    expect(settings.on).toEqual({ sound: false, notify: false, ask_pass: true, ask_risk: true, shortcuts: true, flights: true });
    expect(settings.chosen).toEqual({ theme: "system", bot_speed: "normal", card_size: "normal" });
  });
  it("are remembered, and what is usual is not written down", async () => {
    const before = await fresh();
    before.turn("sound", true);
    before.turn("ask_pass", false);
    before.choose("bot_speed", "instant");
    before.choose("card_size", "large");
    before.setVolume(25);
    const after = await fresh();
    expect([after.on.sound, after.on.ask_pass, after.on.ask_risk]).toEqual([true, false, true]);
    expect([after.chosen.bot_speed, after.chosen.card_size, after.volume]).toEqual(["instant", "large", 25]);
    after.turn("sound", false);
    after.turn("ask_pass", true);
    after.choose("bot_speed", "normal");
    after.choose("card_size", "normal");
    after.setVolume(60);
    expect(localStorage.length).toBe(0);
  });
  it("that make no sense are as if never set", async () => {
    for (const name of ["theme", "bot_speed", "card_size", "volume", "sound", "ask_pass"]) localStorage.setItem(`nevsky.${name}`, "<b>-1");
    const settings = await fresh();
    expect(settings.chosen).toEqual({ theme: "system", bot_speed: "normal", card_size: "normal" });
    expect([settings.volume, settings.on.sound, settings.on.ask_pass]).toEqual([60, false, true]);
  });
  it("tell the styles the theme and the size of cards", async () => {
    const settings = await fresh();
    const root = document.createElement("html");
    settings.choose("theme", "dark");
    settings.choose("card_size", "small");
    settings.dress(root);
    expect({ ...root.dataset }).toEqual({ theme: "dark", cards: "small" });
  });
});
