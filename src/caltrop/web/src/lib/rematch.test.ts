import { describe, expect, it } from "vitest";

import type { View } from "../wire/types";
import { CHOSEN, seatOf } from "./fought";
import { rematch } from "./rematch";

const played = (...players: string[]): View =>
  ({ ...CHOSEN, clock: null, seats: players.map((player, side) => seatOf(side, player)) }) as unknown as View;

describe("a rematch", () => {
  it("keeps the battle and its armies, and changes the sides", () => {
    expect(rematch(played("person", "easy"), { tokens: { 0: "x" } })).toEqual({
      ...CHOSEN,
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
