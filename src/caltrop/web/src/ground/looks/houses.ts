/** Draws buildings: roofs, blocks of stone, and ruins. */
import { hash, type Chance } from "../../painting/chance.ts";
import { lit, mix } from "../../painting/colour.ts";
import { chanceOf, type Growing, type Look } from "../growing.ts";
import { bevel, dots, facing, fill, glow, line, within, type Op } from "../ops.ts";
import {
  boxOf,
  depth,
  isInside,
  middleOf,
  moved,
  plank,
  rectangle,
  sized,
  spanOf,
  stoneAt,
  thrownInto,
  type Outline,
  type Place,
} from "../shapes.ts";
import { crag, spineOf, wallAlong } from "./stones.ts";

const between = (a: Place, b: Place, t: number): Place => [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t];
const away = (a: Place, b: Place): number => Math.hypot(b[0] - a[0], b[1] - a[1]);

interface Roof {
  readonly tint: string;
  /** Distance by which the ends of the ridge are drawn in, as a fraction of its length. */
  readonly hip: number;
  readonly holes: boolean;
  readonly chimney: boolean;
}

/** Draw one side of a roof from the eaves to the ridge, in rows of tiles. */
function roofSide(side: Outline, tint: string, about: Place, holes: number, of: Chance, plan: Growing): Op[] {
  const [a, b, c] = side as [Place, Place, Place];
  const d = side[3] ?? c;
  const eaves = between(a, b, 0.5);
  const bright = facing(plan.sun, eaves[0] - about[0], eaves[1] - about[1]);
  const colour = bright > 0 ? mix(tint, "#fff0d0", bright * 0.34) : mix(tint, plan.palette.shadow, -bright * 0.46);
  const ops: Op[] = [fill([side], colour)];
  const rows = Math.max(3, Math.round(away(a, d) / 0.34));
  const tiles = Math.max(2, Math.round(away(a, b) / 0.42));
  const tones: Outline[][] = [[], [], [], []];
  const courses: Outline[] = [];
  for (let row = 0; row < rows; row++) {
    const [low, high] = [row / rows, (row + 1) / rows];
    const [from, to, over, beyond] = [between(a, d, low), between(b, c, low), between(a, d, high), between(b, c, high)];
    courses.push([from, to]);
    for (let n = 0; n < tiles; n++) {
      const tone = Math.floor(of() * 9);
      const [u, v] = [(n + (row % 2) / 2) / tiles, Math.min(1, (n + 1 + (row % 2) / 2) / tiles)];
      if (tone < 4)
        tones[tone]?.push([
          between(from, to, u),
          between(from, to, v),
          between(over, beyond, v),
          between(over, beyond, u),
        ]);
    }
  }
  const shades = ["#ffffff", "#ffffff", "#000000", "#000000"] as const;
  const deep = [0.05, 0.1, 0.06, 0.12] as const;
  tones.forEach((shapes, i) => shapes.length > 0 && ops.push(fill(shapes, shades[i] as string, deep[i] as number)));
  ops.push(line(courses, 0.05, mix(tint, "#000000", 0.55), 0.34, { least: 0.5 }));
  for (let n = 0; n < holes; n++) {
    const at = between(between(a, b, 0.15 + of() * 0.7), between(d, c, 0.15 + of() * 0.7), 0.2 + of() * 0.6);
    const hole = stoneAt(of, at[0], at[1], 0.35 + of() * 0.4);
    const beams = [-0.5, -0.2, 0.1, 0.4].map((t): Outline => [
      between(at, [at[0] + b[0] - a[0], at[1] + b[1] - a[1]], t * 0.25),
      between(at, [at[0] + b[0] - a[0] + d[0] - a[0], at[1] + b[1] - a[1] + d[1] - a[1]], t * 0.25),
    ]);
    ops.push(fill([hole], mix(plan.palette.pit, plan.palette.earth, 0.2)), within(hole, [line(beams, 0.1, "#6b513c")]));
  }
  return [within(side, ops)];
}

