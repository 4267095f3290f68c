"""Parts that several rulesets share, beside the engine.

- `words`: numbers in words, lists of names, distinct names.
- `numbers`: sums, chances and tallies as the doors show them.
- `luck`: the chance that many rolls together are as good or as bad as they were.
- `depict`: what is drawn of a measured table.
- `maps`, `hexes`: what authors of tables are given; hexes of scenarios, turned, mirrored and resized.
- `goals`: the ways to win, and the side that would win now.
- `files`: scenarios, army lists and other files that a game has and that authors write.
- `armies`, `army_sheet`, `army_text`: army lists as files, as the builder shows them, and as text for a chat.
- `costs`: points of units that a study has measured.
- `rows`: rules data whose values know their clauses.
- `requests`: what every request for an attack says.
- `refereed`: an attack by its procedure, with dice that were thrown on a real table.
- `scenes`: small positions for tests and rulings.

A ruleset may use any of these parts. Code that only looks alike in two games stays in the games, such as how far a
player thinks ahead, or the worth of an army.
"""
