"""Army lists: the parts of units, the limits of a list, and files that are read back unchanged."""

from __future__ import annotations

from pathlib import Path

import pytest

from caltrop import InputError
from caltrop.engine import Book
from caltrop.rules.command_horizon import ruleset
from caltrop.rules.command_horizon.armies import (
    LISTS,
    ArmyList,
    Body,
    Entry,
    army_list,
    check,
    every_list,
    find,
    muster,
    plural,
    written,
)
from caltrop.rules.command_horizon.catalogue import unit_kind

CURRENT = ruleset.book()
EARLIER = ruleset.book("v1.5")


def body(army: str, kind: str, book: Book = CURRENT, **fields: object) -> Body:
    """Return one unit, as an army list makes it."""
    entry = Entry(kind=kind, **fields)  # type: ignore[arg-type]
    return muster(book, ArmyList(id="x", title="X", army=army, units=(entry,)))[0]


@pytest.mark.clause(
    *("CH-ALL-02", "CH-ALL-03", "CH-ALL-04", "CH-ALL-05", "CH-ALL-06", "CH-ASORI-04", "CH-ASORI-05", "CH-ASORI-06"),
    *("CH-ASORI-07", "CH-PUT-12", "CH-PUT-13", "CH-PUT-14", "CH-PUT-15", "CH-PUT-16", "CH-PUT-17", "CH-PUT-22", "W67"),
    *("CH-ALL-11", "CH-ALL-12", "CH-ALL-13", "CH-ALL-14", "CH-ALL-15", "CH-ASORI-12", "CH-ASORI-13", "Q-ART-4"),
)
@pytest.mark.parametrize(
    ("army", "kind", "models"),
    [
        ("alliance", "light-tank", 5),
        ("alliance", "medium-tank", 4),
        ("alliance", "heavy-tank", 3),
        ("alliance", "artillery", 3),
        ("alliance", "command", 3),
        ("alliance", "infantry", 6),
        ("alliance", "heavy-weapons", 9),
        ("asori", "light-tank", 4),
        ("asori", "medium-tank", 4),
        ("asori", "heavy-tank", 4),
        ("asori", "command", 1),
        ("asori", "infantry", 8),
        ("putredine", "light-tank", 3),
        ("putredine", "medium-tank", 3),
        ("putredine", "heavy-tank", 3),
        ("putredine", "artillery", 3),
        ("putredine", "slugger", 2),
        ("putredine", "carrier", 3),
        ("putredine", "infantry", 6),
    ],
)
def test_full_units_have_the_printed_number_of_models(army: str, kind: str, models: int) -> None:
    assert len(body(army, kind).bases) == models


@pytest.mark.clause("CH-ALL-07", "CH-ASORI-08", "Q-ASORI-3", "Q-ART-4", "W67")
def test_the_earlier_edition_has_other_commands() -> None:
    assert len(body("alliance", "command", EARLIER).bases) == 4
    assert len(body("asori", "command", EARLIER).bases) == 1
    assert len(body("alliance", "artillery", EARLIER).bases) == 3
    two = ruleset.book("v1.5", {"v15.heavyCommandTanks": 2})
    assert len(body("asori", "command", two).bases) == 2
    assert len(body("asori", "command", ruleset.book("current", {"v15.heavyCommandTanks": 2})).bases) == 1


@pytest.mark.clause("CH-ALL-10", "CH-ASORI-11", "CH-PUT-21", "Q-INF-1", "Q-SETUP-7")
def test_bases_and_the_figures_on_them() -> None:
    figures = {army: unit_kind(CURRENT, army, "infantry").figures for army in ("alliance", "asori", "putredine")}
    assert figures == {"alliance": 4, "asori": 2, "putredine": 6}
    assert [unit_kind(CURRENT, "alliance", k).base_radius for k in ("infantry", "heavy-tank", "command")] == [
        100,
        150,
        200,
    ]


