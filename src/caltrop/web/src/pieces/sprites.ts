/**
 * Drawings that are made once for a page and shared: each is one element that others refer to. Because the light comes
 * from one side, a drawing is made for each of sixteen headings; the remaining angle is turned.
 */
import { Pen, tint, type Mark, type Pt } from "./draw";
import { FIGHTERS } from "./fighters";
import { shadeOfGunship, tray } from "./hulls";
import { PAPER, SHADE, SLATE } from "./paints";
import { body, carcass, wreck } from "./remains";
import { isOnTwoLegs, palette, rimOf, SHELF, type Dress } from "./shelf";

const NAMESPACE = "http://www.w3.org/2000/svg";
export const STEPS = 16;
const STEP = 360 / STEPS;

const made = new Set<string>();
let shelf: SVGDefsElement | null = null;

function place(): SVGDefsElement {
  if (shelf !== null && shelf.isConnected) return shelf;
  const svg = document.createElementNS(NAMESPACE, "svg");
  svg.setAttribute("aria-hidden", "true");
  svg.setAttribute("width", "0");
  svg.setAttribute("height", "0");
  svg.style.position = "absolute";
  shelf = svg.appendChild(document.createElementNS(NAMESPACE, "defs"));
  document.body.append(svg);
  made.clear();
  return shelf;
}

function element(mark: Mark): SVGPathElement {
  const path = document.createElementNS(NAMESPACE, "path");
  path.setAttribute("d", mark.d);
  path.setAttribute("fill", mark.fill ?? "none");
  if (mark.stroke !== undefined) {
    path.setAttribute("stroke", mark.stroke);
    path.setAttribute("stroke-width", String(Math.round((mark.width ?? 1) * 100) / 100));
  }
  if (mark.opacity !== undefined) path.setAttribute("opacity", String(mark.opacity));
  return path;
}

/** Return a reference to a drawing by its name, making the drawing if needed. */
function drawn(name: string, size: number, draw: () => readonly Mark[]): string {
  const id = `piece-${name}`;
  const defs = place();
  if (!made.has(id)) {
    made.add(id);
    const group = document.createElementNS(NAMESPACE, "g");
    group.id = id;
    group.setAttribute("stroke-linejoin", "round");
    group.setAttribute("stroke-linecap", "round");
    if (size !== 1) group.setAttribute("transform", `scale(${size})`);
    group.append(...draw().map(element));
    defs.append(group);
  }
  return `#${id}`;
}

/** Return one of sixteen headings, and the remaining rotation in degrees. */
export interface Heading {
  step: number;
  rest: number;
}

export function headingOf(degrees: number): Heading {
  const step = Math.round(degrees / STEP);
  return { step: ((step % STEPS) + STEPS) % STEPS, rest: Math.round((degrees - step * STEP) * 10) / 10 };
}

/**
 * Return the nearest heading that has a drawing. A unit that is moved as a whole is not turned with every movement of
 * the pointer.
 */
export const stepped = (degrees: number): number => Math.round(degrees / STEP) * STEP;

const pen = (step: number): Pen => new Pen((step * STEP * Math.PI) / 180);

/** Return the drawing of a body or a turret at a heading, detailed or simple. */
export function bodyOf(dress: Dress, part: "body" | "turret", near: boolean, step: number): string {
  const figure = SHELF[dress.look];
  return drawn(`${dress.look}-${dress.colours}-${part}-${near ? "near" : "far"}-${step}`, figure.size, () => {
    const own = pen(step);
    const detail = part === "turret" ? figure.turret : figure;
    (near ? detail?.near : detail?.far)?.(own, palette(dress.colours));
    return own.marks;
  });
}

/** Return remains of a model at a heading. *way* selects one of `WAYS_TO_LIE` drawings. */
export function remainsOf(dress: Dress, step: number, way: number): string {
  const figure = SHELF[dress.look];
  return drawn(
    `${dress.look}-${dress.colours}-fell-${way}-${step}`,
    figure.living && isOnTwoLegs(dress.look) ? 1.1 : figure.size,
    () => {
      const own = pen(step);
      const paint = palette(dress.colours);
      if (isOnTwoLegs(dress.look))
        body(own, paint, way, dress.look in FIGHTERS, dress.look === "stand" || dress.look === "stand-heavy");
      else if (figure.living) carcass(own, figure, paint, way);
      else {
        const turret = pen(step + 2 + way);
        wreck(own, turret, figure, paint, way);
        own.marks.push(...turret.marks);
      }
      return own.marks;
    },
  );
}

