"""Tables to play on, written by authors: a folder of YAML files for each ruleset.

The folder is the list. This package knows no ruleset: the contents of scenarios and army lists are types of their
games. It has only the places of such files, and the way to tell them apart. Its modules `rulings`, `lessons` and
`campaigns` are the same for rulings (questions about the rules, written as files that are played out), for lessons and
for campaigns. `cases` and `playing` are what the rulings of all games have in common.
"""

from caltrop.scenarios.files import Sort, built_in, sort_of

__all__ = ["Sort", "built_in", "sort_of"]
