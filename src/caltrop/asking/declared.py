"""The declaration of an act, and the functions that are compiled from it.

`Guards` are rows: a guard with the condition under which it forbids. A `Pick` lists the values of a field. A condition
is a function whose parameters are named for what they read: `t`, `side`, `o` (the `Choices`), `price`, fields of the
act, or of its decision (`context`). Parameter names are checked when the act's `Shape` is made.

Three functions are written out for each act, row by row, because random games spend most of their time in them. These
functions give the reason against one act, whether the act is legal, and the list of all legal acts. The functions call
a condition with local variables.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from functools import cache, cached_property
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, NamedTuple, get_type_hints

from caltrop.clauses import Mark
from caltrop.engine import Guard, Refusal
from caltrop.engine.rule import parts_of
from caltrop.parameters import read_by

Named = Callable[..., Any]
"""A function whose parameters are filled in by name."""
BASIC = ("t", "side", "o")
"""Names that every condition may read: the state, the side that is asked, and the `Choices`."""


class _Unmarked(Mark):
    """Mark for code without a clause: it is always on, and nothing counts it."""

    @property
    def on(self) -> bool:
        return True

    def fires(self) -> bool:
        return True


NOT_LISTED = Guard(
    "", "not-an-option", "This is not one of the choices here", _Unmarked("not-listed", "guard", (), "", 0)
)
"""Guard without a clause of its own: it refuses answers that are not among the choices, and names the decision's
clause.
"""


class ValueFinder(NamedTuple):
    """A function that finds a value for words, with the names that it is called with."""

    function: Named
    names: tuple[str, ...]


Values = Mapping[str, "str | ValueFinder"]
"""For each name in a template, a field or a function that returns its value."""


def values_of(values: Mapping[str, str | Named]) -> dict[str, str | ValueFinder]:
    return {name: of if isinstance(of, str) else ValueFinder(of, read_by(of)) for name, of in values.items()}


class GuardRow(NamedTuple):
    """One reason why an act may not be done.

    Attributes:
        guard: The guard that forbids; None if the condition returns a refusal of its own.
        condition: The function that decides.
        names: The names of its arguments.
        says: Values for the words of the guard.
        field: The field, if the row is the guard of a field's `Pick`: the condition then lists the legal values.
    """

    guard: Guard | None
    condition: Named
    names: tuple[str, ...]
    says: Values
    field: str = ""


class Guards:
    """The reasons why an act may not be done, in the order in which people see them.

    For reasons that several acts share, call `why` or `may` with the arguments of the conditions: the state first,
    all else by name, as in `BUSY.may(t, unit=3)`.

    Args:
        rows: Pairs of a guard and its condition, functions that return a refusal, and other `Guards`. The name of a
            field stands for its own guard, and `...` for those of all other fields, which come first by default.
        says: Values for the words of the guards: the name of a field, or a function.
    """

    def __init__(self, *rows: Any, **says: str | Named) -> None:
        own = values_of(says)
        made: list[GuardRow | str | None] = []
        for row in rows:
            if row is ... or isinstance(row, str):
                made.append(None if row is ... else row)
            elif isinstance(row, Guards):
                made += [r._replace(says={**own, **r.says}) if isinstance(r, GuardRow) else r for r in row.rows]
            else:
                guard, condition = row if isinstance(row, tuple) else (None, row)
                made.append(GuardRow(guard, condition, read_by(condition), own))
        self.rows: tuple[GuardRow | str | None, ...] = tuple(made)

    @cached_property
    def why(self) -> Callable[..., Refusal | None]:
        return self._compiled("found = refused(row{n}, locals())", "if found is not None:", "    return found")

    @cached_property
    def may(self) -> Callable[..., bool]:
        forbidden = ("if mark{n} is None or mark{n}.on:", "    return False")
        return self._compiled(*forbidden, end="True", words=False)

    def _compiled(self, *forbidden: str, end: str = "None", words: bool = True) -> Callable[..., Any]:
        rows = [row for row in self.rows if isinstance(row, GuardRow)]
        speaking = [row for row in rows if row.guard] if words else []
        phrases = [row.says.get(name, name) for row in speaking for _, name, _ in row.guard.parts if name]  # type: ignore[union-attr]
        guard_names = [name for of in phrases for name in ((of,) if isinstance(of, str) else of.names)]
        read = dict.fromkeys([*[name for row in rows for name in row.names], *guard_names])
        rest = ", ".join([name for name in read if name != "t"])
        lines = [f"def reading(t{', *, ' if rest else ''}{rest}):"]
        names: dict[str, Any] = {"refused": _refused}
        for n, row in enumerate(rows):
            names |= {f"asks{n}": row.condition, f"row{n}": row, f"mark{n}": row.guard and row.guard.mark}
            asks = f"asks{n}({', '.join(row.names)})"
            lines += [f"    found = {asks}", "    if found:", *[f"        {line.format(n=n)}" for line in forbidden]]
        exec(compile("\n".join([*lines, f"    return {end}"]), "<the reading of some guards>", "exec"), names)
        reading: Callable[..., Any] = names["reading"]
        return reading

    def of(self, **fields: str) -> Guards:
        """Return the same guards about other fields: `BUSY.of(unit="into")`."""
        made = Guards()
        made.rows = tuple([_renamed(row, fields) if isinstance(row, GuardRow) else row for row in self.rows])
        return made


def _refused(row: GuardRow, values: Mapping[str, Any]) -> Refusal | None:
    if row.guard is None:
        refusal: Refusal | None = values["found"]
        return refusal
    if not row.guard.mark.on:
        return None
    parts = [(name, row.says.get(name, name)) for _, name, _ in row.guard.parts if name is not None]
    words = {
        name: values[of] if isinstance(of, str) else of.function(*[values[read] for read in of.names])
        for name, of in parts
    }
    return row.guard.refuses(True, **words)


def _renamed(row: GuardRow, fields: Mapping[str, str]) -> GuardRow:
    def other(names: Iterable[str]) -> tuple[str, ...]:
        return tuple([fields.get(name, name) for name in names])

    says = {
        name: fields.get(of, of) if isinstance(of, str) else of._replace(names=other(of.names))
        for name, of in row.says.items()
    }
    return row._replace(names=other(row.names), says=says)


class Pick:
    """The values of a field.

    Args:
        of: Lists the values in canonical order; it may read earlier fields.
        guard: The guard that refuses other values, before the guards of the act; None if those guards refuse them.
        shown: Returns a value in words; a function with the parameter `it`.
        among: Lists the values that the guard allows, if these are more than `of` lists.
        says: Values in the words of the guard, as in `Guards`.
    """

    def __init__(
        self,
        of: Named,
        guard: Guard | None = None,
        shown: Named | None = None,
        among: Named | None = None,
        **says: str | Named,
    ) -> None:
        self.of, self.guard, self.shown, self.among, self.says = of, guard, shown, among or of, says

    def as_(self, **says: str | Named) -> Pick:
        """Return the same values with other words in the refusal."""
        return Pick(self.of, self.guard, self.shown, self.among, **says)


class Shape:
    """The declaration of an act, checked and compiled.

    Raises TypeError if a function of the declaration reads a name that the act does not have.

    Attributes:
        why: Return the refusal of an act, or None: `why(act, o)`.
        may: Return whether an act is legal, without words and without counting: `may(act, o)`.
        every: Yield all legal acts: `every(act_type, o, fixed)`.
        rows: All rows in order, those of the fields among them.
        says: Values in the words of the act.
        shown: For a field, the function that returns its value in words.
        aim: The unit that the act is aimed at, as `Act.aim`; None if a field has this name.
        spot: The place that it is aimed at, likewise.
    """

    def __init__(self, act: Any) -> None:
        self.act: Any = act
        self.fields: tuple[str, ...] = act.__struct_fields__
        self.picks = self._picks()
        self.shown = {f: ValueFinder(p.shown, read_by(p.shown)) for f, p in self.picks.items() if p.shown is not None}
        self.says = values_of(act.says)
        self.aim = None if "aim" in self.fields else act.aim
        self.spot = None if "spot" in self.fields else act.spot
        self.rows = self._rows()
        self._check()

    if TYPE_CHECKING:
        why: Callable[[Any, Any], Refusal | None]
        may: Callable[[Any, Any], bool]
        every: Callable[[Any, Any, Mapping[str, Any]], Iterator[Any]]
    else:

        def __getattr__(self, name: str) -> Any:
            # A game uses only some of its acts, so each is compiled at its first use.
            if name not in ("why", "may", "every"):
                raise AttributeError(name)
            made = _ShapeSource(self).compiled()
            self.why, self.may, self.every = made["why"], made["may"], made["every"]
            return made[name]

    def _picks(self) -> dict[str, Pick]:
        hints: dict[str, Any] = {}
        for base in [one for one in self.act.__mro__ if hasattr(one, "guards") and "__annotations__" in vars(one)]:
            annotated = base.__annotations__.items()
            own = {f: a for f, a in annotated if f in self.fields and not str(a).startswith("ClassVar")}
            named = vars(sys.modules[base.__module__])
            hints = get_type_hints(SimpleNamespace(__annotations__=own), named, include_extras=True) | hints
        return {f: p for f in self.fields for p in getattr(hints[f], "__metadata__", ()) if isinstance(p, Pick)}

    def _rows(self) -> list[GuardRow]:
        fields = {
            f: GuardRow(p.guard, p.among, read_by(p.among), values_of(p.says), f)
            for f, p in self.picks.items()
            if p.guard is not None
        }
        own = self.act.guards.rows
        rest = [row for f, row in fields.items() if f not in own]
        rows: list[GuardRow] = []
        for row in own if None in own or not rest else (None, *own):
            rows += rest if row is None else [fields[row] if isinstance(row, str) else row]
        return rows

    def _check(self) -> None:
        act, shared = self.act, (*BASIC, *self.act.context)
        basic = (*shared, *self.fields)
        every = (*basic, "price") if act.price else basic
        if act.price:
            self._known("price", read_by(act.price), basic)
        for n, (f, pick) in enumerate(self.picks.items()):
            self._known(f"field {f}", read_by(pick.of), (*shared, *list(self.picks)[:n]))
            if pick.shown is not None:
                self._known(f"field {f} in words", read_by(pick.shown), (*every, "it"))
        for n, row in enumerate(self.rows, 1):
            where = f"row {n}" + (f" ({row.guard.code})" if row.guard is not None else "")
            self._known(where, row.names, every)
            for _, name, _ in row.guard.parts if row.guard is not None else ():
                if name is not None:
                    self._known(f"{where}, {{{name}}}", self.read_in_words(name, row.says), every)
        for what in ("words", "group"):
            for _, name, _ in parts_of(getattr(act, what)):
                if name is not None:
                    self._known(f"{what}, {{{name}}}", self.read_in_words(name, {}), every)
        for what, of in (("aim", self.aim), ("spot", self.spot)):
            if of is not None:
                self._known(what, (of,) if isinstance(of, str) else read_by(of), every)

    def of_words(self, name: str, says: Values) -> str | ValueFinder:
        """Return the field or the function that supplies a value in words."""
        return says.get(name, self.says.get(name, name))

    def read_in_words(self, name: str, says: Values) -> tuple[str, ...]:
        of = self.of_words(name, says)
        return (of,) if isinstance(of, str) else of.names

    def _known(self, where: str, names: Iterable[str], allowed: Sequence[str]) -> None:
        for name in names:
            if name not in allowed:
                near = get_close_matches(name, allowed, 1)
                hint = f"did you mean {near[0]!r}?" if near else f"it has {', '.join(allowed)}"
                raise TypeError(f"{self.act.__name__}, {where}: there is no {name!r}; {hint}")


shape_of: Callable[[Any], Shape] = cache(Shape)
"""Return the shape of an act's class, made once."""


