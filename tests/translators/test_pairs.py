"""Runs every `tests/translators/<dialect>/*.pairs`.

Cases are blocks between blank lines. Lines that begin with `--` are comments; `-- schema: name`
binds the cases of the file from there on against `tests/translators/<name>.schema`. The first
line of a block is Cypher, what follows is the text expected in that dialect, or `!code` for a
refusal or an error. Line breaks count as spaces. In `cypher/`, a block of one line comes back as
it is. Every Cypher text that a case yields is read back, and must mean the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from graph_ir.cypher import parse
from graphmill.errors import QueryTextError, Refused
from schemagraph.model import EdgeType, Kind, NodeType, Property, SchemaGraph, Type
from translators.dialects import DIALECTS
from translators.refusals import CODES
from translators.render import render

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Case:
    """One block: where it stands, what goes in and what comes out."""

    place: str
    dialect: str
    schema: str
    query: str
    expected: str


def cases() -> Iterator[Case]:
    """All blocks of all files."""
    for path in sorted(HERE.glob("*/*.pairs")):
        schema, block, start = "", [], 0
        for number, line in enumerate([*path.read_text("utf-8").splitlines(), ""], 1):
            if line.startswith("--"):
                found = re.match(r"-- schema: (\S+)", line)
                schema = found[1] if found else schema
            elif line.strip():
                start = start if block else number
                block.append(line)
            elif block:
                dialect = path.parent.name
                place = f"{dialect}/{path.name}:{start}"
                yield Case(place, dialect, schema, block[0], " ".join(block[1:]) or block[0])
                block = []


CASES = list(cases())


def schema_of(name: str) -> SchemaGraph | None:
    """The schema in `<name>.schema`; see `read_schema`."""
    return read_schema((HERE / f"{name}.schema").read_text("utf-8")) if name else None


def read_schema(text: str) -> SchemaGraph:
    """A schema from lines `A&B(key!: STRING, age: INTEGER?)` and `A&B-[T(x: DATE)]->C`.

    `!` marks a key, `?` a property that can be null, LIST<T> a list. `#` begins a comment.
    """
    nodes: list[NodeType] = []
    edges: list[EdgeType] = []
    for line in text.splitlines():
        edge = re.fullmatch(r"(.+?)-\[(.+?)(?:\((.*)\))?\]->(.+)", line)
        node = re.fullmatch(r"([^(]+)\((.*)\)", line)
        if not line or line.startswith("#"):
            continue
        if edge:
            properties, _ = _properties(edge[3] or "")
            edges.append(EdgeType(edge[2], edge[1], edge[4], properties))
        elif node:
            properties, key = _properties(node[2])
            nodes.append(NodeType(tuple(node[1].split("&")), properties, key))
        else:
            raise ValueError(f"not a line of a schema: {line}")
    return SchemaGraph("fixture", tuple(nodes), tuple(edges))


def _properties(text: str) -> tuple[tuple[Property, ...], tuple[str, ...]]:
    found = re.findall(r"([^,:]+?)(!?): (LIST<)?(\w+)>?(\?)?(?:, |$)", text)
    properties = []
    for name, _key, listed, kind, null in found:
        type = Type(Kind(kind), nullable=bool(null))
        if listed:
            type = Type(Kind.LIST, type, nullable=bool(null))
        properties.append(Property(name, type, bool(null)))
    return tuple(properties), tuple(name for name, key, *_ in found if key)


def flat(text: str) -> str:
    """`text` on one line."""
    return " ".join(text.split())


@pytest.mark.parametrize("case", CASES, ids=[case.place for case in CASES])
def test_pair(case: Case) -> None:
    schema = schema_of(case.schema)
    if case.expected.startswith("!"):
        code = case.expected[1:].split()[0]
        with pytest.raises((Refused, QueryTextError)) as caught:
            render(parse(case.query), case.dialect, schema)
        assert isinstance(caught.value, Refused | QueryTextError)
        assert caught.value.code == code
        if isinstance(caught.value, Refused):
            assert code in CODES, "every refusal's code is listed in translators/refusals.py"
        return
    statement = parse(case.query)
    assert flat(render(statement, case.dialect, schema).text) == flat(case.expected)
    text = render(statement, "cypher", schema).text
    assert parse(text) == statement
    assert render(parse(text), "cypher", schema).text == text


@pytest.mark.parametrize("name", DIALECTS.names())
def test_every_dialect_is_total_and_has_fixtures(name: str) -> None:
    assert DIALECTS.get(name).missing() == set()
    assert list((HERE / name).glob("*.pairs")), f"write tests/translators/{name}/*.pairs"
