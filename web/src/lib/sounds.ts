/** A small set of sounds, made on the spot: no files. Loaded when somebody wants to hear something. */

export type Sound = "turn" | "buy" | "pass" | "points" | "end" | "chat" | "tick";

interface Note {
  /** Seconds after the beginning. */
  at: number;
  pitch: number;
  seconds: number;
  /** From 0 to 1. */
  loud: number;
  shape: OscillatorType;
  /** The pitch it glides to. */
  to?: number;
}

const bell = (at: number, pitch: number, loud = 0.5, seconds = 0.55): Note[] => [
  { at, pitch, seconds, loud, shape: "triangle" },
  // a bell's overtone, which dies away sooner
  { at, pitch: pitch * 2.76, seconds: seconds * 0.4, loud: loud * 0.18, shape: "sine" },
];
const coin = (at: number): Note[] => [
  { at, pitch: 1976, seconds: 0.09, loud: 0.22, shape: "square" },
  { at: at + 0.06, pitch: 2637, seconds: 0.22, loud: 0.18, shape: "square" },
];

export const SOUNDS: Record<Sound, readonly Note[]> = {
  turn: [...bell(0, 587), ...bell(0.16, 880)],
  buy: [
    { at: 0, pitch: 240, seconds: 0.1, loud: 0.6, shape: "sine", to: 110 },
    { at: 0.07, pitch: 1568, seconds: 0.12, loud: 0.16, shape: "triangle" },
  ],
  pass: [{ at: 0, pitch: 330, seconds: 0.16, loud: 0.35, shape: "sine", to: 220 }],
  points: [...coin(0), ...coin(0.13), ...coin(0.24)],
  end: [...bell(0, 392, 0.5, 0.7), ...bell(0.2, 494, 0.5, 0.7), ...bell(0.4, 587, 0.5, 0.8), ...bell(0.6, 784, 0.6, 1.4)],
  chat: [
    { at: 0, pitch: 700, seconds: 0.08, loud: 0.35, shape: "sine", to: 1000 },
    { at: 0.1, pitch: 900, seconds: 0.1, loud: 0.35, shape: "sine", to: 1250 },
  ],
  tick: [{ at: 0, pitch: 1200, seconds: 0.045, loud: 0.4, shape: "triangle", to: 700 }],
};

/** The loudest that a note gets at full volume. */
const CEILING = 0.35;
const SILENCE = 0.0001;
let context: AudioContext | null = null;

/** Browsers let a page make sounds only after a click; this is called at every one until it works. */
export function allow(): AudioContext | null {
  try {
    context ??= new AudioContext();
    if (context.state === "suspended") void context.resume().catch(() => undefined);
  } catch {
    // no sound device
  }
  return context;
}

/** How strong a note is at a volume from 0 to 100: ears hear ratios, so halfway is far less than half. */
export function strength(loud: number, volume: number): number {
  return Math.max(SILENCE, CEILING * loud * (volume / 100) ** 2);
}

export function make(sound: Sound, volume: number): void {
  const here = allow();
  if (!here || volume <= 0) return;
  for (const { at, pitch, seconds, loud, shape, to } of SOUNDS[sound]) {
    const tone = here.createOscillator();
    const gain = here.createGain();
    const start = here.currentTime + at;
    tone.type = shape;
    tone.frequency.setValueAtTime(pitch, start);
    if (to) tone.frequency.exponentialRampToValueAtTime(to, start + seconds);
    gain.gain.setValueAtTime(SILENCE, start);
    gain.gain.exponentialRampToValueAtTime(strength(loud, volume), start + Math.min(0.02, seconds / 4));
    gain.gain.exponentialRampToValueAtTime(SILENCE, start + seconds);
    tone.connect(gain).connect(here.destination);
    tone.start(start);
    tone.stop(start + seconds + 0.05);
  }
}