@pytest.mark.clause(
    *("CH-ALL-09", "CH-ALL-19", "CH-ALL-21", "CH-ASORI-09", "CH-ASORI-10", "CH-ASORI-15", "CH-PUT-18", "CH-PUT-19"),
    *("CH-PUT-20", "CH-ALL-08", "W67"),
)
def test_what_the_race_packs_print_about_units() -> None:
    def row(army: str, kind: str) -> tuple[int, int, int]:
        k = unit_kind(CURRENT, army, kind)
        return (k.number("range_cm"), k.number("dice"), k.number("defence"))

    assert row("putredine", "light-tank") == (20, 1, 0)
    assert row("putredine", "medium-tank") == (30, 2, 1)
    assert row("putredine", "heavy-tank") == (40, 3, 2)
    assert row("asori", "command") == (50, 4, 2)
    assert unit_kind(CURRENT, "alliance", "artillery").unit_class == "medium"
    assert unit_kind(CURRENT, "alliance", "heavy-weapons").number("cc_dice") == 1
    assert unit_kind(CURRENT, "asori", "infantry").number("cc_dice") == 2
    assert unit_kind(CURRENT, "asori", "infantry").number("dice") == 2
    assert unit_kind(CURRENT, "alliance", "infantry").number("defence") == 0


@pytest.mark.clause("CH-SQUAD-01", "CH-ALL-11", "CH-ASORI-12")
def test_bases_know_their_squad() -> None:
    assert [squad for _, squad, _ in body("alliance", "infantry").bases] == [0, 0, 1, 1, 2, 2]
    part = body("alliance", "infantry", squads=2)
    assert (len(part.bases), part.squads) == (4, 1), "two Squads are a group, and no Platoon"
    assert body("asori", "infantry").squads == 4


@pytest.mark.clause("CH-ALL-16", "Q-INF-5")
def test_a_heavy_weapon_squad_may_be_broken_up_over_a_platoon() -> None:
    kinds = [(kind, squad) for kind, squad, _ in body("alliance", "infantry", teams=3).bases]
    assert kinds == [(k, s) for s in (0, 1, 2) for k in ("infantry", "infantry", "heavy-weapons")]
    for fields in ({"teams": 1}, {"teams": 3, "squads": 2}):
        assert "CH-ALL-16" in complaint("alliance", Entry(kind="infantry", **fields))  # type: ignore[arg-type]
    assert "CH-ALL-16" in complaint("asori", Entry(kind="infantry", teams=4))
    assert "CH-ALL-16" in complaint("alliance", Entry(kind="light-tank", teams=3))


def complaint(army: str, *units: Entry, book: Book = CURRENT, folder: Path | None = None) -> str:
    """Return the complaint about a list."""
    import tempfile

    with tempfile.TemporaryDirectory() as temporary:
        file = (folder or Path(temporary)) / "list.yaml"
        file.write_text(written(ArmyList(id="x", title="X", army=army, units=units)), encoding="utf-8")
        with pytest.raises(InputError) as raised:
            check(army_list(file), book)
    assert raised.value.source == str(file)
    return str(raised.value).removeprefix(f"{file.parent}/")


@pytest.mark.clause("Q-SETUP-7")
def test_an_army_has_at_most_one_command_unit() -> None:
    words = complaint("asori", Entry(kind="command"), Entry(kind="light-tank"), Entry(kind="command"))
    assert "Q-SETUP-7" in words
    assert words.startswith("list.yaml:8:")


