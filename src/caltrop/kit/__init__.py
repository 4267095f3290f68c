"""What rulebooks have in common beside the engine: parts of a ruleset that are the same in every game, written once.

- `words`: numbers in words, lists of names, names that are told apart.
- `numbers`: sums, chances and tallies as the doors show them.
- `depict`: what is drawn of a measured table.
- `files`: scenarios, army lists and what else a game comes with and authors write.
- `rows`: rules data whose values know their clauses.
- `requests`: what every request for an attack says.
- `scenes`: small positions for tests and rulings.

A rulebook takes what it needs; nothing in here knows a game, and no game has to use it. What only looks alike in two
games stays in them: how far a player thinks ahead, what an army is worth.
"""
