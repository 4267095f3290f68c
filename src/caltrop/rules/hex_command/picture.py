"""The picture of a battle. The numbers of the picture come from the rules, with explanations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache

from msgspec import UNSET
from msgspec.structs import replace

from caltrop.agreeing import quantity
from caltrop.engine import Sum, Term, total
from caltrop.kit.depict import box_outline
from caltrop.kit.numbers import reasons, stat
from caltrop.picture import (
    Card,
    Cell,
    Group,
    Picture,
    Piece,
    Pile,
    Point,
    Reason,
    Seat,
    Spot,
    Stage,
    Stat,
    Token,
    Zone,
)
from caltrop.picture import Ground as Patch
from caltrop.rules.hex_command.attack.aiming import fires_indirectly, is_weakened, target_of
from caltrop.rules.hex_command.attack.counting import battle_dice
from caltrop.rules.hex_command.attack.damage import shield_dice
from caltrop.rules.hex_command.attack.record import Attacker, Profile, Target
from caltrop.rules.hex_command.cards import card_in_force, card_of, drawn_by, title_of
from caltrop.rules.hex_command.catalogue import (
    GroundEffects,
    battle_die,
    card_kind,
    ground_of,
)
from caltrop.rules.hex_command.goal import goal_of
from caltrop.rules.hex_command.orders import card_dice, card_for
from caltrop.rules.hex_command.places import class_on_ground
from caltrop.rules.hex_command.reach import farthest, farthest_to_battle
from caltrop.rules.hex_command.records import SOUTH, STEP, Battle, Objective, Unit, full_strength
from caltrop.rules.hex_command.turn import Turn
from caltrop.rules.hex_command.victory import banner_parts, worth
from caltrop.table.hexes import CORNERS, Hex, hex_map

RADIUS, LEADER_RADIUS = 640, 330
"""Radius of a unit, and of an attached leader, in units of the picture."""

BESIDE: Point = (480, 380)
"""Offset of an attached leader from the centre of the hex."""

STEPS = ("Card", "Order", "Move", "Battle", "Draw")
"""Names of the steps of a turn (HX-TRN-01)."""

_STEP_CLAUSES = ("HX-TRN-01", "HX-TRN-02", "HX-TRN-03", "HX-TRN-04", "HX-TRN-08")
"""Clauses of the steps of a turn."""

_RANGES = range(1, 9)
"""Ranges for which dice are shown. No unit has a longer range."""

_MARKERS = 1000
"""Ids of drawings of entrenchments begin with this number; the number of the hex is added."""


def depict(t: Battle, side: int | None) -> Picture:
    wide, high = t.map.size
    return Picture(
        form="hexes",
        width=wide,
        height=high,
        scale=STEP,
        measure="hexes",
        grounds=_grounds(t),
        zones=tuple(_sections(t, side)),
        spots=tuple(_spot(t, i, o) for i, o in enumerate(t.field.objectives)),
        seats=(_seat(t, 0), _seat(t, 1)),
        groups=tuple(_group(t, u) for u in t.units if u.strength),
        cells=_cells(t.field.rows, t.field.columns),
        corners=CORNERS,
        hand=() if side is None else _hand(t, side),
        piles=_piles(t),
        faces=battle_die(t),
        goal=goal_of(t),
        stage=_stage(t),
    )


@cache
def _cells(rows: int, columns: int) -> tuple[Cell, ...]:
    map = hex_map(rows, columns)
    return tuple(Cell(name=hex, at=map.centre(hex)) for hex in map.hexes)


@cache
def _numbers(rows: int, columns: int) -> dict[Hex, int]:
    return {hex: i for i, hex in enumerate(hex_map(rows, columns).hexes)}


def _grounds(t: Battle) -> tuple[Patch, ...]:
    """Return the ground of every hex that is not open, with its markers.

    The result is reused until a marker changes.
    """
    field, markers, patches = t.book.scratch.get("grounds", (None, (), ()))
    if field is not t.field or markers != tuple(t.entrenchments):
        patches = tuple(_patches(t))
        t.book.scratch["grounds"] = t.field, tuple(t.entrenchments), patches
    return patches  # type: ignore[no-any-return]


def _patches(t: Battle) -> Iterator[Patch]:
    numbers = _numbers(t.field.rows, t.field.columns)
    laid = [(hex, kind, 0) for hex, kind in t.field.terrain.items()]
    laid += [(hex, "entrenchment", _MARKERS) for hex in t.entrenchments]
    for hex, kind, marker in laid:
        x, y = t.map.centre(hex)
        yield Patch(
            id=numbers[hex] + marker,
            kind=kind,
            name=ground_of(t, kind).title,
            outline=tuple([(x + dx, y + dy) for dx, dy in CORNERS]),
            words=ground_words(ground_of(t, kind)),
        )


def ground_words(ground: GroundEffects) -> str:
    """Describe the effects of a hex's ground in one line."""
    parts = [*_who_may_enter(ground)]
    if ground.stop:
        strides = ground.size and ground.only_for is None
        words = "stops all but God Machines" if strides else "stops all who enter"
        parts.append(f"{words}; no battle in that turn but for Scouts" if ground.entering is not None else words)
    if any(ground.less):
        parts.append(_cover(*ground.less))
    if ground.most_vehicle_dice:
        parts.append(f"vehicles in it roll {quantity(ground.most_vehicle_dice, 'die')} at most")
    if ground.fewer_dice:
        parts.append(f"units in it roll {quantity(ground.fewer_dice, 'die')} less")
    if ground.favours:
        parts.append("may ignore one Retreat")
    if ground.raises:
        parts.append("no cover from another hill; 1 larger for sight")
    if ground.size:
        parts.append(f"size {ground.size}")
    if ground.road:
        parts.append("a move wholly by road goes 1 hex farther")
    words = "; ".join(parts) or "no effect"
    return words[:1].upper() + words[1:]


