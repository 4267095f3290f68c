"""Modules as trees, and walks that look no further than they have to.

Some 700 modules are checked in many ways. A walk through statements alone is ten times shorter than `ast.walk`, which
looks into each expression too.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

PARTS = ("body", "orelse", "finalbody", "handlers", "cases")
"""Fields of a statement that hold further statements."""


@cache
def tree_of(path: Path) -> ast.Module:
    """Return a parsed module, which is kept for the other tests of it."""
    return ast.parse(path.read_bytes())


def statements(node: ast.AST) -> Iterator[ast.AST]:
    """Yield every statement within a module, class or function, also those of inner functions.

    >>> [type(one).__name__ for one in statements(ast.parse("def f():\\n  if a:\\n    import b\\nc = 1"))]
    ['FunctionDef', 'Assign', 'If', 'Import']
    """
    waiting = [node]
    while waiting:
        around = waiting.pop()
        parts = [part for field in PARTS for part in getattr(around, field, ())]
        yield from parts
        waiting += parts
