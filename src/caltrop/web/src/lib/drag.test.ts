import { expect, it } from "vitest";

import type { PickedUp, Picture, Point, Region } from "../wire/types";
import { dragOf, goesOn } from "./drag";
import { Reach } from "./reach/reach";

const picture = {
  groups: [{ id: 1, side: 0, pieces: [{ id: 8, at: [0, 0] }] }],
  zones: [],
} as unknown as Picture;
const region = { unit: 1, form: "move", bands: [[400, 0]], onward: 300 } as unknown as Region;
const to: Point = [1000, 0];

it("a drag that is longer than its move goes on", () => {
  const draft = { region, to, waypoints: [] };
  expect(goesOn(draft, picture)).toBe(true);
  expect(goesOn({ ...draft, to: [400, 0] }, picture)).toBe(false);
  expect(goesOn({ ...draft, waypoints: [[10, 0]] }, picture)).toBe(false);
  expect(goesOn({ ...draft, region: { ...region, onward: 0 } }, picture)).toBe(false);
});

/** Two models side by side, the leading one on the right, before slow ground. */
const around = {
  unit: 1,
  pieces: [
    { id: 8, at: [200, 0], radius: 10, stays: false },
    { id: 7, at: [100, 0], radius: 10, stays: false },
  ],
  size: [2000, 2000],
  bands: [[400, 0]],
  purse: 0,
  others: [],
  clear_of: [],
  contact: 0,
  solid: [],
  slow: [
    {
      outline: [
        [0, 600],
        [2000, 600],
        [2000, 2000],
        [0, 2000],
      ],
      circle: null,
      factor: 2,
      toll: 0,
    },
  ],
  rough: [],
  rough_prices: [],
  coherency: null,
  crosses: false,
  round: true,
  rests: true,
  may_stay: true,
  shortest: 0,
  whole: true,
  near: [],
  down: null,
} as unknown as PickedUp;

it("a further move begins where each model ends, and pays for slow ground", () => {
  const reach = new Reach(around);
  const wish = { unit: 1, act: "", to: [200, 900] as Point, waypoints: [], facing: null, shape: "keep", models: {} };
  const first = reach.foresee(wish);
  expect(first.paths["8"]?.at(-1)).toEqual([200, 400]);
  const next = reach.further(first, 300).foresee(wish);
  expect(next.paths["8"]?.[0]).toEqual([200, 400]);
  expect(next.paths["7"]?.[0]).toEqual([100, 400]);
  const end = next.paths["8"]?.at(-1)?.[1] ?? 0;
  expect(end).toBeGreaterThan(600);
  expect(end).toBeLessThan(700);
});

it("a move of a unit is a drag of all its models to their places", () => {
  const paths = [
    [
      7,
      [
        [0, 0],
        [0, 50],
      ],
    ],
    [
      8,
      [
        [10, 0],
        [10, 40],
        [10, 50],
      ],
    ],
  ];
  expect(dragOf({ type: "Move", unit: 1, paths }, [7, 8, 9])).toEqual({
    to: [0, 50],
    waypoints: [],
    models: {
      7: [[0, 50]],
      8: [
        [10, 40],
        [10, 50],
      ],
    },
  });
  expect(dragOf({ type: "Move", unit: 2, paths }, [1, 2])).toBeNull();
});

it("a walk of a single model is a drag over its corners", () => {
  const walk = {
    type: "Walk",
    path: [
      [10, 0],
      [20, 5],
    ],
  };
  expect(dragOf(walk, [3])).toEqual({ to: [20, 5], waypoints: [[10, 0]], models: {} });
  expect(dragOf(walk, [3, 4])).toBeNull();
  expect(dragOf({ type: "Stay" }, [3])).toBeNull();
});
