"""One attack from its dice to its damage, as pure functions of one record and the faces rolled.

An `Attack` holds everything that one attack needs and nothing of the table. The chapters follow the dice:

1. `counting`: how many Attack Dice, and why;
2. `reading`: faces become hits on the table in use, pairs become Overkills, the Shield Drone and the Asori discard;
3. `defence`: how many Defence Dice, and which hits they cancel;
4. `damage`: kills and stuns become models and markers, pairs become the drone's fate.

`legality` says what the record alone shows to be forbidden; `putredine` has the dice that put infantry on the table.
The engine, the exact odds and the opponents all call these functions. They ask nobody and roll nothing.
"""

from caltrop.rules.command_horizon.attack.counting import (
    Counted,
    attack_dice,
    half_more,
    heavy_weapons_boost,
    platoon_holds,
    stun_loss,
)
from caltrop.rules.command_horizon.attack.damage import (
    Damage,
    Ending,
    Strength,
    allocate,
    damage,
    drone_fate,
    ending,
    worse_fate,
)
from caltrop.rules.command_horizon.attack.defence import (
    Hit,
    Stood,
    assign,
    defence_dice,
    every_result,
    hit_list,
    refused_assignment,
    result_of,
)
from caltrop.rules.command_horizon.attack.legality import may_attack
from caltrop.rules.command_horizon.attack.reading import (
    Hits,
    face_counts,
    may_overkill,
    pairs_combined,
    pairs_possible,
    read,
    results,
    standing,
    successes,
    table_name,
)
from caltrop.rules.command_horizon.attack.record import (
    Arms,
    Attack,
    Mode,
    Target,
    mode_of_round,
    roller_traits,
    target_traits,
)

__all__ = [
    "Arms",
    "Attack",
    "Counted",
    "Damage",
    "Ending",
    "Hit",
    "Hits",
    "Mode",
    "Stood",
    "Strength",
    "Target",
    "allocate",
    "assign",
    "attack_dice",
    "damage",
    "defence_dice",
    "drone_fate",
    "ending",
    "every_result",
    "face_counts",
    "half_more",
    "heavy_weapons_boost",
    "hit_list",
    "may_attack",
    "may_overkill",
    "mode_of_round",
    "pairs_combined",
    "pairs_possible",
    "platoon_holds",
    "read",
    "refused_assignment",
    "result_of",
    "results",
    "roller_traits",
    "standing",
    "stun_loss",
    "successes",
    "table_name",
    "target_traits",
    "worse_fate",
]
