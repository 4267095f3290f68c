"""Army lists of every game: three equal forms, tolerant reading of words, and refusals."""

from __future__ import annotations

import random
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest

from caltrop import InputError
from caltrop.engine import ruleset, rulesets
from caltrop.engine.army import ArmyOption, ArmyUnit
from caltrop.kit.armies import LONGEST, as_text_of_file, draft_of, filed, packed, read_army, unpacked
from caltrop.kit.army_sheet import ArmySheet, sheet
from caltrop.kit.army_text import Draft, armoury_of, texted
from caltrop.roster import read_yaml

GAMES = [name for name in rulesets() if ruleset(name).army_lists is not None]
SHIPPED = [(name, id) for name in GAMES for id in armoury_of(ruleset(name)).shipped()]
DRAWN = 500
"""Number of random army lists, for all games together."""
AWKWARD = (
    "",
    "Ann",
    'Say "hi"',
    "A; B, (C)",
    "Ünïcode – 名",
    "true",
    "12",
    "-",
    "x: y",
    "# army",
    "a\\b",
    "{",
    " both ",
)


def shipped(game: str, id: str) -> Draft:
    """Return a supplied list of a game."""
    return {"ruleset": game, **read_yaml(armoury_of(ruleset(game)).shipped()[id], dict[str, Any]).value}


def forms(game: str, draft: Draft) -> dict[str, str]:
    """Return a list as a text to paste, as a link and as a file."""
    rules = ruleset(game)
    return {"text": texted(draft, rules), "link": f"http://here/armies{packed(draft)}", "file": filed(draft, rules)}


@pytest.mark.parametrize(("game", "id"), SHIPPED)
def test_lists_that_games_come_with_are_the_same_in_every_form(game: str, id: str) -> None:
    draft, form = shipped(game, id), armoury_of(ruleset(game)).form
    plain = msgspec.json.decode(msgspec.json.encode(draft))
    whole = read_army(armoury_of(ruleset(game)).shipped()[id], form, game).value
    for name, written in forms(game, plain).items():
        assert draft_of(written) == (plain, game), name
        assert read_army(written, form, game).value == whole, name
    assert sheet(ruleset(game), plain, agreed=0).ready


def drawn(dice: random.Random, game: str) -> Draft:
    """Return a random list of units and options from the catalogue, with names that are hard to write."""
    rules = ruleset(game)
    armoury, book = armoury_of(rules), rules.book()
    draft: Draft = {"ruleset": game, "title": dice.choice(AWKWARD), "id": dice.choice(("mine", "7", "a-b"))}
    if armoury.race:
        draft[armoury.race] = dice.choice([race.value for race in armoury.races(book)])
    if dice.random() < 0.3:
        draft["words"] = dice.choice(AWKWARD)
    catalogue = armoury.catalogue(book, draft)
    entries = []
    for _ in range(dice.randrange(8)):
        entry = drawn_entry(dice, dice.choice(catalogue))
        if armoury.count and dice.random() < 0.5:
            entry[armoury.count] = dice.randrange(1, 15)
        entries += [entry] * dice.choice((1, 1, 2))
    return {**draft, armoury.units: entries}


def drawn_entry(dice: random.Random, unit: ArmyUnit) -> dict[str, Any]:
    """Return a random entry for a unit, with some options and sometimes an unknown word."""
    entry = {**unit.entry, **(unit.also if dice.random() < 0.5 else {})}
    for option in unit.options:
        if dice.random() < 0.4:
            entry[option.field] = drawn_value(dice, option)
    if dice.random() < 0.1:
        entry[dice.choice(("look", "nonsense"))] = dice.choice((*AWKWARD, 3, True, None, [1, {"a": "b;c"}]))
    if dice.random() < 0.05 and unit.entry:
        entry[next(iter(unit.entry))] = "flying-castle"
    return entry


