"""Contents of the page of proofs for the players of Squad Action: pairings, counts and text."""

from __future__ import annotations

from caltrop.players.proof import MADE, Page
from caltrop.players.squad_action.blunders import KINDS, BlunderWatch

PROOF = Page(
    title="Squad Action",
    pairings=(),
    kinds=KINDS,
    watch=BlunderWatch,
    counted=BlunderWatch.__module__,
    introduction="""
The players that come with the game are bounded by a count of places that they judge, never by the clock. They see what
their side sees (of tokens only how many there are), score in hundredths of a point of the army lists, and break ties by
the order in which the game lists things, so that equal seeds give equal games.

{levels}

`veteran` asks the game itself for everything that is a rule: routes, reach, sight, cover, saves, morale, and the
exact odds of volleys and of close quarters. For each unit it weighs what it could announce: two volleys, a volley and
a move, a move and overwatch, smoke before the open ground, an assault, a rally. A place is worth what may be shot at
from it next turn, the way to where the mission wants the unit, and safety from what the enemy may do in its turn; that
danger is shared among those that an enemy sees, unless the side is outgunned and had better hide, and who is in danger
counts the less on what it will shoot at next turn: few against many wait in cover with overwatch. What models are worth
ends with the game, and so units that have to be somewhere in the end go there when it is time to. Who acts second keeps
back or hides what the first volleys would strike, by the odds of the enemies that are still to be put down, and losses
are taken so that a unit still hangs together.
""",
    made=MADE.replace("{armies}", "each mission with its own forces, ")
    + " Weights were chosen on games of other seeds, with few games for each choice; a more timid version had been "
    "played on some of these too, so they are not a wholly fresh test.",
    weaknesses="""
## What they do not do

- They look one turn ahead and guess the enemy's answer from where it is likely to move; they lay no plans over several
  turns.
- Who acts first has much the better of it where deployment areas are open to one another, as in the large missions:
  the first volleys decide. Most of the games that `veteran` lost against the regular of before the ladder were those
  in which it acted second. Since it waits where it would be shot it won 13 of 16 such games as the defender of the
  crossroads or against those who break through, on both layouts, where the version before had won 4 of the first 9 of
  them; and in twelve of Meeting Engagement, seats swapped, 9 and drew one. That version was chosen on these games, so
  that they are not a fresh test. Afterwards it won 17 of 20 others, seats swapped: 6 of 8 of Downed Pilot on both
  layouts, 5 of 6 of Break Through at the orchard, and 6 of 6 first battles. In a first battle nobody begins in sight
  of the enemy, and it has won from either turn.
- Against the regular of before the ladder (`tests.players.frozen.squad_action.greedy`), which took what gained most at
  once, it won 793 of 1,080 games, drew 22 and lost 265 (74 %, 72 to 77), and on two missions it was not shown to have
  60 %. Break Through in the village is decided by the forces: the side with Talon Strike wins 86 % of it between equal
  players, so that the better player shows only in what is left. Downed Pilot is decided by who acts first, who wins
  82 % of it.
- In a Meeting Engagement it may hide most of its force on one side, and comes to the other objectives too late.
- Against three silly ways to play (`tests/players/silly`) it has 60 % and more of every mission, and the least, 62 %,
  against everybody stands and shoots in Break Through in the village ([silly scripts](opponents-silly.md)).
- Overwatch tokens that will be turned over before it acts make it no more careful in what it does first.
- Nobody boards a transport. Passengers leave theirs as soon as it is of use.
- No assault is made on machines, and none by two units together.
- Smoke is laid for the unit that lays it and for friends who stand near by, and never to hide a third unit's way.
- Units are judged one by one: two may want the same place, and the second takes what is left.
""",
)
