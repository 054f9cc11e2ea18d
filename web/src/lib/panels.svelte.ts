import type { Component } from "svelte";
import { withTexts } from "./i18n.svelte";

type Panel = Component<{ onclose: () => void }>;

/** Panels that can be opened from everywhere; each is loaded when somebody wants to see it. */
class Panels {
  open = $state.raw<Panel | null>(null);

  async settings(): Promise<void> {
    this.open = (await withTexts(import("../components/SettingsDialog.svelte"))).default;
  }

  close(): void {
    this.open = null;
  }
}

export const panels = new Panels();
