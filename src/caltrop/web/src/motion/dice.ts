/** Dice beside their target, as markup. Dice are drawn on the table itself, with sizes in pixels. */
import { sideClass } from "../lib/measure";
import { leanOf } from "../panels/fall";
import { symbol } from "../table/symbols";
import type { Picture, Point, Reading } from "../wire/types";

/** Width of a die and distance between two dice, in pixels. */
export const DIE = 24;
export const PITCH = 29;

const PIPS: Record<number, [number, number][]> = {
  1: [[0, 0]],
  2: [
    [-1, -1],
    [1, 1],
  ],
  3: [
    [-1, -1],
    [0, 0],
    [1, 1],
  ],
  4: [
    [-1, -1],
    [1, -1],
    [-1, 1],
    [1, 1],
  ],
  5: [
    [-1, -1],
    [1, -1],
    [0, 0],
    [-1, 1],
    [1, 1],
  ],
  6: [
    [-1, -1],
    [1, -1],
    [-1, 0],
    [1, 0],
    [-1, 1],
    [1, 1],
  ],
};

function pip(x: number, y: number, shape: string): string {
  if (shape === "diamond") return `<path d="M${x * 4.8} ${y * 4.8 - 2.4}l2.4 2.4l-2.4 2.4l-2.4 -2.4Z"/>`;
  if (shape === "square") return `<path d="M${x * 4.8 - 1.7} ${y * 4.8 - 1.7}h3.4v3.4h-3.4Z"/>`;
  return `<circle cx="${x * 4.8}" cy="${y * 4.8}" r="2"/>`;
}

/** Return a die that shows a face, with its middle at the origin. */
export function dieOf(
  picture: Picture,
  side: number | null,
  face: number,
  sides: number,
  ivory: boolean,
  place: number,
): string {
  const seat = picture.seats.find((one) => one.side === side);
  const name = picture.faces.length === sides ? picture.faces[face - 1] : undefined;
  const look = name === undefined ? null : symbol(name);
  const pale = ivory || look !== null;
  const shown =
    look !== null
      ? `<g class="m-symbol" transform="scale(0.68)"><path class="m-body" d="${look.path}"/>` +
        `${look.line ? `<path class="m-line" d="${look.line}" stroke-width="${look.width ?? 2}"/>` : ""}` +
        `${look.cut ? `<path class="m-cut" d="${look.cut}"/>` : ""}</g>`
      : sides === 6 && PIPS[face]
        ? PIPS[face].map(([x, y]) => pip(x, y, seat?.shape ?? "circle")).join("")
        : `<text y="4">${name?.slice(0, 2) ?? face}</text>`;
  const body =
    `<rect class="m-shadow" x="-7.5" y="-6" width="19" height="19" rx="4"/><rect class="m-edge" x="-9.5" ` +
    `y="-7.6" width="19" height="19" rx="4"/><rect class="m-face" x="-9" y="-9" width="18" height="18" ` +
    `rx="3.8"/>`;
  return (
    `<g class="m-die ${side === null ? "" : sideClass(side)}${pale ? " m-ivory" : ""}" transform="scale(` +
    `${DIE / 20}) rotate(${leanOf(place, face)})">${body}<g class="m-shown">${shown}</g></g>`
  );
}

/** Size of the area of a throw's rows of dice, in pixels. */
export interface Rows {
  attack: Point[];
  answer: Point[];
  wide: number;
  high: number;
}

/** Width of a sum beside its die, in pixels. */
const SUM = 66;

/** Number of dice after which a new row begins. */
const ACROSS = 8;

/** Return the places of dice from the middle of their area. A cancelled die lies over the die that cancels it. */
export function rowsOf(reading: Reading): Rows {
  const across = Math.min(ACROSS, Math.max(reading.dice.length, reading.answer.length, 1));
  const line = (count: number, y: number): Point[] =>
    Array.from({ length: count }, (_, i): Point => {
      const row = Math.floor(i / across);
      const inRow = Math.min(across, count - row * across);
      return [((i % across) - (inRow - 1) / 2) * PITCH, y + row * PITCH];
    });
  const attackHigh = Math.ceil(reading.dice.length / across) * PITCH;
  const answerHigh = Math.ceil(reading.answer.length / across) * PITCH;
  const high = attackHigh + answerHigh + (answerHigh > 0 ? 4 : 0);
  const attack = line(reading.dice.length, -high / 2 + PITCH / 2);
  const answer = line(reading.answer.length, -high / 2 + attackHigh + 4 + PITCH / 2);
  // A die with a modifier shows the sum beside it.
  if (reading.added) {
    const aside = ([x, y]: Point): Point => [x - SUM / 2, y];
    return { attack: attack.map(aside), answer: answer.map(aside), wide: across * PITCH + 8 + SUM, high: high + 8 };
  }
  // If each kind of die has one row, cancelling dice lie below the dice that they cancel.
  if (reading.answer.length <= across && reading.dice.length <= across) {
    const free = new Set(reading.answer.map((_, i) => i));
    const taken = new Set<number>();
    reading.dice.forEach((die, i) => {
      const [by] = die.by;
      if (by === undefined || !free.has(by)) return;
      answer[by] = [attack[i]![0], answer[by]![1]];
      free.delete(by);
      taken.add(i);
    });
    const rest = attack.map((_, i) => i).filter((i) => !taken.has(i));
    for (const by of free) {
      const i = rest.shift();
      if (i !== undefined) answer[by] = [attack[i]![0], answer[by]![1]];
    }
  }
  return { attack, answer, wide: across * PITCH + 8, high: high + 8 };
}

