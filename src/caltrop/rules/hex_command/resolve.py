"""The referee of one attack: it computes the result for given dice, and explains every number."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import UnsetType

from caltrop.engine import Book, Term, total
from caltrop.kit.numbers import made_of
from caltrop.kit.requests import right_number, wrong
from caltrop.roster import nearest
from caltrop.rules.hex_command.attack import (
    Counts,
    Ending,
    Hits,
    Profile,
    battle_dice,
    class_symbol,
    count,
    ending,
    favours,
    hits_of,
    left_of,
    losses_of_blocked,
    saves,
    shield_dice,
    targets_ignored,
)
from caltrop.rules.hex_command.attack.reading import LEADER, RETREAT
from caltrop.rules.hex_command.catalogue import LETTERS
from caltrop.rules.hex_command.requests import DiceGiven, asked


class UnitAfter(msgspec.Struct, frozen=True):
    """A unit after an attack. A destroyed unit has a strength of 0."""

    strength: int


class ResolveAnswer(msgspec.Struct, frozen=True, kw_only=True):
    battle_dice: int
    shield_dice: int
    """Number of shield dice; 0 without hits."""
    hits: int
    """Number of hits before shields, even if they exceed the target's strength."""
    saved: int
    """Number of hits that shields cancelled."""
    leader_lost: bool
    retreat: int
    """Hexes that the target falls back; 0 for a destroyed unit."""
    target: UnitAfter
    because: tuple[Term, ...]
    """Terms that add up to the numbers of the answer, each with its clause and reason."""


def _counted(given: tuple[str, ...], expected: int, field: str, what: str, why: str) -> Counts:
    """Return the number of times that each symbol was rolled.

    Raises InputError for an unknown letter or a wrong number of dice.
    """
    for i, letter in enumerate(given):
        if letter not in LETTERS:
            raise wrong(
                f"dice.{field}[{i}]", f"{letter!r} is not a symbol of a battle die; {nearest(letter.upper(), LETTERS)}"
            )
    right_number(given, expected, f"dice.{field}", what, why)
    return count([LETTERS[letter] for letter in given])


_OWN = {"infantry": "HX-DIE-01", "vehicle": "HX-DIE-02", "god-machine": "HX-DIE-03"}


def _hit(book: Book, p: Profile, hits: Hits) -> list[Term]:
    out = []
    symbol, row = class_symbol(book, p.target), p.target.row
    if hits.own and symbol is not None:
        clause = _OWN[symbol] if not row.is_leader else "HX-LDU-03" if p.target.leaders else "HX-Q12"
        out.append(Term(hits.own, clause, f"hits by the {symbol.replace('-', ' ').title()} symbol"))
    if hits.leader:
        clause = ("HX-LDU-02" if p.target.leaders else "HX-DIE-04") if row.is_leader else "HX-LDS-03"
        out.append(Term(hits.leader, clause, "hits by Leader symbols"))
    if hits.targets + hits.ignored:
        out.append(Term(hits.targets + hits.ignored, "HX-DIE-05", "hits by Target symbols"))
    if hits.ignored:
        term = targets_ignored(book, p)[0]
        out.append(Term(-hits.ignored, term.clause, term.words))
    return out


def _lost(book: Book, p: Profile, counts: Counts, hits: Hits, saved: int, end: Ending) -> list[Term]:
    out = []
    left = left_of(book, p.target, hits, saved)
    casualties = p.target.strength - left
    if casualties:
        clause = "HX-Q15" if p.target.leaders else "HX-SMU-01" if p.target.row.models == 1 else "HX-Q10"
        out.append(Term(-casualties, clause, "models lost" if p.target.row.models > 1 else "points lost"))
    if end.leader_lost:
        out.append(Term(1, "HX-LDS-05", "the attached leader falls with the casualty"))
    elif p.target.leader and counts[LEADER] and not casualties:
        out.append(Term(0, "HX-LDS-06", "the leader is safe, as the unit has lost nothing"))
    elif p.target.leader and not left:
        out.append(Term(0, "HX-Q16", "the leader stays in the hex alone"))
    if left == 1 and casualties and p.target.leaders:
        out.append(Term(1, "HX-LDU-05", "the last model is a single leader from now on"))
    if left and counts[RETREAT]:
        out += _driven_back(book, p, left, counts[RETREAT])
    return out


def _driven_back(book: Book, p: Profile, left: int, retreats: int) -> list[Term]:
    out = [Term(retreats, "HX-RET-01", "hexes to fall back, one for each Retreat symbol")]
    ignored = 0
    for term in favours(book, p):
        n = min(term.value, retreats - ignored)
        if n:
            out.append(Term(-n, term.clause, f"ignored: {term.words}"))
            ignored += n
    far = retreats - ignored
    blocked = 0 if p.room is None else max(0, far - p.room)
    if blocked:
        out.append(Term(-blocked, "HX-Q08", "hexes that are blocked"))
        lost = min(left, losses_of_blocked(book, blocked))
        if lost:
            out.append(Term(-lost, "HX-Q08", "lost for blocked hexes"))
    return out


def answer(raw: Any) -> ResolveAnswer:
    """Resolve one attack.

    Raises InputError for an invalid or impossible request, and for a wrong number of dice.

    Args:
        raw: The request, as plain data.
    """
    request = asked(raw)
    book, p = request.book, request.profile
    dice = DiceGiven() if isinstance(request.request.dice, UnsetType) else request.request.dice
    parts = battle_dice(book, p)
    counts = _counted(dice.battle, total(parts), "battle", "battle die", made_of(parts))
    hits = hits_of(book, p, counts)
    shields = shield_dice(book, p)
    if not shields:
        why = "only God Machines have void shields" if p.target.row.unit_class != "god-machine" else "none work here"
    else:
        why = made_of(shields) if hits.total else "nothing was hit, so no shields are rolled (HX-Q11)"
    rolled = shields if hits.total else ()
    saved = saves(book, hits.total, _counted(dice.shields, total(rolled), "shields", "shield die", why))
    end = ending(book, p, counts, hits, saved)
    because = [
        *parts,
        *_hit(book, p, hits),
        *rolled,
        *([Term(-saved, "HX-VOI-03", "hits cancelled by God Machine symbols")] if saved else []),
        *_lost(book, p, counts, hits, saved, end),
    ]
    return ResolveAnswer(
        battle_dice=total(parts),
        shield_dice=total(rolled),
        hits=hits.total,
        saved=saved,
        leader_lost=end.leader_lost,
        retreat=end.retreat,
        target=UnitAfter(end.strength),
        because=tuple(because),
    )
