"""Check that names and prose are plain English: `python -m tests.plain`, a part of `make check`.

The rules are in `docs/plain-english.md`. Rooms that were written before them have an allowance for each rule in
`tests/plain.json`, which may fall and may not rise. A room without an allowance follows the rules everywhere.
"""

from __future__ import annotations

import argparse
import ast
import json
import re
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
ALLOWANCES = Path(__file__).with_suffix(".json")
# Classes whose names and fields may not change: stored games, the wire, and authors of rulesets use them
# (`tests.corpus.names`).
FIXED = frozenset((ROOT / "tests" / "corpus" / "classes.txt").read_text(encoding="utf-8").split())
FOLDERS = ("src", "tests", "benchmarks", "examples", "docs")
# Earlier players are unchanged copies, and the ids of clauses in `docs/rules` are mixed with words of the rulebooks.
ELSEWHERE = {"node_modules", "static", "site", "dist", "__pycache__", "frozen", "migrations", "corpus"}
COMMITS_SINCE = "2026-11-29T13:30:00Z"
LONGEST_SENTENCE = 30
LONGEST_SUBJECT = 60
LONGEST_LINE = 120

ADVICE = {
    "headless": "Name the subject: 'Return the units that may move.', not 'What may move.'.",
    "heading": "Name the subject: 'Sight and secrets', not 'What is seen'; or ask a question.",
    "verb": "Begin with a verb: 'Return the units that may move.', not 'The units that may move.'.",
    "caption": "Say what the name does not say, or have no docstring: 'The check.' tells nobody anything.",
    "override": "Drop the docstring: the method that this one overrides has said it already.",
    "and not": "Say what is the case: 'A warband has 3 to 8 models; this one has 9', not '…, and not 9'.",
    "worn": "Find an everyday word for it.",
    "stiff": "Say it as people speak: 'must' for 'is to'; 'is not a unit' for 'is no unit'; 'if' for 'where'; "
    "'describes' for 'tells of'; 'happens to' for 'becomes of'; 'cannot shoot' for 'shoots nobody'.",
    "pronoun": "Name the thing: 'True if the act ends the step.', not 'True if it ends the step.'.",
    "long sentence": f"Make two sentences of it: at most {LONGEST_SENTENCE} words each.",
    "participle": "Name the variable for what it holds: `places`, `refusal`, `casualties`.",
    "class name": "Give the class a name of its own. Two rulesets may have the same idea under one name; a name that "
    "is stored or public stays, and the other class takes another one.",
    "long line": f"Break the line: at most {LONGEST_LINE} characters.",
    "subject": f"Write a shorter subject, such as 'squad: let Officers rally': at most {LONGEST_SUBJECT} characters.",
}

PARTICIPLES = {"found", "told", "known", "said", "came", "kept", "wanted"}
HEADLESS = re.compile(
    r"((What|Who|Whose|How|Whether|Where|Why|Which|Whatever|Wherever|However|That which)\b(?!,)"
    r"|(After|At|By|For|From|In|On|To|Until|With) (what|which|how|when)\b)"
)
WORN = re.compile(
    r"\b(so many|so long(?! as\b)|anew|stands in|comes to|come to|came to|is told|are told|of before|the same, and"
    r"|need be|as it were|of its own accord|to and fro)\b",
    re.IGNORECASE,
)
# Turns of phrase that a reader has to translate, also in sentences for players.
STIFF = re.compile(
    r"\b(by|for|gives?|without) leave\b"
    r"|\b(tells|told|becomes?|comes?|came) of\b"
    r"|(?<!\bthere )(\b|:)(is|are)\}? no "
    r"(?!longer|more|fewer|less|one|later|earlier|farther|nearer|greater|larger|better)[a-z]"
    r"|\b(is|are|was|were) to be\b|\b(side|player|unit|one|game)s? that (is|are) to\b"
    r"|\bat hand\b"
    r"|\{\w*::\w+\} (no|nobody|nothing|on no)\b"
    r"|\bwhere (anything|nobody|both|it is left out|there (is|are) (none|any))\b",
    re.IGNORECASE,
)
LEANING = re.compile(r"(?:(?:True|False|None) if|Raises `?\w+`? (?:if|when)) (?:it|they)\b")
# Marks the end of a heading.
HEADING = "\ue001"
# Paragraphs, headings, items of lists, cells of tables and full stops end a sentence.
END = re.compile(
    r"(\n\s*\n|\n\s*(?:[-*|>#]|\d+\.|\w+:)\s|\s\|\s|(?<=\uE001)\n"
    r"|(?<=[.?!…])[)\"'*]*\s+(?=[\"'(*`\[]*[A-Z0-9]|\"[a-z]))"
)
AND_NOT = re.compile(r", (?:and )?not (?:(?:of|for|to|in|with|one of|at most|from|by) )?\{[\w.]")
# Words that are not verbs. A docstring must not begin with one of them.
NO_VERB = (
    "a all also an and another any anybody anything as at before beside between both by dice each either "
    "every everybody everything exactly few for from here his how if in it its least models more most "
    "nobody none nothing now of on one only or others places several she so some somebody something such "
    "that the their them then there these they this those three to two under units until what when where "
    "whether which who whose why with without you "
)
DECLARATIVE = (
    "rule",
    "step",
    "amended_by",
    "replaced_by",
    "house",
    "fixture",
    "property",
    "clause",
    "overload",
    "setter",
)


