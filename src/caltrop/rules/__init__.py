"""The rulebooks, one folder each: the folder is the registry.

A ruleset imports only from the floors below (engine, journal, table, roster, picture, geometry, chance, clauses), and
never another ruleset. `duel` is the template to copy.

Lists of games go by name. A ruleset may have a file `data/place` with a whole number: lower ones come first, and a game
without the file has 0. Where the file says `unfinished` the game is still being written: it stands in no list, and
those who name it can play, referee and test it.
"""
