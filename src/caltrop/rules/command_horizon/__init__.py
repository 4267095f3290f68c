"""Command Horizon: tank units, their command points, and the infantry that gets in their way.

Read `records` (the state), then `turn` (the numbered steps), then the chapter of each step: `setup`, `command`,
`stuns`, `disengage`, `movement`, `shooting`, `artillery`, `combat`, `damage`. Units and house rules are data. The rules
of races and editions are amendments, written beside the rules that they change. The clauses are in
`docs/rules/command-horizon.md`.
"""

from caltrop.rules.command_horizon.rulebook import ruleset

__all__ = ["ruleset"]
