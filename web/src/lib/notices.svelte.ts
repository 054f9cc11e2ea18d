/** Messages while one is not there: what one wants to be told, and whether this browser takes them. */
import { api } from "./api";
import type { NoticeInfo, NoticeRequest } from "./protocol";
import { settings } from "./settings.svelte";

type Wishes = Pick<NoticeRequest, "kinds"> & { quiet: number[] | null; mail: boolean };

function bytes(key: string): Uint8Array<ArrayBuffer> {
  const text = atob(key.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(text, (sign) => sign.charCodeAt(0));
}

/** The worker, if there is one; a page that waits for one that never comes would wait for ever. */
async function pushing(): Promise<PushManager | null> {
  const found = await navigator.serviceWorker?.getRegistration();
  return found ? ((await navigator.serviceWorker.ready).pushManager ?? null) : null;
}

class Notices {
  info = $state.raw<NoticeInfo | null>(null);
  /** Whether this browser gets messages. */
  here = $state(false);
  /** The browser does not let us. */
  blocked = $state(false);
  possible = $state(false);

  async load(): Promise<void> {
    this.info = await api.notices().catch(() => null);
    const manager = await pushing().catch(() => null);
    this.possible = Boolean(this.info?.key && manager && "Notification" in window);
    this.here = Boolean(await manager?.getSubscription().catch(() => null));
  }

  /** After a click: browsers ask people, and refuse to ask otherwise. */
  async switchOn(): Promise<void> {
    this.blocked = (await Notification.requestPermission()) !== "granted";
    const key = this.info?.key;
    const manager = this.blocked ? null : await pushing();
    if (!manager || !key) return;
    try {
      const subscription = await manager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes(key) });
      const { endpoint, keys } = subscription.toJSON();
      await api.addDevice({ endpoint: endpoint ?? "", keys: { p256dh: keys?.["p256dh"] ?? "", auth: keys?.["auth"] ?? "" } });
      this.here = true;
      await this.change({});
    } catch {
      this.blocked = true;
    }
  }

  async switchOff(): Promise<void> {
    const subscription = await (await pushing())?.getSubscription();
    this.here = false;
    if (!subscription) return;
    await subscription.unsubscribe();
    await api.dropDevice(subscription.endpoint);
    await this.load();
  }

  /** Change what one wants to be told. */
  async change(wanted: Partial<Wishes>): Promise<void> {
    const { kinds, quiet, mail } = this.info ?? { kinds: [], quiet: null, mail: null };
    this.info = await api.changeNotices({
      kinds,
      quiet,
      mail: mail ?? false,
      ...wanted,
      language: settings.language,
      zone: Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC",
    });
  }

  /** The person speaks another language now. */
  async speak(): Promise<void> {
    await this.load();
    if (this.info && (this.info.devices || this.info.mail)) await this.change({});
  }

  /** No more messages at all; with the link of a mail also those of somebody who is not signed in. */
  async stop(token: string | null): Promise<void> {
    await api.stopNotices(token);
    await (await (await pushing())?.getSubscription())?.unsubscribe();
    this.here = false;
    await this.load();
  }
}

export const notices = new Notices();
