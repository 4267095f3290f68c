"""Turn a side's view of the state into an array of numbers.

The layout follows from the declared types of the state. A shelf of records is a section with a row for each record and
columns for its fields (`caltrop.envs.reading`). The units have their own section, to whose rows acts and answers refer.
The ground and the numbered answers have a section each, and everything else in the state is in the one row of `whole`.
Everything comes from the view of `redacted` and from the side's own question, so an array contains nothing that a
person on that side may not know. `docs/environments.md` explains the layout, and `described` returns it for programs.

Most records are the same objects from one question to the next, so the rows of a side are cached, and only those of
changed records are read again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from hashlib import blake2b
from itertools import islice
from operator import attrgetter
from typing import Any, NamedTuple, Self, get_args, get_origin

import msgspec
import numpy as np
from numpy.typing import NDArray

from caltrop.asking import about, place_of, stays
from caltrop.chance import Seeded
from caltrop.engine import Decision, Options, State, name_of
from caltrop.envs.numbered import HEADS, NOTHING, Desks, HeadChoice, HeadMoment, Numbered, Prepared, RowCache
from caltrop.envs.reading import (
    NUMBERS,
    ColumnReader,
    DeclaredField,
    Read,
    Readers,
    ReadGround,
    core_of,
    fields_of,
    is_record,
)
from caltrop.picture import Picture
from caltrop.table.measured import Terrain

VERSION = 2
"""Version of the layout rules. It is raised if the same declared types give other columns; a changed record changes
only the `digest`."""
GRID = 16
"""Columns and rows of the ground on a table without hexes."""
ROOM = 8
"""Smallest number of rows of a shelf. Larger shelves have twice their initial number of records, rounded up to a
multiple of eight."""
MOST_ROWS = 256
"""Largest number of rows of a shelf."""
KEPT = 4096
"""Number of questions, and of values of each field of the state, whose columns are cached."""
ASKED = 8
"""Number of columns for the fields of a question."""
CHOSEN = ("has a unit", "unit", "has a target", "target")
"""Columns for the unit and the target that have been chosen."""
PLACES = ("x", "at x", "hex x")
"""Columns with the x coordinate of a record; the next column has its y coordinate."""
SAYS = 4
"""Columns for the numbers of an answer."""

Array = NDArray[np.float32]


class Section(NamedTuple):
    """A part of the array: rows of columns that mean the same in every row."""

    name: str
    start: int
    """Start of the section in the array."""
    rows: int
    columns: tuple[str, ...]
    of: str = ""
    """Name of the class of the records in these rows."""

    @property
    def end(self) -> int:
        return self.start + self.rows * len(self.columns)


Write = Callable[[Any, Any, Array, int], None]
"""Writes a value into the rows of a side; it is given the value, the last value, the rows and the side."""


class _Shelf(NamedTuple):
    """A shelf of records or hexes, each with a row of the array."""

    field: DeclaredField
    entry: Any
    path: str
    """Path of the field in a view."""


class _Part(NamedTuple):
    """The writer of one field of the view into the rows of a side."""

    path: str
    """Path of the field in a view."""
    write: Write
    whole: bool
    """True to write the whole field after a change; otherwise only changed records are written."""
    ground: bool = False
    """True if a change of this field changes the ground."""


class Layout:
    """The layout of the arrays of one setting.

    Args:
        heads: True if answers are chosen head by head; a section then holds the choices so far.

    Attributes:
        sections: The parts of the array, by name.
        size: Length of an array.
        digest: A hash of all columns; arrays of layouts with the same digest mean the same.
    """

    def __init__(self, start: Prepared, most: int, heads: bool = False) -> None:
        self.start, self.rules, self.most, self.heads = start, start.rules, most, heads
        vocabulary = start.rules.vocabulary()
        self.decisions = {name_of(kind): n for n, kind in enumerate(vocabulary.decisions)}
        self.actions = {name_of(kind): n for n, kind in enumerate(vocabulary.actions)}
        self.kinds = {kind: n for n, kind in enumerate(vocabulary.actions)}
        self._decided = {kind: n for n, kind in enumerate(vocabulary.decisions)}
        self._under_way = {kind: n for n, kind in enumerate(vocabulary.procedures)}
        opening = start.opening
        self._state = start.begin(Seeded(0)).state
        self.cells = {cell.name: cell.at for cell in opening.cells}
        self.ground = ReadGround(opening.width, opening.height, self.cells, _words_of(start, self._state))
        self._readers, self._wide = Readers(self.ground), Readers(self.ground, wide=True)
        self.sections: dict[str, Section] = {}
        self.size = 0
        self._parts: list[_Part] = []
        self._lay_out()
        self._values = attrgetter(*[part.path for part in self._parts])
        self._writes = [part[1:] for part in self._parts]
        self._asked_columns: dict[type, ColumnReader] = {}
        self._desks = Desks()
        self._blocks: dict[Any, Array] = {}
        self._answers = _AnswerRows(self)
        parts = [(VERSION, name, one.rows, one.columns) for name, one in self.sections.items()]
        self.digest = blake2b(msgspec.json.encode(parts), digest_size=8).hexdigest()

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: Any) -> Self:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return layout_of, (self.start, self.most, self.heads)

    def described(self) -> dict[str, Any]:
        """Return the layout for programs, as plain data: every section, and the name of every column."""
        return {
            "format": "caltrop-array",
            "version": VERSION,
            "digest": self.digest,
            "ruleset": self.rules.name,
            "scenario": self.start.setting.scenario,
            "size": self.size,
            "sections": [
                {"name": one.name, "of": one.of, "start": one.start, "rows": one.rows, "columns": list(one.columns)}
                for one in self.sections.values()
            ],
            "answers": dict(self.actions),
            "questions": {kind.__name__: list(self._asked_reader(kind).columns[:ASKED]) for kind in self._decided},
            "words": dict(self.ground.words),
        }

    # --- how it is laid out -----------------------------------------------------------------------------------------

    def _lay_out(self) -> None:
        kind = type(self._state)
        whole: list[str] = [
            *[f"asked {name}" for name in self.decisions],
            *[f"asked {n}" for n in range(ASKED)],
            *[f"under way {name_of(one)}" for one in self._under_way],
            "second side",
        ]
        self._asked_at = len(self.decisions)
        self._stack_at = self._asked_at + ASKED
        self._side_at = self._stack_at + len(self._under_way)
        own = [f for f in fields_of(kind) if f.name not in State.__struct_fields__ and f.name not in kind.unstored]
        active = next(f for f in fields_of(State) if f.name == "active")
        shelves: list[_Shelf] = []
        marks: list[DeclaredField] = []
        for field in (active, *own):
            core, optional, _ = core_of(field.kind)
            origin, single = get_origin(core[0]), len(core) == 1
            entry = get_args(core[0])[-1] if single and origin in (list, dict) else None
            records = entry is not None and is_record(core_of(entry)[0][0])
            if field.name in kind.by_unit and not records:
                marks.append(field)
            elif records or (entry is not None and _is_hex(field)):
                shelves.append(_Shelf(field, entry, field.name))
            elif entry is not None:
                self._entries(field, entry, whole)
            elif single and origin is tuple and is_record(get_args(core[0])[0]):
                shelves.append(_Shelf(field, get_args(core[0])[0], field.name))
            elif single and is_record(core[0]) and not optional:
                self._constant(field.name, core[0], whole, shelves)
            else:
                self._in_whole(self._wide.value(field), field.name, whole)
        self._section("whole", 1, tuple(whole))
        self._section("ground", len(self.cells) or GRID * GRID, ("kind",))
        self.units = ROOM
        for shelf in sorted(shelves, key=lambda one: one.field.name != kind.unit_shelf):
            self._shelf(*shelf, marks if shelf.field.name == kind.unit_shelf else [])
        bits = len(self.actions).bit_length()
        if self.heads:
            columns = (*[f"asks for {name}" for name in HEADS], *[f"kind bit {n}" for n in range(bits)], *CHOSEN)
            self._section("head", 1, columns)
        self._section("answers", self.most, _answer_columns(bits))

    def _section(self, name: str, rows: int, columns: tuple[str, ...], of: str = "") -> Section:
        self.sections[name] = section = Section(name, self.size, rows, columns, of)
        self.size = section.end
        return section

    def _in_whole(self, reader: ColumnReader, path: str, whole: list[str], *, ground: bool = False) -> None:
        if not reader.columns and not ground:
            return
        at, end, read = len(whole), len(whole) + len(reader.columns), reader.read
        made: dict[Any, Array] = {}

        def write(value: Any, last: Any, rows: Array, side: int) -> None:
            if ground:
                rows[at:end] = read(value, side)
                return
            key = side, tuple(value) if type(value) is list else value
            block = made.get(key)
            if block is None:
                if len(made) > KEPT:
                    made.clear()
                block = made[key] = np.array(read(value, side), np.float32)
            rows[at:end] = block

        whole += reader.columns
        self._parts.append(_Part(path, write, whole=True, ground=ground))

    def _entries(self, field: DeclaredField, entry: Any, whole: list[str]) -> None:
        """Add columns for a list without records: a value for each side, words, or numbers that name something."""
        count = len(_default(type(self._state), field.name))
        if count:
            one = self._wide.value(DeclaredField(field.name, str(entry), entry))
            names = ["own", "other", *[f"{n + 1}th" for n in range(2, count)]]
            columns = tuple([f"{name} {column}" for name in names[:count] for column in one.columns])

            def read(values: Any, side: Any) -> tuple[float, ...]:
                turned = [*values[side : side + 1], *values[:side], *values[side + 1 :]]
                turned = (turned + [None] * count)[:count]
                return tuple([x for entry in turned for x in one.read(entry, side)])

            self._in_whole(ColumnReader(columns, read), field.name, whole)
        elif entry is str:
            words = self._wide.words
            columns = tuple([f"{field.name} word {n}" for n in range(words.columns)])
            self._in_whole(ColumnReader(columns, lambda values, side: words.bag(values)), field.name, whole)
        else:
            columns = (f"{field.name} count", *[f"{field.name} has {n}" for n in range(ROOM)])

            def held(values: Any, side: Any) -> tuple[float, ...]:
                return (NUMBERS[len(values)], *[float(n in values) for n in range(ROOM)])

            self._in_whole(ColumnReader(columns, held), field.name, whole)

    def _constant(self, name: str, kind: Any, whole: list[str], shelves: list[_Shelf]) -> None:
        columns: list[str] = []
        reads: list[tuple[Callable[[Any], Any], Read]] = []
        for path, field in _inside_of(kind):
            entry = get_args(core_of(field.kind)[0][0])
            if any(map(is_record, entry)):
                full = f"{name} {' '.join((*path, field.name))}"
                way = ".".join((name, *path, field.name))
                shelves.append(_Shelf(field._replace(name=full), next(filter(is_record, entry)), way))
                continue
            reader = self._wide.value(field)
            columns += [f"{' '.join((name, *path))} {column}" for column in reader.columns]
            reads.append((attrgetter(".".join((*path, field.name))), reader.read))

        def read(value: Any, side: Any) -> tuple[float, ...]:
            return tuple([x for inner, one in reads for x in one(inner(value), side)])

        self._in_whole(ColumnReader(tuple(columns), read), name, whole, ground=True)

    def _shelf(self, field: DeclaredField, entry: Any, path: str, marks: Sequence[DeclaredField]) -> None:
        """Add a section for a shelf, with a row for each of its records or hexes."""
        value, kind = attrgetter(path)(self._state), type(self._state)
        by_unit = field.name in kind.by_unit
        rows = self.units if by_unit else _room(len(value))
        reader = self._records(field, entry)
        keyed, key = self._key(field) if get_origin(core_of(field.kind)[0][0]) is dict and not by_unit else ((), None)
        columns = ("there", *keyed, *reader.columns)
        extra = self._of_marks(marks)
        of = getattr(core_of(entry)[0][0], "__name__", "")
        is_units = field.name == kind.unit_shelf
        placed = any(name in columns for name in PLACES)
        middle = ("models", "x", "y") if is_units and self._models() and not placed else ()
        for one in extra:
            columns = (*columns, *one.columns)
        section = self._section("units" if is_units else field.name, rows, (*columns, *middle), of)
        read = _with_key(reader.read, key) if key is not None else reader.read
        write = _dict_writer if get_origin(core_of(field.kind)[0][0]) is dict else _list_writer
        terrain = entry is Terrain
        written = write(section, read, 1 + len(keyed) + len(reader.columns), by_unit)
        self._parts.append(_Part(path, written, whole=terrain, ground=terrain))
        at = 1 + len(reader.columns)
        for mark, one in zip(marks, extra, strict=True):
            self._parts.append(_Part(mark.name, _mark_writer(section, at, one), whole=True))
            at += len(one.columns)
        if is_units:
            self.units = rows
            self._unit_place(section, bool(middle))
        elif field.name == self._models() and self._places and not self._places[0]:
            self._middles(section)

    def _records(self, field: DeclaredField, entry: Any) -> ColumnReader:
        core = core_of(entry)[0][0]
        if is_record(core):
            return self._readers.record(core)
        if get_origin(core_of(field.kind)[0][0]) is dict:
            return self._readers.value(DeclaredField("value", str(entry), entry))
        return ColumnReader(("x", "y"), lambda name, side: self.ground.cell(name)[1:])

    def _key(self, field: DeclaredField) -> tuple[tuple[str, ...], Read]:
        if _is_hex(field):
            return ("x", "y"), lambda name, side: self.ground.cell(name)[1:]
        return ("key",), lambda number, side: (NUMBERS[number],)

    def _of_marks(self, marks: Sequence[DeclaredField]) -> list[ColumnReader]:
        made = []
        for field in marks:
            kind = core_of(field.kind)[0][0]
            if get_origin(kind) is dict:
                made.append(ColumnReader((f"in {field.name}", field.name), lambda value, side: (1.0, NUMBERS[value])))
            else:
                made.append(ColumnReader((f"in {field.name}",), lambda value, side: (1.0,)))
        return made

    _places: tuple[int, ...] = ()

    def _models(self) -> str:
        """Return the name of the shelf of models, which is also the field of a unit that lists its models; empty if
        there is none.
        """
        kind = type(self._state)
        shelves = {f.name: get_args(core_of(f.kind)[0][0])[-1:] for f in fields_of(kind)}
        units: Any = next(iter(shelves.get(kind.unit_shelf, ())), None)
        own = units.__struct_fields__ if is_record(units) else ()
        return next((name for name in own if name in shelves and any(map(is_record, shelves[name]))), "")

    def _unit_place(self, section: Section, from_models: bool) -> None:
        columns = section.columns
        x = next((columns.index(name) for name in PLACES if name in columns), None)
        self._places = (0 if from_models or x is None else 1, -1 if x is None else x)

    def _middles(self, section: Section) -> None:
        columns, units = section.columns, self.sections["units"]
        x = next((columns.index(name) for name in ("x", "at x") if name in columns), None)
        if x is None:
            return
        here = columns.index("has at") if "has at" in columns else columns.index("alive") if "alive" in columns else 0
        width, rows, most = len(columns), section.rows, units.rows
        wide, at = len(units.columns), self._places[1]

        def write(models: Any, last: Any, all_rows: Array, side: int) -> None:
            numbers = np.array([one.unit for one in models[:rows]], np.int64)
            table = all_rows[section.start : section.end].reshape(rows, width)[: len(numbers)]
            here_now = (table[:, here] > 0) & (numbers < most)
            numbers, table = numbers[here_now], table[here_now]
            count = np.bincount(numbers, minlength=most)
            less = np.maximum(count, 1)
            places = all_rows[units.start : units.end].reshape(most, wide)[:, at - 1 : at + 2]
            places[:, 0] = np.minimum(count / 20, 1)
            places[:, 1] = np.bincount(numbers, table[:, x], most) / less
            places[:, 2] = np.bincount(numbers, table[:, x + 1], most) / less

        self._parts.append(_Part(section.name, write, whole=True))

    # --- what a side sees -------------------------------------------------------------------------------------------

    def array(self, game: Numbered, side: int, out: Array | None = None) -> Array:
        """Return a side's view of a game as an array.

        Args:
            side: The side. The array contains its answers if it is asked, and never another side's.
            out: Array to fill; a new one by default.
        """
        asked = game.asked if game.asked is not None and game.asked.side == side else None
        answers = () if asked is None else game.answers
        options = None if asked is None else game.options
        rows = self.seen(game.view(side), side, asked, answers, options, out, game.desks)
        if self.heads and asked is not None and isinstance(game.moment, HeadMoment):
            self.write_head(rows, game.moment.head)
        return rows

    def write_head(self, rows: Array, head: HeadChoice) -> None:
        """Write the current head and the earlier choices into an array."""
        section = self.sections["head"]
        row = [0.0] * len(section.columns)
        row[len(head.path)] = 1.0
        if head.path:
            bits = self._answers.bits[name_of(head.path[0])]
            row[len(HEADS) : len(HEADS) + len(bits)] = bits
        for n, unit in enumerate(head.path[1:]):
            if unit is not None and unit < self.units:
                at = len(row) - len(CHOSEN) + 2 * n
                row[at], row[at + 1] = 1.0, unit / self.units
        rows[section.start : section.end] = row

    def seen(
        self,
        view: Any,
        side: int,
        asked: Decision | None,
        answers: Sequence[Any],
        options: Options | None = None,
        out: Array | None = None,
        desks: Desks | None = None,
    ) -> Array:
        """Return a side's view and its question as an array.

        Args:
            view: The state as the side sees it.
            asked: The question to it; None without one.
            options: The options of the question; computed by default.
            out: Array to fill; a new one by default.
            desks: The cached rows of this game; by default, the layout's latest ones.
        """
        desks = self._desks if desks is None else desks
        desk = desks.get(side)
        if desk is None:
            desk = desks[side] = RowCache(np.zeros(self.size, np.float32), len(self._parts))
        rows, last = desk.rows, desk.last
        stale = False
        for n, (value, before) in enumerate(zip(self._values(view), last, strict=True)):
            if value is not before:
                write, whole, ground = self._writes[n]
                if not whole or before is NOTHING or value != before:
                    write(value, before, rows, side)
                    stale = stale or ground
                last[n] = value
        if stale:
            section = self.sections["ground"]
            rows[section.start : section.end] = _kinds(self.rules.depict(view, side), self.ground)
        if asked is not desk.asked:
            self._write_question(side, asked, desk)
        frames = tuple([type(frame) for frame in view.stack])
        if frames != desk.stack:
            self._write_stack(frames, desk)
        array = rows.copy() if out is None else out
        if out is not None:
            out[:] = rows
        if answers and asked is not None:
            options = asked.options(view) if options is None else options
            self._answers.write(array, answers, asked, options)
        return array

    def mask(self, game: Numbered, side: int, out: NDArray[np.int8] | None = None) -> NDArray[np.int8]:
        """Return 1 for each number that means something to *side* now, 0 for the others."""
        if out is None:
            out = np.zeros(self.numbers, np.int8)
        else:
            out[:] = 0
        if game.asked is not None and game.asked.side == side:
            if self.heads:
                out[list(game.allowed)] = 1
            else:
                out[: len(game.moment.answers)] = 1
        return out

    @property
    def numbers(self) -> int:
        """Return how many numbers there are to choose from."""
        return max(self.most, len(self.actions), self.units + 1) if self.heads else self.most

    def _write_question(self, side: int, asked: Decision | None, desk: RowCache) -> None:
        key = asked, side
        block = self._blocks.get(key)
        if block is None:
            block = np.zeros(self._stack_at, np.float32)
            if asked is not None:
                block[self._decided[type(asked)]] = 1.0
                words = self._asked_reader(type(asked)).read(asked, side)[:ASKED]
                block[self._asked_at : self._asked_at + len(words)] = words
            self._keep(key, block)
        desk.rows[: self._stack_at] = block
        desk.rows[self._side_at] = side > 0
        desk.asked = asked

    def _write_stack(self, frames: tuple[type, ...], desk: RowCache) -> None:
        block = self._blocks.get(frames)
        if block is None:
            block = np.zeros(self._side_at - self._stack_at, np.float32)
            block[[self._under_way[kind] for kind in frames if kind in self._under_way]] = 1.0
            self._keep(frames, block)
        desk.rows[self._stack_at : self._side_at] = block
        desk.stack = frames

    def _keep(self, key: Any, block: Array) -> None:
        if len(self._blocks) > KEPT:
            self._blocks.clear()
        self._blocks[key] = block

    def _asked_reader(self, kind: type) -> ColumnReader:
        """Return the reader of a type of question: its first numbers, flags and places."""
        made = self._asked_columns.get(kind)
        if made is None:
            made = self._asked_columns[kind] = _without_words(kind, self._readers)
        return made


def layout_of(start: Prepared, most: int, heads: bool = False) -> Layout:
    """Return the layout of a setting. Environments of equal settings share it, with its cache."""
    made: Layout | None = start.layouts.get((most, heads))
    if made is None:
        made = start.layouts[most, heads] = Layout(start, most, heads)
    return made


def _inside_of(kind: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], DeclaredField]]:
    for field in fields_of(kind):
        core, optional, unset = core_of(field.kind)
        if len(core) == 1 and is_record(core[0]) and not (optional or unset) and len(path) < 2:
            yield from _inside_of(core[0], (*path, field.name))
        elif get_origin(core[0]) is not dict:
            yield path, field


def _is_hex(field: DeclaredField) -> bool:
    return "Hex" in field.raw


def _room(count: int) -> int:
    return min(MOST_ROWS, max(ROOM, 8 * -(-2 * count // 8)))


def _default(kind: Any, name: str) -> Sequence[Any]:
    """Return what a shelf holds by default: a value for each side, or nothing."""
    field = next(f for f in msgspec.structs.fields(kind) if f.name == name)
    return () if field.default_factory is msgspec.NODEFAULT else field.default_factory()


def _words_of(start: Prepared, t: State) -> dict[str, int]:
    """Return the words in the rulebook's rows with their indices; the order is the same on every machine."""
    words = dict.fromkeys([name.rpartition("/")[2] for name in sorted(start.rules.rows(t))])
    return {word: n for n, word in enumerate(words)}


