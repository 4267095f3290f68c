/** Collects the layers of a painted table, and offers what every look needs while it adds to them. */
import { chance, layered, type Chance } from "../painting/chance.ts";
import type { Land, Palette } from "./lands.ts";
import { dots, fill, shadowOf, type Crown, type Edge, type Op, type Sun } from "./ops.ts";
import { rounded, sized, type Outline, type Place } from "./shapes.ts";

/** A piece of terrain to be painted, in look units. */
export interface Piece {
  /** Seed that chooses one of the possible pictures of the piece. */
  readonly seed: string;
  readonly look: string;
  readonly outline: Outline;
}

/** The heights of a hill on a grid over the box around it. */
export interface Relief {
  readonly left: number;
  readonly top: number;
  readonly step: number;
  readonly columns: number;
  readonly rows: number;
  /** Depth of a place in the hill: 0 at the foot of the hill, 1 at its top. */
  readonly depths: Float32Array;
  readonly heights: Float32Array;
  /** Brightness of a place: 1 for level ground. */
  readonly light: Float32Array;
  /** The lines of equal height. */
  readonly contours: readonly (readonly Outline[])[];
}

export class Growing {
  /** Flat shapes on the ground. */
  readonly flats: Op[] = [];
  /** Shadows of all terrain, drawn as one layer. */
  readonly shades: Outline[] = [];
  /** Things that stand on the ground. */
  readonly bodies: Op[] = [];
  readonly crowns: Crown[] = [];
  readonly bushes: Crown[] = [];
  readonly edges: Edge[] = [];
  readonly hills: Relief[] = [];
  /** Areas without grass. */
  readonly bare: Outline[] = [];
  /** Lines on which no grass grows, and half their width. */
  readonly trodden: { line: Outline; half: number }[] = [];

  readonly land: Land;
  readonly sun: Sun;
  readonly wide: number;
  readonly high: number;

  constructor(land: Land, sun: Sun, wide: number, high: number) {
    this.land = land;
    this.sun = sun;
    this.wide = wide;
    this.high = high;
  }

  get palette(): Palette {
    return this.land.palette;
  }

  shade(outline: Outline, height: number): void {
    this.shades.push(...shadowOf(outline, height, this.sun));
  }

  /** Paint a floor whose edge is frayed and thins out. */
  floor(outline: Outline, colour: string, alpha: number, seed: number, soft = 1): void {
    const round = rounded(outline, true, 2);
    for (const [size, weight] of [
      [1.05, 0.25],
      [1, 0.5],
      [0.95, 0.5],
    ] as const) {
      const shape = sized(round, size).map(([x, y]): Place => {
        const by = (layered(x * 0.7, y * 0.7, seed, 2) - 0.5) * 0.9 * soft;
        return [x + by, y + by];
      });
      this.flats.push(fill([shape], colour, alpha * weight));
    }
  }

  /** Scatter small dots in several colours on the ground. */
  strew(
    places: readonly Place[],
    colours: readonly string[],
    least: number,
    most: number,
    alpha: number,
    of: Chance,
    onto: Op[] = this.flats,
  ): void {
    const heaps = colours.map((): number[] => []);
    for (const [x, y] of places) heaps[Math.floor(of() * colours.length)]?.push(x, y, least + of() * (most - least));
    heaps.forEach((at, i) => at.length > 0 && onto.push(dots(at, colours[i] as string, alpha)));
  }
}

/** Adds one piece of terrain to a plan. */
export type Look = (piece: Piece, plan: Growing) => void;

/** Return the random numbers for one part of a piece. */
export function chanceOf(piece: Piece, part = ""): Chance {
  return chance(piece.seed + part);
}
