/**
 * One player for each kind of motion. A player resolves when the next act may begin, and leaves only the picture after
 * the act.
 */
import { sideClass } from "../lib/measure";
import type { Group, Motion, Point } from "../wire/types";
import type { Act } from "./acts";
import { dieOf, shiftOf } from "./dice";
import { cameOf, clothOf, GOLD, isIdle, leftBy, placeOf, sumOf, tagBox, tagOf, wordsOf } from "./left";
import { EASE, type Reel, type Thing } from "./reel";
import {
  along,
  fromOf,
  groupOf,
  leaders,
  lengthOf,
  lineOf,
  middleOf,
  pointBox,
  readableAt,
  sideOf,
  toOf,
  unitOf,
} from "./where";

type Land = () => Promise<void>;
type Player = (act: Act, reel: Reel, land: Land, own: boolean) => Promise<void>;

/** Duration of a move: milliseconds for each measure of the table, with a minimum and a maximum. */
const PACE = 60;
const [SHORTEST, LONGEST] = [250, 800];

const GUNS = 6;

/** Play an act. Changes of the act to the table appear when *land* is called, at the latest when the player resolves.
 * */
export async function play(act: Act, reel: Reel, land: Land, own: boolean): Promise<void> {
  const sort = act.motion?.sort;
  await (sort === undefined ? slide : PLAYERS[sort])(act, reel, land, own);
}

/** Show the result of an act without animation, with its traces, for the given time. */
export async function still(act: Act, reel: Reel, ms: number): Promise<void> {
  if (!reel.ended)
    for (const { at, markup, layer } of leftBy([act], reel.stage)) {
      if (at === null) reel.drawn(markup, layer);
      else reel.draw(markup, at, layer);
    }
  await reel.wait(ms);
}

// ── shared parts ────────────────────────────────────────────────────────────────────────────────────────────────────

/**
 * Move pieces along their paths, together with everything that belongs to their units, then show the picture after the
 * act.
 */
async function travel(act: Act, reel: Reel, land: Land, ms: (length: number) => number, ease: string): Promise<void> {
  const { put } = reel.stage;
  const runs = act.moved.map((one) => {
    const far = lengthOf(one.path);
    const stops = one.path.map((_, i) => (far === 0 ? 1 : lengthOf(one.path.slice(0, i + 1)) / far));
    const frames = one.path.map((at, i) => {
      const [x, y] = put(at);
      const lift = i > 0 && i < one.path.length - 1 ? 1.07 : 1;
      return `translate(${x}px, ${y}px) scale(${lift})`;
    });
    return reel.run(reel.piece(one.piece), { transform: frames, offset: stops }, { ms: ms(far), ease });
  });
  for (const one of leaders(act)) {
    const from = put(one.path[0]!);
    const shift = one.path.map((at) => {
      const [x, y] = put(at);
      return `${x - from[0]}px ${y - from[1]}px`;
    });
    for (const thing of reel.belongings(one.unit))
      runs.push(reel.run(thing, { translate: shift }, { ms: ms(lengthOf(one.path)), ease }));
  }
  await Promise.all(runs);
  await land();
}

/** New pieces are put down, and removed pieces fade. */
async function comeAndGo(act: Act, reel: Reel, land: Land, ms = 200): Promise<void> {
  await Promise.all(
    act.gone.map(({ piece }) => reel.run(reel.piece(piece.id), { opacity: [1, 0] }, { ms, ease: EASE.out })),
  );
  await land();
  if (act.came.length > 0) reel.sound("down");
  await Promise.all(
    act.came.map(({ piece }) => {
      const [x, y] = reel.stage.put(piece.at);
      const over = piece.radius * 0.9;
      return reel.run(
        reel.piece(piece.id),
        {
          opacity: [0, 1],
          transform: [`translate(${x}px, ${y - over}px) scale(1.15)`, `translate(${x}px, ${y}px) scale(1)`],
        },
        { ms, ease: EASE.out },
      );
    }),
  );
}

