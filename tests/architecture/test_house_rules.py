"""Every value of every house rule has a test that would miss it.

A test says so with `@pytest.mark.house("cover.stack", "no", "yes")`; that it is true is tried out by
`make mutants ARGS="--kinds house"`, which lets each value mean another.
"""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

from caltrop.engine import HouseValue, ruleset

TESTS = Path(__file__).parents[1]
SWITCHES = tuple(s for name in ("command-horizon", "hex-command", "blade-skirmish") for s in ruleset(name).switches)


@cache
def claims() -> tuple[tuple[str, str, tuple[HouseValue, ...]], ...]:
    """Every `house` mark of a test: where it stands, its house rule, and the values."""
    found = []
    for path in sorted(TESTS.rglob("test_*.py")):
        # A game that is still being written has marks, and no promise that they are all of them.
        if path == Path(__file__).resolve() or "squad_action" in path.parts:
            continue
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "house":
                name, *values = [ast.literal_eval(a) for a in node.args]
                found.append((f"{path.relative_to(TESTS)}:{node.lineno}", name, tuple(values)))
    return tuple(found)


def claimed(name: str) -> list[HouseValue]:
    """The values of a house rule that some test claims."""
    return [v for _, of, values in claims() if of == name for v in values]


def test_every_listed_value_has_a_test() -> None:
    assert len(SWITCHES) == 50 + 16 + 27
    missing = [f"{s.name}={v}" for s in SWITCHES for v in s.values if v not in claimed(s.name)]
    assert not missing


def test_of_an_open_range_both_ends_and_one_within_have_a_test() -> None:
    open_ranges = [s for s in SWITCHES if s.min is not None and s.max is not None]
    assert [s.name for s in open_ranges] == ["game.rounds", "hand_size", "gut_marker_turns", "table_in"]
    for s in open_ranges:
        assert s.min is not None
        assert s.max is not None
        values = claimed(s.name)
        assert s.min in values
        assert s.max in values
        assert any(isinstance(v, int) and s.min < v < s.max and v not in s.values for v in values)


def test_no_test_claims_a_value_that_is_not_there() -> None:
    known = {s.name: s for s in SWITCHES}
    for where, name, values in claims():
        assert name in known, where
        assert values, f"{where} names no value of {name}"
        for value in values:
            assert known[name].read(value) == value, where
            assert type(known[name].read(value)) is type(value), where
