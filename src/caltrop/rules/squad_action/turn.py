"""The turn: who is first, each side's units one by one, what a unit announces, how it carries it out (SQ-ORG-01 to 07).

An activation opens with what comes before its announcement (an overwatch that ends, a roll of Conscripts, regrouping,
whether a flyer hovers), then the unit names its actions and carries out one after the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, ClassVar

import msgspec

from caltrop.asking import Act, Offer, Offered, OneOf, PickedUp, Proposal, Region, Wish
from caltrop.chance import Dice, Pool, Roll
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
    Run,
    Throw,
    agreeing,
    ask,
    does,
    guard,
    not_an_option,
    rule,
    step,
)
from caltrop.rules.squad_action.acts import (
    ACTS,
    IN_SHORT,
    IN_WORDS,
    KINDS_OF_ACT,
    NOT_YOURS,
    UNDONE,
    Doings,
    Kind,
    UnitAct,
    as_dragged,
    name_of,
)
from caltrop.rules.squad_action.assault import Assault, FightsGoOn
from caltrop.rules.squad_action.fight import SIDES, Firefight, Unit
from caltrop.rules.squad_action.morale import dice_of_a_check, needs, officer_adds, passes, reading_of_a_check
from caltrop.rules.squad_action.moving import Move, flies_off
from caltrop.rules.squad_action.overwatch import LeftOver, Watch, lose_overwatch
from caltrop.rules.squad_action.places import officer_near
from caltrop.rules.squad_action.rally import Rally, Regroup, morale_of
from caltrop.rules.squad_action.reserves import ReserveRolls
from caltrop.rules.squad_action.routes import is_shaken_up, split
from caltrop.rules.squad_action.setup import SetUp
from caltrop.rules.squad_action.shelling import CallFire, DelayedShells
from caltrop.rules.squad_action.shooting import Shoot
from caltrop.rules.squad_action.smoke import LaySmoke, smoke_drifts, smoke_of
from caltrop.rules.squad_action.transport import Alight, Board
from caltrop.rules.squad_action.victory import PutDown, after_action, end_of_game_turn, has_pilot, put_down

DONE = guard("SQ-ORG-01", "done", "{name:has} been activated this turn")
NOT_HERE = guard("SQ-ORG-04", "not-here", "{name:is} not in play")
FIRST_ITS_OWN = guard(
    "SQ-Q34", "first-its-own", "{name:is} activated first: what comes before its actions is not known yet"
)
TOO_MANY = guard("SQ-ORG-01", "too-many", "{name:has} {count} actions, and not {given}")
TOO_FEW = guard("SQ-ORG-03", "too-few", "All {count} actions of {name} are announced, and not {given} of them")
RALLY_FIRST = guard(("SQ-Q08", "SQ-ORG-07"), "rally-first", "{name:is} Pinned: {name::its} first action is to rally")
NOTHING_AFTER = guard(("SQ-Q03", "SQ-ORG-33"), "nothing-after", "{kind} ends what {name:does}")
STAYS_PUT = guard(("SQ-FMI-04", "SQ-Q03"), "stays-put", "Who calls a fire mission does not move in that turn")
NOT_TWICE = guard("SQ-Q03", "not-twice", "Only a move may be repeated, and not: {kind}")
NOT_ANNOUNCED = guard("SQ-Q49", "not-announced", "{name:has} announced {announced}, and not: {kind}")
ENTERS_FIRST = guard("SQ-S47", "enters-first", "{name:enters} the table with {name::its} first action, a Move")
MUST_ENTER = guard("SQ-ORG-10", "must-enter", "{name:has} arrived, and {name::enters} before the turn ends")
CLOSES_UP = guard("SQ-ORG-13", "closes-up", "{name:is} split: {name::its} next action is a Move that closes it up")
NO_ROLL = guard("SQ-TRT-03", "no-roll", "{name} failed its roll to act: it may only rally")


MOVING: tuple[Kind, ...] = ("move", "assault", "transport")
"""Actions in which the unit moves (SQ-FMI-04)."""
LAST: tuple[Kind, ...] = ("overwatch", "assault")
"""Actions after which there are no more (SQ-Q03)."""


ATTACKS: tuple[Kind, ...] = ("shoot", "assault")
AnyAct = Move | Shoot | Watch | Assault | Board | Alight | CallFire | LaySmoke | Rally
"""Anything that a unit does with an action."""


TRIES = 16
"""How often a sample is drawn before the first option is taken instead."""


class GameTurn(Procedure):
    """A game turn: one turn of each side (SQ-ORG-04), or one that the sides share unit by unit (SQ-Q01)."""

    @step("SQ-ORG-04", "SQ-Q01", "SQ-WPN-01")
    def begin(self, t: Firefight) -> None:
        """The launchers of everybody are loaded again."""
        t.round += 1
        for model in t.models:
            if model.fired:
                t.change_model(model.id, fired=())

    @step("SQ-ORG-04", "SQ-Q01")
    def take(self, t: Firefight) -> Run:
        """Side by side, or unit by unit."""
        return Run(turn_procedure(t))

    @step("SQ-S70", "SQ-S71", "SQ-S72", "SQ-S73", "SQ-S24")
    def count(self, t: Firefight) -> None:
        """The mission counts, and may be over."""
        end_of_game_turn(t)


class SideBySide(Procedure):
    """The first side's turn, then the other's."""

    @step("SQ-ORG-04")
    def first(self, t: Firefight) -> Run:
        """The side that begins has its whole turn."""
        return Run(SideTurn(side=t.first))

    @step("SQ-ORG-04")
    def second(self, t: Firefight) -> Run:
        """Then the other."""
        return Run(SideTurn(side=1 - t.first))


class SideTurn(Procedure):
    """The turn of one side: reserves, its units one by one, and what the enemy's tokens do at its end."""

    side: int

    @step("SQ-ORG-04", "SQ-Q38", "SQ-ORG-08")
    def begin(self, t: Firefight) -> Run:
        """Nobody of the side has acted yet; reserves and delayed shells come first."""
        t.active = self.side
        open_turn(t, (self.side,))
        t.tell(TurnBegan(t.round, self.side))
        return Run(StartOfTurn(sides=(self.side,)))

    @step("SQ-ORG-04", "SQ-Q49")
    def give_order(self, t: Firefight) -> Run | Go:
        """Its units act one by one, in any order, until it ends its turn or all have acted."""
        return Run(Order(side=self.side)) if to_act(t, self.side) else Go("use_tokens")

    @step("SQ-ORG-04")
    def next_unit(self, t: Firefight, went_on: bool) -> Go:
        """Then the next."""
        return Go("give_order" if went_on else "use_tokens")

    @step("SQ-ORG-37")
    def use_tokens(self, t: Firefight) -> Run:
        """What the enemy has left of its tokens may be used now."""
        return Run(LeftOver(side=1 - self.side))

    @step("SQ-ORG-50", "SQ-Q48")
    def end(self, t: Firefight) -> Run:
        """Fights go on that last from turn to turn, and smoke drifts away."""
        return Run(EndOfTurn(sides=(self.side,)))


