"""House rules: named switches with their values, defaults, and the clauses or rulings that they concern."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec

from caltrop.engine.rule import HouseValue
from caltrop.errors import InputError
from caltrop.roster import read_yaml


class Switch(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    name: str
    values: tuple[HouseValue, ...] = ()
    """The named values, the default first."""
    min: int | None = None
    """Least whole number that is allowed besides the named values; `max` is the greatest."""
    max: int | None = None
    clauses: tuple[str, ...] = ()
    """Clauses or rulings that the house rule changes, or that apply only with one of its values."""
    words: str = ""
    """A sentence or noun phrase that the value follows: `Void shields work in close assault: off`."""
    editions: tuple[str, ...] = ()
    """Editions in which the house rule has an effect; empty for all."""

    @property
    def default(self) -> HouseValue:
        return self.values[0]

    def read(self, text: Any) -> HouseValue:
        """Return the value for a text from a command line or from JSON.

        Raises InputError for an invalid value; the message lists the valid ones.
        """
        for value in self.values:
            if text == value or str(text) == str(value):
                return value
        if self.min is not None and self.max is not None and not isinstance(text, (bool, float)):
            try:
                number = int(text)
            except (TypeError, ValueError):
                number = None
            if number is not None and self.min <= number <= self.max:
                return number
        allowed = [str(v) for v in self.values]
        if self.min is not None:
            allowed.append(f"a whole number from {self.min} to {self.max}")
        raise InputError(f"{self.name} is {', '.join(allowed[:-1])} or {allowed[-1]}; here it is {text!r}")


@lru_cache(maxsize=32)
def switches_in(data: Path) -> tuple[Switch, ...]:
    """Return the house rules of a game from `house_rules.yaml` in its data folder; none without that file.

    Raises InputError for errors in the file, with line and column.
    """
    file = data / "house_rules.yaml"
    return read_yaml(file, tuple[Switch, ...]).value if file.exists() else ()


def settle(switches: Sequence[Switch], chosen: Mapping[str, Any]) -> dict[str, HouseValue]:
    """Return the value of every house rule: the *chosen* value, or the default.

    Raises:
        InputError: for a switch that does not exist (the message names the nearest), or an invalid value.
    """
    by_name = {s.name: s for s in switches}
    for name in chosen:
        if name not in by_name:
            near = difflib.get_close_matches(str(name), by_name, 1, 0.0)
            hint = f"; did you mean {near[0]}?" if near else ""
            raise InputError(f"there is no house rule {name!r}{hint}")
    return {s.name: s.read(chosen[s.name]) if s.name in chosen else s.default for s in switches}
