/** Hexes as written in scenarios: `A5-D5 F5` are the hexes A5, B5, C5, D5 and F5. */
import { isObject, nodeFor, partsOf, withValue, type Draft, type Json, type Node, type Part } from "./draft";

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXY";
const columnOf = (hex: string): number => letters.indexOf(hex.charAt(0));
const rowOf = (hex: string): number => Number(hex.slice(1));

/** Return the hexes named in a text, ignoring other words. */
export function hexesOf(text: string): string[] {
  return text.split(/\s+/).flatMap((word) => {
    const match = /^([A-Y])(\d{1,2})(?:-([A-Y])(\d{1,2}))?$/.exec(word);
    if (match === null) return [];
    const [, a = "A", row = "1", b = a, other = row] = match;
    if (row !== other) return [];
    const [from, to] = [letters.indexOf(a), letters.indexOf(b)];
    return Array.from({ length: Math.max(to - from + 1, 0) }, (_, i) => `${letters.charAt(from + i)}${row}`);
  });
}

/** Return hexes as text in the order of the map, with ranges for three and more. */
export function spelled(hexes: readonly string[]): string {
  const sorted = [...new Set(hexes)].sort((a, b) => rowOf(a) - rowOf(b) || columnOf(a) - columnOf(b));
  const runs: string[][] = [];
  for (const hex of sorted) {
    const last = runs.at(-1)?.at(-1);
    if (last !== undefined && rowOf(last) === rowOf(hex) && columnOf(last) + 1 === columnOf(hex))
      runs.at(-1)?.push(hex);
    else runs.push([hex]);
  }
  return runs.map((run) => (run.length > 2 ? `${run[0]}-${run.at(-1)}` : run.join(" "))).join(" ");
}

/** Return the key of a draft that has hexes by kind of ground; null for a measured table. */
export function hexKey(root: Node): string | null {
  const top = nodeFor(root, root, {});
  const property = Object.entries(top.properties ?? {}).find(([, node]) => {
    const at = nodeFor(root, node, {});
    return at["x-drawn"] === "pieces" && typeof at.additionalProperties === "object";
  });
  return property?.[0] ?? null;
}

/** Return the kind of ground of every hex that is not open. */
export function groundOf(draft: Draft, key: string): Map<string, string> {
  const kinds = draft[key];
  const byHex = new Map<string, string>();
  if (isObject(kinds))
    for (const [kind, text] of Object.entries(kinds))
      if (typeof text === "string") for (const hex of hexesOf(text)) byHex.set(hex, kind);
  return byHex;
}

/** Return the draft with some hexes set to a kind of ground, or to open ground. */
export function painted(draft: Draft, key: string, hexes: readonly string[], kind: string | null): Draft {
  const ground = groundOf(draft, key);
  for (const hex of hexes) {
    if (kind === null) ground.delete(hex);
    else ground.set(hex, kind);
  }
  const before = isObject(draft[key]) ? Object.keys(draft[key]) : [];
  const kinds = [...new Set([...before, ...ground.values()])];
  const made: { [key: string]: Json } = {};
  for (const one of kinds) {
    const own = [...ground].filter(([, of]) => of === one).map(([hex]) => hex);
    if (own.length > 0) made[one] = spelled(own);
  }
  return withValue(draft, [key], made) as Draft;
}

/** Return the values of a draft that name hexes besides its ground: positions of units and objectives. */
function marksOf(root: Node, draft: Draft, key: string): Part[] {
  return partsOf(root, draft).filter(
    (part) => (part.role === "hexes" || part.role === "hex") && part.path[0] !== key && typeof part.value === "string",
  );
}

/** Return the lists of a map, other than its ground, whose items are hexes, such as objectives. */
export function markKeys(root: Node): string[] {
  const top = nodeFor(root, root, {});
  return Object.entries(top.properties ?? {}).flatMap(([key, node]) => {
    const at = nodeFor(root, node, []);
    return at["x-drawn"] === "pieces" && at.type === "array" ? [key] : [];
  });
}

/** Return whether a hex holds anything besides ground. */
export function isMarked(root: Node, draft: Draft, key: string, hex: string): boolean {
  return marksOf(root, draft, key).some((part) => hexesOf(String(part.value)).includes(hex));
}

/** Return the draft with a hex's units moved to another hex, or its objectives if it has no units. */
export function carried(root: Node, draft: Draft, key: string, from: string, to: string): Draft {
  const goals = new Set(markKeys(root));
  const here = marksOf(root, draft, key).filter((part) => hexesOf(String(part.value)).includes(from));
  const units = here.filter((part) => !goals.has(String(part.path[0])));
  let next = draft;
  for (const part of units.length > 0 ? units : here) {
    const hexes = hexesOf(String(part.value)).map((hex) => (hex === from ? to : hex));
    next = withValue(next, part.path, part.role === "hex" ? to : spelled(hexes)) as Draft;
  }
  return next;
}

/** Return the draft with a hex added to a list, or removed from it. */
export function toggled(root: Node, draft: Draft, list: string, hex: string): Draft {
  const parts = partsOf(root, draft).filter((part) => part.path[0] === list && part.role === "hexes");
  const there = parts.find((part) => hexesOf(String(part.value)).includes(hex));
  if (there !== undefined) {
    const rest = hexesOf(String(there.value)).filter((one) => one !== hex);
    return rest.length > 0
      ? (withValue(draft, there.path, spelled(rest)) as Draft)
      : (withValue(draft, there.path.slice(0, 2), undefined) as Draft);
  }
  const [first] = parts;
  if (first !== undefined)
    return withValue(draft, first.path, spelled([...hexesOf(String(first.value)), hex])) as Draft;
  const node = nodeFor(root, nodeFor(root, root, {}).properties?.[list] ?? {}, []);
  const item = nodeFor(root, node.items || {}, {});
  const at = Object.entries(item.properties ?? {}).find(([, one]) => one["x-drawn"] === "hexes")?.[0] ?? "at";
  return withValue(draft, [list, Array.isArray(draft[list]) ? draft[list].length : 0], { [at]: hex }) as Draft;
}
