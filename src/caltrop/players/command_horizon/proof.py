"""Contents of the page of proofs for the players of Command Horizon: pairings, counts and text."""

from __future__ import annotations

from caltrop.players.command_horizon.blunders import KINDS, BlunderWatch
from caltrop.players.proof import MADE, Page

PAIRINGS = (
    ("alliance", "asori"),
    ("putredine", "alliance"),
    ("asori", "putredine"),
    ("asori", "alliance"),
    ("alliance", "putredine"),
    ("putredine", "asori"),
    ("alliance", "alliance"),
    ("asori", "asori"),
    ("putredine", "putredine"),
)
"""Armies of the two sides, in rotation: each pairing is played twice, with the seats swapped."""


PROOF = Page(
    title="Command Horizon",
    pairings=PAIRINGS,
    kinds=KINDS,
    watch=BlunderWatch,
    counted=BlunderWatch.__module__,
    introduction="""
The players that come with the game are bounded by a count of places that they judge, never by the clock. They see what
their side sees, score in whole numbers and break ties by the order in which the game lists things, so that equal seeds
give equal games.

{levels}

`veteran` asks the game itself for everything that is a rule: reach and prices, ways, range, sight, cover, attacks,
reaction fire and their exact odds. At the start of its movement step it judges, for every unit, standing (with a shot,
with a boosted one) and a few places within each reach, then charges and, for Putredine infantry, attaching to vehicles.
A place is worth the best shot from it less the answer, what may be shot at next turn, the way to the objective that the
unit sees to, and safety from what the enemy can do next turn. Command points are then shared out so that the sum is the
greatest, points saved for reaction fire counted. Targets are named where one more attack gains most, what is expected
of the orders already given taken into account; marks, boosts, answers, pairs of 6s, casualties, close combat and
markers follow exact odds as well.
""",
    made=MADE.replace("{armies}", "armies in a fixed rotation of 9 pairings, "),
    weaknesses="""
## What they do not do

- They look one turn ahead and guess the enemy's answer from distances; they lay no plans over several turns.
- `veteran` never detaches Squads, forms them up again, or splits fire: three marks from one Platoon never occur to
  it.
- It cares too little for its Carriers, which run ahead to an objective and are shot.
- It judges units one by one. Two units may want the same place, and the second takes what is left.
- It does not use its own units to screen others from view, though it counts what blocks the view where it shoots from.
- It concentrates command in most turns, since the points nearly always outweigh the Command unit's own shot, and so
  rarely moves its Command unit.
""",
)
