"""Parts of a ruleset that are the same in every game, beside the engine.

- `words`: numbers in words, lists of names, distinct names.
- `numbers`: sums, chances and tallies as the doors show them.
- `depict`: what is drawn of a measured table.
- `files`: scenarios, army lists and what else a game comes with and authors write.
- `rows`: rules data whose values know their clauses.
- `requests`: what every request for an attack says.
- `scenes`: small positions for tests and rulings.

A rulebook takes what it needs; nothing in here knows a game, and no game has to use it. Parts that only look alike in
two games stay in them: how far a player thinks ahead, the worth of an army.
"""
