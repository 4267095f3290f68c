"""Find the names of a function's parameters, which declarations depend on."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

PARAMETERS: dict[Any, tuple[str, ...]] = {}
"""Names of the parameters of functions in compiled modules, which cannot be inspected."""


@cache
def read_by(function: Callable[..., Any]) -> tuple[str, ...]:
    named = PARAMETERS.get(function)
    if named is not None:
        return named
    code = getattr(function, "__wrapped__", function).__code__
    return tuple(code.co_varnames[: code.co_argcount])
