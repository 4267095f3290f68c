/** Draws the traces of acts that are over, for a moment that is viewed, and if animation is off. */
import { attacksOf, attackWith, subjectOf } from "../lib/thrown";
import type { Group, LogEntry, Picture, Point, Reading } from "../wire/types";
import type { Act, Standing } from "./acts";
import { DIE, dieOf, freeGround, overlap, rowsOf, shiftOf, type Box, type Rows } from "./dice";
import { contourOf } from "../table/contour";
import { boxOf, fireOf, groupOf, leaders, lineOf, pointBox, readableAt, ROUND, toOf, unitOf, type Lie } from "./where";

export function tagOf(words: string, act: Act): string {
  const bad = act.motion?.sort === "loss" || /^[−-]/.test(words);
  const safe = words.replace(/[<>&]/g, "");
  return `<text class="m-tag${bad ? " m-bad" : ""}" y="-14">${safe}</text>`;
}

/** Return the words shown at a unit for a moment: its losses, and anything else reported. */
export function wordsOf(act: Act): string {
  const { motion } = act;
  if (motion === null) return "";
  const lost = motion.count ?? 0;
  const counted = ["loss", "shot", "blow"].includes(motion.sort) && lost > 0 ? `−${lost}` : "";
  return [counted, motion.tag ?? ""].filter(Boolean).join("  ");
}

/** Height of the words under dice, and approximate width of one letter, in pixels. */
const SAID = 22;
const LETTER = 7.6;

/** The boxes of single pieces, in pixels. */
function basesOf(groups: readonly Group[], lie: Lie): Box[] {
  return groups.flatMap((group) =>
    group.pieces.map((piece) => boxOf({ ...group, pieces: [piece] }, lie)).filter((box) => box !== null),
  );
}

/** Return the groups that an act is about, as they stood before it. */
function namedIn(act: Act): Group[] {
  return [act.motion?.unit, act.motion?.target, act.line?.reading?.target]
    .map((id) => groupOf(act.before, id))
    .filter((group) => group !== undefined);
}

/**
 * Return where the dice of an act lie beside their target, in pixels: on free ground outside *taken*.
 *
 * @param size Scale of the dice, as a fraction of their usual size.
 * @param shown Boxes of others that should stay visible.
 */
export function placeOf(act: Act, lie: Lie, taken: readonly Box[] = [], size = 1, shown: readonly Box[] = []) {
  const reading = act.line?.reading ?? null;
  if (reading === null || reading.dice.length + reading.answer.length === 0) return null;
  const about = reading.target ?? reading.unit ?? act.motion?.unit ?? null;
  const place = toOf(act);
  const around = boxOf(groupOf(act.before, about), lie) ?? (place === null ? null : pointBox(place, lie));
  if (around === null) return null;
  const rows = rowsOf(reading);
  const stand = basesOf(act.before.groups, lie);
  const wide = Math.max(rows.wide * size, LETTER * cameIn(reading).length);
  const high = rows.high * size + SAID;
  const [x, y] = freeGround(around, wide, high, [...stand, ...taken], readableAt(around, lie), [
    ...basesOf(namedIn(act), lie),
    ...shown,
  ]);
  return { reading, rows, around, wide, x, y: y - SAID / 2 };
}

/** Height of words at a unit, and the distance of their lower edge from its middle. */
const TAG_HIGH = 22;
const TAG_UP = 8;

/** Return the box of words at a place in pixels, which is the middle of a unit. */
export function tagBox([x, y]: Point, words: string, size = 1): Box {
  const half = words.length * 4.6 * size;
  return [x - half, y - TAG_UP - TAG_HIGH, x + half, y - TAG_UP];
}

const sums = (terms: readonly { value: number }[]): number => terms.reduce((sum, one) => sum + one.value, 0);

export function clothOf({ wide, high }: Rows): string {
  return (
    `<rect class="m-cloth" x="${-wide / 2 - 3}" y="${-high / 2 - 3}" width="${wide + 6}" height="${high + 6}" ` +
    `rx="8"/>`
  );
}

/** Return whether a die of the defence cancels nothing. */
export function isIdle(reading: Reading, i: number): boolean {
  return !reading.added && !reading.dice.some((die) => die.by.includes(i));
}

export const GOLD =
  `<rect class="m-gold" x="${-DIE / 2 - 1}" y="${-DIE / 2 - 1}` + `" width="${DIE + 2}" height="${DIE + 2}" rx="6"/>`;

