"""Tools for players that think ahead: candidates with priors, chances of winning, worlds, and copies of players.

The methods here work for every game and player. They use only a side's view, leave the given player unchanged, and
count the positions that they look at, so that a budget of nodes is kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from math import exp
from typing import Any, NamedTuple

from caltrop.chance import Dice, Seeded
from caltrop.engine import Decision, Ruleset, State, answer, at_random, rollout
from caltrop.players.evaluation import evaluation
from caltrop.players.protocol import UNBOUNDED, Budget, Player, forked

NODES = 64
"""Number of positions to look at if the budget has no limit."""
LISTED = 24
"""Largest number of options that are considered. From a longer list, some are drawn at random."""
WORLDS = 3
"""Number of worlds in which a candidate is tried. A small budget allows fewer worlds."""
SHARP = 0.04
"""Difference in the chance of winning that increases a candidate's weight by a factor of about 2.7."""
OWN = 3.0
"""Factor for the weight of the player's own choice."""


class Candidate(NamedTuple):
    """An answer to a decision, with its prior and its estimated result."""

    action: Any
    prior: float
    """Share of the thinking that goes to this candidate. The shares of all candidates add up to 1."""
    chance: float
    """Estimated chance of winning after this answer."""


def worlds(ruleset: Ruleset, view: Any, side: int, count: int, dice: Dice) -> list[Any]:
    """Return states that agree with a side's view, each with random hidden parts.

    Args:
        view: The state as the side sees it.
        dice: Dice that decide the hidden parts.
    """
    return [ruleset.guess(view, side, dice).clone() for _ in range(count)]


def chance_of(ruleset: Ruleset, t: State, side: int, dice: Dice, playouts: int = 16) -> float:
    """Return a side's chance of winning from a state; a draw counts half.

    The estimate comes from the game's fitted evaluation, or from random games if no evaluation was fitted.

    Args:
        t: The state, or the side's view if the rules need nothing hidden in it.
        dice: Dice for the random games.
        playouts: Number of random games, if the game has no fitted evaluation.
    """
    over = t.over
    if over is not None:
        return 0.5 if over.winner is None else float(over.winner == side)
    judge = evaluation(ruleset.name)
    if judge is not None:
        return judge.chance(t, side)
    won = 0.0
    policies = [at_random] * (1 + max([side, *[d.side for d in t.asked], t.active, 1]))
    for _ in range(playouts):
        twin = t.clone()
        rollout(twin, policies, lambda _: False, dice)
        over = twin.over
        won += 0.5 if over is None or over.winner is None else float(over.winner == side)
    return won / playouts


class Thinker:
    """A player with the tools for thinking ahead.

    Args:
        player: Any player of the game; it is not changed.
    """

    def __init__(self, player: Player, ruleset: Ruleset) -> None:
        self.player, self.ruleset = player, ruleset

    def decide(self, decision: Decision, view: Any, dice: Dice, budget: Budget = UNBOUNDED) -> Any:
        return self.player.decide(decision, view, dice, budget)

    def fork(self) -> Thinker:
        return Thinker(forked(self.player), self.ruleset)

    def evaluate(self, view: Any, side: int, dice: Dice | None = None, budget: Budget = UNBOUNDED) -> float:
        """Return a side's chance of winning; a draw counts half.

        Args:
            view: The state as the side sees it.
            dice: Dice that choose hidden parts of states and play random games; by default of a fixed seed.
            budget: Limit for the number of positions or games.
        """
        dice = Seeded("evaluate") if dice is None else dice
        if view.over is not None or evaluation(self.ruleset.name) is not None:
            return chance_of(self.ruleset, view, side, dice)
        count = max(1, min(16, budget.nodes or 16))
        some = worlds(self.ruleset, view, side, count, dice)
        return sum([chance_of(self.ruleset, t, side, dice, 1) for t in some]) / count

    def rank(
        self, decision: Decision, view: Any, k: int, dice: Dice | None = None, budget: Budget = UNBOUNDED
    ) -> list[Candidate]:
        """Return the most promising answers, the most probable first.

        The player's own choice is always among them. Every candidate is played to the next question, in the same worlds
        with the same dice, and the result is evaluated.

        Args:
            decision: The question to the side with this view.
            view: The state as that side sees it; it is not changed.
            dice: Dice for candidates, worlds and rolls; by default always the same.
            budget: Limit for the number of positions.
        """
        dice = Seeded("rank") if dice is None else dice
        nodes = max(1, NODES if budget.nodes is None else budget.nodes)
        first = forked(self.player).decide(decision, view, dice, budget)
        options = decision.options(view)
        actions = [first]
        for action in islice(options, LISTED):
            if action not in actions:
                actions.append(action)
        if len(actions) >= LISTED:
            # Similar options may be adjacent at the beginning of a long list, so the other candidates are drawn from
            # the whole list.
            drawn = [options.sample(dice) for _ in range(LISTED // 2)]
            actions = [first]
            for action in drawn:
                if action not in actions:
                    actions.append(action)
        actions = actions[:nodes]
        count = max(1, min(WORLDS, nodes // len(actions)))
        seeds = [f"rank {dice.below(1 << 48)}" for _ in range(count)]
        some = [self.ruleset.guess(view, decision.side, Seeded(seed)) for seed in seeds]
        chances = [self._after(decision, action, some, seeds) for action in actions]
        most = max(chances)
        weights = [exp((c - most) / SHARP) * (OWN if n == 0 else 1.0) for n, c in enumerate(chances)]
        order = sorted(range(len(actions)), key=lambda n: (-weights[n], n))[: max(1, k)]
        if 0 not in order:
            order[-1] = 0
        total = sum([weights[n] for n in order])
        return [Candidate(actions[n], weights[n] / total, chances[n]) for n in order]

    def _after(self, decision: Decision, action: Any, some: Sequence[Any], seeds: Sequence[str]) -> float:
        """Return the mean chance of winning after an answer over several worlds, each with its own dice."""
        total = 0.0
        for world, seed in zip(some, seeds, strict=True):
            t = world.clone()
            index = next(i for i, d in enumerate(t.asked) if d == decision and t.answers[i] is None)
            dice = Seeded(f"{seed} dice")
            answer(t, dice, index, action)
            total += chance_of(self.ruleset, t, decision.side, dice, 4)
        return total / len(some)
