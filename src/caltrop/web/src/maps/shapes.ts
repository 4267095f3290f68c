/** Everything on a table of a draft, as shapes that can be pressed, moved, turned and reshaped. */
import type { Picture, Point } from "../wire/types";
import { fieldsOf, isObject, nodeAt, nodeFor, partsOf, startsWith, valueAt, withValue } from "./draft";
import type { Draft, Json, Node, Part, Path } from "./draft";

/** A value with a place: a polygon, a line, a circle or a point, in the game's own unit. */
export interface Thing {
  /** Path of the shape, and the path of the list item that it belongs to. */
  path: Path;
  item: Path;
  role: string;
  points: Point[];
  /** Of a circle. */
  radius: number;
  /** Path of the radius, if that is stored beside the place. */
  radiusPath: Path | null;
  /** Edge along which a zone lies; empty for other things. */
  edge: string;
  /** Path of the word for that edge, if it can be chosen. */
  edgePath: Path | null;
  /** Path of a text that describes the numbers. It is removed when they change. */
  words: Path | null;
  /** Kind of ground of the shape; empty for other things. */
  kind: string;
  name: string;
}

const SHAPES = new Set(["box", "outline", "line", "disc", "place"]);

const numbers = (value: Json | undefined): number[] =>
  Array.isArray(value) ? value.filter((one): one is number => typeof one === "number") : [];
const pointOf = (value: Json | undefined): Point => [numbers(value)[0] ?? 0, numbers(value)[1] ?? 0];

/** Return everything on a measured table of a size. Zones come first, under everything else. */
export function thingsOf(root: Node, draft: Draft, size: readonly [number, number]): Thing[] {
  const found: Thing[] = [];
  for (const part of partsOf(root, draft)) {
    if (!SHAPES.has(part.role) || found.some((thing) => startsWith(part.path, thing.path))) continue;
    found.push(thingOf(root, draft, part));
  }
  return [...zonesOf(root, draft, size), ...found];
}

/** Return the unique key of a thing. A depth that holds for two edges makes two things. */
export const keyOf = (thing: Thing): string => `${JSON.stringify(thing.path)} ${thing.edge}`;

/** Return whether a thing is a zone from edge to edge. */
export const isZone = (thing: Thing): boolean => thing.role === "rows" || thing.role === "depth";

const EDGES = ["south", "north", "west", "east"];

/** Return the zones from edge to edge: bands of rows, and zones with a depth along an edge. */
function zonesOf(root: Node, draft: Draft, size: readonly [number, number]): Thing[] {
  const [w, h] = size;
  const zone = { item: [] as Path, radius: 0, radiusPath: null, kind: "", name: "" };
  const found: Thing[] = [];
  const walk = (value: Json, path: Path): void => {
    if (Array.isArray(value)) value.forEach((one, i) => walk(one, [...path, i]));
    if (!isObject(value)) return;
    const fields = fieldsOf(root, nodeAt(root, draft, path)).map((field) => ({ ...field, role: roleOf(field.node) }));
    const said = fields.find((field) => field.role === "words" && !field.required);
    const words = said !== undefined && value[said.key] !== undefined ? said.key : undefined;
    const base = { ...zone, words: words === undefined ? null : [...path, words] };
    const edgeKey = fields.find((field) => field.role === "edge")?.key;
    for (const { key, node, role } of fields) {
      const number = value[key] ?? node.default;
      const at = [...path, key];
      const item = path.length > 0 ? itemOf(path) : at;
      if (role === "rows" && numbers(value[key]).length === 2) {
        const [a = 0, b = 0] = numbers(value[key]);
        const points: Point[] = [
          [0, a],
          [w, a],
          [w, b],
          [0, b],
        ];
        found.push({ ...base, path: at, item, role, edge: "", edgePath: null, points });
      } else if (role === "depth" && typeof number === "number") {
        const edges = edgeKey === undefined ? EDGES.slice(0, 2) : [value[edgeKey]];
        for (const edge of edges) {
          if (typeof edge !== "string" || !EDGES.includes(edge)) continue;
          const edgePath = edgeKey === undefined ? null : [...path, edgeKey];
          found.push({ ...base, path: at, item, role, edge, edgePath, points: along(edge, number, w, h) });
        }
      }
    }
    for (const [key, inner] of Object.entries(value)) walk(inner, [...path, key]);
  };
  walk(draft, []);
  return found;
}

