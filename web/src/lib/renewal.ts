import { layers } from "./layers";
import { PROTOCOL_VERSION } from "./protocol";

const DONE = "nevsky.outdated";

/**
 * The server is too new for this page: load the page anew as soon as no dialog is open. Only once: where the new page is the
 * same as the old one, because somebody in between has kept it, it would go round in a circle.
 */
export function renew(): void {
  if (sessionStorage.getItem(DONE) === String(PROTOCOL_VERSION)) return;
  sessionStorage.setItem(DONE, String(PROTOCOL_VERSION));
  layers.whenNone(() => location.reload());
}
