"""Repair of games with missing event numbers, left by an older version after storage failures."""

from __future__ import annotations

import logging

import msgspec

from caltrop.host.events import Noted, encode, read_rows
from caltrop.host.faults import DamagedGame
from caltrop.host.storage import Storage, StoredRow

log = logging.getLogger("caltrop.host")

NOTE = "Something could not be stored here: what followed is not in force"


def mend(storage: Storage) -> list[str]:
    """Set aside the events after a gap, in every game without another fault.

    Returns the names of the repaired games. Raises StorageFault if the database cannot be read or written.
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
        log.warning(
            "event %d of the game %s is missing: the %d events after it are moved aside", last + 1, id, len(rows) - last
        )
        mended.append(id)
    return mended
