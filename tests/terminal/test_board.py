"""The measured table in characters."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from caltrop.engine import ruleset
from caltrop.picture import Ground, Group, Picture, Piece, Spot, Stage, Zone
from caltrop.terminal.board import MARGIN, BoardMarks, Window, drawn, inside, letter_of, letters, letters_on, textures
from caltrop.terminal.frame import divided
from caltrop.terminal.sheets import legend

STAGE = Stage(round=1, rounds=None, steps=(), now=-1, words="")


def group(id: int, side: int, silhouette: str, *at: tuple[int, int], radius: int = 100) -> Group:
    pieces = tuple(Piece(id=10 * id + i, at=place, radius=radius) for i, place in enumerate(at))
    return Group(id=id, side=side, name=f"Unit {id}", kind=silhouette, silhouette=silhouette, pieces=pieces)


def picture(**fields: Any) -> Picture:
    return Picture(
        **{"form": "plane", "width": 4000, "height": 2000, "scale": 100, "measure": "cm", "stage": STAGE, **fields}
    )


def text(shown: list[list[Any]]) -> list[str]:
    return ["".join(cell.character for cell in row) for row in shown]


def test_sides_differ_by_letter_and_not_by_colour_alone() -> None:
    table = picture(groups=(group(0, 0, "medium", (500, 500)), group(1, 1, "medium", (1500, 500))))
    shown = "".join(text(drawn(table, Window(table, 60, 22)))[1:])
    assert shown.count("M") == 1
    assert shown.count("m") == 1


def test_no_letter_stands_for_two_kinds() -> None:
    groups = [group(i, 0, name) for i, name in enumerate(("medium", "mortar", "mule", "light", "lancer", "worm"))]
    names = letters(groups)
    assert len(set(names.values())) == len(names)
    assert letter_of(groups[0], "", names) == "M"


def test_fighters_of_one_kind_have_letters_of_their_own() -> None:
    rules = ruleset("blade-skirmish")
    table = rules.depict(rules.setup(rules.book(), "cut-them-down"), 0)
    names = letters_on(table)
    seen = [letter_of(one, "", names) for one in table.groups]
    assert len(set(seen)) == len(seen) >= 12
    own = [(one, letter) for one, letter in zip(table.groups, seen, strict=True) if one.side == 0]
    assert all(letter.isupper() for _, letter in own)
    assert own[0][1] == own[0][0].name[0]
    words = legend(table)
    assert all(any(f"{letter} {one.name} of " in line for line in words) for one, letter in own)
    # If units have many models, the letters stand for kinds of units.
    battle = picture(groups=(group(0, 0, "medium", (500, 500), (900, 500)), group(1, 0, "medium", (1500, 500))))
    assert letters_on(battle) == letters(battle.groups)


def test_every_ground_of_the_games_has_a_texture_of_its_own() -> None:
    rules = ruleset("command-horizon")
    kinds = set()
    for card in rules.scenarios():
        grounds = rules.depict(rules.setup(rules.book(), card.id), 0).grounds
        names = textures(grounds)
        assert len(set(names.values())) == len(names)
        kinds |= set(names)
    assert {"woods", "building"} <= kinds


def test_smoke_is_seen_as_far_as_it_lies_and_no_model_under_it_is_hidden() -> None:
    smoke = Spot(id=1, name="Smoke", kind="smoke", at=(2000, 1000), radius=300)
    goal = Spot(id=2, name="Hill", kind="objective", at=(3500, 1000), radius=300)
    table = picture(spots=(smoke, goal), groups=(group(0, 0, "infantry", (2000, 1000)),))
    shown = text(drawn(table, Window(table, 80, 24)))
    rows = [row for row in shown if "∴" in row]
    assert len(rows) >= 3
    assert sum("I" in row for row in rows) == 1
    assert sum("{*}" in row for row in shown) == 1, "the smoke is no marked place, and the hill is"
    assert "∴ smoke" in legend(picture(spots=(smoke, goal)))
    assert "∴ smoke" not in legend(picture(spots=(goal,)))


def test_kinds_of_ground_that_nobody_knows_are_told_apart_too() -> None:
    square = ((0, 0), (100, 0), (100, 100), (0, 100))
    grounds = [Ground(id=i, kind=kind, name=kind, outline=square) for i, kind in enumerate(("lava", "moss", "woods"))]
    assert len(set(textures(grounds).values())) == 3


@given(st.integers(0, 6), st.integers(20, 200), st.integers(8, 60), st.integers(0, 4000), st.integers(0, 2000))
def test_the_place_in_the_middle_is_always_in_sight(zoom: int, columns: int, rows: int, x: int, y: int) -> None:
    table = picture()
    window = Window(table, columns, rows, zoom, (x, y))
    column, row = window.cell((x, y))
    assert 0 <= column < window.columns
    assert 0 <= row < window.rows
    back = window.place(column, row)
    # A place on the outermost edge is shown in the cell just inside the edge.
    assert abs(back[0] - x) <= window.wide + 1
    assert abs(back[1] - y) <= window.high + 1


def test_a_cell_is_twice_as_high_as_wide_and_the_ruler_reads_in_the_games_measure() -> None:
    table = picture()
    window = Window(table, 40 + MARGIN, 11)
    assert (window.wide, window.high) == (100, 200)
    shown = text(drawn(table, window))
    assert shown[0][MARGIN:].split() == ["0", "10", "20", "30"]
    # The top of the screen is at the far end of the table, because lengths are measured from the lower left corner.
    assert shown[1].startswith("  20│")
    assert shown[3].startswith("  16│")


def test_the_cursor_stands_around_what_it_points_at() -> None:
    table = picture(groups=(group(0, 0, "medium", (500, 500), radius=10),))
    window = Window(table, 40 + MARGIN, 11)
    assert any("[M]" in row for row in text(drawn(table, window, BoardMarks(cursor=(500, 500)))))


def test_ways_end_in_a_circle_where_they_are_legal_and_in_a_cross_where_not() -> None:
    table = picture()
    window = Window(table, 40 + MARGIN, 11)
    way = ((500, 500), (1500, 500))
    assert any("o" in row for row in text(drawn(table, window, BoardMarks(paths=(way,)))))
    refused = text(drawn(table, window, BoardMarks(paths=(way,), legal=False)))
    assert any("×" in row for row in refused)
    assert not any("o" in row for row in refused)


def test_inside_an_outline() -> None:
    square = ((0, 0), (10, 0), (10, 10), (0, 10))
    assert inside(square, 5, 5)
    assert not inside(square, 15, 5)


def test_a_row_shows_what_lies_on_top_between_the_edges_it_crosses() -> None:
    """Later grounds and earlier zones are drawn on top, and the space between the legs of an outline stays empty."""
    legs = ((0, 0), (3000, 0), (3000, 1600), (2000, 1600), (2000, 800), (1000, 800), (1000, 1600), (0, 1600))
    grounds = (
        Ground(id=0, name="Woods", kind="woods", outline=legs),
        Ground(id=1, name="Hill", kind="hill", outline=((2400, 1000), (2800, 1000), (2800, 1400), (2400, 1400))),
    )
    strip = ((0, 1600), (4000, 1600), (4000, 2000), (0, 2000))
    zones = (Zone(name="Nobody's", side=None, outline=strip), Zone(name="B", side=1, outline=strip))
    shown = text(drawn(picture(grounds=grounds, zones=zones), Window(picture(), 40 + MARGIN, 11)))
    assert [row[MARGIN:] for row in shown[1:3]] == [". " * 20, " ." * 20]
    assert shown[5][MARGIN:] == "♣" * 10 + " " * 10 + "♣♣♣♣^^^^♣♣" + " " * 10
    assert shown[8][MARGIN:] == "♣" * 30 + " " * 10


@given(st.integers(60, 200), st.integers(20, 60), st.integers(0, 12))
def test_a_message_grows_at_the_cost_of_the_log_alone(width: int, height: int, message: int) -> None:
    short, long = divided(picture(), width, height), divided(picture(), width, height, message)
    assert long.log + long.message == short.log + short.message
    assert long.message >= min(message, short.message + short.log - 2)
    assert long.log >= 2
    assert (long.side, long.units) == (short.side, short.units)
