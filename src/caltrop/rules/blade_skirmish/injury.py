"""One attack: the challenge, the injury roll, the victim's fatality, and a second attack.

Results are stored in the state, and `aftermath` applies them. For that reason the table does not change while
simultaneous attacks are rolled (BS-Q31).
"""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar

from msgspec.structs import replace

from caltrop.chance import Pool, Roll
from caltrop.engine import Ask, End, Event, Go, MotionOf, Procedure, Run, Sum, Throw, ask, rule, step, total
from caltrop.engine.rule import HasBook
from caltrop.kit.numbers import reasons, tally
from caltrop.kit.words import listed
from caltrop.picture import DieRead, Motion, Reading
from caltrop.rules.blade_skirmish.by_chance import one_fighter, taken
from caltrop.rules.blade_skirmish.challenge import (
    FACES,
    Winner,
    a_tie_is,
    added_up,
    attacker_adds,
    chance_to_win,
    defender_adds,
    winner,
)
from caltrop.rules.blade_skirmish.fatality import (
    DECAPITATED,
    SPLIT_LENGTHWISE,
    Fatal,
    LetBe,
    SecondAttack,
    StrikeAgain,
    second_targets,
    take_trophy,
)
from caltrop.rules.blade_skirmish.places import flank_partners
from caltrop.rules.blade_skirmish.records import Blow, Injury, Skirmish
from caltrop.rules.blade_skirmish.through import (
    GoOrStay,
    GoThrough,
    StandFast,
    all_the_way,
    go_through,
    goes_at_once,
    may_go_through,
)

REMOVED: tuple[Injury, ...] = ("wounded", "dead")
"""Injuries that take a fighter off the table."""

IN_WORDS: dict[Injury, str] = {
    "stunned": "stunned",
    "fleeing": "fleeing",
    "wounded": "wounded and out for today",
    "dead": "dead",
}

_BECOMES: dict[Injury, str] = {
    "stunned": "is stunned",
    "fleeing": "is put to flight",
    "wounded": "is wounded",
    "dead": "is killed",
}

_TABLE: dict[int, Injury] = {1: "stunned", 2: "fleeing", 3: "fleeing", 4: "wounded", 5: "wounded", 6: "dead"}


# --- the attack -------------------------------------------------------------------------------------------------------


class Attack(Procedure, kw_only=True):
    """One attack on one enemy, with the second attacks that follow from it."""

    attacker: int
    target: int
    felled: tuple[int, ...] = ()
    """Enemies that earlier attacks in a chain of second attacks have felled; empty for a first attack."""
    partners: tuple[int, ...] | None = None
    """Comrades who flank with the attacker, noted when she named her attack; None to look for them now."""

    die: int = 0

    @step("BS-CMB-04", "BS-QUA-02", "BS-DIC-01", "BS-DIC-03")
    def throw_for_the_attacker(self, t: Skirmish) -> Throw:
        a, d = t.fighters[self.attacker], t.fighters[self.target]
        return Throw(Pool(1), side=a.side, words=f"{t.called(a.id)} strikes at {t.called(d.id)}")

    @step("BS-CMB-04", "BS-QUA-02")
    def throw_for_the_defender(self, t: Skirmish, roll: Roll) -> Throw:
        self.die = roll[0]
        d = t.fighters[self.target]
        return Throw(Pool(1), side=d.side, words=f"{t.called(d.id)} defends")

    @step("BS-QUA-03", "BS-CMB-05", "BS-CMB-06", "BS-CMB-07", "BS-Q10", "BS-Q31")
    def compare(self, t: Skirmish, roll: Roll) -> Run | Go | End:
        """The defender is hurt only if the attacker wins. A tie has no effect, except by a house rule."""
        a, d = t.fighters[self.attacker], t.fighters[self.target]
        # A comrade who has moved in the meantime counts as if she stood where she was when attacks were named (BS-Q31).
        partners = flank_partners(t, a.id, d.id) if self.partners is None else self.partners
        mine, hers = attacker_adds(t, a.quality, bool(partners)), defender_adds(t, d.quality)
        won = winner(t, self.die + total(mine), roll[0] + total(hers))
        tie = a_tie_is(t) if won is None else "hold"
        t.tell(
            Struck(
                attacker=a.id,
                target=d.id,
                faces=(self.die, roll[0]),
                partners=partners,
                won=won,
                second=bool(self.felled),
                again=tie == "reroll",
            )
        )
        if tie == "reroll":
            return Go("throw_for_the_attacker")
        if won == "attacker":
            return Run(self._injury())
        return Go("hurt_the_defender") if tie == "clash" else End()

    def _injury(self) -> InjuryRoll:
        return InjuryRoll(victim=self.target, by=self.attacker, strike=True, felled=self.felled)

    @step("BS-CMB-07")
    def leave_it_there(self, t: Skirmish) -> End:
        return End()

    @step("BS-Q10")
    def hurt_the_defender(self, t: Skirmish) -> Run:
        """House rule: after a tie the defender rolls on the injury table."""
        return Run(self._injury())

    @step("BS-Q10")
    def hurt_the_attacker(self, t: Skirmish) -> Run:
        """House rule: after a tie the attacker rolls too. The attacker's injury is not a strike, because the defender
        made no attack.
        """
        return Run(InjuryRoll(victim=self.attacker, by=self.target))


