/** A drawing of the shelf: a body with its front to the right, and a turret. */
import type { Pen } from "./draw";
import type { Palette } from "./paints";

export type Drawing = (pen: Pen, paint: Palette) => void;

/** A drawing in detail, and a simple one of few large shapes for few pixels. */
export interface Detail {
  near: Drawing;
  far: Drawing;
}

export interface Figure extends Detail {
  /** Drawn in a circle of radius 10, or in a hull 20 long and 10 wide. */
  box: "round" | "hull";
  /** The part that turns independently. */
  turret?: Detail;
  /** Scale of the drawing relative to its box. */
  size: number;
  /** The base's width in pixels, or the hull's length, under which it is drawn for those who are far. */
  least: number;
  /** It flies: how far off its shadow lies, in radii. */
  aloft?: number;
  /** It is a living thing, which leaves no wreck. */
  living?: boolean;
}
