"""A real server in its own process, for programs that connect over loopback."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.web.serving import address_of


@contextmanager
def running(folder: Path) -> Iterator[str]:
    """Run a server with an empty database, and yield its address."""
    words = folder / "said"
    with words.open("w+") as output:
        command = [sys.executable, "-m", "caltrop", "serve", "--port", "0"]
        server = subprocess.Popen(
            [*command, "--database", f"sqlite:///{folder / 'games.db'}"], stdout=output, stderr=subprocess.STDOUT
        )
        try:
            yield address_of(server, words)
        finally:
            server.terminate()
            server.wait(20)
