"""Games in which the rules play one side, so that one player is enough."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from caltrop.chance import Seeded
from caltrop.cli.replay import replay
from caltrop.engine import ruleset
from caltrop.host.events import Setup
from caltrop.host.frames import Frame, Moment, frames, past_game
from caltrop.host.game import HostedGame
from caltrop.host.live import Live
from caltrop.host.seats import AUTOMATED, seated
from caltrop.journal import ActEntry, RollEntry, load, save, transcript
from caltrop.wire.changes import patched_picture
from tests.server.tables import Table, TestClient

SOLO = {"ruleset": "blade-skirmish", "scenario": "run-the-gauntlet"}


def made(client: TestClient, **expected: Any) -> Any:
    answer = client.post("/api/games", json={**SOLO, **expected})
    return answer.status_code, answer.json()


@pytest.mark.parametrize(
    ("named", "players"),
    [
        ({}, ["person", AUTOMATED]),
        ({"seats": ["person"]}, ["person", AUTOMATED]),
        ({"seats": ["person", "first"]}, ["person", AUTOMATED]),
        ({"seats": ["first"]}, ["first", AUTOMATED]),
    ],
)
def test_nobody_sits_where_the_rules_move(client: TestClient, named: Any, players: list[str]) -> None:
    status, words = made(client, **named)
    assert status == 201, words
    assert [seat["player"] for seat in words["seats"]] == players
    assert [seat["token"] is not None for seat in words["seats"]] == [name == "person" for name in players]


@pytest.mark.parametrize(
    ("expected", "words"),
    [
        ({"seats": ["person"] * 3}, "this game has 1 seat, and 3 were given"),
        ({"seats": ["person", AUTOMATED]}, "there is no player 'rules'"),
        ({"scenario": "blood-price", "seats": ["person"]}, "this game has 2 seats, and 1 was given"),
    ],
)
def test_other_numbers_of_players_are_refused(client: TestClient, expected: Any, words: str) -> None:
    status, answer = made(client, **expected)
    assert status == 400
    assert words in str(answer)


def test_a_house_rule_may_give_the_side_to_a_player(client: TestClient) -> None:
    status, words = made(client, seats=["person", "first"], rules={"mode": "versus"})
    assert status == 201, words
    assert [seat["player"] for seat in words["seats"]] == ["person", "first"]


def test_with_two_players_and_automated_models_the_third_side_has_no_seat() -> None:
    rules = ruleset("blade-skirmish")
    t = rules.setup(rules.book(None, {"mode": "versus_with_automata"}), "blood-price")
    assert seated(rules, t, ("person", "random")) == ("person", "random", AUTOMATED)
    assert seated(rules, t, ("person", "random", "easy")) == ("person", "random", AUTOMATED)


def test_a_person_plays_against_the_rules_and_gives_up(client: TestClient) -> None:
    table = Table(client, seats=("person",), **SOLO)
    for _ in range(12):
        view = table.view(0)
        assert view["waiting_for"] == [0]
        assert [seat["player"] for seat in view["seats"]] == ["person", AUTOMATED]
        decision = view["decisions"][0]
        table.say(0, {"decision": decision["id"], "action": decision["offers"][0]["action"]})
    table.say(0, {"type": "resign"})
    assert table.view(0)["over"]["winner"] == 1


def test_a_turn_of_the_rules_is_told_model_by_model() -> None:
    """The pictures of the steps lead to the picture of the change, every line of the log is in a step, and each step is
    about one model.
    """
    rules = ruleset("blade-skirmish")
    book = rules.book()
    setup = Setup(
        ruleset=rules.name, edition=book.edition, rules=book.rules, scenario="run-the-gauntlet", armies=(), size=None,
        seats=("person", AUTOMATED), friendly=True, dice="server", engine_version="0", rules_version=1, salt="s",
    )  # fmt: skip
    game = HostedGame("g", setup, rules, Seeded(3))
    live = Live(game)
    live.show(0)
    stepped: list[Any] = []
    for _ in range(60):
        if not game.ids() or len(stepped) > 1:
            break
        decision = game.ids()[0][1]
        before = plain(live.show(0))
        options = decision.options(game.match.view(0))
        game.act(decision, options.first())
        [words] = live.changes()
        live.publish([words])
        change = msgspec.json.decode(words.message)
        if "steps" not in change:
            continue
        stepped.append(change)
        picture, told_by_then = before["picture"], 0
        lines = change["log"]
        for step in change["steps"]:
            picture = patched_picture(picture, step.get("picture", {}))
            part = lines[told_by_then : step["lines"]]
            told_by_then = step["lines"]
            assert len({line["side"] for line in part}) == 1
            if part[0]["side"] == 1:
                assert len({line["touches"][0] for line in part if line["touches"]}) <= 1, part
        assert picture == plain(words.view.picture)
        assert told_by_then == len(lines)
        moved = {line["touches"][0] for line in lines if line["kind"] == "Moved" and line["side"] == 1}
        assert len(moved) > 1, "a model that moves is shown by itself"
        assert len(change["steps"]) > len(moved)
    assert len(stepped) == 2


@pytest.fixture(scope="module")
def played() -> HostedGame:
    """Return a skirmish against the rules in which one of their turns was taken back and played again."""
    rules = ruleset("blade-skirmish")
    book = rules.book()
    setup = Setup(
        ruleset=rules.name, edition=book.edition, rules=book.rules, scenario="run-the-gauntlet", armies=(), size=None,
        seats=("person", AUTOMATED), friendly=True, dice="server", engine_version="0", rules_version=1, salt="s",
    )  # fmt: skip
    game = HostedGame("g", setup, rules, Seeded(3))
    again = False
    while len(game.log.done) < 3 and game.ids():
        decision = game.ids()[0][1]
        game.act(decision, decision.options(game.match.view(0)).first())
        if game.log.done and not again:
            again = True
            game.go_back(0, True)
            assert not game.log.done
    return game


def test_a_game_is_looked_at_model_by_model(played: HostedGame) -> None:
    """Each model that the rules move has its own moment with its log lines."""
    past = played.shown_past(None)
    words = past_game(past, (None,))
    assert words.last == len(words.moments) - 1 == len(played.places) - 1 > played.acts
    pictures = pictures_of(words.moments)
    by_rules = [i for i, one in enumerate(words.moments) if one.side == 1]
    for i in by_rules:
        units = {line.touches[0] for line in words.moments[i].lines if line.touches}
        assert len(units) <= 1, "one moment is of one model"
        stands = {g["id"]: g["pieces"] for g in pictures[i]["groups"]}
        stood = {g["id"]: g["pieces"] for g in pictures[i - 1]["groups"]}
        moved = {unit for unit in stands if stands[unit] != stood.get(unit)}
        if not any(line.kind in ("Struck", "Killed", "Fell") for line in words.moments[i].lines):
            assert moved <= units
    assert len(by_rules) > 12
    assert [line for one in words.moments for line in one.lines] == played.lines_in_force(None)
    for act in range(played.acts + 1):
        last = max(i for i, one in enumerate(words.moments) if one.act == act)
        assert pictures[last] == plain(past.picture(act))
    # Moments can also be asked for one by one, as the terminal does, or for a part of the game, as pages do.
    some = past_game(past, (None,), by_rules[1], 4).moments
    assert [plain(one.lines) for one in some] == [plain(one.lines) for one in words.moments[by_rules[1] :][:4]]
    assert pictures_of(some) == pictures[by_rules[1] :][:4]
    for i in (by_rules[0], by_rules[3], by_rules[-2]):
        view = played.view(None, *played.places[i])
        assert plain(view.picture) == pictures[i]
        assert [line.n for line in view.log] == [line.n for one in words.moments[: i + 1] for line in one.lines]


def test_a_record_is_looked_at_model_by_model(
    played: HostedGame, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = played.record(None)
    shown = frames(record)
    steps = [frame for frame in shown if frame.kind == "step" and frame.side == 1]
    assert len(steps) > 20
    acts = [entry for entry in record.entries if isinstance(entry, ActEntry)]
    assert [word for frame in shown for word in frame.words] == [word for act in acts for word in act.words]
    assert [frame.entry for frame in shown] == sorted(frame.entry for frame in shown)
    assert pictures_of(shown)[-1] == plain(played.view(None).picture)
    # The lines of the record are those of the original game. A fallen model leaves remains.
    assert [line for frame in shown for line in frame.lines] == played.log.lines[None]
    assert any(line.motion and line.motion.fell for frame in shown for line in frame.lines)
    # In the terminal each line follows its own dice, and the replay can stop at it.
    file = tmp_path / "game.caltrop.json"
    save(record, file)
    replay(file)
    whole = capsys.readouterr().out
    assert sorted(whole.splitlines()) == sorted(transcript(load(file)).splitlines())
    entries = record.entries
    within = next(f for f in steps if f.entry < len(entries) and isinstance(entries[f.entry], RollEntry) and f.words)
    replay(file, to=within.entry)
    part = capsys.readouterr().out
    assert whole.startswith(part)
    assert part.splitlines()[-1].strip() == within.words[-1]
    replay(file, to=within.entry, json=True)
    view = msgspec.json.decode(capsys.readouterr().out)["view"]
    assert view == pictures_of(shown)[shown.index(within)]


def pictures_of(moments: Sequence[Moment | Frame]) -> list[Any]:
    """Return the pictures of moments. The first moment has a complete picture, and the others have changes."""
    picture = plain(moments[0].picture)
    result = [picture]
    for one in moments[1:]:
        picture = patched_picture(picture, plain(one.parts) if one.parts is not None else {})
        result.append(picture)
    return result


def plain(value: Any) -> Any:
    """Return a value as parsed JSON."""
    return msgspec.json.decode(msgspec.json.encode(value))
