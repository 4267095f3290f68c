"""Drafts of tables: laws for every scenario of every game."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest

from caltrop.engine import ruleset, rulesets
from caltrop.errors import InputError
from caltrop.scenarios.drafts import (
    LARGEST_DRAFT,
    checked,
    every_fault,
    maps_of,
    read_draft,
    shipped_draft,
    text_of,
    yaml_of,
)
from caltrop.scenarios.forms import parts_of, schema_of
from caltrop.scenarios.symmetry import symmetric

EVERY = [(name, id) for name in rulesets() for id in maps_of(name)[1].files]


@pytest.mark.parametrize(("name", "id"), EVERY)
def test_every_shipped_scenario_is_a_draft_without_faults(name: str, id: str) -> None:
    """The draft has the table of the scenario, and is unchanged after conversion to text and to YAML."""
    draft = shipped_draft(name, id)
    result = checked(name, draft)
    assert result.faults == ()
    assert result.picture is not None
    rules = ruleset(name)
    shipped = rules.depict(rules.setup(rules.book(), id), None)
    assert (result.picture.width, result.picture.height) == (shipped.width, shipped.height)
    assert sorted(sorted(one.outline) for one in result.picture.grounds) == sorted(
        sorted(one.outline) for one in shipped.grounds
    )
    assert sorted(one.at for one in result.picture.spots) == sorted(one.at for one in shipped.spots)
    assert read_draft(yaml_of(draft)) == read_draft(text_of(draft)) == draft


@pytest.mark.parametrize(("name", "id"), EVERY)
@pytest.mark.parametrize("how", ["rotate", "mirror"])
def test_a_symmetric_table_stays_the_same(name: str, id: str, how: Any) -> None:
    """The ground of a symmetric table does not change when it is made symmetric again, and the given draft is
    unchanged.
    """
    draft = shipped_draft(name, id)
    before = copy.deepcopy(draft)
    once = symmetric(name, draft, how)
    assert draft == before
    schema = schema_of(maps_of(name)[2].form)

    def ground(one: dict[str, Any]) -> list[str]:
        result = []
        for part in parts_of(schema, one):
            if part.role in ("box", "disc", "place", "hexes", "hex", "rows", "edge", "outline", "line"):
                points = part.role in ("outline", "line")
                result.append(f"{part.role} {sorted(part.value) if points else part.value}")
        return sorted(result)

    assert ground(symmetric(name, once, how)) == ground(once)


@pytest.mark.parametrize("name", rulesets())
def test_every_piece_that_is_wrong_is_named(name: str, tmp_path: Path) -> None:
    """Each fault has its own place, and the first is worded as by `validate`. Faultless pieces are on the table."""
    _rules, maps, files = maps_of(name)
    draft = shipped_draft(name, next(iter(maps.files)))
    lists = [key for key, value in draft.items() if isinstance(value, list) and value and key in ("terrain", "mud")]
    if not lists:
        draft = shipped_draft(name, next(id for id in maps.files if _pieces(shipped_draft(name, id))))
        lists = [_pieces(draft)]
    key = lists[0]
    if isinstance(draft[key], dict):
        kinds = list(draft[key])
        draft[key][kinds[0]] += " Z99"
        places: list[tuple[str | int, ...]] = [(key, kinds[0])]
    else:
        good = copy.deepcopy(draft[key][0])
        draft[key] = [{"kind": "nothing"}, good, "no piece"]
        places = [(key, 0), (key, 2)]
    result = checked(name, draft)
    assert list(dict.fromkeys(fault.path[:2] for fault in result.faults)) == places
    assert result.picture is not None
    file = tmp_path / "draft.yaml"
    file.write_text(yaml_of(draft))
    with pytest.raises(InputError) as error:
        files.check(file)
    assert error.value.message == result.faults[0].words


def test_every_value_that_is_wrong_is_named(tmp_path: Path) -> None:
    """A wrong value that the form needs hides no fault of a piece. Faults that might only follow are left out."""
    rules, _, files = maps_of("squad-action")
    draft = shipped_draft("squad-action", "meeting-engagement") | {"minutes": -3, "turns": "many", "goal": "meetin"}
    draft["terrain"][1] |= {"kind": "wods"}
    draft["terrain"][2] |= {"colour": "red"}
    faults = [".".join(map(str, fault.path)) for fault in checked("squad-action", draft).faults]
    assert faults == ["minutes", "goal", "turns", "terrain.2.colour", "terrain.1.kind"]
    paths = [fault.path for fault in every_fault(rules, files, {**draft, "table": ["wide", 36]})[0]]
    assert set(paths) == {("minutes",), ("goal",), ("turns",), ("table", 0), ("terrain", 2, "colour")}


def _pieces(draft: dict[str, Any]) -> str:
    """Return the key of a draft's ground; empty if it has none."""
    return next((key for key in ("terrain", "mud") if draft.get(key)), "")


@pytest.mark.parametrize("name", rulesets())
@pytest.mark.parametrize("text", [
    "", "\n", "[", "[]\n", "a\n", "ruleset: nothing\n", "table: &a [*a, *a]\n", "!!python/object:os.system {}\n",
    "{" * 60 + "\n", "table: [9e999, .nan]\n", "terrain: !!binary aaaa\n", "\x00\n", "id: ../../etc/passwd\n",
])  # fmt: skip
def test_hostile_texts_have_faults(name: str, text: str) -> None:
    """Hostile texts have faults at one key, besides the keys that they lack, and raise no other error."""
    result = checked(name, text)
    assert result.faults
    assert len({fault.path[:1] for fault in result.faults if fault.words != "this key is missing"}) <= 1
    assert len({fault.path for fault in result.faults}) == len(result.faults)
    assert result.picture is None


@pytest.mark.parametrize("name", rulesets())
@pytest.mark.parametrize("value", [None, True, -1, 1e308, "x" * 500, [], {}, [[]], [{}], {"a": [1]}])
def test_a_wrong_value_anywhere_is_a_fault_or_nothing(name: str, value: Any) -> None:
    """Any value under any key is reported without an exception. Symmetry reports it in one error."""
    draft = shipped_draft(name, next(iter(maps_of(name)[1].files)))
    for key in draft:
        broken = {**draft, key: value}
        checked(name, broken)
        try:
            symmetric(name, broken, "rotate")
        except InputError:
            continue


@pytest.mark.parametrize("name", rulesets())
def test_a_draft_that_is_too_large_is_refused(name: str) -> None:
    """The same holds for a draft with more pieces than a table may have."""
    draft = shipped_draft(name, next(iter(maps_of(name)[1].files)))
    result = checked(name, {**draft, "words": "x" * LARGEST_DRAFT})
    assert [fault.path for fault in result.faults] == [()]
    assert result.picture is None
    with pytest.raises(InputError, match="at most"):
        read_draft("x" * (LARGEST_DRAFT + 1))


def test_a_game_without_tables_is_refused() -> None:
    """The refusal names the nearest game."""
    with pytest.raises(InputError, match="did you mean"):
        checked("command-horizn", {})
    with pytest.raises(InputError, match="no scenario"):
        shipped_draft("duel", "nowhere")
