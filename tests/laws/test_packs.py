"""Laws of packs: rows depend on the book of one game, and games without a pack are unchanged."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from caltrop.chance import Seeded
from caltrop.engine import Match, ruleset, stored
from caltrop.engine.packs import (
    CARRIED,
    PACK,
    Pack,
    PackFile,
    PackUsed,
    Sheet,
    pack_called,
    read_pack,
    reading,
    written,
)
from caltrop.errors import InputError
from caltrop.journal import Record, Setting, decoded, encoded, record_of, replay
from caltrop.kit.armies import read_army
from caltrop.scenarios.packs import install
from tests.laws.games import NAMES
from tests.tiers import everything

ACTS = 60
"""Largest number of acts of a game."""

CHANGES: dict[str, dict[str, Any]] = {
    "squad-action": {"profiles": {"regular": {"fire": 2}}, "terrain": {"woods": {"going": {"foot": {"factor": 3}}}}},
    "blade-skirmish": {
        "terrain": {"rough": {"going": {"slowed": {"factor": 5}}}},
        "foes": {"hound": {"title": "Wolf"}},
    },
    "hex-command": {"units": {"vehicle-medium": {"dice": [5, 4, 4]}}, "cards": {"probe-left": {"units": 3}}},
    "command-horizon": {
        "units": {"alliance/medium-tank": {"dice": 5}},
        "tables": {"main": {"stun": [4], "kill": [5, 6]}},
    },
    "duel": {"terrain": {"mud": {"going": {"walker": {"factor": 4}}}}},
}
"""The changes of a pack for each game."""


def pack_of(name: str, rows: dict[str, Any], id: str = "trial", **more: Any) -> Pack:
    """Return a pack that changes some rows of a game."""
    pack = {"format": "caltrop-pack", "ruleset": name, "id": id, "title": id.title(), "rows": rows, **more}
    return ruleset(name).pack(read_pack(pack))


def setting_of(name: str, pack: Pack | None = None) -> Setting:
    """Return the settings of a game's first battle with a pack."""
    rules = ruleset(name)
    return Setting.of(rules.book(None, {} if pack is None else {PACK: pack.name}), rules.scenarios()[0].id)


def played(setting: Setting, acts: int = ACTS) -> Iterator[bytes]:
    """Yield the stored states of a random game."""
    match = setting.begin(Seeded("a pack"))
    yield from walked(match, acts)


def walked(match: Match, acts: int) -> Iterator[bytes]:
    """Play a match on at random; yield its stored states."""
    dice = Seeded("acts")
    for _ in range(acts):
        yield stored(match.state)
        if match.over is not None:
            return
        asked = match.waiting[0]
        match.play(asked.side, asked.options(match.view(asked.side)).sample(dice), asked)


@pytest.mark.parametrize("name", NAMES)
def test_games_with_other_packs_share_nothing(name: str) -> None:
    pack = pack_of(name, CHANGES[name])
    alone = [list(played(setting_of(name))), list(played(setting_of(name, pack)))]
    assert alone[0][0] != alone[1][0] or name in ("blade-skirmish", "duel", "command-horizon", "squad-action")
    # Two equal games are played at the same time, act by act.
    plain, packed = played(setting_of(name)), played(setting_of(name, pack))
    both: list[list[bytes]] = [[], []]
    for _ in range(ACTS + 1):
        for game, states in zip((plain, packed), both, strict=True):
            states += [state for state in (next(game, None),) if state is not None]
    assert both == alone


@pytest.mark.parametrize("name", NAMES)
def test_a_pack_that_changes_nothing_changes_no_battle(name: str) -> None:
    pack = pack_of(name, {})
    assert list(played(setting_of(name, pack))) == list(played(setting_of(name)))


