"""Every value of every house rule has a test that would miss it.

A test says so with `@pytest.mark.house("cover.stack", "no", "yes")`, in the folder of its game, because two games may
have house rules of the same name. `make mutants ARGS="--kinds house"` checks these claims: it gives each value the
meaning of another.
"""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

from caltrop.engine import HouseValue, Switch, ruleset, rulesets

TESTS = Path(__file__).parents[1]
SWITCHES = tuple((name, s) for name in rulesets() for s in ruleset(name).switches)
MARK_ONE = 'mark a test of it in tests/rules/GAME, as in @pytest.mark.house("cover.stack", "no", "yes")'


@cache
def claims() -> tuple[tuple[str, str, str, tuple[HouseValue, ...]], ...]:
    """Return every `house` mark of a test: its place, its game, its house rule, and the values."""
    result = []
    for path in sorted(TESTS.rglob("test_*.py")):
        if path == Path(__file__).resolve():
            continue
        text = path.read_text(encoding="utf-8")
        if ".house(" not in text:
            continue
        room, _, game = path.parent.relative_to(TESTS).as_posix().partition("/")
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "house":
                name, *values = [ast.literal_eval(a) for a in node.args]
                where = f"{path.relative_to(TESTS)}:{node.lineno}"
                result.append((where, game.replace("_", "-") if room == "rules" else "", name, tuple(values)))
    return tuple(result)


def claimed(game: str, name: str) -> list[HouseValue]:
    """Return the values of a house rule that tests of its game claim to notice."""
    return [v for _, of, rule, values in claims() if (of, rule) == (game, name) for v in values]


def test_every_listed_value_has_a_test() -> None:
    assert SWITCHES
    missing = [f"{game}: {s.name}={v}" for game, s in SWITCHES for v in s.values if v not in claimed(game, s.name)]
    assert not missing, MARK_ONE


def test_of_an_open_range_both_ends_and_one_within_have_a_test() -> None:
    open_ranges = [(game, s) for game, s in SWITCHES if s.min is not None and s.max is not None]
    assert open_ranges
    for game, s in open_ranges:
        assert s.min is not None
        assert s.max is not None
        values = claimed(game, s.name)
        within = [v for v in values if isinstance(v, int) and s.min < v < s.max and v not in s.values]
        assert s.min in values, f"{s.name}={s.min}: {MARK_ONE}"
        assert s.max in values, f"{s.name}={s.max}: {MARK_ONE}"
        assert within, f"{s.name} between {s.min} and {s.max}, and not a listed value: {MARK_ONE}"


def test_no_test_claims_a_value_that_is_not_there() -> None:
    names: dict[tuple[str, str], Switch] = {(game, s.name): s for game, s in SWITCHES}
    for where, game, name, values in claims():
        assert (game, name) in names, where
        assert values, f"{where} names no value of {name}"
        for value in values:
            assert names[game, name].read(value) == value, where
            assert type(names[game, name].read(value)) is type(value), where
