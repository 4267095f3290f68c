"""Requests of one address wait for one another. Addresses take turns, and within an address its games do."""

from __future__ import annotations

import asyncio
import threading

import pytest

from caltrop.engine import Refused
from caltrop.host.turns import ASKER, Turns, in_turn


def served(turns: Turns, *asked: tuple[str, str]) -> list[tuple[str, str]]:
    """Return the order in which tasks begin."""
    begun: list[tuple[str, str]] = []

    async def work(whose: str, game: str) -> None:
        async with turns.turn(whose, game):
            begun.append((whose, game))
            for _ in range(3):
                await asyncio.sleep(0)

    async def all_of_it() -> None:
        await asyncio.gather(*[work(*one) for one in asked])

    asyncio.run(all_of_it())
    assert turns.under_way == 0
    return begun


def test_an_address_waits_for_one_piece_of_work_of_another() -> None:
    result = served(Turns(), *[("a", f"{n}") for n in range(24)], ("b", "z"))
    assert result.index(("b", "z")) <= 2


def test_one_place_is_left_for_others() -> None:
    result = served(Turns(2), *[("a", f"{n}") for n in range(24)], ("b", "z"))
    assert result[:2] == [("a", "0"), ("b", "z")], "nobody else's work is waited for at all"


def test_games_of_an_address_are_served_in_turn() -> None:
    result = served(Turns(), ("a", "1"), ("a", "2"), ("a", "2"), ("a", "2"), ("a", "3"))
    assert [game for _, game in result] == ["1", "2", "3", "2", "2"]


def test_places_are_bounded_for_each_and_for_all() -> None:
    turns = Turns(each=1, most=2)
    with turns.place("a"), turns.place("b"):
        for whose, code in (("a", "too-fast"), ("c", "busy")):
            with pytest.raises(Refused) as words, turns.place(whose):
                raise AssertionError("it has a place")
            assert words.value.refusal.code == code
    with turns.place("a"):
        pass


def test_who_gives_up_holds_nobody_up() -> None:
    async def all_of_it() -> None:
        turns = Turns()
        async with turns.turn("a"):
            waits = asyncio.create_task(turns.turn("b").__aenter__())
            await asyncio.sleep(0)
            waits.cancel()
            await asyncio.gather(waits, return_exceptions=True)
        async with asyncio.timeout(1), turns.turn("c"):
            pass

    asyncio.run(all_of_it())


def test_where_many_addresses_wait_each_has_less_time() -> None:
    result: list[float] = []

    async def all_of_it() -> None:
        turns = Turns(2)

        async def work(whose: str) -> None:
            async with turns.turn(whose):
                await asyncio.sleep(0)
                result.append(turns.share_of_each())

        await work("alone")
        await asyncio.gather(*[work("much") for _ in range(9)])
        assert set(result) == {1.0}, "who waits for themselves alone loses no time"
        result.clear()
        await asyncio.gather(*[work(f"{n}") for n in range(8)])
        assert (result[0], result[-1]) == (2 / 8, 1.0)

    asyncio.run(all_of_it())


def test_an_address_has_one_thread_and_leaves_one_to_others() -> None:
    begun: list[str] = []
    free = threading.Event()

    def work() -> None:
        begun.append(ASKER.get())
        free.wait(10)

    async def ask(whose: str) -> None:
        ASKER.set(whose)
        await in_turn(work)

    async def all_of_it() -> None:
        tasks = [asyncio.create_task(ask("a")) for _ in range(5)] + [asyncio.create_task(ask("b"))]
        async with asyncio.timeout(10):
            while len(begun) < 2:
                await asyncio.sleep(0.001)
        assert sorted(begun) == ["a", "b"]
        free.set()
        await asyncio.gather(*tasks)

    asyncio.run(all_of_it())
    assert begun.count("a") == 5
