/** Estimates the width of words on the table. They are placed before they are drawn, so nothing can be measured. */

/** Widths of letters at the size of signs, in pixels. Other letters are as wide as small letters. */
const WIDTHS: readonly (readonly [RegExp, number])[] = [
  [/ /, 2.2],
  [/[ijlI.,:;·'’|!]/, 3.1],
  [/[frt/()°-]/, 4],
  [/[mwMW%→…]/, 9.2],
  [/[\p{Lu}]/u, 6.6],
];
const USUAL = 6;

/** Return the width of words at the size of signs. */
export function writtenWide(words: string): number {
  let sum = 0;
  for (const letter of words) sum += WIDTHS.find(([these]) => these.test(letter))?.[1] ?? USUAL;
  return sum;
}
