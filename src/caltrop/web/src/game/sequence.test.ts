import { SvelteMap } from "svelte/reactivity";
import { expect, it } from "vitest";

import { Sequence } from "./sequence.svelte";

/** Return a sequence, and a function that prepares the attack of a unit at unit 9. */
function begun(): { sequence: Sequence; prepare: (unit: number) => void } {
  const now = new SvelteMap<string, unknown>();
  const plan = {
    draft: { form: "offer", decision: "d" },
    get aimedOdds() {
      return now.get("aimed") ?? null;
    },
  };
  const parts = [{ there: true, ask: () => Promise.resolve(undefined) }, { past: null }, { decisions: [{ id: "d" }] }];
  const sequence = new Sequence(...([...parts, plan, {}] as unknown as ConstructorParameters<typeof Sequence>));
  return {
    sequence,
    prepare: (unit) => {
      now.set("aimed", { offer: { unit, target: 9, action: { type: "Fire", unit } }, odds: {} });
      sequence.look();
    },
  };
}

it("a unit whose attack is prepared in place of another's attacks alone", () => {
  const { sequence, prepare } = begun();
  prepare(1);
  expect(sequence.order).toEqual([1]);
  prepare(2);
  expect(sequence.order).toEqual([2]);
});

it("units that the player let join stay, whichever attack is prepared", () => {
  const { sequence, prepare } = begun();
  prepare(1);
  sequence.toggle(2);
  expect(sequence.order).toEqual([1, 2]);
  prepare(2);
  expect(sequence.order).toEqual([2]);
  prepare(3);
  expect(sequence.order).toEqual([3, 2]);
});
