"""The choice of a game: go on with one, or pick game, scenario, armies and who plays."""

from __future__ import annotations

from typing import Any, NamedTuple

from textual import events
from textual.app import ComposeResult
from textual.screen import Screen

from caltrop import InputError
from caltrop.engine import Ruleset, ruleset, rulesets
from caltrop.players import Level, levels, players
from caltrop.server.game import CannotContinue, NoSuchGame
from caltrop.server.seats import AUTOMATED, PERSON
from caltrop.terminal.pane import Line, Pane
from caltrop.terminal.sitting import Sitting
from caltrop.wire.messages import GameEntry

_NEWEST = 3
"""Games under way that are listed before new ones; older ones come last."""

_EASY_FIRST = ("easy", "heuristic", "random")


class Entry(NamedTuple):
    """A line of a menu."""

    words: str
    detail: str
    value: Any


def easiest(game: str) -> str:
    """The computer player to begin against."""
    known = players(game)
    return next((name for name in _EASY_FIRST if name in known), known[0])


def when(entry: GameEntry) -> str:
    """A game of one's own in one line."""
    players = [("you" if side in entry.sides else name) for side, name in enumerate(entry.seats) if name != AUTOMATED]
    seats = " against ".join(players)
    return f"{entry.title}, {entry.scenario}: {seats}, {entry.acts} acts, {entry.at[:16].replace('T', ' ')} UTC"


def _won(level: Level) -> str:
    """What a computer player has won against the others."""
    return f"It {', and '.join(score.words for score in level.scores)}." if level.scores else ""