def _without_words(kind: Any, readers: Readers) -> ColumnReader:
    columns: list[str] = []
    reads: list[tuple[str, Read]] = []
    for field in fields_of(kind):
        if field.name == "side" or str in core_of(field.kind)[0]:
            continue
        one = readers.value(field)
        columns += one.columns
        reads.append((field.name, one.read))

    def read(asked: Any, side: Any) -> tuple[float, ...]:
        return tuple([x for name, one in reads for x in one(getattr(asked, name), side)])

    return ColumnReader(tuple(columns), read)


# --- what writes a section ------------------------------------------------------------------------------------------


def _list_writer(section: Section, read: Read, width: int, by_unit: bool) -> Write:
    start, wide, most = section.start, len(section.columns), section.rows

    def write(value: Any, last: Any, rows: Array, side: int) -> None:
        before: Any = () if last is NOTHING else last
        for n, (record, old) in enumerate(zip(value[:most], before, strict=False)):
            if record is not old:
                at = start + n * wide
                rows[at : at + width] = (1.0, *read(record, side))
        held, count = min(len(before), most), min(len(value), most)
        for n in range(held, count):
            at = start + n * wide
            rows[at : at + width] = (1.0, *read(value[n], side))
        for n in range(count, held):
            at = start + n * wide
            rows[at : at + width] = 0.0

    return write


