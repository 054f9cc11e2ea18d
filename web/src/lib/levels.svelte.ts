import { api } from "./api";
import type { Language } from "./protocol";

/** What the levels of bots are called; the server names them. */
class Levels {
  private names = $state.raw<Record<string, string>>({});
  private language: Language | null = null;

  async load(language: Language): Promise<void> {
    if (this.language === language) return;
    this.language = language;
    try {
      this.names = Object.fromEntries((await api.meta(language)).levels.map((each) => [each.level, each.name]));
    } catch {
      this.language = null;
    }
  }

  name(level: string): string {
    return this.names[level] ?? level.charAt(0).toUpperCase() + level.slice(1);
  }
}

export const levels = new Levels();
