"""Record a set of games, databases and campaigns: `python -m tests.corpus.record FOLDER`.

Stored games must stay readable. So a set is recorded once, by the code of its time, and `test_corpus.py` opens, replays
and verifies every set. The program uses only public interfaces: the journal, the server's requests, campaigns and their
files. For every ruleset and edition, a set has finished and unfinished games. They include typed dice, undone and
repeated acts, resignations, sealed and secret choices, random house rules, and a campaign. The number of further games
depends on their size.

Recording games of the journal again with the same code gives the same files. Games of a server have random dice, names
and secrets.
"""

from __future__ import annotations

import gzip
import json
import sqlite3
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice, zip_longest
from pathlib import Path
from typing import Any

import msgspec

from caltrop import __version__
from caltrop.chance import Awaiting, Dice, Seeded, TypedIn
from caltrop.engine import Decision, Match, Ruleset, ruleset, rulesets, with_part
from caltrop.journal import Record, Setting, encoded, record_of
from caltrop.players import Player, player, players
from caltrop.scenarios import built_in
from caltrop.scenarios.campaigns import campaigns
from caltrop.scenarios.lessons import lessons
from caltrop.server.app import create_app
from caltrop.server.guard import ServerLimits

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from starlette.testclient import TestClient

SALT = b"a secret of the corpus"
ROOM = 110_000
"""Number of bytes of recorded games of one edition after which no more games are played."""
FEW = 3
"""Number of sorts of games in the database of a small set: a finished one, an unfinished one, and a resigned one."""
LONGEST = 1500
"""Number of acts after which an endless game is stopped."""


class Stored(msgspec.Struct, kw_only=True):
    """The stored facts about a recorded game, to which later versions are compared."""

    ruleset: str
    edition: str
    rules_version: int
    how: str
    """Why the game is in the set, in a few words."""
    entries: int
    over: str | None
    """Why the game ended; None if it is unfinished."""
    winner: int | None = None


class Kept(msgspec.Struct, kw_only=True):
    """The stored facts about a game in a database."""

    ruleset: str
    edition: str
    rules_version: int
    how: str
    acts: int
    over: bool
    tokens: tuple[str | None, ...]
    """The secret of each seat."""


class Contents(msgspec.Struct, kw_only=True):
    """The table of contents of a set."""

    engine_version: str
    rules_versions: dict[str, int]
    editions: dict[str, list[str]]
    games: dict[str, Stored] = {}
    databases: dict[str, dict[str, Kept]] = {}
    """Facts about the games of a database, by file and by the name of the game."""
    server_campaigns: dict[str, str] = {}
    """The name of the campaign in a database, by file."""
    campaign_tokens: dict[str, str] = {}
    """The secret of the campaign, by file; missing if the server had no secrets of campaigns."""
    campaigns: dict[str, int] = {}
    """Number of counted battles, by file."""


class Recorder:
    """A set that is being recorded.

    Args:
        folder: The folder of the set.
        names: The rulesets of the set.
    """

    def __init__(self, folder: Path, names: Sequence[str]) -> None:
        self.folder = folder
        for part in ("games", "databases", "campaigns"):
            (folder / part).mkdir(parents=True, exist_ok=True)
        self.contents = Contents(
            engine_version=__version__,
            rules_versions={name: ruleset(name).rules_version for name in names},
            editions={name: list(ruleset(name).editions) for name in names},
        )

    def keep(self, name: str, how: str, record: Record, file: bytes | None = None) -> None:
        """Store a recorded game."""
        path = f"games/{name}.caltrop.json.gz"
        assert path not in self.contents.games, path
        text = encoded(record) if file is None else file
        (self.folder / path).write_bytes(gzip.compress(text, 9, mtime=0))
        self.contents.games[path] = Stored(
            ruleset=record.ruleset,
            edition=record.edition,
            rules_version=record.rules_version,
            how=how,
            entries=len(record.entries),
            over=None if record.outcome is None else record.outcome.reason,
            winner=None if record.outcome is None else record.outcome.winner,
        )

    def taken(self, name: str, edition: str) -> int:
        """Return the number of bytes of the stored games of one edition."""
        return sum(
            (self.folder / path).stat().st_size
            for path, kept in self.contents.games.items()
            if (kept.ruleset, kept.edition) == (name, edition)
        )

    def write(self) -> None:
        """Write the table of contents."""
        text = json.dumps(msgspec.to_builtins(self.contents), indent=1, sort_keys=True)
        (self.folder / "contents.json").write_text(text + "\n", encoding="utf-8")


