"""The table by keyboard alone, on a screen of 80 columns and 24 rows unless a test says otherwise."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from caltrop import InputError
from caltrop.asking import Offer
from caltrop.chance import Seeded
from caltrop.host.games import Games
from caltrop.host.seats import ServerLibrary
from caltrop.journal import Setting, record_of, save
from caltrop.players import levels, players_of
from caltrop.terminal import run, sheets, words
from caltrop.terminal.app import Terminal
from caltrop.terminal.dialogs import KEYS, Curtain, TextPage, YesNoQuestion
from caltrop.terminal.lobby import Lobby
from caltrop.terminal.pane import Pane
from caltrop.terminal.screen import GameScreen
from caltrop.terminal.sitting import Sitting
from caltrop.wire.messages import NewGame
from tests.terminal.playing import Driver, answer, desk, drawn, is_shown, my_turn, pane, screen, write

Sit = Callable[[], Sitting]
SMALL = (80, 24)


async def test_a_whole_duel_is_played_against_the_computer(sit: Sit) -> None:
    sitting = sit()
    await sitting.begin({"ruleset": "duel", "seats": ["person", "random"]})
    async with Terminal(sitting).run_test(size=SMALL) as driver:
        kinds = []
        while (await my_turn(driver)).view.over is None:
            kinds.append(await answer(driver))
        assert {"Bid", "Move"} <= set(kinds)
        assert "The game is over" in pane(driver, "choices")
        over = desk(driver).view.over
        assert over is not None
        assert over.reason.split()[0] in pane(driver, "choices")
        await driver.press("enter")
        assert "once more" in pane(driver, "message")
        await driver.press("enter")
        await driver.pause()
        assert is_shown(driver, Lobby)


async def test_a_record_is_played_on_from_a_moment(sit: Sit, tmp_path: Path) -> None:
    setting, file = Setting.chosen("duel"), tmp_path / "duel.caltrop.json"
    match = setting.begin(Seeded(3))
    players_of(match, "random", "random").play()
    save(record_of(match, setting, players=("random", "random")), file)
    acts = len(match.history)
    sitting = sit()
    with pytest.raises(InputError, match=f"The game has {acts} acts"):
        await sitting.begin({"record": str(file), "at": acts + 1, "seats": []})
    await sitting.begin({"record": str(file), "at": 4, "seats": []})
    assert sitting.sides == (match.history[4].state.asked[0].side,)
    assert [point.rolls for point in sitting.table.game.match.history] == [point.rolls for point in match.history[:4]]
    async with Terminal(sitting).run_test(size=SMALL) as driver:
        await my_turn(driver)
        await answer(driver)
        assert sitting.table.game.acts > 4


async def test_two_people_play_a_whole_duel_at_one_screen(sit: Sit, duel: dict[str, Any]) -> None:
    sitting = sit()
    await sitting.begin(duel)
    async with Terminal(sitting).run_test(size=SMALL) as driver:
        eyes = set()
        while (here := await my_turn(driver)).view.over is None:
            eyes.add(here.view.you)
            await answer(driver)
        assert eyes == {0, 1}


async def test_a_game_with_a_friend_goes_on_in_the_terminal_with_its_names_clock_and_talk(sit: Sit) -> None:
    sitting = sit()
    expected = {
        "ruleset": "duel",
        "seats": ["person", "person"],
        "clock": {"per": "turn", "seconds": 600, "then": "tell"},
    }
    made = await sitting.games.make(msgspec.convert(expected, NewGame))
    sitting.keys.add([made.seats[0].token or ""])
    await sitting.open(made.game)
    await sitting.games.acts.call(sitting.table, 1, "Bela")
    await sitting.games.acts.speak(sitting.table, 1, "Good luck!")
    async with Terminal(sitting).run_test(size=(110, 30)) as driver:
        await my_turn(driver)
        assert "Bela" in pane(driver, "top")
        assert re.search("(10:00|9:5[0-9])", pane(driver, "top"))
        assert "Bela: Good luck!" in pane(driver, "log")
        await driver.press("t")
        await driver.pause()
        await driver.press("T", "h", "x", "backspace", "a", "n", "k", "s", "space", "m")
        assert "> Thanks m_" in pane(driver, "writing")
        await driver.press("backspace", "backspace", "enter")
        await driver.pause()
        assert "Ash: Thanks" in pane(driver, "log")
        await driver.press("T")
        await driver.pause()
        assert sitting.table.game.people.hushed == {0}
        await driver.press("t")
        await driver.pause()
        await driver.press("x", "enter")
        await driver.pause()
        assert "You have switched the chat off" in pane(driver, "message")
        await driver.press("T")
        # A draw offered from elsewhere is announced, set aside, and declined.
        await sitting.games.acts.offer_draw(sitting.table, 1, None)
        await driver.pause()
        assert "Bela offers a draw: Ctrl+D answers" in pane(driver, "message")
        for key, left in (("escape", 1), ("n", None)):
            await driver.press("ctrl+d")
            await driver.pause()
            assert "Bela offers a draw. Accept it?" in pane(driver, "question")
            await driver.press(key)
            await driver.pause()
            assert desk(driver).view.draw == left
        # The player's own offer is taken back.
        await driver.press("ctrl+d")
        await driver.pause()
        await driver.press("y")
        await driver.pause()
        assert desk(driver).view.draw == 0
        await driver.press("ctrl+d")
        await driver.pause()
        await driver.press("y")
        await driver.pause()
        assert desk(driver).view.draw is None
        await sitting.games.acts.hand_over(sitting.table, 1, True)
        await driver.pause()
        assert "Bela, awaited" in pane(driver, "top")


async def test_a_curtain_falls_while_a_stake_is_sealed_and_none_afterwards(sit: Sit, duel: dict[str, Any]) -> None:
    sitting = sit()
    await sitting.begin(duel)
    async with Terminal(sitting).run_test(size=SMALL) as driver:
        await my_turn(driver)
        await driver.press("3", "enter")
        await driver.pause()
        assert is_shown(driver, Curtain)
        assert "Briar" in pane(driver, "curtain")
        await driver.press("2", "enter", "enter")
        await driver.pause()
        assert desk(driver).view.you == 1
        # The key 2 was pressed behind the curtain, and answered no question.
        assert sitting.table.game.acts == 1
        await driver.press("2", "enter")
        await driver.pause()
        assert not is_shown(driver, Curtain)
        assert desk(driver).view.you == 0
        assert "[WALK]" in pane(driver, "top")


async def test_a_refused_way_names_clause_and_numbers_and_the_nearest_is_one_key_away(
    sit: Sit, duel: dict[str, Any]
) -> None:
    sitting = sit()
    await sitting.begin(duel)
    async with Terminal(sitting).run_test(size=SMALL) as driver:
        for stake in ("4", "1"):
            await my_turn(driver)
            await driver.press(stake, "enter")
        await my_turn(driver)
        acts = sitting.table.game.acts
        await write(driver, "4,9.9")
        assert "> 4,9.9" in pane(driver, "message")
        await driver.press("enter")
        words = pane(driver, "message")
        assert "✗" in words
        assert "[DU-MOVE-03]" in words
        assert "Key a" in words
        assert "×" in pane(driver, "board")
        assert sitting.table.game.acts == acts
        await driver.press("a")
        await driver.pause()
        assert sitting.table.game.acts == acts + 1
        x, y = sitting.view().picture.groups[0].pieces[0].at
        assert x == 400
        assert 500 < y <= 900


async def test_a_proposed_way_tells_length_and_price_and_is_done_by_a_second_enter(
    sit: Sit, duel: dict[str, Any]
) -> None:
    sitting = sit()
    await sitting.begin(duel)
    async with Terminal(sitting).run_test(size=SMALL) as driver:
        for stake in ("4", "1"):
            await my_turn(driver)
            await driver.press(stake, "enter")
        await my_turn(driver)
        # Only one unit can walk, and its walk is the selected choice. Enter starts pointing at the table.
        await driver.press("enter", "right", "right", "w", "down", "enter")
        words = pane(driver, "message")
        assert "✓" in words
        assert "left at this price" in words
        assert "DU-MOVE-01" in words
        here = desk(driver)
        assert here.proposal is not None
        ways = here.proposal.paths[0]
        assert len(ways) == 3
        await driver.press("backspace")
        assert desk(driver).proposal is None
        await driver.press("enter")
        assert here.proposal is not None
        assert len(here.proposal.paths[0]) == 2
        # Two presses of Enter before the proposal is drawn have no effect.
        here.proposal, acts = None, sitting.table.game.acts
        for _ in range(2):
            await screen(driver).keyboard.press("enter", "")
        assert sitting.table.game.acts == acts
        await driver.press("plus")
        await drawn(driver)
        await driver.press("enter")
        await driver.pause()
        assert sitting.view().picture.groups[0].pieces[0].at == ways[-1]


async def test_what_others_did_is_stepped_through_and_a_key_comes_back(sit: Sit) -> None:
    sitting = sit()
    await sitting.begin({"ruleset": "command-horizon", "scenario": "first-battle", "seats": ["person", "easy"]})
    async with Terminal(sitting).run_test(size=SMALL) as driver:
        await my_turn(driver)
        await answer(driver)
        while sitting.table.game.acts - sitting.last_own() < 2:
            here = await my_turn(driver)
            assert here.view.over is None
            # An act after the other side's turn may have no final choice.
            if any(choice.final for choice in here.every):
                await driver.press("e")
                await my_turn(driver)
            else:
                await answer(driver)
                await my_turn(driver)
        here = await my_turn(driver)
        now, own = sitting.table.game.acts, sitting.last_own()
        asked = here.decision
        await driver.press("b")
        assert (here.moment, here.decision, here.every) == (own, None, [])
        assert f"After act {own} of {now}" in pane(driver, "message")
        assert here.picture == sitting.table.game.view(sitting.eyes, own).picture
        await driver.press("greater_than_sign")
        assert here.moment == own + 1
        texts = [entry.text for entry in here.view.log if entry.act == own + 1]
        assert all(text[:30] in pane(driver, "message") for text in texts[:1])
        await driver.press("less_than_sign")
        assert here.moment == own
        # No answer can be given there. Any other key returns to the current question.
        await driver.press("enter")
        here = await my_turn(driver)
        assert (here.decision and here.decision.id) == (asked and asked.id)
        assert sitting.table.game.acts == now


async def test_one_choice_after_another_is_looked_at_by_number(sit: Sit, duel: dict[str, Any]) -> None:
    sitting = sit()
    await sitting.begin(duel)
    async with Terminal(sitting).run_test(size=SMALL) as driver:
        here = await my_turn(driver)
        await driver.press("1", "3")
        assert here.at == 2
        await driver.press("9")
        assert here.at == -1
        assert "There are 4 choices" in pane(driver, "message")
        await driver.press("escape", "tab", "tab", "shift+tab", "enter")
        await driver.pause()
        assert sitting.table.game.match.history[0].side == 0
        assert sitting.table.game.match.state.answers[0] == here.listed[0].offer.action  # type: ignore[union-attr]


async def test_what_is_no_place_is_told_and_nothing_is_done(sit: Sit, duel: dict[str, Any]) -> None:
    sitting = sit()
    await sitting.begin(duel)
    async with Terminal(sitting).run_test(size=SMALL) as driver:
        await my_turn(driver)
        await write(driver, "45,30")
        await driver.press("enter")
        assert "is not a place on this table" in pane(driver, "message")
        await driver.press("enter")
        assert "Choose first" in pane(driver, "message")
        assert sitting.table.game.acts == 0


async def test_undo_takes_a_free_act_back_and_asks_for_leave_past_a_boundary(sit: Sit, duel: dict[str, Any]) -> None:
    sitting = sit()
    await sitting.begin({"ruleset": "duel", "seats": ["person", "person"], "friendly": True})
    async with Terminal(sitting).run_test(size=SMALL) as driver:
        for stake in ("4", "1"):
            await my_turn(driver)
            await driver.press(stake, "enter")
        await my_turn(driver)
        await driver.press("e")
        await driver.pause()
        acts = sitting.table.game.acts
        await driver.press("ctrl+z")
        await driver.pause()
        assert sitting.table.game.acts == acts - 1
        # The stakes have been revealed, so the other person must agree to the undo.
        await driver.press("ctrl+z")
        await driver.pause()
        assert is_shown(driver, YesNoQuestion)
        await driver.press("n")
        await driver.pause()
        assert sitting.table.game.acts == acts - 1
        await driver.press("ctrl+z")
        await driver.pause()
        await driver.press("y")
        await driver.pause()
        assert sitting.table.game.acts == acts - 2
        # If both people use this keyboard, the offer of a draw is shown to the other person at once.
        await my_turn(driver)
        await driver.press("ctrl+d")
        await driver.pause()
        await driver.press("y")
        await driver.pause()
        assert "offers a draw. Accept it?" in pane(driver, "question")
        await driver.press("y")
        await driver.pause()
        assert desk(driver).view.over is not None
        assert "A draw" in pane(driver, "choices")


async def test_redo_plays_again_what_was_taken_back_until_something_else_is_played(
    sit: Sit, duel: dict[str, Any]
) -> None:
    sitting = sit()
    await sitting.begin({"ruleset": "duel", "seats": ["person", "person"], "friendly": True})
    async with Terminal(sitting).run_test(size=SMALL) as driver:
        for stake in ("4", "1"):
            await my_turn(driver)
            await driver.press(stake, "enter")
        await my_turn(driver)
        await driver.press("ctrl+y")
        await driver.pause()
        assert "There is nothing to redo" in pane(driver, "message")
        await driver.press("e")
        await driver.pause()
        game = sitting.table.game
        acts, ended = game.acts, game.digest
        await driver.press("ctrl+z")
        await driver.pause()
        assert game.acts == acts - 1
        await driver.press("ctrl+y")
        await driver.pause()
        assert (game.acts, game.digest) == (acts, ended)
        assert "There is nothing to redo" not in pane(driver, "message")
        await driver.press("ctrl+y")
        await driver.pause()
        assert "There is nothing to redo" in pane(driver, "message")
        assert game.acts == acts
        await driver.press("question_mark")
        await driver.pause()
        assert "Ctrl+Y" in pane(driver, "sheet")


async def test_a_game_goes_on_after_the_program_was_left(sit: Sit) -> None:
    sitting = sit()
    await sitting.begin({"ruleset": "duel", "seats": ["person", "random"]})
    async with Terminal(sitting).run_test(size=SMALL) as driver:
        await answer(driver, 2)
        await my_turn(driver)
        await driver.press("ctrl+c")
    before = sitting.view()
    again = sit()
    async with Terminal(again).run_test(size=SMALL) as driver:
        await driver.pause()
        assert "Go on: Duel, At the crossroads: you against random" in pane(driver, "menu")
        await driver.press("2", "enter")
        await my_turn(driver)
        assert desk(driver).view.picture == before.picture
        assert desk(driver).view.act == before.act


async def test_a_new_game_is_chosen_step_by_step(sit: Sit) -> None:
    sitting = sit()
    async with Terminal(sitting).run_test(size=SMALL) as driver:
        await driver.pause()
        head = []
        assert "Play now" in pane(driver, "menu")
        await driver.press("down", "enter")
        for _ in range(5):
            await driver.pause()
            head.append(pane(driver, "head"))
            await driver.press("enter")
        asked = ("scenario", "how is it played", "first side", "Who plays", "Who throws your dice")
        assert all(words_ in words for words_, words in zip(asked, head, strict=True))
        await my_turn(driver)
        assert sitting.view().ruleset == "command-horizon"
        assert [seat.player for seat in sitting.view().seats] == ["person", "recruit"]
        assert not sitting.table.game.typists


async def test_the_menu_tells_how_opponents_play_and_what_they_have_won(sit: Sit) -> None:
    async with Terminal(sit()).run_test(size=SMALL) as driver:
        await driver.pause()
        await driver.press("down", "enter")
        await driver.pause()
        await driver.press("2", "enter")
        await driver.pause()
        await driver.press("enter")
        await driver.pause()
        armies = pane(driver, "menu")
        assert "Alliance against Asori" in armies
        assert "Alliance patrol, 4 units" in armies
        await driver.press("enter")
        await driver.pause()
        menu = " ".join(pane(driver, "menu").split())
        names = {level.name: level for level in levels("command-horizon")}
        assert all(f"You against {name}, which {level.words}" in menu for name, level in names.items())
        assert menu.startswith("▶ 1 You against recruit")
        assert names["recruit"].told in menu
        # Every computer opponent is visible. The row counts the games between computers below.
        assert menu.endswith("↓ 5 more rows")


async def test_real_dice_can_be_chosen_in_the_lobby(sit: Sit) -> None:
    sitting = sit()
    async with Terminal(sitting).run_test(size=SMALL) as driver:
        await driver.pause()
        await driver.press("down", "enter")
        for _ in range(4):
            await driver.pause()
            await driver.press("enter")
        await driver.pause()
        assert "Who throws your dice" in pane(driver, "head")
        await driver.press("2", "enter")
        for _ in range(100):
            await driver.pause(0.02)
            if sitting.live is not None:
                break
        assert sitting.table.game.typists == {0}


async def lobby_of(driver: Driver, *rows: str) -> None:
    """Choose rows of the lobby's menus one after another, each by its first words."""
    for row in rows:
        await driver.pause()
        here = driver.app.screen
        assert isinstance(here, Lobby)
        at = next(i for i, entry in enumerate(here.asked.entries) if entry.words.startswith(row))
        await driver.press(*str(at + 1), "enter")
    await driver.pause()


