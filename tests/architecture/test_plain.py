"""The check of names and prose finds each kind of offence, and leaves plain sentences alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from caltrop.engine import ruleset, rulesets
from tests import plain


def kinds(text: str, place: str = "src/caltrop/some/module.py") -> list[str]:
    """Return the kinds of offences in a module with this text."""
    if place.endswith(".py"):
        chapter = plain.in_python(place, text)
    elif place.endswith(".md"):
        return [one.kind for one in plain.in_prose(place, 1, text)]
    else:
        chapter = plain.in_script(place, text)
    return [one.kind for one in [*chapter.offences, *plain.between([chapter])]]


def test_a_heading_is_a_noun_or_a_question() -> None:
    text = "# Play\n\nAny text.\n\n## What is seen\n\nAny text.\n\n## Is it fair?\n\nAny text.\n"
    assert [(one.kind, one.words) for one in plain.in_prose("docs/a.md", 1, text)] == [("heading", "What is seen")]


LONG = " ".join(["word"] * 31)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ('def f():\n    """What may move."""', "headless"),
        ('x = 1\n"""Whether it moves."""', "headless"),
        ("# Runs first. Who moves is next.\nx = 1", "headless"),
        ('def f():\n    """The units that may move."""', "verb"),
        ('def f():\n    """Which."""', "caption"),
        ('def f():\n    """The check."""', "caption"),
        ('raise ValueError(f"3 models, and not {n}")', "and not"),
        ('def f():\n    """Return so many models."""', "worn"),
        ('def f():\n    """Return the units; a tree is no unit."""', "stiff"),
        ('words = "What becomes of the target?"', "stiff"),
        ('words = f"{name} is no enemy"', "stiff"),
        ('GUARD = guard("DU-1", "pinned", "{name:is} Pinned, and {name::calls} no fire")', "stiff"),
        ('x = 1\n"""By how much it moves."""', "headless"),
        (f"# {LONG}.", "long sentence"),
        ("found = 1", "participle"),
        ("for told in x:\n    pass", "participle"),
        ("def f(known):\n    pass", "participle"),
        ("x = [kept for kept in y]", "participle"),
        ("if (came := f()):\n    pass", "participle"),
    ],
)
def test_each_kind_is_noticed(text: str, kind: str) -> None:
    assert kinds(text) == [kind]


@pytest.mark.parametrize(
    "text",
    [
        'def f():\n    """Return what may move."""',
        "# What may move? Every unit.",
        '@rule("DU-1")\ndef f():\n    """A duellist walks at most 6 cm."""',
        "@property\ndef f():\n    '''The largest distance.'''",
        f"# Word {LONG[:100]}. Word {LONG[:100]}.",
        'words = "What may move."',
        'text = """\n# Who moves is next.\n"""',
        "places = x.found",
        'words = "There is no unit here, and it is no longer yours"',
    ],
)
def test_plain_text_is_left_alone(text: str) -> None:
    assert kinds(text) == []


def test_an_override_that_repeats_is_noticed_also_through_an_import(tmp_path: Path) -> None:
    base = 'class Base:\n    def walk(self):\n        """Return the places within reach."""\n'
    over = "from caltrop.a.base import Base\nclass Other(Base):\n    def walk(self):\n        '''Return {}'''\n"
    for words, kind in [("places within reach.", ["override"]), ("places that mud and water leave within reach.", [])]:
        chapters = [
            plain.in_python("src/caltrop/a/base.py", base),
            plain.in_python("src/caltrop/b/other.py", over.format(words)),
        ]
        assert [one.kind for one in plain.between(chapters)] == kind


def test_class_names_are_used_once_but_for_the_same_idea_in_two_rulesets() -> None:
    def between(*places: str) -> list[str]:
        return [one.kind for one in plain.between(plain.in_python(place, "class Line: pass") for place in places)]

    assert between("src/caltrop/table/a.py", "src/caltrop/host/a.py") == ["class name", "class name"]
    assert between("src/caltrop/rules/duel/a.py", "src/caltrop/rules/hex_command/b.py") == []
    assert between("src/caltrop/rules/duel/a.py", "src/caltrop/rules/duel/b.py") == ["class name", "class name"]
    assert between("src/caltrop/rules/duel/a.py", "src/caltrop/players/duel/a.py") == ["class name", "class name"]


def test_the_client_is_read_too() -> None:
    place = "src/caltrop/web/src/lib/a.ts"
    assert kinds("/** What is drawn. */\nconst found = 1\n// Whether it is open.\n", place) == [
        "participle",
        "headless",
        "headless",
    ]
    assert kinds("x" * 121, place) == ["long line"]
    assert kinds("/** Returns what is drawn. */\nconst places = 1\n", place) == []


def test_data_and_texts_of_the_client_are_read_for_stiff_words() -> None:
    assert [one.kind for one in plain.in_data("src/caltrop/a.yaml", "words: What becomes of it?\n").offences] == [
        "stiff"
    ]
    script = "const text = 'This file is no campaign';\n"
    assert kinds(script, "src/caltrop/web/src/lib/a.ts") == ["stiff"]
    assert kinds(script, "src/caltrop/web/src/lib/a.test.ts") == []


def test_pages_are_read_without_their_code() -> None:
    text = "# Costs of a unit\n\n```\nWho moves is next.\n```\n\n| What it is. | Which units? |\n"
    assert kinds(text, "docs/page.md") == ["headless"]


def test_a_count_may_fall_and_may_not_rise(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    allowances = tmp_path / "plain.json"
    monkeypatch.setattr(plain, "ALLOWANCES", allowances)
    monkeypatch.setattr(plain, "changed", lambda: {("src/caltrop/a/b.py", 7)})
    broken = [plain.Offence("a", "worn", "src/caltrop/a/b.py", line, "so many units") for line in (3, 7)]
    allowances.write_text(json.dumps({"a": {"worn": 2}}), encoding="utf-8")
    assert plain.check(broken) == []
    allowances.write_text(json.dumps({"a": {"worn": 1}}), encoding="utf-8")
    head, place = plain.check(broken)
    assert head == f"a: 2 × worn, where 1 are allowed. {plain.ADVICE['worn']}"
    # The changed line is named, and not a line that existed before.
    assert place.startswith("  src/caltrop/a/b.py:7: worn")


@pytest.mark.parametrize("game", rulesets())
def test_a_house_rule_is_described_without_a_headless_clause(game: str) -> None:
    """'God Machines may ignore a Retreat symbol', not 'Whether God Machines may …'."""
    assert [switch.name for switch in ruleset(game).switches if plain.HEADLESS.match(switch.words)] == []
