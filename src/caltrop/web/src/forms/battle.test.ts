import { describe, expect, it } from "vitest";

import type { Catalogue } from "../wire/types";
import { Battle } from "./battle.svelte";
import { Contrast } from "./contrast.svelte";

const army = (id: string, faction: string, editions: string[] = []) => ({
  id,
  title: `The ${id}`,
  faction,
  size: 4,
  editions,
  points: null,
  sizes: id === "tide" ? [7] : [4, 7],
  parts: [] as { points: number; units: number }[],
});
const scenario = (id: string, more: object = {}) => ({
  id,
  title: id,
  minutes: 5,
  words: "",
  takes_armies: true,
  players: 2,
  sizes: [4, 7, 11],
  limits: [] as number[],
  ...more,
});
const rule = (name: string, editions: string[] = []) => ({
  name,
  default: 1,
  values: { min: 0, max: 3 },
  listed: [],
  clauses: [],
  words: name,
  editions,
});
const ALL = {
  rulesets: [
    {
      name: "game",
      title: "Game",
      size: { words: "Units a side" },
      editions: ["new", "old"],
      scenarios: [scenario("open"), scenario("fixed", { takes_armies: false }), scenario("alone", { players: 1 })],
      armies: [army("reds", "r"), army("blues", "b"), army("tide", "t", ["new"])],
      rules: [rule("always"), rule("lately", ["new"])],
    },
  ],
} as unknown as Catalogue;

function battle(link: string): Battle {
  const battle = new Battle(new URLSearchParams(link));
  battle.load(ALL);
  return battle;
}

describe("the battle of a form", () => {
  it("plays the armies that it shows, and says where it has to give them up", () => {
    const one = battle("ruleset=game&edition=new&scenario=open&armies=reds,tide");
    expect(one.wanted.armies).toEqual(["reds", "tide"]);
    expect(one.given).toEqual([]);
    one.edition = "old";
    one.settle();
    expect(one.armies).toEqual(["", ""]);
    expect(one.wanted.armies).toBeUndefined();
    expect(one.given).toEqual(["Edition old has no The tide: both armies are as the scenario says."]);
    one.armies[0] = "reds";
    one.chooseArmy(0);
    expect(one.wanted.armies).toEqual(["reds", "blues"]);
    expect(one.given).toEqual([]);
    one.settle();
    expect(one.wanted.armies).toEqual(["reds", "blues"]);
  });

  it("has a size that the scenario and the armies have, and says where it is given up", () => {
    const one = battle("ruleset=game&edition=new&scenario=open&size=11");
    expect([one.sizes, one.wanted.size, one.given]).toEqual([[4, 7, 11], 11, []]);
    one.armies[0] = "reds";
    one.chooseArmy(0);
    expect([one.sizes, one.wanted.size]).toEqual([[4, 7], undefined]);
    expect(one.given).toEqual(["Units a side cannot be 11 here: the size is as the scenario says."]);
    one.size = 7;
    one.armies[1] = "tide";
    one.chooseArmy(1);
    expect([one.sizes, one.wanted.size, one.given]).toEqual([[7], 7, []]);
    one.scenario = "fixed";
    one.settle();
    expect([one.sizes, one.wanted.size]).toEqual([[], undefined]);
    expect(battle("ruleset=game&scenario=open&size=9").given).toHaveLength(1);
  });

  it("makes room for armies that cost more than a scenario is made for, and says so", () => {
    const priced = { ...ALL.rulesets[0] };
    priced.scenarios = [scenario("small", { limits: [100, 200], sizes: [] }), scenario("open", { sizes: [] })];
    priced.armies = [
      { ...army("reds", "r"), points: 90 },
      { ...army("blues", "b"), points: 300, parts: [210, 260].map((points, n) => ({ points, units: n + 1 })) },
    ];
    const one = new Battle(new URLSearchParams("ruleset=game&scenario=small&armies=reds,reds"));
    one.load({ rulesets: [priced] } as unknown as Catalogue);
    expect([one.needed, one.wanted.size, one.larger]).toEqual([null, undefined, ""]);
    one.armies[1] = "blues";
    expect([one.needed, one.wanted.size]).toEqual([210, 210]);
    expect(one.larger).toBe(
      "small is made for armies of 100 and 200 points. These cost more: up to 210 points a side are allowed.",
    );
    expect([one.fought(0), one.fought(1)]).toEqual([90, 210]);
    expect([0, 1].map((side) => one.part(one.possible[side], side)?.units)).toEqual([4, 1]);
    one.armies[0] = "blues";
    expect([one.needed, one.fought(0), one.fought(1)]).toEqual([420, 210, 300]);
    expect(one.query.get("size")).toBeNull();
    one.scenario = "open";
    expect([one.needed, one.fought(0), one.wanted.size]).toEqual([null, 300, undefined]);
  });

  it("takes no army for one side of two, from a link or from a scenario for one", () => {
    expect(battle("ruleset=game&scenario=open&armies=reds").given).toEqual([
      "Choose an army for each side or for none: both armies are as the scenario says.",
    ]);
    expect(battle("ruleset=game&scenario=open&armies=reds,greens").given).toEqual([
      "There is no army “greens”: both armies are as the scenario says.",
    ]);
    const one = battle("ruleset=game&scenario=alone&armies=reds");
    expect([one.wanted.armies, one.given]).toEqual([["reds"], []]);
    one.scenario = "open";
    one.settle();
    expect(one.armies).toEqual(["", ""]);
    expect(one.given).toHaveLength(1);
    // This scenario brings its own armies and shows no choice of them. The chosen armies come back with the next
    // scenario.
    const two = battle("ruleset=game&scenario=open&armies=reds,blues");
    two.scenario = "fixed";
    two.settle();
    expect([two.wanted.armies, two.given]).toEqual([undefined, []]);
  });

  it("leaves out house rules that do not exist, and says so", () => {
    const one = battle("ruleset=game&edition=new&scenario=open&rule.x=1&rule.always=2&rule.lately=3");
    expect(one.changed).toEqual({ always: 2, lately: 3 });
    expect(one.given).toEqual(["There is no house rule “x”: it was left out."]);
    one.edition = "old";
    one.settle();
    expect(one.wanted.rules).toEqual({ always: 2 });
    expect(one.given).toEqual(["Edition old has no house rule “lately”: it was left out."]);
  });

  it("compares no rule that does not exist", () => {
    const one = battle("ruleset=game&scenario=open");
    const contrast = new Contrast(one);
    contrast.read(new URLSearchParams("against.rule.x=1"));
    expect([contrast.what, one.given]).toEqual(["", ["There is no house rule “x” to compare: it was left out."]]);
    contrast.read(new URLSearchParams("against.rule.always=2"));
    expect([contrast.what, contrast.otherwise]).toEqual(["always", "2"]);
  });
});
