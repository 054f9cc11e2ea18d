/** Time left for a decision, as people read it. */
export const SOON = 20;

export function clockText(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds));
  const two = (n: number) => String(n).padStart(2, "0");
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60)];
  if (hours) return `${hours}:${two(minutes)} h`;
  return `${minutes}:${two(whole % 60)}`;
}
