/** When a page has nothing better to do: what is only to be looked at does not hold up who wants to play at once. */

/** Milliseconds after the page was begun. */
const PAUSE = 700;
/** Longest wait in milliseconds. */
const LONGEST = 1500;

export const atRest = new Promise<void>((rested) => {
  setTimeout(() => {
    if (typeof requestIdleCallback === "function") requestIdleCallback(() => rested(), { timeout: LONGEST });
    else rested();
  }, PAUSE);
});
