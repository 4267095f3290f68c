"""Compression of a game's stored texts and tables, which change little from act to act.

A tale (texts and table of one act) is written as references to the table before it, plus everything else, compressed
with the earlier output as a dictionary. Tales must therefore be packed and unpacked in order, from the beginning of a
game.
"""

from __future__ import annotations

import zlib

import msgspec

from caltrop.journal.keep import Tale

NEW = b"\x01"
"""First byte of a tale that depends on earlier tales. Other tales are independent, as all tales were in older versions.
"""

REACH = 8 * 1024
"""Number of earlier bytes that the compression can refer to."""

LARGEST = 64 * 1024 * 1024
"""Largest size of an unpacked tale in bytes."""

_CUT = b"{"
"""Pattern that splits a tale at the beginning of each JSON object."""

_encode, _decode = msgspec.json.Encoder().encode, msgspec.json.Decoder(Tale).decode
_pieces, _read = msgspec.msgpack.Encoder().encode, msgspec.msgpack.Decoder(list[bytes | tuple[int, int]]).decode


class Packing:
    """Compression of a game's tales, each based on the earlier tales.

    >>> packing, again = Packing(), Packing()
    >>> tales = [Tale(words=("The battle begins.",)), Tale(words=("Side 1 moves.",))]
    >>> [again.unpacked(packing.packed(tale)) for tale in tales] == tales
    True
    """

    def __init__(self) -> None:
        self._table: list[bytes] = []
        """The pieces of the last tale with a table."""
        self._places: dict[bytes, int] = {}
        """First position of each piece."""
        self._written = b""
        """Last tale, before it was compressed."""

    def packed(self, tale: Tale) -> bytes:
        pieces = _encode(tale).split(_CUT)
        written = _pieces(_shared(pieces, self._table, self._places))
        squeeze = zlib.compressobj(zlib.Z_BEST_COMPRESSION, wbits=-zlib.MAX_WBITS, zdict=self._written)
        out = NEW + squeeze.compress(written) + squeeze.flush()
        self._note(written)
        self._told(tale, pieces)
        return out

    def unpacked(self, body: bytes) -> Tale:
        """Return the next tale, after the earlier tales.

        Raises ValueError if the tale is damaged, or belongs to other earlier tales.
        """
        try:
            if body[:1] == NEW:
                squeezed = zlib.decompressobj(wbits=-zlib.MAX_WBITS, zdict=self._written)
                written = squeezed.decompress(body[1:], LARGEST)
                self._note(written)
                pieces = _whole(_read(written), self._table)
            else:
                pieces = zlib.decompress(body).split(_CUT)
            tale = _decode(_CUT.join(pieces))
        except (zlib.error, msgspec.MsgspecError) as error:
            raise ValueError("a tale cannot be unpacked") from error
        self._told(tale, pieces)
        return tale

    def go_on_as(self, other: Packing) -> None:
        self._table, self._places, self._written = other._table, other._places, other._written

    def _note(self, written: bytes) -> None:
        self._written = (self._written + written)[-REACH:]

    def _told(self, tale: Tale, pieces: list[bytes]) -> None:
        if tale.turn is not None:
            self._table = pieces
            self._places = places_of(pieces)


def places_of(table: list[bytes]) -> dict[bytes, int]:
    """Return the place where each piece of a table appears first."""
    return {piece: place for place, piece in reversed([*enumerate(table)])}


def _shared(pieces: list[bytes], table: list[bytes], places: dict[bytes, int]) -> list[bytes | tuple[int, int]]:
    """Return the pieces, with runs of pieces from a table replaced by their position in the table and their number.

    >>> table = [b"a", b"b", b"c", b"b"]
    >>> _shared([b"x", b"b", b"c", b"y"], table, places_of(table))
    [b'x', (1, 2), b'y']
    """
    out: list[bytes | tuple[int, int]] = []
    next_ = -1
    for piece in pieces:
        goes_on = 0 <= next_ < len(table) and table[next_] == piece
        place = next_ if goes_on else places.get(piece, -1)
        if place < 0:
            out.append(piece)
            next_ = -1
            continue
        last = out[-1] if goes_on else None
        if isinstance(last, tuple):
            out[-1] = last[0], last[1] + 1
        else:
            out.append((place, 1))
        next_ = place + 1
    return out


def _whole(parts: list[bytes | tuple[int, int]], table: list[bytes]) -> list[bytes]:
    out: list[bytes] = []
    for part in parts:
        if isinstance(part, bytes):
            out.append(part)
            continue
        place, count = part
        run = table[place : place + count] if place >= 0 else []
        if len(run) != count:
            raise ValueError("a tale was packed after another")
        out += run
    return out
