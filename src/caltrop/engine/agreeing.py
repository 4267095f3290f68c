"""Names of units in sentences: verbs that agree with them."""

from __future__ import annotations

_OTHERS = {"is": "are", "was": "were", "has": "have", "does": "do", "goes": "go", "its": "their", "it": "they"}
_HISSING = ("ches", "shes", "sses", "xes", "zes")


def several(name: str) -> bool:
    """Whether the name of a unit speaks of several, as those do that end in a plural; where it stands may follow.

    >>> several("2nd Light Tanks"), several("Infantry Platoon"), several("Light Tanks, 2nd part"), several("Cutlass")
    (True, False, False, False)
    >>> several("the Scouts at C6")
    True
    """
    name = name.partition(" at ")[0]
    return name.endswith("s") and not name.endswith(("ss", "us", "is"))


def agreeing(name: str, verb: str) -> str:
    """A verb of the third person (or `its`, `it`), and what follows it, as it agrees with the name of a unit.

    >>> [agreeing("Light Tanks", verb) for verb in ("fires", "is", "reaches", "tries", "goes", "takes its place")]
    ['fire', 'are', 'reach', 'try', 'go', 'take their place']
    >>> agreeing("Chiron Command", "fires")
    'fires'
    """
    if not several(name):
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
    """A name and its verb, given in the third person.

    >>> does("Light Tanks", "fires"), does("Infantry Platoon", "fires")
    ('Light Tanks fire', 'Infantry Platoon fires')
    """
    return f"{name} {agreeing(name, verb)}"
