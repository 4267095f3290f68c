"""Every test asserts something, and no assertion is always true."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]

Function = ast.FunctionDef | ast.AsyncFunctionDef
ASSERTS = "assert"
WITHIN = ("raises", "warns")
"""Context managers of pytest that fail if nothing happens in their block."""
OF_THE_BROWSER = ("expect", "wait_for", "wait_for_function", "wait_for_selector", "wait_for_url")
"""Calls of Playwright that can fail."""


@cache
def functions() -> tuple[tuple[str, Function], ...]:
    """Return every function of the tests, with its place."""
    result = []
    for path in sorted(TESTS.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, Function):
                result.append((f"{path.relative_to(TESTS)}:{node.lineno} {node.name}", node))
    return tuple(result)


@cache
def called(node: Function) -> frozenset[str]:
    """Return the names that a function uses, without the objects before a dot."""
    every = [*ast.walk(node)]
    names = [
        n.attr if isinstance(n, ast.Attribute) else n.id for n in every if isinstance(n, (ast.Attribute, ast.Name))
    ]
    asserting = [ASSERTS for n in every if isinstance(n, (ast.Assert, ast.Raise))]
    return frozenset((*names, *asserting[:1]))


def asserts(node: Function) -> bool:
    """Return whether a function contains something that can fail."""
    return not called(node).isdisjoint((ASSERTS, *WITHIN, *OF_THE_BROWSER))


@cache
def able() -> frozenset[str]:
    """Return the names of all functions of the tests that can fail, themselves or through functions that they call."""
    names = {node.name for _, node in functions() if asserts(node)}
    while more := {node.name for _, node in functions() if node.name not in names and called(node) & names}:
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
    tests = [(place, node) for place, node in functions() if node.name.startswith("test_")]
    assert len(tests) > 1000
    silent = [place for place, node in tests if not asserts(node) and not called(node) & able()]
    assert silent == [], "assert in each of them what it is about"


def test_no_assertion_is_true_whatever_happens() -> None:
    idle = [
        f"{place}: line {n.lineno}"
        for place, node in functions()
        for n in ast.walk(node)
        if isinstance(n, ast.Assert) and always_true(n.test)
    ]
    assert idle == []


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
