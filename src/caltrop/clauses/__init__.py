"""Clause ids and the marks that tie code to them.

Every step, rule, amendment, guard and data row that speaks for a clause of a rulebook carries a `Mark`. The marks are
what the conformance table, the count of how often a clause fired, and the mutants are generated from. This package
knows ids and code locations; it knows no game.
"""

from caltrop.clauses.marks import (
    MARKS,
    WATCHED,
    Kind,
    Mark,
    Place,
    all_on,
    counting,
    mark,
    place_of,
    switched_off,
    uncounted,
)

__all__ = [
    "MARKS",
    "WATCHED",
    "Kind",
    "Mark",
    "Place",
    "all_on",
    "counting",
    "mark",
    "place_of",
    "switched_off",
    "uncounted",
]