/** Draw the path in short strokes that fade behind the moving pieces. */
function ink(act: Act, reel: Reel, ms: number): void {
  for (const one of leaders(act)) {
    const far = lengthOf(one.path);
    if (far === 0) continue;
    const strokes = Math.min(22, Math.max(4, Math.round((far * reel.stage.k) / 14)));
    for (let i = 0; i < strokes; i++) {
      const thing = reel.drawn(
        `<path class="m-ink" d="` +
          `${lineOf([along(one.path, i / strokes), along(one.path, (i + 0.6) / strokes)], reel.stage)}"/>`,
      );
      void reel.run(
        thing,
        { opacity: [0, 0.85, 0.85, 0], offset: [0, 0.12, 0.6, 1] },
        { ms: 260 + (ms * i) / strokes + 120, ease: "linear" },
      );
    }
    const [end] = one.path.slice(-1);
    if (end === undefined) continue;
    const group = groupOf(act.after, one.unit);
    for (const piece of group?.pieces ?? []) {
      const [x, y] = reel.stage.put(piece.at);
      void reel.run(
        reel.drawn(`<circle class="m-end" cx="${x}" cy="${y}" r="${piece.radius * 1.05}"/>`),
        { opacity: [0, 0.8, 0.8, 0], offset: [0, 0.1, 0.8, 1] },
        { ms: 120 + ms, ease: "linear" },
      );
    }
  }
}

function burst(reel: Reel, at: Point, after = 0, big = 1): void {
  const rays = [...Array(9).keys()].map((i) => {
    const angle = (i * 2 * Math.PI) / 9 + 0.3;
    const long = (i % 2 === 0 ? 13 : 9) * big;
    return `M${Math.cos(angle) * 3} ${Math.sin(angle) * 3}L${Math.cos(angle) * long} ${Math.sin(angle) * long}`;
  });
  const thing = reel.draw(
    `<circle class="m-burst" r="${7 * big}"/><circle class="m-core" r="${4 * big}"/><path class="m-rays" d="` +
      `${rays.join("")}"/>`,
    at,
  );
  void reel.run(
    thing,
    { opacity: [0, 1, 0], transform: ["scale(0.4)", "scale(1)", "scale(1.5)"], offset: [0, 0.3, 1] },
    { ms: 260, after, ease: EASE.out },
  );
}

/** Show a word or two that rise from a piece and stay a little after the act. */
function tag(reel: Reel, at: Point, words: string, act: Act, ms = 1300): void {
  if (words === "") return;
  const { stage } = reel;
  const [x, y] = stage.put(at).map((n) => n * stage.k) as [number, number];
  // The words rise from the lower end of this box to its upper end.
  const [left, top, right, bottom] = tagBox([x, y], words);
  const [dx, dy] = shiftOf([left, top - 26, right, bottom + 4], readableAt(pointBox(at, stage), stage));
  void reel.run(
    reel.draw(tagOf(words, act), stage.put([(x + dx) / stage.k, (y + dy) / stage.k])),
    {
      opacity: [0, 1, 1, 0],
      transform: ["translateY(4px)", "translateY(-10px)", "translateY(-18px)", "translateY(-26px)"],
      offset: [0, 0.12, 0.75, 1],
    },
    { ms, ease: "linear" },
  );
}

function ring(reel: Reel, group: Group | undefined, kind: string, ms: number, after = 0): void {
  for (const piece of group?.pieces ?? []) {
    const [x, y] = reel.stage.put(piece.at);
    void reel.run(
      reel.drawn(`<circle class="m-ring ${kind}" cx="${x}" cy="${y}" r="${piece.radius * 1.16}"/>`, "over"),
      { opacity: [0, 1, 1, 0], offset: [0, 0.2, 0.8, 1] },
      { ms, after, ease: "linear" },
    );
  }
}

