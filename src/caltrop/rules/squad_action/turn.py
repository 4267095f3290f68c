"""The turn: which side is first, the activations of its units, and their announced actions (SQ-ORG-01 to 07)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from caltrop.asking import Offer, Offered
from caltrop.chance import Pool, Roll
from caltrop.engine import (
    Action,
    Ask,
    End,
    Event,
    Go,
    Listed,
    Procedure,
    Run,
    Throw,
    ask,
    back,
    rule,
    step,
)
from caltrop.rules.squad_action.activation import (
    ActLost,
    NextAct,
    PassUp,
    Prelude,
    PutDownHere,
    actions_of,
    announces_all,
    close_activation,
    instead,
    open_activation,
    what_is_next,
)
from caltrop.rules.squad_action.acts import (
    UNDONE,
    Kind,
)
from caltrop.rules.squad_action.close_quarters import FightsGoOn
from caltrop.rules.squad_action.movement import flies_off
from caltrop.rules.squad_action.orders import (
    Activate,
    Announce,
    AnyAct,
    Begin,
    EndTurn,
    Orders,
    Pass,
    StandStill,
    to_act,
)
from caltrop.rules.squad_action.overwatch import LeftOver
from caltrop.rules.squad_action.records import SIDES, Firefight
from caltrop.rules.squad_action.reserves import ReserveRolls
from caltrop.rules.squad_action.setup import SetUp
from caltrop.rules.squad_action.shelling import DelayedShells
from caltrop.rules.squad_action.smoke import smoke_drifts
from caltrop.rules.squad_action.victory import PutDown, after_action, end_of_game_turn, has_pilot, put_down


class GameTurn(Procedure):
    """A game turn: one turn of each side (SQ-ORG-04), or one turn that the sides share (SQ-Q01)."""

    @step("SQ-ORG-04", "SQ-Q01", "SQ-WPN-01")
    def begin(self, t: Firefight) -> None:
        t.round += 1
        for model in t.models:
            if model.fired:
                t.change_model(model.id, fired=())

    @step("SQ-ORG-04", "SQ-Q01")
    def take(self, t: Firefight) -> Run:
        return Run(turn_procedure(t))

    @step("SQ-S70", "SQ-S71", "SQ-S72", "SQ-S73", "SQ-S24")
    def count(self, t: Firefight) -> None:
        end_of_game_turn(t)


class SideBySide(Procedure):
    """The first side takes its turn, and then the other side."""

    @step("SQ-ORG-04")
    def first(self, t: Firefight) -> Run:
        return Run(SideTurn(side=t.first))

    @step("SQ-ORG-04")
    def second(self, t: Firefight) -> Run:
        return Run(SideTurn(side=1 - t.first))


class SideTurn(Procedure):
    """A side's turn: reserves arrive, its units act one by one, and the enemy may use tokens at the end."""

    side: int

    @step("SQ-ORG-04", "SQ-Q38", "SQ-ORG-08")
    def begin(self, t: Firefight) -> Run:
        """All units of the side may act again. Delayed shells and reserves come before its units act."""
        t.active = self.side
        open_turn(t, (self.side,))
        t.tell(TurnBegan(t.round, self.side))
        return Run(StartOfTurn(sides=(self.side,)))

    @step("SQ-ORG-04", "SQ-Q49", "SQ-Q88")
    def give_order(self, t: Firefight) -> Run | Go:
        """The side's units act one by one, in any order, until it ends its turn or all have acted."""
        return Run(Order(side=self.side)) if to_act(t, self.side) else Go("use_tokens")

    @step("SQ-ORG-04")
    def next_unit(self, t: Firefight, went_on: bool) -> Go:
        return Go("give_order" if went_on else "use_tokens")

    @step("SQ-ORG-37")
    def use_tokens(self, t: Firefight) -> Run:
        """The enemy may use its remaining tokens before the turn ends."""
        return Run(LeftOver(side=1 - self.side))

    @step("SQ-ORG-50", "SQ-Q48")
    def end(self, t: Firefight) -> Run:
        return Run(EndOfTurn(sides=(self.side,)))


