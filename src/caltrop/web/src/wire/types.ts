/**
 * The page's words for what comes over the wire. The shapes are made of the server's (`shapes.ts`); here is what they are
 * called where the page has a word of its own, and what no schema says. Lengths are the table's own whole units.
 */
import type { Why } from "./shapes";

export type {
  Act,
  AheadMessage,
  Aim,
  Aimless,
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
  LevelLoss,
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
} from "./shapes";

export type Point = readonly [number, number];

/** An answer to a decision. Only the rules look into it; the client hands back what it was given. */
export type Action = Readonly<Record<string, unknown>>;

/** What a person asks about: a marker or the strength of a unit, points of a side, or who holds a place. */
export type About = Pick<Why, "unit" | "token" | "side" | "points" | "spot">;

/** The fates of all units in a whole act, for each way in which the other side may answer. */
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

/** What an attack request can end in: the parts of an outcome are the ruleset's own, and so they have no schema here. */
export interface Odds {
  exact: boolean;
  outcomes: ({ probability: string; p: number } & Record<string, unknown>)[];
  expected?: Record<string, number>;
  /** Of several attackers: the means after each, and the order that leaves the least of the target. */
  steps?: Record<string, number>[];
  best_order?: { order: number[]; expected: Record<string, number> } | null;
}