function roleOf(node: Node): string {
  return node["x-drawn"] ?? node.anyOf?.find((one) => one["x-drawn"] !== undefined)?.["x-drawn"] ?? "";
}

function along(edge: string, depth: number, w: number, h: number): Point[] {
  const boxes: Readonly<Record<string, readonly [number, number, number, number]>> = {
    south: [0, 0, w, depth],
    north: [0, h - depth, w, h],
    west: [0, 0, depth, h],
    east: [w - depth, 0, w, h],
  };
  const [x0, y0, x1, y1] = boxes[edge] ?? [0, 0, w, h];
  return [
    [x0, y0],
    [x1, y0],
    [x1, y1],
    [x0, y1],
  ];
}

/** Return the places at which a thing can be gripped to change its form. */
export function handlesOf(thing: Thing): Point[] {
  if (!isZone(thing)) return thing.points;
  const [a = [0, 0], , c = [0, 0]] = thing.points;
  const [x, y] = [(a[0] + c[0]) / 2, (a[1] + c[1]) / 2];
  const lines: Record<string, Point> = { south: [x, c[1]], north: [x, a[1]], west: [c[0], y], east: [a[0], y] };
  return thing.role === "depth"
    ? [lines[thing.edge] ?? [x, y]]
    : [
        [x, a[1]],
        [x, c[1]],
      ];
}

/**
 * Return the path of the list item that contains a path, which can be copied or deleted; the path itself if it is in no
 * list.
 */
export function itemOf(path: Path): Path {
  const last = path.findLastIndex((key) => typeof key === "number");
  return last < 0 ? path : path.slice(0, last + 1);
}

function thingOf(root: Node, draft: Draft, part: Part): Thing {
  const { path, role, value } = part;
  const item = itemOf(path);
  const inItem = valueAt(draft, item);
  let [kind, name] = ["", ""];
  for (const one of partsOf(root, draft)) {
    if (!startsWith(one.path, item) || typeof one.value !== "string") continue;
    if (one.role === "ground") kind = one.value;
    if (one.role === "name") name = one.value;
  }
  if (name === "" && isObject(inItem) && typeof inItem["name"] === "string") name = inItem["name"];
  // Return one of several places of a named thing.
  for (let end = item.length - 1; name === "" && end > 1; end--) {
    const around = valueAt(draft, item.slice(0, end));
    if (isObject(around) && typeof around["name"] === "string") name = `${around["name"]} ${Number(item.at(-1)) + 1}`;
  }
  // A circle is a point beside a radius.
  const beside = valueAt(draft, path.slice(0, -1));
  const zone = role === "place" && isObject(beside) ? fieldsOf(root, nodeAt(root, draft, path.slice(0, -1))) : [];
  const reach = zone.find((field) => roleOf(field.node) === "reach");
  const inCircle =
    path.at(-2) === "circle" && role === "place" && isObject(beside) && typeof beside["radius"] === "number";
  const radiusKey = inCircle ? "radius" : reach?.key;
  const said = radiusKey === undefined || !isObject(beside) ? undefined : (beside[radiusKey] ?? reach?.node.default);
  const radius = role === "disc" ? (numbers(value)[2] ?? 1) : typeof said === "number" ? said : 0;
  const text = zone.find((field) => roleOf(field.node) === "words" && !field.required);
  const described = reach !== undefined && text !== undefined && isObject(beside) && beside[text.key] !== undefined;
  const near = path.slice(0, -1);
  const radiusPath = radiusKey === undefined ? null : [...near, radiusKey];
  const words = described ? [...near, text.key] : null;
  const points = pointsOf(role, value);
  return { path, item, role, points, radius, radiusPath, edge: "", edgePath: null, words, kind, name };
}