class SharedTurn(Procedure):
    """A game turn that the sides share, unit by unit (SQ-Q01)."""

    chips: bool

    @step("SQ-Q01")
    def roll_for_it(self, t: Firefight) -> Run:
        """Each game turn both roll for who begins."""
        return Run(RollOff())

    @step("SQ-Q01")
    def begin(self, t: Firefight, winner: int) -> Run:
        """Nobody has acted yet; reserves and delayed shells come first."""
        t.first = t.active = winner
        open_turn(t, (0, 1))
        t.tell(TurnBegan(t.round, None))
        return Run(StartOfTurn(sides=(winner, 1 - winner)))

    @step("SQ-Q01")
    def act(self, t: Firefight) -> Run:
        """The units act by turns, or as their chips are drawn."""
        return Run(ByChips() if self.chips else ByTurns())

    @step("SQ-Q01", "SQ-ORG-37")
    def use_tokens(self, t: Firefight) -> Run:
        """Tokens that are left are used when the game turn ends."""
        return Run(LeftOver(side=t.first))

    @step("SQ-Q01", "SQ-ORG-37")
    def use_their_tokens(self, t: Firefight) -> Run:
        """The other side's too."""
        return Run(LeftOver(side=1 - t.first))

    @step("SQ-Q01", "SQ-Q48")
    def end(self, t: Firefight) -> Run:
        """The game turn is over."""
        return Run(EndOfTurn(sides=(t.first, 1 - t.first)))


class ByTurns(Procedure):
    """The sides take turns with one unit each (house rule `activation`: alternate)."""

    passes: tuple[int, int] = (0, 0)
    """How often each side may still pass."""

    @step("SQ-S62")
    def count_units(self, t: Firefight) -> None:
        """A side with fewer units may pass as often as it has units fewer."""
        a, b = (len(to_act(t, side)) for side in range(SIDES))
        self.passes = (max(b - a, 0), max(a - b, 0))

    @step("SQ-Q01", "SQ-S62")
    def give_order(self, t: Firefight) -> Run | End:
        """The rest follow when one side is done."""
        if not to_act(t, t.active):
            t.active = 1 - t.active
        if not to_act(t, t.active):
            return End()
        may_pass = self.passes[t.active] > 0 and bool(to_act(t, 1 - t.active))
        return Run(Order(side=t.active, ends=False, passes=may_pass))

    @step("SQ-Q01", "SQ-S62")
    def hand_over(self, t: Firefight, acted: bool) -> Go:
        """The other side is next."""
        if not acted:
            left = self.passes[t.active] - 1
            self.passes = (left, self.passes[1]) if t.active == 0 else (self.passes[0], left)
            t.tell(Passed(t.active))
        t.active = 1 - t.active
        return Go("give_order")


class ByChips(Procedure):
    """A chip for each unit is drawn from a bag (house rule `activation`: random_draw)."""

    @step("SQ-Q01")
    def draw(self, t: Firefight) -> Throw | End:
        """Each chip is as likely; a unit that is out of play has none."""
        chips = sum([len(to_act(t, side)) for side in range(SIDES)])
        return Throw(Pool(1, chips), words="The chip that is drawn") if chips else End()

    @step("SQ-Q01")
    def give_order(self, t: Firefight, roll: Roll) -> Run:
        """The side whose chip it is activates a unit of its choice."""
        t.active = int(roll[0] > len(to_act(t, 0)))
        return Run(Order(side=t.active, ends=False))

    @step("SQ-Q01")
    def next_chip(self, t: Firefight) -> Go:
        """Until the bag is empty."""
        return Go("draw")


class Order(Procedure):
    """A side activates a unit; ends with whether it did."""

    side: int
    ends: bool = True
    """Whether it may end its turn instead."""
    passes: bool = False
    """Whether it may pass instead."""
    unit: int = -1
    """The unit that is activated."""

    @step("SQ-ORG-04", "SQ-S62")
    def offer(self, t: Firefight) -> Ask:
        """Which unit, and what does it do?"""
        return ask(Orders(side=self.side, ends=self.ends, passes=self.passes))

    @step("SQ-ORG-01", "SQ-ORG-03", "SQ-ORG-04")
    def obey(self, t: Firefight, choice: Begin | Activate | EndTurn | Pass | PutDown) -> Run | End | Go:
        """The unit is activated; to put the pilot down takes no activation."""
        if isinstance(choice, PutDown):
            put_down(t, choice.unit)
            return Go("offer")
        if isinstance(choice, (EndTurn, Pass)):
            return End(False)
        self.unit = choice.unit
        if isinstance(choice, Activate):
            return Run(Activation(unit=choice.unit))
        return Run(Activation(unit=choice.unit, first=choice.act, then=choice.then, told=True))

    @step("SQ-ORG-04", "SQ-S56")
    def done(self, t: Firefight) -> End:
        """It has acted; a flyer that flies and made no long Move is off."""
        flies_off(t, self.unit)
        close_activation(t, self.unit)
        return End(True)


