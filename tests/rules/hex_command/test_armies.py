"""Army lists: prices, composition, equal points, and errors with their place."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from caltrop import InputError
from caltrop.engine import Book
from caltrop.kit.words import in_front, ordinal, tell_apart
from caltrop.rules.hex_command.armies import (
    LISTS,
    army_list,
    check,
    cost,
    every_list,
    find,
    kinds_of,
)
from caltrop.rules.hex_command.catalogue import UNITS, price
from caltrop.rules.hex_command.rulebook import ruleset

IDS = tuple(LISTS.files)


def book(**rules: str | int) -> Book:
    """Return the house rules of a match."""
    return ruleset.book(None, rules)


def written(*units: str) -> str:
    """Return an army list with entries `kind` or `kind x count`."""
    lines = ["ruleset: hex-command", "id: y", "title: Y", "units:"]
    for unit in units:
        kind, _, count = unit.partition(" x ")
        lines.append(f"  - {{kind: {kind}, count: {count or 1}}}")
    return "\n".join(lines) + "\n"


@pytest.mark.clause("HX-S62", "HX-S63", "HX-S20", "HX-S21")
def test_the_two_armies_of_the_printed_battles() -> None:
    concord, horde = find(book(), "iron-concord"), find(book(), "ashen-horde")
    assert (cost(book(), concord), len(kinds_of(concord))) == (82, 11)
    assert (cost(book(), horde), len(kinds_of(horde))) == (81, 12)
    assert Counter(k.key for k in kinds_of(concord)) == {
        "god-machine-heavy": 1,
        "vehicle-heavy": 1,
        "vehicle-medium": 2,
        "vehicle-light": 1,
        "infantry-medium": 3,
        "infantry-heavy": 1,
        "infantry-super-heavy": 1,
        "leader-light": 1,
    }
    assert Counter(k.key for k in kinds_of(horde))["god-machine-light"] == 2


@pytest.mark.clause("HX-S62", "HX-S63", "HX-S70")
def test_the_lists_are_those_that_fight_at_the_crossroads() -> None:
    t = ruleset.setup(book(), "crossroads")
    for side, army in enumerate(("iron-concord", "ashen-horde")):
        assert Counter(u.kind for u in t.of_side(side)) == Counter(k.key for k in kinds_of(find(book(), army)))


@pytest.mark.clause("HX-S64", "HX-S21")
@pytest.mark.house("battle_die", "d6_even", "d8_weighted")
@pytest.mark.parametrize("id", IDS)
def test_every_list_is_valid_with_either_die(id: str) -> None:
    assert find(book(), id).id == id
    assert 81 <= cost(book(), find(book(), id)) <= 82
    dear = book(battle_die="d8_weighted")
    assert 88 <= cost(dear, find(dear, id)) <= 90


@pytest.mark.clause("HX-S21")
@pytest.mark.house("battle_die", "d6_even", "d8_weighted")
def test_prices() -> None:
    usual, dear = book(), book(battle_die="d8_weighted")
    of = {
        "infantry": ((4, 5, 7, 7), (4, 5, 7, 7)),
        "vehicle": ((6, 7, 8, 11), (7, 8, 10, 13)),
        "leader": ((3, 6, 6, 8), (3, 7, 8, 11)),
        "god-machine": ((12, 17, 22, 26), (14, 20, 25, 30)),
    }
    for word, (cheap, high) in of.items():
        rows = [UNITS[f"{word}-{type}"] for type in ("light", "medium", "heavy", "super-heavy")]
        assert tuple(price(usual, row) for row in rows) == cheap
        assert tuple(price(dear, row) for row in rows) == high


def test_there_are_five_of_different_characters() -> None:
    lists = every_list()
    assert len(lists) == 5
    assert {lists[0].id, lists[1].id} == {"iron-concord", "ashen-horde"}
    assert all(army.words for army in lists)
    giants = {army.id: sum(k.points for k in kinds_of(army) if k.unit_class == "god-machine") for army in lists}
    assert len(set(giants.values())) == 5
    assert [card.size for card in ruleset.armies()] == [len(kinds_of(army)) for army in lists]


INFANTRY = "infantry-medium x 3"


@pytest.mark.clause("HX-S64")
@pytest.mark.parametrize(
    ("units", "words"),
    [
        ((INFANTRY, "infantry-light x 11"), None),
        ((INFANTRY, "infantry-light x 12"), "at most 14 pieces; this one has 15"),
        (("infantry-medium x 2", "leader-medium"), "at least 3 infantry units; this one has 2"),
        ((INFANTRY, "leader-light x 2"), None),
        ((INFANTRY, "leader-light x 3"), "at most 2 single Leaders; this one has 3"),
        ((INFANTRY, "leader-medium x 3"), None),
        ((INFANTRY, "god-machine-light"), None),
        (
            (INFANTRY, "god-machine-light x 2"),
            "half the points are in God Machines: 19 of 39; this army has 24 in them",
        ),
    ],
)
def test_composition(units: tuple[str, ...], words: str | None) -> None:
    read = army_list(written(*units))
    if words is None:
        check(read, book())
        return
    with pytest.raises(InputError, match=words) as raised:
        check(read, book())
    assert (raised.value.line, "HX-S64" in str(raised.value)) == (4, True)


@pytest.mark.clause("HX-S64")
def test_equal_points() -> None:
    small = written(INFANTRY, "vehicle-medium x 3", "leader-light")
    assert len(find(book(), small, 39).units) == 3
    assert len(find(book(), small, 41).units) == 3, "two points less buy nothing"
    with pytest.raises(InputError, match="costs 39 points, and 42 are agreed on; 40 to 42"):
        find(book(), small, 42)
    with pytest.raises(InputError, match="and 38 are agreed on"):
        find(book(), small, 38)
    with pytest.raises(InputError, match="and 82 are agreed on"):
        find(book(), small)
    t = ruleset.setup(book(), "free-battle", (small, small), 40)
    assert [sum(u.side == side for u in t.units) for side in (0, 1)] == [7, 7]
    assert t.field.names == ("Y (South)", "Y (North)")


@pytest.mark.parametrize(
    ("old", "new", "where", "what"),
    [
        ("infantry-medium", "infantry-midium", ":5:", "did you mean 'infantry-medium'"),
        ("count: 3", "count: 0", ":5:", "the nearest right value is 1"),
        ("title: Y", "tilte: Y", ":3:", "did you mean 'title'"),
        ("ruleset: hex-command", "ruleset: hex-comand", ":1:", "did you mean 'hex-command'"),
    ],
)
def test_errors_name_the_place_and_the_nearest_word(tmp_path: Path, old: str, new: str, where: str, what: str) -> None:
    file = tmp_path / "y.yaml"
    file.write_text(written(INFANTRY), encoding="utf-8")
    files = ruleset.army_lists
    assert files is not None
    assert files.check(file) == "the army list Y, 3 pieces for 15 points"
    assert old in written(INFANTRY)
    file.write_text(written(INFANTRY).replace(old, new), encoding="utf-8")
    with pytest.raises(InputError) as raised:
        army_list(file)
    assert where in str(raised.value)
    assert what in str(raised.value)


def test_names() -> None:
    assert tell_apart(["Scouts", "Hero", "Scouts"], in_front) == ["1st Scouts", "Hero", "2nd Scouts"]
    assert [ordinal(n) for n in (1, 2, 3, 4, 11, 12, 13, 21)] == [
        "1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st",
    ]  # fmt: skip
    own = written(INFANTRY).replace("count: 3", "count: 3, name: Wardens")
    t = ruleset.setup(book(), "free-battle", (own, own), 15)
    assert [u.name for u in t.units] == ["1st Wardens", "2nd Wardens", "3rd Wardens"] * 2
