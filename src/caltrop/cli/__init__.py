"""The command line: `caltrop play`, `caltrop simulate`, `caltrop odds` and so on.

**One module is one command.** To add `caltrop resolve`, write `cli/resolve.py` with a function `resolve`, and
nothing else:

    '''Referee one attack with the dice given.

    More about it, which `caltrop resolve --help` shows from the function's own docstring.
    '''

    from caltrop import InputError

    def resolve(file: Path | None = None, /, *, json: bool = False) -> int | None:
        '''Referee one attack with the dice given.

        Args:
            file: The request; standard input where it is left out.
            json: Print JSON.
        '''
        from caltrop.lab import attack   # whatever is heavy is imported here, not at the top

The folder is the list. The first line of the module's docstring is read from the source, without an import, and is
what `caltrop --help` shows; the module is imported when its command is called. Underscores become hyphens, a module
whose own name is a Python word or shadows one ends in an underscore that is dropped from the command (`import_.py`
is `caltrop import`), and a module that begins with an underscore is no command but something that commands share.

**What a command does with its streams.** What was asked for goes to standard output, and JSON goes there alone;
messages and progress go to standard error. It returns nothing or an exit code.

**Exit codes.** 0: done. 1: the input was read and is wrong; raise `caltrop.InputError`, which is printed as one
line. 2: the command line itself is wrong; cyclopts finds that out, and a command may raise `UsageError` for what
only it can see.
"""

from __future__ import annotations

import ast
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from caltrop import InputError, __version__

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cyclopts import App

__all__ = ["DONE", "INPUT_WRONG", "USAGE_WRONG", "UsageError", "command_line", "main"]

DONE = 0
INPUT_WRONG = 1
USAGE_WRONG = 2

_HERE = Path(__file__).parent
_PURPOSE = "Play tabletop miniature wargames on a screen, with the whole rulebook enforced and explained."


class UsageError(ValueError):
    """The command line is wrong as only the command itself can see: two options exclude each other, for instance."""


def _commands(folder: Path) -> dict[str, Path]:
    """Find the modules that are commands, by the names of the commands, in order."""
    return {module.stem.rstrip("_").replace("_", "-"): module for module in sorted(folder.glob("[!_]*.py"))}


def _summary(module: Path) -> str:
    """Read the first line of a module's docstring without importing the module."""
    text = ast.get_docstring(ast.parse(module.read_bytes())) or ""
    return text.partition("\n")[0].removesuffix(".")


def _overview(folder: Path) -> str:
    """Say what commands there are. It loads no library, so that it comes at once."""
    lines = {name: _summary(module) for name, module in _commands(folder).items()}
    width = max(map(len, lines), default=0)
    return "\n".join(
        [
            "Usage: caltrop COMMAND [ARGUMENTS] [OPTIONS]",
            "",
            _PURPOSE,
            "",
            *(["Commands:", *(f"  {name:{width}}  {line}" for name, line in lines.items()), ""] if lines else []),
            "caltrop COMMAND --help tells more about a command; caltrop --version tells the version.",
        ]
    )


def command_line(folder: Path = _HERE, package: str = "caltrop.cli") -> App:
    """Put the command line together from the modules of a folder, none of which is imported yet.

    Args:
        folder: Where the commands are; this package's own folder where it is left out.
        package: The package that the folder is.
    """
    from cyclopts import App, Parameter

    app = App(
        name="caltrop",
        help=_PURPOSE,
        version=f"caltrop {__version__}",
        help_format="plaintext",
        help_formatter="plain",  # a screen reader would read out the frames of the other form
        default_parameter=Parameter(negative=()),
    )
    for name, module in _commands(folder).items():
        app.command(f"{package}.{module.stem}:{module.stem}", name=name, help=_summary(module))
    return app


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command.

    Args:
        arguments: The words after `caltrop`; those of the process where they are left out.

    Returns:
        The exit code.
    """
    words = list(sys.argv[1:] if arguments is None else arguments)
    if words == ["--version"]:
        print(f"caltrop {__version__}")
        return DONE
    if words in ([], ["--help"], ["-h"]):
        print(_overview(_HERE))
        return DONE
    from cyclopts import CycloptsError

    try:
        result = command_line()(words, exit_on_error=False, print_error=False, result_action="return_value")
    except CycloptsError as error:
        return _complain(str(error), USAGE_WRONG)
    except UsageError as error:
        return _complain(str(error), USAGE_WRONG)
    except InputError as error:
        return _complain(str(error), INPUT_WRONG)
    except BrokenPipeError:  # whoever read the output has seen enough, as `head` does
        sys.stdout = None
        return DONE
    except KeyboardInterrupt:
        return 130
    return result if isinstance(result, int) else DONE


def _complain(message: str, code: int) -> int:
    """Print one line to standard error and pass the exit code on."""
    print("caltrop: " + " ".join(message.split()), file=sys.stderr)
    return code
