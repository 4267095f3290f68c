import { describe, expect, it } from "vitest";

import type { Group, LogEntry, Motion, Picture, Point, Reading } from "../wire/types";
import { cut, type Act } from "./acts";
import { freeGround, overlap, rowsOf, shiftOf, type Box } from "./dice";
import { Film, type Pacing } from "./film";
import { costliest, leftBy, tagBox, verdictOf, type Left } from "./left";
import type { Frames, Running, Stage, Thing, Timing } from "./reel";

function group(id: number, side: number, at: Point[], strength = ""): Group {
  const pieces = at.map((place, i) => ({ id: id * 10 + i, at: place, radius: 100, silhouette: "", tokens: [] }));
  return {
    id,
    side,
    name: `unit ${id}`,
    kind: "k",
    silhouette: "infantry",
    pieces,
    tokens: [],
    stats: [],
    reach: 0,
    walk: 0,
    strength,
    plate: [],
    zone: 0,
  };
}

function picture(groups: Group[], points = "0"): Picture {
  const seat = (side: number) => ({
    side,
    name: `side ${side}`,
    letter: "AB"[side]!,
    shape: "circle",
    far: null,
    points: [{ label: "VP", value: points, because: [] }],
    cards: null,
    played: null,
  });
  return {
    form: "plane",
    land: "",
    seed: 0,
    width: 9000,
    height: 6000,
    scale: 100,
    measure: "cm",
    grounds: [],
    zones: [],
    spots: [
      { id: 3, name: "hill", kind: "objective", at: [500, 500], radius: 50, holder: null, secured: false, words: "" },
    ],
    seats: [seat(0), seat(1)],
    groups,
    lines: [],
    cells: [],
    corners: [],
    hand: [],
    piles: [],
    reach: "range",
    faces: [],
    stage: { round: 1, rounds: 3, steps: [], now: 0, words: "" },
  };
}

const READ: Reading = {
  words: "1 fires at 2",
  side: 0,
  unit: 1,
  target: 2,
  sides: 6,
  added: false,
  terms: [],
  dice: [
    { face: 6, was: null, result: "kill", pair: 0, ignored: false, by: [] },
    { face: 5, was: null, result: "kill", pair: 0, ignored: false, by: [0] },
    { face: 1, was: null, result: "", pair: 0, ignored: false, by: [] },
  ],
  answer_words: "2 defends",
  answer_side: 1,
  answer_terms: [],
  answer: [6, 2],
  came: "1 kill",
  tallies: [],
};

let n = 0;
function line(motion: Motion | null, reading: Reading | null = null): LogEntry {
  return {
    n: ++n,
    act: 1,
    round: 1,
    side: 1,
    about: null,
    begins: false,
    kind: "Told",
    text: "Something happens",
    clauses: [],
    dice: [],
    touches: [],
    reading,
    motion,
    undoes: null,
  };
}

