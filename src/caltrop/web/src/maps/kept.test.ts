import { expect, it } from "vitest";

import { fragmentOf, fromFragment } from "./kept";

/** A link of an earlier version, which must open in later versions. */
const SENT = "#map=q1ZKT8xNVbJSSilNzVHSUUopSkwrUbKqVioqzUktTi1ByGSmKFkp5WbmpSrpKJVkluSANPlCuYlJIG60oZmOoUFsbS0A";
const DRAFT = { ruleset: "duel", id: "mine", title: "Mine", table: [16, 10] };

it("a link of the first version holds its table", async () => {
  expect(await fromFragment(SENT)).toEqual({ game: "duel", draft: DRAFT });
});

it("a table goes through a link unchanged, and a link that is cut short says so", async () => {
  const link = await fragmentOf("duel", DRAFT);
  expect(await fromFragment(link)).toEqual({ game: "duel", draft: DRAFT });
  await expect(fromFragment(link.slice(0, -9))).rejects.toThrow("a part of it is missing or changed");
  expect(await fromFragment("#army=1abc")).toBeNull();
});
