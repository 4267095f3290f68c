/** Keeps the referee's page and what it is made of, so that it opens without a network. */
const CACHE = "caltrop-referee-1";
const scope = new URL(self.registration.scope);

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

function mayKeep(url) {
  return isKept(url) && !isOfRules(url);
}

/** What the page had loaded before this worker was there is fetched once more, and kept. */
self.addEventListener("message", (event) => {
  if (!Array.isArray(event.data?.keep)) return;
  const urls = event.data.keep.filter((one) => typeof one === "string" && mayKeep(new URL(one, scope))).slice(0, 200);
  event.waitUntil(caches.open(CACHE).then((cache) => Promise.allSettled(urls.map((one) => cache.add(one)))));
});
