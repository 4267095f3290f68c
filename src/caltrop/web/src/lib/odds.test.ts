import { describe, expect, it } from "vitest";

import { oddsAddress } from "./odds";

describe("the page of odds", () => {
  it("is told every field of a request, and house rules by name", () => {
    const request = {
      ruleset: "command-horizon",
      rules: { "boost.stack": "yes" },
      attacker: { kind: "medium-tank", models: 3 },
      boost: true,
    };
    const address = new URL(oddsAddress(request), "http://here");
    expect(address.pathname).toBe("/odds");
    expect(Object.fromEntries(address.searchParams)).toEqual({
      ruleset: "command-horizon",
      "rule.boost.stack": "yes",
      "attacker.kind": "medium-tank",
      "attacker.models": "3",
      boost: "true",
    });
  });
});