/** The film has one line of each kind, and the tables before and after all of them. */
const BEFORE = picture([
  group(1, 0, [
    [1000, 1000],
    [1300, 1000],
  ]),
  group(
    2,
    1,
    [
      [4000, 1000],
      [4300, 1000],
      [4600, 1000],
    ],
    "3/3",
  ),
  group(4, 0, [[1000, 3000]]),
  group(5, 1, [[4000, 3000]]),
]);
const AFTER: Picture = {
  ...picture(
    [
      group(1, 0, [
        [2000, 1500],
        [2300, 1500],
      ]),
      group(2, 1, [[4000, 1000]], "1/3"),
      group(4, 0, [[3800, 3000]]),
      group(5, 1, [[4000, 3000]]),
      group(6, 1, [[8000, 5000]]),
    ],
    "2",
  ),
  spots: BEFORE.spots.map((spot) => ({ ...spot, holder: 0 })),
};
const LINES = [
  line({
    sort: "card",
    side: 1,
    card: {
      kind: "c",
      title: "Card",
      words: "Do",
      area: "left",
      clauses: [],
      drawn: false,
      orders: [],
      sky: "dawn",
      scene: "",
      figures: [],
    },
  }),
  line({ sort: "order", side: 1, units: [2, 5] }),
  line({
    sort: "move",
    unit: 1,
    ways: [
      [
        10,
        [
          [1000, 1000],
          [1000, 1500],
          [2000, 1500],
        ],
      ],
    ],
  }),
  line({ sort: "aim", unit: 1, target: 2 }),
  line({ sort: "reaction", unit: 2, target: 1 }),
  line(null),
  line({ sort: "shot", unit: 1, target: 2 }, READ),
  line(
    { sort: "blow", unit: 4, target: 5 },
    { ...READ, target: 5, added: true, dice: READ.dice.slice(0, 1), answer: [3] },
  ),
  line({ sort: "dice", unit: 5, tag: "holds" }, { ...READ, target: null, unit: 5, answer: [] }),
  line({ sort: "loss", unit: 2, count: 2, tag: "+1 stun" }),
  line({ sort: "loss", unit: 2, count: 1, pieces: [21] }),
  line({ sort: "loss", unit: 2, count: 1, pieces: [22] }),
  line({
    sort: "charge",
    unit: 4,
    target: 5,
    ways: [
      [
        40,
        [
          [1000, 3000],
          [3800, 3000],
        ],
      ],
    ],
  }),
  line({ sort: "mark", unit: 5, tag: "Pinned" }),
  line({ sort: "place", unit: 6 }),
  line({ sort: "scatter", unit: 1, at: [5000, 5000], to: [5500, 5200], radius: 300 }),
  line({ sort: "score", side: 0, count: 2, at: [500, 500] }),
];

/** A stage with a clock that the test sets and a count of drawings. */
class Bench implements Stage {
  k = 0.1;
  seen = [0, 0, 900, 600] as const;
  table = this.seen;
  covers = [];
  left = new Set<object>();
  held = new Set<object>();
  private going = new Set<{ left: number; rate: number; on: boolean; end: () => void }>();
  readonly put = (at: Point): Point => at;
  private thing(kept: Set<object>): Thing {
    const thing: Thing = {
      run: (_frames: Frames, timing: Timing) => {
        kept.add(thing);
        return this.wait(timing.ms + (timing.after ?? 0));
      },
      away: () => void kept.delete(thing),
    };
    return thing;
  }
  draw(): Thing {
    const thing = this.thing(this.left);
    this.left.add(thing);
    return thing;
  }
  drawn = (): Thing => this.draw();
  piece = (): Thing => this.thing(this.held);
  belongings = (): Thing[] => [this.thing(this.held)];
  fly = (): Thing => this.draw();
  turnedUp = (): Thing => this.draw();
  sound(): void {}
  wait(ms: number): Running {
    let finish = (): void => undefined;
    const done = new Promise<void>((resolve) => (finish = resolve));
    const one = {
      left: ms,
      rate: 1,
      on: true,
      end: () => {
        this.going.delete(one);
        finish();
      },
    };
    this.going.add(one);
    return { done, rate: (r) => (one.rate = r), hold: (on) => (one.on = !on), end: one.end };
  }
  /** Let time pass, in frames of 10 milliseconds. */
  async pass(ms: number): Promise<void> {
    for (let t = 0; t < ms; t += 10) {
      for (const one of Array.from(this.going)) {
        if (one.on) one.left -= 10 * one.rate;
        if (one.left <= 0) one.end();
      }
      for (let i = 0; i < 12; i++) await Promise.resolve();
    }
  }
}

const USUAL: Pacing = { rate: 1, reduced: false, own: () => false };

/** Play the whole film in some way; *drive* lets time pass. */
async function played(
  pacing: Pacing,
  drive: (bench: Bench, film: Film, over: () => void) => Promise<void>,
  stage = true,
) {
  const bench = new Bench();
  const film = new Film(() => (stage ? bench : null));
  const acts = cut(BEFORE, AFTER, LINES);
  let shown = BEFORE;
  const landed: Picture[] = [];
  let ms = 0;
  let over = false;
  const finished = film
    .play(
      acts,
      {
        tell: () => undefined,
        land: (act) => {
          shown = act.after;
          landed.push(shown);
        },
      },
      pacing,
    )
    .then((whole) => {
      over = true;
      return whole;
    });
  // Ending the film early shows its end.
  await drive(bench, film, () => { film.stop(); shown = acts.at(-1)!.after; }); // prettier-ignore
  while (!over && ms < 60_000) {
    await bench.pass(100);
    ms += 100;
  }
  await bench.pass(6000);
  return { shown, landed, whole: await finished, ms, bench, acts };
}

