import { describe, expect, it } from "vitest";

import { patience } from "../wire/connection";
import type { Frame } from "../wire/api";
import type { LogEntry, Picture } from "../wire/types";
import { linesIn } from "./lines";
import { byRounds, inForce, lastRoundOfOthers, sentence } from "./log";
import { chances, forecastOf } from "./odds";
import { fallenIn } from "./fallen";
import { goesOnFrom, momentsOf, playedMoments, readRecorded, viewOf, type Recorded } from "./recorded";
import { route, within } from "./route";
import { labelOf } from "./schema";
import { forgetGame, giveSeatAway, keepGame, knownGame, knownGames, tokensInFragment, type Shelf } from "./seats";
import { lying } from "./thrown";

function shelf(): Shelf {
  const values = new Map<string, string>();
  return { getItem: (key) => values.get(key) ?? null, setItem: (key, value) => void values.set(key, value) };
}

describe("seats", () => {
  it("are read from a fragment", () => {
    expect(tokensInFragment("")).toEqual({});
    expect(tokensInFragment("#secret_-1")).toEqual({ seat: "secret_-1" });
    expect(tokensInFragment("#0=abc&1=def")).toEqual({ "0": "abc", "1": "def" });
    expect(tokensInFragment("#seat=abc&other=1")).toEqual({ seat: "abc" });
    expect(tokensInFragment("#abc,def")).toEqual({ "0": "abc", "1": "def" });
    expect(tokensInFragment("#abc%2Cdef")).toEqual({ "0": "abc", "1": "def" });
    expect(tokensInFragment("#,def")).toEqual({ "1": "def" });
    expect(tokensInFragment("#100%")).toEqual({ seat: "100%" });
  });

  it("are kept with their game, and added to", () => {
    const box = shelf();
    keepGame({ id: "one", tokens: { "0": "a" }, seen: 1 }, box);
    keepGame({ id: "two", tokens: {}, seen: 2 }, box);
    keepGame({ id: "one", tokens: { "1": "b" }, seen: 3 }, box);
    expect(knownGame("one", box)?.tokens).toEqual({ "0": "a", "1": "b" });
    expect(knownGames(box).map((game) => game.id)).toEqual(["one", "two"]);
    giveSeatAway("one", 1, box);
    expect(knownGame("one", box)?.tokens).toEqual({ "0": "a" });
    forgetGame("one", box);
    expect(knownGames(box).map((game) => game.id)).toEqual(["two"]);
  });

  it("survive a shelf with rubbish on it", () => {
    expect(knownGames({ getItem: () => "{no", setItem: () => undefined })).toEqual([]);
  });
});

describe("addresses", () => {
  it("lead to their pages", () => {
    expect(route("/")).toEqual({ page: "lobby" });
    expect(route("/new", "?ruleset=duel")).toEqual({ page: "new" });
    expect(route("/rules/duel")).toEqual({ page: "rules", ruleset: "duel" });
    expect(route("/abcdef123456", "?at=42")).toEqual({ page: "table", id: "abcdef123456", at: 42 });
    expect(route("/abcdef123456", "?at=x")).toEqual({ page: "table", id: "abcdef123456", at: null });
    expect(route("/lab/my%20study")).toEqual({ page: "study", id: "my study" });
    expect(route("/lab/100%")).toEqual({ page: "study", id: "100%" });
    expect(route("/a/b/c")).toEqual({ page: "nowhere" });
  });

  it("is the same under a path of a proxy", () => {
    expect(within("/learn", "http://127.0.0.1:8420/")).toBe("/learn");
    expect(within("/games/rules/duel", "https://example.org/games/")).toBe("/rules/duel");
    expect(within("/games/", "https://example.org/games/")).toBe("/");
  });
});

