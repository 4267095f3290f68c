"""Questions to people, as every interface asks them: offers in words, open choices that are dragged, and proposals.

The engine puts a decision to a side and knows the legal answers. The ruleset defines here how a question is shown, the
same in the page and the terminal: a decision that people answer is an `Offered`.
"""

from caltrop.asking.acts import Act, Choices, NoMore, OneOf, Pass, carried_out, effect, every
from caltrop.asking.ahead import Aim, Aimless, Coming, Outlook, outlook
from caltrop.asking.declared import NOT_LISTED, Guards, Pick
from caltrop.asking.drag import (
    Mover,
    Nearness,
    PickedUp,
    Proposal,
    PutDown,
    Region,
    SlowGround,
    Solid,
    Template,
    Wish,
)
from caltrop.asking.heads import About, Heads, about, place_of, stays
from caltrop.asking.offer import Offer, Offered, Usual, offered
from caltrop.asking.seeking import Goal, Sought, sought

__all__ = [
    "NOT_LISTED",
    "About",
    "Act",
    "Aim",
    "Aimless",
    "Choices",
    "Coming",
    "NoMore",
    "Goal",
    "Guards",
    "Heads",
    "Mover",
    "Nearness",
    "Offer",
    "Offered",
    "OneOf",
    "Outlook",
    "Pass",
    "Pick",
    "PickedUp",
    "Proposal",
    "PutDown",
    "Region",
    "SlowGround",
    "Solid",
    "Sought",
    "Template",
    "Usual",
    "Wish",
    "about",
    "carried_out",
    "effect",
    "every",
    "offered",
    "outlook",
    "place_of",
    "sought",
    "stays",
]