def _cover(infantry: int, vehicles: int, machines: int) -> str:
    """Describe the dice that attackers of each class lose; classes with the same loss as infantry are left out."""
    others = ((vehicles, "vehicles"), (machines, "God Machines"))
    return ", ".join(
        [f"attackers {quantity(-infantry, 'die')}", *[f"{who} {-n or 0}" for n, who in others if n != infantry]]
    )


def _who_may_enter(ground: GroundEffects) -> Iterator[str]:
    if ground.only_for == ():
        yield "nobody may enter"
    elif ground.only_for is not None:
        titles = {"infantry": "infantry", "leader": "leaders", "god-machine": "God Machines", "vehicle": "vehicles"}
        yield f"only {' and '.join(titles[c] for c in ground.only_for)} may enter"
    if ground.not_for:
        yield "not for heavy and super heavy vehicles"


def _sections(t: Battle, side: int | None) -> Iterator[Zone]:
    flank, columns, high = t.field.columns // 3, t.field.columns, t.map.size[1]
    named: tuple[str, ...] = card_kind(t, t.card).sections if t.card else ()
    ends = (0, flank, columns - flank, columns)
    for i, word in enumerate(("West", "Centre", "East")):
        west, east = ends[i] * STEP, ends[i + 1] * STEP
        mine = _as_seen(i, t.active)
        own = "" if side is None or i == 1 else f", your {_as_seen(i, side)}"
        yield Zone(
            name=word + own,
            side=None,
            outline=box_outline((west, 0, east, high)),
            lit=mine in named,
        )


def _as_seen(third: int, side: int) -> str:
    """Return the name of a third of the map from a side's view; third 0 is in the west."""
    return ("left", "centre", "right")[third if side == SOUTH else 2 - third]


def _spot(t: Battle, i: int, o: Objective) -> Spot:
    holder = t.captured.get(o.hex)
    taker = None if o.side is None else t.field.names[o.side]
    if o.permanent:
        words = f"1 banner for good once {f'{taker} takes it' if taker else 'taken'}"
    else:
        words = f"1 banner while {f'{taker} holds it' if taker else 'held'}"
    if holder is not None:
        words += f"; {t.field.names[holder]} has it"
    return Spot(
        id=i,
        name=o.hex,
        kind="objective",
        at=t.map.centre(o.hex),
        radius=0,
        holder=holder,
        secured=o.permanent and holder is not None,
        words=words,
    )


def _held(t: Battle, side: int, kind: str, drawn: bool = False) -> Card:
    card, copied = card_of(t, kind, drawn), card_in_force(t, side, kind)
    if copied == kind:
        return card
    now = card_kind(t, copied)
    return replace(card, words=f"{card.words} Now: {title_of(t, copied)}.", area=now.area, orders=now.orders)


