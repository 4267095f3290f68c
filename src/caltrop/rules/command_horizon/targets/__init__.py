"""Step 4, after all movement: marks are set, then targets are named and paid for, then enemies in close combat.

Range and sight are checked when a target is named, and do not change afterwards (Q-TARGET-1). An order is paid for when
it is declared. Until the side has finished naming, an order may be taken back, because no dice have been rolled.

1. `marks`: the units that may mark, and their possible targets;
2. `orders`: orders to fire, their cost, and the reasons against them;
3. `naming`: the decision about targets, with its options;
4. `allocation`: the procedure of naming.
"""

from caltrop.rules.command_horizon.targets.allocation import TargetAllocation
from caltrop.rules.command_horizon.targets.marks import MARKER, EndMarks, Marked, Marks, MarkTarget
from caltrop.rules.command_horizon.targets.naming import EndAllocation, TakeBack, Targets
from caltrop.rules.command_horizon.targets.orders import (
    Fire,
    FireAtSpot,
    Ordered,
    Part,
    SplitFire,
    TakenBack,
    why_not,
)

__all__ = [
    "MARKER",
    "EndAllocation",
    "EndMarks",
    "Fire",
    "FireAtSpot",
    "MarkTarget",
    "Marked",
    "Marks",
    "Ordered",
    "Part",
    "SplitFire",
    "TakeBack",
    "TakenBack",
    "TargetAllocation",
    "Targets",
    "why_not",
]
