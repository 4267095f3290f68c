"""Read catalogues, army lists and other data files strictly, with errors that name the place.

`read_yaml` turns a data file into frozen records; `converted` does the same with data that has been read already, such
as a JSON request. Unknown keys are refused, and the nearest right one is named. The content of the files is up to each
ruleset.
"""

from caltrop.roster.encoding import newer, utf8
from caltrop.roster.reading import (
    LARGEST,
    LINK,
    Read,
    carried,
    choose,
    converted,
    faults_in_form,
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
    "faults_in_form",
    "is_text",
    "nearest",
    "newer",
    "read_yaml",
    "refuse_other_link",
    "utf8",
]