# --- the injury roll --------------------------------------------------------------------------------------------------


class InjuryRoll(Procedure, kw_only=True):
    """A fighter rolls on the injury table for a hit. If she dies, her killer may roll on the fatality table.

    The blow is stored in `t.blows` until `aftermath.Aftermath` applies it together with other blows.
    """

    victim: int
    by: int
    strike: bool = False
    """True for an attack of the combat step; False for an automatic hit."""
    arrow: bool = False
    """True for a shot, which never leads to a fatality (BS-S61)."""
    felled: tuple[int, ...] = ()
    """Enemies that earlier attacks in a chain of second attacks have felled."""

    targets: tuple[int, ...] = ()
    """Enemies that the killer may attack a second time."""

    @step("BS-CMB-07", "BS-Q22")
    def throw_the_injury(self, t: Skirmish) -> Throw:
        f = t.fighters[self.victim]
        return Throw(Pool(1), side=f.side, words=f"Injury of {t.called(f.id)}")

    @step("BS-INJ-01", "BS-INJ-02", "BS-INJ-03", "BS-INJ-04")
    def read_the_injury(self, t: Skirmish, roll: Roll) -> End | None:
        """The die decides the injury. If several attacks of a combat kill the victim, only the first
        leads to a fatality.
        """
        result = injury(t, roll[0])
        x, y, _ = t.disc(self.victim)
        earlier = any(b.victim == self.victim and (b.injury == "dead" or b.fatality) for b in t.blows)
        t.blows.append(Blow(by=self.by, victim=self.victim, place=(x, y), injury=result))
        t.tell(Injured(by=self.by, victim=self.victim, die=roll[0], injury=result))
        if earlier or self.arrow or not is_fatality_rolled(t, result, self.strike, bool(self.felled)):
            return End()
        return None

    @step("BS-Q23")
    def throw_the_fatality(self, t: Skirmish) -> Throw:
        killer, victim = t.fighters[self.by], t.fighters[self.victim]
        return Throw(Pool(1), side=killer.side, words=f"How {t.called(victim.id)} falls to {t.called(killer.id)}")

    @step("BS-Q23")
    def read_the_fatality(self, t: Skirmish, roll: Roll) -> None:
        """Most fatalities take effect after all attacks."""
        t.blows[-1] = replace(t.blows[-1], fatality=roll[0])
        t.tell(Fatal(by=self.by, victim=self.victim, die=roll[0]))

    @step("BS-FAT-01", "BS-Q24")
    def take_the_trophy(self, t: Skirmish) -> None:
        """A trophy counts as soon as the 1 is rolled, whatever happens to the killer in this combat."""
        if t.blows[-1].fatality == DECAPITATED:
            take_trophy(t, self.by)

    @step("BS-FAT-08", "BS-Q27")
    def go_on_at_once(self, t: Skirmish) -> Ask | Go | None:
        """House rule: a fighter who has split her victim goes through before the next attack."""
        blow = t.blows[-1]
        if blow.fatality != SPLIT_LENGTHWISE or not goes_at_once(t) or not may_go_through(t, blow.by):
            return Go("offer_a_second_attack")
        if t.automated(blow.by):
            go_through(t, blow, all_the_way(t, blow))
            return Go("offer_a_second_attack")
        decision = GoOrStay(side=t.fighters[blow.by].side, fighter=blow.by, victim=blow.victim, place=blow.place)
        return ask(decision) if decision.options(t).several() else Go("offer_a_second_attack")

    @step("BS-FAT-08", "BS-Q27")
    def hear_where_she_goes(self, t: Skirmish, choice: GoThrough | StandFast) -> None:
        if choice.to is not None:
            go_through(t, t.blows[-1], choice.to)

    @step("BS-FAT-05", "BS-FAT-10", "BS-Q26")
    def offer_a_second_attack(self, t: Skirmish) -> Ask | Go | End:
        """A killer who skewers her victim, or splits her across, may attack again if an enemy is in reach."""
        die = t.blows[-1].fatality
        self.felled = (*self.felled, self.victim)
        self.targets = second_targets(t, die, self.by, self.victim, self.felled)
        if not self.targets:
            return End()
        if t.automated(self.by):
            return Go("let_chance_choose")
        side = t.fighters[self.by].side
        return ask(SecondAttack(side=side, fighter=self.by, victim=self.victim, targets=self.targets, die=die))

    @step("BS-FAT-05", "BS-FAT-10")
    def hear_the_player(self, t: Skirmish, choice: StrikeAgain | LetBe) -> Go | End:
        if choice.target is None:
            return End()
        self.targets = (choice.target,)
        return Go("strike_again")

    @step("BS-Q43")
    def let_chance_choose(self, t: Skirmish) -> Throw | None:
        by = t.fighters[self.by]
        return one_fighter(t, by.side, self.targets, f"Which enemy {t.called(by.id)} strikes again")

    @step("BS-Q43")
    def hear_chance(self, t: Skirmish, roll: Roll | None) -> None:
        self.targets = (taken(self.targets, roll),)

    @step("BS-FAT-05", "BS-FAT-06", "BS-FAT-10", "BS-FAT-11", "BS-Q26")
    def strike_again(self, t: Skirmish) -> Run:
        (target,) = self.targets
        return Run(Attack(attacker=self.by, target=target, felled=self.felled))


