"""Weights of the Squad Action player: all numbers that are a matter of judgement.

Each player has one set of weights. The numbers of `VETERAN` were chosen by hand and never change, so its games stay the
same. Other sets come from games of the player against itself (`caltrop.lab.tuning`). All numbers are integers:
hundredths of a point of the army lists, or per cent, unless stated otherwise. Weights that differ by turn or by Move
have a number for each, and a common factor.
"""

from __future__ import annotations

from functools import cache

import msgspec

from caltrop.players.judgement import Style

DANGERS = ("risk_first", "risk_second", "struck", "urge_danger")
"""Weights of danger from the enemy, which a style changes together."""
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
"""Weights of the mission's goals, which a style changes together."""


class Weights(msgspec.Struct, frozen=True, cache_hash=True, kw_only=True, forbid_unknown_fields=True):
    """A set of weights, with the veteran's as defaults. A feature with weight 0 is ignored."""

    # The worth of units.
    victory: int = 4500
    """Worth of a victory point, if points are counted."""
    unpriced: int = 1000
    """Worth of each model of a unit without a price."""
    alive: int = 25
    """Part of a unit's worth that is lost with its last model, in per cent."""
    pinned: int = 20
    """Cost of being Pinned, in per cent of the unit's remaining worth."""
    broken: int = 60
    """Cost of being broken, in per cent of the unit's remaining worth."""
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
    """Part of the survivors of the first round of close quarters that survives to the end, in per cent."""
    threat: int = 0
    """Extra worth of an enemy that can fire, in per cent of the effect of its best volley."""
    focus: int = 0
    """Extra weight of damage to a unit with losses, in per cent of the part that is lost."""

    # The mission.
    held_last: int = 80
    """Worth of holding an objective, in per cent of a victory point, for the side that acts last."""
    held_first: int = 35
    """Worth of holding an objective, in per cent of a victory point, for the side that acts first."""
    left_0: int = 800
    """Worth of a defender's last model at the crossroads in the last turn, in per cent of its price."""
    left_1: int = 500
    """Worth of a defender's last model at the crossroads in the turn before the last, in per cent of its price."""
    left_2: int = 200
    """Worth of a defender's last model earlier or elsewhere, in per cent of its price."""
    holders: int = 5
    """Extra distance, in inches, at which a defender still counts as able to hold the crossroads at the end."""
    carrier_acts: int = 9000
    """Worth of a unit with the pilot that is able to act."""
    carrier: int = 12000
    """Extra worth of the last model of the unit with the pilot."""
    leaver_acts: int = 1500
    """Worth of a unit that has to leave the table and is able to act."""
    leaver: int = 3000
    """Extra worth of the last model of a unit that has to leave the table."""

    # Shots.
    launcher: int = 150
    """Cost of firing a launcher at soldiers if enemy armour on the table may come into sight."""
    again: int = 90
    """Worth of a second volley at the same target, in per cent of the first."""
    promised: int = 8
    """Weight of a shot from a place that may be out of reach, in twelfths."""
    future_first: int = 80
    """Weight of possible shots in the next turn, in per cent, for the side that acts first."""
    future_second: int = 70
    """Weight of possible shots in the next turn, in per cent, for the side that acts second."""
    unseen: int = 40
    """Weight of shots at an enemy that is out of sight, in per cent."""
    far: int = 14
    """Distance in inches from every enemy beyond which a unit is useless."""
    approach: int = 100
    """Cost of each inch beyond that distance."""

    # The enemy's acts.
    risk_first: int = 50
    """Weight of the enemy's possible acts before the unit acts again, in per cent, for the side that acts first."""
    risk_second: int = 65
    """Weight of the enemy's possible acts before the unit acts again, in per cent, for the side that acts second."""
    comes: int = 60
    """Weight of fire by an enemy that would see the place after its expected move, in per cent."""
    strays: int = 15
    """Weight of fire by an enemy that would not see the place after its expected move, in per cent."""
    hidden: int = 20
    """Distance in inches up to which enemies without sight of a place count as a danger."""
    shaken: int = 60
    """Weight of fire by a Pinned enemy, in per cent."""
    stormed: int = 40
    """Weight of being within reach of an assault, in per cent."""
    outgunned: int = 100
    """Weight of the enemy's excess of firepower in the estimate that it fires at a certain unit, in per cent."""
    spoilt: int = 100
    """Reduction of a unit's shots in the next turn, in per cent of its danger."""
    daring: int = 0
    """Part of the danger that a side ignores if it loses by waiting, in per cent."""
    level: int = 0
    """Part of the danger that a side ignores if waiting leads to a draw, in per cent."""
    stronger: int = 0
    """Part of the danger that the stronger side ignores, in per cent of its excess of strength."""
    crossing: int = 0
    """Weight of the volleys of enemies on overwatch that see a Move, in per cent."""
    smoked: int = 35
    """Reduction by smoke of the enemy's possible acts, in per cent."""
    smoked_later: int = 50
    """Weight of the reduction by smoke for a friend that has not acted yet and may go elsewhere, in per cent."""
    marker: int = 400
    """Worth of keeping a smoke marker for later."""

    # Overwatch.
    watching: int = 55
    """Worth of an overwatch token, in per cent of the best shot."""
    ambush: int = 70
    """Extra worth of an overwatch token, in per cent of the best shot at an enemy that will probably come."""
    ambush_reach: int = 24
    """Distance in inches beyond which an approaching enemy is not expected."""
    two_tokens: int = 170
    """Worth of two tokens, in per cent of the worth of one."""
    spring: int = 500
    """Smallest gain for which a token is turned over."""

    # Close quarters.
    hopeful: int = 70
    """Part of the enemy's attacks that is expected in a rough estimate of close quarters, in per cent."""
    then_storm: int = 60
    """Weight of an assault after a shot, in per cent, because the shot may fail to pin."""
    backed: int = 0
    """Extra gain of an assault that a friend could follow, in per cent of the enemy's expected remains."""

    # Rallying, indirect fire, and other acts.
    rally: int = 25
    """Worth of rallying a unit, in per cent of the unit's worth."""
    rally_next: int = 1000
    """Extra worth if the unit can rally with its next action."""
    urge_danger: int = 25
    """Weight of the danger at the unit's place in the worth of being able to move again, in per cent."""
    urge: int = 4
    """Distance in inches towards its goal that a unit gains by being able to move again."""
    urge_reach: int = 6
    """Largest remaining distance in inches for which `urge` counts."""
    shelled_machine: int = 5
    """Effect of a fire mission on a machine, in per cent of its worth."""
    shelled_model: int = 20
    """Effect of a fire mission on each model under it, in per cent of its worth."""
    shelled_models: int = 3
    """Largest number of models for which `shelled_model` counts."""
    shelled_pinned: int = 12
    """Effect of a fire mission on the whole unit, which may be Pinned, in per cent of its worth."""
    shelled_friends: int = 150
    """Weight of friends under a fire mission, in per cent of the weight of enemies."""
    shelled_called: int = 150
    """Factor for the effect of off-board fire if it is available, in per cent."""
    shelled: int = 8
    """Part of these effects that is expected, in twelfths, because the fire may scatter."""
    struck_friends: int = 200
    """Weight of friends under an airstrike, in per cent of the weight of enemies."""
    alights: int = 100
    """Worth of being able to act after leaving a transport."""

    # Places.
    crowded: int = 0
    """Cost of each friend within three inches of a place."""

    # Objectives.
    objective_early: int = 20
    """Worth of being at an objective before any is scored, in per cent of a victory point."""
    objective_last: int = 90
    """Worth of being at an objective, in per cent of a victory point, for the side that acts last before the count."""
    objective_first: int = 45
    """Worth of being at an objective, in per cent of a victory point, for the side that acts first."""
    helper: int = 350
    """Divisor of the worth of being at an objective for units that are not the nearest, in per cent."""
    objective_inch: int = 200
    """Cost of an inch of distance from an objective."""
    helper_inch: int = 100
    """Cost of an inch of distance from an objective, for units that are not the nearest."""
    support_inch: int = 50
    """Cost of an inch of distance from an objective, for teams that should stay behind."""
    support_way: int = 8
    """Distance in inches that is added for such a team."""

    # The crossroads.
    drive: int = 100
    """Factor for the attacker's worth of an inch towards the crossroads, in per cent of the next five weights."""
    drive_0: int = 1600
    """Worth of an inch towards the crossroads in the last turn."""
    drive_1: int = 1200
    """Worth of an inch towards the crossroads with one more turn."""
    drive_2: int = 800
    """Worth of an inch towards the crossroads with two more turns."""
    drive_3: int = 400
    """Worth of an inch towards the crossroads with three more turns."""
    drive_4: int = 200
    """Worth of an inch towards the crossroads with four or more turns. For teams that should stay behind, the worth is
    half.
    """
    drive_near_0: int = 3
    """Distance from the crossroads that is near enough in the last turn, in inches."""
    drive_near_1: int = 4
    """Distance from the crossroads that is near enough with one more turn, in inches."""
    drive_near_2: int = 6
    """Distance from the crossroads that is near enough with two more turns, in inches."""
    drive_near_3: int = 9
    """Distance from the crossroads that is near enough with three more turns, in inches."""
    drive_near_4: int = 12
    """Distance from the crossroads that is near enough with four or more turns, in inches."""
    drive_out: int = 2
    """Largest number of turns left with which the attacker goes for defenders who hold the crossroads."""
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
    """Number of spare Moves that are subtracted for a unit in reserve."""
    arrived: int = 8000
    """Worth of being at the destination at the end of the last turn."""

    # The pilot.
    fetchers: int = 2
    """Number of units that go for the pilot."""
    fetch: int = 100
    """Factor for the worth of an inch towards the pilot, in per cent of the next six weights."""
    fetch_0: int = 500
    """Worth of an inch towards the pilot with no spare Move for bringing him home."""
    fetch_1: int = 400
    """Worth of an inch towards the pilot with one spare Move."""
    fetch_2: int = 300
    """Worth of an inch towards the pilot with two spare Moves."""
    fetch_3: int = 200
    """Worth of an inch towards the pilot with three spare Moves."""
    fetch_4: int = 100
    """Worth of an inch towards the pilot with four spare Moves."""
    fetch_5: int = 100
    """Worth of an inch towards the pilot with five or more spare Moves."""
    fetched: int = 3000
    """Worth of reaching the pilot."""
    others_near: int = 14
    """Distance in inches from the pilot that is near enough for other units."""
    others_inch: int = 50
    """Cost of an inch beyond `others_near`, for other units."""
    home_inch: int = 1400
    """Worth of an inch on the pilot's way home."""
    home: int = 20000
    """Worth of bringing the pilot home."""
    escort_near: int = 8
    """Distance in inches from the pilot that is near enough for escorts, and for pursuers if the enemy has him."""
    escort_inch: int = 100
    """Cost of an inch beyond that distance, for escorts."""
    chase_inch: int = 200
    """Cost of an inch beyond that distance, for pursuers."""

    # Leaving the table.
    off: int = 16000
    """Worth of leaving the table as the mission demands."""
    through: int = 15000
    """Worth of being at the edge over which units leave."""
    through_spare: int = 2
    """Number of spare Moves that a unit plans for its last model and for a rally."""
    through_more: int = 2
    """Number of units beyond the minimum that hurry to the edge."""
    through_late: int = 2
    """Number by which the worth of an inch towards the edge is divided, for units that need not hurry to leave."""
    through_near: int = 10
    """Distance in inches from the edge that is near enough for units that do not score by leaving."""
    through_inch: int = 100
    """Cost of an inch beyond `through_near`, for units that do not score by leaving."""

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
    """Probability that an enemy shoots in its first turn at a unit that starts in sight of its front, in per cent."""
    stays_out: int = 12
    """Smallest loss at deployment for which a unit is kept in reserve, in per cent of its worth."""
    behind: int = 25
    """Cost of an inch of distance from its own table edge, for a team that should stay behind."""

    def styled(self, style: Style) -> Weights:
        """Return the weights of a player with a style; the weights of harm to the enemy stay."""
        more = {
            **{name: getattr(self, name) * style.danger // style.harm for name in DANGERS},
            **{name: getattr(self, name) * style.goals // style.harm for name in GOALS},
        }
        return msgspec.structs.replace(self, **more)

    def lasts(self, turns: int) -> int:
        """Return the weight of a model's worth, in per cent, by the number of turns that its side has left."""
        return _line(self, "lasts")[min(turns, 3)]

    def left(self, turns: int) -> int:
        """Return the worth of a defender's last model at the crossroads, by the attacker's number of turns left."""
        return _line(self, "left")[min(turns, 2)]

    def drives(self, turns: int) -> tuple[int, int]:
        """Return the near-enough distance from the crossroads in inches and the worth of an inch, by turns left."""
        turn = min(turns, 4)
        return _line(self, "drive_near")[turn], _line(self, "drive")[turn] * self.drive // 100

    def pulls(self, spare: int) -> int:
        """Return the worth of an inch towards a final destination, by the number of spare Moves."""
        return _line(self, "pull")[min(max(spare, 0), 6)] * self.pull // 100

    def fetches(self, spare: int) -> int:
        """Return the worth of an inch towards the pilot, by the number of spare Moves."""
        return _line(self, "fetch")[min(spare, 5)] * self.fetch // 100


@cache
def _line(weights: Weights, name: str) -> tuple[int, ...]:
    numbers: list[int] = []
    while (value := getattr(weights, f"{name}_{len(numbers)}", None)) is not None:
        numbers.append(value)
    return tuple(numbers)


VETERAN = Weights()
"""The weights of the veteran and of the levels below it."""