/** The dice of an act before they are thrown. */
function layDice(act: Act, reel: Reel) {
  const { stage } = reel;
  const place = reel.ended ? null : placeOf(act, stage);
  if (place === null) return null;
  const { reading, rows, x, y } = place;
  const at = (p: Point): Point => stage.put([(x + p[0]) / stage.k, (y + p[1]) / stage.k]);
  const cloth = reel.draw(clothOf(rows), at([0, 0]));
  const attack = reading.dice.map((die, i) =>
    reel.draw(dieOf(act.before, reading.side, die.face, reading.sides, die.result === "", i), at(rows.attack[i]!)),
  );
  const answer = reading.answer.map((face, i) =>
    reel.draw(
      dieOf(act.before, reading.answer_side, face, reading.sides, isIdle(reading, i), i + 3),
      at(rows.answer[i]!),
    ),
  );
  const drawn = [cloth, ...attack, ...answer];
  /** Draw something that disappears with the dice. */
  const beside = (markup: string, where: Point): Thing => {
    const thing = reel.draw(markup, at(where));
    drawn.push(thing);
    return thing;
  };
  const swept = (): void => {
    for (const thing of drawn) void reel.run(thing, { opacity: 0 }, { ms: 160 }).then(() => thing.away());
  };
  return { reading, rows, cloth, attack, answer, beside, swept };
}

/** Throw the dice, cancel those that are cancelled, and show the rest. Resolves to a function that removes them. */
async function dice(act: Act, reel: Reel): Promise<() => void> {
  const lay = layDice(act, reel);
  if (lay === null) return () => undefined;
  const { reading, rows, attack, answer, beside } = lay;
  void reel.run(lay.cloth, { opacity: [0, 1] }, { ms: 120 });
  const fell = attack.map((die, i) =>
    reel.run(
      die,
      {
        opacity: [0, 1, 1],
        transform: [
          `translate(${(i % 2 ? -26 : 22) + i * 3}px, -70px) rotate(${i % 2 ? 250 : -230}deg)`,
          "translate(0px, 3px) rotate(-12deg)",
          "none",
        ],
        offset: [0, 0.8, 1],
      },
      { ms: 300 + ((i * 37) % 70), after: i * 22, ease: EASE.fall },
    ),
  );
  for (const die of answer) void reel.run(die, { opacity: [0, 0] }, { ms: 1000 });
  for (let i = 0; i < Math.min(attack.length, 5); i++) reel.sound("die", 180 + i * 40);
  await Promise.all(fell);
  const paled = reading.dice.map((die, i) =>
    die.result === "" && !reading.added ? reel.run(attack[i]!, { opacity: [1, 0.45] }, { ms: 110 }) : null,
  );
  await Promise.all(paled);
  if (answer.length > 0) {
    reel.sound("die", 120);
    await Promise.all(
      answer.map((die, i) =>
        reel.run(
          die,
          {
            opacity: [0, 1, 1],
            transform: [`translate(${i * 4 - 10}px, 60px) rotate(200deg)`, "translate(0px, -3px) rotate(9deg)", "none"],
            offset: [0, 0.8, 1],
          },
          { ms: 280 + ((i * 31) % 30), after: i * 18, ease: EASE.fall },
        ),
      ),
    );
  }
  if (reading.added) {
    const totals = [
      [reading.dice[0]?.face, reading.terms, rows.attack[0]],
      [reading.answer[0], reading.answer_terms, rows.answer[0]],
    ] as const;
    for (const [face, terms, place] of totals)
      if (face !== undefined && place !== undefined)
        void reel.run(beside(sumOf(face, terms), place), { opacity: [0, 1] }, { ms: 160 });
    await reel.wait(160);
  }
  const cancelled = reading.dice.map((die, i) => ({ die, i })).filter(({ die }) => die.by.length > 0 || die.ignored);
  const each = cancelled.length > 4 ? 70 : 130;
  for (const { die, i } of cancelled) {
    for (const by of die.by) {
      const [a, b] = [rows.attack[i]!, rows.answer[by] ?? rows.attack[i]!];
      void reel.run(
        beside(`<path class="m-cancel" d="M0 0L${b[0] - a[0]} ${b[1] - a[1]}"/>`, a),
        { opacity: [0, 1, 0.5] },
        { ms: each * 2 },
      );
      if (answer[by] !== undefined) void reel.run(answer[by], { opacity: [1, 0.35] }, { ms: each });
    }
    await reel.run(attack[i]!, { opacity: [1, 0.3] }, { ms: each });
  }
  const stands = reading.dice
    .map((die, i) => ({ die, i }))
    .filter(({ die }) => die.result !== "" && die.by.length === 0 && !die.ignored);
  if (stands.length > 0 && !reading.added) reel.sound("hit");
  for (const { i } of stands) {
    const gold = beside(GOLD, rows.attack[i]!);
    void reel.run(gold, { opacity: [0, 1], transform: ["scale(1.5)", "none"] }, { ms: 200, ease: EASE.out });
  }
  const words = beside(cameOf(reading, rows), [0, 0]);
  await reel.run(words, { opacity: [0, 1] }, { ms: 200 });
  await reel.wait(420);
  return lay.swept;
}

