"""`msgspec.msgpack` for native records."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from caltrop.native.json import Hook, either
from caltrop.native.shapes import native, readable, reads_plainly


def Encoder(*, enc_hook: Hook | None = None, **options: Any) -> msgspec.msgpack.Encoder:  # noqa: N802  as msgspec has it
    """Return an encoder of msgspec."""
    return msgspec.msgpack.Encoder(enc_hook=either(enc_hook), **options)


class Decoder:
    """A decoder of one type. The type is inspected when the first value is decoded."""

    def __init__(self, type: Any = Any, **options: Any) -> None:
        self.type, self.options = type, options
        self._decode: Callable[[Any], Any] | None = None

    def __class_getitem__(cls, _: Any) -> Any:
        return cls

    def decode(self, buf: Any) -> Any:
        """Decode a value."""
        if self._decode is None:
            if reads_plainly(self.type):
                self._decode = msgspec.msgpack.Decoder(self.type, **self.options).decode
            else:
                read = msgspec.msgpack.Decoder(readable(self.type), **self.options).decode
                self._decode = lambda buf: native(read(buf))
        return self._decode(buf)
