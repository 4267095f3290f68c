/** An error in words. */
export function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Return a text with a capital first letter and a full stop; an empty text stays empty. */
export function sentence(words: string): string {
  const end = /[.?!]$/.test(words) ? "" : ".";
  return words === "" ? "" : `${words.charAt(0).toUpperCase()}${words.slice(1)}${end}`;
}
