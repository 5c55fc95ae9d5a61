"""The elements of a GraphML file, one after the other, with their data as typed values."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from xml.parsers import expat

from graphmill.errors import SourceError, did_you_mean
from graphmill.json_places import finite, integer
from schemagraph.sources.formats.csv_rows import real, truth, whole

_BLOCK = 1 << 16
_TYPES: dict[str, Callable[[str], Any]] = {
    "boolean": truth,
    "int": whole(32),
    "integer": whole(64),
    "long": whole(64),
    "float": real,
    "double": real,
    "string": str,
}
_REFUSED = {
    "hyperedge": "an edge between more than two nodes",
    "port": "a port",
}


@dataclass(frozen=True, slots=True)
class _Key:
    """A declared attribute: what has it, its name and type."""

    of: str
    name: str
    type: str
    is_list: bool
    default: str | None = None


@dataclass(slots=True)
class Item:
    """A node or an edge: its XML attributes, its data by name, the line it begins on."""

    attributes: dict[str, str]
    line: int
    data: dict[str, Any] = field(default_factory=dict)


class Reader:
    """Reads the elements called `wanted` (`node` or `edge`).

    `default` is the text of `directed` for edges that do not say; `ignored` are names of elements
    that are no part of the graph's data.
    """

    def __init__(self, path: Path, wanted: str) -> None:
        self.default = "true"
        self.ignored: set[str] = set()
        self._path = path
        self._wanted = wanted
        self._keys: dict[str, _Key] = {}
        self._stack: list[str] = []
        self._within = 0  # how many of the stack are data or default: text is of these alone
        self._item: Item | None = None
        self._done: list[Item] = []
        self._key: str | None = None
        self._text: list[str] = []
        self._nested = False

    def names(self, of: str) -> set[str]:
        """Names of attributes that nodes (or edges) may have."""
        return {key.name for key in self._keys.values() if key.of in (of, "all")}

    def items(self) -> Iterator[Item]:
        """All elements in the order of the file.

        Raises:
            SourceError: it is no GraphML; the message has the line.
        """
        parser = expat.ParserCreate()
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._characters
        parser.EntityDeclHandler = self._entity
        parser.buffer_text = True
        self._parser = parser
        try:
            with self._path.open("rb") as stream:
                while block := stream.read(_BLOCK):
                    parser.Parse(block, False)
                    yield from self._done
                    self._done.clear()
                parser.Parse(b"", True)
                yield from self._done
        except expat.ExpatError as problem:
            reason = expat.errors.messages[problem.code]
            raise self._error(f"not XML ({reason})") from None

    def _error(self, text: str) -> SourceError:
        return SourceError(f"{self._path}, line {self._parser.CurrentLineNumber}: {text}.")

    def _entity(self, *_: Any) -> None:
        raise self._error("entities are not read")

    def _characters(self, text: str) -> None:
        if self._within:
            self._text.append(text)

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        name = tag.rpartition(":")[2]
        parent = self._stack[-1] if self._stack else ""
        self._stack.append(name)
        if len(self._stack) == 1 and name != "graphml":
            raise self._error(f"the root is {name}, not graphml")
        if name in _REFUSED:
            raise self._error(f"{_REFUSED[name]} cannot be held in a property graph")
        if name == "graph":
            if parent != "graphml":
                raise self._error("a graph inside a node cannot be held in a property graph")
            self.default = "false" if attributes.get("edgedefault") == "undirected" else "true"
        elif name == "key":
            self._declare(attributes)
            self._key = attributes.get("id")
        elif name in ("node", "edge") and parent == "graph":
            if name == self._wanted:
                self._item = Item(attributes, self._parser.CurrentLineNumber)
        elif name in ("data", "default"):
            if name == "data":
                self._key = attributes.get("key")
            self._text.clear()
            self._nested = False
            self._within += 1
        elif self._within:
            self._nested = True
            self.ignored.add(tag)
        elif name not in ("graphml", "desc"):
            self.ignored.add(tag)

    def _declare(self, attributes: dict[str, str]) -> None:
        own = attributes.get("id")
        if own is None:
            raise self._error('a key has an attribute "id"')
        kind = attributes.get("attr.type", "string").lower()
        if kind not in _TYPES:
            raise self._error(
                f"unknown attr.type '{kind}'.{did_you_mean(kind, _TYPES)}".rstrip(".")
            )
        self._keys[own] = _Key(
            attributes.get("for", "all"),
            attributes.get("attr.name", own),
            attributes.get("attr.list", kind).lower(),
            "attr.list" in attributes,
        )

    def _end(self, tag: str) -> None:
        name = self._stack.pop()
        if name in ("data", "default"):
            self._within -= 1
            self._take(name, "".join(self._text))
        elif name == self._wanted and self._stack[-1:] == ["graph"] and self._item is not None:
            for key in self._keys.values():
                if key.default is not None and key.of in (name, "all"):
                    self._item.data.setdefault(key.name, self._value(key, key.default))
            self._done.append(self._item)
            self._item = None

    def _take(self, name: str, text: str) -> None:
        """The text of data or of a default."""
        if name == "default" and self._key in self._keys and not self._nested:
            declared = self._keys[self._key]
            self._keys[self._key] = _Key(
                declared.of, declared.name, declared.type, declared.is_list, text
            )
        elif name == "data" and self._item is not None and self._stack[-1:] == [self._wanted]:
            self._datum(self._item, text)

    def _datum(self, item: Item, text: str) -> None:
        if self._nested:  # a drawing, not a value
            return
        key = self._keys.get(self._key or "")
        if key is None:
            raise self._error(
                f"data of the key '{self._key}', which is not declared."
                f"{did_you_mean(str(self._key), self._keys)}".rstrip(".")
            )
        if key.name in item.data:
            raise self._error(f"a second {key.name} of one {self._wanted}")
        item.data[key.name] = self._value(key, text)

    def _value(self, key: _Key, text: str) -> Any:
        """The text as a value of the declared type; of a number, nothing is no value."""
        if not text.strip() and (key.type != "string" or key.is_list):
            return None
        try:
            if not key.is_list:
                return _TYPES[key.type](text if key.type == "string" else text.strip())
            items = json.loads(text, parse_float=finite, parse_int=integer)
            if not isinstance(items, list):
                raise ValueError("not a list")
            return [float(i) if key.type in ("float", "double") else i for i in items]
        except (ValueError, TypeError, KeyError, RecursionError) as problem:
            shown = text if len(text) <= 60 else f"{text[:60]}…"
            kind = f"list of {key.type}" if key.is_list else key.type
            raise self._error(f"{key.name}: '{shown}' is no {kind} ({problem})") from None
