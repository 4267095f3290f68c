/** Everything that comes over the wire, made by `make generated` of the types that the server sends and reads. */

export interface Act {
  act: number;
  side: number;
  words: string;
  play: number;
  luck: number;
  error: number;
  average: number;
  after: number;
  likely: number | null;
  roll: string;
  judged: Judged | null;
}

/** The acts of the coming steps. */
export interface AheadMessage {
  type: "ahead";
  decision: string;
  outlook: Outlook;
  ending: Loud | null;
  ref: number | string | null;
}

/** A unit that could target another when a later question comes. */
export interface Aim {
  unit: number;
  target: number;
  action: Record<string, unknown>;
  words: string;
  price: Term[];
  odds: Forecast | null;
}

/** A unit that cannot target the unit in question, and why. */
export interface Aimless {
  unit: number;
  refusal: Refusal;
}

/** The explanation of a recorded game. */
export interface Analysis {
  ruleset: string;
  sides: string[];
  chances: Chance[];
  luck: number[];
  play: number[];
  turning: Turn[];
  rounds?: RoundChange[];
  acts?: Act[];
  played?: PlayedOn[];
  dice?: DiceLuck[];
  scale?: LevelLoss[];
  summary?: string[];
  courses?: string[];
  verdicts?: string[];
}

/** A request to continue with the roster of a finished campaign. */
export interface AnotherCourse {
  course?: string | null;
}

/** Answer a decision with an action or a wish. The `type` of an answer may be omitted. */
export interface Answer {
  type: "answer";
  decision: string;
  action?: Record<string, unknown> | null;
  wish?: Wish | null;
  dice?: number[][];
  quietly?: boolean;
  ref?: number | string | null;
}

export interface ArmyChoice {
  value: string | number;
  words: string;
  points: number | null;
  about: string;
}

/** An army list in the catalogue. */
export interface ArmyEntry {
  id: string;
  title: string;
  faction: string;
  size: number;
  editions: string[];
  points: number | null;
  sizes: number[];
  parts: ArmyPart[];
}

export interface ArmyFault {
  message: string;
  clause: string;
  path: (string | number)[];
  unfinished: boolean;
  nearest: string;
}

/** A printed value of a unit, such as its speed. */
export interface ArmyNumber {
  words: string;
  value: string;
}

/** A choice for a unit, stored in a field of the unit's entry in the army list. */
export interface ArmyOption {
  field: string;
  words: string;
  sort: "line" | "number" | "one" | "several" | "yes";
  usual: unknown;
  least: number;
  most: number;
  choices: ArmyChoice[];
  points: number | null;
  clause: string;
}

/** A part of an army that can fight a smaller battle on its own. */
export interface ArmyPart {
  points: number;
  units: number;
}

/** An army list in the builder, with its faults, its points and the units that may be added. */
export interface ArmySheet {
  ruleset: string;
  edition: string;
  draft: Record<string, unknown>;
  title: string;
  words: string;
  field: string;
  count: string;
  race: string;
  races: ArmyChoice[];
  units: SheetUnit[];
  catalogue: OfferedUnit[];
  faults: ArmyFault[];
  ready: boolean;
  pieces: number;
  points: number | null;
  agreed: number | null;
  usual: number[];
  measured: boolean;
  shipped: string[];
  paint?: "carapace" | "ember" | "forest" | "khaki" | "rags" | "sand" | "slate" | "snow" | "steel" | "wine";
  text: string;
  link: string;
  file: string;
}

export interface ArmyUnit {
  key: string;
  title: string;
  entry: Record<string, unknown>;
  also: Record<string, unknown>;
  group: string;
  numbers: ArmyNumber[];
  words: string[];
  points: number | null;
  options: ArmyOption[];
  look?: "anti-tank" | "apc" | "assault" | "axe" | "bow" | "carrier" | "club" | "conscript" | "crawler-artillery" | "crawler-heavy" | "crawler-light" | "crawler-medium" | "crowned" | "dagger" | "flamer" | "giant" | "great-sword" | "gunship" | "hover-artillery" | "hover-command" | "hover-heavy" | "hover-light" | "hover-medium" | "hull-battle" | "hull-heavy" | "hull-light" | "ifv" | "jump" | "machine-gun" | "mortar" | "officer" | "powered" | "powered-officer" | "rifle" | "slugger" | "sniper" | "spear" | "spotter" | "stand" | "stand-heavy" | "swarm" | "sword" | "sword-shield" | "tank-artillery" | "tank-command" | "tank-heavy" | "tank-light" | "tank-medium" | "truck" | "two-daggers" | "two-swords" | "walker" | "wolf" | "worm";
  silhouette: string;
}

/** Ask for the result of a drag, or for the reason why a card cannot be played. Asking plays no act. */
export interface Ask {
  type: "propose";
  decision: string;
  wish: Wish;
  brief?: boolean;
  ref?: number | string | null;
}

/**
 * Ask for the answer of a strong player, computed from the side's own view within seconds. Asking for a hint plays
 * no act. The request is refused as `no-hints` if the game gives no hints.
 */
export interface AskHint {
  type: "hint";
  ref?: number | string | null;
  decision: string;
}

/**
 * Ask for the fate of a target after several attackers have attacked it one after another. Asking about attackers
 * plays no act.
 */
export interface AskInOrder {
  type: "in-order";
  decision: string;
  target: number;
  action?: Record<string, unknown> | null;
  units?: number[];
  best?: boolean;
  ref?: number | string | null;
}

/** Ask for the possible results of an action. Asking for odds plays no act. */
export interface AskOdds {
  type: "odds";
  decision: string;
  action: Record<string, unknown>;
  whole?: boolean;
  ref?: number | string | null;
}

/** A request to check an army list in the builder. Exactly one of `draft`, `box` and `start` is given. */
export interface AskSheet {
  ruleset?: string | null;
  edition?: string | null;
  rules?: Record<string, string | number>;
  agreed?: number | null;
  draft?: Record<string, unknown> | null;
  box?: string | null;
  start?: string | null;
  pack?: PackFile | null;
}

/** Ask for a unit's lines of sight. Asking about sight plays no act. */
export interface AskSight {
  type: "sight";
  unit: number;
  targets?: number[];
  places?: Record<string, readonly [number, number]>;
  named?: boolean;
  back?: boolean;
  ref?: number | string | null;
}

/** The fields of an attack request, for a form on the page. */
export interface AttackForm {
  schema: Record<string, unknown>;
  form: Form | null;
  shared: string[];
  examples: (readonly [string, Record<string, unknown>])[];
}

/** The possible states of a target after several attackers have attacked it, one after another. */
export interface AttacksInOrder {
  attackers: number[];
  order: number[];
  declared: number;
  odds: Forecast | null;
  idle: number[];
  best: number[];
}

/** Release a seat until somebody takes it by its link, or keep the seat. */
export interface Await {
  type: "await";
  on: boolean;
  side?: number | null;
  ref?: number | string | null;
}

/** The seat will be given to somebody else unless its player returns. */
export interface AwaitedBack {
  side: number;
  wait: number;
}

export interface Battle {
  scenario: string;
  title: string;
  result: "drawn" | "lost" | "won";
  given_up: boolean;
  fielded: string[];
  came: string;
  tale: string[];
  told: Told[];
}

