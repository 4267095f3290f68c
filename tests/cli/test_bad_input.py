"""Every wrong input to a command gives one line per error, and no command fails with a traceback.

Every command, and every form that something can be given in: files of YAML, records, requests, and words.
"""

from __future__ import annotations

import copy
import gzip
import io
import json
import zlib
from collections.abc import Callable
from functools import reduce
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from caltrop import cli
from caltrop.cli import _commands, main
from caltrop.scenarios import built_in
from tests.tiers import examples

ARMIES = Path(cli.__file__).parents[1] / "rules" / "command_horizon" / "data" / "armies"

SCENARIO: dict[str, Any] = yaml.safe_load(built_in("command-horizon")["secure-objectives"].read_bytes())
ARMY: dict[str, Any] = yaml.safe_load(next(f for f in sorted(ARMIES.glob("*.yaml"))).read_bytes())
RULING: dict[str, Any] = yaml.safe_load((ARMIES.parent / "rulings" / "W30.yaml").read_bytes())
REQUEST: dict[str, Any] = {
    "ruleset": "command-horizon",
    "rules": {"overkill.mode": "optional"},
    "mode": "fire",
    "attacker": {"army": "alliance", "kind": "medium-tank", "models": 4},
    "target": {"army": "asori", "kind": "heavy-tank", "models": 3, "stuns": 1},
    "dice": {"attack": [6, 6, 5, 4, 3, 2, 1, 1], "defence": [6, 5, 4, 3, 2]},
}

DEEP = 100_000
LAUGHS = b"a: &a [x, x]\n" + b"".join(b"b%d: &b%d [%s]\n" % (i, i, b"*a, " * 9) for i in range(9))
BAD_YAML: dict[str, bytes] = {
    "nothing": b"",
    "null": b"~\n",
    "a word": b"table",
    "a list": b"- table\n",
    "two documents": b"table: 1\n---\ntable: 2\n",
    "a key twice": b"table: 1\ntable: 2\n",
    "no UTF-8": b"table: \xe9\n",
    "UTF-16": "table: 1\n".encode("utf-16"),
    "a nul": b"table: 'a\x00b'\n",
    "a bell": b"table: \x07\n",
    "many digits": b"table: " + b"9" * 100_000 + b"\n",
    "digits in sixties": b"table: 1" + b":59" * 5000 + b"\n",
    "an impossible day": b"table: 2001-13-45\n",
    "not a number": b"table: [.nan, .inf]\n",
    "a broken number": b"table: !!int abc\n",
    "a call": b"table: !!python/object/apply:os.system ['true']\n",
    "an anchor": b"table: &a [1, 2]\n",
    "itself": b"table: &a [*a]\n",
    "a merge with itself": b"&a\n<<: *a\ntable: 1\n",
    "a billion laughs": LAUGHS,
    "deep lists": b"table: " + b"[" * DEEP + b"]" * DEEP,
    "deep objects": b"table: " + b"{a: " * 5000 + b"}" * 5000,
    "a list as a key": b"? [a, b]\n: c\ntable: 1\n",
    "a number as a key": b"1: 1\ntable: 1\n",
    "an open bracket": b"table: [1, 2\n",
    "a tab": b"table:\n\t- 1\n",
    "too large": b"# " + b"x" * 2_000_000 + b"\ntable: 1\n",
    "a game that is a list": b"ruleset: [1]\ntable: 1\n",
    "a game that is not there": b"ruleset: chess\ntable: 1\n",
    "a ruling without anything": b"cases: []\n",
}
BAD_JSON: dict[str, bytes] = {
    "nothing": b"",
    "null": b"null",
    "a list": b"[]",
    "a number": b"1e999999",
    "no JSON": b"{",
    "no UTF-8": b'{"ruleset": "\xe9"}',
    "a nul": b'{"ruleset": "\x00"}',
    "half a character": b'{"ruleset": "\\ud800"}',
    "a key twice": b'{"ruleset": 1, "ruleset": 2}',
    "not a number": b'{"ruleset": NaN}',
    "infinity": b'{"ruleset": -Infinity}',
    "many digits": b'{"ruleset": ' + b"9" * 100_000 + b"}",
    "deep lists": b'{"ruleset": ' + b"[" * DEEP + b"]" * DEEP + b"}",
    "deep objects": b'{"a": ' * DEEP + b"1" + b"}" * DEEP,
    "too large": b'{"ruleset": "' + b"x" * 2_000_000 + b'"}',
    "a game that is a list": b'{"ruleset": ["command-horizon"]}',
    "a game that is not there": b'{"ruleset": "chess"}',
}


