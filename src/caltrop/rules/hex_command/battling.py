"""Battles: the enemies that a unit may battle, and a battle from its announcement to the ground taken."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from caltrop.agreeing import quantity
from caltrop.asking import Act, Choices, Guards, OneOf, carried_out
from caltrop.chance import Dice
from caltrop.engine import (
    Ask,
    End,
    Event,
    Go,
    MotionOf,
    Procedure,
    Refusal,
    Run,
    Sum,
    ask,
    guard,
    rule,
    step,
)
from caltrop.geometry import Point
from caltrop.picture import Motion
from caltrop.rules.hex_command.attack import Attack, TargetSearch, battle_dice, dice_at, profile_of
from caltrop.rules.hex_command.attack.events import does
from caltrop.rules.hex_command.cards import CardPlayed, Draw, discard, holds, may_be_held
from caltrop.rules.hex_command.movement import arrive
from caltrop.rules.hex_command.places import barred, blockers, in_words
from caltrop.rules.hex_command.reach import no_battle_after_moving
from caltrop.rules.hex_command.records import Battle, Unit, centre_of, placed, spot_of
from caltrop.rules.hex_command.retreat import motion_between, shift
from caltrop.rules.hex_command.victory import settle
from caltrop.table.hexes import Hex

NO_UNIT = guard("HX-TRN-04", "no-unit-of-yours", "That unit is not yours on the map: {name}")
NOT_ORDERED = guard("HX-TRN-04", "not-ordered", "You have not ordered the {unit} at {hex} this turn")
ATTACHED = guard("HX-LDS-03", "attached", "{unit} at {hex} is attached, and battles with the unit")
HAS_BATTLED = guard("HX-BAT-04", "has-battled", "The {unit} at {hex} battled this turn, and a unit battles once")
NO_ENEMY = guard("HX-TRN-04", "no-enemy", "That unit is not an enemy on the map: {name}")
ATTACHED_ENEMY = guard("HX-LDS-05", "attached-enemy", "{target} is attached: battle the unit at {hex}")
NEAR_ENEMY = guard(
    ("HX-BAT-08", "HX-BAT-09"),
    "near-enemy",
    "Next to an enemy, the {unit} at {hex} may only close assault, and the {target:is} {far:hex} away",
)
OUT_OF_RANGE = guard("HX-S20", "out-of-range", "The {target:is} {far:hex} away, and the {unit:reaches} {reach} at most")
NO_DICE = guard(("HX-Q21", "HX-TRN-06"), "no-dice", "No battle dice are left against the {target}: {parts}")
NO_SIGHT = guard(
    ("HX-LOS-01", "HX-LOS-02", "HX-LOS-03", "HX-TRN-05"),
    "no-sight",
    "The {unit} at {hex} cannot see the {target}: {blocker:is} in the way",
)
NO_BATTLE = guard("HX-TRN-04", "no-battle", "Battle with a unit, or end your battles")
NO_AMBUSH = guard(("HX-S55", "HX-Q32"), "no-ambush", "You have no Ambush in your hand")


class Engagement(Procedure):
    """One battle, from its announcement to the ground taken. The result is whether ground was taken."""

    unit: int
    target: int
    hex: Hex = ""
    """The target's hex when the battle was announced."""

    @step("HX-BAT-03", "HX-BAT-04", "HX-TRN-05")
    def announce(self, t: Battle) -> Go | None:
        unit, target = t.units[self.unit], t.units[self.target]
        assert unit.hex is not None
        assert target.hex is not None
        t.battled.append(self.unit)
        leader = t.leader_of(unit)
        if leader is not None:
            t.battled.append(leader.id)
        self.hex = target.hex
        if not is_close(t, t.map.distance(unit.hex, target.hex)):
            return Go("fire")
        if not (may_be_held(t, target.side, "ambush") and may_ambush(t, target, unit)):
            return Go("assault")
        t.tell(Engaged(self.unit, self.target))
        return None

    @step("HX-S55", "HX-Q32")
    def offer_an_ambush(self, t: Battle) -> Ask:
        """A side is asked if its unit has dice and, by public information, it could hold an Ambush."""
        return ask(AmbushOrNot(side=t.units[self.target].side, unit=self.target, attacker=self.unit))

    @step("HX-S55", "HX-Q32")
    def answer(self, t: Battle, choice: SpringAmbush | LetItCome) -> Run | Go | End | None:
        """If an Ambush is played, its side draws a card at once. If no Ambush is played, the battle goes on."""
        return carried_out(choice, t, self)

    @step("HX-S55", "HX-Q32")
    def battle_first(self, t: Battle) -> Run:
        """An Ambush is a battle of the defender before the attack.

        An Ambush takes no ground, and the defender may still battle later.
        """
        return Run(Attack(attacker=self.target, target=self.unit, how="ambush"))

    @step("HX-Q32")
    def see_who_is_left(self, t: Battle) -> End | None:
        """The attack does not take place if the attacker is destroyed or no longer next to the defender."""
        unit = t.units[self.unit]
        if unit.hex is not None and t.map.distance(unit.hex, self.hex) == 1:
            return None
        t.tell(BattleLost(self.unit, self.target))
        return End(False)

    @step("HX-BAT-06", "HX-BAT-08", "HX-Q23")
    def assault(self, t: Battle) -> Run:
        """A close assault needs no line of sight."""
        return Run(Attack(attacker=self.unit, target=self.target, how="assault"))

    @step("HX-Q18", "HX-Q10")
    def see_what_is_emptied(self, t: Battle) -> Ask | Go:
        unit = t.units[self.unit]
        if t.board.get(self.hex) == self.target or not may_take_ground(t, unit, self.hex):
            return Go("strike_back")
        return ask(TakeGroundOrNot(side=unit.side, unit=self.unit, to=self.hex))

    @step("HX-Q18")
    def take_ground(self, t: Battle, choice: TakeGround | StandFast) -> End:
        """The unit moves into the empty hex with its leader, or stays."""
        return choice.perform(t, self)

    @step("HX-Q19")
    def strike_back(self, t: Battle) -> Run | End:
        """House rule: a defender that has held its hex attacks in return."""
        held = t.units[self.target].hex == self.hex
        if not battles_back(t, t.units[self.target], held):
            return End(False)
        return Run(Attack(attacker=self.target, target=self.unit, how="back"))

    @step("HX-Q19")
    def end(self, t: Battle) -> End:
        return End(False)

    @step("HX-BAT-07", "HX-TRN-05")
    def fire(self, t: Battle) -> Run:
        """The unit fires. Range and sight were checked when the target was chosen, and fire takes no ground."""
        return Run(Attack(attacker=self.unit, target=self.target, how="fire"))


