/**
 * The plan of a painted table: everything that is on it, as plain data in look units, ready to be painted at any size.
 * The plan depends only on the table, so the same table always has the same picture.
 */
import { hash, layered, noise, smooth } from "../painting/chance.ts";
import { Growing, type Piece, type Relief } from "./growing.ts";
import { landOf, type Land } from "./lands.ts";
import { lookOf } from "./looks/index.ts";
import { reliefOf } from "./looks/hill.ts";
import { covers, sunFor, type Crown, type Edge, type Op, type Sun } from "./ops.ts";
import { cobbles, farm, flags, heath, tufts, type Landmark } from "./ornament.ts";
import type { Outline, Place } from "./shapes.ts";

/** A table to be painted, in table units with y growing away from the near edge, as pictures have it. */
export interface Sheet {
  readonly width: number;
  readonly height: number;
  readonly land: string;
  readonly seed: number;
  /** True if the table is seen from the far edge. */
  readonly turned: boolean;
  readonly grounds: readonly { readonly name: string; readonly kind: string; readonly outline: Outline }[];
  readonly spots: readonly { readonly name: string; readonly at: Place; readonly radius: number }[];
}

/** The gradual tones of the ground on a grid. */
export interface Tones {
  readonly step: number;
  readonly columns: number;
  readonly rows: number;
  /** Index of one of the four colours, 0 to 3. */
  readonly tone: Float32Array;
  /** Amount of visible bare earth. */
  readonly earth: Float32Array;
}

export interface Plan {
  readonly land: Land;
  readonly sun: Sun;
  readonly turned: boolean;
  /** Table units for each look unit. */
  readonly unit: number;
  /** The table in look units. */
  readonly wide: number;
  readonly high: number;
  readonly seed: number;
  readonly tones: Tones;
  readonly hills: readonly Relief[];
  readonly flats: readonly Op[];
  readonly shades: readonly Outline[];
  readonly bodies: readonly Op[];
  readonly crowns: readonly Crown[];
  readonly bushes: readonly Crown[];
  readonly edges: readonly Edge[];
  /** Tufts of grass: few in a picture from afar, many in one from near. */
  tufts(near: boolean): readonly number[][];
}

/** Decoration on the ground, which does not replace the ground. */
const LAID: ReadonlySet<string> = new Set(["hedge", "wall"]);

/** Names of places that are on a height. */
const HIGH = /hill|knoll|ridge|height|mound|summit/i;

export function planOf(sheet: Sheet): Plan {
  const land = landOf(sheet.land);
  const sun = sunFor(sheet.turned);
  const unit = Math.max(sheet.width, sheet.height) / land.across;
  const [wide, high] = [sheet.width / unit, sheet.height / unit];
  const put = ([x, y]: Place): Place => [x / unit, (sheet.height - y) / unit];
  const plan = new Growing(land, sun, wide, high);
  const seed = sheet.seed & 0xffff;
  const pieces = sheet.grounds.map((ground): Piece => {
    const outline = ground.outline.map(put);
    return { seed: `${sheet.seed} ${ground.name} ${JSON.stringify(ground.outline)}`, look: ground.kind, outline };
  });
  // Hedges and walls may appear during a game, so tracks and fields ignore them.
  const outlines = pieces.filter(({ look }) => !LAID.has(look)).map((piece) => piece.outline);
  const landmarks = sheet.spots.map((spot): Landmark => ({
    name: spot.name,
    at: put(spot.at),
    radius: spot.radius / unit,
  }));

  if (land.cover === "cobbles") cobbles(plan, seed);
  else if (land.cover === "flags") flags(plan, seed);
  else if (land.cover === "heath") heath(plan, outlines, seed);
  farm(plan, outlines, landmarks, String(sheet.seed));
  for (const one of landmarks)
    if (HIGH.test(one.name) && land.cover !== "flags")
      plan.hills.push(reliefOf(knoll(one), one.name + seed, sun, [0.02, 0.4]));
  for (const piece of pieces) lookOf(piece.look)(piece, plan);

  for (const op of [...plan.flats, ...plan.bodies]) op.box = covers(op);
  const thick = new Map<boolean, number[][]>();
  return {
    land,
    sun,
    turned: sheet.turned,
    unit,
    wide,
    high,
    seed,
    tones: tonesOf(wide, high, seed),
    hills: plan.hills,
    flats: plan.flats,
    shades: plan.shades,
    bodies: plan.bodies,
    crowns: plan.crowns,
    bushes: plan.bushes,
    edges: plan.edges,
    tufts(near) {
      const clumps = thick.get(near) ?? tufts(plan, seed, near ? 0.34 : 0.62);
      thick.set(near, clumps);
      return clumps;
    },
  };
}

/** Add a low rise around a place. The rise has no edge in the rules. */
function knoll(spot: Landmark): Outline {
  const radius = Math.max(spot.radius * 1.25, 5);
  return Array.from({ length: 20 }, (_, i): Place => {
    const angle = (i / 20) * Math.PI * 2;
    const r = radius * (0.85 + 0.35 * noise(Math.cos(angle) * 1.6 + spot.at[0], Math.sin(angle) * 1.6 + spot.at[1], 5));
    return [spot.at[0] + Math.cos(angle) * r * 1.12, spot.at[1] + Math.sin(angle) * r];
  });
}

const STEP = 0.7;

function tonesOf(wide: number, high: number, seed: number): Tones {
  const columns = Math.ceil(wide / STEP) + 2;
  const rows = Math.ceil(high / STEP) + 2;
  const tone = new Float32Array(columns * rows);
  const earth = new Float32Array(columns * rows);
  for (let j = 0; j < rows; j++)
    for (let i = 0; i < columns; i++) {
      const [x, y] = [i * STEP, j * STEP];
      tone[j * columns + i] =
        (layered(x / 24, y / 24, seed, 3) - 0.5) * 4.2 + (layered(x / 7, y / 7, seed + 101, 3) - 0.5) * 1.5 + 1.45;
      earth[j * columns + i] = smooth(0.62, 0.8, layered(x / 4.2, y / 4.2, seed + 900, 3)) * 0.5;
    }
  return { step: STEP, columns, rows, tone, earth };
}

/** Return a number for a whole plan. Equal plans have equal numbers. */
export function digest(plan: Plan): number {
  const floats = (all: Float32Array): string => hash(Array.from(all, (v) => v.toFixed(4)).join(" ")).toString(36);
  const relief = plan.hills.map((one) => [
    one.left,
    one.top,
    floats(one.heights),
    floats(one.light),
    one.contours.length,
  ]);
  const rest = [plan.flats, plan.shades, plan.bodies, plan.crowns, plan.bushes, plan.edges, plan.tufts(false), relief];
  return hash(
    JSON.stringify(rest, (_, value: unknown) => (typeof value === "number" ? Math.round(value * 1e4) / 1e4 : value)) +
      floats(plan.tones.tone) +
      floats(plan.tones.earth),
  );
}
