/** The colours of pieces, by day and night: paints, rims of the sides, and common materials. */
import type { Group } from "../wire/types";

export type Paint = NonNullable<Group["paint"]>;

/** The parts that have a colour in a paint. */
export interface Palette {
  hull: string;
  plate: string;
  /** Tracks, wheels and joints. */
  dark: string;
  metal: string;
  /** Dishes, doors and other marks. */
  mark: string;
  glow: string;
  cloth: string;
  helm: string;
  coat: string;
  pack: string;
  canvas: string;
  glass: string;
  accent: string;
  skin: string;
  gun: string;
  cloak: string;
  hair: string;
  /** Colours of leaders' pennants, by side. */
  flag: string;
}

type Mixed = Omit<Palette, "flag">;

const STEEL: Mixed = {
  hull: "#5d7c98",
  plate: "#86a1b7",
  dark: "#2c3946",
  metal: "#8d949a",
  mark: "#f3efe2",
  glow: "#ffd27a",
  cloth: "#6f8aa0",
  helm: "#a9bccb",
  coat: "#5b6f82",
  pack: "#3a4a58",
  canvas: "#b9bba9",
  glass: "#2d4a58",
  accent: "#d9d2b4",
  skin: "#d8ab84",
  gun: "#23262a",
  cloak: "#2f5f96",
  hair: "#8c3b1e",
};

export const PALETTES: Readonly<Record<Paint, Mixed>> = {
  steel: STEEL,
  ember: {
    ...STEEL,
    hull: "#c9683f",
    plate: "#ecdcc0",
    dark: "#4a2a22",
    metal: "#a08f80",
    mark: "#fff4dd",
    glow: "#6fe3d6",
    cloth: "#b4633d",
    helm: "#ecdcc0",
    coat: "#94502f",
    pack: "#5a3325",
    glass: "#0f5f5a",
    accent: "#6fe3d6",
    cloak: "#b4551f",
    hair: "#2c1a14",
  },
  carapace: {
    ...STEEL,
    hull: "#8a7c8c",
    plate: "#b5a36a",
    dark: "#3a2a3c",
    metal: "#7d6a58",
    mark: "#e5d7a0",
    glow: "#c4e05a",
    cloth: "#a3726f",
    helm: "#b98a86",
    coat: "#6c5a6c",
    pack: "#4c3a4c",
    glass: "#6f8a2a",
    accent: "#c4e05a",
    skin: "#a3726f",
    cloak: "#5b4a66",
    hair: "#2b2130",
  },
  khaki: {
    ...STEEL,
    hull: "#80814c",
    plate: "#a8a46c",
    dark: "#2b2c25",
    metal: "#858677",
    glow: "#bfe6ee",
    cloth: "#a7955f",
    helm: "#565e31",
    coat: "#96825c",
    pack: "#5f5a3a",
    canvas: "#c0b083",
    glass: "#2d4a58",
    accent: "#d9d2b4",
    gun: "#2a2a26",
    cloak: "#7a6a3a",
    hair: "#6b4423",
  },
  slate: {
    ...STEEL,
    hull: "#4f515d",
    plate: "#7b7e8c",
    dark: "#1d1e24",
    metal: "#8f929a",
    mark: "#f0d8c8",
    glow: "#ffb24a",
    cloth: "#4a4b55",
    helm: "#3a3c46",
    coat: "#57504c",
    pack: "#2e2f36",
    canvas: "#7d7568",
    glass: "#ffb24a",
    accent: "#cf5f30",
    skin: "#c99a74",
    gun: "#191a1f",
    cloak: "#3d3f4b",
    hair: "#1d1a20",
  },
  forest: {
    ...STEEL,
    hull: "#4c6148",
    plate: "#7d8c5f",
    dark: "#20281d",
    cloth: "#5f7048",
    helm: "#3d4a2c",
    coat: "#6a5c40",
    pack: "#4a4028",
    canvas: "#8c8a5c",
    glow: "#d8e8a0",
    glass: "#2d4a48",
    accent: "#e0c46a",
    gun: "#22231e",
    cloak: "#466a34",
    hair: "#4a3018",
  },
  sand: {
    ...STEEL,
    hull: "#b89c68",
    plate: "#d8c290",
    dark: "#4a3d28",
    cloth: "#c8ae7c",
    helm: "#a58a58",
    coat: "#8f7648",
    pack: "#6e5a38",
    canvas: "#e0d3ab",
    glow: "#bfe6ee",
    glass: "#3a4a50",
    accent: "#7a4a2a",
    gun: "#332a20",
    cloak: "#c79a48",
    hair: "#5a3a1c",
  },
  snow: {
    ...STEEL,
    hull: "#b9c0c4",
    plate: "#e3e6e6",
    dark: "#3d454b",
    cloth: "#cdd3d6",
    helm: "#e9ecec",
    coat: "#9aa4ab",
    pack: "#6e787e",
    canvas: "#dcdcd2",
    glow: "#8fd6e8",
    glass: "#2d4a58",
    accent: "#4b7da0",
    gun: "#2c3034",
    cloak: "#dfe3e2",
    hair: "#d9d5cc",
  },
  wine: {
    ...STEEL,
    hull: "#7a3440",
    plate: "#b0863f",
    dark: "#2c161b",
    metal: "#a8946a",
    cloth: "#8a3c48",
    helm: "#4c2128",
    coat: "#5f2a33",
    pack: "#3e2126",
    canvas: "#b9a078",
    glow: "#ffd27a",
    glass: "#3a1f2a",
    accent: "#e0b340",
    gun: "#1f1618",
    cloak: "#7c2436",
    hair: "#3a1c14",
  },
  rags: {
    ...STEEL,
    hull: "#7a6a54",
    plate: "#a08c68",
    dark: "#332a20",
    cloth: "#8a7355",
    helm: "#5e4c38",
    coat: "#6d5743",
    pack: "#4c3c2c",
    canvas: "#b3a283",
    skin: "#c9986f",
    accent: "#9a4a2c",
    gun: "#2c241c",
    cloak: "#6d4433",
    hair: "#3f342a",
  },
};

