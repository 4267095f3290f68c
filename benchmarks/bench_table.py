"""Measures questions about the table: medians over a table of 120 cm with 30 polygons and 60 other bases.

Questions about a map of hexes, 9 rows by 13 columns, follow. Many of them are measured together, because one is shorter
than the clock's resolution.

Run it from a checkout: ``python -m benchmarks.bench_table``. Machines differ, and their speed changes, so compare only
runs made at the same time. The first line is a plain loop, which shows the present speed of the machine.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable, Sequence
from functools import partial

from caltrop.geometry import Disc
from caltrop.rules.command_horizon.catalogue import KINDS
from caltrop.table import hexes
from caltrop.table.hexes.lattice import between
from caltrop.table.measured import (
    Fan,
    Table,
    TableGround,
    Terrain,
    coherent,
    contact_place,
    explain_sight,
    march,
    may_stand,
    nearest_free,
    path_fault,
    sight,
    stands,
    terrain_along,
    way,
    within,
)

SIZE = 12_000
TANK = 150

NINE = Fan(points=3, obstructed_from=5)
"""Rule of sight: lines from the centre and both sides of a base."""


GROUNDS: list[TableGround] = []
"""The tables made so far. Their caches are emptied before every question."""


def battlefield(seed: int = 7) -> tuple[TableGround, list[Disc], random.Random]:
    """Return a table of 120 by 120 cm with 30 pieces of terrain of all kinds and 60 bases that do not overlap."""
    dice = random.Random(seed)
    kinds = [KINDS[name] for name in ("woods", "built-up", "rough", "hill", "building", "impassable")]
    terrain: list[Terrain] = []
    for index in range(30):
        x, y = dice.randrange(SIZE - 1000), dice.randrange(SIZE - 1000)
        w, h, slant = dice.randrange(300, 1400), dice.randrange(300, 1400), dice.randrange(-200, 200)
        ring = ((x, y), (x + w, y + slant), (x + w + slant, y + h), (x + slant, y + h + slant // 2))
        terrain.append(Terrain(f"t{index}", kinds[index % 6], ring))
    ground = TableGround(Table(SIZE, SIZE, tuple(terrain)))
    GROUNDS.append(ground)
    bases: list[Disc] = []
    while len(bases) < 60:
        disc = (dice.randrange(200, SIZE - 200), dice.randrange(200, SIZE - 200), dice.choice([100, 150, 200]))
        if stands(ground, disc, bases):
            bases.append(disc)
    return ground, bases, dice


def units(
    ground: TableGround, bases: Sequence[Disc], dice: random.Random, count: int, spread: int
) -> list[list[list[Disc]]]:
    """Return pairs of units of four bases. The second is at most `spread` from the first along both axes."""

    def unit(x0: int, y0: int, x1: int, y1: int) -> list[Disc]:
        while True:
            x, y = dice.randrange(max(x0, 200), min(x1, SIZE - 700)), dice.randrange(max(y0, 200), min(y1, SIZE - 700))
            four = [(x + dx, y + dy, TANK) for dx in (0, 400) for dy in (0, 400)]
            if may_stand(ground, four, bases):
                return four

    pairs: list[list[list[Disc]]] = []
    for _ in range(count):
        first = unit(0, 0, SIZE, SIZE)
        x, y, _r = first[0]
        pairs.append([first, unit(x - spread, y - spread, x + spread, y + spread)])
    return pairs


def timed(questions: Sequence[Callable[[], object]], repeats: int = 5) -> list[float]:
    """Return the microseconds of each question: the best of some repetitions."""
    best: list[float] = []
    for question in questions:
        runs: list[float] = []
        for _ in range(repeats):
            for ground in GROUNDS:
                ground.views.clear()
            start = time.perf_counter()
            question()
            runs.append((time.perf_counter() - start) * 1e6)
        best.append(min(runs))
    return best


def report(name: str, questions: Sequence[Callable[[], object]]) -> None:
    """Print the median and the 90th percentile of the times of some questions."""
    times = sorted(timed(questions))
    print(f"{name:<44} median {statistics.median(times):9.1f} µs   90 % {times[len(times) * 9 // 10]:9.1f} µs")


def yardstick() -> int:
    """Return the time of a plain loop over whole numbers."""
    total = 0
    for number in range(1000):
        total += number * number
    return total


Pairs = Sequence[tuple[hexes.Hex, hexes.Hex]]


def ask_all(question: Callable[[hexes.Hex, hexes.Hex], object], pairs: Pairs) -> None:
    """Ask a question about each pair of hexes."""
    for a, b in pairs:
        question(a, b)


def cold_lines(pairs: Pairs) -> None:
    """Compute the lines of a new map with empty caches. Building the map takes a hundredth of the time."""
    between.cache_clear()
    ask_all(hexes.HexMap(9, 13).line, pairs)


def open_ground(hex: hexes.Hex) -> int:
    """Return the cost to enter a hex, which is 1 for all."""
    return 1


def report_hexes() -> None:
    """Print the medians for the map of hexes."""
    board_map = hexes.hex_map(9, 13)
    pairs = [(a, b) for a in board_map.hexes for b in board_map.hexes]
    random.Random(7).shuffle(pairs)
    ask_all(board_map.line, pairs)
    report(f"{len(pairs):,} cold lines between hexes", [partial(cold_lines, pairs)] * 3)
    thousands = [pairs[index : index + 1000] for index in range(0, 12_000, 1000)]
    report("1,000 lines between hexes", [partial(ask_all, board_map.line, some) for some in thousands])
    report("1,000 distances of hexes", [partial(ask_all, board_map.distance, some) for some in thousands])
    report("1,000 ways straight away from a hex", [partial(ask_all, board_map.away, some) for some in thousands])
    report(
        "the hexes within 3 steps", [partial(hexes.reach, board_map, hex, 3, open_ground) for hex in board_map.hexes]
    )
    report("a way of hexes", [partial(hexes.way, board_map, a, b, 20, open_ground) for a, b in pairs[:200]])


def main() -> None:
    """Print the medians."""
    ground, bases, dice = battlefield()
    far = units(ground, bases, dice, 60, SIZE)
    near = units(ground, bases, dice, 60, 3000)
    report("a plain loop of 1,000 steps", [yardstick] * 50)
    report("sight 4 against 4, anywhere", [partial(sight, ground, NINE, a, b, bases) for a, b in far])
    report("sight 4 against 4, within 30 cm", [partial(sight, ground, NINE, a, b, bases) for a, b in near])
    report("sight explained, within 30 cm", [partial(explain_sight, ground, NINE, a, b, bases) for a, b in near])
    legs = [(a[0][:2], b[0][:2]) for a, b in near]
    long_legs = [(a[0][:2], b[0][:2]) for a, b in far]
    report("a straight path of up to 30 cm tested", [partial(path_fault, ground, leg, TANK, bases) for leg in legs])
    report("terrain on that path", [partial(terrain_along, ground, leg, TANK) for leg in legs])
    report("a way, within 30 cm", [partial(way, ground, *leg, TANK, bases) for leg in legs])
    report("a way, anywhere", [partial(way, ground, *leg, TANK, bases) for leg in long_legs])
    report("a march of four, up to 20 cm", [partial(march, ground, a, b[0][:2], 2000, bases) for a, b in far])
    report("room beside a base", [partial(nearest_free, ground, (x, y), TANK, bases) for x, y, _ in bases])
    report("a place in contact", [partial(contact_place, ground, d, TANK, (6000, 6000), bases) for d in bases])
    report("coherency of four", [partial(coherent, a) for a, _ in far])
    report("two units within 20 cm", [partial(within, a, b, 2000) for a, b in near])
    report_hexes()


if __name__ == "__main__":
    main()
