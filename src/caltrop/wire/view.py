"""The view: one game as one side may see it.

The view contains the picture for that side, its decisions and its log, without hidden information of others.
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
"""Version number of the messages. The version increases when an older client could misread a message."""


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
    """True if the faces were typed in from real dice."""


class LogEntry(msgspec.Struct, frozen=True, kw_only=True):
    """One line of the log."""

    n: int
    """Line number from 1. Numbers of lines that this reader may not see are left out."""
    act: int
    """Number of acts in force after the event. Lines of the same act share this number."""
    round: int = 0
    """Round of the event; 0 before the first round."""
    side: int | None
    """Side whose act caused the event; None if no side did."""
    about: int | None = None
    """Side that the line is about, if the event names a side."""
    begins: bool = False
    """True if a turn begins with this line. This line and later ones then do not belong to the act before."""
    kind: str
    """The event's name, such as `Rolled` or `Contact`; or `undo`, `resign`, `takeback`, `player`."""
    text: str
    clauses: tuple[str, ...] = ()
    dice: tuple[Thrown, ...] = ()
    touches: tuple[int, ...] = ()
    """Units to highlight while this line is shown."""
    reading: Reading | None = None
    """Interpretation of the dice, if the line describes a rolled attack."""
    motion: Motion | None = None
    """Movement to show on the table; None if the table after the event shows everything."""
    undoes: int | None = None
    """In an `undo`: number of the first line that was undone. All lines from that number to this line are undone."""


class DecisionView(msgspec.Struct, frozen=True, kw_only=True):
    """A decision of the reader's side."""

    id: str
    """Id to send with the answer. No id is used twice in a game."""
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
    """Units that may act instead of the unit in question. Choosing such a unit gives the question its final answer. The
    field is omitted if no unit is listed.
    """
    picks: str | UnsetType = UNSET
    """Field of the answers that lists chosen models. Any set of the models in the offered answers may be sent if it has
    as many models as one of them. The field is omitted for other questions.
    """


class SeatView(msgspec.Struct, frozen=True, kw_only=True):
    """The player of a side."""

    side: int
    player: str
    """`person`, or the name of a computer player."""
    name: str
    letter: str
    shape: str
    called: str = ""
    """Name of the player; empty if they gave none."""
    awaited: bool = False
    """True if the player was invited by a link, and has not joined yet."""


class TalkLine(msgspec.Struct, frozen=True, kw_only=True):
    """One chat line."""

    n: int
    """Line number from 1."""
    side: int
    text: str


class ClockRule(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The agreed time limit of the sides."""

    per: Literal["game", "turn"]
    """`game` for a limit on the whole game, `turn` for a limit on each turn."""
    seconds: int
    then: Literal["lose", "tell", "choose"]
    """Effect of running out of time. `lose`: the side loses. `tell`: everybody is notified, and the game continues.
    `choose`: the other side chooses between a replacement and a win.
    """


class UndoView(msgspec.Struct, frozen=True, kw_only=True):
    """The acts that the reader's side may take back."""

    allowed: bool = False
    """True if the side may take its last act back freely."""
    boundary: str | None = None
    """Reason why the side may not do so."""
    takeback: bool = False
    """True if the side may ask to take its last act back."""
    asked: int | None = None
    """The side that has asked to take its last act back and waits for an answer."""
    until: int | None = None
    """Number of acts that would remain after undoing everything that can be undone freely."""
    cause: str | None = None
    """Reason why no earlier act can be undone freely."""
    redo: bool = False
    """True if the side may redo an act."""


class LuckView(msgspec.Struct, frozen=True, kw_only=True):
    """The luck of a side over the whole game, including dice that were undone."""

    side: int
    label: str
    """Kind of roll, such as `hits`."""
    rolls: int
    got: int
    expected: str
    """The exact mean as a fraction."""
    mean: float
    """The exact mean, rounded to a number."""
    as_good: float | None = None
    """Share of repetitions of these rolls with at least this result; None if unknown."""
    as_bad: float | None = None
    """Share of repetitions of these rolls with at most this result; None if unknown."""


class GoneView(msgspec.Struct, frozen=True, kw_only=True):
    """A unit that has left the game."""

    id: int
    side: int
    name: str
    act: int
    """Number of the act in which the unit left."""


class LessonView(msgspec.Struct, frozen=True, kw_only=True):
    """The current words of a lesson."""

    id: str
    title: str
    number: int
    """Number of the lesson in the game, from 1."""
    of: int
    say: str
    step: int
    steps: int
    done: bool
    """True if the lesson is over."""
    next: str | None
    """The id of the next lesson."""


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
    """Versions of the server's programs."""

    wire: int
    engine: str
    rules: int


class View(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="view"):
    """A whole game for one reader."""

    schema_version: int = SCHEMA_VERSION
    seq: int
    """Number of this moment. Every change of the game increases the number by one."""
    game: str
    ruleset: str
    edition: str
    rules: dict[str, HouseValue]
    scenario: str
    you: int | None
    """The reader's side; None for an onlooker."""
    seats: tuple[SeatView, ...]
    act: int
    """Number of acts that are in force."""
    picture: Picture
    decisions: tuple[DecisionView, ...]
    """The decisions of the reader's side."""
    waiting_for: tuple[int, ...]
    """The sides that must still answer."""
    over: Outcome | None
    secret: bool = False
    """True if anything on the table or in an open question is hidden from some side now. A screen that two sides share
    then lowers a curtain when it changes hands.
    """
    kept_back: bool = False
    """True if the game is over but hidden information stays hidden until a side shows it."""
    undo: UndoView
    log: tuple[LogEntry, ...]
    luck: tuple[LuckView, ...] = ()
    dice: DiceWanted | None = None
    """Real dice that a person must throw and type in before the game continues."""
    lesson: LessonView | None = None
    unrated: str = ""
    """Reason why the game does not count for the strength of `you`; empty if it counts."""
    hints: bool = False
    """True if `you` may ask for a hint."""
    draw: int | None = None
    """The side that offers a draw, and waits for an answer."""
    talk: tuple[TalkLine, ...] = ()
    """Chat of the players; empty for onlookers."""
    hushed: tuple[int, ...] = ()
    """Sides that have muted the chat."""
    again: tuple[int, ...] = ()
    """The sides that have asked for a rematch."""
    clock: ClockRule | None = None
    """Agreed time limit of the sides. Other messages have the remaining time."""
    armies: tuple[str, ...] = ()
    """The chosen armies by side; empty for the scenario's own armies."""
    size: int | None = None
    """Chosen size of the battle; None for the scenario's own size."""
    gone: tuple[GoneView, ...] = ()
    """Units named in the log that have left the game."""
    fallen: tuple[Fallen, ...] = ()
    """Dice of log lines that are older than those in `log`."""
    as_recorded: str | None = None
    """Reason why the game cannot continue, and is shown only as recorded with one picture per turn. The reason is None
    if the game follows the present rules.
    """
    versions: Versions


def decision_view(id: str, decision: Decision, view: Any) -> DecisionView:
    """Return a decision with its choices, made from the view of its side."""
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
        picks=asked.picks or UNSET,
    )
