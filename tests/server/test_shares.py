"""Fair shares of the server's time: an address that used much of it waits while others ask; alone it does not wait."""

from __future__ import annotations

import asyncio

import pytest

from caltrop.server.shares import ALONE_SECONDS, BURST, RATE, Shares


@pytest.fixture
def now() -> list[float]:
    return [100.0]


@pytest.fixture
def shares(now: list[float]) -> Shares:
    return Shares(lambda: now[0])


def test_who_is_alone_waits_for_nothing(shares: Shares) -> None:
    shares.took("a", 60)
    assert shares.wait_of("a") == 0


def test_who_has_had_much_waits_while_others_ask(shares: Shares, now: list[float]) -> None:
    asyncio.run(shares.ask("a"))
    asyncio.run(shares.ask("b"))
    shares.took("a", BURST)
    assert shares.wait_of("a") == 0, "so much may be had at once"
    shares.took("a", 1.0)
    assert (shares.wait_of("a"), shares.wait_of("b")) == (1.0 / RATE, 0)
    now[0] += 1.0
    assert shares.wait_of("a") == pytest.approx(1.0 / RATE - 1.0)
    now[0] += ALONE_SECONDS
    assert shares.wait_of("a") == 0


def test_what_is_idle_gathers_no_more_than_can_be_had_at_once(shares: Shares, now: list[float]) -> None:
    asyncio.run(shares.ask("a"))
    now[0] += 1000
    asyncio.run(shares.ask("b"))
    shares.took("a", BURST + 0.25)
    assert shares.wait_of("a") == 0.25 / RATE


def test_who_has_had_too_much_lets_others_pass(
    shares: Shares, now: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    let: list[str] = []
    sleep = asyncio.sleep

    async def passes(seconds: float) -> None:
        now[0] += seconds
        await sleep(0)

    async def asks(whose: str) -> None:
        await shares.ask(whose)
        let.append(whose)

    async def all_of_it() -> None:
        shares.took("a", 9)
        await asyncio.gather(*[asks("a") for _ in range(5)], asks("b"))

    monkeypatch.setattr(asyncio, "sleep", passes)
    asyncio.run(all_of_it())
    assert let == ["b", *["a"] * 5]


def test_time_counts_that_is_spent_and_not_that_is_waited(shares: Shares) -> None:
    async def work() -> None:
        await asyncio.sleep(0.03)
        sum(range(200_000))

    async def fails() -> None:
        await asyncio.sleep(0)
        raise ZeroDivisionError

    asyncio.run(shares.do("a", work()))
    spent = BURST - shares._of("a").left
    assert 0 < spent < 0.029
    with pytest.raises(ZeroDivisionError):
        asyncio.run(shares.do("a", fails()))


def test_what_is_cancelled_is_cancelled_inside(shares: Shares) -> None:
    seen: list[str] = []

    async def work() -> None:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            seen.append("cancelled")
            raise

    async def all_of_it() -> None:
        task = asyncio.create_task(shares.do("a", work()))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(all_of_it())
    assert seen == ["cancelled"]
