"""What the player of Squad Action takes things to be worth: every number that is a judgement, and no rule.

A player is given one set. `VETERAN` has the numbers that were chosen by hand, and its games stay as they are; others
come of games of the player against itself (`caltrop.lab.tuning`). All are whole numbers: hundredths of a point of the
army lists, or per cent, where nothing else is said. What is asked for turn by turn or Move by Move has a number for
each, and one for all of them together.
"""

from __future__ import annotations

from functools import cache

import msgspec

from caltrop.players.judgement import Style

DANGERS = ("risk_first", "risk_second", "struck", "urge_danger")
"""What the enemy may do to a side counts by these."""
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
    """One set; the numbers given here are the veteran's. What it does not see at all has the weight 0."""

    # What units are worth.
    victory: int = 4500
    """A victory point, where they are counted."""
    unpriced: int = 1000
    """What each model counts of a unit that has no price."""
    alive: int = 25
    """How much of a unit's worth is lost with its last model alone, in per cent."""
    pinned: int = 20
    """What it costs a unit to be Pinned, in per cent of what is left of it,"""
    broken: int = 60
    """and what it costs to be broken."""
    immobile: int = 25
    """What a machine loses of its worth that cannot move any more, in per cent,"""
    disarmed: int = 45
    """and one whose weapon is gone."""
    lasts_0: int = 15
    """How much of what a model is worth counts, in per cent, in the last turn of its side,"""
    lasts_1: int = 55
    """with one more turn after this one,"""
    lasts_2: int = 80
    """with two more,"""
    lasts_3: int = 100
    """and with three or more."""
    survivors: int = 50
    """How much of who is left after the first round of close quarters is left in the end, in per cent."""
    threat: int = 0
    """How much of what an enemy's best volley takes is at stake with it besides, while it can fire, in per cent."""
    focus: int = 0
    """How much more harm counts that is done to who has lost models already, in per cent of the part that is lost."""

    # What is at stake with the mission.
    held_last: int = 80
    """What a unit counts that stands at an objective, in per cent of a victory point: of the side that acts last;"""
    held_first: int = 35
    """and of the side that acts first, which the other may still drive off."""
    left_0: int = 800
    """What the last of a defender at the crossroads is worth, in per cent of its price: in the last turn,"""
    left_1: int = 500
    """the turn before,"""
    left_2: int = 200
    """and earlier, or wherever it is."""
    holders: int = 5
    """Defenders may hold the crossroads in the end that are so many inches farther from them than need be."""
    carrier_acts: int = 9000
    """What it is worth that the unit with the pilot can act,"""
    carrier: int = 12000
    """and that there is anything left of it."""
    leaver_acts: int = 1500
    """The same of a unit that counts when it leaves the table:"""
    leaver: int = 3000
    """that there is anything left of it."""

    # Shots.
    launcher: int = 150
    """What it costs to fire a launcher at soldiers while enemy armour is on the table: it may come into sight."""
    again: int = 90
    """What a second volley at the same target is worth, in per cent of the first."""
    promised: int = 8
    """How much of a shot from a place counts while it is not known whether the place can be reached, in twelfths."""
    future_first: int = 80
    """What counts of what a unit could shoot at next turn, in per cent, for who acts first"""
    future_second: int = 70
    """and for who acts second."""
    unseen: int = 40
    """What counts of the fire at an enemy that is not seen yet, in per cent."""
    far: int = 14
    """Who is farther than so many inches from every enemy is too far to be of use."""
    approach: int = 100
    """What an inch costs from there."""

    # What the enemy may do.
    risk_first: int = 50
    """What counts of what the enemy could do to a unit until it acts again, in per cent, for who acts first"""
    risk_second: int = 65
    """and for who acts second, who is shot at first."""
    comes: int = 60
    """What counts of the fire of an enemy that sees the place when it comes on, in per cent,"""
    strays: int = 15
    """and of one that goes elsewhere."""
    hidden: int = 20
    """Enemies that do not see a place from where they are count no farther than so many inches from it."""
    shaken: int = 60
    """What counts of the fire of an enemy that is Pinned, in per cent."""
    stormed: int = 40
    """What counts of being within reach of an assault, in per cent."""
    outgunned: int = 100
    """How far who is outgunned counts on no others to draw the fire, in per cent of how far it is."""
    spoilt: int = 100
    """How far who is in danger counts less on what it will shoot at next turn, in per cent of the danger."""
    daring: int = 0
    """How much of the danger does not count for a side that loses if nothing happens, in per cent,"""
    level: int = 0
    """and where nobody would win."""
    stronger: int = 0
    """How much of it does not count for the stronger side, in per cent of how much more of it is left."""
    crossing: int = 0
    """What counts of the volleys of each enemy on overwatch that sees the way of a Move, in per cent of one."""
    smoked: int = 35
    """What smoke takes off what the enemy could do to who stands in it, in per cent,"""
    smoked_later: int = 50
    """and how much of that counts for a friend who has not acted yet, and may go elsewhere."""
    marker: int = 400
    """What a marker of smoke is worth later."""

    # Overwatch.
    watching: int = 55
    """What is to be had of a token on overwatch, in per cent of the best shot,"""
    ambush: int = 70
    """and of the best shot at who is likely to come."""
    ambush_reach: int = 24
    """Who comes no nearer than so many inches is not waited for."""
    two_tokens: int = 170
    """What two tokens are worth, in per cent of the first."""
    spring: int = 500
    """A token is turned over for as much as this."""

    # Close quarters.
    hopeful: int = 70
    """Close quarters are thought of with a guess of so many per cent of the enemy's blows."""
    then_storm: int = 60
    """What counts of an assault that comes after a shot, in per cent: the shot may not pin."""
    backed: int = 0
    """What an assault gains by a friend who could come after it, in per cent of what it leaves of the enemy."""

    # Rallies, fire from afar, and other acts.
    rally: int = 25
    """What it is worth to un-pin a unit, in per cent of its worth;"""
    rally_next: int = 1000
    """and to who may do it as its next action."""
    urge_danger: int = 25
    """How much of the danger of where it is drives a Pinned unit away, in per cent."""
    urge: int = 4
    """So many inches are gained by who can move again towards where it is wanted,"""
    urge_reach: int = 6
    """and who has no more inches to go than this is there."""
    shelled_machine: int = 5
    """What a fire mission takes of a machine, in per cent,"""
    shelled_model: int = 20
    """of each model under it,"""
    shelled_models: int = 3
    """of no more models than this,"""
    shelled_pinned: int = 12
    """and of the whole unit, as it may be Pinned."""
    shelled_friends: int = 150
    """Amount that its own count that lie under it, in per cent."""
    shelled_called: int = 150
    """How much more fire is worth that is called from off the table, in per cent, where it comes."""
    shelled: int = 8
    """What comes of all that, in twelfths: it may fall elsewhere."""
    struck_friends: int = 200
    """Amount that its own count that lie under an airstrike, in per cent of enemies."""
    alights: int = 100
    """What it is worth to who leaves a transport that it may go on."""

    # Places.
    crowded: int = 0
    """What each friend within three inches costs a place: they are in one another's way."""

    # What the mission wants: objectives.
    objective_early: int = 20
    """What it is worth to be at an objective, in per cent of a victory point: before any are counted;"""
    objective_last: int = 90
    """for who acts last before it is;"""
    objective_first: int = 45
    """and for who acts first."""
    helper: int = 350
    """By how much that is divided for who is not the nearest, in per cent."""
    objective_inch: int = 200
    """What an inch costs on the way to an objective,"""
    helper_inch: int = 100
    """for who is not the nearest,"""
    support_inch: int = 50
    """and for teams that are better behind."""
    support_way: int = 8
    """So many inches such a team counts as farther from it than it is."""

    # What the mission wants: the crossroads.
    drive: int = 100
    """What an inch is worth that is missing to who attacks the crossroads, in per cent of this:"""
    drive_0: int = 1600
    """in the last turn,"""
    drive_1: int = 1200
    """with one more,"""
    drive_2: int = 800
    """with two,"""
    drive_3: int = 400
    """with three,"""
    drive_4: int = 200
    """and with more; teams that are better behind count half of it."""
    drive_near_0: int = 3
    """How near it has to come, in inches: in the last turn,"""
    drive_near_1: int = 4
    """with one more,"""
    drive_near_2: int = 6
    """with two,"""
    drive_near_3: int = 9
    """with three,"""
    drive_near_4: int = 12
    """and with more."""
    drive_out: int = 2
    """With no more turns than this it makes for those who hold them."""
    pull: int = 100
    """What an inch is worth towards where a unit has to be in the end, in per cent of this:"""
    pull_0: int = 1400
    """with no Move to spare,"""
    pull_1: int = 1000
    """with one,"""
    pull_2: int = 600
    """with two,"""
    pull_3: int = 300
    """with three,"""
    pull_4: int = 200
    """with four,"""
    pull_5: int = 100
    """with five,"""
    pull_6: int = 50
    """and with more."""
    reserve_late: int = 2
    """So many Moves fewer a unit has to spare that is kept back."""
    arrived: int = 8000
    """What it is worth to be there when the last turn ends."""

    # What the mission wants: the pilot.
    fetchers: int = 2
    """Number of units that go for him."""
    fetch: int = 100
    """What an inch towards him is worth, in per cent of this:"""
    fetch_0: int = 500
    """with no Move to spare to bring him home in time,"""
    fetch_1: int = 400
    """with one,"""
    fetch_2: int = 300
    """with two,"""
    fetch_3: int = 200
    """with three,"""
    fetch_4: int = 100
    """with four,"""
    fetch_5: int = 100
    """and with more."""
    fetched: int = 3000
    """What it is worth to be with him."""
    others_near: int = 14
    """How near to him the others come, in inches,"""
    others_inch: int = 50
    """and what an inch costs them."""
    home_inch: int = 1400
    """What an inch is worth on his way home,"""
    home: int = 20000
    """and to be there."""
    escort_near: int = 8
    """How near to him the others stay, in inches, or come where the enemy has him;"""
    escort_inch: int = 100
    """what an inch costs those who stay,"""
    chase_inch: int = 200
    """and those who come."""

    # What the mission wants: the far edge.
    off: int = 16000
    """What it is worth to leave the table as the mission wants."""
    through: int = 15000
    """What it is worth to be at the edge."""
    through_spare: int = 2
    """So many Moves more than it needs a unit takes: the last model has to get over, and it may have to rally."""
    through_more: int = 2
    """So many units more than need be hurry."""
    through_late: int = 2
    """The others count one part in so many of an inch."""
    through_near: int = 10
    """How near to the edge those come who do not count, in inches,"""
    through_inch: int = 100
    """and what an inch costs them."""

    # Where it begins.
    begins_soft: int = 500
    """What soft cover is worth to who is put down,"""
    begins_hard: int = 800
    """hard cover,"""
    begins_fortified: int = 1000
    """and fortified cover."""
    middle: int = 25
    """What an inch costs from the middle of the front,"""
    together: int = 400
    """and each friend within four inches."""
    struck: int = 100
    """How much of what the enemy's first turn may strike counts, in per cent."""
    finds: int = 50
    """How likely each enemy comes to shoot in its first turn at who begins in sight of its front, in per cent."""
    stays_out: int = 12
    """From what it would take on a unit is kept in reserve, in per cent."""
    behind: int = 25
    """What an inch from its own edge costs a team that is better behind."""

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
        """Return how much of what a model is worth counts, in per cent, by how many turns its side still has."""
        return _line(self, "lasts")[min(turns, 3)]

    def left(self, turns: int) -> int:
        """Return what the last of a defender at the crossroads is worth, by the turns that the attacker has left."""
        return _line(self, "left")[min(turns, 2)]

    def drives(self, turns: int) -> tuple[int, int]:
        """Return how near an attacker of the crossroads has to come in inches, and what an inch is
        worth, by the turns.
        """
        turn = min(turns, 4)
        return _line(self, "drive_near")[turn], _line(self, "drive")[turn] * self.drive // 100

    def pulls(self, spare: int) -> int:
        """Return what an inch is worth towards where a unit has to be in the end, by how many Moves are to spare."""
        return _line(self, "pull")[min(max(spare, 0), 6)] * self.pull // 100

    def fetches(self, spare: int) -> int:
        """Return what an inch is worth towards the pilot, by how many Moves are to spare."""
        return _line(self, "fetch")[min(spare, 5)] * self.fetch // 100


@cache
def _line(weights: Weights, name: str) -> tuple[int, ...]:
    """Return the numbers of a name that go by turns or by Moves, in order."""
    numbers: list[int] = []
    while (value := getattr(weights, f"{name}_{len(numbers)}", None)) is not None:
        numbers.append(value)
    return tuple(numbers)


VETERAN = Weights()
"""Those of the veteran, and of the levels below it."""
