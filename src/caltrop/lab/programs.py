"""Common beginning and end of the lab's programs, `python -m caltrop.lab.NAME`."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import NoReturn

from caltrop.errors import InputError


def run(main: Callable[[], int | None]) -> NoReturn:
    try:
        code = main() or 0
    except InputError as error:
        print(f"caltrop: {error}", file=sys.stderr)
        code = 1
    except OSError as error:
        place = "" if error.filename is None else f"{error.filename}: "
        print(f"caltrop: {place}{error.strerror or error}", file=sys.stderr)
        code = 1
    sys.exit(code)
