"""A single attack from its dice to its damage, computed from a record and the rolled faces.

An `Attack` holds everything on the table that the attack needs. The modules follow the order of the dice:

1. `counting`: the number of Attack Dice, and its parts;
2. `reading`: faces become hits by a result table, pairs become Overkills, the Shield Drone and the Asori ignore some;
3. `defence`: the number of Defence Dice, and the hits that they cancel;
4. `damage`: kills remove models, stuns become markers, and pairs affect the drone.

`legality` has the faults that show in the record alone, and `putredine` the dice that bring infantry onto the table.
The engine, the exact odds and the computer players use these functions. No module of the package asks a player or rolls
dice.
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
