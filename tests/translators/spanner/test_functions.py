"""What is written for a function of Cypher, the reader of Spanner's GQL reads."""

from __future__ import annotations

from itertools import islice, product

import pytest

from graph_ir.cypher.reader import parse
from graph_ir.functions import signatures
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
