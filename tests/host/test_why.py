"""Causes: a chain has its links in order, without secrets hidden from the asking side."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from caltrop.asking import offered
from caltrop.chance import Seeded
from caltrop.engine import redacted, ruleset
from caltrop.engine.cause import Answered, Causes
from caltrop.host.events import Setup
from caltrop.host.game import HostedGame
from caltrop.host.why import Past, causes
from caltrop.journal import Setting
from caltrop.picture import Picture
from caltrop.wire.messages import Cause, Why
from tests.rules.hex_command.test_secrecy import SCENARIO, Twins


def game_of(setting: Setting, seed: int, rules: dict[str, Any] | None = None) -> HostedGame:
    """Return a game of two persons on a server."""
    book = ruleset(setting.ruleset).book(setting.edition, rules or {})
    setup = Setup(
        ruleset=setting.ruleset,
        edition=setting.edition,
        rules=book.rules,
        scenario=setting.scenario,
        armies=setting.armies,
        size=setting.size,
        seats=("person", "person"),
        friendly=True,
        dice="server",
        engine_version="",
        rules_version=1,
        salt="salt",
    )
    return HostedGame("why", setup, ruleset(setting.ruleset), Seeded(seed))


def play(game: HostedGame, acts: int, seed: int) -> None:
    """Play some random acts."""
    dice = Seeded(seed)
    while game.over is None and game.acts < acts:
        _, asked = game.ids()[0]
        game.act(asked, asked.options(game.match.view(asked.side)).sample(dice))


def everything(picture: Picture) -> list[Why]:
    """Return everything that can be asked about a table."""
    reasons = [Why(spot=spot.id) for spot in picture.spots]
    reasons += [Why(side=seat.side, points=point.label) for seat in picture.seats for point in seat.points]
    for group in picture.groups:
        tokens = [*group.tokens, *(token for piece in group.pieces for token in piece.tokens)]
        reasons += [Why(unit=group.id), *(Why(unit=group.id, token=token.kind) for token in tokens)]
    return reasons


def answers(game: HostedGame, eyes: int | None) -> list[tuple[Cause, ...]]:
    """Return the answer to every possible question."""
    past = Past.of(game, eyes)
    return [causes(past, about) for about in everything(past.picture(game.acts))]


@pytest.mark.parametrize(
    ("name", "scenario"),
    [
        ("command-horizon", "secure-objectives"),
        ("hex-command", "crossroads"),
        ("hex-command", "godfall"),
        ("duel", "bridge"),
    ],
)
def test_every_change_is_told_by_a_chain_whose_links_come_after_what_led_to_them(name: str, scenario: str) -> None:
    game = game_of(Setting(ruleset=name, edition=ruleset(name).editions[0], scenario=scenario), 4)
    play(game, 90, 4)
    chains = 0
    for eyes in game.eyes:
        for steps in answers(game, eyes):
            for step in steps:
                assert step.before != step.after
                *_, change = step.links
                assert change.act == step.act
                assert [link.n for link in step.links] == [*range(1, len(step.links) + 1)]
                for link in step.links:
                    assert all(before < link.n for before in link.because)
                    assert (link.line is None) == bool(link.decided)
                    assert link.line is None or link.line.act == link.act
                reached = {change.n}
                for link in reversed(step.links):
                    if link.n in reached:
                        reached.update(link.because)
                assert len(reached) == len(step.links), "every link leads to the change"
                chains += any(link.decided for link in step.links)
    assert chains > 3 or name == "duel"


def test_another_sides_decision_is_told_by_what_came_of_it() -> None:
    game = game_of(Setting(ruleset="hex-command", edition="current", scenario="crossroads"), 4)
    play(game, 90, 4)
    sentences: set[str] = set()
    for eyes in game.eyes:
        texts: dict[int, set[str]] = {}
        for line in game.lines_in_force(eyes):
            texts.setdefault(line.act, set()).add(line.text)
        for steps in answers(game, eyes):
            for links in (step.links for step in steps):
                lines = {link.line.text for link in links if link.line is not None}
                for link in links:
                    if link.decided in texts.get(link.act, ()):
                        assert link.side != eyes
                        assert link.decided not in lines, "what the chain tells already is not told twice"
                        sentences.add(link.decided)
    assert any("plays" in text for text in sentences)


@pytest.mark.parametrize(
    ("name", "scenario", "seed", "expected"),
    [
        ("hex-command", "crossroads", 5, "Fire at the 2nd Buggies at I5: 3 dice (Battle Titan)"),
        ("command-horizon", "secure-objectives", 4, "Form up with Infantry Platoon, Squad 3 (Infantry Platoon)"),
        ("command-horizon", "secure-objectives", 5, "Move Alliance Heavy Tanks"),
        ("duel", "bridge", 5, "Stake 1"),
    ],
)
def test_a_decision_is_told_as_it_was_offered_with_the_unit_that_acts(
    name: str, scenario: str, seed: int, expected: str
) -> None:
    game = game_of(Setting(ruleset=name, edition=ruleset(name).editions[0], scenario=scenario), seed)
    play(game, 120, seed)
    sentences: set[str] = set()
    for eyes in game.eyes:
        lines = {line.text for line in game.lines_in_force(eyes)}
        for link in (link for steps in answers(game, eyes) for step in steps for link in step.links):
            if not link.decided or link.decided in lines:
                continue
            point = game.match.history[link.act - 1]
            asked = point.state.asked[point.index]
            own = offered(asked).told(redacted(point.state, asked.side), point.action)
            unit = next((g.name for g in game.ruleset.depict(point.state, None).groups if g.id == own.unit), "")
            assert link.decided.startswith(own.words)
            assert unit in link.decided
            if link.side != eyes:
                sentences.add(link.decided)
    assert expected in sentences


def test_a_chain_is_told_anew_when_acts_were_taken_back() -> None:
    game = game_of(Setting(ruleset="hex-command", edition="current", scenario="crossroads"), 4)
    play(game, 60, 4)
    first = answers(game, 0)
    game.match.history[-1].boundary = ""
    side = game.match.history[-1].side
    game.undo(side)
    assert answers(game, 0) != first or game.acts == 59
    _, asked = game.ids()[0]
    game.act(asked, asked.options(game.match.view(asked.side)).first())
    again = game_of(Setting(ruleset="hex-command", edition="current", scenario="crossroads"), 4)
    again.match.state, again.match.history, again.match.start = game.match.state, game.match.history, game.match.start
    again.log = game.log
    again.annals.causes = Causes(again.match)
    assert answers(game, 0) == answers(again, 0)


@pytest.mark.parametrize("expected", ["ambush", ""])
@pytest.mark.parametrize("owner", [0, 1])
def test_twins_that_differ_in_an_unseen_card_give_everybody_else_the_same_answers(
    tmp_path: Path, owner: int, expected: str
) -> None:
    file = tmp_path / "close.yaml"
    file.write_text(SCENARIO)
    twins = Twins(Setting(ruleset="hex-command", edition="current", scenario=str(file)), 0, owner, expected)
    steps_seen = 0
    while twins.step():
        if twins.acts % 5:
            continue
        for eyes in (twins.eyes, None):
            one, two = (answers(game, eyes) for game in (twins.one, twins.two))
            assert msgspec.json.encode(one) == msgspec.json.encode(two)
            steps_seen += sum(len(steps) for steps in one)
    assert steps_seen or twins.acts < 10


def test_what_was_placed_in_secret_is_told_without_the_decision_to_anybody_but_its_side() -> None:
    armies = ("alliance-7", "asori-7")
    setting = Setting(ruleset="command-horizon", edition="current", scenario="meeting-engagement", armies=armies)
    game, dice = game_of(setting, 4, {"setup.method": "secret"}), Seeded(4)
    while game.match.state.round == 0:  # type: ignore[attr-defined]
        _, asked = game.ids()[0]
        game.act(asked, asked.options(game.match.view(asked.side)).sample(dice))
    past = Past.of(game, 0)
    secret = [link for link in past.links() if isinstance(link.what, Answered) and link.what.secret]
    assert {link.what.side for link in secret if isinstance(link.what, Answered)} == {0, 1}
    for eyes in game.eyes:
        links = [link for steps in answers(game, eyes) for step in steps for link in step.links]
        planned = {link.side for link in links if link.decided and "CH-SETUP-06" in link.clauses}
        assert planned == ({eyes} if eyes is not None else set())