def refused(words: list[str], capsys: pytest.CaptureFixture[str], codes: tuple[int, ...] = (1,)) -> str:
    """Return the first error line of a command that refuses its input. Standard output has to be empty.

    Only `validate` may have several lines, one for each place.
    """
    capsys.readouterr()
    code = main(words)
    output = capsys.readouterr()
    assert code in codes, output.err
    assert output.out == ""
    lines = output.err.splitlines()
    assert len(lines) == 1 or (words[0] == "validate" and 1 < len(set(lines)) == len(lines) <= 100), output.err
    assert all(line.startswith("caltrop: ") and len(line) < 1500 for line in lines), lines
    return lines[0]


# --- hostile files ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", BAD_YAML)
def test_a_hostile_file_is_refused_wherever_it_can_be_given(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "bad.yaml"
    file.write_bytes(BAD_YAML[name])
    series = ["simulate", "command-horizon", "--players", "random,random", "--num", "1", "--seed", "1"]
    for words in (
        ["validate", str(file)],
        [*series, "--scenario", str(file)],
        [*series, "--armies", f"{file},{file}"],
        ["play", "command-horizon", "--scenario", str(file), "--no-browser"],
    ):
        assert "bad.yaml" in refused(words, capsys)


@pytest.mark.parametrize("name", BAD_JSON)
def test_a_hostile_request_is_refused(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "bad.json"
    file.write_bytes(BAD_JSON[name])
    for command in ("resolve", "odds"):
        refused([command, str(file)], capsys)
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(BAD_JSON[name]), encoding="utf-8"))
        refused([command], capsys)


