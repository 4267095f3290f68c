"""A player that looks for rare events: its preferences, and the events that count."""

from __future__ import annotations

from collections import Counter
from itertools import islice

import msgspec
import pytest

from caltrop.chance import Seeded
from caltrop.clauses import MARKS
from caltrop.engine import ruleset, rulesets
from caltrop.journal import Setting
from caltrop.lab import seeker
from caltrop.lab.sample import settings
from caltrop.lab.seeker import (
    Place,
    Seeker,
    most_unseen,
    numbers_in,
    parts_of,
    places,
    seek,
    seek_from,
    seek_sample,
    with_another,
)
from caltrop.rules.duel.movement import Move, Walk
from caltrop.rules.duel.strike import Parry, ParryOrNot, TakeIt

DUEL = Setting(ruleset="duel", edition="current", scenario="crossroads")


def test_of_two_answers_it_prefers_the_one_whose_clauses_have_fired_less() -> None:
    """If parries are rare, the player parries nearly always. If only parries have occurred, it does not parry."""
    match = DUEL.begin(Seeded(1), keep=False)
    choices = Seeded(2)
    while not isinstance(match.waiting[0], ParryOrNot) or len(list(match.waiting[0].options(match.view(0)))) < 2:
        asked = match.waiting[0]
        match.follow(asked, asked.options(match.view(asked.side)).sample(choices))
    asked = match.waiting[0]
    often = dict.fromkeys(MARKS, 1000)
    parried = [id for id in MARKS if id.startswith("caltrop.rules.duel.strike:") and "parry" in id.lower()]
    assert parried
    rare = Seeker("duel", {id: 0 if id in parried else n for id, n in often.items()})
    seeker = Seeker("duel", {id: 10**9 if id in parried else 0 for id in often})
    answers = {
        name: [type(player.decide(asked, match.view(asked.side), Seeded(seed))) for seed in range(60)]
        for name, player in (("rare", rare), ("known", seeker))
    }
    assert answers["rare"].count(Parry) > 40
    assert answers["known"].count(TakeIt) > answers["rare"].count(TakeIt) + 10


def test_what_it_thinks_of_is_not_counted_and_changes_nothing_of_the_game() -> None:
    match = DUEL.begin(Seeded(1), keep=False)
    seen: dict[str, int] = {}
    asked, before = match.waiting[0], match.state
    player = Seeker("duel", seen)
    player.decide(asked, match.view(asked.side), Seeded(3))
    assert seen == {}
    assert match.state is before


def test_it_asks_for_what_may_not_be_done_and_that_is_refused_and_counted() -> None:
    too_far = "caltrop.rules.duel.movement:too-far"
    match, dice = DUEL.begin(Seeded(1), keep=False), Seeded(3)
    while not isinstance(match.waiting[0], Move):
        asked = match.waiting[0]
        match.follow(asked, asked.options(match.view(asked.side)).first())
    asked, before = match.waiting[0], match.state
    player = Seeker("duel", {})
    refused = [player.ask_beside(asked, match.view(asked.side), dice) for _ in range(40)]
    assert {"too-far", "off-table"} <= {refusal.code for refusal in refused if refusal is not None}
    assert match.state is before
    seen: dict[str, int] = {}
    for seed in range(3):
        seek(DUEL, str(seed), seen)
    assert seen[too_far] > 0, "no legal answer is too far"


def test_of_all_numbers_of_an_action_one_is_another() -> None:
    at = Walk(path=((5, 40_000),))
    assert list(numbers_in(at)) == [5, 40_000]
    dice = Seeded(1)
    for which, bound in ((0, 24), (1, 80_000)):
        result = [list(numbers_in(with_another(at, which, dice))) for _ in range(50)]
        assert len({tuple(numbers) for numbers in result}) > 10
        for numbers in result:
            assert numbers[1 - which] == [5, 40_000][1 - which]
            assert 0 <= numbers[which] < bound


def test_a_game_counts_what_came_to_bear_in_it_and_comes_again_alike() -> None:
    counted = []
    for _ in range(2):
        seen: dict[str, int] = {}
        seek(DUEL, "7", seen)
        counted.append(seen)
    assert counted[0] == counted[1]
    assert counted[0]["caltrop.rules.duel.turn:Turn.walk"] > 0


