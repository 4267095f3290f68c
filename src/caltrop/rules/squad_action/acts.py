"""What a unit can do with an action (SQ-ACT): the acts as records, and the register of their kinds.

A chapter that describes a kind of act registers it here, so that the turn and overwatch, which let units act, know
every kind and depend on none.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, Literal

from caltrop.asking import Offer, PickedUp, Proposal, Region, Wish
from caltrop.chance import Dice
from caltrop.engine import Action, Procedure, Refusal
from caltrop.geometry import Point
from caltrop.rules.squad_action.fight import Firefight

Kind = Literal["move", "shoot", "overwatch", "assault", "transport", "mission", "smoke", "rally"]
"""The eight actions of the book (SQ-ACT-01 to 08)."""

KINDS_OF_ACT: tuple[Kind, ...] = (
    "move",
    "shoot",
    "overwatch",
    "assault",
    "transport",
    "mission",
    "smoke",
    "rally",
)

Path = tuple[Point, ...]
"""A polyline, its start first."""

Paths = tuple[tuple[int, Path], ...]
"""The path of each model that moves, by its id; the others stay."""

IN_WORDS: dict[Kind, str] = {
    "move": "Move",
    "shoot": "Shoot",
    "overwatch": "Go on overwatch",
    "assault": "Enter close quarters",
    "transport": "Board or leave a transport",
    "mission": "Call a fire mission",
    "smoke": "Lay smoke",
    "rally": "Rally",
}


IN_SHORT: dict[Kind, str] = {
    "move": "move",
    "shoot": "shoot",
    "overwatch": "overwatch",
    "assault": "close quarters",
    "transport": "transport",
    "mission": "fire mission",
    "smoke": "smoke",
    "rally": "rally",
}
"""As what is announced is told."""


class Move(Action, frozen=True):
    """Move a unit, or turn a machine on the spot."""

    unit: int
    paths: Paths
    """Of each model that moves. Who enters from reserve begins at the edge of the table."""
    heading: Point | None = None
    """Where a machine's front faces at the end; where its way led if it is left out."""
    jump: bool = False
    """Whether Jump Infantry uses its packs."""
    off: bool = False
    """Whether the unit leaves the table where its ways end."""


class Shoot(Action, frozen=True):
    """Shoot."""

    unit: int
    fire: tuple[tuple[str, int], ...]
    """Which weapons fire at which unit, in the order in which they are resolved; a gun by the way in which it fires."""


class Watch(Action, frozen=True):
    """Go on overwatch: it ends what the unit does."""

    unit: int


class Assault(Action, frozen=True):
    """Enter close quarters."""

    unit: int
    targets: tuple[int, ...]
    """One enemy unit, or two (SQ-CQS-10)."""
    paths: Paths
    jump: bool = False
    partners: tuple[int, ...] = ()
    """Units that assault the same enemy together with this one, in their order: the second, the third (SQ-CQS-07)."""


class Board(Action, frozen=True):
    """Board a transport."""

    unit: int
    vehicle: int


class Alight(Action, frozen=True):
    """Leave a transport."""

    unit: int
    places: tuple[tuple[int, Point], ...]
    """Where each model stands afterwards."""


class CallFire(Action, frozen=True):
    """Call for a fire mission."""

    unit: int
    aim: Point | None = None
    """Where a mortar or sustained fire is aimed. Off-board fire is marked once its asset is known: a place named before
    that is offered then, and binds nobody."""
    target: int | None = None
    """The enemy unit that is named with the aim, for sustained fire."""
    mortar: int | None = None
    """The mortar unit on the table that fires; None for what is off the board."""


class LaySmoke(Action, frozen=True):
    """Lay smoke."""

    unit: int
    at: Point


class Rally(Action, frozen=True):
    """Try to un-pin: the unit itself, or as its Officer's act a friend near by."""

    unit: int
    friend: int | None = None


Act = Move | Shoot | Watch | Assault | Board | Alight | CallFire | LaySmoke | Rally
"""Anything that a unit does with an action."""


class ActKind(ABC):
    """A kind of act: who may do it, how, and what it leads to. Its `name` is its key in `ACTS`."""

    name: ClassVar[Kind]
    types: ClassVar[tuple[type[Action], ...]]
    """The records of its acts; each has the field `unit`."""

    @abstractmethod
    def refusal(self, t: Firefight, act: Any, second: bool) -> Refusal | None:
        """Why a unit may not do this now, None where it may; with the nearest legal act of its kind where there is one.

        Args:
            t: The firefight.
            act: The act.
            second: Whether the unit has carried out an action in this activation.
        """

    @abstractmethod
    def acts(self, t: Firefight, unit: int, second: bool) -> Iterator[Any]:
        """Finitely many legal acts of a unit, in canonical order: all of a finite choice, a good sample of an open one.

        It is lazy: the first is there before the others are looked for.
        """

    @abstractmethod
    def procedure(self, t: Firefight, act: Any, token: bool, before: int) -> Procedure:
        """What carries the act out; before it rolls anything it lets watchers break in (`overwatch.Interruptions`).

        Args:
            t: The firefight.
            act: The act.
            token: Whether a token of overwatch was turned over for it.
            before: Only those who went on overwatch before this may break in; 0 for everybody (SQ-S34).
        """

    def is_open_to(self, t: Firefight, unit: int) -> bool:
        """Whether a unit could come to do this later in its activation: else nobody is offered it."""
        return True

    def sample(self, t: Firefight, unit: int, second: bool, dice: Dice) -> Any:
        """A legal act drawn by chance, None where none was found."""
        every = tuple(self.acts(t, unit, second))
        return every[dice.below(len(every))] if every else None

    def offers(self, t: Firefight, unit: int, second: bool) -> Sequence[Offer]:
        """The finite choices, ready to be shown; their actions are acts."""
        return ()

    def regions(self, t: Firefight, unit: int, second: bool) -> Sequence[Region]:
        """The open choices."""
        return ()

    def propose(self, t: Firefight, wish: Wish, second: bool) -> Proposal | None:
        """What a drag comes to, None where it is no drag of this kind; its action is an act."""
        return None

    def pick_up(self, t: Firefight, unit: int, act: str, second: bool) -> PickedUp | None:
        """What is around a unit that is picked up for an act of this kind."""
        return None


ACTS: dict[Kind, ActKind] = {}
"""Every kind of act, by name; filled by the chapters."""


def kind_of_act(act: Any) -> Kind:
    """The kind that an act is of."""
    for name, kind in ACTS.items():
        if isinstance(act, kind.types):
            return name
    raise TypeError(f"{act!r} is no act")


def register(kind: ActKind) -> ActKind:
    """Enter a kind of act."""
    ACTS[kind.name] = kind
    return kind
