"""Contents of the page of proofs for the players of Blade Skirmish: pairings, counts and text."""

from __future__ import annotations

from caltrop.players.blade_skirmish.blunders import KINDS, BlunderWatch
from caltrop.players.proof import MADE, Page

PROOF = Page(
    title="Blade Skirmish",
    pairings=(),
    kinds=KINDS,
    watch=BlunderWatch,
    counted=BlunderWatch.__module__,
    introduction="""
Its players see what their side sees, score in whole points of which a model of Quality 1 is worth a hundred, and break
ties by the order in which the game lists things, so that equal seeds give equal games.

{levels}

`veteran` asks the game itself for everything that is a rule: routes, zones, charges, sight, flanks, flights and the
exact odds of challenges and injuries. No die is thrown while fighters walk and charge, and so it plans its whole turn
at once. For each fighter it lists walks, with the charges and runs that may follow, the springs from which an enemy is
charged from another side, and flight. Of these it picks what is worth most together: first each her own best, then
pairs who flank, then each again in the light of the others. An arrangement is worth the combat that closes the turn
by its exact odds, three quarters of what the enemy may do in the turn after (who comes for what, and whether two come
from opposite sides), and the way to what the scenario is about, which counts for more the less time is left.

What it takes things to be worth stands in one record of numbers (`caltrop.players.blade_skirmish.weights`). The second
nearest comrade counts where the enemy is all that matters, as in Blood Price: a warband that arrives one by one dies
so. At the stones it counts who has more there, and an inch counts less once a charge would take a fighter to them. They
go in an order in which nobody ends in the way of one who goes later. Five weights are for what it does not see, and 0
for the veteran: enemies that no comrade can meet, standing free within reach of a charge, a free comrade behind who is
in contact, an enemy who is down, and who stands in the way to the carrier. `python -m caltrop.lab.tuning
blade-skirmish` tunes 44 of the weights in the scenarios for two players.

How often each level wins a scenario against the dice, 300 games each, stands on [a page of its
own](balance/blade-skirmish-levels.md), and how often a veteran does against weaker and stronger foes on
[another](balance/blade-skirmish.md).
""",
    made=MADE.replace("{armies}", "in the scenarios for two players, "),
    weaknesses="""
## What they do not do

- They look one turn ahead and guess the enemy's answer from distances; they lay no plans over several turns.
- `veteran` fights on its way in Run the Gauntlet and loses too many of those who have to leave.
- Those who find nobody to charge do not keep together as a person would have them: a warband ends up in several fights.
- In Blood Price even `random` wins one game in six: where one meets one, both strike alike in every combat, and it
  takes on too many of these.
- Who flees is stopped by a comrade now and then, most often late on her way.
- It takes to flight too rarely, for a flight of 8 inches ends where most enemies can still charge.
- Nobody screens the carrier of the relic on purpose; the others only stay near her.
""",
    scenarios=("blood-price", "between-the-stones", "the-fallen-standard"),
)
