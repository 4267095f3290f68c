"""Positions with many reactions to acts of units, and checks of what is visible in them: one module for each ruleset.

A module has:

- `drawn(dice)`: draws a position, with the procedures to play on its stack;
- `chosen(t, decision, dice)`: returns a random answer;
- `SHARE`: the quick tier plays one in this many positions; `TELLING`: positions that revealed a fault;
- `Watch`: a subclass of `seen.Seen` that receives every step of a game from there, and reports faults;
- `forgotten(t, side)`, if a ruleset counts earlier acts of units: returns the position in which no unit of a side that
  must still act has acted before.
"""
