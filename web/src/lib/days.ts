import type { Language } from "./protocol";

/** The date in so many days, as a field for dates has it, in the zone of the visitor. */
export function day(ahead: number, today = new Date()): string {
  const date = new Date(today.getFullYear(), today.getMonth(), today.getDate() + ahead);
  const [month, number] = [date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, "0"));
  return `${date.getFullYear()}-${month}-${number}`;
}

/** When such a day is over, for the server. */
export function lastMoment(date: string): string {
  return new Date(`${date}T23:59:59`).toISOString();
}

/** The day of a moment in words. */
export function dateOf(moment: string, language: Language): string {
  return new Intl.DateTimeFormat(language, { day: "numeric", month: "long" }).format(new Date(moment));
}
