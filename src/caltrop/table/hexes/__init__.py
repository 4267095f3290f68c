"""The map of hexes: distances, lines from centre to centre, directions and paths.

A hex is identified by its printed name. A map has no sides, rules or prices, and every result is exact. Maps of equal
size are the same object.
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
