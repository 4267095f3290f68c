"""Live fields of a procedure: the fields that a step, or a later one, reads before it writes them.

Live fields are found in the source code of the steps, once for each class. In case of doubt a field counts as live,
which makes the exploration larger, but never wrong. Code under `t.told is not None` is for listeners and is ignored.
"""

from __future__ import annotations

import ast
import inspect
import sys
import textwrap
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from caltrop.engine.procedure import Procedure

HEARD = "t.told is not None"
NEXT = "+"
"""Mark in `Exit.to` for the step after the present one, in the order of the source."""
PAST = "-"
"""Mark in `Exit.to` for the end of the procedure: the value of `at` after the last step."""


class Exit(NamedTuple):
    """A way in which a step can end."""

    written: frozenset[str]
    """Fields that are certainly written before this exit."""
    to: frozenset[str] | None
    """Names of the steps that may follow; None for any step."""


DOWN = (Exit(frozenset(), frozenset({NEXT})),)
OUT = (Exit(frozenset(), frozenset()),)
ANYWHERE = (Exit(frozenset(), None),)


@cache
def live_fields(kind: type[Procedure]) -> dict[str, tuple[str, ...]]:
    """Return the live fields of a procedure before each of its steps, by stored names."""
    names = [name for name in kind.__struct_fields__ if name != "at"]
    read = {name: _ClassSource(kind, frozenset(names)).read(s.do, frozenset({s.do})) for name, s in kind.plan.items()}
    live: dict[str, set[str]] = {name: set() for name in (*read, PAST)}
    changed = True
    while changed:
        changed = False
        for name, (fields, exits) in read.items():
            now = set(fields)
            for way in exits:
                for to in kind.plan if way.to is None else way.to:
                    after = kind.plan[name].next if to == NEXT else kind.steps.get(to, to)
                    now |= live[after] - way.written
            if now != live[name]:
                live[name], changed = now, True
    return {name: tuple([field for field in names if field in fields]) for name, fields in live.items()}


class _ClassSource:
    """Reads the source of the methods of one class."""

    def __init__(self, kind: type[Procedure], every: frozenset[str]) -> None:
        self.kind, self.every = kind, every

    def read(self, method: Callable[..., Any], within: frozenset[object]) -> tuple[set[str], tuple[Exit, ...]]:
        """Return the fields that a method reads before it writes them, and its exits.

        Args:
            within: Names of the methods that are being read now, so that recursion ends.
        """
        code = _code_of(method)
        if isinstance(code, str):
            return set(), (Exit(frozenset(), frozenset({code})),)
        if code is None:
            return set(self.every), ANYWHERE
        return _Method(self, code, within).read()

    def helper(self, name: str, within: frozenset[object]) -> Callable[..., Any] | None:
        member = inspect.getattr_static(self.kind, name, None)
        if isinstance(member, property):
            member = member.fget
        is_method = inspect.isfunction(member) or isinstance(_code_of(member), ast.FunctionDef)
        return member if is_method and member not in within else None


def _code_of(method: Any) -> ast.FunctionDef | str | None:
    """Return the source code of a method, or the step to which `back` leads; None if there is no source.

    A compiled method has no source of its own; the source beside the compiled module is used.
    """
    if isinstance(to := getattr(method, "to", None), str):
        return to
    home = getattr(method, "__objclass__", None)
    if home is not None:
        return _members(home.__module__, home.__qualname__).get(method.__name__)
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(method))).body[0]
    except (OSError, TypeError, SyntaxError):
        return None
    return tree if isinstance(tree, ast.FunctionDef) else None


@cache
def _members(module: str, name: str) -> dict[str, ast.FunctionDef | str]:
    """Return the methods of a class in the source of a module, and the steps to which `back` leads, by name."""
    path = getattr(sys.modules[module], "__file__", None)
    file = Path(path or "").with_suffix("").with_suffix(".py")
    members: dict[str, ast.FunctionDef | str] = {}
    for node in ast.parse(file.read_text("utf-8")).body if path and file.is_file() else ():
        for one in node.body if isinstance(node, ast.ClassDef) and node.name == name else ():
            if isinstance(one, ast.FunctionDef):
                members[one.name] = one
            elif (
                isinstance(one, ast.Assign)
                and isinstance(one.value, ast.Call)
                and ast.unparse(one.value.func) == "back"
            ):
                members[ast.unparse(one.targets[0])] = ast.literal_eval(one.value.args[0])
    return members


