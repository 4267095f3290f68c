"""The sentences that players may read, collected from the sources. `caltrop words` lists these sentences, which are the
keys of translations.

A sentence is a template: text with named values in braces, as in `Order the {unit}`. Sentences are taken from the code
or a data file, so no second list must be kept up to date. There are four kinds of braces:

- `{unit}` stands for any text, and is named after the last name in its expression;
- `{shield dice}` stands for a number with its noun, written by `quantity(n, "shield die")`;
- `{falls|fall}` stands for a verb in the two forms that agree with a name or a number; a translation leaves it out;
- `{battle die|battle dice}`, without other text, is a noun with its singular and plural.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from caltrop.agreeing import agreeing, plural
from caltrop.languages import catalog_file, catalog_in

SHARED = (
    "asking",
    "kit",
    "engine",
    "host",
    "wire",
    "picture",
    "table",
    "journal",
    "scenarios",
    "roster",
    "server",
    "lab/analysis.py",
    "lab/battle.py",
    "lab/effects.py",
    "lab/wording.py",
    "players/advice.py",
    "players/judgement.py",
    "players/ladder.py",
    "players/levels.py",
    "players/registry.py",
    "players/uniform.py",
)
"""Packages and modules whose sentences are shared by all games."""

NO_SENTENCES = frozenset(
    [
        "admin.py",
        "apart.py",
        "bot.py",
        "connections.py",
        "database.py",
        "declared.py",
        "explore",
        "features.py",
        "host/standing.py",
        "measures.py",
        "migrations",
        "mending.py",
        "openapi.py",
        "packing.py",
        "plan.py",
        "proof.py",
        "restoring.py",
        "rulings",
        "scenarios/reading.py",
        "server/administering.py",
        "server/run.py",
        "storage.py",
        "transcript.py",
        "workers.py",
    ]
)
"""Modules and folders whose texts are for programs, or for people who run a server or write a ruling. An entry includes
the folder if another folder has a module of the same name.
"""
CODE_CALLS = frozenset(
    [
        "amended_by",
        "clause",
        "compiled",
        "compile",
        "encode",
        "endswith",
        "field",
        "find",
        "fullmatch",
        "getattr",
        "getLogger",
        "import_module",
        "index",
        "isinstance",
        "key_of",
        "issubclass",
        "joinpath",
        "lstrip",
        "mark",
        "match",
        "meta",
        "open",
        "partition",
        "pop",
        "relative_to",
        "removeprefix",
        "removesuffix",
        "replaces",
        "rfind",
        "rpartition",
        "rsplit",
        "rstrip",
        "rule",
        "search",
        "setattr",
        "setdefault",
        "split",
        "startswith",
        "step",
        "strip",
        "sub",
        "trigger",
        "uncounted",
        "with_suffix",
        "ContextVar",
        "Field",
        "Literal",
        "Meta",
        "NewType",
        "Seeded",
        "TypeVar",
    ]
)
"""Calls whose text is for programs."""
LEVELS = frozenset({"debug", "info", "warning", "error", "exception"})
"""Methods of a logger; only people who run a server read the texts logged."""
CODE_ARGUMENTS = frozenset(
    [
        "action",
        "code",
        "edition",
        "encoding",
        "field",
        "form",
        "id",
        "key",
        "kind",
        "mode",
        "plays",
        "rename",
        "shape",
        "silhouette",
        "sort",
        "stage",
        "tag",
        "tag_field",
        "usual",
        "where",
    ]
)
"""Named arguments whose text is for programs."""
NAMING = {"choose": 2, "Library": 0}
"""Functions with a noun for messages such as "there is no class 'x'", and the position of that argument."""
PROGRAMMERS_ERRORS = frozenset(
    [
        "AssertionError",
        "AttributeError",
        "CannotExplore",
        "IndexError",
        "KeyError",
        "LookupError",
        "NotImplementedError",
        "RuntimeError",
        "StopIteration",
        "TypeError",
        "ValueError",
    ]
)
"""Errors that no player reads."""
FIELDS = frozenset(["title", "words", "say", "ask", "hint", "name", "question", "answer", "text", "why"])
"""Keys of data files whose values are read by players."""
NUMBERED = frozenset({"quantity"})
"""Functions that write a number with a noun, which is the second argument."""
AGREEING = frozenset({"does", "agreeing"})
"""Functions that make a verb agree with the first argument."""
SPOKEN = re.compile(r"^[Vv]erb$|VERB$|WORDS$")
"""Names of types and tables whose values are parts of sentences, even if they are single words."""
REASONS = frozenset({"Reason", "Term"})
"""Records of a part of a sum, whose third argument is its words."""
NAMED_ROWS = frozenset({"weapons.yaml"})
"""Data files with titles of things that are counted."""
MOTIONS = frozenset({"Motion", "MotionOf"})
"""Records of what a page shows of an event; the `tag` is written beside the unit."""
OPPOSITE = {"north": "south", "south": "north", "west": "east", "east": "west"}
OTHER_SIDE = re.compile("|".join(OPPOSITE))
"""Sides in the name of a piece of terrain; the copy on the other half of a table has the opposite ones."""
WORD = re.compile(r"[a-z]{3,}")
HOLE = re.compile(r"\{([^{}]*)\}")
CODE = re.compile(r"`[^`]*`")
"""A key or an option in a sentence."""


class Sentence(NamedTuple):
    """A sentence that players may read."""

    text: str
    file: str
    """File of the sentence, as a path below the package."""
    line: int


ROOT = Path(__file__).parents[1]
"""Folder of the package."""
ROOMS = tuple(sorted(file.parent.name for file in ROOT.glob("rules/*/__init__.py")))
"""Folders of the rulesets in the package."""
SCOPES = ("shared", "terminal", *[room.replace("_", "-") for room in ROOMS])
"""Games whose sentences can be listed; `shared` has those that all games share, `terminal` those of the terminal."""


def sentences_of(game: str) -> tuple[Sentence, ...]:
    """Return the sentences of a ruleset, in the order of its files; each text once.

    Args:
        game: Name of the ruleset; `shared` for the sentences common to all games, `terminal` for those of the terminal.

    Raises:
        LookupError: if the package has no such ruleset.
    """
    if game not in SCOPES:
        raise LookupError(game)
    room, shared = game.replace("-", "_"), game == "shared"
    own = ("terminal",) if game == "terminal" else (f"rules/{room}", f"players/{room}", f"scenarios/{room}")
    folders = [ROOT / name for name in (SHARED if shared else own)]
    files = [
        file
        for folder in folders
        for file in ([folder] if folder.is_file() else sorted([*folder.rglob("*.py"), *folder.rglob("*.yaml")]))
        if not _is_for_programs(file) and not (shared and file.parent.name in ROOMS)
    ]
    texts: dict[str, Sentence] = {}
    for file in files:
        place = file.relative_to(ROOT).as_posix()
        for text, line in read(file):
            texts.setdefault(text, Sentence(text, place, line))
    return tuple(texts.values())


def _is_for_programs(file: Path) -> bool:
    place = file.relative_to(ROOT)
    return not NO_SENTENCES.isdisjoint({*place.parts, place.as_posix()})


def translations(language: str, game: str) -> dict[str, str]:
    """Return the translations of a ruleset's sentences by key, including the sentences shared by all games."""
    both = {**catalog_in(catalog_file(language, game)), **catalog_in(catalog_file(language, "shared"))}
    return {key: text for key, text in both.items() if text}