class Activation(Procedure):
    """What one unit does in its turn: it announces its actions, and carries them out one by one (SQ-ORG-01, 03)."""

    unit: int
    first: AnyAct | None = None
    """The first act, where it was announced already."""
    then: tuple[Kind, ...] = ()
    """Kinds of action that were announced, and are still to come."""
    told: bool = False
    """Whether the announcement was made."""
    did: tuple[Kind, ...] = ()
    """Kinds of action that it has carried out."""
    barred: bool = False
    """Whether Conscripts failed their roll, and may only rally (SQ-Q34)."""

    @step("SQ-ORG-01", "SQ-S30", "SQ-Q60")
    def begin(self, t: Firefight) -> Run:
        """Its overwatch ends, what it travelled is counted anew, and what comes before its actions is done."""
        open_activation(t, self.unit)
        return Run(Prelude(unit=self.unit))

    @step("SQ-ORG-03", "SQ-Q49", "SQ-Q34")
    def announce(self, t: Firefight, may: str) -> Ask | Go | End:
        """It announces what it does: the first act, and the kinds of those that follow."""
        if may == "nothing":
            return End()
        self.barred = may == "rally"
        if self.told:
            return Go("carry_out")
        decision = Announce(side=t.units[self.unit].side, unit=self.unit, only=("rally",) if self.barred else ())
        return ask(decision) if decision.options(t).several() else End()

    @step("SQ-ORG-03", "SQ-Q49")
    def hear(self, t: Firefight, choice: Begin | StandStill) -> End | None:
        """It may also do nothing."""
        if isinstance(choice, StandStill):
            return End()
        self.first, self.then = choice.act, choice.then
        return None

    @step("SQ-ORG-01", "SQ-ORG-05", "SQ-Q49")
    def carry_out(self, t: Firefight) -> Run:
        """An action is carried out."""
        act, self.first = self.first, None
        assert act is not None
        self.did = (*self.did, act.kind)
        t.change(self.unit, acted=t.units[self.unit].acted + 1)
        return Run(act.procedure(t))

    @step("SQ-ORG-06", "SQ-Q49")
    def find_it_gone(self, t: Firefight, carried: bool | str | None) -> Ask | None:
        """A unit that found its target gone has not acted: it chooses another, or does something else."""
        u = t.units[self.unit]
        if carried == UNDONE and u.in_play and not u.broken:
            t.tell(ActLost(self.unit, self.did[-1]))
        if carried is not False or not u.in_play or u.broken:
            return None
        t.change(self.unit, acted=u.acted - 1)
        self.did = self.did[:-1]
        kinds = instead(t, self.unit, self.then, self.did)
        return ask(NextAct(side=u.side, unit=self.unit, kinds=kinds)) if kinds else None

    @step("SQ-ORG-06", "SQ-Q49")
    def choose_again(self, t: Firefight, choice: Any) -> Go | None:
        """It is carried out, or passed up."""
        if choice is None:
            return None
        if isinstance(choice, PassUp):
            t.change(self.unit, acted=t.units[self.unit].acted + 1)
            return None
        self.first = choice
        return Go("carry_out")

    @step("SQ-ORG-01", "SQ-ORG-06", "SQ-ORG-07", "SQ-Q08", "SQ-Q49", "SQ-S33", "SQ-S72")
    def go_on(self, t: Firefight) -> Ask | End:
        """The next action that was announced; who was Pinned meanwhile has to rally with it."""
        after_action(t, self.unit)
        acted = t.units[self.unit].acted
        while True:
            u = t.units[self.unit]
            kinds = what_is_next(t, self.unit, self.then, self.barred, self.did)
            if u.where not in ("table", "aboard") or u.broken or not kinds:
                t.change(self.unit, acted=acted)
                for kind in self.then if u.in_play and not u.broken else ():
                    t.tell(ActLost(self.unit, kind))
                return End()
            # A rally takes the place of what was stopped, and of what was announced only where there is no other left.
            if kinds == self.then[:1]:
                self.then = self.then[1:]
            elif self.then and len(self.then) >= actions_of(t) - u.acted:
                t.tell(ActLost(self.unit, self.then[0]))
                self.then = self.then[1:]
            decision = NextAct(side=u.side, unit=self.unit, kinds=kinds)
            if decision.options(t).several():
                return ask(decision)
            # What cannot be done is lost, and nothing else that was announced.
            t.tell(ActLost(self.unit, kinds[0]))
            t.change(self.unit, acted=u.acted + 1)

    @step("SQ-ORG-01", "SQ-Q49")
    def again(self, t: Firefight, choice: Any) -> Go | End:
        """It is carried out, or passed up."""
        if isinstance(choice, PassUp):
            t.change(self.unit, acted=t.units[self.unit].acted + 1)
            return Go("go_on") if t.units[self.unit].acted < actions_of(t) else End()
        self.first = choice
        return Go("carry_out")


class Prelude(Procedure):
    """What is to be known before a unit announces anything; ends with what it may do: `all`, `rally` or `nothing`."""

    unit: int

    @step("SQ-S23", "SQ-TRT-15")
    def regroup(self, t: Firefight) -> Run | Go:
        """A broken unit tries to regroup, and does nothing else."""
        return Run(Regroup(unit=self.unit)) if t.units[self.unit].broken else Go("hover_or_fly")

    @step("SQ-S23")
    def regrouped(self, t: Firefight) -> End:
        """Its activation is over either way."""
        return End("nothing")

    @step("SQ-S56")
    def hover_or_fly(self, t: Firefight) -> Ask | Go:
        """A flyer on the table, or one that enters it, says whether it hovers."""
        u = t.units[self.unit]
        there = u.in_play or has_to_enter(t, u.id)
        return ask(HoverOrFly(side=u.side, unit=u.id)) if u.kind == "flyer" and there else Go("roll")

    @step("SQ-S56", "SQ-ORG-63")
    def settle(self, t: Firefight, choice: Hover) -> None:
        """It holds until its next activation."""
        t.change(self.unit, hovering=choice.hovers)

    @step("SQ-TRT-03", "SQ-Q34")
    def roll(self, t: Firefight) -> Throw | End:
        """Conscripts roll against their Morale."""
        u = t.units[self.unit]
        if not rolls_to_act(t, self.unit):
            return End("all")
        return Throw(
            Pool(dice_of_a_check(t)),
            reads=reading_of_a_check(t, morale_of(t, u.id), officer_adds(t, officer_near(t, u.id))),
            side=u.side,
            words=f"{does(u.name, 'rolls')} to act: {needs(t, morale_of(t, u.id))}",
        )

    @step("SQ-TRT-03", "SQ-Q34", "SQ-S21")
    def obey_or_not(self, t: Firefight, roll: Roll) -> End:
        """An Officer near by helps; who fails may only try to rally."""
        parts = officer_adds(t, officer_near(t, self.unit))
        passed = passes(t, roll, morale_of(t, self.unit), parts)
        t.tell(RolledToAct(self.unit, roll, passed))
        return End("all" if passed else "rally" if t.units[self.unit].pinned else "nothing")


class RollOff(Procedure):
    """Both sides roll a die; ends with the side that rolled higher (SQ-Q01)."""

    south: int = 0

    @step("SQ-Q01")
    def roll(self, t: Firefight) -> Throw:
        """A die each; equal ones are thrown again."""
        return Throw(Pool(1), side=0, words=f"For the first turn: {t.field.names[0]}")

    @step("SQ-Q01")
    def answer(self, t: Firefight, roll: Roll) -> Throw:
        """The other side's."""
        self.south = roll[0]
        return Throw(Pool(1), side=1, words=f"For the first turn: {t.field.names[1]}")

    @step("SQ-Q01")
    def compare(self, t: Firefight, roll: Roll) -> Go | End:
        """The higher wins."""
        a, b = self.south, roll[0]
        if a == b:
            return Go("roll")
        t.tell(WonRollOff(int(b > a), (a, b)))
        return End(int(b > a))


class StartOfTurn(Procedure):
    """What comes before the units of some sides act: shells that are still in the air, and reserves."""

    sides: tuple[int, ...]

    @step("SQ-Q38")
    def land(self, t: Firefight) -> Run:
        """Fire missions that were called a turn ago take effect."""
        return Run(DelayedShells(sides=self.sides))

    @step("SQ-ORG-08", "SQ-S47")
    def roll_for_reserves(self, t: Firefight) -> Run:
        """Reserves are rolled for, all at the start of their side's turn."""
        return Run(ReserveRolls(sides=self.sides))


