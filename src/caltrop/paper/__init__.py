"""Print material for the real table as PDF: army sheets, maps, counters, cards, templates and a quick reference.

Everything is drawn from a game's picture and summary, so the package contains no rules. Lengths are true to scale: a
base of 30 mm is printed as a disc of 30 mm, if the printer does not scale the page.

Read `printed` first; `sheet` has the page, and `parts` draws on it.
"""

from caltrop.paper.parts import PARTS, Part
from caltrop.paper.printed import print_campaign, print_game
from caltrop.paper.sheet import PAPERS
from caltrop.scenarios.printable import PaperGame

__all__ = ["PAPERS", "PARTS", "PaperGame", "Part", "print_campaign", "print_game"]
