import { describe, expect, it } from "vitest";

import { cloudPixels } from "./cloud";

const SIDE = 48;

/** Return the opacity and brightness of a pixel, each from 0 to 255. */
function at(pixels: Uint8ClampedArray, i: number, j: number): { alpha: number; bright: number } {
  const o = (j * SIDE + i) * 4;
  return { alpha: pixels[o + 3]!, bright: (pixels[o]! + pixels[o + 1]! + pixels[o + 2]!) / 3 };
}

/** Return the mean brightness of the visible pixels in a part of the picture. */
function brightness(pixels: Uint8ClampedArray, inPart: (i: number, j: number) => boolean): number {
  const lights: number[] = [];
  for (let j = 0; j < SIDE; j++)
    for (let i = 0; i < SIDE; i++) {
      const one = at(pixels, i, j);
      if (one.alpha > 100 && inPart(i, j)) lights.push(one.bright);
    }
  return lights.reduce((sum, one) => sum + one, 0) / lights.length;
}

describe("smoke", () => {
  const clouds = [1, 77, 4002].map((seed) => cloudPixels(seed, false, SIDE));

  it("has one look for each seed", () => {
    expect(cloudPixels(1, false, SIDE)).toEqual(clouds[0]);
    expect(clouds[1]).not.toEqual(clouds[0]);
  });

  it("stays within its circle, covers its middle, and has no hard rim", () => {
    for (const pixels of clouds) {
      let soft = 0;
      for (let j = 0; j < SIDE; j++)
        for (let i = 0; i < SIDE; i++) {
          const far = Math.hypot(i + 0.5 - SIDE / 2, j + 0.5 - SIDE / 2) / (SIDE / 2);
          const { alpha } = at(pixels, i, j);
          if (far >= 1) expect(alpha).toBe(0);
          if (far < 0.35) expect(alpha).toBeGreaterThan(100);
          if (alpha > 20 && alpha < 200) soft++;
        }
      expect(soft / (SIDE * SIDE)).toBeGreaterThan(0.1);
    }
  });

  it("lies in the light from the north-west, and is darker by night", () => {
    for (const pixels of clouds)
      expect(brightness(pixels, (i, j) => i + j < SIDE * 0.8)).toBeGreaterThan(
        brightness(pixels, (i, j) => i + j > SIDE * 1.2) + 8,
      );
    const all = (): boolean => true;
    expect(brightness(cloudPixels(1, true, SIDE), all)).toBeLessThan(brightness(clouds[0]!, all) - 40);
  });
});
