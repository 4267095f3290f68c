import { describe, expect, it } from "vitest";

import { translator } from "./translator";

const de = translator(
  {
    "Order the {unit}": "Befiehl: {unit}",
    "Light Tanks": "Leichte Panzer",
    "the {called} at {hex}": "{called} bei {hex}",
    "{unit|units}": "Einheit|Einheiten",
    "{shield die|shield dice}": "Schildwürfel|Schildwürfel",
    "{units} can act": "{units} {units:kann|können} handeln",
    "{name} {falls|fall} back from {start} to {to}": "{name}: Rückzug von {start} nach {to}",
    Confirm: "Bestätigen",
    destroyed: "vernichtet",
    pinned: "niedergehalten",
    and: "und",
    "Play {card} and roll {shield dice}": "{card} spielen und {shield dice} werfen",
    "nobody {value}": "niemand",
    "{value} dice": "",
  },
  "de",
);

describe("a translator", () => {
  it("finds a sentence as it stands, in either case", () => {
    expect(de("Confirm")).toBe("Bestätigen");
    expect(de("Pinned")).toBe("Niedergehalten");
  });
  it("survives a translation whose value the key has not", () => {
    const wrong = translator({ "{us} {loses|lose} it": "{us} {verliert|verlieren} es" }, "de");
    expect(wrong("Blades lose it")).toBe("Blades verliert|verlieren es");
  });
  it("fills a template, and translates what it is filled with", () => {
    expect(de("Order the Light Tanks")).toBe("Befiehl: Leichte Panzer");
    expect(de("Play Ambush and roll 2 shield dice")).toBe("Ambush spielen und 2 Schildwürfel werfen");
  });
  it("knows a verb in both its forms", () => {
    expect(de("Light Tanks fall back from C3 to C4")).toBe("Leichte Panzer: Rückzug von C3 nach C4");
    expect(de("Walker falls back from C3 to C4")).toBe("Walker: Rückzug von C3 nach C4");
  });
  it("gives a noun the form of its number", () => {
    expect(de("1 unit can act")).toBe("1 Einheit kann handeln");
    expect(de("1 unit")).toBe("1 Einheit");
    expect(de("3 units can act")).toBe("3 Einheiten können handeln");
  });
  it("translates the parts of what is no sentence of its own", () => {
    expect(de("Light Tanks, destroyed")).toBe("Leichte Panzer, vernichtet");
    expect(de("pinned and destroyed")).toBe("niedergehalten und vernichtet");
  });
  it("keeps the signs around a sentence, names, and what is not translated yet", () => {
    expect(de(", destroyed.")).toBe(", vernichtet.");
    expect(de("Briar")).toBe("Briar");
    expect(de("2 dice")).toBe("2 dice");
  });
});
