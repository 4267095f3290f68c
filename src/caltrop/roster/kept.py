"""The content of the package's data files, kept beside them in parsed form, as Python keeps bytecode.

Reading YAML takes many times as long as everything else that a program does before it plays. So the value read from a
file of the package has a file of its own in `__pycache__`, together with the text it was read from. For any other text
the file is read again. If nothing may be written, or `PYTHONDONTWRITEBYTECODE` is set, nothing is kept. Files of
authors are never kept: nothing is put beside them.
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
"""The folder whose files are kept."""

FORM = 1
"""Counts the forms of what is kept, and what texts are read as: one more wherever `written` reads a text otherwise."""


class KeptFile(msgspec.Struct, frozen=True, array_like=True):
    """A file as it was read."""

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
    """Return the content of a text, from its parsed form, or parsed now and kept if possible.

    Args:
        file: The file that holds the text; a text that is in no file is never kept.
    """
    place = None if isinstance(file, str) else place_of(file)
    if place is None:
        return read()
    try:
        value = _decoder.decode(place.read_bytes())
        if value.form == FORM and value.text == text:
            return value.raw, value.places
    except (OSError, msgspec.MsgspecError):
        pass  # not there yet, or cut short: it is read as if it had never been kept
    raw, places = read()
    if not sys.dont_write_bytecode:
        # Some folders may not be written to, and some numbers are too large for the form.
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
