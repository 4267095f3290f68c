"""Translate English sentences with a catalog, in the same way as the page (`web/src/languages/translator.ts`).

A sentence is looked up as it is; then as a template with values, which are translated in turn; then in its parts. Text
without a key, such as a name, stays as it is. So do the field at fault of a refusal, and a value that a translation
marks with `!`, as in `{join!}`: these are keys of requests and files. `caltrop.lab.sentences` explains the forms of
keys and translations.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from functools import cached_property

HOLE = re.compile(r"\{([^{}]*)\}")
ENDS = re.compile(r"^([ ,;:.()\n]*)(.*?)([ ,;:.()\n]*)$", re.S)
"""Signs and blanks at the ends, which stand between the parts of a sentence."""
WORDS = re.compile(r"[a-z][a-z'’]*", re.I)
GENITIVE = re.compile(r"\}['’]\w+")
"""End of a value in the genitive, as in `{name}'s wound`: in a text it is a part of the name."""
SEAMS = [re.compile(seam) for seam in (r"(?<=[.?!]) |; |: | · ", r" \(", ", ", " and | or ")]
"""Separators at which a text is split into parts, the largest parts first."""
NOUN = re.compile(r"\{([^{}|]+)\|([^{}|]+)\}")
NUMBER = re.compile(r"([-−+]?\d[\d.,]*) (.+)")
ORDINAL = re.compile(r"(\d+)(?:st|nd|rd|th) (.+)")
"""A name after its number, as in `1st Squad`."""
COUNTED = re.compile(r"(.+) (\d+)")
"""A name before its number, as in `Brigand 3`."""
GAP = re.compile(r"(\n *| {2,}| \[[A-Z][^\]]*\]| …(?=\n|$))")
"""Gap between texts that are translated apart: a line, a column, clauses in brackets, or an ellipsis at the end."""
FIELD = re.compile(r"([a-z][\w-]*(?:\.[\w-]+|\[\d+\])*: )(?=(?:[a-z'\"`]\S*|[-\d.]+ is) \S+ \S)")
"""The field at fault at the beginning of a refusal, as in `units[2].kind: there is no such key`."""
NAME = re.compile(r"[A-Z][\w'’-]*|\d+")
PARTED, ENDED = re.compile(r"[,;:.?!] |[,;:]$"), re.compile(r"[;.?!] |[,;:]$")
"""Signs between or after sentences, which a value does not contain. Values of a weak template have no commas either."""
BLANKS = re.compile(" {2,}")
SLOT = "\0"
"""Sign around a value, until two adjacent values are parted by a blank."""
MOST_WORDS = 14
"""Largest number of words that are divided among adjacent values."""
MOST_KEPT = 4000
"""Largest number of translations in the cache."""

_ORDINALS: Mapping[str, Callable[[int], str]] = {"fr": lambda n: "1er" if n == 1 else f"{n}e"}
_IS_ONE: Mapping[str, Callable[[float], bool]] = {"fr": lambda n: 0 <= n < 2}
"""Test of whether a number takes the first of two forms; by default, only 1 does."""
_LOOSE: Mapping[str, re.Pattern[str]] = {"fr": re.compile(r"^ +| +(?=[ ,.)]|$)")}
"""Blanks that an empty value leaves behind. French writes a blank before some signs."""


def _with_point(number: int) -> str:
    return f"{number}."


def _is_single(number: float) -> bool:
    return number == 1


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


class _Template:
    """A key with values, and its translation."""

    def __init__(self, key: str, translation: str) -> None:
        self.key, self.translation = key, translation
        holes = HOLE.findall(key)
        self.names = [hole for hole in holes if "|" not in hole]
        literal = HOLE.sub(lambda hole: hole[1].partition("|")[0] if "|" in hole[1] else "", key)
        self.weight = len(literal)
        """Number of letters outside the values. Of two templates that match, the one with more letters fits better."""
        self.is_weak = len(re.findall(r"[a-z]{2,}", literal, re.I)) < 3
        """True if the sentence has so few words of its own that its values may not be parts of sentences."""
        self.ends_free = key.endswith("}") and ": {" in key and key.rindex(": {") == key.rindex("{") - 2
        """True if the last value stands after a colon, and may be any text."""
        self.touching: list[tuple[int, int]] = []
        """First and last of each run of adjacent values."""
        place = -1
        for run in re.finditer(r"(?:\{[^{}|]+\} ?)+", key):
            length = run[0].count("{")
            if length > 1:
                self.touching.append((place + 1, place + length))
            place += length

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        source = ""
        for part in re.split(r"(\{[^{}]*\})", self.key):
            if not part.startswith("{"):
                source += re.escape(part)
            elif "|" in part:
                source += f"(?:{'|'.join(map(re.escape, part[1:-1].split('|')))})"
            else:
                source += "(.*?)"
        return re.compile(source, re.I)


class Translator:
    """Translates into a language.

    Args:
        catalog: Translations by English sentence.
        language: The language, as in `de`.
    """

    def __init__(self, catalog: Mapping[str, str], language: str) -> None:
        self._exactly: dict[str, str] = {}
        self._whole: dict[str, tuple[str, str]] = {}
        """Sentences by their small letters, for a text that begins with another letter."""
        self._nouns: dict[str, list[str]] = {}
        self._forms: dict[str, str] = {}
        """Translations of the singular and the plural of each noun, for a noun without a number."""
        self._templates: dict[str, list[_Template]] = {}
        self._beginnings = {start[0] for key in catalog if (start := re.match(r"[a-z][\w-]*: ", key))}
        """Beginnings of keys that look like a field at fault."""
        self._memory: dict[str, str] = {}
        self._sentences: dict[str, str | None] = {}
        self._ordinal: Callable[[int], str] = _ORDINALS.get(language, _with_point)
        self._is_one: Callable[[float], bool] = _IS_ONE.get(language, _is_single)
        self._loose = _LOOSE.get(language, re.compile(r"^ +| +(?=[ ,;:.)?!]|$)"))
        entries = [(key, translation) for key, translation in catalog.items() if translation]
        counts = Counter(word for key, _ in entries for word in self._words(key))
        for key, translation in entries:
            noun = NOUN.fullmatch(key)
            if noun:
                one, several = noun[1].lower(), noun[2].lower()
                forms = translation.split("|")
                self._nouns |= dict.fromkeys((one, several), forms)
                self._forms |= {several: forms[-1], one: forms[0]}
            elif "{" not in key:
                self._exactly[key] = translation
                self._whole[key.lower()] = key, translation
            else:
                # A template is looked up by its rarest word, in every form that the word has.
                plain = self._words(re.sub(r"\{[^{}]*\|[^{}]*\}", " ", key))
                template = _Template(key, translation)
                for word in [min(plain, key=counts.__getitem__)] if plain else self._words(key):
                    self._templates.setdefault(word, []).append(template)

    @staticmethod
    def _words(key: str) -> list[str]:
        shown = HOLE.sub(lambda hole: hole[0] if "|" in hole[0] else " ", GENITIVE.sub("}", key))
        return list(dict.fromkeys(word.lower() for word in WORDS.findall(shown)))

    def __call__(self, text: str) -> str:
        """Translate a text of one sentence or more."""
        if not re.search(r"[a-z]{2}", text, re.I):
            return text
        translation = self._memory.get(text)
        if translation is None:
            ends = ENDS.match(re.sub(r"\s+", " ", text))
            before, middle, after = ends.groups() if ends else ("", text, "")
            sentence = self._sentence(middle)
            translation = before + (self._in_parts(middle) if sentence is None else sentence) + after
            if len(self._memory) >= MOST_KEPT:
                self._memory.clear()
            self._memory[text] = translation
        return translation

    def lines(self, text: str) -> str:
        """Translate a text of lines and columns; each of them is a text of its own."""
        return "".join(part if n % 2 else self(part) for n, part in enumerate(GAP.split(text)))

    def _sentence(self, text: str) -> str | None:
        """Translate a text that one key fits; return None if none does."""
        if text not in self._sentences:
            if len(self._sentences) >= MOST_KEPT:
                self._sentences.clear()
            self._sentences[text] = self._translated(text)
        return self._sentences[text]

    def _translated(self, text: str) -> str | None:
        if text in self._exactly:
            return self._exactly[text]
        exact = self._whole.get(text.lower())
        if exact:
            return _capital(exact[1]) if exact[0][:1].islower() and text[:1].isupper() else exact[1]
        if text.lower() in self._forms:
            form = self._forms[text.lower()]
            return _capital(form) if text[:1].isupper() else form
        field = FIELD.match(text)
        if field and field[1] not in self._beginnings:
            return field[1] + self(text[field.end() :])
        translation = self._numbered(text)
        if translation is None:
            translation = self._filled(text, weak=False)
        if translation is None:
            translation = self._named(text)
        if translation is None:
            translation = self._filled(text, weak=True)
        return _capital(translation) if translation is not None and text[:1].isupper() else translation

    def _form(self, text: str, forms: list[str]) -> str:
        """Return the singular or plural form for a number, or for the first number in a text."""
        number = re.search(r"[-−]?\d+(\.\d+)?", text)
        if number:
            value = abs(float(number[0].replace("−", "-")))
        else:
            value = 1 if re.match(r"(an?|one)\b", text, re.I) else 2
        return forms[0] if self._is_one(value) else forms[-1]

    def _numbered(self, text: str) -> str | None:
        parts = NUMBER.fullmatch(text)
        forms = self._nouns.get(parts[2].lower()) if parts else None
        return None if not parts or forms is None else f"{parts[1]} {self._form(parts[1], forms)}"

    def _named(self, text: str) -> str | None:
        joined = self._joined(text)
        first = ORDINAL.fullmatch(text)
        if joined is None and first:
            return f"{self._ordinal(int(first[1]))} {self(first[2])}"
        last = COUNTED.fullmatch(text)
        exact = self._word(last[1]) if last else None
        return f"{exact} {last[2]}" if last and exact else joined

    def _word(self, text: str) -> str | None:
        """Translate a name, or a noun in one of its forms."""
        exact = self._whole.get(text.lower())
        return exact[1] if exact else self._forms.get(text.lower())

    def _joined(self, text: str) -> str | None:
        """Translate a text of names, verbs and numbers only, as in `Alliance Light Tanks` or `Briar walks 4 inches`."""
        words = text.split(" ")
        pieces = self._pieces(words) if len(words) <= MOST_WORDS else None
        if pieces is None or all(piece == word for piece, word in zip(pieces, words, strict=False)):
            return None
        return " ".join(pieces)

    def _pieces(self, words: list[str]) -> list[str] | None:
        """Return the translations of the parts of a text, the longest parts first; None if a word is unknown."""
        if not words:
            return []
        for end in range(len(words), 0, -1):
            part = " ".join(words[:end])
            first = self._word(part) or self._numbered(part)
            if first is None and (ordinal := ORDINAL.fullmatch(part)):
                first = (name := self._word(ordinal[2])) and f"{self._ordinal(int(ordinal[1]))} {name}"
            if first is None and end == 1 and NAME.fullmatch(part):
                first = part
            rest = self._pieces(words[end:]) if first is not None else None
            if first is not None and rest is not None:
                return [_capital(first) if part[:1].isupper() else first, *rest]
        return None

    def _filled(self, text: str, *, weak: bool) -> str | None:
        """Translate a text that fits a template with few words of its own, or one with more."""
        for template in self._possible(text):
            match = template.pattern.fullmatch(text) if template.is_weak is weak else None
            if match is None:
                continue
            values = match.groups()[:-1] if template.ends_free else match.groups()
            apart = PARTED if weak else ENDED
            if any(apart.search(value) for value in values):
                continue
            if weak and not template.ends_free and self._holds_sentence(text, template.weight):
                continue
            return self._fill(template, list(match.groups()))
        return None

    def _holds_sentence(self, text: str, weight: int) -> bool:
        """Return whether a part of a text is a sentence with its own translation, longer than a template's words."""
        return any(
            len(part) > weight and " " in part and (part.lower() in self._whole or self._fits_strongly(part, weight))
            for match in SEAMS[0].finditer(text)
            for part in (text[: match.start()], text[match.end() :])
        )

    def _fits_strongly(self, text: str, weight: int) -> bool:
        """Return whether a text fits a template with more words than a weak one."""
        return any(
            not template.is_weak and template.weight > weight and template.pattern.fullmatch(text)
            for template in self._possible(text)
        )

    def _possible(self, text: str) -> list[_Template]:
        """Return the templates with a word of a text, those with more words of their own first."""
        words = dict.fromkeys(word.lower() for word in WORDS.findall(text))
        possible = {id(one): one for word in words for one in self._templates.get(word, ())}.values()
        return sorted(possible, key=lambda one: -one.weight)

    def _fill(self, template: _Template, values: list[str]) -> str:
        for first, last in template.touching:
            self._part(values, first, last)

        def value_of(hole: re.Match[str]) -> str:
            name, colon, forms = hole[1].removesuffix("!").partition(":")
            # A value that the key does not have would be the whole text.
            if name not in template.names:
                return hole[1]
            value = values[template.names.index(name)]
            if hole[1].endswith("!"):
                return f"{SLOT}{value}{SLOT}"
            return self._form(value, forms.split("|")) if colon else f"{SLOT}{self(value)}{SLOT}"

        sentence = HOLE.sub(value_of, template.translation)
        return self._loose.sub("", BLANKS.sub(" ", sentence.replace(SLOT * 2, " ").replace(SLOT, "")))

    def _certainty(self, text: str) -> int:
        if text == "":
            return 0
        if text.lower() in self._whole or text.lower() in self._forms or self._numbered(text) is not None:
            return 2
        if self._named(text) is not None:
            return 2
        return int(any(self._filled(text, weak=weak) is not None for weak in (False, True)))

    def _part(self, values: list[str], first: int, last: int) -> None:
        """Divide the words among adjacent values so that as many values as possible have a translation."""
        words = " ".join(values[first : last + 1]).split()
        if len(words) > MOST_WORDS:
            return

        def best(start: int, places: int) -> tuple[int, list[str]]:
            rest = " ".join(words[start:])
            if places == 1:
                return self._certainty(rest) * (len(words) - start), [rest]
            division: tuple[int, list[str]] = (-1, [])
            for end in range(start, len(words) + 1):
                part = " ".join(words[start:end])
                score, parts = best(end, places - 1)
                score += self._certainty(part) * (end - start)
                if score >= division[0]:
                    division = score, [part, *parts]
            return division

        score, parts = best(0, last - first + 1)
        if score > 0:
            values[first : last + 1] = [f" {part}" if n and part else part for n, part in enumerate(parts)]

    def _in_parts(self, text: str) -> str:
        divisions = [
            division
            for seam in SEAMS
            for match in seam.finditer(text)
            for division in (
                (match[0], text[: match.start()], text[match.end() :], True),
                (match[0], text[match.end() :], text[: match.start()], False),
            )
        ]
        # The longest beginning or ending that is a sentence of its own.
        for between, part, rest, is_first in sorted(divisions, key=lambda one: -len(one[1])):
            sentence = self._sentence(part)
            if sentence is not None:
                joint = f" {self(between.strip())} " if between in (" and ", " or ") else between
                return f"{sentence}{joint}{self(rest)}" if is_first else f"{self(rest)}{joint}{sentence}"
        return text
