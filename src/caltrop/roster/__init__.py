"""Catalogues, army lists and other data files: read strictly, with errors that say where.

`read_yaml` turns a data file into frozen records; `converted` does the same with anything that is already read, such as
a JSON request. Unknown keys are refused, and the nearest right one is named. This package knows files and records; what
is written in them is a ruleset's business.
"""

from caltrop.roster.encoding import newer, utf8
from caltrop.roster.reading import (
    LARGEST,
    LINK,
    Read,
    carried,
    choose,
    converted,
    is_text,
    nearest,
    read_yaml,
    refuse_other_link,
)

__all__ = [
    "LARGEST",
    "LINK",
    "Read",
    "carried",
    "choose",
    "converted",
    "is_text",
    "nearest",
    "newer",
    "read_yaml",
    "refuse_other_link",
    "utf8",
]
