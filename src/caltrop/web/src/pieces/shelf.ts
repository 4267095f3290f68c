/** The shelf of drawings of units from above, and the defaults for units that name none. */
import { currentStyle } from "../lib/settings.svelte";
import type { Group, Picture, Piece } from "../wire/types";
import { ARMOUR } from "./armour";
import { CREATURES } from "./creatures";
import { mix, seedOf, tint } from "./draw";
import type { Figure } from "./figure";
import { FIGHTERS } from "./fighters";
import { HOVERS } from "./hovers";
import { HULLS } from "./hulls";
import { CLOAKS, HAIR, NOBODY, OF_SIDES, PALETTES, RIMS, SKIN, type Paint, type Palette, type Rim } from "./paints";
import { TROOPS } from "./troops";

export type Look = NonNullable<Group["look"]>;

export const SHELF: Readonly<Record<Look, Figure>> = {
  ...ARMOUR,
  ...HOVERS,
  ...CREATURES,
  ...TROOPS,
  ...HULLS,
  ...FIGHTERS,
};

/** Drawings for units that name no look, by their symbol. */
const SUGGESTED: Readonly<Record<string, Look>> = {
  light: "tank-light",
  medium: "tank-medium",
  heavy: "tank-heavy",
  artillery: "tank-artillery",
  command: "tank-command",
  infantry: "stand",
  "heavy-weapons": "stand-heavy",
  strider: "walker",
  "light-tank": "hull-light",
  "battle-tank": "hull-battle",
  "heavy-tank": "hull-heavy",
  "fighter-1": "dagger",
  "fighter-2": "sword",
  "fighter-3": "sword-shield",
  "fighter-4": "two-swords",
  "fighter-5": "great-sword",
  "fighter-6": "crowned",
};

const suggested = (silhouette: string): Look | undefined =>
  SUGGESTED[silhouette] ?? (silhouette in SHELF ? (silhouette as Look) : undefined);

/** Return how a model is drawn from above; null if only its symbol is known. */
export function lookOf(
  group: Pick<Group, "look" | "silhouette">,
  piece?: Pick<Piece, "look" | "silhouette">,
): Look | null {
  const own = piece?.look ?? (piece?.silhouette ? suggested(piece.silhouette) : undefined);
  return own ?? group.look ?? suggested(group.silhouette) ?? null;
}

/** Return whether a unit is an individual with a name. */
export function isPerson(group: Pick<Group, "look" | "silhouette">): boolean {
  return (lookOf(group) ?? "") in FIGHTERS;
}

/** Return whether a look is a two-legged figure, which ends up on its back. */
export function isOnTwoLegs(look: Look): boolean {
  return (look in TROOPS || look in FIGHTERS) && look !== "wolf" && SHELF[look].living === true;
}

export function rimOf(side: number | null | undefined): Rim {
  return side === null || side === undefined ? NOBODY : (RIMS[side % RIMS.length] ?? NOBODY);
}

/** Look and colours of a model. */
export interface Dress {
  look: Look;
  side: number;
  /** Name of the model's colours. */
  colours: string;
}

const palettes = new Map<string, Palette>();

/** The colours of a name that `dressOf` gave. */
export function palette(colours: string): Palette {
  const palette = palettes.get(colours);
  if (palette === undefined) throw new Error(`there are no colours ${colours}`);
  return palette;
}

/** Share of the side's colour in the paint: half if both sides would look alike. */
const LEAN = 0.12;
const MIRRORED = 0.5;

/**
 * Return how a model is dressed: its unit's look and paint, mixed with its side's colour. Individuals have cloaks of
 * their own.
 */
function dressOf(
  group: Pick<Group, "look" | "silhouette" | "paint" | "side" | "name">,
  piece?: Pick<Piece, "look" | "silhouette">,
  mirrored = false,
): Dress | null {
  const look = lookOf(group, piece);
  if (look === null) return null;
  const paint: Paint = group.paint ?? OF_SIDES[group.side % OF_SIDES.length] ?? "khaki";
  const named = look in FIGHTERS;
  const colours =
    `${paint}-${group.side}${mirrored ? "-mirrored" : ""}` +
    `${named ? `-${seedOf(group.name) % 997}${group.paint === undefined ? "-own" : ""}` : ""}`;
  if (!palettes.has(colours))
    palettes.set(
      colours,
      mixed(
        paint,
        group.side,
        mirrored ? MIRRORED : LEAN,
        named ? { seed: seedOf(group.name), cloak: group.paint === undefined } : null,
      ),
    );
  return { look, side: group.side, colours };
}

function mixed(paint: Paint, side: number, lean: number, person: { seed: number; cloak: boolean } | null): Palette {
  const { rim } = rimOf(side);
  const own = PALETTES[paint];
  const to = (colour: string): string => mix(colour, rim, lean);
  const leaning: Palette = { ...own, hull: to(own.hull), plate: to(own.plate), cloth: to(own.cloth), flag: rim };
  if (person === null) return leaning;
  const of = (list: readonly string[], salt: number): string =>
    list[Math.floor(person.seed / salt) % list.length] ?? own.hair;
  const cloak = person.cloak ? of(CLOAKS, 1) : tint(own.cloak, ((Math.floor(person.seed / 7) % 5) - 2) * 0.12);
  return { ...leaning, cloak, hair: of(HAIR, 11), skin: of(SKIN, 77), cloth: mix(own.cloth, cloak, 0.25) };
}

/** Dresses the models of a picture; none if pieces are symbols, as in the one style they are and on maps of hexes. */
export type Dresser = (group: Parameters<typeof dressOf>[0], piece?: Parameters<typeof dressOf>[1]) => Dress | null;

const AS_SYMBOLS: Dresser = () => null;

export function dresserOf(picture: Pick<Picture, "form" | "groups"> | null | undefined): Dresser {
  if (picture === null || picture === undefined || picture.form !== "plane" || currentStyle() !== "painted")
    return AS_SYMBOLS;
  const mirrored = isMirrored(picture.groups);
  return (group, piece) => dressOf(group, piece, mirrored);
}

/** Return whether units of several sides have the same paint. */
function isMirrored(groups: readonly Pick<Group, "paint" | "side">[]): boolean {
  const sides = new Map<string, number>();
  for (const { paint, side } of groups) {
    if (paint === undefined) continue;
    if ((sides.get(paint) ?? side) !== side) return true;
    sides.set(paint, side);
  }
  return false;
}
