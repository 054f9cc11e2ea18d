import { tick } from "svelte";
import type { Board } from "./board.svelte";

/** Bring a tab of the side panel to people, wherever they have scrolled to. */
export async function openTab(board: Board, name: Board["tab"]): Promise<void> {
  board.tab = name;
  await tick();
  const tab = document.getElementById(`tab-${name}`);
  tab?.closest("section")?.scrollIntoView({ block: "center" });
  tab?.focus({ preventScroll: true });
}
