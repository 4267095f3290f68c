"""Caltrop: tabletop miniature wargames on a screen, with the whole rulebook enforced and explained.

The package has seven floors, and a package imports only from its own floor and those below:

6. `cli`, `server`, `terminal`, `front`: the doors.
5. `host`, `envs`, `paper`: stored games, environments for training, and printing.
4. `players`, `lab`, `wire`: computer players, experiments, and messages.
3. `rules`, `kit`, `asking`, `scenarios`: the rulebooks, their shared parts, and the scenarios.
2. `engine`, `journal`: stepped procedures, matches, records.
1. `table`, `roster`, `picture`: the table, data files, and drawings.
0. `geometry`, `chance`, `clauses`: whole-number geometry, dice, and the ids of clauses.

Every floor may use `agreeing`, `errors`, `languages` and `parameters`, which lie below the ground floor.

This module has the version and the error for unreadable input, which every floor may use too. It also has the
functions of `caltrop.front`, which are imported when they are first used, so that `import caltrop` is fast and loads no
ruleset.
"""

from caltrop.errors import InputError

# Importing `typing` would take most of the time of this import, and type checkers know the name without it.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from caltrop.front import Seeded, games, new, odds, resolve, simulate

__all__ = ["InputError", "Seeded", "__version__", "games", "new", "odds", "resolve", "simulate"]

__version__ = "0.6.0"


def __getattr__(name: str) -> object:
    if name.startswith("_") or name not in __all__:
        raise AttributeError(f"module 'caltrop' has no attribute {name!r}")
    from caltrop import front

    globals()[name] = value = getattr(front, name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
