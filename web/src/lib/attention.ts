import { settings } from "./settings.svelte";
import type { Sound } from "./sounds";

/** After a click or a key sounds are allowed, if somebody wants them. */
export function allowSound(): void {
  if (settings.on.sound) void import("./sounds").then((sounds) => sounds.allow(), () => undefined);
}

/** Make a sound, if somebody wants to hear them. */
export function play(sound: Sound): void {
  if (settings.on.sound) void import("./sounds").then((sounds) => sounds.make(sound, settings.volume), () => undefined);
}

export function notify(title: string, body: string): void {
  if (!("Notification" in window) || Notification.permission !== "granted" || document.visibilityState === "visible") return;
  try {
    const note = new Notification(title, { body, icon: "/favicon.svg", tag: "nevsky-turn" });
    note.onclick = () => {
      window.focus();
      note.close();
    };
  } catch {
    // some phones show notifications only from service workers
  }
}
