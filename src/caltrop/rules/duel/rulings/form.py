"""The format of a ruling of the duel: the records into which its file is read. Lengths are centimetres."""

from __future__ import annotations

import msgspec
from msgspec import UNSET, UnsetType

from caltrop.rules.duel.records import Duellist
from caltrop.rules.duel.turn import Duelling
from caltrop.scenarios.cases import CaseGiven, ExpectedGiven, FileGiven, LineGiven, PositionGiven
from caltrop.scenarios.keys import keys_from, keys_of_actions

Place = tuple[int, int]


@keys_from(Duellist, only=("wounds", "breath", "traits"))
class UnitGiven(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A duellist of a scene. The first duellist belongs to the first side."""

    at: Place | UnsetType = UNSET


class SceneGiven(PositionGiven, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A position. The scene of a case contains only differences from the scene of the ruling."""

    units: dict[str, UnitGiven] | UnsetType = UNSET
    table: Place | UnsetType = UNSET
    """Width and height: 16 by 10 by default."""


@keys_from(Duellist, only=("wounds", "breath"))
class UnitExpected(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The expected state of a duellist. Fields that are not set are not checked."""

    at: Place | UnsetType = UNSET


class Expected(ExpectedGiven, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Facts that must be true when play reaches this line of a ruling's case."""

    units: dict[str, UnitExpected] = msgspec.field(default_factory=dict)


@keys_of_actions(Duelling.__module__.rpartition(".")[0], units=())
class RulingLine(LineGiven, frozen=True, forbid_unknown_fields=True, kw_only=True):
    dice: tuple[int, ...] | UnsetType = UNSET
    expect: Expected | UnsetType = UNSET
    unit: str | UnsetType = UNSET
    path: tuple[Place, ...] | UnsetType = UNSET
    """The end of each leg of a walk."""


class Case(CaseGiven[SceneGiven, RulingLine], frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One case of a ruling."""


class RulingFile(FileGiven[SceneGiven, Case], frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A ruling of the duel."""
