/** Random numbers that depend only on a seed, and so are equal on every screen. */

export type Chance = () => number;

/** Return a 32-bit number made from words. */
export function hash(words: string): number {
  let hash = 2166136261;
  for (let i = 0; i < words.length; i++) hash = Math.imul(hash ^ words.charCodeAt(i), 16777619);
  return hash >>> 0;
}

/** Return a generator of numbers from 0 to below 1. */
export function chance(seed: string | number): Chance {
  let state = typeof seed === "string" ? hash(seed) : seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** Return the number of a cell of a lattice, from 0 to below 1. */
export function cell(i: number, j: number, seed: number): number {
  let h = (Math.imul(i, 374761393) + Math.imul(j, 668265263) + Math.imul(seed, 974634777)) | 0;
  h = Math.imul(h ^ (h >>> 13), 1274126177);
  return ((h ^ (h >>> 16)) >>> 0) / 4294967296;
}

/** Return smoothly interpolated numbers of a lattice with side 1. */
export function noise(x: number, y: number, seed: number): number {
  const i = Math.floor(x);
  const j = Math.floor(y);
  let u = x - i;
  let v = y - j;
  u = u * u * (3 - 2 * u);
  v = v * v * (3 - 2 * v);
  const a = cell(i, j, seed);
  const b = cell(i + 1, j, seed);
  const c = cell(i, j + 1, seed);
  return a + (b - a) * u + (c - a) * v + (a - b - c + cell(i + 1, j + 1, seed)) * u * v;
}

/** Return the sum of several noises, each finer and weaker than the previous one. */
export function layered(x: number, y: number, seed: number, layers: number): number {
  let sum = 0;
  let all = 0;
  for (let n = 0, weight = 0.5; n < layers; n++, weight /= 2) {
    sum += weight * noise(x, y, seed + n * 17);
    all += weight;
    x = x * 2.03 + 11.3;
    y = y * 2.03 - 7.1;
  }
  return sum / all;
}

/** Return a smooth transition from 0 at `low` to 1 at `high`. */
export function smooth(low: number, high: number, x: number): number {
  const t = Math.min(1, Math.max(0, (x - low) / (high - low)));
  return t * t * (3 - 2 * t);
}
