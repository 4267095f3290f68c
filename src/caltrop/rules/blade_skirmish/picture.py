"""The picture of a skirmish. The numbers of the picture come from the rules, with explanations."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import UNSET

from caltrop.agreeing import quantity
from caltrop.engine import Procedure, total
from caltrop.geometry import INCH
from caltrop.kit.depict import box_outline, circle_outline, grounds, seed_of
from caltrop.kit.numbers import reasons
from caltrop.kit.words import put_to
from caltrop.picture import (
    Group,
    Line,
    Picture,
    Piece,
    Reason,
    Seat,
    Spot,
    Stage,
    Stat,
    Token,
    Zone,
)
from caltrop.rules.blade_skirmish.automata import AutomatedCharging, AutomatedMovement, AutomatedRunning, stride
from caltrop.rules.blade_skirmish.catalogue import CHARGE, QUALITIES, ZONE, kinds_of_ground
from caltrop.rules.blade_skirmish.challenge import (
    adds_to_a_test,
    attacker_adds,
    chance_to_pass,
    chance_to_win,
    in_hundred,
)
from caltrop.rules.blade_skirmish.charge import Charging
from caltrop.rules.blade_skirmish.combat import Combat
from caltrop.rules.blade_skirmish.conditions import idle, trophy_in_words
from caltrop.rules.blade_skirmish.fatality import SLIPPERY
from caltrop.rules.blade_skirmish.figures import drawn_as, paint_of
from caltrop.rules.blade_skirmish.goal import goal_of
from caltrop.rules.blade_skirmish.habits import HABITS
from caltrop.rules.blade_skirmish.movement import Move, Movement
from caltrop.rules.blade_skirmish.places import flank_partners, touched_enemies, zone_holders
from caltrop.rules.blade_skirmish.records import Fighter, Goal, Skirmish
from caltrop.rules.blade_skirmish.running import Running, RunOn
from caltrop.rules.blade_skirmish.turn import Sequence
from caltrop.rules.blade_skirmish.victory import (
    GRASP,
    HOLD,
    home_of,
    must_leave,
    stones_points,
    to_come,
    trove,
    victory_points,
)

STEPS = ("Movement", "Charging", "Running", "Combat")
"""Names of a model's phases, and of the combat at the end of the turn (BS-TRN-02, BS-TRN-04)."""

_PHASES: tuple[tuple[type[Procedure], ...], ...] = (
    (Movement, AutomatedMovement),
    (Charging, AutomatedCharging),
    (Running, AutomatedRunning),
    (Combat,),
)
"""Procedures that run in each phase."""

LETTERS, SHAPES = "ABC", ("circle", "diamond", "square")
"""Letters and shapes that distinguish sides, in addition to colours."""

RELIC, PLACE, MARKERS = 1000, 1001, 1100
"""Ids of the drawings of the relic, of the place to be held, and of the first disembowelled fighter."""


LANDS: dict[Goal, str] = {"hold": "wild", "blood": "wild", "relic": "crypt", "stones": "wild"}
"""Theme of the ground by the scenario's goal; other goals have a village."""


def depict(t: Skirmish, side: int | None) -> Picture:
    table, closed = t.field.table, closed_to_the_mover(t)
    return Picture(
        form="plane",
        width=table.width,
        height=table.height,
        scale=INCH,
        measure="in",
        grounds=grounds(table.terrain, kinds_of_ground(t)),
        zones=tuple(_zones(t)),
        spots=tuple(_spots(t)),
        seats=tuple(_seat(t, s) for s in range(t.field.sides)),
        groups=tuple(_group(t, f, closed) for f in t.fighters if f.fate in ("ready", "waiting")),
        lines=tuple(_lines(t)),
        reach="charge",
        land=LANDS.get(t.field.goal, "village"),
        seed=seed_of(table),
        goal=goal_of(t),
        stage=_stage(t),
    )


