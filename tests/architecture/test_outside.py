"""The count of lines that a single game has outside its folders."""

from __future__ import annotations

import ast
import re

from tests.architecture.outside import FEATURES, _defined, _having, _imports, _mentions, _needed, _shared, outside


def test_what_one_game_alone_reaches_is_counted_and_what_two_reach_is_not() -> None:
    count = outside("hex-command")
    names = {(piece.module, piece.name) for piece in count.pieces}
    assert ("caltrop.table.hexes.ways", "reach") in names
    assert not any(module.startswith("caltrop.table.measured") for module, _ in names)
    assert not any(module.startswith("caltrop.engine") for module, _ in names)
    assert ("caltrop.table.hexes.maps", "HexMap") in names, "the doors need it for this game's maps alone"
    assert {"web/src/table/HexMap.svelte", "web/src/map/paint.ts", "terminal/hexes.py"} <= {*dict(count.files)}
    assert "web/src/panels/Vignette.svelte" in dict(count.files), "cards alone show it, whatever it is called"
    assert not {"terminal/handover.py", "web/src/panels/Die.svelte"} & {*dict(count.files)}
    assert count.naming == []
    assert count.lines == sum(p.lines for p in count.pieces) + sum(n for _, n in count.files)


def test_what_the_duel_shows_has_a_second_user() -> None:
    assert "web/src/pages/Season.svelte" not in dict(outside("blade-skirmish").files)


def test_what_the_measured_table_can_do_has_a_second_user() -> None:
    for game in ("blade-skirmish", "command-horizon", "squad-action"):
        assert outside(game).lines < 1000
        of_table = [p for p in outside(game).pieces if p.module.startswith("caltrop.table.measured")]
        assert sum([piece.lines for piece in of_table]) < 60


def test_every_feature_has_its_files_and_a_game() -> None:
    for feature in FEATURES:
        assert _having(feature), feature.words
        assert any(re.search(feature.files, place) for place in _shared()), feature.words


def test_the_client_needs_what_it_imports_through_others() -> None:
    sources = {
        "web/src/main.ts": 'import App from "./App.svelte";\nimport "./base.css";\n',
        "web/src/App.svelte": 'const page = () => import("./pages/One.svelte");\nimport { two } from "./lib/two";\n',
        "web/src/pages/One.svelte": 'import type { Shape } from "../lib/shape";\n',
        "web/src/lib/two.svelte.ts": 'new Worker(new URL("../map/worker.ts", import.meta.url));\n',
        "web/src/lib/shape.ts": "",
        "web/src/map/worker.ts": "",
        "web/src/base.css": "",
        "web/src/lib/nobody.ts": "",
    }
    assert _needed(sources) == {*sources} - {"web/src/lib/nobody.ts"}
    without = {"web/src/lib/two.svelte.ts", "web/src/pages/One.svelte"}
    assert _needed(sources, without) == {"web/src/main.ts", "web/src/App.svelte", "web/src/base.css"}


def test_mentions_follow_names_to_the_modules_that_they_come_from() -> None:
    tree = ast.parse(
        "from caltrop.geometry import INCH as inch\n"
        "from caltrop.table import hexes\n"
        "LIMIT = 3\n"
        "def far():\n    return inch * LIMIT + hexes.reach\n"
    )
    imports = _imports(tree)
    defined = dict(_defined(tree))
    mentions = _mentions(defined["far"], imports, "here", set(defined))
    assert mentions == {
        ("caltrop.geometry", "INCH"),
        ("here", "LIMIT"),
        ("caltrop.table", "hexes"),
        ("caltrop.table.hexes", "reach"),
    }
