"""List the sentences that players may read."""

from __future__ import annotations


def words(game: str, /, *, language: str | None = None, json: bool = False) -> None:
    """List the sentences of a game: prompts, refusals, log lines, forecasts, lessons, as templates with named values.

    Args:
        game: The ruleset, as in `duel`; `shared` for the sentences that all games share,
            `terminal` for those of the terminal.
        language: Print the translations into a language, as in `de`, and how many sentences have one. A sentence
            without a translation stays English.
        json: Print one JSON object instead of lines. Each sentence has its key, which is the English template, its
            text, its file, its line, and whether it is translated.
    """
    from caltrop.cli import print_json
    from caltrop.errors import InputError
    from caltrop.lab import sentences
    from caltrop.languages import languages
    from caltrop.roster import nearest

    if game not in sentences.SCOPES:
        raise InputError(f"there are no sentences of {game!r}; {nearest(game, sentences.SCOPES)}")
    if language is not None and language not in ("en", *languages()):
        raise InputError(f"there are no translations into {language[:40]!r}; {nearest(language, ('en', *languages()))}")
    translated = {} if language in (None, "en") else sentences.translations(str(language), game)
    rows = [
        {
            "key": sentence.text,
            "text": translated.get(sentence.text, sentence.text),
            "file": sentence.file,
            "line": sentence.line,
            "translated": sentence.text in translated,
        }
        for sentence in sentences.sentences_of(game)
    ]
    if json:
        print_json({"ruleset": game, "language": language or "en", "sentences": rows})
        return
    for row in rows:
        print(f"{row['file']}:{row['line']}: {row['text']}")
    if language not in (None, "en"):
        print(f"Translated into {language}: {sum(bool(row['translated']) for row in rows)} of {len(rows)} sentences.")
