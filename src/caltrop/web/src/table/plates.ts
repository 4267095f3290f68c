/** Lays out the plates of units and names of objectives on a measured table. */
import type { Group, Point, Spot } from "../wire/types";
import { isPerson } from "../pieces/shelf";
import { strengthOf } from "../pieces/strength";
import { grown, layOut, nameOf, type Box, type Place } from "./labels";
import { writtenWide } from "./written";

/** The table as it is drawn now. */
export interface Drawing {
  groups: readonly Group[];
  spots: readonly Spot[];
  put: (p: Point) => Point;
  /** Pixels for each table unit. */
  k: number;
  /** True if the table is so small that plates are brief. */
  brief: boolean;
  /** The visible part of the table, in pixels. */
  seen: Box;
  /** Areas of the table under elements of the page. */
  covers?: readonly Box[];
  /**
   * The units that have plates, if not all do. Their plates show names, because strength and tokens are drawn at the
   * pieces.
   */
  named?: ReadonlySet<number> | undefined;
}

/** The places of all labels, in pixels from the table's upper left corner. */
export interface Layout {
  /** Boxes of things on the table: bases, flags and the names of objectives. */
  things: readonly Box[];
  /** The middle of each objective's name. */
  names: ReadonlyMap<number, Place>;
  plates: ReadonlyMap<number, Hung>;
}

/** A plate with its place and words. */
export interface Hung extends Box {
  words: string;
  crowded: boolean;
}

/** A plate as it is drawn: the middle of its upper edge in table units, its words, and their width in pixels. */
export interface DrawnPlate {
  at: Point;
  words: string;
  wide: number;
}

const HIGH = 16;
/** Width of the points on both sides of a diamond plate. */
const POINTS = 10;
/** Height of a row of tokens under a plate. On a brief plate each token is drawn behind the figure. */
const TOKENS_HIGH = 16;
const TOKEN_WIDE = 14;
const COUNT_WIDE = 7;

/** Return the words for a small plate: the number of models left. */
export function briefWords(group: Group): string {
  return group.strength.split("/")[0] ?? "";
}

export function shownTokens(group: Group): Group["tokens"] {
  return group.tokens.filter((token) => token.count > 0);
}

/** Return the offset of each token of a brief plate from the first. */
export function tokenPlaces(tokens: Group["tokens"]): { at: number; wide: number }[] {
  let at = 0;
  return tokens.map((token) => {
    const place = { at, wide: TOKEN_WIDE + (token.count > 1 ? COUNT_WIDE : 0) };
    at += place.wide;
    return place;
  });
}

function plateWidth(group: Group, words: string, brief: boolean): number {
  if (!brief) return 25 + writtenWide(words);
  return 19 + writtenWide(words) + tokenPlaces(shownTokens(group)).reduce((sum, one) => sum + one.wide, 4);
}

function nameWords(group: Group): string {
  return `${group.name} ${group.strength}`.trim();
}

/** Return the text of a unit's plate if the unit is not selected. */
function usualWords(group: Group, brief: boolean, named: boolean): string {
  return named ? nameWords(group) : brief ? briefWords(group) : group.strength;
}

/** Bases with a smaller radius, in pixels, have their marks in a row above them. */
const SMALL = 10;
/** Half the height of a row of marks, and half the width of a tab and of a token in it. */
const MARK = 8;

/** Return the area of a painted unit's marks: its tab, the number of models left, and its tokens. */
export function marksOf(group: Group, put: (p: Point) => Point, k: number): Box[] {
  const places = group.pieces.map((piece) => put(piece.at));
  const [leader] = group.pieces;
  const [first] = places;
  if (leader === undefined || first === undefined) return [];
  const small = leader.radius * k < SMALL && !isPerson(group);
  const [x, y] = small
    ? places.reduce((top, one) => (one[1] < top[1] || (one[1] === top[1] && one[0] < top[0]) ? one : top))
    : first;
  const rim = leader.radius * k * 0.84;
  const count = small && leader.hull === undefined ? strengthOf(group.strength) : null;
  const tokens = 13 * shownTokens(group).length;
  const wide = small ? 2 * MARK + (count === null ? 0 : 1 + 7.4 * String(count.left).length) + tokens : 2 * MARK;
  const row = small
    ? { x: x * k - rim - 5 - MARK, y: y * k - leader.radius * k - 10 - MARK }
    : { x: x * k - rim - MARK, y: y * k - rim - MARK };
  const tab = { ...row, wide, high: 2 * MARK };
  return small || tokens === 0
    ? [tab]
    : [tab, { x: x * k + rim - MARK, y: y * k - rim - MARK, wide: tokens + 3, high: 2 * MARK }];
}

/** Markers that last for a moment. If several have one name, the name is written once. */
export const PASSING: readonly string[] = ["smoke", "blast"];

