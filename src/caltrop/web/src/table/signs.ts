/** The signs of countable tokens, as paths in a box from -5 to 5. A kind without a sign shows its first letter. */
export interface Sign {
  path: string;
  /** True if the sign is drawn as a line instead of filled. */
  line?: boolean;
}

export const SIGNS: Readonly<Record<string, Sign>> = {
  stun: { path: "M1 -4.4 L-3 0.6 L-0.4 0.6 L-1.4 4.4 L3 -1.2 L0.2 -1.2 Z" },
  worm: { path: "M-3.8 1.6 C -2.6 -2.6 -0.6 -2 0 0 C 0.6 2 2.6 2.6 3.8 -1.6", line: true },
  mark: { path: "M0 -4.2 V-1.6 M0 4.2 V1.6 M-4.2 0 H-1.6 M4.2 0 H1.6 M0 -2.6 A2.6 2.6 0 1 0 0.01 -2.6", line: true },
  drone: { path: "M0 -4 L3.5 -2 L3.5 2 L0 4 L-3.5 2 L-3.5 -2 Z M0 -1.4 A1.4 1.4 0 1 0 0.01 -1.4", line: true },
  lock: { path: "M-3.6 -3.6 L3.6 3.6 M3.6 -3.6 L-3.6 3.6 M-4 2 L-2 4 M4 2 L2 4", line: true },
  moved: { path: "M-3.6 0 H3 M0.4 -2.8 L3.4 0 L0.4 2.8", line: true },
  target: { path: "M0 -3.8 A3.8 3.8 0 1 0 0.01 -3.8 M0 -1.3 A1.3 1.3 0 1 0 0.01 -1.3", line: true },
  breath: { path: "M-4 -1.6 Q-2 -3.4 0 -1.6 T4 -1.6 M-4 1.8 Q-2 0 0 1.8 T4 1.8", line: true },
  gland: {
    path: "M-3.6 2.4 A2.2 2.2 0 1 1 -0.4 1 A2.4 2.4 0 1 1 3 3 A2 2 0 0 1 0 3.4 A2 2 0 0 1 -3.6 2.4 Z",
    line: true,
  },
  disengaged: { path: "M3.6 0 H-3 M-0.4 -2.8 L-3.4 0 L-0.4 2.8 M4 -3 V3", line: true },
  frozen: { path: "M-2.6 -1 V-2 A2.6 2.6 0 0 1 2.6 -2 V-1 M-3.6 -1 H3.6 V4 H-3.6 Z", line: true },
  appeared: { path: "M0 -4 V4 M-4 0 H4", line: true },
  concentrating: { path: "M0 -4 V4 M-4 0 H4 M-2.8 -2.8 L2.8 2.8 M2.8 -2.8 L-2.8 2.8", line: true },
  overwatch: { path: "M-4.4 0 Q0 -4.4 4.4 0 Q0 4.4 -4.4 0 Z M0 -1.2 A1.2 1.2 0 1 0 0.01 -1.2", line: true },
  ordered: { path: "M-3.2 4.2 V-4 M-3.2 -4 L3.8 -1.6 L-3.2 0.8", line: true },
  battled: { path: "M-3.6 -3.6 L3 3 M3.6 -3.6 L-3 3 M1 3.6 L3.6 1 M-1 3.6 L-3.6 1", line: true },
  leader: { path: "M0 -4.4 L1.2 -1.4 L4.4 -1.3 L1.9 0.7 L2.8 3.8 L0 2 L-2.8 3.8 L-1.9 0.7 L-4.4 -1.3 L-1.2 -1.4 Z" },
  attached: {
    path:
      "M-1 1 L1 -1 M-0.6 -2 L0.8 -3.4 A1.9 1.9 0 0 1 3.4 -0.8 L2 0.6 M0.6 2 L-0.8 3.4 A1.9 1.9 0 0 1 -3.4 0.8 " +
      "L-2 -0.6",
    line: true,
  },
  entrenched: { path: "M-4.2 -1.4 Q0 -4.6 4.2 -1.4 M-4.2 2.6 Q0 -0.6 4.2 2.6", line: true },
  fleeing: {
    path:
      "M1.6 -4.6 a0.9 0.9 0 1 0 0.01 0 M0.8 -1.8 L-0.8 1 L1.4 2.2 L0.8 4.6 M-0.8 1 L-2 3 L-4.2 3 M0.6 -1.5 " +
      "L-2.2 -1.4 M0.6 -1.5 L2.2 0.2 L3.9 -0.6",
    line: true,
  },
  trophy: {
    path:
      "M-2.6 -4 H2.6 V-1 A2.6 2.6 0 0 1 -2.6 -1 Z M0 1.6 V3.4 M-2 3.9 H2 M-2.6 -3 H-4.2 A2 2 0 0 0 -2.6 -0.6 " +
      "M2.6 -3 H4.2 A2 2 0 0 1 2.6 -0.6",
    line: true,
  },
  relic: { path: "M-2.8 -4 H2.8 L1.4 -0.6 H0.6 V2.6 L2.4 4.2 H-2.4 L-0.6 2.6 V-0.6 H-1.4 Z" },
  kill: {
    path: "M0 -4.4 A3.6 3.4 0 0 0 -1.9 1.9 V3.4 H1.9 V1.9 A3.6 3.4 0 0 0 0 -4.4 M-1.5 -1.2 V-0.9 M1.5 -1.2 V-0.9",
    line: true,
  },
  broken: { path: "M-3.4 -4 H3.4 V4 M-3.4 -4 V4 M-3.4 0.6 L-1 -1 L1 1.2 L3.4 -0.6", line: true },
  passengers: {
    path:
      "M-1.8 -4.2 a1.7 1.7 0 1 0 0.01 0 Z M-4.4 3.6 V1.6 Q-4.4 -0.2 -1.8 -0.2 Q0.8 -0.2 0.8 1.6 V3.6 Z M2.4 " +
      "-2.6 a1.4 1.4 0 1 0 0.01 0 Z M1.8 3.6 V1 Q4.6 0.4 4.6 2.4 V3.6 Z",
  },
  immobile: { path: "M0 -4 A4 4 0 1 0 0.01 -4 M-2.8 2.8 L2.8 -2.8", line: true },
  disarmed: { path: "M-4 0.6 H0 L1.4 -1 H4.4 M-4 4 L4 -4", line: true },
  pilot: { path: "M0 -4.4 Q4.4 -4 4.4 -0.4 H-4.4 Q-4.4 -4 0 -4.4 Z M-3 0.4 L0 4 L3 0.4", line: true },
  pinned: { path: "M-3 -3.6 H3 M0 -3.6 V4 M-1.6 2 L0 4 L1.6 2", line: true },
};

export function sign(kind: string): Sign | null {
  return SIGNS[kind] ?? null;
}
