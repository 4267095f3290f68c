"""Shows the doctests of docstrings as code on the site: an extension of griffe, which `mkdocs.yml` names."""

from __future__ import annotations

import re
from typing import Any

import griffe

_DOCTEST = re.compile(r"^>>> .*\n?(?:.+\n?)*", re.MULTILINE)


class Doctests(griffe.Extension):
    """Fences each doctest of a docstring."""

    def on_object(self, *, obj: griffe.Object, **kwargs: Any) -> None:
        """Change the docstring of something that was read."""
        if obj.docstring is not None and ">>>" in obj.docstring.value:
            obj.docstring.value = _DOCTEST.sub(lambda test: f"```pycon\n{test[0].rstrip()}\n```\n", obj.docstring.value)