/** The causes of a value, the newest change first. */
export interface BecauseMessage {
  type: "because";
  steps: Cause[];
  ref: number | string | null;
}

export interface Better {
  words: string;
  chance: number;
  trial?: Trial;
  games?: string;
}

/** Held-out battles with similar predictions. */
export interface Bin {
  predicted: number;
  games: number;
  won: Estimate;
}

/** A clause, with the results of the games that used it. */
export interface Bore {
  clause: string;
  games: number;
  share: number;
  without: number;
}

/** One of a person's browsers. */
export interface BrowserView {
  id: string;
  words: string;
  here: boolean;
}

/** Set the name of a person at the table. */
export interface CallMe {
  type: "name";
  text: string;
  side?: number | null;
  ref?: number | string | null;
}

/** The state of a campaign. */
export interface CampaignView {
  id: string;
  overview: Overview;
  playing: PlayedBattle | null;
}

/** A card that somebody holds or has played, to be read. */
export interface Card {
  kind: string;
  title: string;
  words: string;
  area: string;
  clauses: string[];
  drawn: boolean;
  orders: number[];
  sky: "dawn" | "dusk" | "fire" | "gold" | "night" | "noon" | "storm";
  scene: "" | "bags" | "beam" | "blades" | "bursts" | "bushes" | "dome" | "mirror" | "rings" | "star" | "wrench";
  figures: string[];
}

/** Every ruleset that can be played. */
export interface Catalogue {
  rulesets: RulesetEntry[];
}

/** An act that changed the requested value. */
export interface Cause {
  act: number;
  before: string;
  after: string;
  links: Led[];
}

/** A hex of a map. */
export interface Cell {
  name: string;
  at: readonly [number, number];
}

/** Each side's chance to win after an act; act -1 is the start, before the first act. */
export interface Chance {
  act: number;
  chance: number[];
}

/** The difference since the moment `base`. Omitted fields have not changed. */
export interface Change {
  type: "change";
  seq: number;
  base: number;
  act?: number;
  seats?: SeatView[];
  picture?: Parts;
  decisions?: DecisionView[];
  waiting_for?: number[];
  over?: Outcome | null;
  kept_back?: boolean;
  secret?: boolean;
  undo?: UndoView;
  log?: LogEntry[];
  luck?: LuckView[];
  dice?: DiceWanted | null;
  lesson?: LessonView | null;
  unrated?: string;
  hints?: boolean;
  gone?: GoneView[];
  fallen?: Fallen[];
  draw?: number | null;
  talk?: TalkLine[];
  hushed?: number[];
  again?: number[];
  steps?: Step[];
}

/** The result of checking a draft. */
export interface Checked {
  draft: Record<string, unknown> | null;
  faults: Fault[];
  picture: Picture | null;
}

/** A possible value of a field, with its label. */
export interface Choice {
  value: string;
  words: string;
}

/** The remaining time of the sides. */
export interface ClockNow {
  type: "clock";
  left: number[];
  running: number[];
}

/** The agreed time limit of the sides. */
export interface ClockRule {
  per: "game" | "turn";
  seconds: number;
  then: "choose" | "lose" | "tell";
}

/** A club in the list of all. */
export interface ClubEntry {
  id: string;
  name: string;
  words: string;
  members: number;
}

/** A club. */
export interface ClubView {
  id: string;
  name: string;
  words: string;
  owner: string;
  members: PersonView[];
  results: ResultView[];
  tournaments: TournamentEntry[];
  member: boolean;
}

/** All clubs. */
export interface ClubsView {
  clubs: ClubEntry[];
}

/** A code that adds another browser to a person. */
export interface CodeView {
  code: string;
  seconds: number;
}

/** A column of the roster. */
export interface Column {
  words: string;
  form: "count" | "progress" | "rating" | "words";
  minor: boolean;
}

/** A later question in which units may target others. */
export interface Coming {
  kind: string;
  words: string;
  prompt: string;
  name: string;
  doing: string;
  able: number[];
  aims: Aim[];
}

/** A comparison of a printed unit with the same unit of a pack. */
export interface Compared {
  title: string;
  odds: OddsTold[];
  scenario: string | null;
}

/** The comparison of two series, whose games are taken as independent. */
export interface Comparison {
  share: Difference | null;
  rounds: Difference | null;
}

/** A request to count the battle of a campaign. */
export interface CountBattle {
  answers?: Record<string, string[]>;
  store?: boolean;
}

/** The result of a battle, counted or not yet. */
export interface CountedBattle {
  battle: Battle;
  questions: Question[];
  overview: Overview;
}

/** A choice for the length and scenarios of a campaign. */
export interface Course {
  id: string;
  title: string;
  words: string;
}

/** A decision of the reader's side. */
export interface DecisionView {
  id: string;
  side: number;
  kind: string;
  prompt: string;
  hint: string;
  clauses: string[];
  offers: Offer[];
  regions: Region[];
  usual: Usual | null;
  passed_by?: number[];
  picks?: string;
}

/** The luck of a side's dice over a game. */
export interface DiceLuck {
  side: number;
  label: string;
  rolls: number;
  got: number;
  mean: number;
  as_good: number | null;
  as_bad: number | null;
}

/** A number of dice, as a sum of parts. */
export interface DiceSum {
  words: string;
  parts: Term[];
}

/** Real dice that the game waits for. */
export interface DiceWanted {
  side: number | null;
  count: number;
  sides: number;
  clauses: string[];
  words: string;
}

/** One die of an attack with its result. */
export interface DieRead {
  face: number;
  was: number | null;
  result: string;
  pair: number;
  ignored: boolean;
  by: number[];
}

/** Difference of a figure between two series (second minus first), with its 95 % interval. */
export interface Difference {
  one: number;
  other: number;
  difference: number;
  low: number;
  high: number;
}

/** Acknowledgement: the message was carried out and stored. The change that the message caused was sent before. */
export interface Done {
  type: "done";
  seq: number;
  ref: number | string | null;
  view?: View;
}

/** The addresses of the server. */
export interface DoorView {
  alone: boolean;
  addresses: string[];
  opened: boolean;
  may_open: boolean;
}

/** A request to check a draft of a scenario, as plain data or as the text of a file. */
export interface DraftToCheck {
  draft?: Record<string, unknown> | null;
  text?: string;
}

/** A request to make a draft symmetric. */
export interface DraftToMirror {
  draft: Record<string, unknown>;
  how: "mirror" | "rotate";
  keep?: "first" | "second";
}

/** A request to convert a draft to a file. */
export interface DraftToWrite {
  draft: Record<string, unknown>;
}

/** A request to change a member of a roster. Omitted fields of the member stay unchanged. */
export interface DressMember {
  who: string;
  name?: string | null;
  cloak?: string | null;
  saying?: string | null;
  player?: string | null;
}

/** The effect of a level against the first level of its factor. */
export interface Effect {
  factor: string;
  level: string;
  against: string;
  games: number;
  paired: boolean;
  share: Estimate;
  p: number;
  clear: boolean;
  rounds: Estimate | null;
}

/** A figure with its interval. */
export interface Estimate {
  value: number;
  low: number;
  high: number;
}

/** The present state of the explanation of a battle. */
export interface Explained {
  stage: "done" | "failed" | "new" | "stopped" | "waiting" | "working";
  done: number;
  of: number;
  words: string;
  analysis: Analysis | null;
}

