"""The view: one game as one side may see it, ready to be drawn.

It is made of redacted values: the picture that the ruleset draws of a side's view, the decisions of that side, and the
log as that side may read it.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from caltrop.asking import Offer, Region, Usual, offered
from caltrop.engine import (
    Decision,
    HouseValue,
    Outcome,
    name_of,
)
from caltrop.picture import Fallen, Motion, Picture, Reading

SCHEMA_VERSION = 1
"""Raised when a message changes so that an older client could misread it."""


class Thrown(msgspec.Struct, frozen=True, kw_only=True):
    """Dice that fell, for the log."""

    faces: tuple[int, ...]
    sides: int
    """Faces of each die."""
    words: str = ""
    """Purpose of the dice."""
    side: int | None = None
    """Side of the dice."""
    typed: bool = False
    """True if they were real dice, typed in."""


class LogEntry(msgspec.Struct, frozen=True, kw_only=True):
    """One line of the log."""

    n: int
    """Counts from 1 in the order of the game; a side that may not know of something sees a gap."""
    act: int
    """Number of acts that were in force when it happened: lines of the same act belong together."""
    round: int = 0
    """The round in which it happened, 0 before the first."""
    side: int | None
    """Side whose act brought it about; None if nobody's did."""
    about: int | None = None
    """The side that it tells of, where the event names one."""
    begins: bool = False
    """True if a turn begins with it: this line and those after it stand by themselves, and not under the act before."""
    kind: str
    """The event's name, such as `Rolled` or `Contact`; or `undo`, `resign`, `takeback`, `player`."""
    text: str
    clauses: tuple[str, ...] = ()
    dice: tuple[Thrown, ...] = ()
    touches: tuple[int, ...] = ()
    """The units to light while this line is shown."""
    reading: Reading | None = None
    """The dice as they were read, where the line tells of an attack that was rolled."""
    motion: Motion | None = None
    """Movement to show on the table; None if the table afterwards shows everything."""
    undoes: int | None = None
    """In an `undo`: the first line that no longer holds; all from there to this one are taken back."""


class DecisionView(msgspec.Struct, frozen=True, kw_only=True):
    """A question put to the side that looks."""

    id: str
    """Sent back with the answer. It is never used twice in a game."""
    side: int
    kind: str
    prompt: str
    hint: str = ""
    clauses: tuple[str, ...] = ()
    offers: tuple[Offer, ...] = ()
    regions: tuple[Region, ...] = ()
    usual: Usual | None = None
    """Default answer."""
    passed_by: tuple[int, ...] | UnsetType = UNSET
    """The units that may be taken up in place of the one that is asked about: that ends the question by its final
    answer. Left out if there are none."""


class SeatView(msgspec.Struct, frozen=True, kw_only=True):
    """The player of a side."""

    side: int
    player: str
    """`person`, or the name of a computer player."""
    name: str
    letter: str
    shape: str
    called: str = ""
    """Name that the person who plays it gave; empty if they gave none."""
    awaited: bool = False
    """True if the person was invited by a link, and has not come yet."""


class TalkLine(msgspec.Struct, frozen=True, kw_only=True):
    """One line of what the people at a table say to one another."""

    n: int
    """Counts from 1."""
    side: int
    text: str


