"""Builds the documentation's site: `make docs`.

Stages the pages of `docs`, `notebook` and the top of the repository in `build/docs`, and writes the reference from the
code beside them. It checks every link, and lets zensical build `src/caltrop/site`, which `caltrop serve` shows under
`/docs`.
"""

from __future__ import annotations

import contextlib
import hashlib
import inspect
import io
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

ROOT = Path(__file__).resolve().parents[1]
STAGE = ROOT / "build" / "docs"
SITE = ROOT / "src" / "caltrop" / "site"
TOP = {
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "SECURITY.md": "security-policy.md",
    "CODE_OF_CONDUCT.md": "code-of-conduct.md",
}
"""Pages at the top of the repository, and what they are called on the site."""
SHOWN = (".md", ".png", ".svg", ".jpg", ".webp", ".gif", ".yaml", ".css")
_LINK = re.compile(r"(\]\()([^)\s]+)(\))|((?:src|srcset|href)=\")([^\"]+)(\")")


def pages() -> dict[str, str]:
    """Return the files of the site: where each is in the repository, and where on the site."""
    pages = {page: name for page, name in TOP.items() if (ROOT / page).exists()}
    for folder, into in (("docs", ""), ("notebook", "notebook/")):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.is_file() and path.name.endswith(SHOWN):
                pages[path.relative_to(ROOT).as_posix()] = into + path.relative_to(ROOT / folder).as_posix()
    return pages


def links_of(text: str) -> Iterator[tuple[int, str]]:
    """Yield each link of a page that leads into the repository: the number of its line, and its target."""
    fenced = False
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith("```"):
            fenced = not fenced
        if fenced:
            continue
        for match in _LINK.finditer(re.sub(r"`[^`]*`", lambda code: " " * len(code[0]), line)):
            target = match[2] or match[5]
            if not re.match(r"[a-z][a-z+.-]*:|//", target):
                yield number, target


