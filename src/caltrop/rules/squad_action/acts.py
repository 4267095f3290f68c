"""The kinds of action of a unit (SQ-ACT), and the common base of all acts.

The module of each act adds the act to `ACTS`, so that `turn` and `overwatch` can offer every act without importing its
module.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated, Any, ClassVar, Literal

from caltrop.asking import Act, Choices, Pick, Proposal, Wish
from caltrop.chance import Dice
from caltrop.engine import Procedure, Refusal, guard
from caltrop.geometry import Point
from caltrop.rules.squad_action.records import Firefight

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
"""The corners of a path, the start first."""

Paths = tuple[tuple[int, Path], ...]
"""The path of each moving model, by the model's number."""

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
"""Names of announced actions, as shown to players."""

MOST_WAYS = 100
"""Largest number of combinations that are all offered. Of more, only some are; all stay legal."""

UNDONE = "undone"
"""Result of an act that an interruption has made impossible without stopping the unit."""
NOT_YOURS = guard("SQ-ORG-04", "not-yours", "This unit is not one of yours")


def name_of(t: Firefight, unit: int | None) -> str:
    return t.units[unit].name if unit is not None and 0 <= unit < len(t.units) else "This"


def named(t: Firefight, it: int) -> str:
    return name_of(t, it)


class UnitAct(Act, frozen=True):
    unit: Annotated[int, Pick(lambda o: (o.unit,), NOT_YOURS, named)]

    kind: ClassVar[Kind]

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        ACTS[cls.kind] = (*ACTS.get(cls.kind, ()), cls)

    def procedure(self, t: Firefight, *, token: bool = False, before: int = 0) -> Procedure:
        """Return the procedure of the act. Before the procedure rolls dice, enemies on overwatch may interrupt it
        (`overwatch.Interruptions`).

        Args:
            token: True if an overwatch token pays for the act.
            before: Only units that went on overwatch before this number may interrupt; 0 for all (SQ-S34).
        """
        raise NotImplementedError(type(self).__name__)

    @classmethod
    def is_open_to(cls, t: Firefight, unit: int) -> bool:
        """Return whether a unit could still do the act in its activation. If not, the act is not offered."""
        return True


ACTS: dict[Kind, tuple[type[UnitAct], ...]] = {}
"""Every act by its kind, filled by the modules of the acts."""


class Doings(Choices):
    """The acts that a unit may do with an action.

    Args:
        second: True if the unit has already done an action in this activation.
        kinds: Kinds of action, in canonical order.

    Attributes:
        at: The only enemy whose shots are listed; None for all enemies.
    """

    at: int | None = None

    def __init__(self, t: Firefight, unit: int, second: bool = False, kinds: Iterable[Kind] = KINDS_OF_ACT) -> None:
        super().__init__(t, t.units[unit].side if 0 <= unit < len(t.units) else -1, unit=unit)
        self.unit, self.second, self.kinds = unit, second, tuple(kinds)
        self.acts: tuple[Any, ...] = tuple([act for kind in kinds for act in ACTS.get(kind, ())])

    def refusal(self, action: Any) -> Refusal | None:
        refusal: Refusal | None = action.why(self)
        return refusal and refusal.towards(action.nearest(self))

    def ending(self) -> Act | None:
        """Return None, because no act of another kind is similar."""
        return None

    def of_kind(self, kind: Kind) -> Iterator[Any]:
        for act in ACTS[kind]:
            yield from self.of(act)

    def drawn(self, kind: Kind, dice: Dice) -> Any:
        """Return a random legal act of a kind, or None if none was found."""
        return next((draw for act in ACTS[kind] if (draw := act.random(self, dice)) is not None), None)

    def proposed(self, wish: Wish) -> Proposal | None:
        proposals = (act.propose(self, wish) for act in as_dragged(self.acts))
        return next((one for one in proposals if one is not None), None)


def as_dragged(acts: Sequence[Any]) -> list[Any]:
    """Return acts in the order to try for a drag: an assault before a move if the drag ends on an enemy."""
    return sorted(acts, key=lambda act: getattr(act, "kind", "") != "assault")
