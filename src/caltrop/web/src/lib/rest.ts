/** Loads decorative parts of a page while the browser is idle, so that they do not delay a game. */

/** Milliseconds after the start of the page. */
const PAUSE = 700;
/** Longest wait in milliseconds. */
const LONGEST = 1500;

export const atRest = new Promise<void>((rested) => {
  setTimeout(() => {
    if (typeof requestIdleCallback === "function") requestIdleCallback(() => rested(), { timeout: LONGEST });
    else rested();
  }, PAUSE);
});
