"""What the engine is told about Blade Skirmish: its name, house rules, scenarios, warbands and beginning."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from caltrop.engine import ArmyCard, Book, Ruleset, ScenarioCard, Switch
from caltrop.picture import Picture
from caltrop.rules.blade_skirmish.catalogue import switches
from caltrop.rules.blade_skirmish.skirmish import Skirmish


class BladeSkirmish(Ruleset):
    """Blade Skirmish."""

    name = "blade-skirmish"
    title = "Blade Skirmish"
    words = "A handful of named fighters with blades against foes that act by dice, or against another warband"
    owner = "its publisher"
    prefix = "BS-"
    size_words = "Points a side"
    sizes = (1, 100)
    state = Skirmish

    @property
    def switches(self) -> Sequence[Switch]:
        """The house rules."""
        return switches()

    def scenarios(self) -> Sequence[ScenarioCard]:
        """The scenarios that it comes with."""
        return []

    def armies(self) -> Sequence[ArmyCard]:
        """The warbands that it comes with."""
        return []

    def setup(self, book: Book, scenario: str, armies: Sequence[str] = (), size: int | None = None) -> Skirmish:
        """The skirmish before its first step."""
        raise NotImplementedError

    def depict(self, t: Any, side: int | None) -> Picture:
        """The table as the doors draw it."""
        raise NotImplementedError


ruleset = BladeSkirmish()
