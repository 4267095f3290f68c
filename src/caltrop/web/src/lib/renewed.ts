/** The page while the server is given a newer one: its parts that are fetched late are gone then. */

/** Return whether the server has another page now than the one that is open. */
async function isNewer(): Promise<boolean> {
  const script = document.querySelector('script[type="module"][src]')?.getAttribute("src");
  if (!script) return false;
  const answer = await fetch(location.href, { cache: "no-store" });
  return answer.ok && !(await answer.text()).includes(script);
}

/**
 * If a part of the page is missing and the server has a newer page, open that. Games are kept by the server, and so
 * nothing is lost. It happens once, because what is opened then is the newer page.
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