class Offence(NamedTuple):
    """A broken rule with its place."""

    room: str
    kind: str
    place: str
    line: int
    words: str


@dataclass
class Chapter:
    """The parts of a file that the rules check."""

    place: str
    offences: list[Offence] = field(default_factory=list)
    # Definitions of classes by full name: line, bases, and methods with and without docstring.
    classes: dict[str, tuple[int, tuple[str, ...], dict[str, tuple[int, str]]]] = field(default_factory=dict)
    # Imported names that this module passes on.
    imports: dict[str, str] = field(default_factory=dict)


def room(place: str) -> str:
    """Return the part of the project whose allowance counts for a file."""
    parts = place.split("/")
    if parts[:3] == ["src", "caltrop", "web"]:
        return "client"
    if parts[:3] == ["src", "caltrop", "rules"] and len(parts) > 4:
        return f"rules/{parts[3]}"
    if parts[:2] == ["src", "caltrop"]:
        return parts[2].removesuffix(".py")
    if parts[0] == "tests" and len(parts) > 2:
        return f"tests/{parts[1]}"
    return parts[0]


def sentences(text: str) -> Iterator[tuple[int, str]]:
    """Yield each sentence of a text, with the number of its line within the text.

    Paragraphs, items of lists, cells of tables and headings end a sentence as a full stop does.
    """
    text = re.sub(r"^( *)```.*?^\1```", lambda block: "\n" * block[0].count("\n"), text, flags=re.DOTALL | re.MULTILINE)
    text = re.sub(r"^ *>>> .*(?:\n *\S.*)*", lambda example: "\n" * example[0].count("\n"), text, flags=re.MULTILINE)
    text = re.sub(r"^#+ .*", lambda heading: f"{heading[0]}{HEADING}", text, flags=re.MULTILINE)
    text = re.sub(r"`[^`\n]*`", "Code", text)
    text = re.sub(r"\]\([^)]*\)", "]", text)
    pieces = END.split(text)
    line = 0
    for piece, gap in zip(pieces[::2], [*pieces[1::2], ""], strict=True):
        if piece.strip():
            yield line + len(piece[: len(piece) - len(piece.lstrip())].splitlines()), piece.strip().strip("|*_ ")
        line += piece.count("\n") + gap.count("\n")


def in_prose(place: str, line: int, text: str) -> Iterator[Offence]:
    """Yield the offences in the sentences of a docstring, a comment or a page."""
    for below, sentence in sentences(text):
        here = (room(place), place, line + below)
        if HEADLESS.match(sentence) and not sentence.rstrip("*_)\"'").endswith("?") and re.search(r"\s.*\.$", sentence):
            yield offence(here, "headless", sentence)
        if len(re.findall(r"[^\s–—=+|<>→·×]+", sentence)) > LONGEST_SENTENCE:
            yield offence(here, "long sentence", sentence)
        for _ in WORN.finditer(sentence):
            yield offence(here, "worn", sentence)
        if STIFF.search(sentence):
            yield offence(here, "stiff", sentence)
        heading = sentence.strip(f"# {HEADING}")
        written = sentence.endswith(HEADING) and not place.startswith("docs/conformance/")
        if written and HEADLESS.match(heading) and not heading.endswith("?"):
            yield offence(here, "heading", heading)
        if LEANING.match(sentence):
            yield offence(here, "pronoun", sentence)


def offence(here: tuple[str, str, int], kind: str, words: str) -> Offence:
    """Return an offence whose words are shortened to one line."""
    place, path, line = here
    short = " ".join(words.split())
    return Offence(place, kind, path, line, short if len(short) <= 100 else short[:99] + "…")


def docstring(node: ast.AST) -> ast.Constant | None:
    """Return the docstring of a module, class or function, if there is one."""
    body = getattr(node, "body", None)
    if isinstance(body, list) and body and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
        return body[0].value if isinstance(body[0].value.value, str) else None
    return None


