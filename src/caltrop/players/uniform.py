"""The player that answers at random."""

from __future__ import annotations

from typing import Any, ClassVar

from caltrop.chance import Dice
from caltrop.engine import Decision
from caltrop.players.protocol import UNBOUNDED, Budget


class Uniform:
    """A player that draws each answer at random from the legal options."""

    words: ClassVar[str] = "takes any legal act"

    def decide(self, decision: Decision, view: Any, dice: Dice, budget: Budget = UNBOUNDED) -> Any:
        return decision.options(view).sample(dice)
