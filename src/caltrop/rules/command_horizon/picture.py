"""The picture of a battle. The numbers of the picture come from the rules, with explanations."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import UNSET

from caltrop.agreeing import quantity
from caltrop.engine import total
from caltrop.engine.rule import decimal
from caltrop.geometry import CM
from caltrop.kit.depict import box_outline, grounds, land_of, seed_of
from caltrop.kit.numbers import reasons, stat
from caltrop.kit.words import put_to
from caltrop.picture import (
    Group,
    Line,
    Picture,
    Reason,
    Seat,
    Spot,
    Stage,
    Stat,
    Token,
    Zone,
)
from caltrop.rules.command_horizon.aim import can_fire, model_kind
from caltrop.rules.command_horizon.attack import attack_dice
from caltrop.rules.command_horizon.attack.record import Mode
from caltrop.rules.command_horizon.catalogue import (
    kinds_of_ground,
)
from caltrop.rules.command_horizon.command import points_of
from caltrop.rules.command_horizon.figures import look_of, paint_of, piece_of, silhouette_of
from caltrop.rules.command_horizon.goal import goal_of
from caltrop.rules.command_horizon.objectives import effect_words
from caltrop.rules.command_horizon.placing import EDGES, zone_of
from caltrop.rules.command_horizon.reach import bands, kind_of
from caltrop.rules.command_horizon.reaction import gives_up_reaction
from caltrop.rules.command_horizon.records import Battle, Objective, Point
from caltrop.rules.command_horizon.setup import SecretDeployment
from caltrop.rules.command_horizon.shooting import attack_with, is_whole_platoon
from caltrop.rules.command_horizon.victory import anything_counts, points_for, points_of_side
from caltrop.table.measured import middle

STEPS = (
    "Command points",
    "Stun removal",
    "Disengage",
    "Movement and targets",
    "Artillery",
    "Combat",
    "Damage",
)
"""Names of the numbered steps of a turn (CH-TURN-02)."""

EARLIER_STEPS = (*STEPS[:4], "Combat", "Damage")
"""Names of the steps in the earlier edition, which has no artillery step (CH-TURN-03)."""

LANDS = ("dusk", "ash", "autumn", "summer")
"""Themes of the ground that tables may have."""


def depict(t: Battle, side: int | None) -> Picture:
    planned = _planned(t)
    return Picture(
        form="plane",
        width=t.table.width,
        height=t.table.height,
        scale=CM,
        measure="cm",
        grounds=grounds(t.table.terrain, kinds_of_ground(t)),
        zones=tuple(_zones(t)),
        spots=tuple(_spot(t, i, o) for i, o in enumerate(t.objectives)),
        seats=tuple(_seat(t, s) for s in (0, 1)),
        groups=tuple(_group(t, i, planned) for i, u in enumerate(t.units) if u.models and not u.left),
        lines=tuple(_lines(t)),
        land=land_of(t.table, LANDS),
        seed=seed_of(t.table),
        goal=goal_of(t),
        stage=_stage(t),
    )


def _planned(t: Battle) -> dict[int, Point]:
    points: dict[int, Point] = {}
    for frame in t.stack:
        if isinstance(frame, SecretDeployment):
            for plan in frame.plans:
                for act in plan or ():
                    ids = [m for m in t.units[act.unit].models if m not in points]
                    if act.squads:
                        ids = [m for m in ids if t.models[m].squad in act.squads]
                    points.update(zip(ids, act.at, strict=False))
    return points


def _zones(t: Battle) -> Iterator[Zone]:
    if t.round and not t.breakthrough:
        return
    for s in (0, 1):
        name = f"Zone of {t.armies[s].name}, {EDGES[t.armies[s].edge]}"
        yield Zone(name=name, side=s, outline=box_outline(zone_of(t, s)))


def _spot(t: Battle, i: int, o: Objective) -> Spot:
    words = []
    if o.owner is not None:
        words.append(f"belongs to {t.armies[o.owner].name}")
    if o.worth:
        words.append(f"worth {quantity(o.worth, 'victory point')} if secured at the end")
    if o.benefit is not None:
        words.append(f"securing it: {effect_words(o.benefit)}")
    if o.sabotage is not None and o.owner is not None:
        words.append(f"if {t.armies[1 - o.owner].name} secures it: {effect_words(o.sabotage)}")
    if o.secured is not None:
        words.append(f"secured by {t.armies[o.secured].name}")
    return Spot(
        id=i,
        name=o.name,
        kind="objective",
        at=(o.x, o.y),
        radius=o.r,
        holder=o.secured if o.holder is None else o.holder,
        secured=o.secured is not None and o.holder in (None, o.secured),
        words="; ".join(words),
    )


def _seat(t: Battle, side: int) -> Seat:
    army = t.armies[side]
    acts = t.active == side
    words = "Command points" if acts else "Command points saved for the enemy's turn"
    points = [Stat(label="CP" if acts else "CP saved", value=str(army.cp), words=words, pays="CP")]
    if anything_counts(t):
        parts = points_of_side(t, side)
        points.append(Stat(label="VP", value=str(total(parts)), because=reasons(parts), words="Victory points", goal=0))
    return Seat(side=side, name=army.name, letter="AB"[side], shape=("circle", "diamond")[side], points=tuple(points))


def _group(t: Battle, unit: int, planned: dict[int, Point]) -> Group:
    u = t.units[unit]
    pieces = []
    for m in u.models:
        model = t.models[m]
        at = (model.x, model.y) if u.deployed else planned.get(m)
        if at is not None:
            pieces.append(piece_of(t, m, at))
    walk = bands(t, unit)
    return Group(
        id=unit,
        side=u.side,
        name=u.name,
        called=UNSET if t.called(unit) == u.name else t.called(unit),
        kind=u.kind,
        silhouette=silhouette_of(t, unit),
        look=look_of(t, unit),
        paint=paint_of(t, u.side),
        pieces=tuple(pieces),
        tokens=tuple(_tokens(t, unit)),
        stats=tuple(_stats(t, unit)),
        reach=max([model_kind(t, m).range for m in u.models], default=kind_of(t, unit).range),
        walk=walk[-1][0] if walk else 0,
        strength=f"{len(u.models)}/{max(u.starting, len(u.models))}",
    )


def _tokens(t: Battle, unit: int) -> Iterator[Token]:
    u = t.units[unit]
    if u.stuns:
        lost = 2 * len(u.models)
        yield Token(
            kind="stun",
            label=quantity(u.stuns, "Stun marker"),
            count=u.stuns,
            words=f"Stun markers: at {lost} the unit loses a model",
        )
    worms = sum(t.models[m].worms for m in u.models)
    if worms:
        yield Token(kind="worm", label=quantity(worms, "Worm Token"), count=worms, words="Worm Tokens on its models")
    marks = sum(1 for m in t.marks if m.target == unit)
    if marks:
        yield Token(kind="mark", label=quantity(marks, "artillery mark"), count=marks, words="Marked for the artillery")
    if u.drone is not None:
        yield Token(
            kind="drone",
            label=f"Shield Drone {u.drone}",
            count=int(u.drone == "active"),
            words=f"Shield Drone, {u.drone}",
        )
    if u.locked:
        names = ", ".join(t.called(e) for e in u.locked)
        yield Token(kind="lock", label="in close combat", count=len(u.locked), words=f"In close combat with {names}")
    if gives_up_reaction(t, unit):
        yield Token(
            kind="concentrating",
            label="concentrating",
            words="Concentrates command: no move, attack or reaction fire",
        )
    if u.overwatch:
        fired = u.overwatch != 1
        label = "has fired from overwatch" if fired else "on overwatch"
        yield Token(kind="overwatch", label=label, words="Has fired from overwatch" if fired else "On overwatch")
    if u.disengaged:
        yield Token(kind="disengaged", label="left close combat", words="Left close combat this turn")
    # Moves and lost turns are recorded until the unit's next turn, but mean nothing in the enemy's turn.
    if u.frozen and u.side == t.active:
        yield Token(kind="frozen", label="cannot move", words="Cannot move this turn")
    if u.appeared:
        yield Token(kind="appeared", label="just appeared", words="Has only just appeared")
    if u.moved and u.side == t.active:
        moved = decimal(u.moved, CM)
        yield Token(kind="moved", label=f"moved {moved} cm", words=f"Has moved {moved} cm")
    aimed = sum(o.target == unit for o in t.orders)
    if aimed:
        yield Token(kind="target", label=f"target of {quantity(aimed, 'unit')}", count=aimed, words="Is a target")


def _stats(t: Battle, unit: int) -> Iterator[Stat]:
    u, kind = t.units[unit], kind_of(t, unit)
    starting = max(u.starting, len(u.models))
    yield Stat(label="Bases" if kind.infantry else "Models", value=f"{len(u.models)} of {starting}")
    if u.squads > 1 and kind.infantry:
        whole = is_whole_platoon(t, unit) and 2 * len(u.models) > starting
        why = "More than half of its bases are left" if whole else "Too few Squads or bases are left"
        yield Stat(label="Platoon", value="yes" if whole else "no", because=(Reason(int(whole), "CH-ALL-22", why),))
    walk = bands(t, unit)
    if walk:
        prices = tuple(Reason(total(price), price[-1].clause if price else "CH-MOVE-01", f"CP for up to "
                       f"{decimal(length, CM)} cm") for length, price in walk)  # fmt: skip
        yield Stat(label="Move", value=f"{decimal(walk[-1][0], CM)} cm", because=prices)
    else:
        yield Stat(label="Move", value="none")
    able = [m for m in u.models if can_fire(t, m)]
    ranges = sorted({model_kind(t, m).range_cm for m in u.models} - {0})
    if ranges:
        clause = kind.clause("range_cm") if kind.range_cm else "CH-INFMOVE-06"
        yield Stat(
            label="Range",
            value=f"{' / '.join(map(str, ranges))} cm",
            because=(Reason(ranges[0], clause, "cm"),),
        )
        mode: Mode = "artillery" if u.kind == "artillery" else "fire"
        dice = attack_dice(t, attack_with(t, unit, unit, mode, able, marked=u.marking >= 0)) if able else None
        yield stat("Attack Dice", dice.parts if dice else ())
        if u.kind != "artillery":
            back = attack_dice(t, attack_with(t, unit, unit, "reaction-fire", able)) if able else None
            yield stat("Reaction fire", back.parts if back else ())
    if kind.infantry:
        close = attack_dice(t, attack_with(t, unit, unit, "close-combat", u.models))
        yield stat("Close combat", close.parts)
    bonus = kind.defence
    yield Stat(
        label="Defence bonus",
        value=f"+{bonus}",
        because=(Reason(bonus, kind.clause("defence"), "Defence Dice in addition to one for each hit"),),
    )
    points = points_of(t, unit)
    if points:
        yield Stat(label="Generates", value=quantity(total(points), "command point"), because=reasons(points))
    if t.keeps_vp:
        worth = points_for(t, unit)
        because = (Reason(worth, kind.clause("vp"), "if destroyed"),)
        yield Stat(label="Worth", value=quantity(worth, "victory point"), because=because)


def _lines(t: Battle) -> Iterator[Line]:
    for o in t.orders:
        u = t.units[o.unit]
        end = _where(t, o.target) if o.target >= 0 else o.spot
        start = _where(t, o.unit)
        if start is None or end is None or o.done:
            continue
        words = (
            f"{t.called(o.unit)} at {t.called(o.target)}"
            if o.target >= 0
            else f"{t.called(o.unit)} at a spot on the ground"
        )
        yield Line(kind="attack", start=start, end=end, words=words, side=u.side)
    for mark in t.marks:
        start, end = _where(t, mark.by), _where(t, mark.target)
        if start and end:
            words = f"{t.does(mark.by, 'marks')} {t.called(mark.target)}"
            yield Line(kind="mark", start=start, end=end, words=words, side=t.units[mark.by].side)
    for i, u in enumerate(t.units):
        for enemy in u.locked:
            if i < enemy:
                start, end = _where(t, i), _where(t, enemy)
                if start and end:
                    yield Line(kind="lock", start=start, end=end, words=f"{t.called(i)} and {t.called(enemy)}, locked")


def _where(t: Battle, unit: int) -> Point | None:
    discs = t.discs(unit)
    return middle(discs) if discs and t.units[unit].deployed else None


def _stage(t: Battle) -> Stage:
    steps = EARLIER_STEPS if t.book.edition == "v1.5" else STEPS
    now = t.step - 1 if t.round else -1
    if t.over is not None:
        return Stage(round=t.round, rounds=t.rounds, steps=steps, now=-1, words=t.over.reason)
    waiting = [d for d, a in zip(t.asked, t.answers, strict=True) if a is None]
    words = "; ".join(put_to(t.armies[d.side].name, d.prompt(t)) for d in waiting)
    return Stage(round=t.round, rounds=t.rounds, steps=steps, now=now, words=words or "The game goes on")
