"""Keep a campaign: a roster, its battles, and their results.

A campaign is a file. Its battles are ordinary games. After a battle its record is counted, which updates the file
completely or not at all.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from caltrop.agreeing import quantity
from caltrop.cli import UsageError, print_json
from caltrop.cli._game import check_output
from caltrop.errors import InputError

if TYPE_CHECKING:
    from caltrop.engine.campaign import Member, Overview
    from caltrop.engine.parts import Campaigns
    from caltrop.journal import Record, Setting


def campaign(
    act: Literal["new", "show", "play", "count", "again", "dress", "chronicle"],
    file: Path,
    record: Path | None = None,
    /,
    *,
    game: str | None = None,
    title: str | None = None,
    army: str | None = None,
    rule: tuple[str, ...] = (),
    pack: str | None = None,
    course: str | None = None,
    field: str | None = None,
    player: str | None = None,
    seed: str | None = None,
    answer: tuple[str, ...] = (),
    look: bool = False,
    who: str | None = None,
    name: str | None = None,
    cloak: str | None = None,
    saying: str | None = None,
    played_by: str | None = None,
    terminal: bool = False,
    port: int = 8420,
    database: str = "",
    no_browser: bool = False,
    json: bool = False,
) -> int:
    """Begin a campaign, show its state, play its next battle, or count a battle that has been played.

    Args:
        act: The act. A battle in the browser is saved there as a record, and counted with "count". "again" continues
            with the same roster after all battles, and "dress" gives a member a name, a cloak or a battle cry.
            "chronicle" tells its battles in order.
        file: The campaign, by custom NAME.caltrop-campaign.json.
        record: The battle that is counted (`.caltrop.json`), played to its end or given up.
        game: Of a new campaign, the game; the first of the list of games that has campaigns by default.
        title: Of a new campaign, its title; by default the file's name.
        army: Of a new campaign, the army list that its roster begins with: an id or a file.
        rule: Of a new campaign, a house rule as NAME=VALUE; may be given several times.
        pack: A pack that is laid over the rulebook: a folder, a zip, a document, a link, or one that is installed.
        course: Of which battles a new campaign is made, or one that goes on; the game's usual ones where it is
            left out.
        field: Members who fight the battle, as NAME,NAME; the best by default.
        player: A computer player who plays the battle at once; it is counted, and its record kept beside the campaign.
        seed: Decides the dice of a battle that a computer plays; chance by default.
        answer: Your decision about a battle that is counted, as QUESTION=NAME,NAME; may be given several times.
            The game has usual answers to the questions that a battle puts.
        look: Only show the result of counting a battle, with its questions, and leave the file unchanged.
        who: Current name of the member to dress.
        name: Her new name, also in the battles that she has fought.
        cloak: Her new colours, such as wine; empty for her original ones.
        saying: Her battle cry; empty for none.
        played_by: Person who plays her, if several people play the roster; empty for anybody.
        terminal: Play the battle in the terminal.
        port: The server's port, as in `caltrop play`.
        database: Database of games, as in `caltrop play`.
        no_browser: Print the address without opening a browser.
        json: Print JSON.
    """
    from shlex import quote

    from caltrop.scenarios.campaigns import read_campaign

    if (record is None) != (act != "count"):
        raise UsageError("name the record to count, as in: caltrop campaign count FILE RECORD")
    given: dict[str, dict[str, object]] = {
        "new": {"--game": game, "--title": title, "--army": army, "--rule": rule},
        "new again": {"--course": course},
        "play": {"--field": field, "--player": player, "--seed": seed, "--terminal": terminal, "--database": database},
        "play count": {"--answer": answer, "--look": look},
        "dress": {"--who": who, "--name": name, "--cloak": cloak, "--saying": saying, "--played-by": played_by},
    }
    for acts, options in given.items():
        alien = [option for option, value in options.items() if value not in (None, (), "", False)]
        if alien and act not in acts.split():
            raise UsageError(f"{alien[0]} goes with {' and '.join(acts.split())}; this command is {act}")
    if act == "new":
        from caltrop.cli._game import house_rules

        _begin(file, game, title, army, house_rules(rule, pack), course)
    half, c = read_campaign(file)
    if act == "again":
        c = half.go_on(c, course)
        _write(file, half.encoded_campaign(c))
    if act == "dress":
        from caltrop.engine.campaign import Dress

        if who is None:
            raise UsageError("name the member to dress, as in: caltrop campaign dress FILE --who NAME --cloak wine")
        c = half.dressed(c, who, Dress(name=name, cloak=cloak, saying=saying, player=played_by))
        _write(file, half.encoded_campaign(c))
    if act == "play" and player is None:
        return _play(half.next_battle(c, _names(field)), terminal, port, database, no_browser)
    counted = None
    if act == "play":
        assert player is not None
        counted = half.counted(c, _fought(half, c, file, field, player, seed), _answers(answer))
    elif record is not None:
        from caltrop.journal import load

        counted = half.counted(c, load(record), _answers(answer))
    if counted is not None:
        c = counted.campaign
        if not look:
            _write(file, half.encoded_campaign(c))
    if json:
        battle, questions = (None, ()) if counted is None else (counted.battle, counted.questions)
        overview = {"overview": half.overview(c), "battle": battle, "questions": questions}
        print_json(overview)
        return 0
    if counted is not None:
        for line in counted.battle.told:
            print(f"{line.words} ({', '.join(line.clauses)})")
        for question in counted.questions:
            setting_line = f"{question.id}={','.join(question.chosen)}"
            chosen = f" (--answer {quote(setting_line)})" if look else f": {', '.join(question.chosen) or 'nobody'}"
            print(f"{question.words}{chosen}")
        if look:
            print("The battle is not counted yet. Without --look it is counted, with these answers or your own")
        print()
    (_chronicle if act == "chronicle" else _show)(half.overview(c))
    return 0


def _names(text: str | None) -> tuple[str, ...] | None:
    return None if text is None else tuple([name.strip() for name in text.split(",") if name.strip()])


def _answers(given: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """Return the decisions about a battle."""
    answers: dict[str, tuple[str, ...]] = {}
    for one in given:
        question, equals, names = one.partition("=")
        if not equals:
            raise UsageError(f"an answer is written QUESTION=NAME,NAME; this one is {one!r}")
        answers[question.strip()] = _names(names) or ()
    return answers


def _begin(
    file: Path, game: str | None, title: str | None, army: str | None, rules: dict[str, str], course: str | None
) -> None:
    """Write a new campaign; never overwrite an existing file."""
    from caltrop.host.seats import SecureDice, new_id
    from caltrop.scenarios.campaigns import campaigns

    half = campaigns(game or _first_game())
    name = title or file.name.partition(".")[0].replace("-", " ").title()
    made = half.begin(name, SecureDice(), id=new_id(), army=army, rules=rules, course=course)
    text = half.encoded_campaign(made)
    half.campaign_file(text.decode())  # what could not be read again is not written
    try:
        with file.open("xb") as stream:
            stream.write(text)
    except FileExistsError:
        raise InputError("this file exists already; a campaign is never overwritten", source=str(file)) from None
    except OSError as error:
        raise InputError(error.strerror or str(error), source=str(file)) from None


def _first_game() -> str:
    from caltrop.engine import with_part

    return with_part("campaigns")[0]


def _write(file: Path, text: bytes) -> None:
    """Put the file in place as a whole."""
    import os
    import tempfile

    try:
        number, name = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")
        with os.fdopen(number, "wb") as stream:
            stream.write(text)
            os.fchmod(stream.fileno(), file.stat().st_mode & 0o777)
            stream.flush()
            os.fsync(stream.fileno())
        Path(name).replace(file)
    except OSError as error:
        raise InputError(error.strerror or str(error), source=str(file)) from None


def _play(setting: Any, terminal: bool, port: int, database: str, no_browser: bool) -> int:
    import msgspec

    from caltrop.cli.play import start

    choices = {key: value for key, value in msgspec.structs.asdict(setting).items() if value is not None}
    return start(choices, terminal=terminal, port=port, database=database, no_browser=no_browser)


def _fought(
    half: Campaigns[Any, Setting, Record], c: Any, file: Path, field: str | None, player: str, seed: str | None
) -> Record:
    """Return the next battle, played by the computer; its record is kept beside the campaign."""
    import secrets

    from caltrop.chance import Seeded
    from caltrop.journal import record_of, save
    from caltrop.players import playable, players_of
    from caltrop.roster import choose

    setting = half.next_battle(c, _names(field))
    choose(player, playable(setting.ruleset), "player", "player")
    stem = file.name.partition(".")[0]
    record_file = file.with_name(f"{stem}-battle-{len(half.overview(c).battles) + 1}.caltrop.json")
    check_output(record_file)
    dice = seed if seed is not None else secrets.token_hex(16)
    match = setting.begin(Seeded(f"{dice} table"))
    sides = len(match.ruleset.depict(match.view(None), None).seats)
    players_of(match, *[player] * sides, seed=dice).play()
    automated = match.ruleset.automated(match.state)
    who = ["rules" if side in automated else player for side in range(sides)]
    record = record_of(match, setting, players=who, seed=f"{dice} table")
    try:
        save(record, record_file)
    except OSError as error:
        raise InputError(error.strerror or str(error), source=str(record_file)) from None
    return record


def _show(shown: Overview) -> None:
    from caltrop.engine.campaign import words_of

    fought = len(shown.battles)
    many = quantity(fought, "battle") if shown.length is None else f"{fought} of {quantity(shown.length, 'battle')}"
    course = f" of {shown.course}" if shown.course else ""
    print(f"{shown.title}: {many}{course} fought, score {shown.points}")
    for words in shown.notes:
        print(f"  {words}")
    for part in shown.score:
        print(f"  {part.value:4}  {part.words} ({part.clause})")
    rows = [["Name", *[column.words for column in shown.columns], ""]]
    rows += [
        [one.name, *[words_of(v, c) for v, c in zip(one.values, shown.columns, strict=True)], _besides(one)]
        for one in shown.roster
    ]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    right = [False, *[column.form == "count" for column in shown.columns], False]
    for row in rows:
        cells = [f"{v:>{w}}" if r else f"{v:{w}}" for v, w, r in zip(row, widths, right, strict=True)]
        print(f"  {'  '.join(cells)}".rstrip())
    for words in shown.gone:
        print(f"  No more on the roster: {words}")
    for number, battle in enumerate(shown.battles, 1):
        result = "given up" if battle.given_up else battle.result
        print(f"  Battle {number}: {battle.title}: {result}, {battle.came}")
    for one in shown.courses:
        print(f"  It may go on with --course {one.id}: {one.title}. {one.words}")
    if shown.next is not None:
        print(f"  Next: {shown.next.title}, with {', '.join(shown.next.field)}")
        for words in shown.next.words:
            print(f"    {words}")


def _besides(one: Member) -> str:
    """Return the text after the columns: why a member cannot fight, with dress and saying."""
    cloak = f"wears {one.cloak}" if one.cloak else ""
    player = f"played by {one.player}" if one.player else ""
    return ", ".join([words for words in (one.note, player, cloak, f"“{one.saying}”" if one.saying else "") if words])


def _chronicle(shown: Overview) -> None:
    """Print the story of the battles, a paragraph each."""
    from textwrap import fill

    print(shown.title)
    for words in shown.notes:
        print(words)
    for number, battle in enumerate(shown.battles, 1):
        print(f"\n{number}. {battle.title}\n")
        print(fill(" ".join(battle.tale) or f"{battle.came}.", 78))
    if shown.gone:
        print(f"\nNo more on the roster: {', '.join(shown.gone)}.")
    left = "More battles follow" if shown.next is not None else "That was its last battle"
    print(f"\n{left if shown.battles else 'No battle has been fought'}. The score is {shown.points}.")
