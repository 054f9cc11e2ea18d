/** In the place of the service worker where the server wants none: takes the old one away, with all that it kept. */
/// <reference path="./scope.d.ts" />
const scope = self as unknown as WorkerScope;

async function leave(): Promise<void> {
  await Promise.all((await caches.keys()).map((name) => caches.delete(name)));
  await scope.registration.unregister();
}

scope.addEventListener("install", () => void scope.skipWaiting());
scope.addEventListener("activate", (event) => event.waitUntil(leave()));

export {};
