/** Keeps the referee's page and what it is made of, so that it opens without a network. */
const CACHE = "caltrop-referee-1";
const scope = new URL(self.registration.scope);

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

/** The page itself and its assets are kept; what programs ask for never is. */
function isKept(url) {
  const path = url.pathname;
  return url.origin === location.origin && !path.includes("/api/") && !path.includes("/ws/");
}

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== "GET" || !isKept(url)) return;
  event.respondWith(fromNetworkFirst(event.request));
});

async function fromNetworkFirst(request) {
  const cache = await caches.open(CACHE);
  try {
    const answer = await fetch(request);
    if (answer.ok) await cache.put(request, answer.clone());
    return answer;
  } catch (error) {
    const kept = await cache.match(request, { ignoreSearch: request.mode === "navigate" });
    if (kept) return kept;
    throw error;
  }
}

/** What the page had loaded before this worker was there is fetched once more, and kept. */
self.addEventListener("message", (event) => {
  if (!Array.isArray(event.data?.keep)) return;
  const urls = event.data.keep.filter((one) => typeof one === "string" && isKept(new URL(one, scope))).slice(0, 200);
  event.waitUntil(caches.open(CACHE).then((cache) => Promise.allSettled(urls.map((one) => cache.add(one)))));
});
