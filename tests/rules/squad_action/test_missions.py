"""Missions: files become tables, and errors name their place."""

from __future__ import annotations

import pytest

from caltrop import InputError
from caltrop.engine import Procedure
from caltrop.rules.squad_action.catalogue import inches
from caltrop.rules.squad_action.places import sees
from caltrop.rules.squad_action.records import Firefight
from caltrop.rules.squad_action.rulebook import ruleset
from caltrop.rules.squad_action.scenarios import every_mission, find_mission, firefight, layouts, mission_file
from caltrop.rules.squad_action.setup import deploy_all
from caltrop.scenarios import built_in

FIRST = built_in("squad-action")["meeting-engagement"].read_text(encoding="utf-8")


def begun(id: str, size: int | None = None, forces: tuple[str, ...] = ()) -> Firefight:
    return firefight(ruleset.book(), find_mission(id), forces, size, Procedure())


@pytest.mark.clause("SQ-S70", "SQ-S10")
def test_meeting_engagement() -> None:
    t = begun("meeting-engagement")
    assert (t.field.table.width, t.field.table.height) == (48 * 254, 48 * 254)
    assert [o.at for o in t.field.objectives] == [(x * 254, 24 * 254) for x in (12, 24, 36)]
    assert t.field.turns == 6
    assert [a.box for a in t.field.areas if a] == [(0, 0, 12192, 9 * 254), (0, 39 * 254, 12192, 12192)]
    assert [sum(u.points for u in t.units if u.side == s) for s in (0, 1)] == [498, 500]
    assert t.field.hedges == (2, 1)


@pytest.mark.clause("SQ-S71")
def test_hold_the_crossroads() -> None:
    t = begun("hold-the-crossroads")
    assert t.field.defender == 1
    assert t.field.walls == (0, 3)
    assert t.field.morale == 0, "the attacker may lose heart"
    area = t.field.areas[1]
    assert area is not None
    assert area.around == ((24 * 254, 24 * 254), 12 * 254)
    assert sum(u.points for u in t.units if u.side == 1) <= 350
    held, village = ({p.id: p for p in layouts()[name]} for name in ("held-village", "border-village"))
    assert [held[id] for id in held if id != "east ruins"] == [village[id] for id in village if id != "east ruins"]
    assert held["east ruins"].box == (25, 27, 31, 33), "by the crossroads, which evens the sides"


@pytest.mark.clause("SQ-S72")
def test_downed_pilot() -> None:
    t = begun("downed-pilot")
    assert t.pilot is not None
    assert t.pilot.at == (24 * 254, 24 * 254)
    assert t.pilot.unit is None
    assert t.field.exits


@pytest.mark.clause("SQ-S73")
def test_break_through() -> None:
    t = begun("break-through")
    assert (t.field.defender, t.field.turns, t.field.exits) == (1, 7, True), "a turn less, which is even"
    assert begun("break-through-orchard").field.turns == 8
    area = t.field.areas[1]
    assert area is not None
    assert (area.box[1], area.box[3]) == (20 * 254, 44 * 254)


@pytest.mark.clause("SQ-S70")
def test_the_terrain_is_that_of_the_book_of_missions() -> None:
    pieces = {p.id: p for p in layouts()["border-village"]}
    boxes = {id: p.box for id, p in pieces.items() if p.box}
    centres = {id: ((b[0] + b[2]) / 2, (b[1] + b[3]) / 2, b[2] - b[0], b[3] - b[1]) for id, b in boxes.items()}
    assert centres == {
        "west ruins": (12, 18, 6, 6),
        "east ruins": (36, 30, 6, 6),
        "north-west woods": (10, 34, 8, 6),
        "south-east woods": (38, 14, 8, 6),
    }
    west, east = pieces["west wall"].line, pieces["east wall"].line
    assert west is not None
    assert east is not None
    assert (west[0], east[1]) == ((20, 24), (28, 24))
    assert east[0][0] - west[1][0] == 3, "the gap"


def test_each_mission_has_two_layouts_and_there_is_a_first_battle() -> None:
    by_goal: dict[str, set[object]] = {}
    for m in every_mission():
        by_goal.setdefault(m.goal, set()).add(m.terrain)
    assert all(len(result) >= 2 for result in by_goal.values())
    assert set(by_goal) == {"meeting", "crossroads", "pilot", "breakthrough"}
    assert every_mission()[0].id == "first-battle"
    t = begun("first-battle")
    assert all(u.on_foot for u in t.units)
    assert [len([u for u in t.units if u.side == s]) for s in (0, 1)] == [3, 3]
    assert len(t.field.objectives) == 1


