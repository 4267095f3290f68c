import { expect, test } from "vitest";

import { headed } from "./headed";

test("a line is cut at its first colon, and stays whole without one", () => {
  expect(headed("Tanks: fire at Guns: a kill")).toEqual(["Tanks", ": fire at Guns: a kill"]);
  expect(headed("All targets are named")).toEqual(["All targets are named", ""]);
});
