"""The public form of a campaign: its battles, its roster, and the decisions to be made.

Each game stores its campaigns in records of its own, and its part `campaigns` converts them to this form.
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
    """One thing that a roster tells of everybody on it."""

    words: str
    form: Literal["words", "count", "rating", "progress"] = "words"
    """`words`, only text; `count`, a number; `rating`, points out of a few; `progress`, part of what is needed."""
    minor: bool = False
    """True if a narrow table does without."""


class Value(msgspec.Struct, frozen=True, kw_only=True):
    """The value in a column; empty without a number and words."""

    value: int | None = None
    of: int | None = None
    """The highest rating, or the number that is needed."""
    words: str = ""
    """Label of the number, such as `Seasoned`, or the name of the counted things."""


def words_of(value: Value, column: Column) -> str:
    """Return a cell of a column as text."""
    if value.value is None:
        return value.words or "-"
    number = f"{value.value} of {value.of}" if column.form == "progress" else str(value.value)
    return f"{number} {value.words}".rstrip()


class Member(msgspec.Struct, frozen=True, kw_only=True):
    """One of a roster: a fighter, or a unit with a history."""

    name: str
    values: tuple[Value, ...]
    ready: bool
    """True if the next battle may be fought with it; false if none is next."""
    note: str = ""
    """Further remark, for example why it is not ready."""
    look: Look | UnsetType = UNSET
    """Its drawing on the table, if that never varies."""
    cloak: Paint | UnsetType = UNSET
    """The colours of its cloak, if its player has chosen them."""
    saying: str = ""
    """A battle cry of its own."""
    player: str = ""
    """Name of the person who plays it, if several people play the roster."""


class Dress(msgspec.Struct, frozen=True, kw_only=True):
    """Changes of a player to one of the roster; None leaves a field as it is."""

    name: str | None = None
    cloak: str | None = None
    """One of `Overview.cloaks`; empty to wear what it came with."""
    saying: str | None = None
    """A battle cry of its own; empty for none."""
    player: str | None = None
    """Name of the person who plays it, if several people play the roster; empty for anybody."""


class Told(msgspec.Struct, frozen=True, kw_only=True):
    words: str
    clauses: tuple[str, ...] = ()
    parts: Sum = ()
    """The terms of its number, if that is a sum."""
    tone: Tone = ""
    """Meaning for the roster: somebody is `gone`, `worse` off, `better` or `new`; something to `beware`; `dice`."""


class Battle(msgspec.Struct, frozen=True, kw_only=True):
    scenario: str
    title: str
    result: Result
    given_up: bool = False
    fielded: tuple[str, ...]
    came: str
    """The gist of it, as `3 kills, 1 dead`."""
    tale: tuple[str, ...] = ()
    """The story of the battle, in sentences that follow one another."""
    told: tuple[Told, ...] = ()


class NextBattle(msgspec.Struct, frozen=True, kw_only=True):
    scenario: str
    title: str
    words: tuple[str, ...] = ()
    """Sentences to know before anybody is fielded."""
    most: int
    """Largest number that may be fielded."""
    field: tuple[str, ...]
    """Names that are fielded by default."""
    players: int = 1
    """Number of sides that people play: the roster's, and another if the rules do not move it."""


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
    """Common name of its battles, as in `The Salt Road`."""
    rules: dict[str, HouseValue] = {}
    """House rules that are not at their default."""
    battles: tuple[Battle, ...] = ()
    """Those that have been fought, the first first."""
    length: int | None = None
    """Number of battles; None if there is no limit."""
    next: NextBattle | None = None
    columns: tuple[Column, ...] = ()
    roster: tuple[Member, ...] = ()
    gone: tuple[str, ...] = ()
    """Former members of the roster, each with a memory."""
    score: Sum = ()
    points: int = 0
    courses: tuple[Course, ...] = ()
    """Courses that its roster may go on into after the end."""
    notes: tuple[str, ...] = ()
    """Remarks on the whole campaign, for example that it was corrected by hand."""
    cloaks: dict[Paint, str] = {}
    """The colours that a player may choose for one of the roster, in words; if there are none, nobody has names,
    cloaks or sayings of the player's."""


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """Something that the player decides about a battle that is over."""

    id: str
    words: str
    form: Literal["some", "names"]
    """`some` of the options are chosen, or `names` are given."""
    options: tuple[str, ...] = ()
    each: str = ""
    """Meaning of one name, as in `Recruit`."""
    least: int = 0
    """The fewest answers."""
    most: int
    chosen: tuple[str, ...] = ()
    """The answer, or the default."""


class CampaignResult(msgspec.Struct, Generic[C], frozen=True, kw_only=True):
    campaign: C
    """After it."""
    battle: Battle
    questions: tuple[Question, ...] = ()
    """Those that this battle puts."""


def result_of(outcome: Outcome | None, given_up: bool = False, side: int = 0) -> Result:
    """Return what a battle was for the side whose roster fought it.

    Args:
        outcome: The way it ended; None if it did not.

    >>> result_of(Outcome(1, "")), result_of(Outcome(None, "")), result_of(Outcome(0, ""), given_up=True)
    ('lost', 'drawn', 'lost')
    """
    if outcome is None or given_up:
        return "lost"
    return "drawn" if outcome.winner is None else "won" if outcome.winner == side else "lost"


def check_answers(answers: Answers, questions: Sequence[str]) -> None:
    """Raise InputError for an answer to a question that does not exist.

    Args:
        questions: The ids of all possible questions.

    Raises:
        InputError: the message names the nearest question.
    """
    for id in answers:
        if id not in questions:
            raise InputError(f"nothing is asked under the name {id!r}; {nearest(id, questions)}", field="answers")
