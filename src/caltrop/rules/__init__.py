"""The rulesets: each is a folder, and a folder with a rulebook is found without any registration.

A ruleset imports from packages shared by all rulesets (`kit`, `asking`, `scenarios`, `caltrop`), and never from another
ruleset. `duel` is the template to copy.

Lists of games are ordered by name. A ruleset may have a file `data/place` with an integer: lower numbers come first,
and a game without the file has 0. If the file says `unfinished`, no list shows the game, but it can be played, refereed
and tested by its name.
"""
