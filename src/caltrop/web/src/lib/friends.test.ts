import decodeQR from "qr/decode.js";
import encodeQR from "qr";
import { describe, expect, it } from "vitest";

import { agreed, left, span } from "./clock";
import { invitation, invitationInFragment, inviteTo, keepGame, knownGame, tokensInFragment } from "./seats";

describe("invitations", () => {
  it("are what the secret of a seat becomes that is handed over", () => {
    const values = new Map<string, string>();
    const shelf = {
      getItem: (key: string) => values.get(key) ?? null,
      setItem: (key: string, value: string) => void values.set(key, value),
    };
    keepGame({ id: "abcdef", tokens: { 0: "mine", 1: "too" } }, shelf);
    inviteTo("abcdef", 1, shelf);
    inviteTo("abcdef", 3, shelf);
    expect(knownGame("abcdef", shelf)).toMatchObject({ tokens: { 0: "mine" }, invites: { 1: "too" } });
    expect(knownGame("abcdef", shelf)?.tokens).not.toHaveProperty("1");
  });

  it("are read from the address that they are written into, and open no seat by themselves", () => {
    const link = invitation("http://192.168.1.5:8420/", "k7amberfox22", "a-secret_1");
    expect(link).toBe("http://192.168.1.5:8420/k7amberfox22#join=a-secret_1");
    expect(invitationInFragment(new URL(link).hash)).toBe("a-secret_1");
    expect(tokensInFragment(new URL(link).hash)).toEqual({});
    expect(invitationInFragment("#0=abc")).toBeNull();
  });

  it("are read by a camera as they were written", () => {
    const link = invitation("http://192.168.178.123:8420/caltrop", "k7amberfox22", "bVvWqkA2mUe4Jq0uP8mJt1nF3sQyZx7C");
    const rows = encodeQR(link, "raw", { ecc: "medium", border: 3 });
    const scale = 4;
    const size = rows.length * scale;
    const data = new Uint8ClampedArray(size * size * 4).fill(255);
    rows.forEach((row, y) =>
      row.forEach((dark, x) => {
        if (!dark) return;
        for (let i = 0; i < scale; i++)
          for (let j = 0; j < scale; j++)
            data.fill(
              0,
              ((y * scale + i) * size + x * scale + j) * 4,
              ((y * scale + i) * size + x * scale + j) * 4 + 3,
            );
      }),
    );
    expect(decodeQR({ width: size, height: size, data })).toBe(link);
  });

  it("are kept apart from the seats that are played here", () => {
    const values = new Map<string, string>();
    const shelf = {
      getItem: (key: string) => values.get(key) ?? null,
      setItem: (key: string, value: string) => void values.set(key, value),
    };
    keepGame({ id: "abcdef", tokens: { 0: "mine" }, invites: { 1: "theirs" } }, shelf);
    keepGame({ id: "abcdef", title: "A v B" }, shelf);
    expect(knownGame("abcdef", shelf)).toMatchObject({
      tokens: { 0: "mine" },
      invites: { 1: "theirs" },
      title: "A v B",
    });
  });
});

describe("clocks", () => {
  it("say what is left", () => {
    expect([9_940, 10_000, 59_001, 60_000, 3_600_000, 0].map(left)).toEqual([
      "9.9 s",
      "0:10",
      "1:00",
      "1:00",
      "1:00:00",
      "0.0 s",
    ]);
    expect([60, 180, 3600, 86_400, 172_800, 90].map(span)).toEqual([
      "1 minute",
      "3 minutes",
      "1 hour",
      "1 day",
      "2 days",
      "90 seconds",
    ]);
    expect(agreed({ per: "turn", seconds: 180, then: "lose" })).toBe(
      "Each side has 3 minutes for each turn; a side whose time is up loses.",
    );
  });
});
