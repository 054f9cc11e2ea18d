/** Two soft notes, made on the spot: no sound files. */
export function chime(): void {
  try {
    const context = new AudioContext();
    for (const [start, pitch] of [[0, 587], [0.16, 880]] as const) {
      const tone = context.createOscillator();
      const volume = context.createGain();
      tone.type = "triangle";
      tone.frequency.value = pitch;
      volume.gain.setValueAtTime(0.0001, context.currentTime + start);
      volume.gain.exponentialRampToValueAtTime(0.12, context.currentTime + start + 0.03);
      volume.gain.exponentialRampToValueAtTime(0.0001, context.currentTime + start + 0.5);
      tone.connect(volume).connect(context.destination);
      tone.start(context.currentTime + start);
      tone.stop(context.currentTime + start + 0.55);
    }
    setTimeout(() => void context.close(), 1200);
  } catch {
    // no sound device, or the browser wants a click first
  }
}

export function notify(title: string, body: string): void {
  if (!("Notification" in window) || Notification.permission !== "granted" || document.visibilityState === "visible") return;
  const note = new Notification(title, { body, icon: "/favicon.svg", tag: "nevsky-turn" });
  note.onclick = () => {
    window.focus();
    note.close();
  };
}
