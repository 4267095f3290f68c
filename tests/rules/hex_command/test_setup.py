"""Set-up of free battles: the order and places of deployment."""

from __future__ import annotations

from typing import Any

import pytest

from caltrop import InputError
from caltrop.chance import Seeded
from caltrop.engine import Match, Refused
from caltrop.rules.hex_command.catalogue import DECK
from caltrop.rules.hex_command.records import NORTH, SOUTH, Battle
from caltrop.rules.hex_command.rulebook import ruleset
from caltrop.rules.hex_command.setup import Place, Places, PlaceUnit, to_place

SMALL = """ruleset: hex-command
id: y
title: Y
units:
  - {kind: infantry-medium, count: 3}
"""

LED = SMALL + "  - {kind: leader-light}\n  - {kind: vehicle-heavy}\n  - {kind: leader-medium}\n"


def begun(
    south: str = SMALL, north: str = SMALL, points: int = 15, scenario: str = "free-battle", **rules: Any
) -> Match:
    """Return a free battle before its first unit is placed."""
    t = ruleset.setup(ruleset.book(None, rules), scenario, (south, north), points)
    return Match(ruleset, t, Seeded(1))


def refused(match: Match, side: int, action: Place) -> tuple[str, str, Any]:
    """Return the refusal of an action: clause, message and nearest action."""
    with pytest.raises(Refused) as raised:
        match.play(side, action)
    refusal = raised.value.refusal
    return refusal.clause, refusal.message, refusal.nearest


@pytest.mark.clause("HX-S64")
def test_sides_place_by_turns_and_who_moves_second_begins() -> None:
    match = begun()
    asked = []
    while isinstance(match.waiting[0], PlaceUnit):
        side = match.waiting[0].side
        asked.append(side)
        match.play(side, match.waiting[0].options(match.view(side)).first())
    assert asked == [NORTH, SOUTH, NORTH, SOUTH, NORTH, SOUTH]
    t: Any = match.state
    assert t.active == match.waiting[0].side == SOUTH, "South moves first"
    assert t.held == [5, 5]
    assert t.in_deck == len(DECK) - 10
    assert [u.hex for u in t.units] == ["A8", "B8", "C8", "A1", "B1", "C1"]


@pytest.mark.clause("HX-S64", "HX-S71")
def test_where_north_moves_first_south_places_first() -> None:
    assert begun(scenario="bridges-of-ash").waiting[0].side == SOUTH


@pytest.mark.clause("HX-S64")
def test_a_side_with_more_units_places_the_rest_one_after_another() -> None:
    t = ruleset.setup(ruleset.book(), "free-battle", ("granite-guard", "emperors-own"))
    match = Match(ruleset, t, Seeded(1))
    asked = []
    while isinstance(match.waiting[0], PlaceUnit):
        side = match.waiting[0].side
        asked.append(side)
        match.play(side, match.waiting[0].options(match.view(side)).sample(Seeded(len(asked))))
    assert asked == [NORTH, SOUTH] * 9 + [SOUTH] * 4
    assert all(u.hex is not None for u in match.state.units)  # type: ignore[attr-defined]


@pytest.mark.clause("HX-S64", "HX-MOV-06")
def test_what_is_refused_and_what_is_near() -> None:
    match = begun(LED, LED, 32)
    match.play(NORTH, Place(6, "E2"))
    match.play(SOUTH, Place(0, "E8"))
    assert refused(match, NORTH, Place(6, "F2")) == (
        "HX-S64",
        "That unit is not yours, or is placed already",
        Place(7, "A1"),
    )
    assert refused(match, NORTH, Place(0, "F2"))[0] == "HX-S64"
    clause, words, nearest = refused(match, NORTH, Place(7, "F4"))
    assert (clause, nearest.to[1]) == ("HX-S64", "2")
    assert words == "Units are placed in the first two rows, 1 and 2, and F4 is in row 4"
    clause, words, nearest = refused(match, NORTH, Place(7, "E2"))
    assert (clause, words) == ("HX-S64", "E2 is taken by the Y (North) 1st Line Troops")
    assert match.state.map.distance(nearest.to, "E2") == 1  # type: ignore[attr-defined]
    clause, words, nearest = refused(match, NORTH, Place(7, "Q2"))
    assert (clause, "the nearest hex is L2" in words, nearest) == ("HX-S10", True, Place(7, "A1"))


