"""`msgspec.inspect` for native records."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec.inspect import *  # noqa: F403  whatever msgspec has

from caltrop.native.shapes import readable


def type_info(type: Any) -> Any:
    """Return msgspec's description of a type."""
    return msgspec.inspect.type_info(readable(type))
