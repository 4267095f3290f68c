"""Squad Action: squads, vehicles, walkers and flyers, with overwatch, close quarters, fire missions and airstrikes.

Read `records` (what there is), then `turn` (the steps), `orders`, `activation` and `acts` (what a unit does with an
action), and each action's own chapter: `movement`, `shooting`, `overwatch`, `assault` and `close_quarters`,
`transport`, `shelling`, `smoke`, `rally`. What units and armies are is in `catalogue` and `armies`, the missions are in
`scenarios`, and `picture` draws the table. Armies, weapons, missions and house rules are data. The clauses, and what of
them is the book's and what Caltrop's, are in `docs/rules/squad-action.md`.
"""

from caltrop.rules.squad_action.rulebook import ruleset

__all__ = ["ruleset"]