/** Draw a pitched roof over four corners, its ridge along the longer side. An area with any other outline gets a tent.
 * */
export function roof(outline: Outline, wanted: Roof, of: Chance, plan: Growing): void {
  const { palette, sun } = plan;
  const about = middleOf(outline);
  const ops: Op[] = [fill([moved(outline, sun.cast[0] * 0.12, sun.cast[1] * 0.12)], palette.shadow, 0.45)];
  const ridges: Outline[] = [];
  let ridge: [Place, Place] = [about, about];
  if (outline.length === 4) {
    const [p, q, r, s] = outline as [Place, Place, Place, Place];
    const [a, b, c, d] = away(p, q) >= away(q, r) ? [p, q, r, s] : [q, r, s, p];
    const [m, n] = [between(a, d, 0.5), between(b, c, 0.5)];
    ridge = [between(m, n, wanted.hip), between(n, m, wanted.hip)];
    const sides: Outline[] = [
      [a, b, ridge[1], ridge[0]],
      [c, d, ridge[0], ridge[1]],
    ];
    if (wanted.hip > 0) sides.push([d, a, ridge[0]], [b, c, ridge[1]]);
    sides.forEach((side, i) =>
      ops.push(...roofSide(side, wanted.tint, about, wanted.holes && i < 2 ? 1 + Math.floor(of() * 2) : 0, of, plan)),
    );
    ridges.push(ridge);
    if (wanted.hip > 0) ridges.push([a, ridge[0], d], [b, ridge[1], c]);
  } else {
    outline.forEach((a, i) => {
      const b = outline[(i + 1) % outline.length] as Place;
      ops.push(...roofSide([a, b, about], wanted.tint, about, 0, of, plan));
      if (outline.length < 9) ridges.push([a, about]);
    });
  }
  ops.push(line([outline], 0.09, mix(wanted.tint, "#000000", 0.6), 1, { closed: true, least: 0.8 }));
  ops.push(
    line(
      ridges.map((one) => moved(one, sun.cast[0] * 0.12, sun.cast[1] * 0.12)),
      0.08,
      palette.shadow,
      0.5,
    ),
  );
  ops.push(line(ridges, 0.16, mix(wanted.tint, "#fff3da", 0.45)));
  if (wanted.chimney) {
    const at = between(ridge[0], ridge[1], 0.74);
    const stack = plank(at[0], at[1], 0.36, 0.36, 0);
    ops.push(
      fill([moved(stack, sun.cast[0] * 0.4, sun.cast[1] * 0.4)], palette.shadow, 0.5),
      ...bevel(stack, 0.7, palette.stone, sun),
      fill([plank(at[0], at[1], 0.15, 0.15, 0)], "#1a1614"),
    );
  }
  plan.bodies.push(...ops);
}

/** Draw lit windows, with warm light on the ground along the longer sides. */
function lamps(outline: Outline, of: Chance, plan: Growing): void {
  const at = middleOf(outline);
  const longest = Math.max(...outline.map((a, i) => away(a, outline[(i + 1) % outline.length] as Place)));
  outline.forEach((a, i) => {
    const b = outline[(i + 1) % outline.length] as Place;
    const long = away(a, b);
    if (long < longest * 0.9) return;
    const many = Math.max(1, Math.round(long / 3.4));
    for (let n = 0; n < many; n++) {
      if (of() < 0.3) continue;
      const t = (n + 0.5) / many;
      const window = between(a, b, t);
      const out = away(window, at) || 1;
      plan.flats.push(
        glow(
          [window[0] + ((window[0] - at[0]) / out) * 0.6, window[1] + ((window[1] - at[1]) / out) * 0.6],
          3.4,
          "#ffb65c",
          [0.62, 0.34, 0.12, 0],
        ),
      );
      plan.bodies.push(line([[between(a, b, t - 0.35 / long), between(a, b, t + 0.35 / long)]], 0.26, "#ffd98c"));
    }
  });
}

