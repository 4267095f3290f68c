"""Caltrop: tabletop miniature wargames on a screen, with the whole rulebook enforced and explained.

The package is a house of six floors, and a room imports only from the floors below its own:

5. `cli`, `server`, `terminal`: the doors.
4. `players`, `lab`, `wire`: those who play and watch.
3. `rules`, `kit`, `scenarios`: the rulebooks, what they have in common, and the tables that they are played on.
2. `engine`, `journal`: stepped procedures, matches, records.
1. `table`, `roster`, `picture`: the table, data files, and what is drawn.
0. `geometry`, `chance`, `clauses`: the ground.

This module holds what every floor may use: the version, and the error for input that cannot be read. Beside them
stands the front door for programs, `caltrop.front`: its names are fetched when they are asked for, so that
`import caltrop` costs next to nothing and loads no ruleset.
"""

# The module `typing` alone would take most of the time of the import; type checkers know the name.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from caltrop.front import Seeded, games, new, odds, resolve, simulate

__all__ = ["InputError", "Seeded", "__version__", "games", "new", "odds", "resolve", "simulate"]

__version__ = "0.3.0"


def __getattr__(name: str) -> object:
    if name.startswith("_") or name not in __all__:
        raise AttributeError(f"module 'caltrop' has no attribute {name!r}")
    from caltrop import front

    globals()[name] = found = getattr(front, name)
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


class InputError(ValueError):
    """Something that was given to Caltrop cannot be read: a file, a line on standard input, a name.

    It is for what a person can put right. What the rules forbid is a refusal of the engine, and what is broken in
    the program is any other exception.

    Args:
        message: What is wrong, with the nearest right value where there is one.
        source: The file, or another name for where the input came from.
        line: Line in the source, counted from 1.
        column: Column in the line, counted from 1.
        field: The field at fault, as a path such as `units[2].kind`.

    >>> str(InputError("no kind 'medium-tnak'; did you mean 'medium-tank'?", source="army.yaml", line=3, field="kind"))
    "army.yaml:3: kind: no kind 'medium-tnak'; did you mean 'medium-tank'?"
    """

    message: str
    """What is wrong, without the place."""
    source: str | None
    """The file, or another name for where the input came from."""
    line: int | None
    """Line in the source, counted from 1."""
    column: int | None
    """Column in the line, counted from 1."""
    field: str | None
    """The field at fault."""

    def __init__(
        self,
        message: str,
        *,
        source: str | None = None,
        line: int | None = None,
        column: int | None = None,
        field: str | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.source = source
        self.line = line
        self.column = column
        self.field = field

    def __str__(self) -> str:
        """Give the place and the message in one line, as `source:line:column: field: message`."""
        place = ":".join(str(part) for part in (self.source, self.line, self.column) if part is not None)
        return ": ".join(part for part in (place, self.field, " ".join(self.message.split())) if part)
