"""Duel: two duellists, one die. The smallest complete game, and the template for a ruleset of your own.

Read `records` (the state), then `turn`, `movement` and `strike` (the procedures, in the order of the rules), then
`rulebook` (the interface to the engine) and `picture` (the view). Other modules of the duel are `requests`, `form`,
`resolve` and `odds` (a strike outside a game), `preview` (forecasts), `sight` and `rulings`. The clauses are in
`docs/rules/duel.md`, and how to write a ruleset in `docs/writing-a-ruleset.md`.
"""

from caltrop.rules.duel.rulebook import ruleset

__all__ = ["ruleset"]