# --- the tables -------------------------------------------------------------------------------------------------------


@rule("BS-INJ-01", "BS-INJ-02", "BS-INJ-03", "BS-INJ-04")
def injury(b: HasBook, die: int) -> Injury:
    """On the injury table, 1 stuns, 2 and 3 put to flight, 4 and 5 wound, and 6 kills."""
    return _TABLE[die]


@rule("BS-Q22", "BS-Q23", stages=("when", "chain"))
def is_fatality_rolled(b: HasBook, injury: Injury, strike: bool, second: bool) -> bool:
    """Death by a strike leads to a roll on the fatality table. Death by an automatic hit does not.

    Args:
        b: The house rules in force.
        injury: The result of the injury table.
        strike: True for an attack of the combat step.
        second: True for a second attack (BS-FAT-05, BS-FAT-10).
    """
    return strike and injury == "dead"


@is_fatality_rolled.amended_by("BS-Q23", stage="when", house={"fatality": "on_death"})
def every_death_has_its_fatality(value: bool, b: HasBook, injury: Injury, strike: bool, second: bool) -> bool:
    return injury == "dead"


@is_fatality_rolled.amended_by("BS-Q23", stage="when", house={"fatality": "on_removal"})
def every_removal_has_its_fatality(value: bool, b: HasBook, injury: Injury, strike: bool, second: bool) -> bool:
    """House rule: a strike that only wounds also leads to a fatality. Wounded members stay on the roster."""
    return strike and injury in REMOVED


@is_fatality_rolled.amended_by("BS-Q23", stage="when", house={"fatality": "off"})
def no_fatalities(value: bool, b: HasBook, injury: Injury, strike: bool, second: bool) -> bool:
    """House rule: there are no fatalities."""
    return False


