/**
 * Figures on the blocks of a printed map, by the name of their silhouette. They are seen from the side and look right.
 * The middle of the block is their origin: its radius is 25, and feet are at about 13. Shapes are drawn from back to
 * front, each in one of five tones of the side's colour.
 */
export type Tone = "line" | "low" | "mid" | "light" | "high";

export interface Shape {
  readonly d: string;
  readonly tone: Tone;
  readonly place?: string;
}

export type Figure = readonly Shape[];

const low = (d: string): Shape => ({ d, tone: "low" });
const mid = (d: string): Shape => ({ d, tone: "mid" });
const light = (d: string): Shape => ({ d, tone: "light" });
const high = (d: string): Shape => ({ d, tone: "high" });
const dark = (d: string): Shape => ({ d, tone: "line" });
const disc = (x: number, y: number, r: number): string =>
  `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`;
const box = (x: number, y: number, wide: number, tall: number): string => `M${x} ${y}h${wide}v${tall}h${-wide}Z`;
const at = (figure: Figure, x: number, y: number, size = 1): Figure =>
  figure.map((shape) => ({ ...shape, place: `translate(${x} ${y}) scale(${size})` }));

const LEGS = [low("M-5 0L-4.2 -9H4L6.6 0H2.9L0.5 -6L-1.9 0Z")];
const TRUNK = [mid("M-5 -8.6L-5.6 -17Q0 -20.6 5 -17L4.6 -8.6Z"), light("M-5 -9L-5.5 -16.8Q-3 -19 -0.4 -19.3L-1.4 -9Z")];
const HEAD = [
  high(disc(0.9, -21, 3.2)),
  mid("M-4.2 -21Q-4 -27 1 -27Q5.4 -26.6 5.6 -22L6.8 -20.8H-4.6Z"),
  high("M-3.7 -21.6Q-3.4 -26.4 0.8 -26.6Q-1.2 -24.6 -1.2 -21.6Z"),
];
const RIFLE = [low("M-5 -9.8L-3.4 -13.4L12.4 -20L13 -18.3Z"), light("M1.6 -17L5.8 -14.4L3.2 -11.4L-0.8 -13Z")];
const SOLDIER: Figure = [...LEGS, low(box(-8.4, -17.5, 4, 8)), ...TRUNK, ...HEAD, ...RIFLE];
const OFFICER: Figure = [
  ...LEGS,
  ...TRUNK,
  ...HEAD.slice(0, 1),
  mid("M-4.6 -22.6L-3 -26.6H4.6L6.2 -23.4L8 -21.6H-4.4Z"),
  high("M-3.4 -25.6L-2.6 -26.6H2.4L2 -25.4Z"),
  light("M3.4 -17.6L11.4 -21.8L12.6 -19.6L4.8 -14.6Z"),
  high(disc(12.6, -21, 1.7)),
];
const SCOUT: Figure = [
  low("M-6.6 0L-3.4 -8.4L3.4 -8.6L9.4 -3.6L7.4 -1.2L1.6 -4.4L-2.6 0Z"),
  mid("M-9 -3Q-9 -15 -2 -18.6L3.8 -16.4L3.4 -8L-3 -5Z"),
  light("M-8.6 -4Q-8.4 -15 -2 -18.4L0.2 -17.6Q-4.4 -12 -4.6 -5.6Z"),
  high(disc(2.4, -20, 3)),
  mid("M-3.4 -17.4Q-3.2 -25.8 2.8 -25.4Q6.6 -24.8 6.6 -20.8Q2.6 -23.4 0.6 -19.4Q-0.6 -17 -3.4 -17.4Z"),
  low("M4.4 -21.6h6.6v3.2h-6.6Z"),
  light("M0.6 -15.6L8 -18.8L9.4 -16.6L2.6 -11.8Z"),
];
const WHEELS = (...places: number[]): Shape[] =>
  places.flatMap((x) => [low(disc(x, -6.5, 7.6)), mid(disc(x, -6.5, 4.6)), high(disc(x - 0.8, -7.3, 2.2))]);
