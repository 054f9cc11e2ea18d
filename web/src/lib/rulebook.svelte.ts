import type { Component } from "svelte";
import { api } from "./api";
import { withTexts } from "./i18n.svelte";
import type { Language, RuleBook } from "./protocol";
import { router } from "./router.svelte";
import { ruleAddress } from "./rulelinks";

type RuleDialog = Component<{ number: string; onclose: () => void }>;

/** The rules where they are needed: a click on the number of one opens it over whatever is shown. */
class Rulebook {
  open = $state.raw<{ number: string; dialog: RuleDialog } | null>(null);
  private books = new Map<Language, Promise<RuleBook>>();

  load(language: Language): Promise<RuleBook> {
    const kept = this.books.get(language);
    if (kept) return kept;
    const book = api.rules(language);
    this.books.set(language, book);
    book.catch(() => this.books.delete(language));
    return book;
  }

  /** For one handler on the whole page. On the page of the rules their numbers are ordinary links. */
  click(event: MouseEvent): void {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = (event.target as Element | null)?.closest?.<HTMLElement>("a[data-rule]");
    const number = link?.dataset["rule"];
    if (!link || !number || (router.route.page === "rules" && !link.closest("dialog"))) return;
    event.preventDefault();
    void this.show(number);
  }

  private async show(number: string): Promise<void> {
    try {
      const { default: dialog } = await withTexts(import("../components/RuleDialog.svelte"));
      this.open = { number, dialog };
    } catch {
      router.go(ruleAddress(number));
    }
  }

  close(): void {
    this.open = null;
  }
}

export const rulebook = new Rulebook();
