"""The reference of messages in `wire.md`: `python docs/wire_reference.py`, a part of `make generated`.

It is made of the types of the messages, of their docstrings, and of the examples below. A test compares the page with
it, and reads and writes every example.
"""

from __future__ import annotations

import ast
import functools
import inspect
import json
import re
import sys
import types
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec

from caltrop.engine.rule import AnyAction, MaybeAction
from caltrop.server.said import REPLIES
from caltrop.server.shapes import SPOKEN
from caltrop.wire import Change, View
from caltrop.wire.messages import Message

PAGE = Path(__file__).with_name("wire.md")
BEGIN = "<!-- The messages, made by `make generated` of the types in caltrop.wire. -->"
END = "<!-- End of the messages. -->"

ACT = {"type": "Walk", "path": [[900, 500]]}
WISH = {"unit": 0, "to": [900, 500]}

SAID: Mapping[str, dict[str, Any]] = {
    "hello": {"type": "hello", "tokens": ["SECRET-OF-SIDE-0", "SECRET-OF-SIDE-1"], "eyes": 0, "seen": None},
    "answer": {"decision": "1.0", "action": ACT},
    "usual": {"type": "usual", "decision": "1.0", "quietly": True},
    "propose": {"type": "propose", "decision": "1.0", "wish": WISH, "ref": 3},
    "pick-up": {"type": "pick-up", "decision": "1.0", "unit": 0},
    "sight": {"type": "sight", "unit": 0, "targets": [1]},
    "seek": {"type": "seek", "decision": "1.0", "unit": 0, "goal": {"how": "towards", "unit": 1}},
    "odds": {"type": "odds", "decision": "2.0", "action": {"type": "Thrust"}, "whole": True},
    "in-order": {"type": "in-order", "decision": "2.0", "target": 8, "units": [1, 3], "best": True},
    "hint": {"type": "hint", "decision": "1.0"},
    "ahead": {"type": "ahead", "decision": "1.0", "wish": WISH, "odds": True},
    "eyes": {"type": "eyes", "side": 1},
    "undo": {"type": "undo"},
    "redo": {"type": "redo"},
    "takeback": {"type": "takeback", "answer": True},
    "dice": {"type": "dice", "faces": [4, 2]},
    "why": {"type": "why", "unit": 0, "token": "breath"},
    "resign": {"type": "resign"},
    "name": {"type": "name", "text": "Anna"},
    "talk": {"type": "talk", "text": "Good luck!"},
    "hush": {"type": "hush", "off": True},
    "await": {"type": "await", "on": True},
    "draw": {"type": "draw"},
    "show-all": {"type": "show-all"},
    "standing": {"type": "standing", "decision": "3.0", "action": {"type": "Parry"}},
    "not-standing": {"type": "not-standing", "number": 1},
    "ping": {"type": "ping"},
}
"""An example of every message of a client."""

