"""Try other answers to the questions of a recorded game, and tell which of them are better than the given ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from caltrop.chance import Common, Dice, Seeded
from caltrop.engine import State, answer, next_turn, redacted, rollout
from caltrop.engine.match import Point
from caltrop.lab import tried
from caltrop.lab.battle import RecordedBattle
from caltrop.lab.chances import Chances, share_of
from caltrop.lab.explanation import Trial
from caltrop.lab.tried import Try
from caltrop.players import Thinker, player, players
from caltrop.players.advice import adviser, reasons_for, stands
from caltrop.players.protocol import Player

PAIRS = 48
"""Largest number of games played to their end from each of two answers, to see which of them is better."""
SURE = 1.28
"""Number of standard errors by which a better answer must win more of these games: 90 % of a normal distribution."""
TURNS = 2
"""Number of turns for which a tried answer is played on: the rest of this turn, and the enemy's."""
STRONGEST = ("veteran", "regular", "random")
"""Players who propose other answers and play on, the best first; the first that the game has is used."""
ASKING = 0.3
"""Share of the work of judging decisions that goes into asking players for other answers, roughly."""
BATCH = 8
"""Number of such games after which an answer may be given up."""
LEAST = 0.02
"""Smallest gain of a better answer."""


class Alternatives:
    """Other answers to the questions of a battle."""

    def __init__(self, battle: RecordedBattle, chances: Chances) -> None:
        self.battle, self.chances = battle, chances

    def best(
        self, numbers: Sequence[int], others: int = 0, tell: Callable[[float], None] = lambda share: None
    ) -> dict[int, tuple[float, Any]]:
        """Return the best answer and its gain, for each act with an answer better than the given one.

        Args:
            numbers: The acts.
            others: Number of answers tried besides the commander's.
            tell: Called with the finished share of the work, from 0 to 1.
        """
        free = [number for number in numbers if self.battle.is_free(number)]
        tries: dict[tuple[int, int], Try] = {}
        actions: dict[tuple[int, int], Any] = {}
        # Each side has one commander, who plans a turn once and keeps the plan while the acts follow it.
        advisers = [adviser(self.battle.rules.name) for _ in self.battle.sides]
        for step, number in enumerate(sorted(free)):
            tell(ASKING * step / len(free))
            given: dict[int, float] = {}
            for n, action in enumerate(self._others(number, others, advisers[self.battle.points[number].side])):
                actions[number, n] = action
                tries[number, n] = partial(self._gain, self.battle.points[number], given, action)
        gains = tried.better(tries, LEAST, lambda share: tell(ASKING + (1 - ASKING) * share))
        best: dict[int, tuple[float, Any]] = {}
        for (number, n), gain in gains.items():
            if number not in best or gain > best[number][0]:
                best[number] = (gain, actions[number, n])
        return best

    def reasons(self, point: Point, action: Any) -> list[str]:
        """Return the reasons for an answer, each in a few words."""
        view = redacted(point.state, point.side)
        who = player(strongest(self.battle.rules.name), self.battle.rules.name)
        return reasons_for(self.battle.rules, point.state.asked[point.index], view, action, who)[1]

    def differing(self, point: Point, action: Any, other: Any) -> list[str]:
        """Return the reasons for an answer that are not also reasons for another answer with the same words."""
        mine, others = self.reasons(point, action), self.reasons(point, other)
        reasons = [one for one in mine if one not in others]
        (far, there), (elsewhere, _) = self._stands(point, action), self._stands(point, other)
        moved = there and abs(far - elsewhere) >= self.battle.table(point.state).scale
        return [there, *reasons] if moved else reasons

    def _stands(self, point: Point, action: Any) -> tuple[int, str]:
        t = point.state.clone()
        answer(t, Common("stands"), point.index, action)
        return stands(self.battle.table(point.state), self.battle.table(t), point.side)

    def to_the_end(self, point: Point, action: Any) -> Trial | None:
        """Play another answer and the given one on to the end of the battle with the same dice.

        An answer that wins more is asked about again with new dice, because it was chosen by the first games.

        Returns:
            The results with the new dice, or None if the other answer does not surely win more of the games.
        """
        return self._compared(point, action, 0) and self._compared(point, action, PAIRS)

    def _compared(self, point: Point, action: Any, start: int) -> Trial | None:
        """Return the results of both answers with the dice of `PAIRS` games; None if the other is not surely better.

        Args:
            start: Number of the first game.
        """
        better: list[float] = []
        given: list[float] = []
        mean = error = 0.0
        for first in range(start, start + PAIRS, BATCH):
            for n in range(first, first + BATCH):
                better.append(self._played_to_the_end(point, action, n))
                given.append(self._played_to_the_end(point, point.action, n))
            mean, error = tried.gain_of([one - other for one, other in zip(better, given, strict=True)])
            # More games would hardly turn a loss into a sure gain, or a large gain into none.
            if mean <= 0 or (first > start and mean > 2 * SURE * error):
                break
        games = len(given)
        return Trial(games, sum(better) / games, sum(given) / games) if mean > SURE * error else None

    def _played_to_the_end(self, point: Point, action: Any, n: int) -> float:
        """Play an answer and the rest of the battle, and return the acting side's result: 1 for a win, 0 for a loss."""
        t = point.state.clone()
        self._go_on(t, point, action, Common(f"to the end {n}"), lambda _: False)
        return share_of(None if t.over is None else t.over.winner, len(self.battle.sides))[point.side]

    def _go_on(self, t: State, point: Point, action: Any, dice: Dice, until: Callable[[State], bool]) -> None:
        answer(t, dice, point.index, action)
        who = strongest(self.battle.rules.name)
        rollout(t, [player(who, self.battle.rules.name).decide for _ in self.battle.sides], until, dice)

    def _others(self, number: int, others: int, commander: Player) -> list[Any]:
        """Return the answers other than the given one that a commander and a veteran propose."""
        point = self.battle.points[number]
        decision = point.state.asked[point.index]
        view = redacted(point.state, point.side)
        name = self.battle.rules.name
        answers = [commander.decide(decision, view, Seeded(f"{number} advice"))]
        if others:
            thinker = Thinker(player(strongest(name), name), self.battle.rules)
            answers += [one.action for one in thinker.rank(decision, view, others + 1, Seeded(f"{number} rank"))]
        return [one for n, one in enumerate(answers) if one != point.action and one not in answers[:n]]

    def _gain(self, point: Point, given: dict[int, float], action: Any, n: int) -> float:
        """Return the gain of another answer over the given one, with the dice of a try.

        Args:
            given: Results of the given answer by number of the try; a missing result is computed and added.
        """
        if n not in given:
            given[n] = self._played_on(point, point.action, n)
        return self._played_on(point, action, n) - given[n]

    def _played_on(self, point: Point, action: Any, n: int) -> float:
        """Play an answer and some turns with the dice of a try, and return the chance of the acting side."""
        t = point.state.clone()
        answered = Common(f"on {n}")
        self._go_on(t, point, action, answered, next_turn(self.battle.rules.turn, t, TURNS))
        return self.chances.of(t, f"on {n}")[point.side]


def strongest(game: str) -> str:
    """Return the name of the game's strongest player that proposes other answers and plays on."""
    return next(one for one in STRONGEST if one in players(game))
