/** Lengths and places in words, and the small geometry of drawing. */
import { alsoUnit } from "./settings.svelte";
import type { Group, Picture, Point, Reason, View } from "../wire/types";

/** Return a length in the game's unit, with at most two decimals and rounded up, as in the rules' sentences. */
export function lengthWords(length: number, picture: Pick<Picture, "scale" | "measure">): string {
  const hundredths = Math.ceil((length * 100) / picture.scale - 1e-9);
  const own = hundredths === 100 && picture.measure === "hexes" ? "1 hex" : `${hundredths / 100} ${picture.measure}`;
  const also = alsoUnit();
  // Lengths of measured tables are tenths of a millimetre.
  if (also === "" || also === picture.measure || !(picture.measure in TENTHS)) return own;
  return `${own} (${Math.round((length * 10) / TENTHS[also]) / 10} ${also})`;
}

/** Number of tenths of a millimetre in each unit of measured tables. */
const TENTHS = { cm: 100, in: 254 };

export function sumOf(parts: readonly Reason[]): number {
  return parts.reduce((sum, part) => sum + part.value, 0);
}

/** Return a sum in words, such as "4 − 1 = 3". A single part is written without a result. */
export function arithmetic(parts: readonly Reason[]): string {
  if (parts.length === 0) return "";
  const shown = parts.map((part, i) => (i === 0 ? signed(part.value, "") : signed(part.value, "+ "))).join(" ");
  return parts.length === 1 ? shown : `${shown} = ${signed(sumOf(parts), "")}`;
}

function signed(value: number, plus: string): string {
  return value < 0 ? (plus === "" ? `−${-value}` : `− ${-value}`) : `${plus}${value}`;
}

export function distance(a: Point, b: Point): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1]);
}

export function centre(points: readonly Point[]): Point {
  const n = Math.max(points.length, 1);
  return [points.reduce((s, p) => s + p[0], 0) / n, points.reduce((s, p) => s + p[1], 0) / n];
}

/** Return the place for the name of an outline: the middle of its box, which lies inside for the shapes in use. */
export function middle(outline: readonly Point[]): Point {
  const xs = outline.map((p) => p[0]);
  const ys = outline.map((p) => p[1]);
  return [(Math.min(...xs) + Math.max(...xs)) / 2, (Math.min(...ys) + Math.max(...ys)) / 2];
}

export function whole(point: Point): Point {
  return [Math.round(point[0]), Math.round(point[1])];
}

/** Return the unit next to *from* in the direction (dx, dy) on the screen, for arrow keys. */
export function neighbour(groups: readonly Group[], from: Point, dx: number, dy: number): Group | null {
  let best: Group | null = null;
  let least = Infinity;
  for (const group of groups) {
    if (group.pieces.length === 0) continue;
    const at = centre(group.pieces.map((piece) => piece.at));
    const along = (at[0] - from[0]) * dx + (at[1] - from[1]) * dy;
    const aside = Math.abs((at[0] - from[0]) * dy) + Math.abs((at[1] - from[1]) * dx);
    if (along <= 0 || along + 2 * aside >= least) continue;
    least = along + 2 * aside;
    best = group;
  }
  return best;
}

/** Return styles that give a class of the style sheet the seat's shape and colour. */
export function sideClass(side: number | null | undefined): string {
  return side === null || side === undefined ? "side-none" : `side-${side % 3}`;
}

/** Return words in lines of a maximal length. A word longer than the line is split. */
export function inLines(words: string, letters: number): string[] {
  const lines: string[] = [];
  for (const word of words.split(/\s+/)) {
    const parts = word.match(new RegExp(`.{1,${Math.max(1, letters)}}`, "gu")) ?? [];
    for (const [n, part] of parts.entries()) {
      const last = lines[lines.length - 1];
      if (n === 0 && last !== undefined && last.length + 1 + part.length <= letters)
        lines[lines.length - 1] = `${last} ${part}`;
      else lines.push(part);
    }
  }
  return lines.length > 0 ? lines : [""];
}

const PLURALS: Record<string, string> = { die: "dice", person: "people", series: "series" };

/** Return a number with its noun in agreement. Of several words, the last word changes. */
export function plural(count: number, noun: string): string {
  const [, before = "", last = ""] = /^(.*?)(\w+)$/.exec(noun) ?? [];
  const many =
    PLURALS[last] ??
    (/[^aeiou]y$/.test(last) ? `${last.slice(0, -1)}ies` : `${last}${/(s|x|z|ch|sh)$/.test(last) ? "es" : "s"}`);
  return `${count} ${Math.abs(count) === 1 ? noun : before + many}`;
}

/** Return whether a place lies in an outline. Used for descriptions, never for a rule. */
export function inside(p: Point, outline: readonly Point[]): boolean {
  let inside = false;
  let before = outline.at(-1);
  for (const corner of outline) {
    if (before !== undefined && corner[1] > p[1] !== before[1] > p[1]) {
      const x = before[0] + ((p[1] - before[1]) / (corner[1] - before[1])) * (corner[0] - before[0]);
      if (p[0] < x) inside = !inside;
    }
    before = corner;
  }
  return inside;
}

/** Return a price with the viewer's currency: `2 CP`. */
export function inCoin(cost: number, view: Pick<View, "picture" | "you"> | null): string {
  if (cost === 0) return "free";
  const seats = view?.picture.seats ?? [];
  const stat = (seats.find((seat) => seat.side === view?.you) ?? seats[0])?.points.find((one) => one.pays);
  return stat?.pays ? `${cost} ${stat.pays}` : String(cost);
}

/** Return the price to write beside the words of an answer: empty if the words contain it, as in `Stake 2 CP`. */
export function priceBeside(words: string, cost: number, view: Pick<View, "picture" | "you"> | null): string {
  const price = inCoin(cost, view);
  return ` ${words.replace(/[^\p{L}\p{N}]+/gu, " ")} `.includes(` ${price} `) ? "" : price;
}

/** Measures of tables in words, by their signs. */
export const MEASURES: Readonly<Record<string, string>> = { cm: "centimetres", in: "inches" };
