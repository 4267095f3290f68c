import { describe, expect, it } from "vitest";

import type { RefereeTable } from "../wire/shapes";
import {
  begun,
  isOver,
  keep,
  leftOut,
  lossesOf,
  missingDice,
  neededBy,
  nextStep,
  read,
  singleDice,
  thrown,
  typedDice,
  undone,
  withMarker,
  withNote,
  withPoints,
  withUnit,
} from "./referee";

const TABLE: RefereeTable = {
  ruleset: "duel",
  edition: "current",
  title: "Duel",
  scenario: "The Bridge",
  rounds: 2,
  steps: [
    ["Walk", "They walk."],
    ["Strike", "They strike."],
  ],
  victory: ["The one who stands wins."],
  sides: [
    ["Ash", "A"],
    ["Briar", "B"],
  ],
  points: [[["Breath", 4]], [["Breath", 4]]],
  units: [
    { id: 0, side: 0, name: "Ash", strength: 3, stats: [["Walk", "8 cm"]] },
    { id: 1, side: 1, name: "Briar", strength: 3, stats: [] },
  ],
  once: 0,
  markers: ["Stun", "Worm"],
  faces: [],
};

describe("a battle on a real table", () => {
  it("takes the steps before the battle once", () => {
    const steps: RefereeTable["steps"] = [["Set-up", "They are placed."], ...TABLE.steps];
    let battle = begun({ ...TABLE, steps, once: 1 });
    const seen = [];
    while (!isOver(battle)) {
      seen.push(battle.now.step);
      expect(leftOut(battle)).toBe(seen.length > 3 ? 1 : 0);
      battle = nextStep(battle);
    }
    expect(seen).toEqual([0, 1, 2, 1, 2, 1, 2, 1, 2]);
  });

  it("goes through the steps, the sides and the rounds to its end", () => {
    let battle = begun(TABLE);
    const seen = [];
    while (!isOver(battle)) {
      seen.push([battle.now.round, battle.now.side, battle.now.step]);
      battle = nextStep(battle);
    }
    expect(seen).toEqual([
      [1, 0, 0],
      [1, 0, 1],
      [1, 1, 0],
      [1, 1, 1],
      [2, 0, 0],
      [2, 0, 1],
      [2, 1, 0],
      [2, 1, 1],
    ]);
    expect(nextStep(battle)).toBe(battle);
  });

  it("counts within bounds, and takes everything back in order", () => {
    let battle = withUnit(begun(TABLE), 0, { left: -4 });
    expect(battle.now.units[0]?.left).toBe(0);
    battle = withUnit(battle, 0, { left: 9 });
    expect(battle.now.units[0]?.left).toBe(3);
    battle = withMarker(withMarker(battle, 1, 0, 1), 1, 0, -2);
    expect(battle.now.units[1]?.markers).toEqual([0, 0]);
    battle = withPoints(battle, 1, 0, -5);
    expect(battle.now.points).toEqual([[4], [-1]]);
    while (battle.before.length > 0) battle = undone(battle);
    expect(battle.now).toEqual(begun(TABLE).now);
    expect(undone(battle)).toBe(battle);
  });

  it("tells the losses of a side", () => {
    const battle = withUnit(begun(TABLE), 1, { left: 0 });
    expect(lossesOf(battle, 1)).toEqual({ lost: 3, of: 3, gone: 1, units: 1 });
    expect(lossesOf(battle, 0)).toEqual({ lost: 0, of: 3, gone: 0, units: 1 });
  });

  it("is kept in the browser, and what cannot be read is none", () => {
    const store = new Map<string, string>();
    const storage = {
      getItem: (key: string) => store.get(key) ?? null,
      setItem: (key: string, value: string) => void store.set(key, value),
      removeItem: (key: string) => void store.delete(key),
    };
    const battle = withNote(withMarker(begun(TABLE), 0, 1, 2), "rain");
    keep(() => storage, battle);
    expect(read(() => storage)).toEqual(battle);
    const { once: _once, ...earlier } = TABLE;
    store.set("caltrop-referee", JSON.stringify({ ...battle, table: earlier }));
    expect(read(() => storage)).toEqual(battle);
    for (const bad of ["{", "[]", "7", '{"now": {}}']) {
      store.set("caltrop-referee", bad);
      expect(read(() => storage)).toBeNull();
    }
    keep(() => storage, null);
    expect(read(() => storage)).toBeNull();
  });
});

describe("dice of a referee", () => {
  it("are named by what the rules refuse", () => {
    expect(
      neededBy(
        { field: "dice.attack", message: "8 attack dice are called for; this roll has 0", values: { dice: 8 } },
        { single: [] },
      ),
    ).toMatchObject({ field: "attack", count: 8, single: false, words: "8 attack dice are called for" });
    expect(
      neededBy(
        { field: "dice.injury", message: "this die is called for: 5 + 3 = 8", values: { dice: 1 } },
        { single: ["injury"] },
      ),
    ).toMatchObject({ count: 1, single: true });
    expect(neededBy({ field: "target.models", message: "too many", values: {} }, { single: [] })).toBeNull();
  });

  it("are asked for as none where a request has no list of them", () => {
    expect(missingDice({ field: "dice.attack", message: "this key is missing", values: {} }, { single: [] })).toBe(
      "attack",
    );
    expect(
      missingDice({ field: "dice.attack", message: "8 attack dice", values: { dice: 8 } }, { single: [] }),
    ).toBeNull();
    expect(
      missingDice({ field: "dice.morale", message: "this key is missing", values: {} }, { single: ["morale"] }),
    ).toBeNull();
    expect(missingDice({ field: "target.models", message: "too many", values: {} }, { single: [] })).toBeNull();
  });

  it("are one each where the schema says so", () => {
    const dice = {
      properties: {
        attack: { type: "array" },
        morale: { anyOf: [{ type: "integer" }, { type: "null" }] },
        saves: { anyOf: [{ type: "array" }, { type: "null" }] },
      },
    };
    const schema = {
      $ref: "#/$defs/Request",
      $defs: { Request: { properties: { dice: { $ref: "#/$defs/Dice" } } }, Dice: dice },
    };
    expect(singleDice(schema)).toEqual(["morale"]);
    expect(singleDice({ properties: { dice: { anyOf: [dice, { type: "null" }] } } })).toEqual(["morale"]);
    expect(singleDice({})).toEqual([]);
  });

  it("are read as they are typed", () => {
    expect(typedDice("1 4, 6;6", [])).toEqual([1, 4, 6, 6]);
    expect(typedDice("146", [])).toEqual([1, 4, 6]);
    expect(typedDice("1 7", [])).toBeNull();
    expect(typedDice("v t G", ["infantry", "vehicle", "god-machine", "leader", "target", "retreat"])).toEqual([
      "V",
      "T",
      "G",
    ]);
    expect(typedDice("X", ["infantry", "vehicle"])).toBeNull();
  });

  it("fall on every face about as often", () => {
    const dice = thrown(6000, []);
    for (const face of [1, 2, 3, 4, 5, 6]) {
      const count = dice.filter((die) => die === face).length;
      expect(count).toBeGreaterThan(850);
      expect(count).toBeLessThan(1150);
    }
    expect(new Set(thrown(600, ["infantry", "vehicle", "god-machine", "leader", "target", "retreat"]))).toEqual(
      new Set(["I", "V", "G", "L", "T", "R"]),
    );
  });
});
