/** A drawing of a unit: a body with its front to the right, and a turret. */
import type { Pen } from "./draw";
import type { Palette } from "./paints";

export type Drawing = (pen: Pen, paint: Palette) => void;

/** A detailed drawing, and a simple one of few large shapes for small sizes. */
export interface Detail {
  near: Drawing;
  far: Drawing;
}

export interface Figure extends Detail {
  /** Drawn in a circle of radius 10, or in a hull 20 long and 10 wide. */
  box: "round" | "hull";
  /** The part that turns independently of the hull. */
  turret?: Detail;
  /** Scale of the drawing relative to its box. */
  size: number;
  /** Smallest width of a base, or length of a hull, in pixels for the detailed drawing. */
  least: number;
  /** Distance of the shadow of a flyer, in radii. */
  aloft?: number;
  /** True for a living thing, which leaves no wreck. */
  living?: boolean;
}
