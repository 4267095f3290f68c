"""Tales of games are small in storage, and return unchanged."""

from __future__ import annotations

import base64
import json
import zlib

import msgspec
import pytest

from caltrop.chance import Seeded
from caltrop.engine import ruleset, rulesets
from caltrop.host.events import Acted, Created, Retold, Setup, TookBack, read_rows, tales_of
from caltrop.host.faults import DamagedGame
from caltrop.host.game import HostedGame
from caltrop.host.packing import Packing
from caltrop.host.restoring import restored
from caltrop.host.seats import ServerLibrary
from caltrop.host.storage import StoredRow
from caltrop.journal.keep import Tale

encode = msgspec.json.encode


def begun(name: str) -> HostedGame:
    rules = ruleset(name)
    book = rules.book()
    setup = Setup(
        ruleset=name,
        edition=book.edition,
        rules=book.rules,
        scenario=rules.scenarios()[0].id,
        armies=(),
        size=None,
        seats=("person", "person"),
        friendly=True,
        dice="server",
        engine_version="",
        rules_version=rules.rules_version,
        salt="salt",
    )
    return HostedGame.begun("g", setup, rules, Seeded(f"packing {name}"))


def played(game: HostedGame, rows: list[StoredRow], acts: int) -> None:
    """Play some random acts of a game, and one undo."""
    for _ in range(acts):
        if game.over is None:
            _, asked = game.ids()[0]
            rows.append(game.act(asked, asked.options(game.match.view(asked.side)).sample(Seeded(f"{game.acts}"))))
            if game.acts == 7 and game.match.boundary(asked.side) is None:
                rows.append(game.undo(asked.side))


@pytest.mark.parametrize("name", rulesets())
def test_tales_are_packed_by_those_before_them(name: str) -> None:
    game = begun(name)
    tales: list[Tale] = []
    pack = game.packing.packed

    def noted(tale: Tale) -> bytes:
        tales.append(tale)
        return pack(tale)

    game.packing.packed = noted  # type: ignore[method-assign]
    rows = [game.created()]
    played(game, rows, 60)
    assert tales_of(*read_rows(rows)) == tales
    # A game that is restored continues from the end of its stored events.
    again = restored("g", rows, ServerLibrary())
    pack = again.packing.packed
    again.packing.packed = noted  # type: ignore[method-assign]
    again.match.dice = Seeded("on")
    played(again, rows, 30)
    assert tales_of(*read_rows(rows)) == tales
    alone = sum(len(zlib.compress(encode(tale))) for tale in tales)
    assert sum(len(base64.b64decode(json.loads(row.body)["told"])) for row in rows) * 2 < alone


def test_tales_that_older_versions_packed_one_by_one_are_read_and_packed_by() -> None:
    game = begun("duel")
    rows = [game.created()]
    played(game, rows, 12)
    created, acted = read_rows(rows)
    tales = tales_of(created, acted)
    old = [zlib.compress(encode(tale)) for tale in tales]
    bodies = [created, *[body for _, body in acted]]
    assert all(isinstance(body, Created | Acted | TookBack) for body in bodies)
    rows = [
        msgspec.structs.replace(row, body=encode(msgspec.structs.replace(body, told=one)))
        for row, body, one in zip(rows, bodies, old, strict=True)
    ]
    assert tales_of(*read_rows(rows)) == tales
    again = restored("g", rows, ServerLibrary())
    again.match.dice = Seeded("on")
    played(again, rows, 5)
    after = tales_of(*read_rows(rows))
    assert after[: len(tales)] == tales
    assert len(after) > len(tales)
    assert None not in after
    # Restored texts replace the missing texts of acts all at once.
    packing = Packing()
    record = Retold(told=tuple([packing.packed(tale) for tale in after if tale is not None]))
    silent = [msgspec.structs.replace(row, body=encode({**json.loads(row.body), "told": ""})) for row in rows]
    silent.append(StoredRow(rows[-1].seq + 1, "record", encode(record)))
    assert tales_of(*read_rows(silent)) == after


def test_a_tale_that_is_damaged_is_named_as_such() -> None:
    game = begun("duel")
    rows = [game.created()]
    played(game, rows, 6)
    created, acted = read_rows(rows)
    for words in (created.told[:-4], b"\x01" + b"\xff" * 9, b"no tale", zlib.compress(b"{}{")):
        with pytest.raises(DamagedGame, match="cannot be read"):
            tales_of(msgspec.structs.replace(created, told=words), acted)