def drawn_value(dice: random.Random, option: ArmyOption) -> Any:
    """Return a random value for an option, sometimes an invalid one."""
    if dice.random() < 0.1:
        return dice.choice((*AWKWARD, -1, 99, [], {}, None, 1.5, ["none of these"]))
    if option.sort == "number":
        return dice.randint(option.least, option.most)
    if option.sort == "one":
        return dice.choice(option.choices).value
    if option.sort == "several":
        return [dice.choice(option.choices).value for _ in range(dice.randrange(4))]
    return dice.choice((True, False)) if option.sort == "yes" else dice.choice(AWKWARD)


@pytest.mark.parametrize("part", range(10))
def test_lists_that_are_drawn_are_the_same_in_every_form(part: int) -> None:
    dice = random.Random(f"armies {part}")
    for _ in range(DRAWN // 10):
        game = dice.choice(GAMES)
        draft = drawn(dice, game)
        for name, written in forms(game, draft).items():
            assert draft_of(written, game) == (draft, game), (name, written)


@pytest.mark.parametrize("part", range(4))
def test_a_sheet_offers_what_the_rules_allow_and_refuses_the_rest(part: int) -> None:
    """Adding an offered unit causes no fault that more units would not mend; adding a refused unit does."""
    dice = random.Random(f"sheets {part}")
    for _ in range(6):
        game = dice.choice(GAMES)
        shown = sheet(ruleset(game), drawn(dice, game))
        wrong = faults_of(shown)
        for offer in shown.catalogue:
            entries = [*shown.draft[shown.field], offer.entry]
            after = sheet(ruleset(game), {**shown.draft, shown.field: entries})
            new = [one for one in faults_of(after) if one not in wrong and not one.unfinished]
            assert bool(offer.refusal) == bool(new), (offer.unit.key, offer.refusal, new)


def faults_of(shown: ArmySheet) -> list[Any]:
    """Return all faults of a list."""
    return [*shown.faults, *[one for unit in shown.units for one in unit.faults]]


@pytest.mark.parametrize("game", GAMES)
def test_a_list_may_begin_with_nothing(game: str) -> None:
    shown = sheet(ruleset(game), {})
    assert [fault.message for fault in shown.faults] == ["An army needs a unit"]
    assert not shown.ready
    assert shown.catalogue
    assert all(not offer.refusal for offer in shown.catalogue)
    assert draft_of(shown.link) == (shown.draft, game)


@pytest.mark.parametrize("game", GAMES)
def test_all_points_that_a_scenario_asks_for_can_be_agreed_on(game: str) -> None:
    rules = ruleset(game)
    usual = sheet(rules, {}).usual
    assert {points for card in rules.scenarios() for points in card.limits} <= {*usual}


LOOSE = """
My red column

Game: hex command
 * 2x battle tank
 * Line troops x3
 3 scouts
 - Hero “Iska the Bold”
"""


def test_words_are_read_as_people_type_them() -> None:
    draft, game = draft_of(LOOSE)
    assert game == "hex-command"
    assert draft["title"] == "My red column"
    assert draft["units"] == [
        {"kind": "vehicle-medium", "count": 2},
        {"kind": "infantry-medium", "count": 3},
        {"kind": "infantry-light", "count": 3},
        {"kind": "leader-light", "name": "Iska the Bold"},
    ]


COLUMN = [{"kind": "vehicle-medium", "count": 2}, {"kind": "infantry-medium", "count": 3}, {"kind": "infantry-light"}]


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("2x Battle Tanks, 3 Line Troops, Scouts", "Army"),
        ("2 x Battle Tanks\n3 x Line Troops\nScouts", "Army"),
        ("Battle Tanks x2\nLine Troops x3\nScouts", "Army"),
        ("Red\nGame: Hex Command\n\n1. x2 battle-tank\n2. Line Troops x3\n3. Scout", "Red"),
        ("Red\n\n● 2 Battle Tanks (14 pts)\n● 3 Line Troops [9pts]\n● Scouts - 2 points\nTotal: 25 pts", "Red"),
        ("Red\n\nVehicles:\n2 Battle Tanks @ 14p\n\nInfantry:\n3 Line Troops\nScouts\n= 25 points", "Red"),
        ("# Red\n\n## Vehicles\n* **2 Battle Tanks**\n## Infantry\n* **3 Line Troops**\n* **Scouts**\n", "Red"),
        ("Scouts\n\n- 2 x Battle Tanks\n- 3 x Line Troops\n- Scouts\n", "Scouts"),
    ],
)
def test_lists_of_other_programs_and_chats_are_read(text: str, title: str) -> None:
    """Numbers, prices, headings, bullets and commas do not belong to a unit's name."""
    draft, game = draft_of(text)
    assert (game, draft["title"], draft["units"]) == ("hex-command", title, COLUMN)