@is_fatality_rolled.amended_by("BS-Q26", stage="chain", house={"fatality_chain": "off"})
def second_attacks_have_no_fatality(value: bool, b: HasBook, injury: Injury, strike: bool, second: bool) -> bool:
    """House rule: a second attack leads to no fatality."""
    return value and not second


# --- events -----------------------------------------------------------------------------------------------------------


class Struck(Event, frozen=True, kw_only=True):
    attacker: int
    target: int
    faces: tuple[int, int]
    """Dice of the attacker and of the defender."""
    partners: tuple[int, ...]
    """Ids of the comrades who flank with her."""
    won: Winner | None
    second: bool = False
    again: bool = False
    """True if the challenge is rolled again."""
    clauses: ClassVar[tuple[str, ...]] = ("BS-CMB-04", "BS-CMB-05", "BS-CMB-06", "BS-CMB-07")
    about = ("attacker", "target")
    shown = MotionOf("blow", unit="attacker", target="target")

    def sums(self, t: Skirmish) -> tuple[Sum, Sum]:
        a, d = t.fighters[self.attacker], t.fighters[self.target]
        return attacker_adds(t, a.quality, bool(self.partners)), defender_adds(t, d.quality)

    def opening(self, t: Skirmish) -> str:
        """Describe the attacker, her target, and the comrades who flank with her."""
        how = "strikes again, at" if self.second else "strikes at"
        flank = f", flanking with {listed([t.called(id) for id in self.partners])}" if self.partners else ""
        return f"{t.called(self.attacker)} {how} {t.called(self.target)}{flank}"

    def came(self) -> str:
        if self.won is not None:
            return "a hit" if self.won == "attacker" else "no hit"
        return "a tie, and both throw again" if self.again else "a tie"

    def sentence(self, t: Skirmish) -> str:
        mine, hers = (added_up(die, die + total(parts)) for die, parts in zip(self.faces, self.sums(t), strict=True))
        return f"{self.opening(t)}: {mine} against {hers}, {self.came()}"

    def reading(self, t: Skirmish) -> Reading:
        a, d = t.fighters[self.attacker], t.fighters[self.target]
        mine, hers = self.sums(t)
        luck = tally(
            a.side,
            "hits",
            self.won == "attacker",
            chance_to_win(t, a.quality, d.quality, bool(self.partners)),
        )
        return Reading(
            words=self.opening(t),
            side=a.side,
            unit=a.id,
            target=d.id,
            added=True,
            terms=reasons(mine),
            dice=(DieRead(face=self.faces[0], result="hit" if self.won == "attacker" else ""),),
            answer_words=f"{t.called(d.id)} defends",
            answer_side=d.side,
            answer_terms=reasons(hers),
            answer=(self.faces[1],),
            came=self.came(),
            # A challenge that is rolled again counts only when it is decided.
            tallies=() if self.again else (luck,),
        )


class Injured(Event, frozen=True, kw_only=True):
    """An injury was rolled. The injury is applied together with simultaneous injuries."""

    by: int
    victim: int
    die: int
    injury: Injury
    clauses: ClassVar[tuple[str, ...]] = ("BS-CMB-07", "BS-INJ-01", "BS-INJ-02", "BS-INJ-03", "BS-INJ-04")
    about = ("by", "victim")

    def sentence(self, t: Skirmish) -> str:
        by = "" if self.by == self.victim else f" by {t.called(self.by)}"
        out = " and out for today" if self.injury == "wounded" else ""
        return f"{t.called(self.victim)} {_BECOMES[self.injury]}{by}{out} (injury {self.die})"

    def reading(self, t: Skirmish) -> Reading:
        by, victim = t.fighters[self.by], t.fighters[self.victim]
        chance = Fraction(sum([injury(t, die) in REMOVED for die in FACES]), len(FACES))
        return Reading(
            words=f"Injury of {t.called(victim.id)} by {t.called(by.id)}",
            side=by.side,
            unit=by.id,
            target=victim.id,
            dice=(DieRead(face=self.die, result=self.injury),),
            came=IN_WORDS[self.injury],
            tallies=(tally(by.side, "injuries that remove", self.injury in REMOVED, chance),),
        )

    def motion(self, t: Skirmish) -> Motion:
        return Motion(sort="dice", unit=self.victim, tag=IN_WORDS[self.injury])