@pytest.mark.parametrize("zipped", [False, True])
@pytest.mark.parametrize("name", BAD_JSON)
def test_a_hostile_record_is_refused(
    name: str, zipped: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / ("bad.caltrop.json.gz" if zipped else "bad.caltrop.json")
    file.write_bytes(gzip.compress(BAD_JSON[name]) if zipped else BAD_JSON[name])
    for command in ("validate", "verify", "replay", "analyse"):
        assert "bad.caltrop.json" in refused([command, str(file)], capsys)


def test_what_is_no_file_is_refused_by_every_reader(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for path in (tmp_path, tmp_path / "nowhere.yaml", tmp_path / "x" / "nowhere.caltrop.json", Path("a" * 300)):
        for command in ("validate", "verify", "replay", "analyse", "resolve", "odds"):
            refused([command, str(path)], capsys)


def test_a_bomb_is_refused_unpacked_no_further_than_need_be(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    # 400 MB of blanks, compressed as a repeated block.
    blanks = b" " * 1_000_000
    packer = zlib.compressobj(9, wbits=-zlib.MAX_WBITS)
    block = packer.compress(blanks) + packer.flush(zlib.Z_FULL_FLUSH)
    check = reduce(lambda crc, _: zlib.crc32(blanks, crc), range(400), 0)
    end = packer.flush() + check.to_bytes(4, "little") + (400 * len(blanks)).to_bytes(4, "little")
    file = tmp_path / "bomb.caltrop.json.gz"
    file.write_bytes(gzip.compress(b"")[:10] + 400 * block + end)
    with gzip.open(file) as stream:
        assert stream.read(2) == b"  "
    for command in ("validate", "verify", "replay", "analyse"):
        refused([command, str(file)], capsys)


# --- valid files with one change ------------------------------------------------------------------------------

HOSTILE: st.SearchStrategy[Any] = st.one_of(
    st.sampled_from([None, True, False, -1, 0, 1, 2**31, -(2**63), 10**30, 1.5, "", "x", "-1", "4 ", [], {}, [[]]]).map(
        copy.deepcopy
    ),
    st.sampled_from(["alliance", "medium-tank", "../../etc/passwd", "{0.__class__}", "%s", "\u202e", "a" * 5000]),
    st.integers(),
    st.text(max_size=8),
    st.lists(st.integers(-3, 300), max_size=5),
    st.dictionaries(st.text(max_size=4), st.integers(), max_size=2),
)


def paths(value: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the paths of all values in a document."""
    result = [at] if at else []
    if isinstance(value, dict):
        result += [p for key, inner in value.items() for p in paths(inner, (*at, key))]
    if isinstance(value, list):
        result += [p for i, inner in enumerate(value) for p in paths(inner, (*at, i))]
    return result


@st.composite
def spoiled(draw: st.DrawFn, good: dict[str, Any]) -> dict[str, Any]:
    """Return a document with a value that is replaced, left out, doubled, or added."""
    made = copy.deepcopy(good)
    for _ in range(draw(st.integers(1, 2))):
        every = paths(made)
        if not every:
            break
        *above, last = draw(st.sampled_from(every))
        inner: Any = made
        for key in above:
            inner = inner[key]
        match draw(st.sampled_from(["replace", "replace", "drop", "add"])):
            case "replace":
                inner[last] = draw(HOSTILE)
            case "drop":
                del inner[last]
            case _:
                if isinstance(inner, dict):
                    inner[draw(st.text(max_size=6))] = draw(HOSTILE)
                else:
                    inner.append(inner[last])
    return made


def survives(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """Check that a command succeeds, or reports an error in one line; `validate` has a line for each place."""
    capsys.readouterr()
    code = main(words)
    lines = capsys.readouterr().err.splitlines()
    assert code in (0, 1)
    assert bool(lines) == (code == 1), lines
    assert len(lines) == len({line[:1500] for line in lines}) <= (100 if words[0] == "validate" else 1), lines
    assert all(line.startswith("caltrop: ") for line in lines)


QUICK = settings(
    max_examples=examples(150),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@pytest.mark.parametrize("good", [SCENARIO, ARMY, RULING], ids=["scenario", "army", "ruling"])
@QUICK
@given(data=st.data())
def test_a_file_with_anything_changed_is_survived(
    good: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str], data: st.DataObject
) -> None:
    file = tmp_path / "changed.yaml"
    file.write_text(yaml.safe_dump(data.draw(spoiled(good)), allow_unicode=True), encoding="utf-8")
    survives(["validate", str(file)], capsys)


@pytest.mark.parametrize("value", [10**30, 3000, 0, -1])
def test_no_number_of_a_ruling_makes_it_run_for_ever(
    value: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "changed.yaml"
    ruling = yaml.safe_load((ARMIES.parent / "rulings" / "W11.yaml").read_bytes())
    for *above, last in paths(ruling):
        made: Any = copy.deepcopy(ruling)
        inner = made
        for key in above:
            inner = inner[key]
        if type(inner[last]) is int:
            inner[last] = value
            file.write_text(yaml.safe_dump(made), encoding="utf-8")
            survives(["validate", str(file)], capsys)


@pytest.mark.parametrize("command", ["resolve", "odds"])
@QUICK
@given(data=st.data())
def test_a_request_with_anything_changed_is_survived(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], data: st.DataObject
) -> None:
    request = {k: v for k, v in REQUEST.items() if command == "resolve" or k != "dice"}
    file = tmp_path / "changed.json"
    file.write_text(json.dumps(data.draw(spoiled(request))), encoding="utf-8")
    survives([command, str(file)], capsys)


def test_the_files_that_are_changed_are_good(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for number, good in enumerate((SCENARIO, ARMY, RULING)):
        file = tmp_path / f"{number}.yaml"
        file.write_text(yaml.safe_dump(good, allow_unicode=True), encoding="utf-8")
        assert main(["validate", str(file)]) == 0
    file = tmp_path / "request.json"
    file.write_text(json.dumps(REQUEST), encoding="utf-8")
    assert main(["resolve", str(file)]) == 0
    capsys.readouterr()


# --- words ----------------------------------------------------------------------------------------------------------

SERIES = ["simulate", "duel", "--players", "random,random", "--num", "1", "--seed", "1"]
WRONG_WORDS: dict[str, list[list[str]]] = {
    "analyse": [["analyse"], ["analyse", "no-such-file"], ["analyse", "x", "y"]],
    "army": [
        ["army"], ["army", "show"], ["army", "walk", "x"], ["army", "show", "no-list"], ["army", "show", "/no/x.yaml"],
        ["army", "show", "asori-7", "--edition", "9"], ["army", "check", "asori-7", "--rule", "a=b"],
        ["army", "text", "#army=1xyz"], ["army", "link", "a\nb"], ["army", "check", "asori-7", "--game", "chess"],
        ["army", "check", "granite-guard", "--points", "9"], ["army", "show", "asori-7", "--points", "many"],
    ],
    "campaign": [["campaign"], ["campaign", "show", "x"], ["campaign", "lose", "x"], ["campaign", "count", "x"],
                 ["campaign", "new", "x.json", "--game", "hex-command"],
                 ["campaign", "new", "x.json", "--warband", "x"],
                 ["campaign", "new", "x.json", "--rule", "nemesis=maybe"], ["campaign", "new", "no/such/x.json"]],
    "admin": [
        ["admin"], ["admin", "burn", "x"], ["admin", "close"], ["admin", "list", "more"], ["admin", "backup"],
        ["admin", "list", "--database", "sqlite:///none.sqlite"], ["admin", "restore", "none.backup"],
        ["admin", "delete", "x", "--database", "nonsense://"],
        ["admin", "close", "x", "--database", "sqlite:///none.sqlite"],
        ["admin", "forget", "x", "--yes", "--database", "sqlite:///none.sqlite"],
        ["admin", "prune", "--days", "-1", "--yes"], ["admin", "prune", "--days", "nan", "--yes"],
        ["admin", "backup", "."], ["admin", "restore", "."],
    ],
    "bot": [
        ["bot"], ["bot", "chess"], ["bot", "duel", "nobody"], ["bot", "duel", "random", "--url", "nonsense"],
        ["bot", "duel", "random", "--games", "many"], ["bot", "duel", "random", "--url", "http://["],
        ["bot", "duel", "random", "--url", "http://127.0.0.1:x"], ["bot", "duel", "random", "--url", "http://\u3164"],
        ["bot", "duel", "random", "--key", "/dev/zero"], ["bot", "duel", "random", "--key", __file__],
        ["bot", "duel", "random", "--key", "."],
    ],
    "games": [["games", "what"], ["games", "--js"]],
    "known": [["known", "chess"], ["known", "--rounds", "3"], ["known", "duel", "--fill", "--rounds", "0"]],
    "odds": [["odds", "a", "b"]],
    "pack": [
        ["pack"], ["pack", "new"], ["pack", "new", "chess"], ["pack", "check"], ["pack", "check", "none.zip"],
        ["pack", "install", "nowhere"], ["pack", "list", "more"], ["pack", "share", "#pack=1"], ["pack", "burn", "x"],
    ],
    "play": [
        ["play", "chess"], ["play", "duel", "--scenario", "x"], ["play", "duel", "--edition", "x"],
        ["play", "duel", "--rule", "x"], ["play", "duel", "--rule", "x=1"], ["play", "duel", "--size", "many"],
        ["play", "duel", "--players", "nobody,nobody"], ["play", "duel", "--port", "-1"],
        ["play", "command-horizon", "--armies", "alliance"], ["play", "command-horizon", "--armies", "alliance,orcs"],
        ["play", "command-horizon", "--size", "-4"], ["play", "command-horizon", "--size", "99999999999"],
        ["play", "duel", "--language", "de"], ["play", "duel", "--terminal", "--language", "x"],
    ],
    "print": [
        ["print"], ["print", "duel"], ["print", "chess", "--output", "x.pdf"],
        ["print", "duel", "--output", "no/x.pdf"],
        ["print", "duel", "--output", "x.pdf", "--parts", "all"], ["print", "duel", "--output", "x.pdf", "--hex", "1"],
        ["print", "none.caltrop-campaign.json", "--output", "x.pdf"],
    ],
    "replay": [["replay"], ["replay", "x", "--to", "many"]],
    "resolve": [["resolve", "a", "b"]],
    "rules": [["rules"], ["rules", "chess"], ["rules", "command-horizon", "--clause", "CH-MOVE-99"],
              ["rules", "../x"], ["rules", "command-horizon", "--clause", ""]],
    "scenario": [
        ["scenario"], ["scenario", "draw", "duel"], ["scenario", "draw", "chess", "--seed", "1"],
        ["scenario", "burn", "duel", "--seed", "1"], ["scenario", "draw", "duel", "--seed", "1", "--symmetry", "x"],
        ["scenario", "draw", "squad-action", "--seed", "1", "--size", "huge"],
        ["scenario", "draw", "squad-action", "--seed", "1", "--output", "no/x.yaml"],
    ],
    "schema": [["schema"], ["schema", "house"], ["schema", "army", "--game", "chess"]],
    "serve": [["serve", "--port", "many"], ["serve", "--port", "99999999"], ["serve", "--host", "no such host"],
              ["serve", "--database", "nonsense://"], ["serve", "--database", "/"], ["serve", "--database", "."]],
    "simulate": [
        ["simulate", "chess", *SERIES[2:]], [*SERIES, "--scenario", "x"], [*SERIES, "--rule", "a=b"],
        [*SERIES[:-1], "many"], [*SERIES[:-1], "1.5"], [*SERIES, "--num", "1.5"],
        [*SERIES, "--num", "0"], [*SERIES, "--jobs", "0"], [*SERIES, "--edition", "9"],
        [*SERIES, "--armies", "a,b,c"], [*SERIES, "--output", "/no/such/folder/x"],
        ["simulate", "command-horizon", *SERIES[2:], "--size", "0"],
        ["simulate", "command-horizon", *SERIES[2:], "--size", "-1"],
        ["simulate", "command-horizon", *SERIES[2:], "--size", "999999999999999999999999"],
        ["simulate", "command-horizon", *SERIES[2:], "--rule", "game.rounds=0"],
        ["simulate", "command-horizon", *SERIES[2:], "--rule", "game.rounds=" + "9" * 5000],
        ["simulate", "command-horizon", *SERIES[2:], "--rule", "game.rounds=\u0664\u0664\u0664"],
        ["simulate", "command-horizon", *SERIES[2:], "--armies", "asori,putredine", "--edition", "v1.5"],
    ],
    "study": [
        ["study"], ["study", "run"], ["study", "walk", "x"], ["study", "run", "none.yaml"], ["study", "report", "."],
        ["study", "export", "none"], ["study", "run", "."], ["study", "points", "."],
        ["study", "run", "x", "--jobs", "0"], ["study", "run", "x", "--on", "cloud"],
    ],
    "validate": [["validate"]],
    "verify": [["verify"]],
    "words": [["words"], ["words", "chess"], ["words", "duel", "more"], ["words", "duel", "--language", "xx"]],
}  # fmt: skip


def test_every_command_is_tried() -> None:
    given = "`WRONG_WORDS` in this file has one entry for each command: wrong arguments, each of which it refuses"
    assert sorted(_commands().keys() - WRONG_WORDS.keys()) == [], f"{given}; add these commands"
    assert sorted(WRONG_WORDS.keys() - _commands().keys()) == [], f"{given}; remove these, which are no commands"


@pytest.mark.parametrize("words", [pytest.param(w, id=" ".join(w)[:80]) for many in WRONG_WORDS.values() for w in many])
def test_wrong_words_are_refused_in_one_line(
    words: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    started: Callable[..., Any] = lambda *_, **__: pytest.fail("something was started")  # noqa: E731
    monkeypatch.setattr("uvicorn.Server.run", started)
    monkeypatch.chdir(tmp_path)
    refused(words, capsys, (1, 2))
    assert list(tmp_path.iterdir()) == [], "nothing is left half done"
