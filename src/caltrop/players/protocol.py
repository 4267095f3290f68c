"""The protocol of players."""

from __future__ import annotations

from copy import copy
from typing import Any, Protocol, TypeVar

import msgspec

from caltrop.chance import Dice
from caltrop.engine import Decision


class Budget(msgspec.Struct, frozen=True):
    """A limit to a player's thinking about one decision."""

    nodes: int | None = None
    """Largest number of positions to look at; None leaves it to the player. With 0 it follows its current plan."""
    seconds: float | None = None
    """Time limit while a person waits; None for as long as the nodes take. Games that must be reproducible have no time
    limit.
    """


P = TypeVar("P")

UNBOUNDED = Budget()
"""No limit besides that of the player's level."""


class Player(Protocol):
    """The one who decides for a side.

    A player may remember what it has seen in a game; a new one is made for every game. Equal views, decisions, dice
    and budgets give equal answers.
    """

    def decide(self, decision: Decision, view: Any, dice: Dice, budget: Budget = UNBOUNDED) -> Any:
        """Answer a decision.

        Args:
            decision: The question; its side is the player's.
            view: The state as that side sees it, not to be changed. `caltrop.engine.imagined` thinks ahead from it.
            dice: The player's own dice, which are not those of the game.
            budget: Amount that it may think.

        Returns:
            One of the decision's options.
        """
        ...


def forked(player: P) -> P:
    """Return a player that knows what this one knows, and shares no memory with it.

    A player may have a method `fork` that says how; else a copy is made, with its own lists and mappings.
    """
    own = getattr(player, "fork", None)
    if own is not None:
        fork: P = own()
        return fork
    twin = copy(player)
    for name, value in vars(player).items():
        if isinstance(value, list | dict | set):
            setattr(twin, name, copy(value))
    return twin
