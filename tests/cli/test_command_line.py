"""The command line in general: how commands are found, what is printed to which stream, and the exit codes."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import caltrop
from caltrop import InputError, cli

COMMANDS = {
    "tell_it.py": '''
        """Tell a word, or refuse to.

        The rest is not for the overview.
        """
        from caltrop import InputError
        from caltrop.cli import UsageError

        def tell_it(word: str = "hello", *, times: int = 1, loud: bool = False) -> int | None:
            """Tell a word."""
            if word == "bad":
                raise InputError("no such word;\\n did you mean 'bed'?", source="words.yaml", line=3)
            if loud and times > 1:
                raise UsageError("--loud and --times exclude each other")
            print(word * times)
            return 7 if word == "seven" else None
    ''',
    "import_.py": '"""Bring something in."""\nraise RuntimeError("imported too early")\n',
    "_shared.py": 'raise RuntimeError("this is no command")\n',
}


@pytest.fixture
def commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with commands that replaces the real one."""
    folder = tmp_path / "some_commands"
    folder.mkdir()
    for name, text in COMMANDS.items():
        (folder / name).write_text("\n".join(line.removeprefix(" " * 8) for line in text.strip().splitlines()) + "\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "some_commands.tell_it", raising=False)
    monkeypatch.setattr(cli, "_HERE", folder)
    monkeypatch.setattr(cli, "_PACKAGE", "some_commands")
    return folder


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    """Run a command line; return its exit code, standard output and standard error."""
    code = cli.main(words)
    out, err = capsys.readouterr()
    return code, out, err


def test_the_version_is_told_at_once() -> None:
    loaded = "import sys; from caltrop.cli import main; main(['--version']); sys.exit('cyclopts' in sys.modules)"
    words = subprocess.run([sys.executable, "-c", loaded], capture_output=True, text=True, check=True)
    assert words.stdout == f"caltrop {caltrop.__version__}\n"


@pytest.mark.usefixtures("commands")
def test_the_overview_names_every_command_and_imports_none(capsys: pytest.CaptureFixture[str]) -> None:
    for words in ([], ["--help"], ["-h"]):
        code, out, _ = run(capsys, *words)
        assert code == 0
        assert "  import   Bring something in\n  tell-it  Tell a word, or refuse to\n" in out
        assert "shared" not in out


@pytest.mark.usefixtures("commands")
def test_a_command_that_is_done_exits_with_0_or_its_own_code(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "tell-it", "ho", "--times", "2") == (0, "hoho\n", "")
    assert run(capsys, "tell-it", "seven") == (7, "seven\n", "")


@pytest.mark.usefixtures("commands")
def test_a_commands_own_help_is_its_docstring(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "tell-it", "--help")
    assert code == 0
    assert "Tell a word." in out
    assert "--loud" in out
    assert "--no-loud" not in out


def test_a_reader_who_has_seen_enough_is_no_error(commands: Path) -> None:
    setting = f"import sys; sys.path.insert(0, {str(commands.parent)!r}); from caltrop import cli; "
    setting += f"cli._HERE, cli._PACKAGE = cli.Path({str(commands)!r}), 'some_commands'; "
    setting += "sys.exit(cli.main(['tell-it', '--times', '100000']))"
    with subprocess.Popen([sys.executable, "-c", setting], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as words:
        assert words.stdout
        assert words.stderr
        words.stdout.close()
        assert words.stderr.read() == b""
    assert words.returncode == 0


@pytest.mark.usefixtures("commands")
def test_wrong_input_exits_with_1_and_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "tell-it", "bad")
    assert (code, out) == (1, "")
    assert err == "caltrop: words.yaml:3: no such word; did you mean 'bed'?\n"


@pytest.mark.usefixtures("commands")
@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["tell-ti"], 'did you mean "tell-it"?'),
        (["tell-it", "--tmes", "2"], "did you mean '--times'?"),
        (["tell-it", "--times", "two"], "two"),
        (["tell-it", "--times", "2", "--loud"], "exclude each other"),
        (["--loud"], "--loud"),
    ],
)
def test_a_wrong_command_line_exits_with_2(capsys: pytest.CaptureFixture[str], words: list[str], message: str) -> None:
    code, out, err = run(capsys, *words)
    assert (code, out) == (2, "")
    assert err.startswith("caltrop: ")
    assert message in err
    assert err.count("\n") == 1


