"""The page's types equal the types that the server sends and reads."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from jsonschema import Draft202012Validator

from caltrop.server.shapes import FILE, SAID, SENT, shapes
from caltrop.wire.schemas import components
from caltrop.wire.typescript import type_of, typescript
from tests.wire.test_changes import game, plain


class Inner(msgspec.Struct, omit_defaults=True):
    """A record that omits fields with default values."""

    seldom: int = 0


class Outer(msgspec.Struct):
    """A record that contains another record."""

    one: int
    maybe: int | msgspec.UnsetType = msgspec.UNSET
    many: tuple[Inner, ...] = ()
    pairs: dict[str, tuple[int, str] | None] = {}


def test_the_page_has_the_types_of_today() -> None:
    assert FILE.read_text(encoding="utf-8") == shapes(), "`make generated` writes it anew"


def test_what_is_sent_has_every_field_that_is_always_there() -> None:
    made = typescript(components([Outer], []))
    assert "export interface Outer {\n  one: number;\n  maybe?: number;\n  many: Inner[];" in made
    assert "  pairs: Record<string, readonly [number, string] | null>;" in made
    assert "export interface Inner {\n  seldom?: number;\n}" in made


def test_what_is_said_may_leave_out_what_has_a_default() -> None:
    assert "  one: number;\n  maybe?: number;\n  many?: Inner[];" in typescript(components([], [Outer]))
    with pytest.raises(ValueError, match="Outer is sent and said"):
        components([Outer], [Outer])


def test_a_schema_without_a_type_is_an_error() -> None:
    with pytest.raises(ValueError, match="no type for the schema"):
        type_of({"type": "object", "patternProperties": {}} | {"type": "file"})


def test_a_view_as_it_is_sent_has_all_that_its_shape_promises() -> None:
    result = components(SENT, SAID)
    whole: Any = {"$ref": "#/$defs/View", "$defs": _with_places(result)}
    view = plain(game(1).view(0))
    assert list(Draft202012Validator(whole).iter_errors(view)) == []
    for field in view:
        broken = {key: value for key, value in view.items() if key != field}
        assert list(Draft202012Validator(whole).iter_errors(broken)), field


def _with_places(value: Any) -> Any:
    if isinstance(value, dict):
        changed = {key: _with_places(inner) for key, inner in value.items()}
        if isinstance(changed.get("$ref"), str):
            changed["$ref"] = f"#/$defs/{changed['$ref']}"
        return changed
    return [_with_places(one) for one in value] if isinstance(value, list) else value
