"""The file format of rulings of Hex Command."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, UnsetType

from caltrop.rules.hex_command.records import Unit
from caltrop.rules.hex_command.scenarios import Compass, Goals, Kind, Span
from caltrop.rules.hex_command.turn import Game
from caltrop.scenarios.cases import CaseGiven, ExpectedGiven, FileGiven, LineGiven, PositionGiven
from caltrop.scenarios.keys import keys_from, keys_of_actions
from caltrop.table.hexes import Hex

Few = Annotated[int, msgspec.Meta(ge=0, le=100)]
"""A number of models, hexes, cards, banners and the like."""


class UnitGiven(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A unit of a scene. A case may change single values of a unit in the ruling's own scene."""

    side: Compass | UnsetType = UNSET
    kind: str | UnsetType = UNSET
    """Row of the unit table, such as `vehicle-medium`."""
    at: Hex | UnsetType | None = UNSET
    """The unit's hex. A single leader in the hex of a unit is attached to it. Null removes it from a case's scene."""
    strength: Annotated[int, msgspec.Meta(ge=1, le=100)] | UnsetType = UNSET
    """Models or Damage Capacity left; full strength by default."""
    was: str | UnsetType = UNSET
    """For a single leader, the row of its former Leader unit."""
    ordered: bool | UnsetType = UNSET
    """True if the unit is ordered; by default true for all units of the active side."""
    moved: Few | UnsetType = UNSET
    """Number of hexes that the unit has moved this turn."""
    spent: Few | UnsetType = UNSET
    """Number of shield dice that the unit has rolled this turn."""


class SceneGiven(PositionGiven, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A position. The scene of a case gives only differences from the ruling's own scene."""

    map: tuple[int, int] | UnsetType = UNSET
    """Number of rows, and of hexes in an odd row; 9 and 13 by default."""
    terrain: dict[Kind, str] | UnsetType = UNSET
    """Hexes by kind of ground, such as `woods: E4 F4`."""
    entrenchments: str | UnsetType = UNSET
    units: dict[str, UnitGiven] | UnsetType = UNSET
    active: Compass | UnsetType = UNSET
    """Side whose turn it is; South by default."""
    card: str | UnsetType = UNSET
    """The card in force; Direct Command by default."""
    hands: dict[Compass, tuple[str, ...]] | UnsetType = UNSET
    """The cards that each side holds."""
    discards: tuple[str, ...] | UnsetType = UNSET
    """Cards on the discards, face up."""
    played: dict[Compass, str] | UnsetType = UNSET
    """The card that each side last played in its own turn."""
    without: tuple[str, ...] | UnsetType = UNSET
    """Kinds of cards that are left out of the deck."""
    objectives: tuple[Goals, ...] | UnsetType = UNSET
    banners: dict[Compass, Few] | UnsetType = UNSET
    """Number of banners that each side has won for units and leaders."""
    target: dict[Compass, Few] | UnsetType = UNSET
    """Number of banners with which each side wins; 5 by default."""
    limit: Span | UnsetType = UNSET
    turns: dict[Compass, Few] | UnsetType = UNSET
    """Number of turns that each side has begun."""
    prize: str | UnsetType = UNSET
    """The unit whose destruction loses the battle for its side."""
    always: str | UnsetType = UNSET
    """The unit that may act in every turn, whatever the card."""


@keys_from(Unit, only=("strength", "kind"), written={int: Few})
class UnitExpected(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The expected state of a unit; unset fields may be anything."""

    at: Hex | UnsetType | None = UNSET
    """The unit's hex; null if it is lost."""
    leader: str | UnsetType | None = UNSET
    """The leader attached to the unit."""
    ordered: bool | UnsetType = UNSET


class Expected(ExpectedGiven, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Facts that must be true at this point."""

    units: dict[str, UnitExpected] = msgspec.field(default_factory=dict)
    asked: Compass | UnsetType = UNSET
    """The side that is asked."""
    banners: dict[Compass, int] = msgspec.field(default_factory=dict)
    hands: dict[Compass, tuple[str, ...]] = msgspec.field(default_factory=dict)
    """The cards that a side holds, in the order of their names."""
    entrenchments: tuple[Hex, ...] | UnsetType = UNSET
    card: str | UnsetType = UNSET
    winner: Compass | Literal["nobody"] | UnsetType = UNSET
    """Winner; `nobody` for a draw."""


@keys_of_actions(Game.__module__.rpartition(".")[0], units=("unit", "target"), but=("dice",), written={int: Few})
class RulingLine(LineGiven, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One line of play, with exactly one of `start`, `do`, `pass`, `dice`, `draw`, `ask` and `expect`."""

    dice: str | UnsetType = UNSET
    """The dice that the previous line rolls, as symbols: `I V G L T R`."""
    draw: str | UnsetType = UNSET
    """Cards that the previous line draws, one after another, such as `probe-left scout-right`."""
    expect: Expected | UnsetType = UNSET

    side: Compass | UnsetType = UNSET
    """The side that acts; by default the side that is asked."""

    unit: str | UnsetType = UNSET
    target: str | UnsetType = UNSET
    card: str | UnsetType = UNSET
    to: str | UnsetType = UNSET
    count: Few | UnsetType = UNSET
    """For `RollSome`: the number of shield dice."""
    at: str | UnsetType = UNSET
    """The hex that a question starts from."""
    army: str | UnsetType = UNSET
    scenario: str | UnsetType = UNSET


class Case(CaseGiven[SceneGiven, RulingLine], frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A case of a ruling: an attack, or a scene that is played."""


class RulingFile(FileGiven[SceneGiven, Case], frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A ruling of Hex Command."""
