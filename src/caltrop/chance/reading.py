"""Readings: the information that a step takes from a roll. Rolls with the same reading count as one outcome.

`Throw(Pool(8), reads=at_least(4))` declares that the step after it asks only how many of the eight dice show 4 or more.
The step still gets faces. Exact odds give it one roll for each class of rolls that read alike: 9 in place of 1,679,616.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise, product
from math import comb, gcd
from typing import NamedTuple, Protocol

from caltrop.chance.dice import Roll, TooManyOutcomes

MOST = 200_000
"""Outcomes of a roll that are listed at most."""


Outcomes = tuple[tuple[tuple[Roll, int], ...], int]
"""For each class of rolls that read alike one roll and its weight, in lowest terms; then the sum of the weights."""


class RollReading(Protocol):
    """The information that a step takes from a roll. Equal readings have to be equal and hashable."""

    def outcomes(self, count: int, sides: int) -> Outcomes:
        """Return one roll, with its weight, for each class of rolls of *count* dice that read alike."""
        ...

    def read(self, roll: Roll, sides: int) -> object:
        """Return the information of a roll: equal values exactly for rolls with the same reading."""
        ...

    def __hash__(self) -> int: ...


class CountedFaces(NamedTuple):
    """Reads how many dice show a face of each group; faces in no group count as one more group."""

    groups: tuple[tuple[int, ...], ...]

    def _groups(self, sides: int) -> tuple[tuple[int, ...], ...]:
        named = {face for group in self.groups for face in group}
        rest = tuple([face for face in range(1, sides + 1) if face not in named])
        held = [tuple([face for face in group if face <= sides]) for group in (rest, *self.groups)]
        return tuple([group for group in held if group])

    def outcomes(self, count: int, sides: int) -> Outcomes:
        """Return one roll for each division of the dice among the groups."""
        return _counted(self._groups(sides), count)

    def read(self, roll: Roll, sides: int) -> object:
        return tuple([sum([face in group for face in roll]) for group in self._groups(sides)])


class AtLeast(NamedTuple):
    """Reads how many dice reach each of some numbers."""

    numbers: tuple[int, ...]

    def _groups(self, sides: int) -> tuple[tuple[int, ...], ...]:
        cuts = [1, *[number for number in self.numbers if 1 < number <= sides], sides + 1]
        return tuple([tuple(range(low, high)) for low, high in pairwise(cuts)])

    def outcomes(self, count: int, sides: int) -> Outcomes:
        """Return one roll for each number of dice that reach the numbers."""
        return _counted(self._groups(sides), count)

    def read(self, roll: Roll, sides: int) -> object:
        """Return the number of dice that reach each number."""
        return tuple([sum([face >= number for face in roll]) for number in self.numbers if number <= sides])


class Summed(NamedTuple):
    """Reads the sum of some dice, minus the sum of the others, and at least *least*.

    If no number of dice is given, all dice are added up.
    """

    front: int | None = None
    least: int | None = None

    def _value(self, roll: Roll) -> int:
        front = len(roll) if self.front is None else self.front
        value = sum(roll[:front]) - sum(roll[front:])
        return value if self.least is None else max(value, self.least)

    def outcomes(self, count: int, sides: int) -> Outcomes:
        return _summed(self, count, sides)

    def read(self, roll: Roll, sides: int) -> object:
        return self._value(roll)


class Faces(NamedTuple):
    """Reads every face; *in_order* distinguishes the dice too."""

    in_order: bool = False

    def outcomes(self, count: int, sides: int) -> Outcomes:
        """Return one roll for each set of faces, or every roll.

        Raises TooManyOutcomes if there are more than `MOST`.
        """
        faces = range(1, sides + 1)
        number = sides**count if self.in_order else comb(sides + count - 1, count)
        if number > MOST:
            raise TooManyOutcomes(
                f"{count} dice with {sides} sides have {number} outcomes, and at most {MOST} are listed"
            )
        if self.in_order:
            rolls = tuple([(roll, 1) for roll in product(faces, repeat=count)])
            return rolls, len(rolls)
        return _counted(tuple([(face,) for face in faces]), count)

    def read(self, roll: Roll, sides: int) -> object:
        """Return the faces, sorted where their order says nothing."""
        return roll if self.in_order else tuple(sorted(roll))


def at_least(*numbers: int) -> AtLeast:
    """Read how many dice show at least each of these numbers.

    >>> at_least(4).outcomes(2, 6)
    ((((3, 3), 1), ((3, 6), 2), ((6, 6), 1)), 4)
    """
    return AtLeast(tuple(sorted(set(numbers))))


def counted(*groups: Sequence[int]) -> CountedFaces:
    """Read how many dice show a face of each of these groups, each a sequence of faces.

    >>> counted((1,), (6,)).read((1, 3, 6, 6), 6)
    (1, 1, 2)
    """
    return CountedFaces(tuple([tuple(group) for group in groups]))


SUM = Summed()
"""Read the sum of the faces."""
FACES = Faces()
"""Read every face, whichever die shows it."""
IN_ORDER = Faces(in_order=True)
"""Read which face each die shows, where each die means something else."""


def outcomes(reading: RollReading | None, count: int, sides: int) -> Outcomes:
    """Return the outcomes of a throw: by its reading, or every set of faces if it has none."""
    return (FACES if reading is None else reading).outcomes(count, sides)


@lru_cache(maxsize=8192)
def _counted(groups: tuple[tuple[int, ...], ...], count: int) -> Outcomes:
    if count == 1:
        return _lowest([((group[-1],), len(group)) for group in groups])
    return _lowest(list(_divided(count, groups)))


def _divided(count: int, groups: tuple[tuple[int, ...], ...]) -> Iterator[tuple[Roll, int]]:
    face, size = groups[0][-1], len(groups[0])
    if len(groups) == 1:
        yield (face,) * count, size**count
        return
    for others in range(count + 1):
        here = count - others
        weight = comb(count, here) * size**here
        for rest, ways in _divided(others, groups[1:]):
            yield (face,) * here + rest, weight * ways


@lru_cache(maxsize=8192)
def _summed(reading: Summed, count: int, sides: int) -> Outcomes:
    front = count if reading.front is None else reading.front
    sums: dict[int, tuple[Roll, int]] = {0: ((), 1)}
    for die in range(count):
        after: dict[int, tuple[Roll, int]] = {}
        for value, (roll, weight) in sums.items():
            for face in range(1, sides + 1):
                reached = value + face if die < front else value - face
                weights = after.get(reached)
                after[reached] = (weights[0], weights[1] + weight) if weights else ((*roll, face), weight)
        sums = after
    merged: dict[object, tuple[Roll, int]] = {}
    for roll, weight in sums.values():
        read = reading.read(roll, sides)
        one, before = merged.get(read, (roll, 0))
        merged[read] = one, before + weight
    return _lowest(list(merged.values()))


def _lowest(rolls: list[tuple[Roll, int]]) -> Outcomes:
    common = gcd(*[weight for _, weight in rolls])
    return tuple([(roll, weight // common) for roll, weight in rolls]), sum([weight for _, weight in rolls]) // common
