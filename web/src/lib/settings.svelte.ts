/** What a person has set, kept in this browser. The panel where it is changed is `SettingsDialog.svelte`. */
import languages from "virtual:languages";
import type { BotSpeedChange, Language } from "./protocol";
import { load, save } from "./storage";

/** Switches, and how they stand until somebody turns them. */
const SWITCHES = {
  /** Off until somebody wants them. */
  sound: false,
  notify: false,
  /** Ask before a pass that gives something up, and before anything else that does. */
  ask_pass: true,
  ask_risk: true,
  /** Single keys that press buttons; some people press them by accident. */
  shortcuts: true,
  /** Money and points fly at scorings. */
  flights: true,
} as const;
export type Switch = keyof typeof SWITCHES;

export type BotSpeed = BotSpeedChange["speed"];
export const SPEEDS = ["slow", "normal", "quick", "instant"] as const satisfies readonly BotSpeed[];
export const THEMES = ["system", "light", "dark"] as const;
export const CARD_SIZES = ["small", "normal", "large"] as const;
/** Choices, the usual one last: it is not kept. */
const CHOICES = {
  theme: [THEMES, "system"],
  bot_speed: [SPEEDS, "normal"],
  card_size: [CARD_SIZES, "normal"],
} as const;
export type ChoiceName = keyof typeof CHOICES;
type Chosen<K extends ChoiceName> = (typeof CHOICES)[K][0][number];

const USUAL_VOLUME = 60;

export function isLanguage(text: string | null | undefined): text is Language {
  return text !== null && text !== undefined && Object.hasOwn(languages, text);
}

/** The language kept from last time, or the first of the browser's that we speak. */
export function preferredLanguage(kept: string | null, browser: readonly string[]): Language {
  if (isLanguage(kept)) return kept;
  return browser.map((tag) => tag.slice(0, 2).toLowerCase()).find(isLanguage) ?? "en";
}

function keptSwitches(): Record<Switch, boolean> {
  const found = Object.entries(SWITCHES).map(([name, usual]) => [name, usual ? load(name) !== "off" : load(name) === "on"]);
  return Object.fromEntries(found) as Record<Switch, boolean>;
}

function keptChoices(): { [K in ChoiceName]: Chosen<K> } {
  const found = Object.entries(CHOICES).map(([name, [all, usual]]) => {
    const kept = load(name) ?? "";
    return [name, (all as readonly string[]).includes(kept) ? kept : usual];
  });
  return Object.fromEntries(found) as { [K in ChoiceName]: Chosen<K> };
}

/** A volume from 0 to 100; whatever else was kept is forgotten. */
export function asVolume(kept: string | null): number {
  return /^\d{1,3}$/.test(kept ?? "") ? Math.min(100, Number(kept)) : USUAL_VOLUME;
}

const dark = typeof matchMedia === "function" ? matchMedia("(prefers-color-scheme: dark)") : null;
const still = typeof matchMedia === "function" ? matchMedia("(prefers-reduced-motion: reduce)") : null;

class Settings {
  language = $state<Language>(preferredLanguage(load("language"), navigator.languages ?? []));
  on = $state(keptSwitches());
  chosen = $state(keptChoices());
  volume = $state(asVolume(load("volume")));
  systemDark = $state(dark?.matches ?? false);

  get dark(): boolean {
    return this.chosen.theme === "dark" || (this.chosen.theme === "system" && this.systemDark);
  }

  setLanguage(language: Language, keep: boolean): void {
    this.language = language;
    if (keep) save("language", language);
  }

  turn(name: Switch, on: boolean): void {
    this.on[name] = on;
    save(name, on === SWITCHES[name] ? null : on ? "on" : "off");
  }

  choose<K extends ChoiceName>(name: K, value: Chosen<K>): void {
    Object.assign(this.chosen, { [name]: value });
    save(name, value === CHOICES[name][1] ? null : value);
  }

  setVolume(volume: number): void {
    this.volume = asVolume(String(Math.round(volume)));
    save("volume", this.volume === USUAL_VOLUME ? null : String(this.volume));
  }

  /** The browser has a say, too. */
  async setNotify(on: boolean): Promise<void> {
    this.turn("notify", on && "Notification" in window && (await Notification.requestPermission()) === "granted");
  }

  /** What the styles have to know. */
  dress(root: HTMLElement): void {
    root.dataset["theme"] = this.dark ? "dark" : "light";
    root.dataset["cards"] = this.chosen.card_size;
  }
}

export const settings = new Settings();
dark?.addEventListener("change", (event) => (settings.systemDark = event.matches));

/** A duration of a movement, none for people who asked their system for stillness. */
export function motion(milliseconds: number): number {
  return still?.matches ? 0 : milliseconds;
}
