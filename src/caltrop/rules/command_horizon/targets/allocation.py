"""The procedure in which marks, then targets, then enemies in close combat are named."""

from __future__ import annotations

from caltrop.asking import Act, carried_out
from caltrop.engine import (
    Ask,
    End,
    Go,
    Procedure,
    Run,
    ask,
    rule,
    step,
)
from caltrop.rules.command_horizon.close_combat import NameEnemies
from caltrop.rules.command_horizon.reach import kind_of
from caltrop.rules.command_horizon.records import Battle
from caltrop.rules.command_horizon.shooting import (
    settled,
)
from caltrop.rules.command_horizon.targets.marks import MarkOptions, Marks
from caltrop.rules.command_horizon.targets.naming import TargetOptions, Targets
from caltrop.rules.command_horizon.targets.orders import (
    Ordered,
)


class TargetAllocation(Procedure):
    """Marks, targets and enemies in close combat are named, each in a block of its own (Q-TARGET-3)."""

    side: int

    @step("CH-RUSH-04", "Q-RUSH-3", "CH-TURN-08")
    def note_rushes(self, t: Battle) -> None:
        """A Rush at Light tanks that has made contact counts as its unit's attack this turn."""
        for index, order in enumerate(t.orders):
            if order.rush:
                t.orders[index] = settled(t, order)
                t.tell(Ordered(t.orders[index]))

    @step("CH-MARK-01", "CH-MARK-02", "CH-MARK-05", "CH-COST-09", "Q-MARK-4", "Q-TARGET-3")
    def offer_marks(self, t: Battle) -> Ask | Go:
        if t.armies[self.side].cp > 0 and marks_have_a_use(t, self.side) and MarkOptions(t, self.side).several():
            return ask(Marks(side=self.side))
        return Go("offer_targets")

    @step("CH-MARK-05", "CH-MARK-06", "CH-MARK-07")
    def mark(self, t: Battle, choice: Act) -> Run | Go | End:
        return carried_out(choice, t, self.side) or Go("offer_marks")

    @step("CH-TURN-08", "CH-FIRE-01", "Q-TARGET-1", "Q-TARGET-3", "Q-RANGE-2")
    def offer_targets(self, t: Battle) -> Ask | Go:
        given = any(not o.rush for o in t.orders)
        if given or TargetOptions(t, self.side).anything():
            return ask(Targets(side=self.side))
        return Go("name_enemies")

    @step("CH-COST-01", "CH-COST-02", "CH-COST-16", "CH-COST-18", "CH-ART-12", "Q-ART-3", "Q-TARGET-3")
    def take_order(self, t: Battle, choice: Act) -> Run | Go | End:
        return carried_out(choice, t, self.side) or Go("offer_targets")

    @step("CH-CC-04", "Q-TARGET-3")
    def name_enemies(self, t: Battle) -> Run:
        """Finally enemies in close combat are named, by the active player first."""
        return Run(NameEnemies(side=self.side))


@rule("CH-MARK-09", "Q-MARK-1", "CH-COST-09", stages=("house",))
def marks_have_a_use(t: Battle, side: int) -> bool:
    """Marks serve the side's own artillery if it fires shells. Without it, no marks are asked for."""
    return any(kind_of(t, i).ranged_in_cm for i in t.in_play(side))


@marks_have_a_use.amended_by("Q-MOVE-5", stage="house", house={"light.fireNeeds": "any"})
def a_mark_lets_light_tanks_fire(use: bool, t: Battle, side: int) -> bool:
    """House rule: any CP spent on Light tanks lets them fire, even for a mark. Light tanks may therefore mark without
    artillery.
    """
    return True
