"""List every sentence that players of a game may read, with where it stands."""

from __future__ import annotations


def words(game: str, /, *, json: bool = False) -> None:
    """List the sentences of a game: prompts, refusals, log lines, forecasts, lessons, as templates with named values.

    Args:
        game: The ruleset, as in `duel`; `shared` for the sentences that all games share.
        json: Print one JSON object instead of lines.
    """
    from caltrop.cli import print_json
    from caltrop.errors import InputError
    from caltrop.lab.sentences import SCOPES, sentences_of
    from caltrop.roster import nearest

    if game not in SCOPES:
        raise InputError(f"there are no sentences of {game!r}; {nearest(game, SCOPES)}")
    sentences = sentences_of(game)
    if json:
        print_json({"ruleset": game, "sentences": sentences})
        return
    for sentence in sentences:
        print(f"{sentence.file}:{sentence.line}: {sentence.text}")