HEARD: Mapping[str, dict[str, Any]] = {
    "refusal": {
        "type": "refusal",
        "code": "too-far",
        "clause": "DU-MOVE-01",
        "message": "The way is 11 cm long, and a walk is at most 8 cm",
        "values": {"length": 1100, "limit": 800},
        "nearest": {"type": "Walk", "path": [[1000, 500]]},
        "field": "",
        "ref": 4,
    },
    "done": {"type": "done", "seq": 4, "ref": 1},
    "loud": {
        "type": "loud",
        "loud": {"why": "sealed", "dice": 0, "words": "your answer stays hidden until the other side has answered"},
        "ref": None,
    },
    "sight": {
        "type": "sight",
        "sightings": [
            {
                "unit": 0,
                "target": 3,
                "seen": True,
                "words": "1st Tanks sees 2nd Tanks: 1 obstructed by Wood",
                "pieces": [{"piece": 12, "seen": True, "obstructed": True, "in_cover": False, "by": "Wood"}],
                "lines": [
                    {
                        "start": [1000, 1000],
                        "end": [3000, 1000],
                        "state": "obscured",
                        "by": "Wood",
                        "stop": [2000, 1000],
                    }
                ],
            }
        ],
        "ref": 6,
    },
    "sought": {
        "type": "sought",
        "decision": "1.0",
        "sought": {
            "to": [1000, 500],
            "proposal": {
                "action": {"type": "Walk", "path": [[1000, 500]]},
                "paths": {"0": [[400, 500], [1000, 500]]},
                "length": 600,
                "left": 200,
                "price": [{"value": 0, "clause": "DU-MOVE-01", "words": "Walking costs nothing"}],
                "refusal": None,
                "faults": [],
            },
            "words": "0 cm from Briar then",
        },
        "ref": None,
    },
    "odds": {
        "type": "odds",
        "decision": "2.0",
        "odds": {
            "about": "",
            "by": 0,
            "target": 1,
            "thrown": [
                {
                    "words": "Ash throws 1 die, and hits on 4 or more",
                    "parts": [{"value": 4, "clause": "DU-STRIKE-02", "words": "A strike"}],
                }
            ],
            "outcomes": [
                {"words": "wounds left: 2", "parts": {"wounds": 2}, "probability": "1/2", "p": 0.5, "between": None},
                {"words": "wounds left: 3", "parts": {"wounds": 3}, "probability": "1/2", "p": 0.5, "between": None},
            ],
            "exact": True,
            "headline": "Takes at least one wound: 50 %",
            "expected": {},
            "price": [],
            "answers": [],
            "also": [],
            "note": "",
            "request": {
                "ruleset": "duel",
                "edition": "current",
                "rules": {},
                "attacker": {"breath": 1, "trait": "light-footed"},
                "target": {"wounds": 3},
                "parried": False,
            },
        },
        "whole": [],
        "loud": {"why": "dice", "dice": 1, "words": "1 die is thrown"},
        "ref": None,
    },
    "in-order": {
        "type": "in-order",
        "decision": "2.0",
        "forecast": {
            "attackers": [1, 3, 4],
            "order": [1, 3],
            "declared": 0,
            "odds": {
                "about": "",
                "by": None,
                "target": 8,
                "thrown": [],
                "outcomes": [
                    {"words": "1 model", "parts": {"models": 1}, "probability": "3/4", "p": 0.75, "between": None},
                    {"words": "destroyed", "parts": {"models": 0}, "probability": "1/4", "p": 0.25, "between": None},
                ],
                "exact": True,
                "headline": "Light Tanks lost: 25 %",
                "expected": {"models": 0.75},
                "price": [],
                "answers": [],
                "also": [],
                "note": "",
                "request": None,
            },
            "idle": [],
            "best": [3, 1],
        },
        "ref": None,
    },
    "hint": {
        "type": "hint",
        "decision": "2.0",
        "hint": {
            "action": {"type": "Thrust"},
            "words": "Thrust",
            "unit": None,
            "to": None,
            "reasons": ["Takes at least one wound: 50 %"],
        },
        "ref": None,
    },
    "ahead": {
        "type": "ahead",
        "decision": "1.0",
        "outlook": {"coming": [], "aimless": []},
        "ending": {"why": "hands-over", "dice": 0, "words": "it is the other side's turn"},
        "ref": None,
    },
    "because": {
        "type": "because",
        "steps": [
            {
                "act": 2,
                "before": "4",
                "after": "1",
                "links": [
                    {
                        "n": 1,
                        "act": 1,
                        "clauses": ["DU-BID-01"],
                        "line": None,
                        "side": 1,
                        "decided": "Stake 2",
                        "because": [],
                    },
                    {
                        "n": 2,
                        "act": 2,
                        "clauses": ["DU-BID-01"],
                        "line": None,
                        "side": 0,
                        "decided": "Stake 3",
                        "because": [1],
                    },
                    {
                        "n": 3,
                        "act": 2,
                        "clauses": ["DU-BID-03", "DU-BID-04"],
                        "line": {
                            "n": 2,
                            "act": 2,
                            "round": 1,
                            "side": 0,
                            "about": 0,
                            "begins": False,
                            "kind": "Began",
                            "text": "Ash has the first turn of every round",
                            "clauses": ["DU-BID-03"],
                            "dice": [],
                            "touches": [0],
                            "reading": None,
                            "motion": None,
                            "undoes": None,
                        },
                        "side": None,
                        "decided": "",
                        "because": [1, 2],
                    },
                ],
            }
        ],
        "ref": None,
    },
    "presence": {"type": "presence", "here": [0, 1]},
    "moved": {"type": "moved", "sides": [0], "here": True, "for_good": False},
    "clock": {"type": "clock", "left": [598000, 600000], "running": [0]},
    "pong": {"type": "pong", "ref": None},
}
"""An example of every message of the server that has none elsewhere on the page."""

BELOW = {"proposal": "#a-proposal", "picked-up": "#a-proposal"}
"""Messages of the server with an example in a section of their own."""

PLAIN = {str: "text", int: "whole number", float: "number", bool: "true or false", type(None): "null"}


def type_words(hint: Any) -> str:
    """Return a type in words: `list of whole number`, or the name of an object of the reference."""
    origin, inside = get_origin(hint), get_args(hint)
    if hint in PLAIN:
        return PLAIN[hint]
    if hint in (Any, AnyAction, MaybeAction):
        return "object or null" if hint == MaybeAction else "object"
    if origin in (Union, types.UnionType):
        return " or ".join(dict.fromkeys(type_words(one) for one in inside if one is not msgspec.UnsetType))
    if origin is Literal:
        return ", ".join(f"`{one}`" for one in inside)
    if origin is tuple and (len(inside) != 2 or inside[1] is not ...):
        return f"[{', '.join(type_words(one) for one in inside)}]"
    if origin in (tuple, list) or getattr(origin, "__name__", "") == "Sequence":
        return f"list of {type_words(inside[0])}"
    if origin is not None and issubclass(origin, Mapping):
        return f"object of {type_words(inside[1])} by {type_words(inside[0])}"
    if inspect.isclass(hint):
        return f"`{hint.__name__}`"
    return "object"