/** Return what is written beside a die to which something is added. */
export function sumOf(face: number, terms: readonly { value: number }[]): string {
  const more = sums(terms);
  const sum = more === 0 ? String(face) : `${more > 0 ? "+" : "−"}${Math.abs(more)} = ${face + more}`;
  return `<text class="m-sum" x="${DIE / 2 + 5}" y="5">${sum}</text>`;
}

function cameIn({ came }: Reading): string {
  return came.length > 42 ? `${came.slice(0, 40)}…` : came;
}

/** Return the result of a throw, to be written under it. */
export function cameOf(reading: Reading, rows: Rows, size = 1): string {
  return `<text class="m-came" y="${(rows.high * size) / 2 + 13}">${cameIn(reading).replace(/[<>&]/g, "")}</text>`;
}

/** Draw dice after the throw, with their middle at the origin: counting dice in gold, the others pale. */
function fallenDice(picture: Picture, reading: Reading, rows: Rows, size: number): string {
  const at = ([x, y]: Point, markup: string, pale = 1): string =>
    `<g transform="translate(${x} ${y})"${pale < 1 ? ` opacity="${pale}"` : ""}>${markup}</g>`;
  const parts = [clothOf(rows)];
  reading.dice.forEach((die, i) => {
    const place = rows.attack[i]!;
    const idle = die.result === "";
    const stopped = die.by.length > 0 || die.ignored;
    parts.push(
      at(
        place,
        dieOf(picture, reading.side, die.face, reading.sides, idle, i),
        stopped ? 0.3 : idle && !reading.added ? 0.45 : 1,
      ),
    );
    if (!idle && !stopped) parts.push(at(place, GOLD));
  });
  reading.answer.forEach((face, i) =>
    parts.push(
      at(rows.answer[i]!, dieOf(picture, reading.answer_side, face, reading.sides, isIdle(reading, i), i + 3)),
    ),
  );
  reading.dice.forEach((die, i) => {
    const from = rows.attack[i]!;
    for (const by of die.by) {
      const to = rows.answer[by] ?? from;
      parts.push(at(from, `<path class="m-cancel" d="M0 0L${to[0] - from[0]} ${to[1] - from[1]}"/>`, 0.5));
    }
  });
  if (reading.added) {
    const [die, answer] = [reading.dice[0], reading.answer[0]];
    if (die !== undefined) parts.push(at(rows.attack[0]!, sumOf(die.face, reading.terms)));
    if (answer !== undefined) parts.push(at(rows.answer[0]!, sumOf(answer, reading.answer_terms)));
  }
  return `<g transform="scale(${size})">${parts.join("")}</g>${cameOf(reading, rows, size)}`;
}

/** A trace of a past act, at a place in pixels or on the plane of the table. */
export interface Left {
  at: Point | null;
  markup: string;
  layer: "under" | "over";
  /** Area that the trace covers, in pixels of the table. Text keeps clear of the dice. */
  box?: Box;
}

/** Largest number of throws on the table at once. */
const THROWS = 3;

/** Opacity of the traces of attacks other than the one that is looked at. */
const ASIDE = 0.4;

/** Scale of dice if more than one throw is on the table. */
const SMALLER = 0.78;

/** Width of a table in pixels below which dice and text are drawn smaller. */
const NARROW = 480;
const ON_NARROW = 0.8;

/** Distance in pixels beyond which a line connects dice with their unit. */
const TETHER = 26;

/** Draw a dashed line around the units that are shot at. */
function aimedAt(group: Group | undefined, { put, k }: Lie): string {
  const pieces = group?.pieces ?? [];
  if (pieces.length === 0) return "";
  const out = Math.max(...pieces.map((piece) => piece.hull?.[0] ?? piece.radius)) * ROUND + 1 / k;
  const line = contourOf(
    pieces.map((piece) => put(piece.at)),
    out,
  );
  return `<path class="m-target-casing" d="${line}"/><path class="m-target" d="${line}"/>`;
}

/** Return the box of a removed piece, in pixels. */
function pieceBox({ piece }: Standing, { put, k }: Lie): Box {
  const [x, y] = put(piece.at).map((n) => n * k) as [number, number];
  const r = piece.radius * k;
  return [x - r, y - r, x + r, y + r];
}

