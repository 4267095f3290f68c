"""Tables and forces that authors write, a folder of YAML files for each ruleset, and how such files are read.

Reading is strict: every fault names the file, the line, the column and the nearest right word. This package knows no
ruleset: what a scenario of a game may say is a type of that game's own.
"""

from caltrop.scenarios.reading import Read, built_in, read

__all__ = ["Read", "built_in", "read"]
