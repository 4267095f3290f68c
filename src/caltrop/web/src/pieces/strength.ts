/** What somebody is told apart by at a glance: the number at the end of a name, or its first letter. */
export function initialOf(name: string): string {
  return /\d+$/.exec(name)?.[0] ?? name.slice(0, 1).toUpperCase();
}

/** How many are left and how many there were, where that is what a strength says: `3/4`. */
export function strengthOf(words: string): { left: number; of: number } | null {
  const found = /^(\d+)\/(\d+)$/.exec(words);
  const [left, of] = [Number(found?.[1]), Number(found?.[2])];
  return found === null || of < 2 || of > 20 ? null : { left: Math.min(left, of), of };
}
