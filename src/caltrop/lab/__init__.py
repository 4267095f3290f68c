"""The laboratory: series of games, studies, statistical proofs, conformance, and seekers of what seldom happens.

Every measurement uses the same rules that people play by, with an interval beside every figure and a
seed that gives the same games for any number of workers. Nothing in here knows a server or a screen.
"""

__all__: list[str] = []
