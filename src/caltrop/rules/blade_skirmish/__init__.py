"""Blade Skirmish: a handful of named fighters against automated models, or against another warband.

Read `records` (the state), then `turn` (the steps), then the modules of the steps: `movement` and `flight`, `charge`,
`running`, `automata`, `combat`, `injury`, `fatality`. Warbands, scenarios and house rules are data. The clauses, marked
as the book's or Caltrop's own, are in `docs/rules/blade-skirmish.md`.
"""

from caltrop.rules.blade_skirmish.rulebook import ruleset

__all__ = ["ruleset"]