@pytest.mark.clause("HX-S64", "HX-LDR-02", "HX-Q14")
def test_a_single_leader_may_be_placed_with_a_unit() -> None:
    match = begun(LED, LED, 32)
    match.play(NORTH, Place(6, "E2"))
    match.play(SOUTH, Place(0, "E8"))
    match.play(NORTH, Place(11, "F2"))
    match.play(SOUTH, Place(3, "E8"))
    t: Any = match.state
    assert t.leader_of(t.units[0]) == t.units[3]
    assert refused(match, NORTH, Place(9, "F2"))[0] == "HX-Q14", "not with a Leader unit"
    assert refused(match, NORTH, Place(10, "E2"))[0] == "HX-S64", "and nobody but a leader"
    match.play(NORTH, Place(9, "E2"))
    assert match.state.host_of(match.state.units[9]).id == 6  # type: ignore[attr-defined]


@pytest.mark.clause("HX-S35", "HX-S38")
def test_the_ground_has_to_let_a_unit_in() -> None:
    text = (
        "ruleset: hex-command\nid: z\ntitle: Z\nminutes: 5\nwords: A test.\n"
        "terrain: {citadel: B1, ford: C1, water: D1}\n"
        "south: {name: South, army: iron-concord}\nnorth: {name: North, army: ashen-horde}\n"
    )
    match = begun(LED, LED, 32, scenario=text)
    for hex, clause in (("B1", "HX-S35"), ("C1", "HX-S38"), ("D1", "HX-S37")):
        assert refused(match, NORTH, Place(10, hex))[0] == clause
    match.play(NORTH, Place(9, "B1"))


def test_options_keep_their_promises() -> None:
    t = ruleset.setup(ruleset.book(), "free-battle")
    options = Places(t, NORTH)
    every = list(options)
    assert len(every) == len(set(every)) == 12 * 25
    assert all(options.refusal(place) is None for place in every[::7])
    assert all(options.sample(Seeded(n)) in options for n in range(20))
    decision = PlaceUnit(side=NORTH)
    offers = decision.offers(t)
    assert [o.action for o in offers] == every
    assert (offers[0].unit, offers[0].spot) == (every[0].unit, t.map.centre(every[0].to))
    assert decision.prompt(t) == "Place a unit in your first two rows: 12 are left"
    assert len(to_place(t, SOUTH)) == 11


@pytest.mark.clause("HX-S64")
@pytest.mark.house("map_rows_cols", "5x7")
def test_armies_that_do_not_fit_are_refused_before_the_battle() -> None:
    lists = SMALL.replace("count: 3", "count: 14")
    with pytest.raises(InputError, match="14 units, and its first two rows have 13 hexes"):
        begun(lists, lists, 70, map_rows_cols="5x7")
    assert begun(lists, lists, 70).waiting


def test_what_is_placed_is_told() -> None:
    match = begun()
    sentences = [event.sentence(match.state) for event in match.play(NORTH, Place(3, "C2"))]
    assert sentences == ["Y (North) places the 1st Line Troops at C2"]


@pytest.mark.clause("HX-S64", "HX-Q14", "HX-LDS-01")
def test_why_a_unit_may_not_be_placed_in_a_hex() -> None:
    t = begun(LED, LED, 32).state
    assert isinstance(t, Battle)
    here = Places(t, NORTH)
    units = [u for u in t.units if u.side == NORTH]
    one, leader = next(u for u in units if not u.row.is_leader), next(u for u in units if u.alone)
    other = next(u for u in units if not u.row.is_leader and u.id != one.id)
    free = next(iter(here.of_unit(one))).to
    codes = {hex: why_not.code if (why_not := here.why_not(one, hex)) else "" for hex in (free, "Z99", "E5")}
    assert codes[free] == ""
    assert codes["Z99"] == "off-the-map"
    assert codes["E5"] != ""
    t.put(other.id, free)
    taken = here.why_not(one, free)
    assert taken is not None
    assert taken.code == "taken"
    assert here.why_not(leader, free) is None, "a single leader joins it"