// ── the sorts ───────────────────────────────────────────────────────────────────────────────────────────────────────

/** Play a change that no log line explains: everything moves straight to its new place. */
const slide: Player = async (act, reel, land) => {
  if (act.moved.length > 0)
    await travel(
      act,
      reel,
      async () => undefined,
      () => 220,
      EASE.both,
    );
  if (act.gone.length + act.came.length > 0) await comeAndGo(act, reel, land);
  await land();
  if (act.moved.length + act.gone.length + act.came.length === 0 && act.line !== null) await reel.wait(350);
};

const move: Player = async (act, reel, land, own) => {
  const scale = act.before.scale;
  const ms = (length: number): number => (own ? 180 : Math.min(LONGEST, Math.max(SHORTEST, (PACE * length) / scale)));
  if (!own && act.moved.length > 0) {
    const longest = Math.max(...leaders(act).map((one) => ms(lengthOf(one.path))));
    ink(act, reel, longest);
    await reel.wait(120);
  }
  reel.sound("move");
  await travel(act, reel, async () => undefined, ms, EASE.both);
  if (act.gone.length + act.came.length > 0) await comeAndGo(act, reel, land, 160);
  await land();
  reel.sound("down");
};

const place: Player = async (act, reel, land, own) => {
  if (own && act.moved.length === 0) {
    await land();
    reel.sound("down");
    return;
  }
  await comeAndGo(act, reel, land, 160);
};

const charge: Player = async (act, reel, land, own) => {
  const to = middleOf(act, act.motion?.target);
  for (const one of leaders(act)) {
    const thing = reel.drawn(`<path class="m-charge" d="${lineOf(one.path, reel.stage)}"/>`);
    void reel.run(thing, { opacity: [0, 1, 1, 0], offset: [0, 0.2, 0.7, 1] }, { ms: 560 });
  }
  await reel.wait(own ? 0 : 110);
  reel.sound("move");
  await travel(
    act,
    reel,
    async () => undefined,
    () => 240,
    EASE.in,
  );
  if (act.gone.length + act.came.length > 0) await comeAndGo(act, reel, land, 120);
  await land();
  reel.sound("hit");
  const mine = groupOf(act.after, act.motion?.unit)?.pieces ?? [];
  const meet = mine.length > 0 ? mine[0]!.at : to;
  if (meet !== null && to !== null) burst(reel, [(meet[0] + to[0]) / 2, (meet[1] + to[1]) / 2], 0, 0.8);
  await reel.wait(160);
};

const aim: Player = async (act, reel, land, own) => {
  const [from, to] = [fromOf(act), toOf(act)];
  if (from !== null && to !== null && !own) {
    ring(reel, groupOf(act.before, act.motion?.target), "m-foe", 420);
    const thing = reel.drawn(
      `<path class="m-aim ${sideClass(sideOf(act))}" d="${lineOf([from, to], reel.stage)}"/>`,
      "over",
    );
    void reel.run(thing, { opacity: [0, 1, 1, 0], offset: [0, 0.25, 0.75, 1] }, { ms: 460 });
    await reel.wait(250);
  }
  await land();
};

