"""Play: start the local server and open the browser at the table, or play in the terminal.

A running server is used again. If another program uses the port, a free one is taken.
"""

from __future__ import annotations

from typing import Any

from caltrop.cli import UsageError, complaint
from caltrop.errors import InputError

DEFAULT_PORT = 8420
PATIENCE = 60
"""Seconds in which the server must begin a game."""


def play(
    game: str | None = None,
    /,
    *,
    at: int | None = None,
    scenario: str | None = None,
    armies: str | None = None,
    size: int | None = None,
    edition: str | None = None,
    rule: tuple[str, ...] = (),
    pack: str | None = None,
    players: str | None = None,
    terminal: bool = False,
    language: str | None = None,
    port: int = DEFAULT_PORT,
    database: str = "",
    no_browser: bool = False,
) -> int:
    """Start the local server and open the browser at the lobby, or at a new battle of a game.

    Args:
        game: A game, as `caltrop games` names them; by default, the lobby. Or the record of a finished game
            (`.caltrop.json`, gzipped or not), to be continued from a moment with other dice.
        at: The moment from which a record is continued, as a number of acts.
        scenario: A scenario of the game; its first by default.
        armies: An army for each side, as X,Y.
        size: Units on each side, if the scenario leaves it open.
        edition: An edition of the game.
        rule: A house rule as NAME=VALUE; may be given several times.
        pack: The pack to use: a folder, a zip, a document, a link, or an installed one.
        players: Player of each side, as person,easy; a person against an easy computer by default.
        terminal: Play in the terminal instead.
        language: Language of the terminal, as in `de`; English by default. The page has its own setting.
        port: The server's port; another free one if this is taken.
        database: Database of games; the user's data folder by default.
        no_browser: Print the address without opening a browser.
    """
    if language is not None:
        _check_language(language, terminal)
    if game is not None and game.endswith((".json", ".gz")):
        if scenario or armies or size is not None or edition or rule or pack:
            raise UsageError("a record has its scenario, armies and rules; --at and --players alone go with it")
        if at is None:
            raise UsageError("from which moment? Name it, as in caltrop play FILE --at 12")
        recorded = _of_record(game, at, players)
        return start(
            recorded, terminal=terminal, language=language, port=port, database=database, no_browser=no_browser
        )
    if at is not None:
        raise UsageError("--at belongs to the record of a game, as in caltrop play FILE --at 12")
    if game is None and (scenario or armies or size is not None or edition or rule or pack or players):
        raise UsageError("which game? Name it first, as in caltrop play duel")
    options = None if game is None else _wanted(game, scenario, armies, size, edition, rule, players, pack)
    return start(options, terminal=terminal, language=language, port=port, database=database, no_browser=no_browser)


def _check_language(language: str, terminal: bool) -> None:
    from caltrop.languages import languages
    from caltrop.roster import nearest

    if not terminal:
        raise UsageError("--language goes with --terminal; the language of the page is chosen under Settings")
    names = ("en", *languages())
    if language not in names:
        raise InputError(f"there are no translations into {language[:40]!r}; {nearest(language, names)}")


def start(
    options: dict[str, Any] | None,
    *,
    terminal: bool,
    language: str | None = None,
    port: int,
    database: str,
    no_browser: bool,
) -> int:
    """Go to a new game in the browser or in the terminal, or to the lobby.

    Args:
        options: The server request for the game; None for the lobby.
        terminal: As in `play`, like the other arguments.
        port: The server's port.
        database: Database of games.
        no_browser: Print the address, and open no browser.
    """
    if terminal:
        from caltrop.terminal import run as play_here

        if options is not None and "pack" in options:
            from caltrop.engine import ruleset
            from caltrop.kit.requests import with_pack

            game = ruleset(options["ruleset"])
            options["rules"] = with_pack(game, options.get("rules", {}), options.pop("pack"))

        if options is not None:
            _files(options)
        return play_here(options or {}, database, language or "en")
    if options is not None and "record" not in options:
        _check(options)
    files = [] if options is None else _files(options)
    # A server that runs already opens no files of ours, and has its own database.
    running = None if database or files or not 0 <= port <= 65_535 else _running(port)
    if running:
        import sys

        print(f"Caltrop is running already, at {running}/", file=sys.stderr)
        _open(_address(running, options), not no_browser)
        return 0
    from pathlib import Path

    from caltrop.server.run import listening, run

    try:
        listening("127.0.0.1", port).close()
    except InputError:
        if not 0 <= port <= 65_535:
            raise
        port = 0

    def ready(address: str) -> None:
        import sys
        import threading

        def begin() -> None:
            try:
                page = _address(address, options)
            except (InputError, OSError) as error:
                print(complaint(error), file=sys.stderr)
                print("The game could not be started; the lobby opens instead.", file=sys.stderr)
                page = f"{address}/"
            _open(page, not no_browser)

        # The server answers in this thread, and the new game is made by asking it.
        threading.Thread(target=begin, daemon=True).start()

    here = Path.cwd()
    return run(host="127.0.0.1", port=port, database=database, files=files, studies=here, may_open=True, ready=ready)


