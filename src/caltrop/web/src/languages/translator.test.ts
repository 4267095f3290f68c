import { describe, expect, it } from "vitest";

import examples from "./examples.json";
import { translator } from "./translator";

const de = translator(examples.catalog, "de");

describe("a translator", () => {
  // The translator of the terminal is tested with the same examples.
  it.each(Object.entries(examples.translated))("translates %j", (text, translation) => {
    expect(de(text)).toBe(translation);
  });
  it("keeps the blank of French before a sign", () => {
    const fr = translator({ "{name}: where to{more}?": "{name} : vers où{more} ?" }, "fr");
    expect(fr("Brigand: where to?")).toBe("Brigand : vers où ?");
  });
  it("survives a translation whose value the key has not", () => {
    const wrong = translator({ "{us} {loses|lose} it": "{us} {verliert|verlieren} es" }, "de");
    expect(wrong("Blades lose it")).toBe("Blades verliert|verlieren es");
  });
});
