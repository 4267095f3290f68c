/** What acts leave behind when all of them are over: it is drawn where a moment is looked at, and where nothing moves. */
import type { Picture, Point, Reading } from "../wire/types";
import type { Act } from "./acts";
import { DIE, dieOf, freeGround, overlap, rowsOf, type Box, type Rows } from "./dice";
import { boxOf, fromOf, groupOf, leaders, lineOf, pointBox, toOf, unitOf, type Lie } from "./where";

export function tagOf(words: string, act: Act): string {
  const bad = act.motion?.sort === "loss" || /^[−-]/.test(words);
  const safe = words.replace(/[<>&]/g, "");
  return `<text class="m-tag${bad ? " m-bad" : ""}" y="-14">${safe}</text>`;
}

/** What stands at the unit for a moment: how many are lost, and what else is told. */
export function wordsOf(act: Act): string {
  const { motion } = act;
  if (motion === null) return "";
  const lost = motion.count ?? 0;
  const counted = ["loss", "shot", "blow"].includes(motion.sort) && lost > 0 ? `−${lost}` : "";
  return [counted, motion.tag ?? ""].filter(Boolean).join("  ");
}

/** How high it is what is said under dice, and how wide about a letter of it, in pixels. */
const SAID = 22;
const LETTER = 7.6;

/** Where the dice of an act lie beside their target, in pixels: on ground where nobody stands, and that is not *taken*. */
export function placeOf(act: Act, lie: Lie, taken: readonly Box[] = []) {
  const reading = act.line?.reading ?? null;
  if (reading === null || reading.dice.length + reading.answer.length === 0) return null;
  const about = reading.target ?? reading.unit ?? act.motion?.unit ?? null;
  const place = toOf(act);
  const around = boxOf(groupOf(act.before, about), lie) ?? (place === null ? null : pointBox(place, lie));
  if (around === null) return null;
  const rows = rowsOf(reading);
  const stand = act.before.groups.flatMap((group) => group.pieces.map((piece) => boxOf({ ...group, pieces: [piece] }, lie)).filter((box) => box !== null));
  const shooter = boxOf(groupOf(act.before, act.motion?.unit), lie);
  const wide = Math.max(rows.wide, LETTER * cameIn(reading).length);
  const [x, y] = freeGround(around, wide, rows.high + SAID, [...stand, ...taken, ...(shooter === null ? [] : [shooter])], lie.seen);
  return { reading, rows, wide, x, y: y - SAID / 2 };
}

const sums = (terms: readonly { value: number }[]): number => terms.reduce((sum, one) => sum + one.value, 0);

export function clothOf({ wide, high }: Rows): string {
  return `<rect class="m-cloth" x="${-wide / 2 - 3}" y="${-high / 2 - 3}" width="${wide + 6}" height="${high + 6}" rx="8"/>`;
}

/** Whether a die of an answer cancels nothing. */
export function isIdle(reading: Reading, i: number): boolean {
  return !reading.added && !reading.dice.some((die) => die.by.includes(i));
}

export const GOLD = `<rect class="m-gold" x="${-DIE / 2 - 1}" y="${-DIE / 2 - 1}" width="${DIE + 2}" height="${DIE + 2}" rx="6"/>`;

/** What is counted beside a die to which something is added. */
export function sumOf(face: number, terms: readonly { value: number }[]): string {
  const more = sums(terms);
  const sum = more === 0 ? String(face) : `${more > 0 ? "+" : "−"}${Math.abs(more)} = ${face + more}`;
  return `<text class="m-sum" x="${DIE / 2 + 5}" y="5">${sum}</text>`;
}

function cameIn({ came }: Reading): string {
  return came.length > 42 ? `${came.slice(0, 40)}…` : came;
}

/** What came of a throw, to be written under it. */
export function cameOf(reading: Reading, rows: Rows): string {
  return `<text class="m-came" y="${rows.high / 2 + 13}">${cameIn(reading).replace(/[<>&]/g, "")}</text>`;
}