class Battles(Procedure):
    """The Battle step: ordered units battle one after another, while any can battle and its side wishes."""

    side: int
    unit: int = -1
    """Id of the unit that battled last."""
    overran: tuple[int, ...] = ()
    """Ids of the units that were given a second battle after taking ground."""

    @step("HX-TRN-04", "HX-BAT-01", "HX-BAT-02", "HX-BAT-05")
    def choose(self, t: Battle) -> Ask | End:
        """One battle ends before the next is announced. The side is not asked if none of its units can battle."""
        return ask(ChooseBattle(side=self.side)) if Battlefield(t, self.side).several() else End()

    @step("HX-TRN-04", "HX-BAT-03")
    def battle(self, t: Battle, choice: Engage | EndBattles) -> Run | Go | End | None:
        return carried_out(choice, t, self)

    @step("HX-BAT-04", "HX-Q18")
    def go_on(self, t: Battle, took_ground: bool | None) -> Go:
        """A unit battles once a turn. By a house rule, a vehicle that has taken ground may battle again."""
        if took_ground and self.unit not in self.overran and battles_again(t, t.units[self.unit]):
            self.overran = (*self.overran, self.unit)
            t.battled.remove(self.unit)
        return Go("choose")


# --- targets of a battle ---------------------------------------------------------------------------------------------


@rule("HX-BAT-06", "HX-BAT-07")
def is_close(t: Battle, distance: int) -> bool:
    return distance == 1


def why_no_battle(t: Battle, unit: Unit) -> Refusal | None:
    """Return why a unit cannot battle any enemy now, or None if it may battle a target in reach."""
    if unit.hex is None:
        return NO_UNIT.refuses(True, unit=unit.id, name=t.called(unit.id))
    # Words are only made for a refusal, because this function is called very often.
    return (
        (unit.id not in t.ordered and NOT_ORDERED.refuses(True, unit=t.called(unit.id), hex=unit.hex))
        or (unit.id in t.battled and HAS_BATTLED.refuses(True, unit=t.called(unit.id), hex=unit.hex))
        or (t.guests.get(unit.hex) == unit.id and ATTACHED.refuses(True, unit=t.called(unit.id), hex=unit.hex))
        or no_battle_after_moving(t, unit)
    )