class ClockRule(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The time of the sides, as it was agreed before the game."""

    per: Literal["game", "turn"]
    """True if the time is for the whole game, false if for each turn."""
    seconds: int
    then: Literal["lose", "tell", "choose"]
    """Effect of running out of time. The side loses; or everybody is informed and the game goes on; or the other side
    chooses who goes on in its place, or that it loses.
    """


class UndoView(msgspec.Struct, frozen=True, kw_only=True):
    """The acts that the side that looks may take back."""

    allowed: bool = False
    """True if its last act may be taken back freely."""
    boundary: str | None = None
    """Reason why not, if it may not."""
    takeback: bool = False
    """True if it may ask the other side for leave to take back its last act all the same."""
    asked: int | None = None
    """The side that has asked for leave and waits for an answer."""
    until: int | None = None
    """Number of acts that would be in force after everything was taken back that may be taken back freely."""
    cause: str | None = None
    """Reason why no more than that."""
    redo: bool = False
    """True if an act of its own that was taken back may be played again."""


class LuckView(msgspec.Struct, frozen=True, kw_only=True):
    """The luck of a side over the whole game, dice that were taken back included."""

    side: int
    label: str
    """As in `hits`."""
    rolls: int
    got: int
    expected: str
    """The exact mean as a fraction."""
    mean: float
    """The same, rounded."""
    as_good: float | None = None
    """Number of times that the same rolls give this much or more, rounded; None if that is not known."""
    as_bad: float | None = None
    """Number of times that they give this much or less."""


class GoneView(msgspec.Struct, frozen=True, kw_only=True):
    """A unit that was there and is there no more."""

    id: int
    side: int
    name: str
    act: int
    """The act in which it went."""


class LessonView(msgspec.Struct, frozen=True, kw_only=True):
    """The present words of a lesson."""

    id: str
    title: str
    number: int
    """Number of the lesson in the game, from 1."""
    of: int
    say: str
    step: int
    steps: int
    done: bool
    """True if the lesson is at its end."""
    next: str | None
    """The lesson that comes after it."""


class DiceWanted(msgspec.Struct, frozen=True, kw_only=True):
    """Real dice that the game waits for."""

    side: int | None
    """Side of the dice."""
    count: int
    sides: int
    clauses: tuple[str, ...] = ()
    words: str = ""
    """Purpose of the dice."""


class Versions(msgspec.Struct, frozen=True, kw_only=True):
    """The versions of the programs that made this message."""

    wire: int
    engine: str
    rules: int


class View(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="view"):
    """A whole game as one side may see it."""

    schema_version: int = SCHEMA_VERSION
    seq: int
    """Number of this moment; every change raises it by one."""
    game: str
    ruleset: str
    edition: str
    rules: dict[str, HouseValue]
    scenario: str
    you: int | None
    """The side whose eyes these are; None for an onlooker."""
    seats: tuple[SeatView, ...]
    act: int
    """Number of acts that are in force."""
    picture: Picture
    decisions: tuple[DecisionView, ...]
    """Those put to `you`."""
    waiting_for: tuple[int, ...]
    """The sides that have not answered yet."""
    over: Outcome | None
    kept_back: bool = False
    """True if the game is over, and what was hidden in it stays so until a side shows everything."""
    undo: UndoView
    log: tuple[LogEntry, ...]
    luck: tuple[LuckView, ...] = ()
    dice: DiceWanted | None = None
    """Real dice that somebody is to throw and type in before the game goes on."""
    lesson: LessonView | None = None
    unrated: str = ""
    """Reason why the game does not count for the strength of `you`; empty if it does."""
    hints: bool = False
    """True if `you` may ask for a strong player's answer."""
    draw: int | None = None
    """The side that offers a draw, and waits for an answer."""
    talk: tuple[TalkLine, ...] = ()
    """Talk of the people at the table; empty for onlookers."""
    hushed: tuple[int, ...] = ()
    """The sides that have switched the talk off: nobody speaks to them."""
    again: tuple[int, ...] = ()
    """The sides that have asked for a rematch."""
    clock: ClockRule | None = None
    """Time of the sides; messages of their own tell the time that is left."""
    armies: tuple[str, ...] = ()
    """The armies that were asked for, one for each side; none if the scenario's own fight."""
    size: int | None = None
    """Size that they were asked to be; None for the scenario's own size."""
    gone: tuple[GoneView, ...] = ()
    """Units that the log tells of and that are there no more."""
    fallen: tuple[Fallen, ...] = ()
    """Dice of lines that are older than those of `log`, which hold their own."""
    as_recorded: str | None = None
    """Reason why it does not go on and is shown as it was recorded, a picture for each turn: what it would take to go
    on. None for every game that plays by the present rules.
    """
    versions: Versions


def decision_view(id: str, decision: Decision, view: Any) -> DecisionView:
    """Return a decision with its choices, read off the *view* of the side that it is put to."""
    asked = offered(decision)
    return DecisionView(
        id=id,
        side=asked.side,
        kind=name_of(asked),
        prompt=asked.prompt(view),
        hint=asked.hint,
        clauses=asked.clauses,
        offers=tuple(asked.offers(view)),
        regions=tuple(asked.regions(view)),
        usual=asked.usual(view),
        passed_by=tuple(asked.passed_by(view)) or UNSET,
    )
