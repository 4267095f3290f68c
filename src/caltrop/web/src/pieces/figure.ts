/** What every drawing of the shelf is: a body with its front to the right, and what turns by itself on it. */
import type { Pen } from "./draw";
import type { Palette } from "./paints";

export type Drawing = (pen: Pen, paint: Palette) => void;

/** A drawing for those who are near, and one of few large shapes for where it has few pixels. */
export interface Detail {
  near: Drawing;
  far: Drawing;
}

export interface Figure extends Detail {
  /** Drawn in a circle of radius 10, or in a hull 20 long and 10 wide. */
  box: "round" | "hull";
  /** What turns by itself. */
  turret?: Detail;
  /** How much larger than its box it is drawn. */
  size: number;
  /** The base's width in pixels, or the hull's length, under which it is drawn for those who are far. */
  least: number;
  /** It flies: how far off its shadow lies, in radii. */
  aloft?: number;
  /** It lives: what is left of it is no wreck. */
  living?: boolean;
}