async def test_edition_size_and_house_rules_are_chosen_in_the_lobby(sit: Sit) -> None:
    sitting = sit()
    async with Terminal(sitting).run_test(size=SMALL) as driver:
        await lobby_of(driver, "Command Horizon", "Secure the objectives")
        head = pane(driver, "head")
        assert "how is it played?" in head
        menu = pane(driver, "menu")
        assert "▶ 1 As usual" in menu
        assert "Edition: current" in menu
        assert "Units a side: as the scenario says" in menu
        assert "House rules: all as usual" in menu
        await lobby_of(driver, "Edition", "v1.5", "Units a side")
        assert [line.split()[-1] for line in pane(driver, "menu").split("\n") if line.strip()] == [
            "says",
            "4",
            "7",
            "11",
        ]
        await driver.press("2", "enter")
        await lobby_of(driver, "House rules", "Several boosts", "yes")
        menu = " ".join(pane(driver, "menu").split())
        assert "Several boosts may be bought for one attack: yes (usually no)" in menu
        assert "Asori infantry reads" not in menu, "another edition's house rules are not asked"
        await lobby_of(driver, "Play by these")
        menu = pane(driver, "menu")
        assert "▶ 1 As below" in menu
        assert "Edition: v1.5" in menu
        assert "Units a side: 4" in menu
        assert "House rules: 1 changed" in menu
        await driver.press("enter")
        await driver.pause()
        assert "Putredine" not in pane(driver, "menu"), "an army of another edition is not offered"
        await lobby_of(driver, "The armies that the scenario", "Two people", "The program throws them")
        setup = sitting.table.game.setup
        assert (setup.edition, setup.size, setup.rules["boost.stack"]) == ("v1.5", 4, "yes")
        usual = sitting.table.game.ruleset.book("v1.5").rules
        assert {name for name, value in setup.rules.items() if value != usual[name]} == {"boost.stack"}


