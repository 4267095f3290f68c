/** Finds the edges over which the road and the water of a hex continue. */
import type { HexGrid } from "../lib/hexes";
import type { Cell, Ground } from "../wire/types";

export const WAYS = ["road", "bridge"];
export const WATERS = ["water", "ford", "bridge"];

/** A road without a continuation goes straight on. A stream at the edge of the map flows off it. */
export function sidesOf(
  cell: Cell,
  grid: HexGrid,
  grounds: ReadonlyMap<string, readonly Ground[]>,
): { roads: number[]; waters: number[] } {
  const edges = grid.corners.map((_, i) => i);
  const opposite = (edge: number): number => (edge + edges.length / 2) % edges.length;
  const has = (one: Cell | null, kinds: readonly string[]): boolean =>
    one !== null && (grounds.get(one.name) ?? []).some((ground) => kinds.includes(ground.kind));
  const joined = (kinds: readonly string[]): number[] =>
    has(cell, kinds) ? edges.filter((i) => has(grid.across(cell, i), kinds)) : [];

  const roads = joined(WAYS);
  const waters = joined(WATERS);
  const [way] = roads;
  const [stream] = waters;
  if (roads.length === 1 && way !== undefined) roads.push(opposite(way));
  if (waters.length === 1 && stream !== undefined) {
    const ahead = opposite(stream);
    const out = [ahead, (ahead + 1) % edges.length, (ahead + edges.length - 1) % edges.length].find(
      (i) => grid.across(cell, i) === null,
    );
    if (out !== undefined) waters.push(out);
  }
  return { roads, waters };
}
