"""Cache the parsed content of the package's data files beside them, as Python caches bytecode.

Parsing YAML takes longer than everything else that a program does before it plays. So the parsed value of a file is
stored in `__pycache__`, together with its text. If the text has changed, the file is parsed again. Nothing is stored if
the folder cannot be written to or `PYTHONDONTWRITEBYTECODE` is set. Files of authors, outside the package, are never
cached.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import get_ident
from typing import Any

import msgspec

from caltrop.roster.places import Path_, Plain

PACKAGE = Path(__file__).resolve().parents[1]
"""The folder whose files are cached."""

FORM = 1
"""Version of the cached form. It is raised if the form changes or `written` parses a text differently."""


class KeptFile(msgspec.Struct, frozen=True, array_like=True):
    """A cached file: its text and the parsed value."""

    form: int
    text: bytes
    raw: Any
    places: dict[Path_, tuple[int, int]]


_encoder, _decoder = msgspec.msgpack.Encoder(), msgspec.msgpack.Decoder(KeptFile)


def place_of(file: Path) -> Path | None:
    """Return the path of a file's cached parsed form; None for a file outside the package."""
    if PACKAGE not in file.parents:
        return None
    folder = file.parent
    if sys.pycache_prefix is not None:
        return Path(sys.pycache_prefix, *folder.parts[1:], f"{file.name}.read")
    return folder / "__pycache__" / f"{file.name}.read"


def kept(file: Path | str, text: bytes, read: Callable[[], Plain]) -> Plain:
    """Return the parsed content of a text from the cache, or parse it now and cache the result if possible.

    Args:
        file: The file that holds the text; text without a file is never cached.
    """
    place = None if isinstance(file, str) else place_of(file)
    if place is None:
        return read()
    try:
        value = _decoder.decode(place.read_bytes())
        if value.form == FORM and value.text == text:
            return value.raw, value.places
    except (OSError, msgspec.MsgspecError):
        pass  # A missing or damaged cache file is ignored.
    raw, places = read()
    if not sys.dont_write_bytecode:
        # Some folders are read-only, and some numbers are too large for the cached form.
        with suppress(OSError, OverflowError):
            _write(place, _encoder.encode(KeptFile(FORM, text, raw, dict(places))))
    return raw, places


def _write(place: Path, what: bytes) -> None:
    """Write a file atomically, so that readers never see half of it."""
    place.parent.mkdir(parents=True, exist_ok=True)
    aside = place.with_name(f"{place.name}.{os.getpid()}.{get_ident()}")
    try:
        with open(os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666), "wb") as stream:
            stream.write(what)
        os.replace(aside, place)
    except OSError:
        aside.unlink(missing_ok=True)
        raise
