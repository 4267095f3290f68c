"""Explain a recorded game: the chances after each act, luck and skill, and the turning points.

The chance of winning is estimated before the first act and after each (`caltrop.players.chance_of`). An act changes it
in two parts. The value of the act is the mean of the chances over all results of its dice. *Play* is that value less
the chance before; *luck* is the chance after the actual dice less that value. So the sum of luck and play is the last
chance less the first, however the chances were estimated. Results of dice that the rules do not distinguish count as
one. All results are evaluated if there are 64 or fewer, otherwise 64 random ones. Chances come from the full state,
including what was hidden at the time.

Play includes the answers of both sides and every error of the estimate. So pages tell a person only the decisions for
which a better one is *named*, with the sum of their costs; the rest is called unexplained. A side without a player
decides nothing and has no play: all change is due to its enemy's dice and decisions.

The effect of dice is often known only after further answers, such as which model of a unit falls. So a moment at which
nobody has a choice, or at which the question belongs to the dice (`Decision.settles`), has the value of the next real
decision. Forced answers are given, the game's own player answers questions that belong to dice, and further dice are
averaged. So an act without a choice has no play, only the luck of its dice. A volley has the luck of all its rolls. The
choice of casualties counts as play, compared with that player's choice. A side that gives up or runs out of time does
so by a last act, whose loss is play.

At the turning points, and where play cost most, other answers are tried: those of a commander, and those that a veteran
considers from the view of the asked side. The given answer and the others are played on for some turns with the same
dice. Each gets a few tries, and promising ones get more; new tries decide which are better (`caltrop.lab.tried`). On
request every decision of people is judged in this way: its cost is the difference from the commander's answer, if that
was better.

A turning point changed the chance lastingly. By such an act somebody lost something, a place changed hands, a side took
the lead, or the battle ended, in favour of the side that gained by it. A mistake is a turning point with a better
answer, which is named. A move that had no such effect is never a turning point, whatever the estimate says, and an
answer by which its side gained is never a mistake. The last turning point is always the end of the battle, with its
reason. Changes that came by small steps are seen round by round: each round has its chances, its losses and its luck.

If the chances come from a fitted estimate, games are also played to their end, as an independent second opinion. They
begin shortly before the end and, if every act is explained, at the beginning of the battle and of each round. The
estimate counts what is on the table, so it notices consequences late. It is corrected towards the results of these
games, more so if these are more certain than the estimate. An answer that the estimate calls better is named only if
games that are played on to their end from both answers, with the same dice, say so too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from math import sqrt
from typing import Any

import msgspec

from caltrop.agreeing import does, quantity
from caltrop.chance import Common, Dice, Seeded, every_result
from caltrop.engine import (
    Decision,
    Match,
    Ruleset,
    State,
    answer,
    at_random,
    next_turn,
    redacted,
    rollout,
)
from caltrop.engine.match import Point
from caltrop.errors import InputError
from caltrop.journal import PERSON, Moment, Record, RollEntry, replay
from caltrop.kit.luck import ChanceSpread
from caltrop.kit.words import listed
from caltrop.lab import tried
from caltrop.lab.correction import between, correction, shifted
from caltrop.lab.effects import TableEffect, effect_of
from caltrop.lab.tried import Try
from caltrop.picture import Picture, Reading, Tally
from caltrop.players import Thinker, chance_of, evaluation, losses, player, players
from caltrop.players.advice import adviser, reasons_for, said, stands
from caltrop.players.protocol import Player, forked

ALL = 64
"""Largest number of dice results that are all evaluated. Rolls that the rules do not tell apart are one result."""
DRAWN = 64
"""Number of random dice results that are evaluated if there are more than `ALL`."""
PLAYOUTS = 24
"""Number of games played to their end to estimate a chance, for a ruleset without a fitted estimate."""
GAMES = 24
"""Largest number of games played to their end from the beginning of a round."""
BATCH = 8
"""Number of games from a round after which no more are played if they agree with the estimate."""
PAIRS = 48
"""Largest number of games played to their end from each of two answers, to see which of them is better."""
SURE = 1.28
"""Number of standard errors by which a better answer must win more of these games: 90 % of a normal distribution."""
TURNING = 6
"""Largest number of turning points."""
LEAST = 0.04
"""Smallest change of the chance of winning at a turning point."""
LASTING = 4
"""Number of acts that a change of the chance must last to count as a turning point."""
SUREST = 0.99
"""Highest chance promised for an answer that was not played, because a few games give no certainty."""
CANDIDATES = 3
"""Number of other answers that are tried for each act."""
TURNS = 2
"""Number of turns for which a tried answer is played on: the rest of this turn, and the enemy's."""
STRONGEST = ("veteran", "regular", "random")
"""Players who propose other answers and play on, the best first; the first that the game has is used."""
ASKING = 0.3
"""Share of the work of judging decisions that goes into asking players for other answers, roughly."""
TRYING = 0.6
"""Share of the work of judging decisions that is spent before games are played to their end, roughly."""
HEAVY = 10
"""Work of judging a decision, as a multiple of the work of estimating the chances of an act, roughly."""
LONG = 30
"""Work of the games from the beginning of a round, in multiples of estimating an act's chances, roughly."""
LATE = (1, 3, 8)
"""Numbers of decisions before the end of a battle from which games are also played: these games are short, and the
estimate is worst when little is left to do.
"""
SETTLES = ("regular", "random")
"""Players who answer questions that settle dice; the first that the game has is used."""
ON_THE_WAY = 400
"""Number of forced answers after which a position is evaluated as it is."""
DIGITS = 6


class Chance(msgspec.Struct, frozen=True):
    """Each side's chance to win after an act; act -1 is the start, before the first act."""

    act: int
    chance: tuple[float, ...]


