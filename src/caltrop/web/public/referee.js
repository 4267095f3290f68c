/** Keeps the referee's page and what it is made of, so that it opens without a network. */
const CACHE = "caltrop-referee-1";

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

/** The page itself, its assets and the list of games are kept; what programs ask for otherwise never is. */
function isKept(url) {
  const path = url.pathname;
  const isAsked = path.includes("/api/") || path.includes("/ws/");
  return url.origin === location.origin && (!isAsked || path.endsWith("/api/catalogue"));
}

/** The rules, which the page itself keeps: their addresses change with their contents. */
function isOfRules(url) {
  return /\/referee\/(python|rules)-/.test(url.pathname);
}

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== "GET" || !isKept(url)) return;
  event.respondWith(isOfRules(url) ? fromStoreFirst(event.request) : fromNetworkFirst(event.request));
});

async function fromStoreFirst(request) {
  return (await caches.match(request, { ignoreVary: true })) ?? fetch(request);
}

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