class SharedTurn(Procedure):
    """A game turn that the sides share, unit by unit (SQ-Q01)."""

    chips: bool

    @step("SQ-Q01")
    def roll_for_it(self, t: Firefight) -> Run:
        """Both sides roll for the first turn in each game turn."""
        return Run(RollOff())

    @step("SQ-Q01")
    def begin(self, t: Firefight, winner: int) -> Run:
        """No unit has acted yet in this game turn. Delayed shells and reserves come before the units act."""
        t.first = t.active = winner
        open_turn(t, (0, 1))
        t.tell(TurnBegan(t.round, None))
        return Run(StartOfTurn(sides=(winner, 1 - winner)))

    @step("SQ-Q01")
    def act(self, t: Firefight) -> Run:
        return Run(ByChips() if self.chips else ByTurns())

    @step("SQ-Q01", "SQ-ORG-37")
    def use_tokens(self, t: Firefight) -> Run:
        """Remaining tokens may be used when the game turn ends."""
        return Run(LeftOver(side=t.first))

    @step("SQ-Q01", "SQ-ORG-37")
    def use_their_tokens(self, t: Firefight) -> Run:
        return Run(LeftOver(side=1 - t.first))

    @step("SQ-Q01", "SQ-Q48")
    def end(self, t: Firefight) -> Run:
        return Run(EndOfTurn(sides=(t.first, 1 - t.first)))


class ByTurns(Procedure):
    """The sides take turns with one unit each (house rule `activation`: alternate)."""

    passes: tuple[int, int] = (0, 0)
    """Number of times that each side may still pass."""

    @step("SQ-S62")
    def count_units(self, t: Firefight) -> None:
        """A side with fewer units may pass once for each unit of the difference."""
        a, b = (len(to_act(t, side)) for side in range(SIDES))
        self.passes = (max(b - a, 0), max(a - b, 0))

    @step("SQ-Q01", "SQ-S62")
    def give_order(self, t: Firefight) -> Run | End:
        """The sides activate one unit each in turns. When one side is done, the other side activates its remaining
        units.
        """
        if not to_act(t, t.active):
            t.active = 1 - t.active
        if not to_act(t, t.active):
            return End()
        may_pass = self.passes[t.active] > 0 and bool(to_act(t, 1 - t.active))
        return Run(Order(side=t.active, ends=False, passes=may_pass))

    @step("SQ-Q01", "SQ-S62")
    def hand_over(self, t: Firefight, acted: bool) -> Go:
        if not acted:
            left = self.passes[t.active] - 1
            self.passes = (left, self.passes[1]) if t.active == 0 else (self.passes[0], left)
            t.tell(Passed(t.active))
        t.active = 1 - t.active
        return Go("give_order")


class ByChips(Procedure):
    """Chips, one for each unit, are drawn from a bag (house rule `activation`: random_draw)."""

    @step("SQ-Q01")
    def draw(self, t: Firefight) -> Throw | End:
        """All chips have the same chance to be drawn. Units that are out of play have none."""
        chips = sum([len(to_act(t, side)) for side in range(SIDES)])
        return Throw(Pool(1, chips), words="The chip that is drawn") if chips else End()

    @step("SQ-Q01")
    def give_order(self, t: Firefight, roll: Roll) -> Run:
        """The side whose chip was drawn activates a unit of its choice."""
        t.active = int(roll[0] > len(to_act(t, 0)))
        return Run(Order(side=t.active, ends=False))

    next_chip = back("draw", "SQ-Q01")


class Order(Procedure):
    """A side activates one unit. The result is whether the side activated a unit."""

    side: int
    ends: bool = True
    """True if the side may end its turn instead of activating a unit."""
    passes: bool = False
    """True if the side may pass instead."""
    unit: int = -1

    @step("SQ-ORG-04", "SQ-S62")
    def offer(self, t: Firefight) -> Ask:
        return ask(Orders(side=self.side, ends=self.ends, passes=self.passes))

    @step("SQ-ORG-01", "SQ-ORG-03", "SQ-ORG-04", "SQ-S56", "SQ-Q83")
    def obey(self, t: Firefight, choice: Begin | Activate | EndTurn | Pass | PutDown) -> Run | End | Go:
        """The chosen unit is activated. Putting the pilot down does not count as an activation."""
        if isinstance(choice, PutDown):
            put_down(t, choice.unit)
            return Go("offer")
        if choice.unit is None:
            if isinstance(choice, EndTurn):
                # Units that are not activated have made no Move.
                for u in to_act(t, self.side):
                    flies_off(t, u.id)
            return End(False)
        self.unit = choice.unit
        return Run(Activation(unit=self.unit, first=choice.act, then=choice.then, told=choice.act is not None))

    @step("SQ-ORG-04", "SQ-S56")
    def done(self, t: Firefight) -> End:
        """The activation of the unit ends. A flyer in flight that has not moved far enough leaves the table."""
        flies_off(t, self.unit)
        close_activation(t, self.unit)
        return End(True)


