"""Step 4, after all movement: marks are set, then every target is named and paid for, then close combat enemies.

Range and sight are checked here once and then stand (Q-TARGET-1). Everything is paid when it is declared; until the
block is finished a declared order may be taken back, since no die has been rolled.

1. `marks`: which units may set a mark on which;
2. `orders`: what an order to fire is, what it costs, and why one cannot be given;
3. `naming`: the question what to fire at, with everything that may be answered;
4. `allocation`: the block itself.
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
