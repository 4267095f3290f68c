"""The protocol of computer players, and the budget for their thinking."""

from __future__ import annotations

from copy import copy
from typing import Any, Protocol, TypeVar

import msgspec

from caltrop.chance import Dice
from caltrop.engine import Decision


class Budget(msgspec.Struct, frozen=True):
    """A limit to a player's thinking about one decision."""

    nodes: int | None = None
    """Largest number of positions to look at. With None the player decides; with 0 it follows its current plan."""
    seconds: float | None = None
    """Time limit in seconds, for a game with a person; None for no limit.

    A reproducible game has no time limit.
    """


P = TypeVar("P")

UNBOUNDED = Budget()
"""A budget without limits besides those of the player's level."""


class Player(Protocol):
    """A player that decides for one side.

    A player may remember what it has seen in a game; a new player is made for every game. Equal views, decisions, dice
    and budgets give equal answers.
    """

    def decide(self, decision: Decision, view: Any, dice: Dice, budget: Budget = UNBOUNDED) -> Any:
        """Answer a decision.

        Args:
            decision: The question to the player's side.
            view: The state as that side sees it; it must not be changed. `caltrop.engine.imagined` thinks ahead from
                this state.
            dice: The player's own dice, separate from those of the game.
            budget: Limit to the player's thinking.

        Returns:
            One of the decision's options.
        """
        ...


def forked(player: P) -> P:
    """Return an independent copy of a player, including its memory of the game.

    If the player has no method `fork`, its lists, sets and mappings are copied.
    """
    own = getattr(player, "fork", None)
    if own is not None:
        fork: P = own()
        return fork
    twin = copy(player)
    # A compiled player has no `__dict__`.
    state = player.__getstate__()
    for attributes in state if isinstance(state, tuple) else (state,):
        for name, value in (attributes or {}).items():
            if isinstance(value, list | dict | set):
                setattr(twin, name, copy(value))
    return twin
