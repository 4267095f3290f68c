"""The terminal program: it opens the database, and shows the lobby or a table until the person leaves."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

from textual.app import App
from textual.binding import Binding, BindingType

from caltrop.host.database import data_folder, default_url
from caltrop.host.games import Games
from caltrop.host.seats import ServerLibrary
from caltrop.host.storage import Storage
from caltrop.languages import everything
from caltrop.languages.translator import Translator
from caltrop.terminal.lobby import Lobby
from caltrop.terminal.pane import same
from caltrop.terminal.screen import GameScreen
from caltrop.terminal.sitting import Keys, Sitting


class Terminal(App[None]):
    """Caltrop in a terminal, in the terminal's own colours, light or dark.

    Args:
        sitting: The player's sitting; without a game the lobby is shown first.
        speak: Returns the translator of the texts that are shown, for a game, or for '' in the lobby.
    """

    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c,ctrl+q", "leave", "Leave", show=False, priority=True),
    ]

    def __init__(self, sitting: Sitting, speak: Callable[[str], Callable[[str], str]] = lambda game: same) -> None:
        super().__init__(ansi_color=True)
        self.theme = "ansi-dark"
        self.sitting, self.speak, self.translate = sitting, speak, speak("")

    def on_mount(self) -> None:
        if self.sitting.live is not None:
            self.show_table()
        else:
            self.show_lobby()

    def show_table(self) -> None:
        self.translate = self.speak(self.sitting.table.game.ruleset.name)
        self.push_screen(GameScreen(self.sitting), lambda _: self.show_lobby())

    def show_lobby(self) -> None:
        self.sitting.leave()
        self.translate = self.speak("")
        self.push_screen(Lobby(self.sitting), lambda _: self.show_table())

    def action_leave(self) -> None:
        self.exit()


async def main(setting: Mapping[str, Any], database: str = "", language: str = "en") -> int:
    """Play until the person leaves, then print the command to continue. Returns the exit code.

    Args:
        setting: Settings of a new game; empty to choose in the lobby.
        database: The database of games; by default in the user's data folder.
        language: The language of the texts, as in `de`.
    """

    @cache
    def speak(game: str) -> Callable[[str], str]:
        return same if language == "en" else Translator(everything(language, game), language).lines

    files = [name for name in (setting.get("scenario", ""), *setting.get("armies", ())) if Path(name).is_absolute()]
    games = Games(Storage(database or default_url()), ServerLibrary(files))
    try:
        sitting = Sitting(games, Keys(data_folder() / "seats.json"))
        if setting:
            await sitting.begin(setting)
        await Terminal(sitting, speak).run_async()
        left = sitting.live is not None and sitting.sides and sitting.table.game.over is None
    finally:
        await games.close()
    if left:
        where = f" --database {database}" if database else ""
        words = speak("")("Your game is kept as it stands. Go on with:")
        also = "" if language == "en" else f" --language {language}"
        print(words, f"caltrop play --terminal{where}{also}")
    return 0