def _piles(t: Battle) -> tuple[Pile, ...]:
    """Return the deck, face down, and the discards with their titles."""
    counts = Counter(title_of(t, card) for card in t.discards)
    return (
        Pile(name="Deck", cards=t.in_deck),
        Pile(
            name="Discards",
            cards=len(t.discards),
            top=card_of(t, t.discards[-1]) if t.discards else None,
            lines=tuple([f"{many} {title}" for title, many in sorted(counts.items())]),
        ),
    )


def _hand(t: Battle, side: int) -> tuple[Card, ...]:
    drawn = drawn_by(t, side)
    held = list(t.hands[side] or ())
    for kind in drawn:
        held.remove(kind)
    return (*(_held(t, side, kind, drawn=True) for kind in drawn), *(_held(t, side, kind) for kind in held))


def _seat(t: Battle, side: int) -> Seat:
    parts = banner_parts(t, side)
    last = t.played[side]
    return Seat(
        side=side,
        name=t.field.names[side],
        letter="AB"[side],
        shape=("circle", "diamond")[side],
        points=(
            Stat(
                label="Banners",
                value=f"{total(parts)}/{t.field.banners[side]}",
                because=reasons(parts),
                goal=t.field.banners[side],
            ),
        ),
        cards=t.held[side],
        played=card_of(t, last) if last else None,
    )


def _group(t: Battle, u: Unit) -> Group:
    pieces: tuple[Piece, ...] = ()
    if u.hex is not None:
        x, y = t.map.centre(u.hex)
        attached = t.guests.get(u.hex) == u.id
        at = (x + BESIDE[0], y + BESIDE[1]) if attached else (x, y)
        pieces = (Piece(id=u.id, at=at, radius=LEADER_RADIUS if attached else RADIUS),)
    reach, dice = _dice(t, u)
    hexes, walk = _walk(t, u)
    return Group(
        id=u.id,
        side=u.side,
        name=u.name,
        called=UNSET if t.called(u.id) == u.name else t.called(u.id),
        kind=u.kind,
        silhouette="leader" if u.row.is_leader and u.alone else u.row.silhouette,
        pieces=pieces,
        tokens=tuple(_tokens(t, u)),
        stats=_stats(t, u, walk, dice),
        reach=reach * STEP,
        walk=hexes * STEP,
        strength=f"{u.strength}/{full_strength(u.row)}",
    )


def _dice(t: Battle, u: Unit) -> tuple[int, Stat]:
    """Return the largest range of a unit, and its dice by range against infantry in the open.

    The result is cached by everything that affects it, because few units change between two pictures.
    """
    attacker = Attacker(
        u.kind,
        class_on_ground(t, u),
        t.leader_of(u) is not None,
        is_weakened(u),
        t.field.terrain.get(u.hex or "", "open"),
        u.pack,
    )
    card, moved = card_for(t, u.id), t.moved.get(u.id, 0) > 0
    cache: dict[object, tuple[int, Stat]] = t.book.scratch.setdefault("dice by range", {})
    key = attacker, None if card is None else card.key, moved
    entry = cache.get(key)
    if entry is None:
        dice = [parts for distance in _RANGES if (parts := _dice_at(t, u, attacker, distance, moved))]
        stat = Stat(
            label="Dice by range",
            value="/".join(str(total(parts)) for parts in dice) or "none",
            because=tuple(r for parts in dice for r in reasons(parts)),
        )
        entry = cache[key] = len(dice), stat
    return entry


def _walk(t: Battle, u: Unit) -> tuple[int, Stat]:
    """Return the largest move of a unit, in hexes and as a line of its card.

    The result is cached by kind of unit, card, and use of the road.
    """
    card = card_for(t, u.id)
    cache: dict[object, tuple[int, Stat]] = t.book.scratch.setdefault("walks", {})
    key = u.kind, None if card is None else card.key, u.id in t.by_road
    entry = cache.get(key)
    if entry is None:
        far, fight = farthest(t, u), farthest_to_battle(t, u)
        battle = f", battle after {total(fight)}" if total(fight) < total(far) else ""
        because = (*reasons(far), *reasons(fight))
        stat = Stat(label="Move", value=_count(total(far), "hex", "es") + battle, because=because)
        entry = cache[key] = total(far), stat
    return entry


