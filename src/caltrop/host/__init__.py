"""The host of games: what is played is stored, played again from storage, and shown to each as they may see it.

The server and the terminal both stand on it, and it knows neither: no request, no connection, no screen. `games` has
all games of a database and the computer's seats, and `live` one game in memory with those who look at it. `game` is the
game itself, `storage` has the events that it is kept as, and `seats` the secrets of its seats. Nothing heavy is
imported before it is asked for.
"""

__all__: list[str] = []
