"""Positions in which much breaks into the acts of units, and what may be seen in them: one module for each ruleset.

A module has:

- `drawn(dice)`, which draws a position, with what is played in it on its stack;
- `chosen(t, decision, dice)`, an answer by chance;
- `SHARE`, of how many positions the quick tier plays one, and `TELLING`, positions that once told of a fault;
- `Watch`, a subclass of `seen.Seen`, which hears of every step of a game from there, and reports faults;
- if a ruleset counts what units did earlier, `forgotten(t, side)`: the position in which nobody of a side who has yet
  to act has ever done anything.
"""