/** Draw flashes, tracers and bursts; resolve when the last one has hit. */
async function fire(act: Act, reel: Reel): Promise<void> {
  const { stage } = reel;
  const shooters = groupOf(act.before, act.motion?.unit)?.pieces.map((piece) => piece.at) ?? [];
  const targets = groupOf(act.before, act.motion?.target)?.pieces.map((piece) => piece.at) ?? [];
  const goal = toOf(act);
  if (goal === null) return;
  const from = shooters.length > 0 ? shooters.slice(0, GUNS) : act.motion?.at ? [act.motion.at] : [];
  const shots = from.map(async (at, i) => {
    const to = targets[i % Math.max(targets.length, 1)] ?? goal;
    const [[ax, ay], [bx, by]] = [stage.put(at), stage.put(to)];
    const [dx, dy] = [(bx - ax) * stage.k, (by - ay) * stage.k];
    const turn = (Math.atan2(dy, dx) * 180) / Math.PI;
    const wait = i * 45;
    reel.sound("shot", wait);
    void reel.run(
      reel.draw(`<g transform="rotate(${turn})"><path class="m-flash" d="M6 0L15 -4L24 0L15 4Z"/></g>`, at),
      { opacity: [0, 1, 0] },
      { ms: 110, after: wait },
    );
    const streak = reel.draw(`<g transform="rotate(${turn})"><path class="m-tracer" d="M-14 0H4"/></g>`, at);
    await reel.run(
      streak,
      { opacity: [1, 1], transform: ["translate(0px, 0px)", `translate(${dx}px, ${dy}px)`] },
      { ms: 180, after: wait, ease: "linear" },
    );
    streak.away();
    burst(reel, to, 0, 0.7);
  });
  if (from.length === 0) burst(reel, goal, 0, 1.2);
  await Promise.all(shots);
}

const shot: Player = async (act, reel, land) => {
  const fired = fire(act, reel);
  await reel.wait(220);
  const sweep = await dice(act, reel);
  await fired;
  await lose(act, reel, land);
  sweep();
};

const blow: Player = async (act, reel, land) => {
  const [from, to] = [fromOf(act), toOf(act)];
  if (from !== null && to !== null) {
    const { put } = reel.stage;
    const pieces = groupOf(act.before, act.motion?.unit)?.pieces ?? [];
    const nudges = pieces.map((piece) => {
      const [[x, y], [tx, ty]] = [put(piece.at), put(to)];
      const far = Math.hypot(tx - x, ty - y) || 1;
      const [dx, dy] = [((tx - x) / far) * piece.radius * 0.5, ((ty - y) / far) * piece.radius * 0.5];
      return reel.run(
        reel.piece(piece.id),
        {
          transform: [`translate(${x}px, ${y}px)`, `translate(${x + dx}px, ${y + dy}px)`, `translate(${x}px, ${y}px)`],
        },
        { ms: 220, ease: EASE.out },
      );
    });
    burst(reel, [(from[0] + 2 * to[0]) / 3, (from[1] + 2 * to[1]) / 3], 70, 0.8);
    reel.sound("hit", 70);
    await Promise.all(nudges);
  }
  const sweep = await dice(act, reel);
  await lose(act, reel, land);
  sweep();
};

