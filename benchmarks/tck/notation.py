"""The notation of the openCypher TCK's expected tables, and its equality."""

from __future__ import annotations

import math
import re
from typing import Any

from benchmarks.tck.graphs import KEY


class Cell:
    """Reads one value of an expected table; elements become tuples with a tag."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def read(self) -> Any:
        value = self.value()
        assert not self.text[self.at :].strip(), self.text
        return value

    def skip(self) -> None:
        while self.at < len(self.text) and self.text[self.at].isspace():
            self.at += 1

    def take(self, word: str) -> bool:
        self.skip()
        if self.text.startswith(word, self.at):
            self.at += len(word)
            return True
        return False

    def value(self) -> Any:
        self.skip()
        head = self.text[self.at]
        if head == "'":
            return self.string()
        if head == "[":
            return self.edge() if self.text[self.at + 1] == ":" else self.items("[", "]")
        if head == "{":
            return self.map()
        if head == "(":
            return self.node()
        if head == "<":
            return self.path()
        end = self.at
        while end < len(self.text) and self.text[end] not in ",]})> ":
            end += 1
        word, self.at = self.text[self.at : end], end
        plain = {"true": True, "false": False, "null": None, "NaN": math.nan}
        if word in plain:
            return plain[word]
        return float(word) if any(c in word for c in ".eIn") else int(word)

    def string(self) -> str:
        self.at += 1
        made = ""
        while self.text[self.at] != "'":
            if self.text[self.at] == "\\":
                self.at += 1
            made += self.text[self.at]
            self.at += 1
        self.at += 1
        return made

    def items(self, begin: str, end: str) -> list[Any]:
        assert self.take(begin)
        found: list[Any] = []
        while not self.take(end):
            found.append(self.value())
            self.take(",")
        return found

    def name(self) -> str:
        self.skip()
        end = self.at
        while end < len(self.text) and (self.text[end].isalnum() or self.text[end] == "_"):
            end += 1
        word, self.at = self.text[self.at : end], end
        return word

    def map(self) -> dict[str, Any]:
        assert self.take("{")
        found = {}
        while not self.take("}"):
            key = self.name()
            assert self.take(":")
            found[key] = self.value()
            self.take(",")
        return found

    def labels(self) -> list[str]:
        found = []
        while self.take(":"):
            found.append(self.name())
        return sorted(found)

    def properties(self) -> dict[str, Any]:
        self.skip()
        return self.map() if self.text[self.at] == "{" else {}

    def node(self) -> Any:
        assert self.take("(")
        found = ("node", self.labels(), self.properties())
        assert self.take(")")
        return found

    def edge(self) -> Any:
        assert self.take("[")
        assert self.take(":")
        found = ("edge", self.name(), self.properties())
        assert self.take("]")
        return found

    def path(self) -> Any:
        assert self.take("<")
        nodes, edges = [self.node()], []
        while not self.take(">"):
            back = self.take("<-")
            if not back:
                assert self.take("-")
            edges.append((self.edge(), back))
            assert self.take("-") if back else self.take("->")
            nodes.append(self.node())
        return ("path", nodes, edges)


def plain(value: Any) -> Any:
    """A value of our result in the form of `Cell`, without the invented key."""
    match value:
        case {"labels": list(labels), "key": dict(), "properties": dict(rest)}:
            return ("node", sorted(labels), plain(rest))
        case {"labels": list(labels), "key": dict()}:
            return ("end", sorted(labels))
        case {"type": of, "source": dict(), "target": dict(), "properties": rest}:
            return ("edge", of, plain(rest))
        case {"nodes": list(nodes), "edges": list(edges)}:
            steps = []
            for node, edge in zip(nodes, edges, strict=False):
                steps.append((plain(edge), edge["source"]["key"] != node["key"]))
            return ("path", [plain(n) for n in nodes], steps)
        case dict():
            return {k: plain(v) for k, v in value.items() if k != KEY}
        case list():
            return [plain(v) for v in value if v != KEY]
    return value


def canonical(value: Any, bags: bool, strict: bool) -> str:
    """A text that is equal for equal values."""
    if isinstance(value, bool) or value is None:
        return str(value)
    if isinstance(value, int | float):
        value = value + 0  # no negative zero
        if strict:
            return repr(value) if isinstance(value, int) else f"{value:.12g}f"
        return f"{float(value):.12g}"
    if isinstance(value, str):
        return repr(normal_time(value))
    if isinstance(value, dict):
        parts = [f"{k}: {canonical(v, bags, strict)}" for k, v in sorted(value.items())]
        return f"{{{', '.join(parts)}}}"
    items = [canonical(v, bags, strict) for v in value]
    if bags and isinstance(value, list):
        items.sort()
    return f"[{', '.join(items)}]" if isinstance(value, list) else f"({', '.join(items)})"


def normal_time(text: str) -> str:
    """Times without what need not be written: zero seconds and ends of fractions."""
    found = re.fullmatch(
        r"((?:[-+]?\d{4,}-\d\d-\d\dT)?\d\d:\d\d)(?::(\d\d)(?:\.(\d+))?)?(Z|[-+]\d\d:\d\d(?::\d\d)?)?(\[.*\])?",
        text,
    )
    if found is None:
        return text
    fraction = (found[3] or "").rstrip("0")
    seconds = f":{found[2] or '00'}" + (f".{fraction}" if fraction else "")
    return found[1] + seconds + (found[4] or "") + (found[5] or "")
