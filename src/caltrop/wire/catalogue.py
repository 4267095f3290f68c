"""The choices of a lobby: rulesets, editions, scenarios, armies, players and house rules."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

import msgspec

from caltrop.engine import ArmyCard, ArmyPart, Book, HouseValue, Ruleset, ScenarioCard, Switch
from caltrop.engine.packs import reading
from caltrop.errors import InputError
from caltrop.kit.armies import as_text_of_file
from caltrop.players import Level
from caltrop.roster.places import unspelled
from caltrop.scenarios.drafts import Fault
from caltrop.scenarios.lessons import lessons


class ScenarioEntry(msgspec.Struct, frozen=True, kw_only=True):
    """A scenario in the catalogue."""

    id: str
    title: str
    minutes: int
    words: str
    takes_armies: bool = True
    """True if the players may choose armies."""
    players: int = 2
    """Number of sides that are played, without sides that the rules move."""
    sizes: tuple[int, ...] = ()
    """Possible sizes of the battle; empty if the size is fixed."""
    limits: tuple[int, ...] = ()
    """Largest cost of each side's army, in points, if no size is chosen; empty without a limit."""


class ArmyEntry(msgspec.Struct, frozen=True, kw_only=True):
    """An army list in the catalogue."""

    id: str
    title: str
    faction: str
    size: int
    editions: tuple[str, ...]
    points: int | None = None
    """Cost of the army in points; None if unknown."""
    sizes: tuple[int, ...] = ()
    """Possible sizes of a battle with this army."""
    parts: tuple[ArmyPart, ...] = ()
    """Selections of this army for smaller battles, the cheapest first."""


class OwnEntries(msgspec.Struct, frozen=True, kw_only=True):
    """The choices for a battle with a pack, a scenario or armies of the asker's own."""

    scenario: ScenarioEntry | None
    """The scenario named in the request; None if it has faults."""
    fault: Fault | None
    """The first fault of the scenario named in the request; None if it can be played."""
    scenarios: tuple[ScenarioEntry, ...]
    """The scenarios of the pack."""
    armies: tuple[ArmyEntry, ...]
    """The armies of the request, of the game and of the pack, with their points by the pack. Armies with faults are
    left out.
    """


class Range(msgspec.Struct, frozen=True, kw_only=True):
    """A range of whole numbers, including both ends."""

    min: int
    max: int


class RuleEntry(msgspec.Struct, frozen=True, kw_only=True):
    """A house rule in the catalogue."""

    name: str
    default: HouseValue
    values: tuple[HouseValue, ...] | Range
    listed: tuple[HouseValue, ...]
    """Values with names, and the usual value; they may also lie within a range."""
    clauses: tuple[str, ...]
    words: str
    editions: tuple[str, ...]


class SizeEntry(msgspec.Struct, frozen=True, kw_only=True):
    """The noun for the size of a battle."""

    words: str


class LessonEntry(msgspec.Struct, frozen=True, kw_only=True):
    """A lesson in the catalogue."""

    id: str
    title: str
    words: str


class RulesetEntry(msgspec.Struct, frozen=True, kw_only=True):
    """A game in the catalogue."""

    name: str
    title: str
    words: str
    owner: str
    editions: tuple[str, ...]
    scenarios: tuple[ScenarioEntry, ...]
    armies: tuple[ArmyEntry, ...]
    size: SizeEntry
    players: tuple[str, ...]
    levels: tuple[Level, ...] = ()
    """The players of `players`, each with a description and results."""
    rules: tuple[RuleEntry, ...]
    lessons: tuple[LessonEntry, ...] = ()


class Catalogue(msgspec.Struct, frozen=True, kw_only=True):
    """Every ruleset that can be played."""

    rulesets: tuple[RulesetEntry, ...]


