"""What is written for a function of Cypher, the reader of Spanner's GQL reads."""

from __future__ import annotations

from itertools import islice, product

import pytest

from graph_ir import nodes as ir
from graph_ir.cypher.reader import parse
from graph_ir.functions import signatures
from graph_ir.walk import find
from graphmill.errors import QueryTextError, Refused
from schemagraph.model import Kind
from tests.translators.test_pairs import schema_of
from translators.language import Origin, reader
from translators.render import render

MUSIC = schema_of("music")
HEAD = "MATCH w = (p:Producer)-[k:PRODUCED]->(r:Record), (b:Band) RETURN "
VALUES = {
    Kind.BOOLEAN: ("r.live",),
    Kind.INTEGER: ("r.seconds", "3"),
    Kind.FLOAT: ("p.fee", "2.5"),
    Kind.STRING: ("r.title", "'ab'"),
    Kind.LIST: ("b.genres", "[1, 2]"),
    Kind.MAP: ("{year: 2024, month: 2, day: 3}",),
    Kind.NODE: ("p",),
    Kind.EDGE: ("k",),
    Kind.PATH: ("w",),
    Kind.DATE: ("r.released",),
    Kind.DATETIME: ("localdatetime('2024-01-31T10:00')",),
    Kind.ZONED_DATETIME: ("datetime('2024-01-31T10:00Z')",),
}
MOST = 40  # calls of one function with so many arguments


def _calls(name: str) -> list[str]:
    """Calls of a function with arguments of all kinds that it takes."""
    signature = signatures()[name]
    counts = {signature.least, len(signature.params), len(signature.params) + signature.repeats}
    texts = []
    for count in sorted(counts):
        params = (*signature.params, *signature.params[-1:])[:count]
        choices = [
            [v for kind in Kind if kind in of for v in VALUES.get(kind, ())] for of in params
        ]
        texts += [f"{name}({', '.join(args)})" for args in islice(product(*choices), MOST)]
    return texts


@pytest.mark.parametrize("name", signatures())
def test_what_is_written_for_a_function_is_read(name: str) -> None:
    read = reader("spanner", Origin(schema=MUSIC))
    for call in _calls(name):
        try:
            text = render(parse(f"{HEAD}{call} AS x"), "spanner", MUSIC).text
        except (Refused, QueryTextError):
            continue  # it has no such function, or no such argument
        assert render(read(text), "cypher", MUSIC).columns == ("x",), call


# The properties of the Unicode Character Database, and of Java's Character.isWhitespace.
_BETWEEN = [*range(9, 14), 0x20, 0x1680, *range(0x2000, 0x200B), 0x2028, 0x2029, 0x205F, 0x3000]
WHITE_SPACE = {chr(code) for code in (*_BETWEEN, 0x85, 0xA0, 0x202F)}
OF_JAVA = {chr(code) for code in (*_BETWEEN, *range(0x1C, 0x20))} - {"\u2007"}


def _trimmed(statement: ir.Statement) -> set[str]:
    """The characters that calls of a statement take from texts."""
    (text,) = {
        call.args[1].value
        for call in find(statement, ir.Call)
        if call.name in ("btrim", "ltrim", "rtrim") and isinstance(call.args[1], ir.Literal)
    }
    return set(str(text))


@pytest.mark.parametrize("name", ["TRIM", "LTRIM", "RTRIM"])
def test_trim_takes_the_white_space_of_unicode_and_is_written_so(name: str) -> None:
    read = reader("spanner", Origin(schema=MUSIC))
    text = f"GRAPH fixture\nMATCH (b:Band)\nRETURN {name}(b.name) AS x"
    statement = read(text)
    assert _trimmed(statement) == WHITE_SPACE
    assert render(statement, "spanner", MUSIC).text == text


@pytest.mark.parametrize("name", ["trim", "ltrim", "rtrim"])
def test_trim_of_cypher_takes_the_white_space_of_java(name: str) -> None:
    read = reader("spanner", Origin(schema=MUSIC))
    query = f"MATCH (b:Band)\nRETURN {name}(b.name) AS x"
    text = render(parse(query), "spanner", MUSIC).text
    characters = text.partition(", ")[2].rpartition(")")[0]
    (literal,) = find(parse(f"RETURN {characters} AS x"), ir.Literal)
    assert set(str(literal.value)) == OF_JAVA
    assert render(read(text), "cypher", MUSIC).text == query
