/** Keys of the table. Which button a key presses is said by the button itself, with `aria-keyshortcuts`. */

/** The key of the n-th card of the display, from 0: 1 to 9, then 0. */
export function cardKey(place: number): string | undefined {
  return place < 10 ? String((place + 1) % 10) : undefined;
}

/** Whether a key is meant for us, and not for a field, a dialog or the browser. */
export function isForTable(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return false;
  const at = event.target instanceof Element ? event.target : null;
  return !at?.closest("input, select, textarea, [contenteditable], dialog") && !document.querySelector("dialog[open]");
}

/** The button of a key, if it can be pressed now. */
export function buttonOf(key: string): HTMLElement | null {
  if (!/^[a-z0-9]$/i.test(key)) return null;
  return document.querySelector<HTMLElement>(`main [aria-keyshortcuts="${key.toUpperCase()}"]:enabled`);
}
