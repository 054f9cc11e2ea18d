/** The service worker of the page: kept files and messages. Browsers without one do as well. */

export function registerWorker(): void {
  if (!("serviceWorker" in navigator) || !import.meta.env.PROD) return;
  void navigator.serviceWorker.register("/sw.js", { updateViaCache: "none" }).catch(() => undefined);
}