@pytest.mark.parametrize(
    ("game", "rows", "typed", "words"),
    [
        ("Hex Command", ("First battle", "House rules", "Cards that each"), "8", "hand_size is 5 or a whole number"),
        ("Hex Command", ("First battle", "House rules", "Cards that each"), "x", "hand_size is 5 or a whole number"),
    ],
)
async def test_what_is_typed_wrongly_in_the_lobby_is_told_once_and_enter_alone_takes_what_is_usual(
    sit: Sit, game: str, rows: tuple[str, ...], typed: str, words: str
) -> None:
    async with Terminal(sit()).run_test(size=SMALL) as driver:
        await lobby_of(driver, game, *rows)
        await write(driver, typed)
        await driver.press("enter")
        await driver.pause()
        note = " ".join(pane(driver, "note").split())
        assert words in note
        assert note.count("✗") == 1
        await driver.press(*["backspace"] * len(typed), "enter")
        await driver.pause()
        assert "✗" not in pane(driver, "note")
        lobby = driver.app.screen
        assert isinstance(lobby, Lobby)
        custom = dict(lobby.chosen)["custom"]
        assert (custom.size, custom.rules) == (None, {})
        assert lobby.asked.read is None


async def test_escape_in_the_lobby_goes_back_one_question_and_keeps_what_was_changed(sit: Sit) -> None:
    async with Terminal(sit()).run_test(size=SMALL) as driver:
        await lobby_of(driver, "Hex Command", "First battle", "House rules", "Cards that each")
        await write(driver, "7")
        await driver.press("enter")
        await driver.pause()
        assert "Cards that each side holds. With 5, the scenario's own numbers apply: 7" in " ".join(
            pane(driver, "menu").split()
        )
        for head in ("how is it played?", "which scenario?", "What do you want to play?"):
            await driver.press("escape")
            await driver.pause()
            assert head in pane(driver, "head")
            assert head != "how is it played?" or "House rules: 1 changed" in pane(driver, "menu")


