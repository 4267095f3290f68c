"""The base class of rulesets, and the registry of all rulesets: those in `caltrop.rules`, and those of installed
packages.

An installed package adds rulesets by the entry point group `caltrop.rulesets`. Each entry point gives a name and a
`Ruleset`.
"""

from __future__ import annotations

import difflib
import importlib
import pkgutil
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from threading import RLock
from types import ModuleType
from typing import Any, ClassVar, Self

import msgspec

from caltrop.chance import Dice
from caltrop.clauses.inventory import Inventory, inventory
from caltrop.engine.army import Armoury
from caltrop.engine.cards import ArmyCard, ScenarioCard
from caltrop.engine.decision import Decision
from caltrop.engine.event import Action, Event, Rolled
from caltrop.engine.forecast import Foresee
from caltrop.engine.house import Switch, settle, switches_in
from caltrop.engine.packs import PACK, Pack, PackFile, Sheet, learnt, pack_called, reading, within_bounds
from caltrop.engine.parts import Campaigns, Files, Maps, Parts, Referee, Rulings, Sights, WhyNoAttack
from caltrop.engine.procedure import Procedure
from caltrop.engine.rows import digest_of_rows
from caltrop.engine.rule import Book
from caltrop.engine.state import State
from caltrop.errors import InputError
from caltrop.picture import Picture
from caltrop.roster import nearest


