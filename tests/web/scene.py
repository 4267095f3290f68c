"""A table with everything that the client can draw, as messages of a server.

The table is for viewing and for tests of drawing. It has no rules.
"""

from __future__ import annotations

from typing import Any

import msgspec

from caltrop.geometry import CM
from caltrop.picture import (
    Ground,
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

KINDS = (
    ("light", "Light Tanks", 4),
    ("medium", "Medium Tanks", 4),
    ("heavy", "Heavy Tanks", 4),
    ("artillery", "Artillery", 3),
    ("command", "Command", 1),
    ("infantry", "Infantry Platoon", 9),
    ("heavy-weapons", "Heavy Weapons", 3),
)
OTHERS = (
    ("slugger", "Sluggers", 3),
    ("carrier", "Carriers", 3),
    ("worm", "Worm Infantry", 8),
    ("medium", "Asori Medium Tanks", 4),
    ("heavy", "Asori Heavy Tanks", 4),
    ("command", "Asori Command", 1),
    ("artillery", "Spore Artillery", 3),
)
STEPS = (
    "Command points",
    "Stun removal",
    "Disengage",
    "Movement and targets",
    "Artillery",
    "Combat",
    "Damage",
)


def _block(first: int, count: int, x: int, y: int, radius: int, tokens: tuple[Token, ...] = ()) -> tuple[Piece, ...]:
    step = 2 * radius + 1 * CM
    return tuple(
        Piece(
            id=first + i,
            at=(x + step * (i % 4), y + step * (i // 4)),
            radius=radius,
            tokens=tokens if i == 0 else (),
        )
        for i in range(count)
    )


def _box(x: int, y: int, wide: int, high: int) -> tuple[Point, ...]:
    return tuple((a * CM, b * CM) for a, b in ((x, y), (x + wide, y), (x + wide, y + high), (x, y + high)))


def _ground(id: int, kind: str, name: str, *corners: Point) -> Ground:
    return Ground(id=id, kind=kind, name=name, outline=tuple((x * CM, y * CM) for x, y in corners))


def picture() -> Picture:
    """Return a picture with seven units a side, every kind of terrain, tokens, objectives, zones and lines."""
    groups = []
    for i, (silhouette, name, count) in enumerate(KINDS):
        small = silhouette in ("infantry", "heavy-weapons")
        tokens = {
            1: (Token(kind="stun", label="2 Stun markers", count=2, words="Stun markers"),),
            4: (Token(kind="concentrating", label="concentrating", words="Concentrates command"),),
            2: (
                Token(kind="mark", label="3 marks", count=3, words="Marks"),
                Token(kind="moved", label="moved", words="Has moved"),
            ),
        }.get(i, ())
        groups.append(
            Group(
                id=i,
                side=0,
                name=name,
                kind=silhouette,
                silhouette=silhouette,
                pieces=_block(i * 20, count, (6 + 16 * i) * CM, (8 + 12 * (i % 2)) * CM, (100 if small else 150)),
                tokens=tokens,
                stats=(
                    Stat(
                        label="Attack dice",
                        value="8",
                        because=(Reason(4, "CH-DICE-01", "Models"), Reason(4, "CH-DICE-02", "Two for each")),
                    ),
                    Stat(label="Defence dice", value="4"),
                ),
                reach=30 * CM,
                walk=30 * CM,
                strength=f"{count}/{count}",
            )
        )
    for i, (silhouette, name, count) in enumerate(OTHERS):
        worms = (Token(kind="worm", label="2 Worm Tokens", count=2, words="Worm Tokens"),) if i == 3 else ()
        tokens = (Token(kind="drone", label="Shield Drone", words="Shield Drone"),) if silhouette == "command" else ()
        groups.append(
            Group(
                id=100 + i,
                side=1,
                name=name,
                kind=silhouette,
                silhouette=silhouette,
                pieces=_block(
                    2000 + i * 20,
                    count,
                    (6 + 16 * i) * CM,
                    (102 - 13 * (i % 2)) * CM,
                    100 if silhouette == "worm" else 150,
                    worms,
                ),
                tokens=tokens,
                reach=20 * CM,
                walk=20 * CM,
                strength=f"{count}/{count}",
            )
        )
    grounds = (
        _ground(1, "woods", "Woods", (14, 48), (22, 44), (32, 46), (36, 56), (30, 66), (20, 64), (13, 57)),
        Ground(id=2, kind="built-up", name="Built-up area", words="Cover", outline=_box(46, 50, 20, 18)),
        Ground(id=3, kind="building", name="Depot", outline=_box(72, 54, 10, 8)),
        _ground(4, "hill", "Hill", (88, 62), (98, 58), (110, 64), (112, 76), (102, 84), (90, 78)),
        _ground(5, "rough", "Rough ground", (84, 36), (98, 34), (104, 42), (96, 50), (86, 48)),
        _ground(6, "impassable", "Ravine", (50, 30), (70, 34), (72, 38), (52, 36)),
    )
    return Picture(
        form="plane",
        width=120 * CM,
        height=120 * CM,
        scale=CM,
        measure="cm",
        grounds=grounds,
        zones=(
            Zone(name="", side=0, outline=_box(0, 0, 120, 10)),
            Zone(name="", side=1, outline=_box(0, 110, 120, 10)),
        ),
        spots=(
            Spot(id=1, name="Crossing", kind="objective", at=(40 * CM, 74 * CM), radius=5 * CM, holder=0, secured=True),
            Spot(id=2, name="Mast", kind="objective", at=(78 * CM, 44 * CM), radius=5 * CM),
        ),
        seats=(
            Seat(
                side=0,
                name="Alliance",
                letter="A",
                shape="circle",
                points=(
                    Stat(
                        label="CP",
                        value="5",
                        because=(Reason(6, "CH-CP-02", "Vehicle units"), Reason(-1, "CH-COST-03", "Moved")),
                    ),
                    Stat(label="VP", value="2"),
                ),
            ),
            Seat(
                side=1,
                name="Putredine",
                letter="B",
                shape="diamond",
                points=(Stat(label="CP", value="3"), Stat(label="VP", value="0")),
            ),
        ),
        groups=tuple(groups),
        lines=(
            Line(kind="target", start=(600, 800), end=(2200, 8900), words="Light Tanks fire at Carriers", side=0),
            Line(kind="lock", start=(10200, 800), end=(10600, 1400), words="Close combat"),
        ),
        stage=Stage(round=3, rounds=8, steps=STEPS, now=3, words="Alliance moves units and names their targets"),
    )


def view(**changes: Any) -> dict[str, Any]:
    """Return the whole view of side 0 as the server sends it."""
    offers = [
        {
            "action": {"type": "Fire", "unit": 1, "target": 101},
            "words": "Fire at Carriers",
            "group": "Fire",
            "unit": 1,
            "target": 101,
            "spot": None,
            "price": [{"value": 1, "clause": "CH-COST-01", "words": "Firing without moving"}],
            "final": False,
        },
        {
            "action": {"type": "Fire", "unit": 1, "target": 103},
            "words": "Fire at Asori Medium Tanks",
            "group": "Fire",
            "unit": 1,
            "target": 103,
            "spot": None,
            "price": [{"value": 1, "clause": "CH-COST-01", "words": "Firing without moving"}],
            "final": False,
        },
        {
            "action": {"type": "EndStep"},
            "words": "End the step",
            "group": "",
            "unit": None,
            "target": None,
            "spot": None,
            "price": [],
            "final": True,
        },
    ]
    regions = [
        {
            "form": "move",
            "unit": unit,
            "words": "Move",
            "group": "Move",
            "bands": [[10 * CM, 1], [20 * CM, 3], [30 * CM, 6]],
            "act": "",
        }
        for unit in (0, 1, 2, 4, 5)
    ]
    result: dict[str, Any] = {
        "type": "view",
        "schema_version": 1,
        "seq": 1,
        "game": "scenery1",
        "ruleset": "command-horizon",
        "edition": "current",
        "rules": {},
        "scenario": "scenery",
        "you": 0,
        "seats": [
            {"side": 0, "player": "person", "name": "Alliance", "letter": "A", "shape": "circle"},
            {"side": 1, "player": "easy", "name": "Putredine", "letter": "B", "shape": "diamond"},
        ],
        "act": 12,
        "picture": msgspec.to_builtins(picture()),
        "decisions": [
            {
                "id": "d1",
                "side": 0,
                "kind": "MoveOrAim",
                "prompt": "Which unit acts next?",
                "hint": "Drag a unit to move it, or click it and then an enemy to fire.",
                "clauses": ["CH-TURN-07"],
                "offers": offers,
                "regions": regions,
            }
        ],
        "waiting_for": [0],
        "over": None,
        "undo": {"allowed": True, "boundary": None, "takeback": False, "asked": None},
        "log": [
            {
                "n": 1,
                "act": 11,
                "side": 0,
                "kind": "Rolled",
                "text": "Medium Tanks roll 8 attack dice",
                "clauses": ["CH-TURN-11"],
                "dice": [{"faces": [1, 2, 3, 4, 5, 6, 6, 2], "sides": 6, "words": "Attack", "side": 0}],
                "touches": [1],
                "undoes": None,
            }
        ],
        "versions": {"wire": 1, "engine": "0", "rules": 1},
    }
    return {**result, **changes}
