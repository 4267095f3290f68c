"""Handle text typed letter by letter: the faces of real dice, and the name of a place for the cursor."""

from __future__ import annotations

from caltrop.terminal import words
from caltrop.terminal.desk import Desk
from caltrop.terminal.hexes import face_letters
from caltrop.wire import DiceWanted


def key(desk: Desk, key: str, character: str) -> bool:
    """Handle a key while dice or a place are typed in; Enter, which ends the text, is not handled here.

    Returns:
        Whether the key has an effect.
    """
    dice = desk.dice_wanted()
    if dice is None and not desk.going:
        return False
    if key == "backspace":
        desk.typed = desk.typed[:-1]
    elif _may_type(desk, dice, character):
        desk.typed = (desk.typed + character.upper())[-40:]
    else:
        return False
    return True


def _may_type(desk: Desk, dice: DiceWanted | None, character: str) -> bool:
    if not character or not character.isprintable():
        return False
    if desk.going or dice is None:
        return character.isalnum() or character in ",."
    faces = desk.picture.faces
    if len(faces) == dice.sides:
        return character.upper() in face_letters(faces).values() or character == " "
    return character.isdigit() or character in ", "


def faces(desk: Desk, dice: DiceWanted) -> tuple[int, ...] | None:
    """Return the typed dice; if they do not fit, show an error message and return None."""
    read = words.read_faces(desk.typed, dice.sides, dice.count, desk.picture.faces)
    if isinstance(read, str):
        desk.say(f"✗ {read}.")
        return None
    desk.typed = ""
    return read


def is_place(desk: Desk) -> bool:
    return desk.going or "," in desk.typed or "." in desk.typed


def go(desk: Desk) -> bool:
    """Move the cursor to the typed place.

    Returns whether the place exists; otherwise an error message is shown.
    """
    text, desk.typed, desk.going = desk.typed, "", False
    at = words.read_place(text, desk.picture)
    if isinstance(at, str):
        desk.say(f"✗ {at}.")
        return False
    desk.cursor = at
    return True
