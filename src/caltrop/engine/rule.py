"""Rules as functions, the amendments that change their results, and guards that refuse actions.

A rule is a function of the state (or of a bare `Book`) and some records. Traits, editions and house rules change the
result of a rule by amendments, which are written beside the trait or house rule. A `Book` is one edition of a rulebook
with the house rules of one match; it knows which amendments are in force.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache, update_wrapper
from pathlib import Path
from string import Formatter
from typing import Annotated, Any, Concatenate, Generic, ParamSpec, Protocol, TypeVar

import msgspec

from caltrop.agreeing import agreeing, does, quantity
from caltrop.clauses import WATCHED, Mark, Place, mark, place_of
from caltrop.engine.packs import PACK, Pack, pack_called
from caltrop.errors import Portable

P = ParamSpec("P")
R = TypeVar("R")
F = TypeVar("F", bound=Callable[..., Any])

HouseValue = str | int
"""The value of a house rule: a word, or a whole number."""


class Settled(dict[str, HouseValue]):
    """The house rules of a match, as a mapping that cannot be changed."""

    def _refuse(self, *args: Any, **kwargs: Any) -> Any:
        raise TypeError("the house rules of a match cannot be changed")

    __setitem__ = __delitem__ = __ior__ = clear = pop = popitem = setdefault = update = _refuse

    def __reduce__(self) -> tuple[Any, ...]:
        return dict, (dict(self),)


class Book:
    """One edition of a rulebook with the house rules of a match, compiled once and shared by all its states.

    Attributes:
        rules: The value of every house rule, by name; the mapping cannot be changed.
        pack: The pack that changes the printed rows; None without a pack.
    """

    __slots__ = ("chains", "edition", "pack", "rules", "ruleset", "scratch", "token")

    def __init__(
        self, ruleset: str, edition: str, rules: Mapping[str, HouseValue] | None = None, pack: Pack | None = None
    ) -> None:
        self.ruleset, self.edition = ruleset, edition
        self.pack = pack if pack is not None or not rules or PACK not in rules else pack_called(str(rules[PACK]))
        self.rules: dict[str, HouseValue] = Settled(rules or {})
        self.chains: dict[str, tuple[Amendment, ...]] = {}
        self.scratch: dict[str, Any] = {}
        """A cache for values that a ruleset computes once in a match; never stored."""
        self.token = ""
        """Id of the book in other processes; empty until the book is sent to one."""

    def __copy__(self) -> Book:
        return self

    def __deepcopy__(self, memo: Any) -> Book:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        if not self.token:
            self.token = os.urandom(16).hex()
        return _book, (self.token, self.ruleset, self.edition, tuple(sorted(self.rules.items())), self.pack)

    @property
    def book(self) -> Book:
        """The book itself, so that rules accept a book in place of a state."""
        return self

    def __repr__(self) -> str:
        return f"Book({self.ruleset!r}, {self.edition!r}, {self.rules!r})"


@lru_cache(maxsize=16)
def _book(
    token: str, name: str, edition: str, rules: tuple[tuple[str, HouseValue], ...], pack: Pack | None = None
) -> Book:
    """Return the copy of a book that came from another process, with its cached values.

    Books of two matches are always different objects, because cached values may depend on the table.
    """
    book = Book(name, edition, dict(rules), pack)
    book.token = token
    return book


class HasBook(Protocol):
    """An object with a book: a state, or the book itself."""

    @property
    def book(self) -> Book: ...


def _no_traits(*args: Any) -> tuple[str, ...]:
    return ()


class Amendment:
    """A change of a rule's result, in force with a trait, an edition, a house rule, or a combination of these."""

    __slots__ = ("change", "editions", "house", "mark", "of", "stage", "trait")

    def __init__(
        self,
        change: Callable[..., Any],
        mark: Mark,
        stage: int,
        trait: str | None,
        of: Callable[..., Iterable[str]],
        editions: tuple[str, ...],
        house: tuple[str, tuple[HouseValue, ...]] | None,
    ) -> None:
        self.change, self.mark, self.stage = change, mark, stage
        self.trait, self.of, self.editions, self.house = trait, of, editions, house

    def in_force(self, book: Book) -> bool:
        """Return whether the amendment applies in the edition and under the house rules of *book*."""
        if self.editions and book.edition not in self.editions:
            return False
        return self.house is None or book.rules.get(self.house[0]) in self.house[1]

    def excludes(self, other: Amendment) -> bool:
        """Return whether two amendments can never be in force together."""
        if self.editions and other.editions and not set(self.editions) & set(other.editions):
            return True
        return bool(
            self.house
            and other.house
            and self.house[0] == other.house[0]
            and not set(self.house[1]) & set(other.house[1])
        )


