"""Check the encoding and the format version of files: UTF-8, with or without a byte order mark."""

from __future__ import annotations

from typing import Any

from caltrop import __version__
from caltrop.errors import InputError

MARK = b"\xef\xbb\xbf"
"""The byte order mark of UTF-8, which some editors and shells write."""

_OTHERS = (b"\xff\xfe", b"\xfe\xff")
"""The byte order marks of UTF-16 and UTF-32."""


def utf8(raw: bytes, source: str | None = None) -> bytes:
    """Return a text in UTF-8 without its byte order mark.

    Args:
        raw: The bytes of a file.
        source: Name of the file, for messages.

    Raises:
        InputError: for text in UTF-16 or UTF-32, and for other bytes that are not UTF-8; the message names the line.

    >>> utf8(b"\\xef\\xbb\\xbf{}"), utf8(b"{}")
    (b'{}', b'{}')
    """
    if raw.startswith(MARK):
        raw = raw[len(MARK) :]
    # A NUL among the first bytes means UTF-16 or UTF-32: no text that Caltrop reads contains one there.
    if raw.startswith(_OTHERS) or b"\0" in raw[:4]:
        raise InputError("this is text in UTF-16 or UTF-32; save it as UTF-8", source=source)
    try:
        raw.decode()
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise InputError("this is not text in UTF-8; save it as UTF-8", source=source, line=line) from None
    return raw


def newer(format_version: int, newest: int, written_by: Any = None) -> str:
    """Return the fault of a file whose format is newer than this Caltrop supports; empty if it is supported.

    Args:
        written_by: The version of the Caltrop that wrote the file, if it says so.
    """
    writer = f"Caltrop {written_by}" if written_by and isinstance(written_by, str) else "a newer Caltrop"
    return (
        f"written by {writer} in format {format_version}: this is Caltrop {__version__}, which reads formats up to "
        f"{newest}; update Caltrop"
    )