class EndOfTurn(Procedure):
    """What comes when the units of some sides have acted."""

    sides: tuple[int, ...]

    @step("SQ-Q48")
    def fight_on(self, t: Firefight) -> Run:
        """Close quarters that last from turn to turn go on."""
        return Run(FightsGoOn())

    @step("SQ-ORG-50", "SQ-Q58")
    def clear_smoke(self, t: Firefight) -> None:
        """Smoke drifts away that has lain its time."""
        smoke_drifts(t, self.sides)


class Game(Procedure):
    """A whole firefight: who is first, set-up, and game turn after game turn."""

    @step("SQ-Q01", "SQ-S71", "SQ-S73")
    def roll_for_first(self, t: Firefight) -> Run | Go:
        """Both roll, and the higher chooses; where somebody defends, the attacker acts first."""
        if t.field.defender is not None:
            t.first = 1 - t.field.defender
            return Go("set_up")
        return Run(RollOff())

    @step("SQ-Q01")
    def ask_for_first(self, t: Firefight, winner: int) -> Ask:
        """It holds for every game turn."""
        return ask(WhoIsFirst(side=winner))

    @step("SQ-Q01")
    def take_first(self, t: Firefight, choice: TakeFirst) -> None:
        """The side is named."""
        t.first = choice.side

    @step("SQ-S70", "SQ-TRT-13", "SQ-ORG-47")
    def set_up(self, t: Firefight) -> Run:
        """Hedges, smoke, deployment, and the moves of Recon."""
        t.active = t.first
        return Run(SetUp())

    @step("SQ-ORG-04")
    def take_turn(self, t: Firefight) -> Run:
        """A game turn."""
        return Run(GameTurn())

    @step("SQ-ORG-04")
    def again(self, t: Firefight) -> Go:
        """Until the mission says that it is over."""
        return Go("take_turn")


# --- what may be announced -------------------------------------------------------------------------------------------


def actions_of(t: Firefight) -> int:
    """How many actions a unit has (SQ-ORG-01, SQ-Q02)."""
    return int(t.book.rules["actions_per_activation"])


@rule("SQ-ORG-03", "SQ-Q49", stages=("house",))
def announces_all(t: Firefight) -> bool:
    """All actions are announced before the first is carried out."""
    return True


@announces_all.amended_by("SQ-Q49", stage="house", house={"announce_both": "off"})
def each_in_its_time(found: bool, t: Firefight) -> bool:
    """House rule: each action is chosen when its turn comes."""
    return False


@rule("SQ-ORG-02", "SQ-Q03", stages=("house",))
def may_repeat(t: Firefight, kind: Kind) -> bool:
    """The same action may be done twice, two volleys included."""
    return True


@may_repeat.amended_by("SQ-Q03", stage="house", house={"repeat_shoot": "off"})
def only_moves_are_repeated(found: bool, t: Firefight, kind: Kind) -> bool:
    """House rule: only a move may be repeated; a Pinned unit may try to rally again."""
    return kind in ("move", "rally")


def why_not_in_order(t: Firefight, unit: int, kinds: Sequence[Kind], did: Sequence[Kind] = ()) -> Refusal | None:
    """Why a unit may not do some actions in this order, after what it did in this activation; None where it may."""
    u = t.units[unit]
    if kinds and u.pinned and t.units[unit].acted == 0:
        found = RALLY_FIRST.refuses(kinds[0] != "rally", name=u.name)
        if found is not None:
            return found
    elif kinds and kinds[0] != "move":
        found = ENTERS_FIRST.refuses(u.where == "reserve", name=u.name) or CLOSES_UP.refuses(
            split(t, unit), name=u.name
        )
        if found is not None:
            return found
    for n, kind in enumerate(kinds):
        found = (
            NOTHING_AFTER.refuses(kind in LAST and n < len(kinds) - 1, kind=IN_WORDS[kind], name=u.name)
            or NOT_TWICE.refuses(kind in (*did, *kinds[:n]) and not may_repeat(t, kind), kind=IN_WORDS[kind])
            or STAYS_PUT.refuses("mission" in (*did, *kinds) and kind in MOVING)
            or STAYS_PUT.refuses(kind == "mission" and any(k in MOVING for k in did))
        )
        if found is not None:
            return found
    return None


def what_may_follow(t: Firefight, unit: int, first: Kind) -> tuple[tuple[Kind, ...], ...]:
    """What may be announced after a first action, in canonical order: nothing where there is nothing more."""
    if first in LAST or not announces_all(t):
        return ((),)
    rest = actions_of(t) - 1 - t.units[unit].acted
    found: list[tuple[Kind, ...]] = [()]
    for _ in range(max(rest, 0)):
        longer: list[tuple[Kind, ...]] = []
        for begun in found:
            if begun and begun[-1] in LAST:
                longer.append(begun)
                continue
            longer += [
                (*begun, kind) for kind in KINDS_OF_ACT if why_not_in_order(t, unit, (first, *begun, kind)) is None
            ]
        found = longer
    return tuple(found)


def ends_activation(act: AnyAct) -> bool:
    """Return whether nothing can follow an act, as the unit is aboard a transport or off the table after it."""
    return isinstance(act, Board) or (isinstance(act, Move) and act.off)


def announced_after(t: Firefight, unit: int, act: AnyAct) -> tuple[tuple[Kind, ...], ...]:
    """Return what may be announced after a first act, in canonical order."""
    return ((),) if ends_activation(act) else what_may_follow(t, unit, act.kind)


# --- who acts --------------------------------------------------------------------------------------------------------


def to_act(t: Firefight, side: int) -> list[Unit]:
    """The units of a side that have not been activated: on the table, due to enter it, or aboard."""
    return [
        u
        for u in t.units
        if u.side == side
        and not u.activated
        and not u.locked
        and (u.where == "table" or (u.where == "reserve" and u.due) or (u.where == "aboard" and _may_leave(t, u)))
    ]


def _may_leave(t: Firefight, u: Unit) -> bool:
    """Whether the unit that carries one is on the table."""
    return u.carrier is not None and t.units[u.carrier].where == "table"


@rule("SQ-TRT-03", "SQ-Q34", stages=("house",))
def rolls_to_act(t: Firefight, unit: int) -> bool:
    """Conscripts roll before they announce anything, save when they enter the table (SQ-S47)."""
    return "conscript" in t.units[unit].traits and t.units[unit].where != "reserve"


@rolls_to_act.amended_by("SQ-Q34", stage="house", house={"conscripts": "off"})
def conscripts_act_at_will(found: bool, t: Firefight, unit: int) -> bool:
    """House rule: Conscripts act as others do."""
    return False


