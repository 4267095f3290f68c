/**
 * The page's names for messages. Shapes are generated from the server's types (`shapes.ts`); this module adds shorter
 * names, and types that no schema has. Lengths are integers in the table's own unit.
 */
import type { Why } from "./shapes";

export type {
  Act,
  AttacksInOrder,
  AheadMessage,
  Aim,
  Aimless,
  Analysis,
  Better,
  ArmyEntry as Army,
  Card,
  Catalogue,
  Cause,
  Cell,
  Change,
  ClockNow,
  ClockRule,
  Coming,
  DecisionView as Decision,
  DiceSum,
  DiceWanted,
  DieRead,
  Fallen,
  Forecast,
  Goal,
  GoneView as Gone,
  Ground,
  Group,
  Hint,
  Led,
  LessonView as Coach,
  Level,
  Line,
  LogEntry,
  Loud,
  Motion,
  Moved,
  LuckView as Luck,
  Offer,
  Outcome,
  Outlook,
  Parts,
  PickedUp,
  Picture,
  Piece,
  Pile,
  Proposal,
  Reading,
  Reason,
  Refusal,
  RefusalMessage,
  Region,
  RuleEntry as HouseRule,
  RulesetEntry as Ruleset,
  ScenarioEntry as Scenario,
  Seat,
  SeatView as Player,
  ServerMessage,
  SightLine,
  Sighting,
  Spot,
  Stage,
  Stat,
  Step,
  Tally,
  Thrown,
  Token,
  UndoView as Undo,
  Usual,
  View,
  Wish,
  Zone,
  Turn,
} from "./shapes";

export type Point = readonly [number, number];

/** An answer to a decision. Only the server reads its contents; the client sends them back unchanged. */
export type Action = Readonly<Record<string, unknown>>;

/** The subject of a "why" question: a unit's marker or strength, a side's points, or who holds a place. */
export type About = Pick<Why, "unit" | "token" | "side" | "points" | "spot">;

/** The fates of all units in a whole act, for each possible answer of the other side. */
export interface WholeOdds {
  exact: boolean;
  acts: {
    about: string;
    exact: boolean;
    headline: string;
    note: string;
    units: {
      unit: string;
      outcomes: ({ words: string; probability: string; p: number } & Record<string, unknown>)[];
    }[];
  }[];
}

/** The outcomes of an attack request. Each ruleset has its own parts of an outcome, so they have no schema here. */
export interface Odds {
  exact: boolean;
  outcomes: ({ probability: string; p: number } & Record<string, unknown>)[];
  expected?: Record<string, number>;
  /** For several attackers: the means after each attack, and the order that leaves least of the target. */
  steps?: Record<string, number>[];
  best_order?: { order: number[]; expected: Record<string, number> } | null;
}