def _of_record(file: str, at: int, players: str | None) -> dict[str, Any]:
    """Return the server request for a game that continues from a moment of a recorded one.

    Raises:
        InputError: when it cannot be continued from there.
    """
    from pathlib import Path

    from caltrop.engine import Refused
    from caltrop.host.making import joint, recorded
    from caltrop.host.seats import ServerLibrary
    from caltrop.journal import load

    try:
        record = load(Path(file))
        joint(recorded(ServerLibrary(), record)[1], at)
    except Refused as refused:
        raise InputError(str(refused), source=file) from None
    except InputError as error:
        error.source = error.source or file
        raise
    except ValueError as error:
        raise InputError(str(error), source=file) from None
    return {"record": str(Path(file).resolve()), "at": at, "seats": players.split(",") if players else []}


def _wanted(
    game: str,
    scenario: str | None,
    armies: str | None,
    size: int | None,
    edition: str | None,
    rule: tuple[str, ...],
    players: str | None,
    pack: str | None,
) -> dict[str, Any]:
    """Return the server request for the game."""
    options: dict[str, Any] = {"ruleset": game}
    laid = None
    if pack is not None:
        from caltrop.cli._game import given_pack
        from caltrop.engine import ruleset
        from caltrop.scenarios.packs import as_plain

        file = given_pack(pack)
        laid = ruleset(game).pack(file)
        options["pack"] = as_plain(file)
    if scenario:
        options["scenario"] = scenario
    if armies:
        from caltrop.cli._game import army_names
        from caltrop.engine.packs import reading
        from caltrop.kit.armies import as_text_of_file

        with reading(laid):
            options["armies"] = [as_text_of_file(word, game) for word in army_names(armies)]
    if size is not None:
        options["size"] = size
    if edition:
        options["edition"] = edition
    if players:
        options["seats"] = players.split(",")
    for text in rule:
        name, equals, value = text.partition("=")
        if not equals:
            raise UsageError(f"a house rule is given as NAME=VALUE; this one is {text!r}")
        options.setdefault("rules", {})[name] = value
    return options


def _files(options: dict[str, Any]) -> list[str]:
    """Return the user's own scenario and army files as absolute paths, also in *options*."""
    from pathlib import Path

    from caltrop.roster import is_text

    def whole(name: str) -> str:
        named = not is_text(name) and ("." in name or "/" in name)
        return str(Path(name).resolve()) if named and Path(name).is_file() else name

    if "scenario" in options:
        options["scenario"] = whole(options["scenario"])
    if "armies" in options:
        options["armies"] = [whole(name) for name in options["armies"]]
    named = [options.get("scenario", ""), *options.get("armies", ())]
    return [name for name in named if not is_text(name) and Path(name).is_absolute()]


def _check(options: dict[str, Any]) -> None:
    """Raise an error for an unknown name, before a server is started or a browser opened."""
    from caltrop.engine import ruleset
    from caltrop.kit.requests import with_pack
    from caltrop.roster import choose

    try:
        rules = ruleset(options["ruleset"])
        book = rules.book(options.get("edition"), with_pack(rules, options.get("rules", {}), options.get("pack")))
        scenario = options.get("scenario") or rules.scenarios()[0].id
        state = rules.begin(book, scenario, options.get("armies", ()), options.get("size"))
    except ValueError as error:
        if isinstance(error, InputError):
            raise
        raise InputError(str(error)) from None
    seats = options.get("seats")
    if seats is not None:
        from caltrop.host.seats import seated
        from caltrop.players import playable

        try:
            seated(rules, state, seats)
        except ValueError as error:
            raise InputError(str(error)) from None
        players = ("person", *playable(rules.name))
        for seat in seats:
            choose(seat, players, "player", "players")


def _running(port: int) -> str | None:
    """Return the address of a running Caltrop server of this version at *port*, or None."""
    import http.client
    import json

    from caltrop import __version__

    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=1)
    try:
        connection.request("GET", "/api/ping")
        answer = connection.getresponse()
        health = json.loads(answer.read(1000)) if answer.status == 200 else None
    except (OSError, http.client.HTTPException, ValueError):
        return None
    finally:
        connection.close()
    return f"http://127.0.0.1:{port}" if isinstance(health, dict) and health.get("caltrop") == __version__ else None


def _address(server: str, options: dict[str, Any] | None) -> str:
    """Return the address to open: the lobby, or a new game. Secrets are in the fragment."""
    if options is None:
        return f"{server}/"
    import json
    import urllib.error
    import urllib.parse
    import urllib.request
    from pathlib import Path

    headers, path, body = {"Content-Type": "application/json"}, "games", json.dumps(options).encode()
    if "record" in options:
        asked = urllib.parse.urlencode({"at": options["at"], "seats": ",".join(options["seats"])})
        path, body = f"replay/play-on?{asked}", Path(options["record"]).read_bytes()
    request = urllib.request.Request(f"{server}/api/{path}", body, headers)
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            made = json.load(answer)
    except TimeoutError:
        raise InputError(f"the server did not start the game within {PATIENCE} seconds") from None
    except urllib.error.HTTPError as error:
        raise InputError(str(json.load(error).get("message", error))) from None
    tokens = {seat["side"]: seat["token"] for seat in made["seats"] if seat["token"]}
    # One secret stands alone; the page knows several by their sides.
    fragment = urllib.parse.urlencode(tokens) if len(tokens) > 1 else "".join(tokens.values())
    return f"{server}/{made['game']}#{fragment}" if fragment else f"{server}/{made['game']}"


def _open(address: str, browser: bool) -> None:
    import sys
    import webbrowser

    print(address, flush=True)
    if browser and not webbrowser.open(address):
        print("No browser could be opened; open this address yourself.", file=sys.stderr)
