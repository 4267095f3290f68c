"""A player of heaps that wins whenever it can."""

from __future__ import annotations

from typing import Any, ClassVar

from caltrop.chance import Dice
from caltrop.engine import Decision
from caltrop.players import UNBOUNDED, Budget
from heaps.rulebook import MOST, Take


class Counter:
    """Leaves a number of stones that loses for the other side."""

    rulesets: ClassVar[tuple[str, ...]] = ("heaps",)
    words: ClassVar[str] = "counts in fours"

    def decide(self, decision: Decision, view: Any, dice: Dice, budget: Budget = UNBOUNDED) -> Any:
        best = Take(view.stones % (MOST + 1))
        options = decision.options(view)
        return best if best in options else options.first()
