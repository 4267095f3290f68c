/** The shapes of everything that comes over the wire, as the server documents them. Lengths are the table's own whole units. */

export type Point = readonly [number, number];

export interface Reason {
  value: number;
  clause: string;
  words: string;
}

export interface Token {
  kind: string;
  count: number;
  words: string;
}

export interface Stat {
  label: string;
  value: string;
  because: Reason[];
}

export interface Piece {
  id: number;
  at: Point;
  radius: number;
  silhouette: string;
  tokens: Token[];
}

export interface Group {
  id: number;
  side: number;
  name: string;
  kind: string;
  silhouette: string;
  pieces: Piece[];
  tokens: Token[];
  stats: Stat[];
  reach: number;
  walk: number;
  strength: string;
  /** What its plate says in place of its strength, from the longest: the first that has room. */
  plate?: string[];
  /** How far around its bases whoever moves now may not come. */
  zone?: number;
}

export interface Ground {
  id: number;
  kind: string;
  name: string;
  outline: Point[];
  words: string;
}

export interface Zone {
  name: string;
  side: number | null;
  outline: Point[];
  /** Whether it is what the game is about just now, as the section that a card names. */
  lit: boolean;
}

/** A hex of a map. */
export interface Cell {
  name: string;
  at: Point;
}

/** A card to be read; an offer names the card that it plays by its kind. */
export interface Card {
  kind: string;
  title: string;
  words: string;
  area: string;
  clauses: string[];
  /** Whether it has just been drawn, while it is asked which of the cards drawn is kept. */
  drawn: boolean;
}

export interface Spot {
  id: number;
  name: string;
  kind: string;
  at: Point;
  radius: number;
  holder: number | null;
  secured: boolean;
  words: string;
}

export interface Seat {
  side: number;
  name: string;
  letter: string;
  shape: string;
  /** Whether its own edge of the table is the upper one; null where that is told from where its units stand. */
  far?: boolean | null;
  points: Stat[];
  /** How many cards it holds; null in a game without cards. */
  cards: number | null;
  /** The card that it has played last. */
  played: Card | null;
}

export interface Stage {
  round: number;
  rounds: number | null;
  steps: string[];
  now: number;
  words: string;
}

export interface Line {
  kind: string;
  start: Point;
  end: Point;
  words: string;
  side: number | null;
}

export interface Picture {
  form: string;
  width: number;
  height: number;
  scale: number;
  measure: string;
  grounds: Ground[];
  zones: Zone[];
  spots: Spot[];
  seats: Seat[];
  groups: Group[];
  lines: Line[];
  /** Every hex of a map, row by row from the top. */
  cells: Cell[];
  /** The corners of a hex, from its centre. */
  corners: Point[];
  /** The cards of whoever looks. */
  hand: Card[];
  /** What the reach of a unit is called. */
  reach?: string;
  /** What the faces of the game's dice show, from face 1 up; empty for pips. */
  faces: string[];
  stage: Stage;
}

/** An answer to a decision. Only the rules look into it; the client hands back what it was given. */
export type Action = Readonly<Record<string, unknown>>;

export interface Offer {
  action: Action;
  words: string;
  group: string;
  unit: number | null;
  target: number | null;
  spot: Point | null;
  /** The kind of the card that it plays. */
  card: string | null;
  price: Reason[];
  final: boolean;
}

export interface Region {
  form: string;
  unit: number;
  words: string;
  group: string;
  bands: [number, number][];
  act: string;
}

export interface Wish {
  unit: number;
  act?: string;
  to?: Point | null;
  waypoints?: Point[];
  facing?: Point | null;
  shape?: string;
  models?: Record<string, Point[]>;
}

export interface Refusal {
  code: string;
  clause: string;
  message: string;
  values: Record<string, unknown>;
  nearest: Action | null;
  field?: string;
}

export interface Proposal {
  action: Action | null;
  paths: Record<string, Point[]>;
  length: number;
  left: number;
  price: Reason[];
  refusal: Refusal | null;
  /** Where on the table it goes wrong. */
  faults: Point[];
}

