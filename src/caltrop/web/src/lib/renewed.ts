/** Reloads an open page if the server was updated, because its late parts no longer exist then. */

/** Return whether the server has another page now than the open one. */
async function isNewer(): Promise<boolean> {
  const script = document.querySelector('script[type="module"][src]')?.getAttribute("src");
  if (!script) return false;
  const answer = await fetch(location.href, { cache: "no-store" });
  return answer.ok && !(await answer.text()).includes(script);
}

/**
 * Reload the page if a part of it is missing and the server has a newer version. Games are stored on the server, so
 * nothing is lost. The page is reloaded once, because the reloaded page is the newer one.
 */
export function followNewerPages(): void {
  addEventListener("vite:preloadError", () => {
    isNewer().then(
      (newer) => {
        if (newer) location.reload();
      },
      () => undefined,
    );
  });
}
