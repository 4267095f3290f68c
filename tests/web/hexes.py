"""A map of hexes with everything that the client can draw, as messages of a server.

The map is for viewing and for tests of drawing. It has no rules.
"""

from __future__ import annotations

from typing import Any

import msgspec

from caltrop.engine import Term
from caltrop.engine.forecast import Forecast, Foreseen
from caltrop.engine.form import DiceSum
from caltrop.picture import (
    Card,
    Cell,
    Ground,
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
from caltrop.table.hexes import CORNERS, hex_map

MAP = hex_map(9, 13)
STEP = 1732
FACES = ("infantry", "vehicle", "god-machine", "leader", "target", "retreat")

GROUNDS = {
    "road": "A5 B5 C5 D5 G5 H5 K5 L5 M5 G4 F3",
    "bridge": "E5 I5",
    "water": "E4 D3 D2 E1 E6 F7 I4 I3 I2 J1 I6 J7",
    "ford": "E8 F9 J8 J9",
    "woods": "B3 B4 C3 K6 K3",
    "ruins": "G6 G7 H6",
    "hill": "B7 C7 B8 L3",
    "rubble": "H3 L7",
    "citadel": "F6",
    "spire": "M1 L2",
    "entrenchment": "C3 H8",
}
WORDS = {
    "woods": "all who enter stop; less dice against what stands in it",
    "ruins": "all who enter stop; vehicles in it roll at most 2 dice",
    "water": "only God Machines may enter",
    "spire": "nobody may enter",
}
# Each row gives kind, silhouette, strength and hex.
SOUTH = (
    ("infantry-light", "infantry-light", "Scouts", "4/4", "A7"),
    ("infantry-medium", "infantry", "Line Troops", "3/4", "D7"),
    ("infantry-heavy", "heavy-weapons", "Heavy Weapons", "2/4", "H8"),
    ("vehicle-light", "light", "Buggies", "3/3", "K8"),
    ("vehicle-medium", "medium", "Battle Tanks", "2/3", "G7"),
    ("vehicle-heavy", "heavy", "Assault Tanks", "1/3", "L8"),
    ("god-machine-heavy", "walker-heavy", "Battle Titan", "6/6", "F8"),
    ("god-machine-light", "walker-light", "Knight Walker", "3/4", "C8"),
    ("leader-light", "leader", "Hero", "1/1", "D7"),
)
NORTH = (
    ("vehicle-super-heavy", "super-heavy", "Land Battleship", "4/4", "G2"),
    ("god-machine-medium", "walker-medium", "Scout Titan", "5/5", "C2"),
    ("god-machine-super-heavy", "walker-super-heavy", "Emperor Titan", "7/7", "K2"),
    ("infantry-super-heavy", "infantry-super-heavy", "Assault Giants", "4/4", "K3"),
    ("leader-medium", "leader-unit", "Command Squad", "4/4", "H2"),
    ("infantry-medium", "infantry", "Line Troops", "4/4", "B3"),
    ("vehicle-medium", "medium", "Battle Tanks", "3/3", "G5"),
)
HAND = (
    Card(
        kind="probe-left", title="Probe", words="Order 2 units on your left.", area="left", clauses=("HX-S42",),
        orders=(2, 0, 0), figures=("light", "infantry-light"),
    ),
    Card(
        kind="attack-centre", title="Attack", words="Order 3 units in the centre.", area="centre", clauses=("HX-S43",),
        orders=(0, 3, 0), sky="gold", figures=("infantry", "medium"),
    ),
    Card(
        kind="pincer", title="Pincer", words="Order 2 units on your left and 2 on your right.", area="both",
        clauses=("HX-S47",), orders=(2, 0, 2), sky="dusk", figures=("medium",),
    ),
    Card(
        kind="armoured-spearhead", title="Armoured Spearhead", clauses=("HX-S50",), orders=(4,), figures=("heavy",),
        words="Order up to 4 vehicle units; they have 1 die more in close assault. Without vehicles, order any 1 unit.",
    ),
    Card(
        kind="ambush", title="Ambush", clauses=("HX-S55",), sky="night", scene="bushes",
        words="Play it in the enemy's turn when a close assault on your unit is announced. Your unit battles first.",
    ),
)  # fmt: skip
PLAYED = Card(
    kind="broad-front", title="Broad Front", words="Order 1 unit in each section.", area="all", clauses=("HX-S45",)
)


def outline(name: str) -> tuple[Point, ...]:
    """Return the corners of a hex on the map."""
    x, y = MAP.centre(name)
    return tuple((x + dx, y + dy) for dx, dy in CORNERS)


def _groups(side: int, first: int, units: tuple[tuple[str, str, str, str, str], ...]) -> list[Group]:
    groups = []
    for i, (kind, silhouette, name, strength, at) in enumerate(units):
        x, y = MAP.centre(at)
        attached = any(other[4] == at for other in units[:i])
        groups.append(
            Group(
                id=first + i,
                side=side,
                name=name,
                kind=kind,
                silhouette=silhouette,
                pieces=(
                    Piece(
                        id=first + i,
                        at=(x + 480, y + 380) if attached else (x, y),
                        radius=330 if attached else 640,
                    ),
                ),
                tokens=(Token(kind="moved", label="moved", words="Has moved"),) if i == 3 else (),
                stats=(Stat(label="Move", value="2", because=(Reason(2, "HX-S20", "Move"),)),),
                reach=3 * STEP,
                walk=2 * STEP,
                strength=strength,
            )
        )
    return groups


def _section(name: str, first: int, last: int, lit: bool) -> Zone:
    """Return the outline of whole columns, measured in the odd rows."""
    high = MAP.size[1]
    return Zone(
        name=name,
        side=None,
        outline=((first * STEP, 0), (last * STEP, 0), (last * STEP, high), (first * STEP, high)),
        lit=lit,
    )


def picture(lit: str = "") -> Picture:
    """Return a picture with both armies, every kind of terrain, three sections, objectives, a hand and cards played."""
    grounds: list[Ground] = []
    for kind, names in GROUNDS.items():
        for name in names.split():
            grounds.append(
                Ground(
                    id=len(grounds), kind=kind, name=kind.capitalize(), outline=outline(name), words=WORDS.get(kind, "")
                )
            )
    wide, high = MAP.size
    return Picture(
        form="hexes",
        width=wide,
        height=high,
        scale=STEP,
        measure="hexes",
        grounds=tuple(grounds),
        zones=(
            _section("Left", 0, 4, lit == "Left"),
            _section("Centre", 4, 9, lit == "Centre"),
            _section("Right", 9, 13, lit == "Right"),
        ),
        spots=(
            Spot(id=1, name="Crossroads", kind="objective", at=MAP.centre("G5"), radius=0, holder=1, words="1 banner"),
            Spot(id=2, name="Works", kind="objective", at=MAP.centre("D5"), radius=0, holder=None, words="1 banner"),
        ),
        seats=(
            Seat(
                side=0, name="Iron Concord", letter="A", shape="circle", cards=5,
                points=(Stat(label="Banners", value="2/5"),),
                played=Card(kind="scout-left", title="Scout", words="Order 1 unit on your left.", area="left"),
            ),
            Seat(
                side=1, name="Ashen Horde", letter="B", shape="diamond", cards=4,
                points=(Stat(label="Banners", value="1/5"),), played=PLAYED,
            ),
        ),
        groups=(*_groups(0, 0, SOUTH), *_groups(1, 100, NORTH)),
        cells=tuple(Cell(name=name, at=MAP.centre(name)) for name in MAP.hexes),
        corners=CORNERS,
        hand=HAND,
        piles=(
            Pile(name="Deck", cards=31),
            Pile(name="Discards", cards=2, top=PLAYED, lines=("1 Broad Front", "1 Scout (left)")),
        ),
        faces=FACES,
        stage=Stage(
            round=3, rounds=None, steps=("Card", "Order", "Move", "Battle", "Draw"), now=0,
            words="Iron Concord plays a card",
        ),
    )  # fmt: skip


def offer(words: str, **more: Any) -> dict[str, Any]:
    """Return an offer as the server sends it. Its action repeats the words."""
    result: dict[str, Any] = {
        "action": {"type": "Act", "words": words},
        "words": words,
        "group": "",
        "unit": None,
        "target": None,
        "spot": None,
        "card": None,
        "price": [],
        "final": False,
    }
    return {**result, **more}


def cards(*kinds: str) -> dict[str, Any]:
    """Return the decision which card is played, from the whole hand or from some kinds only."""
    playable = [card for card in HAND if not kinds or card.kind in kinds]
    offers = [offer(f"Play {card.title} {card.area}".strip(), card=card.kind) for card in playable]
    return decision("Which card do you play?", *offers)


def moves() -> dict[str, Any]:
    """Return a decision with moves of two units and an end."""
    offers = [
        offer(f"Move to {name}", unit=unit, spot=list(MAP.centre(name)), group="Move")
        for unit, names in ((6, "E8 G8 E7 G9 F9 E9 E6 D8"), (3, "J8 L7 K7 J7 J9 K9 L8 I8"))
        for name in names.split()
    ]
    return decision("Which unit moves?", *offers, offer("End the moves", final=True))


def moves_with_leader() -> dict[str, Any]:
    """Return a decision with moves of a unit with and without its leader, and one hex with another kind of offer."""
    offers = [
        offer(f"Move to {name} {how} the Hero", unit=1, spot=list(MAP.centre(name)), group="Move the Line Troops")
        for how in ("with", "without")
        for name in ("E7", "D8", "C8")
    ]
    join = offer("Join the Scouts at A7", unit=1, spot=list(MAP.centre("A7")), group="Move the Line Troops")
    return decision("Which unit moves?", *offers, join, offer("End the moves", final=True))


SHOTS = ("Battle Tanks at G5: 3 dice", "Land Battleship at G2: 1 die", "Scout Titan at C2: 1 die")


def shots() -> dict[str, Any]:
    """Return a decision with attacks of one unit on three others, each offer at its target's hex."""
    aimed = [
        offer(f"Fire at the {name}", unit=4, target=id, spot=list(MAP.centre(at)), group="Battle with the Battle Tanks")
        for name, id, at in zip(SHOTS, (106, 100, 101), ("G5", "G2", "C2"), strict=True)
    ]
    return decision("Who fights?", *aimed, offer("End the turn", final=True))


def reaction() -> dict[str, Any]:
    """Return a decision whether to play a card as a reaction."""
    words = "The Battle Tanks at G5 announce a close assault on your Line Troops at D7: play Ambush?"
    play = offer("Play Ambush and roll 2 dice first", unit=1, target=106, card="ambush")
    return decision(words, play, offer("Let it come", unit=1, target=106))


def placing() -> dict[str, Any]:
    """Return a decision with two units off the table and the hexes in which they may be placed."""
    offers = [
        offer(f"Place the {name} at {at}", unit=id, spot=list(MAP.centre(at)), group=f"Place the {name}")
        for id, name in ((4, "Battle Tanks"), (5, "Assault Tanks"))
        for at in ("F9", "G9", "H9")
    ]
    return decision("Place a unit", *offers)


def unplaced(*ids: int) -> dict[str, Any]:
    """Return the picture with some units off the table."""
    plain: dict[str, Any] = msgspec.to_builtins(picture())
    for group in plain["groups"]:
        if group["id"] in ids:
            group["pieces"] = []
    return plain


def odds() -> dict[str, Any]:
    """Return the possible results of an act that strikes a unit of each side."""
    outcomes = (
        Foreseen(probability="2/3", p=2 / 3, words="4 models", parts={"strength": 4}),
        Foreseen(probability="1/3", p=1 / 3, words="3 models", parts={"strength": 3}),
    )
    shields = DiceSum(words="Shields: 4 dice if anything hits", parts=(Term(4, "HX-VOI-01", "Damage Capacity left"),))
    beside = DiceSum(words="1 battle die", parts=(Term(1, "HX-S20", "The range"),))
    struck = Forecast(target=104, thrown=(shields,), outcomes=outcomes, expected={"models": 3.7})
    also = Forecast(target=1, thrown=(beside,), outcomes=outcomes, expected={"models": 3.7})
    plain: dict[str, Any] = msgspec.to_builtins(msgspec.structs.replace(struck, also=(also,)))
    return plain


def battles() -> dict[str, Any]:
    """Return a decision with battles of one unit and an end."""
    aimed = [offer(f"Battle unit {id}", unit=4, target=id, group="Battle") for id in (106, 100)]
    return decision("Who fights?", *aimed, offer("End the turn", final=True))


def decision(prompt: str, *offers: dict[str, Any]) -> dict[str, Any]:
    """Return a question with its offers."""
    return {
        "id": "d1", "side": 0, "kind": prompt, "prompt": prompt, "hint": "", "clauses": ["HX-TRN-01"],
        "offers": list(offers), "regions": [],
    }  # fmt: skip


def attack() -> dict[str, Any]:
    """Return a log line with three dice against a God Machine and its shields."""
    dice = [
        {"face": 3, "was": None, "result": "hit", "pair": 0, "ignored": False, "by": [1]},
        {"face": 5, "was": None, "result": "hit", "pair": 0, "ignored": True, "by": []},
        {"face": 6, "was": None, "result": "retreat", "pair": 0, "ignored": False, "by": []},
        {"face": 1, "was": None, "result": "", "pair": 0, "ignored": False, "by": []},
    ]
    return {
        "n": 2, "act": 12, "round": 3, "side": 1, "kind": "Battled", "text": "Battle Tanks fire at the Battle Titan",
        "clauses": ["HX-BAT-07"], "dice": [], "touches": [6], "undoes": None,
        "reading": {
            "words": "Battle Tanks fire at the Battle Titan", "side": 1, "unit": 106, "target": 6, "sides": 6,
            "terms": [{"value": 4, "clause": "HX-S20", "words": "At range 2"}], "dice": dice,
            "answer_words": "void shields", "answer_side": 0,
            "answer_terms": [{"value": 3, "clause": "HX-VOI-01", "words": "Points left"}], "answer": [2, 3, 4],
            "came": "no point is lost, 1 hex back", "tallies": [],
        },
    }  # fmt: skip


def view(asked: dict[str, Any] | None = None, lit: str = "", **changes: Any) -> dict[str, Any]:
    """Return the whole view of side 0 as the server sends it, with one question or none."""
    rolled = {
        "n": 1, "act": 11, "round": 3, "side": 0, "kind": "Rolled", "text": "Line Troops roll", "clauses": [],
        "dice": [{"faces": [1, 2, 3, 4, 5, 6], "sides": 6, "words": "Line Troops", "side": 0}],
        "touches": [], "undoes": None,
    }  # fmt: skip
    shown = msgspec.to_builtins(picture(lit))
    if asked is not None:
        shown["stage"]["words"] = f"Iron Concord: {asked['prompt']}"
    result: dict[str, Any] = {
        "type": "view",
        "schema_version": 1,
        "seq": 1,
        "game": "hexes1",
        "ruleset": "duel",
        "edition": "current",
        "rules": {},
        "scenario": "crossroads",
        "you": 0,
        "seats": [
            {"side": 0, "player": "person", "name": "Iron Concord", "letter": "A", "shape": "circle"},
            {"side": 1, "player": "easy", "name": "Ashen Horde", "letter": "B", "shape": "diamond"},
        ],
        "act": 12,
        "picture": shown,
        "decisions": [] if asked is None else [asked],
        "waiting_for": [1 if asked is None else 0],
        "secret": True,
        "over": None,
        "undo": {"allowed": True, "boundary": None, "takeback": False, "asked": None},
        "log": [rolled, attack()],
        "versions": {"wire": 1, "engine": "0", "rules": 1},
    }
    return {**result, **changes}