class Ruleset(ABC):
    """A rulebook as the engine sees it."""

    name: ClassVar[str]
    title: ClassVar[str]
    words: ClassVar[str] = ""
    """Description of the game in one sentence."""
    owner: ClassVar[str] = ""
    editions: ClassVar[tuple[str, ...]] = ("current",)
    prefix: ClassVar[str]
    """Prefix of the ruleset's clause ids, such as `CH-`."""
    size_words: ClassVar[str] = "Units a side"
    """Label for the size of a battle, if players choose the size."""
    rules_version: ClassVar[int] = 1
    """Version of the rules. The version is raised if a correction changes the course of recorded games."""
    state: ClassVar[type[State]]

    @property
    def switches(self) -> Sequence[Switch]:
        """The house rules in `house_rules.yaml` of the ruleset's data; empty without that file."""
        return switches_in(self.data)

    @abstractmethod
    def scenarios(self) -> Sequence[ScenarioCard]:
        """Return the scenarios that the game includes."""

    def armies(self) -> Sequence[ArmyCard]:
        """Return the armies that the game includes; empty if scenarios define their own."""
        return ()

    @abstractmethod
    def setup(self, book: Book, scenario: str, armies: Sequence[str] = (), size: int | None = None) -> State:
        """Return the state before the first step.

        Raises ValueError for an unknown or unsuitable value; the message names the nearest valid one.

        Args:
            book: Edition and house rules.
            scenario: Id of a scenario, or the path of a scenario file.
            armies: Id of each side's army; the scenario's own if empty.
            size: Size of each side's army, in the unit of `size_words`, if the scenario leaves it open.
        """

    @abstractmethod
    def depict(self, t: Any, side: int | None) -> Picture:
        """Return the picture of the table for interfaces; *t* is the side's view."""

    def automated(self, t: Any) -> Sequence[int]:
        """Return the sides without a player, which the rules move."""
        return ()

    def guess(self, view: Any, side: int, dice: Dice) -> Any:
        """Return a full state that is consistent with what *side* sees; the view itself if nothing is hidden."""
        return view

    def rows(self, t: Any) -> Mapping[str, Any]:
        """Return the rows of rules data that a game uses, by name, given its edition, house rules and forces.

        Numbers that the initial state already contains are left out. The result is therefore empty for rules without
        other data.

        Args:
            t: The state at the first decision.
        """
        return {}

    def rules_digest(self, t: Any) -> str:
        """Return a digest of `rows` without their texts. A stored game can be continued while the digest is unchanged.

        Args:
            t: The state at the first decision.
        """
        rows = self.rows(t)
        # Rows of rules never change during a match, and their digest is needed whenever a state is stored.
        cached: tuple[Mapping[str, Any], str] | None = t.book.scratch.get("digest of rows")
        if (
            cached is None
            or cached[0].keys() != rows.keys()
            or any(cached[0][name] is not row for name, row in rows.items())
        ):
            cached = t.book.scratch["digest of rows"] = rows, digest_of_rows(rows)
        return cached[1]

    def book(self, edition: str | None = None, rules: Mapping[str, Any] | None = None) -> Book:
        """Return an edition with house rules.

        Raises ValueError for an unknown edition, house rule or value.
        """
        edition = edition or self.editions[0]
        if edition not in self.editions:
            raise ValueError(f"{self.name} has no edition {edition!r}; its editions are {', '.join(self.editions)}")
        chosen = dict(rules or {})
        word = chosen.pop(PACK, None)
        if word is None:
            return Book(self.name, edition, settle(self.switches, chosen))
        pack = self.with_pack(pack_called(str(word)))
        values = settle(self.switches, {**pack.file.rules, **chosen})
        return Book(self.name, edition, {**values, PACK: pack.name}, pack)

    def pack(self, file: PackFile) -> Pack:
        """Check a pack for this game and return it. The name of the pack can then be used as a house rule.

        Raises InputError for an error in the pack, at the field.
        """
        return learnt(self.with_pack(Pack(within_bounds(file))).file)

    def with_pack(self, pack: Pack) -> Pack:
        """Return the same pack, if it is valid for this game.

        Raises InputError for an error in the pack, at the field.
        """
        fault = pack.derived(("fault", self.name), lambda: next(self.faults_of(pack), None))
        if fault is not None:
            raise InputError(fault.message, field=fault.field)
        return pack

    def faults_of(self, pack: Pack) -> Iterator[InputError]:
        """Yield the faults of a pack's rows and house rules, each once."""
        seen = set()
        for fault in self._faults_of_pack(pack):
            if (fault.field, fault.message) not in seen:
                seen.add((fault.field, fault.message))
                yield fault

    def _faults_of_pack(self, pack: Pack) -> Iterator[InputError]:
        file = pack.file
        if file.ruleset != self.name:
            yield InputError(f"this pack is for {file.ruleset!r}; this game is {self.name!r}", field="ruleset")
            return
        if PACK in file.rules:
            yield InputError("a pack cannot name another pack", field=f"rules.{PACK}")
        else:
            for rule, value in file.rules.items():
                try:
                    settle(self.switches, {rule: value})
                except ValueError as error:
                    yield InputError(str(error), field=f"rules.{rule[:60]}")
        sheets = {sheet.name: sheet for sheet in self.sheets}
        for name in file.rows:
            if name not in sheets:
                complaint = f"{self.name} has no rows of this name; {nearest(name, sheets)}"
                yield InputError(complaint, field=f"rows.{name[:60]}")
        for name, rows in file.rows.items():
            if name in sheets:
                yield from self._faults_of_rows(pack, sheets, sheets[name], rows)

    def _faults_of_rows(
        self, pack: Pack, sheets: Mapping[str, Sheet[Any]], sheet: Sheet[Any], rows: Mapping[str, Any]
    ) -> Iterator[InputError]:
        for edition in self.editions:

            def rows_of(name: str, edition: str = edition) -> Mapping[str, Any]:
                return pack.rows(sheets[name], edition)

            faults = pack.faults(sheet, edition)
            if faults:
                yield from faults
                return
            try:
                laid = rows_of(sheet.name)
                together = "" if sheet.whole is None else sheet.whole(laid)
                if together:
                    yield InputError(together, field=f"rows.{sheet.name}")
                for key, fields in rows.items():
                    place = f"rows.{sheet.name}.{key}"
                    for field, other in sheet.refs.items():
                        words = tuple(_words_in(fields.get(field)))
                        words_known = () if not words else rows_of(other) if isinstance(other, str) else other(rows_of)
                        for word in words:
                            if word not in words_known:
                                fault = f"there is no {word[:60]!r} for this; {nearest(word, words_known)}"
                                yield InputError(fault, field=f"{place}.{field}")
                    if sheet.check is not None and key in laid:
                        for fault, field in sheet.check(key, laid[key]):
                            yield InputError(fault, field=f"{place}.{field}")
            except InputError as error:
                yield error
                return

    def begin(self, book: Book, scenario: str, armies: Sequence[str] = (), size: int | None = None) -> State:
        """Return the state before the first step, with the pack's armies and scenarios. The arguments are those of
        `setup`.

        Raises:
            ValueError: for an unknown or unsuitable value; the message names the nearest valid one.
        """
        with reading(book.pack):
            return self.setup(book, scenario, armies, size)

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: Any) -> Self:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return ruleset, (self.name,)

    # --- optional parts, files and clauses ---

    @property
    def parts(self) -> Parts:
        """All optional parts of a ruleset in one record."""
        return Parts()

    @property
    def forecasts(self) -> Foresee | None:
        return self.parts.forecasts

    @property
    def why_no_attack(self) -> WhyNoAttack | None:
        """Function that returns why a unit cannot attack another; None if the ruleset has none."""
        return self.parts.why_no_attack

    @property
    def referee(self) -> Referee[Any, Any] | None:
        return self.parts.referee

    @property
    def sights(self) -> Sights | None:
        return self.parts.sights

    @property
    def rulings(self) -> Rulings[Any, Any, Any] | None:
        return self.parts.rulings

    @property
    def campaigns(self) -> Campaigns[Any, Any, Any] | None:
        return self.parts.campaigns

    @property
    def scenario_files(self) -> Files | None:
        return self.parts.scenario_files

    @property
    def army_lists(self) -> Armoury | None:
        return self.parts.army_lists

    @property
    def maps(self) -> Maps | None:
        return self.parts.maps

    @property
    def sheets(self) -> Sequence[Sheet[Any]]:
        """The sheets whose rows a pack may change."""
        return self.parts.sheets

    @property
    def data(self) -> Path:
        """The folder of the ruleset's data files: `data` in its package."""
        package = importlib.import_module(_package_of(type(self).__module__))
        return Path(package.__path__[0]) / "data"

    def inventory(self) -> Inventory:
        """Return the ruleset's clauses, from `clauses.md` in its data or from its page in Caltrop's docs; empty if
        neither exists.
        """
        own = self.data / "clauses.md"
        return inventory(self.name, self.prefix, own if own.exists() else None)

    def round(self, t: Any) -> int:
        """Return the number of the round, 0 before the first. The default is the field `round` of the state, or 0."""
        return int(getattr(t, "round", 0))

    def turn(self, t: Any) -> Any:
        """Return a value that differs from turn to turn. A record stores the public view whenever the value changes."""
        return t.active, self.round(t)

    def vocabulary(self) -> Vocabulary:
        """Return every procedure, decision, action and event of its modules, except those with a leading underscore."""
        return _vocabulary(type(self).__module__)