export const building: Look = (piece, plan) => {
  const of = chanceOf(piece);
  const tint = plan.palette.roofs[Math.floor(of() * 3)] as string;
  plan.bare.push(piece.outline);
  plan.shade(piece.outline, 1.7);
  roof(piece.outline, { tint, hip: of() < 0.35 ? 0.22 : 0, holes: false, chimney: of() < 0.75 }, of, plan);
  if (plan.land.cover === "cobbles") lamps(piece.outline, of, plan);
  plan.edges.push({ outline: piece.outline, dashes: [] });
};

/** Draw a flat, thick bunker of concrete, with a slit on each side. */
export const bunker: Look = (piece, plan) => {
  const { palette, sun } = plan;
  const stone = [mix(palette.stone[0], palette.shadow, 0.2), palette.stone[1], palette.stone[2]] as const;
  plan.bare.push(piece.outline);
  plan.shade(piece.outline, 1.1);
  plan.bodies.push(...bevel(piece.outline, 0.8, stone, sun));
  const slab = sized(piece.outline, 0.6);
  plan.bodies.push(
    fill([moved(slab, sun.cast[0] * 0.2, sun.cast[1] * 0.2)], palette.shadow, 0.3),
    ...bevel(slab, 0.88, stone, sun),
  );
  const slits = piece.outline.map((a, i): Outline => {
    const b = piece.outline[(i + 1) % piece.outline.length] as Place;
    const at = middleOf(piece.outline);
    return [between(between(a, b, 0.3), at, 0.11), between(between(a, b, 0.7), at, 0.11)];
  });
  plan.bodies.push(line(slits, 0.28, palette.pit));
  plan.edges.push({ outline: piece.outline, dashes: [] });
};

/** Draw a block that stops movement and sight. The land decides the look of a house. */
export const block: Look = (piece, plan) => {
  if (plan.land.cover === "cobbles") building(piece, plan);
  else if (plan.land.cover === "flags") tomb(piece, plan);
  else crag(piece, plan);
};

/** Draw a tomb: a block of cut stone under heavy slabs. */
const tomb: Look = (piece, plan) => {
  const { palette, sun } = plan;
  const of = chanceOf(piece);
  plan.bare.push(piece.outline);
  plan.shade(piece.outline, 1.5);
  plan.bodies.push(
    fill([moved(piece.outline, sun.cast[0] * 0.15, sun.cast[1] * 0.15)], palette.shadow, 0.5),
    ...bevel(piece.outline, 0.86, palette.stone, sun),
  );
  const { from, to, wide } = spineOf(sized(piece.outline, 0.84));
  const angle = Math.atan2(to[1] - from[1], to[0] - from[0]);
  const slabs = Math.max(2, Math.round(away(from, to) / 2.2));
  for (let i = 0; i < slabs; i++) {
    const at = between(from, to, (i + 0.5) / slabs);
    const slab = plank(at[0], at[1], (away(from, to) / slabs) * 0.47, wide * 0.46, angle + (of() - 0.5) * 0.05);
    const inside = piece.outline.length === 4 || slab.every(([x, y]) => isInside(piece.outline, x, y));
    if (!inside) continue;
    const tone = mix(palette.paving, palette.stone[0], of() * 0.5);
    plan.bodies.push(
      fill([moved(slab, sun.cast[0] * 0.1, sun.cast[1] * 0.1)], palette.shadow, 0.55),
      ...bevel(slab, 0.9, [palette.stone[0], tone, palette.stone[2]], sun),
    );
    const cracks: Place[] = [
      between(slab[0] as Place, slab[1] as Place, 0.2 + of() * 0.6),
      between(slab[0] as Place, slab[2] as Place, 0.4 + of() * 0.2),
      between(slab[3] as Place, slab[2] as Place, 0.2 + of() * 0.6),
    ];
    if (of() < 0.6) plan.bodies.push(line([cracks], 0.07, palette.pit, 0.6));
  }
  plan.edges.push({ outline: piece.outline, dashes: [] });
};