class Rule(Generic[P, R]):
    """A question that the rulebook answers, with its amendments. The decorator `rule` makes a `Rule` of a function."""

    def __init__(
        self,
        base: Callable[P, R],
        clauses: tuple[str, ...],
        stages: tuple[str, ...],
        traits: Callable[..., Iterable[str]],
        place: Place | None = None,
    ) -> None:
        self.base, self.stages, self.traits = base, stages, traits
        self.id, path, line = place or place_of(base)
        self.mark = mark(self.id, "rule", clauses, path, line)
        self.amendments: list[Amendment] = []
        self.__doc__, self.__name__, self.__module__ = base.__doc__, base.__name__, base.__module__
        self.__wrapped__ = base

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        value = self.base(*args, **kwargs)
        return self.amended(value, *args, **kwargs) if self.amendments or WATCHED else value

    def amended(self, value: R, *args: P.args, **kwargs: P.kwargs) -> R:
        """Return the base's result after the amendments in force, and count the call."""
        if WATCHED:
            self.mark.fires()
        if not self.amendments:
            return value
        book: Book = args[0].book  # type: ignore[attr-defined]
        try:
            chain = book.chains[self.id]
        except KeyError:
            chain = book.chains[self.id] = tuple([a for a in self.amendments if a.in_force(book)])
        if not chain:
            return value
        asked: Callable[..., Iterable[str]] | None = None
        traits: Iterable[str] = ()
        for amendment in chain:
            if WATCHED and not amendment.mark.on:
                continue
            if amendment.trait is not None:
                if amendment.of is not asked:  # asked only once for amendments in a row with one `of`
                    asked = amendment.of
                    traits = tuple(asked(*args, **kwargs))
                if amendment.trait not in traits:
                    continue
            changed = amendment.change(value, *args, **kwargs)
            if changed is not value and changed != value:
                if WATCHED:
                    amendment.mark.fires()
                value = changed
        return value

    def amended_by(
        self,
        *clauses: str,
        stage: str | None = None,
        trait: str | None = None,
        of: Callable[..., Iterable[str]] | None = None,
        edition: str | tuple[str, ...] = (),
        house: Mapping[str, HouseValue | tuple[HouseValue, ...]] | None = None,
        place: Place | None = None,
    ) -> Callable[[Callable[Concatenate[R, P], R]], Callable[Concatenate[R, P], R]]:
        """Register an amendment of this rule.

        Raises ValueError for an unknown stage, and for two amendments whose order would be undefined.

        Args:
            clauses: The clauses or rulings that require the amendment.
            stage: One of the rule's stages; needed if the rule has stages.
            trait: The trait with which the amendment is in force, if the holder has it.
            of: Returns the traits, given the rule's arguments; by default the rule's own function `traits`.
            place: Place of the amendment in the source, if the function does not show it.
        """
        if self.stages and stage not in self.stages:
            raise ValueError(f"{self.id} has no stage {stage!r}; its stages are {', '.join(self.stages)}")
        at = self.stages.index(stage) if self.stages and stage else 0
        condition: tuple[str, tuple[HouseValue, ...]] | None = None
        if house:
            ((name, values),) = house.items()
            condition = (name, values if isinstance(values, tuple) else (values,))
        editions = (edition,) if isinstance(edition, str) else edition

        def add(change: Callable[Concatenate[R, P], R]) -> Callable[Concatenate[R, P], R]:
            name, path, line = place or place_of(change)
            made = Amendment(
                change,
                mark(name, "amendment", clauses, path, line),
                at,
                trait,
                of or self.traits,
                editions,
                condition,
            )
            for other in self.amendments:
                if other.stage == at and other.trait == trait and not other.excludes(made):
                    raise ValueError(f"{name} and {other.mark.id} amend {self.id} at the same stage: give one its own")
            self.amendments.append(made)
            # The order must be independent of the order in which modules are imported.
            self.amendments.sort(key=lambda a: (a.stage, a.mark.id.partition(":")[0], a.mark.line))
            return change

        return add


