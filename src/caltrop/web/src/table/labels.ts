/** Where words on the table go, so that they hide as little as can be: plates of units, and what is written at an outline. */

export interface Box {
  x: number;
  y: number;
  wide: number;
  high: number;
}

export interface Plate {
  id: number;
  /** The unit's bases, on the screen. */
  bases: Box;
  /** The middle of its lowest bases, and of its highest; the middle of all where left out. */
  below?: number;
  above?: number;
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

/** A plate over another hides more than one over bases, and one that is cut off at the edge more still. */
const PLATE_ON_PLATE = 6;
const OUTSIDE = 12;

export interface Room {
  /** Bases and signs. */
  models: readonly Box[];
  plates: readonly Box[];
  /** What is seen of the table; everything where left out. */
  bounds?: Box;
}

/** How much a box would hide, or would be hidden of it. */
function hidden(box: Box, { models, plates, bounds }: Room): number {
  let sum = 0;
  for (const model of models) sum += overlap(box, model);
  for (const plate of plates) sum += PLATE_ON_PLATE * overlap(box, plate);
  if (bounds !== undefined) sum += OUTSIDE * (box.wide * box.high - overlap(box, bounds));
  return sum;
}

/** The first place with the least in the way. */
function best(places: Iterable<Place>, wide: number, high: number, room: Room): Place | undefined {
  let found: Place | undefined;
  let least = Infinity;
  for (const place of places) {
    const much = hidden({ x: place.x - wide / 2, y: place.y, wide, high }, room);
    if (much >= least - 0.5) continue;
    least = much;
    found = place;
    if (least < 0.5) break;
  }
  return found;
}

/** Below, above and beside the bases, then round about them farther and farther off. */
function* around({ bases, wide, high, below, above }: Plate, gap: number): Generator<Place> {
  const middle = bases.x + bases.wide / 2;
  const level = bases.y + bases.high / 2 - high / 2;
  const aside = (bases.wide + wide) / 2;
  const foot = (row: number): number => bases.y + bases.high + gap + row * (gap + high);
  const head = (row: number): number => bases.y - (row + 1) * (gap + high);
  yield { x: below ?? middle, y: foot(0) };
  yield { x: above ?? middle, y: head(0) };
  yield { x: middle + aside + gap, y: level };
  yield { x: middle - aside - gap, y: level };
  for (const part of [0.5, 1])
    for (const way of [1, -1]) {
      yield { x: middle + way * part * aside, y: foot(0) };
      yield { x: middle + way * part * aside, y: head(0) };
    }
  for (const row of [1, 2]) {
    for (const part of [0, 0.5, -0.5, 1, -1]) {
      yield { x: (part === 0 ? below : undefined) ?? middle + part * aside, y: foot(row) };
      yield { x: (part === 0 ? above : undefined) ?? middle + part * aside, y: head(row) };
    }
    for (const way of [1, -1])
      for (const up of [0, 1, -1]) yield { x: middle + way * (aside + gap + row * wide * 0.5), y: level + up * (high + gap) * row };
  }
}

/** All that a plate could come to lie over, wherever it goes. */
function near({ bases, wide, high }: Plate, gap: number): Box {
  const [aside, up] = [2.5 * wide + bases.wide / 2 + 2 * gap, 3 * (high + gap)];
  return { x: bases.x - aside, y: bases.y - up, wide: bases.wide + 2 * aside, high: bases.high + 2 * up };
}

/** The place of each plate: the middle of its upper edge. */
export function layOut(
  plates: readonly Plate[],
  models: readonly { id: number; box: Box }[],
  bounds?: Box,
  gap = 4,
): Map<number, Place> {
  const found = new Map<number, Place>();
  const taken: Box[] = [];
  for (const plate of plates) {
    const about = near(plate, gap);
    const room: Room = {
      models: models.filter((one) => overlap(one.box, about) > 0).map((one) => one.box),
      plates: taken.filter((one) => overlap(one, about) > 0),
      ...(bounds ? { bounds } : {}),
    };
    const place = best(around(plate, gap), plate.wide, plate.high, room);
    if (place === undefined) continue;
    found.set(plate.id, place);
    taken.push({ x: place.x - plate.wide / 2, y: place.y, wide: plate.wide, high: plate.high });
  }
  return found;
}

/** A plate that grows to another width where it hangs: to both sides, or to one; undefined where that would hide something. */
export function grown(at: Place, from: number, to: number, high: number, room: Room): Place | undefined {
  const more = Math.max(to - from, 0) / 2;
  const places = [0, 0.5, -0.5, 1, -1].map((part) => ({ x: at.x + part * more, y: at.y }));
  const place = best(places, to, high, room);
  return place !== undefined && hidden({ x: place.x - to / 2, y: place.y, wide: to, high }, room) < 1 ? place : undefined;
}

/** The first of some places where words hide nothing, else the one where they hide least. */
export function clearOf(places: readonly Place[], wide: number, high: number, taken: readonly Box[], bounds?: Box): Place | undefined {
  return best(places, wide, high, { models: [], plates: taken, ...(bounds ? { bounds } : {}) });
}

/** What stands in the way of words on the table, in pixels from its upper left corner. */
export interface Obstacles {
  taken: readonly Box[];
  bounds: Box;
  /** Pixels for each table unit. */
  k: number;
}

/** How wide words of the size of signs are, with a little room at both ends. */
export function wordsWidth(words: string): number {
  return words.length * 6.6 + 6;
}

const WORDS_HIGH = 14;
/** Where on an outline words are looked for: its upper right first, its foot last. */
const DIRECTIONS: readonly [number, number][] = [
  [0.7, -0.7],
  [-0.7, -0.7],
  [0, -1],
  [1, 0],
  [-1, 0],
  [0.7, 0.7],
  [-0.7, 0.7],
  [0, 1],
];

/** Where words stand on the common outline of circles, in table units: the middle of the words. */
export function onOutline(
  circles: readonly { at: readonly [number, number]; r: number }[],
  words: string,
  { taken, bounds, k }: Obstacles,
  directions: readonly [number, number][] = DIRECTIONS,
): [number, number] {
  const wide = wordsWidth(words);
  const places = directions.map(([dx, dy]) => {
    const ends = circles.map(({ at, r }) => ({ x: at[0] + dx * r, y: at[1] + dy * r }));
    const end = ends.reduce((far, one) => (one.x * dx + one.y * dy > far.x * dx + far.y * dy ? one : far));
    return { x: end.x * k, y: end.y * k - WORDS_HIGH / 2 };
  });
  const place = clearOf(places, wide, WORDS_HIGH, taken, bounds) ?? { x: 0, y: 0 };
  const x = Math.min(Math.max(place.x, bounds.x + wide / 2), bounds.x + bounds.wide - wide / 2);
  return [x / k, (place.y + WORDS_HIGH / 2) / k];
}