/** Draw a thin line from distant dice to the unit that they are about. */
function tether(box: Box, around: Box, { k }: Lie): string {
  const to = [(around[0] + around[2]) / 2, (around[1] + around[3]) / 2] as const;
  const from = [Math.min(Math.max(to[0], box[0]), box[2]), Math.min(Math.max(to[1], box[1]), box[3])] as const;
  const end = [
    Math.min(Math.max(from[0], around[0]), around[2]),
    Math.min(Math.max(from[1], around[1]), around[3]),
  ] as const;
  if (Math.hypot(end[0] - from[0], end[1] - from[1]) < TETHER) return "";
  const line = `M${from[0] / k} ${from[1] / k}L${end[0] / k} ${end[1] / k}`;
  return `<path class="m-tether-casing" d="${line}"/><path class="m-tether" d="${line}"/>`;
}

/** Return the attacks among acts, in order. */
function attacksIn(acts: readonly Act[]): Act[][] {
  return attacksOf(
    acts.filter((act) => act.line?.reading),
    (act) => act.line!,
  );
}

/** Return the acts of the attack that has the log line *n*, or of the last attack. */
export function attackIn(acts: readonly Act[], n: number | null): readonly Act[] {
  return attackWith(attacksIn(acts), n, (act) => act.line!);
}

/** Return the log line of the attack that cost its target most, or of the last such attack; null without attacks. */
export function costliest(acts: readonly Act[]): number | null {
  let best: LogEntry | null = null;
  let most = -1;
  for (const attack of attacksIn(acts)) {
    const line = attack.at(-1)!.line!;
    const target = subjectOf(line);
    const lost = acts
      .filter(({ motion }) => (motion?.sort === "loss" ? motion.unit : motion?.target) === target)
      .reduce((sum, { motion }) => sum + (motion?.count ?? 0), 0);
    if (lost >= most) [best, most] = [line, lost];
  }
  return best?.n ?? null;
}

/** Return how many models or points a unit has. */
function strengthOf(picture: Picture, unit: number | null): number {
  const group = groupOf(picture, unit);
  const points = /^(\d+)\/\d+$/.exec(group?.strength ?? "");
  return points === null ? (group?.pieces.length ?? 0) : Number(points[1]);
}

/** Return what acts cost the target of an attack, in words; empty if they cost nothing. */
export function verdictOf(acts: readonly Act[], n: number | null): string {
  const line = attackIn(acts, n).at(-1)?.line;
  const [first, last] = [acts[0], acts.at(-1)];
  if (!line || first === undefined || last === undefined) return "";
  const unit = subjectOf(line);
  const name = groupOf(first.before, unit)?.name ?? "";
  const [was, left] = [strengthOf(first.before, unit), strengthOf(last.after, unit)];
  if (name === "" || left >= was) return "";
  if (left > 0) return `${name}: ${was - left} lost, ${left} left`;
  return was === 1 ? `${name}: lost` : `${name}: ${was} lost, none left`;
}

/**
 * Return the traces that acts leave behind: paths as dots, lines of fire, dice beside their targets, and losses and
 * marks as a word or two.
 *
 * Of several attacks, one has its dice on the table: the one with the log line *focus*, or the last. The others have
 * their results in words.
 */