@functools.cache
def docstrings(kind: type) -> Mapping[str, str]:
    """Return the docstring of a type, as '', and of each of its fields."""
    body = ast.parse(inspect.cleandoc("\n" + inspect.getsource(kind))).body[0]
    assert isinstance(body, ast.ClassDef)
    words = {"": ast.get_docstring(body) or ""}
    for base in reversed(kind.__mro__[1:-1]):
        if base.__module__ == kind.__module__:
            words = {**docstrings(base), **words}
    for field, after in zip(body.body, body.body[1:], strict=False):
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name) and isinstance(after, ast.Expr):
            assert isinstance(after.value, ast.Constant)
            words[field.target.id] = " ".join(str(after.value.value).split())
    return words


def fields_of(kind: type) -> Iterator[tuple[str, str, str, str]]:
    """Yield the name, type, default and meaning of each field but `type` and `ref`."""
    hints = get_type_hints(kind, include_extras=True)
    for field in msgspec.structs.fields(kind):
        if field.name != "ref":
            default = "required" if field.required else "optional"
            if field.default is not msgspec.NODEFAULT and field.default not in (None, msgspec.UNSET, "", ()):
                default = f"`{json.dumps(field.default)}`"
            yield field.encode_name, type_words(hints[field.name]), default, docstrings(kind).get(field.name, "")


def tag_of(kind: type) -> str:
    """Return the `type` of a message."""
    return str(kind.__struct_config__.tag)  # type: ignore[attr-defined]


def answered_by(kind: type) -> list[str]:
    """Return the types of the messages that answer a message of a client."""
    if kind not in REPLIES:
        return ["view"]
    answer = get_type_hints(REPLIES[kind])["return"]
    return [tag_of(one) for one in get_args(answer) or (answer,)]


def described(kind: type, example: str) -> Iterator[str]:
    """Yield the lines of one message."""
    yield from (docstrings(kind)[""], "")
    rows = [*fields_of(kind)]
    if rows:
        yield from ("| field | type | default | meaning |", "|---|---|---|---|")
        for row in rows:
            yield "| `{}` | {} | {} | {} |".format(*(cell.replace("|", "\\|") for cell in row))
        yield ""
    yield from (example, "")


def shown(value: Any) -> str:
    """Return an example as a block of JSON."""
    return f"```json\n{laid_out(value)}\n```"


def laid_out(value: Any, indent: int = 0) -> str:
    """Return a value as JSON in which each part that fits is one line."""
    line = json.dumps(value, ensure_ascii=False)
    if len(line) + indent <= 108 or not isinstance(value, dict | list):
        return line
    if isinstance(value, dict):
        rows, (left, right) = [f"{json.dumps(key)}: {laid_out(one, indent + 2)}" for key, one in value.items()], "{}"
    else:
        rows, (left, right) = [laid_out(one, indent + 2) for one in value], "[]"
    gap = " " * indent
    return f"{left}\n" + ",\n".join(f"{gap}  {row}" for row in rows) + f"\n{gap}{right}"


def reference() -> str:
    """Return the part of the page that is generated."""
    parts = [
        "## Messages from a client",
        "",
        "Every message may also have a `ref`, a number or a text, which comes back in its answer.",
        "",
    ]
    for kind in Message.__args__:
        tag = tag_of(kind)
        by = ", ".join(f"[`{one}`](#{'the-view' if one == 'view' else 'heard-' + one})" for one in answered_by(kind))
        parts += [f"### `{tag}`", "", f"Answered by {by}.", "", *described(kind, shown(SAID[tag]))]
    parts += ["## Messages to a client", ""]
    for kind in SPOKEN:
        if kind not in (View, Change):
            tag = tag_of(kind)
            parts += [f"### Heard: `{tag}`", ""]
            parts += described(kind, f"[An example]({BELOW[tag]})" if tag in BELOW else shown(HEARD[tag]))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(parts)).rstrip()


def updated(text: str) -> str:
    """Return the page with its generated part as it should be."""
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n\n{reference()}\n\n{END}{after}"


if __name__ == "__main__":
    page = PAGE.read_text(encoding="utf-8")
    if BEGIN not in page or END not in page:
        sys.exit(f"{PAGE.name} has no place for the reference: {BEGIN} … {END}")
    PAGE.write_text(updated(page), encoding="utf-8")
