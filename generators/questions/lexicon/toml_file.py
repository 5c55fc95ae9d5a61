"""`lexicon.toml` read strictly, with every problem and its line, and written deterministically."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from generators.questions.lexicon.model import (
    FILE,
    Entry,
    Lexicon,
    Noun,
    Phrase,
    Property,
    Provenance,
    Term,
    Thing,
)
from generators.questions.lexicon.model import Path as Along
from graphmill.errors import LexiconError, did_you_mean
from graphmill.files import digest, write_text
from graphmill.regular import check_regular
from graphmill.toml_lines import TomlError, line_of, parse_toml, positions

MOST_BYTES = 8_000_000
MOST_TEXT = 400  # characters of one phrase or definition
_FILE_NAMES = {"source": "from", "holds": "is"}  # words that Python keeps for itself, or blurs
_MODEL_NAMES = {there: here for here, there in _FILE_NAMES.items()}
_NAMELESS = "nameless"  # `name = []` in the file
_ENTRY = {field.name for field in dataclasses.fields(Entry)}
_TOP = ("version", "domain", "purpose", "questions", "things", "paths", "properties", "glossary")
_BLANKS = {"equal": 1, "unequal": 1, "above": 1, "below": 1, "at_least": 1, "at_most": 1}
_BLANKS |= {"range": 2, "most": 0, "least": 0, "more": 0, "less": 0, "absent": 0, "present": 0}
# Parts that are never spoken: they name what the schema has, whatever characters those names have.
_NAMES = frozenset({("along",), ("name",), ("joins",), ("of",)})
WRITTEN = "written"


@dataclasses.dataclass(frozen=True)
class LexiconFile:
    """A file as read: the lexicon, and where in the file its parts stand.

    `written` are the digests of the entries as graphmill last wrote them; `comments` the lines
    that stand above an entry.
    """

    name: str
    lexicon: Lexicon
    lines: Mapping[tuple[str, ...], int]
    written: Mapping[str, str]
    comments: Mapping[tuple[str, ...], tuple[str, ...]]

    def at(self, *where: str) -> str:
        """`FILE:LINE` of an entry or a part of it, or of the nearest thing above."""
        return f"{self.name}:{line_of(self.lines, where)}"


def read_lexicon(path: Path, fits: _Fits | None = None) -> LexiconFile:
    """Read a file; `fits` gives what is wrong with the entries that can be read, which is told
    with what is wrong with the others.

    Raises:
        LexiconError: it cannot be read, or is wrong; `problems` has all that is.
        SourceError: it is a pipe or a device.
    """
    check_regular(path)
    try:
        with path.open("rb") as stream:
            content = stream.read(MOST_BYTES + 1)
    except OSError as problem:
        raise LexiconError(str(path), [f"Cannot read {path}: {problem.strerror}."]) from problem
    if len(content) > MOST_BYTES:
        raise LexiconError(str(path), [f"{path}:1: more than {MOST_BYTES:,} bytes."])
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        line = content[: problem.start].count(b"\n") + 1
        raise LexiconError(str(path), [f"{path}:{line}: not UTF-8."]) from problem
    return parse_lexicon(text, str(path), fits)


def parse_lexicon(text: str, name: str = FILE, fits: _Fits | None = None) -> LexiconFile:
    """Read a text; `name` is what errors call it, `fits` as in `read_lexicon`.

    Raises:
        LexiconError: with all problems, each with its line.
    """
    try:
        raw = parse_toml(text)
    except TomlError as problem:
        raise LexiconError(name, [f"{name}:{problem.line}: {problem}."]) from None
    lines, comments = positions(text)
    reader = _Reader(name, lines)
    lexicon = reader.lexicon(raw)
    written = raw.get(WRITTEN, {})
    if not isinstance(written, dict) or not all(isinstance(v, str) for v in written.values()):
        reader.wrong("graphmill keeps digests of what it wrote here; delete the table.", WRITTEN)
    file = LexiconFile(name, lexicon, lines, written, comments)
    problems = [*reader.problems, *(fits(file) if fits is not None else ())]
    if problems:
        raise LexiconError(name, problems)
    return file


type _Fits = Callable[[LexiconFile], list[str]]


class _Reader:
    def __init__(self, name: str, lines: Mapping[tuple[str, ...], int]) -> None:
        self.name = name
        self.lines = lines
        self.problems: list[str] = []
        self.terms: list[str] = []

    def wrong(self, message: str, *where: str) -> None:
        place = place_text(where, self.terms)
        self.problems.append(f"{self.name}:{line_of(self.lines, where)}: {place}: {message}")

    def lexicon(self, raw: dict[str, Any]) -> Lexicon:
        for key in raw:
            if key not in (*_TOP, WRITTEN):
                self.wrong(f"no such key.{_with_all(did_you_mean(key, _TOP), _TOP)}", key)
        if raw.get("version", 1) != 1 or raw.get("version", 1) is True:
            self.wrong("the only version is 1.", "version")
        questions = raw.get("questions", [])
        if not isinstance(questions, list) or not all(isinstance(q, str) for q in questions):
            self.wrong("a list of texts.", "questions")
            questions = []
        properties = {
            owner: self._entries(Property, table, "properties", owner)
            for owner, table in self._table(raw, "properties").items()
        }
        return Lexicon(
            things=self._entries(Thing, self._table(raw, "things"), "things"),
            paths=self._entries(Along, self._table(raw, "paths"), "paths"),
            properties=properties,
            glossary=self._glossary(raw.get("glossary", [])),
            domain=self._text(raw, "domain"),
            purpose=self._text(raw, "purpose"),
            questions=tuple(questions),
        )

    def _text(self, raw: dict[str, Any], key: str) -> str:
        value = raw.get(key, "")
        if isinstance(value, str):
            return value
        self.wrong("a text.", key)
        return ""

    def _table(self, raw: dict[str, Any], key: str) -> dict[str, Any]:
        value = raw.get(key, {})
        if isinstance(value, dict):
            return value
        self.wrong("a table.", key)
        return {}

    def _glossary(self, raw: object) -> tuple[Term, ...]:
        if not isinstance(raw, list):
            self.wrong("tables of their own, [[glossary]].", "glossary")
            return ()
        given = [value.get("term") if isinstance(value, dict) else None for value in raw]
        self.terms = [term if isinstance(term, str) else "" for term in given]
        terms = []
        for number, value in enumerate(raw):
            term = self._entry(Term, value, "glossary", str(number + 1))
            if term is None:
                terms.append(Term())  # others keep their numbers
                continue
            for part in ("term", "of", "holds", "means"):
                if not getattr(term, part):
                    missing = _FILE_NAMES.get(part, part)
                    self.wrong(f"'{missing}' is missing.", "glossary", str(number + 1))
            terms.append(term)
        self._twice(terms)
        return tuple(terms)

    def _twice(self, terms: list[Term]) -> None:
        """Refuse a second definition of a term, of which one alone could be kept."""
        first: dict[tuple[str, str], int] = {}
        for number, term in enumerate(terms, 1):
            before = first.setdefault((term.of, term.term), number)
            if before != number and term.of and term.term:
                line = line_of(self.lines, ("glossary", str(before)))
                self.wrong(
                    f"'{term.term}' of {term.of} is defined twice, first in line {line}: "
                    "keep one of the two, or call one of them otherwise.",
                    *("glossary", str(number), "term"),
                )

    def _entries[E: Entry](self, model: type[E], raw: object, *where: str) -> dict[str, E]:
        if not isinstance(raw, dict):
            self.wrong("a table.", *where)
            return {}
        entries = {name: self._entry(model, value, *where, name) for name, value in raw.items()}
        return {name: entry for name, entry in entries.items() if entry is not None}

    def _entry[E: Entry](self, model: type[E], raw: object, *where: str) -> E | None:
        if not isinstance(raw, dict):
            self.wrong('a table, as { noun = "…" }.', *where)
            return None
        named = {_MODEL_NAMES.get(key, key): value for key, value in raw.items()}
        for key in {*_MODEL_NAMES.values(), _NAMELESS} & set(raw):
            named[f"{key} "] = named.pop(key)  # Python's name for it is none of the file's
        if model is Thing and raw.get("name") == []:
            named[_NAMELESS] = True
        try:
            # As JSON, whose strict reading takes lists for tuples and texts for enums, but no
            # text for a number.
            text = json.dumps(named, default=_no_json)
            entry: E = _ADAPTERS[model].validate_json(text, strict=True)
        except ValidationError as problem:
            for error in problem.errors():
                self._refuse(model, error, where)
            return None
        before = len(self.problems)
        for place in _blanks(raw):
            self.wrong("a blank text: write the word, or leave it out.", *where, *place)
        self._check(entry, where)
        # A path of another form than paths have cannot be held against the schema.
        return None if len(self.problems) > before and isinstance(entry, Along) else entry

    def _refuse(self, model: type, error: Any, where: tuple[str, ...]) -> None:
        given = [str(step) for step in error["loc"]]
        steps = [step.strip() for step in given]
        at = (*where, *(_FILE_NAMES.get(step, step).strip() for step in given))
        if error["type"] == "unexpected_keyword_argument":
            within: type = {"forward": Phrase, "backward": Phrase, "verb": Phrase}.get(
                steps[0], Noun
            )
            names = [f.name for f in dataclasses.fields(within if len(steps) > 1 else model)]
            names = [name for name in names if name != _NAMELESS]
            names = [_FILE_NAMES.get(name, name) for name in names]
            near = did_you_mean(steps[-1], names)
            near = f" It is '{_FILE_NAMES[steps[-1]]}'." if steps[-1] in _FILE_NAMES else near
            self.wrong(f"no such key.{_with_all(near, names)}", *at)
        elif error["type"] == "missing":
            self.wrong("is missing.", *at)
        elif error["type"] == "enum":
            known = re.findall(r"'(\w+)'", error["msg"])
            near = _with_all(did_you_mean(str(error["input"]), known), known)
            self.wrong(f"unknown {at[-1]} {str(error['input'])[:60]!r}.{near}", *at)
        else:
            self.wrong(f"{error['msg']}.", *at)

    def _check(self, entry: Entry, where: tuple[str, ...]) -> None:
        for name, value in (("sure", entry.sure), *entry.unsure.items()):
            if not 0 <= value <= 1:
                self.wrong("a confidence is a number from 0 to 1.", *where, name)
        known = {field.name for field in dataclasses.fields(entry)} - {*_ENTRY, _NAMELESS}
        for part in entry.unsure:
            if part not in known:
                near = did_you_mean(part, known)
                self.wrong(f"'{part}' is no part of it.{near}", *where, "unsure")
        for place, text in _texts(entry):
            if place[:1] in _NAMES:
                continue
            # A word by rule is as long as the name that it comes from.
            if len(text) > MOST_TEXT and entry.source is not Provenance.RULE:
                self.wrong(f"more than {MOST_TEXT} characters.", *where, *place)
            elif not text.isprintable():
                self.wrong("holds a control character.", *where, *place)
        if isinstance(entry, Property):
            for frame, blanks in _BLANKS.items():
                text = getattr(entry, frame)
                if text and (
                    text.count("{}") != blanks or re.search(r"[{}]", text.replace("{}", ""))
                ):
                    expected = "no {}" if not blanks else "{} once" if blanks == 1 else "{} twice"
                    self.wrong(f"the frame holds {expected}, not {text!r}.", *where, frame)
        if isinstance(entry, Along):
            self._check_along(entry.along, where)
        for part in ("forward", "backward", "verb"):
            self._check_phrase(getattr(entry, part, None), (*where, part))

    def _check_phrase(self, phrase: object, where: tuple[str, ...]) -> None:
        if not isinstance(phrase, Phrase):
            return
        heads = [head for head in ("verb", "be", "noun") if getattr(phrase, head)]
        if len(heads) > 1:
            self.wrong(f"one of verb, be and noun, not {' and '.join(heads)}.", *where)

    def _check_along(self, along: tuple[str, ...], where: tuple[str, ...]) -> None:
        if len(along) < 3 or len(along) % 2 == 0:
            self.wrong('node types with edges between them: ["A", "KNOWS>", "B"].', *where, "along")
            return
        for step in along[1::2]:
            if step.startswith("<") == step.endswith(">") or len(step) < 2:
                message = f"'{step}' needs its direction: '{step}>' or '<{step}'."
                self.wrong(message, *where, "along")


def _with_all(near: str, known: Sequence[str]) -> str:
    """A hint at the nearest name, by letters, with all that there are."""
    hint = "" if near.startswith(" There are") else near
    return f"{hint} There are: {', '.join(sorted(known))}."


def _no_json(value: object) -> dict[str, str]:
    """A date or time, which nothing in a lexicon is, as what nothing takes for a text."""
    return {type(value).__name__: str(value)}


def place_text(where: Sequence[str], terms: Sequence[str]) -> str:
    """A place in the file as messages have it; an entry of the glossary by its term.

    >>> place_text(("glossary", "2", "is"), ["big plays", "old actors"])
    'glossary "old actors".is'
    """
    if where[:1] == ("glossary",) and len(where) > 1:
        number = int(where[1])
        term = terms[number - 1] if number <= len(terms) else ""
        if term.strip() and term.isprintable():
            return ".".join([f'glossary "{term}"', *where[2:]])
    return ".".join(where)


def entry_problems(entry: Entry) -> list[str]:
    """What is wrong with an entry on its own: frames, confidence, texts that are too long."""
    reader = _Reader("", {})
    reader._check(entry, ("entry",))
    return [text.partition("entry: ")[2] or text.partition("entry.")[2] for text in reader.problems]


_ADAPTERS: dict[type[Entry], TypeAdapter[Any]] = {
    model: TypeAdapter(model) for model in (Thing, Along, Property, Term)
}


def _blanks(raw: object, where: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """The places of texts in an entry of the file that say nothing; a key may be blank."""
    if isinstance(raw, str) and not raw.strip():
        yield where
    elif isinstance(raw, dict):
        for key, part in raw.items():
            yield from _blanks(part, (*where, str(key)))
    elif isinstance(raw, list):
        for part in raw:
            yield from _blanks(part, where)


def _texts(value: object, where: tuple[str, ...] = ()) -> list[tuple[tuple[str, ...], str]]:
    """Every text in an entry, with its place; keys are names of parts and stored values."""
    if isinstance(value, str):
        return [(where, value)]
    if isinstance(value, Mapping):
        pairs = [(str(key), part) for key, part in value.items()]
    elif isinstance(value, tuple):
        pairs = [("", part) for part in value]
    elif dataclasses.is_dataclass(value):
        pairs = [(f.name, getattr(value, f.name)) for f in dataclasses.fields(value)]
    else:
        return []
    return [each for key, part in pairs for each in _texts(part, (*where, key) if key else where)]


def lexicon_text(
    lexicon: Lexicon,
    comments: Mapping[tuple[str, ...], tuple[str, ...]] | None = None,
    *,
    digests: bool = True,
) -> str:
    """The text of the file: the order of the lexicon is kept, defaults are left out.

    `digests` writes what tells edited entries from others on the next run (`written`).
    """
    notes = dict(comments or {})
    parts: list[str] = []

    def put(line: str, *where: str) -> None:
        parts.extend(notes.get(where, ()))
        parts.append(line)

    put("version = 1", "version")
    for key in ("domain", "purpose"):
        if value := getattr(lexicon, key):
            put(f"{key} = {_value(value)}", key)
    if lexicon.questions:
        put(f"questions = {_value(lexicon.questions)}", "questions")
    tables: list[tuple[str, Mapping[str, Entry]]] = [
        ("things", lexicon.things),
        ("paths", lexicon.paths),
    ]
    for section, entries in tables:
        for name, entry in entries.items():
            parts.append("")
            put(f"[{section}.{_key(name)}]", section, name)
            for key, value in _shown(entry):
                put(f"{_key(key)} = {_value(value)}", section, name, key)
    for owner, properties in lexicon.properties.items():
        parts.append("")
        put(f"[properties.{_key(owner)}]", "properties", owner)
        for name, entry in properties.items():
            put(f"{_key(name)} = {_inline(_shown(entry))}", "properties", owner, name)
    for number, term in enumerate(lexicon.glossary, 1):
        parts.append("")
        put("[[glossary]]", "glossary", str(number))
        for key, value in _shown(term):
            put(f"{_key(key)} = {_value(value)}", "glossary", str(number), key)
    if digests:
        parts += ["", *_WRITTEN_NOTE, f"[{WRITTEN}]"]
        parts += [f"{_key(place)} = {_value(mark)}" for place, mark in marks(lexicon).items()]
    return "\n".join(parts) + "\n"


_WRITTEN_NOTE = (
    "# For graphmill alone: neither read nor change what follows. It tells what you edited:",
    "# an entry above that differs from what graphmill wrote is yours, and kept.",
)


def save_lexicon(path: Path, lexicon: Lexicon, comments: Any = None) -> None:
    """Write the file."""
    write_text(path, lexicon_text(lexicon, comments))


def marks(lexicon: Lexicon) -> dict[str, str]:
    """A short digest of each entry that is not a user's, by its place in the file."""
    return {
        place: f"{content_mark(entry)} {entry.sure:g}"
        for place, entry in entries_of(lexicon).items()
        if entry.source is not Provenance.USER
    }


