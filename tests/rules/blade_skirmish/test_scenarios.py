"""The scenarios: starting positions, tables of other sizes, other foes, modes, and refused files."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import UNSET

from caltrop import InputError
from caltrop.geometry import INCH, Point, directions, point_along
from caltrop.rules.blade_skirmish.catalogue import inches
from caltrop.rules.blade_skirmish.records import Skirmish
from caltrop.rules.blade_skirmish.rulebook import ruleset
from caltrop.rules.blade_skirmish.scenarios import (
    LAID,
    SCENARIO_FILES,
    Circle,
    Scale,
    TerrainPiece,
    every_scenario,
    layouts,
    scenario_file,
    terrain_of,
)
from caltrop.scenarios import built_in
from caltrop.table.measured import Table, ground_of, stands

SOLO = ("cut-them-down", "run-the-gauntlet", "hold-the-stones", "the-reliquary", "head-of-the-band", "the-long-bridge")
SHARED = ("blood-price", "between-the-stones", "the-fallen-standard")


def begun(scenario: str, *armies: str, size: int | None = None, **rules: Any) -> Skirmish:
    """Return a scenario before its first step."""
    return ruleset.setup(ruleset.book(None, rules), scenario, armies, size)


def qualities(t: Skirmish, side: int = 1) -> list[int]:
    return [f.quality for f in t.fighters if f.side == side]


def at(x: float, y: float) -> Point:
    return inches(x), inches(y)


def wrong(old: str, new: str, scenario: str = "the-reliquary") -> InputError:
    """Return the error of a scenario after replacing some words."""
    text = built_in("blade-skirmish")[scenario].read_text(encoding="utf-8")
    assert old in text
    with pytest.raises(InputError) as raised:
        scenario_file(text.replace(old, new, 1))
    return raised.value


# --- the table --------------------------------------------------------------------------------------------------------


@pytest.mark.clause("BS-S10", "BS-Q02", "BS-Q01")
def test_the_table_is_24_inches_square_and_bases_an_inch_across() -> None:
    t = begun("cut-them-down")
    assert (t.field.table.width, t.field.table.height) == (24 * INCH, 24 * INCH)
    assert 2 * t.field.radius == INCH


@pytest.mark.clause("BS-S15", "BS-S11", "BS-S12")
def test_the_standard_layout_has_four_walls_and_a_pit() -> None:
    pieces = {p.id: p for p in begun("cut-them-down").field.table.terrain}
    boxes = {id: (min(p.polygon), max(p.polygon)) for id, p in pieces.items() if p.kind.blocks_sight}
    assert boxes == {
        "the west wall": (at(5, 9), at(7, 12)),
        "the low wall": (at(16, 8), at(19, 9)),
        "the east wall": (at(18, 15), at(20, 18)),
        "the north wall": (at(7, 16), at(10, 17)),
    }
    pit = pieces["the pit"].kind
    assert pit.impassable
    assert not pit.blocks_sight
    assert all(p.kind.impassable for p in pieces.values())


@pytest.mark.clause("BS-S15", "BS-S12")
@pytest.mark.parametrize("radius", [0.5, 1, 2.75, 10])
def test_a_circle_is_a_circle(radius: float) -> None:
    (x, y), r = at(20, 20), inches(radius)
    pit = terrain_of(TerrainPiece(id="a", kind="pit", circle=Circle(at=(20, 20), radius=radius)))
    ground = ground_of(Table(inches(40), inches(40), (pit,)))
    for towards in directions(64):
        near, base = point_along((x, y), towards, r + 126), point_along((x, y), towards, r + 128)
        assert not stands(ground, (*near, 127), []), "a base may stand on the rim"
        assert stands(ground, (*base, 127), []), "a base is stopped before the rim"


@pytest.mark.clause("BS-S12", "BS-Q02")
def test_a_circle_stays_one_on_a_table_of_another_size() -> None:
    for wide in (18, 36):
        (pit,) = [p for p in begun("cut-them-down", table_in=wide).field.table.terrain if p.id == "the pit"]
        assert pit.circle == (inches(13) * wide // 24, inches(6) * wide // 24, inches(1) * wide // 24)


@pytest.mark.clause("BS-S16")
@pytest.mark.house("layout", "scenario", "open")
def test_the_open_layout_has_no_terrain() -> None:
    assert layouts()["open"] == ()
    assert begun("cut-them-down", layout="open").field.table.terrain == ()
    assert len(begun("cut-them-down", layout="scenario").field.table.terrain) == 5


@pytest.mark.clause("BS-S17", "BS-S11", "BS-S12")
@pytest.mark.house("layout", "four-ruins", "mill", "salt-pans", "graveyard", "market", "orchard", "long-water")
def test_six_more_tables_may_be_laid_for_any_scenario() -> None:
    assert {"four-ruins", "open", *LAID} == set(layouts())
    assert len(LAID) == 7
    for name in LAID:
        t = begun("the-reliquary", layout=name)
        ids = [piece.id for piece in t.field.table.terrain]
        assert ids == [piece.id for piece in layouts()[name]]
        assert 4 <= len(ids) <= 10
        assert stands(t.ground, (*at(12, 12), inches(2)), []), (
            f"the middle of {name} is free for a relic and for stones"
        )
        for x in range(1, 24):
            for y in (1, 2, 22, 23):
                assert stands(t.ground, (*at(x, y), t.field.radius), []), f"{name}: both sides have room at their edges"


@pytest.mark.clause("BS-S15", "BS-S20")
def test_every_place_that_a_scenario_names_is_legal() -> None:
    for s in every_scenario():
        t = begun(s.id)
        posts = [p.at for p in t.field.posts if p.at is not None]
        for i, post in enumerate(posts):
            assert stands(t.ground, (*post, t.field.radius), [(*other, t.field.radius) for other in posts[:i]])


@pytest.mark.clause("BS-S10", "BS-Q02")
@pytest.mark.house("table_in", 24, 12, 13, 36, 72)
@pytest.mark.parametrize("size", [12, 13, 24, 36, 72])
def test_on_a_table_of_another_size_everything_lies_in_proportion(size: int) -> None:
    t = begun("the-reliquary", table_in=size)
    assert (t.field.table.width, t.field.table.height) == (size * INCH, size * INCH)
    assert t.relic is not None
    assert t.relic.at == at(size / 2, size / 2)
    assert t.field.posts[1].at == (inches(8.5) * size // 24, inches(12) * size // 24)
    wall = next(p for p in t.field.table.terrain if p.id == "the west wall")
    assert wall.polygon[0] == (inches(5) * size // 24, inches(9) * size // 24)
    area = t.field.areas[0]
    assert area is not None
    assert area.box == (0, 0, size * INCH, 3 * INCH)


def test_places_are_in_proportion_to_either_length_of_the_table() -> None:
    oblong = msgspec.structs.replace(SCENARIO_FILES.find("the-reliquary").value, table=(24, 36))
    assert Scale(begun("the-reliquary"), oblong).was == (inches(24), inches(36))


@pytest.mark.clause("BS-Q01")
@pytest.mark.house("base_diameter_in", "1.0", "0.8", "1.2", "1.5", "2.0")
@pytest.mark.parametrize(("width", "radius"), [("1.0", 127), ("0.8", 101), ("1.2", 152), ("1.5", 190), ("2.0", 254)])
def test_bases_may_be_of_another_size(width: str, radius: int) -> None:
    assert begun("cut-them-down", base_diameter_in=width).field.radius == radius


# --- the files --------------------------------------------------------------------------------------------------


@pytest.mark.clause("BS-S50")
def test_cut_them_down() -> None:
    t = begun("cut-them-down")
    assert (t.field.goal, t.field.limit, t.field.automated, t.field.first) == ("clear", 12, (1,), 0)
    assert sorted(qualities(t)) == [1] * 6 + [2] * 2
    eighths = [(3 * i * INCH, inches(14), 3 * (i + 1) * INCH, inches(21.5)) for i in range(8)]
    assert [p.box for p in t.field.posts] == eighths
    assert t.field.drawn
    assert not t.field.waves


@pytest.mark.clause("BS-S51")
def test_hold_the_stones() -> None:
    t = begun("hold-the-stones")
    assert (t.field.goal, t.field.limit, t.field.place) == ("hold", 8, at(12, 12))
    assert qualities(t) == [1] * 10
    assert Counter(w.turn for w in t.field.waves for _ in w.fighters) == dict.fromkeys(range(1, 6), 2)
    assert {w.edges for w in t.field.waves} == {("north", "east", "south", "west")}
    area = t.field.areas[0]
    assert area is not None
    assert (area.around, area.box[2] - area.box[0]) == (at(12, 12), 6 * INCH)
    assert not t.field.posts


@pytest.mark.clause("BS-S52")
def test_run_the_gauntlet() -> None:
    t = begun("run-the-gauntlet")
    assert (t.field.goal, t.field.limit, t.field.exit) == ("leave", 8, "north")
    assert qualities(t) == [1] * 8
    places = [(4, 12), (8, 15), (12, 12), (16, 15), (20, 12), (6, 19), (12, 19), (18, 19)]
    assert [p.at for p in t.field.posts] == [at(*place) for place in places]


@pytest.mark.clause("BS-S53")
def test_the_reliquary() -> None:
    t = begun("the-reliquary")
    assert (t.field.goal, t.field.limit, t.field.home) == ("relic", 10, "south")
    assert qualities(t) == [2, 2, 1, 1, 1, 1, 1]
    assert [p.at for p in t.field.posts] == [at(12, 15.5), at(8.5, 12), at(15.5, 12), at(12, 8.5)]
    assert [(w.turn, w.edges, len(w.fighters)) for w in t.field.waves] == [(n, ("north",), 1) for n in (3, 6, 9)]
    assert t.relic is not None
    assert (t.relic.at, t.relic.carrier) == (at(12, 12), None)


@pytest.mark.clause("BS-S54", "BS-S33")
def test_blood_price() -> None:
    t = begun("blood-price")
    assert (t.field.goal, t.field.limit, t.field.automated) == ("blood", 10, ())
    assert [sum(1 << (q - 1) for q in qualities(t, side)) for side in (0, 1)] == [12, 12]
    boxes = [area.box for area in t.field.areas if area is not None]
    assert boxes == [(0, 0, 24 * INCH, 3 * INCH), (0, 21 * INCH, 24 * INCH, 24 * INCH)]
    assert not t.field.posts


@pytest.mark.clause("BS-S55", "BS-S63")
def test_head_of_the_band() -> None:
    t = begun("head-of-the-band")
    assert (t.field.goal, t.field.limit, t.field.automated) == ("slay", 10, (1,))
    assert qualities(t) == [3, 1, 1, 2, 1, 1, 1]
    habits = [t.habits(f.id) for f in t.fighters if f.side == 1]
    assert habits == [("captain",), ("shield",), ("shield",), ("frenzy",), ("skittish",), ("skittish",), ()]
    assert t.field.posts[0].at == at(12, 19.5)
    hard = begun("head-of-the-band", difficulty="hard")
    assert [hard.habits(f.id) for f in hard.fighters][-2:] == [(), ()], "more of them are plain ones"


@pytest.mark.clause("BS-S56", "BS-S61", "BS-S65")
def test_the_long_bridge() -> None:
    t = begun("the-long-bridge")
    assert (t.field.goal, t.field.limit, t.field.exit) == ("leave", 8, "north")
    assert qualities(t) == [1, 1, 2, 1, 1, 1, 1]
    assert [t.habits(f.id) for f in t.fighters if f.side == 1][:3] == [("bow",), ("bow",), ("shield",)]
    assert [(w.turn, w.edges) for w in t.field.waves] == [(2, ("west", "east")), (4, ("west", "east"))]
    assert {t.habits(id) for w in t.field.waves for id in w.fighters} == {("swift",)}


@pytest.mark.clause("BS-S57", "BS-S58")
def test_two_more_for_two() -> None:
    stones, standard = begun("between-the-stones"), begun("the-fallen-standard")
    assert (stones.field.goal, stones.field.limit, stones.field.place) == ("stones", 8, at(12, 12))
    assert (stones.stood, stones.relic) == ((0, 0), None)
    assert (standard.field.goal, standard.field.limit, standard.field.home) == ("standard", 10, "south")
    assert standard.relic is not None
    assert (standard.relic.at, standard.relic.carrier) == (at(12, 12), None)
    assert standard.stood is UNSET
    strays = begun("between-the-stones", mode="versus_with_automata")
    assert [strays.habits(f.id) for f in strays.fighters if f.side == 2] == [("swift",)] * 2 + [()] * 4


def test_every_scenario_is_in_the_lobby_with_how_many_play_it() -> None:
    cards = ruleset.scenarios()
    assert cards[0].id == "cut-them-down"
    assert {c.id: c.players for c in cards} == {**dict.fromkeys(SOLO, 1), **dict.fromkeys(SHARED, 2)}
    for card in cards:
        assert card.words
        assert tuple(ruleset.automated(begun(card.id))) == ((1,) if card.players == 1 else ())


# --- other points, other foes, other modes ----------------------------------------------------------------------------


@pytest.mark.clause("BS-S34")
@pytest.mark.house("difficulty", "normal", "easy", "hard")
@pytest.mark.parametrize(
    ("scenario", "easy", "hard"),
    [
        ("cut-them-down", [1] * 4 + [2, 2], [1] * 6 + [2, 2, 1, 1]),
        ("hold-the-stones", [1] * 8, [1] * 12),
        ("run-the-gauntlet", [1] * 6, [1] * 10),
        ("the-reliquary", [2, 2, 1, 1, 1], [2, 2, 1, 1, 1, 1, 1, 1, 1]),
    ],
)
def test_difficulty_leaves_out_or_adds_two_of_quality_one(scenario: str, easy: list[int], hard: list[int]) -> None:
    assert qualities(begun(scenario, difficulty="easy")) == easy
    assert qualities(begun(scenario, difficulty="hard")) == hard
    assert len(qualities(begun(scenario, difficulty="normal"))) == (len(easy) + len(hard)) // 2


@pytest.mark.clause("BS-S34", "BS-S51")
def test_waves_stay_alike_where_more_or_fewer_come() -> None:
    def waves(**rules: Any) -> list[int]:
        t = begun("hold-the-stones", **rules)
        count = Counter(w.turn for w in t.field.waves for _ in w.fighters)
        return [count[turn] for turn in range(1, 6)]

    assert waves(difficulty="easy") == [2, 2, 2, 1, 1]
    assert waves(difficulty="hard") == [3, 3, 2, 2, 2]


@pytest.mark.clause("BS-S34", "BS-S56")
@pytest.mark.parametrize(("difficulty", "standing"), [("easy", [2]), ("normal", [1, 1, 2]), ("hard", [1, 1, 2, 1, 1])])
def test_those_who_stand_are_given_up_when_no_wave_has_anybody_left(difficulty: str, standing: list[int]) -> None:
    t = begun("the-long-bridge", size=6, difficulty=difficulty)
    assert qualities(t) == standing
    assert len(t.field.posts) == len(standing)
    assert not t.field.waves


@pytest.mark.clause("BS-S50", "BS-S34")
def test_there_are_as_many_parts_of_the_width_as_models() -> None:
    t = begun("cut-them-down", difficulty="hard")
    edges = [p.box[0] for p in t.field.posts if p.box is not None]
    assert edges == [24 * INCH * i // 10 for i in range(10)]


@pytest.mark.clause("BS-S34", "BS-S52")
def test_models_beyond_the_places_stand_by_chance() -> None:
    t = begun("run-the-gauntlet", difficulty="hard")
    assert [p.at is None for p in t.field.posts] == [False] * 8 + [True] * 2
    assert t.field.posts[-1].box == (0, inches(12), 24 * INCH, inches(21.5))


@pytest.mark.clause("BS-S34", "BS-S35")
@pytest.mark.parametrize(("points", "expected"), [(6, 5), (12, 10), (18, 15), (24, 20)])
def test_threat_follows_the_points_of_the_warband(points: int, expected: int) -> None:
    t = begun("cut-them-down", size=points)
    assert sum(1 << (q - 1) for q in qualities(t)) == expected
    assert sum(1 << (q - 1) for q in qualities(t, 0)) == points


@pytest.mark.clause("BS-S34")
def test_a_warband_named_brings_the_threat_of_what_it_costs() -> None:
    assert sum(1 << (q - 1) for q in qualities(begun("cut-them-down", "three-friends"))) == 15


@pytest.mark.clause("BS-S34")
def test_a_second_warband_takes_the_place_of_the_foes() -> None:
    t = begun("the-reliquary", "six-blades", "old-guard")
    assert t.field.names == ("Six Blades", "Old Guard")
    assert [f.name for f in t.fighters if f.side == 1][:4] == ["Hedda", "Runa", "Marit", "Solvei"]
    assert qualities(t) == [3, 3, 2, 2, 1, 1, 1], "those who come later come all the same"


@pytest.mark.clause("BS-Q29", "BS-Q38")
@pytest.mark.house("mode", "solo", "versus", "versus_with_automata", "coop")
def test_the_mode_says_who_is_played() -> None:
    assert begun("cut-them-down", mode="solo").field.automated == (1,)
    assert begun("cut-them-down", mode="coop").field.automated == (1,)
    assert begun("cut-them-down", mode="versus").field.automated == ()
    t = begun("blood-price", mode="versus_with_automata")
    assert t.field.automated == (2,)
    assert t.field.names == ("Six Blades", "Even Hands", "Stray Pack")
    assert t.turns == [0, 0, 0]
    assert qualities(t, 2) == [1] * 6
    assert [area is None for area in t.field.areas] == [False, False, True]
    assert begun("blood-price", mode="solo").field.sides == 2


@pytest.mark.clause("BS-Q29", "BS-Q38")
@pytest.mark.parametrize(
    ("scenario", "mode", "words"),
    [
        (
            "cut-them-down",
            "versus_with_automata",
            "blade-skirmish has blood-price, between-the-stones and",
        ),
        ("blood-price", "coop", "blood-price is for two sides of players"),
    ],
)
def test_a_mode_that_a_scenario_has_no_room_for_is_refused(scenario: str, mode: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        begun(scenario, mode=mode)


def test_two_warbands_of_one_name_are_told_apart() -> None:
    assert begun("blood-price", "six-blades", "six-blades").field.names == ("Six Blades A", "Six Blades B")


# --- refusals --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("armies", "size", "words"),
    [
        (("six-blade",), None, "did you mean 'six-blades'"),
        (("six-blades",) * 3, None, "cut-them-down takes 1 warband, and 1 of foes if you like; you named 3"),
        (("six-blades",), 6, "Six Blades: The warband costs 12 points, and 6 are agreed on"),
        ((), 7, "no warband of 7 points"),
    ],
)
def test_armies_that_do_not_fit_are_refused(armies: tuple[str, ...], size: int | None, words: str) -> None:
    with pytest.raises(InputError, match=words):
        begun("cut-them-down", *armies, size=size)


def test_two_players_bring_two_warbands_of_as_many_points() -> None:
    with pytest.raises(InputError, match="blood-price has 2 warbands; you named 1"):
        begun("blood-price", "six-blades")
    with pytest.raises(InputError, match="Three Friends: The warband costs 18 points, and 12 are agreed on"):
        begun("blood-price", "three-friends", "three-friends")
    assert begun("blood-price", "three-friends", "three-friends", size=18).field.sides == 2


def test_a_scenario_that_there_is_not_is_told_with_the_nearest() -> None:
    with pytest.raises(InputError, match="did you mean 'the-reliquary'"):
        SCENARIO_FILES.find("the-reliqary")


@pytest.mark.parametrize(
    ("old", "new", "words", "line"),
    [
        ("four-ruins", "four-ruin", "there is no layout 'four-ruin'; did you mean 'four-ruins'?", 11),
        ("goal: relic", "goal: relics", "'relics' is not allowed here; did you mean 'relic'?", 7),
        ("goal: relic", "goal: blood", "blood needs two sides that people or computers play", 7),
        (
            "goal: relic",
            "goal: none",
            "a scenario needs a goal: clear, hold, leave, relic, slay, blood, stones, standard",
            7,
        ),
        ("goal: relic", "goal: slay", "the goal needs an automated model with the habit captain", 7),
        ("name: Warden, quality: 2", "name: Warden, kind: hond, quality: 2", "did you mean 'hound'?", 18),
        ("place: [12, 12]\n", "", "the goal needs a place", 7),
        ("threat: 6", "threat: 7", "these models cost 6 points, and the threat is said to be 7", 16),
        ("[8.5, 12]", "[6, 10]", "no model can stand at (6, 10)", 18),
        ("[8.5, 12]", "[12, 15]", "no model can stand at (12, 15)", 18),
        ("turn: 3,", "turn: 3, at: [[1, 1]],", "models stand at places, or else they enter in a turn", 20),
        ("[8.5, 15.5]}", "[15.5, 8.5]}", "the rows go from south to north", 23),
        ("edge: south, depth: 3", "depth: 3", "a zone lies along an edge, or else around a place", 13),
        ("edge: south, depth: 3", "edge: south, depth: 0.5", "a base of an inch has no room in this zone", 13),
        ("limit: 10", "limit: 10\ntable: [11, 24]", "a table is from 12 to 72 inches wide and high", 11),
        ("limit: 10", "limit: 10\nwarbands: [six-blade]", "there is no warband 'six-blade'", 11),
        ("limit: 10", "limit: 10\nwarbands: [six-blades, old-guard]", "plays 1 side, and 2 warbands", 11),
        ("terrain: four-ruins", "terrain: [{id: a, kind: wall}]", "one shape: a box, an outline or a circle", 11),
        ("terrain: four-ruins", "terrain: [{id: a, kind: wall, box: [1, 1, 25, 2]}]", "does not lie on the table", 11),
        (
            "terrain: four-ruins",
            "terrain: [{id: a, kind: pit, box: [1, 1, 2, 2]}, {id: a, kind: pit, box: [3, 1, 4, 2]}]",
            "two pieces are called 'a'",
            11,
        ),
        ("name: Warden, quality: 2", "name: Warden, quality: 7", "7 is out of range; the nearest right value is 6", 18),
    ],
)
def test_a_scenario_that_is_wrong_is_refused_with_its_place(old: str, new: str, words: str, line: int) -> None:
    error = wrong(old, new)
    assert words in error.args[0]
    assert error.line == line
    assert error.column


def test_a_scenario_needs_foes_who_can_be_more_or_fewer() -> None:
    text = built_in("blade-skirmish")["run-the-gauntlet"].read_text(encoding="utf-8")
    without = text[: text.index("enemy:")]
    with pytest.raises(InputError, match="one side needs automated models to fight"):
        scenario_file(without)
    dearer = text.replace("quality: 1", "quality: 2").replace("threat: 8", "threat: 16")
    with pytest.raises(InputError, match="some must have Quality 1"):
        scenario_file(dearer)
    error = wrong("  spread: {rows: [12, 21.5]}\n", "", "run-the-gauntlet")
    assert "if there are more models than places, a spread says where they stand" in error.args[0]


def test_a_file_is_checked_and_said_what_it_is(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text(built_in("blade-skirmish")["blood-price"].read_text(encoding="utf-8"), encoding="utf-8")
    files = ruleset.scenario_files
    assert files is not None
    assert files.check(file) == "the scenario Blood Price"
    assert begun(str(file)).field.goal == "blood"
