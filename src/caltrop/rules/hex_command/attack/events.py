"""The events of a battle: dice with hits and losses, and retreats that are ignored or blocked."""

from __future__ import annotations

from typing import ClassVar, Literal

from caltrop.agreeing import quantity
from caltrop.chance import Roll
from caltrop.engine import Event, agreeing, total
from caltrop.kit.numbers import reasons, tally
from caltrop.picture import DieRead, Motion, Reading, Sort
from caltrop.rules.hex_command.attack.chances import hits_before_shields, saved
from caltrop.rules.hex_command.attack.counting import battle_dice
from caltrop.rules.hex_command.attack.damage import shield_dice
from caltrop.rules.hex_command.attack.reading import GOD_MACHINE, Hits, reader, symbols_of
from caltrop.rules.hex_command.attack.record import Profile
from caltrop.rules.hex_command.catalogue import LETTERS, SYMBOLS, Symbol, UnitKind, battle_die, in_words
from caltrop.rules.hex_command.records import Battle, Unit
from caltrop.rules.hex_command.retreat import in_the_way
from caltrop.table.hexes import Hex

How = Literal["assault", "fire", "ambush", "back", "card"]
"""Kind of attack: close assault, fire, an Ambush, a defender's answer, or the dice of a card."""

_WORDS: dict[How, tuple[str, str]] = {
    "assault": ("close assault", "close assaults"),
    "fire": ("fire at", "fires at"),
    "ambush": ("ambush", "ambushes"),
    "back": ("battle back against", "battles back against"),
}
_LETTER = {symbol: letter for letter, symbol in LETTERS.items()}


def letters(symbols: tuple[Symbol, ...]) -> str:
    """Return symbols as letters, such as `I T R`."""
    return " ".join([_LETTER[s] for s in symbols])


def listing(symbols: tuple[Symbol, ...]) -> str:
    return ", ".join(in_words(symbols))


def does(unit: Unit, several: str, one: str) -> str:
    """Return the form of a verb that agrees with a unit: *several* for several models, *one* for a single model."""
    return one if unit.row.models == 1 else several


def losses(row: UnitKind, lost: int) -> str:
    what = "point" if row.models == 1 and not row.is_leader else "model"
    return f"{quantity(lost, what)} lost"


class Attacked(Event, frozen=True, kw_only=True):
    """Battle dice were rolled at a unit, and took effect."""

    attacker: int | None
    """Id of the attacker; None for the dice of a card."""
    target: int
    side: int
    how: How
    at: Hex | None
    to: Hex
    profile: Profile
    roll: Roll
    shields: Roll
    hits: Hits
    saved: int
    lost: int
    """Number of models or points lost."""
    leader_lost: bool
    clauses: ClassVar[tuple[str, ...]] = ("HX-TRN-07", "HX-Q10")
    about = ("attacker", "target")

    def opening(self, t: Battle) -> str:
        target = f"the {t.called(self.target)} at {self.to}"
        if self.attacker is None:
            dice = total(battle_dice(t, self.profile))
            return f"{quantity(dice, 'die')} {agreeing(dice, 'strikes')} {target}"
        who = t.units[self.attacker]
        return f"The {t.called(who.id)} at {self.at} {does(who, *_WORDS[self.how])} {target}"

    def sentence(self, t: Battle) -> str:
        text = f"{self.opening(t)}: {listing(symbols_of(t, self.roll))}"
        if self.shields:
            text += f"; shields {listing(symbols_of(t, self.shields))} cancel {self.saved}"
        return f"{text}: {self.came(t)}"

    def came(self, t: Battle) -> str:
        row = self.profile.target.row
        if self.lost:
            words = losses(row, self.lost)
            if self.lost >= self.profile.target.strength:
                words += ", destroyed"
        else:
            words = "no loss"
        return f"{words}, and the leader falls" if self.leader_lost else words

    def reading(self, t: Battle) -> Reading:
        p, book = self.profile, t.book
        target = t.units[self.target]
        tallies = [tally(self.side, "hits", self.hits.total, hits_before_shields(book, p))]
        if self.shields:
            cancelled = saved(book, p, self.hits.total)
            tallies.append(tally(target.side, "enemy hits cancelled by shields", self.saved, cancelled))
        return Reading(
            words=self.opening(t),
            side=self.side,
            unit=self.attacker,
            target=self.target,
            sides=len(battle_die(t)),
            terms=reasons(battle_dice(t, p)),
            dice=dice_read(t, self),
            answer_words=f"Shields of the {t.called(target.id)}" if self.shields else "",
            answer_side=target.side if self.shields else None,
            answer_terms=reasons(shield_dice(t, p)) if self.shields else (),
            answer=self.shields,
            came=_came(t, self),
            tallies=tuple(tallies),
        )

    def motion(self, t: Battle) -> Motion:
        sort: Sort = "shot" if self.how in ("fire", "card") else "blow"
        at = None if self.at is None else t.map.centre(self.at)
        return Motion(
            sort=sort, unit=self.attacker, target=self.target, count=self.lost, at=at, to=t.map.centre(self.to)
        )


