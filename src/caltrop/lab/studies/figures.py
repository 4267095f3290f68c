"""The results of a study's games: shares and lengths with intervals, effects of factors, and open questions.

A study is evaluated only after fixed numbers of games, so that nobody stops it when the figures look good. A 95 %
interval is corrected for the number of looks: each look has an equal share of the error (Bonferroni). The interval of
an effect is also corrected for the number of effects. All statements of a study together therefore have an error of at
most 5 %. In shares, a draw counts as half a win.
"""

from __future__ import annotations

import re
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from math import sqrt
from statistics import NormalDist

import msgspec

from caltrop.agreeing import quantity
from caltrop.chance import wilson
from caltrop.lab.studies.design import Study, label
from caltrop.lab.studies.playing import GameRow

ERROR = 0.05
"""Largest probability that any statement of a study is wrong."""

MOST_CLAUSES = 400
"""Largest number of clauses in a summary."""

_NUMBERS = re.compile(r"\d+")
"""Pattern of numbers in the sentence on the end of a game. Such numbers are left out when endings are counted."""


class Estimate(msgspec.Struct, frozen=True):
    """A figure with its interval."""

    value: float
    low: float
    high: float


class SettingFigures(msgspec.Struct, frozen=True, kw_only=True):
    """The results of the games of a setting."""

    levels: dict[str, str]
    games: int
    wins: tuple[int, int]
    """Games won by the first and by the second player."""
    sides: tuple[int, int]
    """Games won by side 0 and by side 1."""
    draws: int
    share: Estimate
    """Share of wins of the player or side in `Figures.measure`; draws count half."""
    rounds: float
    sd: float
    most: int


class Effect(msgspec.Struct, frozen=True, kw_only=True):
    """The effect of a level against the first level of its factor."""

    factor: str
    level: str
    against: str
    games: int
    """Number of games with the level, or of pairs of games."""
    paired: bool
    """True if games with the same dice and otherwise the same setting are compared."""
    share: Estimate
    """Difference of the share, corrected for looks and effects."""
    p: float
    """Probability of so large a difference by chance, corrected for looks and effects (Holm)."""
    clear: bool
    """True if the interval of the share does not contain 0."""
    rounds: Estimate | None
    """Difference of the mean number of rounds, corrected for looks and effects; None for a single game."""


class Loss(msgspec.Struct, frozen=True):
    """Number of lost units of one kind, over all games."""

    name: str
    """Name of the side that lost the units."""
    kind: str
    units: int
    a_game: float


class Bore(msgspec.Struct, frozen=True, kw_only=True):
    """A clause, with the results of the games that used it."""

    clause: str
    games: int
    share: float
    """Share of wins in games that used the clause."""
    without: float
    """Share of wins in games that did not use the clause."""


class Figures(msgspec.Struct, frozen=True, kw_only=True):
    """The results of a study at its last look."""

    title: str
    words: str
    ruleset: str
    design: str
    state: str
    """`running`, `stopped` (the study can be continued), `precise enough`, or `done`."""
    played: int
    """Number of finished games, including those after the last look."""
    total: int
    looks: int
    """Number of looks so far."""
    of: int
    games: int
    level: float
    """The confidence level of the interval of a setting, such as 0.95 if there is a single look."""
    measure: str
    """The meaning of shares: `player` for wins of player 0; `side` for wins of side 0, if both players are the same."""
    measured: str
    """The meaning of shares in words."""
    seed: int
    rules: str
    """A hash of the versions of the program and the rules."""
    cells: tuple[SettingFigures, ...]
    """Figures of each setting; empty if there are too many to list. `levels` is then the only table."""
    levels: dict[str, dict[str, SettingFigures]]
    """Figures of each level of each factor, from all games with that level."""
    effects: tuple[Effect, ...]
    first: Estimate | None
    """Share of games won by the side with the first turn."""
    losses: tuple[Loss, ...]
    endings: dict[str, int]
    """Endings of games, by their sentences with numbers left out, the most frequent first."""
    clauses: tuple[Bore, ...]
    open: tuple[str, ...]
    """Questions that the study has not answered."""
    precise_enough: bool
    digest: str
    """A hash of all games that were counted."""


