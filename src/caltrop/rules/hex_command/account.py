"""Dice told one by one: what each did, which shield die cancels it, and what was to be expected.

Nothing here decides anything: it is asked for when a battle that has been fought, or a repair, is shown.
"""

from __future__ import annotations

from fractions import Fraction

from caltrop.agreeing import quantity
from caltrop.kit.numbers import reasons, tally
from caltrop.picture import DieRead, Reading
from caltrop.rules.hex_command.attack.counting import battle_dice
from caltrop.rules.hex_command.attack.damage import shield_dice
from caltrop.rules.hex_command.attack.events import Attacked
from caltrop.rules.hex_command.attack.reading import GOD_MACHINE, reader, symbols_of
from caltrop.rules.hex_command.catalogue import SYMBOLS, battle_die
from caltrop.rules.hex_command.odds import expected_hits, expected_saves
from caltrop.rules.hex_command.records import Battle
from caltrop.rules.hex_command.specials import Repaired, repairs


def dice_read(t: Battle, told: Attacked) -> tuple[DieRead, ...]:
    """Every battle die with what it did, and the shield die that cancels its hit: the first hits are cancelled first.

    A Leader symbol that hits and takes the leader besides is told as a hit.
    """
    read = reader(t, told.profile)
    own = None if read.own is None else SYMBOLS[read.own]
    saving = [i for i, symbol in enumerate(symbols_of(t, told.shields)) if symbol == SYMBOLS[GOD_MACHINE]][: told.saved]
    ignored = told.hits.ignored
    out = []
    for face, symbol in zip(told.roll, symbols_of(t, told.roll), strict=True):
        result, off = "", False
        if symbol == own or (symbol == "leader" and read.leader) or (symbol == "target" and read.target):
            result = "hit"
        elif symbol == "leader" and told.leader_lost:
            result = "leader"
        elif symbol == "retreat":
            # The symbols of a roll that destroys a unit move nobody (HX-Q16).
            result, off = "retreat", told.lost >= told.profile.target.strength
        if symbol == "target" and result and ignored:
            ignored, off = ignored - 1, True
        by = (saving.pop(0),) if result == "hit" and not off and saving else ()
        out.append(DieRead(face=face, result=result, ignored=off, by=by))
    return tuple(out)


def _came(t: Battle, told: Attacked) -> str:
    """What came of it, with the Retreat symbols that the target has still to answer."""
    words, retreats = told.came(t), symbols_of(t, told.roll).count("retreat")
    if not retreats or told.lost >= told.profile.target.strength:
        return words
    return f"{words}, {quantity(retreats, 'Retreat')}"


def reading_of(t: Battle, told: Attacked) -> Reading:
    """The dice of a battle as they were read, with hits and shields got and expected."""
    p, book = told.profile, t.book
    target = t.units[told.target]
    tallies = [tally(told.side, "hits", told.hits.total, expected_hits(book, p))]
    if told.shields:
        mean = expected_saves(book, p, told.hits.total)
        tallies.append(tally(target.side, "hits cancelled by shields", told.saved, mean))
    return Reading(
        words=told.opening(t),
        side=told.side,
        unit=told.attacker,
        target=told.target,
        sides=len(battle_die(t)),
        terms=reasons(battle_dice(t, p)),
        dice=dice_read(t, told),
        answer_words=f"Shields of the {t.called(target.id)}" if told.shields else "",
        answer_side=target.side if told.shields else None,
        answer_terms=reasons(shield_dice(t, p)) if told.shields else (),
        answer=told.shields,
        came=_came(t, told),
        tallies=tuple(tallies),
    )


def repair_read(t: Battle, told: Repaired) -> Reading:
    """The dice of a Field Repair, with the symbols that restore got and expected; they strike nobody."""
    unit, die = t.units[told.unit], battle_die(t)
    what = "model" if unit.row.models > 1 else "point"
    good = [repairs(t, unit, symbol) for symbol in told.symbols]
    mean = Fraction(sum([repairs(t, unit, symbol) for symbol in die]) * len(told.symbols), len(die))
    return Reading(
        words=f"Field Repair of the {t.called(unit.id)} at {unit.hex}",
        side=unit.side,
        unit=unit.id,
        sides=len(die),
        dice=tuple(
            DieRead(face=die.index(symbol) + 1, result=f"1 {what}" if helps else "")
            for symbol, helps in zip(told.symbols, good, strict=True)
        ),
        came=f"{quantity(told.back, what) if told.back else f'no {what}s'} back",
        tallies=(tally(unit.side, "symbols that repair", sum(good), mean),),
    )
