"""A computer player that chooses among numbered answers by the array, as one trained in an environment does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from caltrop.chance import Dice
from caltrop.engine import Decision
from caltrop.envs.candidates import DRAWS, candidates, check_draws
from caltrop.envs.layout import layout_of
from caltrop.envs.numbered import check_most, prepared, proposers_of, whole
from caltrop.journal import Setting
from caltrop.players import Budget, Player
from caltrop.players.protocol import UNBOUNDED

Choose = Callable[[NDArray[np.float32], NDArray[np.int8]], int]
"""Chooses a number by the array of an environment and its mask."""


class ByNumber:
    """A computer player that is asked as the agent of an environment is; made by `caltrop.envs.player`.

    Args:
        setting: What the games are: the layout of its arrays hangs on them.
        choose: Chooses.
        most: The most answers to a question.
        proposers: Players that add their answer where there are more than can be listed.
        draws: How many answers to an open choice are drawn.
    """

    def __init__(
        self,
        setting: Setting,
        choose: Choose,
        most: int,
        proposers: tuple[str | Callable[[], Player], ...],
        draws: int = DRAWS,
    ) -> None:
        self.choose, self.most, self.draws = choose, check_most(most), check_draws(draws)
        self.proposers = proposers_of(setting.ruleset, proposers)
        self.layout = layout_of(prepared(setting), most)

    def decide(self, decision: Decision, view: Any, dice: Dice, budget: Budget = UNBOUNDED) -> Any:
        """The answer whose number is chosen.

        Raises:
            ValueError: when a number is chosen that is masked, or anything that is no whole number.
        """
        options = decision.options(view)
        answers = candidates(decision, view, self.most, dice, self.proposers, self.draws, options)
        mask = np.zeros(self.most, np.int8)
        mask[: len(answers)] = 1
        number = whole(self.choose(self.layout.seen(view, decision.side, decision, answers, options), mask), self.most)
        if not 0 <= number < len(answers):
            raise ValueError(f"{number} is masked: there are the answers 0 to {len(answers) - 1}")
        return answers[number]