# Games of the journal


def by_hand(dice: TypedIn, otherwise: Dice, do: Any) -> Any:
    """Call a function that throws real dice. Each roll is typed in when the program asks for it."""
    while True:
        try:
            return do()
        except Awaiting as awaiting:
            dice.add(*otherwise.roll(awaiting.pool, awaiting.why))


class Evening:
    """A game of the journal that is being played.

    Args:
        setting: The settings of the game.
        seed: Determines all choices and dice.
        who: The player of all sides.
        typed: Whether the dice are real ones.
        undo: One act in this number is undone; 0 for none.
    """

    def __init__(self, setting: Setting, seed: str, who: str = "random", typed: bool = False, undo: int = 0) -> None:
        self.setting, self.seed, self.undo = setting, f"{seed} table", undo
        self.throws, self.whims = Seeded(self.seed), Seeded(f"{seed} whims")
        self.typed = TypedIn((), self.throws) if typed else None
        dice: Dice = self.typed or self.throws
        self.match: Match = self._do(lambda: setting.begin(dice))
        sides = len(self.match.ruleset.depict(self.match.view(None), None).seats)
        automated = self.match.ruleset.automated(self.match.state)
        self.players = tuple("rules" if side in automated else who for side in range(sides))
        self.minds: list[Player] = [player(who, setting.ruleset) for _ in range(sides)]
        self.own = [Seeded(f"{seed} player {side}") for side in range(sides)]

    def _do(self, do: Any) -> Any:
        if self.typed is None:
            return do()
        return by_hand(self.typed, self.throws, do)

    def play(self, acts: int = LONGEST) -> Match:
        """Play until a number of acts is in force, or the game is over."""
        match = self.match
        for _ in range(LONGEST):
            if match.over is not None or len(match.history) >= acts:
                break
            asked = match.waiting[self.whims.below(len(match.waiting))]
            chosen = self.minds[asked.side].decide(asked, match.view(asked.side), self.own[asked.side])
            self._do(lambda asked=asked, chosen=chosen: match.play(asked.side, chosen, asked))
            if self.undo and not self.whims.below(self.undo) and match.over is None:
                match.undo(asked.side, consent=self.whims.below(3) == 0)
        return match

    def record(self, **how: Any) -> Record:
        """Return the record of the game so far."""
        return record_of(self.match, self.setting, players=self.players, seed=self.seed, **how)


def armies_of(name: str, edition: str) -> list[tuple[str, ...]]:
    """Return some pairs of armies, so that each army is in at least one pair."""
    if name != "command-horizon":
        return []
    known = [army.id for army in ruleset(name).armies() if edition in army.editions]
    half = len(known) // 2 or 1
    return [(known[i], known[(i + half) % len(known)]) for i in range(len(known))]


def whims_of(rules: Ruleset, seed: str) -> dict[str, str | int]:
    """Return random house rules: a third of them have another value than usual."""
    dice, found = Seeded(seed), dict[str, str | int]()
    for switch in rules.switches:
        if dice.below(3) == 0 and switch.name not in ("game.rounds", "map_rows_cols", "table_in"):
            values = [value for value in switch.values if value != switch.default]
            if values:
                found[switch.name] = values[dice.below(len(values))]
    return found


