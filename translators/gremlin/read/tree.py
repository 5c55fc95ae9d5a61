"""Gremlin text as a tree: chains of steps with their arguments, each with its place.

The grammar is `gremlin-lang`'s (Gremlin.g4, TinkerPop 3.8) without what Groovy adds: a traversal
begins with `g`, a nested one with `__` or a step.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from graphmill.errors import QueryTextError, shortened
from graphmill.query_text import check_text

MOST_NESTED: Final = 100
_MOST_DIGITS: Final = 4000  # Python converts 4,300 to a number


@dataclass(frozen=True, slots=True)
class Call:
    """One step, or one predicate: name, arguments, and the offset where it begins."""

    name: str
    args: tuple[Item, ...] = ()
    place: int = 0


@dataclass(frozen=True, slots=True)
class Chain:
    """Steps one after the other; `root` is `g`, `__`, a token such as `P`, or nothing."""

    root: str
    calls: tuple[Call, ...]
    place: int = 0


@dataclass(frozen=True, slots=True)
class Value:
    """A literal; numbers without their suffix. `wide`: an integer of 64 bits."""

    value: object
    place: int = 0
    wide: bool = False


@dataclass(frozen=True, slots=True)
class Token:
    """An enumeration's name without its class: `desc`, `local`, `id`."""

    name: str
    place: int = 0


@dataclass(frozen=True, slots=True)
class Many:
    """A list, or a set, which holds nothing twice."""

    items: tuple[Item, ...]
    place: int = 0
    unique: bool = False


@dataclass(frozen=True, slots=True)
class Pairs:
    """A map."""

    items: tuple[tuple[Item, Item], ...]
    place: int = 0


type Item = Chain | Value | Token | Many | Pairs

_LEX = re.compile(
    r"(?P<space>\s+|/\*.*?\*/|//[^\n]*)"
    r"|(?P<number>[-+]?(?:\d*\.\d+(?:[eE][-+]?\d+)?|\d+(?:[eE][-+]?\d+)?)[bBsSiIlLnNfFdDmM]?)"
    r"|(?P<string>'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")"
    r"|(?P<infinity>[-+]Infinity\b)"
    r"|(?P<name>[A-Za-z_$][A-Za-z_0-9$]*)"
    r"|(?P<sign>[()\[\]{},.:])",
    re.DOTALL,
)
_ESCAPE = re.compile(r"\\(u+[0-9A-Fa-f]{4}|.)", re.DOTALL)
_PLAIN = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_WORDS = {"true": True, "false": False, "null": None}
_SPECIAL = {"NaN": float("nan"), "Infinity": float("inf")}


def parse(text: str) -> Chain:
    """The tree of a traversal.

    Raises:
        QueryTextError: the text is none; with its place and what was expected.
    """
    check_text(text)
    return _Parser(text).traversal()


def error(text: str, place: int, message: str, code: str = "syntax") -> QueryTextError:
    """An error at an offset of the text."""
    before = text[:place]
    return QueryTextError(
        message, code=code, line=before.count("\n") + 1, column=place - before.rfind("\n")
    )


