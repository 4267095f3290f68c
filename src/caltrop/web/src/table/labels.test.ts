import { describe, expect, it } from "vitest";

import { grown, layOut, onOutline, wordsWidth, type Plate } from "./labels";

const plate = (id: number, x: number, y: number): Plate => ({ id, bases: { x, y, wide: 40, high: 10 }, wide: 30, high: 16 });
const model = (one: Plate) => ({ id: one.id, box: one.bases });

describe("a plate", () => {
  it("hangs below its unit where there is room", () => {
    const one = plate(1, 100, 100);
    expect(layOut([one], [model(one)]).get(1)).toEqual({ x: 120, y: 114 });
  });

  it("stands above where another unit is below", () => {
    const one = plate(1, 100, 100);
    const two = plate(2, 100, 116);
    const found = layOut([one, two], [model(one), model(two)]);
    expect(found.get(1)).toEqual({ x: 120, y: 80 });
    expect(found.get(2)).toEqual({ x: 120, y: 130 });
  });

  it("goes beside where both are taken", () => {
    const units = [plate(1, 100, 100), plate(2, 100, 116), plate(3, 100, 84)];
    expect(layOut(units, units.map(model)).get(1)).toEqual({ x: 159, y: 97 });
  });
});

describe("a plate with a name in it", () => {
  const at = { x: 100, y: 50 };
  const box = (x: number) => ({ x, y: 40, wide: 20, high: 20 });

  it("grows to both sides where there is room", () => {
    expect(grown(at, 30, 90, 16, { models: [], plates: [] })).toEqual(at);
  });

  it("grows away from what stands beside it", () => {
    expect(grown(at, 30, 90, 16, { models: [box(120)], plates: [] })).toEqual({ x: 70, y: 50 });
  });

  it("stays without the name where it would hide something on either side, or leave the picture", () => {
    expect(grown(at, 30, 90, 16, { models: [box(120), box(60)], plates: [] })).toBeUndefined();
    const bounds = { x: 80, y: 0, wide: 200, high: 200 };
    expect(grown(at, 30, 90, 16, { models: [box(120)], plates: [], bounds })).toBeUndefined();
  });
});

describe("words at an outline", () => {
  const room = { bounds: { x: 0, y: 0, wide: 400, high: 400 }, k: 1 };

  it("stand at its upper right, or where nothing else stands", () => {
    const circle = [{ at: [200, 200] as const, r: 100 }];
    expect(onOutline(circle, "30 cm", { ...room, taken: [] })).toEqual([270, 130]);
    const taken = [{ x: 250, y: 110, wide: 40, high: 40 }];
    expect(onOutline(circle, "30 cm", { ...room, taken })).toEqual([130, 130]);
  });

  it("are never cut off at the side", () => {
    const far = onOutline([{ at: [200, 200], r: 2000 }], "range 50 cm", { ...room, taken: [] });
    expect(far[0]).toBeGreaterThanOrEqual(wordsWidth("range 50 cm") / 2);
    expect(far[0]).toBeLessThanOrEqual(400 - wordsWidth("range 50 cm") / 2);
  });
});