const TRACK = (from: number, to: number): Shape[] => [
  low(
    `M${from + 1} -4Q${from} -11 ${from + 6} -11H${to - 5}Q${to + 1} -10 ${to} -5L${to - 5} 0H${from + 6}Q` +
      `${from + 1} 0 ${from + 1} -4Z`,
  ),
  ...Array.from({ length: 5 }, (_, i) => from + 8.5 + (i * (to - from - 17)) / 4).flatMap((x) => [
    mid(disc(x, -4.6, 3.6)),
    light(disc(x - 0.4, -5, 1.5)),
  ]),
];
const TANK: Figure = [
  ...TRACK(-25, 25),
  mid("M-25 -10L-21 -16H13L26 -11V-9H-25Z"),
  high("M-23.4 -12.4L-21 -16H13L17.5 -14.3L-21 -13.6Z"),
  low("M9 -24.5L31 -26V-23L9 -20.6Z"),
  light("M9 -24.5L31 -26V-25L9 -23.3Z"),
  mid("M28 -27.4h5v5.6h-5Z"),
  light("M-14 -15.6L-11.5 -25Q-10.5 -26.5 -8 -26.5H4Q8 -26.5 9 -23.5L11 -15.6Z"),
  mid("M1 -26.4L4 -26.5Q8 -26.5 9 -23.5L11 -15.6H3Z"),
  high("M-11.5 -24.6Q-10.6 -26.5 -8 -26.5H4Q7.4 -26.5 8.5 -24.6Z"),
  mid("M-7 -29.4h8v3h-8Z"),
  low("M-11.4 -26L-14.4 -37L-13.6 -37.2L-10.4 -26Z"),
];
const BUGGY: Figure = [
  low("M-12 -13L-7 -24H4L10 -13L8 -12L3 -22H-6L-10 -12Z"),
  high(disc(1, -17.5, 3.4)),
  mid("M-21 -8L-16 -14H9L24 -10V-5H-21Z"),
  high("M-20.4 -9L-16 -14H9L14 -12.6L-16 -12Z"),
  low("M-8 -26L18 -29V-26.6L-7 -23Z"),
  light("M-10 -29h8v6h-8Z"),
  ...WHEELS(-13, 15),
];
const GIANT: Figure = [
  low("M-13 0L-11 -14H-2V0Z M2.5 0L3 -14H11.5L13.5 0Z"),
  mid("M-15 0L-13 -4.5H-1.5V0Z M2 0V-4.5H13L16 0Z"),
  mid("M-13 -12Q-17 -29 0 -31Q17 -29 13 -12Z"),
  light("M-12.6 -12.4Q-16.4 -28.6 -1 -30.6L-4 -12.4Z"),
  low("M-8 -24h16v2h-16Z"),
  light(disc(-14.5, -25, 7.4)),
  high(disc(-15.6, -26.6, 4.2)),
  mid(disc(14.5, -25, 7.2)),
  high("M-5 -30Q-5 -37 1 -37Q6.6 -37 6.6 -30Z"),
  dark("M0 -33.4h6.6v1.9h-6.6Z"),
  low("M7 -20L28 -22V-15L8 -12Z"),
  light("M7 -20L28 -22V-20.4L7 -18Z"),
  light("M-23 -20h9v12h-9Z"),
  low("M-24 -10h11v5h-11Z"),
];
const PENNANT = (x: number, foot: number, top: number): Shape[] => [
  low(`M${x - 0.9} ${top}h1.8V${foot}h-1.8Z`),
  high(`M${x + 0.9} ${top}L${x + 19} ${top + 4}L${x + 14} ${top + 9}L${x + 19} ${top + 14}L${x + 0.9} ${top + 13}Z`),
  light(`M${x + 0.9} ${top}L${x + 5} ${top + 0.9}V${top + 13.2}L${x + 0.9} ${top + 13}Z`),
];

