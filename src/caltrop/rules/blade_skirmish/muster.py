"""The muster of a skirmish: forces by points, their places on the table, and the state before the first turn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from caltrop.engine import Book, Procedure, rule
from caltrop.engine.rule import HasBook
from caltrop.errors import InputError
from caltrop.kit.words import tell_apart
from caltrop.picture import Paint
from caltrop.rules.blade_skirmish.armies import (
    LISTS,
    POINTS,
    Member,
    Warband,
    agreed_warband,
    points_of,
    threat,
)
from caltrop.rules.blade_skirmish.catalogue import inches
from caltrop.rules.blade_skirmish.records import (
    EDGES,
    Area,
    Edge,
    Field,
    Fighter,
    Post,
    Relic,
    Skirmish,
    Wave,
)
from caltrop.rules.blade_skirmish.scenarios import (
    Force,
    Scale,
    Scenario,
    area_of,
    base_radius,
    table_of,
)

# --- models of a battle -----------------------------------------------------------------------------------------------


class Slot(NamedTuple):
    """The start of one model of a force: at a post, in a wave, or still open."""

    post: Post | None = None
    turn: int | None = None
    edges: tuple[Edge, ...] = EDGES


class Muster(NamedTuple):
    """The models of a force with their starts, models at posts first."""

    members: list[Member]
    slots: list[Slot]


def _counted(force: Force) -> list[Member]:
    return [g.member for g in force.models if not g.beside for _ in range(g.number)]


def force_of(b: HasBook, force: Force, points: int) -> list[Member]:
    """Return the automated models that count for the threat.

    The models of the force are those of the scenario. For the warband's points, models of Quality 1 are added or
    removed at the end (BS-S34).
    """
    members = _counted(force)
    more = threat(b, force.threat, points) - force.threat
    green = min((m for m in members if m.quality == 1), key=lambda m: m.habits is not UNSET)
    members += [green] * max(more, 0)
    for _ in range(-more):
        last = max((i for i, m in enumerate(members) if m.quality == 1), default=None)
        if last is None or len(members) == 1:
            break
        del members[last]
    return members


def muster(b: HasBook, s: Scenario, force: Force, members: Sequence[Member]) -> Muster:
    """Return the starts of a force's models.

    Models without a place in the scenario are spread out, or join the waves in turn.
    """
    scale = Scale(b, s)
    slots: list[Slot] = []
    for g in force.models:
        if not g.beside:
            slots += [Slot(post=Post(at=scale.place(at))) for at in g.at]
            if not g.at:
                slots += [Slot(turn=g.turn, edges=g.edges) if g.turn is not None else Slot() for _ in range(g.count)]
    _match(slots, len(members))
    return _with_places(scale, force, list(members), slots)


def _match(slots: list[Slot], count: int) -> None:
    """Make the number of slots equal to the number of models.

    Waves stay nearly equal: the last of the largest waves loses a model first, and one of the smallest gets a model.
    Models who start on the table are dropped only when the waves are empty. Without waves the last slots are dropped,
    or open slots are added.
    """
    turns = sorted({slot.turn for slot in slots if slot.turn is not None})

    def size(turn: int) -> int:
        return sum(slot.turn == turn for slot in slots)

    while len(slots) > count:
        turn = max((one for one in turns if size(one)), key=lambda one: (size(one), one), default=None)
        del slots[max(i for i, slot in enumerate(slots) if turn in (None, slot.turn))]
    while len(slots) < count:
        turn = min(turns, key=lambda one: (size(one), one)) if turns else None
        slots.append(next((slot for slot in slots if turn is not None and slot.turn == turn), Slot()))
    slots.sort(key=lambda slot: slot.turn or 0)


def _with_places(scale: Scale, force: Force, members: list[Member], slots: list[Slot]) -> Muster:
    """Return a muster in which open slots get a part of the spread, or the whole spread."""
    if force.spread is not None:
        low, high = (inches(y) * scale.h // scale.was[1] for y in force.spread.rows)
        open_ones = [i for i, slot in enumerate(slots) if slot.post is None and slot.turn is None]
        for number, i in enumerate(open_ones):
            count = len(open_ones) if force.spread.parts else 1
            part = number if force.spread.parts else 0
            box = (scale.w * part // count, low, scale.w * (part + 1) // count, high)
            slots[i] = Slot(post=Post(box=box))
    for g in force.models:
        if g.beside:
            members += [g.member] * g.number
            slots += [Slot(turn=g.turn, edges=g.edges)] * g.number
    return Muster(members, slots)


# --- the skirmish -----------------------------------------------------------------------------------------------------


@rule("BS-Q29", "BS-S50", "BS-S54", stages=("mode",))
def automated_sides(b: HasBook, s: Scenario) -> tuple[int, ...]:
    """In a scenario of one side against automated models, the automated models are side 1 (mode `solo`)."""
    return (1,) if s.solo else ()


@automated_sides.amended_by("BS-Q38", stage="mode", house={"mode": "versus"})
def a_player_takes_them(sides: tuple[int, ...], b: HasBook, s: Scenario) -> tuple[int, ...]:
    """House rule: a second player leads the side that would be automated."""
    return ()


@automated_sides.amended_by("BS-Q38", stage="mode", house={"mode": "versus_with_automata"})
def both_meet_automated_models(sides: tuple[int, ...], b: HasBook, s: Scenario) -> tuple[int, ...]:
    """House rule: there are automated models besides the two players, hostile to both.

    Raises InputError if the scenario is not for two players, or has no automated models.
    """
    if s.solo or s.enemy is None:
        raise InputError(
            f"mode versus_with_automata is for two players and automated models, and {s.id} is not; "
            "blade-skirmish has blood-price, between-the-stones and the-fallen-standard for it"
        )
    return (2,)


@automated_sides.amended_by("BS-Q29", "BS-S35", stage="mode", house={"mode": "coop"})
def one_side_for_all_players(sides: tuple[int, ...], b: HasBook, s: Scenario) -> tuple[int, ...]:
    """House rule: several players form one side.

    Raises InputError if the scenario is for two sides of players.
    """
    if not s.solo:
        raise InputError(f"mode coop is for one side against automated models, and {s.id} is for two sides of players")
    return sides


FIRST = {"player": 0, "automated": 1, "rolled": None}
"""Side that begins, by the word in a scenario; None to roll for it."""


def skirmish(book: Book, s: Scenario, armies: Sequence[str], size: int | None, game: Procedure) -> Skirmish:
    """Return the skirmish before its first step.

    Raises InputError for an unknown name or unsuitable warbands; the message names the nearest valid name.

    Args:
        armies: Id or path of each side's warband; by default the scenario's own. An additional warband replaces the
            scenario's automated models.
        size: Points of each player's side.
    """
    automated = automated_sides(book, s)
    bands = choose_warbands(book, s, armies, size)
    names, fighters = [w.title for w in bands[: len(s.zones)]], []
    for side, w in enumerate(bands[: len(s.zones)]):
        fighters += [(side, m) for m in w.fighters]
    posts: list[Post] = []
    waves: list[Wave] = []
    if s.enemy is not None and (s.solo or automated):
        side = len(names)
        points = sum(points_of(book, w) for w in bands[:1])
        own = len(bands) > side
        members = list(bands[side].fighters) if own else force_of(book, s.enemy, points)
        members += [nemesis for w in bands[: len(s.zones)] if w.march is not None for nemesis in w.march.nemeses]
        force = muster(book, s, s.enemy, members)
        names.append(bands[side].title if own else s.enemy.name)
        called = tell_apart([m.name for m in force.members])
        for slot, member, name in zip(force.slots, force.members, called, strict=True):
            id = len(fighters)
            fighters.append((side, replace(member, name=name)))
            if slot.post is not None:
                posts.append(slot.post)
            elif slot.turn is not None:
                waves.append(Wave(turn=slot.turn, fighters=(id,), edges=slot.edges))
    place = None if s.place is None else Scale(book, s).place(s.place)
    areas: list[Area | None] = [area_of(book, s, zone) for zone in s.zones]
    areas += [None] * (len(names) - len(areas))
    called_up = [side for side, w in enumerate(bands[: len(s.zones)]) if w.march is not None]
    table = table_of(book, s)
    return Skirmish(
        book=book,
        stack=[game],
        field=Field(
            table=table,
            radius=base_radius(book),
            names=_apart(names),
            automated=automated,
            paints=_paints(bands),
            first=FIRST[s.first],
            scenario=s.id,
            goal=s.goal,
            limit=s.limit,
            place=place,
            home=s.home,
            exit=s.exit,
            areas=tuple(areas),
            fielded=s.fielded,
            posts=tuple(posts),
            drawn=s.enemy is not None and s.enemy.spread is not None and s.enemy.spread.parts,
            waves=tuple(waves),
        ),
        fighters=[
            Fighter(
                id=id,
                side=side,
                name=m.name,
                quality=m.quality,
                look=m.look,
                habits=m.habits,
                member=m.name if side in called_up else "",
                cloak=m.cloak,
                saying=m.saying,
                player=m.player,
            )
            for id, (side, m) in enumerate(fighters)
        ],
        turns=[0] * len(names),
        relic=Relic(at=place) if s.goal in ("relic", "standard") and place is not None else None,
        stood=(0, 0) if s.goal == "stones" else UNSET,
    )


def _paints(bands: Sequence[Warband]) -> tuple[Paint | None, ...] | UnsetType:
    paints = tuple([None if band.paint is UNSET else band.paint for band in bands])
    return paints if any(paints) else UNSET


def _apart(names: Sequence[str]) -> tuple[str, ...]:
    return tuple([f"{name} {'ABC'[i]}" if names.count(name) > 1 else name for i, name in enumerate(names)])


def choose_warbands(book: Book, s: Scenario, words: Sequence[str], size: int | None) -> list[Warband]:
    """Return the warband of each player's side, and the warband of the automated models if one is given.

    Raises InputError for an unknown warband, or a warband that costs too much.
    """
    played = len(s.zones)
    most = 2 if s.solo else played
    if words and not played <= len(words) <= most:
        raise InputError(
            f"{s.id} has {played} warbands; you named {len(words)}. Name them as in six-blades,old-guard"
            if played > 1
            else f"{s.id} takes 1 warband, and 1 of foes if you like; you named {len(words)}"
        )
    usual = POINTS if played > 1 else None
    if not words and size is None:
        words = s.warbands
    chosen = [agreed_warband(book, word, size, usual) for word in words[:played]]
    chosen += [agreed_warband(book, None, size) for _ in range(played - len(chosen))]
    return [*chosen, *[LISTS.find(word).value for word in words[played:]]]
