"""Estimate the chances of winning in a position of a recorded game, at its next real decision and over its dice."""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt
from typing import NamedTuple

from caltrop.chance import Dice, Seeded, every_result
from caltrop.engine import Decision, Ruleset, State, answer, at_random, redacted, rollout
from caltrop.engine.store import digest
from caltrop.players import chance_of, evaluation, player, players
from caltrop.players.protocol import forked

ALL = 64
"""Largest number of dice results that are all evaluated. Rolls that the rules do not tell apart are one result."""
DRAWN = 64
"""Number of random dice results that are evaluated if there are more than `ALL`."""
PLAYOUTS = 24
"""Number of games played to their end to estimate a chance, for a ruleset without a fitted estimate."""
SETTLES = ("regular", "random")
"""Players who answer questions that settle dice; the first that the game has is used."""
SAME = 1e-9
"""Largest difference between chances after equal results of dice."""
ON_THE_WAY = 400
"""Number of forced answers after which a position is evaluated as it is."""


class OverDice(NamedTuple):
    """The chances of winning after a process, over the results of its dice."""

    results: list[tuple[tuple[float, ...], float]]
    """Each side's chance after each result, with the probability of that result."""
    error: float
    """Standard error of the first side's mean; 0 if all results were evaluated."""

    @property
    def mean(self) -> tuple[float, ...]:
        """Each side's chance, averaged over the dice."""
        sides = range(len(self.results[0][0]))
        return tuple([sum([chances[side] * weight for chances, weight in self.results]) for side in sides])

    def likely(self, side: int, chance: float) -> float:
        """Return the probability of a result at least as good for a side as a chance; as bad if that is below the mean.

        >>> OverDice([((0.2,), 0.5), ((0.4,), 0.25), ((0.6,), 0.25)], 0.0).likely(0, 0.4)
        0.5
        >>> OverDice([((0.2,), 0.5), ((0.4,), 0.25), ((0.6,), 0.25)], 0.0).likely(0, 0.2)
        0.5
        """
        good = chance >= self.mean[side]
        held = [
            weight
            for chances, weight in self.results
            if abs(chances[side] - chance) < SAME or (chances[side] > chance) == good
        ]
        return min(1.0, sum(held))


class Chances:
    """Estimates of the chances of winning, by a fitted estimate or by games that are played to their end.

    Args:
        sides: Number of sides.
    """

    def __init__(self, rules: Ruleset, sides: int) -> None:
        self.rules, self.sides = rules, sides
        self.fitted = evaluation(rules.name) is not None and sides == 2
        """True if the ruleset has a fitted estimate."""
        self.settler = player(next(name for name in SETTLES if name in players(rules.name)), rules.name)
        """Player who answers questions that settle dice."""
        self._estimates: dict[str, float] = {}
        """Estimates for the first side by the digest of the state: many results of dice lead to the same state."""

    def of(self, t: State, key: str) -> tuple[float, ...]:
        """Return each side's chance to win.

        Args:
            key: Seed for games that are played to their end.
        """
        over = t.over
        if over is not None:
            return share_of(over.winner, self.sides)
        if self.fitted:
            state = digest(t)
            if state not in self._estimates:
                self._estimates[state] = chance_of(self.rules, t, 0, Seeded(key))
            first = self._estimates[state]
            return (first, 1 - first)
        won = [0.0] * self.sides
        policies = [at_random] * self.sides
        for n in range(PLAYOUTS):
            twin = t.clone()
            # All compared states get the same dice, so only the states differ.
            rollout(twin, policies, lambda _: False, Seeded(f"analysis {n}"))
            over = twin.over
            for side in range(len(won)):
                won[side] += (
                    1 / len(won) if over is None or over.winner is None else float(over.winner == side)
                ) / PLAYOUTS
        return tuple(won)

    def worth(self, t: State, key: str) -> tuple[float, ...]:
        """Return each side's chance to win at the next real decision.

        Args:
            key: Seed for dice on the way there, and for games that are played to their end.
        """
        if t.over is not None or not self._is_settling(t):
            return self.of(t, key)
        return self.over_dice(lambda dice: self.settled(t.clone(), dice), key).mean

    def _is_settling(self, t: State) -> bool:
        return t.over is None and bool(t.asked) and (waiting(t).settles or not has_choice(t))

    def settled(self, t: State, dice: Dice) -> State:
        """Play on to the next real decision: forced answers, and answers to questions that settle dice; return *t*."""
        for step in range(ON_THE_WAY):
            if not self._is_settling(t):
                break
            asked, index = waiting(t), t.answers.index(None) if len(t.asked) > 1 else 0
            view = redacted(t, asked.side)
            options = asked.options(view)
            # The player has its own dice, because the game's dice are examined one by one.
            action = forked(self.settler).decide(asked, view, Seeded(step)) if options.several() else options.first()
            answer(t, dice, index, action)
        return t

    def over_dice(self, do: Callable[[Dice], State], key: str) -> OverDice:
        """Return the chances after a process over the results of its dice."""
        every = every_result(do, ALL)
        if every is not None:
            return OverDice([(self.of(t, f"{key} {n}"), float(chance)) for n, (t, chance) in enumerate(every)], 0.0)
        some = [(self.of(do(Seeded(f"{key} dice {n}")), f"{key} {n}"), 1 / DRAWN) for n in range(DRAWN)]
        mean = sum([chance[0] for chance, _ in some]) / DRAWN
        spread = sum([(chance[0] - mean) ** 2 for chance, _ in some]) / (DRAWN - 1)
        return OverDice(some, sqrt(spread / DRAWN))


def has_choice(t: State, index: int | None = None) -> bool:
    """Return whether a question has several answers.

    Args:
        index: Number of the question among those that are asked now; by default the first that is not answered.
    """
    asked = waiting(t) if index is None else t.asked[index]
    return asked.options(redacted(t, asked.side)).several()


def waiting(t: State) -> Decision:
    """Return the first question that is not answered."""
    return t.asked[0] if len(t.asked) == 1 else t.asked[t.answers.index(None)]


def share_of(winner: int | None, sides: int) -> tuple[float, ...]:
    """Return the share of a battle that each side won; a draw is shared.

    >>> share_of(1, 2), share_of(None, 2)
    ((0.0, 1.0), (0.5, 0.5))
    """
    return tuple([1 / sides if winner is None else float(winner == side) for side in range(sides)])