/** Draw a heap of rubble and beams. */
function heap(x: number, y: number, radius: number, many: number, of: Chance, plan: Growing): void {
  const { palette, sun } = plan;
  const ops: Op[] = [glow([x, y], radius * 1.15, palette.stone[1], [0.8, 0.7, 0.5, 0])];
  const tile = palette.roofs[0];
  for (let i = 0; i < many; i++) {
    const angle = of() * Math.PI * 2;
    const far = Math.sqrt(of()) * radius;
    const stone = stoneAt(of, x + Math.cos(angle) * far, y + Math.sin(angle) * far * 0.85, 0.06 + of() * of() * 0.26);
    plan.shade(stone, 0.16);
    ops.push(
      ...bevel(stone, 0.5, i % 4 ? palette.stone : [mix(tile, "#000000", 0.35), tile, mix(tile, "#ffffff", 0.3)], sun),
    );
  }
  for (let i = 0; i < 3; i++) {
    const angle = of() * Math.PI * 2;
    const long = 0.5 + of();
    const beam: Outline = [
      [x - Math.cos(angle) * long * 0.5, y - Math.sin(angle) * long * 0.5],
      [x + Math.cos(angle) * long, y + Math.sin(angle) * long],
    ];
    ops.push(
      line([beam], 0.2, "#3f3127"),
      line([moved(beam, sun.light[0] * 0.03, sun.light[1] * 0.03)], 0.1, "#86694c"),
    );
  }
  plan.bodies.push(...ops);
}

interface Lot {
  readonly x: number;
  readonly y: number;
  readonly wide: number;
  readonly high: number;
}

/** Divide an area unevenly into lots, first by a street and then by lanes. */
function lotsOf(all: Lot, of: Chance, streets: boolean): Lot[] {
  const lots: Lot[] = [];
  const cut = ({ x, y, wide, high }: Lot, n: number): void => {
    const longer = Math.max(wide, high);
    if (longer < 4.6 || (n > 1 && longer < 7.5 && of() < 0.45)) {
      lots.push({ x, y, wide, high });
      return;
    }
    const way = n > 0 ? 0.75 : streets ? 1.5 : 0.75;
    const part = 0.36 + of() * 0.28;
    if (wide > high) {
      cut({ x, y, wide: wide * part - way / 2, high }, n + 1);
      cut({ x: x + wide * part + way / 2, y, wide: wide * (1 - part) - way / 2, high }, n + 1);
    } else {
      cut({ x, y, wide, high: high * part - way / 2 }, n + 1);
      cut({ x, y: y + high * part + way / 2, wide, high: high * (1 - part) - way / 2 }, n + 1);
    }
  };
  cut(all, 0);
  return lots;
}

