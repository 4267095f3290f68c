/** Finds places for plates and labels on the table where they hide as little as possible. */
import { writtenWide } from "./written";

export interface Box {
  x: number;
  y: number;
  wide: number;
  high: number;
}

export interface Plate {
  id: number;
  /** The unit's bases, on the screen. */
  bases: readonly Box[];
  wide: number;
  high: number;
}

/** The middle of a plate's upper edge. */
export interface Place {
  x: number;
  y: number;
}

function overlap(a: Box, b: Box): number {
  const wide = Math.min(a.x + a.wide, b.x + b.wide) - Math.max(a.x, b.x);
  const high = Math.min(a.y + a.high, b.y + b.high) - Math.max(a.y, b.y);
  return wide > 0 && high > 0 ? wide * high : 0;
}

/** Return the part that two boxes have in common; one without size if they have none. */
export function common(a: Box, b: Box): Box {
  const [x, y] = [Math.max(a.x, b.x), Math.max(a.y, b.y)];
  const wide = Math.max(0, Math.min(a.x + a.wide, b.x + b.wide) - x);
  return { x, y, wide, high: Math.max(0, Math.min(a.y + a.high, b.y + b.high) - y) };
}

/** Return the distance between two boxes. */
function between(a: Box, b: Box): number {
  const dx = Math.max(a.x - b.x - b.wide, b.x - a.x - a.wide, 0);
  const dy = Math.max(a.y - b.y - b.high, b.y - a.y - a.high, 0);
  return Math.hypot(dx, dy);
}

/** Return the smallest box around several boxes. */
export function around(boxes: readonly Box[]): Box {
  const x = Math.min(...boxes.map((box) => box.x));
  const y = Math.min(...boxes.map((box) => box.y));
  const wide = Math.max(...boxes.map((box) => box.x + box.wide)) - x;
  return { x, y, wide, high: Math.max(...boxes.map((box) => box.y + box.high)) - y };
}

/** Return the box of something that hangs at a place. */
function at({ x, y }: Place, wide: number, high: number): Box {
  return { x: x - wide / 2, y, wide, high };
}

/**
 * Weights of overlaps: a plate over another hides more than one over bases, and a plate that is cut off at the edge
 * hides most.
 */
const PLATE_ON_PLATE = 6;
const OUTSIDE = 12;

export interface Room {
  /** Boxes of bases and signs. */
  models: readonly Box[];
  plates: readonly Box[];
  /** Areas of the table under elements of the page, where nothing can be read. */
  covers?: readonly Box[] | undefined;
  /** The visible part of the table; by default the whole table. */
  bounds?: Box;
}

/** Return how much a box would hide, or would be hidden itself. */
function hidden(box: Box, { models, plates, covers = [], bounds }: Room): number {
  let sum = 0;
  for (const model of models) sum += overlap(box, model);
  for (const plate of plates) sum += PLATE_ON_PLATE * overlap(box, plate);
  for (const cover of covers) sum += OUTSIDE * overlap(box, cover);
  if (bounds !== undefined) sum += OUTSIDE * (box.wide * box.high - overlap(box, bounds));
  return sum;
}

/** Return the first place with the least overlap, and the amount of the overlap. */
function best(
  places: Iterable<Place>,
  wide: number,
  high: number,
  room: Room,
): { place: Place; hides: number } | undefined {
  let best: { place: Place; hides: number } | undefined;
  for (const place of places) {
    const hides = hidden(at(place, wide, high), room);
    if (best !== undefined && hides >= best.hides - 0.5) continue;
    best = { place, hides };
    if (hides < 0.5) break;
  }
  return best;
}

/**
 * Yield places, and for each place under a cover the places beside that cover to which a box would be moved. The box
 * stays within the bounds.
 */