def _function_of(asked: Rule[P, R]) -> Any:
    """Return a fast function that answers like the rule.

    The fast function is generated code with the parameters of the rule's base, so that a call packs no arguments.
    """
    base: Any = asked.base
    names = ", ".join(base.__code__.co_varnames[: base.__code__.co_argcount])
    lines = [
        f"def asks({names}):",
        f"    value = base({names})",
        f"    return amended(value, {names}) if amendments or WATCHED else value",
    ]
    made = {"base": base, "amended": asked.amended, "amendments": asked.amendments, "WATCHED": WATCHED}
    exec(compile("\n".join(lines), f"<the rule {asked.id}>", "exec"), made)
    asks: Any = update_wrapper(made["asks"], base)
    asks.__defaults__ = base.__defaults__
    asks.amendments, asks.amended, asks.amended_by = asked.amendments, asked.amended, asked.amended_by
    return asks


def rule(
    *clauses: str,
    stages: tuple[str, ...] = (),
    traits: Callable[..., Iterable[str]] = _no_traits,
    place: Place | None = None,
) -> Callable[[Callable[P, R]], Rule[P, R]]:
    """Turn a function into a rule. Arguments of a rule may be passed by position or by name.

    Args:
        stages: Names of the points at which amendments apply, in order.
        traits: Returns the traits that count, given the rule's arguments.
        place: Place of the rule in the source, if the function does not show it.
    """

    def make(base: Callable[P, R]) -> Any:
        made = Rule(base, clauses, stages, traits, place)
        # Compiled modules accept only a `Rule` for a name that is declared as one.
        return _function_of(made) if __file__.endswith(".py") else made

    return make


AnyAction = Annotated[Any, msgspec.Meta(extra_json_schema={"type": "object"})]
"""An action of any ruleset, as a field of a message."""
MaybeAction = Annotated[Any, msgspec.Meta(extra_json_schema={"type": ["object", "null"]})]


class Refusal(msgspec.Struct, frozen=True, kw_only=True):
    """The reason why an action may not be taken."""

    code: str
    """A short, stable word for programs, such as `out-of-range`."""
    clause: str
    """The clause or ruling that forbids the action."""
    message: str
    """The reason in plain words, with the numbers."""
    values: dict[str, Any] = {}
    """The numbers in the message, by name; lengths in tenths of a millimetre."""
    nearest: MaybeAction = None
    """The nearest legal action, if there is one."""

    @property
    def with_clause(self) -> str:
        """The message of the refusal with its clause, as in an error about a file or a request.

        >>> Refusal(code="far", clause="DU-MOVE-01", message="a walk is at most 8 cm").with_clause
        'a walk is at most 8 cm (DU-MOVE-01)'
        """
        return f"{self.message} ({self.clause})" if self.clause else self.message

    def towards(self, nearest: Any) -> Refusal:
        return msgspec.structs.replace(self, nearest=nearest)


