"""The rulebooks, one folder each: the folder is the registry.

A ruleset imports only from the floors below (engine, journal, table, roster, picture, geometry, chance, clauses), and
never another ruleset. `duel` is the template to copy.
"""

SHOWN_FIRST = ("command-horizon", "hex-command")
"""The games with which every list of them begins; the others come after, by name, and the template last."""