async def test_points_stand_beside_armies_in_the_edition_they_were_measured_in(sit: Sit) -> None:
    async with Terminal(sit()).run_test(size=SMALL) as driver:
        await lobby_of(driver, "Command Horizon", "First battle", "As usual")
        assert "Alliance patrol, 4 units, " in pane(driver, "menu")
        assert " points" in pane(driver, "menu")
        await driver.press("escape")
        await driver.pause()
        await lobby_of(driver, "Edition", "v1.5", "As below")
        assert "Alliance patrol, 4 units" in pane(driver, "menu")
        assert " points" not in pane(driver, "menu")


async def test_an_army_that_is_not_of_the_size_is_told_when_it_is_chosen(sit: Sit) -> None:
    async with Terminal(sit()).run_test(size=SMALL) as driver:
        await lobby_of(driver, "Command Horizon", "First battle", "Units a side")
        await driver.press("3", "enter")
        await lobby_of(driver, "As below", "Alliance patrol", "Asori hunting party")
        assert "has 4 units; the battle has 7 a side" in pane(driver, "note")
        assert "second side" in pane(driver, "head")
        await driver.press("escape", "escape")
        await lobby_of(driver, "Units a side")
        await driver.press("2", "enter")
        await lobby_of(driver, "As below", "Alliance patrol", "Asori hunting party")
        assert "Who plays?" in pane(driver, "head")
        assert "✗" not in pane(driver, "note")


