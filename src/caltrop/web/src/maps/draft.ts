/**
 * A draft of a scenario as plain data, with its schema. The schema marks things on the table with `x-drawn`
 * (`caltrop.scenarios.forms`), so this code knows no game.
 */
import { labelOf } from "../lib/schema";

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type Draft = { [key: string]: Json };
export type Path = readonly (string | number)[];

export interface Node {
  $ref?: string;
  $defs?: Record<string, Node>;
  "x-drawn"?: string;
  type?: string;
  title?: string;
  description?: string;
  enum?: Json[];
  examples?: string[];
  anyOf?: Node[];
  properties?: Record<string, Node>;
  additionalProperties?: Node | boolean;
  required?: string[];
  items?: Node | false;
  prefixItems?: Node[];
  default?: Json;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  maxLength?: number;
}

export const sameJson = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
export const isObject = (value: Json | undefined): value is { [key: string]: Json } =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function shapeOf(value: Json | undefined): string {
  if (value === null || value === undefined) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value === "object"
    ? "object"
    : typeof value === "string"
      ? "string"
      : typeof value === "boolean"
        ? "boolean"
        : "number";
}

/**
 * Return the part of a schema that describes a value. References are followed, and of several forms the fitting one is
 * used.
 */
export function nodeFor(root: Node, node: Node, value: Json | undefined): Node {
  const target = resolved(root, node);
  if (target.anyOf === undefined) return target;
  const shape = shapeOf(value);
  const forms = target.anyOf.map((one) => resolved(root, one));
  const fits = (one: Node): boolean => (one.type === "integer" ? "number" : (one.type ?? "string")) === shape;
  const form = forms.find(fits);
  return form === undefined ? {} : { ...form, ...marksOf(target) };
}

function resolved(root: Node, node: Node): Node {
  const name = node.$ref?.split("/").at(-1);
  return name === undefined ? node : { ...root.$defs?.[name], ...marksOf(node) };
}

function marksOf(node: Node): Node {
  return {
    ...(node["x-drawn"] === undefined ? {} : { "x-drawn": node["x-drawn"] }),
    ...(node.description === undefined ? {} : { description: node.description }),
    ...(node.default === undefined ? {} : { default: node.default }),
  };
}

/** Return the schema of the value itself, if the value may also be null. */
export function formOf(root: Node, node: Node): Node {
  const target = resolved(root, node);
  if (target.anyOf === undefined) return target;
  const forms = target.anyOf.map((one) => resolved(root, one)).filter((one) => one.type !== "null");
  return { ...(forms.find((one) => one.type === "array" || one.type === "object") ?? forms[0]), ...marksOf(target) };
}

export const mayBeNull = (node: Node): boolean => node.anyOf?.some((one) => one.type === "null") ?? false;

/** Return the keys of a value with their schemas, those with a value first and then those without. */
export function fieldsOf(root: Node, node: Node): { key: string; node: Node; required: boolean }[] {
  const form = formOf(root, node);
  return Object.entries(form.properties ?? {}).map(([key, inner]) => ({
    key,
    node: inner,
    required: form.required?.includes(key) ?? false,
  }));
}

/** A value of a draft that has a place on the table. */
export interface Part {
  path: Path;
  role: string;
  value: Json;
}

/** Return every marked value of a draft, outer values first. */
export function partsOf(root: Node, value: Json, node: Node = root, path: Path = []): Part[] {
  const at = nodeFor(root, node, value);
  const own = at["x-drawn"] === undefined ? [] : [{ path, role: at["x-drawn"], value }];
  if (Array.isArray(value)) {
    return [
      ...own,
      ...value.flatMap((inner, i) => {
        const form = at.prefixItems?.[i] ?? at.items;
        return form === undefined || form === false ? [] : partsOf(root, inner, form, [...path, i]);
      }),
    ];
  }
  if (!isObject(value)) return own;
  return [
    ...own,
    ...Object.entries(value).flatMap(([key, inner]) => {
      const form =
        at.properties?.[key] ?? (typeof at.additionalProperties === "object" ? at.additionalProperties : undefined);
      return form === undefined ? [] : partsOf(root, inner, form, [...path, key]);
    }),
  ];
}

/** Return the schema of the value at a path of a draft. */
export function nodeAt(root: Node, draft: Json, path: Path): Node {
  let node = root;
  let value: Json | undefined = draft;
  for (const key of path) {
    const at = value === undefined ? formOf(root, node) : nodeFor(root, node, value);
    const inner: Node | false | undefined =
      typeof key === "number"
        ? (at.prefixItems?.[key] ?? at.items)
        : (at.properties?.[key] ?? (typeof at.additionalProperties === "object" ? at.additionalProperties : undefined));
    node = inner === false || inner === undefined ? {} : inner;
    value = valueAt(value, [key]);
  }
  return node;
}

export function valueAt(value: Json | undefined, path: Path): Json | undefined {
  let part: Json | undefined = value;
  for (const key of path) {
    if (Array.isArray(part) && typeof key === "number") part = part[key];
    else if (isObject(part) && typeof key === "string" && Object.hasOwn(part, key)) part = part[key];
    else return undefined;
  }
  return part;
}

/** Return a copy with another value at a path; undefined removes it. */
export function withValue(value: Json | undefined, path: Path, next: Json | undefined): Json {
  const [key, ...rest] = path;
  if (key === undefined) return next ?? null;
  if (typeof key === "number") {
    const list = Array.isArray(value) ? [...value] : [];
    if (rest.length === 0 && next === undefined) list.splice(key, 1);
    else list[key] = withValue(list[key], rest, next);
    return list;
  }
  const object = isObject(value) ? { ...value } : {};
  if (rest.length === 0 && next === undefined) delete object[key];
  else object[key] = withValue(object[key], rest, next);
  return object;
}

export const startsWith = (path: Path, head: Path): boolean => head.every((key, i) => path[i] === key);
export const samePath = (a: Path, b: Path): boolean => a.length === b.length && startsWith(a, b);

/** Return the smallest value that a schema allows. */
export function emptyOf(root: Node, node: Node, at: readonly [number, number]): Json {
  const form = formOf(root, node);
  if (form.default !== undefined && form.default !== null) return form.default;
  if (form["x-drawn"] === "place") return [...at];
  if (form["x-drawn"] === "disc") return [...at, 1];
  if (form.enum !== undefined) return form.enum[0] ?? null;
  if (form.prefixItems !== undefined) return form.prefixItems.map((inner) => emptyOf(root, inner, at));
  if (form.type === "array") return [];
  if (form.type === "integer" || form.type === "number") return Math.max(form.minimum ?? 0, 0);
  if (form.type === "boolean") return false;
  if (form.type === "string") return form.examples?.[0] ?? "New";
  const made: { [key: string]: Json } = {};
  for (const { key, node: inner, required } of fieldsOf(root, node)) if (required) made[key] = emptyOf(root, inner, at);
  return made;
}

/** Return a name that no other item of a list has. */
export function freeName(name: string, taken: readonly (Json | undefined)[]): string {
  if (!taken.includes(name)) return name;
  const stem = name.replace(/ \d+$/, "").slice(0, 36);
  for (let number = 2; ; number++) if (!taken.includes(`${stem} ${number}`)) return `${stem} ${number}`;
}

/** Return a path in words: `Terrain 4, Outline`. */
export function pathWords(path: Path): string {
  const words: string[] = [];
  for (const key of path) {
    if (typeof key === "number" && words.length > 0) words[words.length - 1] += ` ${key + 1}`;
    else words.push(typeof key === "number" ? String(key + 1) : labelOf(key));
  }
  return words.join(", ");
}
