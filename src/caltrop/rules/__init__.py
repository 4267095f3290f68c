"""The rulebooks, one folder each. The folder is the registry.

A ruleset imports only from its own floor (`kit`, `asking`, `scenarios`) and from those below (`caltrop`), and never
another ruleset. `duel` is the template to copy.

Lists of games go by name. A ruleset may have a file `data/place` with an integer: lower ones come first, and a game
without the file has 0. If the file says `unfinished` the game is still being written: no list shows it, but it can be
played, refereed and tested by its name.
"""
