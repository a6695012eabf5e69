/**
 * The playground without a network: its files as they were when it was last opened with one. The build puts the names of
 * the files and a sum of their contents in.
 */
const FILES = ["./"];
const VERSION = "none";

/** Other playgrounds of the same origin have caches of their own. */
const PREFIX = `jetblack-playground ${registration.scope} `;

addEventListener("install", (event) => event.waitUntil(keep()));
addEventListener("activate", (event) => event.waitUntil(forgetOthers()));
addEventListener("fetch", (event) => {
  const { method, mode, url } = event.request;
  if (method !== "GET" || !url.startsWith(registration.scope)) return;
  event.respondWith(mode === "navigate" ? openPage(event.request) : getFile(event.request));
});

async function keep() {
  const cache = await caches.open(PREFIX + VERSION);
  await cache.addAll(FILES.map((file) => new Request(file, { cache: "reload" })));
  await skipWaiting();
}

async function forgetOthers() {
  const names = await caches.keys();
  const others = names.filter((name) => name.startsWith(PREFIX) && name !== PREFIX + VERSION);
  await Promise.all(others.map((name) => caches.delete(name)));
  await clients.claim();
}

/** The newest page that can be had; its files have other names than those of an older one. */
async function openPage(request) {
  try {
    return await fetch(request);
  } catch (error) {
    const kept = await caches.match("./", { cacheName: PREFIX + VERSION, ignoreVary: true });
    if (kept === undefined) throw error;
    return kept;
  }
}

/** Each file is the same for all who ask, whatever headers its server says that it depends on. */
async function getFile(request) {
  const kept = await caches.match(request, { cacheName: PREFIX + VERSION, ignoreVary: true });
  return kept ?? fetch(request);
}
