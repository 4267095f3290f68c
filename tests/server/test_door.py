"""The door: only the server's own machine can open the server to the local network and shut it again."""

from __future__ import annotations

import json
import os
import re
import secrets
import shutil
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from caltrop.server.app import create_app
from caltrop.server.door import Door
from tests.server.tables import ADDRESS, Oddballs, TestClient


class Listening:
    """A door that records its addresses without listening."""

    def __init__(self) -> None:
        self.at: list[str] = []

    async def listen(self, sock: Any) -> None:
        """Note it."""
        self.at.append(sock.getsockname()[0])
        sock.close()

    def stop(self, addresses: Sequence[str]) -> None:
        """Record that the door is shut."""
        self.at = [one for one in self.at if one not in addresses]


def behind(database: str, door: Door, who: str = "127.0.0.1") -> TestClient:
    """Yield a client of a server with this door."""
    return TestClient(create_app(database, library=Oddballs(), door=door), base_url=ADDRESS, client=(who, 50_000))


def test_the_server_is_opened_and_shut_by_its_own_machine(database: str) -> None:
    """The server answers requests for its network addresses only while the door is open."""
    door = Door("127.0.0.1", 0, may_open=True, local=lambda: ["127.0.0.2"])
    door.listens = listening = Listening()
    with behind(database, door) as client:
        assert client.get("/api/door").json() == {"alone": True, "addresses": [], "opened": False, "may_open": True}
        assert client.get("/api/ping", headers={"host": "192.168.1.5:8420"}).status_code == 421
        words = client.post("/api/door", json={"open": True}).json()
        assert re.fullmatch(r"http://127\.0\.0\.2:\d+", words["addresses"][0])
        assert (words["alone"], words["opened"], listening.at) == (False, True, ["127.0.0.2"])
        assert client.get("/api/ping", headers={"host": "192.168.1.5:8420"}).status_code == 200
        assert client.post("/api/door", json={"open": False}).json()["alone"] is True
        assert listening.at == []
        assert client.get("/api/ping", headers={"host": "192.168.1.5:8420"}).status_code == 421


@pytest.mark.parametrize(
    ("who", "headers"),
    [
        ("192.168.1.9", {}),
        ("127.0.0.1", {"x-forwarded-for": "192.168.1.9"}),
        ("127.0.0.1", {"forwarded": "for=192.168.1.9"}),
        ("127.0.0.1", {"host": "192.168.1.5:8420"}),
    ],
)
def test_nobody_else_opens_it_or_is_told_its_addresses(database: str, who: str, headers: dict[str, str]) -> None:
    """Another machine, a proxy, and a request with a foreign host name cannot open the door."""
    door = Door("127.0.0.1", 0, may_open=True, local=lambda: ["127.0.0.2"])
    door.listens = listening = Listening()
    with behind(database, door) as home:
        assert home.post("/api/door", json={"open": True}).json()["opened"] is True
        other = TestClient(home.app, base_url=ADDRESS, client=(who, 50_000))
        seen = other.get("/api/door", headers=headers).json()
        assert (seen["addresses"], seen["may_open"]) == ([], False)
        refused = other.post("/api/door", json={"open": False}, headers=headers)
        assert refused.json()["code"] == "not-from-here"
        assert listening.at == ["127.0.0.2"]


def test_a_server_that_nobody_may_open_stays_shut(database: str) -> None:
    """`caltrop serve` cannot be opened. A server with a host name or a proxy reports no addresses; one that listens on
    all interfaces reports its own.
    """
    with behind(database, Door(may_open=False)) as client:
        assert client.post("/api/door", json={"open": True}).json()["code"] == "not-from-here"
    with behind(database, Door(shown=True)) as client:
        words = client.get("/api/door").json()
        assert (words["alone"], words["addresses"]) == (False, [])
    with behind(database, Door("0.0.0.0", 8420, local=lambda: ["10.0.0.7"])) as client:
        assert client.get("/api/door").json()["addresses"] == ["http://10.0.0.7:8420"]