class _Sums:
    """Sums over games, which can be added in any order."""

    def __init__(self) -> None:
        self.games = self.draws = self.total = self.squares = self.most = self.half = 0
        self.wins, self.sides = [0, 0], [0, 0]

    def add(self, row: GameRow, half: int) -> None:
        self.games += 1
        self.half += half
        self.total += row.rounds
        self.squares += row.rounds * row.rounds
        self.most = max(self.most, row.rounds)
        if row.winner is None or row.side is None:
            self.draws += 1
        else:
            self.wins[row.winner] += 1
            self.sides[row.side] += 1

    def cell(self, levels: dict[str, str], z: float) -> SettingFigures:
        n = self.games
        variance = (n * self.squares - self.total * self.total) / (n * (n - 1)) if n > 1 else 0.0
        return SettingFigures(
            levels=levels,
            games=n,
            wins=(self.wins[0], self.wins[1]),
            sides=(self.sides[0], self.sides[1]),
            draws=self.draws,
            share=share_of(self.half, n, z),
            rounds=self.total / n if n else 0.0,
            sd=sqrt(max(0.0, variance)),
            most=self.most,
        )


def share_of(half: int, games: int, z: float) -> Estimate:
    """Return a share with its score interval, which is rather too wide, because draws reduce the variance."""
    if not games:
        return Estimate(0.5, 0.0, 1.0)
    share, square = half / (2 * games), z * z
    if half in (0, 2 * games):
        low, high = wilson(half // 2, games, z)
        return Estimate(share, low, high)
    centre = (share + square / (2 * games)) / (1 + square / games)
    reach = z * sqrt(share * (1 - share) / games + square / (4 * games * games)) / (1 + square / games)
    return Estimate(share, max(0.0, centre - reach), min(1.0, centre + reach))


class _KeptOutcomes:
    """Outcome and length of each game, by setting and number, in two or three bytes per game."""

    def __init__(self, games: int) -> None:
        self.half = array("b", [-1]) * games
        self.rounds = array("H", [0]) * games


def figures_of(study: Study, rows: Iterable[GameRow], looks: int, state: str, rules: str, played: int) -> Figures:
    """Return the results of a study's games at a look.

    Args:
        rows: All games that were played, in any order; games after the look are ignored.
        looks: Number of the look; 0 before the first.
    """
    bound = study.look_at(looks) if looks else 0
    measure = "side" if _same_players(study) else "player"
    counted = _RunningCounts(study, measure, bound)
    for row in rows:
        if row.game < bound:
            counted.add(row)
    z = _z(ERROR / study.looks)
    cells = tuple([sums.cell(levels, z) for levels, sums in counted.listed()])
    effects = counted.effects()
    intervals = [cell.share for cell in cells] or [effect.share for effect in effects]
    precise = study.precise is not None and looks > 0 and all(_reach(one) <= study.precise for one in intervals)
    first = share_of(counted.first_half, counted.first_games, z) if counted.first_games else None
    return Figures(
        title=study.title,
        words=study.words,
        ruleset=study.ruleset,
        design=study.design,
        state=state,
        played=played,
        total=study.total,
        looks=looks,
        of=study.looks,
        games=counted.all.games,
        level=1 - ERROR / study.looks,
        measure=measure,
        measured=counted.measured(),
        seed=study.seed,
        rules=rules,
        cells=cells,
        levels={
            factor: {name: sums.cell({factor: name}, z) for name, sums in levels.items()}
            for factor, levels in counted.levels.items()
        },
        effects=effects,
        first=first,
        losses=counted.losses(),
        endings=dict(counted.endings.most_common(12)),
        clauses=counted.bore(),
        open=_open(study, looks, cells, effects),
        precise_enough=precise,
        digest=counted.digest(),
    )


def _reach(estimate: Estimate) -> float:
    return max(estimate.high - estimate.value, estimate.value - estimate.low)


def _same_players(study: Study) -> bool:
    players = [study.players, *study.vary.players, *[case.players for case in study.cases if case.players]]
    if study.vary.players:
        players = players[1:]
    return all(len(set(pair)) == 1 for pair in players)


def _z(error: float) -> float:
    return NormalDist().inv_cdf(1 - error / 2)


class _RunningCounts:
    """The running counts over the games of a study."""

    def __init__(self, study: Study, measure: str, bound: int) -> None:
        self.study, self.measure, self.bound = study, measure, bound
        self.all = _Sums()
        self.cells: defaultdict[int, _Sums] = defaultdict(_Sums)
        self.levels: dict[str, dict[str, _Sums]] = {
            factor: {label(level): _Sums() for level in levels} for factor, levels in study.factors.items()
        }
        self.kept: dict[int, _KeptOutcomes] = {}
        self.first_half = self.first_games = 0
        self.lost: Counter[tuple[str, str]] = Counter()
        self.endings: Counter[str] = Counter()
        self.clauses: Counter[str] = Counter()
        self.clause_half: Counter[str] = Counter()
        self._digest = 0

    def add(self, row: GameRow) -> None:
        won = row.side if self.measure == "side" else row.winner
        half = 1 if won is None else 2 * int(won == 0)
        self.all.add(row, half)
        self.cells[row.cell].add(row, half)
        for factor, level in row.levels.items():
            self.levels[factor][level].add(row, half)
        if self._pairs():
            cell = self.kept.setdefault(row.cell, _KeptOutcomes(self.study.games))
            cell.half[row.number], cell.rounds[row.number] = half, row.rounds
        if row.first is not None and len(row.names) == 2:
            self.first_games += 1
            self.first_half += 1 if row.side is None else 2 * int(row.side == row.first)
        for loss in row.lost:
            self.lost[row.names[loss.side], loss.kind] += loss.units
        self.endings[_NUMBERS.sub("…", row.reason)] += 1
        for clause in row.clauses:
            self.clauses[clause] += 1
            self.clause_half[clause] += half
        # The sum is independent of the order in which workers finish rows.
        self._digest = (self._digest + (row.game + 1) * int(row.digest, 16)) % (1 << 128)

    def digest(self) -> str:
        return f"{self._digest:032x}"

    def measured(self) -> str:
        if self.measure == "player":
            return "games won by the first player"
        return "games won by side 0, since both sides are played alike"

    def _pairs(self) -> bool:
        return not self.study.by_chance and self.study.common_dice

    def listed(self) -> list[tuple[dict[str, str], _Sums]]:
        if self.study.by_chance:
            return []
        names = [{n: label(level) for n, level in self.study.levels(cell).items()} for cell in range(self.study.cells)]
        return [(levels, self.cells[cell]) for cell, levels in enumerate(names)]

    def effects(self) -> tuple[Effect, ...]:
        effects = []
        for factor, levels in self.study.factors.items():
            for level in range(1, len(levels)):
                effects.append((factor, label(levels[level]), label(levels[0]), *self._compared(factor, level)))
        z = _z(ERROR / self.study.looks / max(1, len(effects)))
        raw = [_p(share) for _, _, _, _, share, _ in effects]
        corrected = _holm(raw, self.study.looks)
        return tuple(
            [
                Effect(
                    factor=factor,
                    level=level,
                    against=against,
                    games=games,
                    paired=self._pairs(),
                    share=(estimate := _around_share(share, z)),
                    p=p,
                    clear=estimate.low > 0 or estimate.high < 0,
                    rounds=_around(rounds, z),
                )
                for (factor, level, against, games, share, rounds), p in zip(effects, corrected, strict=True)
            ]
        )

    def _compared(self, factor: str, level: int) -> tuple[int, _Mean, _Mean]:
        if self._pairs():
            return self._paired(factor, level)
        levels = self.levels[factor]
        one, other = levels[label(self.study.factors[factor][0])], levels[label(self.study.factors[factor][level])]
        return other.games, _apart(one, other, "half"), _apart(one, other, "total")

    def _paired(self, factor: str, level: int) -> tuple[int, _Mean, _Mean]:
        """Return the mean differences between games with the same dice, in settings that differ only in one factor."""
        below = 1
        for name, levels in reversed(self.study.factors.items()):
            if name == factor:
                break
            below *= len(levels)
        count = len(self.study.factors[factor])
        pairs = [
            (self.kept[cell - level * below], other)
            for cell, other in sorted(self.kept.items())
            if cell // below % count == level and cell - level * below in self.kept
        ]
        shares, lengths = _Running(), _Running()
        # Pairs with the same number have the same dice in every setting, so they count as one observation.
        for number in range(self.study.games):
            if pairs and all(base.half[number] >= 0 and other.half[number] >= 0 for base, other in pairs):
                shares.add(sum([other.half[number] - base.half[number] for base, other in pairs]))
                lengths.add(sum([other.rounds[number] - base.rounds[number] for base, other in pairs]))
        return shares.n * len(pairs), shares.mean(2 * len(pairs)), lengths.mean(len(pairs))

    def losses(self) -> tuple[Loss, ...]:
        games = max(1, self.all.games)
        return tuple([Loss(name, kind, n, n / games) for (name, kind), n in sorted(self.lost.items())])

    def bore(self) -> tuple[Bore, ...]:
        games, half = self.all.games, self.all.half
        bores = []
        for clause, n in sorted(self.clauses.items()):
            own, rest = self.clause_half[clause], games - n
            without = (half - own) / (2 * rest) if rest else own / (2 * n)
            bores.append(Bore(clause=clause, games=n, share=own / (2 * n), without=without))
        return tuple(bores[:MOST_CLAUSES])


class _Mean(msgspec.Struct, frozen=True):
    """A mean with its standard error; the error is None if it is unknown."""

    value: float
    error: float | None


class _Running:
    """Running mean and variance of whole numbers."""

    def __init__(self) -> None:
        self.n = self.total = self.squares = 0

    def add(self, value: int) -> None:
        self.n, self.total, self.squares = self.n + 1, self.total + value, self.squares + value * value

    def mean(self, by: int) -> _Mean:
        n = self.n
        if n < 2:
            return _Mean(self.total / n / by if n else 0.0, None)
        variance = (n * self.squares - self.total * self.total) / (n * (n - 1))
        return _Mean(self.total / n / by, sqrt(max(variance, _floor(n)) / n) / by)


def _floor(games: int) -> float:
    """Return the smallest plausible variance: a few equal results do not prove that all games end alike."""
    return 1 / games


def _apart(one: _Sums, other: _Sums, what: str) -> _Mean:
    by = 2 if what == "half" else 1
    means, errors = [], []
    for sums in (one, other):
        n = sums.games
        if n < 2:
            return _Mean(0.0, None)
        total = getattr(sums, what)
        # The squares of half points follow from the numbers of wins and draws.
        won = (total - sums.draws) // 2
        squares = 4 * won + sums.draws if what == "half" else sums.squares
        variance = (n * squares - total * total) / (n * (n - 1))
        means.append(total / n / by)
        errors.append(max(variance, _floor(n)) / n / by / by)
    return _Mean(means[1] - means[0], sqrt(sum(errors)))


def _around(mean: _Mean, z: float) -> Estimate | None:
    if mean.error is None:
        return None
    return Estimate(mean.value, mean.value - z * mean.error, mean.value + z * mean.error)


def _around_share(mean: _Mean, z: float) -> Estimate:
    around = _around(mean, z)
    if around is None:
        return Estimate(mean.value, -1.0, 1.0)
    return Estimate(around.value, max(-1.0, around.low), min(1.0, around.high))


def _p(mean: _Mean) -> float:
    """Return the probability of a mean at least this far from 0 by chance."""
    if mean.error is None:
        return 1.0
    return 2 * (1 - NormalDist().cdf(abs(mean.value) / mean.error))


def _holm(raw: Sequence[float], looks: int) -> list[float]:
    """Return p-values corrected for their number (S. Holm, Scand. J. Stat. 6, 1979) and for the number of looks.

    >>> _holm([0.01, 0.04, 0.03], 1)
    [0.03, 0.06, 0.06]
    """
    order = sorted(range(len(raw)), key=lambda n: raw[n])
    adjusted = [1.0] * len(raw)
    least = 0.0
    for place, n in enumerate(order):
        least = max(least, min(1.0, raw[n] * (len(raw) - place) * looks))
        adjusted[n] = least
    return adjusted


def _looks(first: int, last: int) -> str:
    return f"Looks {first} to {last} are" if first < last else f"Look {last} is"


def _open(study: Study, looks: int, cells: Sequence[SettingFigures], effects: Sequence[Effect]) -> tuple[str, ...]:
    if looks == 0:
        first = study.look_at(1)
        return (f"Nothing is said before the first look, after {quantity(first, 'game')}.",)
    names = []
    if looks < study.looks:
        names.append(f"{_looks(looks + 1, study.looks)} still to come; figures may change.")
    even = [cell for cell in cells if cell.share.low <= 0.5 <= cell.share.high]
    if even:
        names.append(
            f"In {len(even)} of {quantity(len(cells), 'setting')} it is open who is ahead: the interval holds one half."
        )
    for effect in effects:
        if not effect.clear:
            reach = max(abs(effect.share.low), abs(effect.share.high))
            within = (
                f"by {quantity(f'{100 * reach:.0f}', 'point')} at most, either way" if reach < 1 else "nothing is known"
            )
            names.append(f"Whether {effect.factor} {effect.level} against {effect.against} changes who wins: {within}.")
    return tuple(names)
