/** A cloud of smoke as a picture: overlapping puffs with soft rims, lit from the north-west. */
import { chance, hash, noise, smooth } from "./chance.ts";
import { mix, parts } from "./colour.ts";

/** Width and height in pixels. Smoke is soft, so it may be enlarged. */
const SIDE = 112;
const PUFFS = 64;
/** Colours of a puff from shade to light by day. By night clouds are dimmed like the ground. */
const TONES = ["#7d7f83", "#b9b8b3", "#e6e3d9", "#fdfaf0"] as const;
const NIGHT = "#5f6673";
/** Opacity of a puff at its middle. */
const THICK = 0.62;

interface Puff {
  readonly x: number;
  readonly y: number;
  readonly r: number;
}

/** Return puffs within a circle of radius 1, ordered from its rim to its middle, where the largest are. */
function puffsOf(seed: number): Puff[] {
  const of = chance(seed);
  return Array.from({ length: PUFFS }, (_, i) => {
    const out = Math.sqrt((PUFFS - i - 0.5) / PUFFS);
    const r = (0.4 - 0.17 * out) * (0.75 + of() * 0.5);
    const angle = i * 2.4 + of();
    const far = Math.min(out, 0.98 - r);
    return { x: Math.cos(angle) * far, y: Math.sin(angle) * far, r };
  });
}

/** Return the colours of a cloud, pixel by pixel, in the form of a canvas. Everything outside the circle is empty. */
export function cloudPixels(seed: number, night: boolean, side = SIDE): Uint8ClampedArray<ArrayBuffer> {
  const tones = TONES.map((tone) => parts(night ? mix(tone, NIGHT, 0.45) : tone));
  const half = side / 2;
  // Premultiplied red, green and blue, and the opacity.
  const sums = new Float32Array(side * side * 4);
  puffsOf(seed).forEach((puff, n) => {
    const [x, y, r] = [(puff.x + 1) * half, (puff.y + 1) * half, puff.r * half];
    // Puffs on the lit side and on top are brighter.
    const height = (n / PUFFS) * 0.5 - (puff.x * 0.76 + puff.y * 0.65) * 0.5;
    for (let j = Math.max(0, Math.floor(y - r)); j < Math.min(side, y + r); j++)
      for (let i = Math.max(0, Math.floor(x - r)); i < Math.min(side, x + r); i++) {
        const [u, v] = [(i + 0.5 - x) / r, (j + 0.5 - y) / r];
        // The wind has made the rims ragged.
        const far = Math.hypot(u, v) + (noise(i * 0.16, j * 0.16, seed) - 0.5) * 0.34;
        if (far >= 1) continue;
        const alpha = THICK * smooth(1, 0.25, far) * smooth(1, 0.92, Math.hypot(i + 0.5 - half, j + 0.5 - half) / half);
        const bright = Math.min(2.99, Math.max(0, 1.5 + height - (u * 0.76 + v * 0.65) * 1.35));
        const [low, over] = [tones[Math.floor(bright)]!, tones[Math.floor(bright) + 1]!];
        const o = (j * side + i) * 4;
        for (const c of [0, 1, 2] as const)
          sums[o + c] = sums[o + c]! * (1 - alpha) + (low[c] + (over[c] - low[c]) * (bright % 1)) * alpha;
        sums[o + 3] = sums[o + 3]! * (1 - alpha) + alpha;
      }
  });
  const pixels = new Uint8ClampedArray(side * side * 4);
  for (let o = 0; o < pixels.length; o += 4) {
    const alpha = sums[o + 3]!;
    if (alpha <= 0) continue;
    for (const c of [0, 1, 2]) pixels[o + c] = sums[o + c]! / alpha;
    pixels[o + 3] = alpha * 235;
  }
  return pixels;
}

const addresses = new Map<string, string>();

/**
 * Return the address of a picture of smoke at a place. The same place has the same cloud. Empty if the browser cannot
 * paint.
 */
export function cloudAt(place: readonly [number, number], night: boolean): string {
  const key = `${place.join()}${night ? "n" : ""}`;
  const cached = addresses.get(key);
  if (cached !== undefined) return cached;
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = SIDE;
  canvas.getContext("2d")?.putImageData(new ImageData(cloudPixels(hash(place.join()), night), SIDE, SIDE), 0, 0);
  const address = canvas.toDataURL();
  addresses.set(key, address);
  return address;
}