def test_a_typed_list_needs_no_names_and_no_numbers_of_models() -> None:
    """The builder names new units in the same way. A line with the name of a game says the game."""
    draft, game = draft_of("Sunday list\nSquad Action\n\n2 x Regulars (80 pts)\nTeapot\n- Veteran\n")
    assert (game, draft["title"]) == ("squad-action", "Sunday list")
    names = [entry["name"] for entry in draft["units"]]
    assert names == ["Regular", "Regular (2)", "Teapot", "Veteran"]
    del draft["units"][2]
    shown = sheet(ruleset(game), draft)
    assert shown.ready
    assert shown.points == 130


def test_long_lines_of_blanks_and_commas_are_read_in_no_time() -> None:
    start = time.perf_counter()
    blanks = "a" + " " * 60_000 + "b"
    for line in (blanks, "2 x" + " x" * 30_000, "Scouts" + "," * 60_000, "Scouts," * 9_000, "(" * 60_000):
        with suppress(InputError):
            draft_of(f"Red\n\n{line}\n- Scouts\n")
        with suppress(InputError):
            draft_of(line)
    assert time.perf_counter() - start < 20


def test_a_text_that_names_no_game_is_of_the_game_that_has_its_units() -> None:
    assert draft_of("Mine\n- Land Battleship\n- 2 x Scout Titan\n")[1] == "hex-command"
    draft, game = draft_of("Mine\n- Worm\n- Slugger\n- 2 Carriers\n")
    assert (game, draft["army"]) == ("command-horizon", "putredine")
    with pytest.raises(InputError, match="which game is it for"):
        draft_of("Hello\n- there\n- friend\n")


def test_unknown_names_are_kept_with_the_one_that_was_perhaps_meant() -> None:
    text = "Mine\nGame: Command Horizon\nArmy: Asori\n\n- Medum Tank\n- Teapot\n- Heavy Tank\n"
    draft, game = draft_of(text)
    assert [entry["kind"] for entry in draft["units"]] == ["Medum Tank", "Teapot", "heavy-tank"]
    shown = sheet(ruleset(game), draft)
    first, second, third = shown.units
    assert (first.title, first.key) == ("Medum Tank", "")
    assert first.faults[0].message == "there is no unit 'Medum Tank'; did you mean Medium Tank?"
    assert first.faults[0].nearest == "medium-tank"
    assert "there are " in second.faults[0].message
    assert third.faults == ()
    assert shown.points is not None, "the rest is counted"
    assert draft_of(shown.text) == (shown.draft, game), "unknown names are kept in every form"
    with pytest.raises(InputError, match=r"the given text:5:1: units\[0\]\.kind: .*did you mean Medium Tank"):
        read_army(text, armoury_of(ruleset(game)).form, game)