/** Show the view of another seat on a shared screen. */
export interface Eyes {
  type: "eyes";
  side: number | null;
  ref?: number | string | null;
}

/** A fallen model that stays visible. It has no effect on the game. */
export interface Fallen {
  piece: Piece;
  side: number;
  name: string;
  silhouette?: string;
  look?: "anti-tank" | "apc" | "assault" | "axe" | "bow" | "carrier" | "club" | "conscript" | "crawler-artillery" | "crawler-heavy" | "crawler-light" | "crawler-medium" | "crowned" | "dagger" | "flamer" | "giant" | "great-sword" | "gunship" | "hover-artillery" | "hover-command" | "hover-heavy" | "hover-light" | "hover-medium" | "hull-battle" | "hull-heavy" | "hull-light" | "ifv" | "jump" | "machine-gun" | "mortar" | "officer" | "powered" | "powered-officer" | "rifle" | "slugger" | "sniper" | "spear" | "spotter" | "stand" | "stand-heavy" | "swarm" | "sword" | "sword-shield" | "tank-artillery" | "tank-command" | "tank-heavy" | "tank-light" | "tank-medium" | "truck" | "two-daggers" | "two-swords" | "walker" | "wolf" | "worm";
  paint?: "carapace" | "ember" | "forest" | "khaki" | "rags" | "sand" | "slate" | "snow" | "steel" | "wine";
}

/** A fault of a draft. */
export interface Fault {
  path: (string | number)[];
  words: string;
  line: number | null;
  column: number | null;
}

/** A request to make the next battle of a campaign. */
export interface FieldBattle {
  fielded?: string[] | null;
  friend?: boolean;
}

/** The results of a study at its last look. */
export interface Figures {
  title: string;
  words: string;
  ruleset: string;
  design: string;
  state: string;
  played: number;
  total: number;
  looks: number;
  of: number;
  games: number;
  level: number;
  measure: string;
  measured: string;
  seed: number;
  rules: string;
  cells: SettingFigures[];
  levels: Record<string, Record<string, SettingFigures>>;
  effects: Effect[];
  first: Estimate | null;
  losses: Loss[];
  endings: Record<string, number>;
  clauses: Bore[];
  open: string[];
  precise_enough: boolean;
  digest: string;
}

/** The possible results of an act. */
export interface Forecast {
  about: string;
  by: number | null;
  target: number | null;
  thrown: DiceSum[];
  outcomes: Foreseen[];
  exact: boolean;
  headline: string;
  expected: Record<string, number>;
  price: Term[];
  answers: Forecast[];
  also: Forecast[];
  note: string;
  request: Record<string, unknown> | null;
}

/** One possible end of an act, with its chance. */
export interface Foreseen {
  words: string;
  parts: Record<string, number | string | boolean | null>;
  probability: string;
  p: number;
  between: readonly [number, number] | null;
}

/** The possible values of a request's fields, given the other fields. */
export interface Form {
  start: Record<string, unknown>;
  words: Record<string, string>;
  outcomes: Record<string, string>;
  choices: Record<string, Choice[]>;
  ranges: Record<string, readonly [number, number]>;
  idle: string[];
  dice: DiceSum[];
}

/** One moment of a recorded game. */
export interface Frame {
  entry: number;
  side: number | null;
  kind: string;
  words: string[];
  action: unknown;
  picture: Picture | null;
  parts: Parts | null;
  lines: LogEntry[];
}

/** A person's friends, with open requests from and to them. */
export interface FriendsView {
  friends: PersonView[];
  asked: PersonView[];
  asking: PersonView[];
  invitations: InvitationView[];
}

/** A game in the asker's list. */
export interface GameEntry {
  game: string;
  ruleset: string;
  title: string;
  scenario: string;
  sides: number[];
  seats: string[];
  acts: number;
  over: boolean;
  at: string;
  waiting_for: number[] | null;
  called: string[];
  fault: "damaged" | "no-rules" | "other-rules" | null;
}

/** A summary of a game. */
export interface Glance {
  picture: Picture | null;
  round: number;
  rounds: number | null;
  last: string;
}

export interface Goal {
  how: "cover" | "range" | "towards";
  unit?: number | null;
  spot?: number | null;
  ground?: number | null;
  most?: number | null;
}

/** A unit that has left the game. */
export interface GoneView {
  id: number;
  side: number;
  name: string;
  act: number;
}

/** A piece of terrain. */
export interface Ground {
  id: number;
  kind: string;
  name: string;
  outline: (readonly [number, number])[];
  words: string;
}

/** A kind of ground that authors may place on a table. */
export interface GroundKind {
  id: string;
  title: string;
  words: string;
  look: string;
  closed: boolean;
  cuts: boolean;
  shelters: boolean;
}

export interface Group {
  id: number;
  side: number;
  name: string;
  kind: string;
  silhouette: string;
  look?: "anti-tank" | "apc" | "assault" | "axe" | "bow" | "carrier" | "club" | "conscript" | "crawler-artillery" | "crawler-heavy" | "crawler-light" | "crawler-medium" | "crowned" | "dagger" | "flamer" | "giant" | "great-sword" | "gunship" | "hover-artillery" | "hover-command" | "hover-heavy" | "hover-light" | "hover-medium" | "hull-battle" | "hull-heavy" | "hull-light" | "ifv" | "jump" | "machine-gun" | "mortar" | "officer" | "powered" | "powered-officer" | "rifle" | "slugger" | "sniper" | "spear" | "spotter" | "stand" | "stand-heavy" | "swarm" | "sword" | "sword-shield" | "tank-artillery" | "tank-command" | "tank-heavy" | "tank-light" | "tank-medium" | "truck" | "two-daggers" | "two-swords" | "walker" | "wolf" | "worm";
  paint?: "carapace" | "ember" | "forest" | "khaki" | "rags" | "sand" | "slate" | "snow" | "steel" | "wine";
  pieces: Piece[];
  tokens: Token[];
  stats: Stat[];
  reach: number;
  walk: number;
  strength: string;
  plate: string[];
  zone: number;
  model?: Piece;
  whereabouts?: string;
  carrier?: number;
  quarters?: readonly [string, string, string];
  called?: string;
}

/** A standing answer of the asker. */
export interface HabitView {
  number: number;
  side: number;
  decision: string;
  words: string;
  measure: string;
}

/** The asker's standing answers, and the sides whose players have left. */
export interface HabitsView {
  habits: HabitView[];
  may: string[];
  late: number[];
}

/** The first message, with the client's seats and its last received change. */
export interface Hello {
  type: "hello";
  tokens?: string[];
  eyes?: number | null;
  seen?: number | null;
  screen?: string;
  ref?: number | string | null;
}

/** Advice for one decision: the answer that a strong player would give, and its reasons. */
export interface Hint {
  action: Record<string, unknown>;
  words: string;
  unit: number | null;
  to: readonly [number, number] | null;
  reasons: string[];
}

/** The answer of a strong player. */
export interface HintMessage {
  type: "hint";
  decision: string;
  hint: Hint;
  ref: number | string | null;
}

/** A webhook. */
export interface HookView {
  url: string;
  secret: string;
}

/** Mute the chat for a side, or end that. */
export interface Hush {
  type: "hush";
  off: boolean;
  side?: number | null;
  ref?: number | string | null;
}