/** Draw the shell of a house: its floor in the shadow of its walls, which are broken open on one side. */
function shell(lot: Lot, put: (p: Place) => Place, of: Chance, plan: Growing): void {
  const { palette, sun } = plan;
  const { x, y, wide, high } = lot;
  const small = Math.min(wide, high);
  const rect = rectangle(x, y, wide, high).map(put);
  const wooden = of() < 0.5;
  const boards: Outline[] = [];
  for (let u = 0.45; u < (wooden ? wide : high); u += 0.45)
    boards.push(wooden ? [put([x + u, y]), put([x + u, y + high])] : [put([x, y + u]), put([x + wide, y + u])]);
  plan.bodies.push(
    within(rect, [
      fill([rect], mix(palette.stone[0], wooden ? palette.earth : palette.roofs[0], 0.42)),
      line(boards, 0.05, palette.ink, 0.2),
      { op: "hollow", outline: rect, by: [sun.cast[0], sun.cast[1]], colour: palette.shadow, alpha: 0.28 },
      { op: "hollow", outline: rect, by: [sun.cast[0] * 0.8, sun.cast[1] * 0.8], colour: palette.shadow, alpha: 0.28 },
    ]),
  );
  const rubble = put([x + wide * (0.3 + of() * 0.4), y + high * (0.35 + of() * 0.35)]);
  heap(rubble[0], rubble[1], small * 0.34, 20, of, plan);
  const colours = [palette.stone[0], palette.wallTop, mix(palette.wallTop, "#fff4dc", 0.45)] as const;
  const open = Math.floor(of() * 4);
  rect.forEach((a, i) => {
    const b = rect[(i + 1) % 4] as Place;
    if (i === open) wallAlong([a, between(a, b, 0.2 + of() * 0.25)], 0.4, 0.9, colours, 0, of, plan);
    else wallAlong([a, b], 0.4, 0.8 + of() * 0.5, colours, 0.05, of, plan);
  });
  if (small > 2.6)
    wallAlong(
      of() < 0.5
        ? [put([x + wide * 0.5, y]), put([x + wide * 0.5, y + high * 0.6])]
        : [put([x, y + high * 0.5]), put([x + wide * 0.65, y + high * 0.5])],
      0.32,
      0.8,
      colours,
      0.08,
      of,
      plan,
    );
}

/** Draw the rest of a roof: it covers one end of the walls, and its beams stick out over the other. */
function halfRoof({ x, y, wide, high }: Lot, tint: string, put: (p: Place) => Place, of: Chance, plan: Growing): void {
  const part = 0.36 + of() * 0.2;
  const far = of() < 0.5;
  const across = wide >= high;
  const [w, h] = across ? [wide * part, high] : [wide, high * part];
  const left = far && across ? wide - w : 0;
  const low = far && !across ? high - h : 0;
  const [u, v] = [x + left, y + low];
  const rest = rectangle(u, v, w, h).map(put);
  const beams: Outline[] = [];
  // The rafters run from the broken edge into the open, with unequal lengths.
  const edge = across ? (far ? u : u + w) : far ? v : v + h;
  const out = far ? -1 : 1;
  for (let at = 0.5; at < (across ? h : w) - 0.3; at += 0.6) {
    const long = 0.25 + of() * 0.75;
    beams.push(
      across
        ? [put([edge, v + at]), put([edge + out * long, v + at])]
        : [put([u + at, edge]), put([u + at, edge + out * long])],
    );
  }
  plan.shade(rest, 1.4);
  plan.bodies.push(
    line(beams, 0.2, "#3f3127"),
    line(
      beams.map((one) => moved(one, plan.sun.light[0] * 0.03, plan.sun.light[1] * 0.03)),
      0.1,
      "#86694c",
    ),
  );
  roof(rest, { tint, hip: 0, holes: false, chimney: false }, of, plan);
}

