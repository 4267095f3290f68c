"""The command line: `caltrop play`, `caltrop simulate`, `caltrop odds` and so on.

**One module is one command.** For `caltrop resolve` the module `cli/resolve.py` has a function `resolve`:

    '''Referee one attack with the dice given.

    More about it, which `caltrop resolve --help` shows from the function's own docstring.
    '''

    from caltrop.errors import InputError

    def resolve(file: Path | None = None, /, *, json: bool = False) -> int | None:
        '''Referee one attack with the dice given.'''
        from caltrop.lab import attack   # whatever is heavy is imported here, not at the top

A test of it is `tests/cli/test_resolve.py`, which calls `cli.main(["resolve", …])` and reads `capsys`; its wrong
arguments are an entry of `WRONG_WORDS` in `tests/cli/test_bad_input.py`. Facts about a
ruleset (scenarios, armies, clauses) are in `caltrop.engine.ruleset`. CONTRIBUTING.md makes a whole command.

The folder is the list. The first line of the module's docstring is read from the source, without an import, and is
what `caltrop --help` shows; the module is imported when its command is called. Underscores become hyphens. A module
whose own name is a Python word or shadows one ends in an underscore that is dropped from the command: `import_.py` is
`caltrop import`. A module that begins with an underscore is not a command, but is shared by commands.

**The streams of a command.** Results go to standard output, JSON there alone; messages and progress go to standard
error. It returns nothing or an exit code.

**Exit codes.** 0: done. 1: the input was read and is wrong; raise `caltrop.InputError`, which is printed as one
line. 2: the command line itself is wrong; cyclopts finds that out, and a command may raise `UsageError` for what
only it can see.
"""

from __future__ import annotations

import codecs
import errno
import importlib
import io
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from caltrop import __version__
from caltrop.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cyclopts import App, CycloptsError

__all__ = ["DONE", "INPUT_WRONG", "USAGE_WRONG", "UsageError", "command_line", "main"]

DONE = 0
INPUT_WRONG = 1
USAGE_WRONG = 2
INTERRUPTED = 130

CO_VARARGS = 4
"""Flag for code with variable arguments, as in `inspect`, whose import would be slow."""

LONGEST = 1000
"""Characters of an error that are shown."""

_HERE = Path(__file__).parent
_PACKAGE = __name__


class UsageError(ValueError):
    """An error in the command line that only the command can detect, such as two options that exclude each other."""


def _commands() -> dict[str, Path]:
    """Return the modules of the commands by command name, in order."""
    return {module.stem.rstrip("_").replace("_", "-"): module for module in sorted(_HERE.glob("[!_]*.py"))}


def _summary(module: Path) -> str:
    """Read the first line of a module's docstring without importing the module."""
    import ast

    text = ast.get_docstring(ast.parse(module.read_bytes())) or ""
    return text.partition("\n")[0].removesuffix(".")


def _overview() -> str:
    """Return the list of commands. This imports no library, so it is fast."""
    lines = {name: _summary(module) for name, module in _commands().items()}
    width = max(map(len, lines), default=0)
    return "\n".join(
        [
            "Usage: caltrop COMMAND [ARGUMENTS] [OPTIONS]",
            "",
            "Play tabletop miniature wargames on a screen, with the whole rulebook enforced and explained.",
            "",
            *(["Commands:", *(f"  {name:{width}}  {line}" for name, line in lines.items()), ""] if lines else []),
            "caltrop COMMAND --help shows more about a command; caltrop --version shows the version.",
        ]
    )


def _function(name: str) -> Callable[..., Any]:
    """Return the function of a command, whose module is imported."""
    stem = _commands()[name].stem
    command: Callable[..., Any] = getattr(importlib.import_module(f"{_PACKAGE}.{stem}"), stem)
    return command