class _Parser:
    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens: list[tuple[str, str, int]] = []
        self.at = 0
        self.depth = 0
        place = 0
        while place < len(text):
            lexeme = _LEX.match(text, place)
            if lexeme is None:
                raise error(text, place, f"'{text[place]}' begins nothing in Gremlin.")
            if lexeme.lastgroup != "space":
                self.tokens.append((str(lexeme.lastgroup), lexeme[0], place))
            place = lexeme.end()
        self.tokens.append(("end", "", len(text)))

    def traversal(self) -> Chain:
        if self._peek() != "g":
            raise self._expected("'g', with which a traversal begins")
        made = self._rooted()
        if self.tokens[self.at][0] != "end":
            raise self._expected("'.' and a step, or the end")
        return made

    def _peek(self, ahead: int = 0) -> str:
        place = min(self.at + ahead, len(self.tokens) - 1)
        return self.tokens[place][1] if self.tokens[place][0] != "string" else "''"

    def _expected(self, what: str) -> QueryTextError:
        kind, seen, place = self.tokens[self.at]
        shown = "the end" if kind == "end" else f"'{shortened(seen)}'"
        return error(self.text, place, f"Expected {what}, not {shown}.")

    def _take(self, sign: str) -> int:
        if self._peek() != sign:
            raise self._expected(f"'{sign}'")
        place = self.tokens[self.at][2]
        self.at += 1
        return place

    def _name(self) -> tuple[str, int]:
        kind, seen, place = self.tokens[self.at]
        if kind != "name":
            raise self._expected("a name")
        self.at += 1
        return seen, place

    def _rooted(self) -> Chain:
        """`g.…`, `__.…`, or `P.…`: a root and calls."""
        root, place = self._name()
        calls = []
        while self._peek() == ".":
            self.at += 1
            calls.append(self._call())
        if not calls:
            raise self._expected("'.' and a step")
        return Chain(root, tuple(calls), place)

    def _call(self) -> Call:
        name, place = self._name()
        return Call(name, self._arguments(), place)

    def _arguments(self) -> tuple[Item, ...]:
        self._take("(")
        self._deeper()
        items: list[Item] = []
        while self._peek() != ")":
            if items:
                self._take(",")
            items.append(self._item())
        self.at += 1
        self.depth -= 1
        return tuple(items)

    def _deeper(self) -> None:
        self.depth += 1
        if self.depth > MOST_NESTED:
            raise error(self.text, self.tokens[self.at][2], "It is nested too deeply.", "nesting")

    def _item(self) -> Item:
        kind, seen, place = self.tokens[self.at]
        match kind:
            case "string":
                self.at += 1
                return Value(_unescaped(seen), place)
            case "infinity":
                self.at += 1
                return Value(float(seen.replace("Infinity", "inf")), place)
            case "number":
                number = self._number(seen, place)
                self.at += 1
                wide = isinstance(number, int) and (
                    seen[-1] in "lL" or not -(2**31) <= number < 2**31
                )
                return Value(number, place, wide)
            case "name":
                return self._named(seen, place)
        if seen in ("[", "{"):
            return self._collection(seen, place)
        raise self._expected("an argument")

    def _number(self, seen: str, place: int) -> int | float:
        digits = seen.rstrip("bBsSiIlLnNfFdDmM")
        suffix = seen[len(digits) :].lower()
        if suffix in ("f", "d", "m") or any(char in digits for char in ".eE"):
            return float(digits)
        if len(digits) > _MOST_DIGITS:
            message = f"The integer {shortened(digits, 40)} is too large."
            raise error(self.text, place, message, "integer-overflow")
        return int(digits)

    def _named(self, seen: str, place: int) -> Item:
        following = self._peek(1)
        if following == "(":
            calls = [self._call()]
            while self._peek() == ".":
                self.at += 1
                calls.append(self._call())
            return Chain("", tuple(calls), place)
        if following == "." and self._peek(3) == "(":
            return self._rooted()
        self.at += 1
        if following == ".":
            self.at += 1
            return Token(self._name()[0], place)
        if seen in _WORDS:
            return Value(_WORDS[seen], place)
        return Value(_SPECIAL[seen], place) if seen in _SPECIAL else Token(seen, place)

    def _collection(self, opened: str, place: int) -> Item:
        self.at += 1
        self._deeper()
        closed = "]" if opened == "[" else "}"
        if opened == "[" and self._peek() == ":" and self._peek(1) == "]":
            self.at += 2
            self.depth -= 1
            return Pairs((), place)
        items: list[Item] = []
        pairs: list[tuple[Item, Item]] = []
        while self._peek() != closed:
            if items or pairs:
                self._take(",")
            if self._peek() == "(":
                self.at += 1
                key = self._item()
                self._take(")")
            else:
                key = self._item()
            if self._peek() == ":":
                self.at += 1
                pairs.append((key, self._item()))
            else:
                items.append(key)
        self.at += 1
        self.depth -= 1
        return Pairs(tuple(pairs), place) if pairs else Many(tuple(items), place, opened == "{")


def _unescaped(text: str) -> str:
    def change(match: re.Match[str]) -> str:
        seen = match[1]
        if seen[0] == "u" and len(seen) > 1:
            return chr(int(seen.lstrip("u"), 16))
        return _PLAIN.get(seen, seen)

    return _ESCAPE.sub(change, text[1:-1])