async def test_points_that_no_army_has_are_told_without_the_place_in_a_file(sit: Sit) -> None:
    async with Terminal(sit()).run_test(size=SMALL) as driver:
        await lobby_of(driver, "Hex Command", "Free battle")
        assert "Points a side" not in pane(driver, "menu"), "an army is placed as large as it is"
        lobby = driver.app.screen
        assert isinstance(lobby, Lobby)
        dict(lobby.chosen)["custom"].size = 100
        await lobby_of(driver, "As usual", "The armies that the scenario")
        text = " ".join(pane(driver, "note").split())
        assert text.startswith("✗ The army costs 82 points, and 100 are agreed on")


async def test_a_scenario_with_its_own_armies_asks_for_neither_army_nor_size(sit: Sit) -> None:
    async with Terminal(sit()).run_test(size=SMALL) as driver:
        await lobby_of(driver, "Hex Command", "Godfall")
        assert "Points a side" not in pane(driver, "menu")
        await driver.press("enter")
        await driver.pause()
        assert "Who plays?" in pane(driver, "head")


@pytest.mark.parametrize(
    ("chosen", "words"),
    [({"ruleset": "duel", "scenario": "brige"}, "did you mean bridge?"), ("nosuchgame", "nosuchgame")],
)
async def test_what_cannot_be_played_is_told_in_the_lobby(sit: Sit, chosen: Any, words: str) -> None:
    async with Terminal(sit()).run_test(size=SMALL) as driver:
        await driver.pause()
        lobby = driver.app.screen
        assert isinstance(lobby, Lobby)
        await lobby.take(chosen)
        lobby.show()
        assert "✗" in pane(driver, "note")
        assert words in pane(driver, "note")
        await driver.press("3", "enter")
        await driver.pause()
        assert "which scenario?" in pane(driver, "head")
        await driver.press("escape")
        await driver.pause()
        assert "What do you want to play?" in pane(driver, "head")


async def test_every_kind_of_decision_of_a_first_battle_is_answered_by_keyboard(sit: Sit) -> None:
    sitting = sit()
    await sitting.begin({"ruleset": "command-horizon", "seats": ["person", "easy"]})
    async with Terminal(sitting).run_test(size=SMALL) as driver:
        met: dict[str, int] = {}
        pointed = 0
        for _ in range(60):
            here = await my_turn(driver)
            if here.view.over is not None or here.picture.stage.round > 3:
                break
            assert here.decision is not None
            kind = here.decision.kind
            met[kind] = met.get(kind, 0) + 1
            pointed += here.listed[0].region is not None
            # Every fourth movement ends the step, so that the game continues.
            if kind == "Orders" and met[kind] % 4 == 0:
                await driver.press("e")
                await driver.pause()
            else:
                await answer(driver)
        assert {"ConcentrateOrNot", "Orders"} <= set(met)
        assert pointed >= 4
        assert sum(met.values()) == len([p for p in sitting.table.game.match.history if p.side == 0])


