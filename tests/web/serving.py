"""A separate server with an empty database and the built client."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import caltrop


@contextmanager
def serving(database_file: Path, env: Mapping[str, str] | None = None, studies: Path | None = None) -> Iterator[str]:
    """Run a server, and yield its address.

    Args:
        database_file: The database of the server.
        env: The environment of the server; by default that of this process.
        studies: The folder of its studies; by default the working directory.
    """
    built = Path(caltrop.__file__).parent / "static" / "index.html"
    assert built.is_file(), "the client has not been built: run make client"
    command = [
        sys.executable,
        "-m",
        "caltrop",
        "serve",
        "--port",
        "0",
        "--database",
        f"sqlite:///{database_file}",
        *(["--studies", str(studies)] if studies is not None else []),
    ]
    words = database_file.with_name("said")
    output = words.open("w+")
    server = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT, env=env)
    try:
        yield address_of(server, words)
    finally:
        server.terminate()
        server.wait(20)
        output.close()


def address_of(server: subprocess.Popen[bytes], words: Path, seconds: int = 60) -> str:
    for _ in range(10 * seconds):
        match = re.search(r"http://[0-9.:]+", words.read_text())
        if match:
            return match[0]
        try:
            server.wait(0.1)
        except subprocess.TimeoutExpired:
            continue
        break
    raise AssertionError(f"the server did not start: {words.read_text()}")
