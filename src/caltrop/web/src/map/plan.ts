/** A map of hexes as plain data for a painter. Lengths are in hundredths of a hex's radius. */
import type { HexGrid } from "../lib/hexes";
import type { Picture, Point } from "../wire/types";
import { sidesOf } from "./joins";

export interface Plot {
  readonly name: string;
  readonly at: Point;
  readonly kinds: readonly string[];
  /** The edges over which its road and its water continue, numbered as the corners are. */
  readonly roads: readonly number[];
  readonly waters: readonly number[];
}

export interface Plan {
  readonly wide: number;
  readonly high: number;
  readonly corners: readonly Point[];
  readonly plots: readonly Plot[];
  readonly night: boolean;
}

/** Terrain that lies on a map instead of being printed, because it may appear in a battle. */
export const MARKERS = ["entrenchment"];

/** The plan of a map as it is shown on the screen. */
export function planOf(
  picture: Pick<Picture, "cells" | "grounds" | "width" | "height">,
  grid: HexGrid,
  put: (p: Point) => Point,
  night: boolean,
): Plan {
  const unit = grid.radius / 100;
  const laid = (p: Point): Point => {
    const [x, y] = put(p);
    return [x / unit, y / unit];
  };
  const origin = laid([0, 0]);
  const corners = grid.corners.map(laid).map((p): Point => [p[0] - origin[0], p[1] - origin[1]]);
  const grounds = grid.groundsOf(picture.grounds);
  return {
    wide: picture.width / unit,
    high: picture.height / unit,
    corners,
    night,
    plots: picture.cells.map((cell) => {
      const kinds = (grounds.get(cell.name) ?? [])
        .map((ground) => ground.kind)
        .filter((kind) => !MARKERS.includes(kind));
      const { roads, waters } = sidesOf(cell, grid, grounds);
      return { name: cell.name, at: laid(cell.at), kinds, roads, waters };
    }),
  };
}
