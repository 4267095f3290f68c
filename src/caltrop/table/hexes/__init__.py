"""The map of hexes: distances, lines from centre to centre, directions and paths.

A hex is its printed name, and a map works with names alone. It knows no sides, rules or prices. Every answer is exact.
Maps of one size are one object.
"""

from caltrop.table.hexes.maps import CORNERS, Hex, HexLine, HexMap, hex_map
from caltrop.table.hexes.ways import reach, way

__all__ = [
    "CORNERS",
    "Hex",
    "HexMap",
    "HexLine",
    "hex_map",
    "reach",
    "way",
]
