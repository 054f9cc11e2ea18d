/** Time as people read it, and what a table says about it. */
import { many, t } from "./i18n.svelte";
import type { PaceInfo } from "./protocol";

export const SOON = 20;

export function clockText(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds));
  const two = (n: number) => String(n).padStart(2, "0");
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60)];
  if (hours) return `${hours}:${two(minutes)} h`;
  return `${minutes}:${two(whole % 60)}`;
}

/** What is left of the free part and of the reserve so many seconds later; the free part goes first. */
export function timeLeft(free: number, reserve: number, later: number): { free: number; reserve: number } {
  return { free: Math.max(0, free - later), reserve: Math.max(0, reserve - Math.max(0, later - free)) };
}

const UNITS = [
  ["days", 86400],
  ["hours", 3600],
  ["minutes", 60],
  ["seconds", 1],
] as const;

/** The largest units that fit, such as "2 days" or "1 minute 30 seconds". */
export function duration(seconds: number): string {
  let left = Math.round(seconds);
  const parts: string[] = [];
  for (const [unit, size] of UNITS) {
    const n = Math.floor(left / size);
    if (n) parts.push(many(`time.${unit}`, n));
    left -= n * size;
  }
  return parts.slice(0, 2).join(" ") || many("time.seconds", 0);
}

/** How a table is timed, in parts: kind, time for each decision, reserve. */
export function paceParts(pace: PaceInfo): string[] {
  return [
    t(`pace.${pace.pace}`),
    t("pace.each", { time: duration(pace.decision_seconds) }),
    pace.reserve_seconds ? t("pace.reserve", { time: duration(pace.reserve_seconds) }) : "",
  ].filter(Boolean);
}
