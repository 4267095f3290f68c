"""Every test asserts something, and no assertion is always true."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.architecture.trees import statements

TESTS = Path(__file__).parents[1]

ASSERTS = "assert"
WITHIN = ("raises", "warns")
"""Context managers of pytest that fail if nothing happens in their block."""
OF_THE_BROWSER = ("expect", "wait_for", "wait_for_function", "wait_for_selector", "wait_for_url")
"""Calls of Playwright that can fail."""


class Function(NamedTuple):
    """A function of the tests."""

    place: str
    name: str
    uses: frozenset[str]
    """Names in it, without the objects before a dot; and `ASSERTS` if it asserts or raises something."""
    idle: tuple[int, ...]
    """Lines of its assertions that are always true."""

    def asserts(self) -> bool:
        """Return whether it contains something that can fail."""
        return not self.uses.isdisjoint((ASSERTS, *WITHIN, *OF_THE_BROWSER))


@cache
def functions() -> tuple[Function, ...]:
    """Return every function of the tests. The trees are not kept, since they would be a million objects."""
    return tuple(
        function
        for path in sorted(TESTS.rglob("*.py"))
        for function in functions_in(f"{path.relative_to(TESTS)}", path.read_text(encoding="utf-8"))
    )


def functions_in(place: str, text: str) -> Iterator[Function]:
    """Yield the functions of a module, also those within others."""
    for node in statements(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            uses: set[str] = set()
            idle: list[int] = []
            for part in ast.walk(node):
                if isinstance(part, ast.Name):
                    uses.add(part.id)
                elif isinstance(part, ast.Attribute):
                    uses.add(part.attr)
                elif isinstance(part, ast.Assert | ast.Raise):
                    uses.add(ASSERTS)
                    if isinstance(part, ast.Assert) and always_true(part.test):
                        idle.append(part.lineno)
            yield Function(f"{place}:{node.lineno} {node.name}", node.name, frozenset(uses), tuple(idle))


@cache
def able() -> frozenset[str]:
    """Return the names of all functions of the tests that can fail, themselves or through functions that they call."""
    names = {one.name for one in functions() if one.asserts()}
    while more := {one.name for one in functions() if one.name not in names and one.uses & names}:
        names |= more
    return frozenset(names)


def always_true(test: ast.expr) -> bool:
    """Return whether an expression, or one of its alternatives, is true for all values."""
    match test:
        case ast.Constant(value=value):
            return bool(value)
        case ast.Tuple(elts=elts):
            return bool(elts)
        case ast.IfExp(body=body, orelse=other):
            return always_true(body) or always_true(other)
        case ast.BoolOp(op=ast.Or(), values=values):
            return any(always_true(value) for value in values)
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            if isinstance(op, (ast.Eq, ast.Is, ast.LtE, ast.GtE)) and ast.dump(left) == ast.dump(right):
                return not any(isinstance(n, (ast.Call, ast.Yield)) for n in ast.walk(left))
            length = isinstance(left, ast.Call) and isinstance(left.func, ast.Name) and left.func.id == "len"
            return length and isinstance(op, ast.GtE) and isinstance(right, ast.Constant) and right.value == 0
    return False


def test_every_test_asserts_something() -> None:
    tests = [one for one in functions() if one.name.startswith("test_")]
    assert len(tests) > 1000
    silent = [one.place for one in tests if not one.asserts() and not one.uses & able()]
    assert silent == [], "assert in each of them what it is about"


def test_no_assertion_is_true_whatever_happens() -> None:
    assert [f"{one.place}: line {line}" for one in functions() for line in one.idle] == []


def test_a_function_is_read_with_what_can_fail_in_it() -> None:
    text = "class A:\n    def f(self):\n        def g():\n            assert a.b or True\n        return [c]\n"
    outer, inner = functions_in("a.py", text)
    assert (outer.place, outer.idle, outer.asserts()) == ("a.py:2 f", (4,), True)
    assert outer.uses == {"a", "b", "c", ASSERTS}
    assert inner.name == "g"
    assert inner.uses == {"a", "b", ASSERTS}


@pytest.mark.parametrize(
    ("text", "idle"),
    [
        ("True", True),
        ("(a, 'why')", True),
        ("a if b else True", True),
        ("a or True", True),
        ("a == a", True),
        ("len(a) >= 0", True),
        ("a() == a()", False),
        ("len(a) >= 1", False),
        ("a if b else c", False),
        ("not a", False),
    ],
)
def test_idle_assertions_are_told_from_others(text: str, idle: bool) -> None:
    assert always_true(ast.parse(text, mode="eval").body) is idle
