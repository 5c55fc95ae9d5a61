"""The LALR tables of the nGQL grammar, made by lark once a user and kept in the cache folder.

Making them takes lark two seconds of processor time, reading them a tenth of one, and every worker
of a build needs them. They are plain values in Python's own `marshal` form, which runs no code
when read; the name of the file tells the grammar, lark's version and Python's.
"""

from __future__ import annotations

import hashlib
import marshal
import sys
from importlib.resources import files
from typing import Any

import lark
from lark import Lark
from lark.grammar import Rule
from lark.lexer import TerminalDef

from graphmill import cache
from translators.ngql.grammar.lexer import NgqlLexer


def parser() -> Lark:
    """The parser of nGQL, from kept tables where there are any for this very grammar."""
    grammar = files("translators.ngql.grammar").joinpath("ngql.lark").read_text(encoding="utf-8")
    name = f"ngql-{_key(grammar)}.tables"
    body = cache.kept(name)
    if body is not None:
        return _read(body)
    made = _make(grammar)
    cache.keep(name, _written(made))
    return made


def _key(grammar: str) -> str:
    parts = (grammar, lark.__version__, sys.implementation.cache_tag or "", str(marshal.version))
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:20]


def _make(grammar: str) -> Lark:
    return Lark(
        grammar,
        parser="lalr",
        lexer=NgqlLexer,
        propagate_positions=True,
        maybe_placeholders=False,
    )


def _written(made: Lark) -> bytes:
    data, memo = made.memo_serialize([TerminalDef, Rule])
    for place, key in _lexer_places(data):
        place[key] = None
    return marshal.dumps({"data": data, "memo": memo})


def _read(body: bytes) -> Lark:
    stored = marshal.loads(body)  # noqa: S302 - whole by its checksum, in the user's own folder
    for place, key in _lexer_places(stored["data"]):
        place[key] = NgqlLexer
    return Lark.load(stored)


def _lexer_places(data: dict[str, Any]) -> list[tuple[dict[str, Any], str]]:
    """Where the class of the lexer stands among plain values."""
    return [(data["options"], "lexer"), (data["parser"]["lexer_conf"], "lexer_type")]
