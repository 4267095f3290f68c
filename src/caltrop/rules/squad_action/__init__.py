"""Squad Action: squads, vehicles, walkers and flyers, with overwatch, close quarters, fire missions and airstrikes.

Read `records` (the state), then `turn` (the steps), `orders`, `activation` and `acts` (a unit's acts). The actions are
in: `movement`, `shooting`, `overwatch`, `assault` and `close_quarters`, `transport`, `shelling`, `smoke`, `rally`.
Units and armies are in `catalogue` and `armies`, missions in `scenarios`, the drawing of the table in `picture`.
Armies, weapons, missions and house rules are data. The clauses, marked as the book's or Caltrop's own, are in
`docs/rules/squad-action.md`.
"""

from caltrop.rules.squad_action.rulebook import ruleset

__all__ = ["ruleset"]