function pointsOf(role: string, value: Json): Point[] {
  if (role === "box") {
    const [a = 0, b = 0, c = 0, d = 0] = numbers(value);
    return [
      [a, b],
      [c, b],
      [c, d],
      [a, d],
    ];
  }
  if (role === "outline" || role === "line") return (Array.isArray(value) ? value : []).map(pointOf);
  return [pointOf(value)];
}

/** Return a number on the grid, without rounding errors. */
export function onGrid(value: number, step: number): number {
  return Math.round(Math.round(value / step) * step * 1000) / 1000;
}

/** Return the draft without a text that described the changed value. */
function retold(draft: Draft, thing: Thing): Draft {
  return thing.words === null ? draft : (withValue(draft, thing.words, undefined) as Draft);
}

/** Return the distance of a zone's inner line from its edge. */
const depthOf = (thing: Thing): number => {
  const [a = [0, 0], , c = [0, 0]] = thing.points;
  return thing.edge === "south" || thing.edge === "north" ? c[1] - a[1] : c[0] - a[0];
};

/** Direction from each edge to the table. */
const INWARDS: Readonly<Record<string, Point>> = { south: [0, 1], north: [0, -1], west: [1, 0], east: [-1, 0] };

/** Return the draft with a zone dragged: to another edge if that is nearer, otherwise to another depth. */
function carriedZone(draft: Draft, thing: Thing, dx: number, dy: number, size: readonly [number, number]): Draft {
  const [w, h] = size;
  const inwards = INWARDS[thing.edge] ?? [0, 0];
  if (thing.edgePath !== null) {
    const middle = middleOf(thing);
    const [x, y] = [middle[0] + dx, middle[1] + dy];
    const far: Readonly<Record<string, number>> = { south: y / h, north: 1 - y / h, west: x / w, east: 1 - x / w };
    const nearest = EDGES.reduce((best, one) => ((far[one] ?? 1) < (far[best] ?? 1) ? one : best), thing.edge);
    if (nearest !== thing.edge) return withValue(retold(draft, thing), thing.edgePath, nearest) as Draft;
  }
  const depth = tidy(clamp(depthOf(thing) + dx * inwards[0] + dy * inwards[1], 1, inwards[0] === 0 ? h : w));
  return withValue(retold(draft, thing), thing.path, depth) as Draft;
}

/** Return the draft with a thing moved. */
export function moved(draft: Draft, thing: Thing, dx: number, dy: number, size: readonly [number, number]): Draft {
  if (thing.role === "depth") return carriedZone(draft, thing, dx, dy, size);
  const xs = thing.points.map((p) => p[0]);
  const ys = thing.points.map((p) => p[1]);
  // The thing stays on the table.
  const r = thing.radius;
  const by: Point = [
    clamp(dx, r - Math.min(...xs), size[0] - r - Math.max(...xs)),
    clamp(dy, r - Math.min(...ys), size[1] - r - Math.max(...ys)),
  ];
  const points = thing.points.map((p): Point => [tidy(p[0] + by[0]), tidy(p[1] + by[1])]);
  const next = by[0] === 0 && by[1] === 0 ? draft : retold(draft, thing);
  return withValue(next, thing.path, valueOf(thing, points, valueAt(draft, thing.path))) as Draft;
}
const tidy = (value: number): number => Math.round(value * 1000) / 1000;
const clamp = (value: number, low: number, high: number): number =>
  low > high ? 0 : Math.min(Math.max(value, low), high);

/** Return a shape's points in the form that its role has in the draft. */
export function valueOf(thing: Pick<Thing, "role">, points: readonly Point[], before: Json | undefined): Json {
  const first: Point = points[0] ?? [0, 0];
  if (thing.role === "box") {
    const xs = points.map((p) => p[0]);
    const ys = points.map((p) => p[1]);
    return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
  }
  if (thing.role === "rows") return [Math.min(...points.map((p) => p[1])), Math.max(...points.map((p) => p[1]))];
  if (thing.role === "outline" || thing.role === "line") return points.map((p) => [...p]);
  if (thing.role === "disc") return [...first, ...numbers(before).slice(2)];
  return [...first];
}