def content_mark(entry: Entry) -> str:
    """A short digest of what an entry says, whoever says it and however sure."""
    parts = [[k, _value(v)] for k, v in _shown(entry) if k not in ("from", "sure", "rule")]
    return digest(parts)[:8]


def entries_of(lexicon: Lexicon) -> dict[str, Entry]:
    """All entries by their place: `things.Actor`, `properties.Actor.age`, `glossary.veteran`."""
    by_place: dict[str, Entry] = {}
    by_place |= {f"things.{name}": entry for name, entry in lexicon.things.items()}
    by_place |= {f"paths.{name}": entry for name, entry in lexicon.paths.items()}
    for owner, entries in lexicon.properties.items():
        by_place |= {f"properties.{owner}.{name}": entry for name, entry in entries.items()}
    by_place |= {f"glossary.{term.of}.{term.term}": term for term in lexicon.glossary}
    return by_place


def _shown(entry: Entry) -> list[tuple[str, Any]]:
    """What the file says of an entry: its own parts, then where it is from."""
    own: list[tuple[str, Any]] = []
    for field in dataclasses.fields(entry):
        value = getattr(entry, field.name)
        default = field.default_factory() if callable(field.default_factory) else field.default
        if field.name == _NAMELESS and value:
            own.append(("name", ()))
        elif field.name not in _ENTRY and value != default:
            own.append((_FILE_NAMES.get(field.name, field.name), value))
    own.append(("from", entry.source))
    own.append(("sure", entry.sure))
    if entry.rule:
        own.append(("rule", entry.rule))
    if entry.unsure:
        own.append(("unsure", dict(sorted(entry.unsure.items()))))
    return own


def _value(value: Any) -> str:
    match value:
        case bool():
            return str(value).lower()
        case StrEnum():
            return _value(str(value))
        case str():
            text = json.dumps(value, ensure_ascii=False)
            return "".join(c if c.isprintable() else _escape(c) for c in text)
        case float():
            return f"{value:g}" if value not in (0, 1) else f"{value:.1f}"
        case int():
            return str(value)
        case tuple() | list():
            return f"[{', '.join(map(_value, value))}]"
        case Noun() | Phrase():
            pairs = [(f.name, getattr(value, f.name), f.default) for f in dataclasses.fields(value)]
            return _inline([(name, part) for name, part, default in pairs if part != default])
        case Mapping():
            return _inline(list(value.items()))
    raise TypeError(f"no TOML for {type(value).__name__}")


def _escape(letter: str) -> str:
    """A character as TOML escapes it; JSON, which escapes less, has no `\\U`."""
    number = ord(letter)
    return f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"


def _inline(pairs: list[tuple[str, Any]]) -> str:
    inner = ", ".join(f"{_key(key)} = {_value(value)}" for key, value in pairs)
    return f"{{ {inner} }}" if inner else "{}"


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else _value(name)
