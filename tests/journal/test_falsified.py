"""Records with one falsified field are rejected, and the message names the field."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec
import pytest

from caltrop import InputError
from caltrop.chance import Seeded
from caltrop.cli.verify import verify as command
from caltrop.engine import ruleset
from caltrop.journal import Record, Setting, decoded, encoded, record_of, save, verify

TRUSTED = re.compile(r"engine_version|seed|size|players\[\d+\]|rules\..*|entries\[\d+\]\.typed|.*\.typed")
"""Fields that nobody but the players can check, or that do not change a game.

These are the players' names, the source of the dice, whether dice were typed in, and house rules that never mattered.
"""

GAMES = ("duel", "hex-command", "blade-skirmish", "command-horizon")
MOST = {"duel": 400}
"""Number of places to falsify in one record; a sample is enough for larger games."""


@lru_cache(maxsize=8)
def played(name: str, acts: int | None = None, **how: Any) -> Record:
    """Return the record of a random game with undone acts."""
    setting = Setting(ruleset=name, edition="current", scenario=ruleset(name).scenarios()[0].id)
    match, whims = setting.begin(Seeded(4)), Seeded(name)
    while match.over is None and (acts is None or len(match.history) < acts):
        asked = match.waiting[0]
        match.play(asked.side, asked.options(match.view(asked.side)).sample(whims))
        if match.waiting and whims.below(6) == 0:
            match.undo(asked.side, consent=bool(whims.below(2)))
    automated = match.ruleset.automated(match.state)
    return record_of(match, setting, players=["rules" if s in automated else "Ann" for s in (0, 1)], seed=4, **how)


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the paths of all values in a value."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from leaves(inner, (*path, key))
    elif isinstance(value, list) and value:
        for i, inner in enumerate(value):
            yield from leaves(inner, (*path, i))
    else:
        yield path


def spelled(path: tuple[Any, ...]) -> str:
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path).lstrip(".")


def other(value: Any) -> Any:
    """Return another value of the same kind."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, str):
        return "0" * 16 if re.fullmatch("[0-9a-f]{16}", value) else "another"
    return 1 if value is None else None


def changed(raw: Any, path: tuple[Any, ...]) -> Any:
    """Return a copy with another value at a place."""
    if not path:
        return other(raw)
    out = dict(raw) if isinstance(raw, dict) else list(raw)
    out[path[0]] = changed(raw[path[0]], path[1:])
    return out


def places(record: Record, most: int) -> list[tuple[Any, ...]]:
    """Return some places of each kind."""
    kinds: dict[str, list[tuple[Any, ...]]] = {}
    for path in leaves(msgspec.to_builtins(record)):
        kinds.setdefault(re.sub(r"\d+", "", spelled(path)), []).append(path)
    chance = random.Random(1)
    result = [chance.choice(paths) for paths in kinds.values()]
    return result if len(result) <= most else chance.sample(result, most)


def judged(raw: Any) -> tuple[str | None, str]:
    """Return the named field and the message; None if the record is accepted."""
    try:
        verdict = verify(decoded(msgspec.json.encode(raw)))
    except InputError as error:
        return error.field or "", error.message
    return (None if verdict.same else verdict.field or ""), verdict.words


@pytest.mark.parametrize("name", GAMES)
def test_no_falsified_field_is_accepted(name: str) -> None:
    record = played(name)
    raw = msgspec.to_builtins(record)
    assert judged(raw)[0] is None
    accepted, without_place = [], []
    for path in places(record, MOST.get(name, 60)):
        if TRUSTED.fullmatch(spelled(path)):
            continue
        field, words = judged(changed(raw, path))
        if field is None:
            if "unverified" not in words:
                accepted.append(spelled(path))
        elif not field:
            without_place.append((spelled(path), words))
    assert not accepted
    assert not [one for one in without_place if one[0] not in ("ruleset", "edition", "scenario", "armies")]


