"""Caltrop: tabletop miniature wargames on a screen, with the whole rulebook enforced and explained.

The package is a house of six floors, and a room imports only from the floors below its own:

5. `cli`, `server`, `terminal`: the doors.
4. `players`, `lab`, `wire`: those who play and watch.
3. `rules`, `kit`, `scenarios`: the rulebooks, what they have in common, and the tables that they are played on.
2. `engine`, `journal`: stepped procedures, matches, records.
1. `table`, `roster`, `picture`: the table, data files, and what is drawn.
0. `geometry`, `chance`, `clauses`: the ground.

This module holds what every floor may use: the version, and the error for input that cannot be read (`errors`). Beside
them stands the front door for programs, `caltrop.front`: its names are fetched when they are asked for, so that
`import caltrop` costs next to nothing and loads no ruleset.
"""

from caltrop.errors import InputError

# The module `typing` alone would take most of the time of the import; type checkers know the name.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from caltrop.front import Seeded, games, new, odds, resolve, simulate

__all__ = ["InputError", "Seeded", "__version__", "games", "new", "odds", "resolve", "simulate"]

__version__ = "0.5.0"


def __getattr__(name: str) -> object:
    if name.startswith("_") or name not in __all__:
        raise AttributeError(f"module 'caltrop' has no attribute {name!r}")
    from caltrop import front

    globals()[name] = value = getattr(front, name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