class RetreatsIgnored(Event, frozen=True):
    unit: int
    symbols: int
    left: int
    """Number of hexes that the target still has to fall back."""
    clauses: ClassVar[tuple[str, ...]] = ("HX-LDS-04", "HX-S35", "HX-S39")

    def sentence(self, t: Battle) -> str:
        u = t.units[self.unit]
        rest = f"{does(u, 'have', 'has')} to fall back {self.left}" if self.left else does(u, "stand", "stands")
        how = quantity(self.symbols, "Retreat symbol")
        return f"The {t.called(u.id)} at {u.hex} {does(u, 'ignore', 'ignores')} {how} and {rest}"

    def motion(self, t: Battle) -> Motion:
        return Motion(sort="mark", unit=self.unit, tag="fall back less" if self.left else "stand")


class Blocked(Event, frozen=True):
    """A unit had to fall back but was blocked."""

    unit: int
    at: Hex
    source: Hex | None
    """Hex from which the unit retreats; None if it retreats towards its own base line."""
    hexes: int
    """Number of hexes that the unit could not fall back."""
    lost: int
    """Number of models or points that the unit lost because it was blocked."""
    clauses: ClassVar[tuple[str, ...]] = ("HX-Q08",)

    def sentence(self, t: Battle) -> str:
        u = t.units[self.unit]
        hexes = quantity(self.hexes, "hex")
        *first, last = in_the_way(t, u, self.source, self.at)
        blocked = f"{', '.join(first)} and {last}" if first else last
        cost = losses(u.row, self.lost) if self.lost else f"{does(u, 'they stay', 'it stays')}"
        return f"The {t.called(u.id)} at {self.at} cannot fall back {hexes} more, blocked by {blocked}: {cost}"

    def motion(self, t: Battle) -> Motion:
        return Motion(sort="loss", unit=self.unit, count=self.lost, at=t.map.centre(self.at), tag="no way back")


class LeaderIsLeft(Event, frozen=True):
    """A Leader unit has one model left, which is now a single leader."""

    unit: int
    at: Hex
    clauses: ClassVar[tuple[str, ...]] = ("HX-LDU-05", "HX-Q15", "HX-LDR-01")
    template = "One leader of the {unit} at {at} is left, and may attach to a unit from now on"


# --- battle dice one by one -------------------------------------------------------------------------------------------


def dice_read(t: Battle, event: Attacked) -> tuple[DieRead, ...]:
    """Return every battle die with its effect, and the shield die that cancels its hit. Shields cancel the first hits
    first.

    A Leader symbol that hits and also removes the leader is shown as a hit.
    """
    read = reader(t, event.profile)
    own = None if read.own is None else SYMBOLS[read.own]
    saving = [i for i, symbol in enumerate(symbols_of(t, event.shields)) if symbol == SYMBOLS[GOD_MACHINE]][
        : event.saved
    ]
    ignored = event.hits.ignored
    out = []
    for face, symbol in zip(event.roll, symbols_of(t, event.roll), strict=True):
        result, off = "", False
        if symbol == own or (symbol == "leader" and read.leader) or (symbol == "target" and read.target):
            result = "hit"
        elif symbol == "leader" and event.leader_lost:
            result = "leader"
        elif symbol == "retreat":
            # If a roll destroys the unit, its Retreat symbols have no effect (HX-Q16).
            result, off = "retreat", event.lost >= event.profile.target.strength
        if symbol == "target" and result and ignored:
            ignored, off = ignored - 1, True
        by = (saving.pop(0),) if result == "hit" and not off and saving else ()
        out.append(DieRead(face=face, result=result, ignored=off, by=by))
    return tuple(out)


def _came(t: Battle, event: Attacked) -> str:
    words, retreats = event.came(t), symbols_of(t, event.roll).count("retreat")
    if not retreats or event.lost >= event.profile.target.strength:
        return words
    return f"{words}, {quantity(retreats, 'Retreat')}"