class Activation(Procedure):
    """A unit's activation: it announces its actions, and carries them out one after another (SQ-ORG-01, 03)."""

    unit: int
    first: AnyAct | None = None
    """First action, if it has been announced already."""
    then: tuple[Kind, ...] = ()
    """Kinds of the announced actions that are still to come."""
    told: bool = False
    """True if the actions have been announced."""
    did: tuple[Kind, ...] = ()
    """Kinds of the actions carried out so far."""
    barred: bool = False
    """True if Conscripts failed their roll and may only rally (SQ-Q34)."""
    kinds: tuple[Kind, ...] = ()
    """Possible kinds of the next action."""

    @step("SQ-ORG-01", "SQ-S30", "SQ-Q60")
    def begin(self, t: Firefight) -> Run:
        """The unit's overwatch ends, and its distance is reset. After that come the steps before the unit's
        announcement.
        """
        open_activation(t, self.unit)
        return Run(Prelude(unit=self.unit))

    @step("SQ-ORG-03", "SQ-Q49", "SQ-Q34")
    def announce(self, t: Firefight, may: str) -> Ask | Go | End:
        """The unit announces its first action in full, and the kinds of the later actions."""
        if may == "nothing":
            return End()
        self.barred = may == "rally"
        if self.told:
            return Go("carry_out")
        decision = Announce(side=t.units[self.unit].side, unit=self.unit, only=("rally",) if self.barred else ())
        return ask(decision) if decision.options(t).several() else End()

    @step("SQ-ORG-03", "SQ-Q49")
    def hear(self, t: Firefight, choice: Begin | StandStill) -> End | None:
        if isinstance(choice, StandStill):
            return End()
        self.first, self.then = choice.act, choice.then
        return None

    @step("SQ-ORG-01", "SQ-ORG-05", "SQ-Q49")
    def carry_out(self, t: Firefight) -> Run:
        act, self.first = self.first, None
        assert act is not None
        self.did = (*self.did, act.kind)
        t.change(self.unit, acted=t.units[self.unit].acted + 1)
        return Run(act.procedure(t))

    @step("SQ-ORG-06", "SQ-Q49")
    def find_it_gone(self, t: Firefight, carried: bool | str | None) -> Ask | Go | None:
        """An action whose target was gone does not count: the unit chooses another target or another action.

        After a failed attempt to board, nothing is announced yet, so the unit announces its actions again.
        """
        u = t.units[self.unit]
        if carried == UNDONE and u.in_play and not u.broken:
            t.tell(ActLost(self.unit, self.did[-1]))
        if carried is not False or not u.in_play or u.broken:
            return None
        t.change(self.unit, acted=u.acted - 1)
        meant, self.did = self.did[-1], self.did[:-1]
        if meant == "transport" and not self.did and not self.then and announces_all(t):
            return Go("announce_anew")
        kinds = instead(t, self.unit, self.then, self.did)
        if not kinds:
            return None
        return ask(NextAct(side=u.side, unit=self.unit, kinds=kinds, free=True, then=self.then, did=self.did))

    @step("SQ-ORG-06", "SQ-Q49")
    def choose_again(self, t: Firefight, choice: Any) -> Go | None:
        if choice is None:
            return None
        if isinstance(choice, PassUp):
            t.change(self.unit, acted=t.units[self.unit].acted + 1)
            return None
        self.first = choice
        return Go("carry_out")

    @step("SQ-ORG-01", "SQ-ORG-06", "SQ-ORG-07", "SQ-Q08", "SQ-Q49", "SQ-S33", "SQ-S72")
    def go_on(self, t: Firefight) -> End | None:
        """The next announced action follows. A unit that has become Pinned has to use it for rallying."""
        after_action(t, self.unit)
        acted = t.units[self.unit].acted
        if not acted:
            # The unit was stopped before its first action began, so no action counts yet.
            self.did = ()
        while True:
            u = t.units[self.unit]
            kinds = what_is_next(t, self.unit, self.then, self.barred, self.did)
            if not kinds and self.then and what_is_next(t, self.unit, self.then[1:], self.barred, self.did):
                # An impossible action is lost, but later actions are not.
                t.tell(ActLost(self.unit, self.then[0]))
                self.then = self.then[1:]
                t.change(self.unit, acted=u.acted + 1)
                continue
            if u.where not in ("table", "aboard") or u.broken or not kinds:
                t.change(self.unit, acted=acted)
                for kind in self.then if u.in_play and not u.broken else ():
                    t.tell(ActLost(self.unit, kind))
                return End()
            # A rally replaces an action that was stopped. A rally replaces an announced action only if no other action
            # is left.
            if kinds == self.then[:1]:
                self.then = self.then[1:]
            elif self.then and self.then[0] not in kinds and len(self.then) >= actions_of(t) - u.acted:
                t.tell(ActLost(self.unit, self.then[0]))
                self.then = self.then[1:]
            decision = NextAct(side=u.side, unit=self.unit, kinds=kinds)
            if decision.options(t).several():
                self.kinds = kinds
                return None
            # An impossible action is lost, but the other announced actions are not.
            t.tell(ActLost(self.unit, kinds[0]))
            t.change(self.unit, acted=u.acted + 1)

    @step("SQ-ORG-01", "SQ-Q49", "SQ-S72")
    def offer_next(self, t: Firefight) -> Ask:
        """The owner gives the details of the action. Before the next action, the pilot may be put down without an
        action.
        """
        u = t.units[self.unit]
        free = not announces_all(t)
        return ask(
            NextAct(
                side=u.side,
                unit=u.id,
                kinds=self.kinds,
                free=free,
                did=self.did if free else (),
                puts=has_pilot(t, u.side) == u.id,
            )
        )

    @step("SQ-ORG-01", "SQ-Q49", "SQ-S72")
    def again(self, t: Firefight, choice: Any) -> Go | End:
        if isinstance(choice, PutDownHere):
            put_down(t, self.unit)
            return Go("offer_next")
        if isinstance(choice, PassUp):
            t.change(self.unit, acted=t.units[self.unit].acted + 1)
            return Go("go_on") if t.units[self.unit].acted < actions_of(t) else End()
        left = actions_of(t) - t.units[self.unit].acted
        if len(self.kinds) > 1 and (self.then[:1] == (choice.kind,) or len(self.then) >= left):
            # The announced action counts as used, whatever the unit does.
            self.then = self.then[1:]
        self.first = choice
        return Go("carry_out")

    @step("SQ-ORG-06", "SQ-Q49")
    def announce_anew(self, t: Firefight) -> Ask:
        return ask(Announce(side=t.units[self.unit].side, unit=self.unit))

    @step("SQ-ORG-03", "SQ-ORG-06", "SQ-Q49")
    def hear_anew(self, t: Firefight, choice: Begin | StandStill) -> Go | End:
        if isinstance(choice, StandStill):
            return End()
        self.first, self.then = choice.act, choice.then
        return Go("carry_out")


