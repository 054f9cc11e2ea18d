import type { GuideName } from "./protocol";

/** What of the Market and the modules a person wants to know more about. */
export type Subject =
  | { topic: "assistant"; assistant: string }
  | { topic: "good"; good: string }
  | { topic: "value" }
  | { topic: "tiles" }
  /** One of those that are left, or the events as such. */
  | { topic: "event"; event: string | null }
  | { topic: "assignment"; number: number }
  | { topic: "obstacle"; space: number };

/** The guided round in which one can try it. */
export const GUIDES = {
  assistant: "assistants",
  good: "market",
  value: "market",
  tiles: "market",
  event: "events",
  assignment: "assignments",
  obstacle: "obstacles",
} as const satisfies Record<Subject["topic"], GuideName>;

/** The rule that says more. */
export const RULES = {
  assistant: "11.3",
  good: "10.3",
  value: "10.4",
  tiles: "10.2",
  event: "11.4",
  assignment: "11.5",
  obstacle: "11.6",
} as const satisfies Record<Subject["topic"], string>;
