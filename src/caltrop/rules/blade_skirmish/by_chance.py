"""Random choices among equal possibilities, by an open throw of a die with as many faces.

Automated models choose nothing (BS-Q43): dice decide between equals, and a single possibility needs no throw. A step
returns `one_of`, and the next step reads the throw with `taken`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from caltrop.chance import Pool, Roll
from caltrop.engine import Throw
from caltrop.rules.blade_skirmish.records import Skirmish

T = TypeVar("T")


def one_of(side: int, names: Sequence[str], words: str) -> Throw | None:
    """Return a throw that decides between several possibilities with equal probability; None if only one is possible.

    Args:
        names: Meanings of the faces, from 1.

    >>> one_of(1, ["Ash", "Birch"], "Her target").wanted
    'Her target: 1 Ash, 2 Birch'
    """
    if len(names) < 2:
        return None
    return Throw(Pool(1, sides=len(names)), side=side, words=words, symbols=tuple(names))


def one_fighter(t: Skirmish, side: int, among: Sequence[int], words: str) -> Throw | None:
    """Return a throw that decides between several fighters, with their names as faces; None for a single fighter."""
    return one_of(side, [t.called(id) for id in among], words)


def taken(among: Sequence[T], roll: Roll | None) -> T:
    """Return the possibility chosen by a throw of `one_of`; without a throw, the only possibility.

    >>> taken("abc", (2,)), taken("a", None)
    ('b', 'a')
    """
    return among[0 if roll is None else roll[0] - 1]
