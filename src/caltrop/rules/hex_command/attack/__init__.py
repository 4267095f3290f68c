"""A single attack from its dice to its effect on the target.

A `Profile` holds everything that the attack needs, without the map. The modules follow the order of the dice:

1. `counting`: the number of battle dice, and its parts;
2. `reading`: symbols become hits, and rank cancels Target symbols;
3. `damage`: void shields, losses, the attached leader, and the retreats that may be ignored.

These functions ask no player and roll no dice. The game, the referee of requests, the exact odds and the computer
players use them. `aiming` makes profiles of units on the map, and `procedure` carries out a battle with its questions.
"""

from caltrop.rules.hex_command.attack.aiming import (
    TargetSearch,
    dice_at,
    fires_indirectly,
    is_weakened,
    profile_of,
    target_of,
)
from caltrop.rules.hex_command.attack.counting import battle_dice, cover, covers
from caltrop.rules.hex_command.attack.damage import (
    Ending,
    ended,
    ending,
    favours,
    leader_falls,
    left_of,
    losses_of_blocked,
    saves,
    shield_dice,
)
from caltrop.rules.hex_command.attack.events import Attacked, Blocked, LeaderIsLeft, RetreatsIgnored
from caltrop.rules.hex_command.attack.procedure import (
    Attack,
    Bombard,
    FallBack,
    FallBackTo,
    HoldSurge,
    Ignore,
    IgnoreRetreats,
    RollShields,
    RollSome,
    SurgeOrNot,
    SurgeShields,
    weaken,
)
from caltrop.rules.hex_command.attack.reading import (
    Counts,
    DiceReader,
    Hits,
    class_symbol,
    count,
    hits_of,
    leader_symbol_hits,
    reader,
    symbols_of,
    target_symbol_hits,
    targets_ignored,
)
from caltrop.rules.hex_command.attack.record import Attacker, Profile, Target

__all__ = [
    "TargetSearch",
    "Attack",
    "Attacked",
    "Attacker",
    "Blocked",
    "Bombard",
    "Counts",
    "Ending",
    "FallBack",
    "FallBackTo",
    "Hits",
    "HoldSurge",
    "Ignore",
    "IgnoreRetreats",
    "LeaderIsLeft",
    "Profile",
    "DiceReader",
    "RetreatsIgnored",
    "RollShields",
    "RollSome",
    "SurgeOrNot",
    "SurgeShields",
    "Target",
    "battle_dice",
    "class_symbol",
    "count",
    "cover",
    "covers",
    "dice_at",
    "ended",
    "ending",
    "favours",
    "fires_indirectly",
    "hits_of",
    "is_weakened",
    "leader_falls",
    "leader_symbol_hits",
    "left_of",
    "losses_of_blocked",
    "profile_of",
    "reader",
    "saves",
    "shield_dice",
    "symbols_of",
    "target_of",
    "target_symbol_hits",
    "targets_ignored",
    "weaken",
]