def test_a_machine_without_a_network_says_so(database: str) -> None:
    """A machine without a network refuses to open the door."""
    door = Door(may_open=True, local=list)
    door.listens = Listening()
    with behind(database, door) as client:
        assert client.post("/api/door", json={"open": True}).json()["code"] == "no-network"
        assert client.get("/api/door").json()["alone"] is True


class Neighbour:
    """A second machine: a network namespace connected by a virtual cable."""

    def __init__(self) -> None:
        self.name = f"caltrop-{secrets.token_hex(3)}"
        cable = self.name[-6:]
        net = secrets.randbelow(200) + 20
        self.here, self.there = f"10.213.{net}.1", f"10.213.{net}.2"
        self.ends = (f"ca{cable}", f"cb{cable}")
        near, far = self.ends
        for words in (
            f"netns add {self.name}",
            f"link add {near} type veth peer name {far} netns {self.name}",
            f"addr add {self.here}/24 dev {near}",
            f"link set {near} up",
            f"-n {self.name} addr add {self.there}/24 dev {far}",
            f"-n {self.name} link set {far} up",
        ):
            subprocess.run(["ip", *words.split()], check=True, capture_output=True)

    def remove(self) -> None:
        """Remove the network namespace, and the cable with it."""
        subprocess.run(["ip", "netns", "del", self.name], check=False, capture_output=True)

    def asks(self, address: str, body: str = "") -> str:
        """Return the answer to a request from the second machine, or a line with the error."""
        program = (
            "import sys, urllib.request as r\n"
            "q = r.Request(sys.argv[1], sys.argv[2].encode() or None, {'Content-Type': 'application/json'})\n"
            "try: print(r.urlopen(q, timeout=5).read().decode())\n"
            "except r.HTTPError as e: print(e.read().decode())\n"
            "except OSError as e: print('unreachable', e)\n"
        ).replace("r.HTTPError", "__import__('urllib.error').error.HTTPError")
        command = ["ip", "netns", "exec", self.name, sys.executable, "-c", program, address, body]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout


@pytest.fixture
def neighbour() -> Iterator[Neighbour]:
    """Yield a second machine, if one can be made."""
    if sys.platform != "linux" or os.geteuid() != 0 or shutil.which("ip") is None:
        pytest.skip("making a second network takes Linux, root and ip")
    try:
        made = Neighbour()
    except subprocess.CalledProcessError as error:
        pytest.skip(f"no second network can be made here: {error.stderr.decode().strip()}")
    yield made
    made.remove()


def _ask(address: str, body: dict[str, Any] | None = None) -> Any:
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(address, data, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=10) as answer:
        return json.load(answer)


def test_a_second_machine_reaches_it_only_while_it_is_open(neighbour: Neighbour, tmp_path: Path) -> None:
    """The second machine is answered at the address of the interface between the two machines."""
    words = tmp_path / "said"
    command = [sys.executable, "-m", "caltrop", "play", "--no-browser", "--port", "0"]
    with words.open("w") as out:
        server = subprocess.Popen([*command, "--database", f"sqlite:///{tmp_path}/games.db"], stdout=out, stderr=out)
    try:
        while not (match := re.search(r"http://127\.0\.0\.1:(\d+)", words.read_text())):
            assert server.poll() is None, words.read_text()
            try:
                server.wait(0.1)
            except subprocess.TimeoutExpired:
                continue
        home, port = match[0], match[1]
        there = f"http://{neighbour.here}:{port}"
        assert neighbour.asks(f"{there}/api/ping").startswith("unreachable")
        ask = _ask(f"{home}/api/door", {"open": True})
        assert there in ask["addresses"]
        assert json.loads(neighbour.asks(f"{there}/api/ping"))["caltrop"]
        assert json.loads(neighbour.asks(f"{there}/api/door", '{"open": false}'))["code"] == "not-from-here"
        assert _ask(f"{home}/api/door", {"open": False})["alone"] is True
        assert neighbour.asks(f"{there}/api/ping").startswith("unreachable")
    finally:
        server.terminate()
        server.wait(20)
