"""Small changes inside functions: a comparison, a number, a condition, the order of arguments.

`changes_in` lists them for a source file, and `put_in` makes one of them in this process. It parses the file, changes
one place of its tree, and replaces the code object of the function around it. So rules, steps and amendments are
changed like any other function, and nothing is imported again. (The mutants of mutmut would not
do: it leaves out whatever has a decorator, as every rule and step has, swaps no arguments and drops no conditions.)
Every change has an id that holds while the lines around it move: the file, the function, what stands there, and what
stands there instead.
"""

from __future__ import annotations

import ast
import builtins
import copy
import functools
import gc
import hashlib
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any, NamedTuple, cast

from caltrop.clauses import MARKS
from caltrop.engine import ruleset

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "src" / "caltrop"

_OTHER: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.Gt),
    ast.LtE: (ast.Lt, ast.GtE),
    ast.Gt: (ast.GtE, ast.Lt),
    ast.GtE: (ast.Gt, ast.LtE),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
"""Replacements of a comparison: the bound the other way, and the other direction."""


class Change(NamedTuple):
    """A small change to a function."""

    id: str
    """Id of the change: `file::function: before -> after`, with a number if several are alike."""
    file: Path
    function: str
    """Qualified name of the outermost function or method that contains the change."""
    line: int
    kind: str
    """`comparison`, `number`, `condition` or `arguments`."""
    place: int
    """Index of the changed node in the file's tree, in the order of `ast.walk`."""
    turn: int
    """Index of the change among those of its node."""


def files_of(name: str) -> tuple[Path, ...]:
    """Return the files in which a ruleset's small changes are made: its own files, its kind of table, and the dice."""
    ruleset(name).vocabulary()
    own = sorted((PACKAGE / "rules" / name.replace("-", "_")).rglob("*.py"))
    imported = {
        node.module
        for path in own
        for node in ast.walk(ast.parse(path.read_bytes()))
        if isinstance(node, ast.ImportFrom) and node.module
    }
    rooms = [
        room
        for room in sorted((PACKAGE / "table").iterdir())
        if room.is_dir() and any(module.startswith(f"caltrop.table.{room.name}") for module in imported)
    ]
    shared = [path for room in (*rooms, PACKAGE / "chance") for path in sorted(room.rglob("*.py"))]
    return (*own, *shared)


def clauses_of(file: Path, function: str = "") -> tuple[str, ...]:
    """Return the clauses of the marks in a file, or in one function of it."""
    own = [m for m in MARKS.values() if m.path == str(file)]
    return tuple(
        dict.fromkeys(id for m in own if not function or m.id.rpartition(":")[2] == function for id in m.clauses)
    )


def sample(name: str, size: int, seed: int) -> list[Change]:
    """Return a random sample of a ruleset's small changes.

    The id of a change alone decides whether it is drawn. If code is edited, the rest of the sample stays the same.
    """
    every = [change for file in files_of(name) for change in changes_in(file)]
    return sorted(every, key=lambda c: hashlib.sha256(f"{seed} {c.id}".encode()).digest())[:size]


@functools.cache
def source_of(file: Path) -> bytes:
    """Return the source of a file as it was when first read, because it may be edited while mutants are tried."""
    return file.read_bytes()


def changes_in(file: Path) -> Iterator[Change]:
    """Return every small change of a file, in the order of its tree."""
    tree = ast.parse(source_of(file))
    places = {id(node): number for number, node in enumerate(ast.walk(tree))}
    alike: Counter[str] = Counter()
    for name, function in _functions(tree):
        for node in _within(function):
            for turn, (kind, after) in enumerate(_changed(node)):
                words = f"{_words(node)} -> {_words(after)}"
                id_ = f"{file.relative_to(PACKAGE).as_posix()}::{name}: {words}"
                alike[id_] += 1
                if alike[id_] > 1:
                    id_ += f" #{alike[id_]}"
                yield Change(id_, file, name, getattr(node, "lineno", 0), kind, places[id(node)], turn)


def _functions(scope: ast.Module | ast.ClassDef, prefix: str = "") -> Iterator[tuple[str, ast.FunctionDef]]:
    for node in scope.body:
        if isinstance(node, ast.FunctionDef):
            yield prefix + node.name, node
        elif isinstance(node, ast.ClassDef):
            yield from _functions(node, f"{prefix}{node.name}.")


def _within(function: ast.FunctionDef) -> Iterator[ast.AST]:
    """Yield the code that runs when a function is called; assertions and raised errors are about mistakes in the
    program.
    """
    waiting: list[ast.AST] = list(reversed(function.body))
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Assert | ast.Raise):
            continue
        yield node
        inner = list(ast.iter_child_nodes(node))
        if isinstance(node, ast.FunctionDef):
            inner = list(node.body)
        elif isinstance(node, ast.AnnAssign):
            inner = [node.value] if node.value is not None else []
        waiting.extend(reversed(inner))


def _words(node: ast.AST) -> str:
    if isinstance(node, ast.If | ast.While):
        return f"{type(node).__name__.lower()} {ast.unparse(node.test)}"
    if isinstance(node, ast.comprehension):
        return f"for {ast.unparse(node.target)}" + "".join(f" if {ast.unparse(test)}" for test in node.ifs)
    return " ".join(ast.unparse(node).split())


