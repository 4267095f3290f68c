"""Scenarios: positions, errors that name their place, and maps of other sizes."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import get_args

import pytest

from caltrop import InputError
from caltrop.engine import Book, stored
from caltrop.rules.hex_command.catalogue import CARDS, DECK, GROUNDS, price
from caltrop.rules.hex_command.records import NORTH, SOUTH, Battle, Limit
from caltrop.rules.hex_command.rulebook import ruleset
from caltrop.rules.hex_command.scenarios import SCENARIO_FILES, Kind, hexes_in, image, scenario_file
from caltrop.scenarios import built_in
from caltrop.table.hexes import hex_map

IDS = tuple(built_in("hex-command"))
PLACED = tuple(id for id in IDS if id != "free-battle")


def book(**rules: str | int) -> Book:
    """Return the house rules of a match."""
    return ruleset.book(None, rules)


def standing(t: Battle, side: int) -> dict[str, str]:
    """Return the kind of every unit of a side by its hex; an attached leader adds a plus."""
    return {f"{u.hex}{'+' * (t.host_of(u) is not None)}": u.kind for u in t.of_side(side)}


def points(t: Battle, side: int) -> int:
    """Return the cost of a side's units."""
    return sum(price(t, u.row) for u in t.of_side(side))


def test_there_are_six_and_the_shortest_comes_first() -> None:
    cards = ruleset.scenarios()
    assert cards[0].id == "first-battle"
    assert {c.id for c in cards} == set(IDS)
    assert {"crossroads", "bridges-of-ash", "hold-the-bastion", "godfall", "free-battle", "first-battle"} == set(IDS)
    assert all(c.words.endswith(".") and c.minutes >= 15 for c in cards)
    assert {c.id for c in cards if not c.takes_armies} == {"hold-the-bastion", "godfall"}


def test_every_ground_may_be_written() -> None:
    assert {*get_args(Kind)} == {*GROUNDS} - {"open", "entrenchment"}


@pytest.mark.clause("HX-S62", "HX-S63", "HX-S70", "HX-S72", "HX-S73", "HX-W40")
@pytest.mark.parametrize(
    ("id", "south", "north"),
    [
        ("crossroads", 82, 81),
        ("bridges-of-ash", 82, 81),
        ("hold-the-bastion", 97, 67),
        ("godfall", 60, 49),
        ("first-battle", 32, 32),
    ],
)
def test_points(id: str, south: int, north: int) -> None:
    t = ruleset.setup(book(), id)
    assert (points(t, SOUTH), points(t, NORTH)) == (south, north)


@pytest.mark.clause("HX-S70")
def test_crossroads() -> None:
    t = ruleset.setup(book(), "crossroads")
    roads = {hex for hex, kind in t.field.terrain.items() if kind == "road"}
    assert roads == {f"{column}5" for column in "ABCDFHJKLM"}
    assert Counter(t.field.terrain.values()) == {"road": 10, "ruins": 3, "woods": 4, "hill": 2, "rubble": 2}
    assert standing(t, SOUTH)["F8+"] == "leader-light"
    assert standing(t, SOUTH)["F8"] == "infantry-medium"
    assert standing(t, NORTH)["G2"] == "leader-medium"
    assert (len(standing(t, SOUTH)), len(standing(t, NORTH))) == (11, 12)
    assert [(o.hex, o.permanent, o.side) for o in t.field.objectives] == [("G5", False, None)]
    assert (t.field.banners, t.field.first, t.field.limit) == ((5, 5), SOUTH, Limit(side=None, turns=25))


@pytest.mark.clause("HX-S71")
def test_bridges_of_ash() -> None:
    t = ruleset.setup(book(), "bridges-of-ash")
    assert "".join(t.field.terrain[f"{c}5"][0] for c in "ABCDEFGHIJKLM") == "wwwbwwfwwbwww"
    assert [o.hex for o in t.field.objectives] == ["D5", "J5"]
    assert t.field.first == t.active == NORTH
    other = ruleset.setup(book(), "crossroads")
    assert [standing(t, s) for s in (0, 1)] == [standing(other, s) for s in (0, 1)]


@pytest.mark.clause("HX-S72")
def test_hold_the_bastion() -> None:
    t = ruleset.setup(book(), "hold-the-bastion")
    assert t.entrenchments == ["C3", "K3"]
    assert [(o.hex, o.permanent, o.side) for o in t.field.objectives] == [("F3", True, SOUTH), ("H3", True, SOUTH)]
    assert (t.field.hands, t.field.banners) == ((5, 4), (8, 5))
    assert t.field.limit == Limit(side=SOUTH, turns=14, winner=NORTH)
    assert t.captured == {}
    assert standing(t, SOUTH)["E8+"] == "leader-light"


@pytest.mark.clause("HX-S73")
def test_godfall() -> None:
    t = ruleset.setup(book(), "godfall")
    assert standing(t, NORTH) == {
        "G1": "god-machine-super-heavy",
        "G1+": "leader-light",
        "E1": "infantry-heavy",
        "I1": "infantry-heavy",
        "C1": "vehicle-light",
    }
    assert t.field.banners == (3, 9)
    assert t.field.limit == Limit(side=NORTH, turns=9, winner=SOUTH)