def test_of_some_settings_it_plays_the_one_whose_house_rules_decide_what_has_fired_least() -> None:
    ruleset("blade-skirmish").vocabulary()
    plain = Setting(ruleset="blade-skirmish", edition="current", scenario="cut-them-down")
    opened, tied = (msgspec.structs.replace(plain, rules=rules) for rules in ({"layout": "open"}, {"fatality": "off"}))
    often = dict.fromkeys(MARKS, 1000)
    for setting, id in ((opened, "BS-S16"), (tied, "BS-Q23")):
        seen = {**often, **{m.id: 0 for m in MARKS.values() if id in m.clauses}}
        for near in ([plain, opened, tied], [tied, opened, plain]):
            assert most_unseen(near, seen, {}, Seeded(1)) == setting


def test_of_some_settings_it_plays_the_one_whose_parts_have_been_played_least() -> None:
    """If every clause has been used, scenarios, armies and values of house rules still take turns."""
    ruleset("command-horizon").vocabulary()
    often = dict.fromkeys(MARKS, 10**6)
    plain = Setting(ruleset="command-horizon", edition="current", scenario="first-battle", armies=("alliance", "asori"))
    others = (
        msgspec.structs.replace(plain, armies=("alliance", "putredine")),
        msgspec.structs.replace(plain, scenario="breakthrough"),
        msgspec.structs.replace(plain, rules={"overwatch": "on"}),
    )
    played = dict.fromkeys((part for setting in (plain, *others) for part in parts_of(setting)), 9)
    for setting in others:
        (new,) = set(parts_of(setting)) - set(parts_of(plain))
        for near in ([plain, *others], [*reversed(others), plain]):
            assert most_unseen(near, often, {**played, new: 0}, Seeded(1)) == setting


def test_a_value_that_brings_clauses_names_them() -> None:
    """Overwatch is off at first, and has six clauses."""
    ruleset("command-horizon").vocabulary()
    brought = {f"CH-OW-{number:02}" for number in range(1, 7)}
    unseen = {m.id: 0 if brought.intersection(m.clauses) else 10**6 for m in MARKS.values()}
    plain = Setting(ruleset="command-horizon", edition="current", scenario="first-battle")
    every = [
        msgspec.structs.replace(plain, rules={switch.name: value})
        for switch in ruleset("command-horizon").switches
        for value in switch.values[1:]
    ]
    assert most_unseen(every, unseen, {}, Seeded(1)).rules == {"overwatch": "on"}


def test_rulings_on_what_has_never_fired_are_played_on_from_again(monkeypatch: pytest.MonkeyPatch) -> None:
    played: list[str] = []

    def note(place: Place, seed: str, seen: dict[str, int]) -> None:
        """Count uses of all marks except those of one clause."""
        played.append(place[0].id)
        seen.update({m.id: 1 for m in MARKS.values() if "CH-CHARGE-03" not in m.clauses})

    monkeypatch.setattr(seeker, "seek_from", note)
    monkeypatch.setattr(seeker, "seek", lambda *_: None)
    monkeypatch.setattr(seeker, "STRANDS", 1)
    seek_sample("command-horizon", 1, 1)
    once = Counter(place[0].id for place in places("command-horizon"))
    rare = {place[0].id for place in places("command-horizon") if "CH-CHARGE-03" in place[0].head.clauses}
    assert rare
    assert {id for id in once if played.count(id) == once[id] * (1 + seeker.AGAIN)} >= rare
    assert {id for id in once if played.count(id) == once[id]}


def test_it_goes_on_from_the_positions_of_the_rulings_and_counts_only_from_there() -> None:
    here = places("command-horizon")
    assert {place[0].id for place in here} >= {"W33", "W83"}
    assert {place[2] for place in here} == {"current", "v1.5"}
    assert {place[0].id for place in places("duel")} == {"DU-W02"}, "the other asks the referee alone"
    place = next(p for p in here if p[0].id == "W33")
    for seed in ("7", "11"):
        counted: list[dict[str, int]] = []
        for _ in range(2):
            seen: dict[str, int] = {}
            seek_from(place, seed, seen)
            counted.append(seen)
        assert counted[0] == counted[1], "whatever odds are known by then"
        assert counted[0]


def test_a_sample_is_the_same_for_any_number_of_processes() -> None:
    assert seek_sample("duel", 6, 1, jobs=1) == seek_sample("duel", 6, 1, jobs=2)


@pytest.mark.parametrize("name", rulesets())
def test_it_answers_whatever_a_ruleset_asks(name: str) -> None:
    setting = next(islice(settings(name), 3, None))
    match, dice = setting.begin(Seeded(5), keep=False), Seeded(6)
    player = Seeker(name, {})
    for _ in range(6):
        if match.over is not None:
            break
        asked = match.waiting[0]
        view = match.view(asked.side)
        answer = player.decide(asked, view, dice)
        assert asked.options(view).refusal(answer) is None
        match.follow(asked, answer)
