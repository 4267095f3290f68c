import { describe, expect, it } from "vitest";

import { marked, sectionsOf, valueWords } from "./rulebook";

const CLAUSES = [
  { id: "X-MOVE-01", text: "A unit moves once.", chapter: "Movement (X-MOVE)" },
  { id: "X-FIRE-01", text: "A unit fires once.", chapter: "Fire (X10 to X15)" },
  { id: "X-Q01", text: "It does.", question: "Does a unit move backwards?" },
];

describe("a rulebook", () => {
  it("is read by chapters, in the order of the book", () => {
    expect(sectionsOf(CLAUSES, []).map((one) => one.title)).toEqual(["Movement", "Fire", "Rulings on open questions"]);
  });

  it("is searched in ids, clauses and questions", () => {
    expect(sectionsOf(CLAUSES, ["unit", "move"]).flatMap((one) => one.clauses.map((clause) => clause.id))).toEqual([
      "X-MOVE-01",
      "X-Q01",
    ]);
    expect(sectionsOf(CLAUSES, ["x-fire"])).toHaveLength(1);
    expect(sectionsOf(CLAUSES, ["nowhere"])).toEqual([]);
  });

  it("shows what was looked for, and loses no letter", () => {
    const pieces = marked("A Unit moves units.", ["unit", "mov"]);
    expect(pieces.filter((one) => one.found).map((one) => one.text)).toEqual(["Unit", "mov", "unit"]);
    expect(pieces.map((one) => one.text).join("")).toBe("A Unit moves units.");
    expect(marked("Text", [])).toEqual([{ text: "Text", found: false }]);
  });
});

describe("a house rule", () => {
  it("has values in words", () => {
    expect(valueWords({ values: ["end_of_next_turn", "next_turn_only"] }, "end_of_next_turn")).toBe("end of next turn");
    expect(valueWords({ values: ["heavyTanks", "standard"] }, "heavyTanks")).toBe("heavy tanks");
    expect(["on", "off"].map((value) => valueWords({ values: ["off", "on"] }, value))).toEqual(["yes", "no"]);
    expect(valueWords({ values: ["on_strike", "on_death", "off"] }, "off")).toBe("off");
    expect(valueWords({ values: { min: 0, max: 20 } }, 3)).toBe("3");
  });
});