describe("what an action speaks of", () => {
  it("is found wherever it stands", () => {
    expect(
      linesIn({
        type: "Walk",
        path: [
          [1, 2],
          [3, 4],
        ],
      }),
    ).toEqual([
      [
        [1, 2],
        [3, 4],
      ],
    ]);
    expect(
      linesIn({
        unit: 3,
        paths: [
          [
            7,
            [
              [1, 2],
              [3, 4],
            ],
          ],
          [
            8,
            [
              [5, 6],
              [7, 8],
            ],
          ],
        ],
      }),
    ).toEqual([
      [
        [1, 2],
        [3, 4],
      ],
      [
        [5, 6],
        [7, 8],
      ],
    ]);
    expect(
      linesIn({
        places: [
          [7, [1, 2]],
          [8, [3, 4]],
        ],
      }),
    ).toEqual([[[1, 2]], [[3, 4]]]);
    expect(linesIn({ spot: [5, 6], dice: [1, 2, 3] })).toEqual([[[5, 6]]]);
    expect(linesIn({ unit: 3, act: { type: "LaySmoke", at: [5, 6] } })).toEqual([[[5, 6]]]);
    expect(linesIn({ type: "Stay" })).toEqual([]);
    // Two models, and a direction.
    expect(linesIn({ type: "Fall", models: [7, 8] })).toEqual([]);
    expect(linesIn({ at: [5, 6], heading: [0, 1000] })).toEqual([[[5, 6]]]);
  });
});

describe("the log", () => {
  it("strikes out what was taken back", () => {
    const line = (n: number, undoes: number | null = null): LogEntry => ({ n, undoes }) as LogEntry;
    const shown = inForce([line(1), line(2), line(3), line(4, 2), line(5)]);
    expect(shown.map((one) => one.undone)).toEqual([false, true, true, false, false]);
  });

  it("knows the round of the last turn of others, whatever their last act tells of the next", () => {
    const line = (n: number, act: number, side: number | null, round: number, undoes: number | null = null): LogEntry =>
      ({ n, act, side, round, undoes }) as LogEntry;
    const log = [
      line(1, 0, null, 1),
      line(2, 2, 0, 1),
      line(3, 3, 1, 1),
      line(4, 4, 1, 1),
      line(5, 6, 1, 2),
      line(6, 6, 1, 2),
    ];
    expect(lastRoundOfOthers(inForce(log), 0)).toBe(1);
    expect(lastRoundOfOthers(inForce(log), 1)).toBe(1);
    const later = [...log, line(7, 8, 0, 2), line(8, 9, 1, 2), line(9, 9, 1, 3)];
    expect(lastRoundOfOthers(inForce(later), 0)).toBe(2);
    expect(lastRoundOfOthers(inForce([...later, line(10, 8, null, 2, 8)]), 0)).toBe(1);
    expect(lastRoundOfOthers([], 0)).toBeNull();
  });

  it("puts what came of an act under it, and a turn that begins beside it", () => {
    const line = (n: number, act: number, round: number, begins = false): LogEntry =>
      ({ n, act, round, begins }) as LogEntry;
    const log = [
      line(1, 0, 1, true),
      line(2, 0, 1),
      line(3, 1, 1),
      line(4, 1, 1),
      line(5, 1, 1, true),
      line(6, 1, 1),
      line(7, 2, 1),
      line(8, 2, 2, true),
      line(9, 3, 2),
    ];
    const rounds = byRounds(inForce(log)).map(({ round, acts }) => [
      round,
      acts.map((act) => act.map((one) => one.entry.n)),
    ]);
    expect(rounds).toEqual([
      [1, [[1], [2], [3, 4], [5, 6], [7]]],
      [2, [[8], [9]]],
    ]);
  });

  it("ends sentences", () => {
    expect([sentence("It hits"), sentence("Strike?"), sentence("")]).toEqual(["It hits.", "Strike?", ""]);
  });
});

