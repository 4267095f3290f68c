/* Shows what the server tells this browser while no page of it is open, and opens the game where that is pressed. */
self.addEventListener("push", (event) => {
  const told = event.data ? event.data.json() : {};
  event.waitUntil(
    (async () => {
      const pages = await self.clients.matchAll({ type: "window" });
      const at = new URL(told.path ?? "", self.registration.scope).href;
      // Nothing is said to somebody who looks at the game already.
      if (pages.some((page) => page.visibilityState === "visible" && page.url.split(/[?#]/)[0] === at)) return;
      await self.registration.showNotification(told.title ?? "Caltrop", {
        body: told.body ?? "",
        tag: told.tag ?? "caltrop",
        data: { at },
      });
    })(),
  );
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const at = event.notification.data.at;
  event.waitUntil(
    (async () => {
      const pages = await self.clients.matchAll({ type: "window" });
      const open = pages.find((page) => page.url.split(/[?#]/)[0] === at);
      await (open ? open.focus() : self.clients.openWindow(at));
    })(),
  );
});
