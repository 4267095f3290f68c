"""The ground that games are played on, in two kinds: `measured` (centimetres or inches, bases of any size) and `hexes`.

Both know places, ways, distances and lines of sight, and neither knows sides, rules or prices. Every answer is exact.
"""
