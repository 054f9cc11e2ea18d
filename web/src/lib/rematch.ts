import { api, Refusal } from "./api";
import { t } from "./i18n.svelte";
import type { TableState } from "./protocol";
import { router } from "./router.svelte";
import { enter, tokenOf } from "./seats";

/** Whether there is a rematch to go to, or one to be made. */
export function mayRematch(game: TableState): boolean {
  return game.daily === null && (game.you !== null || game.rematch !== null);
}

/** Go to the rematch: the players of the game find their seats kept, others only watch. What went wrong, else nothing. */
export async function toRematch(game: TableState): Promise<string> {
  try {
    if (game.you !== null) enter(await api.rematch(game.table, tokenOf(game.table)));
    else router.go(`/table/${game.rematch}`);
    return "";
  } catch (refusal) {
    return refusal instanceof Refusal ? refusal.message : t("error.network");
  }
}
