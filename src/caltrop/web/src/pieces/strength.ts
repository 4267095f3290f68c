/** Return the short mark of a model: its first letter, with the number at the end of its name if it has one. */
export function initialOf(name: string): string {
  return name.slice(0, 1).toUpperCase() + (/\d+$/.exec(name)?.[0] ?? "");
}

/** Return the numbers of a strength such as `3/4`: how many models or points are left, and how many there were. */
export function strengthOf(words: string): { left: number; of: number } | null {
  const match = /^(\d+)\/(\d+)$/.exec(words);
  const [left, of] = [Number(match?.[1]), Number(match?.[2])];
  return match === null || of < 2 || of > 20 ? null : { left: Math.min(left, of), of };
}