def test_a_mission_for_one_has_a_bunker_that_south_holds_against_creatures() -> None:
    t = begun("the-last-bunker")
    assert t.field.defender == 0
    assert any(p.kind.name == "bunker" for p in t.field.table.terrain)
    theirs = [u for u in t.units if u.side == 1]
    assert all("fearless" in u.traits for u in theirs)
    assert any("terrifying" in u.traits for u in theirs)


def test_a_first_battle_begins_out_of_sight_and_is_the_same_from_either_edge() -> None:
    t = begun("first-battle")
    deploy_all(t)
    assert all(u.where == "table" for u in t.units)
    models = [[m for u in t.of_side(side) for m in u.models] for side in (0, 1)]
    assert not [(a, b) for a in models[0] for b in models[1] if sees(t, a, b)], "nobody sees an enemy"
    high = t.field.table.height
    boxes = {(kind.kind.name, *piece.box) for kind, piece in zip(t.field.table.terrain, t.ground.pieces, strict=True)}
    assert boxes == {(kind, x0, high - y1, x1, high - y0) for kind, x0, y0, x1, y1 in boxes}


def test_a_size_keeps_the_proportion_of_the_sides() -> None:
    t = begun("hold-the-crossroads", forces=("border-company", "border-company"))
    assert [sum(u.points for u in t.units if u.side == s) for s in (0, 1)] == [498, 339]
    with pytest.raises(InputError, match="Border Company costs 498 points, and 245 are agreed on"):
        begun("hold-the-crossroads", size=350, forces=("border-company", "border-company"))


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("terrain: border-village", "terrain: border", r"there is no layout 'border'; .*border-village"),
        ("goal: meeting", "goal: none", "it needs a goal"),
        ("goal: meeting", "goal: pilot", "the goal needs a pilot"),
        ("goal: meeting", "goal: breakthrough", "the goal needs a defender"),
        ("{rows: [0, 9], words:", "{words:", "a zone is a band of rows, or else it lies around a place"),
        ("{rows: [0, 9]", "{rows: [7, 9]", "no vehicle has room"),
        (
            "terrain: border-village",
            "terrain: [{id: a, kind: wod, box: [1, 1, 2, 2]}]",
            "there is no kind 'wod'; .*woods",
        ),
        (
            "terrain: border-village",
            "terrain: [{id: a, kind: woods}]",
            "a piece has one shape: a box, a line, an outline or a circle",
        ),
        ("terrain: border-village", "terrain: [{id: a, kind: woods, box: [1, 1, 60, 2]}]", "does not lie on the table"),
        ("minutes: 60", "minutes: 0", "minutes"),
        (
            "id: meeting-engagement",
            "id: meeting-engagement\nforces: [border-company, nobody]",
            "there is no force 'nobody'",
        ),
    ],
)
def test_what_is_wrong_with_a_mission_is_named_with_its_place(old: str, new: str, words: str) -> None:
    assert old in FIRST
    with pytest.raises(InputError, match=words) as raised:
        mission_file(FIRST.replace(old, new))
    assert raised.value.line is not None


def test_places_are_inches() -> None:
    assert inches(24) == 24 * 254


@pytest.mark.clause("SQ-ORG-68")
def test_a_force_s_own_ratings_are_its_own_and_not_the_enemys() -> None:
    head = "ruleset: squad-action\nid: {id}\ntitle: T\nunits:\n  - {{name: A, profile: regular, models: 4}}\n"
    head += "  - {{name: B, vehicle: apc}}\n"
    poor = "profiles:\n  regular: {title: R, plural: Rs, fire: 6, cqb: 6, morale: 5, armour: 7, points: 3}\n"
    poor += "vehicles:\n  apc: {title: Cart, move: 4, armour: [U, U, U], morale: 5, points: 5}\n"
    plain, own = head.format(id="plain"), head.format(id="own") + poor
    for forces, fire in (
        ((own, plain), [6, 4]),
        ((plain, own), [4, 6]),
        ((own, own), [6, 6]),
        ((plain, plain), [4, 4]),
    ):
        t = begun("meeting-engagement", 500, forces)
        assert [t.profile(u).number("fire") for u in (0, 2)] == fire
        assert [t.vehicle(u).face("front") for u in (1, 3)] == [{4: "VLt", 6: "U"}[f] for f in fire]