/** The part of the table in which dice and words can be read, in pixels. */
export interface Readable {
  bounds: Box;
  /** Areas under elements of the page. */
  covers: readonly Box[];
}

/** Return the shortest shift that moves a box into the bounds and out of the covers, as far as possible. */
export function shiftOf(box: Box, { bounds, covers }: Readable): Point {
  const within = ([dx, dy]: Point): Point => [
    Math.min(Math.max(dx, bounds[0] - box[0]), Math.max(bounds[2] - box[2], bounds[0] - box[0])),
    Math.min(Math.max(dy, bounds[1] - box[1]), Math.max(bounds[3] - box[3], bounds[1] - box[1])),
  ];
  const moved = ([dx, dy]: Point): Box => [box[0] + dx, box[1] + dy, box[2] + dx, box[3] + dy];
  const hidden = (shift: Point): number => covers.reduce((sum, cover) => sum + overlap(moved(shift), cover), 0);
  const first = within([0, 0]);
  if (hidden(first) === 0) return first;
  const out = covers.flatMap((cover): Point[] => [
    [cover[0] - box[2], first[1]],
    [cover[2] - box[0], first[1]],
    [first[0], cover[1] - box[3]],
    [first[0], cover[3] - box[1]],
  ]);
  const cost = (shift: Point): number => 1000 * hidden(shift) + Math.hypot(...shift);
  return out.map(within).reduce((best, one) => (cost(one) < cost(best) ? one : best), first);
}

/** Penalty for hiding a base that the act is about, in square pixels. Small bases count as much as large ones. */
const HIDDEN = 700;

/**
 * Return the middle of free ground for a box of a size, as near to a unit as possible, in pixels.
 *
 * - *taken*: boxes to keep visible;
 * - *shown*: boxes of the acting units;
 * - *around*: the box of the unit;
 * - *readable*: the part of the table that is not left.
 *
 * All boxes are left, top, right, bottom, in pixels.
 */
export function freeGround(
  around: Box,
  wide: number,
  high: number,
  taken: readonly Box[],
  readable: Readable,
  shown: readonly Box[] = [],
): Point {
  const [left, top, right, bottom] = around;
  const [cx, cy] = [(left + right) / 2, (top + bottom) / 2];
  const gap = 12;
  const places: Point[] = [];
  for (const far of [0, 30, 70, 130, 200]) {
    const [dx, dy] = [wide / 2 + gap + far, high / 2 + gap + far];
    places.push(
      [right + dx, cy],
      [left - dx, cy],
      [cx, top - dy],
      [cx, bottom + dy],
      [right + dx, top - high / 2],
      [left - dx, top - high / 2],
      [right + dx, bottom + high / 2],
      [left - dx, bottom + high / 2],
    );
  }
  let best: Point = [cx, top - high / 2 - gap];
  let least = Infinity;
  const boxAt = ([x, y]: Point): Box => [x - wide / 2, y - high / 2, x + wide / 2, y + high / 2];
  places.forEach((place, i) => {
    const [dx, dy] = shiftOf(boxAt(place), readable);
    const [x, y] = [place[0] + dx, place[1] + dy];
    const box = boxAt([x, y]);
    const hidden = shown.filter((one) => overlap(box, one) > 0).length;
    const covered = readable.covers.reduce((sum, cover) => sum + overlap(box, cover), 0);
    const cost =
      taken.reduce((sum, one) => sum + overlap(box, one), 0) +
      4 * overlap(box, around) +
      hidden * HIDDEN +
      12 * covered +
      i * 25;
    if (cost < least) [least, best] = [cost, [x, y]];
  });
  return best;
}

export type Box = readonly [number, number, number, number];

/** Return the area that two boxes share, in square pixels. */
export function overlap(a: Box, b: Box): number {
  const wide = Math.min(a[2], b[2]) - Math.max(a[0], b[0]);
  const high = Math.min(a[3], b[3]) - Math.max(a[1], b[1]);
  return wide > 0 && high > 0 ? wide * high : 0;
}
