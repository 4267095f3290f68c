/**
 * A battle on a real table as its referee has counted it. Every change makes a new value, so that each change can be
 * undone.
 */
import type { PackFile, RefereeTable } from "../wire/shapes";
import type { Schema } from "./schema";

/** The current state of a unit. */
export interface UnitNow {
  /** Models or points of strength that are left. */
  left: number;
  /** Number of the unit's markers of each kind, in the order of the table's markers. */
  markers: readonly number[];
}

export interface Battle {
  round: number;
  /** The side whose turn it is. */
  side: number;
  step: number;
  /** The tracked values of each side, in the order of the table's points. */
  points: readonly (readonly number[])[];
  /** In the order of the table's units. */
  units: readonly UnitNow[];
  note: string;
}

/** The house rules and the pack by which a battle is played; its attacks are settled by them. */
export interface Laid {
  rules?: Record<string, string | number>;
  pack?: PackFile;
}

/** An attack that is being settled. */
export interface OpenAttack {
  /** The attack, as in a link to its odds. */
  query: string;
  /** The dice so far, by their fields in the request. */
  dice: Record<string, number | string | (number | string)[]>;
  needed: DiceNeeded | null;
  /** Dice that are typed but not taken. */
  typed: string;
  answer: Record<string, unknown> | null;
}

/** A battle with everything that was there before, the last first. */
export interface Kept {
  table: RefereeTable;
  laid?: Laid;
  attack?: OpenAttack | null;
  now: Battle;
  before: readonly Battle[];
}

/** Changes that can be taken back. */
export const UNDO = 200;

export function begun(table: RefereeTable, { rules = {}, pack }: Laid = {}): Kept {
  const now = {
    round: 1,
    side: 0,
    step: 0,
    points: table.points.map((own) => own.map(([, count]) => count)),
    units: table.units.map((unit) => ({ left: unit.strength, markers: table.markers.map(() => 0) })),
    note: "",
  };
  return { table, laid: pack === undefined ? { rules } : { rules, pack }, now, before: [] };
}

function changed(battle: Kept, change: Partial<Battle>): Kept {
  return { ...battle, now: { ...battle.now, ...change }, before: [battle.now, ...battle.before].slice(0, UNDO) };
}

export function undone(battle: Kept): Kept {
  const [now, ...before] = battle.before;
  return now === undefined ? battle : { ...battle, now, before };
}

/** Return whether no turn is left. */
export function isOver({ table, now }: Kept): boolean {
  return table.rounds !== null && now.round > table.rounds;
}

/** Number of first steps that a turn leaves out, because they were taken before the battle. */
export function leftOut({ table, now }: Kept): number {
  return now.round === 1 && now.side === 0 ? 0 : table.once;
}

/** The next step; after the last step of a turn comes the other side's turn, and after the turns of all sides the next
 * round. */
export function nextStep(battle: Kept): Kept {
  const { table, now } = battle;
  if (isOver(battle)) return battle;
  if (now.step + 1 < table.steps.length) return changed(battle, { step: now.step + 1 });
  const side = (now.side + 1) % table.sides.length;
  return changed(battle, { step: table.once, side, round: now.round + (side === 0 ? 1 : 0) });
}

export function withPoints(battle: Kept, side: number, which: number, by: number): Kept {
  const points = battle.now.points.map((own, n) =>
    own.map((count, m) => (n === side && m === which ? count + by : count)),
  );
  return changed(battle, { points });
}

export function withUnit(battle: Kept, unit: number, change: Partial<UnitNow>): Kept {
  const most = battle.table.units[unit]?.strength ?? 0;
  const units = battle.now.units.map((one, n) => {
    if (n !== unit) return one;
    const next = { ...one, ...change };
    return { left: Math.min(Math.max(next.left, 0), most), markers: next.markers.map((count) => Math.max(count, 0)) };
  });
  return changed(battle, { units });
}

export function withMarker(battle: Kept, unit: number, marker: number, by: number): Kept {
  const now = battle.now.units[unit]?.markers ?? [];
  return withUnit(battle, unit, { markers: now.map((count, n) => (n === marker ? count + by : count)) });
}

export function withNote(battle: Kept, note: string): Kept {
  return { ...battle, now: { ...battle.now, note: note.slice(0, 2000) } };
}

/** Return whether dice of an attack have been thrown, and more are needed. */
export function isUnfinished(attack: OpenAttack | null | undefined): boolean {
  return attack != null && attack.answer === null && (attack.needed !== null || Object.keys(attack.dice).length > 0);
}

export function withAttack(battle: Kept, attack: OpenAttack | null): Kept {
  return { ...battle, attack };
}