async def test_all_who_may_attack_are_told_together_in_the_best_order(sit: Sit, tmp_path: Path) -> None:
    setting, file = Setting.chosen("hex-command"), tmp_path / "hexes.caltrop.json"
    match, dice = setting.begin(Seeded(3)), Seeded("choices")
    foresee = match.ruleset.parts.in_order
    assert foresee is not None
    while True:
        decision = match.waiting[0]
        view = match.view(decision.side)
        attacks = [offer for offer in decision.offers(view) if offer.target is not None]  # type: ignore[attr-defined]
        able = [foresee(view, decision.side, one.target, one.action, (), False).attackers for one in attacks]
        if any(len(units) >= 2 for units in able):
            break
        match.play(decision.side, decision.options(match.state).sample(dice), decision)
    place = len(match.history)
    players_of(match, "random", "random").play()
    save(record_of(match, setting, players=("random", "random")), file)
    attack, units = next((one, units) for one, units in zip(attacks, able, strict=True) if len(units) >= 2)
    sitting = sit()
    await sitting.begin({"record": str(file), "at": place, "seats": []})
    async with Terminal(sitting).run_test(size=(140, 70)) as driver:
        here = await my_turn(driver)
        while here.selected != attack.unit:
            await driver.press("n")
        at = next(i for i, choice in enumerate(here.listed) if choice.offer and choice.offer.action == attack.action)
        await write(driver, str(at + 1))
        for _ in range(200):
            if any(line.startswith("Together") for line in here.odds):
                break
            await driver.pause(0.02)
        first = next(line for line in here.odds if line.startswith("Together"))
        assert first.startswith("Together, in the best order (exact odds): ")
        names = {group.id: group.in_words for group in here.picture.groups}
        assert sorted(first.partition("): ")[2].split(", ")) == sorted(names[unit] for unit in units)
        assert first.partition(":")[0] in pane(driver, "choices")


async def test_odds_are_told_before_an_attack_and_the_dice_after_it(sit: Sit) -> None:
    sitting = sit()
    await sitting.begin({"ruleset": "command-horizon", "seats": ["person", "person"]})
    async with Terminal(sitting).run_test(size=(110, 36)) as driver:
        # Both sides move their tanks forward until one may fire.
        for _ in range(80):
            here = await my_turn(driver)
            assert here.decision is not None
            if here.decision.kind == "Targets":
                break
            await answer(driver, len(here.listed) - 1 if here.decision.kind == "ConcentrateOrNot" else 0)
        else:
            pytest.fail("nobody came into range")
        fire = next(i for i, choice in enumerate(here.every) if choice.offer and choice.offer.target is not None)
        unit = here.every[fire].unit
        while here.selected != unit:
            await driver.press("n")
        at = next(i for i, choice in enumerate(here.listed) if choice is here.every[fire])
        await write(driver, str(at + 1))
        for _ in range(200):
            await driver.pause(0.02)
            if here.odds:
                break
        words = pane(driver, "choices")
        assert "exact odds" in words
        assert "%" in words
        assert "(CH-" in here.odds[0]
        await driver.press("enter")
        await my_turn(driver)
        for _ in range(6):
            if "‹" in pane(driver, "log"):
                break
            here = await my_turn(driver)
            await (driver.press("e") if any(c.final for c in here.every) else answer(driver))
        await driver.press("o")
        await driver.pause()
        assert is_shown(driver, TextPage)
        assert "CH-FIRE" in pane(driver, "sheet")


async def test_what_was_said_is_gone_when_something_else_is_asked(sit: Sit) -> None:
    sitting = sit()
    await sitting.begin({"ruleset": "duel", "seats": ["person", "random"]})
    async with Terminal(sitting).run_test(size=SMALL) as driver:
        here = await my_turn(driver)
        assert here.decision is not None
        asked = here.decision.id
        here.say("There is nothing to end now.")
        await sitting.play(asked, here.decision.offers[0].action)
        for _ in range(1000):
            await driver.pause(0.02)
            now = desk(driver).decision
            if now is not None and now.id != asked:
                break
        else:
            pytest.fail("the computer does not answer")
        assert here.message == ""


async def test_a_long_message_is_read_whole_and_the_table_stays_where_it_is(sit: Sit) -> None:
    sitting = sit()
    await sitting.begin({"ruleset": "command-horizon", "seats": ["person", "easy"]})
    async with Terminal(sitting).run_test(size=SMALL) as driver:
        await answer(driver)
        await my_turn(driver)
        before = pane(driver, "board").splitlines()
        # Light tanks move the first ten of the twenty centimetres free, so the price has two parts.
        await driver.press("n", "enter", "up", "up", "enter")
        await driver.pause()
        words = pane(driver, "message")
        assert "more rows" not in words
        assert words.endswith("Enter does it, Esc cancels.")
        assert len(words.splitlines()) > 3
        assert len(pane(driver, "board").splitlines()) == len(before)
        await driver.press("escape")
        await driver.pause()
        assert screen(driver).query_one("#message").size.height == 3


async def test_what_is_new_in_the_log_and_out_of_sight_is_counted(sit: Sit) -> None:
    sitting = sit()
    await sitting.begin({"ruleset": "command-horizon", "seats": ["person", "person"]})
    async with Terminal(sitting).run_test(size=SMALL) as driver:
        await answer(driver)
        here = await my_turn(driver)
        log = screen(driver).query_one("#log", Pane)
        assert log.border_title == ""
        here.seen = 0
        screen(driver).draw()
        assert log.border_title == f"{len(here.view.log)} new, o reads all"
        here.seen = here.view.log[-2].n
        screen(driver).draw()
        assert log.border_title == ""