def _package_of(home: str) -> str:
    return home if hasattr(importlib.import_module(home), "__path__") else home.rpartition(".")[0]


@lru_cache(maxsize=32)
def _vocabulary(home: str) -> Vocabulary:
    """Return the classes of the package of the module *home*, after importing all its modules."""
    package = importlib.import_module(_package_of(home))
    modules: list[ModuleType] = [package]
    for submodule in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        modules.append(importlib.import_module(submodule.name))
    kinds: dict[type, dict[type, None]] = {Procedure: {}, Decision: {}, Action: {}, Event: {Rolled: None}}
    for module in modules:
        for thing in vars(module).values():
            if isinstance(thing, type) and thing.__module__ == module.__name__:
                for base, members in kinds.items():
                    if issubclass(thing, base) and not thing.__name__.startswith("_"):
                        members[thing] = None
    procedures, decisions, actions, events = (
        tuple(sorted(members, key=lambda c: c.__name__)) for members in kinds.values()
    )
    for action in actions:
        action.check_declaration()  # type: ignore[attr-defined]
    return Vocabulary(procedures, decisions, actions, events)


def _words_in(value: Any) -> Iterator[str]:
    if isinstance(value, str) and value:
        yield value
    elif isinstance(value, Sequence) and not isinstance(value, str):
        for one in value:
            yield from _words_in(one)


