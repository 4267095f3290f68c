"""The picture of a firefight. The numbers of the picture come from the rules, with explanations."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from math import isqrt
from typing import Any

from msgspec import UNSET

from caltrop.engine import does
from caltrop.geometry import INCH, distance_sq, point_along
from caltrop.kit.depict import box_outline, circle_outline, grounds, seed_of
from caltrop.picture import (
    Group,
    Line,
    Picture,
    Piece,
    Point,
    Reason,
    Seat,
    Spot,
    Stage,
    Stat,
    Token,
    Zone,
)
from caltrop.rules.squad_action.airstrike import IN_WORDS
from caltrop.rules.squad_action.catalogue import (
    TRAITS,
    armour_in_words,
    faces_in_words,
    kinds,
    step_of,
    supplied,
    ways_of,
)
from caltrop.rules.squad_action.figures import look_of, paint_of, piece_of, silhouette_of
from caltrop.rules.squad_action.goal import goal_of
from caltrop.rules.squad_action.line import LENGTH, WIDTH
from caltrop.rules.squad_action.overwatch import Interrupt
from caltrop.rules.squad_action.places import CLOUD, clouds
from caltrop.rules.squad_action.reach import base_move
from caltrop.rules.squad_action.records import SIDES, Firefight, Goal, Unit
from caltrop.rules.squad_action.template import radius_of
from caltrop.rules.squad_action.victory import (
    CROSSROADS,
    HOLDS,
    PICKS_UP,
    counts_for_exit,
    destroyed,
    holder,
    needed_to_leave,
    totals,
)
from caltrop.table.measured import SharedWay, most_central, scattered

STEPS = ("Set-up", "Orders", "Tokens")
"""Parts of a turn as a player sees them."""

LETTERS, SHAPES = "AB", ("circle", "diamond")

OBJECTIVES, PILOT, SMOKE, SHELLS = 1000, 1100, 1200, 1300
"""First ids of the drawings of objectives, the pilot, smoke and shells."""


LANDS: dict[Goal, str] = {"crossroads": "autumn", "pilot": "dusk", "breakthrough": "ash"}
"""Theme of the table by the mission's goal; other goals have summer."""


def depict(t: Firefight, side: int | None) -> Picture:
    """Return the picture of the table as *side* may see it. Faces of other sides' tokens are hidden."""
    table = t.field.table
    pieces = (*table.terrain, *t.placed)
    return Picture(
        form="plane",
        width=table.width,
        height=table.height,
        scale=INCH,
        measure="in",
        grounds=grounds(pieces, kinds(t)),
        zones=tuple(_zones(t)),
        spots=tuple(_spots(t)),
        seats=tuple([_seat(t, s) for s in range(SIDES)]),
        groups=tuple([_group(t, u, side) for u in t.units if u.where != "gone"]),
        reach="effective range",  # a shot beyond it is harder, and allowed (SQ-SHO-09)
        lines=tuple(_lines(t)),
        land=LANDS.get(t.field.goal, "summer"),
        seed=seed_of(table),
        goal=goal_of(t),
        stage=_stage(t),
    )


def _lines(t: Firefight) -> Iterator[Line]:
    """Yield lines for scattered shells, for air runs, and for a path that may be interrupted."""
    for b in t.barrages:
        if b.turn == t.round and b.fell is not None and b.fell != b.aim:
            far = isqrt(distance_sq(b.aim, b.fell))
            words = f"{_hour(b.aim, b.fell)} o'clock, {round(far / INCH)} in"
            yield Line(kind="scatter", start=b.aim, end=b.fell, words=words, side=t.units[b.caller].side)
    for flight in t.flights:
        if flight.turn == t.round:
            half = LENGTH // 2
            yield Line(
                kind="run",
                start=point_along(flight.aim, flight.direction, -half),
                end=point_along(flight.aim, flight.direction, half),
                words=f"{IN_WORDS[flight.kind].partition(':')[0]} of {t.units[flight.caller].name}",
                side=t.units[flight.caller].side,
                wide=WIDTH,
            )
    for d, a in zip(t.asked, t.answers, strict=True):
        if a is not None or not isinstance(d, Interrupt) or not d.paths:
            continue
        way = SharedWay([path for _, path in d.paths], in_step=True)
        for _, path in d.paths:
            for start, end in pairwise(path):
                yield Line(kind="way", start=start, end=end, side=t.units[d.actor].side)
        for watcher, moment in d.chances:
            eyes = next((at for m in t.units[watcher].models if (at := t.models[m].at) is not None), None)
            if eyes is not None:
                yield Line(
                    kind="seen",
                    start=eyes,
                    end=way.at(moment)[0],
                    words=f"{does(t.units[watcher].name, 'sees')} it from here",
                    side=d.side,
                )


def _hour(a: Point, b: Point) -> int:
    """Return the direction from one place to another as an hour on a clock; 12 is north."""
    ahead = {hour: scattered((0, 0), hour, INCH) for hour in range(1, 13)}
    return max(ahead, key=lambda hour: ahead[hour][0] * (b[0] - a[0]) + ahead[hour][1] * (b[1] - a[1]))


