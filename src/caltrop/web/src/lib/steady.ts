/** Keeps values that are made anew all the time, and mostly alike, from being heard as changes. */

/** Gives back the value before as long as the new one reads the same: what hangs on it hears nothing then. */
export function steady<T>(): (next: T) => T {
  let text: string | undefined;
  let kept: T;
  return (next) => {
    const now = JSON.stringify(next);
    if (now !== text) [text, kept] = [now, next];
    return kept;
  };
}
