"""Weights of the Squad Action player: every number that is a judgement rather than a rule.

A player has one set. The numbers of `VETERAN` were chosen by hand and never change, so its games stay the same. Other
sets come from games of the player against itself (`caltrop.lab.tuning`). All are integers: hundredths of a point of the
army lists, or per cent, unless stated otherwise. Weights by turn or by Move have a number for each, and one factor for
all of them together.
"""

from __future__ import annotations

from functools import cache

import msgspec

from caltrop.players.judgement import Style

DANGERS = ("risk_first", "risk_second", "struck", "urge_danger")
"""Weights of the danger from the enemy."""
GOALS = (
    "objective_early",
    "objective_last",
    "objective_first",
    "objective_inch",
    "helper_inch",
    "drive",
    "pull",
    "fetch",
    "fetched",
    "home_inch",
    "home",
    "through",
    "arrived",
)
"""And what the mission is about by these."""


class Weights(msgspec.Struct, frozen=True, cache_hash=True, kw_only=True, forbid_unknown_fields=True):
    """A set of weights, with the veteran's as defaults. A weight of 0 makes the player ignore the thing."""

    # The worth of units.
    victory: int = 4500
    """Worth of a victory point, if they are counted."""
    unpriced: int = 1000
    """Worth of each model of a unit without a price."""
    alive: int = 25
    """Part of a unit's worth that is lost with its last model, in per cent."""
    pinned: int = 20
    """Cost of being Pinned, in per cent of what is left of the unit."""
    broken: int = 60
    """Cost of being broken, in per cent of what is left of the unit."""
    immobile: int = 25
    """Loss of a machine's worth when it can no longer move, in per cent."""
    disarmed: int = 45
    """Loss of a machine's worth when its weapon is destroyed, in per cent."""
    lasts_0: int = 15
    """Weight of a model's worth in the last turn of its side, in per cent."""
    lasts_1: int = 55
    """Weight of a model's worth with one more turn, in per cent."""
    lasts_2: int = 80
    """Weight of a model's worth with two more turns, in per cent."""
    lasts_3: int = 100
    """Weight of a model's worth with three or more turns, in per cent."""
    survivors: int = 50
    """Part of the survivors of the first round of close quarters who survive to the end, in per cent."""
    threat: int = 0
    """Extra worth of an enemy that can fire, in per cent of the effect of its best volley."""
    focus: int = 0
    """Extra weight of damage to a unit with losses, in per cent of the part that is lost."""

    # The stakes of the mission.
    held_last: int = 80
    """Worth of holding an objective, in per cent of a victory point, for the side that acts last."""
    held_first: int = 35
    """The same worth for the side that acts first, which the other may still drive off."""
    left_0: int = 800
    """Worth of a defender's last model at the crossroads in the last turn, in per cent of its price."""
    left_1: int = 500
    """Worth of a defender's last model at the crossroads in the turn before the last, in per cent of its price."""
    left_2: int = 200
    """Worth of a defender's last model earlier or elsewhere, in per cent of its price."""
    holders: int = 5
    """Extra distance, in inches, at which a defender still counts as able to hold the crossroads at the end."""
    carrier_acts: int = 9000
    """Worth of a unit with the pilot that can act."""
    carrier: int = 12000
    """Extra worth of any survivor of the unit with the pilot."""
    leaver_acts: int = 1500
    """The same of a unit that counts when it leaves the table:"""
    leaver: int = 3000
    """Worth of any survivor of a unit that has to leave the table."""

    # Shots.
    launcher: int = 150
    """Cost of firing a launcher at soldiers while enemy armour, which may come into sight, is on the table."""
    again: int = 90
    """Worth of a second volley at the same target, in per cent of the first."""
    promised: int = 8
    """Weight of a shot from a place that may be unreachable, in twelfths."""
    future_first: int = 80
    """Weight of possible shots in the next turn, in per cent, for the side that acts first."""
    future_second: int = 70
    """Weight of possible shots in the next turn, in per cent, for the side that acts second."""
    unseen: int = 40
    """Weight of shots at an enemy that is out of sight, in per cent."""
    far: int = 14
    """Distance from every enemy, in inches, beyond which a unit is too far to be useful."""
    approach: int = 100
    """Cost of each inch beyond that distance."""

    # The enemy's next acts.
    risk_first: int = 50
    """Weight of the enemy's possible acts before the unit acts again, in per cent, for the side that acts first."""
    risk_second: int = 65
    """The same weight for the side that acts second, which is shot at first."""
    comes: int = 60
    """Weight of the fire of an enemy that would see the place after its expected move, in per cent."""
    strays: int = 15
    """Weight of the fire of an enemy that goes elsewhere, in per cent."""
    hidden: int = 20
    """Distance in inches up to which enemies without sight of a place count as a danger."""
    shaken: int = 60
    """Weight of the fire of a Pinned enemy, in per cent."""
    stormed: int = 40
    """Weight of being within reach of an assault, in per cent."""
    outgunned: int = 100
    """Degree to which an outgunned side expects no others to share the enemy's fire, in per cent of the enemy's excess.
    """
    spoilt: int = 100
    """Deduction from a unit's shots in the next turn, in per cent of its danger."""
    daring: int = 0
    """Part of the danger that a side ignores if it loses when nothing happens, in per cent."""
    level: int = 0
    """Part of the danger that a side ignores if nobody wins when nothing happens, in per cent."""
    stronger: int = 0
    """Part of the danger that the stronger side ignores, in per cent of its superiority."""
    crossing: int = 0
    """Weight of the volleys of each enemy on overwatch that sees a Move, in per cent of one volley."""
    smoked: int = 35
    """Reduction by smoke of the enemy's possible acts against a unit in it, in per cent."""
    smoked_later: int = 50
    """Weight of that reduction for a friend that has not acted yet and may go elsewhere, in per cent."""
    marker: int = 400
    """Later worth of a marker of smoke."""

    # Overwatch.
    watching: int = 55
    """Worth of a token on overwatch, in per cent of the best shot."""
    ambush: int = 70
    """Extra worth of a token on overwatch, in per cent of the best shot at an enemy that is likely to come."""
    ambush_reach: int = 24
    """Distance in inches beyond which an approaching enemy is not waited for."""
    two_tokens: int = 170
    """Worth of two tokens, in per cent of one."""
    spring: int = 500
    """Least gain of turning over a token."""

    # Close quarters.
    hopeful: int = 70
    """Expected part of the enemy's blows in close quarters, in per cent."""
    then_storm: int = 60
    """Weight of an assault after a shot, in per cent, because the shot may fail to pin."""
    backed: int = 0
    """Extra gain of an assault if a friend could follow, in per cent of what it leaves of the enemy."""

    # Rallies, fire from afar, and other acts.
    rally: int = 25
    """Worth of rallying a unit, in per cent of its worth."""
    rally_next: int = 1000
    """Extra worth if the unit may rally as its next action."""
    urge_danger: int = 25
    """Part of the danger at its place that drives a Pinned unit away, in per cent."""
    urge: int = 4
    """Distance in inches gained by a unit that can move again towards its goal."""
    urge_reach: int = 6
    """Remaining distance in inches up to which that counts."""
    shelled_machine: int = 5
    """Effect of a fire mission on a machine, in per cent."""
    shelled_model: int = 20
    """Effect of a fire mission on each model under it, in per cent."""
    shelled_models: int = 3
    """Largest number of models that count for it."""
    shelled_pinned: int = 12
    """Effect of a fire mission on the whole unit, which may be Pinned, in per cent."""
    shelled_friends: int = 150
    """Amount that its own count that lie under it, in per cent."""
    shelled_called: int = 150
    """Extra worth of fire from off the table, in per cent, if it comes."""
    shelled: int = 8
    """Part of these effects that is expected, in twelfths, because the fire may scatter."""
    struck_friends: int = 200
    """Amount that its own count that lie under an airstrike, in per cent of enemies."""
    alights: int = 100
    """Worth of continuing to act after leaving a transport."""

    # Places.
    crowded: int = 0
    """Cost of each friend within three inches of a place, because they block each other."""

    # Goals of the mission: objectives.
    objective_early: int = 20
    """Worth of being at an objective before any are counted, in per cent of a victory point."""
    objective_last: int = 90
    """Worth of being at an objective for the side that acts last before the count, in per cent of a victory point."""
    objective_first: int = 45
    """Worth of being at an objective for the side that acts first, in per cent of a victory point."""
    helper: int = 350
    """Divisor of that worth for units that are not the nearest, in per cent."""
    objective_inch: int = 200
    """Cost of an inch on the way to an objective."""
    helper_inch: int = 100
    """Cost of an inch on the way to an objective, for units that are not the nearest."""
    support_inch: int = 50
    """Cost of an inch on the way to an objective, for teams that should stay behind."""
    support_way: int = 8
    """Extra distance in inches that such a team counts as being away."""

    # Goals of the mission: the crossroads.
    drive: int = 100
    """Factor for the worth of an inch towards the crossroads for the attacker, in per cent of the next five weights."""
    drive_0: int = 1600
    """Worth of an inch towards the crossroads in the last turn."""
    drive_1: int = 1200
    """Worth of an inch towards the crossroads with one more turn."""
    drive_2: int = 800
    """Worth of an inch towards the crossroads with two more turns."""
    drive_3: int = 400
    """Worth of an inch towards the crossroads with three more turns."""
    drive_4: int = 200
    """Worth of an inch towards the crossroads with four or more turns. Teams that should stay behind count half of
    each.
    """
    drive_near_0: int = 3
    """Sufficient distance from the crossroads in the last turn, in inches."""
    drive_near_1: int = 4
    """Sufficient distance from the crossroads with one more turn, in inches."""
    drive_near_2: int = 6
    """Sufficient distance from the crossroads with two more turns, in inches."""
    drive_near_3: int = 9
    """Sufficient distance from the crossroads with three more turns, in inches."""
    drive_near_4: int = 12
    """Sufficient distance from the crossroads with four or more turns, in inches."""
    drive_out: int = 2
    """With no more turns than this it makes for those who hold them."""
    pull: int = 100
    """Factor for the worth of an inch towards a final destination, in per cent of the next seven weights."""
    pull_0: int = 1400
    """Worth of an inch towards a final destination with no spare Move."""
    pull_1: int = 1000
    """Worth of an inch towards a final destination with one spare Move."""
    pull_2: int = 600
    """Worth of an inch towards a final destination with two spare Moves."""
    pull_3: int = 300
    """Worth of an inch towards a final destination with three spare Moves."""
    pull_4: int = 200
    """Worth of an inch towards a final destination with four spare Moves."""
    pull_5: int = 100
    """Worth of an inch towards a final destination with five spare Moves."""
    pull_6: int = 50
    """Worth of an inch towards a final destination with six or more spare Moves."""
    reserve_late: int = 2
    """Number of spare Moves deducted for a unit that is kept in reserve."""
    arrived: int = 8000
    """Worth of being there when the last turn ends."""

    # Goals of the mission: the pilot.
    fetchers: int = 2
    """Number of units that go for him."""
    fetch: int = 100
    """Factor for the worth of an inch towards the pilot, in per cent of the next six weights."""
    fetch_0: int = 500
    """Worth of an inch towards the pilot with no Move to spare for bringing him home in time."""
    fetch_1: int = 400
    """Worth of an inch towards the pilot with one Move to spare."""
    fetch_2: int = 300
    """Worth of an inch towards the pilot with two Moves to spare."""
    fetch_3: int = 200
    """Worth of an inch towards the pilot with three Moves to spare."""
    fetch_4: int = 100
    """Worth of an inch towards the pilot with four Moves to spare."""
    fetch_5: int = 100
    """Worth of an inch towards the pilot with five or more Moves to spare."""
    fetched: int = 3000
    """Worth of reaching the pilot."""
    others_near: int = 14
    """Distance in inches from the pilot to which the other units come."""
    others_inch: int = 50
    """Cost of an inch beyond it for the other units."""
    home_inch: int = 1400
    """Worth of an inch on the pilot's way home."""
    home: int = 20000
    """Worth of bringing the pilot home."""
    escort_near: int = 8
    """Distance in inches at which the others escort the pilot, or to which they approach if the enemy has him."""
    escort_inch: int = 100
    """Cost of an inch beyond it for escorts."""
    chase_inch: int = 200
    """Cost of an inch beyond it for pursuers."""

    # Goals of the mission: the far edge.
    off: int = 16000
    """Worth of leaving the table as the mission demands."""
    through: int = 15000
    """Worth of being at the edge."""
    through_spare: int = 2
    """Number of extra Moves that a unit allows for: its last model has to cross the edge, and it may have to rally."""
    through_more: int = 2
    """Number of units beyond the minimum that hurry to the edge."""
    through_late: int = 2
    """Divisor of the worth of an inch for units that do not hurry."""
    through_near: int = 10
    """Distance in inches from the edge to which units that cannot score come."""
    through_inch: int = 100
    """Cost of an inch beyond it for these units."""

    # Deployment.
    begins_soft: int = 500
    """Worth of soft cover at deployment."""
    begins_hard: int = 800
    """Worth of hard cover at deployment."""
    begins_fortified: int = 1000
    """Worth of fortified cover at deployment."""
    middle: int = 25
    """Cost of an inch from the middle of the front at deployment."""
    together: int = 400
    """Cost of each friend within four inches at deployment."""
    struck: int = 100
    """Weight of the enemy's possible first attacks, in per cent."""
    finds: int = 50
    """Probability that an enemy gets a shot in its first turn at a unit that starts in sight of its front, in per cent.
    """
    stays_out: int = 12
    """From what it would take on a unit is kept in reserve, in per cent."""
    behind: int = 25
    """Cost of an inch from its own edge for a team that should stay behind."""

    def styled(self, style: Style) -> Weights:
        """Return the same of a player who cares for more, or less: beside what is done to the enemy, which has no
        weight.
        """
        more = {
            **{name: getattr(self, name) * style.danger // style.harm for name in DANGERS},
            **{name: getattr(self, name) * style.goals // style.harm for name in GOALS},
        }
        return msgspec.structs.replace(self, **more)

    def lasts(self, turns: int) -> int:
        """Return the weight of a model's worth, in per cent, by the number of turns its side has left."""
        return _line(self, "lasts")[min(turns, 3)]

    def left(self, turns: int) -> int:
        """Return what the last of a defender at the crossroads is worth, by the turns that the attacker has left."""
        return _line(self, "left")[min(turns, 2)]

    def drives(self, turns: int) -> tuple[int, int]:
        """Return the sufficient distance from the crossroads in inches, and the worth of an inch, by the number of
        turns left.
        """
        turn = min(turns, 4)
        return _line(self, "drive_near")[turn], _line(self, "drive")[turn] * self.drive // 100

    def pulls(self, spare: int) -> int:
        """Return the worth of an inch towards a final destination, by the number of spare Moves."""
        return _line(self, "pull")[min(max(spare, 0), 6)] * self.pull // 100

    def fetches(self, spare: int) -> int:
        """Return what an inch is worth towards the pilot, by how many Moves are to spare."""
        return _line(self, "fetch")[min(spare, 5)] * self.fetch // 100


@cache
def _line(weights: Weights, name: str) -> tuple[int, ...]:
    numbers: list[int] = []
    while (value := getattr(weights, f"{name}_{len(numbers)}", None)) is not None:
        numbers.append(value)
    return tuple(numbers)


VETERAN = Weights()
"""Those of the veteran, and of the levels below it."""