/** What is around a unit that is picked up: enough to foresee every drag of it. */
export interface PickedUp {
  unit: number;
  /** Its models, the leading one first. */
  pieces: { id: number; at: Point; radius: number; stays: boolean }[];
  size: Point;
  /** Ladder of (length, price). */
  bands: [number, number][];
  purse: number;
  /** The bases that block: x, y and radius. */
  others: [number, number, number][];
  /** Those that it may not end in contact with. */
  clear_of: [number, number, number][];
  contact: number;
  solid: { outline: Point[]; circle: [number, number, number] | null; corners: Record<string, Point[]> }[];
  /** Ground in which each length counts several times, and each entry costs something. */
  slow: { outline: Point[]; circle: [number, number, number] | null; factor: number; toll: number }[];
  /** Outlines of ground that has a price, and what touching one, two, three of them adds. */
  rough: Point[][];
  rough_prices: number[];
  coherency: number | null;
  crosses: boolean;
  /** Whether a way round is looked for. */
  round: boolean;
  /** Whether a leg of a way may have no length. */
  rests: boolean;
  /** Whether it is enough that nobody moves. */
  may_stay: boolean;
  /** The least length of the longest path. */
  shortest: number;
  /** Whether a drag of all goes its full length in the direction of its last leg. */
  whole: boolean;
  /** The gap to the nearest of some bases in which it has to end, unless the drag is so long. */
  near: { bases: [number, number, number][]; least: number | null; most: number | null; unless: number | null }[];
  /** Where a unit is put down that is not on the table yet: zone (left, low, right, high), facing, and gap in a row. */
  down: { box: [number, number, number, number]; ahead: Point; gap: number } | null;
}

/** One of the lines of sight that are drawn. */
export interface SightLine {
  start: Point;
  end: Point;
  /** `clear`, `obscured` or `cut`. */
  state: string;
  by: string;
  stop: Point | null;
}

/** What a unit sees of another. */
export interface Sighting {
  unit: number;
  target: number;
  seen: boolean;
  words: string;
  pieces: { piece: number; seen: boolean; obstructed: boolean; in_cover: boolean; by: string }[];
  lines: SightLine[];
}

export interface Decision {
  id: string;
  side: number;
  kind: string;
  prompt: string;
  hint: string;
  clauses: string[];
  offers: Offer[];
  regions: Region[];
}

export interface Thrown {
  faces: number[];
  sides: number;
  words: string;
  side: number | null;
  /** Real dice, typed in. */
  typed?: boolean;
}

/** One die of an attack, and what it counted for. */
export interface DieRead {
  face: number;
  was: number | null;
  result: string;
  /** Dice of the same number, from 1, count together. */
  pair: number;
  ignored: boolean;
  /** The places in the answer of the dice that cancel it. */
  by: number[];
}

/** What a roll gave, and what was to be expected of it. */
export interface Tally {
  side: number;
  label: string;
  got: number;
  expected: string;
  mean: number;
}

/** Dice as they were read: an attack with what answered it. */
export interface Reading {
  words: string;
  side: number;
  unit: number | null;
  target: number | null;
  sides: number;
  /** Whether the terms are added to the die, and are not the number of dice. */
  added?: boolean;
  terms: Reason[];
  dice: DieRead[];
  answer_words: string;
  answer_side: number | null;
  answer_terms: Reason[];
  answer: number[];
  came: string;
  tallies: Tally[];
}

/** A side's tallies over the game. */
export interface Luck extends Tally {
  rolls: number;
}

/** Real dice that the game waits for. */
export interface DiceWanted {
  side: number | null;
  count: number;
  sides: number;
  clauses: string[];
  words: string;
}

/** What a lesson says now. */
export interface Coach {
  id: string;
  title: string;
  number: number;
  of: number;
  say: string;
  step: number;
  steps: number;
  done: boolean;
  next: string | null;
}

/** What a person asks about: a marker or the strength of a unit, points of a side, or who holds a place. */
export interface About {
  unit?: number;
  token?: string;
  side?: number;
  points?: string;
  spot?: number;
}

/** One link of the chain that led to a change: a line of the log, or a decision. */
export interface Led {
  n: number;
  act: number;
  /** Those of the rulebook's step, or of the decision. */
  clauses: string[];
  line: LogEntry | null;
  /** Who decided. */
  side: number | null;
  /** What was decided, in words; empty for what happened. */
  decided: string;
  /** The links of the chain that led to it directly, by their `n`. */
  because: number[];
}

/** One act that changed what was asked about. */
export interface Cause {
  act: number;
  before: string;
  after: string;
  /** Oldest first; the last is the change itself. */
  links: Led[];
}

export interface LogEntry {
  n: number;
  act: number;
  /** The round in which it happened, 0 before the first. */
  round?: number;
  side: number | null;
  kind: string;
  text: string;
  clauses: string[];
  dice: Thrown[];
  touches: number[];
  reading?: Reading | null;
  undoes: number | null;
}

export interface Player {
  side: number;
  /** `person`, or the name of a computer player. */
  player: string;
  name: string;
  letter: string;
  shape: string;
}

export interface Undo {
  allowed: boolean;
  boundary: string | null;
  takeback: boolean;
  asked: number | null;
  /** Acts left when everything is taken back that may be freely, and why no more. */
  until?: number | null;
  cause?: string | null;
  /** Whether an act that was taken back may be played again. */
  redo?: boolean;
}

/** A unit that was there and is there no more. */
export interface Gone {
  id: number;
  side: number;
  name: string;
  /** The act in which it went. */
  act: number;
}

export interface Outcome {
  winner: number | null;
  reason: string;
  points: number[];
}

