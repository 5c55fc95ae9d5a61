"""Texts of data, people and models as a page may show them: nothing hidden, nothing endless."""

from __future__ import annotations

import json
import re
from typing import Any

LONGEST = 2_000  # characters of one text on a page
_CELL = 300  # characters of one cell of an answer
# Control characters, lone surrogates, and what turns the direction of the text around it.
_HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069"
    "\ud800-\udfff\ufeff\ufffe\uffff]"
)


def shown(value: object, longest: int = LONGEST) -> str:
    """A text without invisible and direction-turning characters, cut at `longest` characters.

    >>> shown("a\\u202eb"), shown("x" * 30, 10)
    ('a⟨U+202E⟩b', 'xxxxxxxxxx… (30 characters)')
    """
    text = value if isinstance(value, str) else str(value)
    rest = f"… ({len(text):,} characters)" if len(text) > longest else ""
    text = text[:longest].replace("\r\n", "\n")
    return _HIDDEN.sub(lambda c: f"⟨U+{ord(c[0]):04X}⟩", text) + rest


def cell(value: Any) -> str:
    """A cell of an answer, as its JSON says it; null as the word; nodes and edges as queries do.

    >>> cell(None), cell([1, "a"]), cell({"labels": ["A"], "key": {"id": 1}})
    ('null', '[1, "a"]', '(:A {"id": 1})')
    """
    if value is None:
        return "null"
    if isinstance(value, str):
        return shown(value, _CELL)
    if isinstance(value, dict) and {"labels", "key"} <= value.keys():
        values = value.get("properties") or value["key"]
        return shown(f"(:{'&'.join(map(str, value['labels']))} {_inside(values)})", _CELL)
    if isinstance(value, dict) and {"type", "source", "target"} <= value.keys():
        return shown(f"[:{value['type']}{_inside(value.get('properties') or {}, ' ')}]", _CELL)
    return shown(json.dumps(value, ensure_ascii=False, default=str), _CELL)


def _inside(values: Any, before: str = "") -> str:
    """The properties of a node or edge."""
    if not values:
        return ""
    return before + json.dumps(values, ensure_ascii=False, default=str)


def amount(number: float) -> str:
    """A number of things, short enough for a tile.

    >>> amount(1234), amount(45_600), amount(2_340_000), amount(3)
    ('1,234', '45,600', '2.3 M', '3')
    """
    if number >= 1_000_000:
        return f"{number / 1_000_000:.1f} M"
    return f"{number:,.0f}"


def percent(share: float) -> str:
    """A share; what is not all is never written as 100 %, nor as 0 % what is not nothing.

    >>> percent(1), percent(0.9996), percent(0.5), percent(0.0001), percent(0)
    ('100 %', '> 99.9 %', '50.0 %', '< 0.1 %', '0 %')
    """
    if share in (0, 1):
        return f"{share:.0%}".replace("%", " %")
    if share > 0.9995:
        return "> 99.9 %"
    return "< 0.1 %" if share < 0.0005 else f"{share * 100:.1f} %"


def count(number: int, one: str, many: str = "") -> str:
    """A number with its noun.

    >>> count(1, "database"), count(2, "query", "queries")
    ('1 database', '2 queries')
    """
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def listed(names: list[str] | tuple[str, ...], last: str = "and") -> str:
    """Names in a sentence.

    >>> listed(["Cypher", "GQL", "nGQL"]), listed(["Cypher"])
    ('Cypher, GQL and nGQL', 'Cypher')
    """
    names = list(names)
    return f" {last} ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


LANGUAGES = {
    "cypher": "Cypher",
    "gql": "ISO GQL",
    "ngql": "nGQL",
    "spanner": "Spanner Graph GQL",
    "pgq": "SQL/PGQ",
    "gremlin": "Gremlin",
    "sparql": "SPARQL",
    "sql": "SQL",
    "sqlite": "SQL (SQLite)",
}
ENGINES = {
    "sqlite": "SQLite",
    "duckdb": "DuckDB",
    "grafeo": "Grafeo",
    "neo4j": "Neo4j",
    "postgresql": "PostgreSQL",
    "mysql": "MySQL",
    "ladybug": "Ladybug",
}
LEVELS = {
    "original": "source’s own",
    "short": "short",
    "plain": "plain",
    "syntactic": "syntactic",
    "logical": "logical",
    "business": "business",
}
TIERS = {"easy": "easy", "medium": "medium", "hard": "hard", "extra_hard": "extra hard"}


def language(name: str) -> str:
    """A language or profile as its makers write it."""
    base, _, profile = name.partition("-")
    called = LANGUAGES.get(base, base)
    return f"{called} ({ENGINES.get(profile, profile)})" if profile else called


def engine(name: str) -> str:
    """An engine as its makers write it."""
    return ENGINES.get(name, name)
