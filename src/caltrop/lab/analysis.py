"""Explain a recorded game: the chances after each act, luck and skill, and the turning points.

The chance of winning is estimated before the first act and after each (`caltrop.players.chance_of`). An act changes it
in two parts. The value of the act is the mean of the chances over all results of its dice. *Play* is that value less
the chance before; *luck* is the chance after the actual dice less that value. So the sum of luck and play is the last
chance less the first, however the chances were estimated. Results of dice that the rules do not distinguish count as
one. All results are evaluated if there are 64 or fewer, otherwise 64 random ones. Chances come from the full state,
including what was hidden at the time.

Play includes the answers of both sides and every error of the estimate. So pages tell a person only the decisions for
which a better one is *named*, with the games that were played on from both. A side without a player decides nothing
and has no play: all change is due to its enemy's dice and decisions.

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
games, more so if these are more certain than the estimate, and if neighbouring rounds agree. An answer that the
estimate calls better is named only if games that are played on to their end from both answers, with the same dice, say
so too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from math import sqrt
from typing import Any

import msgspec

from caltrop.agreeing import does, quantity
from caltrop.chance import Z95, Dice, Seeded
from caltrop.engine import State, answer, rollout
from caltrop.engine.match import Point
from caltrop.journal import PERSON, Record
from caltrop.kit.luck import ChanceSpread
from caltrop.kit.words import listed
from caltrop.lab import wording
from caltrop.lab.alternatives import Alternatives, strongest
from caltrop.lab.battle import RecordedBattle
from caltrop.lab.chances import Chances, OverDice, share_of
from caltrop.lab.correction import APART, between, corrections, disagreement
from caltrop.lab.explanation import (
    Act,
    Analysis,
    AnalysisProgress,
    Better,
    Chance,
    DiceLuck,
    Judged,
    LevelLoss,
    PlayedOn,
    RoundChange,
    Tell,
    Turn,
)
from caltrop.lab.steady import CurveParts, chance_at, log_odds
from caltrop.picture import Reading, Tally
from caltrop.players import losses, player

GAMES = 24
"""Largest number of games played to their end from the beginning of a round."""
BATCH = 8
"""Number of games from a round after which no more are played if they agree with the estimate."""
TURNING = 6
"""Largest number of turning points."""
LEAST = 0.04
"""Smallest change of the chance of winning by a decision that is examined."""
SWING = 0.07
"""Smallest change of the chance of winning at a turning point."""
LASTING = 4
"""Number of acts that a change of the chance must last to count as a turning point."""
SUREST = 0.99
"""Highest chance promised for an answer that was not played, because a few games give no certainty."""
CANDIDATES = 3
"""Number of other answers that are tried for each act."""
TRYING = 0.6
"""Share of the work of judging decisions that is spent before games are played to their end, roughly."""
HEAVY = 10
"""Work of judging a decision, as a multiple of the work of estimating the chances of an act, roughly."""
LONG = 30
"""Work of the games from the beginning of a round, in multiples of estimating an act's chances, roughly."""
LATE = 2
"""Number of turns before the end of a battle from which games are also played: these games are short, and the estimate
is worst when little is left to do.
"""
OPEN = 0.03
"""Smallest chance of either side at which its decisions are examined: in a decided battle they change nothing."""
DIGITS = 6