/** The fate of a target after several attackers in order. */
export interface InOrderMessage {
  type: "in-order";
  decision: string;
  forecast: AttacksInOrder;
  ref: number | string | null;
}

/** A seat that a friend has reserved. */
export interface InvitationView {
  game: string;
  side: number;
  ruleset: string;
  title: string;
  by: string;
}

/** The judgement of a decision: compared with a commander's answer, or at a turning point with all tried answers. */
export interface Judged {
  cost: number;
  better: Better | null;
}

/** A file with which a browser runs the rules by itself. */
export interface KitFile {
  path: string;
  size: number;
  sent: number;
}

/** One link of the chain of causes: an event or a decision. */
export interface Led {
  n: number;
  act: number;
  clauses: string[];
  line: LogEntry | null;
  side: number | null;
  decided: string;
  because: number[];
}

/** Number of rounds of a game: mean, standard deviation, maximum. */
export interface Length {
  max: number;
  mean: number;
  sd: number;
}

/** A lesson in the catalogue. */
export interface LessonEntry {
  id: string;
  title: string;
  words: string;
}

/** The current words of a lesson. */
export interface LessonView {
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

/** A computer player as a menu shows it. */
export interface Level {
  name: string;
  words: string;
  scores: Score[];
  rating: Rating | null;
  styles: string[];
}

/** Average chance of winning that a level loses with each decision, compared with a commander's answers. */
export interface LevelLoss {
  level: string;
  mean: number;
  low: number;
  high: number;
}

/** Something between two places: a declared attack, a lock, a mark. */
export interface Line {
  kind: string;
  start: readonly [number, number];
  end: readonly [number, number];
  words: string;
  side: number | null;
  wide?: number;
}

/** One line of the log. */
export interface LogEntry {
  n: number;
  act: number;
  round: number;
  side: number | null;
  about: number | null;
  begins: boolean;
  kind: string;
  text: string;
  clauses: string[];
  dice: Thrown[];
  touches: number[];
  reading: Reading | null;
  motion: Motion | null;
  undoes: number | null;
}

/** Ask about the coming steps: the targets of units, and why they have no other targets. Asking plays no act. */
export interface LookAhead {
  type: "ahead";
  decision: string;
  wish?: Wish | null;
  target?: number | null;
  odds?: boolean;
  ref?: number | string | null;
}

/** Number of lost units of one kind, over all games. */
export interface Loss {
  name: string;
  kind: string;
  units: number;
  a_game: number;
}

/** The reason why an act is not quiet. */
export interface Loud {
  why: "dice" | "ends" | "hands-over" | "news" | "sealed";
  dice: number;
  words: string;
}

/** Answer to an act that should be played quietly but would not be quiet. The game has not changed. */
export interface LoudMessage {
  type: "loud";
  loud: Loud;
  ref: number | string | null;
}

/** The luck of a side over the whole game, including dice that were undone. */
export interface LuckView {
  side: number;
  label: string;
  rolls: number;
  got: number;
  expected: string;
  mean: number;
  as_good: number | null;
  as_bad: number | null;
}

/** A stored campaign with its secret. The secret is given only once. */
export interface MadeCampaign {
  campaign: string;
  token: string;
}

/** A new game. */
export interface MadeGame {
  game: string;
  seats: MadeSeat[];
}

/** A seat of a new game. */
export interface MadeSeat {
  side: number;
  player: string;
  token: string | null;
  invited?: boolean;
}

/** An e-mail address for notices. */
export interface MailView {
  address: string;
  confirmed: boolean;
}

/** Data with which the page draws tables for a game. */
export interface MapKit {
  title: string;
  schema: Record<string, unknown>;
  grounds: GroundKind[];
  scenarios: MapTitle[];
  sides: "columns" | "rows";
}

/** A scenario from which a new table can be made. */
export interface MapTitle {
  id: string;
  title: string;
}

/** A person's own data. */
export interface Me {
  person: string;
  name: string;
  bot: boolean;
  browsers: BrowserView[];
  ways: ("hook" | "mail" | "push")[];
  vapid: string;
  pushes: string[];
  hook: HookView | null;
  mail: MailView | null;
  passkeys: number | null;
}

/** A member of a roster: a fighter, or a unit with a history. */
export interface Member {
  name: string;
  values: Value[];
  ready: boolean;
  note: string;
  look?: "anti-tank" | "apc" | "assault" | "axe" | "bow" | "carrier" | "club" | "conscript" | "crawler-artillery" | "crawler-heavy" | "crawler-light" | "crawler-medium" | "crowned" | "dagger" | "flamer" | "giant" | "great-sword" | "gunship" | "hover-artillery" | "hover-command" | "hover-heavy" | "hover-light" | "hover-medium" | "hull-battle" | "hull-heavy" | "hull-light" | "ifv" | "jump" | "machine-gun" | "mortar" | "officer" | "powered" | "powered-officer" | "rifle" | "slugger" | "sniper" | "spear" | "spotter" | "stand" | "stand-heavy" | "swarm" | "sword" | "sword-shield" | "tank-artillery" | "tank-command" | "tank-heavy" | "tank-light" | "tank-medium" | "truck" | "two-daggers" | "two-swords" | "walker" | "wolf" | "worm";
  cloak?: "carapace" | "ember" | "forest" | "khaki" | "rags" | "sand" | "slate" | "snow" | "steel" | "wine";
  saying: string;
  player: string;
}

/** One moment of a stored game. */
export interface Moment {
  act: number;
  step: number;
  side: number | null;
  active: number | null;
  picture: Picture | null;
  parts: Parts | null;
  lines: LogEntry[];
}

/** The animation of an event: its sort, its units and its places. */
export interface Motion {
  sort: "aim" | "blow" | "card" | "charge" | "dice" | "loss" | "mark" | "move" | "order" | "place" | "reaction" | "scatter" | "score" | "shot";
  unit?: number | null;
  target?: number | null;
  units?: number[];
  ways?: (readonly [number, (readonly [number, number])[]])[];
  pieces?: number[];
  fell?: Fallen[];
  count?: number;
  tag?: string;
  side?: number | null;
  at?: readonly [number, number] | null;
  to?: readonly [number, number] | null;
  radius?: number;
  card?: Card | null;
}

/**
 * A notice that seats have moved to another page. Both pages get this message. If the old page showed the view of
 * such a seat, a new view follows for it.
 */
export interface Moved {
  type: "moved";
  sides: number[];
  here: boolean;
  for_good: boolean;
}

/** A model of the dragged unit. */
export interface Mover {
  id: number;
  at: readonly [number, number];
  radius: number;
  stays: boolean;
}

/** The largest or smallest gap that a unit's nearest base must have to the nearest of some bases. */
export interface Nearness {
  bases: (readonly [number, number, number])[];
  least: number | null;
  most: number | null;
  unless: number | null;
}

/** A request to begin a campaign. */
export interface NewCampaign {
  ruleset: string;
  title: string;
  army?: string | null;
  rules?: Record<string, string | number>;
  course?: string | null;
}

/** A request to make a game. */
export interface NewGame {
  ruleset: string;
  edition?: string | null;
  scenario?: string | null;
  armies?: string[];
  size?: number | null;
  rules?: Record<string, string | number>;
  pack?: PackFile | null;
  seats?: string[];
  always_ask?: boolean;
  placed?: boolean;
  hints?: boolean | null;
  friendly?: boolean;
  invited?: number[];
  clock?: ClockRule | null;
  rated?: boolean;
  delay?: number;
  lesson?: string | null;
  ruling?: string | null;
  dice?: string | string[];
}

/** A series of computer battles to be played. */
export interface NewSeries {
  ruleset: string;
  players: readonly [string, string];
  games: number;
  seed: number;
  edition?: string | null;
  scenario?: string | null;
  armies?: string[];
  size?: number | null;
  rules?: Record<string, string | number>;
  pack?: PackFile | null;
  swap?: boolean;
  begin?: boolean;
}

export interface NextBattle {
  scenario: string;
  title: string;
  words: string[];
  most: number;
  field: string[];
  players: number;
}

/** Withdraw a standing answer. */
export interface NotStanding {
  type: "not-standing";
  number: number;
  ref?: number | string | null;
}

/** The possible results of an action. */
export interface OddsMessage {
  type: "odds";
  decision: string;
  odds: Forecast;
  whole: Forecast[];
  loud: Loud | null;
  ref: number | string | null;
}

/** The odds of an attack with a unit as printed, and as changed by a pack. */
export interface OddsTold {
  words: string;
  what: string;
  before: (readonly [number, number])[];
  after: (readonly [number, number])[];
  mean_before: number | null;
  mean_after: number;
  request: Record<string, unknown>;
}

/** One legal action as an interface (page, terminal) shows it. */
export interface Offer {
  action: Record<string, unknown>;
  words: string;
  first: string;
  group: string;
  unit: number | null;
  target: number | null;
  spot: readonly [number, number] | null;
  card: string | null;
  price: Term[];
  final: boolean;
  undoes: boolean;
  idle: string;
}

/** Offer a draw, or answer an offer. */
export interface OfferDraw {
  type: "draw";
  side?: number | null;
  answer?: boolean | null;
  ref?: number | string | null;
}

/** A unit of the catalogue, and whether it may be added. */
export interface OfferedUnit {
  unit: ArmyUnit;
  entry: Record<string, unknown>;
  refusal: string;
}

/** Open the server to the local network, or close it. */
export interface OpenDoor {
  open: boolean;
}

/** A seat that anybody may take. */
export interface OpeningView {
  game: string;
  ruleset: string;
  title: string;
  scenario: string;
  side: number;
  words: string;
  clock: ClockRule | null;
  live: boolean;
  rated: boolean;
  host: PersonView;
  here: boolean;
  own: boolean;
}

/** All seats that anybody may take. */
export interface OpeningsView {
  openings: OpeningView[];
}

/** The end of a game. */
export interface Outcome {
  winner: number | null;
  reason: string;
  points: number[];
}

/** The possible acts of a side in the coming steps. */
export interface Outlook {
  coming: Coming[];
  aimless: Aimless[];
}

/** A campaign with everything derived from it. */
export interface Overview {
  ruleset: string;
  title: string;
  course: string;
  rules: Record<string, string | number>;
  battles: Battle[];
  length: number | null;
  next: NextBattle | null;
  columns: Column[];
  roster: Member[];
  gone: string[];
  score: Term[];
  points: number;
  courses: Course[];
  notes: string[];
  cloaks: Record<string, string>;
}

/** A request for the choices of a battle with a pack, a scenario or armies of the asker's own. */
export interface OwnBattle {
  scenario?: string;
  armies?: string[];
  pack?: string | PackFile | null;
}

/** The choices for a battle with a pack, a scenario or armies of the asker's own. */
export interface OwnEntries {
  scenario: ScenarioEntry | null;
  fault: Fault | null;
  scenarios: ScenarioEntry[];
  armies: ArmyEntry[];
}

/** A value that a pack changes, or a row that it adds. */
export interface PackChange {
  sheet: string;
  key: string;
  title: string;
  field: string;
  before: string;
  after: string;
}

/** A field of a row that an author may fill in, for the page. */
export interface PackField {
  name: string;
  sort: "choice" | "data" | "number" | "numbers" | "words" | "yes";
  least: number;
  most: number;
  choices: string[];
  words: string;
}

export interface PackFile {
  format: "caltrop-pack";
  format_version?: number;
  ruleset: string;
  id: string;
  title: string;
  words?: string;
  author?: string;
  rules?: Record<string, string | number>;
  rows?: Record<string, Record<string, Record<string, unknown>>>;
  armies?: Record<string, Record<string, unknown>>;
  scenarios?: Record<string, Record<string, unknown>>;
}

/** The material for an author of packs for a game. */
export interface PackKit {
  title: string;
  sheets: PackSheet[];
  installed: Record<string, unknown>[];
}

/** A report on a pack that somebody is writing. */
export interface PackLook {
  draft: Record<string, unknown>;
  name: string;
  faults: Fault[];
  changes: PackChange[];
  link: string;
  file: string;
}

export interface PackRow {
  key: string;
  title: string;
  values: Record<string, unknown>;
}

/** A sheet of printed rows with the fields that a pack may change. */
export interface PackSheet {
  name: string;
  words: string;
  grows: boolean;
  fields: PackField[];
  rows: PackRow[];
}

/** A request to compare a row of a pack with the printed row. */
export interface PackToCompare {
  pack: PackFile;
  sheet: string;
  key: string;
}

/** A request to check a pack. Exactly one of `draft`, `text` and `zip` is given. */
export interface PackToLookAt {
  draft?: Record<string, unknown> | null;
  text?: string;
  zip?: string;
}

/** A pairing of two different armies of equal cost. */
export interface Pairing {
  one: string;
  other: string;
  points: readonly [number, number];
  games: number;
  share: Estimate;
}

/** A game of a tournament. */
export interface PairingView {
  people: readonly [string, string];
  game: string;
  score: number | null;
  by: "" | "host" | "server" | "time";
}

/**
 * The difference between two pictures. A part with an id replaces the part with the same id, or is added at the
 * end.
 */
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
  piles?: Pile[];
  goal?: Victory;
  stage?: Stage;
}

