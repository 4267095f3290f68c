"""The page under the path of a proxy: it is shown, its links work, and a game is played over a live connection."""

from __future__ import annotations

import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

import caltrop
from tests.web.test_referee import begin, kept, settle

DOCS = Path(__file__).parents[2] / "docs/security.md"


def _free() -> int:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        result: int = sock.getsockname()[1]
        return result


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """Return the port of a server that answers under a path."""
    assert (Path(caltrop.__file__).parent / "static" / "index.html").is_file()
    folder = tmp_path_factory.mktemp("under")
    port = _free()
    words = ["serve", "--port", str(port), "--prefix", "/caltrop", "--proxy", "127.0.0.1"]
    process = subprocess.Popen([sys.executable, "-m", "caltrop", *words, "--database", f"sqlite:///{folder / 'g.db'}"])
    try:
        _wait(port)
        yield port
    finally:
        process.terminate()
        process.wait(20)


def _wait(port: int) -> None:
    until = time.monotonic() + 60
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            assert time.monotonic() < until
            time.sleep(0.1)


@pytest.fixture
def nginx(server: int, tmp_path: Path) -> Iterator[int]:
    """Return the port of nginx with the configuration of the documentation."""
    program = shutil.which("nginx") or shutil.which("/usr/sbin/nginx")
    if program is None:
        pytest.skip("nginx is not installed")
    match = re.search(r"```nginx\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)
    assert match
    port = _free()
    site = match[1].replace("listen 80;", f"listen 127.0.0.1:{port};").replace("127.0.0.1:8420", f"127.0.0.1:{server}")
    folders = "".join(
        f"{kind}_temp_path {tmp_path}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    conf = tmp_path / "nginx.conf"
    conf.write_text(
        f"daemon off;\npid {tmp_path}/pid;\nerror_log stderr;\nevents {{}}\n"
        f"http {{\naccess_log off;\n{folders}{site}}}\n",
        encoding="utf-8",
    )
    process = subprocess.Popen([program, "-p", str(tmp_path), "-c", str(conf), "-e", "stderr"])
    try:
        _wait(port)
        yield port
    finally:
        process.terminate()
        process.wait(20)


def plays(page: Page, address: str) -> None:
    """Go from the lobby to a rulebook, back, and to a new battle."""
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("response", lambda answer: faults.append(answer.url) if answer.status >= 400 else None)
    page.goto(address)
    page.get_by_role("link", name="Learn", exact=True).click()
    page.wait_for_url(f"{address}/learn")
    page.goto(f"{address}/rules/duel")
    expect(page.get_by_role("heading").first).to_be_visible(timeout=30_000)  # the first request loads all clauses
    page.get_by_role("link", name="Caltrop, to the lobby").click()
    page.wait_for_url(f"{address}/")
    page.get_by_role("button", name="Play now (Command Horizon: First battle)").click()
    page.wait_for_url(re.compile(re.escape(address) + "/[a-z0-9]{12}"))
    expect(page.get_by_role("region", name="Orders and log")).to_be_visible(timeout=20_000)
    page.reload()
    expect(page.get_by_role("region", name="Orders and log")).to_be_visible(timeout=20_000)
    assert not faults


def test_without_a_proxy(page: Page, server: int) -> None:
    plays(page, f"http://127.0.0.1:{server}/caltrop")


def test_behind_nginx_as_documented(page: Page, nginx: int) -> None:
    plays(page, f"http://127.0.0.1:{nginx}/caltrop")


def test_attacks_are_settled_under_a_path_without_a_network(browser: Browser, server: int) -> None:
    context = browser.new_context(has_touch=True)
    page = context.new_page()
    begin(page, f"http://127.0.0.1:{server}/caltrop", "duel")
    kept(page)
    context.set_offline(True)
    page.reload()
    page.get_by_role("button", name="Settle an attack").tap()
    settle(page, typed=False)
    expect(page.get_by_role("region", name="The result")).to_contain_text("Dice: ")
    context.close()