@pytest.mark.parametrize("name", NAMES)
def test_rows_hang_on_the_book(name: str) -> None:
    rules, pack = ruleset(name), pack_of(name, CHANGES[name])
    plain, packed = rules.book(), rules.book(None, {PACK: pack.name})
    for sheet in rules.sheets:
        for key, words in CHANGES[name].get(sheet.name, {}).items():
            before, after = sheet.plain(sheet.of(plain)[key]), sheet.plain(sheet.of(packed)[key])
            assert all(after[field] != before.get(field) for field in words)
        untouched = set(sheet.printed(rules.editions[0])) - set(CHANGES[name].get(sheet.name, {}))
        assert all(sheet.of(packed)[key] is sheet.of(plain)[key] for key in untouched)
    assert PACK not in plain.rules


@pytest.mark.parametrize("name", NAMES)
def test_the_views_and_pictures_of_a_game_with_a_pack(name: str) -> None:
    match = setting_of(name, pack_of(name, CHANGES[name])).begin(Seeded("views"))
    for _ in walked(match, 12):
        for side in (None, 0, 1):
            match.ruleset.depict(match.view(side), side)


@pytest.mark.parametrize("name", NAMES)
def test_a_record_says_what_it_needs(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CALTROP_DATA", str(tmp_path))
    pack = pack_of(name, CHANGES[name])
    setting = setting_of(name, pack)
    match = setting.begin(Seeded("record"))
    list(walked(match, 20))
    record = decoded(encoded(record_of(match, setting, everything=True)))
    assert isinstance(record.pack, PackUsed)
    assert record.pack.name == record.rules[PACK] == pack.name
    assert list(replay(record))
    # The same record with a pack that is too large to include.
    bare = msgspec.structs.replace(record, pack=msgspec.structs.replace(record.pack, content=msgspec.UNSET))
    needed = forgotten(bare, pack)
    with pytest.raises(InputError, match=f"needs the pack '{pack.file.id}', digest {'0' * 32}.*caltrop pack install"):
        list(replay(needed))
    install(pack.file)
    assert list(replay(bare))


def forgotten(record: Record, pack: Pack) -> Record:
    """Return a record that needs a pack which no machine has."""
    return msgspec.structs.replace(record, rules={**record.rules, PACK: f"{pack.file.id}@{'0' * 32}"})


def test_a_record_does_not_pass_another_pack_off_for_its_own() -> None:
    one, other = pack_of("duel", CHANGES["duel"]), pack_of("duel", {}, id="trial")
    setting = setting_of("duel", one)
    false = msgspec.structs.replace(setting, pack=other.used())
    with pytest.raises(InputError, match="not the one that the house rules name"):
        false.begin(Seeded(1))


def test_a_large_pack_is_named_and_not_carried() -> None:
    words = ["x" * 290 + f"{n:03}" for n in range(260)]
    armies = {
        f"a{n}": {"ruleset": "duel", "id": "a", "title": "A", "words": words[n * 6 : n * 6 + 6]} for n in range(40)
    }
    file = read_pack({"format": "caltrop-pack", "ruleset": "duel", "id": "large", "title": "Large", "armies": armies})
    assert len(written(file)) > CARRIED
    pack = ruleset("duel").pack(file)
    setting = setting_of("duel", pack)
    record = record_of(setting.begin(Seeded(1)), setting, everything=True)
    assert isinstance(record.pack, PackUsed)
    assert record.pack.content is msgspec.UNSET
    assert record.pack.name == pack.name


@pytest.mark.parametrize("name", NAMES)
def test_printed_rows_lie_within_the_bounds_of_packs(name: str) -> None:
    rules = ruleset(name)
    for sheet in rules.sheets:
        whole = {key: sheet.plain(row) for key, row in sheet.printed(rules.editions[0]).items()}
        laid = pack_of(name, {sheet.name: whole})
        assert dict(laid.rows(sheet, rules.editions[0])) == dict(sheet.printed(rules.editions[0]))


def numbers(sheet: Sheet[Any], edition: str) -> list[tuple[str, int]]:
    """Return the fields of a sheet that are whole numbers, with the ends of their bounds."""
    rows = [sheet.plain(row) for row in sheet.printed(edition).values()]
    fields = sorted({field for row in rows for field, value in row.items() if type(value) is int})
    return [(field, end) for field in fields for end in sheet.limits.get(field, (0, 100))]


EXTREMES = [
    (name, sheet.name, field, end)
    for name in NAMES
    for sheet in ruleset(name).sheets
    if sheet.name != "terrain"
    for field, end in numbers(sheet, ruleset(name).editions[0])
]


@pytest.mark.parametrize(("name", "sheet", "field", "end"), EXTREMES if everything() else EXTREMES[::7])
def test_a_battle_with_extreme_numbers_can_be_played(name: str, sheet: str, field: str, end: int) -> None:
    rules = ruleset(name)
    of = next(one for one in rules.sheets if one.name == sheet)
    rows = {key: {field: end} for key, row in of.printed(rules.editions[0]).items() if field in of.plain(row)}
    try:
        pack = pack_of(name, {sheet: rows})
        match = setting_of(name, pack).begin(Seeded("extremes"))
    except InputError:
        return  # the pack is refused with a reason: armies are too expensive, or numbers contradict each other
    for _ in walked(match, 40):
        pass


def test_a_pack_is_the_same_wherever_it_is_read() -> None:
    words = {"title": "Mud", "id": "mud", "ruleset": "duel", "format": "caltrop-pack", "rows": CHANGES["duel"]}
    one, other = read_pack(words), read_pack(dict(reversed(words.items())))
    assert Pack(one).name == Pack(other).name
    assert Pack(read_pack({**words, "words": "x"})).name != Pack(one).name


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"ruleset": "chess"}, "this pack is for 'chess'; this game is 'duel'"),
        ({"rows": {"mud": {}}}, "duel has no rows of this name; it is one of terrain"),
        ({"rows": {"terrain": {"lava": {}}}}, "rows.terrain.lava: there is no such row; it is one of mud"),
        ({"rows": {"terrain": {"mud": {"ruogh": True}}}}, "there is no such key; did you mean 'rough'?"),
        ({"rows": {"terrain": {"mud": {"rough": 3}}}}, "rows.terrain.mud.rough: this must be true or false"),
        ({"rows": {"terrain": {"mud": {"going": {"walker": {"factor": 10**9}}}}}}, "the nearest is 2540"),
        ({"rules": {"parry.price": 9}}, "parry.price is 1 or a whole number from 0 to 3; here it is 9"),
        ({"rules": {"pack": "x"}}, "a pack cannot name another pack"),
        ({"id": "No Id"}, "id"),
        ({"format": "zip"}, "'zip' is not allowed here"),
        ({"format_version": 2}, "this pack has format 2"),
        ({"secret": 1}, "there is no such key"),
    ],
)
def test_what_is_wrong_with_a_pack_is_said(change: dict[str, Any], message: str) -> None:
    words = {"format": "caltrop-pack", "ruleset": "duel", "id": "mud", "title": "Mud", **change}
    with pytest.raises(InputError) as error:
        ruleset("duel").pack(read_pack(words))
    assert message in str(error.value)


