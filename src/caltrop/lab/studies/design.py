"""The file of a study, and its list of games."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from math import ceil, prod
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any, Literal

import msgspec

from caltrop import __version__
from caltrop.chance import Seeded
from caltrop.engine import HouseValue, ruleset
from caltrop.engine.army import PathOf
from caltrop.engine.packs import PACK, Pack, PackFile, reading, within_bounds
from caltrop.errors import InputError
from caltrop.journal import Setting
from caltrop.kit.army_sheet import faults_in
from caltrop.lab.series import SeriesOrder, check
from caltrop.roster import Read, read_yaml
from caltrop.roster.places import unspelled
from caltrop.scenarios.packs import pack_given

TRIES = 200
"""Largest number of armies drawn to find one that the rules allow."""

MOST_CELLS = 10_000
"""Largest number of settings in a grid."""

PRINTED = "none"
"""Word for playing without a pack, with the printed rows."""

SETTING = ("ruleset", "scenario", "edition", "armies", "players", "size", "pack", "rules", "vary", "cases", "draw")
"""Keys of a study that define the battle to be played."""

Count = Annotated[int, msgspec.Meta(ge=1)]


class Vary(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The factors of a study, each with its levels. The first level is the baseline."""

    scenario: tuple[str, ...] = ()
    edition: tuple[str, ...] = ()
    armies: tuple[tuple[str, ...], ...] = ()
    players: tuple[tuple[str, ...], ...] = ()
    size: tuple[int, ...] = ()
    pack: tuple[str, ...] = ()
    """Names of packs, as in the field `pack`; `none` plays without a pack."""
    rules: dict[str, tuple[HouseValue, ...]] = {}