def test_an_error_in_input_gives_its_place_first() -> None:
    error = InputError("is 7, at most 6", source="a.json", line=2, column=9, field="dice[1]")
    assert str(error) == "a.json:2:9: dice[1]: is 7, at most 6"
    assert str(InputError("is empty")) == "is empty"


def _by_place(first: Path, second: Path | None = None, /, *, json: bool = False) -> None: ...


def _all_that_is_named(*files: Path) -> None: ...


def _by_word(name: str, /, *, json: bool = False, times: int = 1) -> None: ...


@pytest.mark.parametrize(
    ("function", "words", "plain"),
    [
        (_by_place, ["a", "--json", "b"], ([Path("a"), Path("b")], {"json": True})),
        (_by_place, ["a"], ([Path("a")], {})),
        (_by_place, [], None),
        (_by_place, ["a", "b", "c"], None),
        (_by_place, ["a", "--json", "--json"], None),
        (_by_place, ["a", "--json=true"], None),
        (_by_place, ["a", "--help"], None),
        (_by_place, ["-"], None),
        (_by_place, [""], None),
        (_all_that_is_named, ["a", "b"], ([Path("a"), Path("b")], {})),
        (_all_that_is_named, [], None),
        (_by_word, ["a"], None),
        (_by_word, ["--times", "2"], None),
    ],
)
def test_files_and_whole_switches_are_read_without_the_library(
    function: Callable[..., None], words: list[str], plain: object
) -> None:
    assert cli.plainly(function, words) == plain


def test_an_attack_is_answered_with_its_own_game_alone(tmp_path: Path) -> None:
    file = tmp_path / "request.json"
    file.write_text(json.dumps({"ruleset": "duel", "target": {"wounds": 2}}), encoding="utf-8")
    words = "import json, sys; from caltrop.cli import main; code = main(['odds', sys.argv[1]]); "
    words += "print(json.dumps([*sys.modules])); sys.exit(code)"
    result = subprocess.run([sys.executable, "-c", words, str(file)], capture_output=True, text=True, check=True)
    modules = json.loads(result.stdout.splitlines()[-1])
    assert {name.split(".")[2] for name in modules if name.startswith("caltrop.rules.")} == {"duel"}
    assert not {"cyclopts", "importlib.metadata"} & {*modules}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "give needs WORD (The word to give); caltrop give --help shows its arguments"),
        (["x"], "give needs --kind (loud, soft); caltrop give --help shows its arguments"),
        (["x", "--kind", "loud", "--times"], "a value is needed after --times (How often)"),
        (["x", "--tims", "3"], "give has no option '--tims'; did you mean '--times'?"),
        (["x", "--kind", "loud", "-q"], "give has no option '-q'; it is one of --kind, --times"),
        (["x", "y", "--kind", "loud"], "give has no place for 'y'; caltrop give --help shows its arguments"),
    ],
)
def test_a_wrong_word_is_told_with_what_belongs_there(
    commands: Path, capsys: pytest.CaptureFixture[str], words: list[str], message: str
) -> None:
    (commands / "give.py").write_text(
        '"""Give a word."""\n'
        "from typing import Literal\n\n"
        'def give(word: str, /, *, kind: Literal["loud", "soft"], times: int = 1) -> None:\n'
        '    """Give a word.\n\n    Args:\n        word: The word to give.\n'
        '        kind: How it sounds.\n        times: How often.\n    """\n'
    )
    assert run(capsys, "give", *words) == (2, "", f"caltrop: {message}\n")