describe("dice that lie on the table", () => {
  const line = (n: number, act: number, side: number | null, read: boolean, undoes: number | null = null): LogEntry =>
    ({ n, act, side, undoes, reading: read ? { words: String(n) } : null }) as LogEntry;
  const thrown = [line(1, 1, 0, true), line(2, 2, 1, true), line(3, 2, 0, true), line(4, 2, 1, false)];
  const readings = (log: LogEntry[], eyes: number | null): string[] => lying(log, eyes).map((one) => one.reading.words);

  it("are those of the newest act that threw any", () => {
    expect(readings(thrown, 0)).toEqual(["2", "3"]);
    expect(readings([...thrown, line(5, 0, null, false, 2)], 0)).toEqual(["1"]);
  });

  it("lie there until the side that looks acts again", () => {
    const later = [...thrown, line(5, 3, 1, false)];
    expect(readings(later, 0)).toEqual(["2", "3"]);
    expect(readings(later, 1)).toEqual([]);
    expect(readings(later, null)).toEqual([]);
    expect(readings([...thrown, line(5, 3, null, false)], null)).toEqual(["2", "3"]);
  });
});

describe("odds", () => {
  it("come in the order of what happens, drawn together by what is told first where they are many", () => {
    const outcomes = [4, 3, 2].flatMap((models) =>
      [0, 1].map((stuns) => ({ models, stuns, probability: "", p: (models + stuns) / 21 })),
    );
    const forecast = forecastOf({ exact: true, outcomes }, []);
    expect(chances(forecast).map((row) => row.words)).toEqual(forecast.outcomes.map((row) => row.words));
    const rows = chances(forecast, 4);
    expect(rows.map((row) => row.words)).toEqual(["4 models", "3 models", "2 models"]);
    expect(rows[0]?.p).toBeCloseTo(9 / 21);
    expect(rows.reduce((sum, row) => sum + row.p, 0)).toBeCloseTo(1);
  });

  it("leave out what does not concern the target", () => {
    expect(
      chances(
        forecastOf(
          { exact: true, outcomes: [{ models: 0, drone: null, leader_lost: false, probability: "1", p: 1 }] },
          [],
        ),
      )[0]?.words,
    ).toBe("0 models");
  });
});

