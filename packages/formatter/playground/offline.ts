/**
 * Keeps the page for when there is no network: a service worker holds its files. Nothing happens where browsers have none,
 * as on pages without https, and while the playground is developed, when there is no such file.
 *
 * @param done called once the page needs no network any more
 */
export function keepOffline(done: () => void): void {
  if (!("serviceWorker" in navigator)) return;
  navigator.serviceWorker.register("./service-worker.js").catch(() => undefined);
  void navigator.serviceWorker.ready.then(done);
}
