"""Positions in which much breaks into the acts of units, and what may be seen in them: one module for each ruleset.

A module has `drawn(dice)`, which draws a position, with what is played in it on its stack; `TELLING`, numbers
of positions that once told of a fault; a class `Watch`, which is
told of every step of a game that is played from it, and says what is wrong; and `forgotten(t, side)`, the position in
which nobody of a side who has yet to act has ever done anything, None where a ruleset counts nothing of the kind.
"""
