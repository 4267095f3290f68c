"""The turn: the rulebook's numbered steps, each a procedure in its own module.

The current edition has seven steps: command points, stun removal, disengaging, movement and targets, artillery, combat,
and damage allocation. The edition v1.5 has no artillery step, because artillery fires in the combat step.
"""

from __future__ import annotations

from typing import ClassVar

from caltrop.engine import Event, Go, Procedure, Run, step
from caltrop.rules.command_horizon.artillery import ArtilleryStep
from caltrop.rules.command_horizon.combat import CombatStep, DamageAllocation, Reactivation, drones_wake_early
from caltrop.rules.command_horizon.command import CommandStep, opening_reserve
from caltrop.rules.command_horizon.damage import DamageBatch
from caltrop.rules.command_horizon.disengage import DisengageStep
from caltrop.rules.command_horizon.movement import MovementStep
from caltrop.rules.command_horizon.objectives import secure_objectives, settle_captures
from caltrop.rules.command_horizon.overwatch import GoOnOverwatch
from caltrop.rules.command_horizon.records import Battle, fresh_turn
from caltrop.rules.command_horizon.setup import Deployment
from caltrop.rules.command_horizon.stuns import StunRemoval
from caltrop.rules.command_horizon.targets import TargetAllocation
from caltrop.rules.command_horizon.victory import break_through, outcome_after_last_round, outcome_now


class Game(Procedure):
    """A whole battle: the set-up, and turns until the battle is decided."""

    @step("CH-SETUP-01")
    def deploy(self, t: Battle) -> Run:
        return Run(Deployment())

    @step("CH-TURN-01", "Q-CP-7")
    def first_turn(self, t: Battle) -> None:
        t.active, t.round = t.first, 1
        t.change_army(1 - t.first, cp=opening_reserve(t, 1 - t.first))

    @step("CH-TURN-01")
    def take_turn(self, t: Battle) -> Run:
        return Run(Turn(side=t.active))

    @step("CH-TURN-01", "Q-VP-4")
    def next_turn(self, t: Battle) -> Go | None:
        if t.active != t.first:
            if t.rounds is not None and t.round >= t.rounds:
                return Go("last_round_is_over")
            t.round += 1
        t.active = 1 - t.active
        return Go("take_turn")

    @step("Q-VP-4")
    def last_round_is_over(self, t: Battle) -> None:
        """After the agreed number of rounds, the scenario decides which side has won."""
        t.over = outcome_after_last_round(t)


class Turn(Procedure):
    side: int

    @step("CH-TURN-01", "CH-OBJ-03", "Q-OBJ-2")
    def begin(self, t: Battle) -> Run | None:
        """The records of the last turn are reset, and objectives held since then are secured."""
        for i in t.in_play(self.side):
            t.units[i] = fresh_turn(t.units[i])
        t.change_army(self.side, turns=t.armies[self.side].turns + 1)
        t.tell(TurnBegan(self.side, t.round))
        secure_objectives(t, self.side)
        return Run(DamageBatch()) if t.wounds else None

    @step("CH-TURN-02", "CH-TURN-03", "CH-TURN-04", "Q-VP-4")
    def generate_command_points(self, t: Battle) -> Run | None:
        """Step 1: CP are generated, and command may be concentrated."""
        if self._decided(t):
            return None
        t.step = 1
        return Run(CommandStep(side=self.side))

    @step("CH-TURN-05")
    def remove_stuns(self, t: Battle) -> Run:
        """Step 2: Stun markers and Worm Tokens are removed for CP."""
        t.step = 2
        return Run(StunRemoval(side=self.side))

    @step("CH-DRONE-08", "Q-DRONE-5")
    def wake_drones(self, t: Battle) -> Run | None:
        """House rule: Shield Drones may be reactivated before units move."""
        return Run(Reactivation(side=self.side)) if drones_wake_early(t) else None

    @step("CH-TURN-06")
    def disengage(self, t: Battle) -> Run:
        t.step = 3
        return Run(DisengageStep(side=self.side))

    @step("CH-TURN-07")
    def move(self, t: Battle) -> Run:
        """Step 4: all movement, charges, spawning, attaching and detaching."""
        t.step = 4
        return Run(MovementStep(side=self.side))

    @step("CH-TURN-08")
    def name_targets(self, t: Battle) -> Run | None:
        """Step 4 ends with marks, then targets, then enemies in close combat (Q-TARGET-3)."""
        if self._decided(t):
            return None
        settle_captures(t)
        return Run(TargetAllocation(side=self.side))

    @step("CH-TURN-09", "CH-TURN-10")
    def fire_artillery(self, t: Battle) -> Run | None:
        if t.book.edition == "v1.5":
            return None
        t.step = 5
        return Run(ArtilleryStep(side=self.side))

    @step("CH-TURN-11", "CH-TURN-12")
    def fight(self, t: Battle) -> Run | None:
        if self._decided(t):
            return None
        t.step = 5 if t.book.edition == "v1.5" else 6
        return Run(CombatStep(side=self.side))

    @step("CH-TURN-13", "CH-TURN-14")
    def allocate_damage(self, t: Battle) -> Run:
        """Step 7 (step 6 in v1.5): all damage of the combat step is applied at once, then second rounds are fought."""
        t.step += 1
        return Run(DamageAllocation(side=self.side))

    @step("CH-OBJ-01", "Q-VP-4")
    def end_of_turn(self, t: Battle) -> None:
        """Captures are updated, units may leave over the enemy's edge, and a side without units loses."""
        settle_captures(t, turn_ends=True)
        break_through(t, self.side)
        t.marks.clear()
        t.orders.clear()
        t.answers_declared.clear()
        t.namings.clear()
        self._decided(t)

    @step("CH-OW-01")
    def go_on_overwatch(self, t: Battle) -> Run:
        """House rule: units may go on overwatch."""
        t.step = 0
        return Run(GoOnOverwatch(side=self.side))

    @step("CH-DISENGAGE-09", "CH-TURN-01")
    def hand_over(self, t: Battle) -> None:
        """Units that left close combat may act again, and records that last one turn are reset."""
        for i, u in enumerate(t.units):
            if u.reacted or u.charge_fire or u.disengaged:
                t.change(i, reacted=0, charge_fire=False, disengaged=False)

    def _decided(self, t: Battle) -> bool:
        """Return whether an army has no units left, which ends the game."""
        t.over = outcome_now(t)
        return t.over is not None


# --- events ----------------------------------------------------------------------------------------------------------


class TurnBegan(Event, frozen=True):
    side: int
    round: int
    clauses: ClassVar[tuple[str, ...]] = ("CH-TURN-01",)
    begins: ClassVar[bool] = True

    def sentence(self, t: Battle) -> str:
        return f"Round {self.round}: the turn of {t.armies[self.side].name}"
