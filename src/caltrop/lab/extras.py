"""The error for a missing optional package, with the command that installs it."""

from __future__ import annotations

import importlib.util


def needed(who: str, extra: str, *modules: str) -> None:
    """Raise an error if a package is missing that a part of Caltrop needs.

    Raises ModuleNotFoundError for the first missing module, with the command that installs it.

    >>> needed("this", "envs", "nothing_of_that_name")
    Traceback (most recent call last):
    ModuleNotFoundError: this needs nothing_of_that_name, which is not installed: pip install "caltrop[envs]"
    """
    for module in modules:
        if importlib.util.find_spec(module) is None:
            complaint = f'{who} needs {module}, which is not installed: pip install "caltrop[{extra}]"'
            raise ModuleNotFoundError(complaint, name=module)
