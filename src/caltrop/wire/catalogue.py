"""The choices of a lobby: rulesets, editions, scenarios, armies, players and house rules."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from caltrop.engine import HouseValue, Ruleset, Switch
from caltrop.players import Level
from caltrop.scenarios.lessons import lessons


class ScenarioEntry(msgspec.Struct, frozen=True, kw_only=True):
    """A scenario in the catalogue."""

    id: str
    title: str
    minutes: int
    words: str
    takes_armies: bool = True
    """True if armies may be chosen for it."""
    players: int = 2
    """Number of sides somebody plays."""
    sizes: tuple[int, ...] = ()
    """Sizes of the battle; empty if its size is fixed."""
    limits: tuple[int, ...] = ()
    """Most points that the army of each side may cost while no size is chosen; empty if any number may."""


class ArmyEntry(msgspec.Struct, frozen=True, kw_only=True):
    """An army list in the catalogue."""

    id: str
    title: str
    faction: str
    size: int
    editions: tuple[str, ...]
    points: int | None = None
    """Points of the army, if they are known."""
    sizes: tuple[int, ...] = ()
    """Possible sizes of a battle with this army."""
    parts: tuple[int, ...] = ()
    """Points of the parts of this army that may fight smaller battles, the cheapest first."""


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
    """Named or usual values, also within a range."""
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
    """The same players, each with a description and results."""
    rules: tuple[RuleEntry, ...]
    lessons: tuple[LessonEntry, ...] = ()


class Catalogue(msgspec.Struct, frozen=True, kw_only=True):
    """Everything there is to play."""

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
        scenarios=tuple(
            ScenarioEntry(
                id=s.id,
                title=s.title,
                minutes=s.minutes,
                words=s.words,
                takes_armies=s.takes_armies,
                players=s.players,
                sizes=s.sizes,
                limits=s.limits,
            )
            for s in ruleset.scenarios()
        ),
        armies=tuple(
            ArmyEntry(
                id=a.id,
                title=a.title,
                faction=a.faction,
                size=a.size,
                editions=a.editions,
                points=a.points,
                sizes=a.sizes,
                parts=a.parts,
            )
            for a in ruleset.armies()
        ),
        size=SizeEntry(words=ruleset.size_words),
        players=tuple(player.name for player in players),
        levels=tuple(players),
        rules=tuple(_rule(switch) for switch in ruleset.switches),
        lessons=tuple(LessonEntry(id=one.id, title=one.title, words=one.words) for one in lessons(ruleset.name)),
    )


def catalogue(games: Sequence[tuple[Ruleset, Sequence[Level]]]) -> Catalogue:
    """Return the catalogue: each game with its computer players."""
    return Catalogue(rulesets=tuple(entry(ruleset, players) for ruleset, players in games))
