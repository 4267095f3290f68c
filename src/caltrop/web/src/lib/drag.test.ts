import { expect, it } from "vitest";

import type { Picture, Point, Region } from "../wire/types";
import { secondLeg, type Shown } from "./drag";

const picture = { groups: [{ id: 1, side: 0, pieces: [{ id: 1, at: [0, 0] }] }], zones: [] } as unknown as Picture;
const region = { unit: 1, form: "move", bands: [[400, 0]], onward: 300 } as unknown as Region;
const to: Point = [1000, 0];
const drag = (end: Point): Shown => ({
  paths: { "1": [[0, 0], end] },
  length: 400,
  left: 0,
  cost: null,
  illegal: false,
  refusal: null,
  faults: [],
});

it("a drag beyond the move goes on as far as the next move carries", () => {
  const draft = { region, to, waypoints: [] };
  expect(secondLeg(draft, drag([400, 0]), picture)).toEqual({ from: [400, 0], end: [700, 0], length: 300 });
  expect(secondLeg({ ...draft, to: [500, 0] }, drag([400, 0]), picture)?.length).toBe(100);
  expect(secondLeg({ ...draft, to: [400, 0] }, drag([400, 0]), picture)).toBeNull();
  expect(secondLeg({ ...draft, waypoints: [[10, 0]] }, drag([400, 0]), picture)).toBeNull();
  expect(secondLeg(draft, { ...drag([400, 0]), illegal: true }, picture)).toBeNull();
  expect(secondLeg({ ...draft, region: { ...region, onward: 0 } }, drag([400, 0]), picture)).toBeNull();
});