@pytest.mark.clause("HX-S10", "HX-S13")
def test_the_first_battle_is_small_and_has_no_cards_for_the_enemys_turn() -> None:
    t = ruleset.setup(book(), "first-battle")
    assert (t.field.rows, t.field.columns) == (7, 9)
    assert [len(SCENARIO_FILES.find("first-battle").value.hosts[s].units) for s in (0, 1)] == [4, 4]
    assert {card for card in DECK if CARDS[card].react} == set(DECK) - set(t.field.deck) == {"ambush", "shield-surge"}
    assert (len(t.field.deck), t.in_deck, len(t.deck())) == (58, 58, 58)


def test_the_first_battle_is_as_good_from_the_north_as_from_the_south() -> None:
    t = ruleset.setup(book(), "first-battle")

    def mirrored(hex: str) -> str:
        return f"{hex[0]}{8 - int(hex[1])}{hex[2:]}"

    assert {mirrored(hex): kind for hex, kind in t.field.terrain.items()} == t.field.terrain
    assert {mirrored(hex): kind for hex, kind in standing(t, SOUTH).items()} == standing(t, NORTH)
    assert [mirrored(o.hex) for o in t.field.objectives] == ["E4"]


def test_units_of_one_name_on_one_side_are_told_apart() -> None:
    t = ruleset.setup(book(), "crossroads")
    for side in (0, 1):
        names = [u.name for u in t.of_side(side)]
        assert len(set(names)) == len(names)
    assert {u.name for u in t.of_side(SOUTH) if u.kind == "vehicle-medium"} == {"1st Battle Tanks", "2nd Battle Tanks"}
    assert t.units[t.board["G9"]].name == "Battle Titan"


# --- hexes in a line --------------------------------------------------------------------------------------------------


def test_runs_of_hexes() -> None:
    map = hex_map(9, 13)
    assert hexes_in("A5-D5 F5  K2", map) == ["A5", "B5", "C5", "D5", "F5", "K2"]
    assert hexes_in("K2-L2", map) == ["K2", "L2"]
    assert hexes_in("", map) == []
    for text, words in (
        ("M2", "the nearest hex is L2"),
        ("A5-A7", "goes east within one row"),
        ("D5-A5", "goes east within one row"),
        ("A5-B5-C5", "goes east within one row"),
        ("A5-C5 B5", "B5 is named twice"),
        ("Z", "is not a hex"),
    ):
        with pytest.raises(ValueError, match=words):
            hexes_in(text, map)


# --- files ------------------------------------------------------------------------------------------------------------

GOOD = """ruleset: hex-command
id: x
title: X
minutes: 5
words: A test.
map: [9, 13]
terrain:
  woods: C4 K3
  citadel: F3
  spire: A1
entrenchments: E8
south:
  name: Blue
  units:
    - {kind: infantry-medium, at: E8 F8}
    - {kind: leader-light, at: F8}
  banners: 2
north:
  name: Red
  units:
    - {kind: infantry-heavy, at: F3}
    - {kind: god-machine-light, at: G2, name: Old Grumbler}
  banners: 3
objectives:
  - {at: F3, permanent: true, side: south}
first: north
limit: {turns: 8, side: north, winner: north}
without: [ambush]
always: G2
exit: {unit: G2, row: 9}
prize: G2
"""