def _zones(t: Firefight) -> Iterator[Zone]:
    """Yield the deployment areas of sides that still have units to place."""
    if t.round:
        return
    for side, area in enumerate(t.field.areas):
        if area is not None and any(u.side == side and u.where == "reserve" for u in t.units):
            outline = box_outline(area.box) if area.around is None else circle_outline(*area.around)
            yield Zone(name=f"{t.field.names[side]}: {area.words}", side=side, outline=outline)


def _spots(t: Firefight) -> Iterator[Spot]:
    radius = CROSSROADS if t.field.goal == "crossroads" else HOLDS
    for n, o in enumerate(t.field.objectives):
        held = holder(t, n) if t.field.goal == "meeting" else None
        words = "held by the nearest unit that is neither Pinned nor broken"
        yield Spot(id=OBJECTIVES + n, name=o.name, kind="objective", at=o.at, radius=radius, holder=held, words=words)
    if t.pilot is not None:
        with_unit = None if t.pilot.unit is None else t.units[t.pilot.unit]
        at = t.pilot.at
        words = "from turn 2 on, the pilot joins infantry that ends an action within an inch of him"
        if with_unit is not None:
            places = [t.models[m].at for m in with_unit.models if t.models[m].at is not None]
            at = places[0] or at if places else at
            words = f"with {with_unit.name}, who has to leave by its own edge"
        side = None if with_unit is None else with_unit.side
        yield Spot(id=PILOT, name="The pilot", kind="pilot", at=at, radius=PICKS_UP, holder=side, words=words)
    for n, b in enumerate(t.barrages):
        if b.turn == t.round and b.fell is not None:
            words = f"the shells of {t.units[b.caller].name} fell here"
            asset: Any = b.asset
            spot = radius_of(t, asset)
            yield Spot(id=SHELLS + n, name=b.asset.capitalize(), kind="blast", at=b.fell, radius=spot, words=words)
    for n, cloud in enumerate(clouds(t)):
        x, y, _ = cloud.circle or (0, 0, 0)
        words = "shots through it, into it or out of it have 1 taken off"
        yield Spot(id=SMOKE + n, name="Smoke", kind="smoke", at=(x, y), radius=CLOUD, words=words)


def _seat(t: Firefight, side: int) -> Seat:
    mine = [u for u in t.units if u.side == side]
    lost = len(destroyed(t, side))
    points = [
        Stat(
            label="Units",
            value=f"{len(mine) - lost} of {len(mine)}",
            because=(Reason(len(mine), "SQ-S70", "in the force"), Reason(-lost, "SQ-ORG-27", "out of play")),
        ),
        Stat(label="Smoke", value=str(t.smoke[side]), because=(Reason(t.smoke[side], "SQ-ORG-47", "markers left"),)),
    ]
    if t.field.goal == "meeting":
        points.insert(
            0,
            Stat(
                label="Points",
                value=str(totals(t)[side]),
                because=(
                    Reason(t.scores[side], "SQ-S70", "objectives held"),
                    Reason(len(destroyed(t, 1 - side)), "SQ-S70", "enemy units destroyed"),
                ),
                words="Victory points",
                goal=0,
            ),
        )
    if t.field.goal == "breakthrough" and side != t.field.defender:
        needed, gone = needed_to_leave(t, side), sum([counts_for_exit(t, unit) for unit in dict.fromkeys(t.exited)])
        have_to = (Reason(needed, "SQ-S73", "have to leave"),)
        points.insert(0, Stat(label="Left", value=f"{gone} of {needed}", because=have_to, goal=needed))
    area = t.field.areas[side]
    far = area is not None and area.box[1] + area.box[3] > t.field.table.height
    return Seat(
        side=side, name=t.field.names[side], letter=LETTERS[side], shape=SHAPES[side], far=far, points=tuple(points)
    )


def _group(t: Firefight, u: Unit, eyes: int | None) -> Group:
    return Group(
        id=u.id,
        side=u.side,
        name=u.name,
        kind=u.row,
        silhouette=silhouette_of(t, u),
        look=look_of(t, u),
        paint=paint_of(t, u.side),
        pieces=tuple(_pieces(t, u)) if u.where == "table" else (),
        tokens=tuple(_tokens(t, u, eyes)),
        stats=tuple(_stats(t, u)),
        reach=0 if not u.models else max([t.weapon(w).effective for m in u.models for w in _arms(t, m)], default=0),
        walk=_move(t, u),
        strength=f"{len(u.models)}/{u.starting}" if u.starting > 1 else "",
        model=piece_of(t, u, u.models[0], (0, 0)) if u.where != "table" and u.models else UNSET,
        whereabouts=_whereabouts(t, u) if u.where != "table" else UNSET,
        carrier=u.carrier if u.where == "aboard" and u.carrier is not None else UNSET,
        quarters=_quarters(t, u) if u.machine else UNSET,
    )


