"""Put the ways to win a battle into words: the worth of units, and the side that would win now."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from caltrop.agreeing import quantity
from caltrop.kit.words import listed
from caltrop.picture import Prize


def ended_now(names: Sequence[str], winner: int | None, because: str) -> str:
    """Say which side would win if the battle ended now.

    >>> ended_now(["Alliance", "Asori"], 0, "3 victory points to 1")
    'If the battle ended now, Alliance would win: 3 victory points to 1.'
    >>> ended_now(["Alliance", "Asori"], None, "")
    'If the battle ended now, it would be a draw.'
    """
    why = f": {because}" if because else ""
    if winner is None:
        return f"If the battle ended now, it would be a draw{why}."
    return f"If the battle ended now, {names[winner]} would win{why}."


def reason_in(words: str) -> str:
    """Return the reason that `ended_now` was given.

    >>> reason_in("If the battle ended now, Alliance would win: 3 victory points to 1.")
    '3 victory points to 1'
    """
    return words.partition(": ")[2].rstrip(".")


def score_words(scores: Sequence[int], noun: str) -> str:
    """Say what two sides have, the side with more first.

    >>> score_words([1, 3], "victory point"), score_words([1, 1], "banner")
    ('3 victory points to 1', '1 banner each')
    """
    most, least = max(scores), min(scores)
    return f"{quantity(most, noun)} {'each' if most == least else f'to {least}'}"


def units_worth(
    units: Iterable[tuple[int, str, int]], names: Sequence[str], worth: Callable[[int], str]
) -> tuple[Prize, ...]:
    """Return the worth of each side's units to the other side, the most valuable first; units of equal worth share a
    row.

    >>> units = [(0, "Tanks", 1), (0, "Scouts", 1), (1, "Tanks", 1), (1, "Scouts", 1), (1, "Staff", 3)]
    >>> for prize in units_worth(units, ["Us", "Them"], str):
    ...     print(prize.name, "|", prize.worth)
    Every unit of Us | 1 each, if destroyed
    Staff of Them | 3, if destroyed
    Every other unit of Them | 1 each, if destroyed
    """
    by_side: dict[int, dict[int, list[str]]] = {}
    for side, name, count in units:
        by_side.setdefault(side, {}).setdefault(count, []).append(name)
    prizes: list[Prize] = []
    for side, by_worth in sorted(by_side.items()):
        dearest = sorted(by_worth, reverse=True)
        if len(dearest) > _MOST_ROWS:
            each = f"{dearest[-1]} to {worth(dearest[0])} each, if destroyed"
            prizes.append(Prize(name=f"Every unit of {names[side]}", worth=each, side=side))
            continue
        for count in dearest:
            called = by_worth[count]
            if count:
                each = " each" * (len(called) > 1)
                rest = (
                    "" if len(called) == 1 or count != dearest[-1] else "every other" if len(dearest) > 1 else "every"
                )
                name = f"{rest.capitalize()} unit of {names[side]}" if rest else _of(called, names[side])
                prizes.append(Prize(name=name, worth=f"{worth(count)}{each}, if destroyed", side=side))
    return tuple(prizes)


_MOST_ROWS = 4
"""Largest number of rows; units of more different worths share a single row."""


def _of(called: Sequence[str], side: str) -> str:
    """Return the names of units with their side, unless the names already contain it."""
    return listed(called) if all(side in name for name in called) else f"{listed(called)} of {side}"
