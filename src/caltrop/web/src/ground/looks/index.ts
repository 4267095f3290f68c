/** The looks of terrain by name. The data of each ruleset chooses looks for its kinds of terrain. */
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

/** Return the look with a name. Unknown names get rough ground. */
export function lookOf(name: string): Look {
  return LOOKS[name] ?? rough;
}