def read(file: Path) -> Iterator[tuple[str, int]]:
    """Yield the sentences of a module or a data file, with their lines."""
    source = file.read_text(encoding="utf-8")
    texts = _of_data(source, counted=file.name in NAMED_ROWS) if file.suffix == ".yaml" else _of_code(ast.parse(source))
    for text, line in texts:
        bare = trimmed(text)
        if is_for_players(bare):
            yield bare, line


def trimmed(text: str) -> str:
    """Return a text without punctuation and blanks at its ends.

    >>> trimmed(", and no {unit}. ")
    'and no {unit}'
    """
    return re.sub(r"\s+", " ", text).strip(" ,;:.()…")


def is_for_players(text: str) -> bool:
    """Return whether a text is written for people: words instead of a clause, a path or the name of a field.

    >>> [is_for_players(text) for text in ("Pinned", "and wins", "XY-S20 XY-S21", "units/{kind}", "by_road")]
    [True, True, False, False, False]

    In a text of one word, a dot belongs to a path or a file, also next to a value. A capital after a value belongs to a
    class.

    >>> [is_for_players(text) for text in ("{unit} waits.{more}", "{name}.yaml", "rules.{name}", "{name}Act")]
    [True, False, False, False]

    JSON, TypeScript, addresses and ids with hyphens are for programs.

    >>> [is_for_players(text) for text in ('"club":"{club}"', "mailto:{value}", "drawn-{slug}", "export {name}")]
    [False, False, False, False]

    Styles of the terminal and options of commands are for programs too.

    >>> [is_for_players(text) for text in ("bold reverse", "--seed {seed}", "bold riders")]
    [False, False, True]

    Names of classes and of HTTP headers are for programs too.

    >>> [is_for_players(text) for text in ("BattleOver", "Idempotency-Key", "{army}-infantry", "Re-roll")]
    [False, False, False, True]

    A sentence may name a key in backquotes.

    >>> [is_for_players(text) for text in ("unless `pinned_may_shoot` is on", "unless pinned_may_shoot is on")]
    [True, False]
    """
    if re.fullmatch(r"\S*\w\.\w\S*", HOLE.sub("x", text)) or re.search(r"\}[A-Z]", text):
        return False
    if re.match(r"\{?\"\w+\":|mailto:|export ", text):
        return False
    if re.fullmatch(r"(?:(?:bold|underline|reverse|yellow|\{\w+\}) ?)+|--.*|caltrop [a-z]+ --.*|.*\b1fr\b.*", text):
        return False
    if re.fullmatch(r"(?:[A-Z][a-z]+){2,}|\w+-(?:Encoding|Key)", text):
        return False
    if re.fullmatch(r"(?:[a-z]+|\{\w+\})(?:-(?:[a-z]+|\{\w+\}))+", text):
        return False
    literal = HOLE.sub(lambda hole: f" {hole[1]} " if "|" in hole[1] else " ", text)
    if not re.search(r"[A-Za-z]{2}", literal) or re.search(r"%[sd]\b|^[A-Z]{3,} |^(?:def|return) ", literal):
        return False
    if re.fullmatch(r"(?:[A-Z]{1,3}-?[A-Z0-9-]*\d\w*[ ,]*)+", literal.strip()):
        return False
    spoken = CODE.sub(" ", literal)
    return not re.search(r"[_/\\<>=\[\]]|\w\.\w", spoken) and not re.fullmatch(r"[A-Z]{3,}", literal.strip())


