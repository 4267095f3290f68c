"""Those who decide: the protocol of a player, and the players that the computer has.

A player is asked a decision, sees only the view of its own side, and answers with one of the options; its thinking
is bounded by a count of nodes, never by the clock. Nothing in here knows a server, a screen or how a game is
stored, and nothing reads what is hidden from its side.
"""

__all__: list[str] = []