def plainly(function: Callable[..., Any], words: Sequence[str]) -> tuple[list[Path], dict[str, bool]] | None:
    """Parse words that are only files and complete switches, as in the usual call of most commands.

    Importing the library for all other words takes longer than refereeing one attack.

    Args:
        function: A command.
        words: The words typed after its name.

    Returns:
        The arguments by place and by name; None if the library has to interpret the words, or report an error.
    """
    code, hints = function.__code__, function.__annotations__
    by_place, names = code.co_argcount, code.co_varnames
    by_name = names[by_place : by_place + code.co_kwonlyargcount]
    rest = names[by_place + len(by_name)] if code.co_flags & CO_VARARGS else None
    files: list[Path] = []
    switches: dict[str, bool] = {}
    for word in words:
        name = word[2:].replace("-", "_")
        if word.startswith("--") and "_" not in word and name in by_name and hints[name] == "bool":
            if name in switches:
                return None
            switches[name] = True
        elif word and not word.startswith("-"):
            place = names[len(files)] if len(files) < by_place else rest
            if place is None or hints[place] not in ("Path", "Path | None"):
                return None
            files.append(Path(word))
        else:
            return None
    lacking = by_place - len(function.__defaults__ or ()) > len(files) or (rest is not None and not files)
    needed = set(by_name) - set(function.__kwdefaults__ or {}) - set(switches)
    return None if lacking or needed else (files, switches)


def _exactly(kind: Any, tokens: Sequence[Any]) -> Any:
    """Convert a typed parameter as the library does, but refuse a fraction in place of a whole number.

    Raises:
        ValueError: for a fraction where a whole number belongs.
    """
    from cyclopts import convert

    if kind in (int, int | None) and any("." in token.value for token in tokens):
        raise ValueError("this must be a whole number")
    return convert(kind, tokens)


def command_line(name: str) -> App:
    """Build the command line of one command, whose module is imported when it is called.

    The other commands are left out, because cyclopts would import every one of them to explain a misspelled one.

    Args:
        name: The command, as it is typed.

    Raises:
        UsageError: The command does not exist; the message names the nearest.
    """
    commands = _commands()
    if name not in commands:
        import difflib

        near = difflib.get_close_matches(name, commands, 1)
        raise UsageError(
            f'there is no command "{name}"; '
            + (f'did you mean "{near[0]}"?' if near else "caltrop --help lists all commands")
        )
    from cyclopts import App, Parameter

    app = App(
        name="caltrop",
        version=f"caltrop {__version__}",
        help_format="plaintext",
        help_formatter="plain",  # a screen reader would read out the frames of the other form
        default_parameter=Parameter(negative=(), converter=_exactly),
    )
    stem = commands[name].stem
    app.command(f"{_PACKAGE}.{stem}:{stem}", name=name)
    return app


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command.

    Args:
        arguments: The words after `caltrop`; those of the process by default.

    Returns:
        The exit code.
    """
    words = list(sys.argv[1:] if arguments is None else arguments)
    _open_streams()
    code = DONE
    try:
        if words == ["--version"]:
            print(f"caltrop {__version__}")
        elif words in ([], ["--help"], ["-h"]):
            print(_overview())
        else:
            code = _run(words)
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader of the output has seen enough, as `head` does.
        _drop_output()
    except OSError as error:
        _drop_output()
        where = error.filename or ("standard output" if error.errno in _UNWRITABLE else "")
        return _complain(InputError(error.strerror or str(error), source=str(where) or None), INPUT_WRONG)
    return code


_UNWRITABLE = (errno.ENOSPC, errno.EIO, errno.EBADF, errno.EFBIG, errno.EDQUOT)
"""Errors for an output that is closed or full."""


def _open_streams() -> None:
    """Let standard output and standard error accept any text; discard it if they are closed."""
    codecs.register_error("caltrop", _in_other_signs)
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115  it ends with the program
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="caltrop")


def _drop_output() -> None:
    """Discard unwritten output, so that Python does not fail at exit."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


_SIGNS = {
    "‘": "'",
    "’": "'",
    "“": '"',
    "”": '"',
    "–": "-",
    "—": "-",
    "−": "-",
    "…": "...",
    "×": "x",
    "·": ".",
    "→": "->",
}


def _in_other_signs(error: UnicodeError) -> tuple[str, int]:
    """Return a text for a console that lacks some characters: the nearest that it has, or question marks.

    >>> "naïve “Łódź” …".encode("ascii", "caltrop") if _open_streams() is None else b""
    b'naive "?odz" ...'
    """
    import unicodedata

    assert isinstance(error, UnicodeEncodeError)
    shown = ""
    for sign in error.object[error.start : error.end]:
        near = _SIGNS.get(sign) or unicodedata.normalize("NFKD", sign).encode("ascii", "ignore").decode()
        shown += near if near.isprintable() and near else "?"
    return shown, error.end