/** Return the shadow of a flyer. */
export function shadeOf(step: number): string {
  return drawn(`shade-${step}`, 1, () => {
    const own = pen(step);
    shadeOfGunship(own);
    return own.marks;
  });
}

/** Outlines of round bases: a disc, a disc with four teeth, and a disc with four flat sides. */
export function rim(shape: string, r = 10): string {
  if (shape === "circle") return `M${r} 0A${r} ${r} 0 1 1 ${-r} 0A${r} ${r} 0 1 1 ${r} 0Z`;
  const corner: readonly Pt[] =
    shape === "diamond"
      ? [
          [r * 0.955, -r * 0.3],
          [r * 1.24, 0],
          [r * 0.955, r * 0.3],
        ]
      : [
          [r * 0.9, -r * 0.44],
          [r * 0.9, r * 0.44],
        ];
  const turned = (k: number): string => {
    const at = ([x, y]: Pt): string =>
      [
        [x, y],
        [-y, x],
        [-x, -y],
        [y, -x],
      ][k]
        ?.map((v) => Math.round(v * 100) / 100)
        .join(" ") ?? "";
    const first = corner[0] ?? [r, 0];
    return (
      (k === 0 ? "M" : `A${r} ${r} 0 0 1 `) +
      corner.map(at).join("L") +
      (k === 3 ? `A${r} ${r} 0 0 1 ${first.join(" ")}Z` : "")
    );
  };
  return [0, 1, 2, 3].map(turned).join("");
}

function arc(r: number): string {
  const [a, b] = [r * 0.98, r * 0.23];
  return `M${-a} ${b}A${r} ${r} 0 0 1 ${b} ${-a}`;
}

/** Draw the base of a model: a bevelled rim around a pale top, or a slate top for pinned and prone models. */
export function baseOf(shape: string, side: number | null, near: boolean, low = false): string {
  const rims = rimOf(side);
  const colours = low ? { ...rims, top: SLATE } : rims;
  return drawn(`base-${shape}-${side ?? "none"}-${near ? "near" : "far"}${low ? "-low" : ""}`, 1, () => {
    const d = rim(shape);
    const moved = (dx: number, dy: number): string => offset(shape, dx, dy);
    const disc = (r: number): string => rim("circle", r);
    if (!near)
      return [
        { d: moved(1.5, 1.35), fill: SHADE, opacity: 0.4 },
        { d, fill: colours.rim, stroke: colours.deep, width: 1.1 },
        { d: disc(7.9), fill: tint(colours.top, 0.35) },
      ];
    return [
      { d: moved(1.2, 1.1), fill: SHADE, opacity: 0.34 },
      { d: moved(0.5, 0.5), fill: colours.deep },
      { d, fill: colours.rim },
      { d: arc(9.3), stroke: colours.lit, width: 0.9 },
      { d: disc(8), fill: colours.top },
      { d: arc(7.7), stroke: SHADE, width: 0.8, opacity: 0.22 },
    ];
  });
}

/** Return a rim's outline, shifted. */
function offset(shape: string, dx: number, dy: number): string {
  // A shift changes no radius of an arc, only the ends of the path.
  return rim(shape).replace(
    /([ML]|A[\d.]+ [\d.]+ 0 [01] 1 )(-?[\d.]+) (-?[\d.]+)/g,
    (_, how: string, x: string, y: string) =>
      `${how}${Math.round((Number(x) + dx) * 100) / 100} ${Math.round((Number(y) + dy) * 100) / 100}`,
  );
}

/** Draw the tray of a hull, 20 by 10. Its outline is that of the rules, and its front edge is white. */
export function trayOf(shape: string, side: number | null, step: number): string {
  const colours = rimOf(side);
  return drawn(`tray-${shape}-${side ?? "none"}-${step}`, 1, () => {
    const own = pen(step);
    const outline = tray(shape);
    own.cast(outline, 0.9, 0.42).cast(outline, 0.35, 1);
    const under = own.marks.at(-1);
    if (under !== undefined) under.fill = colours.deep;
    own.poly(outline, colours.rim, 0.3, colours.deep).poly(tray(shape, -1.3), colours.top);
    own.lines(
      [
        [
          [9.35, -3.2],
          [9.35, 3.2],
        ],
      ],
      1,
      PAPER,
    );
    return own.marks;
  });
}