/** Return the draft with one corner of a thing moved. The opposite corner of a box stays. */
export function cornered(draft: Draft, thing: Thing, corner: number, at: Point): Draft {
  const points = thing.points.map((p): Point => [...p]);
  if (thing.role === "depth") {
    const before = handlesOf(thing)[0] ?? at;
    const inwards = INWARDS[thing.edge] ?? [0, 0];
    const [x, y] = [(at[0] - before[0]) * inwards[0], (at[1] - before[1]) * inwards[1]];
    const depth = tidy(Math.max(depthOf(thing) + x + y, 1));
    return withValue(retold(draft, thing), thing.path, depth) as Draft;
  }
  if (thing.role === "rows") {
    const [south, north] = handlesOf(thing).map((p) => p[1]) as [number, number];
    const ends = corner === 0 ? [at[1], north] : [south, at[1]];
    return withValue(retold(draft, thing), thing.path, [Math.min(...ends), Math.max(...ends)]) as Draft;
  }
  if (thing.role === "box") {
    const opposite = points[(corner + 2) % 4] ?? at;
    return withValue(draft, thing.path, valueOf(thing, [at, opposite], null)) as Draft;
  }
  points[corner] = at;
  return withValue(draft, thing.path, valueOf(thing, points, valueAt(draft, thing.path))) as Draft;
}

/** Return the draft with a circle that reaches a place. */
export function widened(draft: Draft, thing: Thing, at: Point, step: number): Draft {
  const centre = thing.points[0] ?? at;
  const radius = Math.max(onGrid(Math.hypot(at[0] - centre[0], at[1] - centre[1]), step), step);
  if (thing.role === "disc") return withValue(draft, [...thing.path, 2], radius) as Draft;
  return withValue(retold(draft, thing), thing.radiusPath ?? [...thing.path.slice(0, -1), "radius"], radius) as Draft;
}

/** Return the draft with one more corner, in the middle of a side. */
export function withCorner(draft: Draft, thing: Thing, side: number, step: number): Draft {
  const [a, b] = [thing.points[side], thing.points[(side + 1) % thing.points.length]];
  if (a === undefined || b === undefined) return draft;
  const points = [...thing.points];
  points.splice(side + 1, 0, [onGrid((a[0] + b[0]) / 2, step), onGrid((a[1] + b[1]) / 2, step)]);
  return withValue(draft, thing.path, valueOf(thing, points, null)) as Draft;
}

/** Return the draft with one corner less. */
export function withoutCorner(draft: Draft, thing: Thing, corner: number): Draft {
  if (thing.points.length <= 3) return draft;
  return withValue(
    draft,
    thing.path,
    valueOf(
      thing,
      thing.points.filter((_, i) => i !== corner),
      null,
    ),
  ) as Draft;
}

export const middleOf = (thing: Thing): Point => {
  const xs = thing.points.map((p) => p[0]);
  const ys = thing.points.map((p) => p[1]);
  return [(Math.min(...xs) + Math.max(...xs)) / 2, (Math.min(...ys) + Math.max(...ys)) / 2];
};

/**
 * Return the draft with a thing turned about its middle, or mirrored from left to right, on the grid and on the table.
 */