function* cleared(
  places: readonly Place[],
  wide: number,
  high: number,
  { covers = [], bounds }: Pick<Room, "covers" | "bounds">,
): Generator<Place> {
  const within = ({ x, y }: Place): Place =>
    bounds === undefined
      ? { x, y }
      : {
          x: clamped(x, bounds.x + wide / 2, bounds.x + bounds.wide - wide / 2),
          y: clamped(y, bounds.y, bounds.y + bounds.high - high),
        };
  for (const place of places) yield within(place);
  for (const place of places.map(within)) {
    for (const cover of covers) {
      if (overlap(at(place, wide, high), cover) === 0) continue;
      yield within({ x: cover.x - wide / 2, y: place.y });
      yield within({ x: cover.x + cover.wide + wide / 2, y: place.y });
      yield within({ x: place.x, y: cover.y - high });
      yield within({ x: place.x, y: cover.y + cover.high });
    }
  }
}

/** Largest distance of a plate from the nearest base of its unit, in pixels. */
export const TETHER = 26;

/**
 * Yield possible places: below, above and beside all bases, then beside single bases, then farther away, up to the
 * length of the line to the unit.
 */
function* hangings(plate: Plate, gap: number): Generator<Place> {
  for (const place of everywhere(plate, gap)) {
    const box = at(place, plate.wide, plate.high);
    if (plate.bases.some((base) => between(base, box) <= TETHER)) yield place;
  }
}

function* everywhere({ bases, wide, high }: Plate, gap: number): Generator<Place> {
  const all = around(bases);
  const lowest = bases.filter((box) => box.y + 2 * box.high > all.y + all.high);
  const highest = bases.filter((box) => box.y - box.high < all.y);
  const below = middleOf(around(lowest));
  const above = middleOf(around(highest));
  yield* beside(all, wide, high, gap, below, above);
  const foot = all.y + all.high + gap;
  const head = all.y - gap - high;
  for (const part of [0.5, -0.5, 1, -1]) {
    const x = middleOf(all) + (part * (all.wide + wide)) / 2;
    yield { x, y: foot };
    yield { x, y: head };
  }
  for (const base of bases) yield* beside(base, wide, high, gap);
  for (const part of [0, 0.5, -0.5, 1, -1]) {
    const aside = (part * (all.wide + wide)) / 2;
    yield { x: (part === 0 ? below : middleOf(all)) + aside, y: foot + gap + high };
    yield { x: (part === 0 ? above : middleOf(all)) + aside, y: head - gap - high };
  }
  for (const base of bases)
    for (const part of [-0.5, 0.5])
      for (const y of [base.y + base.high + gap, base.y - gap - high])
        yield { x: middleOf(base) + part * (base.wide + wide), y };
}

/** Yield the places below, above, to the right and to the left of a box. */
function* beside(
  box: Box,
  wide: number,
  high: number,
  gap: number,
  below = middleOf(box),
  above = below,
): Generator<Place> {
  const level = box.y + (box.high - high) / 2;
  yield { x: below, y: box.y + box.high + gap };
  yield { x: above, y: box.y - gap - high };
  yield { x: box.x + box.wide + gap + wide / 2, y: level };
  yield { x: box.x - gap - wide / 2, y: level };
}

function middleOf(box: Box): number {
  return box.x + box.wide / 2;
}

/** Return the area that a plate could cover, wherever it hangs. */
function near({ bases, wide, high }: Plate): Box {
  const all = around(bases);
  const [aside, up] = [wide + TETHER, high + TETHER];
  return { x: all.x - aside, y: all.y - up, wide: all.wide + 2 * aside, high: all.high + 2 * up };
}

/** Largest fraction of a plate that may cover bases before it is left out. */
const OVER_BASES = 0.2;

/**
 * Return the place of each plate, as the middle of its upper edge. A plate is `crowded` if it would cover another or
 * too much else, or would leave the picture. The others ignore it, and it is drawn only on request.
 */
export function layOut(
  plates: readonly Plate[],
  models: readonly { id: number; box: Box }[],
  bounds?: Box,
  covers: readonly Box[] = [],
  gap = 4,
): Map<number, Place & { crowded: boolean }> {
  const layout = new Map<number, Place & { crowded: boolean }>();
  const taken: Box[] = [];
  for (const plate of plates) {
    const about = near(plate);
    const room: Room = {
      models: models.filter((one) => overlap(one.box, about) > 0).map((one) => one.box),
      plates: taken.filter((one) => overlap(one, about) > 0),
      covers: covers.filter((one) => overlap(one, about) > 0),
      ...(bounds ? { bounds } : {}),
    };
    const chosen = best(hangings(plate, gap), plate.wide, plate.high, room);
    if (chosen === undefined) continue;
    const box = at(chosen.place, plate.wide, plate.high);
    const others = hidden(box, { ...room, models: [] });
    const crowded = others > 1 || chosen.hides - others > OVER_BASES * plate.wide * plate.high;
    layout.set(plate.id, { ...chosen.place, crowded });
    if (!crowded) taken.push(box);
  }
  return layout;
}

