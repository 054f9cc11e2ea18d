import { api } from "./api";
import type { Language, LevelInfo, Meta } from "./protocol";

/** What a table can be made of, and what the levels of bots are called; the server names them. */
class Levels {
  meta = $state.raw<Meta | null>(null);
  private language: Language | null = null;

  get all(): LevelInfo[] {
    return this.meta?.levels ?? [];
  }

  async load(language: Language): Promise<void> {
    if (this.language === language) return;
    this.language = language;
    try {
      this.meta = await api.meta(language);
    } catch {
      this.language = null;
    }
  }

  name(level: string): string {
    return this.all.find((each) => each.level === level)?.name ?? level.charAt(0).toUpperCase() + level.slice(1);
  }
}

export const levels = new Levels();