def has_to_enter(t: Firefight, unit: int) -> bool:
    """Whether a unit has arrived from reserve, is off the table still, and finds a way onto it."""
    u = t.units[unit]
    return u.where == "reserve" and u.due and Move.some(Doings(t, unit))


def has_prelude(t: Firefight, unit: int) -> bool:
    """Whether something comes before a unit's announcement that is to be known first."""
    u = t.units[unit]
    return u.broken or u.kind == "flyer" or rolls_to_act(t, unit)


@rule("SQ-ORG-04", "SQ-Q01", stages=("house",))
def turn_procedure(t: Firefight) -> Procedure:
    """One side activates all its units, then the other."""
    return SideBySide()


@turn_procedure.amended_by("SQ-Q01", stage="house", house={"activation": "alternate"})
def sides_alternate(found: Procedure, t: Firefight) -> Procedure:
    """House rule: the sides take turns with one unit each; the rest follow when one side is done."""
    return SharedTurn(chips=False)


@turn_procedure.amended_by("SQ-Q01", stage="house", house={"activation": "random_draw"})
def chips_are_drawn(found: Procedure, t: Firefight) -> Procedure:
    """House rule: a chip for each unit is drawn from a bag."""
    return SharedTurn(chips=True)


# --- an activation ---------------------------------------------------------------------------------------------------


NOTHING_DONE: dict[str, Any] = {
    "acted": 0,
    "travelled": 0,
    "moved": False,
    "moves": 0,
    "jumped": False,
    "flown": False,
    "rode": False,
    "dazed": False,
    "crept": False,
    "shot": False,
}
"""What a unit has done in its activation, as the activation begins."""


def open_activation(t: Firefight, unit: int) -> None:
    """A unit is activated: its overwatch ends, and what it does is counted anew (SQ-S30, SQ-Q60)."""
    lose_overwatch(t, unit)
    smoke_of(t, unit)
    t.change(unit, activated=True, **NOTHING_DONE)


def close_activation(t: Firefight, unit: int) -> None:
    """An activation is over: what bars a unit from an act in the same activation is forgotten."""
    t.change(unit, moves=0, jumped=False, flown=False, rode=False, dazed=False)


def opened(t: Firefight, unit: int) -> Firefight:
    """Return the firefight in which a unit carries out the first act of its activation.

    Until then the unit shows what it did in its last activation, which counts for those who shoot at it, and says
    nothing of what it may do next. A unit that is activated already is looked at as it is.
    """
    if t.units[unit].activated:
        return t
    begun = t.clone()
    begun.told = None
    open_activation(begun, unit)
    if begun.clouds == t.clouds:
        # Nobody has moved, so what is kept of places still holds.
        begun.stamp = t.stamp
    return begun


@rule("SQ-ORG-07", "SQ-Q08", "SQ-Q49", "SQ-ORG-26", "SQ-ORG-13", stages=("house",))
def what_is_next(
    t: Firefight, unit: int, announced: tuple[Kind, ...], barred: bool, did: tuple[Kind, ...] = ()
) -> tuple[Kind, ...]:
    """The kinds of action that a unit may carry out next: what it announced, or a rally where it is Pinned."""
    u = t.units[unit]
    if u.acted >= actions_of(t):
        return ()
    if u.pinned or barred:
        return ("rally",) if u.pinned else ()
    if split(t, unit):
        return ("move",) if announced or not announces_all(t) else ()
    if announced:
        return announced[:1] if may_attack(t, unit) or announced[0] not in ATTACKS else ()
    if announces_all(t):
        return ()
    every = KINDS_OF_ACT if may_attack(t, unit) else tuple([kind for kind in KINDS_OF_ACT if kind not in ATTACKS])
    return tuple([kind for kind in every if why_not_in_order(t, unit, (kind,), did) is None])


@rule("SQ-ORG-06", "SQ-Q49")
def instead(t: Firefight, unit: int, announced: tuple[Kind, ...], did: tuple[Kind, ...] = ()) -> tuple[Kind, ...]:
    """What a unit that found its target gone may do, before what else it announced."""
    free = [kind for kind in KINDS_OF_ACT if may_attack(t, unit) or kind not in ATTACKS]
    return tuple([kind for kind in free if why_not_in_order(t, unit, (kind, *announced), did) is None])


@rule("SQ-S45")
def may_attack(t: Firefight, unit: int) -> bool:
    """Who has left a transport that went more than 8 inches neither shoots nor assaults with its other action."""
    return not is_shaken_up(t, unit)


@what_is_next.amended_by("SQ-Q08", stage="house", house={"pinned_may_shoot": "on"})
def a_pinned_unit_may_shoot(
    kinds: tuple[Kind, ...],
    t: Firefight,
    unit: int,
    announced: tuple[Kind, ...],
    barred: bool,
    did: tuple[Kind, ...] = (),
) -> tuple[Kind, ...]:
    """House rule: after a try to rally that failed a Pinned unit may shoot, or lay smoke."""
    return (*kinds, "shoot", "smoke") if kinds == ("rally",) and t.units[unit].acted > 0 and not barred else kinds


def open_turn(t: Firefight, sides: Sequence[int]) -> None:
    """Nobody of some sides has acted or shot yet (SQ-ORG-04, SQ-Q62)."""
    for u in t.units:
        if u.side in sides and (u.activated or u.acted or u.shot):
            t.change(u.id, activated=False, acted=0, shot=False)
    t.called[:] = [side for side in t.called if side not in sides]


# --- what is asked ---------------------------------------------------------------------------------------------------


class Begin(Action, frozen=True):
    """Activate a unit, do an act, and announce what follows it."""

    unit: int
    act: AnyAct
    then: tuple[Kind, ...] = ()


class Activate(Action, frozen=True):
    """Activate a unit of which something is to be known before it announces anything."""

    unit: int


class StandStill(Action, frozen=True):
    """Do nothing with the unit."""


class PassUp(Act, frozen=True):
    """Do not carry out the action that was announced."""

    words = "Pass it up"
    final = True


class Pass(Action, frozen=True):
    """Activate nobody this time."""


class EndTurn(Action, frozen=True):
    """Activate no more units this turn."""


class Hover(Action, frozen=True):
    """Hover until the next activation, or fly."""

    hovers: bool


class HoverOrFly(Offered, frozen=True, kw_only=True):
    """Does the flyer hover?"""

    unit: int
    clauses: ClassVar[tuple[str, ...]] = ("SQ-S56", "SQ-ORG-63")
    hint: ClassVar[str] = "Who hovers moves 8 inches at most and is easier to hit, but may let passengers out."

    def options(self, t: Firefight) -> Listed:
        """Either."""
        return Listed([Hover(False), Hover(True)], clause="SQ-S56")

    def prompt(self, t: Firefight) -> str:
        """The question."""
        return f"{t.units[self.unit].name}: hover, or fly on?"

    def offers(self, t: Firefight) -> list[Offer]:
        """Either, in words."""
        return [
            Offer(action=Hover(False), words="Fly: a move of 12 inches or more", unit=self.unit),
            Offer(action=Hover(True), words="Hover: 8 inches at most", unit=self.unit),
        ]


