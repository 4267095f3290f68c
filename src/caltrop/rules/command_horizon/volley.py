"""Dice in play: simultaneous attacks, from Attack Dice and pairs to Defence Dice and recorded wounds.

An attack and the reaction fire against it are one volley, and so is a round of close combat. All Attack Dice are rolled
first, then pairs are declared, then all Defence Dice are rolled (Q-SEQ-1, Q-SEQ-4). The package `attack` defines the
effect of the dice.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

import msgspec

from caltrop.agreeing import quantity
from caltrop.asking import Offer, Offered
from caltrop.chance import FACES, Dice, Pool, Roll, RollReading, at_least, counted
from caltrop.engine import (
    Action,
    Ask,
    End,
    Event,
    Go,
    Listed,
    Options,
    Procedure,
    Refusal,
    Sum,
    Throw,
    agreeing,
    ask,
    not_an_option,
    step,
    total,
)
from caltrop.engine.rule import HasBook
from caltrop.kit.numbers import reasons
from caltrop.picture import Motion, Reading, Sort
from caltrop.rules.command_horizon.account import dice_read, tallies
from caltrop.rules.command_horizon.attack import (
    Attack,
    Counted,
    Damage,
    Hits,
    Mode,
    Stood,
    assign,
    attack_dice,
    damage,
    defence_dice,
    every_result,
    face_counts,
    hit_list,
    pairs_combined,
    pairs_possible,
    read,
    refused_assignment,
    result_of,
    results,
    standing,
    successes,
)
from caltrop.rules.command_horizon.damage import record, settle_drone
from caltrop.rules.command_horizon.records import Battle, DroneState, Wound, of_dice

WORDS: dict[Mode, tuple[str, str]] = {
    "fire": ("fires", " at"),
    "reaction-fire": ("reacts", " against"),
    "artillery": ("bombards", ""),
    "close-combat": ("fights", ""),
    "charge": ("charges", " into"),
}
"""Words for each mode of attack: the verb, and the words between it and the target."""


def attacks(t: Battle, shooter: int, mode: Mode, target: int) -> str:
    """Return an attack in words, such as `Alliance Light Tanks fire at Asori Light Tanks`."""
    verb, at = WORDS[mode]
    return f"{t.does(shooter, verb)}{at} {t.called(target)}"


class Volley(Procedure):
    """Attacks that are rolled at the same time.

    A volley records the wounds of its attacks. The result of the procedure is a `Resolved` for each attack, in order.
    """

    shots: tuple[Shot, ...]
    counted: tuple[Counted, ...] = ()
    rolled: tuple[tuple[Roll, ...], ...] = ()
    """Final dice, by attack and kind of base."""
    first: tuple[tuple[Roll, ...], ...] = ()
    """Dice before rerolls, by attack and kind of base."""
    waiting: Roll = ()
    """Roll whose successes are being rerolled."""
    declared: tuple[int, ...] = ()
    hits: tuple[Hits, ...] = ()
    defences: tuple[Roll, ...] = ()
    stood: tuple[Stood, ...] = ()

    @step("CH-TURN-11", "Q-SEQ-1", "Q-SEQ-4", "Q-DICE-1", "CH-RF-11", "Q-RF-4")
    def count_dice(self, t: Battle) -> None:
        """The dice of all attacks are counted before any are rolled, so damage of this volley removes none of them."""
        self.counted = tuple([attack_dice(t, shot.attack) for shot in self.shots])
        self.rolled = self.first = ((),) * len(self.shots)

    @step("CH-TURN-11", "CH-CC-02", "Q-INF-3")
    def throw_attack_dice(self, t: Battle) -> Throw | Go:
        """Attack Dice are rolled first, separately for each kind of base."""
        for now, shot in enumerate(self.shots):
            pools = self.counted[now].pools
            done = len(self.rolled[now])
            if done < len(pools):
                kind, dice = pools[done]
                words = attacks(t, shot.shooter, shot.attack.mode, shot.target) if t.told is not None else kind
                reads = reading_of_attack_dice(t, shot.attack, kind)
                return Throw(Pool(dice), reads=reads, side=t.units[shot.shooter].side, words=words)
        return Go("declare_pairs")

    def _now(self) -> int:
        return next(i for i, c in enumerate(self.counted) if len(self.rolled[i]) < len(c.pools))

    def _keep(self, now: int, first: Roll, roll: Roll) -> None:
        at, to = self.rolled[now], self.first[now]
        self.rolled = (*self.rolled[:now], (*at, roll), *self.rolled[now + 1 :])
        self.first = (*self.first[:now], (*to, first), *self.first[now + 1 :])

    @step("CH-SLUG-02", "Q-SLUG-1", "Q-SLUG-3")
    def take_attack_dice(self, t: Battle, roll: Roll) -> Throw | Go:
        """Near an enemy Slugger all successes are rerolled."""
        now = self._now()
        shot = self.shots[now]
        kind = self.counted[now].pools[len(self.rolled[now])][0]
        again = successes(t, shot.attack, kind, roll)
        if again:
            self.waiting = roll
            reads = reading_of_attack_dice(t, shot.attack, kind)
            words = f"{t.does(shot.shooter, 'rerolls')} successes near a Slugger" if t.told is not None else ""
            return Throw(Pool(len(again)), reads=reads, side=t.units[shot.shooter].side, words=words)
        self._keep(now, roll, roll)
        return Go("throw_attack_dice")

    @step("CH-SLUG-04")
    def take_rerolls(self, t: Battle, again: Roll) -> Go:
        now = self._now()
        kind = self.counted[now].pools[len(self.rolled[now])][0]
        roll = list(self.waiting)
        for place, face in zip(successes(t, self.shots[now].attack, kind, self.waiting), again, strict=True):
            roll[place] = face
        self._keep(now, self.waiting, tuple(roll))
        self.waiting = ()
        return Go("throw_attack_dice")

    @step("CH-OVERKILL-01", "Q-OK-1", "Q-SEQ-4")
    def declare_pairs(self, t: Battle) -> Ask | Go:
        """Pairs of 6s are declared before Defence Dice are rolled, by the active player first."""
        while len(self.declared) < len(self.shots):
            now = len(self.declared)
            shot, rolled = self.shots[now], self.rolled[now]
            possible = pairs_possible(t, shot.attack, [face_counts(roll) for roll in rolled])
            least = pairs_combined(t, shot.attack, possible, 0)
            if least < pairs_combined(t, shot.attack, possible, possible):
                side = t.units[shot.shooter].side
                return ask(CombinePairs(side=side, shot=shot, roll=rolled, possible=possible))
            self.declared = (*self.declared, possible)
        return Go("see_what_stands")

    @step("CH-OVERKILL-01", "Q-OK-4")
    def combine(self, t: Battle, choice: Combine) -> Go:
        self.declared = (*self.declared, choice.pairs)
        return Go("declare_pairs")

    @step("CH-DMG-01", "CH-ASORI-02", "CH-DRONE-01", "Q-SEQ-1")
    def see_what_stands(self, t: Battle) -> None:
        """Faces are looked up in the result tables, and ignored hits are removed before Defence Dice are rolled."""
        self.hits = tuple(
            [
                standing(t, shot.attack, read(t, shot.attack, [face_counts(r) for r in rolled], declared))
                for shot, rolled, declared in zip(self.shots, self.rolled, self.declared, strict=True)
            ]
        )

    @step("CH-DEF-01", "CH-TURN-11", "CH-RF-13")
    def throw_defence_dice(self, t: Battle) -> Throw | Go:
        """Each side rolls its own Defence Dice for the hits that remain."""
        while len(self.defences) < len(self.shots):
            now = len(self.defences)
            shot, hits = self.shots[now], self.hits[now]
            dice = total(defence_dice(t, shot.attack, hits.count)) if hits.count else 0
            if dice:
                words = t.does(shot.target, "defends") if t.told is not None else ""
                reads = reading_of_defence_dice(t, hits)
                return Throw(Pool(dice), reads=reads, side=t.units[shot.target].side, words=words)
            self.defences = (*self.defences, ())
        return Go("assign_defence")

    @step("CH-DEF-01")
    def take_defence_dice(self, t: Battle, roll: Roll) -> Go:
        self.defences = (*self.defences, roll)
        return Go("throw_defence_dice")

    @step("CH-DEF-12", "CH-DEF-13", "CH-DMG-07", "Q-DEF-4")
    def assign_defence(self, t: Battle) -> Ask | Go:
        """Defence Dice are assigned automatically to the best effect, or by the owner with a house rule."""
        by_hand = t.book.rules["defence.assign"] == "manual"
        while len(self.stood) < len(self.shots):
            now = len(self.stood)
            hits, roll = self.hits[now], self.defences[now]
            if by_hand and roll and len(every_result(hits, roll)) > 1:
                shot = self.shots[now]
                side = t.units[shot.target].side
                return ask(AssignDefence(side=side, shot=shot, hits=hits, roll=roll))
            self.stood = (*self.stood, assign(t, hits, face_counts(roll)))
        return Go("record_wounds")

    @step("CH-DEF-12", "Q-DEF-4")
    def take_assignment(self, t: Battle, choice: AssignDice) -> Go:
        self.stood = (*self.stood, result_of(self.hits[len(self.stood)], choice.hits))
        return Go("assign_defence")

    @step("CH-TURN-13", "Q-SEQ-1", "Q-SEQ-2", "Q-DRONE-3")
    def record_wounds(self, t: Battle) -> End:
        """Damage is recorded, and applied at the end of the step."""
        effects = []
        at_once = t.book.rules["drone.perAttack"] == "yes"
        for now, shot in enumerate(self.shots):
            hits, stood = self.hits[now], self.stood[now]
            dealt = damage(t, shot.attack, hits, stood)
            effects.append(Resolved(shot, hits, stood, dealt))
            drone = None if at_once else dealt.drone
            record(t, Wound(unit=shot.target, kills=dealt.kills, stuns=dealt.stuns, only=shot.only, drone=drone))
            if t.told is not None:
                t.tell(self._told(t, now, dealt))
            if at_once and dealt.drone:
                settle_drone(t, shot.target, dealt.drone)
        return End(tuple(effects))

    def _told(self, t: Battle, now: int, dealt: Damage) -> AttackResolved:
        shot, rolled, hits, stood = self.shots[now], self.rolled[now], self.hits[now], self.stood[now]
        attack = shot.attack
        raw = read(t, attack, [face_counts(roll) for roll in rolled], self.declared[now])
        left = stood.kills + stood.stuns + 2 * (stood.pairs + stood.drone_pairs)
        return AttackResolved(
            shooter=shot.shooter,
            target=shot.target,
            mode=attack.mode,
            terms=self.counted[now].parts,
            faces=tuple((kind, roll) for (kind, _), roll in zip(self.counted[now].pools, rolled, strict=True)),
            before_rerolls=self.first[now] if self.first[now] != rolled else (),
            pairs=raw.pairs,
            hit=raw.count,
            ignored=raw.count - hits.count,
            defence_terms=defence_dice(t, attack, hits.count) if self.defences[now] else (),
            defence=self.defences[now],
            cancelled=hits.count - left,
            kills=dealt.kills,
            stuns=dealt.stuns,
            drone=dealt.drone,
            bases=hits.bases,
            worms=hits.worms,
            attack=attack,
            hits=hits,
            stood=stood,
        )


def reading_of_attack_dice(b: HasBook, attack: Attack, kind: str) -> RollReading:
    """Return how Attack Dice are read: faces with an effect separately, all misses together."""
    return counted(*[(face,) for face, result in enumerate(results(b, attack, kind), 1) if result != "miss"])


def reading_of_defence_dice(b: HasBook, hits: Hits) -> RollReading:
    """Return how Defence Dice are read: by the hits that they can cancel; face by face if the owner assigns them."""
    if b.book.rules["defence.assign"] == "manual":
        return FACES
    faces = [face for face in range(1, 7) if hits.kills[face - 1] or hits.stuns[face - 1]]
    return at_least(*faces, *((6,) if hits.pairs or hits.drone_pairs else ()))


class Shot(msgspec.Struct, frozen=True):
    """One attack of a volley."""

    shooter: int
    target: int
    attack: Attack
    only: tuple[int, ...] = ()
    """The only models that the attack can remove; empty for any (Q-LOS-5)."""


class Resolved(msgspec.Struct, frozen=True):
    """The result of one attack of a volley."""

    shot: Shot
    hits: Hits
    """Hits before Defence Dice cancel any."""
    stood: Stood
    dealt: Damage


# --- decisions -------------------------------------------------------------------------------------------------------


class Combine(Action, frozen=True):
    """Combine pairs of 6s into Overkills. 0 combines none."""

    pairs: int


class CombinePairs(Offered, frozen=True, kw_only=True):
    """The attacker chooses whether to combine 6s into Overkills."""

    shot: Shot
    roll: tuple[Roll, ...]
    possible: int
    clauses: ClassVar[tuple[str, ...]] = ("CH-OVERKILL-01", "Q-OK-1", "Q-OK-4")
    settles: ClassVar[bool] = True
    hint: ClassVar[str] = (
        "Two 6s as an Overkill make one kill that only two Defence 6s negate, and a stun that nothing negates. "
        "Left apart they are two kills, each cancelled by a single 6. "
        "A pair at an active Shield Drone works on the drone."
    )

    def options(self, t: Battle) -> Listed:
        return Listed([Combine(n) for n in range(self.possible + 1)], clause="CH-OVERKILL-01")

    def prompt(self, t: Battle) -> str:
        """Return the question with the number of 6s. The dice are drawn beside it."""
        sixes = sum(roll.count(6) for roll in self.roll)
        make = "two of them an Overkill" if self.possible == 1 else "pairs of them Overkills"
        return f"{t.called(self.shot.shooter)} rolled {sixes} 6s at {t.called(self.shot.target)}: make {make}?"

    def offers(self, t: Battle) -> tuple[Offer, ...]:
        return tuple(
            Offer(
                action=Combine(n),
                words="Combine no 6s" if n == 0 else f"Combine {quantity(n, 'pair')} of 6s",
                unit=self.shot.shooter,
                target=self.shot.target,
            )
            for n in range(self.possible + 1)
        )


class AssignDice(Action, frozen=True):
    """Assign Defence Dice: for each die the index of the hit that it cancels, or None."""

    hits: tuple[int | None, ...]


class _Assignments(Options):
    """All legal assignments of Defence Dice to hits. Only one assignment is listed for each result."""

    __slots__ = ("hits", "roll")

    def __init__(self, hits: Hits, roll: Roll) -> None:
        self.hits, self.roll = hits, roll

    def refusal(self, action: Any) -> Refusal | None:
        if not isinstance(action, AssignDice) or len(action.hits) != len(self.roll):
            return not_an_option(
                "CH-DEF-12",
                f"Assign each of the {len(self.roll)} Defence Dice to a hit, or to none",
                self.first(),
                code="assign-every-die",
            )
        refusal = refused_assignment(self.hits, self.roll, action.hits)
        return refusal.towards(self.first()) if refusal else None

    def __iter__(self) -> Iterator[AssignDice]:
        for _, assignment in every_result(self.hits, self.roll):
            yield AssignDice(assignment)

    def sample(self, dice: Dice) -> AssignDice:
        every = every_result(self.hits, self.roll)
        return AssignDice(every[dice.below(len(every))][1])


class AssignDefence(Offered, frozen=True, kw_only=True):
    """The target's owner chooses which Defence Die cancels which hit."""

    shot: Shot
    hits: Hits
    roll: Roll
    clauses: ClassVar[tuple[str, ...]] = ("CH-DEF-12", "CH-DEF-13", "Q-DEF-4")
    settles: ClassVar[bool] = True
    hint: ClassVar[str] = (
        "A die cancels one hit of its own face or a lower one. It takes two 6s to cancel the kill of an Overkill; its "
        "stun stays."
    )

    def options(self, t: Battle) -> _Assignments:
        return _Assignments(self.hits, self.roll)

    def prompt(self, t: Battle) -> str:
        hits = ", ".join(f"{h.face} {h.effect}" for h in hit_list(self.hits))
        return f"{t.called(self.shot.target)} rolled {' '.join(map(str, self.roll))} against {hits}"

    def offers(self, t: Battle) -> tuple[Offer, ...]:
        offers = []
        for stood, assignment in every_result(self.hits, self.roll):
            left = damage(t, self.shot.attack, self.hits, stood)
            offers.append(
                Offer(
                    action=AssignDice(assignment),
                    words=f"Leave {quantity(left.kills, 'kill')} and {quantity(left.stuns, 'stun')}",
                    unit=self.shot.target,
                )
            )
        return tuple(offers)