def _run(words: list[str]) -> int:
    name = words[0]
    try:
        function = _function(name) if name in _commands() else None
        plain = None if function is None else plainly(function, words[1:])
        if function is not None and plain is not None:
            files, switches = plain
            result = function(*files, **switches)
        else:
            result = _read_and_run(name, words)
    except UsageError as error:
        return _complain(error, USAGE_WRONG)
    except InputError as error:
        return _complain(error, INPUT_WRONG)
    except KeyboardInterrupt:
        return INTERRUPTED
    except Exception as error:
        if type(error).__name__ != "BdbQuit":  # somebody has left the debugger, in which a player of theirs stopped
            raise
        return INTERRUPTED
    return result if isinstance(result, int) else DONE


def _read_and_run(name: str, words: list[str]) -> Any:
    """Run a command with the typed words.

    Raises:
        UsageError: if the words are invalid.
    """
    app = command_line(name)
    if "-" in words and "--" not in words:
        # To the library a lone hyphen is an option without a name; to people it is standard input.
        words = [*(word for word in words if word != "-"), "--", *(word for word in words if word == "-")]
    from cyclopts import CycloptsError

    try:
        return app(words, exit_on_error=False, print_error=False, result_action="return_value")
    except CycloptsError as error:
        raise UsageError(_wrong_words(error, app, name)) from error


def _wrong_words(error: CycloptsError, app: App, name: str) -> str:
    """Return what is wrong with the words of a command line, with what belongs there.

    Args:
        error: The library's error.
        app: The command line.
        name: The command, as it is typed.
    """
    from cyclopts.exceptions import MissingArgumentError, UnknownOptionError, UnusedCliTokensError

    from caltrop.roster import nearest

    arguments = app[name].assemble_argument_collection(default_parameter=app.default_parameter, parse_docstring=True)
    options = [option for argument in arguments for option in argument.names if option.startswith("--")]
    strange = [word for word in error.unused_tokens or () if word.startswith("-") and word not in (*options, "--")]
    if isinstance(error, UnknownOptionError):
        strange = [error.token.keyword or error.token.value]
    if strange:
        return f"{name} has no option {strange[0]!r}; {nearest(strange[0], options)}"
    if isinstance(error, UnusedCliTokensError):
        return (
            f"{name} has no place for {(error.unused_tokens or [''])[0]!r}; caltrop {name} --help shows its arguments"
        )
    if type(error) is not MissingArgumentError or error.argument is None:
        return str(error)
    lacking = error.argument.name
    argument = next(argument for argument in arguments if lacking in argument.names)
    text = ", ".join(argument.get_choices(force=True) or ()) or (argument.parameter.help or "").partition(". ")[0]
    what = lacking + (f" ({text.rstrip('.')})" if text else "")
    if error.keyword or error.argument.tokens:
        return f"a value is needed after {what}"
    return f"{name} needs {what}; caltrop {name} --help shows its arguments"


def _complain(error: Exception, code: int) -> int:
    """Print an error to standard error, as one line, and pass the exit code on."""
    with suppress(OSError):
        print(complaint(error), file=sys.stderr, flush=True)
    return code


def print_json(value: Any, *, indent: int = 0) -> None:
    """Print a value to standard output as JSON in UTF-8, whatever the console shows.

    Args:
        value: Records of msgspec, or plain data.
        indent: Indent of nested values; 0 for one line.
    """
    import msgspec

    text = msgspec.json.encode(value)
    print_bytes(msgspec.json.format(text, indent=indent) if indent else text)


def print_bytes(text: bytes) -> None:
    """Print a text in UTF-8 to standard output, followed by a line end."""
    sys.stdout.flush()
    out = getattr(sys.stdout, "buffer", None)
    if out is None:
        print(text.decode("utf-8", "replace"))
    else:
        out.write(text + b"\n")


def complaint(error: object) -> str:
    """Return an error as one line that any terminal can show, even if it quotes unusual input.

    >>> complaint("no kind 'a\\x1b[31m\\n'")
    "caltrop: no kind 'a\\\\x1b[31m '"
    """
    words = " ".join(str(error).split())
    shown = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in words)
    return "caltrop: " + (shown if len(shown) <= LONGEST else shown[: LONGEST - 3] + "...")
