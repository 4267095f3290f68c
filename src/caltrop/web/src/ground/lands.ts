/**
 * The possible grounds of a table. A land is a palette, a cover of the ground, and the scale of the terrain on it. The
 * ruleset chooses the land (`Picture.land`).
 */

export type Three = readonly [dark: string, mid: string, lit: string];

export interface Palette {
  readonly ground: readonly [string, string, string, string];
  /** Tufts of grass. */
  readonly tufts: readonly [string, string, string, string];
  readonly earth: string;
  readonly track: string;
  readonly rut: string;
  /** The floor of a wood, and the leaves on it. */
  readonly floor: string;
  readonly litter: Three;
  readonly crowns: readonly [Three, Three, Three];
  readonly hedge: Three;
  readonly fields: Three;
  readonly rock: Three;
  readonly stone: Three;
  readonly paving: string;
  readonly dust: string;
  readonly roofs: Three;
  readonly wallTop: string;
  readonly water: Three;
  readonly bank: string;
  readonly pit: string;
  readonly shadow: string;
  readonly ink: string;
}

const SUMMER: Palette = {
  ground: ["#7c8259", "#959a6c", "#afae81", "#c8bc93"],
  tufts: ["#5f6f40", "#7d8a50", "#a9ac6c", "#cfc68d"],
  earth: "#a58c66",
  track: "#c6b189",
  rut: "#a18a64",
  floor: "#5f6740",
  litter: ["#4c5634", "#7b7448", "#8d7f52"],
  crowns: [
    ["#2a3d2e", "#4a6140", "#8a9a60"],
    ["#34482e", "#5a6d40", "#9ba368"],
    ["#283a30", "#425a44", "#768c64"],
  ],
  hedge: ["#2f4230", "#52673f", "#87965c"],
  fields: ["#b7a768", "#8f9b59", "#a48f5f"],
  rock: ["#6d6a5f", "#9f9b8d", "#d6d1c0"],
  stone: ["#625b50", "#978f80", "#cdc5b3"],
  paving: "#b0a896",
  dust: "#bdb199",
  roofs: ["#a8644a", "#8c7763", "#98805a"],
  wallTop: "#c9bfab",
  water: ["#41606a", "#618388", "#adc0b6"],
  bank: "#a3946d",
  pit: "#2a2620",
  shadow: "#1d2733",
  ink: "#2c2a22",
};

const ASH: Palette = {
  ground: ["#77726b", "#8c867d", "#a09a8e", "#b5ac9c"],
  tufts: ["#5f5b56", "#7d776f", "#a79f92", "#c6bcaa"],
  earth: "#6f6259",
  track: "#b4a896",
  rut: "#8a7f72",
  floor: "#5f5a52",
  litter: ["#4b4640", "#73695c", "#8a7b69"],
  crowns: [
    ["#3a3733", "#5d564d", "#8d8272"],
    ["#33322f", "#545046", "#80796a"],
    ["#45382f", "#6d5745", "#9c7d60"],
  ],
  hedge: ["#3d3a35", "#625b50", "#8f8472"],
  fields: ["#8d8272", "#80796f", "#968977"],
  rock: ["#4f4c4a", "#7b7672", "#b3ada5"],
  stone: ["#55504b", "#857e76", "#bbb3a8"],
  paving: "#928b82",
  dust: "#a0988c",
  roofs: ["#6c5750", "#5b5856", "#77685a"],
  wallTop: "#aba398",
  water: ["#3d4b4f", "#5d6f70", "#9aa9a4"],
  bank: "#857b6c",
  pit: "#211e1c",
  shadow: "#1b2029",
  ink: "#26231f",
};

const AUTUMN: Palette = {
  ground: ["#82794b", "#998b58", "#ad9c66", "#c3ad7c"],
  tufts: ["#69643c", "#8b7d49", "#b39c60", "#d6bd84"],
  earth: "#96754f",
  track: "#c2a67c",
  rut: "#987a56",
  floor: "#6b5a38",
  litter: ["#57492d", "#9a6a35", "#b98440"],
  crowns: [
    ["#5b3418", "#a25a25", "#dd9440"],
    ["#5a4a1b", "#99822f", "#d4b950"],
    ["#4d2a1a", "#8a4227", "#c97240"],
  ],
  hedge: ["#46401f", "#77672f", "#b29548"],
  fields: ["#b49a5c", "#8d8450", "#a0814f"],
  rock: ["#68625a", "#979083", "#cbc3b3"],
  stone: ["#5d564c", "#8d8475", "#c2b8a5"],
  paving: "#a09683",
  dust: "#ad9c80",
  roofs: ["#8f5a40", "#75624f", "#836a48"],
  wallTop: "#b8aa93",
  water: ["#3f5a63", "#5f7f86", "#acbfb4"],
  bank: "#9c855c",
  pit: "#28221b",
  shadow: "#231f2c",
  ink: "#2c271d",
};

