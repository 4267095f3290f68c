"""Command Horizon: tank units, their command points, and the infantry that gets in their way.

Read `records` and `battle` (what there is), then `turn` (the numbered steps), and each step's own chapter: `setup`,
`command`, `stuns`, `disengage`, `movement`, `targets`, `artillery`, `combat`, `damage`. Units and house rules are data;
races and editions are amendments beside what they change. The clauses are in `docs/rules/command-horizon.md`.
"""

from caltrop.rules.command_horizon.rulebook import ruleset

__all__ = ["ruleset"]
