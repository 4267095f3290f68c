"""The content of a ruling of Hex Command: the records that its file is read as."""

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
"""Of models, hexes, cards, banners and the like: no battle has more."""


class UnitGiven(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A unit of a scene. A case may change single values of a unit that the ruling's own scene has."""

    side: Compass | UnsetType = UNSET
    kind: str | UnsetType = UNSET
    """As in the unit table: `vehicle-medium`."""
    at: Hex | UnsetType | None = UNSET
    """Its hex; a single leader in the hex of a unit is attached to it. Null removes it from a case's scene."""
    strength: Annotated[int, msgspec.Meta(ge=1, le=100)] | UnsetType = UNSET
    """Models, or Damage Capacity, that are left; all by default."""
    was: str | UnsetType = UNSET
    """For a single leader: the kind of the Leader unit that he is left of."""
    ordered: bool | UnsetType = UNSET
    """True if it is ordered. By default all units of the side whose turn it is."""
    moved: Few | UnsetType = UNSET
    """Distance that it has moved this turn, in hexes."""
    spent: Few | UnsetType = UNSET
    """Shield dice that it has rolled this turn."""


class SceneGiven(PositionGiven, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A position. A case's scene says only what differs from the ruling's own."""

    map: tuple[int, int] | UnsetType = UNSET
    """Rows, and hexes of an odd row: 9 and 13, by default."""
    terrain: dict[Kind, str] | UnsetType = UNSET
    """Hexes by the kind of their ground, as in `woods: E4 F4`."""
    entrenchments: str | UnsetType = UNSET
    units: dict[str, UnitGiven] | UnsetType = UNSET
    active: Compass | UnsetType = UNSET
    """Side whose turn it is: South's by default."""
    card: str | UnsetType = UNSET
    """The card in force: Direct Command, by default."""
    hands: dict[Compass, tuple[str, ...]] | UnsetType = UNSET
    """The cards that each side holds."""
    discards: tuple[str, ...] | UnsetType = UNSET
    """Cards that lie face up."""
    played: dict[Compass, str] | UnsetType = UNSET
    """The card that each side has played last in its own turn."""
    without: tuple[str, ...] | UnsetType = UNSET
    """Kinds of cards that are not played with."""
    objectives: tuple[Goals, ...] | UnsetType = UNSET
    banners: dict[Compass, Few] | UnsetType = UNSET
    """Banners that each side has won for units and leaders."""
    target: dict[Compass, Few] | UnsetType = UNSET
    """Banners with which each side wins: 5, by default."""
    limit: Span | UnsetType = UNSET
    turns: dict[Compass, Few] | UnsetType = UNSET
    """Turns that each side has begun."""
    prize: str | UnsetType = UNSET
    """The unit with which its side loses the battle."""
    always: str | UnsetType = UNSET
    """The unit that may be ordered besides those of the card."""


@keys_from(Unit, only=("strength", "kind"), written={int: Few})
class UnitExpected(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The expected state of a unit; unset fields may be anything."""

    at: Hex | UnsetType | None = UNSET
    """Its hex; null if it is lost."""
    leader: str | UnsetType | None = UNSET
    """The leader who is attached to it."""
    ordered: bool | UnsetType = UNSET


class Expected(ExpectedGiven, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Facts that must hold now."""

    units: dict[str, UnitExpected] = msgspec.field(default_factory=dict)
    asked: Compass | UnsetType = UNSET
    """The side it is put to."""
    banners: dict[Compass, int] = msgspec.field(default_factory=dict)
    hands: dict[Compass, tuple[str, ...]] = msgspec.field(default_factory=dict)
    """The cards that a side holds, in the order of their names."""
    entrenchments: tuple[Hex, ...] | UnsetType = UNSET
    card: str | UnsetType = UNSET
    winner: Compass | Literal["nobody"] | UnsetType = UNSET
    """Winner; `nobody` for a draw."""


@keys_of_actions(Game.__module__.rpartition(".")[0], units=("unit", "target"), but=("dice",), written={int: Few})
class RulingLine(LineGiven, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One line of play. It has exactly one of `start`, `do`, `pass`, `dice`, `draw`, `ask` and `expect`."""

    dice: str | UnsetType = UNSET
    """A roll that the line before it makes, as symbols: `I V G L T R`."""
    draw: str | UnsetType = UNSET
    """Cards that are drawn by the line before it, one after another: `probe-left scout-right`."""
    expect: Expected | UnsetType = UNSET

    side: Compass | UnsetType = UNSET
    """The side that acts; the one that is asked, by default."""

    unit: str | UnsetType = UNSET
    target: str | UnsetType = UNSET
    card: str | UnsetType = UNSET
    to: str | UnsetType = UNSET
    count: Few | UnsetType = UNSET
    """For `RollSome`: how many shield dice."""
    at: str | UnsetType = UNSET
    """The hex from which something is asked."""
    army: str | UnsetType = UNSET
    scenario: str | UnsetType = UNSET


class Case(CaseGiven[SceneGiven, RulingLine], frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One case of a ruling: an attack, or a scene that is played."""


class RulingFile(FileGiven[SceneGiven, Case], frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A ruling of Hex Command."""
