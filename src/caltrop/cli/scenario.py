"""Draw a table from a seed: a scenario with fair ground, as a file.

The same seed gives the same table. The goals and zones are those of a scenario that the game comes with; the file can
be played, measured and changed as any other.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal


def scenario(
    act: Literal["draw"],
    game: str,
    /,
    *,
    seed: str,
    symmetry: Literal["rotate", "mirror", "none"] = "rotate",
    size: str | None = None,
    output: Path | None = None,
) -> None:
    """Draw a table from a seed: a scenario with fair ground, as a file.

    Args:
        act: The act: "draw" a table.
        game: The game, as "caltrop games" lists it.
        seed: Any number or text; the same one gives the same table.
        symmetry: The way from the first half of the table to the second: by half a turn ("rotate"), by a reflection
            ("mirror"), or not at all ("none").
        size: Width and height in the game's own measure, as 48x48, or rows and columns of a map of hexes, as 9x13; the
            usual size by default.
        output: The file to be written; standard output by default.
    """
    import re
    import sys

    from caltrop.cli import UsageError
    from caltrop.cli._game import check_output
    from caltrop.errors import InputError
    from caltrop.scenarios.drafts import yaml_of
    from caltrop.scenarios.seeded import drawn_table

    if output is not None:
        check_output(output, ".yaml", ".yml")
    if len(seed) > 40:
        raise UsageError("--seed has at most 40 characters")
    numbers = None
    if size is not None:
        match = re.fullmatch(r"([0-9]{1,4})x([0-9]{1,4})", size)
        if match is None:
            raise UsageError(f"--size is two numbers as in 48x48; this is not: {size[:40]!r} is none")
        numbers = (int(match[1]), int(match[2]))
    text = yaml_of(drawn_table(game, seed, symmetry, numbers))
    if output is None:
        sys.stdout.write(text)
        return
    try:
        output.write_text(text, encoding="utf-8")
    except OSError as error:
        raise InputError(f"it cannot be written: {error.strerror}", source=str(output)) from error
    print(output)