def in_python(place: str, text: str) -> Chapter:
    """Return the definitions of one module, and its offences."""
    chapter = Chapter(place)
    tree = ast.parse(text)
    here = room(place)
    module = place.removeprefix("src/").removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    fields = fixed_fields(tree, module)
    inside: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and (node.end_lineno or 0) > node.lineno:
            inside.update(range(node.lineno, (node.end_lineno or 0) + 1))
        for line, name in assigned(node):
            if name in PARTICIPLES and line not in fields:
                chapter.offences.append(Offence(here, "participle", place, line, name))
        body = getattr(node, "body", None)
        for part in body if isinstance(body, list) else []:
            if (
                isinstance(part, ast.Expr)
                and isinstance(part.value, ast.Constant)
                and isinstance(part.value.value, str)
            ):
                chapter.offences += in_prose(place, part.lineno, part.value.value)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            chapter.offences += in_function(place, node)
    chapter.offences += in_comments(place, text, inside)
    chapter.offences += for_players(place, tree)
    chapter.offences += [
        Offence(here, "and not", place, number, line.strip()[:100])
        for number, line in enumerate(text.splitlines(), 1)
        if AND_NOT.search(line) and place not in ("tests/plain.py", "tests/architecture/test_plain.py")
    ]
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                chapter.imports[f"{module}.{alias.asname or alias.name}"] = f"{node.module}.{alias.name}"
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            methods: dict[str, tuple[int, str]] = {}
            for method in node.body:
                if isinstance(method, ast.FunctionDef | ast.AsyncFunctionDef):
                    words = docstring(method)
                    methods[method.name] = (method.lineno, str(words.value) if words else "")
            bases = tuple(ast.unparse(base).partition("[")[0] for base in node.bases)
            chapter.classes[f"{module}.{node.name}"] = (node.lineno, bases, methods)
    return chapter


def fixed_fields(tree: ast.Module, module: str) -> set[int]:
    """Return the lines of the fields that stored games, the wire or authors of rulesets name."""
    return {
        field.lineno
        for node in tree.body
        if isinstance(node, ast.ClassDef) and f"{module}.{node.name}" in FIXED
        for field in node.body
        if isinstance(field, ast.AnnAssign)
    }


def assigned(node: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield the variables and parameters that a piece of syntax names."""
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        yield node.lineno, node.id
    elif isinstance(node, ast.arg):
        yield node.lineno, node.arg


def in_function(place: str, node: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[Offence]:
    """Yield the offences in the docstring of a function."""
    words = docstring(node)
    if words is None:
        return
    text = str(words.value)
    here = (room(place), place, words.lineno)
    first = re.sub(r"\W.*", "", text.strip(), flags=re.DOTALL).lower()
    declared = any(ast.unparse(mark).partition("(")[0].endswith(DECLARATIVE) for mark in node.decorator_list)
    test = place.startswith(("tests/", "examples/")) and node.name.startswith("test_")
    no_verb = first in NO_VERB.split()
    if len(text.split()) <= 1 + no_verb:
        yield offence(here, "caption", text)
    elif place.startswith("src/") and not declared and not test and no_verb and not HEADLESS.match(text):
        yield offence(here, "verb", text)


def for_players(place: str, tree: ast.Module) -> Iterator[Offence]:
    """Yield the offences in the texts of the program's code, which people may read."""
    prose = {id(words) for node in ast.walk(tree) for words in standing(node)}
    for node in ast.walk(tree) if place.startswith("src/") else ():
        text = node.value if isinstance(node, ast.Constant) and id(node) not in prose else None
        if isinstance(node, ast.Constant) and isinstance(text, str) and STIFF.search(text):
            yield offence((room(place), place, node.lineno), "stiff", text)


def standing(node: ast.AST) -> Iterator[ast.Constant]:
    """Yield the docstrings in the body of a module, class or function, with those of fields."""
    body = getattr(node, "body", None)
    for part in body if isinstance(body, list) else []:
        if isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant):
            yield part.value


def in_data(place: str, text: str) -> Chapter:
    """Return the offences in a data file of the program, whose texts people may read."""
    return Chapter(
        place,
        [
            offence((room(place), place, number), "stiff", line)
            for number, line in enumerate(text.splitlines(), 1)
            if STIFF.search(line)
        ],
    )