export interface View {
  type: "view";
  schema_version: number;
  seq: number;
  game: string;
  ruleset: string;
  edition: string;
  rules: Record<string, string | number>;
  scenario: string;
  you: number | null;
  seats: Player[];
  act: number;
  picture: Picture;
  decisions: Decision[];
  waiting_for: number[];
  over: Outcome | null;
  /** Whether the game is over, and what was hidden in it stays so until a side shows everything. */
  kept_back?: boolean;
  undo: Undo;
  log: LogEntry[];
  luck?: Luck[];
  dice?: DiceWanted | null;
  lesson?: Coach | null;
  gone?: Gone[];
  versions: { wire: number; engine: string; rules: number };
}

export interface Parts {
  groups?: Group[];
  gone_groups?: number[];
  spots?: Spot[];
  gone_spots?: number[];
  grounds?: Ground[];
  gone_grounds?: number[];
  seats?: Seat[];
  zones?: Zone[];
  lines?: Line[];
  hand?: Card[];
  stage?: Stage;
}

/** A moment between two views: what the rules alone did for a side. */
export interface Step {
  picture?: Parts;
  /** How many of the new lines are told by then. */
  lines: number;
}

export interface Change {
  type: "change";
  seq: number;
  base: number;
  act?: number;
  seats?: Player[];
  picture?: Parts;
  decisions?: Decision[];
  waiting_for?: number[];
  over?: Outcome | null;
  kept_back?: boolean;
  undo?: Undo;
  log?: LogEntry[];
  luck?: Luck[];
  dice?: DiceWanted | null;
  lesson?: Coach | null;
  gone?: Gone[];
  /** What is shown on the way, one after the other: the last has the picture that the change leads to. */
  steps?: Step[];
}

export interface RefusalMessage extends Refusal {
  type: "refusal";
  ref: number | string | null;
}

/** A number of dice, or what is added to one, as the parts that it is made of. */
export interface DiceSum {
  words: string;
  parts: Reason[];
}

/** What an act may end in: the same shape for every game. */
export interface Forecast {
  /** What this tells, where that is not what may become of the target. */
  about: string;
  by: number | null;
  target: number | null;
  /** What is thrown and added; the dice of the act come first. */
  thrown: DiceSum[];
  outcomes: { words: string; parts: Record<string, number | string | boolean | null>; probability: string; p: number }[];
  exact: boolean;
  /** The gist of it. */
  headline: string;
  expected: Record<string, number>;
  price: Reason[];
  /** What the other side may do back. */
  answers: Forecast[];
  /** What the same act does to others. */
  also: Forecast[];
  note: string;
  /** The same attack as the page of odds is asked for it; null where that has no place for all of it. */
  request: Record<string, unknown> | null;
}

/** What an attack request can end in, in the ruleset's own parts. */
export interface Odds {
  exact: boolean;
  outcomes: ({ probability: string; p: number } & Record<string, unknown>)[];
  expected?: Record<string, number>;
}

export type ServerMessage =
  | View
  | Change
  | RefusalMessage
  | { type: "done"; seq: number; ref: number | string | null }
  | { type: "proposal"; decision: string; proposal: Proposal; ref: number | string | null }
  | { type: "picked-up"; decision: string; around: PickedUp | null; ref: number | string | null }
  | { type: "sight"; sightings: Sighting[]; ref: number | string | null }
  | { type: "odds"; decision: string; odds: Forecast; ref: number | string | null }
  | { type: "because"; steps: Cause[]; ref: number | string | null }
  | { type: "presence"; here: number[] }
  | { type: "pong"; ref: number | string | null };

export interface Scenario {
  id: string;
  title: string;
  minutes: number;
  words: string;
  /** Whether armies may be chosen for it. */
  takes_armies: boolean;
  /** How many sides somebody plays: 1 where the rules alone move the other. */
  players: number;
}

export interface Army {
  id: string;
  title: string;
  faction: string;
  size: number;
  editions: string[];
}

export interface HouseRule {
  name: string;
  default: string | number;
  values: (string | number)[] | { min: number; max: number };
  listed: (string | number)[];
  clauses: string[];
  words: string;
  editions: string[];
}

/** A computer player: how it plays, and what it has won against others, seats swapped. */
export interface Level {
  name: string;
  words: string;
  /** `low` and `high` are the ends of the 95 % interval of its share of points. */
  scores: { against: string; games: number; wins: number; draws: number; low: number; high: number }[];
}

export interface Ruleset {
  name: string;
  title: string;
  words: string;
  owner: string;
  editions: string[];
  scenarios: Scenario[];
  armies: Army[];
  /** What the size of a battle counts, and from where to where it goes. */
  size: { words: string; min: number; max: number };
  players: string[];
  levels: Level[];
  rules: HouseRule[];
  lessons?: { id: string; title: string; words: string }[];
}

export interface Catalogue {
  rulesets: Ruleset[];
}