def whimsical(rules: Ruleset, edition: str, scenario: str, seed: str) -> Setting:
    """Return settings of a game with random house rules, all of which can be combined."""
    for attempt in range(50):
        chosen = whims_of(rules, f"{seed} {attempt}")
        setting = Setting(ruleset=rules.name, edition=edition, scenario=scenario, rules=chosen)
        try:
            Evening(setting, seed).play(3)
        except ValueError:
            continue
        return setting
    raise ValueError(f"no house rules fit {scenario}")


def games(recorder: Recorder, name: str, edition: str) -> None:
    """Yield games of one edition from the journal: one of each sort, and then more while there is room."""
    rules = ruleset(name)
    scenarios = [card.id for card in rules.scenarios()]
    strong = [one for one in ("recruit", "veteran") if one in players(name)]

    def setting(scenario: str, **more: Any) -> Setting:
        return Setting(ruleset=name, edition=edition, scenario=scenario, **more)

    def keep(part: str, how: str, game: Evening, **more: Any) -> None:
        recorder.keep(f"{name}@{edition}@{part}", how, game.record(**more))

    def taken_back(scenario: str) -> None:
        game = Evening(setting(scenario), f"{name} {scenario} 1", undo=4)
        game.play()
        keep(f"{scenario}@undo", "finished, with acts taken back", game)

    def well_played(scenario: str, who: str) -> None:
        game = Evening(setting(scenario), f"{name} {scenario} 2", who)
        game.play()
        keep(f"{scenario}@{who}", f"finished by {who}", game)

    def house(number: int) -> None:
        seed = f"{name} {edition} house {number}"
        chosen = whimsical(rules, edition, scenarios[number % len(scenarios)], seed)
        # Random games with large armies are slow.
        game = Evening(chosen, seed, "heuristic" if name == "hex-command" else "random", undo=6)
        game.play()
        keep(f"{chosen.scenario}@house-{number}", "house rules by chance", game)

    def two_armies(number: int, armies: tuple[str, ...]) -> None:
        game = Evening(setting(scenarios[1 + number % 4], armies=armies), f"{name} armies {number}", "heuristic")
        game.play()
        keep(f"{'-against-'.join(armies)}", "two armies", game)

    def stopped(scenario: str) -> None:
        game = Evening(setting(scenario), f"{name} stopped {scenario}", undo=5)
        whole = len(Evening(setting(scenario), f"{name} stopped {scenario}").play().history)
        game.play(max(whole // 2, 1))
        assert game.match.over is None
        keep(f"{scenario}@goes-on-for-all", "goes on, as everybody may have it", game)
        keep(f"{scenario}@goes-on-for-side-0", "goes on, as side 0 may have it, salted", game, side=0, salt=SALT)
        keep(f"{scenario}@goes-on-for-side-1", "goes on, as side 1 may have it, salted", game, side=1, salt=SALT)
        keep(f"{scenario}@goes-on-with-all", "goes on, and keeps nothing back", game, everything=True)
        keep(f"{scenario}@given-up", "given up by side 0", game, resigned=0)

    first = scenarios[0]
    taken_back(first)
    for who in strong:
        well_played(first, who)
    game = Evening(setting(first), f"{name} typed", typed=True, undo=6)
    game.play()
    keep(f"{first}@typed", "finished, with dice typed in", game)
    stopped(first)
    house(0)
    if name == "command-horizon":
        secret = setting(first, rules={"setup.method": "secret", "overwatch": "on"})
        game = Evening(secret, f"{name} secret")
        game.play()
        keep("secret-deployment", "finished, deployed in secret", game)
        game = Evening(secret, f"{name} secret")
        game.play(1)
        keep("secret-deployment-half-way", "goes on, one side has deployed in secret", game, side=0, salt=SALT)
        text = built_in(name)[first].read_text(encoding="utf-8")
        game = Evening(setting(text), f"{name} own", undo=6)
        game.play()
        keep("own-scenario", "finished, on a scenario of one's own", game)
    if name == "blade-skirmish":
        for mode, scenario in (("coop", first), ("versus", first), ("versus_with_automata", "blood-price")):
            game = Evening(setting(scenario, rules={"mode": mode}), f"{name} {mode}", undo=6)
            game.play()
            keep(f"{scenario}@{mode}", f"finished, {mode}", game)
    more: list[list[Callable[[], None]]] = [
        [partial(house, number) for number in range(1, 6)],
        [partial(two_armies, number, armies) for number, armies in enumerate(armies_of(name, edition))],
        [partial(stopped, scenario) for scenario in scenarios[1:2]],
        [
            partial(well_played, scenario, who)
            for scenario in scenarios[1:]
            for who in (strong[-1:] if name == "hex-command" else strong[:1])
        ],
        [partial(taken_back, scenario) for scenario in scenarios[1:] if name != "hex-command"],
    ]
    for one in (one for turn in zip_longest(*more) for one in turn if one is not None):
        if recorder.taken(name, edition) > ROOM:
            return
        one()


def few_games(recorder: Recorder, name: str, edition: str) -> None:
    """Record two finished games of one edition and two unfinished ones, with typed dice, undone acts, and salted
    secrets.
    """
    first = ruleset(name).scenarios()[0].id
    setting = Setting(ruleset=name, edition=edition, scenario=first)

    def keep(part: str, how: str, game: Evening, **more: Any) -> None:
        recorder.keep(f"{name}@{edition}@{first}@{part}", how, game.record(**more))

    game = Evening(setting, f"{name} few typed", typed=True, undo=5)
    game.play()
    keep("typed", "finished, with dice typed in and acts taken back", game)
    game = Evening(setting, f"{name} few well", "heuristic")
    game.play()
    keep("heuristic", "finished by heuristic", game)
    whole = len(game.match.history)
    game = Evening(setting, f"{name} few stopped", "heuristic", undo=7)
    game.play(whole // 2)
    assert game.match.over is None
    keep("goes-on-for-side-0", "goes on, as side 0 may have it, salted", game, side=0, salt=SALT)
    keep("goes-on-for-all", "goes on, as everybody may have it", game)


# Campaigns


def season(recorder: Recorder, name: str) -> None:
    """Play a campaign to its end; return its file after every battle, and the battles."""
    half = campaigns(name)
    chosen = {switch.name: "on" for switch in ruleset(name).switches if switch.name == "nemesis"}
    who: list[str] = [one for one in ("recruit", "veteran") if one in players(name)]
    kept = half.begin("Red Hand", Seeded(f"{name} season"), id="thecorpus000", rules=chosen)
    recorded = 0
    while True:
        path = f"campaigns/{name}-after-{recorded}.caltrop-campaign.json"
        (recorder.folder / path).write_bytes(half.encoded_campaign(kept))
        recorder.contents.campaigns[path] = recorded
        if half.overview(kept).next is None:
            return
        game = Evening(
            half.next_battle(kept), f"{name} battle {recorded}", (who or ["random"])[recorded % max(len(who), 1)]
        )
        given_up = recorded == 1
        game.play(5 if given_up else LONGEST)
        record = game.record(resigned=0 if given_up and game.match.over is None else None)
        recorded += 1
        recorder.keep(f"{name}@season@battle-{recorded}", "a battle of a campaign", record)
        kept = half.counted(kept, record).campaign


# Games of a server


class Guest:
    """A client with all human seats of a game on a server. It sends only requests. It reads the legal acts from the
    server's state in the same process, and the server checks them.

    Args:
        client: The server.
        wanted: The request for the game.
        seed: Determines all choices.
    """

    def __init__(self, client: TestClient, seed: str, **wanted: Any) -> None:
        self.client, self.whims, self.wanted = client, Seeded(seed), wanted
        made = client.post("/api/games", json=wanted)
        assert made.status_code == 201, made.text
        self._sit(made.json())

    def _sit(self, made: dict[str, Any]) -> None:
        self.id: str = made["game"]
        self.tokens: tuple[str | None, ...] = tuple(seat["token"] for seat in made["seats"])

    @classmethod
    def at(cls, client: TestClient, seed: str, made: dict[str, Any]) -> Guest:
        """Return a client of a game that has been made."""
        guest = cls.__new__(cls)
        guest.client, guest.whims, guest.wanted = client, Seeded(seed), {}
        guest._sit(made)
        return guest

    @property
    def game(self) -> Any:
        """The game in the server's memory."""
        return self.client.app.app.state.games.live[self.id].game  # type: ignore[attr-defined]

    def bearer(self, *sides: int) -> dict[str, str]:
        """Return the header that presents the secrets of these sides, or of all sides."""
        wanted = sides or range(len(self.tokens))
        return {"Authorization": "Bearer " + ",".join(t for s in wanted if (t := self.tokens[s]) is not None)}

    def say(self, message: dict[str, Any], *sides: int) -> dict[str, Any]:
        """Return the answer to a message."""
        answer = self.client.post(f"/api/games/{self.id}/messages", json=message, headers=self.bearer(*sides))
        found: dict[str, Any] = answer.json()
        return found

    def done(self, message: dict[str, Any], *sides: int) -> None:
        """Send a message that has to succeed."""
        answer = self.say(message, *sides)
        assert answer["type"] == "done", answer

    def asked(self) -> tuple[str, Decision] | None:
        """Return a decision that waits for a person. Return None if the game is over or waits for dice."""
        for n in range(6000):
            game = self.game
            ids = [(id, d) for id, d in game.ids() if self.tokens[d.side] is not None]
            if ids:
                found: tuple[str, Decision] = ids[self.whims.below(len(ids))]
                return found
            if not game.ids():
                return None
            if n % 500 == 0:  # computer players of a game without people play only while somebody watches
                self.client.get(f"/api/games/{self.id}")
            time.sleep(0.01)
        raise RuntimeError("the computer does not answer")

    def answer(self, id: str, decision: Decision, alone: bool = False) -> None:
        """Answer a decision. Real dice are typed in when the server asks for them."""
        chosen = decision.options(self.game.match.view(decision.side)).sample(self.whims)
        message: dict[str, Any] = {"decision": id, "action": msgspec.to_builtins(chosen)}
        dice: list[list[int]] = []
        sides = (decision.side,) if alone else ()
        while (answer := self.say({**message, "dice": dice} if dice else message, *sides))["type"] != "done":
            if answer.get("code") == "wrong-dice":
                # The server's own dice differ this time, so it asks for other typed dice.
                dice.clear()
                continue
            assert answer.get("code") == "dice-wanted", answer
            dice.append(self.thrown(answer["values"]["count"], answer["values"]["sides"]))

    def thrown(self, count: int, sides: int) -> list[int]:
        """Real dice."""
        return [self.whims.below(sides) + 1 for _ in range(count)]

    def type_in(self) -> None:
        """Type in the dice that an act waits for."""
        pending = self.game.pending
        self.done({"type": "dice", "faces": self.thrown(pending.count, pending.sides)})

    def play(self, acts: int, alone: bool = False, back: bool = True) -> None:
        """Play a number of acts. Some are undone, freely or with permission, and some of those are redone."""
        for _ in range(acts):
            waits = self.asked()
            if waits is None:
                if self.game.pending is None or self.game.over is not None:
                    return
                self.type_in()
                continue
            id, decision = waits
            side = decision.side
            self.answer(id, decision, alone)
            if not back or self.game.over is not None or self.game.pending is not None:
                continue
            if self.whims.below(5) == 0 and self.game.match.boundary(side) is None:
                self.done({"type": "undo", "side": side})
                if self.whims.below(2) and self.game.view(side).undo.redo:
                    self.done({"type": "redo", "side": side})
            elif self.whims.below(12) == 0 and self.game.view(side).undo.takeback:
                self.done({"type": "takeback", "side": side})
                others = [s for s, token in enumerate(self.tokens) if s != side and token is not None]
                if others and self.game.takeback == side:
                    self.done({"type": "takeback", "side": others[0], "answer": bool(self.whims.below(3))})


class House:
    """A server whose database is packed into the set at the end."""

    def __init__(self, recorder: Recorder, name: str) -> None:
        self.recorder, self.path = recorder, f"databases/{name}.sqlite.gz"
        self.name, self.guests = name, dict[str, tuple[str, Guest]]()

    def record(self, how: str, guest: Guest, part: str = "") -> None:
        """Record the facts about a game at its present state; with *part*, also its record from the server."""
        self.guests[guest.id] = (how, guest)
        if part:
            answer = guest.client.get(f"/api/games/{guest.id}/record", headers=guest.bearer())
            assert answer.status_code == 200, answer.text
            record = msgspec.json.decode(answer.content, type=Record)
            self.recorder.keep(f"server@{self.name}@{part}", f"from a server: {how}", record, answer.content)

    def pack(self, file: Path) -> None:
        """Pack the database, which the server has closed."""
        flat = file.with_suffix(".flat")
        with sqlite3.connect(file) as database:
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            database.execute("PRAGMA journal_mode=DELETE")
            database.execute("VACUUM INTO ?", (str(flat),))
        database.close()
        (self.recorder.folder / self.path).write_bytes(gzip.compress(flat.read_bytes(), 9, mtime=0))

    def note(self) -> None:
        """Record the present state of every game."""
        found = self.recorder.contents.databases[self.path] = {}
        for id, (how, guest) in self.guests.items():
            setup = guest.game.setup
            found[id] = Kept(
                ruleset=setup.ruleset,
                edition=setup.edition,
                rules_version=setup.rules_version,
                how=how,
                acts=guest.game.acts,
                over=guest.game.over is not None,
                tokens=guest.tokens,
            )


def evenings(house: House, client: TestClient, name: str, edition: str) -> Iterator[Guest]:
    """Yield games of one edition on a server, each after its facts have been recorded."""
    match = Setting(ruleset=name, edition=edition, scenario=first(name)).begin(Seeded(0))
    alone = len(match.ruleset.automated(match.state)) > 0
    people = ("person",) * (1 if alone else 2)
    both: dict[str, Any] = {"ruleset": name, "edition": edition, "seats": people}
    number = 0

    def guest(**more: Any) -> Guest:
        nonlocal number
        number += 1
        return Guest(client, f"{name} {edition} guest {number}", **{**both, **more})

    one = guest()
    one.play(LONGEST)
    house.record("finished, with undo, redo and takebacks", one, "finished")
    yield one
    one = guest()
    one.play(14)
    house.record("goes on, with undo, redo and takebacks", one, "goes-on")
    yield one
    one = guest()
    one.play(9)
    one.done({"type": "resign", "side": 0})
    house.record("resigned by side 0", one, "resigned")
    yield one
    one = guest(dice="typed")
    one.play(LONGEST)
    house.record("finished, all dice typed in", one, "typed")
    yield one
    strong = next((p for p in ("recruit", "random") if p in players(name)), "random")
    if not alone:
        one = guest(seats=("person", strong))
        one.play(8)
        one.asked()
        house.record(f"goes on against {strong}", one, "against-the-computer")
        yield one
        one = guest(dice=("typed", "server"))
        for _ in range(80):
            one.play(1, alone=True, back=False)
            if one.game.pending is not None or one.game.over is not None:
                break
        house.record("an act waits for real dice" if one.game.pending is not None else "dice of one side typed", one)
        yield one
        one = guest()
        for _ in range(20):
            one.play(1, back=False)
            side = next((s for s in (0, 1) if one.game.over is None and one.game.view(s).undo.takeback), None)
            if side is not None:
                one.done({"type": "takeback", "side": side})
                break
        house.record("leave to take an act back is asked for", one)
        yield one
    if edition == ruleset(name).editions[0]:
        for lesson in lessons(name)[:2]:
            one = Guest(client, f"{name} lesson {lesson.id}", ruleset=name, lesson=lesson.id)
            one.play(3, back=False)
            house.record(f"the lesson {lesson.id}", one)
            yield one
    if name == "command-horizon":
        secret = {"setup.method": "secret"}
        one = guest(rules=secret)
        one.play(1, back=False)
        house.record("one side has deployed in secret", one, "secret-half-way")
        yield one
        one = guest(rules=secret)
        one.play(12)
        house.record("goes on, deployed in secret", one, "secret")
        yield one
    if name == "blade-skirmish":
        one = guest(rules={"mode": "versus"}, seats=("person", "person"))
        one.play(12)
        house.record("goes on, versus", one, "versus")
        yield one


def first(name: str) -> str:
    """Return the first scenario of a game."""
    return ruleset(name).scenarios()[0].id


def server_season(house: House, client: TestClient, name: str) -> Iterator[Guest]:
    """Record a campaign on a server: a battle that is fought and counted, a resigned one that is counted, and an
    unfinished one.
    """
    made = client.post("/api/campaigns", json={"ruleset": name, "title": "Red Hand"})
    assert made.status_code == 201, made.text
    id, token = made.json()["campaign"], made.json()["token"]
    house.recorder.contents.server_campaigns[house.path] = id
    house.recorder.contents.campaign_tokens[house.path] = token
    leads = {"Authorization": f"Bearer {token}"}
    for number in range(3):
        if client.get(f"/api/campaigns/{id}", headers=leads).json()["overview"]["next"] is None:
            break  # a short campaign, whose battles have all been counted
        battle = client.post(f"/api/campaigns/{id}/battle", json={}, headers=leads)
        assert battle.status_code == 201, battle.text
        guest = Guest.at(client, f"{name} campaign {number}", battle.json())
        guest.play((LONGEST, 4, 8)[number])
        if number < 2:
            if guest.game.over is None:
                up = client.post(f"/api/campaigns/{id}/give-up", json={}, headers=leads)
                assert up.status_code == 200, up.text
            counted = client.post(f"/api/campaigns/{id}/count", json={"store": True}, headers=leads)
            assert counted.status_code == 200, counted.text
        house.record(
            ("a battle that was counted", "given up and counted", "goes on")[number], guest, f"battle-{number}"
        )
        yield guest
    text = client.get(f"/api/campaigns/{id}/file", headers=leads).content
    path = f"campaigns/{name}-from-a-server.caltrop-campaign.json"
    (house.recorder.folder / path).write_bytes(text)
    house.recorder.contents.campaigns[path] = 2


def server(recorder: Recorder, name: str, edition: str, most: int | None = None) -> None:
    """Record a database with games of one edition: the first *most* sorts of games, or all sorts, with a campaign."""
    house = House(recorder, f"{name}@{edition}")
    generous = ServerLimits(requests=1e6, burst=10**6, messages=1e6, message_burst=10**6)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "games.sqlite"
        with TestClient(create_app(f"sqlite:///{file}", limits=generous), base_url="http://127.0.0.1:8420") as client:
            for _ in islice(evenings(house, client, name, edition), most):
                pass
            if most is None and name in with_part("campaigns"):
                for _ in server_season(house, client, name):
                    pass
            house.note()
        house.pack(file)


def main(arguments: Sequence[str]) -> int:
    """Record a set in the named folder. With the name of a game, record a small set of that game alone."""
    if len(arguments) not in (1, 2) or not set(arguments[1:]) <= {*rulesets()}:
        print(f"write: python -m tests.corpus.record FOLDER [{'|'.join(rulesets())}]", file=sys.stderr)
        return 2
    recorder = Recorder(Path(arguments[0]), arguments[1:] or tuple(rulesets()))
    for name in arguments[1:]:
        for edition in ruleset(name).editions:
            few_games(recorder, name, edition)
            server(recorder, name, edition, FEW)
        recorder.write()
        return 0
    for name in rulesets():
        for edition in ruleset(name).editions:
            print(f"{name}, {edition}", file=sys.stderr, flush=True)
            games(recorder, name, edition)
            server(recorder, name, edition)
        if name in with_part("campaigns"):
            season(recorder, name)
    recorder.write()
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