describe("recorded games", () => {
  const picture = (width: number): Picture => ({ width, seats: [] }) as unknown as Picture;
  const record: Recorded = {
    format: "caltrop-game",
    ruleset: "duel",
    edition: "current",
    rules: {},
    scenario: "bridge",
    players: ["person", "easy"],
    opening: { view: picture(1) },
    entries: [
      { type: "action", side: 0, words: ["Ash walks"] },
      { type: "roll", side: 0, faces: [3], sides: 6, clauses: ["DU-STRIKE-02"] },
      { type: "action", side: 1, words: [], turn: { view: picture(2) } },
    ],
  };

  it("have a moment for the opening and for each act, with its dice", () => {
    const moments = momentsOf(record);
    expect(moments.map((one) => [one.picture.width, one.log.length])).toEqual([
      [1, 0],
      [1, 2],
      [2, 3],
    ]);
    expect(moments[1]?.log[1]?.dice[0]?.faces).toEqual([3]);
  });

  it("have every table where they were played again", () => {
    const frames = [
      { entry: 0, picture: picture(1), parts: null, lines: [] },
      { entry: 2, picture: null, parts: { stage: { words: "next" } }, lines: [] },
      { entry: 3, picture: null, parts: null, lines: [] },
    ] as unknown as Frame[];
    const moments = playedMoments(record, frames);
    expect(moments.map((one) => one.log.length)).toEqual([0, 2, 3]);
    expect(moments[1]?.picture.stage.words).toBe("next");
    expect(moments[2]?.log[2]?.text).toBe("A hidden choice");
  });

  it("have a moment for what the rules did for each unit, with its own dice", () => {
    const entries: Recorded["entries"] = [
      { type: "action", side: 0, words: ["Ash walks", "Bram strikes: 3", "Cole walks"] },
      { type: "roll", side: 1, faces: [3], sides: 6 },
    ];
    const frames = [
      { entry: 0, kind: "start", words: [], picture: picture(1), parts: null, lines: [] },
      { entry: 1, kind: "action", side: 0, words: ["Ash walks"], picture: null, parts: null, lines: [] },
      {
        entry: 2,
        kind: "step",
        side: 1,
        words: ["Bram strikes: 3"],
        picture: null,
        parts: { stage: { words: "next" } },
        lines: [],
      },
      { entry: 2, kind: "step", side: 1, words: ["Cole walks"], picture: null, parts: null, lines: [] },
    ] as unknown as Frame[];
    const moments = playedMoments({ ...record, entries }, frames);
    expect(moments.map((one) => one.log.map((line) => [line.act, line.side, line.text]))).toEqual([
      [],
      [[1, 0, "Ash walks"]],
      [
        [1, 0, "Ash walks"],
        [1, 1, "Dice"],
        [1, 1, "Bram strikes: 3"],
      ],
      [
        [1, 0, "Ash walks"],
        [1, 1, "Dice"],
        [1, 1, "Bram strikes: 3"],
        [1, 1, "Cole walks"],
      ],
    ]);
    // A game cannot be continued from a moment at which the rules still have work to do.
    expect(moments.map((one, at) => [one.act, goesOnFrom(moments, at)])).toEqual([
      [0, true],
      [1, false],
      [1, false],
      [1, true],
    ]);
  });

  it("can be played on from what was not taken back", () => {
    const act = { type: "action", side: 0 } as const;
    const entries: Recorded["entries"] = [act, act, { type: "undo", side: 0, to: 1 }, act, act];
    const frames = [0, 1, 2, 3, 4, 5].map((entry) => ({
      entry,
      kind: entry === 3 ? "undo" : "action",
      picture: picture(1),
      parts: null,
      words: [],
      lines: [],
    })) as unknown as Frame[];
    for (const moments of [momentsOf({ ...record, entries }), playedMoments({ ...record, entries }, frames)]) {
      expect(moments.map((one) => one.act)).toEqual([0, 1, 2, 1, 2, 3]);
      expect(moments.map((_, at) => goesOnFrom(moments, at))).toEqual([true, true, false, true, true, true]);
    }
    expect(goesOnFrom([], 0)).toBe(false);
  });

  it("are told by the lines of those who play them again, with what lies where somebody fell", () => {
    const fell = [
      {
        side: 1,
        name: "Bram",
        kind: "k",
        silhouette: "",
        piece: { id: 7, at: [1, 1], radius: 1, silhouette: "", tokens: [] },
      },
    ];
    const logLine = (n: number, text: string, motion: object | null = null): object => ({
      n,
      act: n,
      text,
      motion,
      undoes: null,
    });
    const frames = [
      { entry: 0, kind: "start", words: [], picture: picture(1), parts: null, lines: [logLine(1, "It begins")] },
      {
        entry: 2,
        kind: "action",
        side: 0,
        words: ["Ash strikes"],
        picture: null,
        parts: null,
        lines: [logLine(2, "Ash strikes"), logLine(3, "Bram dies", { sort: "loss", fell })],
      },
    ] as unknown as Frame[];
    const moments = playedMoments(record, frames);
    expect(moments.map((one) => one.log.map((line) => line.text))).toEqual([
      ["It begins"],
      ["It begins", "Ash strikes", "Bram dies"],
    ]);
    expect(
      fallenIn(viewOf(record, { ...moments[1]!, picture: { ...picture(1), groups: [], seats: [] } }, 1, 1)),
    ).toEqual(fell);
  });

  it("are told from other files", async () => {
    await expect(readRecorded(new Blob(["{}"]))).rejects.toThrow("not a recorded game");
    await expect(readRecorded(new Blob(["nonsense"]))).rejects.toThrow("not JSON");
    expect((await readRecorded(new Blob([JSON.stringify(record)]))).ruleset).toBe("duel");
  });
});

describe("a lost connection", () => {
  it("is tried again soon, and then with patience", () => {
    expect([patience(0), patience(1), patience(9)]).toEqual([250, 500, 8000]);
  });
});

describe("a label", () => {
  it("is made of a field's name, with abbreviations in capitals", () => {
    const labels = ["battle_move", "cqb", "dice", "cp_left", "by-turns"].map(labelOf);
    expect(labels).toEqual(["Battle move", "CQB", "Dice", "CP left", "By turns"]);
  });
});
