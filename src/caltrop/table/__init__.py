"""Two kinds of tables: `measured` (centimetres or inches, bases of any size) and `hexes`.

Both packages compute places, paths, distances and lines of sight exactly. Neither package contains sides or rules.
"""
