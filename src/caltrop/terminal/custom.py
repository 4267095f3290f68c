"""Choose the options of a new game: edition, size and house rules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from caltrop.engine import ArmyCard, HouseValue, Ruleset, ScenarioCard, Switch


class MenuEntry(NamedTuple):
    words: str
    detail: str
    value: Any


class MenuQuestion(NamedTuple):
    """A question: a menu of answers, or a field in which the answer is typed."""

    words: str
    entries: Sequence[MenuEntry] = ()
    at: int = 0
    """Index of the entry that is highlighted at first."""
    read: Callable[[str], Any] | None = None
    """Function that converts typed text; it raises ValueError with the fault. None for a menu."""
    hint: str = ""
    """Hint on the values that may be typed."""


class Custom:
    """The settings of a new game, with default values until they are changed."""

    def __init__(self, game: Ruleset, scenario: ScenarioCard) -> None:
        self.game, self.scenario = game, scenario
        self.edition = game.editions[0]
        self.size: int | None = None
        """Size of each side's army; None for the scenario's."""
        self.rules: dict[str, HouseValue] = {}
        """House rules that differ from their default."""
        self.path: tuple[str, ...] = ()
        """Path of the setting being changed: `edition`, `size`, or `rules` with the name of a house rule."""

    @property
    def armies(self) -> list[ArmyCard]:
        """The armies of the edition; empty if the scenario has its own."""
        takes = self.scenario.takes_armies
        return [a for a in self.game.armies() if takes and (not a.editions or self.edition in a.editions)]

    @property
    def switches(self) -> list[Switch]:
        return [s for s in self.game.switches if not s.editions or self.edition in s.editions]

    @property
    def wanted(self) -> dict[str, Any]:
        setting: dict[str, Any] = {"ruleset": self.game.name, "scenario": self.scenario.id, "edition": self.edition}
        if self.size is not None:
            setting["size"] = self.size
        return setting | {"rules": self.rules}

    def check(self, armies: Sequence[str] = ()) -> None:
        """Raise an error for options that do not fit together, before the next question.

        Raises ValueError with the same message as the game itself.

        Args:
            armies: The army of each side; empty for the scenario's own.
        """
        self.game.setup(self.game.book(self.edition, self.rules), self.scenario.id, armies, self.size)

    def asked(self) -> MenuQuestion:
        if self.path == ("edition",):
            entries = [MenuEntry(name, "", name) for name in self.game.editions]
            return MenuQuestion(f"{self.game.title}: which edition?", entries, self.game.editions.index(self.edition))
        if self.path == ("size",):
            entries = [
                MenuEntry("As the scenario says", "", None),
                *[MenuEntry(str(n), "", n) for n in self.scenario.sizes],
            ]
            return MenuQuestion(f"{self.game.size_words}?", entries, at=[one.value for one in entries].index(self.size))
        if self.path == ("rules",):
            entries = [MenuEntry("Play by these house rules", "", None), *map(self._entry_of, self.switches)]
            return MenuQuestion(f"{self.game.title}: which house rule do you want to change?", entries)
        if self.path:
            return self._asked_value(self._switch)
        return MenuQuestion(f"{self.scenario.title}: how is it played?", self._overview())

    def take(self, value: Any) -> None:
        """Store an answer, and return to the menu from which it was asked."""
        if self.path == ("edition",):
            self.edition = value
            self.rules = {s.name: self.rules[s.name] for s in self.switches if s.name in self.rules}
        elif self.path == ("size",):
            self.size = value
        elif len(self.path) == 2:
            self.rules.pop(self._switch.name, None)
            if value != self._switch.default:
                self.rules[self._switch.name] = value
        elif value is not None:
            self.path = (*self.path, value)
            return
        self.path = self.path[:-1]

    @property
    def _switch(self) -> Switch:
        return next(s for s in self.switches if s.name == self.path[1])

    def _overview(self) -> list[MenuEntry]:
        changed = len(self.rules)
        entries = []
        if len(self.game.editions) > 1:
            entries.append(MenuEntry(f"Edition: {self.edition}", "", "edition"))
        if self.armies and self.scenario.sizes:
            size = "as the scenario says" if self.size is None else str(self.size)
            entries.append(MenuEntry(f"{self.game.size_words}: {size}", "", "size"))
        if self.switches:
            words = "all as usual" if not changed else f"{changed} changed"
            entries.append(MenuEntry(f"House rules: {words}", "", "rules"))
        usual = not changed and self.size is None and self.edition == self.game.editions[0]
        return [
            MenuEntry("As usual" if usual else "As below", "Enter goes on; the lines below change it.", None),
            *entries,
        ]

    def _entry_of(self, switch: Switch) -> MenuEntry:
        value = self.rules.get(switch.name, switch.default)
        changed = f" (usually {switch.default})" if switch.name in self.rules else ""
        detail = f"{switch.name}; {', '.join(switch.clauses)}"
        return MenuEntry(f"{switch.words.removesuffix('.')}: {value}{changed}", detail, switch.name)

    def _asked_value(self, switch: Switch) -> MenuQuestion:
        if switch.min is not None:
            hint = f"A whole number from {switch.min} to {switch.max}"
            named = [str(value) for value in switch.values if not isinstance(value, int)]
            hint = " or ".join([hint, *named]) + f". Enter alone: {switch.default}, as usual."
            return MenuQuestion(
                switch.words, read=lambda text: switch.read(text) if text else switch.default, hint=hint
            )
        entries = [
            MenuEntry(f"{value}{', as usual' if value == switch.default else ''}", "", value) for value in switch.values
        ]
        return MenuQuestion(switch.words, entries, switch.values.index(self.rules.get(switch.name, switch.default)))
