"""Inputs, outputs and the console are checked before a command starts, and no result is lost."""

from __future__ import annotations

import bdb
import gzip
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from caltrop import InputError, __version__, cli
from caltrop.chance import Seeded
from caltrop.clauses.inventory import inventory
from caltrop.cli import INTERRUPTED, main
from caltrop.engine import Ruleset
from caltrop.host.database import url_of
from caltrop.host.storage import Storage
from caltrop.journal import Setting, encoded, record_of, save
from caltrop.players import players_of

READERS = ("validate", "replay", "verify", "analyse")
SERIES = ("simulate", "duel", "--players", "random,random", "--num", "2", "--seed", "1")
REQUEST = {
    "ruleset": "command-horizon",
    "mode": "fire",
    "attacker": {"army": "alliance", "kind": "medium-tank", "models": 4},
    "target": {"army": "asori", "kind": "heavy-tank", "models": 4},
}
full = pytest.mark.skipif(not os.path.exists("/dev/full"), reason="this system has no /dev/full")


@pytest.fixture(scope="module")
def record() -> dict[str, Any]:
    """Return a recorded duel as parsed JSON."""
    setting = Setting.chosen("duel")
    match = setting.begin(Seeded("1"))
    players_of(match, "random", "random", seed="1").play()
    made: dict[str, Any] = json.loads(encoded(record_of(match, setting, players=("random", "random"), seed="1")))
    return made


