"""Earlier computer players, as opponents for the present ones.

Their modules are in `old_players.zip`, so that linters, the type checker and line counts ignore them. They are imported
as before, for example `tests.players.frozen.hex_command.greedy:Greedy`.
"""

from pathlib import Path

__path__.append(str(Path(__file__).with_name("old_players.zip")))