class RollOff(Procedure):
    """Both sides roll a die. The result is the side that rolled higher (SQ-Q01)."""

    south: int = 0

    @step("SQ-Q01")
    def roll(self, t: Firefight) -> Throw:
        return Throw(Pool(1), side=0, words=f"For the first turn: {t.field.names[0]}")

    @step("SQ-Q01")
    def answer(self, t: Firefight, roll: Roll) -> Throw:
        self.south = roll[0]
        return Throw(Pool(1), side=1, words=f"For the first turn: {t.field.names[1]}")

    @step("SQ-Q01")
    def compare(self, t: Firefight, roll: Roll) -> Go | End:
        a, b = self.south, roll[0]
        if a == b:
            return Go("roll")
        t.tell(WonRollOff(int(b > a), (a, b)))
        return End(int(b > a))


class StartOfTurn(Procedure):
    """Before units act: delayed shells land, and reserves roll."""

    sides: tuple[int, ...]

    @step("SQ-Q38")
    def land(self, t: Firefight) -> Run:
        return Run(DelayedShells(sides=self.sides))

    @step("SQ-ORG-08", "SQ-S47")
    def roll_for_reserves(self, t: Firefight) -> Run:
        return Run(ReserveRolls(sides=self.sides))


class EndOfTurn(Procedure):
    """After units have acted: fights continue, and smoke disappears."""

    sides: tuple[int, ...]

    @step("SQ-Q48")
    def fight_on(self, t: Firefight) -> Run:
        return Run(FightsGoOn())

    @step("SQ-ORG-50", "SQ-Q58")
    def clear_smoke(self, t: Firefight) -> None:
        """Smoke disappears at the end of its time."""
        smoke_drifts(t, self.sides)


