"""The player that takes any option."""

from __future__ import annotations

from typing import Any, ClassVar

from caltrop.chance import Dice
from caltrop.engine import Decision
from caltrop.players.protocol import UNBOUNDED, Budget


class Uniform:
    """Takes a sample of the options, without a thought."""

    words: ClassVar[str] = "takes any legal act"

    def decide(self, decision: Decision, view: Any, dice: Dice, budget: Budget = UNBOUNDED) -> Any:
        return decision.options(view).sample(dice)
