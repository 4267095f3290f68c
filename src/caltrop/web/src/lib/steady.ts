/** Prevents values that are recomputed often, and mostly equal, from counting as changes. */

/**
 * Return a function that gives back the previous value as long as the new value is equal as text. Dependents then see
 * no change.
 */
export function steady<T>(): (next: T) => T {
  let text: string | undefined;
  let value: T;
  return (next) => {
    const now = JSON.stringify(next);
    if (now !== text) [text, value] = [now, next];
    return value;
  };
}
