/** The fields of a request, read from its JSON Schema, and their form in the query of an address. */

export interface Schema {
  $ref?: string;
  $defs?: Record<string, Schema>;
  type?: string;
  enum?: (string | number)[];
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  default?: unknown;
  description?: string;
  minimum?: number;
  maximum?: number;
}

export type Value = string | number | boolean;

export interface Field {
  /** Place of the field, such as `attacker.kind`. */
  path: string;
  /** The object that it belongs to; empty for the request itself. */
  group: string;
  label: string;
  form: "choice" | "number" | "yes" | "text";
  /** The possible values of a choice. */
  values: (string | number)[];
  /** Default value of the field. */
  usual: Value | null;
  required: boolean;
  min?: number;
  max?: number;
}

/** Fields that requests of all games have: game, edition, house rules and dice. */
const COMMON = new Set(["ruleset", "edition", "rules", "dice"]);

/** Return the label of a field, made from its name. Short words without a vowel are abbreviations: `cqb` is "CQB". */
export function labelOf(name: string): string {
  const words = name
    .split(/[_-]/)
    .map((word) => (/^[^aeiouy]{2,4}$/.test(word) ? word.toUpperCase() : word))
    .join(" ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/**
 * Return the fields of a request, in the order of the schema. Lists are left out: they are thrown dice, and odds need
 * none.
 */
export function fieldsOf(schema: Schema): Field[] {
  const fields: Field[] = [];
  const whole = resolved(schema, schema);
  walk(schema, whole, "", fields);
  return fields;
}

/** Return whether a request may have a key. */
export function holds(schema: Schema, key: string): boolean {
  return resolved(schema, schema).properties?.[key] !== undefined;
}

function resolved(root: Schema, part: Schema): Schema {
  const name = part.$ref?.split("/").at(-1);
  return name === undefined ? part : (root.$defs?.[name] ?? {});
}

function walk(root: Schema, object: Schema, group: string, found: Field[]): void {
  for (const [name, part] of Object.entries(object.properties ?? {})) {
    if (group === "" && COMMON.has(name)) continue;
    const path = group === "" ? name : `${group}.${name}`;
    const inner = resolved(root, part);
    if (inner.properties !== undefined) {
      walk(root, inner, path, found);
      continue;
    }
    const field = fieldOf(inner, path, group, part.default ?? inner.default, object.required?.includes(name) ?? false);
    if (field !== null) found.push(field);
  }
}

function fieldOf(part: Schema, path: string, group: string, usual: unknown, required: boolean): Field | null {
  const one = part.anyOf?.find((each) => each.enum === undefined) ?? part;
  const values = part.enum ?? part.anyOf?.flatMap((each) => each.enum ?? []) ?? [];
  const form =
    one.type === "boolean"
      ? "yes"
      : one.type === "integer" || one.type === "number"
        ? "number"
        : one.type === "array"
          ? null
          : values.length > 0
            ? "choice"
            : one.type === "string"
              ? "text"
              : null;
  if (form === null) return null;
  return {
    path,
    group,
    label: labelOf(path.split(".").at(-1) ?? path),
    form,
    values,
    usual: typeof usual === "string" || typeof usual === "number" || typeof usual === "boolean" ? usual : null,
    required,
    ...(one.minimum === undefined ? {} : { min: one.minimum }),
    ...(one.maximum === undefined ? {} : { max: one.maximum }),
  };
}

/** Return the fields of a request by their places. */
export function flat(request: Readonly<Record<string, unknown>>, group = ""): Record<string, Value> {
  const values: Record<string, Value> = {};
  for (const [name, value] of Object.entries(request)) {
    const path = group === "" ? name : `${group}.${name}`;
    if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") values[path] = value;
    else if (typeof value === "object" && value !== null && !Array.isArray(value))
      Object.assign(values, flat(value as Record<string, unknown>, path));
  }
  return values;
}

/** Return a request made of its fields. */
export function nested(values: Readonly<Record<string, Value>>): Record<string, unknown> {
  const made: Record<string, unknown> = {};
  for (const [path, value] of Object.entries(values)) {
    const names = path.split(".");
    const last = names.pop() ?? path;
    let at = made;
    for (const name of names) at = (at[name] ??= {}) as Record<string, unknown>;
    at[last] = value;
  }
  return made;
}

/** Return the values of fields from a query. Unreadable values stay text, which the rules refuse. */
export function readFields(fields: readonly Field[], query: URLSearchParams): Record<string, Value> {
  const values: Record<string, Value> = {};
  for (const field of fields) {
    const text = query.get(field.path);
    if (text === null) continue;
    if (field.form === "yes" && /^(true|false)$/.test(text)) values[field.path] = text === "true";
    else if (field.form === "number" && /^-?\d+$/.test(text)) values[field.path] = Number(text);
    else values[field.path] = text;
  }
  return values;
}

/** Return the house rules in a query, given as `rule.NAME=VALUE`. */
export function readRules(query: URLSearchParams, prefix = "rule."): Record<string, string | number> {
  const rules: Record<string, string | number> = {};
  for (const [key, value] of query)
    if (key.startsWith(prefix)) rules[key.slice(prefix.length)] = /^-?\d+$/.test(value) ? Number(value) : value;
  return rules;
}
