"""Play recorded games again and compare every digest."""

from __future__ import annotations

from pathlib import Path


def verify(*files: Path) -> int:
    """Play recorded games again, compare every digest, and name the first entry that differs.

    Args:
        files: Records (`.caltrop.json`, gzipped or not).
    """
    import sys

    from caltrop.cli import DONE, INPUT_WRONG, UsageError, complaint
    from caltrop.errors import InputError
    from caltrop.journal import load
    from caltrop.journal import verify as verified

    if not files:
        raise UsageError("which files? Name one record or more")
    code = DONE
    for file in files:
        try:
            verdict = verified(load(file))
        except InputError as error:
            error.source = error.source or str(file)
            print(complaint(error), file=sys.stderr)
            code = INPUT_WRONG
            continue
        place = "" if verdict.same or not verdict.field else f"{verdict.field}: "
        print(f"{file}: {place}{verdict.words}", file=sys.stdout if verdict.same else sys.stderr)
        if not verdict.same:
            code = INPUT_WRONG
    return code
