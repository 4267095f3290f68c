"""Drags and places as a unit's first act, with announced continuations."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from caltrop.asking import Offer, Region, Wish
from caltrop.geometry import INCH
from caltrop.rules.squad_action.movement import Move
from caltrop.rules.squad_action.orders import Begin, Orders
from caltrop.rules.squad_action.scene import machine, scene, squad
from caltrop.rules.squad_action.shelling import CallFire
from caltrop.rules.squad_action.smoke import LaySmoke


@pytest.mark.parametrize(
    ("act", "kind", "then"),
    [
        ("mission+shoot", CallFire, ("shoot",)),
        ("smoke+move", LaySmoke, ("move",)),
        ("move+rally", Move, ("rally",)),
        ("", Move, ("shoot",)),
    ],
)
def test_an_open_act_is_meant_by_its_name_with_what_follows(act: str, kind: type, then: tuple[str, ...]) -> None:
    t = scene(squad(0, "regular", 10, 10, 3, spotter=True), squad(1, "regular", 10, 30))
    t.smoke[0] = 1
    orders = Orders(side=0)
    at = (10 * INCH, 14 * INCH)
    proposal = orders.propose(t, Wish(unit=0, act=act, to=at))
    assert proposal.refusal is None, proposal
    assert isinstance(proposal.action, Begin)
    assert type(proposal.action.act) is kind
    assert proposal.action.then == then
    assert proposal.action in orders.options(t)
    if kind is not Move:
        assert proposal.templates is not msgspec.UNSET


def test_what_would_be_under_a_template_are_the_models_that_it_touches() -> None:
    t = scene(squad(0, "regular", 10, 10, 1, spotter=True), squad(1, "regular", 10, 18, 1), machine(1, "truck", 10, 26))
    proposal = Orders(side=0).propose(t, Wish(unit=0, act="mission", to=(10 * INCH, 15 * INCH)))
    assert isinstance(proposal.templates, tuple)
    assert [(one.circle, one.under) for one in proposal.templates] == [
        ((10 * INCH, 15 * INCH, 5 * INCH), (0, 1)),
        ((10 * INCH, 15 * INCH, 10 * INCH), (0, 1, 2)),
    ]


def test_what_most_people_announce_stands_first() -> None:
    t = scene(squad(0, "regular", 10, 10), squad(1, "regular", 10, 20))
    first = {region.first: region.words for region in reversed(Orders(side=0).regions(t))}
    assert first["Move"] == "Move, then shoot"


def offered_after(t: Any, unit: int, first: str) -> set[str]:
    """Return the continuations of offers that begin with some words."""
    asked = Orders(side=0)
    every: list[Offer | Region] = [*asked.offers(t), *asked.regions(t)]
    return {
        one.words.removeprefix(one.first).removeprefix(", then ")
        for one in every
        if one.unit == unit and one.first.startswith(first)
    }


def test_nothing_is_offered_to_follow_that_cannot_come_about() -> None:
    t = scene(
        squad(0, "regular", 10, 10, 3),
        squad(0, "regular", 30, 10, 3, officer=True),
        machine(0, "ifv", 20, 8),
        machine(0, "truck", 40, 8, immobile=True),
        machine(0, "battle-tank", 30, 20),
        squad(1, "regular", 10, 30),
    )
    assert offered_after(t, 4, "Move") == {"move", "shoot", "overwatch"}
    plain = {"move", "shoot", "overwatch", "close quarters"}
    assert offered_after(t, 0, "Move") == plain | {"transport"}
    assert offered_after(t, 1, "Shoot") == plain | {"transport", "rally", "fire mission"}
    assert offered_after(t, 2, "Move") == {"move", "shoot", "overwatch"}
    t.smoke[0] = 1
    assert "smoke" in offered_after(t, 0, "Move")
    t.change(2, where="gone")
    t.change(3, where="gone")
    t.change(0, pinned=True)
    assert offered_after(t, 0, "Rally") == plain | {"rally", "smoke"}
    options = Orders(side=0).options(t)
    (volley,) = [a for a in options if isinstance(a, Begin) and a.unit == 1 and a.then == ("transport",)][:1]
    assert volley in options, "it may be announced all the same"