class StudyCase(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A listed setting of a study: its name, and its differences from the common setting."""

    name: str
    scenario: str | None = None
    edition: str | None = None
    armies: tuple[str, ...] | None = None
    players: tuple[str, ...] | None = None
    size: int | None = None
    pack: str | None = None
    rules: dict[str, HouseValue] = {}


class ArmyPool(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A source of random armies: an army list to be filled with random units."""

    name: str
    list: dict[str, Any]
    """Fields of the army list besides its units."""
    always: tuple[dict[str, Any], ...] = ()
    """Units that every army of the pool has, as entries of its army list."""
    units: tuple[dict[str, Any], ...]
    """Units to draw from with equal chances; a unit may be drawn more than once."""
    size: tuple[Count, Count]
    """Smallest and largest number of drawn units."""


class Pairs(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of the games that check points: different armies of equal cost play each other."""

    pairs: Count = 6
    games: Count = 400
    """Games of each pairing; the armies swap sides every second game."""


class StudyBudget(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    games: Count | None = None
    """Largest number of games played in total."""
    minutes: float | None = None
    """Time limit of a run in minutes."""


class Study(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, dict=True):
    """A study: the games to be played, and the times at which results are looked at."""

    format: Literal["caltrop-study"]
    title: str
    words: str = ""
    """Question that the study should answer."""
    ruleset: str
    scenario: str | None = None
    """Id of a scenario, if it is not varied; by default the game's first. The edition works in the same way."""
    edition: str | None = None
    armies: tuple[str, ...] = ()
    players: tuple[str, ...] = ("random", "random")
    """The two players, by name or as `MODULE:NAME`."""
    size: int | None = None
    pack: str = PRINTED
    """Pack that changes the printed rows: a folder, a zip, a document, a link, or the id of an installed pack. Paths of
    packs are relative to the study. `none` plays without a pack.
    """
    packs: dict[str, PackFile] = {}
    """Content of each pack, by its name in the study. Filled in when a study is read, for all workers."""
    rules: dict[str, HouseValue] = {}
    vary: Vary = Vary()
    cases: tuple[StudyCase, ...] = ()
    """The settings of the design `list`, the baseline first."""
    draw: tuple[ArmyPool, ...] = ()
    """Pools of armies for the design `drawn`."""
    check: Pairs = Pairs()
    """Settings of the check of points that `caltrop study points` fits."""
    design: Literal["grid", "random", "list", "drawn"] = "grid"
    """`grid`: every combination of levels. `random`: each game has random levels, all equally often. `list`: the
    settings in `cases`. `drawn`: each game, or each pair of games with swapped seats, has armies drawn from `draw`.
    """
    games: Count
    """Games of each setting; in total for a random design or drawn armies."""
    seed: int = 1
    swap: bool = True
    """True if the players change seats every second game."""
    common_dice: bool = True
    """True if games with the same number have the same dice in every setting, so that settings are compared in pairs.
    With the design `random`, every game has its own dice.
    """
    looks: Annotated[int, msgspec.Meta(ge=1, le=50)] = 1
    """Number of looks at the results, after equal parts of the games. More looks make the intervals wider."""
    precise: float | None = None
    """Half-width of an interval at which a look ends the study early. The half-width is reached if every setting has
    it; in a random design, if every effect has it.
    """
    clauses: bool = False
    """True to store the clauses used in each game."""
    budget: StudyBudget = StudyBudget()

    @cached_property
    def factors(self) -> dict[str, tuple[Any, ...]]:
        v = self.vary
        named = {
            "scenario": v.scenario,
            "edition": v.edition,
            "armies": v.armies,
            "players": v.players,
            "size": v.size,
            "pack": v.pack,
            **{f"rules.{rule}": levels for rule, levels in v.rules.items()},
        }
        if self.design == "list":
            return {"case": self.cases}
        if self.design == "drawn":
            return {}
        return {name: levels for name, levels in named.items() if levels}

    @property
    def cells(self) -> int:
        return prod(len(levels) for levels in self.factors.values())

    @property
    def by_chance(self) -> bool:
        """Return whether the setting of each game is drawn at random, so that `games` is the total number."""
        return self.design in ("random", "drawn")

    @property
    def total(self) -> int:
        """Number of games to be played, within the budget."""
        games = self.games if self.by_chance else self.games * self.cells
        return games if self.budget.games is None else min(games, self.budget.games)

    def cell_of(self, index: int) -> tuple[int, int]:
        """Return the setting of a game, and the game's number in that setting. If settings are drawn at random, return
        the game's number in the study.

        The settings take turns, so that at any time they have nearly the same number of games.
        """
        if not self.by_chance:
            return index % self.cells, index // self.cells
        unit = index // 2 if self.swap else index
        return unit, index

    def levels(self, cell: int) -> dict[str, Any]:
        values: dict[str, Any] = {}
        if self.design == "random":
            for name, levels in self.factors.items():
                order = _shuffled(len(levels), f"{self.seed} levels of {name} {cell // len(levels)}")
                values[name] = levels[order[cell % len(levels)]]
            return values
        for name, levels in reversed(self.factors.items()):
            cell, level = divmod(cell, len(levels))
            values[name] = levels[level]
        return dict(reversed(values.items()))

    def drawn(self, cell: int) -> tuple[tuple[int, tuple[int, ...]], ...]:
        """Return the armies of a setting: for each side, the number of its pool and of its units in the pool."""
        return tuple([self.army(f"{self.seed} armies {cell} {side}") for side in range(2)])

    def army(self, seed: str, pool: int | None = None) -> tuple[int, tuple[int, ...]]:
        """Return a random army that the rules allow: the number of its pool, and the numbers of its units in the pool.

        Raises InputError if the rules allow none of the drawn armies.

        Args:
            pool: Number of the pool; any pool by default.
        """
        dice = Seeded(seed)
        chosen = dice.below(len(self.draw)) if pool is None else pool
        at = self.draw[chosen]
        for _ in range(TRIES):
            count = at.size[0] + dice.below(at.size[1] - at.size[0] + 1)
            units = tuple(sorted(dice.below(len(at.units)) for _ in range(count)))
            if allowed(self.ruleset, army_text(at, units), self.pack_called(self.pack)):
                return chosen, units
        raise InputError(f"none of {TRIES} armies drawn from {at.name} is allowed", field="draw")

    def order(self, cell: int) -> SeriesOrder:
        """Return the series of games of a setting. Raises InputError for an unknown name or value."""
        return self.order_with(self.levels(cell), cell)

    def order_with(self, levels: dict[str, Any], cell: int = 0) -> SeriesOrder:
        """Return the series of games of a setting with these levels.

        Raises InputError for an unknown name or value.
        """
        levels = dict(levels)
        case: StudyCase | None = levels.pop("case", None)
        rules = dict(self.rules)
        for name, level in levels.items():
            if name.startswith("rules."):
                rules[name.removeprefix("rules.")] = level
        given = {
            "scenario": levels.get("scenario", self.scenario),
            "edition": levels.get("edition", self.edition),
            "armies": levels.get("armies", self.armies),
            "size": levels.get("size", self.size),
            "pack": levels.get("pack", self.pack),
        }
        players = levels.get("players", self.players)
        if self.design == "drawn":
            given["armies"] = tuple([army_text(self.draw[pool], units) for pool, units in self.drawn(cell)])
        if case is not None:
            for name in given:
                if (own := getattr(case, name)) is not None:
                    given[name] = own
            rules |= case.rules
            players = players if case.players is None else case.players
        pack = self.pack_called(given.pop("pack"))
        if pack is not None:
            rules[PACK] = pack.name
        if len(players) != 2:
            raise InputError(f"there are two players; this study has {len(players)}", field="players")
        setting = Setting.chosen(
            self.ruleset, given["edition"], given["scenario"], given["armies"], given["size"], rules
        )
        return SeriesOrder(
            setting=setting,
            players=(players[0], players[1]),
            games=self.games,
            seed=self.seed if self.common_dice or self.by_chance else _own_seed(self.seed, cell),
            swap=self.swap,
        )

    @property
    def pack_words(self) -> tuple[str, ...]:
        words = [self.pack, *self.vary.pack, *[case.pack for case in self.cases if case.pack is not None]]
        return tuple(dict.fromkeys([word for word in words if word != PRINTED]))

    def pack_called(self, word: str) -> Pack | None:
        """Return a pack of this study and register it by name in this process; None for `none`.

        Raises InputError for a pack that the study does not have, or that has an error.
        """
        if word == PRINTED:
            return None
        if word not in self.packs:
            raise InputError(f"there is no {word[:80]!r} among the packs of this study", field="packs")
        return ruleset(self.ruleset).pack(within_bounds(self.packs[word]))

    def look_at(self, look: int) -> int:
        """Return the number of games after which the results are looked at. Looks are numbered from 1."""
        games = ceil(self.games * look / self.looks)
        return games if self.by_chance else games * self.cells

    def looked_at(self, played: int) -> int:
        """Return the number of looks completed after a number of games."""
        return sum(1 for look in range(1, self.looks + 1) if self.look_at(look) <= played)


def army_text(pool: ArmyPool, units: tuple[int, ...]) -> str:
    """Return an army list with some units of a pool, as the text of a file."""
    entries = [*pool.always, *[pool.units[unit] for unit in units]]
    return msgspec.json.encode({**pool.list, "units": entries}).decode() + "\n"


@lru_cache(maxsize=4096)
def allowed(game: str, text: str, pack: Pack | None = None) -> bool:
    """Return whether the rules with a pack allow an army list."""
    files = ruleset(game).army_lists
    if files is None:
        raise InputError(f"{game} has no army lists to draw", field="draw")
    with TemporaryDirectory() as place:
        file = Path(place, "army.yaml")
        file.write_text(text, encoding="utf-8")
        try:
            with reading(pack):
                files.check(file)
        except InputError:
            return False
    return True


def label(level: Any) -> str:
    """Return a short text for a level, for rows and reports.

    >>> label(("easy", "random")), label(3), label("bridge")
    ('easy,random', '3', 'bridge')
    """
    if isinstance(level, StudyCase):
        return level.name
    return ",".join(level) if isinstance(level, tuple) else str(level)


def _shuffled(count: int, seed: str) -> list[int]:
    order, dice = list(range(count)), Seeded(seed)
    for n in range(count - 1, 0, -1):
        other = dice.below(n + 1)
        order[n], order[other] = order[other], order[n]
    return order


def _own_seed(seed: int, cell: int) -> int:
    return int.from_bytes(hashlib.blake2b(f"{seed} {cell}".encode(), digest_size=6).digest())


def read_study(file: Path | str, pack: str | None = None) -> Study:
    """Read a study. Raises InputError for an error in the study, with its place and the nearest valid value.

    Args:
        pack: A pack for all games, from the command line; the study itself must then name none.
    """
    read = read_yaml(file, Study)
    if pack is not None:
        if read.value.pack_words:
            raise read.wrong("the study names packs itself: leave --pack out, or its own packs", "pack")
        packs = {pack: pack_given(pack, None)}
        read = Read(msgspec.structs.replace(read.value, pack=pack, packs=packs), read.places, read.source)
    read = _with_packs(read, None if isinstance(file, str) else file.parent)
    _check(read)
    return read.value


def _with_packs(read: Read[Study], folder: Path | None) -> Read[Study]:
    study = read.value
    if study.packs or not study.pack_words:
        return read
    packs: dict[str, PackFile] = {}
    for word in study.pack_words:
        try:
            packs[word] = pack_given(word, folder)
        except InputError as error:
            place: tuple[str | int, ...] = ("pack",)
            if word in study.vary.pack:
                place = ("vary", "pack", study.vary.pack.index(word))
            elif word != study.pack:
                place = ("cases", next(n for n, case in enumerate(study.cases) if case.pack == word), "pack")
            raise read.wrong(error.message, *place) from None
    return Read(msgspec.structs.replace(study, packs=packs), read.places, read.source)


def text_with_packs(text: str, study: Study) -> str:
    """Return the text of a study including the content of its packs."""
    written = read_yaml(text, Study).value
    if not study.packs or study.packs == written.packs:
        return text
    if study.pack != written.pack:
        text = f"{text.rstrip()}\n\npack: {_json(study.pack)}\n"
    packs = "".join(f"  {_json(word)}: {_json(file)}\n" for word, file in study.packs.items())
    return f"{text.rstrip()}\n\npacks:  # as they were when the study was begun\n{packs}"


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def _check(read: Read[Study]) -> None:
    """Raise InputError if a study's games cannot be played. Every level of every factor is tried once."""
    study = read.value
    if study.design == "list":
        if not study.cases:
            raise read.wrong("a design of this sort lists its settings", "cases")
        if len({case.name for case in study.cases}) < len(study.cases):
            raise read.wrong("two cases have the same name", "cases")
        if study.vary != Vary():
            raise read.wrong("a design that lists its settings varies nothing else", "vary")
    elif study.design == "drawn":
        if not study.draw:
            raise read.wrong("a design of drawn armies says what they are drawn from", "draw")
        for n, pool in enumerate(study.draw):
            if pool.size[0] > pool.size[1]:
                raise read.wrong("the least is not more than the most", "draw", n, "size")
            _check_pool(read, n, pool)
            try:
                study.army("one of them", n)
            except InputError as error:
                raise read.wrong(error.message, "draw", n) from None
        if study.vary != Vary() or study.cases:
            raise read.wrong("a design of drawn armies varies nothing else", "design")
    elif study.draw:
        raise read.wrong(f"a design {study.design!r} draws no armies", "draw")
    elif study.cases:
        raise read.wrong(f"a design {study.design!r} has levels to vary, and no cases", "cases")
    for name, levels in study.factors.items():
        where: tuple[str | int, ...] = ("cases",) if name == "case" else ("vary", *name.split(".", 1))
        labels = [label(level) for level in levels]
        if len(set(labels)) < len(labels):
            raise read.wrong("a level is listed twice", *where)
    if study.design == "random" and not study.factors:
        raise read.wrong("a random design draws levels, and there is nothing to vary", "vary")
    if study.cells > MOST_CELLS and study.design == "grid":
        raise read.wrong(f"there are {study.cells} settings, and {MOST_CELLS} are the most", "vary")
    if study.precise is not None and not 0 < study.precise < 1:
        raise read.wrong("a share lies between 0 and 1", "precise")
    for tried, where in _tried(study):
        try:
            check(study.order_with(tried))
        except ValueError as error:
            complaint = error.message if isinstance(error, InputError) else str(error)
            field = unspelled(error.field or "") if isinstance(error, InputError) else ()
            raise read.wrong(complaint, *_place_of(complaint, field, read, where)) from None


def _check_pool(read: Read[Study], n: int, pool: ArmyPool) -> None:
    """Raise InputError for the first unit of a pool that cannot be read; such a unit would never be drawn."""
    study = read.value
    house = {} if (pack := study.pack_called(study.pack)) is None else {PACK: pack.name}
    rules, always = ruleset(study.ruleset), len(pool.always)
    for unit in range(len(pool.units)):
        text = army_text(pool, (unit,))
        for fault in faults_in(text, pool.name, rules, edition=study.edition, house=house, agreed=0):
            path = unspelled(fault.field or "")
            if len(path) > 2 and isinstance(path[1], int):
                place = ("always", path[1]) if path[1] < always else ("units", unit)
                raise read.wrong(fault.message, "draw", n, *place, *path[2:])


def _place_of(complaint: str, field: PathOf, read: Read[Study], where: PathOf) -> PathOf:
    """Return the path of the value in a study that an error message is about.

    The value is the first word quoted in the message, else the given field, else the first number in the message;
    *where* if none of these lies under it.
    """
    setting = msgspec.to_builtins(msgspec.structs.replace(read.value, packs={}), str_keys=True)
    values = list(_words_of({key: value for key, value in setting.items() if key in SETTING}, ()))
    quoted, numbers = re.findall("'([^']+)'", complaint)[:1], re.findall(r"\b\d+\b", complaint)
    named = (*where, *field), ("vary", *field, 0), field
    paths = [
        *[path for path, word in values if word in quoted],
        *[path for path in named if field and path in read.places],
        *[path for number in numbers for path, word in values if word == number],
    ]
    return next((path for path in paths if path[: len(where)] == where), where)


def _words_of(value: Any, path: PathOf) -> Iterator[tuple[PathOf, str]]:
    """Yield all texts, numbers and keys in plain data, each with its path."""
    if isinstance(value, str | int):
        yield path, str(value)
    elif isinstance(value, Mapping | Sequence):
        for key, inner in value.items() if isinstance(value, Mapping) else enumerate(value):
            yield from _words_of(inner, (*path, key))
            yield (*path, key), str(key)


def _tried(study: Study) -> Iterator[tuple[dict[str, Any], tuple[str | int, ...]]]:
    """Yield the setting of all first levels, and one setting for each other level, with that level's place."""
    first = {name: levels[0] for name, levels in study.factors.items()}
    yield first, ()
    for name, levels in study.factors.items():
        for n in range(1, len(levels)):
            yield {**first, name: levels[n]}, ("cases", n) if name == "case" else ("vary", *name.split(".", 1), n)


def rules_of(study: Study) -> str:
    """Return a hash of the versions of the program and the rules, and of the rows of rules data that the settings use.

    Every worker computes the hash itself, so that games under different rules are never counted together.
    """
    hashed = hashlib.blake2b(f"{__version__} ".encode(), digest_size=8)
    for levels, _ in _tried(study):
        setting = study.order_with(levels).setting
        match = setting.begin(Seeded(0), keep=False)
        hashed.update(f"{match.ruleset.rules_version} {match.ruleset.rules_digest(match.state)} ".encode())
    return hashed.hexdigest()
