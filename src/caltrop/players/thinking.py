"""What a player needs that thinks ahead: candidates with priors, chances of winning, worlds, and copies of itself.

Everything here goes for every game and every player. It looks at no more than a side's view, keeps the player that it
is given as it is, and counts the positions that it looks at, so that a budget of nodes holds.
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
"""Positions that are looked at where the budget leaves it open."""
LISTED = 24
"""Options that are listed at most; of the others some are drawn."""
WORLDS = 3
"""Worlds in which a candidate is tried where something is hidden or dice may fall; fewer where the budget is small."""
SHARP = 0.04
"""By how much better a candidate has to be to count about three times as much."""
OWN = 3.0
"""Number of times as much a candidate counts that the player itself would take."""


class Candidate(NamedTuple):
    """An answer that may be worth a thought."""

    action: Any
    prior: float
    """How much of the thinking it deserves; those of all candidates sum to 1."""
    chance: float
    """The chance of winning after it, as it is estimated."""


def worlds(ruleset: Ruleset, view: Any, side: int, count: int, dice: Dice) -> list[Any]:
    """States that agree with what a side has seen; what is hidden from it is drawn anew for each.

    Args:
        ruleset: The rulebook.
        view: The state as the side sees it.
        side: The side.
        count: Number of them.
        dice: Decide what is drawn.
    """
    return [ruleset.guess(view, side, dice).clone() for _ in range(count)]


def chance_of(ruleset: Ruleset, t: State, side: int, dice: Dice, playouts: int = 16) -> float:
    """Return how likely a side is to win from a state, a draw counting half.

    It comes from what was fitted to the game; if nothing was, from games played on at random.

    Args:
        ruleset: The rulebook.
        t: The state, or the side's view of it if nothing in it is hidden that the rules need.
        side: The side.
        dice: Those of the games that are played on.
        playouts: How many of them.
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
    """A player with what thinking ahead needs.

    Args:
        player: Any player of the game. It is asked what it would do, and remembers nothing of being asked.
        ruleset: The rulebook.
    """

    def __init__(self, player: Player, ruleset: Ruleset) -> None:
        self.player, self.ruleset = player, ruleset

    def decide(self, decision: Decision, view: Any, dice: Dice, budget: Budget = UNBOUNDED) -> Any:
        """Return what the player answers."""
        return self.player.decide(decision, view, dice, budget)

    def fork(self) -> Thinker:
        """Return the same with a player of its own that knows what this one knows."""
        return Thinker(forked(self.player), self.ruleset)

    def evaluate(self, view: Any, side: int, dice: Dice | None = None, budget: Budget = UNBOUNDED) -> float:
        """Return how likely a side is to win, a draw counting half.

        Args:
            view: The state as the side sees it.
            side: The side.
            dice: Those of worlds and of games that are played on; always the same where they are left out.
            budget: Number of positions or games may be looked at.
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
        """Return the answers that deserve a thought, the likeliest first.

        What the player would do is among them. Every candidate is tried in the same worlds with the same dice, to the
        next question, and what comes of it is evaluated.

        Args:
            decision: What is asked; its side is whose view it is.
            view: The state as that side sees it, which is not changed.
            k: Number of candidates at most.
            dice: Draw candidates, worlds and rolls; always the same where they are left out.
            budget: Number of positions that may be looked at.
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
            # A long list begins with what is alike: the others are drawn from everywhere.
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
        """Return the mean chance after an answer, over worlds with dice of their own."""
        total = 0.0
        for world, seed in zip(some, seeds, strict=True):
            t = world.clone()
            index = next(i for i, d in enumerate(t.asked) if d == decision and t.answers[i] is None)
            dice = Seeded(f"{seed} dice")
            answer(t, dice, index, action)
            total += chance_of(self.ruleset, t, decision.side, dice, 4)
        return total / len(some)
