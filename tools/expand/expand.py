"""Rewrite msgspec records as plain classes, so that mypyc makes native classes of them.

The sources stay as they are, and copies of them are rewritten (see `build.py`). `class X(msgspec.Struct, …)` and all
its subclasses become classes with their own `__init__`, copy, equality and hash. Steps lose their decorator and are
passed to `planned`. Rules become functions that ask for amendments only if there are any. Marks receive the place of
their code as an argument, since a compiled function cannot tell its own place.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from copy import deepcopy
from pathlib import Path
from typing import TypeGuard

from tools.expand.kernels import declared

Class = tuple[str, str]
"""A class, as its module and its name."""

BUILT_IN = {
    "int",
    "str",
    "bool",
    "tuple",
    "list",
    "dict",
    "None",
    "Any",
    "float",
    "object",
    "bytes",
    "set",
    "frozenset",
}
BASES_OF_PYTHON = {"dict", "list", "str", "int", "tuple", "set", "local", "Counter"}
WRITES = {"append", "extend", "insert", "pop", "remove", "clear", "sort", "reverse", "update", "setdefault", "popitem"}
ALIASES = {
    "tuple",
    "dict",
    "list",
    "Callable",
    "Literal",
    "Annotated",
    "Mapping",
    "Sequence",
    "Union",
    "type",
    "frozenset",
}
HELPERS = {
    "Record": "NativeRecord",
    "begin_class": "native_begin",
    "copied": "native_copied",
    "interpreted_class": "native_interpreted",
    "is_native": "native_is_written",
    "named": "native_named",
    "named_as": "native_named_as",
    "noted": "native_noted",
    "replace": "native_replace",
    "slots": "native_slots",
    "source_of": "native_source_of",
}
LOOSE = {"told": "Any", "stack": "list[Any]"}
"""Looser types for two fields of a state. A listener in `told` has its own `append`, and the explorer puts its own
frame below the stack.
"""
TYPE_MAKERS = {"TypeVar", "ParamSpec", "NewType"}


def parsed(text: str) -> list[ast.stmt]:
    """Return the statements of a source text."""
    return ast.parse(text).body


def expression(text: str) -> ast.expr:
    """Return a source text as an expression."""
    return ast.parse(text, mode="eval").body


def is_class_variable(annotation: ast.expr) -> bool:
    """Return whether an annotation makes a name a class variable."""
    return ast.unparse(annotation).startswith(("ClassVar", "typing.ClassVar"))


class _Bare(ast.NodeTransformer):
    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        self.generic_visit(node)
        if ast.unparse(node.value) == "Annotated" and isinstance(node.slice, ast.Tuple):
            return node.slice.elts[0]
        return node


def bare(annotation: ast.expr) -> ast.expr:
    """Return a type without its `Annotated` metadata."""
    changed: ast.expr = _Bare().visit(deepcopy(annotation))
    return changed


def decorator(node: ast.FunctionDef, name: str) -> ast.Call | None:
    """Return the call with which a decorator is applied to a function, or None."""
    for one in node.decorator_list:
        if isinstance(one, ast.Call) and ast.unparse(one.func) == name:
            return one
    return None


def has_decorator(node: ast.FunctionDef, name: str) -> bool:
    """Return whether a function has a decorator without arguments."""
    return any(ast.unparse(one) == name for one in node.decorator_list)


class Field:
    """A field of a record.

    Attributes:
        default: The default value, if there is one.
        factory: The function that makes the default, if there is one.
        only_by_name: Whether the field is keyword-only.
        home: The module that declares the field.
    """

    def __init__(self, name: str, annotation: ast.expr, value: ast.expr | None, only_by_name: bool, home: str) -> None:
        self.name, self.annotation, self.written = name, annotation, value
        self.only_by_name, self.home = only_by_name, home
        self.default, self.factory = value, None
        if isinstance(value, ast.Call) and ast.unparse(value.func) in ("msgspec.field", "field"):
            given = {keyword.arg: keyword.value for keyword in value.keywords}
            self.default, self.factory = given.get("default"), given.get("default_factory")
        elif isinstance(value, (ast.List, ast.Dict)):
            self.default, self.factory = None, expression(f"lambda: {ast.unparse(value)}")

    @property
    def made(self) -> str:
        """Expression that makes the default."""
        assert self.factory is not None
        if isinstance(self.factory, ast.Lambda):
            return ast.unparse(self.factory.body)
        return ast.unparse(self.factory) + "()"


class Package:
    """The sources of the package, and the choice of the modules to compile.

    Args:
        root: The folder that holds the package.
        compiled: The names of the modules to compile.
    """

    def __init__(self, root: Path, compiled: Iterable[str]) -> None:
        self.files: dict[str, Path] = {}
        for file in sorted((root / "caltrop").rglob("*.py")):
            name = ".".join(file.relative_to(root).with_suffix("").parts)
            self.files[name.removesuffix(".__init__")] = file
        self.compiled = list(compiled)
        self.trees = {name: ast.parse(file.read_text("utf-8")) for name, file in self.files.items()}
        self.imports = {name: _imports(tree) for name, tree in self.trees.items()}
        self.classes = {
            name: {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
            for name, tree in self.trees.items()
        }
        self._records: dict[Class, bool] = {}
        self.rules = {
            name: {
                node.name
                for node in self.trees[name].body
                if isinstance(node, ast.FunctionDef) and decorator(node, "rule")
            }
            for name in self.compiled
        }
        self.open = self._open()
        self.copyable = {
            (home, name)
            for home in self.compiled
            for name in self.classes[home]
            if not self.is_record(home, name) and self.defines(home, name, "__copy__")
        }
        self.given_again = {
            one.id
            for classes in self.classes.values()
            for node in classes.values()
            for s in node.body
            if isinstance(s, ast.Assign)
            for one in s.targets
            if isinstance(one, ast.Name)
        }
        self.of_instances = {
            (home, node.name): hidden
            for home in self.compiled
            for node in self.trees[home].body
            if isinstance(node, ast.ClassDef) and (hidden := self._hides(home, node))
        }
        self.stored = {
            node.attr
            for name in self.compiled
            for statement in self.trees[name].body
            for node in ast.walk(statement)
            if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and ast.unparse(node.value) != "cls"
            if not self._is_hidden(name, statement, node)
        }
        self.shelves = {
            field.name
            for home, classes in self.classes.items()
            for name in classes
            if self.descends(home, name, "State")
            for field in self.fields(home, name)
            if ast.unparse(field.annotation).startswith(("list[", "dict["))
        } - {"told", "stack", "queue"}

    def class_named(self, module: str, name: str, depth: int = 0) -> Class | None:
        """Return the class to which a name refers in a module, or None."""
        if depth > 8 or module not in self.files:
            return None
        if name in self.classes[module]:
            return module, name
        if name in self.imports[module]:
            return self.class_named(*self.imports[module][name], depth + 1)
        return None

    def bases(self, module: str, name: str) -> Iterator[tuple[str, Class | None]]:
        """Yield the bases of a class, each as written and as a class of the package (None if it is not one)."""
        for base in self.classes[module][name].bases:
            written = ast.unparse(base.value if isinstance(base, ast.Subscript) else base)
            yield written, None if written == "msgspec.Struct" else self.class_named(module, written)

    def is_record(self, module: str, name: str) -> bool:
        """Return whether a class is a record of msgspec."""
        known = self._records.get((module, name))
        if known is None:
            self._records[module, name] = False
            known = any(
                written == "msgspec.Struct" or (base is not None and self.is_record(*base))
                for written, base in self.bases(module, name)
            )
            self._records[module, name] = known
        return known

    def descends(self, module: str, name: str, ancestor: str) -> bool:
        """Return whether a class has a given name or inherits from a class of that name."""
        if name == ancestor:
            return True
        return any(base is not None and self.descends(*base, ancestor) for _, base in self.bases(module, name))

    def defines(self, module: str, name: str, method: str) -> bool:
        """Return whether a class or one of its bases in the package defines a method."""
        if any(isinstance(s, ast.FunctionDef) and s.name == method for s in self.classes[module][name].body):
            return True
        return any(base is not None and self.defines(*base, method) for _, base in self.bases(module, name))

    def cached_properties(self, module: str, name: str) -> list[str]:
        """Return the names of a record's cached properties."""
        body = self.classes[module][name].body
        own = [s.name for s in body if isinstance(s, ast.FunctionDef) and has_decorator(s, "cached_property")]
        inherited = [
            self.cached_properties(*base) for _, base in self.bases(module, name) if base and self.is_record(*base)
        ]
        return [*own, *[one for some in inherited for one in some if one not in own]]

    def option(self, module: str, name: str, option: str) -> ast.expr | None:
        """Return the value of a msgspec option of a record, such as `frozen`, set by it or by one of its bases."""
        for keyword in self.classes[module][name].keywords:
            if keyword.arg == option:
                return keyword.value
        for _, base in self.bases(module, name):
            if base is not None and self.is_record(*base):
                value = self.option(*base, option)
                if value is not None:
                    return value
        return None

    def fields(self, module: str, name: str) -> list[Field]:
        """Return the fields of a record, in the order of the arguments of its `__init__`."""
        node = self.classes[module][name]
        by_place: dict[str, Field] = {}
        by_name: dict[str, Field] = {}
        for _, base in self.bases(module, name):
            if base is not None and self.is_record(*base):
                for field in self.fields(*base):
                    (by_name if field.only_by_name else by_place)[field.name] = field
        only = any(keyword.arg == "kw_only" and ast.unparse(keyword.value) == "True" for keyword in node.keywords)
        for s in node.body:
            if isinstance(s, ast.AnnAssign) and isinstance(s.target, ast.Name) and not is_class_variable(s.annotation):
                by_place.pop(s.target.id, None)
                by_name.pop(s.target.id, None)
                (by_name if only else by_place)[s.target.id] = Field(s.target.id, s.annotation, s.value, only, module)
        return [*by_place.values(), *by_name.values()]

    def _hides(self, module: str, node: ast.ClassDef) -> frozenset[str]:
        """Return the class attributes of its bases that a class overrides on its instances."""
        if self.is_record(module, node.name):
            return frozenset()
        stored = {
            one.attr
            for one in ast.walk(node)
            if isinstance(one, ast.Attribute) and isinstance(one.ctx, ast.Store) and ast.unparse(one.value) == "self"
        }
        return frozenset(name for name in stored if self._gives(module, node.name, name))

    def _gives(self, module: str, name: str, attribute: str) -> bool:
        """Return whether a base of a class sets an attribute, and another class sets it again."""
        bases = [base for _, base in self.bases(module, name) if base is not None and not self.is_record(*base)]
        gives = [base for base in bases if attribute in _values_of(self.classes[base[0]][base[1]])]
        return (bool(gives) and attribute in self.given_again) or any(self._gives(*base, attribute) for base in bases)

    def _is_hidden(self, module: str, statement: ast.stmt, node: ast.Attribute) -> bool:
        if not isinstance(statement, ast.ClassDef):
            return False
        return node.attr in self.of_instances.get((module, statement.name), ())

    def rule(self, module: str, name: str) -> Class | None:
        """Return the rule to which a name refers in a module, or None."""
        at = (module, name)
        for _ in range(6):
            if at[1] in self.rules.get(at[0], ()):
                return at
            if at[0] not in self.imports or at[1] not in self.imports[at[0]]:
                return None
            at = self.imports[at[0]][at[1]]
        return None

    def _open(self) -> set[Class]:
        """Return the compiled classes that have subclasses which are not compiled."""
        found: set[Class] = set()

        def open_up(one: Class | None) -> None:
            if one is not None and one[0] in self.compiled and one not in found:
                found.add(one)
                for _, base in self.bases(*one):
                    open_up(base)

        for module, classes in self.classes.items():
            for name in classes:
                if module not in self.compiled or module in ALWAYS_OPEN or name in OPEN_NAMES:
                    open_up((module, name))
                    for _, base in self.bases(module, name):
                        open_up(base)
        return found


