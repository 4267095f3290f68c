/**
 * Drawings from above with the front to the right: soldiers and round machines in a box from -10 to 10, hulls from -20
 * to 20 and from -10 to 10. Each has few large forms, to be distinct on a base of twelve pixels.
 */
export interface Form {
  d: string;
  /** `body` is dark, `plate` light, `line` a light line with a dark border. */
  tone: "body" | "plate" | "line";
  /** The width of a line. */
  width?: number;
}

const box = (x: number, y: number, wide: number, high: number): string => `M${x} ${y}h${wide}v${high}h${-wide}Z`;
const disc = (x: number, y: number, r: number): string =>
  `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`;
const body = (d: string): Form => ({ d, tone: "body" });
const plate = (d: string): Form => ({ d, tone: "plate" });
const line = (d: string, width: number): Form => ({ d, tone: "line", width });

const SHOULDERS = body("M-4.4 -6.4 Q2.4 -8.4 3.4 0 Q2.4 8.4 -4.4 6.4 Q-7 0 -4.4 -6.4 Z");
const HELMET = plate(disc(-0.6, 0, 3.7));
const man = (...more: Form[]): Form[] => [SHOULDERS, ...more, HELMET];

const HULL = body("M-17 -8.4 H14 L17.2 -5.6 V5.6 L14 8.4 H-17 Z");
const TRACKS = body(`${box(-17.4, -9, 34.4, 3.4)} ${box(-17.4, 5.6, 34.4, 3.4)}`);
const TANK = body("M-17 -6.6 H12.6 L16.8 -4 V4 L12.6 6.6 H-17 Z");

export const TOPS: Readonly<Record<string, readonly Form[]>> = {
  rifle: man(line("M1 4.2 H12", 2.2)),
  conscript: [SHOULDERS, line("M-2 4.8 L12.6 1", 1.7), body(disc(-0.6, 0, 3.9)), plate(disc(-0.6, 0, 2))],
  "machine-gun": man(line("M0 4 H14.4", 3.2), line("M9 4 L11 8.4 M9 4 L11 -0.4", 1.4)),
  flamer: man(line("M0 4 H11", 2.4), plate(disc(13.4, 4, 2.2))),
  officer: [
    SHOULDERS,
    line("M-3 -2 V-15", 1.6),
    plate("M-3 -15.4 L6 -12.6 L-3 -9.8 Z"),
    plate(disc(-0.6, 1, 4.4)),
    body(disc(-0.6, 1, 1.7)),
  ],
  spotter: man(plate(`${disc(5, -3, 2)} ${disc(5, 3, 2)}`), line("M-5 -4 L-9 -13", 1.3)),
  "anti-tank": man(line("M-9.4 5.2 H14", 4), body(box(3, 2.6, 2, 5.2))),
  mortar: man(line("M3 3 L12 -4", 4.6)),
  sniper: [body("M-13 -3.4 L3 -4.6 V4.6 L-13 3.4 L-9 0 Z"), line("M1 2.4 H18", 1.7), HELMET],
  assault: man(line("M7 -7 Q11 0 7 7", 3)),
  powered: [
    body("M-4.4 -8.6 H1.4 L5.6 -4.4 V4.4 L1.4 8.6 H-4.4 L-7.4 4.4 V-4.4 Z"),
    line("M2 6.4 H13", 3.4),
    plate("M-3.4 -3.4 H2 L4.4 0 L2 3.4 H-3.4 Z"),
  ],
  jump: [body("M-4 -5 L-13 -11 L-8 -1.6 V1.6 L-13 11 L-4 5 Z"), ...man(line("M1 4.2 H10.6", 2.2))],
  strider: [
    body(`${box(-9, -9.6, 11, 5)} ${box(-2, 4.6, 11, 5)}`),
    line("M-1 -7 H12 M1 7 H9", 3),
    body("M-6.4 -6 H3 L6.4 -3 V3 L3 6 H-6.4 Z"),
    plate("M0 -2.6 H4.4 V2.6 H0 Z"),
  ],
  gunship: [
    body("M-12 -1.6 L-2 -3.4 L9 -2.2 L13 0 L9 2.2 L-2 3.4 L-12 1.6 Z M-3 -11 H2 V11 H-3 Z M-13 -4.4 h3 v8.8 h-3 Z"),
    plate(`${disc(-0.5, -9.4, 4.2)} ${disc(-0.5, 9.4, 4.2)}`),
    plate("M5 -1.4 L10 0 L5 1.4 Z"),
  ],
  truck: [
    HULL,
    plate("M-16 -6.8 H5 V6.8 H-16 Z"),
    { ...body("M-9 -6.8 V6.8 M-2 -6.8 V6.8"), tone: "line", width: 0.7 },
    plate(box(9.4, -5, 2.6, 10)),
  ],
  apc: [HULL, plate(`${box(-12, -5, 6, 4)} ${box(-12, 1, 6, 4)}`), plate(disc(5, 0, 2.6)), line("M5 0 H13", 1.4)],
  ifv: [TRACKS, TANK, plate("M-7 -4 H1 L4 0 L1 4 H-7 Z"), line("M2 0 H15", 1.6)],
  "light-tank": [TRACKS, TANK, line("M2 0 H19", 2), plate("M-6 -4.6 H2.4 L5.4 -2 V2 L2.4 4.6 H-6 Z")],
  "battle-tank": [
    TRACKS,
    TANK,
    line("M2 0 H24", 2.6),
    plate("M-9 -5 H1 L6.4 -2 V2 L1 5 H-9 L-11 2.6 V-2.6 Z"),
    body(disc(-4, -1.4, 1.7)),
  ],
  "heavy-tank": [
    body(`${box(-18.6, -9.8, 37, 4.6)} ${box(-18.6, 5.2, 37, 4.6)}`),
    TANK,
    line("M2 0 H26", 3.2),
    line("M22 0 H26", 4.6),
    plate("M-11 -6.6 H3 L8 -3 V3 L3 6.6 H-11 L-13 3.4 V-3.4 Z"),
    body(`${disc(-5, -2.4, 1.8)} ${disc(-5, 2.6, 1.8)}`),
  ],
};

/** Return how something looks from above; null if it is drawn as its emblem. */
export function topOf(name: string): readonly Form[] | null {
  return TOPS[name] ?? null;
}

/** Return the angle on the screen of a direction on the table, in degrees, with places drawn by `put`. */
export function angleOf(
  heading: readonly [number, number],
  put: (p: readonly [number, number]) => readonly [number, number],
): number {
  const zero = put([0, 0]);
  const ahead = put(heading);
  return (Math.atan2(ahead[1] - zero[1], ahead[0] - zero[0]) * 180) / Math.PI;
}