/** Colours of the rims of bases, by side, and for neutral pieces. */
export interface Rim {
  rim: string;
  deep: string;
  lit: string;
  top: string;
}

export const RIMS: readonly Rim[] = [
  { rim: "#1f5a99", deep: "#123a66", lit: "#6fa3d6", top: "#cfd8dc" },
  { rim: "#b23a1b", deep: "#6f1f0c", lit: "#e88a66", top: "#e4d3c3" },
  { rim: "#5a5d54", deep: "#33352f", lit: "#a5a89c", top: "#dcdcd2" },
];
export const NOBODY: Rim = { rim: "#857f70", deep: "#4c483d", lit: "#b9b3a2", top: "#e2decf" };

/** Paints of sides whose army has no paint of its own. */
export const OF_SIDES: readonly Paint[] = ["khaki", "slate", "forest"];

export const INK = "#15140f";
/** The tops of bases of pinned or prone models. */
export const SLATE = "#5d6672";
export const PAPER = "#fffdf4";
export const SHADE = "#10161f";
export const STEEL_BLADE = "#c3ccd2";
export const BRIGHT = "#f6f8f7";
export const WOOD = "#8a653f";
export const GOLD = "#e0b340";
export const FIRE = "#ff9a2e";
export const CYAN = "#5fe0f2";
/** Colours of cloaks and hair, for fighters with names. */
export const CLOAKS: readonly string[] = [
  "#2a6aa8",
  "#2f7f79",
  "#6b3f86",
  "#7a6247",
  "#55753a",
  "#d9a52c",
  "#a83a4a",
  "#3d4a68",
  "#c26a2a",
  "#8fa3ad",
];
export const HAIR: readonly string[] = ["#8c3b1e", "#e3c36b", "#1d1a20", "#d9d5cc", "#6b4423", "#c4572b", "#3f342a"];
export const SKIN: readonly string[] = ["#e0b48f", "#ebc4a2", "#b07a52", "#d9a67c", "#8a5a3c"];
