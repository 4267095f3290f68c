"""What the engine is told about Command Horizon: its name, editions, house rules, scenarios, armies and beginning."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
from typing import Any

import msgspec

from caltrop.engine import ArmyCard, Book, Ruleset, ScenarioCard, Switch
from caltrop.picture import Picture
from caltrop.rules.command_horizon.battle import Battle


@lru_cache(maxsize=1)
def _switches() -> tuple[Switch, ...]:
    file = files(__package__).joinpath("data/house_rules.yaml")
    if not file.is_file():
        from caltrop.rules.command_horizon.scene import SWITCHES

        return SWITCHES
    return msgspec.yaml.decode(file.read_bytes(), type=tuple[Switch, ...])


class CommandHorizon(Ruleset):
    """Command Horizon."""

    name = "command-horizon"
    title = "Command Horizon"
    words = "Units of tanks and infantry of three races, a pool of command points, and everything that they buy"
    owner = "EMP Games"
    editions = ("current", "v1.5")
    prefix = "CH-"
    state = Battle

    @property
    def switches(self) -> Sequence[Switch]:
        """The house rules."""
        return _switches()

    def scenarios(self) -> Sequence[ScenarioCard]:
        """The scenarios that it comes with."""
        return ()

    def armies(self) -> Sequence[ArmyCard]:
        """The armies that it comes with."""
        return ()

    def setup(self, book: Book, scenario: str, armies: Sequence[str] = (), size: int | None = None) -> Battle:
        """The battle before the roll-off."""
        raise ValueError(f"there is no scenario {scenario!r}")

    def depict(self, t: Any, side: int | None) -> Picture:
        """The table as the doors draw it."""
        raise ValueError("no picture")


ruleset = CommandHorizon()
