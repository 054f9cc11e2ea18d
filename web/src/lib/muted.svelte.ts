import { api } from "./api";
import type { ChatLine } from "./protocol";
import { load, save } from "./storage";

const MOST = 500;

/**
 * People whose words are not shown. A speaker is somebody at one table, whatever they call themselves. The server knows whom one
 * blocks, at all tables; this device remembers the marks besides, for servers that do not.
 */
class Muted {
  speakers = $state.raw<readonly string[]>(read());
  private blocked = $state.raw<readonly string[]>([]);
  private table = "";

  has(speaker: string): boolean {
    return this.speakers.includes(speaker) || this.blocked.includes(speaker);
  }

  /** Ask once for each table whom one blocks there. */
  async ask(table: string): Promise<void> {
    if (this.table === table) return;
    this.table = table;
    try {
      const { speakers } = await api.speakers(table);
      if (this.table === table) this.blocked = speakers;
    } catch {
      // then only what this device remembers counts
    }
  }

  toggle(table: string, speaker: string): void {
    const blocked = !this.has(speaker);
    this.speakers = this.speakers.filter((each) => each !== speaker);
    this.blocked = this.blocked.filter((each) => each !== speaker);
    if (blocked) this.speakers = [...this.speakers, speaker].slice(-MOST);
    save("muted", this.speakers.length ? JSON.stringify(this.speakers) : null);
    api.blockSpeaker(table, speaker, blocked).catch(() => undefined);
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