/** Draw ruined houses on an area, along the direction of its longest side. */
function ruinsOn(outline: Outline, seed: string, of: Chance, plan: Growing, standing: number, streets: boolean): void {
  const { palette } = plan;
  plan.bare.push(outline);
  plan.floor(outline, mix(palette.dust, palette.paving, 0.4), 0.95, hash(seed) & 999, 0.6);
  const grit = thrownInto(outline, spanOf(outline) * 12, of);
  plan.strew(grit, [palette.stone[0], palette.stone[2]], 0.04, 0.17, 0.3, of);
  plan.flats.push(
    ...thrownInto(outline, spanOf(outline) * 0.06, of).map((at) => glow(at, 1.4, palette.ink, [0.26, 0])),
  );
  const { from, to, wide } = spineOf(outline);
  const [angle, at] = [Math.atan2(to[1] - from[1], to[0] - from[0]), between(from, to, 0.5)];
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const put = ([u, v]: Place): Place => [at[0] + u * c - v * s, at[1] + u * s + v * c];
  const long = away(from, to);
  const lots = lotsOf({ x: -long / 2 + 0.4, y: -wide / 2 + 0.4, wide: long - 0.8, high: wide - 0.8 }, of, streets);
  // The number of standing houses is fixed, because a town of ruins alone would look like a floor plan.
  const ranks = lots.map((_, i) => ({ i, by: of() })).sort((a, b) => a.by - b.by);
  const whole = new Set(ranks.slice(0, Math.round(lots.length * standing)).map(({ i }) => i));
  for (const [i, lot] of lots.entries()) {
    const { x, y, wide: w, high: h } = lot;
    const rect = rectangle(x, y, w, h).map(put);
    const middle = put([x + w / 2, y + h / 2]);
    if (!rect.every((p) => depth(outline, p[0], p[1]) > -0.3)) {
      if (depth(outline, middle[0], middle[1]) > 0.6) heap(middle[0], middle[1], Math.min(w, h) * 0.36, 16, of, plan);
      continue;
    }
    const what = of();
    const tint = palette.roofs[Math.floor(of() * 3)] as string;
    if (whole.has(i)) {
      const small = rectangle(x + 0.15, y + 0.15, w - 0.3, h - 0.3).map(put);
      plan.shade(small, 1.5);
      roof(small, { tint, hip: of() < 0.3 ? 0.2 : 0, holes: of() < 0.45, chimney: Math.min(w, h) > 2 }, of, plan);
    } else if (what < 0.16) {
      heap(middle[0], middle[1], Math.min(w, h) * 0.46, 34, of, plan);
      wallAlong(
        [put([x, y + h]), put([x, y]), put([x + w * 0.5, y])],
        0.36,
        0.8,
        [palette.stone[0], palette.stone[1], palette.wallTop],
        0.06,
        of,
        plan,
      );
    } else {
      shell(lot, put, of, plan);
      if (what > 0.55) halfRoof(lot, tint, put, of, plan);
    }
  }
  plan.edges.push({ outline, dashes: [9, 3] });
}

/** Draw a quarter of a town after a war: streets between ruins, with every second house still standing. */
export const builtUp: Look = (piece, plan) => ruinsOn(piece.outline, piece.seed, chanceOf(piece), plan, 0.5, true);

/** Draw one or two houses of which only the walls are left. */
export const ruins: Look = (piece, plan) => ruinsOn(piece.outline, piece.seed, chanceOf(piece), plan, 0.25, false);

/** Draw a crater of a shell. */
export const crater: Look = (piece, plan) => {
  const { palette, sun } = plan;
  const of = chanceOf(piece);
  const at = middleOf(piece.outline);
  const box = boxOf(piece.outline);
  const radius = Math.min(box[2] - box[0], box[3] - box[1]) / 2;
  plan.bare.push(piece.outline);
  plan.floor(piece.outline, mix(palette.earth, palette.pit, 0.3), 0.9, hash(piece.seed) & 999);
  const thrown: number[] = [];
  for (let i = 0; i < 60; i++) {
    const angle = of() * Math.PI * 2;
    const far = radius * (0.5 + of() * 0.5);
    thrown.push(at[0] + Math.cos(angle) * far, at[1] + Math.sin(angle) * far, 0.05 + of() * 0.14);
  }
  const bowl = sized(piece.outline, 0.62);
  plan.bodies.push(
    dots(thrown, lit(palette.earth, -0.4), 0.8),
    fill([sized(piece.outline, 0.72)], mix(palette.earth, palette.dust, 0.4)),
    fill([bowl], mix(palette.pit, palette.earth, 0.45)),
  );
  plan.bodies.push(
    within(bowl, [
      { op: "hollow", outline: bowl, by: [sun.cast[0] * 0.5, sun.cast[1] * 0.5], colour: palette.shadow, alpha: 0.6 },
    ]),
  );
  plan.edges.push({ outline: piece.outline, dashes: [1.2, 4] });
};