class Game(Procedure):
    """A whole firefight: the choice of the first side, the set-up, and game turns to the end."""

    @step("SQ-Q01", "SQ-S71", "SQ-S73")
    def roll_for_first(self, t: Firefight) -> Run | Go:
        """Both sides roll a die, and the winner chooses the first side. If there is a defender, the attacker acts
        first.
        """
        if t.field.defender is not None:
            t.first = 1 - t.field.defender
            return Go("set_up")
        return Run(RollOff())

    @step("SQ-Q01")
    def ask_for_first(self, t: Firefight, winner: int) -> Ask:
        return ask(WhoIsFirst(side=winner))

    @step("SQ-Q01")
    def take_first(self, t: Firefight, choice: TakeFirst) -> None:
        t.first = choice.side

    @step("SQ-S70", "SQ-TRT-13", "SQ-ORG-47")
    def set_up(self, t: Firefight) -> Run:
        t.active = t.first
        return Run(SetUp())

    @step("SQ-ORG-04")
    def take_turn(self, t: Firefight) -> Run:
        return Run(GameTurn())

    again = back("take_turn", "SQ-ORG-04")


# --- the order of activations ----------------------------------------------------------------------------------------


@rule("SQ-ORG-04", "SQ-Q01", stages=("house",))
def turn_procedure(t: Firefight) -> Procedure:
    """One side activates all its units, then the other side does."""
    return SideBySide()


@turn_procedure.amended_by("SQ-Q01", stage="house", house={"activation": "alternate"})
def sides_alternate(value: Procedure, t: Firefight) -> Procedure:
    """House rule: the sides activate one unit each in turns. When one side is done, the other side activates its
    remaining units.
    """
    return SharedTurn(chips=False)


@turn_procedure.amended_by("SQ-Q01", stage="house", house={"activation": "random_draw"})
def chips_are_drawn(value: Procedure, t: Firefight) -> Procedure:
    """House rule: a chip is drawn from a bag to decide which side activates a unit."""
    return SharedTurn(chips=True)


def open_turn(t: Firefight, sides: Sequence[int]) -> None:
    """Reset activations and shots of the units of some sides (SQ-ORG-04, SQ-Q62)."""
    for u in t.units:
        if u.side in sides and (u.activated or u.acted or u.shot):
            t.change(u.id, activated=False, acted=0, shot=False)
    t.called[:] = [side for side in t.called if side not in sides]


# --- decisions -------------------------------------------------------------------------------------------------------


class TakeFirst(Action, frozen=True):
    """Choose the side that has the first turn of every game turn."""

    side: int


class WhoIsFirst(Offered, frozen=True, kw_only=True):
    """The winner of the roll chooses which side has the first turn."""

    clauses: ClassVar[tuple[str, ...]] = ("SQ-Q01",)
    hint: ClassVar[str] = "The side that acts second places the first unit, and sees the other side's choices."

    def options(self, t: Firefight) -> Listed:
        return Listed([TakeFirst(self.side), TakeFirst(1 - self.side)], clause="SQ-Q01")

    def prompt(self, t: Firefight) -> str:
        return "You won the roll: which side has the first turn?"

    def offers(self, t: Firefight) -> list[Offer]:
        return [
            Offer(action=TakeFirst(self.side), words="Take the first turn"),
            Offer(action=TakeFirst(1 - self.side), words=f"Leave it to {t.field.names[1 - self.side]}"),
        ]


# --- events ----------------------------------------------------------------------------------------------------------


class TurnBegan(Event, frozen=True):
    """A side's turn began, or a game turn that the sides share."""

    turn: int
    side: int | None
    clauses: ClassVar[tuple[str, ...]] = ("SQ-ORG-04", "SQ-Q01")
    begins: ClassVar[bool] = True

    def sentence(self, t: Firefight) -> str:
        whose = "" if self.side is None else f": {t.field.names[self.side]}"
        return f"Turn {self.turn}{whose}"


class WonRollOff(Event, frozen=True):
    """Dice decided which side is first, or which side chooses."""

    side: int
    faces: tuple[int, int]
    clauses: ClassVar[tuple[str, ...]] = ("SQ-Q01",)

    def sentence(self, t: Firefight) -> str:
        return f"{t.field.names[self.side]} wins the roll, {max(self.faces)} to {min(self.faces)}"


class Passed(Event, frozen=True):
    """A side passed without activating a unit."""

    side: int
    clauses: ClassVar[tuple[str, ...]] = ("SQ-S62",)

    def sentence(self, t: Firefight) -> str:
        return f"{t.field.names[self.side]} passes"
