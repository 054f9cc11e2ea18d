import languages from "virtual:languages";
import type { Language } from "./protocol";
import { load, save } from "./storage";

export type Theme = "system" | "light" | "dark";

export function isLanguage(text: string | null | undefined): text is Language {
  return text !== null && text !== undefined && Object.hasOwn(languages, text);
}

/** The language kept from last time, or the first of the browser's that we speak. */
export function preferredLanguage(kept: string | null, browser: readonly string[]): Language {
  if (isLanguage(kept)) return kept;
  return browser.map((tag) => tag.slice(0, 2).toLowerCase()).find(isLanguage) ?? "en";
}

function asTheme(text: string | null): Theme {
  return text === "light" || text === "dark" ? text : "system";
}

const dark = typeof matchMedia === "function" ? matchMedia("(prefers-color-scheme: dark)") : null;
const still = typeof matchMedia === "function" ? matchMedia("(prefers-reduced-motion: reduce)") : null;

class Settings {
  language = $state<Language>(preferredLanguage(load("language"), navigator.languages ?? []));
  theme = $state<Theme>(asTheme(load("theme")));
  sound = $state(load("sound") === "on");
  notify = $state(load("notify") === "on");
  systemDark = $state(dark?.matches ?? false);

  get dark(): boolean {
    return this.theme === "dark" || (this.theme === "system" && this.systemDark);
  }

  setLanguage(language: Language, keep: boolean): void {
    this.language = language;
    if (keep) save("language", language);
  }

  setTheme(theme: Theme): void {
    this.theme = theme;
    save("theme", theme);
  }

  setSound(on: boolean): void {
    this.sound = on;
    save("sound", on ? "on" : null);
  }

  async setNotify(on: boolean): Promise<void> {
    const allowed = on && "Notification" in window && (await Notification.requestPermission()) === "granted";
    this.notify = allowed;
    save("notify", allowed ? "on" : null);
  }
}

export const settings = new Settings();
dark?.addEventListener("change", (event) => (settings.systemDark = event.matches));

/** A duration of a movement, none for people who asked their system for stillness. */
export function motion(milliseconds: number): number {
  return still?.matches ? 0 : milliseconds;
}