# --- code -------------------------------------------------------------------------------------------------------------


def _of_code(tree: ast.Module) -> Iterator[tuple[str, int]]:
    reader = _Reader()
    reader.visit(tree)
    yield from reader.texts


class _Reader(ast.NodeVisitor):
    """Collects the texts of a module except docstrings, names, comparisons and keys."""

    def __init__(self) -> None:
        self.texts: list[tuple[str, int]] = []
        self.spoken = 0
        """Number of f-strings around the visited node. Inside an f-string a single word is a text; elsewhere it is an
        id.
        """

    def visit_Expr(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Constant):
            self.visit(node.value)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        if node.name == "__repr__":
            return
        for part in (*node.args.defaults, *node.body):
            self.visit(part)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        self._spoken_values(node.target, node.value)
        for part in ast.walk(node.annotation):
            if isinstance(part, ast.Call) and _name(part.func) == "Given":
                self.visit(part)
        if node.value is not None:
            self.visit(node.value)

    def _spoken_values(self, target: ast.expr, value: ast.expr | None) -> None:
        """Collect the single words of a table or type whose values are parts of sentences."""
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
            for one, part in zip(target.elts, value.elts, strict=False):
                self._spoken_values(one, part)
        if value is None or not SPOKEN.search(_name(target)):
            return
        parts: Iterable[ast.AST] = value.values if isinstance(value, ast.Dict) else ast.walk(value)
        for text in filter(None, map(_text, parts)):
            self.texts.append((_verb(text) if _name(target)[-4:].lower() == "verb" else text, target.lineno))

    def visit_Assign(self, node: ast.Assign) -> None:
        self._spoken_values(node.targets[0], node.value)
        if not any(isinstance(target, ast.Name) and target.id == "__all__" for target in node.targets):
            self.visit(node.value)

    def visit_Compare(self, node: ast.Compare) -> None:
        """Leave out texts that are only compared."""

    def visit_Subscript(self, node: ast.Subscript) -> None:
        self.visit(node.value)
        if not isinstance(node.slice, ast.Constant):
            self.visit(node.slice)

    def visit_match_case(self, node: ast.match_case) -> None:
        for statement in node.body:
            self.visit(statement)

    def visit_Raise(self, node: ast.Raise) -> None:
        if not (isinstance(node.exc, ast.Call) and _name(node.exc.func) in PROGRAMMERS_ERRORS):
            self.generic_visit(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        says = {keyword.arg for keyword in node.keywords} & FIELDS
        if any(_name(base) == "Action" or getattr(base, "id", "") == "Action" for base in node.bases) and not says:
            # An act without a text is shown by the name of its class.
            words = "".join(f" {sign.lower()}" if sign.isupper() else sign for sign in node.name).strip()
            self.texts.append((words[:1].upper() + words[1:], node.lineno))
        for statement in node.body:
            self.visit(statement)

    def visit_Dict(self, node: ast.Dict) -> None:
        for value in node.values:
            self.visit(value)

    def visit_Call(self, node: ast.Call) -> None:
        self.visit(node.func)
        name = _name(node.func)
        if name == "join" and (joint := _text(node.func.value).strip() if isinstance(node.func, ast.Attribute) else ""):
            self.texts.append((joint, node.lineno))
        if name in REASONS and len(node.args) > 2 and _text(node.args[2]):
            self.texts.append((_text(node.args[2]), node.lineno))
        if name == "Stat":
            self.texts.extend(_without_unit(node))
        if name in CODE_CALLS or (name in LEVELS and _name(getattr(node.func, "value", node)) == "log"):
            return
        if name == "get":
            node = ast.Call(node.func, node.args[1:], [])
        noun = _text(node.args[1]) if name in NUMBERED and len(node.args) > 1 else ""
        if noun:
            self.texts.append((noun_key(noun), node.lineno))
        place = NAMING.get(name, len(node.args))
        if place < len(node.args) and _text(node.args[place]):
            # In this place even a single word is a text for people.
            self.texts.append((_text(node.args[place]), node.lineno))
        if name == "does" and not self.spoken:
            self.texts.append((_value(node, {}), node.lineno))
        if name in AGREEING or noun:
            node = ast.Call(node.func, [value for value in node.args if not _text(value)], [])
        for value in node.args:
            # In other places a single word is an id.
            if not WORD.fullmatch(_text(value)):
                self.visit(value)
        for keyword in node.keywords:
            if keyword.arg in FIELDS and _text(keyword.value):
                self.texts.append((_worded(_text(keyword.value)), keyword.value.lineno))
            elif keyword.arg == "label" or (name == "Stat" and keyword.arg == "value"):
                self.texts.extend((text, keyword.value.lineno) for text in _texts(keyword.value))
                self.visit(keyword.value)
            elif name in MOTIONS and keyword.arg == "tag":
                self.texts.extend((text, keyword.value.lineno) for text in _texts(keyword.value))
            elif keyword.arg not in CODE_ARGUMENTS and not WORD.fullmatch(_text(keyword.value)):
                self.visit(keyword.value)

    def visit_Constant(self, node: ast.Constant) -> None:
        if not isinstance(node.value, str):
            return
        if WORD.fullmatch(node.value):
            if self.spoken:
                self.texts.append((node.value, node.lineno))
        elif " " in node.value.strip() or node.value[:1].isupper() or "|" in _worded(node.value):
            self.texts.append((_worded(node.value), node.lineno))
            self.texts.extend((noun_key(noun), node.lineno) for noun in _nouns(node.value))

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        self.texts.append((_template(node), node.lineno))
        self.spoken += 1
        for part in node.values:
            if isinstance(part, ast.FormattedValue):
                self.visit(part.value)
        self.spoken -= 1


def _without_unit(stat: ast.Call) -> Iterator[tuple[str, int]]:
    """Yield the labels of a number without the name of what it pays: a page draws a token in place of the name."""
    given = {keyword.arg: keyword.value for keyword in stat.keywords}
    unit = _text(given.get("pays"))
    for label in ast.walk(given["label"]) if unit else ():
        if _text(label).startswith(f"{unit} "):
            yield _text(label).removeprefix(f"{unit} "), stat.lineno


def _name(function: ast.expr) -> str:
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def _template(node: ast.JoinedStr) -> str:
    parts: list[str] = []
    names: dict[str, int] = {}
    for part in node.values:
        if isinstance(part, ast.Constant):
            parts.append(str(part.value))
        elif isinstance(part, ast.FormattedValue):
            parts.append(_value(part.value, names))
    return "".join(parts)


def _value(node: ast.expr, names: dict[str, int]) -> str:
    if isinstance(node, ast.Call):
        function, texts = _name(node.func), [_text(value) for value in node.args]
        if function == "does" and len(texts) > 2 and texts[1]:
            return f"{{{texts[2]}|{texts[1]}}}"
        if function == "does" and len(texts) > 1 and texts[1]:
            return f"{_hole(node.args[0], names)} {_verb(texts[1])}"
        if function == "agreeing" and len(texts) > 1 and texts[1]:
            return _verb(texts[1])
        if function == "quantity" and len(texts) > 1 and texts[1]:
            noun = _once(plural(texts[1]), names)
            return f"{{{noun}}} {_verb(texts[2])}" if len(texts) > 2 and texts[2] else f"{{{noun}}}"
    return _hole(node, names)


def _hole(node: ast.expr, names: dict[str, int]) -> str:
    return f"{{{_once(_called(node), names)}}}"


def _called(node: ast.expr) -> str:
    if isinstance(node, ast.Name | ast.Attribute):
        return _name(node).strip("_")
    if isinstance(node, ast.Call):
        return _name(node.func).strip("_") or "value"
    if isinstance(node, ast.Subscript):
        return _called(node.value)
    return "value"


def _once(name: str, names: dict[str, int]) -> str:
    names[name] = names.get(name, 0) + 1
    return name if names[name] == 1 else f"{name} {names[name]}"


def _texts(node: ast.expr) -> Iterator[str]:
    """Yield the texts that a value may be: a constant, or the branches of a condition."""
    if isinstance(node, ast.IfExp):
        yield from (*_texts(node.body), *_texts(node.orelse))
    elif _text(node):
        yield _text(node)


def _text(node: Any) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def _verb(verb: str) -> str:
    return f"{{{verb}|{agreeing(2, verb)}}}"


def noun_key(noun: str) -> str:
    """Return the key of a noun: its singular and plural.

    >>> noun_key("battle die")
    '{battle die|battle dice}'
    """
    return f"{{{noun}|{plural(noun)}}}"


def _nouns(template: str) -> list[str]:
    forms = [form for _, colon, form in (hole.partition(":") for hole in HOLE.findall(template)) if colon]
    return [
        form
        for form in forms
        if re.fullmatch(r"[a-z][a-z ]*", form)
        and form not in ("cm", "inch")
        and not form.partition(" ")[0].endswith("s")
    ]


def _worded(text: str) -> str:
    """Return the template of an act, event or decision as a key; its values show agreement (`engine.rule.parts_of`)."""
    names: dict[str, int] = {}

    def value(match: re.Match[str]) -> str:
        name, _, form = match[1].partition(":")
        if form in ("", "cm", "inch"):
            return f"{{{_once(name or 'value', names)}}}"
        if form.startswith(":"):
            return _verb(form[1:])
        if form.partition(" ")[0].endswith("s"):
            return f"{{{_once(name, names)}}} {_verb(form)}"
        return f"{{{_once(plural(form), names)}}}"

    return HOLE.sub(value, text)


# --- data -------------------------------------------------------------------------------------------------------------


def _of_data(source: str, *, counted: bool) -> Iterator[tuple[str, int]]:
    import yaml

    for document in yaml.compose_all(source, yaml.SafeLoader):
        for text, line, key in _values(document):
            yield text, line
            if counted and key == "title" and not text.endswith("s"):
                yield noun_key(text), line


def _values(node: Any) -> Iterator[tuple[str, int, str]]:
    """Yield the texts of a document with their lines and keys."""
    entries = node.value if node.id == "mapping" else [(None, child) for child in node.value]
    # A piece of terrain is called by its id.
    called = {*FIELDS, "id"} if "kind" in [key.value for key, _ in entries if key is not None] else FIELDS
    for key, value in entries:
        if value.id != "scalar":
            yield from _values(value)
        elif key is not None and key.value in called and value.tag.endswith(":str"):
            yield value.value, value.start_mark.line + 1, key.value
            if key.value == "id":
                mirrored = OTHER_SIDE.sub(lambda word: OPPOSITE[word[0]], value.value)
                yield mirrored, value.start_mark.line + 1, key.value
