"""Duel: two duellists, one die. The smallest honest game, and the template for a rulebook of your own.

Read `records` (what there is), then `turn`, `movement` and `strike` (the procedures, in the order of the book), then
`rulebook` (what the engine is told) and `picture` (what is seen). What it offers besides: `requests`, `form`, `resolve`
and `odds` (a strike outside a game), `preview` (forecasts), `sight` and `rulings`. The clauses are in
`docs/rules/duel.md`, and how to write a rulebook in `docs/writing-a-ruleset.md`.
"""

from caltrop.rules.duel.rulebook import ruleset

__all__ = ["ruleset"]
