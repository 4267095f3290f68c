"""Requests that differ from the one that a form begins with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def changed_request(start: Mapping[str, Any], /, **fields: Any) -> dict[str, Any]:
    """Return a request with other values; `attacker__kind` is the field `kind` of the attacker."""
    out = {key: dict(value) if isinstance(value, dict) else value for key, value in start.items()}
    for path, value in fields.items():
        head, _, tail = path.rpartition("__")
        (out[head] if head else out)[tail] = value
    return out