ALWAYS_OPEN = frozenset(
    f"caltrop.{name}"
    for name in (
        "engine.event",
        "engine.decision",
        "engine.procedure",
        "engine.secrecy",
        "engine.state",
        "asking.acts",
        "asking.offer",
    )
)
"""Modules whose classes have subclasses in games outside this package."""
OPEN_NAMES = frozenset({"Choices"})


def _imports(tree: ast.Module) -> dict[str, Class]:
    found: dict[str, Class] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            for name in node.names:
                found[name.asname or name.name] = (node.module, name.name)
    return found


class Marks(ast.NodeTransformer):
    """Adds to each mark the place of its code, and rewrites code that mypyc cannot compile."""

    def __init__(self, package: Package, module: str) -> None:
        self.package, self.module = package, module
        self.within: list[str] = []
        self.in_function = False
        self.of_class = False
        self.asks_slots = False

    def _place(self, name: str, line: int) -> ast.expr:
        return expression(f"({self.module + ':' + name!r}, NATIVE_SOURCE, {line})")

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.ClassDef:
        """Rewrite a class, and record it as the enclosing class of its contents."""
        before, self.in_function = self.in_function, False
        self.within.append(node.name)
        self.generic_visit(node)
        self.within.pop()
        self.in_function = before
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        """Add to a rule, amendment, trigger or effect its place in the sources."""
        for one in node.decorator_list:
            if isinstance(one, ast.Call):
                name = ast.unparse(one.func)
                if name in ("rule", "trigger", "effect") or name.endswith(".amended_by"):
                    first = min([node.lineno, *[d.lineno for d in node.decorator_list]])
                    one.keywords.append(ast.keyword("place", self._place(".".join([*self.within, node.name]), first)))
        before = self.in_function, self.of_class
        self.in_function, self.of_class = True, has_decorator(node, "classmethod")
        self.within.append(node.name)
        self.generic_visit(node)
        self.within.pop()
        self.in_function, self.of_class = before
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.expr:
        """Record the parameter names of a lambda."""
        self.generic_visit(node)
        if self.in_function:
            return node
        names = ast.Tuple([ast.Constant(one.arg) for one in node.args.args], ast.Load())
        return ast.Call(ast.Name("native_named"), [node, names], [])

    def visit_Compare(self, node: ast.Compare) -> ast.Compare:
        """Replace a starred sequence after `in` by a call of `tuple`."""
        self.generic_visit(node)
        for n, (how, with_) in enumerate(zip(node.ops, node.comparators, strict=True)):
            items = with_.elts if isinstance(with_, (ast.Tuple, ast.List)) else []
            if isinstance(how, (ast.In, ast.NotIn)) and any(isinstance(item, ast.Starred) for item in items):
                node.comparators[n] = ast.Call(ast.Name("tuple"), [ast.List(items, ast.Load())], [])
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AnnAssign:
        """Convert the value of a variable that is annotated as float."""
        self.generic_visit(node)
        if self.in_function and ast.unparse(node.annotation) == "float" and node.value is not None:
            node.value = ast.Call(ast.Name("float"), [node.value], [])
        return node

    def visit_Call(self, node: ast.Call) -> ast.Call:
        """Add to a guard its place in the sources, and mark calls that write to a shelf."""
        self.generic_visit(node)
        name = ast.unparse(node.func)
        if name == "guard" and len(node.args) >= 3 and self.module != "caltrop.engine.rule":
            code = node.args[1]
            assert isinstance(code, ast.Constant), (
                f"{self.module}, line {node.lineno}: a guard whose code is worked out"
            )
            node.keywords.append(ast.keyword("place", self._place(str(code.value), node.lineno)))
        elif name == "sys._getframe":
            node.args = [ast.Constant(0)]  # a compiled function has no frame, so frame 0 is its caller's
        elif name in ("msgspec.structs.replace", "structs.replace"):
            node.func = ast.Name("native_replace")
        elif isinstance(node.func, ast.Attribute) and node.func.attr in WRITES and self._is_shelf(node.func.value):
            node.func.value = ast.Call(ast.Name("native_noted"), [node.func.value], [])
        elif name in ("isinstance", "issubclass") and ast.unparse(node.args[1]) == "msgspec.Struct":
            node.args[1] = expression("msgspec.RECORDS")
        elif name == "super" and self.of_class and not node.args:
            # In a class method compiled by mypyc, `super` would pass on the wrong class.
            node.func, node.args = ast.Name("native_inherited"), [ast.Name(self.within[-2]), ast.Name("cls")]
        elif name == "reversed" and isinstance(node.args[0], ast.Attribute) and node.args[0].attr in LOOSE:
            # Both overloads of `reversed` accept `Any`, so mypy cannot tell which type the call returns.
            node.func, node.args = ast.Name("iter"), [expression(ast.unparse(node.args[0]) + "[::-1]")]
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.Subscript:
        """Mark assignments and deletions in a shelf."""
        self.generic_visit(node)
        if isinstance(node.ctx, (ast.Store, ast.Del)) and self._is_shelf(node.value):
            node.value = ast.Call(ast.Name("native_noted"), [node.value], [])
        return node

    def _is_shelf(self, node: ast.expr) -> bool:
        return isinstance(node, ast.Attribute) and node.attr in self.package.shelves

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        """Replace an attribute that compiled code lacks; make amendments refer to the rule instead of its function."""
        self.generic_visit(node)
        if node.attr == "__slots__":
            self.asks_slots = True
            return expression(f"native_slots_of({ast.unparse(node.value)})")
        if node.attr == "__module__" and isinstance(node.ctx, ast.Load):
            return expression(f"getattr({ast.unparse(node.value)}, '__module__')")
        if node.attr == "amended_by" and isinstance(node.value, ast.Name):
            rule = self.package.rule(self.module, node.value.id)
            if rule is not None:
                node.value = ast.Name(rule[1] + "__rule")
        return node