def in_comments(place: str, text: str, inside: set[int]) -> Iterator[Offence]:
    """Yield the offences in comments on lines of their own."""
    start, block = 0, list[str]()
    for number, line in enumerate([*text.splitlines(), ""], 1):
        comment = re.match(r"\s*(?:#|//) ?(?!!|type:|ruff|──|noqa)(.*)", line) if number not in inside else None
        if comment:
            start = start or number
            block.append(comment[1])
        elif block:
            yield from in_prose(place, start, "\n".join(block))
            start, block = 0, []


def in_script(place: str, text: str) -> Chapter:
    """Return the offences in a module or component of the client."""
    chapter = Chapter(place)
    here = room(place)
    for number, line in enumerate(text.splitlines(), 1):
        for name in re.findall(r"\b(?:const|let|var)\s+(\w+)\b|[(,]\s*(\w+)\s*(?=[,:)][^;]*=>)", line):
            if {*name} & PARTICIPLES:
                chapter.offences.append(Offence(here, "participle", place, number, line.strip()[:100]))
        if STIFF.search(line) and not re.match(r"\s*(//|/?\*|<!--)", line) and ".test." not in place:
            chapter.offences.append(offence((here, place, number), "stiff", line.strip()))
        if len(line) > LONGEST_LINE:
            chapter.offences.append(Offence(here, "long line", place, number, line.strip()[:100]))
    for block in re.finditer(r"/\*\*?(.*?)\*/|<!--(.*?)-->", text, flags=re.DOTALL):
        words = re.sub(r"^\s*\*( |$)", "", block[1] or block[2] or "", flags=re.MULTILINE).strip()
        chapter.offences += in_prose(place, text.count("\n", 0, block.start()) + 1, words)
    chapter.offences += in_comments(place, text, set())
    return chapter


def read(path: Path) -> Chapter:
    """Return the offences in a file."""
    place, text = path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")
    if place.endswith(".py"):
        return in_python(place, text)
    if place.endswith(".yaml"):
        return in_data(place, text)
    if place.endswith(".md"):
        return Chapter(place, [*in_prose(place, 1, text)])
    return in_script(place, text)


def files() -> list[Path]:
    """Return the files that are checked."""
    endings = {"src": (".py", ".ts", ".svelte", ".yaml"), "docs": (".py", ".md")}
    return sorted(
        path
        for folder in FOLDERS
        for path in (ROOT / folder).rglob("*")
        if path.name.endswith(endings.get(folder, (".py",)))
        and not ELSEWHERE & {*path.relative_to(ROOT).parts}
        and path.relative_to(ROOT).parts[:2] != ("docs", "rules")
        and path.name != "shapes.ts"
    )


def between(chapters: Iterable[Chapter]) -> Iterator[Offence]:
    """Yield the offences between modules: repeated docstrings, and class names that are used twice."""
    classes = {name: (chapter, *parts) for chapter in chapters for name, parts in chapter.classes.items()}
    imports = {name: source for chapter in chapters for name, source in chapter.imports.items()}

    def origin(name: str) -> str:
        steps = 0
        while name not in classes and name in imports and steps < 9:
            name, steps = imports[name], steps + 1
        return name

    def documented(name: str, method: str) -> str:
        """Return the docstring that a method overrides, or ''."""
        if name not in classes:
            return ""
        bases = classes[name][2]
        module = name.rpartition(".")[0]
        for base in bases:
            above = origin(f"{module}.{base}")
            if above in classes and above != name:
                words = classes[above][3].get(method, (0, ""))[1] or documented(above, method)
                if words:
                    return words
        return ""

    for name, (chapter, _, _, methods) in classes.items():
        for method, (below, words) in methods.items():
            above = documented(name, method) if words else ""
            if above and len(telling(words) - telling(above) - telling(method)) <= 2:
                yield offence((room(chapter.place), chapter.place, below), "override", f"{method}: {words}")
    named = defaultdict[str, list[tuple[str, str]]](list)
    for name, (chapter, *_) in classes.items():
        if chapter.place.startswith("src/"):
            named[name.rpartition(".")[2]].append(house(chapter.place))
    for name, (chapter, line, _, _) in classes.items():
        homes = named.get(name.rpartition(".")[2], [])
        if (
            chapter.place.startswith("src/")
            and name not in FIXED
            and (len({one for one, _ in homes}) > 1 or len({*homes}) < len(homes))
        ):
            yield offence((room(chapter.place), chapter.place, line), "class name", name.rpartition(".")[2])


def house(place: str) -> tuple[str, str]:
    """Return the part of the project in which a class name is unique, and the game that may repeat a name of
    another.
    """
    parts = place.split("/")
    if parts[2] in ("rules", "players") and len(parts) > 4:
        return parts[2], parts[3]
    return place, ""


