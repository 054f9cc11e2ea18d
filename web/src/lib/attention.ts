let context: AudioContext | null = null;

/** Browsers let a page make sounds only after a click; this is called at every one until it works. */
export function allowSound(): void {
  try {
    context ??= new AudioContext();
    if (context.state === "suspended") void context.resume();
  } catch {
    // no sound device
  }
}

/** Two soft notes, made on the spot: no sound files. */
export function chime(): void {
  allowSound();
  if (!context) return;
  for (const [start, pitch] of [[0, 587], [0.16, 880]] as const) {
    const tone = context.createOscillator();
    const volume = context.createGain();
    const at = context.currentTime + start;
    tone.type = "triangle";
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(0.0001, at);
    volume.gain.exponentialRampToValueAtTime(0.12, at + 0.03);
    volume.gain.exponentialRampToValueAtTime(0.0001, at + 0.5);
    tone.connect(volume).connect(context.destination);
    tone.start(at);
    tone.stop(at + 0.55);
  }
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
