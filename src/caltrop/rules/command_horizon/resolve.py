"""The referee of one attack: it computes the result for given dice, and explains every number."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from caltrop.agreeing import quantity
from caltrop.engine import Book, Term, total
from caltrop.kit.numbers import made_of
from caltrop.kit.requests import dice_given, wrong
from caltrop.rules.command_horizon.attack import (
    Attack,
    Damage,
    Ending,
    Hits,
    Stood,
    assign,
    attack_dice,
    damage,
    defence_dice,
    ending,
    face_counts,
    pairs_combined,
    pairs_possible,
    read,
    results,
    standing,
    successes,
    table_name,
)
from caltrop.rules.command_horizon.catalogue import table_clauses
from caltrop.rules.command_horizon.records import DroneState
from caltrop.rules.command_horizon.requests import AttackRequest, DiceGiven, asked


class UnitAfter(msgspec.Struct, frozen=True):
    """A unit after damage is applied. A destroyed unit has neither models nor markers."""

    models: int
    stuns: int
    drone: DroneState | UnsetType = UNSET
    """State of the Shield Drone of an Asori Command unit; unset for other units."""


class ResolveAnswer(msgspec.Struct, frozen=True, kw_only=True):
    attack_dice: int
    defence_dice: int
    kills: int
    """Number of kills after defence, even if they exceed the target's models."""
    stuns: int
    """Number of stuns after defence, including the automatic ones of Overkills."""
    target: UnitAfter
    because: tuple[Term, ...]
    """Terms that add up to the numbers of the answer, each with its clause and reason."""
    worm_tokens: int | UnsetType = UNSET
    """Number of bases that attach to the target; only set for Putredine artillery that fires at vehicles."""
    overkills: int | UnsetType = UNSET
    """Number of pairs of 6s that were combined; only set if the request does not say how many."""


def _after_rerolls(book: Book, attack: Attack, kind: str, dice: DiceGiven) -> tuple[int, ...]:
    again = successes(book, attack, kind, dice.attack)
    why = "no enemy Slugger is near"
    if attack.slugger:
        why = f"near an enemy Slugger every success is rolled again, and {len(again)} of the dice are (CH-SLUG-02)"
    dice_given(dice.reroll, len(again), "reroll", "rerolled die", why)
    roll = list(dice.attack)
    for place, face in zip(again, dice.reroll, strict=True):
        roll[place] = face
    return tuple(roll)


def _pairs(book: Book, attack: Attack, possible: int, request: AttackRequest) -> int:
    declared = 0 if request.overkills == UNSET else request.overkills
    if declared == "best":
        raise wrong("overkills", f"the dice are known, so say how many pairs are combined: 0 to {possible}")
    assert isinstance(declared, int)
    combined = pairs_combined(book, attack, possible, declared)
    if request.overkills != UNSET and combined != declared:
        every = "every pair is combined (overkill.mode), and " if book.rules["overkill.mode"] == "automatic" else ""
        raise wrong(
            "overkills",
            f"{every}the 6s of this roll make {quantity(possible, 'pair')}, and {quantity(declared, 'pair', 'is')}"
            f" declared; the nearest right value is {combined}",
        )
    return combined


def _rolled(book: Book, attack: Attack, hits: Hits) -> list[Term]:
    kind = attack.arms[0].kind
    name, faces = table_name(book, attack, kind), results(book, attack, kind)
    out = []
    numbers = (("kill", sum(hits.kills), "kills"), ("stun", sum(hits.stuns), "stuns"))
    for result, n, words in (*numbers, ("base", hits.bases, "bases 1 cm away"), ("worm", hits.worms, "bases attached")):
        if n:
            on = ", ".join(str(face) for face, r in enumerate(faces, 1) if r == result)
            # A house rule may add a result that no row of the printed table has.
            clause = table_clauses(name, result) or "Q-CC-2"
            out.append(Term(n, clause, f"{words}, on {on}"))
    if hits.pairs:
        out.append(Term(hits.pairs, "CH-OVERKILL-01", "pairs of 6s combined"))
    return out