const DUSK: Palette = {
  ground: ["#6a6b53", "#7f7d62", "#948d6f", "#a99c7c"],
  tufts: ["#54583f", "#70714f", "#979069", "#b9a97e"],
  earth: "#8d775a",
  track: "#ab9a7b",
  rut: "#877458",
  floor: "#555a3d",
  litter: ["#474b33", "#6c6542", "#7a6f4b"],
  crowns: [
    ["#233529", "#3e5738", "#7d8d50"],
    ["#2a3e2b", "#4c6239", "#8f9556"],
    ["#20302a", "#364d39", "#667d52"],
  ],
  hedge: ["#283a2a", "#475a38", "#7b874f"],
  fields: ["#9c8d62", "#7c8055", "#8d7a58"],
  rock: ["#5f5b58", "#878179", "#bdb29f"],
  stone: ["#504b4b", "#7d7570", "#b6a893"],
  paving: "#8b8377",
  dust: "#9a8c78",
  roofs: ["#8d4f3c", "#66585a", "#7d6248"],
  wallTop: "#aa9c88",
  water: ["#34505f", "#4f717c", "#b0b8a4"],
  bank: "#8d7c5e",
  pit: "#1d1a1c",
  shadow: "#1a1c33",
  ink: "#26221f",
};

/** Cold stone in a crypt. */
const CRYPT: Palette = {
  ...ASH,
  ground: ["#5d5c5e", "#6f6e6d", "#83807a", "#97928a"],
  earth: "#5a554e",
  rock: ["#454448", "#6e6c6c", "#a5a29c"],
  stone: ["#4a494d", "#777573", "#b0aca3"],
  paving: "#8a8680",
  dust: "#77726b",
  wallTop: "#a09b92",
  pit: "#131317",
  shadow: "#12131c",
};

/** A moor: heather, moss and bare stone. */
const MOOR: Palette = {
  ...SUMMER,
  ground: ["#6a6a4d", "#7f7e5b", "#95906e", "#aaa084"],
  tufts: ["#575c39", "#75704f", "#8f7f6d", "#b3a67c"],
  earth: "#86745e",
  floor: "#585d40",
  track: "#b0a080",
  rut: "#8d7c60",
  rock: ["#5d5c57", "#8d8a80", "#c8c4b6"],
};

/** The cover of the ground. */
export type Cover = "grass" | "cobbles" | "flags" | "heath";

export interface Land {
  readonly palette: Palette;
  readonly cover: Cover;
  /** Number of look units along the longer side of the table. A tree is two to three units wide. */
  readonly across: number;
  /** True if the land has tracks and fields. */
  readonly farmed: boolean;
  /** True if the light is evening light. */
  readonly late: boolean;
}

export const LANDS: Readonly<Record<string, Land>> = {
  summer: { palette: SUMMER, cover: "grass", across: 96, farmed: true, late: false },
  ash: { palette: ASH, cover: "grass", across: 96, farmed: false, late: false },
  autumn: { palette: AUTUMN, cover: "grass", across: 96, farmed: true, late: false },
  dusk: { palette: DUSK, cover: "grass", across: 96, farmed: true, late: true },
  meadow: { palette: SUMMER, cover: "grass", across: 44, farmed: false, late: false },
  village: { palette: DUSK, cover: "cobbles", across: 60, farmed: false, late: true },
  crypt: { palette: CRYPT, cover: "flags", across: 60, farmed: false, late: true },
  wild: { palette: MOOR, cover: "heath", across: 60, farmed: false, late: false },
};

export const USUAL = "summer";

export function landOf(name: string): Land {
  return (LANDS[name] ?? LANDS[USUAL]) as Land;
}