export function turned(
  root: Node,
  draft: Draft,
  thing: Thing,
  degrees: number | "mirror",
  step: number,
  size: readonly [number, number],
): Draft {
  const centre = middleOf(thing);
  const angle = degrees === "mirror" ? 0 : (degrees * Math.PI) / 180;
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const points = thing.points.map((p): Point => {
    const [x, y] = [p[0] - centre[0], p[1] - centre[1]];
    const at: Point = degrees === "mirror" ? [-x, y] : [x * c + y * s, y * c - x * s];
    return [onGrid(centre[0] + at[0], step), onGrid(centre[1] + at[1], step)];
  });
  const right = degrees === "mirror" || degrees % 90 === 0;
  const next =
    thing.role === "box" && !right
      ? asOutline(root, draft, thing, points)
      : (withValue(draft, thing.path, valueOf(thing, points, valueAt(draft, thing.path))) as Draft);
  const found = thingsOf(root, next, size).find(
    (one) => startsWith(one.item, thing.item) && one.item.length === thing.item.length,
  );
  return found === undefined ? next : moved(next, found, 0, 0, size);
}

/** A rotated rectangle is written by its corners, in a game that has outlines. */
function asOutline(root: Node, draft: Draft, thing: Thing, points: readonly Point[]): Draft {
  const item = valueAt(draft, thing.item);
  const key = keyIn(root, draft, thing.item, "outline");
  if (key === null || !isObject(item)) return draft;
  const rest = Object.fromEntries(Object.entries(item).filter(([name]) => name !== thing.path.at(-1)));
  return withValue(draft, thing.item, { ...rest, [key]: points.map((p) => [...p]) }) as Draft;
}

/** Return the key under which a list item has a value with a role. */
function keyIn(root: Node, draft: Draft, item: Path, role: string): string | null {
  let node = root;
  let value: Json = draft;
  for (const key of item) {
    const at = nodeFor(root, node, value);
    node = (
      typeof key === "number" ? (at.prefixItems?.[key] ?? (at.items || {})) : (at.properties?.[key] ?? {})
    ) as Node;
    value = valueAt(value, [key]) ?? null;
  }
  return roleKey(root, nodeFor(root, node, value), role);
}

/** Return the key of an object whose value has a role. */
export function roleKey(root: Node, object: Node, role: string): string | null {
  const found = Object.entries(object.properties ?? {}).find(([, node]) => roleOf(node) === role);
  void root;
  return found?.[0] ?? null;
}

/** Return a thing's outline in the units of the picture; a circle is a polygon. */
export function drawn(thing: Thing, scale: number, half = 0): Point[] {
  if (thing.radius > 0) {
    const [x, y] = thing.points[0] ?? [0, 0];
    return Array.from({ length: 40 }, (_, i): Point => [
      (x + thing.radius * Math.cos((i * Math.PI) / 20)) * scale,
      (y + thing.radius * Math.sin((i * Math.PI) / 20)) * scale,
    ]);
  }
  if (thing.role === "line" && thing.points.length === 2) {
    const [a, b] = thing.points as [Point, Point];
    const long = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1;
    const [nx, ny] = [(-(b[1] - a[1]) / long) * half, ((b[0] - a[0]) / long) * half];
    return [
      [a[0] * scale + nx, a[1] * scale + ny],
      [b[0] * scale + nx, b[1] * scale + ny],
      [b[0] * scale - nx, b[1] * scale - ny],
      [a[0] * scale - nx, a[1] * scale - ny],
    ];
  }
  return thing.points.map((p): Point => [p[0] * scale, p[1] * scale]);
}

/** The forms in which a game's pieces can be drawn, each with the key that contains it. */
export interface Form {
  form: "patch" | "block" | "disc" | "line";
  title: string;
}

/** A list of things on the table in a draft, and the parts of a new item. */
export interface Shelf {
  key: string;
  item: Node;
  /** True if its items are ground, whose kind is chosen. */
  isGround: boolean;
  forms: Form[];
}

