import type { ChatLine } from "./protocol";
import { load, save } from "./storage";

/** People whose words are not shown on this device. */
class Muted {
  names = $state.raw<readonly string[]>(read());

  has(name: string): boolean {
    return this.names.includes(name);
  }

  toggle(name: string): void {
    this.names = this.has(name) ? this.names.filter((each) => each !== name) : [...this.names, name];
    save("muted", this.names.length ? JSON.stringify(this.names) : null);
  }

  heard(lines: readonly ChatLine[]): ChatLine[] {
    return lines.filter((line) => !this.has(line.name));
  }
}

function read(): string[] {
  try {
    const kept: unknown = JSON.parse(load("muted") ?? "[]");
    return Array.isArray(kept) ? kept.filter((name) => typeof name === "string") : [];
  } catch {
    return [];
  }
}

export const muted = new Muted();
