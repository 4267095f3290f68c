"""Squad Action: squads, vehicles, walkers and flyers, with overwatch, close quarters, fire missions and airstrikes.

Read `fight` (what there is), then `turn` (the steps) and `acts` (what a unit does with an action), and each action's
own chapter: `moving`, `shooting`, `overwatch`, `assault` and `close_quarters`, `transport`, `shelling`, `smoke`,
`rally`. Forces, weapons, missions and house rules are data. The clauses, and what of them is the book's and what
Caltrop's, are in `docs/rules/squad-action.md`.
"""

from caltrop.rules.squad_action.rulebook import ruleset

__all__ = ["ruleset"]