def _dice_at(t: Battle, u: Unit, attacker: Attacker, distance: int, moved: bool) -> Sum:
    return battle_dice(
        t,
        Profile(
            attacker,
            Target("infantry-medium", 4),
            range=distance,
            extra=card_dice(t, u.id, distance),
            indirect=fires_indirectly(t, u, distance, moved),
        ),
    )


def _tokens(t: Battle, u: Unit) -> Iterator[Token]:
    leader = t.leader_of(u)
    if leader is not None:
        yield Token(kind="leader", label="with a leader", words=f"The {t.called(leader.id)} is with it")
    host = t.host_of(u)
    if host is not None:
        yield Token(kind="attached", label="with a unit", words=f"Is with the {t.called(host.id)}")
    if u.hex in t.entrenchments and host is None:
        yield Token(kind="entrenched", label="dug in", words=f"Is dug in: {ground_words(ground_of(t, 'entrenchment'))}")
    if u.id in t.ordered:
        yield Token(kind="ordered", label="ordered", words="Is ordered this turn")
    if u.id in t.moved:
        hexes = quantity(t.moved[u.id], "hex")
        yield Token(kind="moved", label=f"moved {hexes}", words=f"Has moved {hexes}")
    if u.id in t.battled:
        yield Token(kind="battled", label="has battled", words="Has battled this turn")


def _stats(t: Battle, u: Unit, walk: Stat, dice: Stat) -> tuple[Stat, ...]:
    """Return the lines of a unit's card. Lines that rarely change are cached."""
    kinds = (
        () if u.hex is None else (t.field.terrain.get(u.hex, "open"), *["entrenchment"] * (u.hex in t.entrenchments))
    )
    target = target_of(t, u)
    cache: dict[object, tuple[tuple[Stat, ...], tuple[Stat, ...]]] = t.book.scratch.setdefault("stats", {})
    key = target, kinds
    entry = cache.get(key)
    if entry is None:
        entry = cache[key] = tuple(_first_stats(u)), tuple(_last_stats(t, u, target, kinds))
    return (*entry[0], walk, dice, *entry[1])


def _first_stats(u: Unit) -> Iterator[Stat]:
    row = u.row
    label = "Models" if row.models > 1 else "Damage Capacity"
    clause = "HX-S20" if row.models > 1 else "HX-SMU-02"
    full = full_strength(row)
    yield Stat(label=label, value=f"{u.strength} of {full}", because=(Reason(full, clause, "At full strength"),))
    yield stat("Size", (Term(row.size, "HX-S20", f"{row.title}, for sight"),))


def _last_stats(t: Battle, u: Unit, target: Target, kinds: Sequence[str]) -> Iterator[Stat]:
    shields = shield_dice(t, Profile(attacker=None, target=target))
    if shields:
        yield stat("Void shields", shields)
    count = worth(t, u)
    yield Stat(
        label="Worth", value=_count(count, "banner"), because=(Reason(count, "HX-S60", "Banners for the enemy"),)
    )
    for kind in kinds:
        ground = ground_of(t, kind)
        if any(ground.less):
            clause = ground.clauses.split()[0]
            less = "/".join(str(-n or 0) for n in ground.less)
            words = f"{ground.title}: dice of infantry, vehicles and God Machines"
            yield Stat(label="Cover", value=less, because=(Reason(-max(ground.less), clause, words),))


def _count(number: int, word: str, ending: str = "s") -> str:
    return f"{number} {word}{ending * (number != 1)}"


def _stage(t: Battle) -> Stage:
    limit = t.field.limit
    if t.over is not None:
        return Stage(round=t.round, rounds=limit.turns, steps=STEPS, now=-1, words=t.over.reason)
    waiting = [d for d, a in zip(t.asked, t.answers, strict=True) if a is None]
    words = "; ".join(f"{t.field.names[d.side]}: {d.prompt(t)}" for d in waiting)
    return Stage(round=t.round, rounds=limit.turns, steps=STEPS, now=_step_of(t), words=words or "The battle goes on")


def _step_of(t: Battle) -> int:
    """Return the index of the current step of the turn; -1 outside a turn."""
    number = -1
    for frame in t.stack:
        if isinstance(frame, Turn):
            # The frame names the step to run next.
            for step in frame.plan.values():
                number = next((i for i, clause in enumerate(_STEP_CLAUSES) if clause in step.mark.clauses), number)
                if step.next == frame.at:
                    break
    return number