/** Dice as they lie when all of them have fallen, their middle at the origin: what counts in gold, what does not pale. */
function fallenDice(picture: Picture, reading: Reading, rows: Rows): string {
  const at = ([x, y]: Point, markup: string, pale = 1): string => `<g transform="translate(${x} ${y})"${pale < 1 ? ` opacity="${pale}"` : ""}>${markup}</g>`;
  const parts = [clothOf(rows)];
  reading.dice.forEach((die, i) => {
    const place = rows.attack[i]!;
    const idle = die.result === "";
    const stopped = die.by.length > 0 || die.ignored;
    parts.push(at(place, dieOf(picture, reading.side, die.face, reading.sides, idle, i), stopped ? 0.3 : idle && !reading.added ? 0.45 : 1));
    if (!idle && !stopped) parts.push(at(place, GOLD));
  });
  reading.answer.forEach((face, i) => parts.push(at(rows.answer[i]!, dieOf(picture, reading.answer_side, face, reading.sides, isIdle(reading, i), i + 3))));
  reading.dice.forEach((die, i) => {
    const from = rows.attack[i]!;
    for (const by of die.by) {
      const to = rows.answer[by] ?? from;
      parts.push(at(from, `<path class="m-cancel" d="M0 0L${to[0] - from[0]} ${to[1] - from[1]}"/>`, 0.5));
    }
  });
  if (reading.added) {
    const [die, answer] = [reading.dice[0], reading.answer[0]];
    if (die !== undefined) parts.push(at(rows.attack[0]!, sumOf(die.face, reading.terms)));
    if (answer !== undefined) parts.push(at(rows.answer[0]!, sumOf(answer, reading.answer_terms)));
  }
  return parts.join("") + cameOf(reading, rows);
}

/** Something that is seen of what has happened, when all of it is over: at a place, in pixels, or on the plane. */
export interface Left {
  at: Point | null;
  markup: string;
  layer: "under" | "over";
  /** What it covers, in pixels of the table, where words keep clear of it. */
  box?: Box;
}

/** So many throws lie on the table at once. */
const THROWS = 3;

/**
 * What acts have left behind: the ways that were gone as dots, lines of fire, the dice as they lie beside their targets, and what
 * was lost or marked as a word or two.
 */
export function leftBy(acts: readonly Act[], lie: Lie): Left[] {
  const found: Left[] = [];
  for (const act of acts) {
    for (const one of leaders(act)) found.push({ at: null, layer: "under", markup: `<path class="m-way-casing" d="${lineOf(one.path, lie)}"/><path class="m-way" d="${lineOf(one.path, lie)}"/>` });
    const { motion } = act;
    // Who strikes stands there already.
    if (motion === null || !["shot", "aim", "reaction"].includes(motion.sort)) continue;
    const [from, to] = [fromOf(act), toOf(act)];
    if (from !== null && to !== null) found.push({ at: null, layer: "over", markup: `<path class="m-tracer-casing" d="${lineOf([from, to], lie)}"/><path class="m-tracer-line" d="${lineOf([from, to], lie)}"/>` });
  }
  const throws = acts.filter((act) => act.line?.reading).slice(-THROWS);
  const said = new Map<string, { at: Point; act: Act; words: string[] }>();
  for (const act of acts) {
    const words = wordsOf(act);
    const about = act.motion?.sort === "loss" ? act.motion.unit : (act.motion?.target ?? unitOf(act.motion));
    const at = act.gone[0]?.piece.at ?? toOf(act);
    // What is written under the dice of a unit is not written at it, too.
    const twice = throws.some(({ line }) => (line?.reading?.target ?? line?.reading?.unit) === about && line?.reading?.came.toLowerCase() === words.toLowerCase());
    if (words === "" || at === null || twice) continue;
    const known = said.get(String(about ?? at));
    if (known === undefined) said.set(String(about ?? at), { at, act, words: [words] });
    else if (!known.words.includes(words)) said.set(String(about ?? at), { ...known, at, act, words: [...known.words, words] });
  }
  const taken: Box[] = [];
  const tags = [...said.values()].map(({ at, act, words }) => {
    const text = words.join("  ");
    const [left, top, right, bottom] = pointBox(at, lie);
    const [x, y, half] = [(left + right) / 2, (top + bottom) / 2, text.length * 4.6];
    const box = (down: number): Box => [x - half, y - 30 + down, x + half, y - 8 + down];
    // Above who it is about, or below, where another is written there.
    const down = [0, 46, -22, 68].find((one) => !taken.some((other) => overlap(box(one), other) > 0)) ?? 0;
    taken.push(box(down));
    return { at, layer: "over" as const, box: box(down), markup: `<g transform="translate(0 ${down})">${tagOf(text, act)}</g>` };
  });
  for (const act of throws) {
    const place = placeOf(act, lie, taken);
    if (place === null) continue;
    const { reading, rows, wide, x, y } = place;
    const box: Box = [x - wide / 2 - 4, y - rows.high / 2 - 4, x + wide / 2 + 4, y + rows.high / 2 + SAID];
    taken.push(box);
    found.push({ at: lie.put([x / lie.k, y / lie.k]), layer: "over", box, markup: fallenDice(act.before, reading, rows) });
  }
  return [...found, ...tags];
}
