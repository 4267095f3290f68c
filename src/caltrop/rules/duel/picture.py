"""The picture of a duel. The picture computes no rule itself, and asks the rules for every number."""

from __future__ import annotations

from caltrop.geometry import CM
from caltrop.kit.depict import grounds, seed_of
from caltrop.kit.words import put_to
from caltrop.picture import Group, Picture, Piece, Reason, Seat, Stage, Stat, Token
from caltrop.rules.duel.goal import goal_of
from caltrop.rules.duel.movement import walking_distance
from caltrop.rules.duel.records import (
    BASE,
    Duel,
    kinds_of_ground,
)
from caltrop.rules.duel.strike import REACH
from caltrop.table.measured import Table

STEPS = ("Stakes", "Walk", "Strike", "Parry")
_STEP_OF = {"Bid": 0, "Move": 1, "StrikeOrHold": 2, "ParryOrNot": 3}


def depict(t: Duel) -> Picture:
    return Picture(
        form="plane",
        width=t.width,
        height=t.height,
        scale=CM,
        measure="cm",
        grounds=grounds(t.terrain, kinds_of_ground(t)),
        land="meadow",
        seed=seed_of(Table(t.width, t.height, t.terrain)),
        groups=tuple(_duellist(t, side) for side in range(len(t.duellists))),
        seats=tuple(
            Seat(
                side=side,
                name=d.name,
                letter="AB"[side],
                shape=("circle", "diamond")[side],
                points=(
                    Stat(label="Breath", value=str(d.breath), pays="breath"),
                    Stat(label="Wounds", value=str(d.wounds), goal=0),
                ),
            )
            for side, d in enumerate(t.duellists)
        ),
        goal=goal_of(t),
        stage=_stage(t),
    )


def _duellist(t: Duel, side: int) -> Group:
    d, walk = t.duellists[side], walking_distance(t, side)
    return Group(
        id=side,
        side=side,
        name=d.name,
        kind="duellist",
        silhouette="infantry",
        look=("sword", "spear")[side],
        pieces=(Piece(id=side, at=d.at, radius=BASE),) if d.wounds else (),
        tokens=(Token(kind="breath", label=f"{d.breath} breath", count=d.breath, words="Breath to parry with"),)
        if d.breath
        else (),
        stats=(
            Stat(
                label="Walk",
                value=f"{walk // CM} cm",
                because=(Reason(walk // CM, "DU-MOVE-05" if "light-footed" in d.traits else "DU-MOVE-01", "cm"),),
            ),
            Stat(label="Traits", value=", ".join(d.traits) or "none"),
        ),
        reach=REACH,
        walk=walk,
        strength=str(d.wounds),
    )


def _stage(t: Duel) -> Stage:
    if t.over is not None:
        return Stage(round=t.round, rounds=t.rounds, steps=STEPS, now=-1, words=t.over.reason)
    waiting = [(d, _STEP_OF[type(d).__name__]) for d, a in zip(t.asked, t.answers, strict=True) if a is None]
    if len(waiting) != 1:
        return Stage(round=t.round, rounds=t.rounds, steps=STEPS, now=0, words="Both stake breath for the first turn")
    decision, now = waiting[0]
    words = put_to(t.duellists[decision.side].name, decision.prompt(t))
    return Stage(round=t.round, rounds=t.rounds, steps=STEPS, now=now, words=words)
