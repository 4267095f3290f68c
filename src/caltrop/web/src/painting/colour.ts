/** Mixes colours in the form `#rrggbb`. */
export type Rgb = readonly [number, number, number];

/** Return red, green and blue, from 0 to 255. */
export function parts(colour: string): Rgb {
  const n = parseInt(colour.slice(1), 16);
  return [n >> 16, (n >> 8) & 255, n & 255];
}

const mixed = new Map<string, string>();

/** Return a colour between two, from 0 for the first to 1 for the second, in 48 steps. */
export function mix(a: string, b: string, t: number): string {
  const step = Math.round(Math.min(1, Math.max(0, t)) * 48);
  const key = a + b + step;
  const cached = mixed.get(key);
  if (cached !== undefined) return cached;
  const [p, q] = [parts(a), parts(b)];
  const mixture =
    "#" +
    p
      .map((v, i) =>
        Math.round(v + (((q[i] as number) - v) * step) / 48)
          .toString(16)
          .padStart(2, "0"),
      )
      .join("");
  mixed.set(key, mixture);
  return mixture;
}

/** Return a colour that is partly transparent. */
export function sheer(colour: string, alpha: number): string {
  const [r, g, b] = parts(colour);
  return `rgba(${r},${g},${b},${Math.round(alpha * 100) / 100})`;
}

/** Return a colour in the light (above 0) or in the shade (below 0). */
export function lit(colour: string, t: number): string {
  return t >= 0 ? mix(colour, "#fff6e0", t) : mix(colour, "#141b2b", -t);
}