def test_a_house_rule_of_a_pack_holds_until_another_is_chosen() -> None:
    rules, pack = ruleset("duel"), pack_of("duel", {}, rules={"parry.price": 2})
    assert rules.book(None, {PACK: pack.name}).rules["parry.price"] == 2
    assert rules.book(None, {PACK: pack.name, "parry.price": 0}).rules["parry.price"] == 0
    assert rules.book().rules["parry.price"] == 1


def test_odds_are_asked_with_a_pack() -> None:
    referee = ruleset("hex-command").referee
    assert referee is not None
    request = {
        "ruleset": "hex-command",
        "attacker": {"class": "vehicle", "type": "medium"},
        "target": {"class": "infantry", "type": "medium", "strength": 4},
        "range": 1,
    }
    pack = pack_of("hex-command", CHANGES["hex-command"])
    plain, named = referee.odds(request), referee.odds({**request, "pack": pack.name})
    document = msgspec.to_builtins(pack.file)
    assert named == referee.odds({**request, "pack": document}) == referee.odds({**request, "rules": {PACK: pack.name}})
    assert plain != named
    assert referee.odds(request) == plain
    new = pack_of("hex-command", {"units": {"vehicle-hover": {"like": "vehicle-light", "dice": [6]}}})
    hover = {**request, "attacker": {"class": "vehicle", "type": "hover"}, "pack": new.name}
    assert referee.odds(hover) != plain
    with pytest.raises(InputError, match="hover"):
        referee.odds({**hover, "pack": pack.name})