class _Acted(msgspec.Struct, frozen=True):
    """The effect of an act on the chances."""

    play: tuple[float, ...]
    luck: tuple[float, ...]
    error: float
    """The standard error of the mean over the dice, for the first side; 0 if all results were evaluated."""
    likely: tuple[float, ...] | None
    """For each side, the chance of dice at least as good, or at least as bad if they were bad; None without dice."""


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
        self.battle = RecordedBattle(record)
        self.rules, self.points, self.sides = self.battle.rules, self.battle.points, self.battle.sides
        self.chances = Chances(self.rules, len(self.sides))
        self.alternatives = Alternatives(self.battle, self.chances)
        self._known: list[tuple[float, ...]] = []
        self._acted: list[_Acted] = []
        self._estimates: list[tuple[float, ...]] = []
        """Estimated chances before each act and at the end; `_known` has those of the curve."""
        self._estimated: list[_Acted] = []
        """Effects of acts on these estimates."""
        self._shifts: list[float] = []
        """Correction of each estimate by games that were played on, in log odds."""
        self._said_of: dict[int, str] = {}
        self._found: dict[int, Better | None] = {}
        """Better answers by the number of the act; an act that has not been examined has no entry."""
        self._gains: dict[int, float] = {}
        """Gain of the best other answer by the estimate, named or not, by the number of the act."""
        self._costs: dict[int, float] = {}
        """Gain of the better answer that is named, by the number of the act."""
        self._found_by: dict[int, Any] = {}
        """The better actions, by the number of the act."""
        self._turning: tuple[Turn, ...] = ()
        self._looked_at = TURNING + TURNING // 2
        """Largest number of acts that are examined as turning points."""
        self._played: list[PlayedOn] = []
        self._played_late: list[PlayedOn] = []
        self._rounds = self.battle.starts if judging is not None and self.chances.fitted else []
        """The first acts of the rounds from whose beginning games are played."""
        self._judging = tuple([n for n, point in enumerate(self.points) if judging and point.side in judging])
        """Numbers of the acts that are judged. Acts without a choice are included until they are recognised."""

    # --- chances ------------------------------------------------------------------------------------------------------

    def work_out(self) -> None:
        states, rolled = self.battle.states(), dict[int, OverDice]()
        self._known = [self.chances.worth(states[0], "start")]
        for number, point in enumerate(self.points):
            self._say(number, "chances")
            before, free = self._known[-1], self.battle.is_free(number)
            # An act without a choice or dice changes nothing that matters.
            after = self.chances.worth(states[number + 1], f"{number} after") if free or point.rolls else before
            over = self._over_dice(point, number) if free and point.rolls else None
            mean = before if not free else after if over is None else over.mean
            self._known.append(after)
            if over is not None:
                rolled[number] = over
            self._acted.append(
                _Acted(
                    tuple([m - b for m, b in zip(mean, before, strict=True)]),
                    tuple([a - m for a, m in zip(after, mean, strict=True)]),
                    0.0 if over is None else over.error,
                    None,
                )
            )
        # A card that is drawn is rolled for by the computer, and is not a die.
        for number, over in [(n, one) for n, one in rolled.items() if self.battle.thrown[n]]:
            likely = tuple([over.likely(side, chance) for side, chance in enumerate(self._after(number))])
            self._acted[number] = msgspec.structs.replace(self._acted[number], likely=likely)
        if self.battle.ended is not None:
            self._known.append(share_of(self.battle.ended.winner, len(self.sides)))
        self._judging = tuple([number for number in self._judging if self.is_judged(number)])
        self._estimates, self._estimated = self._known, self._acted
        self._shifts = [0.0] * len(self._known)
        self._draw()

    def look_closer(self) -> None:
        self.play_on()
        self.draw_near()
        self.find_turns()
        self.judge()

    def _draw(self) -> None:
        """Draw the curve and choose the turning points, by the estimates, the games and the better answers so far.

        Estimates by random games use the same dice for all positions and need no smoothing.
        """
        if self.chances.fitted:
            by_rules = self.battle.match.over is not None
            last = self.battle.last_act() if by_rules else len(self.points)
            curve, means = self._course().drawn(self.battle.turns, last, by_rules)
            firsts = [chance_at(odds) for odds in curve] + [one[0] for one in self._estimates[len(curve) :]]
            averages = [chance_at(odds) for odds in means]
            if by_rules:
                # At the end the result is certain, even a draw.
                firsts[last + 1 :] = [one[0] for one in self._estimates[last + 1 :]]
                averages[last + 1 :] = firsts[last + 1 : -1]
                dice = any(self._estimated[last].luck)
                averages[last] = self._estimates[last][0] + self._estimated[last].play[0] if dice else firsts[last + 1]
            self._known = [(first, 1 - first) for first in firsts]
            self._acted = [
                msgspec.structs.replace(
                    one,
                    play=(average - before, before - average),
                    luck=(after - average, average - after),
                )
                for one, average, (before, after) in zip(
                    self._estimated, averages, pairwise(firsts[: len(averages) + 1]), strict=True
                )
            ]
        for number, better in self._found.items():
            self._found[number] = better and self._on_the_curve(number, better)
        self._said_of.clear()
        self._turning = self._picked()
        self._turning = (*self._turning, *self._end())

    def _course(self) -> CurveParts:
        """Return the estimates and their changes, in log odds."""
        luck, claims, mistakes, quiet = [], [], [], []
        odds = [log_odds(one[0]) for one in self._estimates]
        for number, acted in enumerate(self._estimated):
            side, play = self.points[number].side, acted.play[0]
            follows = self.battle.follows(number)
            mean, rolled = log_odds(self._estimates[number][0] + play), any(acted.luck)
            # The dice of an act are known when the answers that settle them have been given.
            end = self.battle.end_of(number) if rolled and not follows else number + 1
            settles = follows and self._rolled_before(number)
            luck.append(odds[end] - mean if rolled and not settles else 0.0)
            effect = None if follows else self.battle.effect(number)
            claimed = effect is not None and effect.notable and effect.agrees({0 if play > 0 else 1})
            claims.append(mean - odds[number] if claimed else 0.0)
            quiet.append(effect is not None and not effect.notable and not rolled)
            cost = self._costs.get(number, 0.0)
            sign, corrected = 1 if side == 0 else -1, odds[number] + self._shifts[number]
            mistakes.append(sign * log_odds(chance_at(sign * corrected) - cost) - corrected if cost else 0.0)
        return CurveParts(
            before=tuple([one + shift for one, shift in zip(odds, self._shifts, strict=True)][: len(luck) + 1]),
            luck=tuple(luck),
            claims=tuple(claims),
            mistakes=tuple(mistakes),
            quiet=tuple(quiet),
        )

    def _rolled_before(self, number: int) -> bool:
        """Return whether an act belongs to an earlier one whose dice it settles."""
        while number > 0 and self.battle.follows(number):
            number -= 1
        return any(self._estimated[number].luck)

    def _over_dice(self, point: Point, number: int) -> OverDice:
        """Return the chances after an act over the results of its dice."""
        return self.chances.over_dice(lambda dice: self._played_out(point, dice), f"{number}")

    def _played_out(self, point: Point, dice: Dice) -> State:
        t = point.state.clone()
        answer(t, dice, point.index, point.action)
        return self.chances.settled(t, dice)

    # --- turns --------------------------------------------------------------------------------------------------------

    def find_turns(self) -> None:
        """Try other answers where the estimate fell most by a decision, and at turning points against their side."""
        costs = {n: -self._estimated[n].play[point.side] for n, point in enumerate(self.points) if self._matters(n)}
        wrong = sorted([n for n, cost in costs.items() if cost >= LEAST], key=lambda n: (-costs[n], n))[:TURNING]
        fell = [turn.act for turn in self._turning if turn.after < turn.before and turn.act in costs][: TURNING // 2]
        begun = len(self.points) + LONG * len(self._rounds)
        self._compare(
            sorted({*wrong, *fell}),
            CANDIDATES,
            lambda share: self._say(begun + int(HEAVY * self._looked_at * share), "turns"),
        )
        self._draw()

    def _matters(self, number: int) -> bool:
        """Return whether an act is a decision of an open battle, or lowered the chance of its side by the estimate."""
        if self.battle.follows(number):
            return False
        side = self.points[number].side
        return OPEN <= self._known[number][side] <= 1 - OPEN or -self._estimated[number].play[side] >= LEAST

    def _picked(self) -> tuple[Turn, ...]:
        """Return the turning points apart from the end of the battle."""
        sizes = {number: self._size(number) for number in range(len(self.points)) if not self.battle.follows(number)}
        largest = sorted([n for n, size in sizes.items() if size], key=lambda n: (-sizes[n], n))[:TURNING]
        return tuple(
            [
                Turn(
                    number,
                    self.points[number].side,
                    self._words(number),
                    self._known[number][self.points[number].side],
                    self._after(number)[self.points[number].side],
                    self._credible(number),
                )
                for number in sorted(largest)
            ]
        )

    def _size(self, number: int) -> float:
        """Return the size of a turning point; 0 if an act is none."""
        point = self.points[number]
        if point.rolls and not self.battle.has_effect(number):
            return 0.0
        change = self._changes(number)[point.side]
        if self._credible(number) is not None:
            return max(abs(change), self._costs.get(number, 0.0))
        # An act without dice that lowered the chance was no mistake if no better answer exists.
        if not point.rolls and change < 0 and not self._others_gained(number):
            return 0.0
        return abs(change) if self._turns(number) and self._lasts(number) and self._is_sure(number) else 0.0

    def _credible(self, number: int) -> Better | None:
        """Return the better answer of an act, unless the given answer turned out as well, or its side gained by it."""
        better, side = self._found.get(number), self.points[number].side
        before, after = self._known[number][side], self._after(number)[side]
        return None if better is None or after >= better.chance or after > before else better

    def _on_the_curve(self, number: int, better: Better) -> Better:
        """Return a better answer with its chance on the scale of the curve."""
        # The given answer's average over its dice, plus the gain.
        worth = max(0.0, self._worth_of(number))
        chance = max(worth, min(SUREST, worth + self._costs[number]))
        return msgspec.structs.replace(better, chance=round(chance, DIGITS))

    def _end(self) -> list[Turn]:
        """Return the end of the battle as a turning point, unless the last turning point is the end."""
        if self.battle.ended is None:
            number = self.battle.last_act()
            if self._turning and self._turning[-1].act >= number:
                return []
            side = self.points[number].side
            return [Turn(number, side, self._words(number), self._known[number][side], self._after(number)[side])]
        record, number = self.record, len(self.points)
        lost = record.resigned if record.resigned is not None else record.late
        side = self.points[-1].side if lost is None else lost
        before, after = self._known[number][side], self._known[-1][side]
        if lost is None:
            return [Turn(number, side, self.battle.ended.reason.rstrip("."), before, after)]
        if lost == record.late:
            return [Turn(number, side, "its time is up", before, after)]
        better = Better("play on", round(before, DIGITS)) if before >= LEAST else None
        return [Turn(number, side, "gives up", before, after, better)]

    # --- games played on ----------------------------------------------------------------------------------------------

    def play_on(self) -> None:
        """Play games to their end from shortly before the end, and on request from the beginning of each round."""
        if not self.chances.fitted:
            return
        late = [start for start in self.battle.turns if start > self.battle.starts[-1]][-LATE:]
        for step, number in enumerate(self._rounds):
            self._say(len(self.points) + LONG * step, "games played on")
            self._played.append(self._games_from(number))
        self._played_late = [self._games_from(number) for number in late]

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
                won.append(share_of(None if t.over is None else t.over.winner, len(self.sides)))
            mean = sum([one[0] for one in won]) / len(won)
            spread = sum([(one[0] - mean) ** 2 for one in won]) / (len(won) - 1)
            # Even if all of a few games are won, the chance is not certain: the error is at least that of one more win
            # and one more loss.
            least = 1 / (len(won) + 2)
            error = sqrt(max(spread, least * (1 - least)) / len(won))
            if abs(mean - self._estimates[number][0]) <= Z95 * error:
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
        """Correct the estimates between the beginnings of two rounds, towards the games that were played on from there.

        Acts without a choice get no share of the correction. If there are only games from shortly before the end, only
        the last round is corrected.
        """
        played = [*self._played, *self._played_late]
        if not played:
            return
        # Number of real decisions before each moment: the correction between two rounds is spread over them.
        free = [0]
        for number in range(len(self.points)):
            free.append(free[-1] + self.battle.is_free(number))
        moments = [one.act + 1 for one in played]
        shifts_there = corrections(
            [
                disagreement(self._place_of(moment, free), self._estimates[moment][0], games)
                for moment, games in zip(moments, played, strict=True)
            ]
        )
        marks = [(free[moment], shift) for moment, shift in zip(moments, shifts_there, strict=True)]
        if not self._played:
            marks.insert(0, (free[self.battle.starts[-1]], 0.0))
        elif self._played[0].round == 0 and len(marks) > 1:
            # Estimates before the first round are poorer than in it, and need a separate correction.
            marks.insert(1, (max(0, marks[1][0] - 1), marks[0][1]))
        self._shifts = [between(marks, at) for at in free]
        self._shifts += self._shifts[-1:] * (len(self._estimates) - len(self._shifts))
        self._draw()

    def _place_of(self, moment: int, free: Sequence[int]) -> float:
        """Return the place of a moment in the battle in rounds, counted by its decisions.

        Args:
            free: Number of real decisions before each moment.
        """
        number = max([n for n, start in enumerate(self.battle.starts) if start <= moment])
        start = self.battle.starts[number]
        end = self.battle.starts[number + 1] if number + 1 < len(self.battle.starts) else len(self.points)
        share = (free[moment] - free[start]) / max(1, free[end] - free[start])
        return APART if self.rules.round(self.points[start].state) == 0 else number + share

    # --- judging every decision ---------------------------------------------------------------------------------------

    def judge(self) -> None:
        """Judge the cost of each decision against a commander's answer.

        Answers that settle dice, and those before the first turn, are not judged.
        """
        left = [number for number in self._judging if number not in self._found]
        work = HEAVY * len(self._judging)
        self._found.update({number: None for number in left if not self._matters(number)})
        left = [number for number in left if number not in self._found]
        self._compare(left, 0, lambda share: self._say(self._before_judging + int(work * share), "decisions"))
        self._draw()

    def is_judged(self, number: int) -> bool:
        """Return whether the decision of an act is judged: a choice made in a turn that settles no dice.

        A roll that changed nothing on the table proves nothing about the decision to roll.
        """
        point = self.points[number]
        settles = point.state.asked[point.index].settles
        judged = not settles and self.rules.round(point.state) > 0 and self.battle.is_free(number)
        return judged and (not point.rolls or self.battle.has_effect(number))

    def _lasts(self, number: int) -> bool:
        """Return whether at least half of the change by an act remains, on average over the following acts.

        Between the turns of two sides the estimate may be wrong for a moment, so a short change is ignored.
        """
        side = self.points[number].side
        before, after, end = self._known[number][side], self._after(number)[side], self.battle.end_of(number)
        since = [one[side] - before for one in self._known[end : end + 1 + LASTING]]
        mean = sum(since) / len(since)
        return abs(after - before) >= SWING and mean * (after - before) > 0 and 2 * abs(mean) >= abs(after - before)

    def _turns(self, number: int) -> bool:
        """Return whether an act ended the battle, or had a notable effect in favour of the side that gained."""
        effect = self.battle.effect(number)
        gained = {side for side, change in enumerate(self._changes(number)) if change > 0}
        return effect.agrees(gained) if effect.notable else self.battle.ends_battle(number)

    def _is_sure(self, number: int) -> bool:
        """Return whether the change by an act is larger than the error of its mean over the dice."""
        return abs(self._changes(number)[0]) > Z95 * self._acted[number].error

    def _others_gained(self, number: int) -> bool:
        """Return whether another side than the acting one took a place or the lead."""
        effect = self.battle.effect(number)
        return bool((effect.taken | effect.ahead) - {self.points[number].side})

    def _after(self, number: int) -> tuple[float, ...]:
        """Return the chances after an act and the answers that settle its dice."""
        return self._known[self.battle.end_of(number)]

    def _changes(self, number: int) -> list[float]:
        """Return each side's change of its chance by an act and the answers that settle its dice."""
        return [after - before for before, after in zip(self._known[number], self._after(number), strict=True)]

    def _compare(self, numbers: Sequence[int], others: int, tell: Callable[[float], None]) -> None:
        """Find better answers than the given ones, and store the result for each act."""
        best = self.alternatives.best(numbers, others, lambda share: tell(TRYING * share))
        self._gains.update({number: gain for number, (gain, _) in best.items()})
        for step, number in enumerate(numbers):
            tell(TRYING + (1 - TRYING) * step / len(numbers))
            gain, action = best.get(number, (0.0, None))
            trial = self.alternatives.to_the_end(self.points[number], action) if self.chances.fitted and gain else None
            if self.chances.fitted:
                gain = 0.0 if trial is None else min(gain, trial.better - trial.given)
            better = self._named(number, gain, action) if gain else None
            if better is not None:
                self._costs[number] = gain
                if trial is not None:
                    better = msgspec.structs.replace(better, trial=trial, games=wording.games_words(trial))
            self._found[number] = better

    def _named(self, number: int, gain: float, action: Any) -> Better | None:
        self._found_by[number] = action
        point = self.points[number]
        words = self.battle.said(number, action)
        reasons = self.alternatives.reasons(point, action)
        if words == self.battle.said(number):
            reasons = self.alternatives.differing(point, action, point.action)
            if not reasons:
                return None
        return Better(f"{words}: {', '.join(reasons)}" if reasons else words, gain)

    def _worth_of(self, number: int) -> float:
        """Return the chance of the acting side, averaged over the dice of the act."""
        return self._mean(number)[self.points[number].side]

    def _mean(self, number: int) -> tuple[float, ...]:
        """Return the chances after an act, averaged over its dice."""
        return tuple([one + play for one, play in zip(self._known[number], self._acted[number].play, strict=True)])

    # --- words --------------------------------------------------------------------------------------------------------

    def _words(self, number: int) -> str:
        if number not in self._said_of:
            point, effect = self.points[number], self.battle.effect(number)
            # Losses are listed with the act whose dice caused them; answers that settle these dice do not repeat them.
            follows = number > 0 and self.battle.goes_with(number) and bool(self.points[number - 1].rolls)
            costs = () if follows or not (point.rolls or effect.seized) else effect.words
            if not follows:
                costs += self._burdens(number)
            readings = [one for n in range(number, self.battle.end_of(number)) for one in self.battle.readings[n]]
            roll, others = _roll_of(readings, () if follows else self._lost_by(number))
            done = self.battle.said(number) if roll is None else roll.words
            whose = [
                f"{quantity(count, 'more roll')} of {name}"
                for side, name in enumerate(self.sides)
                if (count := sum([one.side == side for one in others]))
            ]
            if whose:
                done += f", and {listed(whose)}"
            what = ", ".join(costs) or ("" if roll is None else "no losses" if others and not follows else roll.came)
            if not what and roll is None:
                faces = [str(face) for face in self.battle.thrown[number]]
                what = self._apart(number, done) or (faces and f"dice {listed(faces)}, no losses") or ""
            results = self._result(number)
            if self._others_gained(number) and not readings and not follows and not self.battle.ends_battle(number):
                # The enemy's move or the end of the turn caused the result, so the answer before it comes second.
                result, cause = ". ".join([*costs, *results]), self.battle.cause_of(number)
                self._said_of[number] = (
                    f"{result}, after “{done}”"
                    if cause == number
                    else f"{result}, after “{self.battle.said(cause)}” in act {cause}"
                )
            else:
                self._said_of[number] = ". ".join([f"{done}: {what}" if what else done, *results])
        return self._said_of[number]

    def _result(self, number: int) -> tuple[str, ...]:
        """Return sentences on the end of the battle, or on a change of the leading side."""
        follows = number > 0 and self.battle.goes_with(number)
        if not self.battle.ends_battle(number):
            effect = self.battle.effect(number)
            score = effect.leads or effect.score
            return () if follows or not score else (score,)
        return () if follows and not self.battle.is_free(number) else self._end_words()

    def _end_words(self) -> tuple[str, ...]:
        """Return sentences on the end of the battle; none if the record ends earlier."""
        over = self.battle.match.over
        if over is None:
            return ()
        name, reason = None if over.winner is None else self.sides[over.winner], over.reason.rstrip(".")
        return (reason,) if name is None or name in reason else (reason, does(name, "wins"))

    def _apart(self, number: int, done: str) -> str:
        """Return how a better answer with the same words differs; empty if it does not."""
        better, point = self._found.get(number), self.points[number]
        if better is None or not better.words.startswith(f"{done}: "):
            return ""
        best = self._found_by[number]
        return ", ".join(self.alternatives.differing(point, point.action, best))

    def _burdens(self, number: int) -> tuple[str, ...]:
        """Return the new tokens and places of the targets of an attack; units that the rules move are left out."""
        aimed = {one.target for one in self.battle.readings[number]}
        enemies = {
            group.id
            for group in self.battle.table(self.points[number].state).groups
            if group.side not in {self.points[number].side, *self.battle.unplayed}
        }
        return tuple([words for unit, words in self.battle.effect(number).burdens if unit in aimed & enemies])

    def _lost_by(self, number: int) -> tuple[int, ...]:
        """Return the units that lost something by an act, those of the side whose chance fell come first."""
        fell = [side for side, change in enumerate(self._changes(number)) if change < 0]
        hurt = self.battle.effect(number).hurt
        return tuple([unit for unit, side in sorted(hurt, key=lambda one: one[1] not in fell)])

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
        dice = [change[s] if s in self.battle.unplayed else sum([one.luck[s] for one in self._acted]) for s in sides]
        luck = tuple([round(one, DIGITS) for one in dice])
        # The play is the rounded change less the rounded luck, so that the printed numbers add up.
        return luck, tuple([round(change[s] - luck[s], DIGITS) for s in sides])

    def told(self) -> Analysis:
        luck, play = self._luck_and_play()
        plain = Analysis(
            ruleset=self.rules.name,
            sides=self.sides,
            chances=tuple([Chance(n - 1, _rounded(one)) for n, one in enumerate(self._known)]),
            luck=luck,
            play=play,
            turning=tuple(
                [
                    msgspec.structs.replace(t, before=round(t.before, DIGITS), after=round(t.after, DIGITS))
                    for t in self._turning
                ]
            ),
        )
        if self.judging is None:
            return plain
        measured = losses(self.rules.name)
        scale = tuple([LevelLoss(level, one.mean, one.low, one.high) for level, one in measured.items()])
        return msgspec.structs.replace(
            plain,
            turning=tuple([msgspec.structs.replace(t, change=self.change_words(t)) for t in plain.turning]),
            rounds=self.by_round(),
            acts=tuple([self._act(n) for n in range(len(self._acted))]),
            played=tuple(self._played) if self._rounds else msgspec.UNSET,
            dice=self.dice_luck() or msgspec.UNSET,
            scale=scale or msgspec.UNSET,
            summary=self.summary(),
            courses=self.courses(),
            verdicts=self.verdicts(),
        )

    def change_words(self, turn: Turn) -> str:
        """Return the change of the chances at a turning point in words, with the dice of the act."""
        name, change = self.sides[turn.side], wording.change(turn.before, turn.after)
        if turn.act >= len(self.points) or not self._is_roll(turn.act):
            return f"{name}: {change}"
        likely, luck = self._acted[turn.act].likely or (), turn.after - self._worth_of(turn.act)
        # Good dice that do not make up for a loss, and bad ones that a gain outweighs, explain nothing.
        if luck * (turn.after - turn.before) <= 0:
            return f"{name}: {change}"
        return f"{name}: {change}; {wording.likely_words(luck > 0, likely[turn.side])}"

    def dice_luck(self) -> tuple[DiceLuck, ...]:
        return _dice_luck(self.battle.tallies)

    def summary(self) -> tuple[str, ...]:
        """Return three sentences: who won and why, where the battle turned, and how much the dice did."""
        return (self._outcome_words(), self._turn_words(), self._dice_words())

    def _outcome_words(self) -> str:
        """Return who won and why."""
        if self.battle.ended is None:
            return ". ".join(self._end_words())
        winner, reason = self.battle.ended.winner, self.battle.ended.reason.rstrip(".")
        return reason if winner is None else f"{reason}. {does(self.sides[winner], 'wins')}"

    def _turn_words(self) -> str:
        """Return the turning point that helped the winner most; of a drawn battle, the largest for any side."""
        most = max(self._known[-1])
        winners = [side for side, chance in enumerate(self._known[-1]) if chance == most]
        # The first sentence says how the battle ended, so its end counts here only if a loss or a place decided it.
        acts = [one.act for one in self._turning if one.act < len(self.points) and self.battle.effect(one.act).notable]
        gains = [(self._changes(act)[side], side, -act) for act in acts for side in winners]
        gain, side, act = max(gains, default=(0.0, winners[0], 0))
        name = self.sides[side]
        if gain < SWING:
            return f"No single act turned the battle: {name} began with {wording.percent(self._known[0][side])}"
        number = self.rules.round(self.points[-act].state)
        change = wording.change(self._known[-act][side], self._after(-act)[side])
        words = f"{change} for {name}: {self._words(-act)}"
        return f"It turned most in round {number}, {words}" if number else f"It turned most before round 1, {words}"

    def _dice_words(self) -> str:
        """Return which side the dice helped or hurt, and the dice that did so most."""
        luck = self._luck_and_play()[0]
        side = max([one for one in range(len(luck)) if one not in self.battle.unplayed], key=lambda one: luck[one])
        if abs(luck[side]) < max(wording.EVEN, Z95 * self._luck_error()):
            return "The dice were even"
        good, name = luck[side] > 0, self.sides[side]
        words = f"The dice helped {name}" if good else f"The dice hurt {name}"
        swings = [(self._after(n)[side] - self._mean(n)[side], n) for n in range(len(self._acted)) if self._is_roll(n)]
        swing, number = max([(one if good else -one, -n) for one, n in swings], default=(0.0, 0))
        if swing < LEAST or -number in {turn.act for turn in self._turning}:
            return words
        return f"{words}, most of all these: {self._words(-number)}"

    def _luck_error(self) -> float:
        """Return the standard error of the sum of the effects of dice."""
        return sqrt(sum([one.error**2 for one in self._acted]))

    def _is_roll(self, number: int) -> bool:
        return self._acted[number].likely is not None

    def courses(self) -> tuple[str, ...]:
        """Return each side's first and last chance in words, and its dice."""
        effects, error = self._luck_and_play()[0], self._luck_error()
        first, last = ([wording.percent(one) for one in self._known[n]] for n in (0, -1))
        dice = [
            "it has no player" if side in self.battle.unplayed else wording.dice_of(one, error)
            for side, one in enumerate(effects)
        ]
        four = zip(self.sides, first, last, dice, strict=True)
        return tuple([f"{name}: {start} at first, {end} at last; {luck}" for name, start, end, luck in four])

    def verdicts(self) -> tuple[str, ...]:
        """Return each side's judged decisions in words; empty for a side without any."""
        judged = [(self.points[number].side, self._found[number]) for number in self._judging if number in self._found]
        counts = [[better is not None for side, better in judged if side == one] for one in range(len(self.sides))]
        return tuple([wording.verdict(len(some), sum(some)) if some else "" for some in counts])

    def by_round(self) -> tuple[RoundChange, ...]:
        """Return the change of the chances in each round."""
        rounds = []
        for start, end in zip(self.battle.starts, [*self.battle.starts[1:], len(self.points)], strict=True):
            last = len(self._known) - 1 if end == len(self.points) else end
            effect = self.battle.effect_between(start, end)
            score = self._end_words() if end == len(self.points) else ()
            rounds.append(
                RoundChange(
                    round=self.rules.round(self.points[start].state),
                    act=end - 1,
                    before=_rounded(self._known[start]),
                    after=_rounded(self._known[last]),
                    change=wording.change(self._known[start][0], self._known[last][0]),
                    words=(*effect.words, *(score or [one for one in (effect.leads, effect.score) if one])),
                )
            )
        return tuple(rounds)

    def _act(self, number: int) -> Act:
        point, acted, judged = self.points[number], self._acted[number], None
        if number in self._judging and number in self._found:
            better = self._found[number]
            gain = self._gains.get(number, 0.0) if better is None else better.chance - self._worth_of(number)
            judged = Judged(round(gain, DIGITS), better)
        average, after = self._worth_of(number), self._after(number)[point.side]
        likely = None if acted.likely is None else acted.likely[point.side]
        return Act(
            act=number,
            side=point.side,
            words=self._words(number),
            play=round(acted.play[point.side], DIGITS),
            luck=round(acted.luck[point.side], DIGITS),
            error=round(acted.error, DIGITS),
            average=round(average, DIGITS),
            after=round(after, DIGITS),
            likely=None if likely is None else round(likely, DIGITS),
            roll="" if likely is None else wording.roll_words(average, after, likely),
            judged=judged,
        )


def _roll_of(rolls: Sequence[Reading], lost: Sequence[int]) -> tuple[Reading | None, list[Reading]]:
    """Return the roll that is mentioned in the description of an act, and its other rolls.

    Args:
        lost: Units that lost something by the act. A roll aimed at the first of them is preferred.
    """
    aimed = [one for one in rolls if one.target is not None] or list(rolls)
    if not aimed:
        return None, []
    costly = [one for unit in lost for one in aimed if one.target == unit]
    roll = (costly or aimed)[0]
    return roll, [one for one in aimed if one is not roll]


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


def _rounded(chances: Sequence[float]) -> tuple[float, ...]:
    return tuple([round(one, DIGITS) for one in chances])


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
