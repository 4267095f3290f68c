"""Two kinds of tables: `measured` (centimetres or inches, bases of any size) and `hexes`.

Both compute places, paths, distances and lines of sight exactly. Neither contains sides or rules.
"""