@pytest.mark.clause("CH-ALL-02", "CH-PUT-17", "CH-SQUAD-10", "CH-SQUAD-01", "CH-PUT-02", "Q-PUT-1")
def test_what_a_list_may_not_say() -> None:
    assert "has 4 models" in complaint("alliance", Entry(kind="medium-tank", models=3))
    assert "CH-PUT-17" in complaint("putredine", Entry(kind="carrier", models=4))
    assert "CH-PUT-17" in complaint("putredine", Entry(kind="carrier", models=0))
    assert "CH-SQUAD-10" in complaint("alliance", Entry(kind="light-tank", squads=1))
    assert "CH-SQUAD-01" in complaint("alliance", Entry(kind="infantry", squads=4))
    assert "CH-PUT-02" in complaint("alliance", Entry(kind="light-tank", gland="small"))
    assert "CH-PUT-02" in complaint("putredine", Entry(kind="infantry", gland="small"))
    assert "did you mean 'heavy-tank'" in complaint("asori", Entry(kind="hevy-tank"))
    assert "did you mean 'asori'" in complaint("asory", Entry(kind="light-tank"))
    assert "not an army of the edition v1.5" in complaint("putredine", Entry(kind="light-tank"), book=EARLIER)


@pytest.mark.clause("CH-PUT-02", "CH-PUT-03", "CH-PUT-04", "CH-PUT-17", "Q-PUT-1")
def test_node_glands_sit_on_one_model_of_each_vehicle_unit() -> None:
    assert [g for _, _, g in body("putredine", "heavy-tank").bases] == [1, 0, 0]
    assert [g for _, _, g in body("putredine", "medium-tank", gland="large").bases] == [2, 0, 0]
    assert [g for _, _, g in body("putredine", "carrier", models=2, gland="none").bases] == [0, 0]
    assert [g for _, _, g in body("putredine", "infantry").bases] == [0] * 6


@pytest.mark.clause("Q-PUT-1", "Q-SETUP-7")
@pytest.mark.parametrize("id", LISTS.files)
def test_the_lists_that_come_along(id: str, tmp_path: Path) -> None:
    army = find(CURRENT, id)
    assert army.id == id
    race, _, size = id.rpartition("-")
    assert (army.army, len(army.units)) == (race, int(size))
    assert find(CURRENT, race, int(size)) == army
    copy = tmp_path / "copy.yaml"
    copy.write_text(written(army), encoding="utf-8")
    assert army_list(copy).value == army, "a list comes back as it was"
    assert find(CURRENT, str(copy)) == army
    if race == "putredine":
        large = sum(e.gland == "large" for e in army.units)
        assert large == 1
    else:
        assert find(EARLIER, id) == army
        assert sum(e.kind == "command" for e in army.units) == 1


def test_there_are_three_sizes_for_each_race() -> None:
    assert [a.id for a in every_list()] == [f"{r}-{n}" for r in ("alliance", "asori", "putredine") for n in (4, 7, 11)]


def test_words_that_mean_no_army() -> None:
    with pytest.raises(InputError, match="did you mean 'asori-7'"):
        find(CURRENT, "asori-77")
    with pytest.raises(InputError, match="4, 7, 11"):
        find(CURRENT, "asori", 5)
    with pytest.raises(InputError, match="has 7 units"):
        find(CURRENT, "asori-7", 4)
    with pytest.raises(InputError, match="cannot be read"):
        find(CURRENT, "nowhere/list.yaml")


def test_names_tell_units_of_a_kind_apart() -> None:
    assert [b.name for b in muster(CURRENT, find(CURRENT, "alliance-7"))] == [
        "Command Unit",
        "1st Light Tanks",
        "2nd Light Tanks",
        "Medium Tanks",
        "Heavy Tanks",
        "Mobile Artillery",
        "Infantry Platoon",
    ]
    assert body("alliance", "infantry", name="The Old Guard").name == "The Old Guard"
    assert body("alliance", "heavy-weapons", squads=1).name == "Heavy Weapon Squad"


@pytest.mark.parametrize(
    ("kind", "squads", "platoon", "words"),
    [
        ("infantry", 1, 1, "Riflemen"),
        ("infantry", 1, 3, "Riflemen Squad"),
        ("infantry", 2, 3, "Riflemen Squads"),
        ("infantry", 3, 3, "Riflemen Platoon"),
    ],
)
def test_what_a_unit_is_called(kind: str, squads: int, platoon: int, words: str) -> None:
    assert plural("Riflemen", kind, squads, platoon) == words