@pytest.mark.parametrize(
    ("game", "entries", "key", "clause"),
    [
        ("command-horizon", [{"kind": "command"}], "command", "Q-SETUP-7"),
        ("hex-command", [{"kind": "leader-light", "count": 2}], "leader-light", "HX-S64"),
        ("hex-command", [{"kind": "infantry-light", "count": 14}], "infantry-light", "HX-S64"),
        ("blade-skirmish", [{"quality": 1, "name": n} for n in "ABCDEFGH"], "quality-1", "BS-S31"),
        ("blade-skirmish", [{"quality": 3, "name": n} for n in "ABC"], "quality-1", "BS-S31"),
        ("squad-action", [{"vehicle": "heavy-tank", "name": n} for n in "AB"], "battle-tank", "SQ-S70"),
    ],
)
def test_what_cannot_be_added_is_refused_with_its_clause(game: str, entries: list[Any], key: str, clause: str) -> None:
    field = armoury_of(ruleset(game)).units
    shown = sheet(ruleset(game), {field: entries})
    offer = next(offer for offer in shown.catalogue if offer.unit.key == key)
    assert clause in offer.refusal
    fewer = sheet(ruleset(game), {field: entries[:-1]})
    if len(entries) > 1 or game == "command-horizon":
        assert next(offer for offer in fewer.catalogue if offer.unit.key == key).refusal == ""


def test_what_more_units_can_mend_keeps_nobody_from_adding_one() -> None:
    shown = sheet(ruleset("hex-command"), {"units": [{"kind": "god-machine-heavy"}]})
    assert {fault.clause for fault in shown.faults} == {"HX-S64"}
    assert all(fault.unfinished for fault in shown.faults)
    assert all(not offer.refusal for offer in shown.catalogue if offer.unit.group == "Infantry")


@pytest.mark.parametrize(
    ("link", "words"),
    [
        ("#army=", "cut short"),
        ("#army=2abc", "of version 2"),
        ("#army=1!!!", "cut short"),
        ("#army=1" + "A" * 40, "cut short"),
        (packed({"ruleset": "duel", "title": "x" * 2 * LONGEST}), "cut short"),
        (packed({"ruleset": "duel", "title": "Long enough to cut"})[:-9], "cut short"),
        (packed([]), "contains no army list"),  # type: ignore[arg-type]
        (packed({"ruleset": "chess"}), "there is no game 'chess'"),
        (packed({"ruleset": 3}), "there is no game 3"),
    ],
)
def test_a_link_that_is_none_is_refused_in_one_sentence(link: str, words: str) -> None:
    with pytest.raises(InputError, match=words) as raised:
        draft_of(link)
    assert "\n" not in str(raised.value)


def test_words_around_a_link_are_no_part_of_it() -> None:
    link = f"http://127.0.0.1:8420/armies{packed({'ruleset': 'duel', 'title': 'Mine'})}"
    for word in (f"Look ({link})!", f"{link} is mine", f"<{link}>", f"{link}&from=chat"):
        assert unpacked(word)["title"] == "Mine"


def test_links_of_version_1_are_read_for_good() -> None:
    link = "http://127.0.0.1:8420/armies#army=1q1YqKs1JLU4FaUgpTc1R0oGrADJhemNrAQ"
    assert unpacked(link) == {"ruleset": "duel", "title": "", "units": []}


def test_a_text_that_is_too_long_is_refused() -> None:
    with pytest.raises(InputError, match="at most 65536 characters"):
        draft_of("Mine\n" + "- Hero\n" * 20_000)


def test_a_word_is_kept_as_the_text_of_a_file(tmp_path: Path) -> None:
    text = 'Mine\nGame: Duel\n\n- Duellist "Fern" (Wounds: 3; Breath: 3)\n'
    written = as_text_of_file(text, "duel")
    assert read_yaml(written, dict[str, Any]).value["units"] == [{"name": "Fern", "wounds": 3, "breath": 3}]
    assert as_text_of_file(written, "duel") == written
    assert as_text_of_file("six-blades", "blade-skirmish") == "six-blades"
    assert as_text_of_file(packed(draft_of(text)[0]), "duel") == written
    file = tmp_path / "mine.txt"
    file.write_text(text, encoding="utf-8")
    assert as_text_of_file(str(file), "duel") == written
    file.write_text(text.replace("3;", "33;"), encoding="utf-8")
    with pytest.raises(InputError, match=r"mine\.txt:4:1: units\[0\]\.wounds: 33 is out of range"):
        as_text_of_file(str(file), "duel")
    with pytest.raises(InputError, match="this army list is for 'duel'"):
        as_text_of_file(text, "hex-command")
