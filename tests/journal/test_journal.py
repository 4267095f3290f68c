"""Recorded games: files, replay, verification, and the secrets that they contain."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from caltrop import InputError
from caltrop.chance import Seeded
from caltrop.engine import Fell, Match, Played, digest, stored
from caltrop.journal import (
    ActEntry,
    Difference,
    Record,
    RollEntry,
    Setting,
    UndoEntry,
    decoded,
    encoded,
    load,
    record_of,
    replay,
    save,
    transcript,
    verify,
)
from caltrop.journal import record as files
from caltrop.rules.duel.turn import Stake
from tests.tiers import examples

SETTING = Setting(ruleset="duel", edition="sharp", scenario="bridge", rules={"parry.price": 1})


def played(seed: int = 3, acts: int | None = None, undo: bool = True) -> Match:
    """Return a random game with occasional undo."""
    match, choices = SETTING.begin(Seeded(seed)), Seeded(f"choices {seed}")
    while match.over is None and (acts is None or len(match.journal) < acts):
        decision = match.waiting[0]
        match.play(decision.side, decision.options(match.view(decision.side)).sample(choices))
        if undo and choices.below(5) == 0:
            match.undo(choices.below(2), consent=choices.below(2) == 0)
    return match


RECORD = record_of(played(), SETTING, players=("Ann", "Bob"), seed=3)
TEXT = encoded(RECORD)


def changed(place: int, **fields: Any) -> Record:
    """Return the record with one entry changed."""
    entries = list(RECORD.entries)
    entries[place] = msgspec.structs.replace(entries[place], **fields)
    return msgspec.structs.replace(RECORD, entries=tuple(entries))


def places(kind: type) -> list[int]:
    return [i for i, entry in enumerate(RECORD.entries) if isinstance(entry, kind)]


def test_a_record_comes_back_from_its_file(tmp_path: Path) -> None:
    assert {type(e) for e in RECORD.entries} == {ActEntry, RollEntry, UndoEntry}
    for name in ("game.caltrop.json", "game.caltrop.json.gz"):
        save(RECORD, tmp_path / name)
        assert load(tmp_path / name) == RECORD
    assert (tmp_path / "game.caltrop.json").read_bytes() == TEXT
    assert (tmp_path / "game.caltrop.json.gz").read_bytes() == encoded(RECORD, packed=True)


def test_replay_gives_the_states_of_the_game_at_every_moment() -> None:
    match = played()
    moments = list(replay(RECORD))
    assert moments[-1].state.over == match.over
    assert stored(moments[-1].state) == stored(match.state)
    for moment in moments[1:]:
        entry = RECORD.entries[moment.played - 1]
        if isinstance(entry, ActEntry):
            rolls = [e.faces or () for e in RECORD.entries[moment.played : moment.entry] if isinstance(e, RollEntry)]
            assert digest(moment.state, rolls=rolls) == entry.digest
        assert stored(next(m for m in replay(RECORD, moment.entry) if m.entry == moment.entry).state) == stored(
            moment.state
        )


def test_a_die_that_changed_nothing_is_part_of_the_game_all_the_same() -> None:
    at = next(i for i, e in enumerate(RECORD.entries) if isinstance(e, RollEntry) and e.faces and e.faces[0] == 1)
    entry = RECORD.entries[at]
    assert isinstance(entry, RollEntry)
    assert entry.faces
    other = msgspec.structs.replace(entry, faces=(2, *entry.faces[1:]))
    forged = msgspec.structs.replace(RECORD, entries=(*RECORD.entries[:at], other, *RECORD.entries[at + 1 :]))
    verdict = verify(forged)
    assert not verdict.same
    assert verdict.differs == at


def test_an_undo_goes_back_to_an_earlier_state() -> None:
    by_acts: list[bytes] = []
    for moment in replay(RECORD):
        if moment.played and isinstance(entry := RECORD.entries[moment.played - 1], UndoEntry):
            assert stored(moment.state) == by_acts[entry.to]
            del by_acts[entry.to + 1 :]
        else:
            by_acts.append(stored(moment.state))


@pytest.mark.parametrize("seed", range(8))
def test_every_game_verifies(seed: int) -> None:
    verdict = verify(decoded(encoded(record_of(played(seed), SETTING), packed=True)))
    assert verdict.same
    assert verdict.differs is None


def test_verify_names_the_first_entry_that_differs() -> None:
    first, later = places(ActEntry)[3], places(ActEntry)[6]
    entries = list(changed(first, digest="0" * 16).entries)
    entries[later] = msgspec.structs.replace(entries[later], digest="1" * 16)
    verdict = verify(msgspec.structs.replace(RECORD, entries=tuple(entries)))
    assert not verdict.same
    assert verdict.differs == first + 1
    assert verdict.field == f"entries[{first}].digest"
    assert "0000000000000000 was recorded" in verdict.words


@pytest.mark.parametrize(
    ("record", "field", "words"),
    [
        (changed(places(RollEntry)[0], faces=(7,)), ".faces", "no such face"),
        (changed(places(RollEntry)[0], faces=(1, 2)), "", "the record has 2 with 6"),
        (changed(places(RollEntry)[0], sides=8), "", "the record has 1 with 8"),
        (changed(places(ActEntry)[0], side=1), ".side", "side 0 is asked"),
        (changed(places(ActEntry)[0], decision="Move"), ".decision", "Bid is asked; the record answers Move"),
        (changed(places(ActEntry)[0], index=5), ".index", "no such decision"),
        (changed(places(ActEntry)[0], action={"type": "Stak", "points": 1}), ".action", "did you mean Stake"),
        (changed(places(ActEntry)[0], action={"type": "Stake", "points": 9}), ".action", "the rules refuse it"),
        (changed(places(ActEntry)[0], action={"type": "Stake", "points": "9"}), ".action", "Expected `int`"),
        (changed(places(ActEntry)[0], action=None), "", "keeps nothing back"),
        (changed(places(UndoEntry)[0], to=1000), ".to", "acts to take back"),
        (changed(places(UndoEntry)[0], to=-1), ".to", "acts to take back"),
    ],
)
def test_a_record_that_cannot_have_been_played_is_refused_at_its_place(record: Record, field: str, words: str) -> None:
    verdict = verify(record)
    assert not verdict.same
    assert words in verdict.words
    assert verdict.field is not None
    assert verdict.field.endswith(field)
    assert verdict.words.startswith(f"entry {verdict.differs}: ")
    assert f"entries[{verdict.differs - 1 if verdict.differs else 0}]" in verdict.field


def test_a_roll_too_many_or_too_few_is_found() -> None:
    place = places(RollEntry)[0]
    entries = RECORD.entries
    missing = msgspec.structs.replace(RECORD, entries=entries[:place] + entries[place + 1 :])
    doubled = msgspec.structs.replace(RECORD, entries=entries[: place + 1] + entries[place:])
    assert "the record has no roll here" in verify(missing).words
    assert verify(doubled).differs == place + 2
    assert "nothing asks for this roll" in verify(doubled).words
    early = msgspec.structs.replace(RECORD, entries=(entries[place], *entries))
    assert verify(early).differs == 1


def test_another_outcome_or_an_act_after_the_end_is_found() -> None:
    assert RECORD.outcome is not None
    other = msgspec.structs.replace(RECORD.outcome, reason="because")
    assert verify(msgspec.structs.replace(RECORD, outcome=other)).field == "outcome"
    longer = msgspec.structs.replace(RECORD, entries=(*RECORD.entries, RECORD.entries[0]))
    assert "the game is over before it" in verify(longer).words


def without_looks(value: Any) -> Any:
    """Return a picture as old versions recorded it, without the looks of units and the land."""
    if isinstance(value, dict):
        return {key: without_looks(item) for key, item in value.items() if key not in ("look", "paint", "land", "seed")}
    return [without_looks(item) for item in value] if isinstance(value, list) else value


def test_a_picture_that_did_not_say_yet_how_units_are_drawn_is_the_same() -> None:
    setting = Setting(ruleset="command-horizon", edition="current", scenario="first-battle")
    match = setting.begin(Seeded(4))
    record = record_of(match, setting, players=["Ann", "Ben"], seed=4)
    older = msgspec.convert(without_looks(msgspec.json.decode(msgspec.json.encode(record))), type(record))
    assert older.opening != record.opening
    assert verify(older).same
    repainted = msgspec.json.decode(
        msgspec.json.encode(record).replace(b'"paint":"steel"', b'"paint":"sand"'), type=type(record)
    )
    assert not verify(repainted).same


def test_a_game_under_older_rules_is_shown_from_its_record() -> None:
    old = msgspec.structs.replace(changed(0, digest="f" * 16), rules_version=0)
    verdict = verify(old)
    assert verdict.same
    assert verdict.entries == 0
    assert "played by version 0 of the rules" in verdict.words
    assert "Ash" in transcript(old)
    with pytest.raises(InputError, match="rules_version: played by version 99"):
        verify(msgspec.structs.replace(RECORD, rules_version=99))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"ruleset": "dule"}, "did you mean duel"),
        ({"scenario": "brige"}, "did you mean 'bridge'"),
        ({"edition": "blunt"}, "its editions are current, sharp"),
        ({"rules": {"parry.prise": 1}}, "did you mean parry.price"),
        ({"armies": ("x", "y")}, "no army list 'x' of duel; it comes with none"),
    ],
)
def test_a_name_that_does_not_exist_is_refused_with_the_nearest(change: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        verify(msgspec.structs.replace(RECORD, **change))


def test_a_record_of_a_game_that_goes_on_keeps_back_what_is_hidden() -> None:
    match = SETTING.begin(Seeded(1))
    match.play(0, Stake(2))
    match.undo(0)
    match.play(0, Stake(1))
    for eyes, seen in ((None, False), (1, False), (0, True)):
        record = record_of(match, SETTING, seed=1, side=eyes)
        assert record.seed is None
        assert not record.digest
        acts = [entry for entry in record.entries if isinstance(entry, ActEntry)]
        assert [act.action is not None for act in acts] == [seen, seen]
        assert not any(act.digest for act in acts)
        assert (b'"Stake"' in encoded(record)) == seen
        assert verify(record).same
    match.play(1, Stake(0))
    opened = record_of(match, SETTING, seed=1)
    assert all(act.action is not None for act in opened.entries if isinstance(act, ActEntry))
    assert opened.seed is None
    assert opened.outcome is None


def test_a_salt_is_needed_for_the_digests_of_a_game_that_goes_on() -> None:
    match = played(acts=5, undo=False)
    record = record_of(match, SETTING, salt=b"nobody knows")
    assert record.salted
    last = next(entry for entry in reversed(record.entries) if isinstance(entry, ActEntry))
    start = max(i for i, entry in enumerate(match.journal) if isinstance(entry, Played)) + 1
    rolls = [entry.faces for entry in match.journal[start:] if isinstance(entry, Fell)]
    assert last.digest == digest(match.state, b"nobody knows %d" % start, rolls) != digest(match.state, b"", rolls)
    assert "no digests to compare" in verify(record).words
    assert record_of(match, SETTING, seed=5, everything=True).seed == 5


def test_a_side_that_gives_up_ends_the_record() -> None:
    match = played(acts=5, undo=False)
    record = record_of(match, SETTING, players=("Ann", "Bob"), resigned=0, seed=5)
    assert record.outcome is not None
    assert (record.outcome.winner, record.resigned, record.seed) == (1, 0, 5)
    assert verify(record).same


def test_making_a_record_leaves_the_match_alone() -> None:
    match = played(acts=7)
    before, entries, acts = match.state, list(match.journal), list(match.history)
    record_of(match, SETTING)
    assert match.state is before
    assert match.journal == entries
    assert match.history == acts


def test_the_public_view_is_kept_at_every_turn() -> None:
    match = played(undo=False)
    record = record_of(match, SETTING)
    turns = [entry.turn.view.stage.round for entry in record.entries if isinstance(entry, ActEntry) and entry.turn]
    assert turns == sorted(turns)
    assert set(turns) == set(range(1, turns[-1] + 1))
    last = [entry for entry in record.entries if isinstance(entry, ActEntry)][-1]
    assert last.turn is not None


def test_a_transcript_reads_as_a_game() -> None:
    text = transcript(RECORD)
    assert text.startswith("duel, edition sharp, bridge: Ann against Bob\n")
    assert "side 0 Bid (DU-BID-01): Stake points=" in text
    assert "takes back" in text
    assert len(transcript(RECORD, 3).splitlines()) < len(text.splitlines())


def test_dice_stand_between_the_act_and_what_came_of_it() -> None:
    """If the act also begins another turn, the heading of the turn follows the dice."""
    lines = [line.strip() for line in transcript(RECORD).splitlines()]
    last: Any = None
    for number, entry in enumerate(RECORD.entries, 1):
        if isinstance(entry, ActEntry):
            last = entry
        elif isinstance(entry, RollEntry):
            at = next(i for i, line in enumerate(lines) if line.startswith(f"{number}  dice "))
            assert lines[at - 1].startswith(f"{number - 1}  "), "an act, or the dice before"
            following = [*last.words, f"=== round {last.turn.view.stage.round}" if last.turn else "digest"]
            if number == len(RECORD.entries) or not isinstance(RECORD.entries[number], RollEntry):
                assert lines[at + 1].startswith(following[0])
    assert any(isinstance(entry, RollEntry) for entry in RECORD.entries)


# Hostile files, damaged files, and files of other programs.


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nothing\.json: No such file"):
        load(tmp_path / "nothing.json")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (b"", "truncated"),
        (b"[1, 2]", "Expected `object`"),
        (b"{}", "this is not a recorded game"),
        (b'{"format": "chess"}', "format: this is not a recorded game"),
        (b'{"format": "caltrop-game", "format_version": 99}', "written by a newer Caltrop"),
        (b'{"format": "caltrop-game",\n "format_version": 1,}', r"^game:2:"),
        (b'{"format": "caltrop-game", "format_version": 1}', "missing required field"),
        (b"\xff\xfe", "game"),
        (b'{"format": "\xff"}', "game"),
        (b'{"a":' + b"[" * 100_000, "game"),
        (TEXT.replace(b'"entries":[', b'"entires":[', 1), "unknown field `entires`; did you mean entries"),
        (TEXT.replace(b'"type":"action"', b'"type":"acton"', 1), r"entries\[0\].type: entry 1: .*did you mean action"),
        (
            TEXT.replace(b'"side":0,"decision"', b'"side":"0","decision"', 1),
            r"entries\[\d+\].side: entry \d+: expected",
        ),
        (gzip.compress(TEXT)[:-20], "cut short"),
        (b"\x1f\x8b" + b"nonsense", "damaged"),
        (TEXT[: len(TEXT) // 2], "truncated"),
    ],
)
def test_a_file_that_cannot_be_read_gives_one_clear_error(text: bytes, words: str) -> None:
    with pytest.raises(InputError, match=words) as error:
        decoded(text, "game")
    assert str(error.value).startswith("game")
    assert "\n" not in str(error.value)


def test_a_file_that_is_too_large_is_refused_unread(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(files, "LIMIT", 1024 * 1024)
    bomb = gzip.compress(b" " * 50_000_000)
    assert len(bomb) < 100_000
    with pytest.raises(InputError, match="at most 1 MiB"):
        decoded(bomb)
    (tmp_path / "large").write_bytes(b" " * 2_000_000)
    with pytest.raises(InputError, match="at most 1 MiB"):
        load(tmp_path / "large")


def survives(text: bytes) -> None:
    """Return whether a file is read and judged, or refused with an `InputError`."""
    try:
        record = decoded(text, "game")
        verdict = verify(record)
    except Difference:
        raise AssertionError("a difference is a verdict, and not an error") from None
    except InputError:
        return
    assert verdict.words
    assert verdict.same == (verdict.differs is None)
    assert transcript(record)


@given(st.binary(max_size=300))
def test_any_bytes_are_refused(text: bytes) -> None:
    for given_bytes in (text, b"\x1f\x8b" + text):
        with pytest.raises(InputError):
            decoded(given_bytes, "game")


@given(st.integers(0, len(TEXT) - 1), st.binary(min_size=1, max_size=6))
@settings(max_examples=examples(150))
def test_any_damage_to_a_file_is_survived(place: int, damage: bytes) -> None:
    survives(TEXT[:place] + damage + TEXT[place + len(damage) :])
    survives(TEXT[:place])


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
PLAIN = msgspec.json.decode(TEXT)
KEYS = sorted(PLAIN)
ENTRY_KEYS = sorted({key for entry in PLAIN["entries"] for key in entry})


@given(st.sampled_from(KEYS), json_values)
@settings(max_examples=examples(150))
def test_any_other_value_in_a_field_is_survived(key: str, value: Any) -> None:
    survives(msgspec.json.encode({**PLAIN, key: value}))


@given(st.integers(0, len(RECORD.entries) - 1), st.sampled_from(ENTRY_KEYS), json_values)
@settings(max_examples=examples(200))
def test_any_other_value_in_an_entry_is_survived(place: int, key: str, value: Any) -> None:
    entries = list(PLAIN["entries"])
    entries[place] = {**entries[place], key: value}
    survives(msgspec.json.encode({**PLAIN, "entries": entries}))


@given(st.lists(st.integers(0, len(RECORD.entries) - 1), max_size=30))
def test_entries_in_any_order_are_survived(order: list[int]) -> None:
    survives(msgspec.json.encode({**PLAIN, "entries": [PLAIN["entries"][i] for i in order]}))