class Lobby(Screen[bool]):
    """One question after another, until somebody sits at a game.

    Args:
        sitting: Who is to sit down.
    """

    CSS = (
        "Lobby { layout: vertical; padding: 1 2; } Lobby > #head { height: 3; } Lobby > #menu { height: 1fr; }"
        " Lobby > #note { height: 3; }"
    )

    def __init__(self, sitting: Sitting) -> None:
        super().__init__()
        self.sitting = sitting
        self.chosen: list[tuple[str, Any]] = []
        self.entries: list[Entry] = []
        self.at = 0
        self.typed = ""
        self.note = ""
        self.busy = False

    def compose(self) -> ComposeResult:
        """Heading, list, note."""
        yield Pane(id="head")
        yield Pane(id="menu")
        yield Pane(id="note")

    async def on_mount(self) -> None:
        """Ask the first question."""
        await self.ask()

    async def ask(self) -> None:
        """Ask what is not chosen yet."""
        self.question, self.entries = await self._next()
        self.at, self.typed = 0, ""
        self.show()

    async def _next(self) -> tuple[str, list[Entry]]:
        chosen = dict(self.chosen)
        if "game" not in chosen:
            entries = []
            first = rulesets()[0]
            opponent = easiest(first)
            rules = ruleset(first)
            scenario = rules.scenarios()[0]
            words = f"Play now: {rules.title}, {scenario.title}" + f", against {opponent}" * (scenario.players > 1)
            entries.append(Entry(words, rules.words, {"ruleset": first, "seats": [PERSON, opponent]}))
            begun = [Entry(f"Go on: {when(e)}", "", e.game) for e in await self.sitting.unfinished()]
            entries += begun[:_NEWEST]
            entries += [Entry(ruleset(name).title, ruleset(name).words, ruleset(name)) for name in rulesets()]
            entries += begun[_NEWEST:]
            return "What do you want to play?", entries
        game: Ruleset = chosen["game"]
        if "scenario" not in chosen:
            cards = game.scenarios()
            return f"{game.title}: which scenario?", [
                Entry(f"{c.title}, {c.minutes} minutes", c.words, c.id) for c in cards
            ]
        if game.armies() and "first" not in chosen:
            own = Entry("The armies that the scenario comes with", self._own_armies(game, chosen["scenario"]), None)
            side = "your side" if self._alone(game, chosen["scenario"]) else "the first side"
            return f"Which army for {side}?", [own, *self._armies(game)]
        alone = self._alone(game, chosen["scenario"])
        if chosen.get("first") is not None and "second" not in chosen and not alone:
            return "Which army for the second side?", self._armies(game)
        if "seats" in chosen:
            real = "The program says how many, you throw them on your table and type in how they fell."
            return "Who throws your dice?", [Entry("The program", "", "server"), Entry("You do", real, "typed")]
        opponents = self._opponents(game)
        usual = opponents[0].name
        if alone:
            return "Who plays?", [
                Entry("You", "The rules move the other side.", [PERSON]),
                Entry("Watch the computer play", "", [usual]),
            ]
        entries = [
            Entry(
                f"You against {level.name}" + f", which {level.words}" * bool(level.words),
                _won(level),
                [PERSON, level.name],
            )
            for level in opponents
        ]
        entries.append(
            Entry("Two people at this screen", "A curtain falls where something is secret.", [PERSON, PERSON])
        )
        entries += [
            Entry(f"You in the second seat against {level.name}", _won(level), [level.name, PERSON])
            for level in opponents
        ]
        entries.append(Entry("Watch the computer play itself", "", [usual, usual]))
        return "Who plays?", entries

    @staticmethod
    def _alone(game: Ruleset, scenario: str) -> bool:
        """Whether a scenario has one side that somebody plays."""
        return next((card.players == 1 for card in game.scenarios() if card.id == scenario), False)

    @staticmethod
    def _armies(game: Ruleset) -> list[Entry]:
        return [Entry(f"{army.title}, {army.size} units", "", army.id) for army in game.armies()]

    @staticmethod
    def _own_armies(game: Ruleset, scenario: str) -> str:
        """Who fights in a scenario where no armies are chosen."""
        seats = game.depict(game.setup(game.book(), scenario), None).seats
        return " against ".join(seat.name for seat in seats)

    @staticmethod
    def _opponents(game: Ruleset) -> list[Level]:
        """The computer's players, the one to begin against first."""
        first = easiest(game.name)
        return sorted(levels(game.name), key=lambda level: level.name != first)

    def show(self) -> None:
        """Draw it."""
        self.query_one("#head", Pane).show([Line("CALTROP", "bold"), Line(self.question)])
        lines = []
        for i, entry in enumerate(self.entries):
            here = i == self.at
            words = f"{entry.words}\n{entry.detail}" if here and entry.detail else entry.words
            lines.append(Line(words, "bold" if here else "", f"{'▶' if here else ' '}{i + 1:>2} "))
        self.query_one("#menu", Pane).show(lines, self.at)
        back = "Esc goes back" if self.chosen else "q leaves"
        self.query_one("#note", Pane).show(
            [Line(self.note, "bold"), Line(f"Up and Down or a number choose, Enter takes, {back}", "dim")]
        )

    async def on_key(self, event: events.Key) -> None:
        """Choose."""
        if self.busy:
            return
        key = event.key
        step = {"up": -1, "down": 1, "shift+tab": -1, "tab": 1, "pageup": -5, "pagedown": 5}.get(key)
        if step is not None:
            self.at, self.typed = max(0, min(len(self.entries) - 1, self.at + step)), ""
        elif event.character and event.character.isdigit():
            self.typed = (self.typed + event.character)[-2:]
            if not 1 <= int(self.typed) <= len(self.entries):
                self.typed = event.character
            if 1 <= int(self.typed) <= len(self.entries):
                self.at = int(self.typed) - 1
        elif key == "escape" and self.chosen:
            self.chosen.pop()
            self.note = ""
            await self.ask()
        elif key == "q":
            self.app.exit()
        elif key == "enter":
            await self.take(self.entries[self.at].value)
        else:
            return
        event.stop()
        if self.is_attached:
            self.show()

    async def take(self, value: Any) -> None:
        """Take an answer; sit down where it was the last."""
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
        game: Ruleset = chosen["game"]
        if "scenario" not in chosen:
            self.chosen.append(("scenario", value))
        elif game.armies() and "first" not in chosen:
            self.chosen.append(("first", value))
        elif chosen.get("first") is not None and "second" not in chosen and not self._alone(game, chosen["scenario"]):
            self.chosen.append(("second", value))
        elif "seats" not in chosen and PERSON in value:
            self.chosen.append(("seats", value))
        else:
            wanted = {"ruleset": game.name, "scenario": chosen["scenario"], "seats": chosen.get("seats", value)}
            if "seats" in chosen:
                wanted["dice"] = value
            if chosen.get("first") is not None:
                wanted["armies"] = [chosen[side] for side in ("first", "second") if side in chosen]
            await self._sit(self.sitting.begin(wanted))
            return
        await self.ask()

    async def _sit(self, down: Any) -> None:
        self.busy = True
        try:
            await down
        except (InputError, NoSuchGame, CannotContinue) as error:
            self.note = f"✗ {error}"
        else:
            self.dismiss(True)
        finally:
            self.busy = False
