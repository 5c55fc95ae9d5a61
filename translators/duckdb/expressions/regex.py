"""Regular expressions of `java.util.regex` as RE2's, which DuckDB matches with.

Both agree on most of the syntax. They differ in what ends a line, in white space, in the case of
letters beyond ASCII, and in names of classes; those are written out as RE2 understands them. What
RE2 has not (back references, looking around, possessive quantifiers) is refused.
https://docs.oracle.com/en/java/javase/25/docs/api/java.base/java/util/regex/Pattern.html
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

_LINE_ENDS = r"\n\r\x{85}\x{2028}\x{2029}"
_CLASSES = {
    "d": "0-9",
    "w": "A-Za-z0-9_",
    "s": r" \t\n\x{B}\f\r",
    "h": r" \t\x{A0}\x{1680}\x{180E}\x{2000}-\x{200A}\x{202F}\x{205F}\x{3000}",
    "v": r"\n\x{B}\f\r\x{85}\x{2028}\x{2029}",
}
_POSIX = {  # ASCII only, as RE2's names in [[:name:]]
    **{name: name.lower() for name in ("Lower", "Upper", "ASCII", "Alpha", "Digit", "Alnum")},
    **{name: name.lower() for name in ("Punct", "Graph", "Print", "Blank", "Cntrl", "XDigit")},
}
_ESCAPES = {"t": 9, "n": 10, "r": 13, "f": 12, "a": 7, "e": 27}
_CATEGORY = re.compile(r"Is(?=[A-Z][a-z]?\Z)|gc=|general_category=")
_CATEGORY_NAME = re.compile(r"L[ultmo]?|M[nce]?|N[dlo]?|P|S|Z[slp]?")
_QUANTIFIER = re.compile(r"[*+?]|\{(\d+)(?:,(\d*))?\}")
_FLAGS = re.compile(r"\?([a-zA-Z]*)(?:-([a-zA-Z]+))?([:)])")
_MOST = 1000  # repetitions, of RE2


class NoPattern(ValueError):
    """RE2 has no equal expression."""


@dataclass(frozen=True, slots=True)
class Translated:
    """An expression of RE2. `marks`: it holds only for texts without combining marks."""

    text: str
    marks: bool = False


@dataclass(frozen=True, slots=True)
class _Flags:
    """What is in force: `fold` is (?i), `all` is (?s)."""

    fold: bool = False
    all: bool = False


def translate(pattern: str) -> Translated:
    r"""The expression of RE2 that matches the same whole texts.

    >>> translate("(?i)ab.").text
    '[aA][bB][^\\n\\r\\x{85}\\x{2028}\\x{2029}]'

    Raises:
        NoPattern: there is none, or `pattern` is none of Java's.
    """
    return _Reader(pattern).whole()


class _Reader:
    def __init__(self, pattern: str) -> None:
        self._text = pattern
        self._at = 0
        self._marks = False

    def whole(self) -> Translated:
        text = self._alternatives(_Flags(), last=True)
        if self._at < len(self._text):
            raise NoPattern("an unopened )")
        return Translated(text, self._marks)

    def _alternatives(self, flags: _Flags, *, last: bool) -> str:
        """Up to the closing parenthesis or the end; `last`: nothing is matched behind it."""
        parts: list[str] = []
        ends = False  # a $ has been passed in this alternative
        while self._at < len(self._text) and self._text[self._at] != ")":
            char = self._text[self._at]
            if char == "|":
                self._at += 1
                parts.append("|")
                ends = False
                continue
            inline = _FLAGS.match(self._text, self._at + 1) if char == "(" else None
            if inline is not None and inline[3] == ")":
                flags = _changed(flags, inline)
                self._at = inline.end()
                continue
            if ends:
                raise NoPattern("something behind $")
            if char == "$":
                self._at += 1
                if not last:
                    raise NoPattern("$ before the end")
                ends = True
                parts.append("$")
                self._no_quantifier()
                continue
            parts.append(self._piece(char, flags, last=last))
        return "".join(parts)

    def _no_quantifier(self) -> None:
        if _QUANTIFIER.match(self._text, self._at):
            raise NoPattern("a repeated $")

    def _piece(self, char: str, flags: _Flags, *, last: bool) -> str:
        """One atom with its quantifier."""
        if char == "(":
            atom = self._group(flags, last=last and self._closes_last())
        elif char == "[":
            atom = self._class(flags)
        elif char == "\\":
            atom = self._escape(flags)
        else:
            self._at += 1
            if char in "*+?{":
                raise NoPattern("a quantifier of nothing")
            if char == ".":
                atom = r"[\x{0}-\x{10FFFF}]" if flags.all else f"[^{_LINE_ENDS}]"
            elif char == "^":
                atom = "^"
            else:
                atom = _literal(char, flags)
        return atom + self._quantifier()

    def _quantifier(self) -> str:
        match = _QUANTIFIER.match(self._text, self._at)
        if match is None:
            return ""
        if any(number and int(number) > _MOST for number in match.groups()):
            raise NoPattern("many repetitions")
        self._at = match.end()
        following = self._text[self._at : self._at + 1]
        if following == "+":
            raise NoPattern("a possessive quantifier")
        lazy = following == "?"
        self._at += lazy
        if _QUANTIFIER.match(self._text, self._at):
            raise NoPattern("a repeated quantifier")
        return match[0]

    def _group(self, flags: _Flags, *, last: bool) -> str:
        self._at += 1
        named = re.compile(r"\?<[A-Za-z][A-Za-z0-9]*>").match(self._text, self._at)
        inline = _FLAGS.match(self._text, self._at)
        if named is not None:
            self._at = named.end()
        elif inline is not None:
            flags = _changed(flags, inline)
            self._at = inline.end()
        elif self._text.startswith("?", self._at):
            raise NoPattern("a group that looks around or is atomic")
        inner = self._alternatives(flags, last=last)
        if not self._text.startswith(")", self._at):
            raise NoPattern("an unclosed group")
        self._at += 1
        return f"(?:{inner})"

    def _closes_last(self) -> bool:
        """Whether nothing is matched behind the group that begins here."""
        depth, at, text, inside = 0, self._at, self._text, False
        while at < len(text):
            if text[at] == "\\":
                at += 1
            elif inside:
                inside = text[at] != "]"
            elif text[at] == "[":
                inside = True
                at += text[at + 1 : at + 2] in ("]", "^")
            elif text[at] == "(":
                depth += 1
            elif text[at] == ")":
                depth -= 1
                if depth == 0:
                    return text[at + 1 : at + 2] in ("", ")", "|")
            at += 1
        return False

    # --- escapes and classes -------------------------------------------------------------------

    def _escape(self, flags: _Flags) -> str:
        """An escape outside of a class."""
        char = self._text[self._at + 1 : self._at + 2]
        if char == "Q":
            return self._quoted(flags)
        if char in ("A", "z"):
            self._at += 2
            return f"\\{char}"
        if char in ("b", "B"):
            self._at += 2
            self._marks = True
            return f"\\{char}"
        if char == "R":
            self._at += 2
            return r"(?:\r\n|[\n\x{B}\f\r\x{85}\x{2028}\x{2029}])"
        inside, code = self._escaped()
        if code is not None:
            return _literal(chr(code), flags)
        if flags.fold and inside.startswith(("\\p", "[:")):
            raise NoPattern("a named class without regard to case")
        return f"[{inside}]"

    def _quoted(self, flags: _Flags) -> str:
        end = self._text.find("\\E", self._at)
        stop = len(self._text) if end < 0 else end
        quoted = self._text[self._at + 2 : stop]
        self._at = stop + 2 if end >= 0 else stop
        if _QUANTIFIER.match(self._text, self._at) and len(quoted) != 1:
            if not quoted:
                raise NoPattern("a quantifier of nothing")
            head = "".join(_literal(char, flags) for char in quoted[:-1])
            return head + _literal(quoted[-1], flags)
        return "".join(_literal(char, flags) for char in quoted)

    def _escaped(self) -> tuple[str, int | None]:
        """What stands for an escape inside of a class, and its code if it is one character."""
        self._at += 1
        char = self._text[self._at : self._at + 1]
        self._at += 1
        if char in _ESCAPES:
            return "", _ESCAPES[char]
        if char in _CLASSES:
            return _CLASSES[char], None
        if char and char.lower() in _CLASSES:
            return _complement(_CLASSES[char.lower()]), None
        if char in ("p", "P"):
            return self._property(char), None
        for start, shape in (
            ("x", r"([0-9a-fA-F]{2})|\{([0-9a-fA-F]+)\}"),
            ("u", r"([0-9a-fA-F]{4})"),
        ):
            match = re.compile(shape).match(self._text, self._at) if char == start else None
            if match is not None:
                self._at = match.end()
                code = int(next(group for group in match.groups() if group), 16)
                if 0xD800 <= code < 0xE000:
                    raise NoPattern("half of a character")
                return "", code
        if char == "0":
            match = re.compile(r"[0-3]?[0-7]{1,2}").match(self._text, self._at)
            if match is not None:
                self._at = match.end()
                return "", int(match[0], 8)
        if not char or char.isalnum():
            raise NoPattern(f"\\{char}")
        return "", ord(char)

    def _property(self, sign: str) -> str:
        r"""`\p{...}`, negated by a capital P."""
        if self._text.startswith("{", self._at):
            end = self._text.find("}", self._at)
            name = self._text[self._at + 1 : end] if end > 0 else ""
            self._at = end + 1
        else:
            name = self._text[self._at : self._at + 1]
            self._at += 1
        if name in _POSIX:
            return f"[:{'^' if sign == 'P' else ''}{_POSIX[name]}:]"
        name = _CATEGORY.sub("", name, count=1)
        if not _CATEGORY_NAME.fullmatch(name):
            raise NoPattern(f"\\{sign}{{{name}}}")
        return f"\\{sign}{{{name}}}"

    def _class(self, flags: _Flags) -> str:
        """`[...]`."""
        self._at += 1
        negated = self._text.startswith("^", self._at)
        self._at += negated
        parts: list[str] = []
        while True:
            if self._at >= len(self._text):
                raise NoPattern("an unclosed class")
            char = self._text[self._at]
            if char == "]":
                if not parts:
                    raise NoPattern("an empty class")
                break
            if char == "[" or self._text.startswith("&&", self._at):
                raise NoPattern("a class of classes")
            inside, low = self._member()
            if low is None:
                if flags.fold and inside.startswith(("\\p", "\\P", "[:")):
                    raise NoPattern("a named class without regard to case")
                parts.append(inside)
                continue
            high = low
            if self._text.startswith("-", self._at) and self._text[
                self._at + 1 : self._at + 2
            ] not in (
                "]",
                "[",
                "",
            ):
                self._at += 1
                _, upper = self._member()
                if upper is None or upper < low:
                    raise NoPattern("a range of classes")
                high = upper
            parts.append(_range(low, high, flags))
        self._at += 1
        return f"[{'^' if negated else ''}{''.join(parts)}]"

    def _member(self) -> tuple[str, int | None]:
        char = self._text[self._at]
        if char == "\\":
            if self._text.startswith("\\Q", self._at):
                raise NoPattern("a quotation in a class")
            return self._escaped()
        self._at += 1
        return "", ord(char)


def _changed(flags: _Flags, inline: re.Match[str]) -> _Flags:
    on, off = inline[1] or "", inline[2] or ""
    for letters, value in ((on, True), (off, False)):
        for letter in letters:
            if letter == "i":
                flags = replace(flags, fold=value)
            elif letter == "s":
                flags = replace(flags, all=value)
            else:
                raise NoPattern(f"(?{letter})")
    return flags


def _literal(char: str, flags: _Flags) -> str:
    if flags.fold and char.isascii() and char.isalpha():
        return f"[{char.lower()}{char.upper()}]"
    return _shown(ord(char))


def _range(low: int, high: int, flags: _Flags) -> str:
    text = _shown(low) if low == high else f"{_shown(low)}-{_shown(high)}"
    if flags.fold:
        for start, shift in ((65, 32), (97, -32)):
            first, last = max(low, start), min(high, start + 25)
            if first <= last:
                text += f"{chr(first + shift)}-{chr(last + shift)}"
    return text


def _shown(code: int) -> str:
    char = chr(code)
    if char.isalnum() or char == " ":
        return char
    return f"\\{char}" if 32 < code < 127 else f"\\x{{{code:X}}}"


def _complement(inside: str) -> str:
    """The ranges outside of those of a class, for a class that holds more."""
    taken = sorted(
        code
        for low, high in re.findall(r"(\\x\{\w+\}|\\.|.)(?:-(\\x\{\w+\}|.))?", inside)
        for code in range(_code(low), _code(high or low) + 1)
    )
    ranges, start = [], 0
    for code in taken:
        if code > start:
            ranges.append(f"\\x{{{start:X}}}-\\x{{{code - 1:X}}}")
        start = code + 1
    return "".join([*ranges, f"\\x{{{start:X}}}-\\x{{10FFFF}}"])


def _code(shown: str) -> int:
    if shown.startswith("\\x"):
        return int(shown[3:-1], 16)
    return _ESCAPES[shown[1]] if shown.startswith("\\") else ord(shown)
