"""Write ordinals, lists of names, and distinct names."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Collection, Sequence


def ordinal(number: int) -> str:
    """Return a number as an ordinal.

    >>> [ordinal(n) for n in (1, 2, 3, 4, 11, 12, 21)]
    ['1st', '2nd', '3rd', '4th', '11th', '12th', '21st']
    """
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def in_front(name: str, number: int) -> str:
    """Return a name with its number as an ordinal before it.

    >>> in_front("Scouts", 2)
    '2nd Scouts'
    """
    return f"{ordinal(number)} {name}"


def behind(name: str, number: int) -> str:
    """Return a name with its number behind it.

    >>> behind("Brigand", 2)
    'Brigand 2'
    """
    return f"{name} {number}"


def tell_apart(names: Sequence[str], numbered: Callable[[str, int], str] = behind) -> list[str]:
    """Return distinct names of a side's units: equal names get numbers.

    Args:
        names: The names, in the order of the units.
        numbered: Function that adds a number to a name: `behind` or `in_front`.

    >>> tell_apart(["Brigand", "Captain", "Brigand"])
    ['Brigand 1', 'Captain', 'Brigand 2']
    >>> tell_apart(["Scouts", "Hero", "Scouts"], in_front)
    ['1st Scouts', 'Hero', '2nd Scouts']
    """
    several, seen = Counter(names), Counter[str]()
    labels = []
    for name in names:
        seen[name] += 1
        labels.append(numbered(name, seen[name]) if several[name] > 1 else name)
    return labels


def free_name(name: str, taken: Collection[str]) -> str:
    """Return a name that is not taken yet: the name itself, or the name with a number.

    >>> free_name("Scouts", ["Hero"]), free_name("Scouts", ["Scouts"]), free_name("Scouts", ["Scouts", "Scouts (2)"])
    ('Scouts', 'Scouts (2)', 'Scouts (3)')
    """
    numbered = (f"{name} ({number})" for number in range(2, len(taken) + 3))
    return name if name not in taken else next(other for other in numbered if other not in taken)


def tell_sides_apart(
    names: Sequence[Sequence[str]], sides: Sequence[str], template: str = "{side} {name}"
) -> list[list[str]]:
    """Return the names of all sides' units; a name that occurs on another side too is combined with its side.

    Args:
        template: Template for a name with its side.

    >>> tell_sides_apart([["Command", "Scouts"], ["Command", "Tank"]], ["South", "North"])
    [['South Command', 'Scouts'], ['North Command', 'Tank']]
    """
    held = Counter([name for own in names for name in set(own)])
    return [
        [template.format(side=side, name=name) if held[name] > 1 else name for name in own]
        for own, side in zip(names, sides, strict=True)
    ]


def names_told_apart(
    units: Sequence[tuple[int, str]], sides: Sequence[str], template: str = "{side} {name}"
) -> tuple[str, ...]:
    """Return the names of units for sentences; a name that occurs on another side too is combined with its side.

    Args:
        template: Template for a name with its side.

    >>> names_told_apart([(0, "Scouts"), (1, "Scouts"), (1, "Tank")], ["South", "North"])
    ('South Scouts', 'North Scouts', 'Tank')
    >>> names_told_apart([(0, "Ansa"), (1, "Ansa")], ["Foxes", "Hounds"], "{name} of {side}")
    ('Ansa of Foxes', 'Ansa of Hounds')
    """
    held = [[name for whose, name in units if whose == side] for side in range(len(sides))]
    every = [iter(names) for names in tell_sides_apart(held, sides, template)]
    return tuple([next(every[side]) for side, _ in units])


def listed(names: Sequence[str]) -> str:
    """Return names as a list in a sentence, with `and`; empty if there are none.

    >>> listed(["Ash"]), listed(["Ash", "Birch", "Cedar"]), listed([])
    ('Ash', 'Ash, Birch and Cedar', '')
    """
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def one_of(names: Sequence[str]) -> str:
    """Return names as alternatives in a sentence, with `or`; empty if there are none.

    >>> one_of(["Ash"]), one_of(["Ash", "Birch", "Cedar"]), one_of([])
    ('Ash', 'Ash, Birch or Cedar', '')
    """
    return " or ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def with_article(name: str) -> str:
    """Return a noun with its indefinite article; initialisms are read letter by letter.

    >>> with_article("rifle"), with_article("autocannon"), with_article("RPG"), with_article("UAV")
    ('a rifle', 'an autocannon', 'an RPG', 'a UAV')
    """
    initials = name.split(" ", maxsplit=1)[0].isupper()
    return f"{'an' if name[:1] in ('AEFHILMNORSX' if initials else 'aeiouAEIOU') else 'a'} {name}"


JOINERS = "\u200c\u200d"
"""Invisible characters that join or separate letters and emoji; Persian, Hindi and some emoji need them."""

_BLANKS = "\u115f\u1160\u2800\u3164\uffa0"
"""Characters that are drawn as blanks."""

_TAGGED = re.compile("\U0001f3f4[\U000e0020-\U000e007e]+\U000e007f")
"""Pattern of the flag of a region, which is spelled in invisible characters."""


def _drawn(sign: str) -> bool:
    bare = "\u034f\u17b4\u17b5\U0001d159" + JOINERS
    selects = "\ufe00" <= sign <= "\ufe0f" or "\u180b" <= sign <= "\u180f" or "\U000e0100" <= sign <= "\U000e01ef"
    return not selects and sign not in bare and not sign.isspace()


def visible(text: str) -> str:
    """Return text in one line without invisible characters, except those that join others.

    The result is empty if nothing visible is left.

    >>> visible("  Anna\\n\\tof the\\u202eHill "), visible("\\u3164"), visible("\\u2800\\ufe0f\\u200d")
    ('Anna of theHill', '', '')
    >>> visible("\\u0645\\u06cc\\u200c\\u0631\\u0648\\u0645") == "\\u0645\\u06cc\\u200c\\u0631\\u0648\\u0645"
    True
    """
    flags = {place for flag in _TAGGED.finditer(text) for place in range(*flag.span())}
    clean = ""
    for place, sign in enumerate(text):
        if sign.isspace() or sign in _BLANKS:
            clean += " "
        elif sign in JOINERS:
            # A joiner is kept only between two other characters.
            clean += sign if clean and clean[-1] not in f" {JOINERS}" else ""
        elif sign.isprintable() or place in flags or unicodedata.category(sign) == "Mn":
            clean += sign
    words = " ".join([word.rstrip(JOINERS) for word in clean.split()])
    return words if any(map(_drawn, words)) else ""


def hides(text: str) -> bool:
    """Return whether a text has invisible characters, or nothing visible.

    >>> hides("Anna"), hides("An\\u202ena"), hides("\\u3164"), hides("")
    (False, True, True, False)
    """
    seen = visible(text)
    return bool(text) and (not seen or "".join(text.split()) != "".join(seen.split()))


def put_to(name: str, prompt: str) -> str:
    """Return a question with the name of the asked side before it, unless it already begins with the name.

    >>> put_to("South", "Choose a unit"), put_to("South", "South may parry")
    ('South: Choose a unit', 'South may parry')
    """
    return prompt if prompt.startswith(name) else f"{name}: {prompt}"
