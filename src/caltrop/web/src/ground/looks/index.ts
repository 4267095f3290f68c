/** The shelf of looks for terrain. Each ruleset assigns them to its kinds in its data. */
import type { Look } from "../growing.ts";
import { hill } from "./hill.ts";
import { block, builtUp, building, bunker, crater, ruins } from "./houses.ts";
import { hedge, mud, water } from "./plants.ts";
import { crag, pit, rough, wall } from "./stones.ts";
import { woods } from "./woods.ts";

export const LOOKS: Readonly<Record<string, Look>> = {
  woods,
  hill,
  rough,
  "built-up": builtUp,
  ruins,
  building,
  block,
  bunker,
  impassable: crag,
  pit,
  crater,
  water,
  mud,
  hedge,
  wall,
};

/** The look of that name; what has a name that nobody knows is rough ground. */
export function lookOf(name: string): Look {
  return LOOKS[name] ?? rough;
}