class _Method:
    """Reads one method, statement by statement."""

    def __init__(self, source: _ClassSource, tree: ast.FunctionDef, within: frozenset[object]) -> None:
        self.source, self.tree, self.within = source, tree, within
        self.me = tree.args.args[0].arg if tree.args.args else ""
        self.parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
        self.fields: set[str] = set()

    def read(self) -> tuple[set[str], tuple[Exit, ...]]:
        exits, written = self._through(self.tree.body, frozenset())
        if written is not None:
            exits.append(Exit(written, frozenset({NEXT})))
        return self.fields, tuple(exits)

    def _through(self, body: list[ast.stmt], written: frozenset[str]) -> tuple[list[Exit], frozenset[str] | None]:
        """Return the exits of statements, and the fields certainly written at their end; None if they never end."""
        exits: list[Exit] = []
        for statement in body:
            looked_at = statement.test if isinstance(statement, ast.If) else statement
            self.fields |= self._fields_in(looked_at) - written
            if isinstance(statement, ast.Return):
                return [*exits, *[Exit(written | way.written, way.to) for way in self._ways(statement.value)]], None
            if isinstance(statement, ast.Raise):
                return exits, None
            if isinstance(statement, ast.If):
                then = ([], written) if _for_listeners(statement) else self._through(statement.body, written)
                other = self._through(statement.orelse, written)
                exits += [*then[0], *other[0]]
                passed = [fields for _, fields in (then, other) if fields is not None]
                if not passed:
                    return exits, None
                written = frozenset.intersection(*passed)
            elif isinstance(statement, ast.For | ast.While | ast.With | ast.Try | ast.Match):
                for node in ast.walk(statement):
                    if isinstance(node, ast.Return):
                        exits += [Exit(written | way.written, way.to) for way in self._ways(node.value)]
            else:
                written = written | self._written_by(statement)
        return exits, written

    def _written_by(self, statement: ast.stmt) -> set[str]:
        fields = set()
        for target in statement.targets if isinstance(statement, ast.Assign) else []:
            for one in target.elts if isinstance(target, ast.Tuple) else [target]:
                if isinstance(one, ast.Attribute) and self._is_me(one.value):
                    fields.add(one.attr)
        return fields

    def _is_me(self, node: ast.AST) -> bool:
        return isinstance(node, ast.Name) and node.id == self.me

    def _fields_in(self, node: ast.AST) -> set[str]:
        fields: set[str] = set()
        for one in _but_for_listeners(node):
            if not self._is_me(one):
                continue
            parent = self.parents[one]
            if not isinstance(parent, ast.Attribute):
                return set(self.source.every)  # another function receives the whole frame and may read any field
            if isinstance(parent.ctx, ast.Load) or isinstance(self.parents.get(parent), ast.AugAssign):
                if parent.attr in self.source.every:
                    fields.add(parent.attr)
                else:
                    helper = self.source.helper(parent.attr, self.within)
                    if helper is not None:
                        fields |= self.source.read(helper, self.within | {helper})[0]
        return fields

    def _ways(self, value: ast.expr | None) -> tuple[Exit, ...]:
        if value is None or (isinstance(value, ast.Constant) and value.value is None):
            return DOWN
        if isinstance(value, ast.IfExp):
            return (*self._ways(value.body), *self._ways(value.orelse))
        if not isinstance(value, ast.Call):
            return ANYWHERE
        called = value.func
        if isinstance(called, ast.Name):
            if called.id == "Go":
                named = _names(value.args[0]) if value.args else None
                return ANYWHERE if named is None else (Exit(frozenset(), named),)
            if called.id == "End":
                return OUT
            return DOWN if called.id in ("Throw", "Run", "Ask", "ask") else ANYWHERE
        if isinstance(called, ast.Attribute) and self._is_me(called.value):
            helper = self.source.helper(called.attr, self.within)
            if helper is not None:
                return self.source.read(helper, self.within | {helper})[1]
        if isinstance(called, ast.Attribute) and called.attr == "tell":
            return DOWN
        return ANYWHERE


def _names(value: ast.expr) -> frozenset[str] | None:
    """Return the names of steps in the argument of `Go`; None if the argument is not a literal."""
    if isinstance(value, ast.Constant):
        return frozenset({str(value.value)})
    if isinstance(value, ast.IfExp):
        one, other = _names(value.body), _names(value.orelse)
        return None if one is None or other is None else one | other
    return None


def _for_listeners(node: ast.AST) -> bool:
    return isinstance(node, ast.If | ast.IfExp) and ast.unparse(node.test) == HEARD


def _but_for_listeners(node: ast.AST) -> Iterator[ast.AST]:
    yield node
    for child in ast.iter_child_nodes(node):
        if isinstance(node, ast.If | ast.IfExp) and _for_listeners(node):
            others = node.orelse if isinstance(node.orelse, list) else [node.orelse]
            if child not in others:
                continue
        yield from _but_for_listeners(child)
