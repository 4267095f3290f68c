/** Colours of maps of hexes, by day and by night. */
import { parts, type Rgb } from "../painting/colour";

export interface Colours {
  readonly grass: readonly [Rgb, Rgb];
  readonly dry: Rgb;
  readonly woods: Rgb;
  readonly hill: Rgb;
  readonly ruins: Rgb;
  readonly rubble: Rgb;
  readonly paving: Rgb;
  readonly crag: Rgb;
  readonly bank: Rgb;
  readonly sand: Rgb;
  readonly water: Rgb;
  readonly deep: Rgb;
  readonly road: string;
  readonly verge: string;
  readonly rut: string;
  readonly contour: string;
  readonly tufts: readonly [string, string];
  readonly ripple: string;
  /** Tree tops, each from the shade to the light. */
  readonly crowns: readonly (readonly [string, string, string, string])[];
  /** Stones and walls: the shaded side, the lit side, the top. */
  readonly stone: readonly [string, string, string];
  readonly wall: readonly [string, string, string];
  readonly roof: readonly [string, string, string];
  readonly wood: readonly [string, string, string];
  readonly shadow: string;
  /** The light over the whole map, from the upper left to the lower right. */
  readonly wash: readonly [string, string, string];
  /** The area beyond the hexes. */
  readonly beyond: string;
  /** The table under the map, in two tones for its boards. */
  readonly board: readonly [Rgb, Rgb];
}

export const DAY: Colours = {
  grass: [parts("#cbc68d"), parts("#b5b878")],
  dry: parts("#dccb94"),
  woods: parts("#8b9a58"),
  hill: parts("#d6bd7c"),
  ruins: parts("#cbbda4"),
  rubble: parts("#bcb49d"),
  paving: parts("#c3b69b"),
  crag: parts("#a49d90"),
  bank: parts("#8f8450"),
  sand: parts("#d8c795"),
  water: parts("#6d9fb4"),
  deep: parts("#47798f"),
  road: "#e6d6ab",
  verge: "#8f7743",
  rut: "#bea676",
  contour: "#8c6834",
  tufts: ["rgba(80,92,38,0.36)", "rgba(250,240,190,0.3)"],
  ripple: "#d3e6ea",
  crowns: [
    ["#37501f", "#4f6b2c", "#6f8b3d", "#9db25a"],
    ["#2f4a2a", "#44663a", "#628450", "#8faa6c"],
    ["#3d4f1c", "#5b6c28", "#7f8f3c", "#b0b860"],
    ["#5d5423", "#85762f", "#a8953f", "#cdb95f"],
  ],
  stone: ["#8b8577", "#a59f8f", "#d3ccb8"],
  wall: ["#6f6353", "#8a7c67", "#e3d8c0"],
  roof: ["#87482c", "#a25a38", "#c8764c"],
  wood: ["#6a5334", "#b1956a", "#c8ae83"],
  shadow: "#26220f",
  wash: ["rgba(255,233,176,0.34)", "rgba(255,233,176,0)", "rgba(42,33,72,0.22)"],
  beyond: "rgba(44,36,24,0.2)",
  board: [parts("#9a7f60"), parts("#85694c")],
};

export const NIGHT: Colours = {
  grass: [parts("#5c6248"), parts("#4d573f")],
  dry: parts("#6d6748"),
  woods: parts("#3c4a33"),
  hill: parts("#6d6342"),
  ruins: parts("#625b50"),
  rubble: parts("#5b5950"),
  paving: parts("#5f594e"),
  crag: parts("#545250"),
  bank: parts("#4a4630"),
  sand: parts("#70694c"),
  water: parts("#2f5668"),
  deep: parts("#1c3b4c"),
  road: "#8f8262",
  verge: "#3f3825",
  rut: "#6d6249",
  contour: "#a08a58",
  tufts: ["rgba(20,26,14,0.42)", "rgba(190,190,140,0.16)"],
  ripple: "#7fa3b2",
  crowns: [
    ["#1f2b1c", "#33452b", "#4a5f38", "#6b7c48"],
    ["#1c2a22", "#2d4233", "#436048", "#637f5a"],
    ["#262c18", "#3c4626", "#586234", "#7d8449"],
    ["#332c16", "#4f4423", "#6e6033", "#8f7e48"],
  ],
  stone: ["#44423c", "#6a675d", "#98937f"],
  wall: ["#3a352d", "#5c5446", "#a39984"],
  roof: ["#4a2a1c", "#663c28", "#865139"],
  wood: ["#352a1c", "#66553b", "#7d6a4b"],
  shadow: "#0a0a06",
  wash: ["rgba(255,222,160,0.16)", "rgba(255,222,160,0)", "rgba(16,12,40,0.3)"],
  beyond: "rgba(10,8,4,0.34)",
  board: [parts("#2f2822"), parts("#231e1a")],
};
