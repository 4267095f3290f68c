"""Nothing is posted into a private network, whether the address is given directly, by a host name, or by a redirect."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from caltrop.errors import InputError
from caltrop.host.together.carriers import Outside, checked_mail
from caltrop.host.together.outward import NotPosted, checked, is_public, post
from tests.server.conftest import UNHURRIED
from tests.server.elsewhere import Receiver, Subscriber, receiving
from tests.server.tables import TestClient, served
from tests.server.test_notices import Somebody

PRIVATE = (
    "127.0.0.1", "127.1.2.3", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0",
    "224.0.0.1", "255.255.255.255", "192.0.2.1", "198.18.0.1", "240.0.0.1", "::1", "::", "fe80::1", "fe80::1%eth0",
    "fc00::1", "fd12::1", "ff02::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::7f00:1", "64:ff9b::a00:1",
    "2002:7f00:1::", "2002:a00:1::", "2001:0:4136:e378::1", "2001:db8::1", "::127.0.0.1", "nonsense", "",
)  # fmt: skip


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as result:
        yield result


@pytest.mark.parametrize("address", PRIVATE)
def test_an_address_of_a_private_network_is_not_public(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", ["8.8.8.8", "1.1.1.1", "172.15.255.255", "172.32.0.1", "2606:4700::1", "2a00::1"])
def test_an_address_of_the_internet_is(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize(
    "url",
    [
        "http://example.org/", "ftp://example.org/", "https://", "https:///path", "https://user@example.org/",
        "https://user:word@example.org/", "https://127.0.0.1/", "https://[::1]/", "https://10.0.0.1:8443/",
        "https://example.org:0/", "https://example.org:99999/", "https://exa mple.org/", "https://example.org/\r\nA: b",
        "https://example.org/" + "a" * 1000, "file:///etc/passwd", "javascript:alert(1)", "//example.org", "",
        "https://[::ffff:169.254.169.254]/", "https://ex\u00e4mple.org/",
    ],
)  # fmt: skip
def test_what_is_no_address_on_the_internet_is_refused(url: str) -> None:
    with pytest.raises(NotPosted):
        checked(url)


def post_status(url: str, addresses: Sequence[str], **how: Any) -> int:
    """Return the status of a post to a host name that resolves to these addresses."""

    async def lookup(host: str, port: int) -> Sequence[str]:
        return addresses

    return asyncio.run(post(url, b"{}", {}, lookup=lookup, **how))


@pytest.mark.parametrize("addresses", [["127.0.0.1"], ["8.8.8.8", "127.0.0.1"], ["::1"], ["169.254.169.254"], []])
def test_a_name_that_leads_into_a_private_network_is_refused(addresses: list[str]) -> None:
    with pytest.raises(NotPosted):
        post_status("https://looks-well.example/", addresses)


def test_the_connection_is_made_to_the_address_that_was_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[tuple[Any, ...]] = []

    async def connect(host: str, port: int, **how: Any) -> Any:
        made.append((host, port, how["server_hostname"]))
        raise OSError

    monkeypatch.setattr(asyncio, "open_connection", connect)
    with pytest.raises(NotPosted):
        post_status("https://told.example:8443/x", ["93.184.215.14"])
    assert made == [("93.184.215.14", 8443, "told.example")]


def test_a_redirect_is_not_followed(receiver: Receiver) -> None:
    receiver.answers, receiver.location = [302], receiver.url
    assert post_status(receiver.url, ["127.0.0.1"], private=True) == 302
    assert len(receiver.posted) == 1


def test_somebody_who_answers_slowly_or_not_as_a_web_server_is_waited_for_shortly() -> None:
    async def trial(answer: bytes) -> None:
        async def slow(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.write(answer)
            await reader.read()
            writer.close()

        server = await asyncio.start_server(slow, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        try:
            with pytest.raises(NotPosted):
                await post(f"http://127.0.0.1:{port}/", b"{}", {}, private=True, seconds=0.2)
        finally:
            server.close()
            await asyncio.gather(*[task for task in asyncio.all_tasks() if task is not asyncio.current_task()])

    for answer in (b"", b"HTTP/1.1 2", b"220 mail.example ESMTP\r\n", b"a" * 10_000, b"HTTP/1.1 two hundred\r\n"):
        asyncio.run(trial(answer))


def test_people_cannot_have_a_server_post_to_its_own_machine(client: TestClient, receiver: Receiver) -> None:
    anna = Somebody(client)
    for url in (receiver.url, receiver.url.replace("http", "https"), "https://localhost/", "https://192.168.0.1/"):
        assert anna.post("/api/me/hook", {"url": url}, status=400)["code"] == "wrong-value"
    assert anna.post("/api/me/push", Subscriber().subscription(receiver.url), status=400)["code"] == "wrong-value"
    assert receiver.posted == []


def test_a_name_that_changes_its_address_later_leads_nowhere(database: str, receiver: Receiver) -> None:
    addresses = ["93.184.215.14"]

    async def lookup(host: str, port: int) -> Sequence[str]:
        return addresses

    with served(database, limits=UNHURRIED, outside=Outside(lookup=lookup)) as client:
        anna = Somebody(client)
        push = Subscriber().subscription("https://changes.example/")
        assert anna.post("/api/me/push", push)["pushes"]
        addresses[:] = ["127.0.0.1"]
        refusal = anna.post("/api/me/hook", {"url": "https://changes.example/"}, status=400)
        assert "private network" in refusal["message"]
    assert receiver.posted == []


@pytest.mark.parametrize(
    ("mail", "sender"),
    [("localhost", "a@b.org"), ("http://localhost", "a@b.org"), ("smtp://", "a@b.org"), ("smtp://h:99999", "a@b.org"),
     ("smtp://h", ""), ("smtp://h", "nobody")],
)  # fmt: skip
def test_a_server_of_mail_that_is_none_is_told_at_the_start(mail: str, sender: str) -> None:
    with pytest.raises(InputError):
        checked_mail(Outside(mail=mail, sender=sender))


def test_a_password_is_told_to_no_server_without_encryption(monkeypatch: pytest.MonkeyPatch) -> None:
    from caltrop.host.together import carriers

    class Bare:
        def __init__(self, *with_: Any, **how: Any) -> None:
            self.told: list[str] = []

        def __enter__(self) -> Bare:
            return self

        def __exit__(self, *error: object) -> None:
            pass

        def ehlo(self) -> None:
            pass

        def has_extn(self, name: str) -> bool:
            return False

        def login(self, *events: str) -> None:
            raise AssertionError("a password was told")

    monkeypatch.setattr("smtplib.SMTP", Bare)
    sender = carriers.Carriers(Outside(mail="smtp://me:word@mail.example", sender="a@b.org"), str)
    with pytest.raises(NotPosted):
        sender._send("c@d.org", "T", "W")
