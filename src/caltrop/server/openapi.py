"""The routes of the server as an OpenAPI document."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from caltrop import __version__
from caltrop.server.requests import Route

PARAMETER = re.compile(r"\{(\w+)(?::\w+)?\}")


def openapi(routes: Sequence[Route]) -> dict[str, Any]:
    """Return an OpenAPI 3.1 document with every route, its parameters and a summary.

    The bodies of requests and answers are described in docs/wire.md.
    """
    paths: dict[str, dict[str, Any]] = {}
    for method, path, do in routes:
        operation: dict[str, Any] = {
            "operationId": method.lower() + re.sub(r"\W+", "_", path),
            "summary": (do.__doc__ or "").partition("\n")[0],
            "responses": {
                "default": {"description": "What was asked for; or a refusal with its code, message and nearest answer"}
            },
        }
        if names := PARAMETER.findall(path):
            operation["parameters"] = [
                {"name": name, "in": "path", "required": True, "schema": {"type": "string"}} for name in names
            ]
        if method in ("POST", "PUT"):
            operation["requestBody"] = {"content": {"application/json": {"schema": {}}}}
        paths.setdefault(PARAMETER.sub(r"{\1}", path), {})[method.lower()] = operation
    return {"openapi": "3.1.0", "info": {"title": "Caltrop", "version": __version__}, "paths": paths}