/** Moments in force of a stored game, as a side or an onlooker may see them. */
export interface PastGame {
  ruleset: string;
  edition: string;
  rules: Record<string, string | number>;
  scenario: string;
  armies: string[];
  size: number | null;
  players: string[];
  over: Outcome | null;
  eyes: number | null;
  may: (number | null)[];
  last: number;
  moments: Moment[];
}

/** The people of a game, for its players. */
export interface PeopleView {
  people: SeatPerson[];
  rated: boolean;
  unrated: string;
}

/** A person as other people see them. */
export interface PersonView {
  person: string;
  name: string;
  bot: boolean;
  here: boolean;
  ratings: StrengthView[];
}

/** Ask for the surroundings of a unit, from which a client can predict every drag. Picking up plays no act. */
export interface PickUp {
  type: "pick-up";
  decision: string;
  unit: number;
  act?: string;
  ref?: number | string | null;
}

/** The data with which a client predicts drags without a request for every pixel. */
export interface PickedUp {
  unit: number;
  pieces: Mover[];
  size: readonly [number, number];
  bands: (readonly [number, number])[];
  purse: number;
  others: (readonly [number, number, number])[];
  clear_of: (readonly [number, number, number])[];
  contact: number;
  solid: Solid[];
  slow: SlowGround[];
  rough: ((readonly [number, number])[])[];
  rough_prices: number[];
  coherency: number | null;
  crosses: boolean;
  round: boolean;
  rests: boolean;
  may_stay: boolean;
  shortest: number;
  whole: boolean;
  near: Nearness[];
  down: PutDown | null;
}

