"""The laboratory: series of games, studies, statistical proofs, conformance, and searches for rare events.

Every measurement uses the rules that people play by, and has a confidence interval and a seed that gives the same games
for any number of workers. No module of the laboratory knows a server or a screen.
"""

__all__: list[str] = []
