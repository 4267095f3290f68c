"""The worth of units: points fitted to battles of drawn armies, and checked on other battles.

The chance that side 0 wins is a logistic function of the difference in army worth, plus a bonus for being side 0. The
worth of an army is the sum of the worths of its units. If two units together are worth significantly more or less than
their sum, the difference is added. On average, a unit of the study is worth 100 points.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import log, sqrt
from pathlib import Path
from statistics import NormalDist
from typing import Any

import msgspec

from caltrop.agreeing import quantity
from caltrop.chance import Z95, Seeded
from caltrop.errors import InputError
from caltrop.kit.costs import Costs, Paired, Priced
from caltrop.lab.logistic import Logistic, Vector, chance, regression
from caltrop.lab.studies.design import ArmyPool, Study, StudyCase, Vary, army_text, read_study
from caltrop.lab.studies.executors import Executor
from caltrop.lab.studies.figures import ERROR, Estimate, Figures, share_of
from caltrop.lab.studies.playing import GameRow
from caltrop.lab.studies.running import Folder, StudyProgress, run, write

HELD_OUT = 5
"""One pair of armies in this number is kept out of the fit, for the check."""
RIDGE = 1e-6
"""Ridge penalty, which keeps a fit finite if a unit was hardly ever drawn."""
MOST_TOGETHER = 12
"""Largest number of pairs of units in the list of joint worths."""

Drawn = tuple[int, tuple[int, ...]]
"""An army: the number of its pool, and the numbers of its units in the pool."""


class Worth(Priced, frozen=True, kw_only=True):
    """The worth of a unit, in points."""

    low: float
    high: float
    drawn: int
    """Number of times that the unit was drawn."""


class Together(Paired, frozen=True, kw_only=True):
    """The additional worth of two units if they are in the same army."""

    low: float
    high: float


class Bin(msgspec.Struct, frozen=True, kw_only=True):
    """Held-out battles with similar predictions."""

    predicted: float
    games: int
    won: Estimate
    """Share of the battles that side 0 won."""


class Pairing(msgspec.Struct, frozen=True, kw_only=True):
    """A pairing of two different armies of equal cost."""

    one: str
    other: str
    points: tuple[float, float]
    games: int
    share: Estimate
    """Share of wins of the first army; each army played both sides equally often."""


class Points(msgspec.Struct, frozen=True, kw_only=True):
    """The worth of units, and the quality of the fit."""

    title: str
    ruleset: str
    games: int
    """Number of battles to which the points were fitted."""
    units: tuple[Worth, ...]
    together: tuple[Together, ...]
    pools: dict[str, float]
    """For each pool, extra points of an army besides its drawn units, relative to the first pool."""
    first_side: float
    """Advantage of side 0 in points, with any armies."""
    point: float
    """Change of the log odds by one point."""
    held_out: tuple[Bin, ...]
    loss: float
    """Mean logarithmic loss on the held-out battles; a random guess has 0.693."""
    pairings: tuple[Pairing, ...] = ()


def fitted(study: Study, rows: Iterable[GameRow]) -> Points:
    """Return the points of the units in a study of drawn armies. Raises ValueError if there are too few games."""
    names = [(pool, unit) for pool, at in enumerate(study.draw) for unit in range(len(at.units))]
    place = {name: n for n, name in enumerate(names)}
    counts: list[Vector] = []
    outcomes: Vector = []
    mask: list[bool] = []
    armies: list[tuple[Drawn, ...]] = []
    drawn = [0] * len(names)
    for row in sorted(rows, key=lambda row: row.game):
        one: Vector = [0.0] * len(names)
        armies.append(study.drawn(row.cell))
        for sign, (pool, units) in zip((1, -1), armies[-1], strict=True):
            for unit in units:
                one[place[pool, unit]] += sign
                drawn[place[pool, unit]] += 1
        counts.append(one)
        outcomes.append(0.5 if row.side is None else float(row.side == 0))
        mask.append(row.cell % HELD_OUT != HELD_OUT - 1)
    train = [n for n, keep in enumerate(mask) if keep]
    if len(train) < 2 * len(names):
        raise ValueError(f"{quantity(len(train), 'battle', 'is')} too few for {quantity(len(names), 'unit')}")
    # Units that all armies of a pool have cannot be told apart from the pool.
    pools = [[float((pool == one[0][0]) - (pool == one[1][0])) for pool in range(1, len(study.draw))] for one in armies]
    columns = [[1.0, *one, *pool] for one, pool in zip(counts, pools, strict=True)]
    more = _together(names, armies)
    chosen: list[Pair] = []
    while True:
        fit = regression([columns[n] for n in train], [outcomes[n] for n in train], penalty=RIDGE)
        pair = _clearest(fit, columns, outcomes, train, {p: more[p] for p in more if p not in chosen}, len(more))
        if pair is None or len(chosen) == MOST_TOGETHER:
            break
        chosen.append(pair)
        columns = [[*columns[n], more[pair][n]] for n in range(len(columns))]
    point = sum(fit.weights[1 : 1 + len(names)]) / len(names) / 100
    if point <= 0:
        raise ValueError("units are worth nothing in these battles: more of them do not win more often")

    def around(n: int) -> tuple[float, float, float]:
        reach = Z95 * sqrt(fit.spread[n][n])
        return fit.weights[n] / point, (fit.weights[n] - reach) / point, (fit.weights[n] + reach) / point

    test = [n for n, keep in enumerate(mask) if not keep]
    chances = [chance(fit.weights, columns[n]) for n in test]
    return Points(
        title=study.title,
        ruleset=study.ruleset,
        games=len(train),
        units=tuple(
            [
                Worth(
                    pool=study.draw[pool].name,
                    unit=study.draw[pool].units[own],
                    points=(estimate := around(1 + n))[0],
                    low=estimate[1],
                    high=estimate[2],
                    drawn=drawn[n],
                )
                for n, (pool, own) in enumerate(names)
            ]
        ),
        together=tuple(
            [
                Together(
                    pool=study.draw[pool].name,
                    units=(study.draw[pool].units[one], study.draw[pool].units[other]),
                    points=(estimate := around(len(names) + len(study.draw) + n))[0],
                    low=estimate[1],
                    high=estimate[2],
                )
                for n, (pool, one, other) in enumerate(chosen)
            ]
        ),
        pools={pool.name: fit.weights[len(names) + n] / point if n else 0.0 for n, pool in enumerate(study.draw)},
        first_side=fit.weights[0] / point,
        point=point,
        held_out=_bins(chances, [outcomes[n] for n in test]),
        loss=_loss(chances, [outcomes[n] for n in test]),
    )


Pair = tuple[int, int, int]
"""A pool, and two of its units."""


def _together(names: Sequence[tuple[int, int]], battles: Sequence[tuple[Drawn, ...]]) -> dict[Pair, Vector]:
    """Return, for every two units of a pool, how often side 0's army had both in each battle, minus side 1's."""
    pairs = [(pool, one, other) for pool, one in names for p, other in names if p == pool and other >= one]
    sums: dict[Pair, Vector] = {pair: [0.0] * len(battles) for pair in pairs}
    for n, armies in enumerate(battles):
        for sign, (pool, units) in zip((1, -1), armies, strict=True):
            count = {unit: units.count(unit) for unit in units}
            for one, a in count.items():
                for other, b in count.items():
                    if other >= one:
                        sums[pool, one, other][n] += sign * (a * (a - 1) / 2 if one == other else a * b)
    return sums


def _clearest(
    fit: Logistic,
    columns: Sequence[Vector],
    outcomes: Vector,
    train: Sequence[int],
    more: dict[Pair, Vector],
    tried: int,
) -> Pair | None:
    """Return the two units whose joint worth differs most significantly from the sum, by score tests; None if no pair
    differs.

    Only one pair is returned, because a significant pair makes related pairs look significant too.
    """
    limit = NormalDist().inv_cdf(1 - ERROR / 2 / max(1, tried))
    chances = {n: chance(fit.weights, columns[n]) for n in train}
    clearest: Pair | None = None
    for pair, column in more.items():
        score = information = 0.0
        cross = [0.0] * len(fit.weights)
        for n in train:
            if value := column[n]:
                p = chances[n]
                score += value * (outcomes[n] - p)
                weight = value * p * (1 - p)
                information += value * weight
                for k, x in enumerate(columns[n]):
                    if x:
                        cross[k] += weight * x
        turned = [sum(a * b for a, b in zip(row, cross, strict=True)) for row in fit.spread]
        variance = information - sum(a * b for a, b in zip(cross, turned, strict=True))
        if variance > 1e-9 * max(1.0, information) and abs(score) / sqrt(variance) > limit:
            clearest, limit = pair, abs(score) / sqrt(variance)
    return clearest


def _bins(chances: Sequence[float], outcomes: Sequence[float]) -> tuple[Bin, ...]:
    """Return held-out battles in bins of similar predictions."""
    order = sorted(range(len(chances)), key=lambda n: chances[n])
    bins = []
    for part in range(5):
        group = order[part * len(order) // 5 : (part + 1) * len(order) // 5]
        if group:
            half = round(2 * sum(outcomes[n] for n in group))
            mean = sum(chances[n] for n in group) / len(group)
            bins.append(Bin(predicted=mean, games=len(group), won=share_of(half, len(group), Z95)))
    return tuple(bins)


def _loss(chances: Sequence[float], outcomes: Sequence[float]) -> float:
    if not chances:
        return log(2)
    clipped = [min(max(p, 1e-9), 1 - 1e-9) for p in chances]
    return -sum(y * log(p) + (1 - y) * log(1 - p) for p, y in zip(clipped, outcomes, strict=True)) / len(clipped)


def cost(study: Study, points: Points, pool: int, units: Sequence[int]) -> float:
    at = study.draw[pool]
    price = Costs(points.units, points.together, points.pools).of(at.name, [at.units[unit] for unit in units])
    assert price is not None, "every unit of a pool was drawn, and has its points"
    return price


def check_study(study: Study, points: Points) -> Study:
    dice = Seeded(f"{study.seed} pairings")
    cases: list[StudyCase] = []
    for number in range(study.check.pairs):
        one, other = _even(study, points, dice, number)
        texts = [army_text(study.draw[pool], units) for pool, units in (one, other)]
        cases.append(
            StudyCase(name=f"{number} {_said(study, one)} against {_said(study, other)}", armies=(texts[0], texts[1]))
        )
        cases.append(
            StudyCase(name=f"{number} {_said(study, other)} against {_said(study, one)}", armies=(texts[1], texts[0]))
        )
    return msgspec.structs.replace(
        study,
        title=f"{study.title}: pairings of equal points",
        design="list",
        draw=(),
        vary=Vary(),
        cases=tuple(cases),
        games=max(1, study.check.games // 2),
        common_dice=False,
        looks=1,
        precise=None,
    )


def _even(study: Study, points: Points, dice: Seeded, number: int) -> tuple[Drawn, Drawn]:
    """Return two different armies of nearly equal cost: the closest pair of many random armies."""
    pools = len(study.draw)
    one_pool = number % pools
    other_pool = (one_pool + 1 + dice.below(pools - 1)) % pools if pools > 1 else one_pool
    some = [study.army(f"{study.seed} pairing {number} one {n}", one_pool) for n in range(40)]
    others = [study.army(f"{study.seed} pairing {number} other {n}", other_pool) for n in range(40)]
    costs = [cost(study, points, *army) for army in some], [cost(study, points, *army) for army in others]
    ways = [(abs(a - b), i, j) for i, a in enumerate(costs[0]) for j, b in enumerate(costs[1]) if some[i] != others[j]]
    _, i, j = min(ways)
    return some[i], others[j]


def _said(study: Study, army: Drawn) -> str:
    pool, units = army
    at: ArmyPool = study.draw[pool]
    count = {unit: units.count(unit) for unit in units}
    return f"{at.name}: " + ", ".join([f"{n} {named(at.units[unit])}" for unit, n in count.items()])


def named(unit: dict[str, Any]) -> str:
    """Return a unit's entry as text.

    >>> named({"kind": "infantry", "squads": 2})
    'infantry squads 2'
    """
    return " ".join([str(value) if n == 0 else f"{key} {value}" for n, (key, value) in enumerate(unit.items())])


def checked(study: Study, points: Points, figures: Figures) -> Points:
    dice = Seeded(f"{study.seed} pairings")
    checks = []
    for number in range(study.check.pairs):
        one, other = _even(study, points, dice, number)
        there, back = figures.cells[2 * number], figures.cells[2 * number + 1]
        half = 2 * there.sides[0] + there.draws + 2 * back.sides[1] + back.draws
        checks.append(
            Pairing(
                one=_said(study, one),
                other=_said(study, other),
                points=(cost(study, points, *one), cost(study, points, *other)),
                games=there.games + back.games,
                share=share_of(half, there.games + back.games, Z95),
            )
        )
    return msgspec.structs.replace(points, pairings=tuple(checks))


def measured(
    file: Path, folder: Folder, on: Executor, progress: Callable[[StudyProgress], None] | None = None
) -> tuple[Points, Figures]:
    """Play the battles of a study of drawn armies, fit points to them, and check the points in pairings.

    The results are stored in `points.json` in the folder; the pairings are a study of their own, in the folder `check`.
    Returns the points, and the figures of the battles. Raises InputError if the study draws no armies, is unfinished,
    or shows no differences in points.

    Args:
        progress: Called with the progress of the battles and of the pairings.
    """
    study = read_study(file)
    if study.design != "drawn":
        raise InputError("points are fitted to battles of drawn armies (design: drawn)", source=str(file))
    figures = run(file, folder, on, progress)
    if figures.state != "done":
        raise InputError("points are fitted to all battles of a study, and this one is not played to its end")
    try:
        points = fitted(study, folder.rows())
    except ValueError as error:
        raise InputError(str(error), source=str(file)) from None
    write(folder / "points.json", encoded(points))
    return _paired(study, points, folder, on, progress), figures


def paired(
    file: Path, prior: Path, folder: Folder, on: Executor, progress: Callable[[StudyProgress], None] | None = None
) -> Points:
    """Check earlier points in pairings, without repeating the battles of the fit.

    Returns the points with the results of their pairings. Raises InputError for a study that draws no armies, and for
    points of other units.

    Args:
        prior: File of the earlier points, written by `measured`.
    """
    study = read_study(file)
    if study.design != "drawn":
        raise InputError("pairings are of drawn armies (design: drawn)", source=str(file))
    try:
        points = msgspec.json.decode(prior.read_bytes(), type=Points)
    except (OSError, msgspec.DecodeError) as error:
        raise InputError(f"these are not points of a study: {error}", source=str(prior)) from None
    priced = [(unit.pool, unit.unit) for unit in points.units]
    for pool in study.draw:
        for unit in pool.units:
            if (pool.name, unit) not in priced:
                raise InputError(f"there are no points of {pool.name}'s {named(unit)}", source=str(prior))
    folder.path.mkdir(parents=True, exist_ok=True)
    return _paired(study, points, folder, on, progress)


def _paired(
    study: Study, points: Points, folder: Folder, on: Executor, progress: Callable[[StudyProgress], None] | None
) -> Points:
    pairings = folder / "check.yaml"
    write(pairings, encoded(check_study(study, points)))
    points = checked(study, points, run(pairings, Folder(folder / "check"), on, progress))
    write(folder / "points.json", encoded(points))
    return points


def points_in(folder: Folder) -> Points | None:
    """Return the points stored in the folder of a study; None if none were fitted."""
    place = folder / "points.json"
    try:
        return msgspec.json.decode(place.read_bytes(), type=Points) if place.exists() else None
    except (OSError, msgspec.DecodeError) as error:
        raise InputError(f"these are not points of a study: {error}", source=str(place)) from None


def encoded(record: msgspec.Struct) -> bytes:
    """Return a record as indented JSON, which is also valid YAML."""
    return msgspec.json.format(msgspec.json.encode(record), indent=2) + b"\n"