/** The surroundings of a unit; null if every drag must use `propose`. */
export interface PickedUpMessage {
  type: "picked-up";
  decision: string;
  around: PickedUp | null;
  ref: number | string | null;
}

/** The whole table as one side sees it. */
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
  cells: Cell[];
  corners: (readonly [number, number])[];
  hand: Card[];
  piles: Pile[];
  reach: string;
  land: string;
  seed: number;
  faces: string[];
  goal?: Victory;
  stage: Stage;
}

/** A model on the table. */
export interface Piece {
  id: number;
  at: readonly [number, number];
  radius: number;
  silhouette: string;
  tokens: Token[];
  heading?: readonly [number, number];
  hull?: readonly [number, number];
  look?: "anti-tank" | "apc" | "assault" | "axe" | "bow" | "carrier" | "club" | "conscript" | "crawler-artillery" | "crawler-heavy" | "crawler-light" | "crawler-medium" | "crowned" | "dagger" | "flamer" | "giant" | "great-sword" | "gunship" | "hover-artillery" | "hover-command" | "hover-heavy" | "hover-light" | "hover-medium" | "hull-battle" | "hull-heavy" | "hull-light" | "ifv" | "jump" | "machine-gun" | "mortar" | "officer" | "powered" | "powered-officer" | "rifle" | "slugger" | "sniper" | "spear" | "spotter" | "stand" | "stand-heavy" | "swarm" | "sword" | "sword-shield" | "tank-artillery" | "tank-command" | "tank-heavy" | "tank-light" | "tank-medium" | "truck" | "two-daggers" | "two-swords" | "walker" | "wolf" | "worm";
}

/** A pile of cards on the table, which belongs to nobody. */
export interface Pile {
  name: string;
  cards: number;
  top: Card | null;
  lines: string[];
}

/** Ask whether the server is there. */
export interface Ping {
  type: "ping";
  ref?: number | string | null;
}

/** A request to make a game that begins with acts of a finished game and continues with other dice. */
export interface PlayOn {
  at: number;
  seats?: string[];
}

/** The latest battle of a campaign, as long as it has not been counted. */
export interface PlayedBattle {
  game: string;
  over: boolean;
}

/** The results of games that were played to their end from the beginning of a round. */
export interface PlayedOn {
  act: number;
  round: number;
  games: number;
  chance: number[];
  error: number;
}

/** The worth of units, and the quality of the fit. */
export interface Points {
  title: string;
  ruleset: string;
  games: number;
  units: Worth[];
  together: Together[];
  pools: Record<string, number>;
  first_side: number;
  point: number;
  held_out: Bin[];
  loss: number;
  pairings: Pairing[];
}

/** An answer to `ping`. */
export interface Pong {
  type: "pong";
  ref: number | string | null;
}

/** The seats whose players are at the table now. */
export interface Presence {
  type: "presence";
  here: number[];
}

/** Something that brings a side nearer to winning. */
export interface Prize {
  name: string;
  worth: string;
  side: number | null;
}

/** The answer to a wish: an action with its price, or a refusal. */
export interface Proposal {
  action: Record<string, unknown> | null;
  paths: Record<string, (readonly [number, number])[]>;
  length: number;
  left: number;
  price: Term[];
  refusal: Refusal | null;
  faults: (readonly [number, number])[];
  templates?: Template[];
  headings?: Record<string, readonly [number, number]>;
  notes?: string[];
  watched?: ((readonly [number, number])[])[];
}

/** The result of a drag. */
export interface ProposalMessage {
  type: "proposal";
  decision: string;
  proposal: Proposal;
  loud: Loud | null;
  ref: number | string | null;
}

/** Limits for a unit that enters the table by a drag. */
export interface PutDown {
  box: readonly [number, number, number, number];
  ahead: readonly [number, number];
  gap: number;
}

/** A choice of the player after a battle. */
export interface Question {
  id: string;
  words: string;
  form: "names" | "some";
  options: string[];
  each: string;
  least: number;
  most: number;
  chosen: string[];
}

/** A person's place in the queue for an opponent of about their strength. */
export interface QueueView {
  waiting: boolean;
  seconds: number;
  others: number;
  seat: TakenSeat | null;
}

/** A range of whole numbers, including both ends. */
export interface Range {
  min: number;
  max: number;
}

/** The strength of a player on the logistic scale of chess, on which the game's veteran has 1500. */
export interface Rating {
  elo: number;
  low: number;
  high: number;
  games: number;
}

/** The strongest people of a game. */
export interface RatingsView {
  people: PersonView[];
}

/** The dice of an attack with their results, and the dice that answered them. */
export interface Reading {
  words: string;
  side: number;
  unit: number | null;
  target: number | null;
  sides: number;
  added: boolean;
  terms: Reason[];
  needed?: number;
  modifies?: boolean;
  dice: DieRead[];
  answer_words: string;
  answer_side: number | null;
  answer_terms: Reason[];
  answer: number[];
  came: string;
  tallies: Tally[];
}

/** One term of a number, with the clause of the rule that adds it. */
export interface Reason {
  value: number;
  clause: string;
  words: string;
}

/** Repeat the last act that a side took back, if no other act has been played since. */
export interface Redo {
  type: "redo";
  side?: number | null;
  ref?: number | string | null;
}

/** The files with which the referee's page settles attacks without a network. */
export interface RefereeKit {
  files: KitFile[];
  games: string[];
}

/** A battle on a real table, for the page of the referee. */
export interface RefereeTable {
  ruleset: string;
  edition: string;
  title: string;
  scenario: string;
  rounds: number | null;
  steps: (readonly [string, string])[];
  once: number;
  victory: string[];
  sides: (readonly [string, string])[];
  points: ((readonly [string, number])[])[];
  units: RefereeUnit[];
  markers: string[];
  faces: string[];
}

/** A unit on a real table. */
export interface RefereeUnit {
  id: number;
  side: number;
  name: string;
  strength: number;
  stats: (readonly [string, string])[];
}

/** The reason why an action may not be taken. */
export interface Refusal {
  code: string;
  clause: string;
  message: string;
  values: Record<string, unknown>;
  nearest: Record<string, unknown> | null;
}

/** The reason why a message is refused. A refusal means that the game has not changed. */
export interface RefusalMessage {
  type: "refusal";
  code: string;
  clause: string;
  message: string;
  values: Record<string, unknown>;
  nearest: Record<string, unknown> | null;
  field: string;
  ref: number | string | null;
}

/** An open choice on the table, answered by dragging: a `Wish` becomes an action by `Decision.propose`. */
export interface Region {
  form: string;
  unit: number;
  words: string;
  first: string;
  group: string;
  bands: (readonly [number, number])[];
  act: string;
  onward?: number;
}

