"""The engine: procedures as numbered steps, decisions and chance as data, rules with amendments, matches.

The engine contains no game, no interface and no player. A state has lists of frozen records, called shelves, and a
stack of frames. To change a record, put a changed copy on its shelf. Read `procedure` first, then `rule`, `state`,
`decision`, `flow`, `match`.
"""

from caltrop.agreeing import agreeing, does
from caltrop.engine.cards import ArmyCard, ArmyPart, ScenarioCard
from caltrop.engine.decision import (
    Decision,
    Listed,
    Options,
    not_an_option,
    words_of,
)
from caltrop.engine.entry import Entry, Fell, Played, Undone
from caltrop.engine.event import Action, Event, MotionOf, Outcome, Rolled, name_of
from caltrop.engine.flow import advance, answer, trigger
from caltrop.engine.house import Switch, settle, switches_in
from caltrop.engine.match import Match, imagined
from caltrop.engine.procedure import Ask, End, Go, Procedure, Run, Throw, ask, back, step
from caltrop.engine.quiet import Loud, done_quietly, loud
from caltrop.engine.rollout import Policy, at_random, next_turn, rollout
from caltrop.engine.rule import (
    Book,
    Guard,
    HouseValue,
    Refusal,
    Refused,
    Rule,
    Sum,
    Term,
    decimal,
    guard,
    inches,
    row_marks,
    rule,
    total,
)
from caltrop.engine.ruleset import Ruleset, Vocabulary, referee_of, ruleset, rulesets, with_part
from caltrop.engine.secrecy import FaceDown, Veiled, has_secrets, holds_secrets, redacted
from caltrop.engine.state import State
from caltrop.engine.store import digest, restored, stored
from caltrop.engine.stretch import Stretch, stretches, stretches_of

__all__ = [
    "Action",
    "ArmyCard",
    "ArmyPart",
    "Ask",
    "Book",
    "Decision",
    "End",
    "Entry",
    "Event",
    "MotionOf",
    "FaceDown",
    "Fell",
    "Go",
    "Guard",
    "HouseValue",
    "Listed",
    "Loud",
    "Match",
    "Options",
    "Outcome",
    "Policy",
    "Played",
    "Procedure",
    "Refusal",
    "Refused",
    "Rolled",
    "Rule",
    "Ruleset",
    "Run",
    "ScenarioCard",
    "State",
    "Stretch",
    "Sum",
    "Switch",
    "Term",
    "Throw",
    "Undone",
    "Veiled",
    "Vocabulary",
    "advance",
    "agreeing",
    "answer",
    "ask",
    "back",
    "at_random",
    "decimal",
    "inches",
    "digest",
    "does",
    "done_quietly",
    "guard",
    "has_secrets",
    "holds_secrets",
    "imagined",
    "loud",
    "name_of",
    "not_an_option",
    "next_turn",
    "redacted",
    "referee_of",
    "restored",
    "rollout",
    "row_marks",
    "rule",
    "ruleset",
    "rulesets",
    "settle",
    "switches_in",
    "step",
    "stored",
    "stretches",
    "stretches_of",
    "total",
    "trigger",
    "with_part",
    "words_of",
]