SOONEST: tuple[Kind, ...] = ("overwatch", "rally", "move", "smoke", "shoot", "transport", "assault", "mission")
"""Every kind of act, those first that are soon known to be open."""


class BeginOptions(Options):
    """How some units may begin: their acts, with what may be announced after each."""

    __slots__ = ("_doings", "besides", "only", "t", "units")

    def __init__(self, t: Firefight, units: Sequence[int], besides: Sequence[Any], only: Sequence[Kind] = ()) -> None:
        self.t, self.units, self.besides, self.only = t, tuple(units), tuple(besides), tuple(only)
        self._doings: dict[int, Doings] = {}

    def doings(self, unit: int) -> Doings:
        """Return what a unit may do first, in the firefight in which it does it."""
        found = self._doings.get(unit)
        if found is None:
            t = opened(self.t, unit)
            kinds = [kind for kind in self.only or KINDS_OF_ACT if why_not_in_order(t, unit, (kind,)) is None]
            found = self._doings[unit] = Doings(t, unit, kinds=kinds)
        return found

    def kinds(self, unit: int) -> tuple[Kind, ...]:
        """Return what a unit may do first."""
        return self.doings(unit).kinds

    def begun(self, unit: int) -> Firefight:
        """Return the firefight in which a unit does its first act."""
        t: Firefight = self.doings(unit).t
        return t

    def refusal(self, action: Any) -> Refusal | None:
        """Why a unit may not begin so; the nearest way to begin goes with it."""
        if action in self.besides:
            return None
        found = self._wrong(action)
        if found is None:
            return None
        if isinstance(action, Begin) and found.nearest is not None and not isinstance(found.nearest, Begin):
            near = Begin(action.unit, found.nearest, action.then)
            found = found.towards(near if self._wrong(near) is None else None)
        return found if found.nearest is not None else found.towards(self._near(action) or self.first())

    def _near(self, action: Any) -> Begin | None:
        """The same act with something else announced after it, as much as may be of what was said."""
        if not isinstance(action, Begin) or action.unit not in self.units:
            return None
        follows = announced_after(self.begun(action.unit), action.unit, action.act)
        said = sorted(follows, key=lambda then: -sum([a == b for a, b in zip(then, action.then, strict=False)]))
        return next((b for then in said if self._wrong(b := Begin(action.unit, action.act, then)) is None), None)

    def _wrong(self, action: Any) -> Refusal | None:
        t = self.t
        unit = getattr(action, "unit", None)
        if not isinstance(action, Begin) or unit is None:
            return _not_here(type(action).__name__)
        if unit not in self.units:
            return _why_not_now(t, unit)
        if getattr(action.act, "unit", None) != unit:
            return NOT_YOURS.refuses(True)
        kind, t = action.act.kind, self.begun(unit)
        given = 1 + len(action.then)
        whole = announced_after(t, unit, action.act)
        longest = 1 + max([len(w) for w in whole], default=0)
        name, count = t.units[unit].name, actions_of(t)
        return (
            _only(self.only, kind, name)
            or why_not_in_order(t, unit, (kind, *action.then))
            or TOO_MANY.refuses(given > longest, name=name, count=longest, given=given)
            or TOO_FEW.refuses(action.then not in whole, name=name, count=count, given=given)
            or self.doings(unit).refusal(action.act)
        )

    def __iter__(self) -> Iterator[Any]:
        """What else there is, then each unit with its acts, each with what may follow."""
        yield from self.besides
        for unit in self.units:
            o = self.doings(unit)
            for kind in o.kinds:
                follows = what_may_follow(o.t, unit, kind)
                for act in o.of_kind(kind) if follows else ():
                    for then in ((),) if ends_activation(act) else follows:
                        yield Begin(unit, act, then)

    def sample(self, dice: Dice) -> Any:
        """Something else as likely as any one unit; else a unit, a kind, an act, and what follows."""
        every = len(self.units) + bool(self.besides)
        for _ in range(TRIES):
            which = dice.below(every)
            if which >= len(self.units):
                return self.besides[dice.below(len(self.besides))]
            unit = self.units[which]
            o = self.doings(unit)
            if not o.kinds:
                continue
            kind = o.kinds[dice.below(len(o.kinds))]
            follows = what_may_follow(o.t, unit, kind)
            act = o.drawn(kind, dice) if follows else None
            if act is not None:
                then = follows[dice.below(len(follows))]
                return Begin(unit, act, () if ends_activation(act) else then)
        return self.first()

    def several(self) -> bool:
        """Whether there is more than one thing to do: what needs no search for ways and targets is asked first."""
        found = len(self.besides)
        for kind in SOONEST:
            for unit in self.units:
                if found > 1:
                    return True
                o = self.doings(unit)
                follows = what_may_follow(o.t, unit, kind) if kind in o.kinds else ()
                if follows:
                    found += len(follows) * len(list(islice(o.of_kind(kind), 2)))
        return found > 1


def _not_here(kind: str) -> Refusal:
    return not_an_option("SQ-ORG-04", f"{kind} is not one of the choices here")


def _only(only: Sequence[Kind], kind: Kind, name: str) -> Refusal | None:
    return NO_ROLL.refuses(bool(only) and kind not in only, name=name)


def _why_not_now(t: Firefight, unit: Any) -> Refusal:
    """Why a unit is not among those that may be activated."""
    if type(unit) is not int or not 0 <= unit < len(t.units):
        return _not_here("This")
    u = t.units[unit]
    return (
        NOT_YOURS.refuses(u.side != t.active)
        or DONE.refuses(u.activated, name=u.name)
        or FIRST_ITS_OWN.refuses(has_prelude(t, unit), name=u.name)
        or NOT_HERE.refuses(True, name=u.name)
        or _not_here("This")
    )


class Orders(Offered, frozen=True, kw_only=True):
    """Which unit acts, and what does it do?"""

    ends: bool = True
    passes: bool = False
    clauses: ClassVar[tuple[str, ...]] = ("SQ-ORG-01", "SQ-ORG-03", "SQ-ORG-04")
    hint: ClassVar[str] = (
        "Each unit has two actions. Say what it does first, and what after that: the kind of the second action binds, "
        "its target does not."
    )

    def options(self, t: Firefight) -> OrderOptions:
        """Every unit that has not acted, with all that it may do."""
        return OrderOptions(t, self)

    def prompt(self, t: Firefight) -> str:
        """The question."""
        left = len(to_act(t, self.side))
        return f"Which unit acts? {left} {agreeing(left, 'has')} not acted yet"

    def offers(self, t: Firefight) -> Sequence[Offer]:
        """What is not open, each with what may follow."""
        return begin_offers(t, self.options(t))

    def regions(self, t: Firefight) -> Sequence[Region]:
        """The open choices of every unit."""
        return begin_regions(self.options(t))

    def propose(self, t: Firefight, wish: Wish) -> Proposal:
        """A drag of a unit, as its first act."""
        return begin_proposal(self.options(t), wish) or super().propose(t, wish)

    def pick_up(self, t: Firefight, unit: int, act: str = "") -> PickedUp | None:
        """What is around a unit that is picked up."""
        return begin_pick_up(self.options(t), unit, act)

    def told(self, t: Firefight, action: Any) -> Offer:
        """What was ordered, in words."""
        return told_of(t, action)


