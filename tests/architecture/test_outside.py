"""The figure of lines that a game has outside its folders is counted, and counts what is there for one game alone."""

from __future__ import annotations

import ast

from tests.architecture.outside import _defined, _imports, _mentions, outside


def test_what_one_game_alone_reaches_is_counted_and_what_two_reach_is_not() -> None:
    count = outside("hex-command")
    names = {(piece.module, piece.name) for piece in count.pieces}
    assert ("caltrop.table.hexes.ways", "reach") in names
    assert not any(module.startswith("caltrop.table.measured") for module, _ in names)
    assert not any(module.startswith("caltrop.engine") for module, _ in names)
    assert "web/src/table/HexMap.svelte" in dict(count.files)
    assert count.naming == []
    assert count.lines == sum(p.lines for p in count.pieces) + sum(n for _, n in count.files)


def test_mentions_follow_names_to_the_modules_that_they_come_from() -> None:
    tree = ast.parse(
        "from caltrop.geometry import INCH as inch\n"
        "from caltrop.table import hexes\n"
        "LIMIT = 3\n"
        "def far():\n    return inch * LIMIT + hexes.reach\n"
    )
    known = _imports(tree)
    defined = dict(_defined(tree))
    found = _mentions(defined["far"], known, "here", set(defined))
    assert found == {
        ("caltrop.geometry", "INCH"),
        ("here", "LIMIT"),
        ("caltrop.table", "hexes"),
        ("caltrop.table.hexes", "reach"),
    }