def why_not_target(t: Battle, unit: Unit, target: Unit) -> Refusal | None:
    here, there = unit.hex, target.hex
    if here is None or there is None or target.side == unit.side:
        return NO_ENEMY.refuses(True, target=target.id, name=t.name_of(target.id))
    named = f"{t.called(target.id)} at {there}"
    refusal = ATTACHED_ENEMY.refuses(t.guests.get(there) == target.id, target=t.called(target.id), hex=there)
    if refusal is not None:
        return refusal
    far = t.map.distance(here, there)
    if far > 1:
        near = bool(t.enemies_next_to(here, unit.side))
        refusal = NEAR_ENEMY.refuses(near, unit=t.called(unit.id), hex=here, target=named, far=far)
        if refusal is not None:
            return refusal
    aim = TargetSearch(t, unit)
    if aim.dice(target) < 1:
        parts = battle_dice(t, profile_of(t, unit, target))
        if not parts:
            return OUT_OF_RANGE.refuses(True, target=named, far=far, unit=t.called(unit.id), reach=aim.reach)
        return NO_DICE.refuses(True, target=named, parts=_as_words(parts))
    if aim.sees(target):
        return None
    blocker = in_words(t, blockers(t, unit, here, target, there)[0])
    return NO_SIGHT.refuses(True, unit=t.called(unit.id), hex=here, target=named, blocker=blocker)


def _as_words(parts: Sum) -> str:
    # A term that raises a negative sum to 0 is not a reason.
    return ", ".join([f"{term.words} {term.value:+}" for term in parts if term.clause != "HX-Q21"])


def _foes(t: Battle, side: int) -> list[tuple[Hex, Unit]]:
    units = t.units
    return [(hex, foe) for hex, id in t.board.items() if (foe := units[id]).side != side]


def _targets(t: Battle, unit: Unit, foes: Sequence[tuple[Hex, Unit]]) -> Iterator[int]:
    aim = TargetSearch(t, unit)
    far, reach = aim.distances, aim.reach
    within = [(hex, foe) for hex, foe in foes if far[hex] <= reach]
    near = [foe for hex, foe in within if far[hex] == 1]
    if near and NEAR_ENEMY(True):
        for foe in near:
            if aim.dice(foe) > 0:
                yield foe.id
        return
    for _, foe in within:
        if aim.dice(foe) > 0 and aim.sees(foe):
            yield foe.id


def targets_of(t: Battle, unit: Unit) -> list[int]:
    return sorted(_targets(t, unit, _foes(t, unit.side)))


def fighters(t: Battle, side: int) -> Iterator[Unit]:
    """Yield the ordered units of a side that may battle, with or without a target, in the sequence of the orders."""
    for id in t.ordered:
        if _fights(t, side, id):
            yield t.units[id]


def _fights(t: Battle, side: int, id: int) -> bool:
    if id in t.battled:
        return False
    unit = t.units[id]
    return unit.side == side and unit.hex is not None and why_no_battle(t, unit) is None


@rule("HX-Q32", "HX-Q21", "HX-S55")
def may_ambush(t: Battle, unit: Unit, attacker: Unit) -> bool:
    """An Ambush is a battle, so a unit needs dice against the enemy."""
    return dice_at(t, unit, attacker) > 0


@rule("HX-Q18", "HX-Q16", stages=("house",))
def may_take_ground(t: Battle, unit: Unit, hex: Hex) -> bool:
    """After a close assault a unit may move into the hex that it has emptied, if the ground allows it.

    A leader who stayed behind still occupies the hex.
    """
    return (
        unit.hex is not None
        and hex not in t.board
        and t.map.distance(unit.hex, hex) == 1
        and barred(t, unit, hex) is None
    )


@may_take_ground.amended_by("HX-Q18", stage="house", house={"take_ground": "off"})
def nobody_takes_ground(may: bool, t: Battle, unit: Unit, hex: Hex) -> bool:
    """House rule: units do not move into a hex that they have emptied."""
    return False


@rule("HX-Q18", "HX-BAT-04", stages=("house",))
def battles_again(t: Battle, unit: Unit) -> bool:
    """A unit that has taken ground does not battle again."""
    return False


@battles_again.amended_by("HX-Q18", stage="house", house={"overrun": "on"})
def vehicles_overrun(again: bool, t: Battle, unit: Unit) -> bool:
    """House rule: a vehicle that has taken ground may battle again."""
    return unit.row.unit_class == "vehicle"


@rule("HX-Q19", stages=("house",))
def battles_back(t: Battle, unit: Unit, held: bool) -> bool:
    """The defender does not attack in return, because only ordered units battle."""
    return False


@battles_back.amended_by("HX-Q19", stage="house", house={"battle_back": "on"})
def a_unit_that_stands_battles_back(back: bool, t: Battle, unit: Unit, held: bool) -> bool:
    """House rule: a defender that survived and did not retreat attacks in return."""
    return held