class Module:
    """A compiled module, as it is rewritten."""

    def __init__(self, package: Package, name: str) -> None:
        self.package, self.name = package, name
        self.extra: set[Class] = set()

    def text(self) -> str:
        """Return the rewritten source text."""
        tree = deepcopy(self.package.trees[self.name])
        counts = declared(self.name, tree)
        self._rules_amended(tree)
        marks = Marks(self.package, self.name)
        tree = marks.visit(tree)
        body: list[ast.stmt] = []
        for s in tree.body:
            if ast.unparse(getattr(s, "value", None) or ast.Constant(0)) == "msgspec.Struct.__copy__":
                body += parsed("from caltrop.native.records import copied")
            elif isinstance(s, ast.ClassDef):
                body += self._record(s) if self.package.is_record(self.name, s.name) else self._class(s)
            elif isinstance(s, ast.FunctionDef) and s.name in self.package.rules[self.name]:
                body += self._rule(s)
            elif isinstance(s, ast.ImportFrom) and s.module == "msgspec.structs":
                s.module = "caltrop.native.structs"
                body.append(s)
            elif isinstance(s, ast.ImportFrom) and s.module == "msgspec":
                s.module = "caltrop.native"
                body.append(s)
            elif isinstance(s, ast.Import) and [name.name for name in s.names] == ["msgspec"]:
                body += parsed("from caltrop import native as msgspec")
            else:
                body.append(s)
        body = [s for one in body for s in self._with_parameters(one)]
        first = next((n for n, s in enumerate(body) if isinstance(s, ast.ImportFrom) and s.module == "__future__"), -1)
        body[first + 1 : first + 1] = parsed("\n".join(self._imported(self.package.trees[self.name])))
        if marks.asks_slots:
            body.insert(first + 1, *parsed("from caltrop.native.records import slots_of as native_slots_of"))
        if counts:
            # Only mypyc reads the type, so that nothing has to be installed for it.
            lines = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from mypy_extensions import i64 as _i64"
            body[first + 1 : first + 1] = parsed(lines)
        _make_final(body)
        tree.body = body
        ast.fix_missing_locations(tree)
        return ast.unparse(tree) + "\n"

    def _with_parameters(self, s: ast.stmt) -> list[ast.stmt]:
        """Return a statement; after a function, add the line that records the names of its parameters."""
        if not isinstance(s, ast.FunctionDef) or s.name.endswith("__base"):
            return [s]
        names = tuple([one.arg for one in s.args.args])
        return [s, *parsed(f"native_named({s.name}, {names!r})")]

    def _rules_amended(self, tree: ast.Module) -> None:
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and node.attr == "amended_by" and isinstance(node.value, ast.Name):
                rule = self.package.rule(self.name, node.value.id)
                if rule is not None and rule[0] != self.name:
                    self.extra.add((rule[0], rule[1] + "__rule"))

    def _imported(self, tree: ast.Module) -> list[str]:
        # The aliases begin with `native` or `Native`, as no other name of a module does.
        lines = [
            "from typing import Any, ClassVar, Final",
            "from mypy_extensions import mypyc_attr",
            *[f"from caltrop.native.records import {name} as {alias}" for name, alias in HELPERS.items()],
            "from caltrop.native.shapes import inherited as native_inherited, shaped as native_shaped",
        ]
        if self.package.rules[self.name]:
            lines += ["from caltrop.engine.rule import Rule as NativeRule"]
            lines += ["from caltrop.clauses.marks import WATCHED as NATIVE_WATCHED"]
        if any(self.package.descends(self.name, name, "Procedure") for name in self.package.classes[self.name]):
            if self.name != "caltrop.engine.procedure":
                names = "Go as NativeGo, Written as native_written, planned as native_planned"
                lines += [f"from caltrop.engine.procedure import {names}"]
            lines += ["from caltrop.clauses.marks import mark as native_mark"]
        if any(decorator(node, "effect") for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)):
            lines += ["from caltrop.clauses.marks import Mark as NativeMark, mark as native_mark"]
        have = self.package.imports[self.name]
        for home, name in sorted(self.extra):
            if name in have or name in self.package.classes[self.name]:
                continue
            origin = self.package.imports[home].get(name)
            lines.append(f"from {origin[0]} import {origin[1]} as {name}" if origin else f"from {home} import {name}")
        return [*lines, "NATIVE_SOURCE: Final[str] = native_source_of(__file__)"]

    # --- rules -------------------------------------------------------------------------------------------------------

    def _rule(self, node: ast.FunctionDef) -> list[ast.stmt]:
        """Return three definitions for a rule: its base function, the `Rule` with its amendments, and a function that
        applies both.
        """
        made, name = decorator(node, "rule"), node.name
        assert made is not None
        arguments = node.args
        names = [one.arg for one in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]
        by_name = [one.arg for one in arguments.kwonlyargs]
        by_place = [one for one in names if one not in by_name]
        base = ast.FunctionDef(f"{name}__base", arguments, node.body, [], node.returns, None)
        called = ", ".join([*by_place, *[f"{one}={one}" for one in by_name]])
        gives = ast.unparse(node.returns) if node.returns else "Any"
        rule = parsed(f"{name}__rule: Final[NativeRule[Any, Any]] = {ast.unparse(made)}({name}__base)")
        asked = parsed(
            f"value{': Any' if gives == 'None' else ''} = {name}__base({called})\n"
            f"if {name}__rule.amendments or NATIVE_WATCHED:\n"
            f"    changed: {gives} = {name}__rule.amended(value, {called})\n"
            f"    return changed\n"
            f"return value"
        )
        return [base, *rule, ast.FunctionDef(name, arguments, asked, [], node.returns, None)]

    # --- classes -----------------------------------------------------------------------------------------------------

    def _decorators(self, node: ast.ClassDef) -> list[ast.expr]:
        """Return the decorators of a class, with the one that sets mypyc's options."""
        at = (self.name, node.name)
        copyable = at in self.package.copyable
        # Without `serializable`, mypyc never calls the `__init__` of a class that can be copied.
        given = ["allow_interpreted_subclasses=True"] if copyable or at in self.package.open else []
        given += ["serializable=True"] if copyable else []
        return [*node.decorator_list, *[expression(f"mypyc_attr({', '.join(given)})") for _ in given[:1]]]

    def _class(self, node: ast.ClassDef) -> list[ast.stmt]:
        """Return the rewritten form of a class that is not a record."""
        bases = [ast.unparse(base.value if isinstance(base, ast.Subscript) else base) for base in node.bases]
        if any(base in ("NamedTuple", "Protocol") for base in bases):
            return [node]
        if node.name == "Back" or any(base in BASES_OF_PYTHON for base in bases):
            text = "from __future__ import annotations\n" + ast.unparse(node)
            return parsed(f"{node.name}: Any = native_interpreted({text!r}, {node.name!r}, globals())")
        node.decorator_list = self._decorators(node)
        body, kept = self._uncached(node.body)
        for s in body:  # defaults are set before an inherited `__init__` runs
            if isinstance(s, ast.AnnAssign) and ast.unparse(s.target) in kept:
                s.value = ast.Constant(None)
        for attribute in sorted(self.package.of_instances.get((self.name, node.name), ())):
            body = [_renamed(s, attribute) for s in body]
            body += [] if self._inherits(node.name, attribute) else _property_for(attribute)
        stored = self.package.stored.union(kept)
        node.body = [_class_variable(s, stored) for s in body if not _assigns(s, "__slots__")]
        node.body = [
            _with_beginning(s, "") if isinstance(s, ast.FunctionDef) and s.name == "__init_subclass__" else s
            for s in node.body
        ]
        if (self.name, node.name) == ("caltrop.engine.rule", "Rule"):
            node.body = [*map(_without_own_name, node.body)]
        node.body = node.body or [ast.Pass()]
        slots = [ast.unparse(s.value) for s in body if isinstance(s, ast.Assign) and _assigns(s, "__slots__")]
        slotted = [s for one in slots for s in parsed(f"native_slots({node.name}, {one})")]
        return [node, *slotted, *_static_parameters(node)]

    def _inherits(self, name: str, attribute: str) -> bool:
        """Return whether a class inherits the property for an attribute that its instances override."""
        bases = [base for _, base in self.package.bases(self.name, name) if base is not None]
        return any(attribute in self.package.of_instances.get(base, ()) for base in bases)

    def _uncached(self, body: list[ast.stmt]) -> tuple[list[ast.stmt], list[str]]:
        """Rewrite cached properties without their decorator; return the body, and the attributes for the values."""
        written: list[ast.stmt] = []
        kept: list[str] = []
        for s in body:
            if isinstance(s, ast.FunctionDef) and has_decorator(s, "cached_property"):
                gives = ast.unparse(s.returns) if s.returns else "Any"
                kept.append(f"_kept_{s.name}")
                work = ast.FunctionDef(f"_work_out_{s.name}", s.args, s.body, [], s.returns, None)
                written += parsed(f"_kept_{s.name}: {gives} | None")
                written.append(work)
                written += parsed(
                    f"@property\ndef {s.name}(self) -> {gives}:\n"
                    f"    if self._kept_{s.name} is None:\n"
                    f"        self._kept_{s.name} = self._work_out_{s.name}()\n"
                    f"    return self._kept_{s.name}"
                )
            else:
                written.append(s)
        return written, kept

    # --- records -----------------------------------------------------------------------------------------------------

    def _record(self, node: ast.ClassDef) -> list[ast.stmt]:
        """Return a record as a plain class, followed by the lines that register its shape."""
        package, name = self.package, node.name
        fields = package.fields(self.name, name)
        methods = {s.name for s in node.body if isinstance(s, ast.FunctionDef)}
        compares = "__eq__" in methods
        steps: list[str] = []
        own: list[str] = []
        before: list[ast.stmt] = []
        properties, _ = self._uncached(node.body)
        kept = [f"_kept_{one}" for one in package.cached_properties(self.name, name)]
        body: list[ast.stmt] = []
        for s in properties:
            if isinstance(s, ast.AnnAssign) and isinstance(s.target, ast.Name) and not is_class_variable(s.annotation):
                if not s.target.id.startswith("_kept_"):
                    default = f", {ast.unparse(s.value)}" if s.value is not None else ""
                    own.append(f"({s.target.id!r}, {ast.unparse(s.annotation)!r}{default})")
                annotation = bare(s.annotation)
                if name == "State" and s.target.id in LOOSE:
                    annotation = expression(LOOSE[s.target.id])
                body.append(ast.AnnAssign(s.target, annotation, None, 1))
            elif isinstance(s, ast.FunctionDef) and (marked := decorator(s, "step")) is not None:
                steps.append(self._step(name, s, marked))
                body.append(s)
            elif isinstance(s, ast.FunctionDef) and (marked := decorator(s, "effect")) is not None:
                before += self._effect(name, s, marked)
                body.append(s)
            elif isinstance(s, ast.Assign) and (goes := _goes_back(s)) is not None:
                steps.append(self._step(name, *goes))
                body.append(goes[0])
            elif isinstance(s, ast.Assign) and len(s.targets) == 1 and isinstance(s.targets[0], ast.Name):
                if s.targets[0].id == "__hash__":
                    body += parsed("def __hash__(self) -> int:\n    raise TypeError('unhashable type')")
                elif not s.targets[0].id.startswith("__"):
                    body.append(ast.AnnAssign(s.targets[0], expression("ClassVar[Any]"), s.value, 1))
            elif isinstance(s, ast.FunctionDef) and s.name == "__init_subclass__":
                begin = "native_begin(cls, options)"
                if name == "Procedure":  # `native_planned` hands over its plan afterwards
                    begin = f"written = native_is_written(cls)\n{begin}\nif written:\n    return None"
                body.append(_with_beginning(s, begin))
            else:
                body.append(s)
        body += parsed(self._methods(name, fields, kept, methods))
        options = [
            f"{keyword.arg}={ast.unparse(keyword.value)}" for keyword in node.keywords if keyword.arg is not None
        ]
        if compares:
            options.insert(0, "compares=True")
        shape = f"native_shaped({', '.join([name, '[' + ', '.join(own) + ']', *options])})"
        after = parsed(shape)
        if package.descends(self.name, name, "Procedure") and name != "Procedure":
            after += parsed(f"native_planned({name}, [{', '.join(steps)}])")
        bases: list[ast.expr] = [
            ast.Name("NativeRecord") if ast.unparse(base) == "msgspec.Struct" else base for base in node.bases
        ]
        made = ast.ClassDef(name, bases, [], body, self._decorators(node))
        return [*before, made, *after, *_static_parameters(made)]

    def _effect(self, name: str, method: ast.FunctionDef, marked: ast.Call) -> list[ast.stmt]:
        """Insert the counting of an effect into its method: in mypyc, a decorated method cannot override another."""
        place = next(keyword.value for keyword in marked.keywords if keyword.arg == "place")
        assert isinstance(place, ast.Tuple)
        id, source, line = [ast.unparse(one) for one in place.elts]
        clauses = "".join([ast.unparse(clause) + ", " for clause in marked.args])
        its_mark = f"{name}_{method.name}__mark"
        method.decorator_list = [one for one in method.decorator_list if one is not marked]
        method.body[0:0] = parsed(f"{its_mark}.fires()")
        return parsed(f"{its_mark}: Final[NativeMark] = native_mark({id}, 'step', ({clauses}), {source}, {line})")

    def _step(self, name: str, method: ast.FunctionDef, marked: ast.Call) -> str:
        clauses = "".join([ast.unparse(clause) + ", " for clause in marked.args])
        tag = next((ast.unparse(keyword.value) for keyword in marked.keywords if keyword.arg == "tag"), "''")
        gives = ast.unparse(method.returns) if method.returns else ""
        line = min([method.lineno, *[d.lineno for d in method.decorator_list]])
        method.decorator_list = [one for one in method.decorator_list if one is not marked]
        its_mark = f"native_mark({f'{self.name}:{name}.{method.name}'!r}, 'step', ({clauses}), NATIVE_SOURCE, {line})"
        replied = len(method.args.args) == 3
        return f"native_written({method.name!r}, {tag}, {name}.{method.name}, {replied}, {its_mark}, {gives!r})"

    def _annotation(self, field: Field) -> str:
        if field.name in LOOSE and field.home == "caltrop.engine.state":
            return LOOSE[field.name]
        return self._foreign(bare(field.annotation), field.home)

    def _foreign(self, node: ast.expr, home: str) -> str:
        if home != self.name:
            for inner in ast.walk(node):
                if isinstance(inner, ast.Name) and inner.id not in BUILT_IN:
                    self.extra.add((home, inner.id))
        return ast.unparse(node)

    def _methods(self, name: str, fields: list[Field], kept: list[str], methods: set[str]) -> str:
        package, frozen = (
            self.package,
            ast.unparse(self.package.option(self.name, name, "frozen") or ast.Constant(False)),
        )
        parameters: dict[bool, list[str]] = {False: [], True: []}
        set_up: list[str] = []
        for field in fields:
            annotation = self._annotation(field)
            if field.factory is not None:
                parameters[field.only_by_name].append(f"{field.name}: {annotation} | None = None")
                set_up.append(f"self.{field.name} = {field.made} if {field.name} is None else {field.name}")
            else:
                default = "" if field.default is None else f" = {self._foreign(field.default, field.home)}"
                parameters[field.only_by_name].append(f"{field.name}: {annotation}{default}")
                set_up.append(f"self.{field.name} = {field.name}")
        set_up += [f"self.{attribute} = None" for attribute in kept]
        if package.defines(self.name, name, "__post_init__"):
            set_up.append("self.__post_init__()")
        named_only = ["*", *parameters[True]] if parameters[True] else []
        given = [f"{'' if not f.only_by_name else f.name + '='}self.{f.name}" for f in fields]
        lines = [
            f"def __init__({', '.join(['self', *parameters[False], *named_only])}) -> None:",
            *["    " + line for line in set_up or ["pass"]],
            f"def _copy(self) -> '{name}':",
            f"    return {name}({', '.join(given)})",
        ]
        if not package.defines(self.name, name, "__eq__"):
            equal = " and ".join([f"self.{field.name} == other.{field.name}" for field in fields]) or "True"
            lines += [
                "def __eq__(self, other: object) -> bool:",
                "    if self is other:",
                "        return True",
                f"    if type(other) is not {name}:",
                "        return NotImplemented",
                f"    return {equal}",
            ]
            hashed = "".join([f"self.{field.name}, " for field in fields])
            lines += ["def __hash__(self) -> int:"]
            lines.append(
                f"    return hash(({hashed}))"
                if frozen == "True"
                else f'    raise TypeError("unhashable type: {name!r}")'
            )
        if ast.unparse(package.option(self.name, name, "order") or ast.Constant(False)) == "True":
            mine, its = ("".join([f"{who}.{field.name}, " for field in fields]) for who in ("self", "other"))
            for method, sign in (("lt", "<"), ("le", "<="), ("gt", ">"), ("ge", ">=")):
                lines += [f"def __{method}__(self, other: '{name}') -> bool:", f"    return ({mine}) {sign} ({its})"]
        if package.descends(self.name, name, "State") and name != "State" and "clone" not in methods:
            shelves = [
                field.name
                for field in fields
                if ast.unparse(field.annotation).startswith(("list[", "dict["))
                and field.name not in ("stack", "queue", "told")
            ]
            lines += [
                f"def clone(self) -> '{name}':",
                "    twin = self._copy()",
                *[f"    twin.{shelf} = self.{shelf}.copy()" for shelf in shelves],
                "    twin.stack = [native_copied(frame) for frame in self.stack]",
                "    twin.queue = [frame._copy() for frame in self.queue]",
                "    twin.told = None",
                "    return twin",
            ]
        return "\n".join(lines)


