"""The files of the built client, and the page for all of its addresses."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Container
from contextlib import suppress
from functools import lru_cache
from html import escape
from pathlib import Path

from starlette.responses import PlainTextResponse, RedirectResponse, Response, StreamingResponse

import caltrop
from caltrop.server.guard import RUNS_WASM

_KINDS = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".json": "application/json",
    ".webmanifest": "application/manifest+json",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".webp": "image/webp",
    ".ico": "image/x-icon",
    ".woff2": "font/woff2",
    ".txt": "text/plain; charset=utf-8",
    ".wasm": "application/wasm",
}


FOREVER = "public, max-age=31536000, immutable"
"""Value of the header `Cache-Control` for a file whose address contains a hash of its contents."""


def asset(path: Path, forever: bool) -> Response:
    """Return a file of the client.

    Args:
        forever: True if a browser may keep it for good.
    """
    kind = _KINDS.get(path.suffix, "application/octet-stream")
    return Response(path.read_bytes(), media_type=kind, headers={"Cache-Control": FOREVER if forever else "no-cache"})


PART = 65_536
"""Number of bytes of a large file that are sent at a time; the next are sent once the client has taken these."""


def packed(text: bytes, name: str) -> Response:
    """Return a large file that is stored compressed, and whose address contains a hash of its contents.

    The file is sent compressed to every client: only browsers ask for it.

    Args:
        text: The compressed file.
        name: Name of the file, which tells its kind.
    """

    async def parts() -> AsyncIterator[bytes]:
        for first in range(0, len(text), PART):
            yield text[first : first + PART]

    kind = _KINDS.get(Path(name).suffix, "application/octet-stream")
    headers = {"Cache-Control": FOREVER, "Content-Encoding": "gzip", "Content-Length": str(len(text))}
    return StreamingResponse(parts(), media_type=kind, headers=headers)


@lru_cache(maxsize=16)
def _content(path: Path) -> bytes:
    return path.read_bytes()


def referee_asset(path: Path) -> Response:
    """Return a file that only the referee's page loads: of its worker, which may run WebAssembly, or of Python.

    Args:
        path: The file, or the place where it would be without compression.
    """
    if not path.is_file():
        return packed(_content(path.with_name(f"{path.name}.gz")), path.name)
    answer = asset(path, True)
    if path.suffix == ".js":
        answer.headers["Content-Security-Policy"] = RUNS_WASM
    return answer


SITE = Path(caltrop.__file__).parent / "site"
"""The documentation, if it has been built."""


def documentation(path: str, site: Path = SITE) -> Response:
    """Return a page or a file of the documentation.

    Args:
        path: Path within the documentation, without its first slash.

    Returns:
        The page; a redirect for a folder without its last slash; otherwise the site's own page for missing pages, with
            status 404. Without built documentation, instructions to build it.
    """
    if not (site / "index.html").is_file():
        return PlainTextResponse("The documentation is not built here. In a checkout, `make docs` builds it.", 404)
    root = site.resolve()
    file, is_folder = root, False
    with suppress(OSError, ValueError):  # a name that is impossible for a file
        place = (root / path).resolve()
        is_folder = place.is_dir()
        file = place / "index.html" if is_folder else place
    if not file.is_file() or not file.is_relative_to(root) or "/." in f"/{path}":
        return Response((root / "404.html").read_bytes(), 404, media_type=_KINDS[".html"])
    if is_folder and path and not path.endswith("/"):
        return RedirectResponse(f"{path.rpartition('/')[2]}/")
    return asset(file, False)


_PAGES = re.compile(
    r"(learn|referee|armies|new|people|club/[^/]+|maps|packs|settings|rules|end/[^/]+|odds|lab|lab/[^/]+|season|season/[^/]+|replay|replay/[^/]+|(rules|summary)/(?P<ruleset>[^/]+)|[A-Za-z0-9-]{6,40})?/?",
    re.ASCII,
)
"""Addresses of the page's own views; see `web/src/lib/route.ts`."""


_PICTURE = re.compile(r'content="(?:\./|/)?link\.png"')
"""The picture for links, as named in the page's source and in the built page."""


def is_page(path: str, rulesets: Container[str]) -> bool:
    """Return whether an address belongs to the page. The page itself checks whether the game exists.

    Args:
        path: The address, without its first slash.
        rulesets: The games with a rules page.
    """
    match = _PAGES.fullmatch(path)
    return match is not None and (match["ruleset"] is None or match["ruleset"] in rulesets)


def index(path: Path, prefix: str = "", status: int = 200, origin: str = "") -> Response:
    """Return the page itself, or instructions to build the page if it is missing.

    Args:
        prefix: The path under which a proxy shows the server.
        status: 404 if the address does not exist.
        origin: Address of the request, such as `http://127.0.0.1:8420`. Programs that show a picture for a link accept
            no relative addresses.
    """
    if not path.is_file():
        words = "The page has not been built yet: run make client in a checkout of Caltrop.\n"
        return Response(words, 503, media_type="text/plain; charset=utf-8")
    # Addresses in the page are relative, and the page is also shown under longer paths, so it names the root of its
    # addresses.
    text = path.read_text("utf-8").replace('<base href="/" />', f'<base href="{prefix}/" />', 1)
    text = _PICTURE.sub(lambda _: f'content="{escape(origin)}{prefix}/link.png"', text, count=1)
    return Response(text, status, media_type=_KINDS[".html"], headers={"Cache-Control": "no-cache"})