class Refused(Portable):
    """Raised if an action is refused; nothing has changed. Attributes: refusal: The reason."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.with_clause)
        self.refusal = refusal


def parts_of(words: str) -> tuple[tuple[str, str | None, str], ...]:
    """Return a text with placeholders as parts: text, name of the following value, and format of that value.

    `{reach:cm}` and `{gap:inch}` are lengths in tenths of a millimetre. `{name:is}` is the name of a unit with a verb
    that agrees with it: "Light Tanks are"; `{name::moves}` is only the verb. If the value of a placeholder is a number,
    `{models:model}` is the number with its noun: "2 models"; `{models::is}` is the verb that agrees with it. Raises
    ValueError for an unknown format.
    """
    parts = []
    for text, name, spec, conversion in Formatter().parse(words):
        if conversion or (spec and not _VERB.fullmatch(spec)):
            raise ValueError(f"{words!r}: a value is shown as it is, as a length in cm or inch, or with its verb")
        parts.append((text, name, spec or ""))
    return tuple(parts)


_VERB = re.compile("cm|inch|:?[A-Za-z][A-Za-z ]*")


def _shown(value: Any, how: str) -> str:
    if not how:
        return str(value)
    number = isinstance(value, int)
    if how[0] == ":":
        return agreeing(value if number else str(value), how[1:])
    if how == "inch":
        return inches(value)
    if how == "cm":
        return f"{decimal(value, 100)} cm"
    return quantity(value, how) if number else does(str(value), how)


def filled(parts: tuple[tuple[str, str | None, str], ...], values: Mapping[str, Any]) -> str:
    """Return a text with its placeholders replaced by values, given the parts of the text."""
    pieces = []
    for text, name, shown in parts:
        pieces.append(text)
        if name is not None:
            pieces.append(_shown(values[name], shown))
    return "".join(pieces)


def decimal(length: int, unit: int) -> str:
    """Return a length in a game's unit, with at most two decimals, rounded up.

    >>> decimal(1250, 100), decimal(508, 254), decimal(509, 254), decimal(600, 100)
    ('12.5', '2', '2.01', '6')
    """
    hundredths = -(-abs(length) * 100 // unit)
    text = f"{hundredths // 100}.{hundredths % 100:02}".rstrip("0").rstrip(".")
    return "-" + text if length < 0 and hundredths else text


def inches(length: int) -> str:
    """Return a length in inches, in words.

    >>> inches(254), inches(381), inches(127)
    ('1 inch', '1.5 inches', '0.5 inches')
    """
    return quantity(decimal(length, 254), "inch")


class Guard:
    """A clause that makes options illegal."""

    __slots__ = ("clause", "code", "mark", "parts", "words")

    def __init__(self, clause: str, code: str, words: str, m: Mark) -> None:
        self.clause, self.code, self.words, self.mark = clause, code, words, m
        self.parts = parts_of(words)

    def refuses(self, forbidden: bool | int, **values: Any) -> Refusal | None:
        """Return a refusal if *forbidden* is true, otherwise None. *values* fill the guard's placeholders."""
        if forbidden and self.mark.fires():
            return Refusal(code=self.code, clause=self.clause, message=filled(self.parts, values), values=values)
        return None

    def __call__(self, forbidden: bool | int) -> bool:
        """Return whether the clause forbids the option."""
        return bool(forbidden) and self.mark.fires()


def guard(clauses: str | tuple[str, ...], code: str, words: str, place: Place | None = None) -> Guard:
    """Make a guard, and bind it to a constant of the module. The mark of a guard is named after the module and the
    code.

    Args:
        clauses: Clauses that the guard implements; a refusal names the first.
        code: Short, stable word for programs, unique within the module.
        words: The reason in plain words, with values in braces.
        place: Place of the guard in the source, if the calling module does not show it.
    """
    import sys

    every = (clauses,) if isinstance(clauses, str) else clauses
    if place is None:
        frame = sys._getframe(1)
        place = f"{frame.f_globals['__name__']}:{code}", frame.f_code.co_filename, frame.f_lineno
    id, path, line = place
    return Guard(every[0], code, words, mark(id, "guard", every, path, line))


class Term(msgspec.Struct, frozen=True):
    """One part of a sum, with its reason."""

    value: int
    clause: str
    words: str


Sum = tuple[Term, ...]
"""A number as the list of its terms, in order."""


def total(parts: Sum) -> int:
    return sum([p.value for p in parts])


def row_marks(file: Path, rows: Mapping[str, Mapping[str, str]], lines: Mapping[str, int]) -> dict[str, Mark]:
    """Return the marks of the rows of a data file, by `row.field`.

    Args:
        rows: For each row, the clauses of each of its fields, separated by blanks.
        lines: Line number of each row, from 1.
    """
    return {
        f"{row}.{field}": mark(
            f"{file.name}:{row}.{field}", "row", tuple(clauses.split()), str(file), lines.get(row, 1)
        )
        for row, fields in rows.items()
        for field, clauses in fields.items()
    }
