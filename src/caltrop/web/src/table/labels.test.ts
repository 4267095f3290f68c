import { describe, expect, it } from "vitest";

import { layOut, type Plate } from "./labels";

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
