"""Contents of the page of proofs for the players of Hex Command: pairings, counts and text."""

from __future__ import annotations

from caltrop.players.hex_command.blunders import KINDS, BlunderWatch
from caltrop.players.proof import MADE, Page

PROOF = Page(
    title="Hex Command",
    pairings=(),
    kinds=KINDS,
    watch=BlunderWatch,
    counted=BlunderWatch.__module__,
    introduction="""
Its players see what their side sees, never the other hand, score in whole points of which a
banner is worth a hundred, and break ties by the order in which the game lists things, so that equal seeds give equal
games.

{levels}

`veteran` asks the game itself for everything that is a rule: reach, sections, sight, dice, shields, retreats and the
exact odds of every attack. For each unit it finds the best place within its reach: what its best attack from there
takes from the enemy, what the enemy can do to it next turn on that ground, objectives taken, held and denied, the way
to what the scenario is about, and the edge of the map behind it. An attack counts less the likelier the enemy holds
an Ambush or a Shield Surge, unless a limit presses: the hand is guessed from the cards that lie nowhere in sight. A
card is worth the best that its orders add up to, less what it would be worth in a later turn. It plans again after
every move and every roll. What the last banners, a unit that has to walk to a row, a unit whose loss loses the battle
and a limit that favours one side are worth, it reads from the scenario: who loses if nothing happens presses on, who
wins by waiting stays near what it has to hold.
""",
    made=MADE.replace("{armies}", ""),
    weaknesses="""
## What they do not do

- They look one turn ahead and guess the enemy's answer from distances; they lay no plans over several turns.
- Units are judged one by one: two may count on the same kill, and the second battle is chosen anew after the first.
- Nobody screens another unit, or clears a line of sight on purpose.
- Of the enemy's hand only Ambush and Shield Surge are reckoned with, and what it does not play tells nothing.
- A unit may march to and fro out of reach in turns whose card fits nothing better.
""",
)
