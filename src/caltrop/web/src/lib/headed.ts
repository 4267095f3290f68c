/** A line up to its first colon, which a link takes, and what follows. */
export function headed(words: string): readonly [string, string] {
  const at = words.indexOf(": ");
  return at < 0 ? [words, ""] : [words.slice(0, at), words.slice(at)];
}
