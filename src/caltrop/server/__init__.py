"""The server: a host's games over HTTP and live connections, and the built client.

The server reads messages, limits their number and size, and writes answers. `caltrop.host` has the games, and the
engine decides what is legal. `said` has one function for each message, `sockets` handles live connections, and `routes`
requests over HTTP. `guard` checks host, origin, sizes and rates, `counting` and `lab` run long work in other processes.
The built client is in `static` beside this package. No module below imports the server, and slow imports wait until
they are needed.
"""

__all__: list[str] = []
