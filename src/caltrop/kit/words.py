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


def tell_sides_apart(
    names: Sequence[Sequence[str]], sides: Sequence[str], told: str = "{side} {name}"
) -> list[list[str]]:
    """The names of all sides' units: those that another side has too are told with their side.

    Args:
        names: The names of each side's units.
        sides: The name of each side.
        told: How the two stand together.

    >>> tell_sides_apart([["Command", "Scouts"], ["Command", "Tank"]], ["South", "North"])
    [['South Command', 'Scouts'], ['North Command', 'Tank']]
    """
    held = Counter([name for own in names for name in set(own)])
    return [
        [told.format(side=side, name=name) if held[name] > 1 else name for name in own]
        for own, side in zip(names, sides, strict=True)
    ]


def names_told_apart(
    units: Sequence[tuple[int, str]], sides: Sequence[str], told: str = "{side} {name}"
) -> tuple[str, ...]:
    """The names of units in sentences: those that another side has too are told with their side.

    Args:
        units: The side of each unit, and its name.
        sides: The name of each side.
        told: How the two stand together.

    >>> names_told_apart([(0, "Scouts"), (1, "Scouts"), (1, "Tank")], ["South", "North"])
    ('South Scouts', 'North Scouts', 'Tank')
    >>> names_told_apart([(0, "Ansa"), (1, "Ansa")], ["Foxes", "Hounds"], "{name} of {side}")
    ('Ansa of Foxes', 'Ansa of Hounds')
    """
    held = [[name for whose, name in units if whose == side] for side in range(len(sides))]
    every = [iter(names) for names in tell_sides_apart(held, sides, told)]
    return tuple([next(every[side]) for side, _ in units])


def listed(names: Sequence[str]) -> str:
    """Names in a sentence; nothing where there are none.

    >>> listed(["Ash"]), listed(["Ash", "Birch", "Cedar"]), listed([])
    ('Ash', 'Ash, Birch and Cedar', '')
    """
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def with_article(name: str) -> str:
    """A noun with its article; initials are read letter by letter.

    >>> with_article("rifle"), with_article("autocannon"), with_article("RPG"), with_article("UAV")
    ('a rifle', 'an autocannon', 'an RPG', 'a UAV')
    """
    initials = name.split(" ")[0].isupper()
    return f"{'an' if name[:1] in ('AEFHILMNORSX' if initials else 'aeiouAEIOU') else 'a'} {name}"


def put_to(name: str, prompt: str) -> str:
    """A question with the name of the side that it is put to, unless it begins with the name itself.

    >>> put_to("South", "Choose a unit"), put_to("South", "South may parry")
    ('South: Choose a unit', 'South may parry')
    """
    return prompt if prompt.startswith(name) else f"{name}: {prompt}"