async def test_nothing_is_wider_or_higher_than_a_small_screen(sit: Sit) -> None:
    sitting = sit()
    await sitting.begin({"ruleset": "command-horizon", "seats": ["person", "easy"]})
    async with Terminal(sitting).run_test(size=SMALL) as driver:
        await answer(driver)
        await my_turn(driver)
        bottom = 0
        for name in ("top", "board", "choices", "log", "message", "keys"):
            part = screen(driver).query_one(f"#{name}")
            assert part.region.right <= 80
            assert part.region.height >= 1
            bottom = max(bottom, part.region.bottom)
            assert all(len(row) <= part.size.width for row in pane(driver, name).splitlines())
        assert bottom == 24
        assert "more rows" not in pane(driver, "top") + pane(driver, "keys") + pane(driver, "message")
        board = pane(driver, "board")
        assert all(letter in board for letter in "CLMIclm♣#")


@pytest.mark.parametrize("size", [(60, 20), (100, 30), (160, 60)])
async def test_the_whole_table_is_seen_at_any_size(sit: Sit, size: tuple[int, int]) -> None:
    sitting = sit()
    await sitting.begin({"ruleset": "command-horizon", "seats": ["person", "easy"]})
    async with Terminal(sitting).run_test(size=size) as driver:
        here = await my_turn(driver)
        window = here.window()
        width, height = here.picture.width, here.picture.height
        assert window.cell((0, height)) == (0, 0)
        column, row = window.cell((width, 0))
        assert 0 < column < window.columns
        assert 0 < row < window.rows


async def test_keys_select_units_measure_zoom_inspect_and_list_themselves(sit: Sit) -> None:
    sitting = sit()
    await sitting.begin({"ruleset": "command-horizon", "seats": ["person", "easy"]})
    async with Terminal(sitting).run_test(size=SMALL) as driver:
        await answer(driver, 1)
        here = await my_turn(driver)
        await driver.press("n")
        first = here.selected
        assert here.group(first) is not None
        await driver.press("n")
        assert here.selected != first
        await driver.press("N")
        assert here.selected == first
        await driver.press("m", "right", "right")
        assert " from " in pane(driver, "message")
        await driver.press("m")
        before = here.window().wide
        await driver.press("+")
        assert here.window().wide < before
        await driver.press("0")
        assert here.window().wide == before
        await driver.press("u")
        assert "Units" in pane(driver, "choices")
        await driver.press("u", "i")
        await driver.pause()
        assert "Model at" in pane(driver, "sheet")
        await driver.press("i")
        await driver.press("?")
        await driver.pause()
        assert "Shift+N" in pane(driver, "sheet")
        await driver.press("end")
        await driver.pause()
        assert "♣ Woods" in pane(driver, "sheet")
        await driver.press("escape")
        await driver.pause()
        assert is_shown(driver, GameScreen)


async def test_offered_places_are_marked_and_taken_up_with_the_cursor(sit: Sit) -> None:
    sitting = sit()
    await sitting.begin({"ruleset": "command-horizon", "seats": ["person", "easy"]})
    async with Terminal(sitting).run_test(size=SMALL) as driver:
        here = await my_turn(driver)
        assert here.decision is not None
        action = here.decision.offers[0].action
        offers = tuple(Offer(action=action, words=f"Here {x}", spot=(x, 4000)) for x in (2000, 7000))
        here.every = words.choices(msgspec.structs.replace(here.decision, offers=offers), here.picture)
        screen(driver).choosing.show()
        here.cursor = (6500, 4500)
        screen(driver).draw()
        assert pane(driver, "board").count("+") == 2
        await driver.press("space")
        assert here.at == 1
        assert here.cursor == (7000, 4000)
        await driver.press("tab")
        assert here.cursor == (2000, 4000)


async def test_what_another_program_played_meanwhile_is_shown_and_nothing_is_lost(sit: Sit) -> None:
    one = sit()
    other = Sitting(Games(one.games.storage, ServerLibrary()), one.keys)
    await one.begin({"ruleset": "duel", "seats": ["person", "person"]})
    async with Terminal(one).run_test(size=SMALL) as driver:
        await my_turn(driver)
        await other.open(one.table.game.id)
        await other.play(other.view().decisions[0].id, other.view().decisions[0].offers[2].action)
        await driver.press("2", "enter")
        await driver.pause()
        await my_turn(driver)
        assert one.table.game.acts == 1
        assert one.table.game.digest == other.table.game.digest
        assert desk(driver).view.you == 1


async def test_who_looks_on_is_shown_the_game_and_can_change_nothing(sit: Sit) -> None:
    sitting = sit()
    await sitting.begin({"ruleset": "duel", "seats": ["random", "random"]})
    async with Terminal(sitting).run_test(size=SMALL) as driver:
        assert sitting.eyes is None
        await driver.press("ctrl+z", "e", "enter", "n", "a")
        here = await my_turn(driver)
        assert here.view.over is not None
        assert "The game is over" in pane(driver, "choices")


