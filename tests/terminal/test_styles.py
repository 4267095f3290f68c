"""The styles of the terminal name classes in a string, which the type checker does not read."""

from __future__ import annotations

import inspect
import pkgutil
import re
from importlib import import_module

import pytest
from textual.dom import DOMNode

from caltrop import terminal

MODULES = [import_module(module.name) for module in pkgutil.iter_modules(terminal.__path__, "caltrop.terminal.")]
NODES = sorted(
    {
        kind
        for module in MODULES
        for kind in vars(module).values()
        if inspect.isclass(kind) and issubclass(kind, DOMNode)
    },
    key=lambda kind: kind.__qualname__,
)
STYLED = [kind for kind in NODES if kind.__module__.startswith("caltrop.") and "CSS" in vars(kind)]


@pytest.mark.parametrize("kind", STYLED, ids=lambda kind: kind.__name__)
def test_styles_name_classes_that_there_are(kind: type[DOMNode]) -> None:
    selectors = re.sub(r"\{[^}]*\}", " ", vars(kind)["CSS"])
    names = set(re.findall(r"(?<![.#\w-])[A-Z]\w*", selectors))
    assert names
    assert names <= {node.__name__ for node in NODES}
    assert kind.__name__ in names