const nothing = async (): Promise<void> => undefined;

describe("acts", () => {
  const acts = cut(BEFORE, AFTER, LINES);
  const of = (sort: string): Act => acts.find((act) => act.motion?.sort === sort)!;

  it("lead from one picture to the other without a gap", () => {
    expect(acts[0]!.before).toBe(BEFORE);
    acts.slice(1).forEach((act, i) => expect(act.before).toEqual(acts[i]!.after));
    expect(acts.at(-1)!.after).toBe(AFTER);
    expect(acts.at(-1)!.told).toBe(LINES.length);
  });

  it("show a unit as it is afterwards from the act on that changes it last", () => {
    const at = (act: Act, unit: number): Group => act.after.groups.find((one) => one.id === unit)!;
    expect(at(of("move"), 1).pieces.map((piece) => piece.at)).toEqual([
      [2000, 1500],
      [2300, 1500],
    ]);
    expect(of("move").moved.find((one) => one.piece === 10)!.path).toEqual([
      [1000, 1000],
      [1000, 1500],
      [2000, 1500],
    ]);
    expect(at(of("shot"), 2).strength).toBe("3/3");
    expect(at(of("loss"), 2).strength).toBe("1/3");
    expect(of("loss").gone.map((one) => one.piece.id)).toEqual([21, 22]);
    expect(of("place").came.map((one) => one.unit)).toEqual([6]);
  });

  it("tell the losses of a unit as one, with the number of the whole", () => {
    expect(acts.filter((act) => act.motion?.sort === "loss")).toHaveLength(1);
    expect(of("loss").motion).toMatchObject({ count: 2, tag: "+1 stun" });
  });

  it("keep points and places as they were until they are scored", () => {
    expect(of("scatter").after.seats).toEqual(BEFORE.seats);
    expect(of("score").after.seats[0]!.points[0]!.value).toBe("2");
    expect(of("score").after.spots[0]!.holder).toBe(0);
  });

  it("show what no line tells of, at the end", () => {
    const pushed = {
      ...BEFORE,
      groups: BEFORE.groups.map((one) => (one.id === 4 ? group(4, 0, [[1200, 3000]]) : one)),
    };
    const [only, ...more] = cut(BEFORE, pushed, []);
    expect(more).toEqual([]);
    expect(only!.moved).toEqual([
      {
        unit: 4,
        piece: 40,
        path: [
          [1000, 3000],
          [1200, 3000],
        ],
      },
    ]);
  });

  it("move a leader with the unit beside which he goes", () => {
    const rider = (at: Point): Group => group(7, 0, [[at[0] + 150, at[1] + 100]]);
    const from = { ...BEFORE, groups: [...BEFORE.groups, rider([1000, 3000])] };
    const to = {
      ...BEFORE,
      groups: [...BEFORE.groups.filter((one) => one.id !== 4), group(4, 0, [[2000, 3000]]), rider([2000, 3000])],
    };
    const acts = cut(from, to, [line({ sort: "move", unit: 4 })]);
    expect(acts).toHaveLength(1);
    expect(acts[0]!.moved.map((one) => one.unit).sort()).toEqual([4, 7]);
  });
});

