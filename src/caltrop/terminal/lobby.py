"""The choice of a game: continue one, or pick game, scenario, options, armies and players."""

from __future__ import annotations

from typing import Any

from textual import events
from textual.app import ComposeResult
from textual.screen import Screen

from caltrop.agreeing import quantity
from caltrop.engine import Ruleset, ruleset, rulesets
from caltrop.errors import InputError
from caltrop.host.database import StorageFault
from caltrop.host.faults import CannotContinue, DamagedGame, NoSuchGame
from caltrop.host.seats import AUTOMATED
from caltrop.journal import PERSON
from caltrop.players import STYLES, Level, levels, players
from caltrop.terminal.custom import Custom, MenuEntry, MenuQuestion
from caltrop.terminal.pane import Pane, PaneLine
from caltrop.terminal.sitting import Sitting
from caltrop.wire.messages import GameEntry

_NEWEST = 3
"""Number of unfinished games listed before new ones; older games are listed last."""

_LONGEST = 12
"""Largest number of characters of a typed answer."""

_GO_ON = {None: "Go on", "damaged": "Cannot go on", "other-rules": "The rules have changed"}
"""Notes before an unfinished game, by its fault."""

_EASY_FIRST = ("recruit", "random")

_STYLED = "styled"
"""Id of the answer that lets the player choose the opponent's style."""


def easiest(game: str) -> str:
    levels = players(game)
    return next((name for name in _EASY_FIRST if name in levels), levels[0])


def when(entry: GameEntry) -> str:
    if entry.fault == "damaged":
        return f"{entry.title}, damaged, {entry.at[:16].replace('T', ' ')} UTC"
    titles = {card.id: card.title for card in ruleset(entry.ruleset).scenarios()}
    scenario = titles.get(entry.scenario, entry.scenario)
    players = [("you" if side in entry.sides else name) for side, name in enumerate(entry.seats) if name != AUTOMATED]
    seats = " against ".join(players)
    return f"{entry.title}, {scenario}: {seats}, {quantity(entry.acts, 'act')}, {entry.at[:16].replace('T', ' ')} UTC"


def _won(level: Level) -> str:
    return f"It {level.told}." if level.told else ""


def _fault(error: Exception) -> str:
    if isinstance(error, DamagedGame):
        return f"✗ this game is damaged: {error}"
    if isinstance(error, CannotContinue):
        return f"✗ the rules have changed since this game was played: {error}"
    return f"✗ {error.message if isinstance(error, InputError) else error}"


