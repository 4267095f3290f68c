"""Attack requests on the command line: read a request and pass it to its ruleset."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, Literal

from caltrop.cli import print_bytes
from caltrop.errors import InputError

LARGEST = 1_000_000
"""Largest size of a request in bytes."""


def _bytes(file: Path | None) -> bytes:
    """Return the first bytes of a file, or of standard input in UTF-8."""
    if file is not None:
        with file.open("rb") as stream:
            return stream.read(LARGEST + 1)
    if sys.stdin is None:
        return b""
    plain = getattr(sys.stdin, "buffer", None)
    return sys.stdin.read(LARGEST + 1).encode() if plain is None else bytes(plain.read(LARGEST + 1))


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for key, value in pairs:
        if key in out:
            raise InputError("an object contains the key twice", field=key)
        out[key] = value
    return out


def _no_number(word: str) -> Any:
    raise InputError(f"{word} is not a number in JSON")


def request(file: Path | None) -> dict[str, Any]:
    """Read a request from *file*, or from standard input.

    Raises:
        InputError: if the request cannot be read, or is not a JSON object.
    """
    source = "standard input" if file is None else str(file)
    try:
        raw_text = _bytes(file)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise InputError(f"the request cannot be read: {why}", source=source) from error
    if len(raw_text) > LARGEST:
        raise InputError(f"the request is larger than {LARGEST} bytes", source=source)
    from caltrop.roster import utf8

    text = utf8(raw_text, source).decode()
    if not text.strip():
        raise InputError("the request is empty; write a JSON object", source=source)
    try:
        raw = json.loads(text, object_pairs_hook=_once, parse_constant=_no_number)
    except json.JSONDecodeError as error:
        raise InputError(
            f"this is not JSON: {error.msg}", source=source, line=error.lineno, column=error.colno
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


def _over(raw: dict[str, Any], pack: str) -> dict[str, Any]:
    """Return a request with a pack as its house rule `pack`. The ruleset reports `rules` that are not an object.

    Raises:
        InputError: for a pack that cannot be read or used, or beside another one that the request names.
    """
    from caltrop.cli._game import PACK, pack_named

    name, rules = pack_named(pack), raw.get("rules", {})
    if not isinstance(rules, dict):
        return raw
    if rules.get(PACK, name) not in (name, name.partition("@")[0]):
        raise InputError(
            f"the request names the pack {str(rules[PACK])[:100]!r}, and --pack another one; leave one of them out",
            field=f"rules.{PACK}",
        )
    return {**raw, "rules": {**rules, PACK: name}}


def referee(file: Path | None, what: Literal["resolve", "odds"], pack: str | None = None) -> None:
    """Read a request, and print its ruleset's answer as JSON.

    Args:
        file: The request; standard input by default.
        what: The request to the rulebook's referee.
        pack: The pack to use: a folder, a zip, a document, a link, or an installed one.

    Raises:
        InputError: for what is wrong with the request.
    """
    from caltrop.engine import referee_of
    from caltrop.scenarios.whole import odds_of

    raw = request(file)
    if pack is not None:
        raw = _over(raw, pack)
    answer = json.dumps(odds_of(raw) if what == "odds" else referee_of(raw).resolve(raw), ensure_ascii=False)
    # Half a character that a request held is written as an escape again.
    print_bytes(answer.encode("utf-8", "backslashreplace"))