def _with_beginning(hook: ast.FunctionDef, begin: str) -> ast.FunctionDef:
    """Return an `__init_subclass__` with a new beginning, and without `super`, where mypyc loses the class."""
    hook.args.kwarg = ast.arg("options", expression("Any"))
    hook.body = [*parsed(begin), *[s for s in hook.body if "super()." not in ast.unparse(s)]]
    return hook


class _Renamed(ast.NodeTransformer):
    def __init__(self, attribute: str) -> None:
        self.attribute = attribute

    def visit_Attribute(self, node: ast.Attribute) -> ast.Attribute:
        self.generic_visit(node)
        if node.attr == self.attribute and ast.unparse(node.value) == "self":
            node.attr = f"_own_{self.attribute}"
        return node


def _renamed(s: ast.stmt, attribute: str) -> ast.stmt:
    """Return a method in which an attribute of `self` has a private name."""
    changed: ast.stmt = _Renamed(attribute).visit(s)
    return changed


def _property_for(attribute: str) -> list[ast.stmt]:
    """Return the property that returns the private attribute of an instance."""
    return parsed(f"@property\ndef {attribute}(self) -> Any:\n    return self._own_{attribute}")


def _static_parameters(node: ast.ClassDef) -> list[ast.stmt]:
    """Return the lines that record the parameter names of the static methods of a class."""
    methods = [s for s in node.body if isinstance(s, ast.FunctionDef) and has_decorator(s, "staticmethod")]
    named = [(s.name, tuple([one.arg for one in s.args.args])) for s in methods]
    return [line for name, names in named for line in parsed(f"native_named({node.name}.{name}, {names!r})")]


