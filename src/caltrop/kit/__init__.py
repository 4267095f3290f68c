"""Parts that several rulesets share, beside the engine.

- `words`: numbers in words, lists of names, distinct names.
- `numbers`: sums, chances and tallies as the doors show them.
- `depict`: what is drawn of a measured table.
- `files`: scenarios, army lists and other files that a game has and that authors write.
- `rows`: rules data whose values know their clauses.
- `requests`: what every request for an attack says.
- `scenes`: small positions for tests and rulings.

A ruleset may use any of these parts. Code that only looks alike in two games stays in the games, such as how far a
player thinks ahead, or the worth of an army.
"""
