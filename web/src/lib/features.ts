/** What whoever runs the server may switch off. */
export type Feature = "daily" | "matching" | "people" | "puzzles" | "ratings" | "tournaments";

const off = (document.documentElement.dataset.off ?? "").split(" ");

/** Whether the server has it: its page says what it has not. */
export function has(feature: Feature): boolean {
  return !off.includes(feature);
}