def run(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    """Run a command line; return its exit code, standard output and standard error."""
    capsys.readouterr()
    code = main([str(word) for word in words])
    out, err = capsys.readouterr()
    return code, out, err


def process(*words: object, out: Any = subprocess.PIPE, **more: str) -> subprocess.CompletedProcess[bytes]:
    """Run a command line in a new process, with another environment."""
    command = [sys.executable, "-m", "caltrop", *map(str, words)]
    return subprocess.run(command, stdout=out, stderr=subprocess.PIPE, env={**os.environ, **more}, check=False)


# --- records ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", READERS)
@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"ruleset": "duell"}, "ruleset: there is no game 'duell'; did you mean duel?"),
        ({"ruleset": "../x"}, "ruleset: there is no game '../x'"),
        ({"edition": "blunt"}, "edition: duel has no edition 'blunt'; its editions are current, sharp"),
        ({"scenario": "brige"}, "there is no scenario 'brige' of duel; did you mean 'bridge'?"),
        ({"rules": {"parry.prise": 1}}, "rules: there is no house rule 'parry.prise'; did you mean parry.price?"),
        ({"armies": ["x", "y"]}, "there is no army list 'x'"),
        ({"size": 7}, "a duel has no size"),
        ({"format_version": 2, "engine_version": "9.8.7", "more": 1}, "format_version: written by Caltrop 9.8.7"),
        ({"format_version": 0}, "format_version: formats are counted from 1"),
    ],
)
def test_a_record_of_what_does_not_exist_is_refused_by_every_reader(
    command: str,
    changes: dict[str, Any],
    says: str,
    record: dict[str, Any],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    file = tmp_path / "game.caltrop.json"
    file.write_text(json.dumps(record | changes))
    code, out, err = run(capsys, command, file)
    assert (code, out) == (1, "")
    assert err.startswith(f"caltrop: {file}: {says}")
    assert len(err.splitlines()) == 1
    if "format_version" in changes and changes["format_version"] > 1:
        assert f"this is Caltrop {__version__}, which reads formats up to 1; update Caltrop" in err


@pytest.mark.parametrize(("version", "code"), [(0, 0), (999, 1)])
def test_a_record_of_other_rules_is_shown_from_itself_and_says_so(
    version: int, code: int, record: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "game.caltrop.json"
    # The scenario and the house rules of a record may be missing in this version.
    file.write_text(json.dumps(record | {"rules_version": version, "scenario": "gone", "rules": {"gone": 1}}))
    for more in ((), ("--json",)):
        done, out, err = run(capsys, "replay", file, *more)
        assert done == 0
        assert out
        assert f"played by version {version} of the rules" in err
    assert f"version {version} of the rules" in run(capsys, "validate", file)[1]
    assert run(capsys, "verify", file)[0] == code


def _marked(text: bytes) -> bytes:
    return b"\xef\xbb\xbf" + text


def _wide(text: bytes) -> bytes:
    return text.decode().encode("utf-16")


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (_marked, ""),
        (lambda text: gzip.compress(_marked(text)), ""),
        (_wide, "this is text in UTF-16 or UTF-32; save it as UTF-8"),
        (lambda text: text.decode().encode("utf-16-le"), "this is text in UTF-16 or UTF-32; save it as UTF-8"),
        (lambda text: text.replace(b'"duel"', b'"du\xe9l"', 1), ":1: this is not text in UTF-8"),
        (
            lambda text: text.replace(b'"ruleset"', b'"ruleset":"chess","ruleset"', 1),
            "ruleset: an object contains the key twice",
        ),
        (lambda text: gzip.compress(text) + gzip.compress(text), "something follows the end of the gzipped file"),
        (lambda text: gzip.compress(text)[:-9], "the gzipped file is cut short"),
        (lambda text: b"", "the file is empty"),
        (lambda text: b"\xef\xbb\xbf \n", "the file is empty"),
    ],
)
def test_a_record_is_text_in_utf_8_with_or_without_a_mark(
    change: Callable[[bytes], bytes],
    says: str,
    record: dict[str, Any],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    file = tmp_path / "game.caltrop.json"
    file.write_bytes(change(json.dumps(record).encode()))
    for command in READERS[:3]:
        code, _, err = run(capsys, command, file)
        assert (code, bool(err)) == (int(bool(says)), bool(says))
        assert says in err


def test_other_files_are_read_with_a_mark_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    scenario, request, campaign = (tmp_path / name for name in ("a.yaml", "b.json", "c.caltrop-campaign.json"))
    own = Path(cli.__file__).parents[1] / "scenarios" / "duel" / "bridge.yaml"
    assert run(capsys, "campaign", "new", campaign, "--game", "duel")[0] == 0
    for file, text, command in (
        (scenario, own.read_bytes(), "validate"),
        (request, json.dumps(REQUEST).encode(), "odds"),
        (campaign, campaign.read_bytes(), "validate"),
    ):
        file.write_bytes(_marked(text))
        assert run(capsys, command, file)[0] == 0
        file.write_bytes(_wide(text))
        code, _, err = run(capsys, command, file)
        assert code == 1
        assert "UTF-16" in err


def test_a_campaign_of_a_newer_format_names_what_can_be_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for game in ("duel", "blade-skirmish"):
        file = tmp_path / f"{game}.caltrop-campaign.json"
        assert run(capsys, "campaign", "new", file, "--game", game)[0] == 0
        made = json.loads(file.read_bytes())
        file.write_text(json.dumps(made | {"format_version": 9, "engine_version": "9.8.7", "more": []}))
        code, _, err = run(capsys, "campaign", "show", file)
        assert code == 1
        assert "format_version: written by Caltrop 9.8.7 in format 9" in err
        assert f"this is Caltrop {__version__}" in err


def test_a_campaign_that_could_not_be_read_again_is_not_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "c.caltrop-campaign.json"
    assert run(capsys, "campaign", "new", file, "--game", "duel", "--title", "x" * 61)[0] == 1
    assert not file.exists()
    assert run(capsys, "campaign", "new", file, "--game", "duel")[0] == 0
    code, _, err = run(capsys, "campaign", "show", file, "--answer", "x=y")
    assert (code, err) == (2, "caltrop: --answer goes with play and count; this command is show\n")
    (tmp_path / "c-battle-1.caltrop.json").mkdir()
    code, _, err = run(capsys, "campaign", "play", file, "--player", "random")
    assert code == 1
    assert "this is a folder: name a file in it" in err


# --- where output is written
# ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("place", "says"),
    [
        ("", "this is a folder"),
        ("no/x.json", "there is no such folder"),
        ("file/x.json", "no such folder"),
        ("x.txt", "the name of this file has to end in .json: write "),
        ("file", "has to end in .json: write "),
    ],
)
def test_an_output_is_looked_at_before_anything_is_played(
    place: str, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("caltrop.lab.series.play_game", lambda *_: pytest.fail("a game was played"))
    (tmp_path / "file").touch()
    code, out, err = run(capsys, *SERIES, "--output", tmp_path / place)
    assert (code, out) == (1, "")
    assert says in err
    assert [one.name for one in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize(
    ("words", "right"),
    [
        (["print", "duel", "--output"], "battle.pdf"),
        (["scenario", "draw", "duel", "--seed", "1", "--output"], "battle.yaml"),
        ([*SERIES, "--output"], "battle.json"),
    ],
)
@pytest.mark.parametrize("name", ["battle.txt", "battle"])
def test_a_file_is_not_written_under_a_name_that_says_something_else(
    words: list[str], right: str, name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = run(capsys, *words, tmp_path / name)
    assert (code, out) == (1, "")
    assert f"write {tmp_path / right}" in err
    assert not list(tmp_path.iterdir())
    code, _, _ = run(capsys, *words, tmp_path / right)
    assert code == 0


@full
def test_a_report_is_shown_where_its_file_cannot_be_written(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, *SERIES, "--json", "--output", "/dev/full")
    assert code == 1
    assert json.loads(out)["games"] == 2
    assert "/dev/full: the report cannot be written" in err


def test_who_leaves_the_debugger_is_told_nothing_more(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def left(*_: object) -> None:
        raise bdb.BdbQuit

    monkeypatch.setattr("caltrop.lab.series.play_game", left)
    assert run(capsys, *SERIES) == (INTERRUPTED, "", "")


@pytest.mark.parametrize("text", ["# A page\n", "\xef\xbb\xbf# A page"])
def test_a_page_is_looked_at_before_a_study_is_played(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("caltrop.lab.studies.points.measured", lambda *_: pytest.fail("it was played"))
    page, study = tmp_path / "page.md", tmp_path / "study.yaml"
    page.write_text(text)
    study.touch()
    code, _, err = run(capsys, "study", "points", study, "--page", page)
    assert code == 1
    assert "page.md: figures are put between the lines" in err
    assert run(capsys, "study", "points", study, "--page", tmp_path)[0] == 1
    assert run(capsys, "study", "points", study, "--page", tmp_path / "no/page.md")[0] == 1
    assert run(capsys, "study", "run", study, "--output", page)[0] == 1
    assert sorted(one.name for one in tmp_path.iterdir()) == ["page.md", "study.yaml"]


@full
def test_an_output_that_is_full_is_one_line_and_no_traceback() -> None:
    for words in (("--version",), ("games", "--json"), ("rules", "duel")):
        with open("/dev/full", "wb") as out:
            done = process(*words, out=out)
        assert done.returncode == 1
        assert done.stderr == b"caltrop: standard output: No space left on device\n"


# --- the console --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_any_text_is_shown_on_any_console(encoding: str, record: dict[str, Any], tmp_path: Path) -> None:
    file = tmp_path / "game.caltrop.json"
    acts = [one for one in record["entries"] if one["type"] == "action"]
    acts[0]["words"] = ["“Łódź” – naïve … 王 \U0001f600 \u202e"]
    file.write_text(json.dumps(record))
    done = process("replay", file, PYTHONIOENCODING=encoding)
    assert (done.returncode, done.stderr) == (0, b"")
    assert ("naïve" if encoding == "cp1252" else "naive").encode(encoding) in done.stdout
    words = process("replay", file, "--json", "--to", "1", PYTHONIOENCODING=encoding)
    assert json.loads(words.stdout.decode("utf-8"))["entry"]["words"] == acts[0]["words"]


# --- databases --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("foo", "write sqlite:///foo"),
        ("sqlite:x.db", "write sqlite:///x.db"),
        ("mysql://u:secret@h/n", "games are kept in SQLite or PostgreSQL; this address has 'mysql'"),
        ("postgres://u:secret@h/n", "write postgresql://u:***@h/n"),
        ("postgresql+asyncpg://h/n", "this address has 'postgresql+asyncpg'"),
        ("postgresql://h:port/n", "this is not an address of a database"),
        ("sqlite://", "names no file"),
        ("sqlite:///:memory:", "names no file"),
        ("sqlite://host/x", "write sqlite:///host/x"),
        ("sqlite:///x.db?mode=ro", "no options"),
        ("://", "write sqlite:///FILE or postgresql://USER@HOST/NAME"),
        (" ", "not an address of a database"),
        ("sqlite:///a\nb", "not an address of a database"),
    ],
)
def test_an_address_in_which_no_games_are_kept_is_refused(
    url: str, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError) as error:
        Storage(url)
    assert says in str(error.value)
    assert "secret" not in str(error.value)
    assert list(tmp_path.iterdir()) == []


def test_a_place_that_holds_no_database_is_left_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "text.db").write_text("no database")
    for name in ("folder", "text.db", "no/x.db", "text.db/x.db"):
        with pytest.raises(InputError, match="the database cannot be opened"):
            Storage(f"sqlite:///{tmp_path / name}")
    assert sorted(one.name for one in tmp_path.iterdir()) == ["folder", "text.db"]


def test_addresses_of_files_and_of_servers_are_read() -> None:
    assert url_of("./games.db").database == "./games.db"
    assert url_of("SQLITE:///games.db").drivername == "sqlite"
    assert url_of("postgresql://me@host/games").drivername == "postgresql+psycopg"


# --- messages ---------------------------------------------------------------------------------------------------------


def test_a_series_says_what_was_played(capsys: pytest.CaptureFixture[str]) -> None:
    words = (*SERIES, "--rule", "parry.price=2", "--swap")
    code, out, _ = run(capsys, *words)
    assert code == 0
    assert "sides        0 Ash, 1 Briar" in out
    assert "house rules  parry.price=2" in out
    assert "changed every second game, and the armies with them" in out
    report = json.loads(run(capsys, *words, "--json")[1])
    assert (report["rules"], report["armies"], report["size"]) == ({"parry.price": 2}, [], None)
    assert report["sides"] == ["Ash", "Briar"]
    assert sum(report["side_wins"].values()) == sum(report["wins"].values()) == report["games"] - report["draws"]
    battle = ("simulate", "command-horizon", "--players", "random,random", "--num", "1", "--seed", "1", "--json")
    report = json.loads(run(capsys, *battle, "--armies", "asori,alliance", "--size", "4")[1])
    assert (report["armies"], report["size"]) == (["asori", "alliance"], 4)


def test_wins_of_a_side_are_those_of_both_players(capsys: pytest.CaptureFixture[str]) -> None:
    many = ("simulate", "duel", "--players", "random,random", "--num", "40", "--seed", "1", "--json")
    stored, swapped = (json.loads(run(capsys, *many, *more)[1]) for more in ((), ("--swap",)))
    assert stored["wins"] == stored["side_wins"]
    assert swapped["wins"] != swapped["side_wins"]


def test_clauses_need_no_heading(tmp_path: Path) -> None:
    page = tmp_path / "clauses.md"
    for head in ("", "# A game\n\n", "# A game\n\n## Rules\n\n"):
        page.write_text(f"{head}| id | edition | text |\n|---|---|---|\n| XY-MOVE-01 | both | A move. |\n")
        inventory.cache_clear()
        assert list(inventory("xy", "XY-", page).clauses) == ["XY-MOVE-01"]


def test_a_game_without_clauses_has_no_nearest(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Ruleset, "inventory", lambda self: SimpleNamespace(clauses={}, questions={}))
    code, _, err = run(capsys, "rules", "duel", "--clause", "XY-MOVE-01")
    assert (code, err) == (1, "caltrop: there is no clause 'XY-MOVE-01' in duel; its page of clauses has none\n")


def test_a_clause_keeps_its_brackets(capsys: pytest.CaptureFixture[str]) -> None:
    assert "[x1,x2] x [y1,y2]" in run(capsys, "rules", "blade-skirmish", "--clause", "BS-S15")[1]


def test_a_record_that_was_saved_is_read_again(record: dict[str, Any], tmp_path: Path) -> None:
    from caltrop.journal import decoded, load

    for name in ("a.caltrop.json", "a.caltrop.json.gz"):
        save(decoded(json.dumps(record).encode()), tmp_path / name)
        assert load(tmp_path / name).ruleset == "duel"
