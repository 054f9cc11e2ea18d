import type { ChatLine } from "./protocol";
import { load, save } from "./storage";

const MOST = 500;

/** People whose words are not shown on this device. A speaker is somebody at one table, whatever they call themselves. */
class Muted {
  speakers = $state.raw<readonly string[]>(read());

  has(speaker: string): boolean {
    return this.speakers.includes(speaker);
  }

  toggle(speaker: string): void {
    this.speakers = this.has(speaker)
      ? this.speakers.filter((each) => each !== speaker)
      : [...this.speakers, speaker].slice(-MOST);
    save("muted", this.speakers.length ? JSON.stringify(this.speakers) : null);
  }

  heard(lines: readonly ChatLine[]): ChatLine[] {
    return lines.filter((line) => !this.has(line.speaker));
  }

  /** Those who wrote these lines and are not heard, with the names that they use now. */
  silent(lines: readonly ChatLine[]): { speaker: string; name: string }[] {
    const names = new Map(lines.map((line) => [line.speaker, line.name]));
    return [...names].filter(([speaker]) => this.has(speaker)).map(([speaker, name]) => ({ speaker, name }));
  }
}

function read(): string[] {
  try {
    const kept: unknown = JSON.parse(load("muted") ?? "[]");
    return Array.isArray(kept) ? kept.filter((speaker) => typeof speaker === "string") : [];
  } catch {
    return [];
  }
}

export const muted = new Muted();