/** The results of a series. */
export interface Report {
  ruleset: string;
  edition: string;
  scenario: string;
  players: readonly [string, string];
  games: number;
  seed: number;
  wins: Record<string, number>;
  draws: number;
  intervals: Record<string, readonly [number, number]>;
  length: Length;
  swapped: boolean;
  decisions: number;
  rolls: number;
  seconds: number;
  decisions_per_second: number;
  digest: string;
  armies: string[];
  size: number | null;
  rules: Record<string, string | number>;
  sides: string[];
  side_wins: Record<string, number>;
}

/** Give the game up for a side. */
export interface Resign {
  type: "resign";
  side?: number | null;
  ref?: number | string | null;
}

/** The results of a person's games in the tournaments of a club. */
export interface ResultView {
  person: PersonView;
  wins: number;
  draws: number;
  losses: number;
}

/** The change of the chances in a round, and what was lost and taken in it. */
export interface RoundChange {
  round: number;
  act: number;
  before: number[];
  after: number[];
  change: string;
  words: string[];
}

/** A house rule in the catalogue. */
export interface RuleEntry {
  name: string;
  default: string | number;
  values: (string | number)[] | Range;
  listed: (string | number)[];
  clauses: string[];
  words: string;
  editions: string[];
}

/** A game in the catalogue. */
export interface RulesetEntry {
  name: string;
  title: string;
  words: string;
  owner: string;
  editions: string[];
  scenarios: ScenarioEntry[];
  armies: ArmyEntry[];
  size: SizeEntry;
  players: string[];
  levels: Level[];
  rules: RuleEntry[];
  lessons: LessonEntry[];
}

/** A scenario in the catalogue. */
export interface ScenarioEntry {
  id: string;
  title: string;
  minutes: number;
  words: string;
  takes_armies: boolean;
  players: number;
  sizes: number[];
  limits: number[];
}

/** Result of a series between two players, over all scenarios, with seats swapped. */
export interface Score {
  against: string;
  games: number;
  wins: number;
  draws: number;
  low: number;
  high: number;
}

export interface Seat {
  side: number;
  name: string;
  letter: string;
  shape: string;
  far: boolean | null;
  points: Stat[];
  cards: number | null;
  played: Card | null;
}

/** The person of a seat. */
export interface SeatPerson {
  side: number;
  person: PersonView;
  blocked: boolean;
  muted: boolean;
}

/** The player of a side. */
export interface SeatView {
  side: number;
  player: string;
  name: string;
  letter: string;
  shape: string;
  called: string;
  awaited: boolean;
}

/** Ask for a move that serves a purpose. Seeking a move plays no act. */
export interface Seek {
  type: "seek";
  ref?: number | string | null;
  decision: string;
  unit: number;
  act?: string;
  goal: Goal;
}

export interface Series {
  id: string;
  stage: "done" | "failed" | "new" | "playing" | "stopped" | "waiting";
  ahead: number;
  games: number;
  done: number;
  seconds: number;
  command: string;
  report: Report | null;
  lengths: Record<string, number>;
  words: string;
}

/** The results of the games of a setting. */
export interface SettingFigures {
  levels: Record<string, string>;
  games: number;
  wins: readonly [number, number];
  sides: readonly [number, number];
  draws: number;
  share: Estimate;
  rounds: number;
  sd: number;
  most: number;
}

/** A choice about a side whose player has gone. */
export interface Settle {
  side: number;
  then: "computer" | "lose" | "person";
  player?: string;
}

/** An entry of an army list, as a builder shows it. */
export interface SheetUnit {
  key: string;
  title: string;
  name: string;
  count: number;
  points: number | null;
  said: string[];
  look?: "anti-tank" | "apc" | "assault" | "axe" | "bow" | "carrier" | "club" | "conscript" | "crawler-artillery" | "crawler-heavy" | "crawler-light" | "crawler-medium" | "crowned" | "dagger" | "flamer" | "giant" | "great-sword" | "gunship" | "hover-artillery" | "hover-command" | "hover-heavy" | "hover-light" | "hover-medium" | "hull-battle" | "hull-heavy" | "hull-light" | "ifv" | "jump" | "machine-gun" | "mortar" | "officer" | "powered" | "powered-officer" | "rifle" | "slugger" | "sniper" | "spear" | "spotter" | "stand" | "stand-heavy" | "swarm" | "sword" | "sword-shield" | "tank-artillery" | "tank-command" | "tank-heavy" | "tank-light" | "tank-medium" | "truck" | "two-daggers" | "two-swords" | "walker" | "wolf" | "worm";
  faults: ArmyFault[];
}

/** Show everything that was hidden, after the end of the game. After that, no act can be taken back any more. */
export interface ShowAll {
  type: "show-all";
  side?: number | null;
  ref?: number | string | null;
}

export interface SightLine {
  start: readonly [number, number];
  end: readonly [number, number];
  state: string;
  by: string;
  stop: readonly [number, number] | null;
}

/** The lines of sight of a unit. Single lines of sight are included if one target was asked about. */
export interface SightMessage {
  type: "sight";
  sightings: Sighting[];
  ref: number | string | null;
}

/** The best view of one model by the viewing unit. */
export interface SightOfPiece {
  piece: number;
  seen: boolean;
  obstructed: boolean;
  in_cover: boolean;
  by: string;
}

/** One unit's view of another. */
export interface Sighting {
  unit: number;
  target: number;
  seen: boolean;
  words: string;
  pieces: SightOfPiece[];
  lines: SightLine[];
}

/** The noun for the size of a battle. */
export interface SizeEntry {
  words: string;
}

/** Ground that costs more movement than its length. */
export interface SlowGround {
  outline: (readonly [number, number])[];
  circle: readonly [number, number, number] | null;
  factor: number;
  toll: number;
}

/** Something that no base may overlap. */
export interface Solid {
  outline: (readonly [number, number])[];
  circle: readonly [number, number, number] | null;
  corners: Record<string, (readonly [number, number])[]>;
}

/** The answer to a request for a move with a purpose. */
export interface Sought {
  to: readonly [number, number] | null;
  proposal: Proposal;
  words: string;
}

/** The move that serves a purpose best. */
export interface SoughtMessage {
  type: "sought";
  decision: string;
  sought: Sought;
  ref: number | string | null;
}

/** Send a chat message to the other people at the table. */
export interface Speak {
  type: "talk";
  text: string;
  side?: number | null;
  ref?: number | string | null;
}

/** A marked place, such as an objective. */
export interface Spot {
  id: number;
  name: string;
  kind: string;
  at: readonly [number, number];
  radius: number;
  holder: number | null;
  secured: boolean;
  words: string;
}

/** The present step of the turn, in the rulebook's terms. */
export interface Stage {
  round: number;
  rounds: number | null;
  steps: string[];
  now: number;
  words: string;
}

/**
 * Answer a question in the other side's turn, and give the same answer whenever the question is repeated and the
 * answer is legal.
 */
export interface Standing {
  type: "standing";
  decision: string;
  action: Record<string, unknown>;
  far?: boolean;
  ref?: number | string | null;
}

/** A line of the table of a tournament. */
export interface StandingView {
  person: PersonView;
  points: number;
  against: number;
  gone: boolean;
}

/** A number of a unit or a side, with the terms that it is made of. */
export interface Stat {
  label: string;
  value: string;
  because: Reason[];
  words?: string;
  pays?: string;
  goal?: number;
}

/** A moment between two views that is shown separately, such as an act of the rules. */
export interface Step {
  picture?: Parts;
  lines: number;
}

