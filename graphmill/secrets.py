"""The one place that cleans: what must not be said is taken out of whole texts, before any cut.

Keys and passwords are known to the whole process once `keep` was called, because they come back in
places that nobody passes them to: an endpoint's answer, an error's message, a traceback. A secret
is found as it is, backwards, in capitals, over several lines, between quotes, in URL (twice, too),
HTML and JSON escapes, in base64, base32 and hexadecimal digits, these backwards, too, as the
numbers of its bytes, with other characters between its letters or for its signs, in letters that
are compatible with ASCII's, and where a foreign hand cut it, by a piece that is long enough to be
of use.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from base64 import b16encode, b32encode, b64encode
from math import ceil, lcm
from urllib.parse import parse_qsl, unquote, urlsplit

HIDDEN = "***"
_SHORTEST = 6  # letters and digits; what is shorter is a placeholder, and stands in many words
_PIECE = 12  # letters and digits of a longer secret that are no more shown than the whole
_TOKEN_USER = 16  # letters from which a user without a password is taken for a key
PLACEHOLDERS = frozenset({"ollama", "lmstudio", "notneeded", "nokey", "required", "placeholder"})

# A run of backslashes is read once, from its first one.
_TOKEN = re.compile(
    r"(?<!\\)\\*+[uU](?:0000)?00([0-9a-fA-F]{2})|(?<!\\)\\++x([0-9a-fA-F]{2})|%(?:25)*([0-9a-fA-F]{2})"
    r"|(?<!\\)\\++(?:u([0-9a-fA-F]{4})|u\{0*([0-9a-fA-F]{1,6})\}|U([0-9a-fA-F]{8}))"
    r"|&#[xX]0*([0-9a-fA-F]{1,6});|&#0*(?P<decimal>[0-9]{1,7});|(?<!\\)\\++[nrtfb]"
)
_USER = re.compile(r"(://)[^/\s'\"<>]*@")
# As SQLAlchemy reads an address: all up to the @ is password, a slash and a quote too.
_PASSWORD = re.compile(r"([\w+.-]+://)[^:/@\s]*:([^@]*)@")
_PORT = re.compile(r"\d+[/?#]")
_SECRET_OPTION = re.compile(r"key|token|secret|passw|pwd|sig|auth|credential", re.IGNORECASE)


# Bytes as lists of numbers, whose commas and backslashes are no letters: decimal, octal, as C and
# UTF-16 have them.
_NUMBERS = ("{:d}", "{:03d}", "{:o}", "{:03o}", "0x{:02x}", "{:02x}00")
_BYTES = (2, 3)  # groups of `_TOKEN` that have a byte, which alone may be no character


class _Folds(dict[int, str]):
    """The small letters and digits of ASCII that a character stands for, by its number; none for
    signs. Character by character, for whole texts are not normalised in linear time."""

    def __missing__(self, number: int) -> str:
        parts = unicodedata.normalize("NFKD", chr(number)) if number <= sys.maxunicode else ""
        folded = "".join(each for each in parts if each.isascii() and each.isalnum()).lower()
        self[number] = folded
        return folded


_FOLDS = _Folds()
_kept: dict[str, int] = {}  # needles, and the shortest piece of each that is hidden


def keep(secret: str) -> None:
    """Hide `secret` in every text from now on; what is too short to be one is passed over."""
    plain = _letters(secret)[0]
    if len(plain) < _SHORTEST or plain in PLACEHOLDERS:
        return
    _kept[plain] = _kept[plain[::-1]] = min(len(plain), _PIECE)
    raw = secret.encode("utf-8", "surrogatepass")
    for bits, encode in ((4, b16encode), (5, b32encode), (6, b64encode)):  # of a sign
        for before in range(lcm(8, bits) // 8):  # bytes in its group: after `user:`, for one
            coded = encode(b"\0" * before + raw).decode().rstrip("=")
            last = len(coded) - bool(8 % bits)  # of which bits may be of what follows
            needle = _letters(coded[ceil(8 * before / bits) : last])[0]
            _kept[needle] = _kept[needle[::-1]] = min(len(needle), ceil(8 * _PIECE / bits))
    for form in _NUMBERS:
        needle = "".join(form.format(byte) for byte in raw)
        _kept[needle] = min(len(needle), ceil(_PIECE * len(needle) / len(raw)))


def keep_url(url: str) -> None:
    """Hide the password of an address, and the values of its options that are named like keys."""
    for each in _secrets(url):
        keep(each)


def has_secret(url: str) -> bool:
    """Whether an address holds a password, or an option that is named like a key.

    >>> has_secret("bolt://neo4j:pass@host:7687"), has_secret("postgresql://me@host/shop")
    (True, False)
    """
    return bool(_secrets(url))


def _secrets(url: str) -> set[str]:
    try:
        parts = urlsplit(url)
    except ValueError:
        return set()
    user, _, password = parts.netloc.rpartition("@")[0].partition(":")
    secret = password or (user if len(user) >= _TOKEN_USER else "")
    options = {value for name, value in parse_qsl(parts.query) if _SECRET_OPTION.search(name)}
    loose = _password(url)
    if loose is not None:
        options |= {loose[2], unquote(loose[2])}
    return {each for each in {secret, unquote(secret), *options} if each}


def _password(url: str) -> re.Match[str] | None:
    """What stands before the @ of an address, where it is no port and path of the web."""
    match = _PASSWORD.match(url)
    is_web = url.casefold().startswith(("http:", "https:"))
    return None if match is None or (is_web and _PORT.match(match[2])) else match


def without_user(url: str) -> str:
    """An address as it may be shown: without user, password and options.

    >>> without_user("https://me:pass@host:1/v1?api_key=x")
    'https://host:1/v1'
    >>> without_user("mysql://me:it's/so?@host/shop"), without_user("http://host:80/@me")
    ('mysql://host/shop', 'http://host:80/@me')
    """
    loose = _password(url)
    if loose is not None:
        url = loose[1] + url[loose.end() :]
    return _USER.sub(r"\1", url).partition("?")[0]


def conceal(text: str) -> str:
    """`text` without any secret, each replaced by `***`; the same text where there is none.

    >>> keep("sk-a1b2c3d4e5f6g7h8")
    >>> conceal("Bearer sk-a1b2c3d4e5f6g7h8 or sk%2Da1b2c3d4e5f6 …")
    'Bearer *** or *** …'
    """
    pieces = [
        needle[start : start + size]
        for needle, size in _kept.items()
        for start in range(len(needle) - size + 1)
    ]
    # Most texts have none, and are not taken apart letter by letter.
    quick = _TOKEN.sub(_letter, text).translate(_FOLDS)
    if not any(piece in quick for piece in pieces):
        return text
    plain, spans = _letters(text)
    hidden: list[tuple[int, int]] = []
    for piece in pieces:
        at = -1
        while (at := plain.find(piece, at + 1)) >= 0:
            hidden.append((at, at + len(piece)))
    shown, end = [], 0
    for first, last in _merged(hidden):
        shown += [text[end : spans[first][0]], HIDDEN]
        end = spans[last - 1][1]
    return "".join([*shown, text[end:]])


def conceal_json(value: object) -> object:
    """A JSON value with all its texts clean, names of members too."""
    if isinstance(value, str):
        return conceal(value)
    if isinstance(value, dict):
        return {conceal(str(name)): conceal_json(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [conceal_json(each) for each in value]
    return value


def _letters(text: str) -> tuple[str, list[tuple[int, int]]]:
    """The letters and digits of ASCII that a text says, small, and where each stands in it."""
    letters: list[str] = []
    spans: list[tuple[int, int]] = []

    def plain(start: int, end: int) -> None:
        for at in range(start, end):
            for letter in _FOLDS[ord(text[at])]:
                letters.append(letter)
                spans.append((at, at + 1))

    end = 0
    for token in _TOKEN.finditer(text):
        plain(end, token.start())
        end = token.end()
        for letter in _letter(token):
            letters.append(letter)
            spans.append(token.span())
    plain(end, len(text))
    return "".join(letters), spans


def _letter(token: re.Match[str]) -> str:
    """The letter or digit that an escape stands for; nothing for other characters."""
    if not token.lastindex:
        return ""
    number = int(token[token.lastindex], 10 if token.lastgroup == "decimal" else 16)
    return "" if token.lastindex in _BYTES and number > 127 else _FOLDS[number]


def _merged(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(end, merged[-1][1])
        else:
            merged.append((start, end))
    return merged
