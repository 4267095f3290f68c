"""`msgspec.json` for native records."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from msgspec.json import format

from caltrop.native.shapes import encodable, native, readable, reads_plainly

__all__ = ["Decoder", "Encoder", "decode", "either", "encode", "format", "schema", "schema_components"]

Hook = Callable[[Any], Any]


def either(hook: Hook | None) -> Hook:
    """Return an encoder's hook that encodes native records, and leaves other values to the caller's hook."""
    if hook is None:
        return encodable

    def encoded(value: Any) -> Any:
        try:
            return encodable(value)
        except NotImplementedError:
            return hook(value)

    return encoded


def encode(obj: Any, *, enc_hook: Hook | None = None, order: Any = None) -> bytes:
    """Encode a value, as `msgspec.json.encode` does."""
    return msgspec.json.encode(obj, enc_hook=either(enc_hook), order=order)


def Encoder(*, enc_hook: Hook | None = None, **options: Any) -> msgspec.json.Encoder:  # noqa: N802  as msgspec has it
    """Return an encoder of msgspec."""
    return msgspec.json.Encoder(enc_hook=either(enc_hook), **options)


def decode(buf: Any, *, type: Any = Any, **options: Any) -> Any:
    """Decode a value, as `msgspec.json.decode` does."""
    if reads_plainly(type):
        return msgspec.json.decode(buf, type=type, **options)
    return native(msgspec.json.decode(buf, type=readable(type), **options))


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
            self._decode = self._made()
        return self._decode(buf)

    def _made(self) -> Callable[[Any], Any]:
        if reads_plainly(self.type):
            return msgspec.json.Decoder(self.type, **self.options).decode
        read = msgspec.json.Decoder(readable(self.type), **self.options).decode
        return lambda buf: native(read(buf))

    def decode_lines(self, buf: Any) -> Any:
        """Decode lines that hold one value each."""
        return native(msgspec.json.Decoder(readable(self.type), **self.options).decode_lines(buf))


def schema(type: Any, **options: Any) -> Any:
    """Return the JSON schema of a type."""
    return msgspec.json.schema(readable(type), **options)


def schema_components(types: Any, **options: Any) -> Any:
    """Return the JSON schemas of several types."""
    return msgspec.json.schema_components([readable(type) for type in types], **options)