export function lay({ groups, spots, put, k, brief, seen, covers = [], named }: Drawing): Layout {
  const disc = (at: Point, radius: number): Box => {
    const p = put(at);
    return { x: (p[0] - radius) * k, y: (p[1] - radius) * k, wide: 2 * radius * k, high: 2 * radius * k };
  };
  const units = groups.map((group) => ({ group, bases: group.pieces.map((piece) => disc(piece.at, piece.radius)) }));
  const bases = units.flatMap(({ group, bases }) => bases.map((box) => ({ id: group.id, box })));
  const flags = spots.map((spot) => {
    const at = put(spot.at);
    return { x: at[0] * k - 10, y: at[1] * k - 12, wide: 20, high: 20 };
  });
  const things = [...bases.map((one) => one.box), ...flags];
  if (named !== undefined) things.push(...groups.flatMap((group) => marksOf(group, put, k)));
  const names = new Map<number, Place>();
  const passing = new Set<string>();
  for (const spot of spots) {
    if (PASSING.includes(spot.kind)) {
      if (passing.has(spot.name)) continue;
      passing.add(spot.name);
    }
    const { place, box } = nameOf(disc(spot.at, Math.max(spot.radius, 12 / k)), spotName(spot), things, seen, covers);
    names.set(spot.id, place);
    things.push(box);
  }
  const plated = named === undefined ? units : units.filter(({ group }) => named.has(group.id));
  const words = (group: Group): string => usualWords(group, brief, named !== undefined);
  const requests = plated.map(({ group, bases }) => ({
    id: group.id,
    bases,
    wide: plateWidth(group, words(group), brief) + POINTS,
    high: HIGH + (!brief && named === undefined && shownTokens(group).length > 0 ? TOKENS_HIGH : 0),
  }));
  const layout = layOut(
    requests,
    things.map((box, i) => ({ id: bases[i]?.id ?? -1, box })),
    seen,
    covers,
  );
  const plates = new Map<number, Hung>();
  for (const [i, { id, wide, high }] of requests.entries()) {
    const place = layout.get(id);
    const group = plated[i]?.group;
    if (place === undefined || group === undefined) continue;
    plates.set(id, { x: place.x - wide / 2, y: place.y, wide, high, words: words(group), crowded: place.crowded });
  }
  if (!brief && named === undefined) for (const { group } of units) sayMore(group, plates, things, seen, covers);
  return { things, names, plates };
}

/** Give a plate the longest of its possible texts that hides nothing. */
function sayMore(
  group: Group,
  plates: Map<number, Hung>,
  things: readonly Box[],
  seen: Box,
  covers: readonly Box[],
): void {
  const box = plates.get(group.id);
  if (box === undefined || box.crowded) return;
  const others = [...plates].filter(([id, one]) => id !== group.id && !one.crowded).map(([, one]) => one);
  for (const words of group.plate ?? []) {
    const wide = plateWidth(group, words, false) + POINTS;
    const place = grown({ x: box.x + box.wide / 2, y: box.y }, box.wide, wide, box.high, {
      models: things,
      plates: others,
      covers,
      bounds: seen,
    });
    if (place === undefined) continue;
    plates.set(group.id, { ...box, x: place.x - wide / 2, y: place.y, wide, words });
    return;
  }
}

export function spotName(spot: Spot): string {
  return `${spot.name}${spot.secured ? " ✓" : ""}`;
}

/**
 * Importance of a unit: a unit that is looked at has its name on its plate if there is room; one that matters always
 * has its plate.
 */
export type Regard = "usual" | "matters" | "looked at";

/** Return a unit's plate; undefined if it would be in the way. */
export function plateOf(
  group: Group,
  layout: Layout,
  { k, brief, seen, covers, named }: Pick<Drawing, "k" | "brief" | "seen" | "covers" | "named">,
  regard: Regard,
): DrawnPlate | undefined {
  const box = layout.plates.get(group.id);
  if (box === undefined || (box.crowded && regard === "usual")) return undefined;
  const hangs = { x: box.x + box.wide / 2, y: box.y };
  const { words } = box;
  const usual: DrawnPlate = { at: [hangs.x / k, hangs.y / k], words, wide: plateWidth(group, words, brief) };
  if (regard !== "looked at" || brief || box.crowded || named !== undefined) return usual;
  const name = nameWords(group);
  const plates = [...layout.plates].filter(([id, one]) => id !== group.id && !one.crowded).map(([, one]) => one);
  const wide = plateWidth(group, name, brief);
  if (wide + POINTS <= box.wide) return usual;
  const place = grown(hangs, box.wide, wide + POINTS, box.high, {
    models: layout.things,
    plates,
    covers,
    bounds: seen,
  });
  return place === undefined ? usual : { at: [place.x / k, place.y / k], words: name, wide };
}