def test_a_pack_brings_armies_and_scenarios() -> None:
    army = {"ruleset": "duel", "id": "ace", "title": "Ace", "units": [{"name": "Ace", "wounds": 2, "breath": 1}]}
    scenario = {
        "ruleset": "duel",
        "id": "ring",
        "title": "Ring",
        "minutes": 5,
        "words": "A ring.",
        "table": [20, 20],
        "rounds": 4,
        "duellists": [{"name": one, "wounds": 1, "breath": 1, "at": [at, at]} for one, at in (("A", 5), ("B", 15))],
    }
    rules, pack = ruleset("duel"), pack_of("duel", {}, armies={"ace": army}, scenarios={"ring": scenario})
    book = rules.book(None, {PACK: pack.name})
    t: Any = rules.begin(book, "ring", ("ace", "ace"))
    assert (t.width, t.duellists[0].name) == (2000, "Ace")
    with pytest.raises(InputError, match="there is no scenario 'ring'"):
        rules.begin(rules.book(), "ring")


@pytest.mark.parametrize("name", [name for name in NAMES if (lists := ruleset(name).army_lists) and lists.shipped()])
def test_an_army_costs_what_its_units_do_by_the_pack(name: str) -> None:
    """If a unit has no price any more, an army with it has no cost, rather than one by printed numbers."""
    rules = ruleset(name)
    armoury = rules.army_lists
    assert armoury is not None
    pack = pack_of(name, CHANGES[name])
    book, plain = rules.book(None, {PACK: pack.name}), rules.book()
    unpriced = 0
    for id in armoury.shipped():
        army = read_army(armoury.shipped()[id], armoury.form, name).value
        units = range(len(getattr(army, armoury.units)))
        with reading(pack):
            priced = [armoury.price(book, army, n) for n in units]
            lost = [n for n in units if priced[n] is None and armoury.price(plain, army, n) is not None]
            unpriced += len(lost)
            assert armoury.cost(book, army) is None or not lost
            if armoury.card is not None:
                assert armoury.card(book, id).points == armoury.cost(book, army)
    assert unpriced > 0 or not armoury.measured


def test_a_pack_that_nobody_has_is_asked_for_by_name() -> None:
    with pytest.raises(InputError, match="there is no pack 'nothing' here"):
        pack_called("nothing")


def test_the_type_of_a_pack_is_plain_data() -> None:
    assert msgspec.json.decode(written(PackFile(format="caltrop-pack", ruleset="duel", id="a", title="A"))) == {
        "format": "caltrop-pack", "ruleset": "duel", "id": "a", "title": "A"
    }  # fmt: skip


def test_units_that_a_card_of_a_pack_orders_to_stand_do_not_move() -> None:
    from caltrop.rules.hex_command.routes import why_still

    for stays, code in ((True, "stands"), (False, None)):
        pack = pack_of("hex-command", {"cards": {"probe-left": {"stays": stays}}}, id=f"standing-{int(stays)}")
        t: Any = setting_of("hex-command", pack).begin(Seeded("a card")).state.clone()
        unit = t.of_side(0)[0]
        t.card = "probe-left"
        t.ordered.append(unit.id)
        refusal = why_still(t, unit)
        assert (refusal and refusal.code) == code
