import { expect, it } from "vitest";

import { formOf, holdsOwn, type Fought } from "./again";
import { CHOSEN, seatOf } from "./fought";

const FOUGHT: Fought = { ...CHOSEN, you: 1, seats: [seatOf(0, "recruit"), seatOf(1, "person")] };

it("a form has what the battle was fought with", () => {
  expect(holdsOwn(FOUGHT)).toBe(false);
  expect(formOf(FOUGHT)).toBe(
    "new?ruleset=a-game&edition=2&scenario=bridge&rule.parry=3&armies=guard%2Craiders&size=12" +
      "&me=person&opponent=recruit&seat=1",
  );
});

it("a table, an army or a pack of one's own is known by how it is named", () => {
  expect(holdsOwn({ ...FOUGHT, scenario: '{"id": "mine"}\n' })).toBe(true);
  expect(holdsOwn({ ...FOUGHT, scenario: "ruleset: duel\nid: mine\n" })).toBe(true);
  expect(holdsOwn({ ...FOUGHT, armies: ["title: Mine\nruleset: duel\n", "raiders"] })).toBe(true);
  expect(holdsOwn({ ...FOUGHT, armies: ["guard", "#army=1abc"] })).toBe(true);
  const packed = { ...FOUGHT, rules: { pack: "iron@12ab" } };
  expect(holdsOwn(packed)).toBe(true);
  expect(formOf({ ...packed, packKey: "mine" })).toContain("&pack=mine");
  expect(formOf({ ...packed, packKey: "mine" })).not.toContain("rule.pack");
});