/** A person's strength in a game. */
export interface StrengthView {
  ruleset: string;
  rating: number;
  deviation: number;
  games: number;
}

export interface StudyEntry {
  id: string;
  title: string;
  words: string;
  ruleset: string;
  design: string;
  stage: "damaged" | "done" | "new" | "precise enough" | "running" | "stopped";
  played: number;
  total: number;
  looks: number;
  of: number;
  trouble: string;
}

export interface StudyGame {
  game: number;
  levels: Record<string, string>;
  scenario: string;
  edition: string;
  rules: Record<string, string | number>;
  players: readonly [string, string];
  names: string[];
  winner_name: string | null;
  rounds: number;
  decisions: number;
  points: number[];
  reason: string;
}

/** Some games of a study, in the order in which they were stored. */
export interface StudyGames {
  games: StudyGame[];
  of: number;
}

/** A study with its latest results. */
export interface StudyView {
  study: StudyEntry;
  figures: Figures | null;
  points: Points | null;
}

/** A request to draw a random table from a seed. */
export interface TableToDraw {
  seed: string;
  symmetry?: "mirror" | "none" | "rotate";
  size?: readonly [number, number] | null;
}

/**
 * Ask the other side to agree that an act is taken back, or answer such a request. A computer player agrees in a
 * friendly game.
 */
export interface Takeback {
  type: "takeback";
  side?: number | null;
  answer?: boolean | null;
  ref?: number | string | null;
}

/** A seat that now belongs to the asker. The key of the asker's browser opens it. */
export interface TakenSeat {
  game: string;
  side: number;
  ruleset: string;
  title: string;
}

/** One chat line. */
export interface TalkLine {
  n: number;
  side: number;
  text: string;
}

/** The actual and the expected result of a roll. */
export interface Tally {
  side: number;
  label: string;
  got: number;
  expected: string;
  mean: number;
  chances: number[];
}

/** An area on the table for a template: a circle or an outline, with the models under it. */
export interface Template {
  circle: readonly [number, number, number] | null;
  outline: (readonly [number, number])[];
  words: string;
  under: number[];
}

/** One part of a sum, with its reason. */
export interface Term {
  value: number;
  clause: string;
  words: string;
}

/** Dice that fell, for the log. */
export interface Thrown {
  faces: number[];
  sides: number;
  words: string;
  side: number | null;
  typed: boolean;
}

/** The additional worth of two units if they are in the same army. */
export interface Together {
  pool: string;
  units: readonly [Record<string, unknown>, Record<string, unknown>];
  points: number;
  low: number;
  high: number;
}

/** A countable marker on a unit or a model. */
export interface Token {
  kind: string;
  label: string;
  count: number;
  words: string;
  tiles?: string[];
}

export interface Told {
  words: string;
  clauses: string[];
  parts: Term[];
  tone: "" | "better" | "beware" | "dice" | "gone" | "new" | "worse";
}

/** A tournament in the list of a club. */
export interface TournamentEntry {
  id: string;
  name: string;
  form: "all" | "swiss";
  title: string;
  players: number;
  stage: "going" | "open" | "over";
}

/** A tournament. */
export interface TournamentView {
  entry: TournamentEntry;
  club: string;
  owner: string;
  length: number;
  table: StandingView[];
  rounds: PairingView[][];
  days: number;
  due: string;
}

/** The results of two answers that were played on to the end of the battle with the same dice. */
export interface Trial {
  games: number;
  better: number;
  given: number;
}

/** A turning point: an act that changed the chances much. */
export interface Turn {
  act: number;
  side: number;
  words: string;
  before: number;
  after: number;
  better: Better | null;
  change?: string;
}

/** Enter the real dice for which the game waits. */
export interface Typed {
  type: "dice";
  faces: number[];
  ref?: number | string | null;
}

/** Take back the last act of a side, if that is free. */
export interface Undo {
  type: "undo";
  side?: number | null;
  ref?: number | string | null;
}

/** The acts that the reader's side may take back. */
export interface UndoView {
  allowed: boolean;
  boundary: string | null;
  takeback: boolean;
  asked: number | null;
  until: number | null;
  cause: string | null;
  redo: boolean;
}

/** The default answer: interfaces offer it as one button, and repeat it for similar questions. */
export interface Usual {
  action: Record<string, unknown>;
  words: string;
  unit: number | null;
  ready: boolean;
  said: boolean;
  opens: boolean;
}

/** Give the usual answer to a decision, and to the following decisions that have a usual answer. */
export interface Usually {
  type: "usual";
  decision: string;
  unit?: number | null;
  quietly?: boolean;
  ref?: number | string | null;
}

/** The value in a column; empty if it has neither a number nor words. */
export interface Value {
  value: number | null;
  of: number | null;
  words: string;
}

/** Versions of the server's programs. */
export interface Versions {
  wire: number;
  engine: string;
  rules: number;
}

/** The ways to win a battle, and the result if it ended now. */
export interface Victory {
  words: string[];
  prizes: Prize[];
  now: string;
  leader: number | null;
}

/** A whole game for one reader. */
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
  seats: SeatView[];
  act: number;
  picture: Picture;
  decisions: DecisionView[];
  waiting_for: number[];
  over: Outcome | null;
  secret: boolean;
  kept_back: boolean;
  undo: UndoView;
  log: LogEntry[];
  luck: LuckView[];
  dice: DiceWanted | null;
  lesson: LessonView | null;
  unrated: string;
  hints: boolean;
  draw: number | null;
  talk: TalkLine[];
  hushed: number[];
  again: number[];
  clock: ClockRule | null;
  armies: string[];
  size: number | null;
  gone: GoneView[];
  fallen: Fallen[];
  as_recorded: string | null;
  versions: Versions;
}

/** A person's notices about one game. */
export interface WaysView {
  ways: ("hook" | "mail" | "push")[] | null;
  may: ("hook" | "mail" | "push")[];
}

/** Ask for the causes of a unit's strength or marker, of a side's points, or of who holds a place. */
export interface Why {
  type: "why";
  unit?: number | null;
  token?: string | null;
  side?: number | null;
  points?: string | null;
  spot?: number | null;
  ref?: number | string | null;
}

/** A person's drag: enough to propose a legal action near it. */
export interface Wish {
  unit?: number;
  card?: string;
  act?: string;
  to?: readonly [number, number] | null;
  waypoints?: (readonly [number, number])[];
  facing?: readonly [number, number] | null;
  shape?: string;
  models?: Record<string, (readonly [number, number])[]>;
}

/** The worth of a unit, in points. */
export interface Worth {
  pool: string;
  unit: Record<string, unknown>;
  points: number;
  low: number;
  high: number;
  drawn: number;
}

/** A marked area, such as a deployment zone or a section of a map. */
export interface Zone {
  name: string;
  side: number | null;
  outline: (readonly [number, number])[];
  lit: boolean;
}

/** What a live connection hears. */
export type ServerMessage =
  | View
  | Change
  | RefusalMessage
  | Done
  | LoudMessage
  | ProposalMessage
  | PickedUpMessage
  | SightMessage
  | SoughtMessage
  | OddsMessage
  | InOrderMessage
  | HintMessage
  | AheadMessage
  | BecauseMessage
  | Pong
  | Presence
  | Moved
  | ClockNow;