/** Return the lists of things on a measured table, the ground first. */
export function shelvesOf(root: Node): Shelf[] {
  const top = nodeFor(root, root, {});
  const found: Shelf[] = [];
  for (const [key, node] of Object.entries(top.properties ?? {})) {
    const list = nodeFor(root, node, []);
    if (list["x-drawn"] !== "pieces" || list.type !== "array" || !list.items) continue;
    const item = nodeFor(root, list.items, list.items.$ref === undefined ? [] : {});
    const isDisc = item["x-drawn"] === "disc";
    const isGround = isDisc || roleKey(root, item, "ground") !== null;
    const forms: Form[] = [];
    if (roleKey(root, item, "outline") !== null) forms.push({ form: "patch", title: "Patch" });
    if (roleKey(root, item, "box") !== null) forms.push({ form: "block", title: "Rectangle" });
    if (isDisc || item.properties?.["circle"] !== undefined) forms.push({ form: "disc", title: "Circle" });
    if (roleKey(root, item, "line") !== null) forms.push({ form: "line", title: "Line" });
    found.push({ key, item: list.items, isGround, forms: isGround ? forms : [] });
  }
  return found.sort((a, b) => Number(b.isGround) - Number(a.isGround));
}

/** Return a piece of ground that is drawn from one place to another. */
export function pieceFrom(
  root: Node,
  shelf: Shelf,
  form: Form["form"],
  kind: string,
  name: string,
  from: Point,
  to: Point,
  step: number,
): Json {
  const item = nodeFor(root, shelf.item, shelf.item.$ref === undefined ? [] : {});
  const [x0, x1] = [Math.min(from[0], to[0]), Math.max(from[0], to[0])];
  const [y0, y1] = [Math.min(from[1], to[1]), Math.max(from[1], to[1])];
  const middle: Point = [onGrid((x0 + x1) / 2, step), onGrid((y0 + y1) / 2, step)];
  const radius = Math.max(onGrid(Math.min(x1 - x0, y1 - y0) / 2, step), step);
  if (item["x-drawn"] === "disc") return [...middle, radius];
  const made: { [key: string]: Json } = {
    [roleKey(root, item, "name") ?? "id"]: name,
    [roleKey(root, item, "ground") ?? "kind"]: kind,
  };
  if (form === "disc") made["circle"] = { at: [...middle], radius };
  else if (form === "line") made[roleKey(root, item, "line") ?? "line"] = [[...from], [...to]];
  else if (form === "block") made[roleKey(root, item, "box") ?? "box"] = [x0, y0, x1, y1];
  else made[roleKey(root, item, "outline") ?? "outline"] = patch(x0, y0, x1, y1, step).map((p) => [...p]);
  return made;
}

/** Distances of the corners of a patch from an ellipse, one after the other. */
const WOBBLE = [1, 0.86, 0.97, 0.88, 1, 0.9, 0.96, 0.85];

function patch(x0: number, y0: number, x1: number, y1: number, step: number): Point[] {
  const [cx, cy, rx, ry] = [(x0 + x1) / 2, (y0 + y1) / 2, (x1 - x0) / 2, (y1 - y0) / 2];
  const corners = WOBBLE.map((far, i): Point => {
    const angle = ((i + 0.5) * Math.PI) / 4;
    return [onGrid(cx + rx * far * Math.cos(angle) * 1.05, step), onGrid(cy + ry * far * Math.sin(angle) * 1.05, step)];
  });
  const within = corners.map((p): Point => [Math.min(Math.max(p[0], x0), x1), Math.min(Math.max(p[1], y0), y1)]);
  return within.filter((p, i) => p.join() !== within[(i + 1) % within.length]?.join());
}

/** Return the grid step of a game: whole units if lengths are whole numbers, otherwise halves. */
export function stepOf(root: Node): number {
  let halves = false;
  const walk = (node: Node): void => {
    if (node["x-drawn"] !== undefined && SHAPES.has(node["x-drawn"]) && JSON.stringify(node).includes('"number"'))
      halves = true;
    for (const inner of [
      ...Object.values(node.properties ?? {}),
      ...(node.anyOf ?? []),
      ...(node.prefixItems ?? []),
      ...(node.items ? [node.items] : []),
    ])
      walk(inner);
  };
  for (const node of Object.values(root.$defs ?? {})) walk(node);
  return halves ? 0.5 : 1;
}

/** Return the size of a draft's table in the game's own unit. */
export const sizeOf = (picture: Picture): [number, number] => [
  picture.width / picture.scale,
  picture.height / picture.scale,
];