class Vocabulary(msgspec.Struct, frozen=True):
    """The classes of a ruleset for states, journals and messages."""

    procedures: tuple[type, ...]
    decisions: tuple[type, ...]
    actions: tuple[type, ...]
    events: tuple[type, ...]


@lru_cache(maxsize=1)
def own_rulesets() -> dict[str, str]:
    """Return the rulesets in the package `caltrop.rules`: module and object, by name."""
    # The engine imports this package by name, because it must not depend on a rulebook.
    package = importlib.import_module("caltrop.rules")
    return {
        module.name.replace("_", "-"): f"{package.__name__}.{module.name}:ruleset"
        for module in pkgutil.iter_modules(package.__path__)
        if module.ispkg
    }


@lru_cache(maxsize=1)
def _homes() -> dict[str, str]:
    from importlib.metadata import entry_points

    return {point.name: point.value for point in entry_points(group="caltrop.rulesets")} | own_rulesets()


def _home_of(name: str) -> str | None:
    return own_rulesets().get(name) or _homes().get(name)


@lru_cache(maxsize=1)
def rulesets() -> tuple[str, ...]:
    places: dict[str, int] = {}
    for name in _homes():
        stamp = "0"
        if name in own_rulesets():
            (folder,) = importlib.import_module("caltrop.rules").__path__
            file = Path(folder, name.replace("-", "_"), "data", "place")
            stamp = file.read_text(encoding="ascii").strip() if file.exists() else "0"
        if stamp != "unfinished":
            places[name] = int(stamp)
    return tuple(sorted(places, key=lambda name: (places[name], name)))


_IMPORTING = RLock()
"""A lock that prevents a deadlock of two threads that import rulesets."""


@lru_cache(maxsize=32)
def ruleset(name: str) -> Ruleset:
    """Return a ruleset by its name. Raises InputError if the ruleset does not exist; the message names the nearest."""
    if not isinstance(name, str):
        raise InputError(f"the name of a game is text; this is {name!r}. There are {', '.join(rulesets())}")
    home = _home_of(name)
    if home is None:
        near = difflib.get_close_matches(name, rulesets(), 1, 0.4)
        hint = f"; did you mean {near[0]}?" if near else f"; there are {', '.join(rulesets())}"
        raise InputError(f"there is no game {name!r}{hint}")
    module, _, attribute = home.partition(":")
    with _IMPORTING:
        rules: Ruleset = getattr(importlib.import_module(module), attribute)
        if rules.name != name:
            raise ValueError(f"{home} calls itself {rules.name!r}, and is installed as {name!r}")
        # Imports all modules of the ruleset, because the amendments in a module are in force only after its import.
        rules.vocabulary()
    return rules


def with_part(part: str) -> list[str]:
    """Return the names of the rulesets with a certain part, such as `referee`."""
    return [name for name in rulesets() if getattr(ruleset(name), part) is not None]


def referee_of(request: Any) -> Referee[Any, Any]:
    """Return the referee of the ruleset that an attack request names.

    Raises InputError if the request names no ruleset with a referee; the message names the nearest.
    """
    if not isinstance(request, Mapping):
        raise InputError(f"a request is a JSON object that names its ruleset: {', '.join(with_part('referee'))}")
    name = request.get("ruleset")
    if name is None:
        raise InputError(f"this key is missing; it is one of {', '.join(with_part('referee'))}", field="ruleset")
    referee = ruleset(name).referee if isinstance(name, str) and _home_of(name) else None
    if referee is None:
        words = f"there is no referee of {str(name)[:60]!r}; {nearest(str(name)[:60], with_part('referee'))}"
        raise InputError(words, field="ruleset")
    return referee