def _rule(switch: Switch) -> RuleEntry:
    open_range = switch.min is not None and switch.max is not None
    return RuleEntry(
        name=switch.name,
        default=switch.default,
        values=Range(min=switch.min or 0, max=switch.max or 0) if open_range else switch.values,
        listed=switch.values,
        clauses=switch.clauses,
        words=switch.words,
        editions=switch.editions,
    )


def scenario_entry(card: ScenarioCard) -> ScenarioEntry:
    return ScenarioEntry(
        id=card.id,
        title=card.title,
        minutes=card.minutes,
        words=card.words,
        takes_armies=card.takes_armies,
        players=card.players,
        sizes=card.sizes,
        limits=card.limits,
    )


def army_entry(card: ArmyCard) -> ArmyEntry:
    return ArmyEntry(
        id=card.id,
        title=card.title,
        faction=card.faction,
        size=card.size,
        editions=card.editions,
        points=card.points,
        sizes=card.sizes,
        parts=card.parts,
    )


def own_entries(ruleset: Ruleset, book: Book, scenario: str, armies: Sequence[str]) -> OwnEntries:
    """Return the choices for a battle with a pack, a scenario or armies of the asker's own.

    Args:
        scenario: The id or the text of a scenario; empty for none.
        armies: Ids, texts and links of armies.
    """
    files, armoury = ruleset.scenario_files, ruleset.army_lists
    card = None if files is None else files.card
    army_card = None if armoury is None else armoury.card
    pack = None if book.pack is None else book.pack.file

    def scenario_called(word: str) -> ScenarioEntry | None:
        if card is None or not word:
            return None
        with suppress(ValueError):
            return scenario_entry(card(word))
        return None

    def army_called(word: str) -> ArmyEntry | None:
        if army_card is None:
            return None
        with suppress(ValueError):
            return msgspec.structs.replace(army_entry(army_card(book, as_text_of_file(word, ruleset.name))), id=word)
        return None

    with reading(book.pack):
        every = dict.fromkeys([*armies, *[a.id for a in ruleset.armies()], *(() if pack is None else pack.armies)])
        scenarios = [
            msgspec.structs.replace(one, id=id)
            for id in (() if pack is None else pack.scenarios)
            if (one := scenario_called(id)) is not None
        ]
        return OwnEntries(
            scenario=scenario_called(scenario),
            fault=_fault_of(ruleset, book, scenario) if scenario else None,
            scenarios=tuple(scenarios),
            armies=tuple([one for one in map(army_called, every) if one is not None]),
        )


def _fault_of(ruleset: Ruleset, book: Book, scenario: str) -> Fault | None:
    """Return the first fault of a scenario, given its id or its text; None if it can be played."""
    try:
        ruleset.depict(ruleset.begin(book, scenario), None)
    except InputError as error:
        return Fault(path=unspelled(error.field or ""), words=error.message)
    except ValueError as error:
        return Fault(path=(), words=str(error))
    return None


def entry(ruleset: Ruleset, players: Sequence[Level]) -> RulesetEntry:
    """Return the entry of one game in a lobby.

    Args:
        ruleset: The game.
        players: The computer players of the game.
    """
    return RulesetEntry(
        name=ruleset.name,
        title=ruleset.title,
        words=ruleset.words,
        owner=ruleset.owner,
        editions=ruleset.editions,
        scenarios=tuple(map(scenario_entry, ruleset.scenarios())),
        armies=tuple(map(army_entry, ruleset.armies())),
        size=SizeEntry(words=ruleset.size_words),
        players=tuple(player.name for player in players),
        levels=tuple(players),
        rules=tuple(_rule(switch) for switch in ruleset.switches),
        lessons=tuple(LessonEntry(id=one.id, title=one.title, words=one.words) for one in lessons(ruleset.name)),
    )


def catalogue(games: Sequence[tuple[Ruleset, Sequence[Level]]]) -> Catalogue:
    """Return the catalogue: each game with its computer players."""
    return Catalogue(rulesets=tuple(entry(ruleset, players) for ruleset, players in games))
