"""The entries of scenarios and armies in a lobby."""

from __future__ import annotations

import msgspec


class ScenarioCard(msgspec.Struct, frozen=True, kw_only=True):
    """The entry for a scenario in a lobby."""

    id: str
    title: str
    minutes: int
    words: str = ""
    takes_armies: bool = True
    """True if the players may choose armies."""
    players: int = 2
    """Number of sides that people play: 1 if the rules alone move the other (`Ruleset.automated`)."""
    sizes: tuple[int, ...] = ()
    """Sizes of the battle, as `Ruleset.size_words` counts them; empty if the size is fixed."""
    limits: tuple[int, ...] = ()
    """Point limits that each side may choose if the scenario has no sizes; empty for no limit."""


class ArmyPart(msgspec.Struct, frozen=True, kw_only=True):
    """A part of an army that can fight a smaller battle on its own."""

    points: int
    units: int


class ArmyCard(msgspec.Struct, frozen=True, kw_only=True):
    """The entry for an army list in a lobby."""

    id: str
    title: str
    faction: str
    size: int
    sizes: tuple[int, ...] = ()
    """The possible sizes of a battle with this army; empty if its size is fixed."""
    editions: tuple[str, ...] = ()
    points: int | None = None
    """Points under the first edition, if known."""
    parts: tuple[ArmyPart, ...] = ()
    """Parts of this army that may fight smaller battles, the cheapest first."""