class Lobby(Screen[bool]):
    """The screen that asks one question after another, until the player sits at a game.

    Args:
        sitting: The player who should sit down.
    """

    CSS = (
        "Lobby { layout: vertical; padding: 1 2; } Lobby > #head { height: 3; } Lobby > #menu { height: 1fr; }"
        " Lobby > #note { height: 3; }"
    )

    def __init__(self, sitting: Sitting) -> None:
        super().__init__()
        self.sitting = sitting
        self.chosen: list[tuple[str, Any]] = []
        self.asked = MenuQuestion("")
        self.at = 0
        self.typed = ""
        self.note = ""
        self.busy = False

    def compose(self) -> ComposeResult:
        yield Pane(id="head")
        yield Pane(id="menu")
        yield Pane(id="note")

    async def on_mount(self) -> None:
        await self.ask()

    async def ask(self) -> None:
        self.asked = await self._next()
        self.at, self.typed = self.asked.at, ""
        self.show()

    async def _next(self) -> MenuQuestion:
        chosen = dict(self.chosen)
        if "game" not in chosen:
            entries = []
            first = rulesets()[0]
            opponent = easiest(first)
            rules = ruleset(first)
            scenario = rules.scenarios()[0]
            if scenario.players > 1:
                words = f"Play now: {rules.title}, {scenario.title}, against {opponent}"
            else:
                words = f"Play now: {rules.title}, {scenario.title}"
            entries.append(MenuEntry(words, rules.words, {"ruleset": first, "seats": [PERSON, opponent]}))
            begun = [MenuEntry(f"{_GO_ON[e.fault]}: {when(e)}", "", e.game) for e in await self.sitting.unfinished()]
            entries += begun[:_NEWEST]
            entries += [MenuEntry(ruleset(name).title, ruleset(name).words, ruleset(name)) for name in rulesets()]
            entries += begun[_NEWEST:]
            return MenuQuestion("What do you want to play?", entries)
        game: Ruleset = chosen["game"]
        if "custom" not in chosen:
            cards = game.scenarios()
            return MenuQuestion(
                f"{game.title}: which scenario?",
                [MenuEntry(f"{c.title}, {quantity(c.minutes, 'minute')}", c.words, Custom(game, c)) for c in cards],
            )
        custom: Custom = chosen["custom"]
        alone = custom.scenario.players == 1
        if "so" not in chosen:
            return custom.asked()
        if custom.armies and "first" not in chosen:
            own = MenuEntry("The armies that the scenario comes with", self._own_armies(custom), None)
            side = "your side" if alone else "the first side"
            return MenuQuestion(f"Which army for {side}?", [own, *self._armies(custom)])
        if chosen.get("first") is not None and "second" not in chosen and not alone:
            return MenuQuestion("Which army for the second side?", self._armies(custom))
        if "seats" in chosen:
            real = "The program says how many dice; you throw them on your table and type in the results."
            entries = [MenuEntry("The program throws them", "", "server"), MenuEntry("You throw them", real, "typed")]
            return MenuQuestion("Who throws your dice?", entries)
        opponents = self._opponents(game)
        usual = opponents[0].name
        if alone:
            return MenuQuestion(
                "Who plays?",
                [
                    MenuEntry("You", "The rules move the other side.", [PERSON]),
                    MenuEntry("Watch the computer play", "", [usual]),
                ],
            )
        if _STYLED in chosen:
            return MenuQuestion(
                "Which opponent, and in which style?",
                [
                    MenuEntry(
                        f"You against {level.name}+{style}",
                        f"It {STYLES[style].words}.",
                        [PERSON, f"{level.name}+{style}"],
                    )
                    for level in opponents
                    for style in level.styles
                ],
            )
        entries = [
            MenuEntry(
                f"You against {level.name}" + f", which {level.words}" * bool(level.words),
                _won(level),
                [PERSON, level.name],
            )
            for level in opponents
        ]
        entries.append(
            MenuEntry(
                "Two people at this screen",
                "A curtain hides the table before anything secret is shown.",
                [PERSON, PERSON],
            )
        )
        entries += [
            MenuEntry(f"You in the second seat against {level.name}", _won(level), [level.name, PERSON])
            for level in opponents
        ]
        if any(level.styles for level in opponents):
            entries.append(
                MenuEntry("You against one of them in a style of play", "Bold, careful, or for the objective.", _STYLED)
            )
        entries.append(MenuEntry("Watch the computer play itself", "", [usual, usual]))
        return MenuQuestion("Who plays?", entries)

    @staticmethod
    def _armies(custom: Custom) -> list[MenuEntry]:
        first = custom.edition == custom.game.editions[0]
        return [
            MenuEntry(
                f"{army.title}, {quantity(army.size, 'unit')}"
                + (f", {quantity(army.points, 'point')}" if army.points and first else ""),
                "",
                army.id,
            )
            for army in custom.armies
        ]

    @staticmethod
    def _own_armies(custom: Custom) -> str:
        game = custom.game
        seats = game.depict(game.setup(game.book(custom.edition), custom.scenario.id), None).seats
        return " against ".join(seat.name for seat in seats)

    @staticmethod
    def _opponents(game: Ruleset) -> list[Level]:
        first = easiest(game.name)
        return sorted(levels(game.name), key=lambda level: level.name != first)

    def show(self) -> None:
        asked = self.asked
        self.query_one("#head", Pane).show([PaneLine("CALTROP", "bold"), PaneLine(asked.words)])
        lines = []
        for i, entry in enumerate(asked.entries):
            here = i == self.at
            words = f"{entry.words}\n{entry.detail}" if here and entry.detail else entry.words
            lines.append(PaneLine(words, "bold" if here else "", f"{'▶' if here else ' '}{i + 1:>2} "))
        if asked.read is not None:
            lines = [PaneLine(asked.hint), PaneLine(""), PaneLine(f"{self.typed}▏", "bold", "▶ ", own=True)]
        self.query_one("#menu", Pane).show(lines, self.at)
        back = "Esc goes back" if self.chosen else "q leaves"
        how = "Type it, Enter takes it" if asked.read is not None else "Up and Down or a number choose, Enter takes"
        self.query_one("#note", Pane).show([PaneLine(self.note, "bold"), PaneLine(f"{how}, {back}", "dim")])

    async def on_key(self, event: events.Key) -> None:
        if self.busy:
            return
        key, entries = event.key, self.asked.entries
        step = {"up": -1, "down": 1, "shift+tab": -1, "tab": 1, "pageup": -5, "pagedown": 5}.get(key)
        if key == "escape" and self.chosen:
            self._back()
            await self.ask()
        elif self.asked.read is not None:
            await self._type(key, event.character)
        elif step is not None:
            self.at, self.typed = max(0, min(len(entries) - 1, self.at + step)), ""
        elif event.character and event.character.isdigit():
            self.typed = (self.typed + event.character)[-2:]
            if not 1 <= int(self.typed) <= len(entries):
                self.typed = event.character
            if 1 <= int(self.typed) <= len(entries):
                self.at = int(self.typed) - 1
        elif key == "q":
            self.app.exit()
        elif key == "enter":
            await self.take(entries[self.at].value)
        else:
            return
        event.stop()
        if self.is_attached:
            self.show()

    def _back(self) -> None:
        """Undo the last answer, or cancel the current change."""
        self.note = ""
        custom: Custom | None = dict(self.chosen).get("custom")
        if custom is not None and custom.path:
            custom.path = custom.path[:-1]
        else:
            self.chosen.pop()

    async def _type(self, key: str, character: str | None) -> None:
        assert self.asked.read is not None
        if key == "backspace":
            self.typed = self.typed[:-1]
        elif key != "enter":
            if character and character.isprintable():
                self.typed = (self.typed + character)[:_LONGEST]
        else:
            try:
                value = self.asked.read(self.typed.strip())
            except ValueError as error:
                self.note = f"✗ {error}"
            else:
                await self.take(value)

    async def take(self, value: Any) -> None:
        self.note = ""
        chosen = dict(self.chosen)
        if "game" not in chosen:
            if isinstance(value, str):
                await self._sit(self.sitting.open(value))
            elif isinstance(value, dict):
                await self._sit(self.sitting.begin(value))
            else:
                self.chosen.append(("game", value))
                await self.ask()
            return
        custom: Custom | None = chosen.get("custom")
        if custom is None:
            self.chosen.append(("custom", value))
        elif "so" not in chosen:
            if value is None and not custom.path:
                self.chosen.append(("so", True))
            else:
                custom.take(value)
        elif custom.armies and "first" not in chosen:
            self.chosen.append(("first", value))
        elif chosen.get("first") is not None and "second" not in chosen and custom.scenario.players > 1:
            self.chosen.append(("second", value))
        elif value == _STYLED:
            self.chosen.append((_STYLED, True))
        elif "seats" not in chosen and PERSON in value:
            self.chosen.append(("seats", value))
        else:
            setting = custom.wanted | {"seats": chosen.get("seats", value)}
            if "seats" in chosen:
                setting["dice"] = value
            if chosen.get("first") is not None:
                setting["armies"] = [chosen[side] for side in ("first", "second") if side in chosen]
            await self._sit(self.sitting.begin(setting))
            return
        self._check()
        await self.ask()

    def _check(self) -> None:
        """Ask again if the armies do not fit; check them if they have just been chosen or are the scenario's own."""
        chosen = dict(self.chosen)
        last, value = self.chosen[-1]
        custom: Custom | None = chosen.get("custom")
        if custom is None:
            return
        all_chosen = last == "second" or (last == "first" and (value is None or custom.scenario.players == 1))
        if all_chosen or (last == "so" and not custom.armies):
            try:
                custom.check([chosen[side] for side in ("first", "second") if chosen.get(side) is not None])
            except ValueError as error:
                self.note = _fault(error)
                self.chosen.pop()

    async def _sit(self, down: Any) -> None:
        self.busy = True
        try:
            await down
        except (InputError, NoSuchGame, CannotContinue, StorageFault) as error:
            self.note = _fault(error)
        else:
            self.dismiss(True)
        finally:
            self.busy = False
