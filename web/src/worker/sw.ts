/**
 * The service worker: keeps the frame of the app, so that it opens without a network and says so, and shows messages.
 *
 * It never answers for the server. Pages come from the network whenever there is one, and from the API nothing is kept.
 */
/// <reference path="./scope.d.ts" />
import { kept, wanted } from "./messages";

const scope = self as unknown as WorkerScope;
/** Filled in when the app is built: which build it is, and the files of its frame. */
const BUILD = "__NEVSKY_BUILD__";
const FRAME = "__NEVSKY_FRAME__".split(" ");
const CACHE = `nevsky-${BUILD}`;
const PAGE = "/";

async function keepFrame(): Promise<void> {
  const cache = await caches.open(CACHE);
  await cache.addAll(FRAME);
  // without cookies: the page as everybody sees it
  const page = await fetch(PAGE, { cache: "reload", credentials: "omit" });
  if (!page.ok) throw new Error("The page cannot be kept");
  await cache.put(PAGE, await kept(page));
}

async function dropOthers(): Promise<void> {
  const names = (await caches.keys()).filter((name) => name.startsWith("nevsky-") && name !== CACHE);
  await Promise.all(names.map((name) => caches.delete(name)));
  await scope.clients.claim();
}

async function page(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch (failure) {
    const frame = await caches.match(PAGE, { cacheName: CACHE });
    if (!frame) throw failure;
    return frame;
  }
}

/** Their names change with their contents, so whatever is kept is right. */
async function file(request: Request): Promise<Response> {
  const cache = await caches.open(CACHE);
  const found = await cache.match(request);
  if (found) return found;
  const answer = await fetch(request);
  if (answer.status === 200) await cache.put(request, answer.clone());
  return answer;
}

scope.addEventListener("install", (event) => {
  void scope.skipWaiting(); // nothing that is kept can contradict a page: see above
  event.waitUntil(keepFrame());
});
scope.addEventListener("activate", (event) => event.waitUntil(dropOthers()));
scope.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== scope.location.origin || pathname.startsWith("/api/")) return;
  if (request.mode === "navigate") event.respondWith(page(request));
  else if (pathname.startsWith("/assets/")) event.respondWith(file(request));
});

scope.addEventListener("push", (event) => {
  const message = wanted(event.data);
  event.waitUntil(
    scope.registration.showNotification(message.title, {
      body: message.body,
      tag: message.tag,
      icon: "/icon-192.png",
      badge: "/icon-192.png",
      lang: message.language,
      data: message.url,
      actions: message.stop ? [{ action: "stop", title: message.stop }] : [],
    } as NotificationOptions),
  );
});

async function go(url: string): Promise<void> {
  const windows = await scope.clients.matchAll({ type: "window", includeUncontrolled: true });
  const there = windows.find((each) => new URL(each.url).pathname === url) ?? windows[0];
  if (!there) {
    await scope.clients.openWindow(url);
    return;
  }
  await there.focus();
  if (new URL(there.url).pathname !== url) await there.navigate(url);
}

function tell(method: string, body: unknown): Promise<Response> {
  const headers = { "Content-Type": "application/json" };
  return fetch("/api/notices/devices", { method, headers, body: JSON.stringify(body), credentials: "same-origin" });
}

/** No more messages on this device: one click, without opening anything. */
async function stop(): Promise<void> {
  const subscription = await scope.registration.pushManager.getSubscription();
  if (!subscription) return;
  const { endpoint } = subscription;
  await subscription.unsubscribe();
  await tell("DELETE", { endpoint });
}

scope.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(event.action === "stop" ? stop() : go(String(event.notification.data ?? "/games")));
});

/** The browser has another address for us. */
async function renew(old: PushSubscription | null, found: PushSubscription | null): Promise<void> {
  const options = old?.options;
  const next = found ?? (options ? await scope.registration.pushManager.subscribe(options as PushSubscriptionOptionsInit) : null);
  if (old) await tell("DELETE", { endpoint: old.endpoint });
  if (next) await tell("POST", next.toJSON());
}

scope.addEventListener("pushsubscriptionchange", (event) => {
  event.waitUntil(renew(event.oldSubscription, event.newSubscription));
});
