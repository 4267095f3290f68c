"""The server: an ASGI application with seats, games, live updates and storage, which also serves the built client.

It takes actions and gives views; the engine says what is legal, and the server adds no rule. The built client is
looked for in `static` beside this package. Nothing below imports the server, and nothing heavy is imported before
it is asked for: `app` has the routes, `games` what is under way, `storage` what is kept, `seats` the secrets and the
computer's seats, `guard` the checks of host, origin, sizes and rates.
"""

__all__: list[str] = []