def _whereabouts(t: Firefight, u: Unit) -> str:
    if u.where == "aboard" and u.carrier is not None:
        return f"aboard {t.units[u.carrier].name}"
    if u.where == "away":
        return "has left the table"
    if u.due:
        return "arrives this turn"
    return "in reserve" if t.round or u.kept or u.kind == "flyer" else "not placed yet"


def _quarters(t: Firefight, u: Unit) -> tuple[str, str, str]:
    return faces_in_words(*t.vehicle(u.id).armour)


def _arms(t: Firefight, model: int) -> list[str]:
    weapons: list[str] = []
    for w in t.models[model].weapons:
        ways = ways_of(w, supplied(t))
        weapons += ways[:1] or [w]
    return weapons


def _move(t: Firefight, u: Unit) -> int:
    return 0 if u.machine and u.immobile else base_move(t, u.id)


def _pieces(t: Firefight, u: Unit) -> Iterator[Piece]:
    """Yield the models of a unit on the table. The middle model, which leads a drag, comes first."""
    places = [(m, at) for m in u.models if (at := t.models[m].at) is not None]
    middle = most_central([at for _, at in places])[0] if places else 0
    for m, at in (*places[middle : middle + 1], *places[:middle], *places[middle + 1 :]):
        yield piece_of(t, u, m, at)


def _tokens(t: Firefight, u: Unit, eyes: int | None) -> Iterator[Token]:
    if u.pinned:
        yield Token(kind="pinned", label="Pinned", words="Pinned: it has to rally first")
    if u.broken:
        yield Token(kind="broken", label="Broken", words="Broken: it falls back, and has to regroup")
    token = t.tokens.get(u.id)
    if token is not None and token.faces:
        faces = [f for f in token.faces if f is not None]
        words = " and ".join(f.capitalize() for f in faces) if faces else f"{len(token.faces)} face down"
        tiles = tuple([f or "" for f in token.faces])
        yield Token(
            kind="overwatch",
            label="on overwatch",
            count=len(token.faces),
            words=f"On overwatch: {words}",
            tiles=tiles,
        )
    if u.activated:
        yield Token(kind="moved", label="has acted", words="Has acted this turn")
    if u.immobile:
        yield Token(kind="immobile", label="immobile", words="Immobile")
    if u.disarmed:
        yield Token(kind="disarmed", label="main weapon lost", words="Its main weapon is lost")
    for p in t.aboard(u.id):
        yield Token(
            kind="passengers",
            label=f"{len(p.models)} aboard",
            count=len(p.models),
            words=f"{does(p.name, 'is')} aboard",
        )
    if t.pilot is not None and t.pilot.unit == u.id:
        yield Token(kind="pilot", label="with the pilot", words="The pilot is with it")


def _stats(t: Firefight, u: Unit) -> Iterator[Stat]:
    if u.on_foot:
        row = t.profile(u.id)
        for label, field in (("Fire", "fire"), ("Close quarters", "cqb"), ("Morale", "morale"), ("Armour", "armour")):
            value: int = getattr(row, field)
            shown = "none" if value > 6 else f"{value}+"
            yield Stat(label=label, value=shown, because=(Reason(value, "SQ-S12", row.title),))
        if u.traits:
            yield Stat(label="Traits", value=", ".join(TRAITS[name].title for name in u.traits))
    else:
        vehicle = t.vehicle(u.id)
        armour = vehicle.armour
        faces = tuple(
            [
                Reason(step_of(step), "SQ-S55", words)
                for step, words in zip(armour, faces_in_words(*armour), strict=True)
            ]
        )
        yield Stat(label="Armour", value=armour_in_words(*armour), because=faces)
        yield Stat(
            label="Morale", value=f"{vehicle.morale}+", because=(Reason(vehicle.morale, "SQ-S55", vehicle.title),)
        )
        if vehicle.seats:
            used = sum([len(p.models) for p in t.aboard(u.id)])
            yield Stat(label="Seats", value=f"{vehicle.seats - used} of {vehicle.seats} free")
    weapons: dict[str, int] = {}
    for m in u.models:
        for w in t.models[m].weapons:
            weapons[w] = weapons.get(w, 0) + 1
    for w, count in weapons.items():
        row_ = t.field.lists.weapons.get(w) or supplied(t).weapons.get(w)
        title = row_.title if row_ is not None else w.replace("-", " ")
        yield Stat(label=title[:1].upper() + title[1:], value=str(count))


def _stage(t: Firefight) -> Stage:
    rounds = t.field.turns
    if t.over is not None:
        return Stage(round=t.round, rounds=rounds, steps=STEPS, now=-1, words=t.over.reason)
    waiting = [d for d, a in zip(t.asked, t.answers, strict=True) if a is None]
    if len(waiting) != 1:
        return Stage(round=t.round, rounds=rounds, steps=STEPS, now=-1, words="The game begins")
    decision = waiting[0]
    name = type(decision).__name__
    now = 0 if not t.round else 2 if name in ("UseTokens", "Interrupt", "React") else 1
    words = f"{t.field.names[decision.side]}: {decision.prompt(t)}"
    return Stage(round=t.round, rounds=rounds, steps=STEPS, now=now, words=words)