# --- decisions -------------------------------------------------------------------------------------------------------


def _at(t: Battle, target: int) -> Point | None:
    return spot_of(t, target)


class Engage(Act, frozen=True):
    """Battle an enemy unit."""

    unit: int
    target: int

    words = "{how} the {target}: {dice}"
    group = "Battle with the {unit}"
    says: ClassVar[Mapping[str, Any]] = {
        "how": lambda t, unit, target: "Close assault" if _is_next(t, unit, target) else "Fire at",
        "unit": lambda t, unit: t.called(unit),
        "target": lambda t, target: placed(t, target),
        "dice": lambda t, unit, target: quantity(dice_at(t, t.units[unit], t.units[target]), "die"),
    }
    aim = "target"
    spot = _at
    guards = Guards(lambda t, side, unit, target: why_no_engagement(t, side, unit, target))

    @classmethod
    def every(cls, o: Choices, **fixed: Any) -> Iterator[Engage]:
        for unit in fighters(o.t, o.side):
            yield from [Engage(unit.id, target) for target in targets_of(o.t, unit)]

    @classmethod
    def some(cls, o: Choices) -> bool:
        t, foes = o.t, _foes(o.t, o.side)
        return any(next(_targets(t, unit, foes), None) is not None for unit in fighters(t, o.side))

    def nearest(self, o: Choices) -> Act:
        """Return a legal battle similar to this one.

        The similar battle has the same unit and the target nearest to this target; otherwise another unit and the same
        target.
        """
        t, every = o.t, o.listed(Engage)
        target = _on_map(t, self.target)
        mine: list[Act] = [a for a in every if a.unit == self.unit]
        if not mine:
            return next((a for a in every if a.target == self.target), EndBattles())
        if target is None or target.hex is None:
            return mine[0]
        meant = target.hex
        return min(mine, key=lambda a: t.map.distance(t.units[a.target].hex or meant, meant))  # type: ignore[attr-defined]

    def perform(self, t: Battle, by: Battles) -> Engagement:
        by.unit = self.unit
        return Engagement(unit=self.unit, target=self.target)


class EndBattles(Act, frozen=True):
    """End the side's battles."""

    words = "End your battles"
    final = True

    def perform(self, t: Battle, by: Battles) -> End:
        return End()


class Battlefield(Choices):
    """The battles that a side may announce, and the option to end."""

    acts = (Engage, EndBattles)
    unknown = NO_BATTLE

    def sample(self, dice: Dice) -> Any:
        """Return a random unit's battle with a random target, or the end of the battles.

        Targets are only computed for the chosen unit.
        """
        t = self.t
        ids = list(t.ordered)
        # A unit without a target is removed and another unit is drawn, so that all units with a target have the same
        # probability.
        while (n := dice.below(len(ids) + 1)) < len(ids):
            id = ids.pop(n)
            if _fights(t, self.side, id):
                targets = targets_of(t, t.units[id])
                if targets:
                    return Engage(id, targets[dice.below(len(targets))])
        return EndBattles()


def why_no_engagement(t: Battle, side: int, unit: int, target: int) -> Refusal | None:
    u, foe = _on_map(t, unit), _on_map(t, target)
    if u is None or u.side != side:
        return NO_UNIT.refuses(True, unit=unit, name=t.name_of(unit))
    refusal = why_no_battle(t, u)
    if refusal is not None:
        return refusal
    return NO_ENEMY.refuses(True, target=target, name=t.name_of(target)) if foe is None else why_not_target(t, u, foe)


def _on_map(t: Battle, id: int) -> Unit | None:
    unit = t.units[id] if 0 <= id < len(t.units) else None
    return unit if unit is not None and unit.hex is not None else None


def _is_next(t: Battle, unit: int, target: int) -> bool:
    return t.map.distance(t.units[unit].hex or "", t.units[target].hex or "") == 1


class ChooseBattle(OneOf, frozen=True, kw_only=True):
    """A side chooses the unit that battles next, and its enemy."""

    clauses: ClassVar[tuple[str, ...]] = ("HX-TRN-04", "HX-BAT-01", "HX-BAT-02", "HX-BAT-03", "HX-BAT-05")
    hint: ClassVar[str] = (
        "Each ordered unit may battle once, in the order that you choose. A unit next to an enemy battles that enemy, "
        "or nobody."
    )
    opens: ClassVar[tuple[str, str]] = ("battles", "battle")
    template = "Which unit battles, and against which enemy?"
    menu = Battlefield


