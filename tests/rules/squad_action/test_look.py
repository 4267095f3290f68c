"""The picture of a firefight: hulls with headings, units off the table, passengers, tokens."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from caltrop.chance import Seeded
from caltrop.engine import Match, ruleset
from caltrop.geometry import INCH
from caltrop.picture import Picture
from caltrop.rules.squad_action.airstrike import AirRun
from caltrop.rules.squad_action.line import Line
from caltrop.rules.squad_action.picture import depict
from caltrop.rules.squad_action.reach import base_move
from caltrop.rules.squad_action.records import Barrage, Firefight
from caltrop.rules.squad_action.scene import at, machine, scene, squad
from tests.rules.squad_action.played import now, play


def drawn(t: Firefight, side: int | None = 0) -> Picture:
    return msgspec.json.decode(msgspec.json.encode(depict(t, side)), type=Picture)


def test_a_vehicle_is_a_rectangle_along_its_heading_with_the_armour_of_its_quarters() -> None:
    t = scene(machine(0, "battle-tank", 20, 20, heading=(1, 0)), squad(0, "regular", 5, 5, 3))
    tank, men = drawn(t).groups
    assert [(p.hull, p.heading) for p in tank.pieces] == [((381, 190), (1, 0))]
    assert tank.quarters == ("front heavy", "side medium", "rear light")
    assert (tank.whereabouts, tank.model) == (msgspec.UNSET, msgspec.UNSET), "it is on the table"
    assert men.quarters is msgspec.UNSET
    assert all(p.hull is msgspec.UNSET and p.heading is msgspec.UNSET for p in men.pieces)


def test_a_unit_walks_as_far_as_its_base_move() -> None:
    traits = (("fast",), ("recon",), ())
    t = scene(
        *[squad(0, "regular", 5, 5 + 5 * row, 3, traits=some) for row, some in enumerate(traits)],
        machine(0, "truck", 20, 20),
        machine(0, "truck", 30, 20, immobile=True),
    )
    *moving, stuck = drawn(t).groups
    assert [group.walk for group in moving] == [base_move(t, group.id) for group in moving]
    assert [group.walk for group in moving[:3]] == [8 * INCH, 6 * INCH, 6 * INCH]
    assert stuck.walk == 0


def test_a_walker_has_a_front_and_a_round_base() -> None:
    (walker,) = drawn(scene(machine(0, "walker", 20, 20, heading=(0, -1)))).groups
    assert [(p.hull, p.heading, p.radius) for p in walker.pieces] == [(msgspec.UNSET, (0, -1), 190)]


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"where": "reserve", "kept": True}, "in reserve"),
        ({"where": "reserve", "due": True}, "arrives this turn"),
        ({"where": "aboard", "carrier": 0}, "aboard Truck"),
        ({"where": "away"}, "has left the table"),
    ],
)
def test_who_is_off_the_table_is_told_with_where(fields: dict[str, Any], words: str) -> None:
    t = scene(machine(0, "truck", 20, 20), squad(0, "regular", 5, 5, 4, **fields))
    truck, men = drawn(t).groups
    assert men.whereabouts == words.replace("Truck", t.units[0].name)
    assert men.pieces == ()
    aboard = men.carrier == truck.id
    assert aboard == (words.startswith("aboard"))
    assert [(token.kind, token.count) for token in truck.tokens] == ([("passengers", 4)] if aboard else [])


def test_what_is_put_down_is_drawn_as_it_will_be() -> None:
    (tank,) = drawn(scene(machine(0, "light-tank", 20, 20, where="reserve"))).groups
    assert isinstance(tank.model, msgspec.Struct)
    assert tank.model.hull == (381, 190)


def test_the_other_side_sees_how_many_tokens_there_are_and_not_which() -> None:
    from caltrop.engine import redacted

    t = scene(squad(0, "regular", 10, 10), squad(1, "regular", 10, 30), tokens={0: ("fire", "move")})
    words = [next(g.tokens for g in depict(redacted(t, side), side).groups if g.id == 0) for side in (0, 1)]
    assert [(token.kind, token.count, token.words, token.tiles) for tokens in words for token in tokens] == [
        ("overwatch", 2, "On overwatch: Fire and Move", ("fire", "move")),
        ("overwatch", 2, "On overwatch: 2 face down", ("", "")),
    ]


@pytest.mark.parametrize(("scenario", "sides"), [("first-battle", []), ("meeting-engagement", [0, 1])])
def test_zones_are_drawn_for_who_has_somebody_to_place(scenario: str, sides: list[int]) -> None:
    rules = ruleset("squad-action")
    t = rules.setup(rules.book(), scenario)
    match = Match(rules, t, Seeded(1))
    assert isinstance(match.state, Firefight)
    assert [zone.side for zone in depict(match.state, 0).zones] == sides


@pytest.mark.clause("SQ-Q39")
def test_the_line_of_an_airstrike_stays_to_be_seen_until_the_turn_is_over() -> None:
    t = scene(squad(0, "regular", 10, 10, officer=True), squad(1, "regular", 20, 30))
    t.round = 2
    match = play(t, AirRun(side=0, unit=0, aim=at(20, 20), kind="strafing"), answers=[Line((1, 0))])
    (line,) = drawn(now(match)).lines
    assert (line.kind, line.start, line.end, line.wide) == ("run", at(11, 20), at(29, 20), 2 * INCH)
    assert line.words == f"Strafing run of {t.units[0].name}"
    later = now(match)
    later.round = 3
    assert drawn(later).lines == ()


@pytest.mark.clause("SQ-Q30")
def test_how_far_shells_have_scattered_is_drawn_where_they_have_fallen_elsewhere() -> None:
    t = scene(squad(0, "regular", 10, 10, officer=True), round=2)
    shells = Barrage(caller=0, asset="mortars", aim=at(20, 20), target=None, turn=2)
    for fell, lines in ((at(20, 24), 1), (at(20, 20), 0), (None, 0)):
        t.barrages = [msgspec.structs.replace(shells, fell=fell)]
        assert len(drawn(t).lines) == lines
    t.barrages = [msgspec.structs.replace(shells, fell=at(20, 24))]
    (line,) = drawn(t).lines
    assert (line.kind, line.start, line.end, line.words) == ("scatter", at(20, 20), at(20, 24), "12 o'clock, 4 in")


@pytest.mark.clause("SQ-S70", "SQ-ORG-27")
def test_a_seat_counts_its_own_units_and_who_is_out_of_play() -> None:
    gone = squad(0, "regular", 10, 10, where="gone")
    t = scene(squad(0, "regular", 10, 10), squad(0, "regular", 10, 20), gone, squad(1, "regular", 10, 40))
    assert [seat.points[0].value for seat in drawn(t).seats] == ["2 of 3", "1 of 1"]
