"""Regular expressions of Java (`java.util.regex`, which Neo4j runs) in those of Rust (grafeo's).

Both match the whole text here, so greed does not matter. Java's classes are of ASCII, its `.` stops
at five line ends, and `(?i)` means ASCII letters; what Rust lacks (looking around, back references,
possessive repetition) or reads otherwise is refused. Source: the documentation of
java.util.regex.Pattern (Java 25) and of the crate regex 1.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

_CLASSES = {
    "d": "0-9",
    "w": "a-zA-Z_0-9",
    "s": r" \t\n\x0B\f\r",
    "h": r" \t\x{A0}\x{1680}\x{180E}\x{2000}-\x{200A}\x{202F}\x{205F}\x{3000}",
    "v": r"\n\x0B\f\r\x{85}\x{2028}\x{2029}",
}
_POSIX = {
    "Lower": "a-z",
    "Upper": "A-Z",
    "ASCII": r"\x00-\x7F",
    "Alpha": "a-zA-Z",
    "Digit": "0-9",
    "Alnum": "a-zA-Z0-9",
    "Punct": r"!-/:-@\[-`{-~",
    "Graph": "!-~",
    "Print": " -~",
    "Blank": r" \t",
    "Cntrl": r"\x00-\x1F\x7F",
    "XDigit": "0-9a-fA-F",
    "Space": r" \t\n\x0B\f\r",
}
_CATEGORY = re.compile(r"L[ultmo]?|M[nce]?|N[dlo]?|P[cdseifo]?|S[mcko]?|Z[slp]?|C[cfons]?")
_BINARY = {"IsAlphabetic": "Alphabetic", "IsUppercase": "Uppercase", "IsLowercase": "Lowercase"}
_LINE_END = r"(?:\r\n|[\n\x0B\f\r\x{85}\x{2028}\x{2029}])"
_ANY_BUT_LINE_ENDS = r"[^\n\r\x{85}\x{2028}\x{2029}]"
_CONTROLS = {"t": "\t", "n": "\n", "r": "\r", "f": "\f", "a": "\a", "e": "\x1b"}
_REPEAT = re.compile(r"[*+?]|\{\d{1,4}(?:,\d{0,4})?\}")
_FLAGS = re.compile(r"\(\?([idmsuxU]*)(?:-([idmsuxU]*))?([:)])")
_SPACE = " \t\n\x0b\f\r"


class NoPattern(Exception):
    """The pattern has no form in Rust; the text says what of it."""


@dataclass(frozen=True)
class _Flags:
    fold: bool = False  # i: letters of ASCII in either case
    dots: bool = False  # s: `.` is any character
    free: bool = False  # x: white space and comments are none
    lines: bool = False  # m: `^` and `$` at lines


@dataclass(frozen=True, slots=True)
class Translated:
    """A pattern of Rust. `marks`: it holds only for texts without combining marks, which Java
    counts to the word before them."""

    text: str
    marks: bool = False


def rust_pattern(text: str) -> Translated:
    """What a pattern of Java is in Rust.

    >>> rust_pattern(r"(?i)a\\d.").text
    '[aA][0-9][^\\\\n\\\\r\\\\x{85}\\\\x{2028}\\\\x{2029}]'

    Raises:
        NoPattern: it has no form there.
    """
    reader = _Reader(text)
    pattern = reader.alternatives(_Flags(), 0)
    if reader.at < len(text):
        raise NoPattern("an unmatched ')'")
    return Translated(pattern, reader.marks)


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.marks = False

    def _peek(self) -> str:
        return self.text[self.at : self.at + 1]

    def _next(self) -> str:
        char = self._peek()
        if not char:
            raise NoPattern("an unfinished pattern")
        self.at += 1
        return char

    def alternatives(self, flags: _Flags, depth: int) -> str:
        """All up to the end or an unmatched `)`; flags set inside hold to that end."""
        if depth > 50:
            raise NoPattern("groups nested so deep")
        pieces: list[str] = []
        while (char := self._peek()) and char != ")":
            if char == "|":
                self.at += 1
                pieces.append("|")
                continue
            if flags.free and (char in _SPACE or char == "#"):
                self._skip(char)
                continue
            if switch := _FLAGS.match(self.text, self.at):
                self.at = switch.end()
                inner = _switched(flags, switch[1], switch[2] or "")
                if switch[3] == ")":
                    flags = inner
                    continue
                pieces.append(self._repeated(self._group(inner, depth), flags))
                continue
            first = not pieces or pieces[-1] == "|"
            atom = self._atom(flags, depth, first)
            pieces.append(self._repeated(atom, flags) if atom else "")
        return "".join(pieces)

    def _skip(self, char: str) -> None:
        self.at += 1
        while char == "#" and self._peek() and self._next() != "\n":
            continue

    def _group(self, flags: _Flags, depth: int) -> str:
        inside = self.alternatives(flags, depth + 1)
        if self._next() != ")":
            raise NoPattern("an unfinished group")
        return f"(?:{inside})"

    def _repeated(self, atom: str, flags: _Flags) -> str:
        if flags.free:
            while (char := self._peek()) and (char in _SPACE or char == "#"):
                self._skip(char)
        repeat = _REPEAT.match(self.text, self.at)
        if repeat is None:
            if self._peek() == "{":
                raise NoPattern("a '{' that repeats nothing")
            return atom
        self.at = repeat.end()
        if self._peek() == "+":
            raise NoPattern("possessive repetition")
        if self._peek() == "?":
            self.at += 1
        if self._peek() and self._peek() in "*+?{":
            raise NoPattern("a repeated repetition")
        return atom + repeat[0]

    def _atom(self, flags: _Flags, depth: int, first: bool) -> str:
        char = self._next()
        match char:
            case "(":
                if self._peek() != "?":
                    return self._group(flags, depth)
                name = re.compile(r"\?<[A-Za-z][A-Za-z0-9]*>").match(self.text, self.at)
                if name is None:
                    raise NoPattern("looking around, or an atomic group")
                self.at = name.end()
                return self._group(flags, depth)
            case "[":
                return self._class(flags)
            case ".":
                return r"[\s\S]" if flags.dots else _ANY_BUT_LINE_ENDS
            case "^" if first and not depth and not flags.lines:
                return ""
            case "$" if not depth and not flags.lines and self._peek() in ("", "|"):
                return ""
            case "^" | "$":
                raise NoPattern(f"'{char}' inside the pattern")
            case "*" | "+" | "?" | "{":
                raise NoPattern(f"'{char}' that repeats nothing")
            case "\\":
                return self._escape(flags)
        return _literal(char, flags)

    def _escape(self, flags: _Flags) -> str:
        char = self._next()
        if char == "Q":
            return "".join(_literal(each, flags) for each in self._quoted())
        if char.lower() in _CLASSES:
            return f"[{'^' if char.isupper() else ''}{_CLASSES[char.lower()]}]"
        if char == "R":
            return _LINE_END
        if char in "bB":
            if self._peek() == "{":
                raise NoPattern("a boundary of another kind")
            self.marks = True
            return rf"(?-u:\{char})"
        if char in "pP":
            return f"[{'^' if char == 'P' else ''}{self._property(flags)}]"
        return _literal(self._character(char), flags)

    def _quoted(self) -> str:
        end = self.text.find(r"\E", self.at)
        quoted = self.text[self.at :] if end < 0 else self.text[self.at : end]
        self.at = len(self.text) if end < 0 else end + 2
        return quoted

    def _character(self, char: str) -> str:
        """The character that an escape stands for."""
        if char in _CONTROLS:
            return _CONTROLS[char]
        if not char.isascii() or not char.isalnum():
            return char
        patterns = {"x": r"([0-9a-fA-F]{2})|\{([0-9a-fA-F]{1,6})\}", "u": r"([0-9a-fA-F]{4})"}
        if char == "0":
            octal = re.compile(r"[0-3]?[0-7]{1,2}").match(self.text, self.at)
            if octal is not None:
                self.at = octal.end()
                return chr(int(octal[0], 8))
        if char in patterns:
            digits = re.compile(patterns[char]).match(self.text, self.at)
            number = int(next(filter(None, digits.groups())), 16) if digits else 0x110000
            if digits is not None and number < 0x110000 and not 0xD800 <= number < 0xE000:
                self.at = digits.end()
                return chr(number)
        raise NoPattern(f"'\\{char}'")

    def _property(self, flags: _Flags) -> str:
        char = self._next()
        if char == "{":
            end = self.text.find("}", self.at)
            name = self.text[self.at : end] if end > 0 else ""
            self.at = end + 1
        else:
            name = char
        if flags.fold:
            raise NoPattern("a property of characters beside (?i)")
        if name in _POSIX:
            return _POSIX[name]
        if name in _BINARY:
            return rf"\p{{{_BINARY[name]}}}"
        short = name.removeprefix("Is")
        if _CATEGORY.fullmatch(short):
            return rf"\p{{{short}}}"
        raise NoPattern(f"the property '{name}' of characters")

    # --- classes ---------------------------------------------------------------------------

    def _class(self, flags: _Flags) -> str:
        if flags.free:
            raise NoPattern("a class beside (?x)")
        negated = self._peek() == "^"
        self.at += negated
        parts: list[str] = []
        start = True
        while True:
            char = self._next()
            if char == "]" and not start:
                break
            start = False
            if char == "[":
                parts.append(self._class(flags))
            elif char == "&" and self._peek() == "&":
                self.at += 1
                if not parts or self._peek() in ("&", "]"):
                    raise NoPattern("an intersection with nothing")
                parts = [f"[{''.join(parts)}]", "&&"]
            elif char == "\\" and self._peek() in tuple("dDwWsShHvVpPQRbB"):
                parts.append(self._class_escape(flags))
            else:
                parts.append(self._range(char, flags))
        if "&&" in parts:
            place = parts.index("&&")
            parts = [*parts[: place + 1], f"[{''.join(parts[place + 1 :])}]"]
        return f"[{'^' if negated else ''}{''.join(parts)}]"

    def _class_escape(self, flags: _Flags) -> str:
        char = self._next()
        if char.lower() in _CLASSES:
            inside = _CLASSES[char.lower()]
            return f"[^{inside}]" if char.isupper() else inside
        if char in "pP":
            return f"[{'^' if char == 'P' else ''}{self._property(flags)}]"
        raise NoPattern(f"'\\{char}' in a class")

    def _range(self, char: str, flags: _Flags) -> str:
        low = self._character(self._next()) if char == "\\" else char
        if self._peek() != "-" or self.text[self.at + 1 : self.at + 2] in ("]", "[", ""):
            return _in_class(low, low, flags)
        self.at += 1
        high = self._next()
        if high == "\\":
            if self._peek() in tuple("dDwWsShHvVpPQRbB"):
                raise NoPattern("a range up to a class")
            high = self._character(self._next())
        if high < low or (high == "&" and self._peek() == "&"):
            raise NoPattern("a range that ends before it begins")
        return _in_class(low, high, flags)


def _switched(flags: _Flags, on: str, off: str) -> _Flags:
    if set(on + off) & set("duU"):
        raise NoPattern("the flags d, u and U")
    for letter in on + off:
        name = {"i": "fold", "s": "dots", "x": "free", "m": "lines"}[letter]
        flags = replace(flags, **{name: letter not in off})
    return flags


def _literal(char: str, flags: _Flags) -> str:
    if flags.fold and char.isascii() and char.isalpha():
        return f"[{char.lower()}{char.upper()}]"
    return _escaped(char)


def _escaped(char: str, special: str = r"\.+*?()|[]{}^$") -> str:
    if char in special:
        return f"\\{char}"
    return char if char.isprintable() else rf"\x{{{ord(char):X}}}"


def _in_class(low: str, high: str, flags: _Flags) -> str:
    # `[:` would begin the name of a class, which Java has not
    ends = [r"\x3A" if c == ":" else _escaped(c, r"\[]{}^&~-#") for c in (low, high)]
    text = ends[0] if low == high else "-".join(ends)
    if not flags.fold:
        return text
    for first, last, other in (("a", "z", str.upper), ("A", "Z", str.lower)):
        begin, end = max(low, first), min(high, last)
        if begin <= end:
            text += f"{other(begin)}-{other(end)}"
    return text