def _goes_back(s: ast.Assign) -> tuple[ast.FunctionDef, ast.Call] | None:
    """Return a step made by `back` as a method, with the call of its mark; None for any other assignment."""
    call, name = s.value, s.targets[0]
    if not isinstance(call, ast.Call) or ast.unparse(call.func) != "back" or not isinstance(name, ast.Name):
        return None
    made = parsed(f"def {name.id}(self, t: Any) -> NativeGo:\n    return NativeGo({ast.unparse(call.args[0])})")[0]
    assert isinstance(made, ast.FunctionDef)
    made.lineno = s.lineno
    return made, ast.Call(ast.Name("step"), call.args[1:], [])


def _values_of(node: ast.ClassDef) -> set[str]:
    """Return the names that are assigned in the body of a class."""
    targets = [s.targets[0] if isinstance(s, ast.Assign) else s.target for s in node.body if _gives_value(s)]
    return {target.id for target in targets if isinstance(target, ast.Name)}


def _gives_value(s: ast.stmt) -> TypeGuard[ast.Assign | ast.AnnAssign]:
    return isinstance(s, ast.Assign) or (isinstance(s, ast.AnnAssign) and s.value is not None)


def _assigns(s: ast.stmt, name: str) -> bool:
    return isinstance(s, ast.Assign) and ast.unparse(s.targets[0]) == name


