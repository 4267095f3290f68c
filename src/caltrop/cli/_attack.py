"""Attack requests on the command line: read one, and hand it to the rulebook that it names."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, Literal

from caltrop import InputError

LARGEST = 1_000_000
"""Characters that a request may have."""


def _text(file: Path) -> str:
    with file.open(encoding="utf-8") as stream:
        return stream.read(LARGEST + 1)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for key, value in pairs:
        if key in out:
            raise InputError("the key stands twice in one object", field=key)
        out[key] = value
    return out


def _no_number(word: str) -> Any:
    raise InputError(f"{word} is no number that JSON knows")


def request(file: Path | None) -> dict[str, Any]:
    """Read a request from *file*, or from standard input.

    Raises:
        InputError: when it cannot be read, is no JSON, or is no object.
    """
    source = "standard input" if file is None else str(file)
    try:
        text = sys.stdin.read(LARGEST + 1) if file is None else _text(file)
        if len(text) > LARGEST:
            raise InputError(f"the request is larger than {LARGEST} characters", source=source)
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"the request cannot be read: {error}", source=source) from error
    try:
        raw = json.loads(text, object_pairs_hook=_once, parse_constant=_no_number)
    except json.JSONDecodeError as error:
        raise InputError(
            f"this is no JSON: {error.msg}", source=source, line=error.lineno, column=error.colno
        ) from error
    except RecursionError as error:
        raise InputError("this is nested too deeply", source=source) from error
    except InputError:
        raise
    except ValueError as error:  # a number of more digits than Python reads
        raise InputError("this holds a number that is too long to be read", source=source) from error
    if not isinstance(raw, dict):
        raise InputError("a request is a JSON object", source=source)
    return raw


def referee(file: Path | None, what: Literal["resolve", "odds"]) -> None:
    """Read a request, have it answered by its rulebook, and print the answer as JSON.

    Args:
        file: The request; standard input where it is left out.
        what: What is asked of the rulebook's referee.

    Raises:
        InputError: for what is wrong with the request.
    """
    from caltrop.engine import referee_of

    raw = request(file)
    found = referee_of(raw)
    print(json.dumps(found.odds(raw) if what == "odds" else found.resolve(raw), ensure_ascii=False))