describe("a film", () => {
  const once = played(USUAL, nothing);

  it("ends at the same picture, with nothing left of it, however it is played", async () => {
    const ways = {
      usual: once,
      twice: played({ ...USUAL, rate: 2 }, nothing),
      own: played({ ...USUAL, own: () => true }, nothing),
      reduced: played({ ...USUAL, reduced: true }, nothing),
      unseen: played(USUAL, nothing, false),
      held: played(USUAL, async (bench, film) => {
        await bench.pass(700);
        film.hold(true);
        await bench.pass(4000);
        film.hold(false);
      }),
      hurried: played(USUAL, async (bench, film) => { await bench.pass(900); film.rate(4); }), // prettier-ignore
      stepped: played(USUAL, async (bench, film) => {
        for (let i = 0; i < 12; i++) {
          await bench.pass(130);
          film.endAct();
        }
      }),
    };
    for (const [name, way] of Object.entries(ways)) {
      const { shown, landed, whole, bench, acts } = await way;
      expect(whole, name).toBe(true);
      expect(shown, name).toBe(AFTER);
      expect(landed, name).toEqual(acts.map((act) => act.after));
      expect([bench.left.size, bench.held.size], name).toEqual([0, 0]);
    }
  });

  it("can be ended at any moment, and nothing of it comes after that", async () => {
    for (let at = 0; at < 9000; at += 170) {
      const { shown, bench, whole } = await played(USUAL, async (bench, _film, over) => {
        await bench.pass(at);
        over();
      });
      expect(shown, `ended after ${at} ms`).toBe(AFTER);
      expect(whole).toBe(false);
      expect([bench.left.size, bench.held.size], `ended after ${at} ms`).toEqual([0, 0]);
    }
  });

  it("does nothing while it is held", async () => {
    let before = 0;
    const { landed } = await played(USUAL, async (bench, film) => {
      await bench.pass(1500);
      film.hold(true);
      before = bench.left.size;
      await bench.pass(5000);
      expect(bench.left.size).toBe(before);
      film.hold(false);
    });
    expect(landed).toHaveLength(cut(BEFORE, AFTER, LINES).length);
  });

  it("is over within the time that it is given", async () => {
    expect((await once).ms).toBeGreaterThan(6000);
    expect((await played({ ...USUAL, within: 3500 }, nothing)).ms).toBeLessThan(4000);
  });
});

describe("what acts leave behind", () => {
  const acts = cut(BEFORE, AFTER, LINES);
  const left = leftBy(acts, new Bench());
  const drawn = (part: string): Left[] => left.filter(({ markup }) => markup.includes(part));

  it("is the ways that were gone, the lines of fire, and what was lost", () => {
    expect(drawn('m-way"').map(({ layer }) => layer)).toEqual(["under", "under"]);
    expect(drawn("m-tracer-line")).toHaveLength(3);
    expect(drawn("−2").map(({ at }) => at)).toEqual([[4300, 1000]]);
  });

  it("is dice as they fell, each throw on ground of its own", () => {
    // The shot is one attack. The blow, and the dice of the unit that it hits, are another.
    const shot = acts.find((act) => act.motion?.sort === "shot")!.line!.n;
    const throws = [shot, null].flatMap((n) =>
      leftBy(acts, new Bench(), n).filter(({ markup }) => markup.includes("m-cloth")),
    );
    expect(throws).toHaveLength(3);
    // One die of the shot counts, and one is crossed out.
    expect(throws[0]!.markup.match(/m-gold/g)).toHaveLength(1);
    expect(throws[0]!.markup.match(/m-cancel/g)).toHaveLength(1);
    expect(throws[0]!.markup).toContain("1 kill");
    const places = throws.map(({ at }) => at!);
    // Text on the table keeps clear of dice and of text at units.
    const covered = [...throws, ...drawn("m-tag")].map(({ box }) => box!);
    expect(covered.every(([x, y, right, bottom]) => right > x && bottom > y)).toBe(true);
    places.forEach((a, i) =>
      places.slice(i + 1).forEach((b) => expect(Math.hypot(a[0] - b[0], a[1] - b[1])).toBeGreaterThan(400)),
    );
  });

  it("shows the dice of one attack, and of the others the result and a pale line", () => {
    expect(drawn("m-cloth")).toHaveLength(2);
    expect(drawn("m-tracer-line").filter(({ markup }) => markup.includes("opacity"))).toHaveLength(3);
    const words = (some: readonly Act[]): string[] =>
      leftBy(some, new Bench())
        .map(({ markup }) => markup)
        .filter((markup) => markup.includes("m-tag"));
    expect(words(acts).some((markup) => markup.includes("1 kill"))).toBe(false);
    expect(words(acts).some((markup) => markup.includes("−2"))).toBe(true);
    const bloodless = acts.filter(({ motion }) => motion?.sort !== "loss");
    expect(words(bloodless).some((markup) => markup.includes("1 kill"))).toBe(true);
  });

  it("leaves in sight who was fired at, and hides nobody else by words", () => {
    // The line is under the pieces, and goes from edge to edge.
    const lines = drawn("m-tracer-line");
    expect(lines.every(({ layer }) => layer === "under")).toBe(true);
    const [from, to] = /m-tracer-line" d="M([\d. ]+)L([\d. ]+)"/
      .exec(lines.at(-1)!.markup)!
      .slice(1)
      .map((one) => one.split(" ").map(Number)) as [number[], number[]];
    expect(Math.hypot(from[0]! - 1300, from[1]! - 1000)).toBeGreaterThan(100);
    expect(Math.hypot(to[0]! - 4000, to[1]! - 1000)).toBeGreaterThan(100);
    // A unit that is shot at twice has one mark.
    expect(drawn('m-target"').map(({ layer }) => layer)).toEqual(["under", "under"]);
    const bench = new Bench();
    const bases = BEFORE.groups.flatMap((group) =>
      group.pieces.map(({ at, radius }) => {
        const [x, y] = bench.put(at).map((n) => n * bench.k) as [number, number];
        const r = radius * bench.k;
        return [x - r, y - r, x + r, y + r] as const;
      }),
    );
    for (const { box } of drawn("m-cloth")) expect(bases.filter((base) => overlap(base, box!) > 0)).toEqual([]);
  });
});