export const FIGURES: Readonly<Record<string, Figure>> = {
  "infantry-light": [...at(SCOUT, -9, 5, 0.98), ...at(SOLDIER, 9, 13, 1.04)],
  infantry: [
    ...at(SOLDIER, 9, 2, 0.92),
    ...at(SOLDIER, -9, 3, 0.98),
    ...at(SOLDIER, 9, 14, 1.08),
    ...at(SOLDIER, -8, 15, 1.14),
  ],
  "heavy-weapons": [
    ...at(SOLDIER, -15, 6, 0.86),
    ...at(
      [
        low("M-6 -8L-26 2H-21L-2 -3Z"),
        low("M-8 -15L27 -24L28.5 -19.6L-6 -10Z"),
        light("M-8 -15L27 -24L27.4 -22.6L-7.6 -13.4Z"),
        mid("M25 -25.4l5 -1.3l2 6.6l-5 1.2Z"),
        light("M1 -1L-3 -22L3 -25L10 -3Z"),
        mid("M3 -25L10 -3L13 -4L6 -25Z"),
        mid(disc(-2, -5, 7)),
        light(disc(-2, -5, 4.6)),
        dark(disc(-2, -5, 1.8)),
      ],
      2,
      14,
    ),
  ],
  "infantry-super-heavy": [...at(GIANT, 9, 5, 0.72), ...at(GIANT, -5, 14, 0.92)],
  light: at(BUGGY, 0, 13, 1.02),
  medium: at(TANK, -1, 14, 0.98),
  heavy: at(
    [
      low("M-28 -7L-20 -20H17L28 -10L23 0H-21Z"),
      mid("M-22 -7L-16 -16H14L21 -9.5L18 -4H-18Z"),
      light("M-21.4 -8L-16 -16H14L16.4 -13.6L-14 -13.4Z"),
      ...[-12, -4, 4, 12].map((x) => low(disc(x, -7.6, 1.7))),
      light("M4 -15H16V-8H4Z"),
      low("M14 -13.6H30V-10H14Z"),
      low("M9 -33H29V-29.6H9Z M9 -28.4H29V-25H9Z"),
      light("M9 -33h20v1.2h-20Z"),
      light("M-17 -19.6L-15 -32L-9 -35H6L11 -31L12 -19.6Z"),
      mid("M3 -35H6L11 -31L12 -19.6H4Z"),
      high("M-14.6 -32L-9 -35H6L9.4 -32.2Z"),
      mid("M-8 -38.4h9v3.6h-9Z"),
    ],
    -1,
    14,
    0.92,
  ),
  "super-heavy": at(
    [
      ...TRACK(-34, -2),
      ...TRACK(2, 34),
      mid("M-36 -9L-31 -19H24L37 -11V-8H-36Z"),
      high("M-34.6 -11.4L-31 -19H24L29 -16L-30 -15.6Z"),
      low("M12 -22.4L39 -23.4V-20L12 -18.6Z"),
      light("M4 -18.6L6 -25.6H15L18 -18.6Z"),
      high("M5.6 -24L6 -25.6H15L15.8 -24Z"),
      low("M-9 -35.6L17 -37.6V-34L-9 -31.6Z M-9 -30.6L17 -31.6V-28.4L-9 -27Z"),
      mid("M-24 -18.6V-27H-2V-18.6Z"),
      light("M-24 -18.6V-27H-14V-18.6Z"),
      light("M-21 -26.6L-18 -38H-6L-3 -26.6Z"),
      mid("M-10 -38H-6L-3 -26.6H-9Z"),
      high("M-18.6 -35.6L-18 -38H-6L-5.4 -35.6Z"),
      low("M-31 -18.6V-33H-26V-18.6Z"),
      mid("M-32 -35.4h7v2.8h-7Z"),
      low("M-14 -38h1.8v-12h-1.8Z"),
      high("M-12.2 -50L-2 -47.4L-12.2 -44.6Z"),
    ],
    0,
    15,
    0.86,
  ),
  leader: at(
    [
      mid("M-7 -18Q-18 -8 -14 2L-3 0L-2 -17Z"),
      low("M-6.8 -17Q-11 -8 -9.4 1L-3 0L-2 -17Z"),
      ...PENNANT(12, 2, -39),
      ...LEGS,
      ...TRUNK,
      ...OFFICER.slice(3),
    ],
    -4,
    13,
    1.16,
  ),
  "leader-unit": [
    ...at(PENNANT(-1, -4, -41), 0, 8),
    ...at(SOLDIER, -12, 4, 0.84),
    ...at(SOLDIER, 11, 5, 0.84),
    ...at(OFFICER, -1, 14, 1.02),
  ],
  "leader-armour": [
    ...at(PENNANT(-12, -20, -46), 0, 14),
    ...at(TANK, -1, 14, 0.94),
    ...at([light("M-4 -27Q0 -36 7 -33Q6 -28 -4 -27Z"), low("M0 -30L5 -36l0.9 0.8L1 -29Z")], -1, 12),
  ],
  "leader-column": [
    ...at(BUGGY, 11, 3, 0.66),
    ...at(
      [
        mid("M-27 -8V-26H4V-8Z"),
        light("M-27 -8V-26H-14V-8Z"),
        high("M-27 -26H4V-23H-27Z"),
        low("M-22 -20h9v6h-9Z M-10 -20h9v6h-9Z"),
        mid("M4 -8V-20H13L19 -12V-8Z"),
        low("M7 -18H12L16 -12.4H7Z"),
        high("M4 -20H13L14 -18.4H4Z"),
        low("M-28 -9H20V-4H-28Z"),
        ...WHEELS(-20, -4, 12),
      ],
      -2,
      14,
      0.94,
    ),
    ...at(PENNANT(-20, -22, -44), 0, 13),
  ],
  "walker-light": at(
    [
      mid("M-11 -27L-3 -26L-6 -14H-13Z"),
      low("M-13 -14H-6L-8 -3H-14Z"),
      light("M-18 0L-15 -4.4H-6L-4 0Z"),
      mid("M3 -26L11 -27L14 -14H7Z"),
      low("M7 -14H14L15 -3H9Z"),
      mid("M5 0L7 -4.4H16L20 0Z"),
      light(disc(-9.5, -14.5, 3.6)),
      mid(disc(10.5, -14.5, 3.6)),
      low("M-10 -31H10L7 -23H-7Z"),
      high("M-3.6 -30H3.6L2.6 -16L0 -12.5L-2.6 -16Z"),
      high("M-20 -32L-34 -9L-30.6 -7L-16.4 -30Z"),
      low("M-24.4 -33L-13.6 -28L-14.8 -25.6L-25.6 -30.6Z"),
      mid("M-23 -41H-15L-16 -30H-22Z"),
      mid("M-14 -47H14L11 -32L5 -28.6H-5L-11 -32Z"),
      light("M-14 -47H-1L-2 -28.6H-5L-11 -32Z"),
      low("M-8 -40h16v1.8h-16Z"),
      low("M18 -38H38V-32.6H18Z"),
      light("M18 -38h20v1.6h-20Z"),
      mid("M36 -39.4h4.4v8.2h-4.4Z M13.6 -42H23V-31H13.6Z"),
      light("M-26 -50Q-18 -57 -11 -50L-12 -39.6H-25Z"),
      high("M-26 -49.8Q-18 -57 -11 -50L-11.3 -47Q-18 -52 -25.8 -46Z"),
      mid("M26 -50Q18 -57 11 -50L12 -39.6H25Z"),
      mid("M-2 -57L-12 -63L4 -62.4V-56Z"),
      high("M-6 -46.6V-53.4Q0 -60 6.4 -53.4V-46.6Z"),
      dark("M-3.6 -52h10v2.3h-10Z"),
    ],
    0,
    16,
    0.86,
  ),
  "walker-medium": at(
    [
      low("M-14 -31L-22 -20L-15 -8L-18 -3H-10L-8 -9L-14 -20L-7 -29Z"),
      light("M-24 0L-20 -4.4H-8L-5 0Z"),
      mid("M7 -31L17 -20L11 -8L14 -3H22L18 -9L25 -21L15 -33Z"),
      mid("M6 0L10 -4.4H23L27 0Z"),
      light(disc(-18, -20, 3.8)),
      mid(disc(20, -20.6, 3.8)),
      low("M-12 -37H14L9 -26H-8Z"),
      mid("M-31 -52H-18V-34H-29Z"),
      light("M-31 -52H-25V-34H-29Z"),
      low("M-30 -38h11v7h-11Z M-28 -31h2.6v10h-2.6Z M-23 -31h2.6v10h-2.6Z"),
      low("M22 -47H47V-41H22Z M22 -39.6H43V-34.6H22Z"),
      light("M22 -47h25v1.7h-25Z"),
      mid("M17 -51H30V-33H17Z"),
      high("M17 -51H30V-48H17Z"),
      mid("M-25 -48Q-22 -66 -2 -66Q22 -64 27 -46L15 -35H-14Z"),
      light("M-24.4 -48Q-21.4 -65.4 -2 -65.6L-8 -36H-14Z"),
      high("M-22 -55Q-16 -65.8 -2 -65.8Q12 -65 20 -58Q-2 -62 -22 -55Z"),
      low("M-3 -57Q8 -60 22 -52L28 -44L16 -37H0Z"),
      light("M3 -54Q14 -56 24 -48.4L21 -43L10 -40H4Z"),
      dark("M9 -50.6L24.6 -47.6L22.4 -44.6L10 -46.6Z"),
      low("M-19 -60h2v-14h-2Z"),
      high("M-17 -74L-6 -71L-17 -67.6Z"),
    ],
    0,
    17,
    0.84,
  ),
  "walker-heavy": at(
    [
      low("M-22 0L-20 -8L-17 -26L-5 -28V-8L-3 0Z M3 0L5 -8V-28L17 -26L20 -8L23 0Z"),
      light("M-20 -9L-17.6 -25L-9 -27L-11 -9Z"),
      mid("M6 -9V-27L15 -26L17.6 -9Z"),
      mid("M-25 0L-21 -7H-5L-2 0Z M2 0L5 -7H21L26 0Z"),
      high("M-24.4 -1L-21 -7H-12L-15 -1Z"),
      low("M-15 -26H15L11 -36H-11Z"),
      light("M-4 -34H4L3 -20H-3Z"),
      mid("M-40 -46L-27 -48L-26 -20L-30 -10H-38L-41 -20Z"),
      light("M-40 -46L-34 -47L-35 -11L-38 -10L-41 -20Z"),
      low("M-41 -12h4v8h-4Z M-35.6 -12h4v8h-4Z M-30.4 -12h4v8h-4Z"),
      mid("M27 -48L40 -46L41 -24H27Z"),
      low("M29 -26H39L38 -2H30Z"),
      light("M29 -26H32V-2H30Z"),
      mid("M-26 -36Q-31 -58 -14 -62H14Q31 -58 26 -36L14 -31H-14Z"),
      light("M-25.4 -37Q-30 -57.4 -14 -61.4L-2 -61.6L-8 -32L-14 -31.6Z"),
      high("M-27 -50Q-24 -60 -14 -62H14Q23 -60 26.4 -52Q0 -60 -27 -50Z"),
      low("M-12 -56H12L11 -38H-11Z"),
      light("M-8 -53Q0 -58 8 -53L9 -45L5 -40H-5L-9 -45Z"),
      high("M-8 -53Q0 -58 8 -53L8.4 -50H-8.4Z"),
      dark("M-7 -48.4H7L6 -45.6H-6Z"),
      light("M-26 -58V-70L-23.4 -76L-21 -70V-60Z M-18 -61V-74L-15.6 -80L-13 -74V-62Z"),
      mid("M26 -58V-70L23.4 -76L21 -70V-60Z M18 -61V-74L15.6 -80L13 -74V-62Z"),
      low("M-1 -62h2v-16h-2Z"),
      high("M1 -78L15 -74.6L1 -70Z"),
    ],
    0,
    17,
    0.86,
  ),
  "walker-super-heavy": at(
    [
      low("M-27 0L-25 -9L-22 -28L-6 -30V-9L-3 0Z M3 0L6 -9V-30L22 -28L25 -9L27 0Z"),
      light("M-25 -10L-22.4 -27L-12 -29L-14 -10Z"),
      mid("M8 -10V-29L20 -28L22.6 -10Z"),
      mid("M-31 0L-26 -8H-6L-2 0Z M2 0L6 -8H26L31 0Z"),
      high("M-30 -1L-26 -8H-15L-19 -1Z"),
      low("M-18 -28H18L13 -38H-13Z"),
      light("M-4 -37H4L3 -22H-3Z"),
      mid("M-47 -50L-31 -52L-30 -22L-34 -12H-44L-48 -22Z"),
      light("M-47 -50L-40 -51L-41 -13L-44 -12L-48 -22Z"),
      low("M-48 -13h5v10h-5Z M-41 -13h5v10h-5Z M-34.4 -13h4.6v10h-4.6Z"),
      mid("M31 -52L47 -50L48 -26H31Z"),
      low("M34 -28H46L45 2H35Z"),
      light("M34 -28H37.4V2H35Z"),
      mid("M33 -3H47V3H33Z"),
      mid("M-31 -38Q-36 -60 -18 -64H18Q36 -60 31 -38L17 -33H-17Z"),
      light("M-30.4 -39Q-35 -59.4 -18 -63.4H-2L-9 -34L-17 -33.6Z"),
      low("M-13 -58H13L12 -40H-12Z"),
      light("M-9 -55Q0 -60 9 -55L10 -47L6 -42H-6L-10 -47Z"),
      high("M-9 -55Q0 -60 9 -55L9.4 -52H-9.4Z"),
      dark("M-8 -50H8L7 -47H-7Z"),
      mid("M-36 -62H36V-69H-36Z"),
      high("M-36 -69H36V-66.6H-36Z"),
      light("M-34 -69V-80H-30V-77H-27V-80H-23V-69Z M-16 -69V-84L-11 -92L-6 -84V-69Z"),
      mid("M34 -69V-80H30V-77H27V-80H23V-69Z M16 -69V-84L11 -92L6 -84V-69Z"),
      low("M-13 -82h4v8h-4Z M9 -82h4v8h-4Z"),
      light("M-5 -69V-90L0 -102L5 -90V-69Z"),
      mid("M0 -69V-102L5 -90V-69Z"),
      low("M-0.8 -102h1.6v-10h-1.6Z"),
      high("M0.8 -112L14 -108.6L0.8 -104.6Z"),
    ],
    0,
    18,
    0.72,
  ),
};

/** Figures on larger blocks, which are taller than a hex. */
const GREAT = ["walker-light", "walker-medium", "walker-heavy", "walker-super-heavy"];

export function isGreat(name: string): boolean {
  return GREAT.includes(name);
}

/** Return whether a base is so much smaller than usual that a sign is clearer than a figure. */
export function isSmall(radius: number, usual: number): boolean {
  return radius < 0.75 * usual;
}