def anchors_of(text: str) -> set[str]:
    """Return the anchors of a page's headings, as they are made by repositories and by the site alike."""
    anchors: dict[str, int] = {}
    names = set(re.findall(r"id=\"([^\"]+)\"", text))
    for heading in re.findall(r"^#{1,6} +(.+?) *#*$", re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S), re.M):
        plain = re.sub(r"[`*_]|\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        name = re.sub(r"[^\w\- ]", "", plain.lower()).strip().replace(" ", "-")
        again = anchors.get(name, 0)
        anchors[name] = again + 1
        names.add(f"{name}-{again}" if again else name)
        names.add(f"{name}_{again}" if again else name)
    return names


def dead_links() -> list[str]:
    """Return each link of a page that leads to no file or no heading, with its place."""
    faults = []
    every = [*pages(), "README.md"]
    for page in [page for page in every if page.endswith(".md")]:
        text = (ROOT / page).read_text(encoding="utf-8")
        for number, target in links_of(text):
            path, _, anchor = target.partition("#")
            to = (ROOT / page).parent / path if path else ROOT / page
            if to.parent == ROOT / "docs" / "reference":
                if to.stem not in REFERENCE:
                    faults.append(f"{page}:{number}: {target}: the reference has no such page")
            elif not to.exists():
                faults.append(f"{page}:{number}: {target}: there is no such file")
            elif anchor and to.suffix == ".md" and anchor not in anchors_of(to.read_text(encoding="utf-8")):
                faults.append(f"{page}:{number}: {target}: the page has no such heading")
    return faults


def staged(page: str, text: str, every: dict[str, str]) -> str:
    """Return the text of a page for the site: links lead to pages of the site, and what is not on it is code."""
    here = every[page]

    def moved(match: re.Match[str]) -> str:
        before, target, after = (match[1], match[2], match[3]) if match[2] else (match[4], match[5], match[6])
        if re.match(r"[a-z][a-z+.-]*:|//|#", target):
            return match[0]
        path, mark, anchor = target.partition("#")
        to = os.path.normpath(os.path.join(os.path.dirname(page), path))
        if to.startswith("docs/reference/"):
            return (
                before + os.path.relpath(to.removeprefix("docs/"), os.path.dirname(here) or ".") + mark + anchor + after
            )
        if to == "README.md":
            to, mark, anchor = "docs/index.md", "", ""
        if to not in every:
            return f"{before}#{after}" if not match[2] else f"{before}#not-on-the-site{after}"
        return before + os.path.relpath(every[to], os.path.dirname(here) or ".") + mark + anchor + after

    lines, fenced = [], False
    for line in text.splitlines():
        if line.lstrip().startswith("```"):
            fenced = not fenced
        lines.append(line if fenced else _LINK.sub(moved, line))
    whole = "\n".join(lines) + "\n"
    return re.sub(r"\[([^\]]+)\]\(#not-on-the-site\)", r"\1", whole)


# --- what is made from the code --------------------------------------------------------------------------------------


def commands() -> str:
    """Return the page of all commands, each as its own help tells it."""
    from caltrop.cli import _commands, main

    def helped(*words: str) -> str:
        out = io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.suppress(SystemExit):
            main([*words, "--help"])
        return out.getvalue().rstrip()

    parts = ["# Commands", "", "What each command's `--help` prints.", "", "```text", helped(), "```"]
    for name in _commands():
        text = helped(name)
        parts += ["", f"## caltrop {name}", "", "```text", text, "```"]
    return "\n".join(parts) + "\n"


def _type_words(hint: Any) -> str:
    text = re.sub(r"\b(?:typing|msgspec|collections\.abc|caltrop(?:\.\w+)*)\.", "", str(hint))
    text = re.sub(r"<class '(?:[\w.]*\.)?(\w+)'>", r"\1", text)
    return "`" + re.sub(r"\s+", " ", text).replace("|", "\\|") + "`"


def messages() -> str:
    """Return the page of all types that go over the wire, with their fields."""
    import griffe
    import msgspec

    from caltrop.server.shapes import SAID, SENT

    package = griffe.load("caltrop", search_paths=[ROOT / "src"], resolve_aliases=False)
    seen: set[Any] = set()

    def described(kind: type[msgspec.Struct]) -> Iterator[str]:
        info = msgspec.inspect.type_info(kind)
        place = f"{kind.__module__}.{kind.__qualname__}".removeprefix("caltrop.")
        about = package[place]
        yield from ("", f"### {kind.__name__}", "")
        if about.docstring:
            yield about.docstring.value.strip()
        fields = getattr(info, "fields", ())
        if fields:
            yield from ("", "| field | type | default | meaning |", "|---|---|---|---|")
        for field in fields:
            words = about.members.get(field.name) and about.members[field.name].docstring
            default = "" if field.required else "optional"
            if field.default is not msgspec.NODEFAULT:
                default = f"`{field.default!r}`".replace("|", "\\|")
            hint = kind.__annotations__.get(field.name, "")
            meaning = re.sub(r"\s+", " ", words.value if words else "").replace("|", "\\|")
            yield f"| `{field.encode_name}` | {_type_words(hint)} | {default} | {meaning} |"

    def section(title: str, words: str, types: tuple[Any, ...]) -> Iterator[str]:
        yield from ("", f"## {title}", "", words)
        for union in types:
            for one in get_args(union) or (union,):
                if one not in seen and inspect.isclass(one) and issubclass(one, msgspec.Struct):
                    seen.add(one)
                    yield from described(one)

    parts = [
        "# Wire types",
        "",
        "The types of all messages. [Messages](../wire.md) tells when each is sent.",
        *section("What the server sends", "Clients ignore fields that they do not know.", SENT),
        *section("What a client sends", "Unknown fields are errors.", SAID),
    ]
    return "\n".join(parts) + "\n"


FORMATS = ("scenario", "army", "campaign", "ruling", "game", "study", "resolve", "odds")
"""The formats of files and requests that people write or keep; what else `caltrop schema` knows goes over the wire."""


def _schema_words(part: dict[str, Any]) -> str:
    """Return what a part of a JSON Schema allows, in a few words."""
    if "$ref" in part:
        return part["$ref"].rpartition("/")[2]
    if "enum" in part or "const" in part:
        values = [f"`{value}`" for value in part.get("enum", [part.get("const")])]
        return ", ".join(values[:12]) + (f" and {len(values) - 12} more" if len(values) > 12 else "")
    if "anyOf" in part:
        return " or ".join(_schema_words(one) for one in part["anyOf"])
    kind = str(part.get("type", "anything"))
    if kind == "array":
        inner = part.get("items") or {"anyOf": part.get("prefixItems", [])}
        return f"list of {_schema_words(inner)}" if inner else "list"
    if kind == "object" and isinstance(part.get("additionalProperties"), dict):
        return f"object of {_schema_words(part['additionalProperties'])}"
    bounds = [f"{words} {part[key]}" for key, words in (("minimum", "from"), ("maximum", "to")) if key in part]
    return " ".join([kind, *bounds])


def files() -> str:
    """Return the page of the file formats, from their JSON Schemas."""
    from caltrop.engine import rulesets
    from caltrop.errors import InputError
    from caltrop.wire import schema

    def of_games(name: str) -> Iterator[tuple[str, dict[str, Any]]]:
        for game in rulesets():
            with contextlib.suppress(InputError):
                yield game, schema(name, game)

    parts = [
        "# File formats",
        "",
        "The fields of every file that people write. `caltrop schema NAME --game GAME` prints the whole JSON Schema.",
    ]
    for name in FORMATS:
        parts += ["", f"## {name}"]
        whole = schema(name, None)
        each = dict(of_games(name)) if "anyOf" in whole else {"": whole}
        for game, made in each.items():
            if game:
                parts += ["", f"### {name} of {game}"]
            for title, part in made.get("$defs", {}).items():
                fields = part.get("properties")
                if not fields:
                    continue
                about = str(part.get("description", "")).partition("\n\n")[0].replace("\n", " ")
                parts += ["", f"**{title}**: {about}", "", "| field | value | needed |", "|---|---|---|"]
                for field, inner in fields.items():
                    needed = "yes" if field in part.get("required", ()) else f"`{inner.get('default', '')!r}`"
                    words = _schema_words(inner).replace("|", "\\|")
                    parts.append(f"| `{field}` | {words} | {needed.replace('|', chr(92) + '|')} |")
    return "\n".join(parts) + "\n"


def python() -> str:
    """Return the page of the Python API, which the site's generator fills in."""
    import caltrop.front

    parts = ["# Python", "", "What `import caltrop` gives. Each name is fetched when it is first asked for.", ""]
    parts += [
        f"::: caltrop.front.{name}\n    options:\n      heading: caltrop.{name}\n"
        for name in caltrop.front.__all__
        if name != "Seeded"
    ]
    parts += ["::: caltrop.errors.InputError\n", "::: caltrop.chance.Seeded\n", "::: caltrop.engine.Match\n"]
    parts += ["## Players", "", "::: caltrop.players.Player\n"]
    parts += ["## Environments", "", "::: caltrop.envs.aec\n", "::: caltrop.envs.gym\n"]
    return "\n".join(parts)


REFERENCE = {"commands": commands, "messages": messages, "files": files, "python": python}


def stage() -> None:
    """Write everything that the site is built of into `build/docs`."""
    shutil.rmtree(STAGE, ignore_errors=True)
    every = pages()
    for page, name in every.items():
        to = STAGE / name
        to.parent.mkdir(parents=True, exist_ok=True)
        if page.endswith(".md"):
            to.write_text(staged(page, (ROOT / page).read_text(encoding="utf-8"), every), encoding="utf-8")
        else:
            shutil.copyfile(ROOT / page, to)
    (STAGE / "reference").mkdir()
    for name, made in REFERENCE.items():
        (STAGE / "reference" / f"{name}.md").write_text(made(), encoding="utf-8")


def take_scripts_out(site: Path) -> None:
    """Move the scripts that stand in the site's pages into files: the server's policy allows no others."""
    script = re.compile(r"<script>(.+?)</script>", re.DOTALL)
    for page in site.rglob("*.html"):
        text = page.read_text(encoding="utf-8")

        def moved(match: re.Match[str], page: Path = page) -> str:
            name = f"assets/javascripts/{hashlib.sha256(match[1].encode()).hexdigest()[:16]}.js"
            (site / name).write_text(match[1], encoding="utf-8")
            return f'<script src="{os.path.relpath(site / name, page.parent)}"></script>'

        page.write_text(script.sub(moved, text), encoding="utf-8")


def main() -> int:
    """Stage, check and build; return 1 where a link is dead or the generator warns."""
    dead = dead_links()
    if dead:
        print("\n".join(dead), file=sys.stderr)
        return 1
    stage()
    command = [str(Path(sys.executable).parent / "zensical"), "build", "--clean", "--strict"]
    code = subprocess.run(command, cwd=ROOT, check=False).returncode
    if code == 0:
        take_scripts_out(SITE)
    return code


if __name__ == "__main__":
    sys.exit(main())
