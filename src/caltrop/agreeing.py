"""Agreement in sentences: nouns with numbers ("1 die", "2 dice"), verbs with names ("Light Tanks fire")."""

from __future__ import annotations

_OTHERS = {
    "is": "are",
    "was": "were",
    "has": "have",
    "does": "do",
    "goes": "go",
    "lies": "lie",
    "dies": "die",
    "ties": "tie",
    "its": "their",
    "it": "they",
}
_HISSING = ("ches", "shes", "sses", "xes", "zes")
_PLURALS = {"die": "dice", "person": "people", "half": "halves", "series": "series"}
_UNCHANGED = ("cm", "mm", "in", "s", "min", "h", "MiB", "CP", "VP", "UTC")
"""Abbreviations, which have no plural."""


def plural(noun: str) -> str:
    """Return the plural of a noun; of several words the last one changes.

    >>> [plural(noun) for noun in ("model", "battle die", "inch", "entry", "hex", "day", "person", "cm")]
    ['models', 'battle dice', 'inches', 'entries', 'hexes', 'days', 'people', 'cm']
    """
    before, blank, last = noun.rpartition(" ")
    if last in _UNCHANGED:
        return noun
    if last in _PLURALS:
        return f"{before}{blank}{_PLURALS[last]}"
    if last.endswith("y") and last[-2:-1] not in tuple("aeiou"):
        return f"{noun[:-1]}ies"
    return f"{noun}es" if last.endswith(("s", "x", "z", "ch", "sh")) else f"{noun}s"


def quantity(count: float | str, noun: str, verb: str = "") -> str:
    """Return a number (or its text) with its noun, and with a verb if one is given, all in agreement.

    >>> quantity(1, "battle die"), quantity(3, "battle die"), quantity("1.5", "inch"), quantity("-1", "point")
    ('1 battle die', '3 battle dice', '1.5 inches', '-1 point')
    >>> quantity(1, "model", "is"), quantity(0, "model", "remains")
    ('1 model is', '0 models remain')
    """
    one = _one(count)
    words = f"{count} {noun if one else plural(noun)}"
    return f"{words} {verb if one else _plural(verb)}" if verb else words


def _one(count: float | str) -> bool:
    return str(count).lstrip("+-−") == "1"


def several(name: str) -> bool:
    """Return whether the name of a unit is plural; a place such as `at C6` may follow it.

    >>> several("2nd Light Tanks"), several("Infantry Platoon"), several("Light Tanks, 2nd part"), several("Cutlass")
    (True, False, False, False)
    >>> several("the Scouts at C6"), several("Woodsmen")
    (True, True)
    """
    name = name.partition(" at ")[0]
    return name.endswith(("s", "men")) and not name.endswith(("ss", "us", "is"))


def agreeing(name: str | float, verb: str) -> str:
    """Return a phrase that begins with a verb in the third person (or with `its` or `it`), in agreement with a unit's
    name or a number.

    >>> [agreeing("Light Tanks", verb) for verb in ("fires", "is", "reaches", "tries", "goes", "takes its place")]
    ['fire', 'are', 'reach', 'try', 'go', 'take their place']
    >>> agreeing("Chiron Command", "fires")
    'fires'
    >>> agreeing(1, "is"), agreeing(2, "is")
    ('is', 'are')
    """
    if not several(name) if isinstance(name, str) else _one(name):
        return verb
    verb, blank, rest = verb.partition(" ")
    return _plural(verb) + (blank + rest).replace(" its ", " their ")


def _plural(verb: str) -> str:
    if verb in _OTHERS:
        return _OTHERS[verb]
    if not verb.endswith("s"):
        return verb
    if verb.endswith("ies"):
        return verb[:-3] + "y"
    return verb[:-2] if verb.endswith(_HISSING) else verb[:-1]


def does(name: str, verb: str) -> str:
    """Return a name with a verb (given in the third person) in agreement.

    >>> does("Light Tanks", "fires"), does("Infantry Platoon", "fires")
    ('Light Tanks fire', 'Infantry Platoon fires')
    """
    return f"{name} {agreeing(name, verb)}"
