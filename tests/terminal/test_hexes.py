"""A map of hexes in characters, and battles on it by keyboard alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from caltrop.asking import Offer
from caltrop.engine import Action
from caltrop.picture import Card, Cell, Ground, Group, Picture, Piece, Seat, Spot, Stage, Token, Zone
from caltrop.table.hexes import CORNERS, hex_map
from caltrop.terminal import hexes, words
from caltrop.terminal.app import Terminal
from caltrop.terminal.board import BoardMarks
from caltrop.terminal.dialogs import Curtain, TextPage
from caltrop.terminal.hexes import MARGIN, HexWindow, drawn
from caltrop.terminal.sitting import Sitting
from caltrop.wire import LogEntry, Thrown
from tests.terminal.playing import Driver, desk, is_shown, my_turn, pane, screen, write

Sit = Callable[[], Sitting]
SMALL, LARGE = (80, 24), (120, 40)
MAP = hex_map(5, 7)
FACES = ("infantry", "vehicle", "god-machine", "leader", "target", "retreat")


def group(id: int, side: int, kind: str, at: str, strength: str = "3/4", *, guest: bool = False, **more: Any) -> Group:
    x, y = MAP.centre(at)
    place = (x + 480, y + 380) if guest else (x, y)
    piece = Piece(id=id, at=place, radius=330 if guest else 640)
    return Group(
        id=id, side=side, name=f"Unit {id}", kind=kind, silhouette="medium", pieces=(piece,), strength=strength, **more
    )


def ground(kind: str, at: str) -> Ground:
    x, y = MAP.centre(at)
    return Ground(id=hash(at), kind=kind, name=kind.capitalize(), outline=tuple((x + dx, y + dy) for dx, dy in CORNERS))


def section(name: str, first: int, last: int, lit: bool = False) -> Zone:
    low, high, top = first * 1732, last * 1732, MAP.size[1]
    return Zone(name=name, side=None, outline=((low, 0), (high, 0), (high, top), (low, top)), lit=lit)


def picture(**fields: Any) -> Picture:
    wide, high = MAP.size
    usual: dict[str, Any] = {
        "form": "hexes",
        "width": wide,
        "height": high,
        "scale": 1732,
        "measure": "hexes",
        "cells": tuple(Cell(name=name, at=MAP.centre(name)) for name in MAP.hexes),
        "corners": CORNERS,
        "faces": FACES,
        "seats": (
            Seat(side=0, name="South", letter="S", shape="circle"),
            Seat(side=1, name="North", letter="N", shape="diamond"),
        ),
        "stage": Stage(round=1, rounds=None, steps=(), now=-1, words=""),
    }
    return Picture(**(usual | fields))


def rows(shown: Picture, columns: int, rows: int, marks: BoardMarks | None = None, zoom: int = 0) -> list[str]:
    window = HexWindow(shown, columns, rows, zoom, marks.cursor if marks and marks.cursor else (0, 0))
    return ["".join(cell.character for cell in row).rstrip() for row in drawn(shown, window, marks or BoardMarks())]


def test_rows_are_set_off_by_half_and_letters_and_numbers_stand_at_the_edges() -> None:
    assert rows(picture(), 40, 10) == [
        "     A   B   C   D   E   F   G",
        " 1   ·   ·   ·   ·   ·   ·   ·",
        " 2     ·   ·   ·   ·   ·   ·",
        " 3   ·   ·   ·   ·   ·   ·   ·",
        " 4     ·   ·   ·   ·   ·   ·",
        " 5   ·   ·   ·   ·   ·   ·   ·",
    ]


def test_a_unit_is_told_by_sign_case_kind_and_strength_and_its_ground_is_seen_beside_it() -> None:
    shown = picture(
        groups=(
            group(0, 0, "vehicle-medium", "A1"),
            group(1, 1, "god-machine-super-heavy", "C1", "7/7"),
            group(2, 1, "infantry-light", "E1", "2/4"),
            group(3, 1, "leader-light", "E1", "1/1", guest=True),
        ),
        grounds=(ground("woods", "A1"), ground("ruins", "B2")),
    )
    small = rows(shown, 40, 8)
    assert small[1] == " 1 ♣●V3  ·  ♦g7  ·  ◈i2  ·   ·"
    assert small[2] == " 2     · ▒▒▒   ·   ·   ·   ·"
    large = rows(shown, 60, 14)
    assert large[1] == " 1 ♣●VM3   ·    ♦gs7   ·   ◈il2l   ·     ·"
    assert large[2] == "   ♣♣♣♣♣"


def test_the_form_is_the_largest_that_fits_and_zoom_takes_the_next() -> None:
    shown = picture()
    assert [(w.wide, w.high) for w in (HexWindow(shown, *size) for size in ((20, 5), (33, 6), (48, 11), (63, 16)))] == [
        (4, 1),
        (4, 1),
        (6, 2),
        (8, 3),
    ]
    window = HexWindow(shown, 33, 6, 1)
    assert (window.wide, window.high) == (6, 2)
    assert HexWindow(shown, 33, 6, 9).wide == 8


@given(st.sampled_from(MAP.hexes), st.integers(8, 90), st.integers(3, 30), st.integers(0, 3))
def test_the_hex_in_the_middle_is_always_in_sight(at: str, columns: int, height: int, zoom: int) -> None:
    window = HexWindow(picture(), columns, height, zoom, MAP.centre(at))
    column, row = window.cell(MAP.centre(at))
    assert 0 <= column < window.columns
    assert 0 <= row < window.rows


@given(st.sampled_from(MAP.hexes), st.sampled_from(MAP.hexes))
def test_hexes_are_counted_as_the_map_counts_them(a: str, b: str) -> None:
    steps = MAP.distance(a, b)
    assert words.apart(MAP.centre(a), MAP.centre(b), picture()) == ("1 hex" if steps == 1 else f"{steps} hexes")


def test_arrows_go_from_hex_to_hex_and_back_and_stay_on_the_map() -> None:
    shown = picture()
    window = HexWindow(shown, 40, 10)

    def walk(start: str, *steps: tuple[int, int]) -> str:
        at = MAP.centre(start)
        for step in steps:
            at = window.step(at, *step, shown)
        return words.place(at, shown)

    assert walk("C3", (0, 1), (0, 1), (0, -1), (0, -1)) == "C3"
    assert walk("C3", (1, 0)) == "D3"
    assert walk("G3", (1, 0)) == "G3"
    assert walk("G3", (0, 1)) == "F4"
    assert walk("A1", (-5, 0)) == "A1"
    assert walk("C4", (0, 5)) == "C5"


def test_the_cursor_offered_hexes_and_those_who_may_act_are_marked() -> None:
    shown = picture(groups=(group(0, 0, "vehicle-medium", "B1"), group(1, 0, "vehicle-medium", "D1")))
    marks = BoardMarks(cursor=MAP.centre("B1"), spots=(MAP.centre("F1"), MAP.centre("B3")), ready=(0, 1), selected=0)
    small = rows(shown, 40, 8, marks)
    assert small[1] == " 1   · [●V3] · °●V3  ·   +   ·"
    assert small[3] == " 3   ·   +   ·   ·   ·   ·   ·"


def test_marked_places_tell_their_holder_also_under_a_unit() -> None:
    spots = tuple(
        Spot(id=i, name=at, kind="objective", at=MAP.centre(at), radius=0, holder=holder)
        for i, (at, holder) in enumerate((("A1", None), ("C1", 1), ("E1", 0)))
    )
    shown = picture(spots=spots, groups=(group(0, 0, "vehicle-medium", "E1"),))
    assert rows(shown, 40, 8)[1] == " 1  {*}  ·  {N}  · *●V3  ·   ·"
    assert rows(shown, 60, 14)[2].rstrip().endswith("{S}")


def test_the_sections_stand_under_the_map_and_what_is_meant_is_told_without_colour() -> None:
    shown = picture(zones=(section("West, your left", 0, 2), section("Centre", 2, 5), section("East", 5, 7, lit=True)))
    result = rows(shown, 40, 8)
    assert result[-1] == "   your le|── Centre ─|═ EAST |"
    assert result[1] == " 1   ·   ·   ·   ·   ·   •   •"
    assert rows(shown, 60, 14)[-1].startswith("    your left |")
    wide = picture(zones=(section("West, your left", 0, 4), section("East", 4, 7)))
    assert rows(wide, 63, 20)[-1].startswith("   ─────── West, your left ───────|")


def test_ground_and_markers_of_the_game_have_textures_of_their_own() -> None:
    from caltrop.engine import ruleset
    from caltrop.terminal.board import textures

    rules = ruleset("hex-command")
    kinds = set()
    for card in rules.scenarios():
        grounds = rules.depict(rules.setup(rules.book(), card.id), 0).grounds
        names = textures(grounds)
        assert len(set(names.values())) == len(names)
        kinds |= set(names)
    assert {"woods", "ruins", "hill", "water", "citadel", "entrenchment"} <= kinds


def test_markers_are_the_first_letters_of_their_names_under_the_unit() -> None:
    tokens = (
        Token(kind="ordered", label="ordered"),
        Token(kind="leader", label="with a leader"),
        Token(kind="moved", label="moved 1 hex"),
    )
    shown = picture(groups=(group(0, 0, "vehicle-medium", "A1", tokens=tokens),))
    assert rows(shown, 60, 14)[2] == "    om"


def test_a_place_is_typed_by_its_name_and_what_is_none_names_the_nearest() -> None:
    shown = picture()
    assert words.read_place("c4", shown) == MAP.centre("C4")
    assert words.place(MAP.centre("C4"), shown) == "C4"
    place = words.read_place("G9", shown)
    assert isinstance(place, str)
    assert "the nearest hex is G5" in place
    assert "is not a hex" in str(words.read_place("4,5", shown))


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("ivG", (1, 2, 3)),
        ("t r l", (5, 6, 4)),
        ("IVX", "'X' is not on the die"),
        ("IV", "2 dice are typed in, and 3 dice are needed"),
    ],
)
def test_symbols_are_typed_by_their_letters(text: str, result: tuple[int, ...] | str) -> None:
    read = words.read_faces(text, 6, 3, FACES)
    assert read == result if isinstance(result, tuple) else isinstance(read, str) and read.startswith(result)


def test_a_symbol_that_is_on_several_faces_is_typed_as_the_first() -> None:
    faces = ("infantry", "infantry", "vehicle", "target")
    assert words.read_faces("VIT", 4, 3, faces) == (3, 1, 4)


def test_dice_with_numbers_are_typed_by_them() -> None:
    assert words.read_faces("361", 6, 3, ()) == (3, 6, 1)
    assert words.read_faces("12, 3", 20, 2, ()) == (12, 3)
    assert words.read_faces("7", 6, 1, ()) == "7 is not on a die with 6 sides; they go from 1 to 6"


def test_symbols_are_told_by_letters_and_in_words() -> None:
    line = LogEntry(
        n=1,
        act=1,
        side=0,
        kind="Rolled",
        text="At Unit 1: 3 3 6",
        dice=(Thrown(faces=(3, 3, 6), sides=6, words="Fire"),),
    )
    assert words.entry(line, FACES) == "Fire  ‹G G R› 2 God Machine, 1 retreat"
    assert words.entry(line) == "At Unit 1: 3 3 6  ‹3 3 6› d6"


def test_a_card_lights_the_sections_that_it_names() -> None:
    zones = (section("West, your left", 0, 2), section("Centre", 2, 5), section("East, your right", 5, 7))
    lit = {
        area: [zone.name for zone in zones if words.names_area(Card(kind="x", title="X", words="", area=area), zone)]
        for area in ("left", "centre", "both", "all", "")
    }
    assert lit == {
        "left": ["West, your left"],
        "centre": ["Centre"],
        "both": ["West, your left", "East, your right"],
        "all": [zone.name for zone in zones],
        "": [],
    }


# By keyboard.


def battle(scenario: str, *seats: str, **more: Any) -> dict[str, Any]:
    return {"ruleset": "hex-command", "scenario": scenario, "seats": list(seats), **more}


async def go_to(driver: Driver, name: str) -> None:
    """Move the cursor to a hex by its name."""
    await driver.press("g", name[0].lower(), *name[1:], "enter")


async def by_cursor(driver: Driver, by_list: bool = False) -> str:
    """Answer the current question: on the map if a choice is aimed at a hex or a unit, otherwise in the list.

    Args:
        driver: The screen.
        by_list: True to use the list in any case.

    Returns:
        The kind of the decision.
    """
    here = await my_turn(driver)
    assert here.decision is not None
    asked, acts = here.decision, here.sitting.table.game.acts
    aimed = [c.offer for c in here.every if c.offer and not c.final and (c.offer.spot or c.offer.target is not None)]
    # Units move forward if they can, so that the armies meet.
    forward = 1 if here.view.you == 0 else -1
    offer = max(aimed, key=lambda offer: (offer.spot or (0, 0))[1] * forward, default=None)
    if offer is None:
        await driver.press("1", "enter")
    elif by_list:
        here.selected = offer.unit
        screen(driver).choosing.show()
        await write(driver, str(next(i for i, c in enumerate(here.listed) if c.offer == offer) + 1))
        await driver.press("enter")
    else:
        if offer.unit is not None and offer.unit != here.selected:
            while here.selected != offer.unit:
                await driver.press("n")
        spot = offer.spot
        if spot is None:
            target = here.group(offer.target)
            assert target is not None
            spot = target.pieces[0].at
        await go_to(driver, words.place(spot, here.picture))
        for _ in range(12):
            if 0 <= here.at < len(here.listed) and here.listed[here.at].offer == offer:
                break
            await driver.press("space")
        assert here.listed[here.at].offer == offer
        await driver.press("enter")
    for _ in range(200):
        if here.sitting.table.game.acts > acts or here.view.dice is not None:
            return asked.kind
        await driver.pause(0.02)
    raise AssertionError(f"{asked.kind} was not answered: {here.message}")


async def test_a_whole_battle_is_played_against_the_computer_by_the_map(sit: Sit) -> None:
    sitting = sit()
    await sitting.begin(battle("first-battle", "person", "random"))
    async with Terminal(sitting).run_test(size=SMALL) as driver:
        met: dict[str, int] = {}
        while (here := await my_turn(driver)).view.over is None:
            assert here.decision is not None
            kind = await by_cursor(driver, by_list=met.get(here.decision.kind, 0) > 2)
            met[kind] = met.get(kind, 0) + 1
        assert {"PlayACard", "OrderUnits", "MoveUnits", "ChooseBattle"} <= set(met)
        assert "The game is over" in pane(driver, "choices")


async def test_two_people_play_under_a_curtain_and_hear_what_has_happened(sit: Sit) -> None:
    sitting = sit()
    await sitting.begin(battle("first-battle", "person", "person"))
    async with Terminal(sitting).run_test(size=SMALL) as driver:
        here = await my_turn(driver)
        first = here.picture.hand
        # South plays a card, but orders and moves no unit.
        await driver.press("1", "enter")
        for _ in range(6):
            await driver.pause(0.05)
            if is_shown(driver, Curtain):
                break
            await driver.press("e")
        assert is_shown(driver, Curtain)
        assert "Ashen Horde" in pane(driver, "curtain")
        assert all(card.title not in pane(driver, "curtain") for card in first)
        await driver.press("enter")
        await driver.pause(0.05)
        assert is_shown(driver, TextPage)
        recap = pane(driver, "sheet")
        assert f"Iron Concord plays {first[0].title}" in recap
        assert "Iron Concord draws a card" in recap
        await driver.press("enter")
        await driver.pause()
        here = desk(driver)
        assert here.view.you == 1
        assert len(here.picture.hand) == 5
        await driver.press("c")
        await driver.pause()
        cards = pane(driver, "sheet")
        assert "Iron Concord: 5 cards" in cards
        assert f"played last: {first[0].title}" in cards


@pytest.mark.parametrize(
    ("columns", "events"),
    [(120, ("A Iron Concord, you:", "B Ashen Horde, random:")), (90, ("A Iron Concord, you:", "B Ashen Horde:")),
     (80, ("A you:", "B Ashen Horde:")), (62, ("A:", "B:"))],
)  # fmt: skip
async def test_the_top_tells_which_side_is_yours_as_long_as_there_is_room(
    sit: Sit, columns: int, events: tuple[str, str]
) -> None:
    sitting = sit()
    await sitting.begin(battle("first-battle", "person", "random"))
    async with Terminal(sitting).run_test(size=(columns, 24)) as driver:
        await my_turn(driver)
        sides = pane(driver, "top").splitlines()[1]
        assert all(text in sides for text in events)


async def test_what_the_heading_says_is_not_said_again_with_each_choice(sit: Sit) -> None:
    sitting = sit()
    await sitting.begin(battle("free-battle", "person", "person", armies=["ashen-horde", "dust-host"]))
    async with Terminal(sitting).run_test(size=LARGE) as driver:
        here = await my_turn(driver)
        unit = here.group(here.selected)
        assert unit is not None
        assert here.listed[0].words.startswith(f"Place the {unit.name} at ")
        rows = [row.strip() for row in pane(driver, "choices").splitlines()]
        assert rows.count(f"Place the {unit.name}") == 1
        assert f"1 at {here.listed[0].words.rpartition(' ')[2]}" in rows
        assert not any(row.startswith("2 Place") for row in rows)


async def test_arrows_go_through_the_hand_until_esc_gives_them_to_the_map(sit: Sit) -> None:
    sitting = sit()
    await sitting.begin(battle("first-battle", "person", "random"))
    async with Terminal(sitting).run_test(size=SMALL) as driver:
        here = await my_turn(driver)
        cursor = here.cursor
        await driver.press("down", "down", "up")
        assert here.at == 0
        assert here.cursor == cursor
        words = pane(driver, "choices")
        assert here.picture.hand[0].clauses[0] in words
        await driver.press("escape", "escape", "right")
        assert here.cursor != cursor
        assert here.at == -1
        await driver.press("tab", "down")
        assert here.at == 1
        assert here.decision is not None
        await driver.press("enter")
        await driver.pause()
        assert sitting.view().picture.seats[0].played == here.view.picture.seats[0].played is not None


async def test_the_cursor_highlights_what_is_aimed_at_its_hex_and_enter_takes_nothing_elsewhere(sit: Sit) -> None:
    sitting = sit()
    await sitting.begin(battle("first-battle", "person", "random"))

    class To(Action, frozen=True):
        hex: str

    async with Terminal(sitting).run_test(size=LARGE) as driver:
        here = await my_turn(driver)
        assert here.decision is not None
        centre = hexes.map_of(here.picture).names
        offers = (
            *(Offer(action=To(hex=name), words=f"Go to {name}", spot=centre[name].at) for name in ("B5", "C5")),
            Offer(action=To(hex="C5"), words="Go to C5 alone", spot=centre["C5"].at),
            Offer(action=To(hex="E1"), words="Strike", target=here.picture.groups[-1].id),
        )
        here.every = words.choices(replace(here.decision, offers=offers), here.picture)
        here.in_hand = False
        screen(driver).choosing.show()
        await go_to(driver, "B5")
        assert here.at == 0
        await driver.press("right")
        assert here.at == 1
        assert "2 choices" in pane(driver, "message")
        await driver.press("space")
        assert here.at == 2
        await driver.press("space", "right")
        assert here.at == -1
        await driver.press("enter")
        assert "Choose first" in pane(driver, "message")
        at = here.picture.groups[-1].pieces[0].at
        await go_to(driver, words.place(at, here.picture))
        assert here.at == 3
        await go_to(driver, "Z99")
        assert "Z99" in pane(driver, "message")
        assert here.at == 3


async def test_inspecting_measuring_and_sight(sit: Sit) -> None:
    sitting = sit()
    await sitting.begin(battle("crossroads", "person", "random"))
    async with Terminal(sitting).run_test(size=LARGE) as driver:
        await my_turn(driver)
        await go_to(driver, "F8")
        await driver.press("i")
        await driver.pause()
        words = pane(driver, "sheet")
        assert all(part in words for part in ("F8, Centre", "Line Troops", "Hero", "HX-S20", "Dice by range"))
        await driver.press("i")
        await driver.pause()
        await go_to(driver, "E5")
        await driver.press("i")
        await driver.pause()
        assert "Ruins: Stops all but God Machines" in pane(driver, "sheet")
        await driver.press("i")
        await driver.pause()
        await go_to(driver, "E5")
        await driver.press("m")
        await go_to(driver, "G4")
        assert "3 hexes from E5" in pane(driver, "message")
        await driver.press("m", "l")
        await driver.pause(0.05)
        assert "Select a unit first" in pane(driver, "message")


async def test_sight_names_what_is_in_the_way(sit: Sit) -> None:
    sitting = sit()
    await sitting.begin(battle("crossroads", "person", "random"))
    async with Terminal(sitting).run_test(size=LARGE) as driver:
        here = await my_turn(driver)
        tanks = next(g for g in here.picture.groups if words.place(g.pieces[0].at, here.picture) == "E8")
        here.selected = tanks.id
        counts = {}
        for name in ("E1", "F8"):
            await go_to(driver, name)
            await driver.press("l")
            for _ in range(100):
                await driver.pause(0.02)
                if here.sighting is not None and "see" in pane(driver, "message"):
                    break
            assert here.sighting is not None
            counts[name] = here.sighting
            message = pane(driver, "message").replace("\n", " ")
            assert ("✓" if here.sighting.seen else "✗") in message
            assert all(line.by in message for line in here.sighting.lines)
            assert ("×" in pane(driver, "board")) != here.sighting.seen
        assert {result.seen for result in counts.values()} == {True, False}
        # The line of sight can also start at the place where the ruler starts.
        await go_to(driver, "E3")
        await driver.press("m")
        await go_to(driver, "E1")
        await driver.press("l")
        await driver.pause(0.3)
        assert "From E3" in pane(driver, "message")
        await driver.press("escape")
        assert here.sighting is None


async def test_real_dice_are_typed_in_by_their_letters(sit: Sit) -> None:
    sitting = sit()
    await sitting.begin(battle("first-battle", "person", "person", dice="typed"))
    async with Terminal(sitting).run_test(size=SMALL) as driver:
        here = await my_turn(driver)
        while here.dice_wanted() is None:
            await by_cursor(driver, by_list=True)
            await driver.pause(0.02)
            here = desk(driver) if desk(driver).dice_wanted() is not None else await my_turn(driver)
        dice = here.dice_wanted()
        assert dice is not None
        assert "I infantry, V vehicle" in pane(driver, "choices").replace("\n", " ")
        await write(driver, "i" * (dice.count + 1))
        await driver.press("enter")
        assert f"and {dice.count} dice are needed" in pane(driver, "message").replace("\n", " ")
        await driver.press("escape")
        await write(driver, "r" * dice.count)
        assert "> " + "R" * dice.count in pane(driver, "message")
        await driver.press("enter")
        await driver.pause(0.05)
        fell = [roll for line in sitting.view().log for roll in line.dice if roll.typed]
        assert fell[-1].faces == (6,) * dice.count
        await driver.press("d")
        await driver.pause()
        assert "R retreat" in pane(driver, "sheet")


@pytest.mark.parametrize(
    ("scenario", "size"),
    [("crossroads", SMALL), ("crossroads", (100, 30)), ("crossroads", LARGE), ("crossroads", (160, 60)),
     ("godfall", SMALL)],
)  # fmt: skip
async def test_the_whole_map_is_seen_and_nothing_is_cut(sit: Sit, scenario: str, size: tuple[int, int]) -> None:
    sitting = sit()
    await sitting.begin(battle(scenario, "person", "person"))
    async with Terminal(sitting).run_test(size=size) as driver:
        here = await my_turn(driver)
        window = here.window()
        for name in ("A1", "M1", "A9", "M9"):
            column, row = window.cell(hexes.map_of(here.picture).names[name].at)
            assert 0 <= column < window.columns
            assert 0 <= row < window.rows
        for name in ("top", "board", "choices", "log", "message", "keys"):
            part = screen(driver).query_one(f"#{name}")
            assert part.region.right <= size[0]
            assert part.region.bottom <= size[1]
            assert all(len(row) <= part.size.width for row in pane(driver, name).splitlines())
        board = pane(driver, "board")
        assert all(sign in board for sign in ("●♦◉♣▒^={}" if scenario == "crossroads" else "●♦◈♣▒░^"))
        assert "more rows" not in pane(driver, "top") + pane(driver, "keys") + pane(driver, "message")
        assert screen(driver).query_one("#choices").size.width >= 23
        assert board.splitlines()[0][MARGIN:].split() == list("ABCDEFGHIJKLM")
