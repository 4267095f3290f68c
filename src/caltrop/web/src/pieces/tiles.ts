/** The outlines of tiles and the symbols on their faces, in a box from -7 to 7. */

export const FACES: Readonly<Record<string, string>> = {
  fire: "M0 -4.9L1.3 -1.6L4.8 -1.5L2.1 0.7L3 4.1L0 2.2L-3 4.1L-2.1 0.7L-4.8 -1.5L-1.3 -1.6Z",
  move: "M-4.6 -1.3H0.4V-3.9L5 0L0.4 3.9V1.3H-4.6Z",
};

export function outlineOf(shape: string): string {
  if (shape === "diamond") return "M-3.6 -6.2H3.6L7 0L3.6 6.2H-3.6L-7 0Z";
  if (shape === "square") return "M-6.2 -6.2H6.2V6.2H-6.2Z";
  return "M-3.6 -6.2H3.6Q6.2 -6.2 6.2 -3.6V3.6Q6.2 6.2 3.6 6.2H-3.6Q-6.2 6.2 -6.2 3.6V-3.6Q-6.2 -6.2 -3.6 -6.2Z";
}