class _ShapeSource:
    """Source code of the three functions of a shape, with the objects that the code refers to."""

    def __init__(self, shape: Shape) -> None:
        self.shape = shape
        self.names: dict[str, Any] = {"ANY": object(), "price_of": shape.act.price}
        for n, row in enumerate(shape.rows):
            self.names[f"asks{n}"] = row.condition
            if row.guard is not None:
                self.names[f"mark{n}"] = row.guard.mark
                self.names[f"fires{n}"] = row.guard.mark.fires
                self.names[f"row{n}"] = row
        for f, pick in shape.picks.items():
            self.names[f"values_{f}"] = pick.of

    def compiled(self) -> dict[str, Any]:
        text = "\n".join([*self._why(), *self._may(), *self._every()])
        code = compile(text, f"<the reading of {self.shape.act.__name__}>", "exec")
        exec(code, self.names)
        return self.names

    def _asks(self, n: int) -> str:
        row = self.shape.rows[n]
        called = f"asks{n}({', '.join(row.names)})"
        return f"{row.field} not in {called}" if row.field else called

    def _price(self) -> str:
        return f"price = price_of({', '.join(read_by(self.shape.act.price))})"

    def _locals(self, names: Iterable[str]) -> list[str]:
        read = set(names)
        if "price" in read:
            read |= set(read_by(self.shape.act.price))
        lines = [f"    {name} = o.{name}" for name in ("t", "side") if name in read]
        lines += [f"    {f} = o.asked.{f}" for f in self.shape.act.context if f in read]
        return lines + [f"    {f} = act.{f}" for f in self.shape.fields if f in read]

    def _read(self) -> list[str]:
        return [name for row in self.shape.rows for name in (*row.names, row.field)]

    def _straight(self, name: str, on: Callable[[int], list[str]], end: str) -> list[str]:
        """Return source code that checks the rows in order; *on* gives the lines for a row that forbids the act."""
        lines, priced = [f"def {name}(act, o):", *self._locals(self._read())], False
        for n, row in enumerate(self.shape.rows):
            if "price" in row.names and not priced:
                lines.append("    " + self._price())
                priced = True
            lines += ["    " + line for line in on(n)]
        return [*lines, f"    return {end}"]

    def _why(self) -> list[str]:
        def on(n: int) -> list[str]:
            row = self.shape.rows[n]
            if row.guard is None:
                return [f"found = {self._asks(n)}", "if found:", "    return found"]
            # If the guard of a field is switched off, later guards cannot be asked about the value.
            leave = ["    return found"] if row.field else ["    if found is not None:", "        return found"]
            return [f"if {self._asks(n)}:", f"    found = act._refusal(row{n}, o)", *leave]

        return self._straight("why", on, "None")

    def _may(self) -> list[str]:
        def legal(n: int) -> list[str]:
            row = self.shape.rows[n]
            if row.field:
                return [f"if {self._asks(n)}:", f"    return not mark{n}.on"]
            on = f" and mark{n}.on" if row.guard is not None else ""
            return [f"if {self._asks(n)}{on}:", "    return False"]

        return self._straight("may", legal, "True")

    def _every(self) -> list[str]:
        """Return source code of the listing: rows that read no field first, then rows by field, the price last."""
        shape, picks = self.shape, list(self.shape.picks)
        if set(picks) != set(shape.fields):
            return ["every = None"]
        cost = read_by(shape.act.price) if shape.act.price else ()
        gates: list[int] = []
        alone: dict[str, list[int]] = {f: [] for f in picks}
        after: dict[str, list[int]] = {f: [] for f in picks}
        for n, row in enumerate(shape.rows if not shape.act.dragged else ()):
            names = [*row.names, *(cost if "price" in row.names else ())]
            read = [f for f in picks if f in names or f == row.field]
            if not read:
                gates.append(n)
            elif row.field:
                continue  # values listed by a `Pick` pass its own guard
            elif "price" in row.names:
                after[picks[-1]].append(n)
            else:
                (alone if len(read) == 1 else after)[read[-1]].append(n)
        free = [f for f in picks if not set(read_by(shape.picks[f].of)) & set(picks)]
        lines = ["def every(cls, o, fixed):", "    t = o.t", "    side = o.side"]
        lines += [f"    {f} = o.asked.{f}" for f in shape.act.context]
        lines += [f"    fixed_{f} = fixed.get({f!r}, ANY)" for f in picks]
        lines += self._tests(gates, "    ", "return")
        for f in free if len(picks) > 1 else ():
            lines += [f"    list_{f} = []", *self._loop(f, self._values(f), "    ", alone[f], check=True)]
            lines += [f"        list_{f}.append({f})", f"    if not list_{f}:", "        return"]
        indent = "    "
        for f in picks:
            listed = f in free and len(picks) > 1
            tests = after[f] if listed else alone[f] + after[f]
            lines += self._loop(f, f"list_{f}" if listed else self._values(f), indent, tests, check=not listed)
            indent += "    "
        return [*lines, f"{indent}yield cls({', '.join(shape.fields)})"]

    def _values(self, field: str) -> str:
        return f"values_{field}({', '.join(read_by(self.shape.picks[field].of))})"

    def _loop(self, field: str, values: str, indent: str, rows: Sequence[int], *, check: bool) -> list[str]:
        lines, inner = [f"{indent}for {field} in {values}:"], indent + "    "
        if check:
            lines += [f"{inner}if fixed_{field} is not ANY and {field} != fixed_{field}:", f"{inner}    continue"]
        return lines + self._tests(rows, inner, "continue")

    def _tests(self, rows: Sequence[int], indent: str, leave: str) -> list[str]:
        """Return the lines that skip an act if a row forbids it. A guard that refuses is counted, because it removes an
        act.
        """
        lines: list[str] = []
        for n in rows:
            if "price" in self.shape.rows[n].names and not any("price = " in line for line in lines):
                lines.append(indent + self._price())
            counted = f" and fires{n}()" if self.shape.rows[n].guard is not None else ""
            lines += [f"{indent}if {self._asks(n)}{counted}:", f"{indent}    {leave}"]
        return lines
