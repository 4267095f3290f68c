import { describe, expect, it } from "vitest";

import type { Fallen, Group, LogEntry, View } from "../wire/types";
import { fallenIn } from "./fallen";

const fallen = (id: number, x = 0): Fallen => ({
  piece: { id, at: [x, 0], radius: 100, silhouette: "", tokens: [] },
  side: 0,
  name: "Tanks",
});

function line(n: number, more: Partial<LogEntry>): LogEntry {
  return {
    n,
    act: n,
    round: 1,
    side: 0,
    about: null,
    begins: false,
    kind: "",
    text: "",
    clauses: [],
    dice: [],
    touches: [],
    reading: null,
    motion: null,
    undoes: null,
    ...more,
  };
}

const loss = (n: number, ...fell: Fallen[]): LogEntry => line(n, { motion: { sort: "loss", unit: 1, fell } });

function view(log: LogEntry[], before: Fallen[] = [], standing: number[] = []): View {
  const groups = [{ pieces: standing.map((id) => fallen(id).piece) } as unknown as Group];
  return { log, fallen: before, picture: { groups } } as unknown as View;
}

const ids = (shown: View): number[] => fallenIn(shown).map((one) => one.piece.id);

describe("what fell", () => {
  it("is what older lines told, and what those of the log tell", () => {
    expect(ids(view([line(1, {}), loss(2, fallen(5), fallen(6))], [fallen(4)]))).toEqual([4, 5, 6]);
  });

  it("stands again when its loss is taken back", () => {
    expect(ids(view([loss(1, fallen(4)), loss(2, fallen(5)), line(3, { undoes: 2 })]))).toEqual([4]);
  });

  it("is not drawn while the model still stands in the picture that is shown", () => {
    expect(ids(view([loss(1, fallen(4))], [], [4, 7]))).toEqual([]);
  });

  it("lies where it fell last", () => {
    expect(fallenIn(view([loss(1, fallen(4, 10)), loss(2, fallen(4, 20))])).map((one) => one.piece.at)).toEqual([
      [20, 0],
    ]);
  });
});