/** Return a side's losses and its remaining strength. */
export function lossesOf(
  { table, now }: Kept,
  side: number,
): { lost: number; of: number; gone: number; units: number } {
  const own = table.units.flatMap((unit, n) =>
    unit.side === side ? [{ of: unit.strength, left: now.units[n]?.left ?? 0 }] : [],
  );
  const of = own.reduce((sum, unit) => sum + unit.of, 0);
  const left = own.reduce((sum, unit) => sum + unit.left, 0);
  return { lost: of - left, of, gone: own.filter((unit) => unit.left === 0).length, units: own.length };
}

/** The key of the battle in the browser's storage. */
export const KEY = "caltrop-referee";

/** Return the battle stored in this browser, or null. */
export function read(storage: () => Pick<Storage, "getItem">): Kept | null {
  try {
    const stored = JSON.parse(storage().getItem(KEY) ?? "null") as Kept | null;
    const fits =
      stored !== null && stored.now.units.length === stored.table.units.length && Array.isArray(stored.before);
    // A battle of an earlier version does not say how many steps are taken once.
    return fits ? { ...stored, table: Object.assign({ once: 0 }, stored.table) } : null;
  } catch {
    return null;
  }
}

/** Store the battle, or remove it. Return whether the browser has done it. */
export function keep(storage: () => Pick<Storage, "setItem" | "removeItem">, battle: Kept | null): boolean {
  try {
    if (battle === null) storage().removeItem(KEY);
    else storage().setItem(KEY, JSON.stringify(battle));
    return true;
  } catch {
    return false;
  }
}

/** The dice that an attack needs next: the request's field, their number, and the rules' words. */
export interface DiceNeeded {
  field: string;
  count: number;
  single: boolean;
  words: string;
}

/** A refusal of a request. */
export interface Refused {
  field: string;
  message: string;
  /** Numbers of the message; `dice` is how many are called for. */
  values: Readonly<Record<string, unknown>>;
}

/** Return the dice that a refusal asks for; null if the refusal is about something else. */
export function neededBy(
  { field, message, values }: Refused,
  schema: { single: readonly string[] },
): DiceNeeded | null {
  if (!field.startsWith("dice.")) return null;
  const name = field.slice("dice.".length);
  const single = schema.single.includes(name);
  const count = single ? 1 : values["dice"];
  if (typeof count !== "number") return null;
  // The field name in the request helps nobody at a table, and a missing die is not an error there.
  const words = message.replace(`${field}: `, "").replace("; this roll has 0", "");
  return { field: name, count, single, words };
}

/** The list of dice that a request does not have at all; null if something else is wrong. */
export function missingDice({ field, values }: Refused, schema: { single: readonly string[] }): string | null {
  const name = /^dice\.([a-z_]+)$/.exec(field)?.[1];
  return name === undefined || schema.single.includes(name) || typeof values["dice"] === "number" ? null : name;
}

/** Dice of a request that are single dice by its schema. */
export function singleDice(schema: Schema): string[] {
  const of = (part: Schema | undefined): Schema | undefined =>
    part?.$ref === undefined ? part : schema.$defs?.[part.$ref.split("/").at(-1) ?? ""];
  const dice = of(schema)?.properties?.["dice"];
  const fields =
    [dice, ...(dice?.anyOf ?? [])].map(of).find((part) => part?.properties !== undefined)?.properties ?? {};
  const isList = (part: Schema): boolean => part.type === "array" || (part.anyOf ?? []).some(isList);
  return Object.entries(fields).flatMap(([name, part]) => (isList(part) ? [] : [name]));
}

/**
 * Dice as they were typed: numbers or the letters of faces, however they are set apart; null if something is neither.
 */
export function typedDice(text: string, faces: readonly string[]): (number | string)[] | null {
  const words = text.toUpperCase().match(/[A-Z]|\d/g) ?? [];
  const letters = faces.map(letterOf);
  const dice = words.map((word) =>
    letters.length > 0 ? (letters.includes(word) ? word : null) : /[1-6]/.test(word) ? Number(word) : null,
  );
  return dice.includes(null) ? null : (dice as (number | string)[]);
}

export function letterOf(face: string): string {
  return face.slice(0, 1).toUpperCase();
}

/** Throw dice, each face as likely. */
export function thrown(count: number, faces: readonly string[]): (number | string)[] {
  const sides = 6;
  const most = Math.floor(256 / sides) * sides;
  const dice: (number | string)[] = [];
  while (dice.length < count) {
    for (const byte of crypto.getRandomValues(new Uint8Array(count))) {
      if (byte < most && dice.length < count)
        dice.push(faces.length > 0 ? letterOf(faces[byte % sides] ?? "") : (byte % sides) + 1);
    }
  }
  return dice;
}