def telling(words: str) -> set[str]:
    """Return the words of a text that carry its meaning, without their endings."""
    return {word.lower()[:5] for word in re.findall(r"[A-Za-z]{4,}", words.replace("_", " "))}


def commits() -> Iterator[Offence]:
    """Yield the subjects of new commits that are too long."""
    log = subprocess.run(
        ["git", "log", "--no-merges", f"--since-as-filter={COMMITS_SINCE}", "--format=%h %s"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    for row in log.stdout.splitlines():
        name, _, subject = row.partition(" ")
        if len(subject) > LONGEST_SUBJECT:
            yield Offence("commits", "subject", name, 0, subject)


def offences() -> list[Offence]:
    """Return every place in the project where one of the rules is broken."""
    with ProcessPoolExecutor() as workers:
        chapters = [*workers.map(read, files(), chunksize=40)]
    return [*(one for chapter in chapters for one in chapter.offences), *between(chapters), *commits()]


def changed() -> set[tuple[str, int]]:
    """Return the lines that differ from the main branch, by file."""
    lines: set[tuple[str, int]] = set()
    for base in ("main", "HEAD"):
        diff = subprocess.run(
            ["git", "diff", "--unified=0", "--merge-base", base], cwd=ROOT, capture_output=True, text=True, check=False
        )
        place = ""
        for row in diff.stdout.splitlines():
            if row.startswith("+++ b/"):
                place = row[6:]
            elif hunk := re.match(r"@@ -\S+ \+(\d+)(?:,(\d+))? @@", row):
                lines |= {(place, int(hunk[1]) + n) for n in range(int(hunk[2] or 1))}
    return lines


def counted(broken: Iterable[Offence]) -> dict[str, dict[str, int]]:
    """Return how often each rule is broken in each room."""
    counts = Counter((one.room, one.kind) for one in broken)
    table: dict[str, dict[str, int]] = {}
    for (place, kind), number in sorted(counts.items()):
        table.setdefault(place, {})[kind] = number
    return table


def shown(one: Offence) -> str:
    """Return an offence as one line of a report."""
    return f"{one.place}:{one.line}: {one.kind}: {one.words}"


def check(broken: list[Offence]) -> list[str]:
    """Return a report on the rooms that break a rule more often than their allowance permits."""
    allowed: dict[str, dict[str, int]] = json.loads(ALLOWANCES.read_text(encoding="utf-8"))
    report: list[str] = []
    new: set[tuple[str, int]] | None = None
    for place, kinds in counted(broken).items():
        for kind, number in kinds.items():
            limit = allowed.get(place, {}).get(kind, 0)
            if number <= limit:
                continue
            new = changed() if new is None else new
            here = [one for one in broken if (one.room, one.kind) == (place, kind)]
            recent = [one for one in here if (one.place, one.line) in new] or here
            report.append(f"{place}: {number} × {kind}, where {limit} are allowed. {ADVICE[kind]}")
            report += [f"  {shown(one)}" for one in recent[:12]]
            if len(recent) > 12:
                report.append(f"  … and {len(recent) - 12} more: python -m tests.plain {place}")
    return report


def main() -> int:
    """Report on prose and names that are not plain, list them, or lower the allowances."""
    arguments = argparse.ArgumentParser(prog="python -m tests.plain", description=main.__doc__)
    arguments.add_argument("room", nargs="?", help="list everything in this room or file")
    arguments.add_argument("--kind", choices=[*ADVICE], help="list one kind alone")
    arguments.add_argument("--lower", action="store_true", help="lower the allowances to what is there now")
    asked = arguments.parse_args()
    broken = offences()
    if asked.room or asked.kind:
        for one in broken:
            if asked.room in (None, one.room, one.place) and asked.kind in (None, one.kind):
                print(shown(one))
        return 0
    if asked.lower:
        before: dict[str, dict[str, int]] = json.loads(ALLOWANCES.read_text()) if ALLOWANCES.exists() else {}
        table = {
            place: {
                kind: min(number, before[place].get(kind, 0)) if before else number for kind, number in kinds.items()
            }
            for place, kinds in counted(broken).items()
            if place in before or not before
        }
        rows = ",\n".join(f'  "{place}": {json.dumps(kinds)}' for place, kinds in table.items() if any(kinds.values()))
        ALLOWANCES.write_text("{\n" + rows + "\n}\n", encoding="utf-8")
    report = check(broken)
    if report:
        print(*report, "The rules are in docs/plain-english.md.", sep="\n", file=sys.stderr)
        return 1
    print(f"plain English: {sum(1 for one in broken)} older offences are left in {len(counted(broken))} rooms")
    return 0


if __name__ == "__main__":
    sys.exit(main())