class PlayedOn(msgspec.Struct, frozen=True):
    """The results of games that were played to their end from the beginning of a round."""

    act: int
    """Number of the act after which the games began, as in `Chance`."""
    round: int
    """Number of the round; 0 for the beginning of the battle, if something is decided before the first round."""
    games: int
    chance: tuple[float, ...]
    """Share of these games that each side won; a draw counts half."""
    error: float
    """Standard error of the first side's share."""


class Better(msgspec.Struct, frozen=True):
    words: str
    chance: float
    """Average chance of the side over the dice, on the scale of the graph."""


class Turn(msgspec.Struct, frozen=True):
    """A turning point: an act that changed the chances much."""

    act: int
    side: int
    words: str
    before: float
    """Chance of winning of the acting side before the act."""
    after: float
    better: Better | None = None


class RoundChange(msgspec.Struct, frozen=True):
    """The change of the chances in a round, and what was lost and taken in it."""

    round: int
    """Number of the round; 0 for everything before the first round."""
    act: int
    """Number of the last act of the round."""
    before: tuple[float, ...]
    """Chance of each side at its beginning."""
    after: tuple[float, ...]
    luck: tuple[float, ...]
    """Part of each side's change that is luck of the dice."""
    words: tuple[str, ...]
    """Sentences on losses, new holders of places, and a new leader; none if nothing of that changed."""


class Judged(msgspec.Struct, frozen=True):
    """The judgement of a decision: compared with a commander's answer, or at a turning point with all tried answers."""

    cost: float
    """Chance of winning lost by the decision, by the estimate; 0 if the estimate calls no answer better. The losses of
    levels are measured in the same way.
    """
    better: Better | None = None


class Act(msgspec.Struct, frozen=True):
    act: int
    side: int
    words: str
    play: float
    """Change of the acting side's chance by the act, averaged over the dice."""
    luck: float
    """Further change of the acting side's chance by the actual dice."""
    error: float
    """Standard error of `play` and of `luck`; 0 if all results of the dice were evaluated."""
    rolled: bool
    """True if dice were rolled in the act."""
    judged: Judged | None = None
    """Judgement of the act; None if it was no choice, if its side is not judged, or if it has not been judged yet."""


class LevelLoss(msgspec.Struct, frozen=True):
    """Average chance of winning that a level loses with each decision, compared with a commander's answers."""

    level: str
    mean: float
    low: float
    """The lower end of the 95 % interval."""
    high: float


class DiceLuck(msgspec.Struct, frozen=True, kw_only=True):
    """The luck of a side's dice over a game."""

    side: int
    label: str
    """Noun for the counted results, such as `hits`."""
    rolls: int
    got: int
    mean: float
    """Expected number of these results in the same number of rolls."""
    as_good: float | None
    """Chance of this number or more with the same rolls; None if it is unknown."""
    as_bad: float | None
    """Chance of this number or less with the same rolls; None if it is unknown."""


class Analysis(msgspec.Struct, frozen=True):
    """The explanation of a recorded game."""

    ruleset: str
    sides: tuple[str, ...]
    chances: tuple[Chance, ...]
    luck: tuple[float, ...]
    """Change of each side's chance by dice over the game. For a side without a player, its whole change."""
    play: tuple[float, ...]
    """Change of each side's chance by the decisions of all sides, and by errors of the estimate."""
    turning: tuple[Turn, ...]
    rounds: tuple[RoundChange, ...] | msgspec.UnsetType = msgspec.UNSET
    """The change in each round, if every act is explained."""
    acts: tuple[Act, ...] | msgspec.UnsetType = msgspec.UNSET
    """Every act explained separately, if requested."""
    played: tuple[PlayedOn, ...] | msgspec.UnsetType = msgspec.UNSET
    """Games played to their end from each round, if every act is explained and chances come from a fitted estimate."""
    dice: tuple[DiceLuck, ...] | msgspec.UnsetType = msgspec.UNSET
    """Luck of each side's dice, if every act is explained and the game counts the results."""
    scale: tuple[LevelLoss, ...] | msgspec.UnsetType = msgspec.UNSET
    """Average losses of each level, the weakest level first, if every act is explained and the losses were measured."""
    named: tuple[float, ...] | msgspec.UnsetType = msgspec.UNSET
    """Chance that each side lost by decisions for which a better one is named, if every act is explained."""


class AnalysisProgress(msgspec.Struct, frozen=True):
    done: int
    of: int
    words: str


Tell = Callable[[AnalysisProgress], None]


class _Acted(msgspec.Struct, frozen=True):
    """The effect of an act on the chances."""

    play: tuple[float, ...]
    luck: tuple[float, ...]
    error: float
    """The standard error of the mean over the dice, for the first side; 0 if all results were evaluated."""


