"""The server: the games of a host over HTTP and live connections, and the built client.

It reads messages, lets nobody say too much, and writes answers; `caltrop.host` has the games, and the engine says what
is legal. `said` has one function for each message, `sockets` live connections, `routes` what is asked over HTTP,
`guard` the checks of host, origin, sizes and rates, `counting` and `lab` the work that is done in processes of its own.
The built client is looked for in `static` beside this package. Nothing below imports the server, and nothing heavy is
imported before it is asked for.
"""

__all__: list[str] = []
