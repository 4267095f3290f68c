"""What several commands have to say about a game: house rules, lists of two, and what is to be played."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from caltrop.cli import UsageError

if TYPE_CHECKING:
    from caltrop.journal import Setting


def house_rules(given: Sequence[str]) -> dict[str, str]:
    """House rules from the command line, each written as NAME=VALUE.

    Raises:
        UsageError: when one is not written so, or is given twice.
    """
    rules: dict[str, str] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals or not name:
            raise UsageError(f'a house rule is written NAME=VALUE, and not "{text}"')
        if name in rules:
            raise UsageError(f"{name} is given twice")
        rules[name] = value
    return rules


def pair(text: str, what: str) -> tuple[str, str]:
    """Two names with a comma between them.

    Raises:
        UsageError: when it is not that.
    """
    names = [name.strip() for name in text.split(",")]
    if len(names) != 2 or not all(names):
        raise UsageError(f'{what} are written X,Y, and not "{text}"')
    return names[0], names[1]


def army_names(text: str) -> tuple[str, ...]:
    """The names of one army or of two, with a comma between them: some games have one that somebody leads.

    Raises:
        UsageError: when it is not that.
    """
    return pair(text, "armies") if "," in text else (text.strip(),)


def setting_of(
    game: str,
    edition: str | None,
    scenario: str | None,
    armies: str | None,
    size: int | None,
    rule: Sequence[str],
) -> Setting:
    """What is to be played: the game's first edition and scenario where none is named.

    Raises:
        InputError: for a name or a value that does not exist; the message names the nearest right one.
    """
    from caltrop.journal import Setting

    return Setting.chosen(
        game, edition, scenario, army_names(armies) if armies is not None else (), size, house_rules(rule)
    )
