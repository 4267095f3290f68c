"""The image and the compose file name existing files, and the server accepts their options."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
import yaml

from caltrop.cli import command_line
from caltrop.server.run import networks

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
SERVE = command_line("serve")


def instructions() -> list[tuple[str, str]]:
    """Return the instructions of the image file, with continued lines joined."""
    text = re.sub(r"\\\n\s*", "", (DEPLOY / "Containerfile").read_text(encoding="utf-8"))
    return [(name, rest) for line in text.splitlines() if line[:1].isalpha() for name, _, rest in [line.partition(" ")]]


def compose() -> Any:
    return yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))


def options_of(words: list[str]) -> dict[str, Any]:
    """Return the arguments in the words of a command line."""
    _, bound, *_ = SERVE.parse_args(words, exit_on_error=False, print_error=False)
    return dict(bound.arguments)


def test_what_the_image_copies_is_there() -> None:
    copied = [
        word for name, rest in instructions() if name == "COPY" and "--from" not in rest for word in rest.split()[:-1]
    ]
    assert {"src", "pyproject.toml", "hatch_build.py", "docs/rules"} <= set(copied)
    assert [word for word in copied if not (ROOT / word).exists()] == []


def test_the_image_runs_the_server_as_no_root_and_asks_for_its_health() -> None:
    result = instructions()
    entry = yaml.safe_load(next(rest for name, rest in result if name == "ENTRYPOINT"))
    assert entry[:2] == ["caltrop", "serve"]
    assert options_of(entry[1:])["log"] == "json"
    names = [name for name, _ in result]
    assert names.index("USER") < names.index("ENTRYPOINT")
    assert "/healthz" in next(rest for name, rest in result if name == "HEALTHCHECK")


def test_the_lock_holds_what_the_image_installs() -> None:
    installed = [
        word for name, rest in instructions() if name == "RUN" for word in shlex.split(rest) if word.endswith(".lock")
    ]
    assert installed == ["requirements.lock", "requirements-build.lock"]


def test_services_know_one_another() -> None:
    services = compose()["services"]
    assert set(services) == {"caltrop", "database", "caddy"}
    for service in services.values():
        assert set(service.get("depends_on", ())) <= set(services)
        assert service["restart"] == "unless-stopped"
        named = [volume.partition(":")[0] for volume in service.get("volumes", ())]
        assert all(name in compose()["volumes"] or (DEPLOY / name).exists() for name in named)
    assert "caltrop:8420" in (DEPLOY / "Caddyfile").read_text()
    assert "ports" not in services["caltrop"], "only the proxy is reached from outside"
    assert "ports" not in services["database"]


def test_the_server_takes_what_compose_gives_it() -> None:
    given = [
        re.sub(r"\$\{(\w+):-([^}]*)\}", r"\2", re.sub(r"\$\{(\w+):\?[^}]*\}", "value", word))
        for word in compose()["services"]["caltrop"]["command"]
    ]
    options = options_of(["serve", *given])
    assert options["workers"] > 1, "a worker that ends costs nobody more than a moment, and restarts are not noticed"
    assert options["name"] == ("value",)
    assert options["database"].startswith("postgresql://")
    (subnet,) = compose()["networks"]["inside"]["ipam"]["config"]
    assert networks(options["proxy"]) == networks(options["metrics"]) == networks([subnet["subnet"]])


@pytest.mark.parametrize("variable", ["CALTROP_NAME", "CALTROP_PASSWORD"])
def test_nothing_starts_without_its_settings(variable: str) -> None:
    text = (DEPLOY / "compose.yaml").read_text(encoding="utf-8")
    assert set(re.findall(rf"\$\{{{variable}(..)", text)) == {":?"}