class OrderOptions(BeginOptions):
    """What a side may order."""

    __slots__ = ("decision", "due")

    def __init__(self, t: Firefight, decision: Orders) -> None:
        units = [u.id for u in to_act(t, decision.side)]
        early = [Activate(u) for u in units if has_prelude(t, u)]
        self.due = next((u for u in units if has_to_enter(t, u)), None)
        besides: list[Any] = [EndTurn()] if decision.ends and not MUST_ENTER(self.due is not None) else []
        besides += [Pass()] if decision.passes else []
        carrier = has_pilot(t, decision.side)
        besides += [PutDown(carrier)] if carrier is not None else []
        super().__init__(t, [u for u in units if not has_prelude(t, u)], [*besides, *early])
        self.decision = decision
        if not self.besides and next(super().__iter__(), None) is None:
            # Nobody can do anything, and the turn is not theirs to end: one unit spends its activation on nothing.
            self.besides = tuple([Activate(u) for u in units])

    def _wrong(self, action: Any) -> Refusal | None:
        """The same; nobody ends a turn before those have entered who have arrived."""
        if isinstance(action, EndTurn) and self.due is not None:
            return MUST_ENTER.refuses(self.decision.ends, name=self.t.units[self.due].name) or super()._wrong(action)
        return super()._wrong(action)


class Announce(Offered, frozen=True, kw_only=True):
    """What does the unit do?"""

    unit: int
    only: tuple[Kind, ...] = ()
    clauses: ClassVar[tuple[str, ...]] = ("SQ-ORG-03", "SQ-Q49", "SQ-Q34")
    hint: ClassVar[str] = "Say what it does first, and what after that; or nothing at all."

    def options(self, t: Firefight) -> BeginOptions:
        """All that it may do, or nothing."""
        return BeginOptions(t, (self.unit,), () if has_to_enter(t, self.unit) else (StandStill(),), self.only)

    def prompt(self, t: Firefight) -> str:
        """The question."""
        return f"What {agreeing(t.units[self.unit].name, 'does')} {t.units[self.unit].name} do?"

    def offers(self, t: Firefight) -> Sequence[Offer]:
        """What is not open."""
        return begin_offers(t, self.options(t))

    def regions(self, t: Firefight) -> Sequence[Region]:
        """The open choices."""
        return begin_regions(self.options(t))

    def propose(self, t: Firefight, wish: Wish) -> Proposal:
        """A drag, as the first act."""
        return begin_proposal(self.options(t), wish) or super().propose(t, wish)

    def pick_up(self, t: Firefight, unit: int, act: str = "") -> PickedUp | None:
        """What is around the unit when it is picked up."""
        return begin_pick_up(self.options(t), unit, act)

    def told(self, t: Firefight, action: Any) -> Offer:
        """What was announced, in words."""
        return told_of(t, action)


class NextOptions(Doings):
    """How the next action may be carried out."""

    def __init__(self, t: Firefight, decision: NextAct) -> None:
        unit = decision.unit
        super().__init__(t, unit, t.units[unit].acted > 0, decision.kinds)
        self.acts = (PassUp, *self.acts)

    def refusal(self, action: Any) -> Refusal | None:
        """Return why it may not be carried out so, with the nearest way."""
        if isinstance(action, PassUp):
            return None
        if not isinstance(action, UnitAct) or action.unit != self.unit:
            return _not_here(type(action).__name__).towards(self.first())
        found = NOT_ANNOUNCED.refuses(
            action.kind not in self.kinds,
            name=name_of(self.t, self.unit),
            announced=" or ".join(IN_WORDS[k] for k in self.kinds),
            kind=IN_WORDS[action.kind],
        ) or super().refusal(action)
        return found if found is None or found.nearest is not None else found.towards(self.first())

    def sample(self, dice: Dice) -> Any:
        """Pass it up one time in eight; else return an act."""
        act = self.drawn(self.kinds[dice.below(len(self.kinds))], dice) if dice.below(8) else None
        return PassUp() if act is None else act


class NextAct(OneOf, frozen=True, kw_only=True):
    """How is the next action carried out?"""

    unit: int
    kinds: tuple[Kind, ...]
    clauses: ClassVar[tuple[str, ...]] = ("SQ-ORG-01", "SQ-Q49", "SQ-ORG-07")
    hint: ClassVar[str] = "Choose the place or the target now, or skip it."

    def options(self, t: Firefight) -> NextOptions:
        """Every way to carry it out, or to pass it up."""
        return NextOptions(t, self)

    def prompt(self, t: Firefight) -> str:
        """The question."""
        what = " or ".join(IN_WORDS[k].lower() for k in self.kinds)
        return f"{t.units[self.unit].name}, next: {what}"


def in_order(kinds: Sequence[Kind]) -> str:
    """Kinds of action in words: `move, then shoot`."""
    return ", then ".join(IN_SHORT[k] for k in kinds)


def begin_offers(t: Firefight, options: BeginOptions) -> list[Offer]:
    """What is not open of how units may begin, each with what may follow it."""
    found = [told_of(t, a) for a in options.besides]
    for unit in options.units:
        o = options.doings(unit)
        for act in o.acts:
            follows = usual_first(act.kind, what_makes_sense(o.t, unit, act.kind))
            for offer in [one.offer(o) for one in act.offered(o)] if follows else ():
                for then in [()] if ends_activation(offer.action) else follows:
                    found.append(
                        msgspec.structs.replace(
                            offer,
                            action=Begin(unit, offer.action, then),
                            group=offer.group or t.units[unit].name,
                            **followed(offer.words, then),
                        )
                    )
    return found


def begin_regions(options: BeginOptions) -> list[Region]:
    """The open choices of how units may begin, one for each thing that may follow."""
    found: list[Region] = []
    for unit in options.units:
        o = options.doings(unit)
        for act in o.acts:
            for region in act.regions(o):
                for then in usual_first(act.kind, what_makes_sense(o.t, unit, act.kind)):
                    name = "+".join((region.act or act.kind, *then))
                    found.append(msgspec.structs.replace(region, act=name, **followed(region.words, then)))
    return found


