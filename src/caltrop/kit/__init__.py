"""What rulebooks have in common beside the engine: parts of a ruleset that are the same in every game, written once.

- `words`: numbers in words, lists of names, names that are told apart.
- `numbers`: sums, chances and tallies as the doors show them.

A rulebook takes what it needs; nothing in here knows a game, and no game has to use it. What only looks alike in two
games stays in them: how far a player thinks ahead, what an army is worth.
"""
