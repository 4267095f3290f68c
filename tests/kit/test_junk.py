"""Any text pasted as an army list or a pack is either read, or refused in one clear sentence."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from caltrop.cli import complaint
from caltrop.engine import ruleset
from caltrop.errors import InputError
from caltrop.kit.armies import draft_of
from caltrop.kit.army_sheet import sheet
from caltrop.kit.army_text import texted
from caltrop.scenarios.packs import faults_of, pack_of_bytes
from tests.tiers import examples

WORDS = [
    "Game: Hex Command", "Game: Squad Action", "Game: Duel", "Army: Asori", "- Hero", "- 3 x Knight Walker", "Regular",
    "- 9999999999 x Hero", "(Models: 7)", "-", "\n", "\n\n", ":", '"', "{", "[", "}", "ruleset: duel", "units:",
    "format: caltrop-pack", "rows: {units: {a: {move: 9e99}}}", "#army=1", "#pack=", "#map=", "q1bKSy1KTVGyUkrLL0pN",
    "&a", "*a", "!!python/name:x", "\x00", "\u202e", "\ud7ff", "\U0001f600", "é", "١", "½", "null", ".nan", "1e400",
]  # fmt: skip
JUNK = st.lists(st.sampled_from(WORDS) | st.text(max_size=6), max_size=24).map(" ".join) | st.lists(
    st.sampled_from(WORDS), max_size=12
).map("\n".join)


def one_sentence(error: InputError) -> None:
    words = complaint(error)
    assert "\n" not in words
    assert 0 < len(words) <= 1100


@settings(max_examples=examples(150), deadline=None)
@given(JUNK, st.sampled_from([None, "hex-command", "squad-action", "duel"]))
def test_any_text_is_an_army_list_or_none(text: str, game: str | None) -> None:
    try:
        draft, name = draft_of(text, game, "the box")
        shown = sheet(ruleset(name), draft)
    except InputError as error:
        one_sentence(error)
        return
    if not shown.ready:
        return
    again, _ = draft_of(texted(shown.draft, ruleset(name)), None, "the text")
    assert again == shown.draft


@settings(max_examples=examples(150), deadline=None)
@given(JUNK.map(str.encode) | st.binary(max_size=60) | st.binary(max_size=60).map(b"PK\x03\x04".__add__))
def test_any_bytes_are_a_pack_or_none(raw: bytes) -> None:
    try:
        faults = faults_of(pack_of_bytes(raw))
    except InputError as error:
        one_sentence(error)
        return
    for fault in faults:
        one_sentence(fault)


@pytest.mark.parametrize(("link", "page"), [("http://here/packs#pack=eJw", "/packs"), ("#map=q1bK", "/maps")])
def test_a_link_to_something_else_says_where_it_opens(link: str, page: str) -> None:
    with pytest.raises(InputError, match=f"an army list belongs here: open it on the page {page}"):
        draft_of(link, None, "the box")
