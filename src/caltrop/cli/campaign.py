"""Keep a campaign: a roster, its season of battles, and what each of them came to.

A campaign is a file. A battle of it is an ordinary game, whose record is counted when it is over; counting changes the
file as a whole or not at all.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from caltrop import InputError
from caltrop.cli import UsageError

if TYPE_CHECKING:
    from caltrop.engine.parts import Campaigns
    from caltrop.journal import Record, Setting


def campaign(
    act: Literal["new", "show", "play", "count"],
    file: Path,
    record: Path | None = None,
    /,
    *,
    game: str | None = None,
    title: str | None = None,
    warband: str | None = None,
    rule: tuple[str, ...] = (),
    field: str | None = None,
    player: str | None = None,
    seed: str | None = None,
    hold: str = "",
    recruits: str | None = None,
    terminal: bool = False,
    port: int = 8420,
    database: str = "",
    no_browser: bool = False,
    json: bool = False,
) -> int:
    """Begin a campaign, show how it stands, play its next battle, or count a battle that has been played.

    Args:
        act: What is to be done. A battle in the browser is saved there as a record, and counted with "count".
        file: The campaign, by custom NAME.caltrop-campaign.json.
        record: The battle that is counted (`.caltrop.json`), played to its end or given up.
        game: Of a new campaign, the game; it may be left out while one game alone has campaigns.
        title: Of a new campaign, what it is called; its file's name where it is left out.
        warband: Of a new campaign, the warband that its roster begins with: an id or a file.
        rule: Of a new campaign, a house rule as NAME=VALUE; may be given several times.
        field: Who fights the battle, as NAME,NAME; the best where it is left out.
        player: A computer player who plays the battle at once; it is counted, and its record kept beside the campaign.
        seed: Decides the dice of a battle that a computer plays; chance where it is left out.
        hold: Who does not rise yet, though she could, as NAME,NAME.
        recruits: The names of the recruits; as many as there may be, with names of the game, where it is left out.
        terminal: Play the battle in the terminal.
        port: The server's port, as of `caltrop play`.
        database: Where games are kept, as of `caltrop play`.
        no_browser: Print the address, and open no browser.
        json: Print JSON.
    """
    from caltrop.scenarios.campaigns import read_campaign

    if (record is None) != (act != "count"):
        raise UsageError("a record is what is counted, as in: caltrop campaign count FILE RECORD")
    if act == "new":
        from caltrop.cli._game import house_rules

        _begin(file, game, title, warband, house_rules(rule))
    half, c = read_campaign(file)
    if act == "play" and player is None:
        return _play(half.next_battle(c, _names(field)), terminal, port, database, no_browser)
    counted = None
    if act == "play":
        assert player is not None
        counted = _count(half, c, _fought(half, c, file, field, player, seed), hold, recruits)
    elif record is not None:
        from caltrop.journal import load

        counted = _count(half, c, load(record), hold, recruits)
    if counted is not None:
        c = counted.campaign
        _write(file, half.encoded_campaign(c))
    if json:
        import sys

        import msgspec

        told = {"battle": None if counted is None else counted.battle, **msgspec.structs.asdict(half.overview(c))}
        sys.stdout.buffer.write(msgspec.json.encode(told) + b"\n")
        return 0
    if counted is not None:
        for line in counted.battle.told:
            print(f"{line.words} ({', '.join(line.clauses)})")
        print()
    _show(half.overview(c))
    return 0


def _names(text: str | None) -> tuple[str, ...] | None:
    return None if text is None else tuple([name.strip() for name in text.split(",") if name.strip()])


def _begin(file: Path, game: str | None, title: str | None, warband: str | None, rules: dict[str, str]) -> None:
    """Write a new campaign; a file that is there already is left alone."""
    from caltrop.scenarios.campaigns import campaigns
    from caltrop.server.seats import SecureDice, new_id

    half = campaigns(game or _only_game())
    name = title or file.name.partition(".")[0].replace("-", " ").title()
    made = half.begin(name, SecureDice(), id=new_id(), warband=warband, rules=rules)
    try:
        with file.open("xb") as stream:
            stream.write(half.encoded_campaign(made))
    except FileExistsError:
        raise InputError("there is such a file already; a campaign is never written over", source=str(file)) from None
    except OSError as error:
        raise InputError(error.strerror or str(error), source=str(file)) from None


def _only_game() -> str:
    """The game that has campaigns, where there is but one."""
    from caltrop.engine import with_part

    known = with_part("campaigns")
    if len(known) != 1:
        raise UsageError(f"which game? Name one by --game: {', '.join(known)}")
    return known[0]


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

    wanted = {key: value for key, value in msgspec.structs.asdict(setting).items() if value is not None}
    return start(wanted, terminal=terminal, port=port, database=database, no_browser=no_browser)


def _fought(
    half: Campaigns[Setting, Record], c: Any, file: Path, field: str | None, player: str, seed: str | None
) -> Record:
    """The next battle, played by the computer; its record is kept beside the campaign."""
    import secrets

    from caltrop.chance import Seeded
    from caltrop.journal import record_of, save
    from caltrop.players import players, players_of
    from caltrop.roster import choose

    setting = half.next_battle(c, _names(field))
    choose(player, players(setting.ruleset), "player", "player")
    dice = seed if seed is not None else secrets.token_hex(16)
    match = setting.begin(Seeded(f"{dice} table"))
    sides = len(match.ruleset.depict(match.view(None), None).seats)
    players_of(match, *[player] * sides, seed=dice).play()
    automated = match.ruleset.automated(match.state)
    who = ["rules" if side in automated else player for side in range(sides)]
    record = record_of(match, setting, players=who, seed=f"{dice} table")
    stem = file.name.partition(".")[0]
    kept = file.with_name(f"{stem}-battle-{len(c.battles) + 1}.caltrop.json")
    try:
        save(record, kept)
    except OSError as error:
        raise InputError(error.strerror or str(error), source=str(kept)) from None
    return record


def _count(half: Campaigns[Setting, Record], c: Any, record: Record, hold: str, recruits: str | None) -> Any:
    return half.after_battle(c, record, half.Choices(hold=_names(hold) or (), recruits=_names(recruits)))


def _many(count: int, of: str) -> str:
    return f"{count} {of}" if count == 1 else f"{count} {of}s"


def _show(shown: Any) -> None:
    c = shown.campaign
    print(f"{c.title}: {_many(len(c.battles), 'battle')} fought, score {shown.points}")
    for part in shown.score:
        print(f"  {part.value:4}  {part.words} ({part.clause})")
    print(f"  {'Name':20} {'Quality':13} {'Next step':17} {'Kills':>5} {'Trophies':>8} {'Battles':>7}  State")
    for one in shown.roster:
        line, step = one.line, one.next
        needs = "-" if step is None else f"{step.has} of {step.needs} {step.of}"
        quality = f"{line.quality} {one.called}"
        print(
            f"  {line.name:20} {quality:13} {needs:17} {line.kills:5} {line.trophies:8} {line.battles:7}  {line.state}"
        )
    for line in c.fallen:
        print(f"  {line.name:20} fallen with Quality {line.quality}, {_many(line.kills, 'kill')}")
    for number, battle in enumerate(c.battles, 1):
        came = [
            "given up" if battle.given_up else battle.result,
            _many(battle.kills, "kill"),
            f"{battle.dead} dead",
        ]
        print(f"  Battle {number}: {shown.titles[battle.scenario]}: {', '.join(came)}")
    if c.next is not None:
        print(f"  Next: {shown.titles[c.next]}, with {', '.join(shown.field)}")
    for one in c.nemeses:
        print(f"  Against you, too: {one.name}, Quality {one.quality}")