def _changed(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """Return the changes of one node, each as a new node."""
    if isinstance(node, ast.Compare):
        for i, op in enumerate(node.ops):
            for other in _OTHER[type(op)]:
                yield "comparison", _with(node, ops=[*node.ops[:i], other(), *node.ops[i + 1 :]])
    elif isinstance(node, ast.Constant) and type(node.value) is int:
        yield "number", _with(node, value=node.value + 1)
        yield "number", _with(node, value=node.value - 1)
    elif isinstance(node, ast.BoolOp):
        for i in range(len(node.values)):
            left = [*node.values[:i], *node.values[i + 1 :]]
            yield "condition", left[0] if len(left) == 1 else _with(node, values=left)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield "condition", node.operand
    elif isinstance(node, ast.If | ast.IfExp):
        for value in (True, False):
            yield "condition", _with(node, test=ast.copy_location(ast.Constant(value), node.test))
    elif isinstance(node, ast.comprehension):
        for i in range(len(node.ifs)):
            yield "condition", _with(node, ifs=[*node.ifs[:i], *node.ifs[i + 1 :]])
    elif isinstance(node, ast.Call):
        for i in range(len(node.args) - 1):
            one, two = node.args[i : i + 2]
            if not isinstance(one, ast.Starred) and not isinstance(two, ast.Starred) and ast.dump(one) != ast.dump(two):
                yield "arguments", _with(node, args=[*node.args[:i], two, one, *node.args[i + 2 :]])


def _with(node: ast.AST, **fields: object) -> ast.AST:
    changed = copy.copy(node)
    for name, value in fields.items():
        setattr(changed, name, value)
    return changed


class _Replace(ast.NodeTransformer):
    def __init__(self, old: ast.AST, new: ast.AST) -> None:
        self.old, self.new = old, new

    def visit(self, node: ast.AST) -> Any:
        return self.new if node is self.old else self.generic_visit(node)


class _Tell(ast.NodeTransformer):
    """Lets the places of changes report when they are reached, by a call of `_TOLD` with the numbers of the changes."""

    def __init__(self, numbers: Mapping[ast.AST, list[int]]) -> None:
        self.numbers = numbers

    def visit(self, node: ast.AST) -> Any:
        self.generic_visit(node)
        number = self.numbers.get(node)
        if number is None:
            return node
        if isinstance(node, ast.If | ast.While):
            node.test = _telling(number, node.test)
        elif isinstance(node, ast.comprehension):
            node.ifs[0] = _telling(number, node.ifs[0])
        else:
            return _telling(number, cast(ast.expr, node))
        return node


_TOLD = "__told__"


def _telling(numbers: list[int], value: ast.expr) -> ast.expr:
    result = ast.Call(ast.Name(_TOLD, ast.Load()), [ast.Constant(number) for number in numbers], [])
    return ast.Subscript(ast.Tuple([result, value], ast.Load()), ast.Constant(1), ast.Load())


def tell(changes: Iterable[Change], events: Callable[..., None]) -> None:
    """Have the places of changes report when they are reached. The process should end afterwards, because its code
    stays changed.

    Args:
        changes: The changes, of which none is made.
        events: Called with the numbers of the changes that would be reached now, counted from 0.
    """
    setattr(builtins, _TOLD, events)
    by_file: dict[Path, dict[int, Change]] = {}
    for number, change in enumerate(changes):
        by_file.setdefault(change.file, {})[number] = change
    codes: dict[tuple[str, str], CodeType] = {}
    for file, own in by_file.items():
        tree = ast.parse(source_of(file))
        nodes = list(ast.walk(tree))
        numbers: dict[ast.AST, list[int]] = {}
        for number, change in own.items():
            numbers.setdefault(nodes[change.place], []).append(number)
        codes |= _codes(file, _Tell(numbers).visit(tree), {change.function for change in own.values()})
    _run_instead(codes)


def put_in(change: Change) -> int:
    """Make a change in this process, which should end afterwards, because the change is not undone.

    Returns:
        Number of functions that run the changed code. It is 0 if the function no longer exists after its module is
        imported, so that no test could notice.
    """
    tree = ast.parse(source_of(change.file))
    old = next(node for number, node in enumerate(ast.walk(tree)) if number == change.place)
    kind, new = list(_changed(old))[change.turn]
    assert kind == change.kind
    return _run_instead(_codes(change.file, _Replace(old, new).visit(tree), {change.function}))


def _codes(file: Path, tree: ast.Module, functions: Collection[str]) -> dict[tuple[str, str], CodeType]:
    """Return the code objects of the functions in a changed tree, by file and qualified name."""
    module = compile(ast.fix_missing_locations(tree), str(file), "exec", dont_inherit=True)
    return {(str(file), name): _code(module, name.split(".")) for name in functions}


def _run_instead(codes: Mapping[tuple[str, str], CodeType]) -> int:
    """Make functions run other code, empty their caches, and return how many there are."""
    result = 0
    every = every_object()
    for f in every:
        if type(f) is not FunctionType:
            continue
        code = codes.get((f.__code__.co_filename, f.__code__.co_qualname))
        if code is not None and f.__code__.co_firstlineno == code.co_firstlineno:
            f.__code__ = code
            result += 1
    forget(every)
    return result


def _code(code: CodeType, names: list[str]) -> CodeType:
    for name in names:
        code = next(c for c in code.co_consts if isinstance(c, CodeType) and c.co_name == name)
    return code


def every_object() -> list[object]:
    """Return every object in memory, including those that the tests have frozen for the garbage collector."""
    gc.unfreeze()
    return gc.get_objects()


def forget(objects: Iterable[object]) -> None:
    """Empty the caches of the program's functions."""
    for result in objects:
        if isinstance(result, functools._lru_cache_wrapper) and result.__module__.startswith("caltrop"):
            result.cache_clear()