class SpringAmbush(Act, frozen=True):
    """Play Ambush, to battle before the attacker."""

    words = "Play Ambush and roll {dice} first"
    says: ClassVar[Mapping[str, Any]] = {
        "dice": lambda t, unit, attacker: quantity(dice_at(t, t.units[unit], t.units[attacker]), "die")
    }
    context = ("unit", "attacker")
    aim = "attacker"
    plays = "ambush"
    guards = Guards((NO_AMBUSH, lambda t, side: not holds(t, side, "ambush")))

    def perform(self, t: Battle, by: Engagement) -> Draw:
        side = t.units[by.target].side
        discard(t, side, "ambush")
        t.tell(CardPlayed(side, "ambush"))
        return Draw(side=side)


class LetItCome(Act, frozen=True):
    """Play no Ambush, and let the attacker battle first."""

    words = "Let it come"
    context = ("unit", "attacker")
    aim = "attacker"

    def perform(self, t: Battle, by: Engagement) -> Go:
        return Go("assault")


class AmbushOrNot(OneOf, frozen=True, kw_only=True):
    unit: int
    """Id of the unit about to be attacked by close assault."""
    attacker: int
    clauses: ClassVar[tuple[str, ...]] = ("HX-S55", "HX-Q32")
    hint: ClassVar[str] = (
        "Your unit rolls its dice first. If the enemy is destroyed or driven off, the enemy's battle is lost. "
        "You draw a new card at once."
    )
    reaction: ClassVar[bool] = True
    acts = (SpringAmbush, LetItCome)

    def prompt(self, t: Battle) -> str:
        announces = does(t.units[self.attacker], "announce", "announces")
        return (
            f"The {placed(t, self.attacker)} {announces} a close assault on your {placed(t, self.unit)}: play Ambush?"
        )


class TakeGround(Act, frozen=True):
    """Move into the hex that was emptied."""

    words = "Take ground at {to}"
    context = ("unit", "to")
    spot = centre_of

    def perform(self, t: Battle, by: Engagement) -> End:
        start = t.units[by.unit].hex
        assert start is not None
        leader = shift(t, by.unit, by.hex)
        arrive(t, t.units[by.unit], by.hex)
        t.tell(GroundTaken(by.unit, start, by.hex, leader))
        settle(t)
        return End(True)


class StandFast(Act, frozen=True):
    words = "Stay"
    context = ("unit",)

    def perform(self, t: Battle, by: Engagement) -> End:
        return End(False)


class TakeGroundOrNot(OneOf, frozen=True, kw_only=True):
    unit: int
    to: Hex
    clauses: ClassVar[tuple[str, ...]] = ("HX-Q18",)
    hint: ClassVar[str] = (
        "Your unit has emptied the hex, and may move into it at once. "
        "Only a house rule lets vehicles battle again there."
    )
    acts = (TakeGround, StandFast)

    def prompt(self, t: Battle) -> str:
        return f"{self.to} is empty: {does(t.units[self.unit], 'do', 'does')} the {placed(t, self.unit)} take ground?"


# --- events ----------------------------------------------------------------------------------------------------------


class Engaged(Event, frozen=True):
    """A battle was announced; the target may still play a card before dice are rolled."""

    unit: int
    target: int
    clauses: ClassVar[tuple[str, ...]] = ("HX-BAT-03", "HX-BAT-06")
    about = ("unit", "target")
    shown = MotionOf("aim", target="target")

    def sentence(self, t: Battle) -> str:
        u, target = t.units[self.unit], t.units[self.target]
        return (
            f"The {t.called(u.id)} at {u.hex} {does(u, 'announce', 'announces')} a close assault "
            f"on the {t.called(target.id)} at {target.hex}"
        )


class BattleLost(Event, frozen=True):
    """The announced battle did not take place, because of an Ambush."""

    unit: int
    target: int
    clauses: ClassVar[tuple[str, ...]] = ("HX-Q32",)
    template = "The {unit} cannot close assault the {target} any more"
    about = ("unit", "target")


class GroundTaken(Event, frozen=True):
    """A unit moved into the hex that its close assault had emptied."""

    unit: int
    start: Hex
    to: Hex
    leader: int | None = None
    """Id of the leader who went with the unit; None without a leader."""
    clauses: ClassVar[tuple[str, ...]] = ("HX-Q18",)
    about = ("unit", "leader")

    def sentence(self, t: Battle) -> str:
        u = t.units[self.unit]
        return f"The {t.called(u.id)} {does(u, 'take', 'takes')} ground, from {self.start} to {self.to}"

    def motion(self, t: Battle) -> Motion:
        return motion_between(t, self.touches(), self.start, self.to)