def _discarded(attack: Attack, hits: Hits, left: Hits) -> list[Term]:
    out = []
    kills, stuns = sum(hits.kills) - sum(left.kills), sum(hits.stuns) - sum(left.stuns)
    shielded = attack.target.drone == "active"
    if left.drone_pairs:
        out.append(Term(left.drone_pairs, "CH-DRONE-03", "pairs work on the Shield Drone"))
    if kills:
        out.append(Term(-kills, "CH-DRONE-02", "single 6s ignored behind the Shield Drone"))
    if stuns:
        clause, words = ("CH-DRONE-01", "behind the Shield Drone") if shielded else ("CH-ASORI-02", "as the lowest")
        out.append(Term(-stuns, clause, f"stuns ignored {words}"))
    return out


def _defended(left: Hits, stood: Stood) -> list[Term]:
    out = []
    for before, after, clause, words in (
        (sum(left.kills), stood.kills, "CH-DEF-12", "kills cancelled"),
        (left.pairs, stood.pairs, "CH-OVERKILL-03", "kills of pairs negated by two 6s each"),
        (sum(left.stuns), stood.stuns, "CH-DEF-12", "stuns cancelled"),
    ):
        if before > after:
            out.append(Term(after - before, clause, words))
    if left.pairs:
        out.append(Term(left.pairs, "CH-OVERKILL-04", "automatic stuns of Overkills"))
    return out


def _allocated(attack: Attack, dealt: Damage, end: Ending) -> list[Term]:
    out = []
    killed = min(dealt.kills, attack.target.models)
    if killed:
        out.append(Term(-killed, "CH-DMG-04", "models killed"))
    if end.models < attack.target.models - killed:
        out.append(Term(-1, "CH-STUN-09", "a model lost to as many markers as twice the models"))
        out.append(Term(end.stuns, "CH-STUN-10", "markers left, one for each model"))
    if dealt.drone and end.models:
        clause, words = ("CH-DRONE-03", "destroyed") if dealt.drone == "destroyed" else ("CH-DRONE-04", "disabled")
        out.append(Term(1, clause, f"the Shield Drone is {words}"))
    if attack.target.drone and not end.models:
        out.append(Term(1, "Q-DRONE-6", "the Shield Drone goes with its tank"))
    return out


def answer(raw: Any) -> ResolveAnswer:
    """Resolve the attack of a request.

    Raises InputError for an invalid or illegal request, and for a wrong number of dice.

    Args:
        raw: The request, as plain data.
    """
    attack_request = asked(raw)
    book, attack, request = attack_request.book, attack_request.attack, attack_request.request
    dice = DiceGiven() if isinstance(request.dice, UnsetType) else request.dice
    counted = attack_dice(book, attack)
    dice_given(dice.attack, counted.total, "attack", "attack die", made_of(counted.parts))
    kind = attack.arms[0].kind
    roll = _after_rerolls(book, attack, kind, dice)
    counts = (face_counts(roll),)
    pairs = _pairs(book, attack, pairs_possible(book, attack, counts), request)
    hits = read(book, attack, counts, pairs)
    left = standing(book, attack, hits)
    parts = defence_dice(book, attack, left.count)
    why = made_of(parts) if parts else "no hit stands" if not left.count else "nothing is defended against this attack"
    dice_given(dice.defence, total(parts), "defence", "defence die", why)
    stood = assign(book, left, face_counts(dice.defence))
    dealt = damage(book, attack, left, stood)
    end = ending(book, attack.target, dealt)
    seeded = any("worm" in results(book, attack, arms.kind) for arms in attack.arms)
    because = [
        *counted.parts,
        *([Term(len(dice.reroll), "CH-SLUG-02", "successes rolled again near a Slugger")] if dice.reroll else []),
        *_rolled(book, attack, hits),
        *_discarded(attack, hits, left),
        *parts,
        *_defended(left, stood),
        *_allocated(attack, dealt, end),
    ]
    return ResolveAnswer(
        attack_dice=counted.total,
        defence_dice=total(parts),
        kills=dealt.kills,
        stuns=dealt.stuns,
        target=UnitAfter(end.models, end.stuns, UNSET if end.drone is None else end.drone),
        worm_tokens=hits.worms if seeded else UNSET,
        overkills=pairs if request.overkills == UNSET else UNSET,
        because=tuple(because),
    )
