"""Paper for the real table: army sheets, maps, counters, cards, templates and a quick reference, as PDF.

Everything is drawn from a game's own picture and summary, so that this package knows no rule. Lengths are true: a base
of 30 mm is printed as a disc of 30 mm, as long as the printer does not scale the page.

Read `printed` first; `sheet` has the page, `parts` what is drawn on it.
"""

from caltrop.paper.game import PaperGame
from caltrop.paper.parts import PARTS, Part
from caltrop.paper.printed import print_campaign, print_game
from caltrop.paper.sheet import PAPERS

__all__ = ["PAPERS", "PARTS", "PaperGame", "Part", "print_campaign", "print_game"]