class Analyser:
    """Compute the analysis of a recorded game step by step.

    Args:
        tell: Called with the progress before each step.
        judging: Sides whose decisions are judged. Every act is then explained, and games are played from each
            round. By default no side is judged and no act is listed.

    Raises:
        InputError: if the record cannot be replayed by these rules, or if nothing was played.
    """

    def __init__(self, record: Record, tell: Tell | None = None, judging: Sequence[int] | None = None) -> None:
        self.record, self.tell, self.judging = record, tell, judging
        played = _played(record)
        self.match, self.came, self.rolled, self._thrown = played.match, played.readings, played.tallies, played.thrown
        self.rules: Ruleset = self.match.ruleset
        self.points: list[Point] = self.match.history
        seats = self.rules.depict(redacted(self.match.state, None), None).seats
        self.sides = tuple([seat.name for seat in sorted(seats, key=lambda seat: seat.side)])
        self.unplayed = frozenset(self.rules.automated(self.match.state))
        """Sides without a player."""
        self.fitted = evaluation(self.rules.name) is not None and len(self.sides) == 2
        self.settler = player(next(name for name in SETTLES if name in players(self.rules.name)), self.rules.name)
        self.ended = record.outcome if self.match.over is None else None
        """The end on which the players agreed, if the rules did not end the game."""
        self._known: list[tuple[float, ...]] = []
        self._acted: list[_Acted] = []
        self._free: dict[int, bool] = {}
        """True for each act that was a choice, by its number."""
        self._effects: dict[int, TableEffect] = {}
        """Effect of each act on the table, by its number."""
        self._said_of: dict[int, str] = {}
        self._found: dict[int, Better | None] = {}
        """Better answers by the number of the act; an act that has not been examined has no entry."""
        self._gains: dict[int, float] = {}
        """Gain of the best other answer by the estimate, named or not, by the number of the act."""
        self._found_by: dict[int, Any] = {}
        """The better actions, by the number of the act."""
        self._turning: tuple[Turn, ...] = ()
        self._looked_at = 2 * TURNING + TURNING // 2
        """Largest number of acts that are examined as turning points."""
        self._played: list[PlayedOn] = []
        self._played_late: list[PlayedOn] = []
        self._starts = self._round_starts()
        """The first act of each round."""
        self._rounds = self._starts if judging is not None and self.fitted else []
        """The first acts of the rounds from whose beginning games are played."""
        self._judging = tuple([n for n, point in enumerate(self.points) if judging and point.side in judging])
        """Numbers of the acts that are judged. Acts without a choice are included until they are recognised."""

    def states(self) -> list[State]:
        return [*[point.state for point in self.points], self.match.state]

    # --- chances ------------------------------------------------------------------------------------------------------

    def chances(self, t: State, key: str) -> tuple[float, ...]:
        """Return each side's chance to win.

        Args:
            key: Seed for games that are played to their end.
        """
        over = t.over
        if over is not None:
            return _share(over.winner, len(self.sides))
        if self.fitted:
            first = chance_of(self.rules, t, 0, Seeded(key))
            return (first, 1 - first)
        won = [0.0] * len(self.sides)
        policies = [at_random] * len(self.sides)
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
        if t.over is not None or not self._settling(t):
            return self.chances(t, key)
        return self._over_dice(lambda dice: self._settled(t.clone(), dice), key)[0]

    def _settling(self, t: State) -> bool:
        return t.over is None and bool(t.asked) and (_waiting(t).settles or not self._choice(t))

    def _choice(self, t: State, index: int | None = None) -> bool:
        asked = _waiting(t) if index is None else t.asked[index]
        return asked.options(redacted(t, asked.side)).several()

    def _settled(self, t: State, dice: Dice) -> State:
        for step in range(ON_THE_WAY):
            if not self._settling(t):
                break
            asked, index = _waiting(t), t.answers.index(None) if len(t.asked) > 1 else 0
            view = redacted(t, asked.side)
            options = asked.options(view)
            # The player has its own dice, because the game's dice are examined one by one.
            action = forked(self.settler).decide(asked, view, Seeded(step)) if options.several() else options.first()
            answer(t, dice, index, action)
        return t

    def work_out(self) -> None:
        states = self.states()
        self._known = [self.worth(states[0], "start")]
        for number, point in enumerate(self.points):
            self._say(number, "chances")
            before, free = self._known[-1], self._is_free(number)
            # An act without a choice or dice changes nothing that matters.
            after = self.worth(states[number + 1], f"{number} after") if free or point.rolls else before
            mean, error = (before, 0.0) if not free else self._mean(point, number) if point.rolls else (after, 0.0)
            self._known.append(after)
            self._acted.append(
                _Acted(
                    tuple([m - b for m, b in zip(mean, before, strict=True)]),
                    tuple([a - m for a, m in zip(after, mean, strict=True)]),
                    error,
                )
            )
        if self.ended is not None:
            self._known.append(_share(self.ended.winner, len(self.sides)))
        self._judging = tuple([number for number in self._judging if self.is_judged(number)])

    def look_closer(self) -> None:
        self.play_on()
        self.draw_near()
        self.find_turns()
        self.judge()

    def _mean(self, point: Point, number: int) -> tuple[tuple[float, ...], float]:
        """Return the chances after an act, averaged over its dice, with the standard error of the first side's."""
        return self._over_dice(lambda dice: self._played_out(point, dice), f"{number}")

    def _played_out(self, point: Point, dice: Dice) -> State:
        t = point.state.clone()
        answer(t, dice, point.index, point.action)
        return self._settled(t, dice)

    def _over_dice(self, do: Callable[[Dice], State], key: str) -> tuple[tuple[float, ...], float]:
        """Return the chances after a process, averaged over its dice, with the standard error of the first side's."""
        every = every_result(do, ALL)
        if every is not None:
            lines = [(self.chances(t, f"{key} {n}"), float(chance)) for n, (t, chance) in enumerate(every)]
            return tuple([sum([c[s] * weight for c, weight in lines]) for s in range(len(self.sides))]), 0.0
        some = [self.chances(do(Seeded(f"{key} dice {n}")), f"{key} {n}") for n in range(DRAWN)]
        means = tuple([sum([c[s] for c in some]) / DRAWN for s in range(len(self.sides))])
        spread = sum([(c[0] - means[0]) ** 2 for c in some]) / (DRAWN - 1)
        return means, sqrt(spread / DRAWN)

    # --- turns --------------------------------------------------------------------------------------------------------

    def find_turns(self) -> None:
        swings = [(max([abs(one) for one in self._changes(n)]), n) for n in range(len(self.points))]
        wrong = [(-self._acted[n].play[point.side], n) for n, point in enumerate(self.points)]
        swings, wrong = ([(much, n) for much, n in one if not self._follows(n)] for one in (swings, wrong))
        swings = sorted([one for one in swings if one[0] >= LEAST], key=lambda s: (-s[0], s[1]))
        chosen = [n for _, n in [*swings[:TURNING], *[one for one in swings if self._turns(one[1])][:TURNING]]]
        # Costly decisions are added even if lucky dice made up for them.
        chosen += [n for cost, n in sorted(wrong, key=lambda s: (-s[0], s[1]))[: TURNING // 2] if cost >= LEAST]
        turns: list[Turn] = []
        begun = len(self.points) + LONG * len(self._rounds)
        # An act by which its side gained is not a mistake.
        fell = [n for n in sorted(set(chosen)) if self._changes(n)[self.points[n].side] <= 0]
        self._compare(fell, CANDIDATES, lambda share: self._say(begun + int(HEAVY * self._looked_at * share), "turns"))
        for number in sorted(set(chosen)):
            point, better = self.points[number], self._found.get(number)
            before, after = self._known[number][point.side], self._after(number)[point.side]
            turning = self._turns(number) and self._lasts(number)
            if not turning and (better is None or after > before):
                continue
            # An act without dice that lowered the chance was no mistake if no better answer exists.
            if better is None and not point.rolls and after < before and not self._others_gained(number):
                continue
            if point.rolls and not self._has_effect(number):
                continue
            # A better answer is not credible if the given answer turned out as well, or if its side gained by it.
            if better is not None and (after >= better.chance or after > before):
                better = None
            if better is None and not turning:
                continue
            turns.append(Turn(number, point.side, self._words(number), before, after, better))
            self._turning = tuple(turns)
        self._turning = (*turns, *self._end())

    @property
    def named(self) -> tuple[float, ...]:
        """Chance that each side lost by decisions for which a better one is named.

        A mistake may have been made up for later. So together they never cost more than the chance that was lost.
        """
        judged = [n for n in self._judging if self._found.get(n) is not None]
        turns = [turn.act for turn in self._turning if turn.better is not None and turn.act < len(self.points)]
        costs = [0.0] * len(self.sides)
        for number in {*judged, *turns}:
            costs[self.points[number].side] += self._cost(number)
        for turn in self._turning:
            if turn.better is not None and turn.act == len(self.points):
                costs[turn.side] += turn.before
        play = self._luck_and_play()[1]
        for side in range(len(costs)):
            others = sum(costs) - costs[side] if len(costs) == 2 else 0.0
            costs[side] = max(0.0, min(costs[side], others - play[side]))
        return tuple([round(one, DIGITS) for one in costs])

    def _cost(self, number: int) -> float:
        better = self._found[number]
        return 0.0 if better is None else round(better.chance - self._worth_of(number), DIGITS)

    def _end(self) -> list[Turn]:
        """Return the end of the battle as a turning point, unless the last turning point is the end."""
        if self.ended is None:
            number = self._last_act()
            if self._turning and self._turning[-1].act >= number:
                return []
            side = self.points[number].side
            return [Turn(number, side, self._words(number), self._known[number][side], self._after(number)[side])]
        record, number = self.record, len(self.points)
        lost = record.resigned if record.resigned is not None else record.late
        side = self.points[-1].side if lost is None else lost
        before, after = self._known[number][side], self._known[-1][side]
        if lost is None:
            return [Turn(number, side, self.ended.reason.rstrip("."), before, after)]
        if lost == record.late:
            return [Turn(number, side, "its time is up", before, after)]
        better = Better("play on", round(before, DIGITS)) if before >= LEAST else None
        return [Turn(number, side, "gives up", before, after, better)]

    # --- games played on ----------------------------------------------------------------------------------------------

    def _round_starts(self) -> list[int]:
        rounds = [self.rules.round(point.state) for point in self.points]
        return [n for n, one in enumerate(rounds) if n == 0 or (one > 0 and one != rounds[n - 1])]

    def play_on(self) -> None:
        """Play games to their end from shortly before the end, and on request from the beginning of each round."""
        if not self.fitted:
            return
        free = [number for number in range(len(self.points)) if self._is_free(number)]
        late = [free[-many] for many in LATE if many <= len(free) and free[-many] > self._starts[-1]]
        for step, number in enumerate(self._rounds):
            self._say(len(self.points) + LONG * step, "games played on")
            self._played.append(self._games_from(number))
        self._played_late = [self._games_from(number) for number in reversed(late)]

    def _games_from(self, number: int) -> PlayedOn:
        """Return the results of games that start before an act.

        More games are played if they disagree with the estimate, because the estimate is corrected there.
        """
        who = strongest(self.rules.name)
        won: list[tuple[float, ...]] = []
        mean = error = 0.0
        while len(won) < GAMES:
            for n in range(len(won), min(len(won) + BATCH, GAMES)):
                t = self.points[number].state.clone()
                policies = [player(who, self.rules.name).decide for _ in self.sides]
                rollout(t, policies, lambda _: False, Seeded(f"played {number} {n}"))
                won.append(_share(None if t.over is None else t.over.winner, len(self.sides)))
            mean = sum([one[0] for one in won]) / len(won)
            spread = sum([(one[0] - mean) ** 2 for one in won]) / (len(won) - 1)
            # Even if all of a few games are won, the chance is not certain: the error is at least that of one more win
            # and one more loss.
            least = 1 / (len(won) + 2)
            error = sqrt(max(spread, least * (1 - least)) / len(won))
            if abs(mean - self._known[number][0]) <= error:
                break
        means = tuple([sum([one[s] for one in won]) / len(won) for s in range(len(self.sides))])
        return PlayedOn(
            number - 1,
            self.rules.round(self.points[number].state),
            len(won),
            _rounded(means),
            round(error, DIGITS),
        )

    def draw_near(self) -> None:
        """Correct the chances between the beginnings of two rounds, towards the results of the games played from there.

        Acts without a choice get no share of the correction. If there are only games from shortly before the end, only
        the last round is corrected.
        """
        played = [*self._played, *self._played_late]
        if not played:
            return
        # Number of real decisions before each moment: the correction between two rounds is spread over them.
        free = [0]
        for number in range(len(self.points)):
            free.append(free[-1] + self._is_free(number))
        marks = [(free[one.act + 1], correction(self._known[one.act + 1][0], one)) for one in played]
        if not self._played:
            marks.insert(0, (free[self._starts[-1]], 0.0))
        elif self._played[0].round == 0 and len(marks) > 1:
            # Estimates before the first round are poorer than in it, and need a separate correction.
            marks.insert(1, (max(0, marks[1][0] - 1), marks[0][1]))
        shifts = [between(marks, at) for at in free]
        chances, acted = self._known, self._acted
        shifts += shifts[-1:] * (len(chances) - len(shifts))
        # At the end the result is certain, even a draw.
        last = self._last_act() + 1 if self.ended is None else len(chances) - 1
        shifts[last:] = [0.0] * (len(shifts) - last)
        self._known = [shifted(chance, shift) for chance, shift in zip(chances, shifts, strict=True)]
        self._acted = []
        for number, one in enumerate(acted):
            worth = (chances[number][0] + one.play[0], chances[number][1] + one.play[1])
            mean, before, after = shifted(worth, shifts[number + 1]), self._known[number], self._known[number + 1]
            self._acted.append(
                msgspec.structs.replace(
                    one,
                    play=tuple([mean[s] - before[s] for s in (0, 1)]),
                    luck=tuple([after[s] - mean[s] for s in (0, 1)]),
                )
            )

    # --- judging every decision ---------------------------------------------------------------------------------------

    def judge(self) -> None:
        """Judge the cost of each decision against a commander's answer.

        Answers that settle dice, and those before the first turn, are not judged.
        """
        left = [number for number in self._judging if number not in self._found]
        work = HEAVY * len(self._judging)
        self._compare(left, 0, lambda share: self._say(self._before_judging + int(work * share), "decisions"))

    def is_judged(self, number: int) -> bool:
        """Return whether the decision of an act is judged: a choice made in a turn that settles no dice.

        A roll that changed nothing on the table proves nothing about the decision to roll.
        """
        point = self.points[number]
        settles = point.state.asked[point.index].settles
        judged = not settles and self.rules.round(point.state) > 0 and self._is_free(number)
        return judged and (not point.rolls or self._has_effect(number))

    def _lasts(self, number: int) -> bool:
        """Return whether at least half of the change by an act remains, on average over the following acts.

        Between the turns of two sides the estimate may be wrong for a moment, so a short change is ignored.
        """
        side = self.points[number].side
        before, after, end = self._known[number][side], self._after(number)[side], self._end_of(number)
        since = [one[side] - before for one in self._known[end : end + 1 + LASTING]]
        mean = sum(since) / len(since)
        return abs(after - before) >= LEAST and mean * (after - before) > 0 and 2 * abs(mean) >= abs(after - before)

    def _has_effect(self, number: int) -> bool:
        return self._effect(number).changed

    def _turns(self, number: int) -> bool:
        """Return whether an act caused a loss to a side, a place changed hands, or another side took the lead.

        If an act only helped one side or only hurt the other, it does not count if their chances moved the opposite
        way. Losing models, a place or the lead hurts a side; taking a place or the lead helps it.
        """
        effect = self._effect(number)
        if not any(effect.lost) and not effect.seized and not effect.leads:
            return self._ends_battle(number)
        gained = {side for side, change in enumerate(self._changes(number)) if change > 0}
        good = effect.taken | effect.ahead
        hurt = effect.given | effect.behind | {side for side, lost in enumerate(effect.lost) if lost}
        helped, harmed = good - hurt, hurt - good
        return bool(helped & gained or harmed - gained) or not (helped or harmed)

    def _others_gained(self, number: int) -> bool:
        """Return whether another side than the acting one took a place or the lead."""
        effect = self._effect(number)
        return bool((effect.taken | effect.ahead) - {self.points[number].side})

    def _effect(self, number: int) -> TableEffect:
        if number not in self._effects:
            states = self.states()
            before, after = states[number], states[self._end_of(number)]
            self._effects[number] = effect_of(self._standing(before), self._standing(after), self.sides)
        return self._effects[number]

    def _end_of(self, number: int) -> int:
        """Return the number of the next act that is a choice and does not just settle dice."""
        end = number + 1
        while end < len(self.points) and self._goes_with(end):
            end += 1
        return end

    def _last_act(self) -> int:
        """Return the act that ended the battle by the rules, apart from forced answers after it."""
        return next((n for n in range(len(self.points)) if self._ends_battle(n)), len(self.points) - 1)

    def _follows(self, number: int) -> bool:
        """Return whether an act only settles the dice of an earlier act, or leaves no choice."""
        return not self._is_free(number) or (number > 0 and self._goes_with(number))

    def _after(self, number: int) -> tuple[float, ...]:
        """Return the chances after an act and the answers that settle its dice."""
        return self._known[self._end_of(number)]

    def _changes(self, number: int) -> list[float]:
        """Return each side's change of its chance by an act and the answers that settle its dice."""
        return [after - before for before, after in zip(self._known[number], self._after(number), strict=True)]

    def _ends_battle(self, number: int) -> bool:
        return self.match.over is not None and self._end_of(number) == len(self.points)

    def _goes_with(self, number: int) -> bool:
        point = self.points[number]
        return point.state.asked[point.index].settles or not self._is_free(number)

    def _standing(self, t: State) -> Picture:
        return self.rules.depict(redacted(t, None), None)

    def _is_free(self, number: int) -> bool:
        if number not in self._free:
            point = self.points[number]
            self._free[number] = self._choice(point.state, point.index)
        return self._free[number]

    def _compare(self, numbers: Sequence[int], others: int, tell: Callable[[float], None]) -> None:
        """Find better answers than the given ones, and store the result for each act."""
        best = self.best(numbers, others, lambda share: tell(TRYING * share))
        self._gains.update({number: gain for number, (gain, _) in best.items()})
        for step, number in enumerate(numbers):
            tell(TRYING + (1 - TRYING) * step / len(numbers))
            gain, action = best.get(number, (0.0, None))
            if self.fitted and gain:
                gain = min(gain, self._gain_to_the_end(self.points[number], action))
            self._found[number] = self._named(number, gain, action) if gain else None
            self._said_of.pop(number, None)  # its words may have to differ from the better answer's

    def _named(self, number: int, gain: float, action: Any) -> Better | None:
        self._found_by[number] = action
        point = self.points[number]
        decision = point.state.asked[point.index]
        # The scale is that of the graph: the given answer's average over its dice, plus the gain.
        worth = max(0.0, self._worth_of(number))
        chance = max(worth, min(SUREST, worth + gain))
        words = self._said(point, decision, action)
        reasons = self._reasons(point, action)
        if words == self._said(point, decision, point.action):
            reasons = self._differing(point, action, point.action)
            if not reasons:
                return None
        return Better(f"{words}: {', '.join(reasons)}" if reasons else words, round(chance, DIGITS))

    def _reasons(self, point: Point, action: Any) -> list[str]:
        view = redacted(point.state, point.side)
        who = player(strongest(self.rules.name), self.rules.name)
        return reasons_for(self.rules, point.state.asked[point.index], view, action, who)[1]

    def _differing(self, point: Point, action: Any, other: Any) -> list[str]:
        """Return the reasons for an answer that are not also reasons for another answer with the same words."""
        mine, others = self._reasons(point, action), self._reasons(point, other)
        reasons = [one for one in mine if one not in others]
        (far, there), (elsewhere, _) = self._stands(point, action), self._stands(point, other)
        moved = there and abs(far - elsewhere) >= self._standing(point.state).scale
        return [there, *reasons] if moved else reasons

    def _stands(self, point: Point, action: Any) -> tuple[int, str]:
        t = point.state.clone()
        answer(t, Common("stands"), point.index, action)
        return stands(self._standing(point.state), self._standing(t), point.side)

    def best(
        self, numbers: Sequence[int], others: int = 0, tell: Callable[[float], None] = lambda share: None
    ) -> dict[int, tuple[float, Any]]:
        """Return the best answer and its gain, for each act with an answer better than the given one.

        Args:
            numbers: The acts.
            others: Number of answers tried besides the commander's.
            tell: Called with the finished share of the work, from 0 to 1.
        """
        free = [number for number in numbers if self._is_free(number)]
        tries: dict[tuple[int, int], Try] = {}
        actions: dict[tuple[int, int], Any] = {}
        # Each side has one commander, who plans a turn once and keeps the plan while the acts follow it.
        advisers = [adviser(self.rules.name) for _ in self.sides]
        for step, number in enumerate(sorted(free)):
            tell(ASKING * step / len(free))
            given: dict[int, float] = {}
            for n, action in enumerate(self._others(number, others, advisers[self.points[number].side])):
                actions[number, n] = action
                tries[number, n] = partial(self._gain, self.points[number], given, action)
        gains = tried.better(tries, LEAST / 2, lambda share: tell(ASKING + (1 - ASKING) * share))
        best: dict[int, tuple[float, Any]] = {}
        for (number, n), gain in gains.items():
            if number not in best or gain > best[number][0]:
                best[number] = (gain, actions[number, n])
        return best

    def _gain_to_the_end(self, point: Point, action: Any) -> float:
        """Return the share of battles that another answer wins more often than the given one; 0 if that is not sure.

        Both answers are played on to the end of the battle with the same dice.
        """
        gains: list[float] = []
        mean = error = 0.0
        for first in range(0, PAIRS, BATCH):
            for n in range(first, first + BATCH):
                better = self._played_to_the_end(point, action, n)
                gains.append(better - self._played_to_the_end(point, point.action, n))
            mean, error = tried.gain_of(gains)
            # More games would hardly turn a loss into a sure gain, or a large gain into none.
            if first and (mean <= 0 or mean > 2 * SURE * error):
                break
        return mean if mean > SURE * error else 0.0

    def _played_to_the_end(self, point: Point, action: Any, n: int) -> float:
        """Play an answer and the rest of the battle, and return the acting side's result: 1 for a win, 0 for a loss."""
        t = point.state.clone()
        self._go_on(t, point, action, Common(f"to the end {n}"), lambda _: False)
        return _share(None if t.over is None else t.over.winner, len(self.sides))[point.side]

    def _go_on(self, t: State, point: Point, action: Any, dice: Dice, until: Callable[[State], bool]) -> None:
        answer(t, dice, point.index, action)
        who = strongest(self.rules.name)
        rollout(t, [player(who, self.rules.name).decide for _ in self.sides], until, dice)

    def _others(self, number: int, others: int, commander: Player) -> list[Any]:
        """Return the answers other than the given one that a commander and a veteran propose."""
        point = self.points[number]
        decision = point.state.asked[point.index]
        view = redacted(point.state, point.side)
        name = self.rules.name
        answers = [commander.decide(decision, view, Seeded(f"{number} advice"))]
        if others:
            thinker = Thinker(player(strongest(name), name), self.rules)
            answers += [one.action for one in thinker.rank(decision, view, others + 1, Seeded(f"{number} rank"))]
        return [one for n, one in enumerate(answers) if one != point.action and one not in answers[:n]]

    def _worth_of(self, number: int) -> float:
        """Return the chance of the acting side, averaged over the dice of the act."""
        side = self.points[number].side
        return self._known[number][side] + self._acted[number].play[side]

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
        self._go_on(t, point, action, answered, next_turn(self.rules.turn, t, TURNS))
        return self.chances(t, f"on {n}")[point.side]

    # --- words --------------------------------------------------------------------------------------------------------

    def _words(self, number: int) -> str:
        if number not in self._said_of:
            point, effect = self.points[number], self._effect(number)
            # Losses are listed with the act whose dice caused them; answers that settle these dice do not repeat them.
            follows = number > 0 and self._goes_with(number) and bool(self.points[number - 1].rolls)
            costs = () if follows or not (point.rolls or effect.seized) else effect.words
            readings = [one for n in range(number, self._end_of(number)) for one in self.came[n]]
            roll, others = _roll_of(readings, () if follows else self._lost_by(number))
            done = self._said(point, point.state.asked[point.index], point.action) if roll is None else roll.words
            if others:
                done += f", and {quantity(others, 'more roll')}"
            what = ", ".join(costs) or ("" if roll is None else "no losses" if others and not follows else roll.came)
            if not what and roll is None:
                faces = [str(face) for face in self._thrown[number]]
                what = self._apart(number, done) or (faces and f"dice {listed(faces)}, no losses") or ""
            results = self._result(number)
            if self._others_gained(number) and not readings and not follows and not self._ends_battle(number):
                # The enemy's move or the end of the turn caused the result, so the answer before it comes second.
                self._said_of[number] = f"{'. '.join([*costs, *results])}, after “{done}”"
            else:
                self._said_of[number] = ". ".join([f"{done}: {what}" if what else done, *results])
        return self._said_of[number]

    def _result(self, number: int) -> tuple[str, ...]:
        """Return sentences on the end of the battle, or on a change of the leading side."""
        follows = number > 0 and self._goes_with(number)
        over = self.match.over if self._ends_battle(number) else None
        if over is None:
            leads = self._effect(number).leads
            return () if follows or not leads else (leads,)
        if follows and not self._is_free(number):
            return ()
        name, reason = None if over.winner is None else self.sides[over.winner], over.reason.rstrip(".")
        return (reason,) if name is None or name in reason else (reason, does(name, "wins"))

    def _apart(self, number: int, done: str) -> str:
        """Return how a better answer with the same words differs; empty if it does not."""
        better, point = self._found.get(number), self.points[number]
        if better is None or not better.words.startswith(f"{done}: "):
            return ""
        best = self._found_by[number]
        return ", ".join(self._differing(point, point.action, best))

    def _lost_by(self, number: int) -> tuple[int, ...]:
        """Return the units that lost something by an act, those of the side whose chance fell come first."""
        fell = [side for side, change in enumerate(self._changes(number)) if change < 0]
        hurt = self._effect(number).hurt
        return tuple([unit for unit, side in sorted(hurt, key=lambda one: one[1] not in fell)])

    def _said(self, point: Point, decision: Decision, action: Any) -> str:
        return said(self.rules, decision, redacted(point.state, point.side), action, point.side)

    # --- the whole analysis -------------------------------------------------------------------------------------------

    def _say(self, done: int, words: str) -> None:
        if self.tell is not None:
            self.tell(AnalysisProgress(done, self._before_judging + HEAVY * len(self._judging), words))

    @property
    def _before_judging(self) -> int:
        return len(self.points) + LONG * len(self._rounds) + HEAVY * self._looked_at

    @property
    def ready(self) -> bool:
        """Return whether all chances are known, so that only better answers are missing."""
        return len(self._acted) == len(self.points)

    def _luck_and_play(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        sides = range(len(self.sides))
        change = [round(self._known[-1][s], DIGITS) - round(self._known[0][s], DIGITS) for s in sides]
        dice = [change[s] if s in self.unplayed else sum([one.luck[s] for one in self._acted]) for s in sides]
        luck = tuple([round(one, DIGITS) for one in dice])
        # The play is the rounded change less the rounded luck, so that the printed numbers add up.
        return luck, tuple([round(change[s] - luck[s], DIGITS) for s in sides])

    def told(self) -> Analysis:
        chances = [tuple([round(c, DIGITS) for c in one]) for one in self._known]
        luck, play = self._luck_and_play()
        known_losses = {} if self.judging is None else losses(self.rules.name)
        scale = tuple([LevelLoss(level, one.mean, one.low, one.high) for level, one in known_losses.items()])
        return Analysis(
            ruleset=self.rules.name,
            sides=self.sides,
            chances=tuple([Chance(n - 1, one) for n, one in enumerate(chances)]),
            luck=luck,
            play=play,
            turning=tuple(
                [
                    msgspec.structs.replace(t, before=round(t.before, DIGITS), after=round(t.after, DIGITS))
                    for t in self._turning
                ]
            ),
            rounds=msgspec.UNSET if self.judging is None else self.by_round(),
            acts=msgspec.UNSET if self.judging is None else tuple([self._act(n) for n in range(len(self._acted))]),
            played=tuple(self._played) if self._rounds else msgspec.UNSET,
            dice=(msgspec.UNSET if self.judging is None else _dice_luck(self.rolled)) or msgspec.UNSET,
            scale=scale or msgspec.UNSET,
            named=msgspec.UNSET if self.judging is None else self.named,
        )

    def by_round(self) -> tuple[RoundChange, ...]:
        """Return the change of the chances in each round."""
        rounds, states = [], self.states()
        for start, end in zip(self._starts, [*self._starts[1:], len(self.points)], strict=True):
            last = len(self._known) - 1 if end == len(self.points) else end
            effect = effect_of(self._standing(states[start]), self._standing(states[end]), self.sides)
            change = [after - before for before, after in zip(self._known[start], self._known[last], strict=True)]
            luck = [sum([one.luck[side] for one in self._acted[start:end]]) for side in range(len(self.sides))]
            rounds.append(
                RoundChange(
                    round=self.rules.round(self.points[start].state),
                    act=end - 1,
                    before=_rounded(self._known[start]),
                    after=_rounded(self._known[last]),
                    luck=_rounded([change[side] if side in self.unplayed else luck[side] for side in range(len(luck))]),
                    words=(*effect.words, *([effect.leads] if effect.leads else [])),
                )
            )
        return tuple(rounds)

    def _act(self, number: int) -> Act:
        point, acted, judged = self.points[number], self._acted[number], None
        if number in self._judging and number in self._found:
            better = self._found[number]
            gain = self._gains.get(number, 0.0) if better is None else self._cost(number)
            judged = Judged(round(gain, DIGITS), better)
        return Act(
            act=number,
            side=point.side,
            words=self._words(number),
            play=round(acted.play[point.side], DIGITS),
            luck=round(acted.luck[point.side], DIGITS),
            error=round(acted.error, DIGITS),
            rolled=bool(point.rolls),
            judged=judged,
        )


def strongest(game: str) -> str:
    """Return the name of the game's strongest player that proposes other answers and plays on."""
    return next(one for one in STRONGEST if one in players(game))


def _waiting(t: State) -> Decision:
    return t.asked[0] if len(t.asked) == 1 else t.asked[t.answers.index(None)]


def _share(winner: int | None, sides: int) -> tuple[float, ...]:
    return tuple([1 / sides if winner is None else float(winner == side) for side in range(sides)])


def _roll_of(rolls: Sequence[Reading], lost: Sequence[int]) -> tuple[Reading | None, int]:
    """Return the roll that is mentioned in the description of an act, and the number of its other rolls.

    Args:
        lost: Units that lost something by the act. A roll aimed at the first of them is preferred.
    """
    aimed = [one for one in rolls if one.target is not None] or list(rolls)
    if not aimed:
        return None, 0
    costly = [one for unit in lost for one in aimed if one.target == unit]
    return (costly or aimed)[0], len(aimed) - 1


def _dice_luck(rolled: Sequence[Sequence[Tally]]) -> tuple[DiceLuck, ...]:
    sums: dict[tuple[int, str], tuple[int, int, float, ChanceSpread]] = {}
    for tally in [tally for of_act in rolled for tally in of_act]:
        key = tally.side, tally.label
        rolls, got, mean, spread = sums.get(key, (0, 0, 0.0, ChanceSpread()))
        sums[key] = rolls + 1, got + tally.got, mean + tally.mean, spread.with_rolls([tally.chances])
    return tuple(
        [
            DiceLuck(
                side=side,
                label=label,
                rolls=rolls,
                got=got,
                mean=round(mean, DIGITS),
                as_good=spread.as_good(got),
                as_bad=spread.as_bad(got),
            )
            for (side, label), (rolls, got, mean, spread) in sorted(sums.items(), key=lambda one: one[0])
        ]
    )


def _readings(moment: Moment) -> tuple[Reading, ...]:
    """Return the results of an act's dice, as the game reads them."""
    return tuple([one for event in moment.events if (one := event.reading(moment.state)) is not None])


def _rounded(chances: Sequence[float]) -> tuple[float, ...]:
    return tuple([round(one, DIGITS) for one in chances])


class _Played(msgspec.Struct, frozen=True):
    """A record that has been replayed, with what each act brought."""

    match: Match
    readings: list[tuple[Reading, ...]]
    """Results of the dice of each act."""
    tallies: list[list[Tally]]
    """Counted results of the dice of each act."""
    thrown: list[list[int]]
    """Faces of the dice of each act; drawn cards are left out."""


def _played(record: Record) -> _Played:
    """Replay a record to its end.

    Raises:
        InputError: if these rules cannot replay it, if it is not over, or if nothing was played.
    """
    rules = record.setting.rulebook
    if record.rules_version != rules.rules_version:
        raise InputError(
            f"it was played by version {record.rules_version} of the rules, and these are {rules.rules_version}",
            field="rules_version",
        )
    last: Moment | None = None
    before = 0
    readings: list[tuple[Reading, ...]] = []
    tallies: list[list[Tally]] = []
    thrown: list[list[int]] = []
    for last in replay(record):
        history = last.match.history
        for results in (readings, tallies, thrown):
            del results[len(history) - bool(last.events) :]
        if len(readings) < len(history):
            rolls = [one for one in record.entries[before : last.entry] if isinstance(one, RollEntry)]
            readings.append(_readings(last))
            tallies.append([tally for reading in readings[-1] for tally in reading.tallies])
            thrown.append([face for one in rolls if not one.secret for face in one.faces or ()])
        before = last.entry
    if last is None or last.entry < len(record.entries):
        raise InputError("the game went on when it was written: analyse the file of a game that is over")
    if not last.match.history:
        raise InputError("nobody has done anything in it yet", field="entries")
    return _Played(last.match, readings, tallies, thrown)


def people(record: Record) -> tuple[int, ...]:
    return tuple([side for side, who in enumerate(record.players) if who == PERSON])


def everybody(record: Record) -> tuple[int, ...]:
    return people(record) or tuple(range(max(2, len(record.players))))


def analyse(record: Record, tell: Tell | None = None, every: bool = False) -> Analysis:
    """Return the explanation of a recorded game. Raises InputError when the record cannot be replayed by these rules.

    Args:
        tell: Called with the progress. An error that it raises stops the work.
        every: True to list every act, and to judge every decision of people; of all sides if none is a person.
    """
    analyser = Analyser(record, tell, everybody(record) if every else None)
    analyser.work_out()
    analyser.look_closer()
    return analyser.told()