def _dict_writer(section: Section, read: Read, width: int, by_unit: bool) -> Write:
    start, wide, most = section.start, len(section.columns), section.rows

    def write(value: Any, last: Any, rows: Array, side: int) -> None:
        if last is not NOTHING and value == last:
            return
        rows[start : section.end] = 0.0
        for n, (key, record) in enumerate(value.items()):
            row = key if by_unit else n
            if row < most:
                at = start + row * wide
                rows[at : at + width] = (1.0, *(read(record, side) if by_unit else read((key, record), side)))

    return write


def _with_key(read: Read, key: Read) -> Read:
    return lambda pair, side: (*key(pair[0], side), *read(pair[1], side))


def _mark_writer(section: Section, at: int, reader: ColumnReader) -> Write:
    start, wide, most, width = section.start, len(section.columns), section.rows, len(reader.columns)

    def write(value: Any, last: Any, rows: Array, side: int) -> None:
        table = rows[start : section.end].reshape(most, wide)
        table[:, at : at + width] = 0.0
        pairs: Iterable[tuple[int, Any]] = value.items() if type(value) is dict else [(unit, 1) for unit in value]
        for unit, features in pairs:
            if unit < most:
                table[unit, at : at + width] = reader.read(features, side)

    return write


# --- the ground -----------------------------------------------------------------------------------------------------