async def test_a_game_is_given_up_only_after_a_question(sit: Sit) -> None:
    sitting = sit()
    await sitting.begin({"ruleset": "duel", "seats": ["person", "random"]})
    async with Terminal(sitting).run_test(size=SMALL) as driver:
        await my_turn(driver)
        await driver.press("ctrl+r")
        await driver.pause()
        assert is_shown(driver, YesNoQuestion)
        await driver.press("n")
        await driver.pause()
        assert sitting.view().over is None
        await driver.press("ctrl+r")
        await driver.pause()
        await driver.press("y")
        await driver.pause()
        assert sitting.view().over is not None
        assert "has resigned" in pane(driver, "choices")


async def test_how_to_win_is_a_sheet(sit: Sit) -> None:
    sitting = sit()
    await sitting.begin({"ruleset": "hex-command", "scenario": "first-battle", "seats": ["person", "random"]})
    async with Terminal(sitting).run_test(size=(100, 40)) as driver:
        here = await my_turn(driver)
        await driver.press("v")
        await driver.pause()
        words = pane(driver, "sheet")
        for line in ("The first side with 4 banners wins at once.", "Hex E4: 1 banner, while it is held"):
            assert line in words
        assert f"{here.picture.seats[0].name}: Banners 0/4" in words
        assert "If the battle ended now" in words


async def test_hands_are_shown_after_the_end_when_a_side_shows_them(sit: Sit) -> None:
    sitting = sit()
    await sitting.begin({"ruleset": "hex-command", "seats": ["person", "random"]})
    async with Terminal(sitting).run_test(size=(100, 40)) as driver:
        here = await my_turn(driver)
        other = next(seat.name for seat in here.view.seats if seat.side == 1)
        await driver.press("S")
        await driver.pause()
        assert "The game is not over" in here.message
        await driver.press("ctrl+r", "y")
        await driver.pause()
        assert "Shift+S" in pane(driver, "choices")
        await driver.press("c")
        assert f"The hand of {other}" not in str(sheets.cards(here.picture, sitting.other_hands()))
        await driver.press("c")
        await driver.press("S")
        await driver.pause()
        assert sitting.table.game.shown_by == 0
        assert "Shift+S" not in pane(driver, "choices")
        hand = sitting.table.game.view(1).picture.hand
        words = str(sheets.cards(here.picture, sitting.other_hands()))
        assert f"The hand of {other}" in words
        assert hand
        assert all(card.title in words for card in hand)


def test_the_docs_name_every_key() -> None:
    page = (Path(__file__).parents[2] / "docs/terminal.md").read_text("utf-8")
    for keys, meaning in KEYS:
        if meaning:
            assert all(key in page for key in re.findall(r"[^\s,]+", keys)), keys


def test_without_a_terminal_that_is_said() -> None:
    with pytest.raises(InputError, match="needs a terminal"):
        run({})


@pytest.mark.parametrize("game", ["duel", "hex-command", "command-horizon"])
async def test_a_hint_is_told_and_done(sit: Sit, game: str) -> None:
    """The hint of a strong player is highlighted if it is one of the choices. Pressing h again carries it out."""
    sitting = sit()
    scenario = {} if game == "duel" else {"scenario": "first-battle"}
    await sitting.begin({"ruleset": game, "seats": ["person", "random"], **scenario})
    async with Terminal(sitting).run_test(size=SMALL) as driver:
        for _ in range(3):
            here = await my_turn(driver)
            assert here.decision is not None
            before, asked = sitting.table.game.acts, here.decision.id
            await driver.press("h")
            for _ in range(3000):
                if here.hint is not None:
                    break
                await driver.pause(0.01)
            hint = here.hint
            assert hint is not None
            await driver.pause()
            assert "Hint:" in pane(driver, "message")
            assert hint.words.split()[0] in pane(driver, "message")
            offered = [choice.offer.action for choice in here.every if choice.offer is not None]
            if hint.action in offered:
                assert here.offer is not None
                assert here.offer.action == hint.action
            if hint.to is not None:
                assert here.cursor == hint.to
            assert sitting.table.game.acts == before, "nothing is played by asking"
            await driver.press("h")
            here = await my_turn(driver)
            assert sitting.table.game.acts > before
            assert here.decision is None or here.decision.id != asked
            assert here.hint is None, "it was for what was asked before"


async def test_who_thinks_in_a_process_of_its_own_plays_against_a_terminal(sit: Sit) -> None:
    sitting = sit()
    await sitting.begin({"ruleset": "hex-command", "scenario": "first-battle", "seats": ["person", "commander"]})
    game = sitting.table.game
    async with Terminal(sitting).run_test(size=SMALL) as driver:
        # The computer begins to think only after the terminal has taken over the screen.
        assert not any(point.side == 1 for point in game.match.history)
        for _ in range(40):
            await my_turn(driver)
            if any(point.side == 1 for point in game.match.history):
                break
            await answer(driver)
        else:
            raise AssertionError("the commander has not played")
        assert not any("by chance" in str(line) for line in sitting.view().log), "it has thought"


async def test_no_hint_is_given_where_people_have_not_allowed_it(sit: Sit, duel: dict[str, Any]) -> None:
    sitting = sit()
    await sitting.begin(duel)
    async with Terminal(sitting).run_test(size=SMALL) as driver:
        here = await my_turn(driver)
        await driver.press("h")
        for _ in range(200):
            await driver.pause(0.01)
            if "No hints" in pane(driver, "message"):
                break
        assert "No hints are given in this game" in pane(driver, "message")
        assert here.hint is None
