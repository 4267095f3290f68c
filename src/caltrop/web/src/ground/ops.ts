/** The elements of a plan: shapes as plain data, in look units, in painting order. */
import { mix } from "../painting/colour.ts";
import type { Three } from "./lands.ts";
import { boxOf, middleOf, moved, turning, type Box, type Outline, type Place } from "./shapes.ts";

/** The direction of the light, and the screen's upward direction, as seen from the table. */
export interface Sun {
  /** Direction towards the light. */
  readonly light: Place;
  /** Offset of the shadow of a thing of height 1. */
  readonly cast: Place;
  /** -1 if upwards on the screen is upwards in the plan. */
  readonly up: -1 | 1;
}

export function sunFor(turned: boolean): Sun {
  return turned
    ? { light: [0.76, 0.65], cast: [-0.92, -0.78], up: 1 }
    : { light: [-0.76, -0.65], cast: [0.92, 0.78], up: -1 };
}

interface Boxed {
  /** The area that the layer covers, computed once when the plan is ready. Elements outside the picture are not
   * painted. */
  box?: Box;
}

export interface Fill extends Boxed {
  readonly op: "fill";
  /** All outlines of a layer are filled together, so that overlaps are painted once. */
  readonly shapes: readonly Outline[];
  readonly colour: string;
  readonly alpha: number;
}

export interface Stroke extends Boxed {
  readonly op: "line";
  readonly lines: readonly Outline[];
  readonly closed: boolean;
  readonly colour: string;
  readonly alpha: number;
  readonly width: number;
  readonly dashes?: readonly number[];
  /** Width in pixels below which the line does not become thinner. */
  readonly least?: number;
}

export interface Dots extends Boxed {
  readonly op: "dots";
  /** x, y and radius of each dot, one after the other. */
  readonly at: readonly number[];
  readonly colour: string;
  readonly alpha: number;
}

export interface Ovals extends Boxed {
  readonly op: "ovals";
  /** x, y, half the width, half the height and the rotation of each ellipse, one after the other. */
  readonly at: readonly number[];
  readonly colour: string;
  readonly alpha: number;
}

export interface Within extends Boxed {
  readonly op: "within";
  readonly outline: Outline;
  readonly ops: readonly Op[];
}

export interface Glow extends Boxed {
  readonly op: "glow";
  readonly at: Place;
  readonly radius: number;
  readonly colour: string;
  /** Opacity from the middle to the rim, at equal distances. */
  readonly alphas: readonly number[];
}

export interface Sweep extends Boxed {
  readonly op: "sweep";
  readonly outline: Outline;
  readonly from: Place;
  readonly to: Place;
  readonly colours: readonly string[];
}

/** The shadow that the rim of a hollow throws into the hollow. */
export interface Hollow extends Boxed {
  readonly op: "hollow";
  readonly outline: Outline;
  readonly by: Place;
  readonly colour: string;
  readonly alpha: number;
}

export type Op = Fill | Stroke | Dots | Ovals | Within | Glow | Sweep | Hollow;

/** A tree top or a bush: its sprite, its place and its height. */
export interface Crown {
  readonly at: Place;
  readonly sprite: number;
  readonly height: number;
}

/** An edge that matters to the rules, as a line of map ink. */
export interface Edge {
  readonly outline: Outline;
  /** Lengths of dashes and gaps in pixels; empty for a solid line. */
  readonly dashes: readonly number[];
}

export const fill = (shapes: readonly Outline[], colour: string, alpha = 1): Fill => ({
  op: "fill",
  shapes,
  colour,
  alpha,
});
export const dots = (at: readonly number[], colour: string, alpha = 1): Dots => ({ op: "dots", at, colour, alpha });
export const ovals = (at: readonly number[], colour: string, alpha = 1): Ovals => ({ op: "ovals", at, colour, alpha });
export const within = (outline: Outline, ops: readonly Op[]): Within => ({ op: "within", outline, ops });
export const glow = (at: Place, radius: number, colour: string, alphas: readonly number[]): Glow => ({
  op: "glow",
  at,
  radius,
  colour,
  alphas,
});

export function line(
  lines: readonly Outline[],
  width: number,
  colour: string,
  alpha = 1,
  more: Partial<Pick<Stroke, "closed" | "dashes" | "least">> = {},
): Stroke {
  return { op: "line", lines, width, colour, alpha, closed: false, ...more };
}

/** The shadow of a prism: its outline swept along the light. */
export function shadowOf(outline: Outline, height: number, sun: Sun): Outline[] {
  const [dx, dy] = [sun.cast[0] * height, sun.cast[1] * height];
  const round = turning(outline) < 0 ? [...outline].reverse() : outline;
  const sides = round.map((a, i): Outline => {
    const b = round[(i + 1) % round.length] as Place;
    const side: Place[] = [a, b, [b[0] + dx, b[1] + dy], [a[0] + dx, a[1] + dy]];
    return turning(side) < 0 ? side.reverse() : side;
  });
  return [round, ...sides, moved(round, dx, dy)];
}

/** Return how much a face with this direction is lit, from -1 to 1. */
export function facing(sun: Sun, x: number, y: number): number {
  return (x * sun.light[0] + y * sun.light[1]) / (Math.hypot(x, y) || 1);
}

/** A stone or block, with sides shaded in seven tones by their direction. */
export function bevel(outline: Outline, inner: number, colours: Three, sun: Sun): Op[] {
  const at = middleOf(outline);
  const top = outline.map(([x, y]): Place => [
    at[0] + (x - at[0]) * inner + sun.light[0] * 0.06,
    at[1] + (y - at[1]) * inner + sun.light[1] * 0.06,
  ]);
  const facets = new Map<number, Outline[]>();
  outline.forEach((a, i) => {
    const j = (i + 1) % outline.length;
    const b = outline[j] as Place;
    const tone = Math.round(facing(sun, (a[0] + b[0]) / 2 - at[0], (a[1] + b[1]) / 2 - at[1]) * 3);
    facets.set(tone, [...(facets.get(tone) ?? []), [a, b, top[j] as Place, top[i] as Place]]);
  });
  const sides = [...facets].map(([tone, shapes]) => {
    const t = tone / 6 + 0.5;
    return fill(shapes, t < 0.5 ? mix(colours[0], colours[1], t * 2) : mix(colours[1], colours[2], t * 2 - 1));
  });
  return [...sides, fill([top], mix(colours[1], colours[2], 0.45))];
}

/** A soft band along a line. */
export function band(path: Outline, width: number, colour: string, alpha: number): Stroke {
  return line([path], width, colour, alpha);
}

/** Return the box that an element covers. */
export function covers(op: Op): Box {
  switch (op.op) {
    case "fill":
      return boxOf(op.shapes.flat(), 0.1);
    case "line":
      return boxOf(op.lines.flat(), op.width);
    case "dots":
      return around(op.at, 3);
    case "ovals":
      return around(op.at, 5);
    case "glow":
      return boxOf([op.at], op.radius);
    default:
      return boxOf(op.outline, 0.1);
  }
}

function around(at: readonly number[], stride: number): Box {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < at.length; i += stride) {
    const [x, y, r] = [at[i] as number, at[i + 1] as number, at[i + 2] as number];
    left = Math.min(left, x - r);
    top = Math.min(top, y - r);
    right = Math.max(right, x + r);
    bottom = Math.max(bottom, y + r);
  }
  return [left, top, right, bottom];
}