def followed(words: str, then: Sequence[Kind]) -> dict[str, str]:
    """Return the words for an act and what follows, and for the act alone if something does."""
    return {"words": f"{words}, then {in_order(then)}", "first": words} if then else {"words": words}


def begin_proposal(options: BeginOptions, wish: Wish) -> Proposal | None:
    """What a drag of a unit comes to as its first act; `act` of the wish names what follows, as in `move+shoot`."""
    if wish.unit not in options.units:
        return None
    name, _, rest = wish.act.partition("+")
    o = options.doings(wish.unit)
    for act in as_dragged(o.acts):
        found: Proposal | None = act.propose(o, msgspec.structs.replace(wish, act=name))
        if found is None:
            continue
        follows = what_may_follow(o.t, wish.unit, act.kind)
        if found.action is not None and ends_activation(found.action):
            follows, rest = ((),), ""
        sensible = what_makes_sense(o.t, wish.unit, act.kind)
        named = tuple(rest.split("+")) if rest else usual_after(act.kind, sensible)
        then: Any = named if named in follows else next(iter(follows), ())
        if found.action is None:
            near = None if found.refusal is None else found.refusal.nearest
            if near is not None and not isinstance(near, Begin):
                whole = Begin(wish.unit, near, then)
                refusal = found.refusal and found.refusal.towards(whole if whole in options else None)
                found = msgspec.structs.replace(found, refusal=refusal)
            return found
        return msgspec.structs.replace(found, action=Begin(wish.unit, found.action, then))
    return None


def what_makes_sense(t: Firefight, unit: int, first: Kind) -> list[tuple[Kind, ...]]:
    """Of what may be announced after a first action what the unit could come to do; all of it where that is nothing."""
    follows = what_may_follow(t, unit, first)
    able = {kind for kind in KINDS_OF_ACT if any(act.is_open_to(t, unit) for act in ACTS[kind])}
    return [then for then in follows if able.issuperset(then)] or list(follows)


def usual_after(kind: Kind, follows: Sequence[tuple[Kind, ...]]) -> tuple[Kind, ...]:
    """What most people would announce after an action, until they say otherwise."""
    wanted: tuple[Kind, ...] = ("shoot", "move", "overwatch")
    for second in wanted:
        for then in follows:
            if then[:1] == (second,):
                return then
    return follows[0] if follows else ()


def usual_first(kind: Kind, follows: Sequence[tuple[Kind, ...]]) -> list[tuple[Kind, ...]]:
    """What may follow, with what most people would announce at the head."""
    usual = usual_after(kind, follows)
    return sorted(follows, key=lambda then: then != usual)


def begin_pick_up(options: BeginOptions, unit: int, act: str) -> PickedUp | None:
    """What is around a unit that is picked up."""
    if unit not in options.units:
        return None
    first, o = act.partition("+")[0], options.doings(unit)
    picked = (one.pick_up(o, unit, "" if first == one.kind else first) for one in o.acts)
    return next((found for found in picked if found is not None), None)


def told_of(t: Firefight, action: Any) -> Offer:
    """An order in words."""
    if isinstance(action, Begin):
        kinds: tuple[Kind, ...] = (action.act.kind, *action.then)
        return Offer(action=action, words=f"{t.units[action.unit].name}: {in_order(kinds)}", unit=action.unit)
    if isinstance(action, Activate):
        return Offer(action=action, words=f"Activate {t.units[action.unit].name}", unit=action.unit)
    if isinstance(action, PutDown):
        return Offer(action=action, words="Put the pilot down", group=t.units[action.unit].name, unit=action.unit)
    words = {
        EndTurn: "End the turn: nobody else acts",
        Pass: "Pass: activate nobody this time",
        StandStill: "Do nothing",
    }.get(type(action), type(action).__name__)
    return Offer(action=action, words=words, final=True)


class TakeFirst(Action, frozen=True):
    """Say which side has the first turn of every game turn."""

    side: int


class WhoIsFirst(Offered, frozen=True, kw_only=True):
    """Which side has the first turn?"""

    clauses: ClassVar[tuple[str, ...]] = ("SQ-Q01",)
    hint: ClassVar[str] = "Who acts second places the first unit, and sees what the other does."

    def options(self, t: Firefight) -> Listed:
        """Oneself or the other."""
        return Listed([TakeFirst(self.side), TakeFirst(1 - self.side)], clause="SQ-Q01")

    def prompt(self, t: Firefight) -> str:
        """The question."""
        return "You won the roll: which side has the first turn?"

    def offers(self, t: Firefight) -> list[Offer]:
        """Both, in words."""
        return [
            Offer(action=TakeFirst(self.side), words="Have the first turn"),
            Offer(action=TakeFirst(1 - self.side), words=f"Leave it to {t.field.names[1 - self.side]}"),
        ]


# --- what is told ----------------------------------------------------------------------------------------------------


class TurnBegan(Event, frozen=True):
    """A side's turn began, or a game turn that the sides share."""

    turn: int
    side: int | None
    clauses: ClassVar[tuple[str, ...]] = ("SQ-ORG-04", "SQ-Q01")
    begins: ClassVar[bool] = True

    def sentence(self, t: Firefight) -> str:
        """Whose turn it is."""
        whose = "" if self.side is None else f": {t.field.names[self.side]}"
        return f"Turn {self.turn}{whose}"


class WonRollOff(Event, frozen=True):
    """The dice have decided who begins, or who may say so."""

    side: int
    faces: tuple[int, int]
    clauses: ClassVar[tuple[str, ...]] = ("SQ-Q01",)

    def sentence(self, t: Firefight) -> str:
        """Who has won."""
        return f"{t.field.names[self.side]} wins the roll, {max(self.faces)} to {min(self.faces)}"


class Passed(Event, frozen=True):
    """A side activated nobody."""

    side: int
    clauses: ClassVar[tuple[str, ...]] = ("SQ-S62",)

    def sentence(self, t: Firefight) -> str:
        """Who passed."""
        return f"{t.field.names[self.side]} passes"


class ActLost(Event, frozen=True):
    """A unit can no longer do what it announced."""

    unit: int
    kind: Kind
    clauses: ClassVar[tuple[str, ...]] = ("SQ-Q49",)

    def sentence(self, t: Firefight) -> str:
        """Which act."""
        return f"{t.units[self.unit].name} can no longer {IN_WORDS[self.kind].lower()}"


class RolledToAct(Event, frozen=True):
    """Conscripts rolled before they acted."""

    unit: int
    faces: tuple[int, ...]
    passed: bool
    clauses: ClassVar[tuple[str, ...]] = ("SQ-TRT-03", "SQ-Q34")

    def sentence(self, t: Firefight) -> str:
        """Whether they act."""
        return does(t.units[self.unit].name, "obeys" if self.passed else "will not act")
