"""The reference of messages is up to date and complete, and the program reads and writes its examples."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from caltrop.server.shapes import SPOKEN
from caltrop.wire import Change, View, read_message
from caltrop.wire.messages import Message

SPEC = importlib.util.spec_from_file_location(
    "wire_reference", Path(__file__).parents[2] / "docs" / "wire_reference.py"
)
assert SPEC is not None
assert SPEC.loader is not None
wire_reference = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(wire_reference)

SERVER = {wire_reference.tag_of(kind): kind for kind in SPOKEN if kind not in (View, Change)}
CLIENT = {wire_reference.tag_of(kind): kind for kind in Message.__args__}


def test_the_page_is_up_to_date() -> None:
    page = wire_reference.PAGE.read_text(encoding="utf-8")
    assert page == wire_reference.updated(page), "`make generated` writes docs/wire.md again"


def test_every_message_has_an_example() -> None:
    place = "docs/wire_reference.py has one example for each message, under its tag"
    assert {*wire_reference.SAID} == {*CLIENT}, f"{place}: in SAID"
    assert {*wire_reference.HEARD, *wire_reference.BELOW} == {*SERVER}, f"{place}: in HEARD"


@pytest.mark.parametrize("kind", [*CLIENT.values(), *SERVER.values()])
def test_every_field_says_what_it_means(kind: type) -> None:
    bare = [name for name, *_, meaning in wire_reference.fields_of(kind) if not meaning]
    assert bare == [], f"say what these fields of {kind.__name__} mean: a docstring below each, in {kind.__module__}"


@pytest.mark.parametrize("tag", wire_reference.SAID)
def test_the_server_reads_the_examples_of_a_client(tag: str) -> None:
    example = wire_reference.SAID[tag]
    message = read_message(json.dumps(example))
    assert type(message) is CLIENT[tag]
    written: dict[str, Any] = json.loads(msgspec.json.encode(message))
    assert read_message(json.dumps({key: value for key, value in written.items() if value is not None})) == message
    assert same(example, written)


@pytest.mark.parametrize("tag", wire_reference.HEARD)
def test_the_examples_of_the_server_are_what_it_writes(tag: str) -> None:
    example = wire_reference.HEARD[tag]
    message = msgspec.convert(example, SERVER[tag], str_keys=True)
    written = json.loads(msgspec.json.encode(message))
    assert written == example, f"HEARD in docs/wire_reference.py: the example of `{tag}` has every field, with a value"


def same(example: dict[str, Any], written: dict[str, Any]) -> bool:
    """Return True if a decoded message has every value of the example."""
    return all(
        same(value, written[key]) if isinstance(value, dict) else written[key] == value
        for key, value in example.items()
    )