def _kinds(picture: Picture, ground: ReadGround) -> Array:
    """Return the kind of ground of every hex, or at the middle of each square of a grid from the lower left; 0 for open
    ground.
    """
    if ground.cells:
        middles: Sequence[tuple[float, float]] = list(ground.cells.values())
    else:
        steps = [(2 * n + 1) / (2 * GRID) for n in range(GRID)]
        middles = [(picture.width * x, picture.height * y) for y in steps for x in steps]
    marks = np.zeros(len(middles), np.float32)
    for n, (x, y) in enumerate(middles):
        kinds = [one.kind for one in picture.grounds if _inside(one.outline, x, y)]
        if kinds:
            place = ground.words.get(kinds[-1], len(ground.words))
            marks[n] = (1 + place) / (1 + len(ground.words))
    return marks


def _inside(outline: Sequence[tuple[int, int]], x: float, y: float) -> bool:
    inside = False
    for (ax, ay), (bx, by) in zip(outline, (*outline[1:], *outline[:1]), strict=True):
        if (ay > y) != (by > y) and x < ax + (y - ay) * (bx - ax) / (by - ay):
            inside = not inside
    return inside


# --- answers --------------------------------------------------------------------------------------------------------


def _answer_columns(bits: int) -> tuple[str, ...]:
    return (
        "legal",
        *[f"kind bit {n}" for n in range(bits)],
        "ends",
        "has a place",
        "x",
        "y",
        *[f"number {n}" for n in range(SAYS)],
        "has a unit",
        "unit",
        "has a target",
        "target",
        "unit x",
        "unit y",
        "target x",
        "target y",
    )