/** Return the place of a plate that grows wider, to both sides or to one; undefined if that would hide something. */
export function grown(hangs: Place, from: number, to: number, high: number, room: Room): Place | undefined {
  const more = Math.max(to - from, 0) / 2;
  const places = [0, 0.5, -0.5, 1, -1].map((part) => ({ x: hangs.x + part * more, y: hangs.y }));
  const place = best(places, to, high, room);
  return place !== undefined && place.hides < 1 ? place.place : undefined;
}

/** Return the width of words at the size of signs, with a small margin. */
export function wordsWidth(words: string): number {
  return writtenWide(words) + 14;
}

const WORDS_HIGH = 14;
/** Text on an outline has a slip of paper behind it. */
const SLIP_HIGH = 18;

/** Return the box of text whose middle is at a place. */
function written(place: Place, words: string, high = WORDS_HIGH): Box {
  const wide = wordsWidth(words);
  return { x: place.x - wide / 2, y: place.y - high / 2, wide, high };
}

/** Return the middle of the name of a disc: below, above or beside the disc, where it hides least. */
export function nameOf(
  disc: Box,
  name: string,
  taken: readonly Box[],
  bounds?: Box,
  covers: readonly Box[] = [],
): { place: Place; box: Box } {
  const wide = wordsWidth(name);
  const places = [...beside(disc, wide, WORDS_HIGH, 2), ...beside(disc, wide, WORDS_HIGH, 2 + WORDS_HIGH)];
  const room: Room = { models: [], plates: taken, covers, ...(bounds ? { bounds } : {}) };
  const foot = places[0] ?? { x: middleOf(disc), y: disc.y };
  const upper = best(places, wide, WORDS_HIGH, room)?.place ?? foot;
  const place = { x: upper.x, y: upper.y + WORDS_HIGH / 2 };
  return { place, box: written(place, name) };
}

/** The obstacles for words on the table, in pixels from its upper left corner. */
export interface Obstacles {
  taken: readonly Box[];
  /** Areas of the table under elements of the page, where nothing can be read. */
  covers?: readonly Box[];
  bounds: Box;
  /** Pixels for each table unit. */
  k: number;
}

/** Directions in which to look for a place on an outline: upper right first, bottom last, then in between. */
const CORNERS: readonly [number, number][] = [
  [0.7, -0.7],
  [-0.7, -0.7],
  [0, -1],
  [1, 0],
  [-1, 0],
  [0.7, 0.7],
  [-0.7, 0.7],
  [0, 1],
];
const BETWEEN: readonly [number, number][] = Array.from({ length: 32 }, (_, i) => {
  const angle = (Math.PI / 16) * (i % 2 === 0 ? i / 2 : -(i + 1) / 2);
  return [Math.sin(angle), -Math.cos(angle)];
});

/**
 * Return the middle of words on the common outline of circles, in table units. Undefined if they would cover something
 * everywhere; their content is also shown elsewhere.
 */
export function onOutline(
  circles: readonly { at: readonly [number, number]; r: number }[],
  words: string,
  { taken, covers, bounds, k }: Obstacles,
  directions: readonly [number, number][] = CORNERS,
): [number, number] | undefined {
  const wide = wordsWidth(words);
  const places = [...directions, ...BETWEEN].flatMap(([dx, dy]) => {
    const ends = circles.map(({ at, r }) => ({ x: at[0] + dx * r, y: at[1] + dy * r }));
    const end = ends.reduce((far, one) => (one.x * dx + one.y * dy > far.x * dx + far.y * dy ? one : far));
    const x = Math.min(Math.max(end.x * k, bounds.x + wide / 2), bounds.x + bounds.wide - wide / 2);
    // After a shift from the edge, the text still touches the outline.
    return Math.abs(x - end.x * k) > wide / 2 ? [] : [{ x, y: end.y * k - SLIP_HIGH / 2 }];
  });
  const slip = best(places, wide, SLIP_HIGH, { models: [], plates: taken, covers, bounds });
  return slip === undefined || slip.hides > 1 ? undefined : [slip.place.x / k, (slip.place.y + SLIP_HIGH / 2) / k];
}

