"""Earlier computer players, as opponents for the present ones.

They are data: `old_players.zip` holds their modules, so that linters, types and line counts pass over them. They are
imported as before, for example `tests.players.frozen.hex_command.greedy:Greedy`.
"""

from pathlib import Path

__path__.append(str(Path(__file__).with_name("old_players.zip")))
