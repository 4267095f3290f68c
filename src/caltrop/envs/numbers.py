"""A computer player that chooses among numbered answers by an array, such as a policy trained in an environment."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from caltrop.asking import Heads
from caltrop.chance import Dice, Seeded
from caltrop.engine import Decision
from caltrop.envs.candidates import DRAWS, candidates, check_draws
from caltrop.envs.layout import layout_of
from caltrop.envs.numbered import HeadChoice, check_most, prepared, proposers_of, whole
from caltrop.journal import Setting
from caltrop.players import Budget, Player
from caltrop.players.protocol import UNBOUNDED

Choose = Callable[[NDArray[np.float32], NDArray[np.int8]], int]
"""A policy: returns a number for the array and the mask of an environment."""


class ByNumber:
    """A computer player that gets the arrays and masks of an environment; made by `caltrop.envs.player`.

    Args:
        setting: Setting of the games: the layout of its arrays depends on it.
        most: The largest number of answers to a question.
        proposers: Players that add their answer if there are more than can be listed.
        draws: Number of drawn answers to an open choice.
    """

    def __init__(
        self,
        setting: Setting,
        choose: Choose,
        most: int,
        proposers: tuple[str | Callable[[], Player], ...],
        draws: int = DRAWS,
        heads: bool = False,
    ) -> None:
        self.choose, self.draws, self.heads = choose, check_draws(draws), heads
        self.proposers = proposers_of(setting.ruleset, proposers)
        self.layout = layout_of(prepared(setting), draws if heads else check_most(most), heads)

    def decide(self, decision: Decision, view: Any, dice: Dice, budget: Budget = UNBOUNDED) -> Any:
        """Return the answer with the chosen number.

        Raises ValueError when a masked number is chosen, or something that is not an integer.
        """
        return (self._by_heads if self.heads else self._by_number)(decision, view, dice)

    def _by_number(self, decision: Decision, view: Any, dice: Dice) -> Any:
        options, most = decision.options(view), self.layout.most
        answers = candidates(decision, view, most, dice, self.proposers, self.draws, options)
        mask = np.zeros(most, np.int8)
        mask[: len(answers)] = 1
        number = whole(self.choose(self.layout.seen(view, decision.side, decision, answers, options), mask), most)
        if not 0 <= number < len(answers):
            raise ValueError(f"{number} is masked: there are the answers 0 to {len(answers) - 1}")
        return answers[number]

    def _by_heads(self, decision: Decision, view: Any, dice: Dice) -> Any:
        layout, options = self.layout, decision.options(view)
        seed = dice.below(1 << 30)
        tree = Heads(decision, options, lambda *about: Seeded(f"{seed} {about}"), self.draws)
        head = HeadChoice(tree, layout.kinds, layout.numbers)
        while True:
            mask = np.zeros(layout.numbers, np.int8)
            mask[list(head.means)] = 1
            array = layout.seen(view, decision.side, decision, head.answers, options)
            layout.write_head(array, head)
            number = whole(self.choose(array, mask), layout.numbers)
            if number not in head.means:
                raise ValueError(f"{number} is masked: there are {list(head.means)}")
            if head.last:
                return head.means[number]
            head = head.after(number)
