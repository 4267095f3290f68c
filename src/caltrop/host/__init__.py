"""The host of games: the host stores games, restores them from storage, and shows each person the view of their side.

The server and the terminal both use the host. The host contains no request, connection or screen. `games` has all games
of a database and the computer's seats, and `live` one game in memory with its onlookers. `game` is the game itself,
`storage` stores its events, and `seats` has the secrets of its seats. Slow imports happen only on demand.
"""

__all__: list[str] = []
