/** A finished battle for tests. */
import type { View } from "../wire/types";

/** Return a seat of a player without a name. */
export function seatOf(side: number, player: string): View["seats"][number] {
  return { side, player, name: "", letter: "", shape: "", called: "", awaited: false };
}

/** The choices of the battle that differ from the proposed ones. */
export const CHOSEN = {
  ruleset: "a-game",
  edition: "2",
  scenario: "bridge",
  rules: { parry: 3 },
  armies: ["guard", "raiders"],
  size: 12,
};
