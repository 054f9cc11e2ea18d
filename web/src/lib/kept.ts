import { t } from "./i18n.svelte";

/** What a free seat says: for whom it is kept, if that is known, or that it is for everybody. */
export function freeSeat(reserved: string | null | undefined): string {
  if (reserved === null || reserved === undefined) return t("seat.free");
  return reserved ? t("waiting.kept", { name: reserved }) : t("waiting.kept.somebody");
}
