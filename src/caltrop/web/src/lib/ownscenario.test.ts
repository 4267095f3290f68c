import { expect, it } from "vitest";

import { titleOfDocument } from "./ownscenario";

it("a scenario of one's own is called by its title, and never shown as its document", () => {
  expect(titleOfDocument('{"id": "mine", "title": "First Battle", "terrain": []}\n')).toBe("First Battle");
  expect(titleOfDocument("ruleset: duel\nid: mine\ntitle: 'In the garden'\n")).toBe("In the garden");
  expect(titleOfDocument('{"id": "mine"}')).toBe("");
  expect(titleOfDocument("first-battle")).toBe("");
});