/** Remove lost pieces, and show their number. */
async function lose(act: Act, reel: Reel, land: Land): Promise<void> {
  const words = wordsOf(act);
  const { motion } = act;
  const unit = motion?.sort === "loss" ? motion.unit : motion?.target;
  const at = act.gone[0]?.piece.at ?? middleOf(act, unit) ?? motion?.at ?? null;
  if (words === "" && act.gone.length === 0) {
    await land();
    return;
  }
  for (const { piece } of act.gone) {
    burst(reel, piece.at, 0, 1.2);
    const [x, y] = reel.stage.put(piece.at);
    const r = piece.radius;
    void reel.run(
      reel.drawn(
        `<g transform="translate(${x} ${y}) scale(${r / 10})"><ellipse class="m-scorch" rx="10" ry="8"/>` +
          `<path class="m-wreck" d="M-6 3L-5 -2L-1 -5L4 -4L7 1L4 4Z"/></g>`,
      ),
      { opacity: [0, 1, 1, 0], offset: [0, 0.05, 0.75, 1] },
      { ms: 3000, ease: "linear" },
    );
    for (let i = 0; i < 3; i++)
      void reel.run(
        reel.draw(`<circle class="m-smoke" r="${5 + i * 2}"/>`, piece.at),
        {
          opacity: [0, 0.5, 0],
          transform: [
            "translate(0px, 0px) scale(0.5)",
            `translate(${4 + i * 4}px, ${-12 - i * 6}px) scale(1)`,
            `translate(${10 + i * 7}px, ${-26 - i * 9}px) scale(1.6)`,
          ],
        },
        { ms: 1900, after: i * 260, ease: "linear" },
      );
  }
  if (act.gone.length === 0 && (motion?.count ?? 0) > 0 && at !== null) burst(reel, at, 0, 1);
  reel.sound("loss");
  const [first] = act.gone;
  if (first !== undefined)
    await Promise.all(
      act.gone.map(({ piece }) => reel.run(reel.piece(piece.id), { opacity: [1, 0] }, { ms: 240, ease: EASE.out })),
    );
  await land();
  if (at !== null) tag(reel, at, words, act);
  await reel.wait(300);
}

const loss: Player = (act, reel, land) => lose(act, reel, land);

const throwDice: Player = async (act, reel, land) => {
  const sweep = await dice(act, reel);
  await comeAndGo(act, reel, land, 160);
  const at = toOf(act);
  if (at !== null && act.motion?.tag) tag(reel, at, act.motion.tag, act, 900);
  sweep();
};

const mark: Player = async (act, reel, land) => {
  const at = toOf(act);
  if (act.gone.length > 0) await comeAndGo(act, reel, land, 200);
  await land();
  if (at === null) return;
  ring(reel, groupOf(act.after, unitOf(act.motion)), "", 420);
  tag(reel, at, act.motion?.tag ?? "", act, 1000);
  await reel.wait(380);
};

const reaction: Player = async (act, reel, land) => {
  const [from, to] = [fromOf(act), toOf(act)];
  if (from !== null) {
    const sign = reel.draw(
      `<g class="${sideClass(sideOf(act))}"><circle class="m-sign" r="11" cy="-20"/><text class="m-shout" ` +
        `y="-15">!</text></g>`,
      from,
    );
    void reel.run(
      sign,
      {
        opacity: [0, 1, 1, 0],
        transform: ["scale(0.3)", "scale(1.15)", "scale(1)", "scale(1)"],
        offset: [0, 0.2, 0.8, 1],
      },
      { ms: 800, ease: EASE.out },
    );
    ring(reel, groupOf(act.before, act.motion?.unit), "m-foe", 700);
    if (to !== null)
      void reel.run(
        reel.drawn(`<path class="m-aim ${sideClass(sideOf(act))}" d="${lineOf([from, to], reel.stage)}"/>`, "over"),
        { opacity: [0, 1, 0] },
        { ms: 600 },
      );
    reel.sound("note");
    await reel.wait(380);
  }
  await land();
};