def _zones(t: Skirmish) -> Iterator[Zone]:
    """Yield the areas in which models are placed before the first turn."""
    if t.round:
        return
    for side, area in enumerate(t.field.areas):
        if area is not None:
            x0, _, x1, _ = box = area.box
            outline = box_outline(box) if area.around is None else circle_outline(area.around, (x1 - x0) // 2)
            yield Zone(name=f"{t.field.names[side]}: {area.words}", side=side, outline=outline)


def _spots(t: Skirmish) -> Iterator[Spot]:
    field = t.field
    if field.goal == "hold" and field.place is not None:
        words = f"after {quantity(field.limit or 0, 'turn')} somebody fit has to be within 3 inches of the middle"
        yield Spot(id=PLACE, name="The stones", kind="objective", at=field.place, radius=HOLD, words=words)
    if field.goal == "stones" and field.place is not None:
        words = "after each turn the side with more fit fighters within 3 inches of the middle counts one"
        yield Spot(id=PLACE, name="The stones", kind="objective", at=field.place, radius=HOLD, words=words)
    if t.relic is not None:
        name = f"The {trove(t)}"
        carrier = None if t.relic.carrier is None else t.fighters[t.relic.carrier]
        if carrier is None:
            words = "a fit fighter who ends her move or run within 0.25 inches takes it"
            yield Spot(id=RELIC, name=name, kind="relic", at=t.relic.at, radius=GRASP, words=words)
        else:
            words = f"carried by {t.called(carrier.id)}: it has to touch the {home_of(t, carrier.side)} edge"
            at, side = carrier.at or t.relic.at, carrier.side
            yield Spot(id=RELIC, name=name, kind="relic", at=at, radius=GRASP, holder=side, words=words)
    for i, lies in enumerate(t.guts):
        words = "a fighter who begins a phase within 2 inches slips and is stunned"
        if lies.until is not None:
            words += f", until turn {lies.until} is over"
        reach = t.field.radius + SLIPPERY
        yield Spot(id=MARKERS + i, name="Slippery ground", kind="guts", at=lies.at, radius=reach, words=words)


def _seat(t: Skirmish, side: int) -> Seat:
    return Seat(
        side=side,
        name=t.field.names[side],
        letter=LETTERS[side],
        shape=SHAPES[side],
        far=_is_far(t, side),
        points=tuple(_points(t, side)),
    )


def _is_far(t: Skirmish, side: int) -> bool:
    """Return whether a side has placed its models in the northern half of the table."""
    area = t.field.areas[side] if side < len(t.field.areas) else None
    return area is not None and area.box[1] + area.box[3] > t.field.table.height


def _points(t: Skirmish, side: int) -> Iterator[Stat]:
    own = [f for f in t.fighters if f.side == side]
    there = sum(f.fate == "ready" for f in own)
    out, dead = sum(f.fate == "wounded" for f in own), sum(f.fate == "dead" for f in own)
    because = (
        Reason(there, "BS-TRN-03", "on the table"),
        Reason(out, "BS-INJ-03", "wounded"),
        Reason(dead, "BS-INJ-04", "dead"),
    )
    yield Stat(label="Fighters", value=f"{there} of {len(own)}" if own else "0", because=because)
    kills = sum(f.kills for f in own)
    if kills:
        yield Stat(label="Kills", value=str(kills), because=(Reason(kills, "BS-INJ-06", "deaths"),))
    if t.field.goal == "leave" and side == 0:
        gone, needed = len(t.escaped), must_leave(t)
        have_to = (Reason(needed, "BS-S52", "have to leave"),)
        yield Stat(label="Left", value=f"{gone} of {needed}", because=have_to, goal=needed or UNSET)
    if t.field.goal == "clear" and side == 0:
        foes = [f for f in t.fighters if f.side != 0]
        down = sum(f.fate not in ("ready", "waiting") for f in foes)
        to_go = (Reason(len(foes), "BS-S50", "enemies"), Reason(down, "BS-S50", "of them no longer on the table"))
        yield Stat(label="Down", value=f"{down} of {len(foes)}", because=to_go, words="Foes down", goal=len(foes))
    if t.field.goal == "blood" and side not in t.field.automated:
        parts = victory_points(t, side)
        yield Stat(label="Points", value=str(total(parts)), because=reasons(parts), words="Victory points", goal=0)
    if t.field.goal == "stones" and side not in t.field.automated:
        parts = stones_points(t, side)
        yield Stat(label="Points", value=str(total(parts)), because=reasons(parts), words="Victory points", goal=0)
    if to_come(t, side):
        waiting = sum(f.fate == "waiting" for f in own)
        yield Stat(label="To come", value=str(waiting), because=(Reason(waiting, "BS-S51", "still to enter"),))


def closed_to_the_mover(t: Skirmish) -> frozenset[int]:
    """Return the enemies whose zones of control limit the fighter who may move or run (BS-MOV-02, BS-RUN-09)."""
    movers = [d.fighter for d in t.asked if isinstance(d, Move | RunOn)]
    return frozenset([f.id for mover in movers for f in zone_holders(t, mover)])


def _group(t: Skirmish, f: Fighter, closed: frozenset[int]) -> Group:
    pieces = () if f.at is None else (Piece(id=f.id, at=f.at, radius=t.field.radius),)
    return Group(
        id=f.id,
        side=f.side,
        name=f.name,
        called=UNSET if t.called(f.id) == f.name else t.called(f.id),
        kind=QUALITIES[f.quality],
        silhouette=f"fighter-{f.quality}",
        look=drawn_as(t, f),
        paint=paint_of(t, f),
        pieces=pieces,
        tokens=tuple(_tokens(t, f)),
        stats=tuple(_stats(t, f)),
        reach=CHARGE if _may_yet_charge(t, f) else 0,
        walk=stride(t, f.id),
        strength=f"Q{f.quality}",
        plate=(f"{f.name} Q{f.quality}", f.name),
        zone=ZONE if f.id in closed else 0,
    )


def _may_yet_charge(t: Skirmish, f: Fighter) -> bool:
    """Return whether a fighter may still charge this turn. In the enemy's turn it is True, for her next turn."""
    if f.side != t.active:
        return True
    before = Movement | AutomatedMovement | Charging | AutomatedCharging
    return f.id not in t.gone or any(isinstance(p, before) and p.fighter == f.id for p in t.stack)


def _step_of(t: Skirmish) -> int:
    """Return the index in `STEPS` of the current phase; -1 between models."""
    return next((i for i, kinds in enumerate(_PHASES) if any(isinstance(p, kinds) for p in t.stack)), -1)


def _tokens(t: Skirmish, f: Fighter) -> Iterator[Token]:
    if f.stunned:
        yield Token(kind="stun", label="stunned", words="Stunned: she does nothing but drift in her running phase")
    if f.fleeing:
        yield Token(
            kind="fleeing",
            label="fleeing",
            words="Fleeing: she runs from the closest enemy until she passes a quality test",
        )
    if f.trophy is not None:
        yield Token(
            kind="trophy",
            label="taking a trophy",
            words=trophy_in_words(t),
        )
    if t.relic is not None and t.relic.carrier == f.id:
        yield Token(kind="relic", label=f"with the {trove(t)}", words=f"Carries the {trove(t)}")
    if f.kills:
        yield Token(kind="kill", label=quantity(f.kills, "kill"), count=f.kills, words="Kills in this skirmish")
    # Everybody fights in the combat at the end of the turn, so nobody is done there.
    is_going = any((isinstance(p, Sequence) and p.fighter == f.id) or isinstance(p, Combat) for p in t.stack)
    if f.id in t.gone and f.side == t.active and not is_going:
        yield Token(kind="moved", label="has acted", words="Has acted this turn")


def _stats(t: Skirmish, f: Fighter) -> Iterator[Stat]:
    adds = attacker_adds(t, f.quality, False)
    if f.saying is not UNSET:
        yield Stat(label="Says", value=f"“{f.saying}”")
    if f.player is not UNSET:
        yield Stat(label="Played by", value=f.player)
    yield Stat(label="Quality", value=f"{f.quality}, {QUALITIES[f.quality]}", because=reasons(adds))
    yield Stat(
        label="Passes a test",
        value=in_hundred(chance_to_pass(t, f.quality)),
        because=(*reasons(adds_to_a_test(t, f.quality)), Reason(7, "BS-QUA-04", "needed with one die")),
    )
    for habit in t.habits(f.id):
        of_habit = HABITS[habit]
        yield Stat(
            label=of_habit.title,
            value=of_habit.words,
            because=(Reason(of_habit.number, of_habit.clause, of_habit.unit),),
        )
    if f.at is None:
        return
    for enemy in touched_enemies(t, f.id):
        flank = bool(flank_partners(t, f.id, enemy.id))
        back = bool(flank_partners(t, enemy.id, f.id))
        hits = in_hundred(chance_to_win(t, f.quality, enemy.quality, flank))
        struck = in_hundred(chance_to_win(t, enemy.quality, f.quality, back))
        mine = f"hits {hits}" if f.active and not idle(t, f.id) else "does not attack"
        hers = f"is hit {struck}" if enemy.active and not idle(t, enemy.id) else "is not attacked"
        yield Stat(
            label=f"Against {t.called(enemy.id)}",
            value=f"{mine}, {hers}",
            because=reasons(attacker_adds(t, f.quality, flank)),
        )


def _lines(t: Skirmish) -> Iterator[Line]:
    """Yield lines between models in contact, and between comrades who flank an enemy together (BS-GEO-04)."""
    for f in t.on_table():
        for enemy in touched_enemies(t, f.id):
            if f.at is None or enemy.at is None:
                continue
            if f.id < enemy.id:
                words = f"{t.called(f.id)} and {t.called(enemy.id)} are in contact"
                yield Line(kind="contact", start=f.at, end=enemy.at, words=words)
            for partner in flank_partners(t, f.id, enemy.id):
                other = t.fighters[partner]
                mutual = f.id in flank_partners(t, partner, enemy.id)
                if other.at is not None and (f.id < partner or not mutual):
                    gains = "2 for each" if mutual else f"2 for {t.called(f.id)}"
                    words = f"{t.called(f.id)} and {t.called(other.id)} have {t.called(enemy.id)} between them: {gains}"
                    yield Line(kind="flank", start=f.at, end=other.at, words=words, side=f.side)


def _stage(t: Skirmish) -> Stage:
    if t.over is not None:
        return Stage(round=t.round, rounds=t.field.limit, steps=STEPS, now=-1, words=t.over.reason)
    now = _step_of(t)
    waiting = [d for d, a in zip(t.asked, t.answers, strict=True) if a is None]
    words = "; ".join(put_to(t.field.names[d.side], d.prompt(t)) for d in waiting)
    going = f"The turn of {t.field.names[t.active]}"
    return Stage(round=t.round, rounds=t.field.limit, steps=STEPS, now=now, words=words or going)