@pytest.mark.parametrize(
    ("old", "new", "where", "what"),
    [
        ("title: X", "titel: X", ":3:", "did you mean 'title'"),
        ("map: [9, 13]", "map: [8, 13]", ":6:", "the nearest is 9"),
        ("woods: C4 K3", "wods: C4 K3", ":7:", "did you mean 'woods'"),
        ("woods: C4 K3", "woods: C4 N3", ":8:", "the nearest hex is M3"),
        ("citadel: F3", "citadel: F3 C4", ":9:", "C4 is woods already"),
        ("entrenchments: E8", "entrenchments: E7", ":11:", "no unit at E7"),
        ("kind: infantry-medium", "kind: infantry-midium", ":15:", "did you mean 'infantry-medium'"),
        ("at: E8 F8", "at: E8 A1", ":15:", "nobody may enter"),
        ("at: E8 F8", "at: E8 F3", ":21:", "holds the Line Troops already"),
        ("leader-light, at: F8", "leader-light, at: G2", ":16:", "attaches only to friendly units"),
        ("banners: 2", "banners: 5", ":17:", "Blue can win 4 banners at most"),
        ("  banners: 2", "  banners: 2\n  army: iron-concord", ":12:", "or else an army"),
        ("god-machine-light, at: G2", "vehicle-light, at: F3", ":22:", "only infantry and leaders may enter"),
        ("at: F3, permanent", "at: F13, permanent", ":25:", "the nearest hex is F9"),
        ("side: south", "side: sooth", ":25:", "did you mean 'south'"),
        ("turns: 8", "turns: 0", ":27:", "the nearest right value is 1"),
        ("without: [ambush]", "without: [ambus]", ":28:", "did you mean 'ambush'"),
        ("without: [ambush]", f"without: [{', '.join(list(CARDS)[:18])}]", ":28:", "the deck has 30 or more"),
        ("always: G2", "always: G1", ":29:", "the nearest is G2"),
        ("unit: G2, row: 9", "unit: G2, row: 11", ":30:", "9 rows"),
        ("prize: G2", "prize: E8 F8", ":31:", "not a hex in which a unit starts"),
    ],
)
def test_errors_name_the_place_and_the_nearest_word(tmp_path: Path, old: str, new: str, where: str, what: str) -> None:
    file = tmp_path / "x.yaml"
    file.write_text(GOOD, encoding="utf-8")
    assert scenario_file(file).value.title == "X"
    assert old in GOOD
    file.write_text(GOOD.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(InputError) as raised:
        scenario_file(file)
    assert where in str(raised.value)
    assert what in str(raised.value)


def test_a_file_says_all_that_a_scenario_is(tmp_path: Path) -> None:
    file = tmp_path / "x.yaml"
    file.write_text(GOOD, encoding="utf-8")
    t = ruleset.setup(book(), str(file))
    assert t.field.names == ("Blue", "Red")
    assert t.units[t.board["G2"]].name == "Old Grumbler"
    assert (t.field.always, t.field.prize, t.field.exit) == (t.board["G2"], t.board["G2"], (t.board["G2"], 9))
    assert t.field.without == ("ambush",)
    assert t.entrenchments == ["E8"]
    assert stored(ruleset.setup(book(), GOOD)) == stored(t), "the text itself is as good as a file of it"
    files = ruleset.scenario_files
    assert files is not None
    assert files.check(file) == "the scenario X"


def test_words_that_mean_nothing() -> None:
    with pytest.raises(InputError, match="did you mean 'crossroads'"):
        ruleset.setup(book(), "crosroads")
    with pytest.raises(InputError, match="did you mean 'iron-concord'"):
        ruleset.setup(book(), "free-battle", ("iron-concorde", "ashen-horde"))
    with pytest.raises(InputError, match="2 armies; you named 1"):
        ruleset.setup(book(), "free-battle", ("iron-concord",))
    with pytest.raises(InputError, match="fought by its own armies"):
        ruleset.setup(book(), "godfall", ("iron-concord", "ashen-horde"))
    with pytest.raises(InputError, match="units stand already"):
        ruleset.setup(book(), "crossroads", (), 60)
    with pytest.raises(InputError, match="1 point or more"):
        ruleset.setup(book(), "free-battle", (), 0)


# --- maps of other sizes ----------------------------------------------------------------------------------------------


@pytest.mark.clause("HX-S10")
@pytest.mark.parametrize("size", [(5, 7), (7, 11), (9, 15), (11, 13), (15, 25)])
def test_a_map_of_another_size_keeps_corners_middle_and_symmetry(size: tuple[int, int]) -> None:
    usual, other = hex_map(9, 13), hex_map(*size)
    assert all(image(hex, usual, usual) == hex for hex in usual.hexes)
    rows, columns = size
    last = "ABCDEFGHIJKLMNOPQRSTUVWXY"[columns - 1]
    assert [image(hex, usual, other) for hex in ("A1", "M1", "A9", "M9")] == [
        "A1",
        f"{last}1",
        f"A{rows}",
        f"{last}{rows}",
    ]
    assert other.row(image("G5", usual, other)) == (rows + 1) // 2
    for hex in other.hexes:
        of = image(hex, other, usual)
        mirrored = next(
            h for h in other.hexes
            if other.row(h) == rows + 1 - other.row(hex) and other.column(h) == other.column(hex)
        )  # fmt: skip
        assert image(mirrored, other, usual) == f"{of[0]}{10 - int(of[1])}", (
            "north and south have as much of everything"
        )


@pytest.mark.clause("HX-Q03", "HX-S10")
@pytest.mark.house("map_rows_cols", "9x13", "5x7", "7x9", "7x11", "9x11", "9x15", "11x13", "11x17", "13x19", "15x25")
def test_a_free_battle_has_the_map_that_was_agreed_on() -> None:
    for size in next(s for s in ruleset.switches if s.name == "map_rows_cols").values:
        t = ruleset.setup(book(map_rows_cols=size), "bridges-of-ash", ("iron-concord", "ashen-horde"))
        rows, columns = map(int, str(size).split("x"))
        assert (t.field.rows, t.field.columns) == (rows, columns)
        river = {t.map.row(hex) for hex, kind in t.field.terrain.items() if kind == "water"}
        assert river == {(rows + 1) // 2}
        across = [hex for hex in t.map.hexes if t.map.row(hex) in river]
        assert all(hex in t.field.terrain for hex in across), "no gap in the river"
        assert [t.field.terrain[o.hex] for o in t.field.objectives] == ["bridge", "bridge"]
        own = ruleset.setup(book(map_rows_cols=size), "bridges-of-ash")
        assert (own.field.rows, own.field.columns) == (9, 13), "where units stand already the map is the scenario's"
