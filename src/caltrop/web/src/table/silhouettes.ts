/**
 * The silhouettes on bases, each one path in a box from -10 to 10. At 24 pixels they differ by outline: tanks by height
 * and barrel, people by head and shoulders, creatures by their curves.
 */
export interface Silhouette {
  /** Filled. */
  path: string;
  /** Path of parts that are cut out, drawn in the side's colour. */
  cut?: string;
  /** Path that is drawn as a line, for barrels and bodies. */
  line?: string;
  /** Width of the drawn line. */
  width?: number;
  words: string;
}

export const SILHOUETTES: Readonly<Record<string, Silhouette>> = {
  light: {
    words: "light tank",
    path:
      "M-8.4 3.4 L-8.4 -0.2 L-1.6 -4.4 L3 -4.4 L8.8 3.4 Z M-5 2.4 a2.6 2.6 0 1 0 0.01 0 Z M4.6 2.4 a2.6 2.6 0 " +
      "1 0 0.01 0 Z",
    line: "M1 -2.6 L8.6 -4.4",
    width: 1.6,
  },
  medium: {
    words: "medium tank",
    path: "M-8 6 L-9.2 1.2 L-5 1.2 L-4.2 -4 L3.4 -4 L4.6 1.2 L8.6 1.2 L7.4 6 Z",
    line: "M3.5 -2 L10 -2.6",
    width: 2,
  },
  heavy: {
    words: "heavy tank",
    path: "M-9 7 L-10 0.6 L-6.6 0.6 L-6.6 -3.4 L-4.4 -6.8 L2.6 -6.8 L4.4 -3.4 L5.2 0.6 L9.8 0.6 L8.8 7 Z",
    line: "M3.4 -5.2 L10 -5.2 M4 -2.1 L10 -2.1",
    width: 1.9,
    cut: "M-7 3.4 h3 v2 h-3 Z M-1.6 3.4 h3 v2 h-3 Z M3.8 3.4 h3 v2 h-3 Z",
  },
  artillery: {
    words: "artillery",
    path: "M-8.6 7 L-8.6 4 L3 4 L3 7 Z M-6.4 -0.4 h6 v5 h-6 Z M6.1 -9.9 L9.5 -7.3 L1.2 3.2 L-2.4 0.6 Z",
    cut: "M-4.4 5.5 a1.3 1.3 0 1 0 0.01 0 Z",
  },
  command: {
    words: "command",
    path:
      "M-8.4 7 L-9.4 2.4 L-5 2.4 L-4.4 -1.2 L4.4 -1.2 L5 2.4 L9 2.4 L7.8 7 Z M-0.9 -10 h1.6 v9 h-1.6 Z M0.4 " +
      "-10 L8.4 -7.2 L0.4 -4.4 Z",
  },
  infantry: {
    words: "infantry",
    path: "M0 -9 a3.4 3.4 0 1 0 0.01 0 Z M-5.4 8 L-5.4 1.6 Q-5.4 -1 -2.6 -1 L2.6 -1 Q5.4 -1 5.4 1.6 L5.4 8 Z",
  },
  "infantry-light": {
    words: "light infantry",
    path: "M-1.4 -9.6 a2.8 2.8 0 1 0 0.01 0 Z M-4.8 -2.6 L1.6 -3.6 L3 2.4 L-2 3.4 Z",
    line: "M-4.6 -2 L-7.8 1.6 M1.6 -2.8 L6.6 -5.2 M-1.2 3 L-4.8 8.4 M1.6 2.8 L6 5.4 L5.4 9",
    width: 2.5,
  },
  "infantry-super-heavy": {
    words: "assault giants",
    path:
      "M0 -9.4 a2.6 2.6 0 1 0 0.01 0 Z M-9.6 4 L-9.6 -1.4 Q-9.6 -4.6 -6 -4.6 L6 -4.6 Q9.6 -4.6 9.6 -1.4 L9.6 4 " +
      "L6.2 4 L6.2 0 L5.4 0 L5.4 9 L1 9 L1 4 L-1 4 L-1 9 L-5.4 9 L-5.4 0 L-6.2 0 L-6.2 4 Z",
  },
  "heavy-weapons": {
    words: "heavy weapons",
    path: "M-3 -8 a2.8 2.8 0 1 0 0.01 0 Z M-7.4 8 L-7.4 2.6 Q-7.4 -0.6 -4.6 -0.6 L-1 -0.6 Q1.4 -0.6 1.4 2.6 L1.4 8 Z",
    line: "M-4 2.6 L9 -5.4 M3.4 -1 L5.2 7.6",
    width: 2.6,
  },
  worm: {
    words: "worm infantry",
    path: "M6.6 -9.4 a2.9 2.9 0 1 0 0.01 0 Z",
    line: "M6.4 -6.2 C 0 -6 0 -0.4 -3.2 -1.6 C -7.6 -3.2 -9.6 2.6 -6 4.4 C -2 6.4 3 2.6 7.6 6",
    width: 3.2,
  },
  slugger: {
    words: "slugger",
    path: "M-9.6 7.4 Q-9.6 3.2 -6 2.8 Q-5.4 -5.4 1.2 -5.8 Q8.6 -6 9 1.4 Q9.2 6.2 5.4 7.4 Z",
    line: "M-5.6 3 L-8.6 -3.4 M-3.4 1.6 L-4.2 -5.2",
    width: 1.5,
    cut: "M1.6 -2.8 a3 3 0 1 0 0.01 0 Z",
  },
  carrier: {
    words: "carrier",
    path:
      "M0 -7.4 C 6.4 -7.4 10 -3.4 10 0.4 C 10 4.8 6.4 7.6 0 7.6 C -6.4 7.6 -10 4.8 -10 0.4 C -10 -3.4 -6.4 " +
      "-7.4 0 -7.4 Z",
    cut:
      "M-4.8 -1.6 a2.3 2.3 0 1 0 0.01 0 Z M0 -4.6 a2.3 2.3 0 1 0 0.01 0 Z M4.8 -1.6 a2.3 2.3 0 1 0 0.01 0 Z M0 " +
      "1.6 a2.3 2.3 0 1 0 0.01 0 Z",
  },
  walker: {
    words: "walker",
    path: "M-5 -9 h10 v7.4 h-10 Z M-4.6 -1.6 h3.6 L-3 8 h-4.4 Z M1 -1.6 h3.6 L7.4 8 h-4.4 Z",
    cut: "M-2.4 -6.8 h4.8 v2 h-4.8 Z",
  },
  leader: {
    words: "leader",
    path: "M0 -9.4 L2.5 -3 L9.2 -2.8 L3.9 1.4 L5.8 8 L0 4.1 L-5.8 8 L-3.9 1.4 L-9.2 -2.8 L-2.5 -3 Z",
  },
  "super-heavy": {
    words: "super-heavy vehicle",
    path: "M-10 8 L-10 2.6 L-7.6 2.6 L-7.6 -1 L-4 -1 L-4 -6.4 L1.4 -6.4 L1.4 -3.4 L6 -3.4 L6 2.6 L10 2.6 L10 8 Z",
    line: "M1 -5.2 L9.4 -7.6 M6 -1.2 L10 -1.8 M-7.4 0.4 L-10 -0.6",
    width: 1.8,
    cut: "M-8 4.4 h2.4 v2 h-2.4 Z M-3.8 4.4 h2.4 v2 h-2.4 Z M0.4 4.4 h2.4 v2 h-2.4 Z M4.6 4.4 h2.4 v2 h-2.4 Z",
  },
  "walker-light": {
    words: "light God Machine",
    path: "M-3 -8.4 h6 v6 h-6 Z M-2.8 -2.4 h2.2 L-1.4 9 h-3.6 Z M0.6 -2.4 h2.2 L5 9 h-3.6 Z",
    line: "M3 -4.6 L9.4 -9.4 M-3 -5.4 L-6.4 -2.6",
    width: 2,
    cut: "M-1.7 -6.6 h3.4 v1.6 h-3.4 Z",
  },
  "walker-medium": {
    words: "medium God Machine",
    path: "M-5.6 -1.2 L-6.4 -5 Q0 -11.4 6.4 -5 L5.6 -1.2 Z",
    line: "M-3.2 -1 L-6.6 3.4 L-4 8.6 M3.2 -1 L6.6 3.4 L4 8.6 M-6 -4 H-9.4 M6 -4 H9.4",
    width: 2.5,
    cut: "M-2.6 -5.4 h5.2 v1.8 h-5.2 Z",
  },
  "walker-heavy": {
    words: "heavy God Machine",
    path:
      "M-6.4 -6 L-4 -9.6 L4 -9.6 L6.4 -6 L4.8 -0.4 L-4.8 -0.4 Z M-10 -7.6 h3 v10.4 h-3 Z M7 -7.6 h3 v10.4 h-3 " +
      "Z M-4.6 0.2 h3.8 L-1.4 9.4 h-5.2 Z M0.8 0.2 h3.8 L6.6 9.4 h-5.2 Z",
    cut: "M-1.9 -7.4 h3.8 v3.2 h-3.8 Z",
  },
  "walker-super-heavy": {
    words: "super-heavy God Machine",
    path:
      "M-10 -1 V-6.4 H-8 V-10 H-5 V-6.4 H-1.8 V-10 H1.8 V-6.4 H5 V-10 H8 V-6.4 H10 V-1 L6.6 2.4 H-6.6 Z M-7 3 " +
      "h6 L-1.2 10 h-8 Z M1 3 h6 L9.2 10 h-8 Z",
    cut: "M-2.6 -3.6 h5.2 v2.6 h-5.2 Z M-7.4 -3.6 h2.4 v2.6 h-2.4 Z M5 -3.6 h2.4 v2.6 h-2.4 Z",
  },
  "leader-unit": {
    words: "leaders",
    path:
      "M0 -10 L1.8 -5.6 L6.4 -5.4 L2.8 -2.5 L4 2 L0 -0.5 L-4 2 L-2.8 -2.5 L-6.4 -5.4 L-1.8 -5.6 Z M-7 0.4 a2 2 " +
      "0 1 0 0.01 0 Z M7 0.4 a2 2 0 1 0 0.01 0 Z M0 2 a2 2 0 1 0 0.01 0 Z M-9.8 9 v-2.2 q0 -1.7 1.7 -1.7 h2.2 " +
      "q1.7 0 1.7 1.7 v2.2 Z M4.2 9 v-2.2 q0 -1.7 1.7 -1.7 h2.2 q1.7 0 1.7 1.7 v2.2 Z M-2.8 10 v-1.8 q0 -1.7 " +
      "1.7 -1.7 h2.2 q1.7 0 1.7 1.7 v1.8 Z",
  },
  "leader-armour": {
    words: "leaders in tanks",
    path:
      "M0 -10 L1.8 -5.6 L6.4 -5.4 L2.8 -2.5 L4 2 L0 -0.5 L-4 2 L-2.8 -2.5 L-6.4 -5.4 L-1.8 -5.6 Z M-8 9 L-9.4 " +
      "5.6 L-5.4 5.6 L-4.6 2.8 L4 2.8 L5 5.6 L9 5.6 L7.6 9 Z",
    line: "M4.4 4 L10 3.4",
    width: 1.6,
  },
  "leader-column": {
    words: "leaders in vehicles",
    path:
      "M0 -10 L1.8 -5.6 L6.4 -5.4 L2.8 -2.5 L4 2 L0 -0.5 L-4 2 L-2.8 -2.5 L-6.4 -5.4 L-1.8 -5.6 Z M-10 8 V2.8 " +
      "H-4.6 V8 Z M-4 8 V3.6 H-1.4 L0 6 V8 Z M1 8 V2.8 H6.4 V8 Z M7 8 V3.6 H8.8 L10 6 V8 Z M-8.6 7 a1.4 1.4 0 " +
      "1 0 0.01 0 Z M2.6 7 a1.4 1.4 0 1 0 0.01 0 Z",
  },
  "fighter-1": {
    words: "green fighter, a dagger",
    path: "M-1.6 -9.4 a2.8 2.8 0 1 0 0.01 0 Z M-5.6 8.4 L-4.2 -2.8 L1 -2.8 L2.4 8.4 Z",
    line: "M0.6 -1 L5 1.6 L8 -3.6",
    width: 1.9,
  },
  "fighter-2": {
    words: "trained fighter, a sword",
    path: "M-2.6 -9.4 a2.8 2.8 0 1 0 0.01 0 Z M-6.8 8.4 L-5.4 -2.8 L0.2 -2.8 L1.6 8.4 Z",
    line: "M0 -0.8 L4.8 2.6 L8.6 -9 M3 -1 L8 0.6",
    width: 2,
  },
  "fighter-3": {
    words: "seasoned fighter, sword and shield",
    path:
      "M0 -9.6 a2.8 2.8 0 1 0 0.01 0 Z M-3.4 8.6 L-2.6 -3 L2.6 -3 L3.6 8.6 Z M-10 -2.6 H-2.6 V3.6 Q-3.2 6.6 " +
      "-6.3 8.2 Q-9.4 6.6 -10 3.6 Z",
    line: "M2.2 -1 L6.2 2.6 L9 -9 M4.2 -1.2 L9.4 0.2",
    width: 2,
    cut: "M-7.1 -1 h1.6 v7 h-1.6 Z",
  },
  "fighter-4": {
    words: "veteran fighter, two swords",
    path: "M0 -9 a2.9 2.9 0 1 0 0.01 0 Z M-4 9 L-3 -2.4 L3 -2.4 L4 9 Z",
    line: "M-7.6 -9.4 V5.4 M7.6 -9.4 V5.4 M-9.8 1.4 H-2.4 M9.8 1.4 H2.4",
    width: 2.1,
  },
  "fighter-5": {
    words: "champion, a great sword",
    path:
      "M-3.4 -8.6 a3.1 3.1 0 1 0 0.01 0 Z M-9.4 9 L-9 -0.4 Q-8.6 -1.8 -7 -1.8 L0 -1.8 Q1.6 -1.8 1.9 -0.4 L2.2 " +
      "9 Z M5.2 -6.6 L6.9 -10 L8.6 -6.6 L8.6 3.6 H5.2 Z M2.8 3.8 h8.2 v2 h-8.2 Z M6 6 h1.8 v4 h-1.8 Z",
  },
  "fighter-6": {
    words: "legend, crowned",
    path:
      "M0 -5 a3.2 3.2 0 1 0 0.01 0 Z M-10 9.6 L-4.4 2 L4.4 2 L10 9.6 Z M-5.2 -5.6 L-5.8 -10.2 L-2.6 -7.6 L0 " +
      "-10.6 L2.6 -7.6 L5.8 -10.2 L5.2 -5.6 Z",
    cut: "M-0.7 3.6 h1.4 v4.6 h-1.4 Z M-2.6 4.6 h5.2 v1.2 h-5.2 Z",
  },
  rifle: { words: "riflemen", path: "", line: "M-7.4 -7.4 L7.4 7.4 M7.4 -7.4 L-7.4 7.4", width: 3.4 },
  "machine-gun": { words: "machine guns", path: "M-9 -3 H9 V0.4 H-9 Z", line: "M2 0 L6.4 8 M2 0 L-2.4 8", width: 2.4 },
  conscript: {
    words: "conscripts",
    path: "M0 -8.6 a3.4 3.4 0 1 0 0.01 0 Z M-5.4 0.8 a3.4 3.4 0 1 0 0.01 0 Z M5.4 0.8 a3.4 3.4 0 1 0 0.01 0 Z",
  },
  officer: {
    words: "officers",
    path: "M0 -9.8 L2.6 -3.2 L9.6 -2.9 L4.1 1.5 L6 8.4 L0 4.4 L-6 8.4 L-4.1 1.5 L-9.6 -2.9 L-2.6 -3.2 Z",
  },
  spotter: { words: "spotters", path: "M0 -3 a3 3 0 1 0 0.01 0 Z", line: "M0 -8 A8 8 0 1 0 0.01 -8", width: 2.8 },
  "anti-tank": { words: "anti-tank team", path: "", line: "M-8 6 L0 -7 L8 6", width: 3.4 },
  mortar: { words: "mortar team", path: "M-6 6 H8 V9 H-6 Z", line: "M-3 5 L6 -8", width: 4.4 },
  sniper: {
    words: "snipers",
    path: "",
    line: "M0 -9.4 V-2.4 M0 9.4 V2.4 M-9.4 0 H-2.4 M9.4 0 H2.4 M0 -5.6 A5.6 5.6 0 1 0 0.01 -5.6",
    width: 2.2,
  },
  powered: { words: "powered armour", path: "M0 -9.4 L8.2 -4.7 V4.7 L0 9.4 L-8.2 4.7 V-4.7 Z" },
  jump: {
    words: "jump infantry",
    path: "",
    line: "M-9 5 Q-8 -6.4 -3.4 -4.4 Q-0.6 -3 0 4.4 Q0.6 -3 3.4 -4.4 Q8 -6.4 9 5",
    width: 3.2,
  },
  assault: { words: "assault troops", path: "M-7.4 -8 H7.4 V0.6 Q7.4 6 0 9.6 Q-7.4 6 -7.4 0.6 Z" },
  strider: {
    words: "walker",
    path: "M-5 -9 h10 v7.4 h-10 Z M-4.6 -1.6 h3.6 L-3 8 h-4.4 Z M1 -1.6 h3.6 L7.4 8 h-4.4 Z",
    cut: "M-2.4 -6.8 h4.8 v2 h-4.8 Z",
  },
  gunship: { words: "gunship", path: "M-2 -9 H2 L3 -3 L9.4 0 V3.4 L2.6 3 L2 9 H-2 L-2.6 3 L-9.4 3.4 V0 L-3 -3 Z" },
  truck: {
    words: "truck",
    path:
      "M-10 4.6 V-5 H2.4 V4.6 Z M3.6 4.6 V-2 H7 L10 1.4 V4.6 Z M-6 3.4 a2.6 2.6 0 1 0 0.01 0 Z M5.6 3.4 a2.6 " +
      "2.6 0 1 0 0.01 0 Z",
  },
  apc: {
    words: "armoured carrier",
    path:
      "M-10 3.6 L-8 -3.6 H5 L10 1 V3.6 Z M-6.4 3 a2.3 2.3 0 1 0 0.01 0 Z M-1.2 3 a2.3 2.3 0 1 0 0.01 0 Z M4 3 " +
      "a2.3 2.3 0 1 0 0.01 0 Z M-1 -6 h4 v2 h-4 Z",
  },
  ifv: {
    words: "fighting vehicle",
    path: "M-9.6 6 L-10 1.2 L-8 -1.4 H6 L10 2 L8.4 6 Z M-4.4 -5.4 H2 L3 -2 H-5 Z",
    line: "M2 -4 H9.6",
    width: 1.4,
  },
  "light-tank": {
    words: "light tank",
    path:
      "M-8.4 3.4 L-8.4 -0.2 L-1.6 -4.4 L3 -4.4 L8.8 3.4 Z M-5 2.4 a2.6 2.6 0 1 0 0.01 0 Z M4.6 2.4 a2.6 2.6 0 " +
      "1 0 0.01 0 Z",
    line: "M1 -2.6 L9.4 -4.4",
    width: 1.8,
  },
  "battle-tank": {
    words: "battle tank",
    path: "M-8 6 L-9.2 1.2 L-5 1.2 L-4.2 -4 L3.4 -4 L4.6 1.2 L8.6 1.2 L7.4 6 Z",
    line: "M3.5 -2 L10 -2.6",
    width: 2.2,
  },
  "heavy-tank": {
    words: "heavy tank",
    path: "M-9 7 L-10 0.6 L-6.6 0.6 L-6.6 -3.4 L-4.4 -6.8 L2.6 -6.8 L4.4 -3.4 L5.2 0.6 L9.8 0.6 L8.8 7 Z",
    line: "M3.4 -4.2 L10 -4.2",
    width: 2.8,
  },
};

const UNKNOWN: Silhouette = {
  words: "unit",
  path: "M-6 -6 h12 v12 h-12 Z",
  cut: "M-3 -3 h6 v6 h-6 Z",
};

export function silhouette(name: string): Silhouette {
  return SILHOUETTES[name] ?? UNKNOWN;
}
