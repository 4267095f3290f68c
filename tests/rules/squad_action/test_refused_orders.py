"""The reasons why a unit cannot be activated now (SQ-ORG-01, SQ-ORG-04)."""

from __future__ import annotations

from typing import Any

import pytest

from caltrop.rules.squad_action.orders import Activate, Begin, Orders
from caltrop.rules.squad_action.records import Fight
from caltrop.rules.squad_action.scene import Put, machine, scene, squad
from caltrop.rules.squad_action.tokens import Watch

TRUCK = 1


def unit(**fields: Any) -> Put:
    """Return a squad of South that may have done something already."""
    return squad(0, "regular", 20, 20, 4, **fields)


CONSCRIPTS: dict[str, Any] = {"traits": ("conscript",)}
"""Conscripts are activated before they announce anything."""


@pytest.mark.clause("SQ-ORG-01", "SQ-ORG-04", "SQ-Q48", "SQ-Q34")
@pytest.mark.parametrize(
    ("one", "code"),
    [
        (unit(), ""),
        (unit(activated=True), "done"),
        (unit(where="gone"), "not-here"),
        (unit(where="gone", activated=True), "not-here"),
        (unit(where="reserve"), "not-here"),
        (unit(where="reserve", due=True), "enters-first"),
        (unit(where="away"), "not-here"),
        (unit(where="aboard", carrier=TRUCK + 1), "not-here"),
        (unit(where="aboard", carrier=TRUCK), "not-on-table"),
        (unit(locked=(3,)), "locked"),
        (unit(**CONSCRIPTS), "first-its-own"),
        (unit(**CONSCRIPTS, activated=True), "done"),
        (unit(**CONSCRIPTS, where="gone"), "not-here"),
        (unit(**CONSCRIPTS, locked=(3,)), "locked"),
        (machine(0, "gunship", 20, 20), "first-its-own"),
        (machine(0, "gunship", 20, 20, where="reserve"), "not-here"),
    ],
)
def test_a_refused_order_says_why_the_unit_does_not_act(one: Put, code: str) -> None:
    t = scene(
        one,
        machine(0, "truck", 30, 20),
        machine(0, "truck", 36, 20, where="reserve"),
        squad(1, "regular", 20, "20.6", 4, locked=(0,) if "locked" in one.fields else ()),
    )
    if t.units[0].locked:
        t.fights.append(Fight(assaulters=(0,), defenders=(3,), covers=("none",), rounds=1))
    options = Orders(side=0).options(t)
    refusal = options.refusal(Begin(0, Watch(0)))
    assert (refusal.code if refusal is not None else "") == code
    if code in ("done", "not-here", "locked"):
        alone = options.refusal(Activate(0))
        assert alone is not None
        assert alone.code == code
        assert alone.nearest in options
