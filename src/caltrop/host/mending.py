"""Repairs games with a gap in the numbers of their events, left by an older Caltrop that could not store some."""

from __future__ import annotations

import logging

import msgspec

from caltrop.host.events import Noted, encode, read_rows
from caltrop.host.faults import DamagedGame
from caltrop.host.storage import Storage, StoredRow

log = logging.getLogger("caltrop.host")

NOTE = "Something could not be stored here: what followed is not in force"


def mend(storage: Storage) -> list[str]:
    """Set aside what follows a gap, of every game that has no other fault.

    Returns the names of the games that were mended. Raises StorageFault when that cannot be read or stored.
    """
    mended = []
    for id in storage.gapped():
        rows = storage.events(id)
        last = next(number for number, row in enumerate(rows) if row.seq != number + 1)
        if not last:
            continue
        try:
            read_rows([msgspec.structs.replace(row, seq=number) for number, row in enumerate(rows, 1)])
        except DamagedGame:
            continue
        storage.set_aside(id, last, StoredRow(last + 1, "note", encode(Noted(side=None, text=NOTE))))
        log.warning("event %d of %s is missing: the %d after it are set aside", last + 1, id, len(rows) - last)
        mended.append(id)
    return mended
