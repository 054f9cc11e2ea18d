const BUTTONS = "button:not(:disabled), a[href], summary";

function usable(element: Element): boolean {
  return element.isConnected && !element.closest("[inert]") && !element.matches(":disabled");
}

/**
 * When the element with the focus goes, because its card was bought or its question answered, the focus goes to what is now in
 * its place within the same `data-near` group, so that the keyboard does not start again at the top of the page. An element that
 * only moves, because a card beside it went, loses the focus on the way, too, and gets it back.
 */
export function keepFocusNear(node: HTMLElement): { destroy(): void } {
  let last: { element: HTMLElement; group: HTMLElement; place: number } | null = null;
  let pressed = false; // the pointer, since the focus was last given to anything
  const inside = (group: HTMLElement) => [...group.querySelectorAll<HTMLElement>(BUTTONS)].filter(usable);

  const press = () => (pressed = true);

  function remember({ target }: FocusEvent): void {
    pressed = false;
    if (!(target instanceof HTMLElement) || target.closest("dialog") || target === last?.group) return;
    const group = node.contains(target) ? target.closest<HTMLElement>("[data-near]") : null;
    last = group && { element: target, group, place: inside(group).indexOf(target) };
  }
  /** Whoever clicks beside everything wants no focus. */
  function forget({ target, relatedTarget }: FocusEvent): void {
    if (relatedTarget || target !== last?.element) return;
    setTimeout(() => {
      if (last?.element !== target || !usable(last.element) || document.activeElement !== document.body) return;
      if (pressed) last = null;
      else last.element.focus({ preventScroll: true });
    });
  }
  const observer = new MutationObserver(() => {
    if (!last || !last.group.isConnected) return;
    const active = document.activeElement;
    if (usable(last.element)) {
      if (active === document.body && !pressed) last.element.focus({ preventScroll: true });
      return;
    }
    const lost = !active || active === document.body || active === last.element || active === last.group || !usable(active);
    if (!lost) return;
    const found = inside(last.group);
    const next = found[Math.min(Math.max(last.place, 0), found.length - 1)];
    if (!next) last.group.tabIndex = -1; // until there is something again
    (next ?? last.group).focus({ preventScroll: true });
  });
  observer.observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter: ["disabled", "inert"] });
  document.addEventListener("pointerdown", press, true);
  document.addEventListener("focusin", remember);
  document.addEventListener("focusout", forget);
  return {
    destroy() {
      observer.disconnect();
      document.removeEventListener("pointerdown", press, true);
      document.removeEventListener("focusin", remember);
      document.removeEventListener("focusout", forget);
    },
  };
}
