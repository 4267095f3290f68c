"""Command Horizon: tank units, their command points, and the infantry that gets in their way.

Read `records` (the state), then `turn` (the numbered steps), then the module of each step: `setup`, `command`, `stuns`,
`disengage`, `movement`, `shooting`, `artillery`, `combat`, `damage`. Units and house rules are data. Amendments for
races and editions are written beside the rules that they change. The clauses are in `docs/rules/command-horizon.md`.
"""

from caltrop.rules.command_horizon.rulebook import ruleset

__all__ = ["ruleset"]