# --- events ----------------------------------------------------------------------------------------------------------


class AttackResolved(Event, frozen=True, kw_only=True):
    """An attack was rolled and defended against, and its damage was recorded."""

    shooter: int
    target: int
    mode: Mode
    terms: Sum
    """Terms that add up to the number of Attack Dice."""
    faces: tuple[tuple[str, Roll], ...]
    """Final dice, by kind of base."""
    before_rerolls: tuple[Roll, ...]
    """First rolls, if successes were rerolled because of a Slugger; otherwise empty."""
    pairs: int
    """Number of pairs of 6s combined into Overkills."""
    hit: int
    """Number of hits by the result table; a pair counts as two."""
    ignored: int
    """Number of hits that a Shield Drone or an Asori unit ignored."""
    defence_terms: Sum
    defence: Roll
    cancelled: int
    """Number of hits that Defence Dice cancelled; a pair counts as two."""
    kills: int
    stuns: int
    drone: DroneState | None = None
    bases: int = 0
    worms: int = 0
    attack: Attack
    hits: Hits
    """Hits for which Defence Dice were rolled."""
    stood: Stood
    """Hits that the Defence Dice did not cancel."""
    clauses: ClassVar[tuple[str, ...]] = ("CH-FIRE-01", "CH-RF-01", "CH-CC-02", "CH-DMG-01", "CH-DEF-12")
    follows: ClassVar[tuple[tuple[str, str, str], ...]] = (
        ("orders", "shooter", "unit"),
        ("answers_declared", "shooter", "unit"),
        ("namings", "shooter", "unit"),
    )
    about = ("shooter", "target")

    def sentence(self, t: Battle) -> str:
        rolled = "; ".join(" ".join(map(str, roll)) for _, roll in self.faces)
        text = f"{attacks(t, self.shooter, self.mode, self.target)} with {of_dice(total(self.terms))}: {rolled}"
        if self.pairs:
            text += f", {quantity(self.pairs, 'Overkill pair')}"
        if self.ignored:
            text += f"; {self.ignored} ignored"
        if self.defence:
            text += f"; defence {' '.join(map(str, self.defence))} cancels {self.cancelled}"
        return f"{text}: {self.came()}"

    def came(self) -> str:
        parts = [quantity(n, word) for n, word in ((self.kills, "kill"), (self.stuns, "stun")) if n]
        landing = ((self.bases, "lands"), (self.worms, "attaches"))
        parts += [f"{quantity(n, 'base')} {agreeing(n, verb)}" for n, verb in landing if n]
        if self.drone:
            parts.append(f"the Shield Drone is {self.drone}")
        return ", ".join(parts) or "no effect"

    def reading(self, t: Battle) -> Reading:
        who, foe = t.units[self.shooter], t.units[self.target]
        sides = (who.side, foe.side)
        return Reading(
            words=attacks(t, self.shooter, self.mode, self.target),
            side=who.side,
            unit=self.shooter,
            target=self.target,
            terms=reasons(self.terms),
            dice=dice_read(
                t, self.attack, self.faces, self.before_rerolls, self.pairs, self.hits, self.defence, self.stood
            ),
            answer_words=t.does(self.target, "defends") if self.defence else "",
            answer_side=foe.side if self.defence else None,
            answer_terms=reasons(self.defence_terms),
            answer=self.defence,
            came=self.came(),
            tallies=tallies(t, self.attack, sides, self.hit, self.hits, self.defence, self.cancelled, self.kills),
        )

    def motion(self, t: Battle) -> Motion:
        sort: Sort = "blow" if self.mode in ("close-combat", "charge") else "shot"
        return Motion(sort=sort, unit=self.shooter, target=self.target)
