"""Campaigns as pages and programs see them: battles, roster, and open decisions.

Each game stores campaigns in records of its own; the part `campaigns` of the game converts them to these types.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Generic, Literal, TypeVar

import msgspec
from msgspec import UNSET, UnsetType

from caltrop.engine.event import Outcome
from caltrop.engine.rule import HouseValue, Sum
from caltrop.errors import InputError
from caltrop.picture import Look, Paint
from caltrop.roster import nearest

C = TypeVar("C")
Result = Literal["won", "lost", "drawn"]
Tone = Literal["", "gone", "worse", "better", "new", "beware", "dice"]
Answers = Mapping[str, Sequence[str]]
"""Answers to questions about a battle, by their ids."""


class Column(msgspec.Struct, frozen=True, kw_only=True):
    """A column of the roster."""

    words: str
    form: Literal["words", "count", "rating", "progress"] = "words"
    """Form of the values: `words`, text only; `count`, a number; `rating`, a number of filled marks; `progress`, a
    share of what is needed.
    """
    minor: bool = False
    """True if narrow screens leave the column out."""


class Value(msgspec.Struct, frozen=True, kw_only=True):
    """The value in a column; empty if it has neither a number nor words."""

    value: int | None = None
    of: int | None = None
    """The highest possible rating, or the number needed."""
    words: str = ""
    """Text beside the number: a label such as `Seasoned`, or a noun for the counted things."""


def words_of(value: Value, column: Column) -> str:
    """Return a cell of a column as text."""
    if value.value is None:
        return value.words or "-"
    number = f"{value.value} of {value.of}" if column.form == "progress" else str(value.value)
    return f"{number} {value.words}".rstrip()


class Member(msgspec.Struct, frozen=True, kw_only=True):
    """A member of a roster: a fighter, or a unit with a history."""

    name: str
    values: tuple[Value, ...]
    ready: bool
    """True if the member may fight the next battle; false if there is no next battle."""
    note: str = ""
    """Further remark about the member, for example why the member is not ready."""
    look: Look | UnsetType = UNSET
    """The member's drawing on the table, if it never varies."""
    cloak: Paint | UnsetType = UNSET
    """Colours of the member's cloak, if its player has chosen them."""
    saying: str = ""
    """Battle cry of the member."""
    player: str = ""
    """Name of the person who plays the member, if several people share the roster."""


class Dress(msgspec.Struct, frozen=True, kw_only=True):
    """A player's changes to a member of the roster; None leaves a field unchanged."""

    name: str | None = None
    cloak: str | None = None
    """One of `Overview.cloaks`; empty for the original colours."""
    saying: str | None = None
    """A battle cry for this member; empty for none."""
    player: str | None = None
    """Name of the person who plays the member, if several people share the roster; empty for anybody."""


class Told(msgspec.Struct, frozen=True, kw_only=True):
    words: str
    clauses: tuple[str, ...] = ()
    parts: Sum = ()
    tone: Tone = ""
    """Effect on the roster: a member is `gone`, `worse`, `better` or `new`; `beware` marks a warning, `dice` a roll."""


class Battle(msgspec.Struct, frozen=True, kw_only=True):
    scenario: str
    title: str
    result: Result
    given_up: bool = False
    fielded: tuple[str, ...]
    came: str
    """Summary of the battle, such as `3 kills, 1 dead`."""
    tale: tuple[str, ...] = ()
    """The story of the battle in consecutive sentences."""
    told: tuple[Told, ...] = ()


class NextBattle(msgspec.Struct, frozen=True, kw_only=True):
    scenario: str
    title: str
    words: tuple[str, ...] = ()
    """Sentences to read before choosing the members who fight."""
    most: int
    """Largest number of members who may fight."""
    field: tuple[str, ...]
    """Names of the members who fight by default."""
    players: int = 1
    """Number of sides that people play: 1 if the rules move the enemy, otherwise 2."""


class Course(msgspec.Struct, frozen=True, kw_only=True):
    """A choice for the length and scenarios of a campaign."""

    id: str
    title: str
    words: str


class Overview(msgspec.Struct, frozen=True, kw_only=True):
    """A campaign with everything derived from it."""

    ruleset: str
    title: str
    course: str = ""
    """Common title of the battles, such as `The Salt Road`."""
    rules: dict[str, HouseValue] = {}
    battles: tuple[Battle, ...] = ()
    """Battles fought so far, in order."""
    length: int | None = None
    """Number of battles; None if there is no limit."""
    next: NextBattle | None = None
    columns: tuple[Column, ...] = ()
    roster: tuple[Member, ...] = ()
    gone: tuple[str, ...] = ()
    """Former members of the roster, each with a sentence about them."""
    score: Sum = ()
    points: int = 0
    courses: tuple[Course, ...] = ()
    """Courses that the roster may start when this one has ended."""
    notes: tuple[str, ...] = ()
    """Remarks on the whole campaign, for example that it was corrected by hand."""
    cloaks: dict[Paint, str] = {}
    """Colours that a player may choose for a member, in words. Without any, names, cloaks and sayings are fixed."""


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """A choice of the player after a battle."""

    id: str
    words: str
    form: Literal["some", "names"]
    """`some` of the options are chosen, or `names` are given."""
    options: tuple[str, ...] = ()
    each: str = ""
    """Label of a single name, such as `Recruit`."""
    least: int = 0
    """Smallest number of answers."""
    most: int
    chosen: tuple[str, ...] = ()
    """The player's answer, or the default."""


class CampaignResult(msgspec.Struct, Generic[C], frozen=True, kw_only=True):
    campaign: C
    """The campaign after the battle."""
    battle: Battle
    questions: tuple[Question, ...] = ()
    """The questions after this battle."""


def result_of(outcome: Outcome | None, given_up: bool = False, side: int = 0) -> Result:
    """Return the result of a battle for the side with the roster.

    >>> result_of(Outcome(1, "")), result_of(Outcome(None, "")), result_of(Outcome(0, ""), given_up=True)
    ('lost', 'drawn', 'lost')
    """
    if outcome is None or given_up:
        return "lost"
    return "drawn" if outcome.winner is None else "won" if outcome.winner == side else "lost"


def check_answers(answers: Answers, questions: Sequence[str]) -> None:
    """Raise InputError for an answer to a question that does not exist.

    Raises:
        InputError: the message names the nearest existing question.
    """
    for id in answers:
        if id not in questions:
            raise InputError(f"no question has the name {id!r}; {nearest(id, questions)}", field="answers")
