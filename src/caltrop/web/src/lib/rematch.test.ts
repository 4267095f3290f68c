import { describe, expect, it } from "vitest";

import type { View } from "../wire/types";
import { rematch } from "./rematch";

const seat = (side: number, player: string): View["seats"][number] => ({
  side,
  player,
  name: "",
  letter: "",
  shape: "",
  called: "",
  awaited: false,
});
const played = (...players: string[]): View =>
  ({
    ruleset: "duel",
    edition: "2",
    scenario: "bridge",
    rules: { parry: 3 },
    armies: ["guard", "raiders"],
    size: 12,
    clock: null,
    seats: players.map((player, side) => seat(side, player)),
  }) as unknown as View;

describe("a rematch", () => {
  it("keeps the battle and its armies, and changes the sides", () => {
    expect(rematch(played("person", "easy"), { tokens: { 0: "x" } })).toEqual({
      ruleset: "duel",
      edition: "2",
      scenario: "bridge",
      rules: { parry: 3 },
      armies: ["guard", "raiders"],
      size: 12,
      seats: ["easy", "person"],
      invited: [],
    });
  });

  it("invites the friend who played elsewhere to the side that was one's own", () => {
    expect(rematch(played("person", "person"), { tokens: { 0: "x" } }).invited).toEqual([0]);
    expect(rematch(played("person", "person"), { tokens: { 0: "x", 1: "y" } }).invited).toEqual([]);
    expect(rematch(played("person", "person"), undefined).invited).toBeUndefined();
  });

  it("leaves out the side that the rules move, and keeps the clock", () => {
    const clock = { per: "turn", seconds: 180, then: "lose" } as const;
    const again = rematch({ ...played("person", "rules"), clock }, { tokens: { 0: "x" } });
    expect(again.seats).toEqual(["person"]);
    expect(again.clock).toEqual(clock);
  });
});