@pytest.mark.parametrize("name", ["duel", "blade-skirmish"])
@pytest.mark.parametrize("how", ["for all", "salted", "for a side", "everything"])
def test_no_falsified_field_of_a_game_that_goes_on_is_accepted(name: str, how: str) -> None:
    more: dict[str, dict[str, Any]] = {
        "for all": {},
        "salted": {"salt": b"s"},
        "for a side": {"salt": b"s", "side": 1},
        "everything": {"everything": True},
    }
    record = played(name, 12, **more[how])
    raw = msgspec.to_builtins(record)
    verdict = verify(record)
    assert verdict.same, verdict
    assert verdict.entries
    accepted = []
    for path in places(record, 60):
        unread = path[0] == "entries" and len(path) > 1 and path[1] >= verdict.entries
        digest = path[-1] == "digest" and record.salted
        if unread or digest or TRUSTED.fullmatch(spelled(path)):
            continue
        field, words = judged(changed(raw, path))
        if field is None and "unverified" not in words:
            accepted.append(spelled(path))
    assert not accepted


def test_a_game_that_is_over_and_claims_to_be_salted_is_refused() -> None:
    verdict = verify(msgspec.structs.replace(played("duel"), salted=True))
    assert (verdict.same, verdict.field) == (False, "salted")


def test_a_game_that_is_cut_and_given_up_is_refused() -> None:
    whole = played("duel")
    assert whole.outcome is not None
    for resigned in (0, 1):
        for cut in range(1, len(whole.entries)):
            part = msgspec.structs.replace(whole, entries=whole.entries[:cut], resigned=resigned)
            verdict = verify(part)
            assert not verdict.same, cut
            assert verdict.field
    whole = msgspec.structs.replace(whole, resigned=0)
    assert verify(whole).field == "resigned"


def test_a_game_that_goes_on_cannot_be_given_up_afterwards() -> None:
    """In an unfinished game, digests are salted or missing; in a finished game they are neither."""
    given_up = played("duel", 8, resigned=0)
    assert verify(given_up).same
    for more in ({}, {"salt": b"s"}, {"salt": b"s", "side": 0}):
        part = played("duel", 8, **more)
        verdict = verify(msgspec.structs.replace(part, outcome=given_up.outcome, resigned=0))
        assert not verdict.same
        assert verdict.field


def test_nobody_gives_up_for_a_side_that_there_is_not() -> None:
    for side in (2, -1):
        record = msgspec.structs.replace(played("duel", 8, resigned=0), resigned=side)
        assert not verify(record).same
    assert not verify(msgspec.structs.replace(played("blade-skirmish", 8, resigned=0), resigned=1)).same


def test_an_act_is_not_taken_back_without_leave_where_dice_fell() -> None:
    record = played("hex-command")
    raw = msgspec.to_builtins(record)
    consents = [i for i, entry in enumerate(raw["entries"]) if entry["type"] == "undo" and entry.get("consent")]
    assert consents
    refused = 0
    for i in consents:
        entries = [*raw["entries"][:i], {**raw["entries"][i], "consent": False}, *raw["entries"][i + 1 :]]
        refused += judged({**raw, "entries": entries})[0] is not None
    assert refused


def test_one_of_older_rules_is_said_to_be_unverified() -> None:
    verdict = verify(msgspec.structs.replace(played("duel"), rules_version=0))
    assert (verdict.same, verdict.verified) == (True, False)
    assert verdict.words.startswith("unverified: played by version 0 of the rules")
    assert verify(played("duel")).verified


def test_sentences_of_another_caltrop_may_be_others_and_nothing_else_may(capsys: pytest.CaptureFixture[str]) -> None:
    raw = msgspec.to_builtins(msgspec.structs.replace(played("duel"), engine_version="0.0.9"))
    at = next(i for i, entry in enumerate(raw["entries"]) if entry.get("words"))
    verdict = verify(decoded(msgspec.json.encode(changed(raw, ("entries", at, "words", 0)))))
    assert verdict.same
    assert "Caltrop 0.0.9 described 1 of them in other words" in verdict.words
    assert judged(changed(raw, ("entries", at, "digest")))[0] == f"entries[{at}].digest"


def test_the_command_ends_with_1_and_names_the_place(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = played("duel")
    file = tmp_path / "false.caltrop.json"
    save(record, file)
    assert command(file) == 0
    raw = msgspec.json.decode(encoded(record))
    at = next(i for i, entry in enumerate(raw["entries"]) if entry.get("words"))
    file.write_bytes(msgspec.json.encode(changed(raw, ("entries", at, "words", 0))))
    assert command(file) == 1
    assert f"entries[{at}].words[0]" in capsys.readouterr().err
