"""Damage: hits that were not cancelled remove models, place Stun markers, and affect a Shield Drone."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from caltrop.engine import rule
from caltrop.engine.rule import HasBook
from caltrop.rules.command_horizon.attack.defence import Stood
from caltrop.rules.command_horizon.attack.reading import Hits
from caltrop.rules.command_horizon.attack.record import Attack, Target
from caltrop.rules.command_horizon.records import DroneState


class Damage(msgspec.Struct, frozen=True):
    """The effect on a unit of one attack, or of a batch of attacks, which is added up before `allocate`."""

    kills: int = 0
    stuns: int = 0
    drone: DroneState | None = None
    """Effect on the Shield Drone; None for no effect."""

    def __add__(self, other: Damage) -> Damage:
        return Damage(self.kills + other.kills, self.stuns + other.stuns, worse_fate(self.drone, other.drone))


class Strength(msgspec.Struct, frozen=True):
    """The strength of a unit: its models and Stun markers."""

    models: int
    stuns: int


class Ending(NamedTuple):
    """The state of a target after an attack."""

    models: int
    stuns: int
    drone: DroneState | None
    """State of the Shield Drone; None for a unit without a drone."""


@rule("CH-DRONE-03", "Q-DRONE-3", stages=("defended",))
def drone_fate(b: HasBook, hits: Hits, stood: Stood) -> DroneState | None:
    """A double 6 against a Shield Drone destroys it."""
    return "destroyed" if hits.drone_pairs else None


@drone_fate.amended_by("CH-DRONE-04", "Q-DRONE-9", stage="defended")
def defended_it_is_only_disabled(fate: DroneState | None, b: HasBook, hits: Hits, stood: Stood) -> DroneState | None:
    return "disabled" if fate and not stood.drone_pairs else fate


_FATES: tuple[DroneState | None, ...] = (None, "active", "disabled", "destroyed")


def worse_fate(one: DroneState | None, other: DroneState | None) -> DroneState | None:
    """Return the worse of two effects on a drone in the same step (Q-DRONE-3)."""
    return max(one, other, key=_FATES.index)


@rule("CH-DMG-04", "CH-STUN-01", "CH-OVERKILL-02", "CH-OVERKILL-04")
def damage(b: HasBook, attack: Attack, hits: Hits, stood: Stood) -> Damage:
    return Damage(stood.kills + stood.pairs, stood.stuns + hits.pairs, drone_fate(b, hits, stood))


@rule("CH-DMG-04", "CH-STUN-01", "CH-STUN-07", "CH-STUN-11", "Q-STUN-6", stages=("doubling", "levelling"))
def allocate(b: HasBook, unit: Strength, dealt: Damage) -> Strength:
    """Markers are placed, and each kill removes a model. Kills beyond the number of models have no effect.

    Args:
        unit: Models and markers before the batch.
    """
    models = max(0, unit.models - dealt.kills)
    return Strength(models, unit.stuns + dealt.stuns if models else 0)


@allocate.amended_by("CH-STUN-09", "Q-STUN-5", "Q-STUN-7", "Q-STUN-8", "Q-STUN-9", stage="doubling")
def too_many_markers_cost_a_model(left: Strength, b: HasBook, unit: Strength, dealt: Damage) -> Strength:
    """A unit with at least twice as many markers as models loses one model."""
    if not left.models or left.stuns < 2 * left.models:
        return left
    return Strength(left.models - 1, left.stuns if left.models > 1 else 0)


@allocate.amended_by("CH-STUN-10", stage="levelling")
def markers_fall_to_the_models_left(left: Strength, b: HasBook, unit: Strength, dealt: Damage) -> Strength:
    """After that loss, the unit has as many markers as models."""
    lost_to_stuns = left.models < max(0, unit.models - dealt.kills)
    return Strength(left.models, min(left.stuns, left.models)) if lost_to_stuns else left


@rule("CH-ASORI-07", "Q-DRONE-6")
def ending(b: HasBook, target: Target, dealt: Damage) -> Ending:
    """A Shield Drone is removed together with its tank."""
    left = allocate(b, Strength(target.models, target.stuns), dealt)
    drone = None if target.drone is None else "destroyed" if not left.models else dealt.drone or target.drone
    return Ending(left.models, left.stuns, drone)
