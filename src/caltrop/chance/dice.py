"""Pools of equal dice, and the sources that decide how they fall."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from copy import deepcopy
from functools import lru_cache
from itertools import combinations_with_replacement
from math import factorial
from random import Random
from typing import Any, Protocol, Self, TypeVar

import msgspec

from caltrop.agreeing import agreeing, quantity
from caltrop.errors import Portable

Roll = tuple[int, ...]
"""Faces in the order of the throw."""

T = TypeVar("T")


class Pool(msgspec.Struct, frozen=True):
    """Equal dice thrown together."""

    count: int
    sides: int = 6
    """Faces of each die, numbered from 1."""

    @property
    def words(self) -> str:
        return f"{quantity(self.count, 'die')} with {quantity(self.sides, 'side')}"


class Dice(Protocol):
    """A source of throws and of all other random choices."""

    def roll(self, pool: Pool, why: tuple[str, ...]) -> Roll: ...

    def below(self, n: int) -> int:
        """Return a uniform integer from 0 to n - 1, for random choices outside the game."""
        ...


class ScriptError(Exception):
    """A scripted throw that does not fit the throw in the rules."""


class Awaiting(Portable):
    """A person must throw real dice and has not typed them in yet.

    Attributes:
        pool: The dice to throw.
        why: The clauses that ask for them.
        side: Side of the dice, if the dice have a side.
        words: Their purpose.
    """

    def __init__(self, pool: Pool, why: tuple[str, ...], side: int | None = None, words: str = "") -> None:
        super().__init__(f"{pool.words} {agreeing(pool.count, 'is')} to be thrown ({', '.join(why)})")
        self.pool, self.why, self.side, self.words = pool, why, side, words


class Copied:
    """Dice whose copies, by `copy.copy`, `copy.deepcopy` or `pickle`, give the same rolls and leave the original
    unchanged.
    """

    __slots__ = ()

    def __copy__(self) -> Self:
        return deepcopy(self)


class Informed(Copied):
    """Dice that learn the purpose of each throw beforehand.

    Attributes:
        whose: The side that throws; None for dice without a side.
        words: The purpose of the throw.
        reads: The reading of the dice (`chance.reading`); None for the face of a single die.
    """

    __slots__ = ("reads", "whose", "words")

    whose: int | None
    words: str
    reads: Any

    def __init__(self) -> None:
        self.whose, self.words, self.reads = None, "", None


class Seeded(Copied):
    """Dice from a seed: equal seeds give equal dice on every machine and every version of Python."""

    __slots__ = ("_random",)

    def __init__(self, seed: int | str) -> None:
        # A text seed is hashed by SHA-512 inside Random, so that related games get unrelated dice.
        self._random = Random(str(seed)).random

    def __reduce__(self) -> tuple[Any, ...]:
        # The bound method would be shared by the copies, and with it the generator.
        return _seeded_in, (type(self), self._random.__self__.getstate())  # type: ignore[attr-defined]

    def __deepcopy__(self, memo: Any) -> Self:
        make, (kind, state) = self.__reduce__()
        twin: Self = make(kind, state)  # the numbers of the state need no copies
        return twin

    def roll(self, pool: Pool, why: tuple[str, ...] = ()) -> Roll:
        random, sides = self._random, pool.sides
        return tuple([int(random() * sides) + 1 for _ in range(pool.count)])

    def below(self, n: int) -> int:
        return int(self._random() * n)

    def fork(self) -> Seeded:
        return Seeded(f"fork {self._random()!r}")


def _seeded_in(kind: type[Seeded], state: Any) -> Seeded:
    dice = kind.__new__(kind)
    generator = Random()
    generator.setstate(state)
    dice._random = generator.random
    return dice


class Common(Informed):
    """Dice with the same result for the same throw, whatever was thrown before.

    The faces depend on the purpose of the throw: its clauses, side and words, and the number of earlier throws for it.
    So two plans that lead to the same attack have the same luck in it, in any order of acts, and differ only by their
    acts: common random numbers, throw by throw. A throw of more dice for the same purpose begins with the same faces.
    """

    __slots__ = ("_others", "_seed", "_throws")

    def __init__(self, seed: int | str) -> None:
        super().__init__()
        self._seed = seed
        self._throws: dict[tuple[tuple[str, ...], int | None, str], int] = {}
        self._others = Seeded(seed)

    def roll(self, pool: Pool, why: tuple[str, ...] = ()) -> Roll:
        if pool.count == 0:
            return ()
        what = (why, self.whose, self.words)
        before = self._throws[what] = self._throws.get(what, 0) + 1
        random, sides = Random(f"{self._seed} {before} {what}").random, pool.sides
        return tuple([int(random() * sides) + 1 for _ in range(pool.count)])

    def below(self, n: int) -> int:
        """Return a uniform whole number from 0 to n - 1, in the order of the calls."""
        return self._others.below(n)


class Scripted(Copied):
    """Dice that give the scripted faces, and raise an error for any other number of dice.

    >>> Scripted((4, 2), (6,)).roll(Pool(2), ("XX-DICE-01",))
    (4, 2)
    """

    def __init__(self, *rolls: Sequence[int], choices: Iterable[int] = ()) -> None:
        self.rolls = [tuple(r) for r in rolls]
        self.choices = list(choices)

    def roll(self, pool: Pool, why: tuple[str, ...] = ()) -> Roll:
        """Return the next roll of the script.

        Raises:
            ScriptError: when the script is at its end, or its next roll has another number of dice or a face too high.
        """
        asked = f"{pool.words} {agreeing(pool.count, 'is')} asked for by {', '.join(why) or 'nobody'}"
        if not self.rolls:
            raise ScriptError(f"{asked}, but the script is at its end")
        roll = self.rolls.pop(0)
        if len(roll) != pool.count:
            raise ScriptError(f"{asked}, but the script says {roll}")
        if any(not 1 <= face <= pool.sides for face in roll):
            raise ScriptError(f"{asked}, and the script has a face out of range: {roll}")
        return roll

    def below(self, n: int) -> int:
        return self.choices.pop(0) % n if self.choices else 0

    def finish(self) -> None:
        """Raise ScriptError if rolls are left over."""
        if self.rolls:
            raise ScriptError(f"these dice of the script were never asked for: {self.rolls}")


class TypedIn(Informed):
    """Real dice that a person throws and types in.

    The first throw that has not been typed yet raises `Awaiting`. The caller asks the person, adds the roll, and plays
    the same action again; the match has been restored by then, with these dice. Random choices outside the game come
    from *otherwise*, and so do the throws of a side that types none.

    Attributes:
        typed: Every roll typed so far.
        taken: Number of dice thrown so far.
        sides: The sides that type their dice in; None for everybody, including dice without a side.
    """

    def __init__(self, typed: Iterable[Sequence[int]], otherwise: Dice, sides: Collection[int] | None = None) -> None:
        super().__init__()
        self.typed = [tuple(r) for r in typed]
        self.taken = 0
        self.otherwise = otherwise
        self.sides = sides

    @property
    def by_hand(self) -> bool:
        """True if the side that throws now types its dice in."""
        return self.sides is None or self.whose in self.sides

    def add(self, *faces: int) -> None:
        self.typed.append(faces)

    def roll(self, pool: Pool, why: tuple[str, ...] = ()) -> Roll:
        """Return the next typed roll.

        Raises Awaiting when the roll has not been typed in yet; or ScriptError when it does not fit the pool; it is
        forgotten, with all that were typed after it.
        """
        if pool.count == 0:
            return ()
        if not self.by_hand:
            return self.otherwise.roll(pool, why)
        if self.taken == len(self.typed):
            raise Awaiting(pool, why, self.whose, self.words)
        try:
            roll = Scripted(self.typed[self.taken]).roll(pool, why)
        except ScriptError:
            del self.typed[self.taken :]
            raise
        self.taken += 1
        return roll

    def below(self, n: int) -> int:
        return self.otherwise.below(n)


class Once(Copied):
    """Dice that repeat earlier throws in order and then continue with new ones.

    An act that waits for somebody's real dice is played again when they are there, and its other throws must stay the
    same.

    Args:
        rolls: Faces that have fallen already.
        otherwise: Source of other rolls.

    Attributes:
        rolls: Every roll so far.
    """

    def __init__(self, rolls: Iterable[Roll], otherwise: Dice) -> None:
        self.rolls = [tuple(roll) for roll in rolls]
        self.taken = 0
        self.otherwise = otherwise

    def roll(self, pool: Pool, why: tuple[str, ...] = ()) -> Roll:
        if pool.count == 0:
            return ()
        if self.taken == len(self.rolls):
            self.rolls.append(self.otherwise.roll(pool, why))
        self.taken += 1
        return Scripted(self.rolls[self.taken - 1]).roll(pool, why)

    def below(self, n: int) -> int:
        return self.otherwise.below(n)


@lru_cache(maxsize=4096)
def every_way(count: int, sides: int = 6) -> tuple[tuple[Roll, int], ...]:
    """Return every way in which equal dice can fall, sorted faces, with the number of orders in which each can come.

    >>> every_way(2, 2)
    (((1, 1), 1), ((1, 2), 2), ((2, 2), 1))
    """
    ways = []
    for roll in combinations_with_replacement(range(1, sides + 1), count):
        orders = factorial(count)
        for face in range(1, sides + 1):
            orders //= factorial(roll.count(face))
        ways.append((roll, orders))
    return tuple(ways)


class TooManyOutcomes(ValueError):
    """Dice can fall in more ways than the program can list."""