class _AnswerRows:
    """The rows of answers. Equal answers to equal questions have equal rows, which are cached."""

    ROOM = 8192
    """Number of cached rows."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.section = layout.sections["answers"]
        self.bits = {
            name: tuple([float(kind >> bit & 1) for bit in range(len(layout.actions).bit_length())])
            for name, kind in layout.actions.items()
        }
        self.units = layout.sections.get("units")
        self.place = layout._places[1] if self.units is not None and layout._places else -1
        self.room = max(8192, 2 * layout.most)
        """Number of cached rows."""
        self.kept: dict[Any, dict[Any, int]] = {}
        self.rows = np.zeros((self.room, len(self.section.columns)), np.float32)
        self.places = np.full((self.room, 4), self.section.start, np.intp)
        """For each row, the array indices of the places of the units that it names; an index that is still 0 if it
        names none."""
        self.used = 0

    def write(self, rows: Array, answers: Sequence[Any], asked: Decision, options: Options) -> None:
        if self.used + len(answers) > self.room:
            self.kept.clear()
            self.used = 0
        cache = self.kept.get(asked)
        if cache is None:
            cache = self.kept[asked] = {}
        try:
            numbers = np.array([cache[answer] for answer in answers], np.intp)
        except KeyError:
            numbers = np.array([self._number(cache, answer, asked, options) for answer in answers], np.intp)
        table = self.rows.take(numbers, 0)
        table[:, -4:] = rows.take(self.places.take(numbers, 0))
        start = self.section.start
        rows[start : start + table.size] = table.ravel()

    def _number(self, numbers: dict[Any, int], answer: Any, asked: Decision, options: Options) -> int:
        number = numbers.get(answer)
        if number is None:
            number = self._read(answer, asked, options)
            if stays(answer, asked):
                numbers[answer] = number
        return number

    def _read(self, answer: Any, asked: Decision, options: Options) -> int:
        layout, number = self.layout, self.used
        self.used += 1
        index = about(answer, asked, options)
        place = place_of(answer, layout.cells)
        says = list(islice(_numbers_in(answer, layout.ground.words), SAYS))
        row: list[float] = [1.0, *self.bits[name_of(index.kind)], float(getattr(answer, "final", False) is True)]
        row += [0.0, 0.0, 0.0] if place is None else [1.0, *layout.ground.place(place)]
        row += says + [0.0] * (SAYS - len(says))
        places = self.places[number]
        places[:] = self.section.start
        for n, unit in enumerate((index.unit, index.target)):
            if unit is None or unit >= layout.units or self.units is None:
                row += [0.0, 0.0]
                continue
            row += [1.0, unit / layout.units]
            if self.place >= 0:
                at = self.units.start + unit * len(self.units.columns) + self.place
                places[2 * n], places[2 * n + 1] = at, at + 1
        self.rows[number, : len(row)] = row
        return number


def _numbers_in(answer: Any, words: Mapping[str, int]) -> Iterator[float]:
    """Yield the numbers of an answer besides its units and places, and the indices of its words."""
    for name in answer.__struct_fields__:
        value = getattr(answer, name)
        if value is None:
            continue
        if type(value) is bool:
            yield float(value)
        elif type(value) is int and name not in ("unit", "target"):
            yield NUMBERS[value]
        elif type(value) is str:
            yield _word(value, tuple(words))
        elif isinstance(value, msgspec.Struct):
            yield from _numbers_in(value, words)


@lru_cache(maxsize=4096)
def _word(word: str, words: tuple[str, ...]) -> float:
    from zlib import crc32

    place = words.index(word) if word in words else len(words) + crc32(word.encode()) % 16
    return (1 + place) / (17 + len(words))
