"""The engine: procedures as numbered steps, decisions and chance as data, rules with amendments, matches.

It knows no game, no screen and no player. A state is shelves of frozen records and a stack of frames; what looks like a
change of a record puts a changed copy on its shelf. Read `flow` first, then `rule`, `state`, `decision`, `match`.
"""

from caltrop.engine.decision import (
    Decision,
    Listed,
    Mover,
    Nearness,
    Offer,
    Options,
    PickedUp,
    Proposal,
    PutDown,
    Region,
    Solid,
    Wish,
    words_of,
)
from caltrop.engine.entry import Entry, Fell, Played, Undone
from caltrop.engine.flow import Ask, End, Go, Procedure, Run, Throw, advance, answer, ask, step, trigger
from caltrop.engine.house import Switch, settle
from caltrop.engine.match import Match, imagined
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
    row_marks,
    rule,
    total,
)
from caltrop.engine.ruleset import ArmyCard, Ruleset, ScenarioCard, Vocabulary, ruleset, rulesets
from caltrop.engine.secrecy import has_secrets, redacted
from caltrop.engine.state import Action, Event, Outcome, Rolled, State
from caltrop.engine.store import digest, restored, stored

__all__ = [
    "Action",
    "ArmyCard",
    "Ask",
    "Book",
    "Decision",
    "End",
    "Entry",
    "Event",
    "Fell",
    "Go",
    "Guard",
    "HouseValue",
    "Listed",
    "Match",
    "Mover",
    "Nearness",
    "Offer",
    "Options",
    "Outcome",
    "PickedUp",
    "Played",
    "Procedure",
    "Proposal",
    "PutDown",
    "Refusal",
    "Refused",
    "Region",
    "Rolled",
    "Rule",
    "Ruleset",
    "Run",
    "ScenarioCard",
    "Solid",
    "State",
    "Sum",
    "Switch",
    "Term",
    "Throw",
    "Undone",
    "Vocabulary",
    "Wish",
    "advance",
    "answer",
    "ask",
    "decimal",
    "digest",
    "guard",
    "has_secrets",
    "imagined",
    "redacted",
    "restored",
    "row_marks",
    "rule",
    "ruleset",
    "rulesets",
    "settle",
    "step",
    "stored",
    "total",
    "trigger",
    "words_of",
]