describe("whatever lies over the table", () => {
  const covers: readonly Box[] = [
    [764, 8, 800, 218],
    [0, 566, 800, 600],
  ];
  const readable = { bounds: [0, 0, 800, 600] as const, covers };
  const places = Array.from({ length: 40 * 30 }, (_, i): Box => {
    const [x, y] = [(i % 40) * 19.7, Math.floor(i / 40) * 19.3];
    return [x, y, x + 50, y + 20];
  });
  const inSight = ([left, top, right, bottom]: Box): boolean =>
    Math.min(left, top, 800 - right, 600 - bottom) > -1e-6 &&
    covers.every((cover) => overlap(cover, [left, top, right, bottom]) < 1e-6);

  it("hides no dice", () => {
    for (const around of places) {
      const [x, y] = freeGround(around, 240, 90, [around], readable);
      expect(inSight([x - 120, y - 45, x + 120, y + 45])).toBe(true);
    }
  });

  it("hides no words at a unit", () => {
    for (const [left, top] of places) {
      const box = tagBox([left, top], "−2  Pinned");
      const [dx, dy] = shiftOf(box, readable);
      expect(inSight([box[0] + dx, box[1] + dy, box[2] + dx, box[3] + dy])).toBe(true);
    }
  });
});

describe("dice", () => {
  it("that are cancelled lie over those that cancel them", () => {
    const rows = rowsOf(READ);
    expect(rows.answer[0]![0]).toBe(rows.attack[1]![0]);
    expect(new Set(rows.answer.map((at) => at.join())).size).toBe(2);
  });

  it("lie on free ground within the table", () => {
    const [x, y] = freeGround([100, 100, 140, 140], 100, 60, [[150, 60, 300, 200]], {
      bounds: [0, 0, 800, 600],
      covers: [],
    });
    expect(x + 50 <= 100 || y + 30 <= 100 || y - 30 >= 140).toBe(true);
    expect(x - 50).toBeGreaterThanOrEqual(0);
  });
});

describe("the verdict on an attack", () => {
  const acts = cut(BEFORE, AFTER, LINES);
  const shot = acts.find((act) => act.motion?.sort === "shot")!.line!.n;

  it("is what its target lost and has left, and nothing for a target that lost nothing", () => {
    expect(verdictOf(acts, shot)).toBe(`${BEFORE.groups[1]!.name}: 2 lost, 1 left`);
    expect(verdictOf(acts, null)).toBe("");
    expect(verdictOf([], null)).toBe("");
  });

  it("says that none are left", () => {
    const gone = { ...AFTER, groups: AFTER.groups.filter(({ id }) => id !== 2) };
    expect(verdictOf(cut(BEFORE, gone, LINES), shot)).toBe(`${BEFORE.groups[1]!.name}: 3 lost, none left`);
  });

  it("comes first for the attack that cost most", () => {
    expect(costliest(acts)).toBe(shot);
  });
});
