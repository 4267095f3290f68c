/** The outlines of blocks with radius 25, one for each shape of a side. */
const DIAMOND = "M-5 -25Q0 -31 5 -25L25 -5Q31 0 25 5L5 25Q0 31 -5 25L-25 5Q-31 0 -25 -5Z";
const SQUARE = "M-18 -23H18Q23 -23 23 -18V18Q23 23 18 23H-18Q-23 23 -23 18V-18Q-23 -23 -18 -23Z";
const ROUND = "M-25 0a25 25 0 1 0 50 0a25 25 0 1 0 -50 0Z";

/** Scale of a block whose figure is taller than the hex. */
export const GREATER = 1.28;

export function baseOf(shape: string): string {
  return shape === "diamond" ? DIAMOND : shape === "square" ? SQUARE : ROUND;
}