export function leftBy(acts: readonly Act[], lie: Lie, focus: number | null = null): Left[] {
  const remains: Left[] = [];
  const attack = attackIn(acts, focus);
  const subject = attack[0]?.line ? subjectOf(attack[0].line) : null;
  const isAside = ({ motion }: Act): boolean => subject !== null && (motion?.target ?? subject) !== subject;
  const pale = (act: Act, markup: string): string => (isAside(act) ? `<g opacity="${ASIDE}">${markup}</g>` : markup);
  for (const act of acts) {
    for (const one of leaders(act))
      remains.push({
        at: null,
        layer: "under",
        markup:
          `<path class="m-way-casing" d="${lineOf(one.path, lie)}"/><path class="m-way" d="` +
          `${lineOf(one.path, lie)}"/>`,
      });
    const { motion } = act;
    // An attacker in contact is already at that place.
    if (motion === null || !["shot", "aim", "reaction"].includes(motion.sort)) continue;
    const fire = fireOf(act);
    if (fire === null) continue;
    const mark =
      motion.target === null || motion.target === undefined ? "" : aimedAt(groupOf(act.before, motion.target), lie);
    // Lines are drawn under the pieces. A target of several units is marked once.
    if (mark !== "" && !remains.some(({ markup }) => markup.includes(mark)))
      remains.push({ at: null, layer: "under", markup: pale(act, mark) });
    remains.push({
      at: null,
      layer: "under",
      markup: pale(
        act,
        `<path class="m-tracer-casing" d="${lineOf(fire, lie)}"/><path class="m-tracer-line" d="` +
          `${lineOf(fire, lie)}"/>`,
      ),
    });
  }
  const throws = attack.slice(-THROWS);
  const shouts = new Map<string, { at: Point; act: Act; words: string[]; about: number | null }>();
  for (const act of acts) {
    const about = (act.motion?.sort === "loss" ? act.motion.unit : (act.motion?.target ?? unitOf(act.motion))) ?? null;
    const at = act.gone[0]?.piece.at ?? toOf(act);
    // Words under the dice of a unit are not repeated at the unit.
    const twice = (words: string): boolean =>
      throws.some(
        ({ line }) =>
          (line?.reading?.target ?? line?.reading?.unit) === about &&
          line?.reading?.came.toLowerCase() === words.toLowerCase(),
      );
    const words = wordsOf(
      act.motion !== null && twice(act.motion.tag ?? "") ? { ...act, motion: { ...act.motion, tag: "" } } : act,
    );
    if (words === "" || at === null || twice(words)) continue;
    const shout = shouts.get(String(about ?? at));
    if (shout === undefined) shouts.set(String(about ?? at), { at, act, words: [words], about });
    else if (!shout.words.includes(words))
      shouts.set(String(about ?? at), { ...shout, at, act, words: [...shout.words, words] });
  }
  // The other attacks have their results in words, unless losses say enough.
  for (const other of attacksIn(acts)) {
    const act = other.at(-1)!;
    const about = subjectOf(act.line!);
    const at = toOf(act);
    if (other.includes(attack[0]!) || about === null || at === null || shouts.has(String(about))) continue;
    shouts.set(String(about), { at, act, words: [cameIn(act.line!.reading!)], about });
  }
  const taken: Box[] = [];
  const fit = lie.seen[2] - lie.seen[0] < NARROW ? ON_NARROW : 1;
  const standing = basesOf(acts.at(-1)?.after.groups ?? [], lie);
  const tags = [...shouts.values()].map(({ at, act, words, about }) => {
    const text = words.join("  ");
    const [x, y] = lie.put(at).map((n) => n * lie.k) as [number, number];
    const around =
      act.gone[0] === undefined
        ? (boxOf(groupOf(act.before, about), lie) ?? pointBox(at, lie))
        : pieceBox(act.gone[0], lie);
    const [left, top, right, bottom] = around;
    const box = ([aside, down]: Point): Box => tagBox([x + aside, y + down], text, fit);
    const half = (box([0, 0])[2] - box([0, 0])[0]) / 2;
    // Try places above, below and beside the unit, and take the one that hides least and covers no words.
    const [above, below, out] = [
      Math.min(0, top - y + 10),
      Math.max(46, bottom - y + 36),
      (right - left) / 2 + half + 6,
    ];
    const beside: Point[] = [
      [0, above],
      [0, below],
      [out, 24],
      [-out, 24],
      [0, above - 22],
      [0, below + 22],
    ];
    const places = beside.map(([aside, down]): Point => {
      const [dx, dy] = shiftOf(box([aside, down]), readableAt(around, lie));
      return [aside + dx, down + dy];
    });
    const cost = (place: Point, i: number): number => {
      const there = box(place);
      const written = taken.filter((other) => overlap(there, other) > 0).length;
      return 1000 * written + 40 * standing.filter((other) => overlap(there, other) > 0).length + 10 * i;
    };
    const costs = places.map(cost);
    const [aside, down] = places[costs.indexOf(Math.min(...costs))]!;
    taken.push(box([aside, down]));
    return {
      at,
      layer: "over" as const,
      box: box([aside, down]),
      markup: `<g transform="translate(${aside} ${down}) scale(${fit})">${tagOf(text, act)}</g>`,
    };
  });
  const size = (throws.length > 1 ? SMALLER : 1) * fit;
  const shown = basesOf(acts.flatMap(namedIn), lie);
  for (const act of throws) {
    const place = placeOf(act, lie, taken, size, shown);
    if (place === null) continue;
    const { reading, rows, around, wide, x, y } = place;
    const high = rows.high * size;
    const box: Box = [x - wide / 2 - 4, y - high / 2 - 4, x + wide / 2 + 4, y + high / 2 + SAID];
    taken.push(box);
    const line = tether(box, around, lie);
    if (line !== "") remains.push({ at: null, layer: "under", markup: line });
    remains.push({
      at: lie.put([x / lie.k, y / lie.k]),
      layer: "over",
      box,
      markup: fallenDice(act.before, reading, rows, size),
    });
  }
  return [...remains, ...tags];
}
