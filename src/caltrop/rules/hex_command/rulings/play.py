"""Play rulings: turn scenes into battles and lines into actions, and compare the results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, ClassVar

from msgspec import UNSET

from caltrop.chance import Pool, Roll, Scripted, ScriptError
from caltrop.engine import Book, Procedure, total
from caltrop.rules.hex_command.armies import find, kinds_of
from caltrop.rules.hex_command.attack import dice_at, shield_dice, symbols_of
from caltrop.rules.hex_command.attack.chances import expected_hits, rolled
from caltrop.rules.hex_command.attack.events import letters
from caltrop.rules.hex_command.attack.reading import GOD_MACHINE
from caltrop.rules.hex_command.battling import Battles
from caltrop.rules.hex_command.cards import Draw
from caltrop.rules.hex_command.catalogue import CARDS, LETTERS, SYMBOLS, UNITS, Symbol, battle_die, price
from caltrop.rules.hex_command.movement import Moves
from caltrop.rules.hex_command.orders import GiveOrders
from caltrop.rules.hex_command.places import blockers, sections_of
from caltrop.rules.hex_command.records import SOUTH, Battle, Field, Limit, Objective, Unit, full_strength
from caltrop.rules.hex_command.requests import asked
from caltrop.rules.hex_command.rulings.form import RulingLine, SceneGiven, UnitGiven
from caltrop.rules.hex_command.scenarios import SCENARIO_FILES, SIDES, Compass, hexes_in
from caltrop.rules.hex_command.turn import Game, Turn
from caltrop.rules.hex_command.victory import banners, look_at_objectives
from caltrop.scenarios.notation import Fact, Notation, UnitFacts
from caltrop.scenarios.playing import CasePlay, Questions, Starts, first_start
from caltrop.table.hexes import hex_map

RULESET = "hex-command"

COMPASS: tuple[Compass, Compass] = ("south", "north")
"""The sides by number."""
SIZE = (9, 13)
"""Default size of the map."""
CARD = "direct-command"
"""Default card in force, which only orders units."""
AFTER_ORDERS = ("turn from moves", "turn from battles", "moves", "battles")
"""Things to start that come after orders have been given."""


def battle_of(given: SceneGiven, book: Book, *, ordered: bool) -> Battle:
    """Return the battle that a scene describes.

    Args:
        ordered: True if units of the active side are ordered by default.
    """
    size = given.map or SIZE
    map = hex_map(*size)
    units: dict[str, UnitGiven] = given.units or {}
    ids = {name: i for i, name in enumerate(units)}
    goals = [
        Objective(hex=hex, permanent=g.permanent, side=None if g.side is None else SIDES[g.side])
        for g in given.objectives or ()
        for hex in hexes_in(g.at, map)
    ]
    limit = Limit(side=None, turns=25)
    if given.limit:
        side, winner = given.limit.side, given.limit.winner
        limit = Limit(
            side=None if side is None else SIDES[side],
            turns=given.limit.turns,
            winner=None if winner is None else SIDES[winner],
        )
    field = Field(
        rows=size[0],
        columns=size[1],
        terrain={hex: str(kind) for kind, text in (given.terrain or {}).items() for hex in hexes_in(text, map)},
        objectives=tuple(goals),
        banners=_both(given.target, 5),
        without=tuple(sorted(given.without or ())),
        limit=limit,
        prize=ids[given.prize] if given.prize else None,
        always=ids[given.always] if given.always else None,
    )
    hands = [tuple(sorted((given.hands or {}).get(word, ()))) for word in COMPASS]
    active = SIDES[given.active] if given.active else SOUTH
    t = Battle(
        book=book,
        field=field,
        units=[_unit(id, name, units[name]) for name, id in ids.items()],
        active=active,
        hands=list(hands),
        held=[len(hand) for hand in hands],
        discards=list(given.discards or ()),
        played=[(given.played or {}).get(word, "") for word in COMPASS],
        medals=list(_both(given.banners, 0)),
        turns=list(_both(given.turns, 0)),
        card=given.card or CARD,
        entrenchments=hexes_in(given.entrenchments or "", map),
        moved={ids[name]: u.moved for name, u in units.items() if u.moved},
        spent={ids[name]: u.spent for name, u in units.items() if u.spent},
    )
    for unit in sorted(t.units, key=lambda u: u.alone):
        at = units[next(name for name, id in ids.items() if id == unit.id)].at
        if at:
            t.put(unit.id, at, guest=at in t.board)
    names = [name for name, u in units.items() if u.ordered is not UNSET]
    if names or ordered:
        t.ordered.extend(ids[name] for name in names if units[name].ordered)
        if not names:
            t.ordered.extend(u.id for u in t.of_side(active))
    look_at_objectives(t)
    return t


def _both(given: Any, otherwise: int) -> tuple[int, int]:
    south, north = [(given or {}).get(word, otherwise) for word in COMPASS]
    return south, north


def _unit(id: int, name: str, given: UnitGiven) -> Unit:
    kind = given.kind or ""
    return Unit(
        id=id,
        side=SIDES[given.side or "south"],
        kind=kind,
        name=name[:1].upper() + name[1:],
        hex=None,
        strength=given.strength or full_strength(UNITS[kind]),
        was=given.was or "",
    )


# --- chance -----------------------------------------------------------------------------------------------------------


class WrittenDice(Scripted):
    """Dice and card draws as written in a ruling.

    Args:
        lines: The lines with `dice` or `draw`.
        deck: The cards from which the first card is drawn, sorted.
    """

    def __init__(self, lines: Sequence[RulingLine], die: Sequence[Symbol], deck: Sequence[str]) -> None:
        super().__init__()
        self.die, self.deck = die, list(deck)
        self.falls: list[tuple[str, ...]] = []
        for line in lines:
            self.falls += [tuple((line.dice or "").split())] if line.dice is not UNSET else []
            self.falls += [(card,) for card in (line.draw or "").split()]

    def roll(self, pool: Pool, why: tuple[str, ...] = ()) -> Roll:
        """Return the next roll or draw. Raises ScriptError if the written result does not match the required dice or
        cards.
        """
        if self.falls:
            fall = self.falls.pop(0)
            drawn = next((one for one in fall if one in CARDS), None)
            self.rolls = [self._drawn(drawn, pool) if drawn else self._shown(fall, pool)]
        return super().roll(pool, why)

    def _shown(self, fall: tuple[str, ...], pool: Pool) -> Roll:
        if pool.sides != len(self.die):
            raise ScriptError(f"a card is drawn, and the script has dice: {' '.join(fall)}")
        return tuple([self.die.index(LETTERS[letter]) + 1 for letter in fall])

    def _drawn(self, card: str, pool: Pool) -> Roll:
        if pool.sides != len(self.deck):
            raise ScriptError(f"no card is drawn from {len(self.deck)} here, and the script has {card}")
        if card not in self.deck:
            raise ScriptError(f"the deck has no {card} left")
        face = self.deck.index(card) + 1
        self.deck.remove(card)
        return (face,)

    def finish(self) -> None:
        if self.falls:
            left = ", ".join(" ".join(fall) for fall in self.falls)
            raise ScriptError(f"these dice or cards of the script were never asked for: {left}")


# --- starting ---------------------------------------------------------------------------------------------------------


def _turn(at: str) -> Callable[[HexPlay, RulingLine, int], Procedure]:
    return lambda play, line, side: Turn(side=side, at=at)


STARTS: Starts = {
    "battle": (lambda play, line, side: Game(), ()),
    "turn": (_turn(""), ()),
    "turn from orders": (_turn("order"), ()),
    "turn from moves": (_turn("move"), ()),
    "turn from battles": (_turn("battle"), ()),
    "orders": (lambda play, line, side: GiveOrders(side=side), ()),
    "moves": (lambda play, line, side: Moves(side=side), ()),
    "battles": (lambda play, line, side: Battles(side=side), ()),
    "draw": (lambda play, line, side: Draw(side=side), ()),
}
"""Things that a line can start, with their keys."""


# --- asking -----------------------------------------------------------------------------------------------------------


def _unit_of(play: HexPlay, name: Any) -> Unit:
    t: Battle = play.state
    return t.units[play.unit(name)]


def _sight(play: HexPlay, line: RulingLine) -> Any:
    """Return `clear`, or the hexes that block the line of sight."""
    t: Battle = play.state
    unit, target = _unit_of(play, line.unit), _unit_of(play, line.target)
    hexes = blockers(t, unit, line.at or unit.hex or "", target, target.hex or "")
    return list(hexes) or "clear"


def _sections(play: HexPlay, line: RulingLine) -> list[str]:
    return list(sections_of(play.state, line.at or "", SIDES[line.side or "south"]))


def _deck(play: HexPlay, line: RulingLine) -> dict[str, int]:
    t: Battle = play.state
    counts: Counter[str] = Counter()
    for key in t.field.deck:
        card = CARDS[key]
        section = ("any" if len(card.sections) > 1 else card.sections[0]) if card.sections else "special"
        counts.update({card.title: 1, section: 1, "all": 1})
    return dict(counts)


def _points(play: HexPlay, line: RulingLine) -> int:
    if line.army is not UNSET:
        return sum(price(play.book, kind) for kind in kinds_of(find(play.book, line.army, None)))
    s = SCENARIO_FILES.find(line.scenario or "").value
    host = s.hosts[SIDES[line.side or "south"]]
    return sum(price(play.book, UNITS[post.kind]) * len(post.at.split()) for post in host.units)


QUESTIONS: Questions = {
    "distance": (lambda play, line: play.state.map.distance(line.at, line.to), ("at", "to")),
    "sections": (_sections, ("at", "side")),
    "sight": (_sight, ("unit", "target", "at")),
    "dice": (
        lambda play, line: dice_at(play.state, _unit_of(play, line.unit), _unit_of(play, line.target), line.at or None),
        ("unit", "target", "at"),
    ),
    "deck": (_deck, ()),
    "points": (_points, ("army", "scenario", "side")),
}
"""Things that a line can ask, with their keys."""


# --- facts ------------------------------------------------------------------------------------------------------------


def _leader(play: HexPlay, unit: int, expected: Any) -> str | None:
    t: Battle = play.state
    leader = t.leader_of(t.units[unit])
    return None if leader is None else play.called(leader.id)


def _in_order_of(expected: Sequence[str], hexes: Sequence[str]) -> list[str]:
    """Return hexes in the order in which they are expected, if they are the same ones."""
    return list(expected if sorted(expected) == sorted(hexes) else sorted(hexes))


def _letters(play: HexPlay, symbols: Any) -> Any:
    return letters(tuple(symbols)) if isinstance(symbols, list) else symbols


# --- playing ----------------------------------------------------------------------------------------------------------


class HexPlay(CasePlay):
    game = RULESET
    sides = SIDES
    starts = STARTS
    questions = QUESTIONS
    spelled: ClassVar[dict[str, tuple[str, ...]]] = {"dice": ("count",)}
    rolled: ClassVar[tuple[str, ...]] = ("dice", "draw")
    reads: ClassVar[Notation] = dict.fromkeys(("unit", "target"), CasePlay.unit)
    writes: ClassVar[Notation] = {
        **dict.fromkeys(("unit", "target", "attacker", "leader", "units"), CasePlay.names),
        **dict.fromkeys(("side", "winner"), CasePlay.side_names),
        **dict.fromkeys(("roll", "shields"), lambda play, roll: letters(symbols_of(play.state, roll))),
        "symbols": _letters,
        "hits": lambda play, hits: sum(hits.get(key, 0) for key in ("own", "leader", "targets")),
    }
    facts: ClassVar[Mapping[str, Fact]] = {
        "banners": Fact("banners of {}", lambda play, side: banners(play.state, SIDES[side])),
        "hands": Fact("hand of {}", lambda play, side: play.state.hands[SIDES[side]] or ()),
        "entrenchments": Fact("entrenchments", lambda play, hexes: _in_order_of(hexes, play.state.entrenchments)),
        "card": Fact("card in force", lambda play, card: play.state.card),
        "winner": Fact("winner", CasePlay.winner_now),
    }
    unit_facts: ClassVar[UnitFacts] = {
        "at": lambda play, unit, expected: play.state.units[unit].hex,
        "leader": _leader,
        "ordered": lambda play, unit, expected: unit in play.state.ordered,
    }

    def scene(self) -> Battle:
        given = self.scene_given(SceneGiven)
        at = first_start(self.case)
        return battle_of(given, self.book, ordered=at is not None and self.case.play[at].start in AFTER_ORDERS)

    def before_dice(self, request: dict[str, Any]) -> dict[str, Any]:
        as_read = asked(request)
        book, p = as_read.book, as_read.profile
        weights = rolled(book, p)
        none = sum([weight for (hits, _, _), weight in weights.items() if not hits.total])
        shields, faces = total(shield_dice(book, p)), battle_die(book)
        saving = faces.count(SYMBOLS[GOD_MACHINE])
        return {
            "expected_hits": str(expected_hits(book, p)),
            "no_hit": str(Fraction(none, sum(weights.values()))),
            "shield_dice": shields,
            "expected_symbols": str(Fraction(shields * saving, len(faces))),
            "no_save": str(Fraction(len(faces) - saving, len(faces)) ** shields),
        }

    def script(self, rolls: Sequence[RulingLine]) -> Scripted:
        t: Battle = self.state
        return WrittenDice(rolls, battle_die(t), t.deck())