const score: Player = async (act, reel, land) => {
  const { motion } = act;
  const at = motion?.at ?? middleOf(act, motion?.unit);
  const side = motion?.side ?? null;
  const count = motion?.count ?? 0;
  if (at === null) return land();
  const [x, y] = reel.stage.put(at);
  void reel.run(
    reel.drawn(
      `<circle class="m-pulse ${sideClass(side)}" cx="${x}" cy="${y}" r="${act.before.scale * 1.2}"/>`,
      "over",
    ),
    { opacity: [0, 1, 0] },
    { ms: 560 },
  );
  if (count !== 0) tag(reel, at, `${count > 0 ? "+" : "−"}${Math.abs(count)}`, act, 900);
  await reel.wait(180);
  if (count > 0 && side !== null) {
    reel.sound("note");
    const star = reel.fly(
      `<svg viewBox="-10 -10 20 20" width="26" height="26"><path d="M0 -9L2.6 -3.1L9 -2.6L4.1 1.6L5.7 8L0 ` +
        `4.5L-5.7 8L-4.1 1.6L-9 -2.6L-2.6 -3.1Z" fill="var(--gold-lit)" stroke="var(--cast)" ` +
        `stroke-width="1.2"/></svg>`,
      at,
      side,
    );
    if (star !== null) {
      await reel.run(star, { opacity: [1, 1, 0.9], offset: [0, 0.9, 1] }, { ms: 460, ease: EASE.both });
      star.away();
    }
  } else await reel.wait(280);
  await land();
};

const card: Player = async (act, reel, land, own) => {
  const card = act.motion?.card;
  if (card && !own) {
    reel.sound("card");
    const thing = reel.turnedUp(card, [act.before.width / 2, act.before.height / 2], act.motion?.side ?? 0);
    if (thing !== null) {
      await reel.run(thing, { opacity: [0, 1, 1], offset: [0, 0.15, 1] }, { ms: 560, ease: EASE.out });
      await land();
      await reel.wait(750);
      await reel.run(thing, { opacity: [1, 0] }, { ms: 160 });
      thing.away();
    }
  }
  await land();
};

const order: Player = async (act, reel, land, own) => {
  for (const unit of act.motion?.units ?? []) ring(reel, groupOf(act.before, unit), "m-ordered", own ? 260 : 620);
  await reel.wait(own ? 0 : 360);
  await land();
};

const scatter: Player = async (act, reel, land) => {
  const { motion } = act;
  const [at, to] = [motion?.at ?? null, motion?.to ?? null];
  if (at === null || to === null) return land();
  const { stage } = reel;
  const [[ax, ay], [bx, by]] = [stage.put(at), stage.put(to)];
  const [dx, dy] = [(bx - ax) * stage.k, (by - ay) * stage.k];
  const marker = reel.draw(
    `<path class="m-marker" d="M-9 0H-3M3 0H9M0 -9V-3M0 3V9"/><circle class="m-marker" r="6"/>`,
    at,
  );
  await reel.run(marker, { opacity: [0, 1], transform: ["scale(2)", "none"] }, { ms: 150, ease: EASE.out });
  if (Math.hypot(dx, dy) > 2) {
    void reel.run(
      reel.drawn(`<path class="m-drift" d="M${ax} ${ay}L${bx} ${by}"/>`, "over"),
      { opacity: [0, 1, 1, 0], offset: [0, 0.3, 0.8, 1] },
      { ms: 900 },
    );
    await reel.wait(250);
    await reel.run(marker, { transform: ["none", `translate(${dx}px, ${dy}px)`] }, { ms: 180, ease: EASE.both });
  }
  const radius = motion?.radius ?? 0;
  if (radius > 0)
    void reel.run(
      reel.drawn(`<circle class="m-template" cx="${bx}" cy="${by}" r="${radius}"/>`, "over"),
      { opacity: [0, 1, 1, 0], offset: [0, 0.2, 0.7, 1] },
      { ms: 900 },
    );
  await land();
  await reel.wait(200);
  reel.sound("loss");
  const spread = radius * 0.55;
  for (const [i, [sx, sy]] of (
    [
      [0, 0],
      [1, 0.3],
      [-0.8, 0.7],
      [0.1, -1],
      [-0.7, -0.5],
    ] as const
  ).entries())
    burst(reel, [to[0] + sx * spread, to[1] + sy * spread], i * 70, 1.1);
  await reel.wait(420);
};

const PLAYERS: Record<Motion["sort"], Player> = {
  move,
  place,
  charge,
  aim,
  shot,
  blow,
  dice: throwDice,
  loss,
  mark,
  reaction,
  score,
  card,
  order,
  scatter,
};
