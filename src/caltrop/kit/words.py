"""Numbers in words, lists of names, and names that are told apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence


def ordinal(number: int) -> str:
    """A number as an ordinal.

    >>> [ordinal(n) for n in (1, 2, 3, 4, 11, 12, 21)]
    ['1st', '2nd', '3rd', '4th', '11th', '12th', '21st']
    """
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def in_front(name: str, number: int) -> str:
    """A name with its number as an ordinal before it.

    >>> in_front("Scouts", 2)
    '2nd Scouts'
    """
    return f"{ordinal(number)} {name}"


def behind(name: str, number: int) -> str:
    """A name with its number behind it.

    >>> behind("Brigand", 2)
    'Brigand 2'
    """
    return f"{name} {number}"


def tell_apart(names: Sequence[str], numbered: Callable[[str, int], str] = behind) -> list[str]:
    """The names of a side's units: those of one name are numbered.

    Args:
        names: The names, in the order of the units.
        numbered: How a number stands with a name: `behind` or `in_front`.

    >>> tell_apart(["Brigand", "Captain", "Brigand"])
    ['Brigand 1', 'Captain', 'Brigand 2']
    >>> tell_apart(["Scouts", "Hero", "Scouts"], in_front)
    ['1st Scouts', 'Hero', '2nd Scouts']
    """
    several, seen = Counter(names), Counter[str]()
    found = []
    for name in names:
        seen[name] += 1
        found.append(numbered(name, seen[name]) if several[name] > 1 else name)
    return found


def listed(names: Sequence[str]) -> str:
    """Names in a sentence; nothing where there are none.

    >>> listed(["Ash"]), listed(["Ash", "Birch", "Cedar"]), listed([])
    ('Ash', 'Ash, Birch and Cedar', '')
    """
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def put_to(name: str, prompt: str) -> str:
    """A question with the name of the side that it is put to, unless it begins with the name itself.

    >>> put_to("South", "Choose a unit"), put_to("South", "South may parry")
    ('South: Choose a unit', 'South may parry')
    """
    return prompt if prompt.startswith(name) else f"{name}: {prompt}"
