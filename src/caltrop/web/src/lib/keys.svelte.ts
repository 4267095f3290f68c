/** The letter keys of the table. Each has one effect, can be changed, and all can be turned off. */

export type LetterAct =
  | "follows"
  | "next"
  | "measure"
  | "sight"
  | "reach"
  | "names"
  | "left"
  | "right"
  | "shape"
  | "singly"
  | "orders"
  | "inspect"
  | "units"
  | "words"
  | "goal";

export interface Letter {
  act: LetterAct;
  usual: string;
  words: string;
}

export const LETTERS: readonly Letter[] = [
  { act: "next", usual: "n", words: "next unit that may act; with Shift the one before" },
  { act: "measure", usual: "m", words: "measure" },
  { act: "sight", usual: "l", words: "lines of sight of the selected unit" },
  { act: "left", usual: "q", words: "turn the formation left" },
  { act: "right", usual: "r", words: "turn the formation right" },
  { act: "shape", usual: "f", words: "the next formation" },
  { act: "follows", usual: "a", words: "the next act to follow; with Shift the one before" },
  { act: "singly", usual: "s", words: "models one by one" },
  { act: "reach", usual: "e", words: "hold: show the reach of the enemy" },
  { act: "names", usual: "w", words: "hold: show the names of all units" },
  { act: "orders", usual: "o", words: "go to the question; Tab leads to its answers" },
  { act: "inspect", usual: "i", words: "go to the panel of the selected unit" },
  { act: "units", usual: "u", words: "go to the list of units" },
  { act: "words", usual: "t", words: "the table in words" },
  { act: "goal", usual: "g", words: "how to win, and the score" },
];

const KEPT = "caltrop.letters";

interface Kept {
  on: boolean;
  /** Keys that differ from the usual letters. */
  own: Partial<Record<LetterAct, string>>;
}

function read(): Kept {
  try {
    const text = localStorage.getItem(KEPT);
    if (text === "off" || text === "on") return { on: text === "on", own: {} };
    const stored = JSON.parse(text ?? "{}") as Partial<Kept>;
    return { on: stored.on !== false, own: typeof stored.own === "object" && stored.own !== null ? stored.own : {} };
  } catch {
    return { on: true, own: {} };
  }
}

let letters = $state.raw<Kept>(read());

function keep(next: Kept): void {
  letters = next;
  try {
    localStorage.setItem(KEPT, JSON.stringify(next));
  } catch {
    // The change is kept only for this page.
  }
}

export function lettersOn(): boolean {
  return letters.on;
}

export function setLetters(on: boolean): void {
  keep({ ...letters, on });
}

export function letterOf(act: LetterAct): string {
  return letters.own[act] ?? LETTERS.find((one) => one.act === act)?.usual ?? "";
}

/** Return the act of a letter key in either case, or null. */
export function actOf(pressed: string): LetterAct | null {
  if (!letters.on || pressed.length !== 1) return null;
  return LETTERS.find((one) => letterOf(one.act) === pressed.toLowerCase())?.act ?? null;
}

/** Assign a letter to an act. Returns why that is impossible, or an empty text. */
export function setLetter(act: LetterAct, wanted: string): string {
  const letter = wanted.toLowerCase();
  if (!/^\p{L}$/u.test(letter)) return "Type one letter";
  const taken = LETTERS.find((one) => one.act !== act && letterOf(one.act) === letter);
  if (taken !== undefined) return `${letter} is taken: ${taken.words}`;
  const { [act]: _old, ...others } = letters.own;
  keep({
    ...letters,
    own: LETTERS.some((one) => one.act === act && one.usual === letter) ? others : { ...others, [act]: letter },
  });
  return "";
}

export function usualLetters(): void {
  keep({ ...letters, own: {} });
}

export function areUsual(): boolean {
  return Object.keys(letters.own).length === 0;
}