def _class_variable(s: ast.stmt, written: set[str]) -> ast.stmt:
    """Declare a name in the body of a class as a `ClassVar`, unless a method assigns it."""
    if isinstance(s, ast.Assign):
        target = s.targets[0] if len(s.targets) == 1 else None
    else:
        target = s.target if isinstance(s, ast.AnnAssign) and s.value and not is_class_variable(s.annotation) else None
    if not isinstance(target, ast.Name) or target.id in written or target.id.startswith("__"):
        return s
    assert isinstance(s, (ast.Assign, ast.AnnAssign))
    return ast.AnnAssign(target, expression("ClassVar[Any]"), s.value, 1)


def _without_own_name(s: ast.stmt) -> ast.stmt:
    """Return a method of `Rule` that does not set `__doc__` and `__wrapped__`, which a native class lacks."""
    if isinstance(s, ast.FunctionDef):
        named = ("self.__doc__", "self.__wrapped__")
        body = [one for one in s.body if not ast.unparse(one).lstrip("(").startswith(named)]
        if len(body) < len(s.body):
            body += parsed("native_named_as(self, base)")
        s.body = body
    return s


def _make_final(body: list[ast.stmt]) -> None:
    """Declare constants as `Final`, so that compiled code need not look them up."""
    stored: dict[str, int] = {}
    for node in ast.walk(ast.Module(body, [])):
        if isinstance(node, ast.Global):
            stored |= dict.fromkeys(node.names, 2)
    for s in body:
        targets = [s.target] if isinstance(s, ast.AnnAssign) else s.targets if isinstance(s, ast.Assign) else []
        for target in targets:
            for node in ast.walk(target):
                if isinstance(node, ast.Name):
                    stored[node.id] = stored.get(node.id, 0) + 1
        if isinstance(s, (ast.FunctionDef, ast.ClassDef)):
            stored[s.name] = stored.get(s.name, 0) + 1
        if isinstance(s, (ast.For, ast.If, ast.Try, ast.With)):
            for node in ast.walk(s):
                if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                    stored[node.id] = 2
    for n, s in enumerate(body):
        if isinstance(s, ast.Assign) and len(s.targets) == 1 and isinstance(s.targets[0], ast.Name):
            name = s.targets[0].id
            if stored[name] == 1 and not _is_alias(s.value) and not name.startswith("__"):
                body[n] = ast.AnnAssign(s.targets[0], ast.Name("Final"), s.value, 1)
        elif (
            isinstance(s, ast.AnnAssign)
            and isinstance(s.target, ast.Name)
            and s.value is not None
            and stored[s.target.id] == 1
            and "Final" not in ast.unparse(s.annotation)
        ):
            s.annotation = expression(f"Final[{ast.unparse(s.annotation)}]")


def _is_alias(value: ast.expr) -> bool:
    """Return whether an assigned value is a type."""
    if isinstance(value, ast.Name):
        return value.id in BUILT_IN or value.id[:1].isupper()
    if isinstance(value, ast.Subscript):
        return ast.unparse(value.value) in ALIASES
    if isinstance(value, ast.BinOp):
        return isinstance(value.op, ast.BitOr)
    if isinstance(value, ast.Call):
        return ast.unparse(value.func) in TYPE_MAKERS or ast.unparse(value.func).endswith("defstruct")
    return isinstance(value, ast.Attribute)
