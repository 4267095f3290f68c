"""Scenarios: a folder of YAML files for each ruleset, and the code that all games share for authored files.

A ruleset's scenarios are the files in its folder. The content of scenarios and army lists is defined by each game; this
package finds the files and distinguishes their kinds. The modules `rulings`, `lessons` and `campaigns` handle rulings
(questions about the rules as files that are played out), lessons and campaigns. `cases` and `playing` have the shared
parts of the rulings of all games.
"""

from caltrop.scenarios.files import Sort, built_in, sort_of

__all__ = ["Sort", "built_in", "sort_of"]
