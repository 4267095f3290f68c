/** Return a line up to its first colon, to be a link, and the text after the colon. */
export function headed(words: string): readonly [string, string] {
  const at = words.indexOf(": ");
  return at < 0 ? [words, ""] : [words.slice(0, at), words.slice(at)];
}