/**
 * Return the middle of words near the edge of an area, in table units: at the first of some places, or the one where
 * they hide least. Undefined without places.
 */
export function alongEdges(
  places: readonly (readonly [number, number])[],
  words: string,
  { taken, covers, bounds, k }: Obstacles,
): [number, number] | undefined {
  const hangs = places.map(([x, y]) => ({ x: x * k, y: y * k - SLIP_HIGH / 2 }));
  const slip = best(hangs, wordsWidth(words), SLIP_HIGH, { models: [], plates: taken, covers, bounds });
  return slip && [slip.place.x / k, (slip.place.y + SLIP_HIGH / 2) / k];
}

/**
 * Return the place of a plate at a unit, as the middle of its upper edge in pixels: above the unit, or where it hides
 * least.
 *
 * @param bases The unit's bases, in pixels.
 */
export function hung(
  bases: readonly Box[],
  wide: number,
  high: number,
  gap: number,
  { taken, covers, bounds }: Obstacles,
): Place {
  const all = around(bases);
  const above = { x: middleOf(all), y: all.y - gap - high };
  const places = cleared([above, ...everywhere({ id: 0, bases, wide, high }, gap)], wide, high, { covers, bounds });
  return best(places, wide, high, { models: taken, plates: bases, covers, bounds })?.place ?? above;
}

function clamped(value: number, least: number, most: number): number {
  return Math.max(Math.min(value, most), least);
}

/** Words beside something: the middle of the side that they touch, and the offset of their middle from there. */
export interface Beside {
  at: Place;
  dx: number;
  dy: number;
}

/**
 * Return the place of words beside a row of boxes in pixels: at the right, left, lower or upper side. It is the first
 * where they hide nothing, or where they hide least.
 *
 * @param room The visible part and its obstacles, such as the handle and the path of the row.
 */
export function besideRow(row: readonly Box[], wide: number, room: Pick<Room, "models" | "covers" | "bounds">): Beside {
  const GAP = 8;
  const [first, ...others] = row as [Box, ...Box[]];
  const far = (better: (a: Box, b: Box) => boolean): Box => others.reduce((a, b) => (better(b, a) ? b : a), first);
  const right = far((a, b) => a.x + a.wide > b.x + b.wide);
  const left = far((a, b) => a.x < b.x);
  const low = far((a, b) => a.y + a.high > b.y + b.high);
  const high = far((a, b) => a.y < b.y);
  const middle = (left.x + right.x + right.wide) / 2;
  const level = (box: Box): number => box.y + box.high / 2;
  const ends: Place[] = [
    { x: right.x + right.wide, y: level(right) },
    { x: left.x, y: level(left) },
    { x: middle, y: low.y + low.high },
    { x: middle, y: high.y },
  ];
  const upper = SLIP_HIGH / 2;
  const places = ends.map(({ x, y }, i) => ({
    x: x + ([wide / 2 + GAP, -wide / 2 - GAP][i] ?? 0),
    y: y - upper + ([0, 0, 15, -15][i] ?? 0),
  }));
  const place = best(cleared(places, wide, SLIP_HIGH, room), wide, SLIP_HIGH, {
    ...room,
    plates: row,
  })!.place;
  const nearest = ends.reduce((a, b) => (distance(b, place) < distance(a, place) ? b : a));
  return { at: nearest, dx: place.x - nearest.x, dy: place.y + upper - nearest.y };
}

function distance(a: Place, b: Place): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}

/** Return the box, in pixels, of text at a place of the table. */
export function wordsAt(place: readonly [number, number], words: string, k: number): Box {
  return written({ x: place[0] * k, y: place[1] * k }, words, SLIP_HIGH);
}
