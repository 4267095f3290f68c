"""Read rulings, and check every name in them before anything is played."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

from msgspec import UNSET

from caltrop.roster import nearest
from caltrop.rules.hex_command.armies import LISTS
from caltrop.rules.hex_command.catalogue import CARDS, LETTERS, UNITS
from caltrop.rules.hex_command.records import full_strength
from caltrop.rules.hex_command.rulings.form import Case, RulingFile, RulingLine, SceneGiven
from caltrop.rules.hex_command.rulings.play import RULESET, SIZE, HexPlay
from caltrop.rules.hex_command.scenarios import every_scenario, hexes_in
from caltrop.scenarios.cases import merged
from caltrop.scenarios.reading import Reader
from caltrop.scenarios.rulings import Ruling
from caltrop.table.hexes import HexMap, hex_map

_Path = tuple[str | int, ...]


class HexReader(Reader):
    """Reads rulings of Hex Command."""

    game = RULESET
    form = RulingFile
    play = HexPlay
    kinds: ClassVar[tuple[str, ...]] = ("start", "do", "pass_", "dice", "draw", "ask", "expect")
    units = ("unit", "target")

    def scene(self, ruling: Ruling, case: Case, i: int, editions: Sequence[str]) -> list[str]:
        head = ruling.head
        assert isinstance(head, RulingFile)
        given = merged(head.scene, case.scene, SceneGiven)
        for message, path in self._faults(given):
            raise self.scene_fault(ruling, i, message, *path)
        return list(given.units or {})

    def _faults(self, given: SceneGiven) -> Iterator[tuple[str, _Path]]:
        try:
            map = hex_map(*(given.map or SIZE))
        except ValueError as error:
            yield str(error), ("map",)
            return
        lines: list[tuple[str, _Path]] = [(text, ("terrain", kind)) for kind, text in (given.terrain or {}).items()]
        lines += [(given.entrenchments or "", ("entrenchments",))]
        lines += [(g.at, ("objectives", i, "at")) for i, g in enumerate(given.objectives or ())]
        for text, path in lines:
            try:
                hexes_in(text, map)
            except ValueError as error:
                yield str(error), path
        yield from _units(given, map)
        yield from _cards(given)

    def line(
        self, ruling: Ruling, line: RulingLine, names: list[str], editions: Sequence[str], *path: str | int
    ) -> None:
        named: list[tuple[str, Sequence[str], list[str]]] = [
            ("dice", list(LETTERS), (line.dice or "").split()),
            ("draw", list(CARDS), (line.draw or "").split()),
            ("card", list(CARDS), [line.card] if line.card else []),
            ("army", list(LISTS.files), [line.army] if line.army else []),
            ("scenario", [s.id for s in every_scenario()], [line.scenario] if line.scenario else []),
        ]
        for key, among, words in named:
            for word in words:
                if word not in among:
                    what = {"dice": "symbol", "draw": "card"}.get(key, key)
                    raise ruling.wrong(f"there is no {what} {word!r}; {nearest(word, among)}", *path, key)


def _units(given: SceneGiven, map: HexMap) -> Iterator[tuple[str, _Path]]:
    units, stood = given.units or {}, dict[str, str]()
    for name, unit in units.items():
        if unit.side is UNSET or unit.kind is UNSET or unit.at is UNSET:
            yield f"the unit {name!r} needs a side, a kind and a hex to stand at", ("units", name)
            continue
        if unit.kind not in UNITS:
            yield f"there is no unit {unit.kind!r}; {nearest(unit.kind, UNITS)}", ("units", name, "kind")
            continue
        most = full_strength(UNITS[unit.kind])
        if unit.strength and unit.strength > most:
            yield f"{UNITS[unit.kind].title} have a strength of {most} at most", ("units", name, "strength")
        if unit.at is None:
            continue
        if unit.at not in map:
            yield map.fault(unit.at), ("units", name, "at")
        if unit.kind != "leader-light":
            if unit.at in stood:
                yield f"{unit.at} holds {stood[unit.at]} already", ("units", name, "at")
            stood[unit.at] = name
    for key in ("prize", "always"):
        field: Any = getattr(given, key)
        if field and field not in units:
            yield f"the scene has no unit {field!r}; {nearest(field, units)}", (key,)


def _cards(given: SceneGiven) -> Iterator[tuple[str, _Path]]:
    held = [(card, ("hands", word)) for word, hand in (given.hands or {}).items() for card in hand]
    lie = [(card, ("discards",)) for card in given.discards or ()]
    others: list[tuple[str, _Path]] = [(card, ("played", word)) for word, card in (given.played or {}).items()]
    others += [(card, ("without",)) for card in given.without or ()]
    if given.card:
        others.append((given.card, ("card",)))
    for card, path in (*held, *lie, *others):
        if card not in CARDS:
            yield f"there is no card {card!r}; {nearest(card, CARDS)}", path
            return
    for card, count in Counter([card for card, _ in (*held, *lie)]).items():
        most = 0 if card in (given.without or ()) else CARDS[card].count
        if count > most:
            yield (
                f"the deck has {most} of {card}; this ruling uses {count}",
                next(p for c, p in (*held, *lie) if c == card),
            )


read = HexReader().read
