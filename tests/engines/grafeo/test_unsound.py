"""Every fault that grafeo's engine declares is real, and no profile runs into it undeclared."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from engines.backends.grafeo import Grafeo
from engines.base import Result
from engines.compare import same_bag
from engines.isolation import IsolatedEngine
from graph_ir import nodes as ir
from graph_ir.bind.statements import bind
from graph_ir.cypher.reader import parse
from graphmill.errors import EngineError, QueryTextError, Refused
from schemagraph.folder.graphdata import edge_layout, node_layout
from schemagraph.folder.writer import GraphWriter
from schemagraph.model import EdgeType, Kind, NodeType, Property, SchemaGraph, Type
from translators.render import render

HERE = Path(__file__).parent
PROPERTIES = (
    Property("id", Type(Kind.INTEGER, nullable=False), nullable=False),
    Property("name", Type(Kind.STRING)),
    Property("zone", Type(Kind.INTEGER)),
    Property("tags", Type(Kind.LIST, Type(Kind.STRING))),
)
STOP = NodeType(("Stop",), PROPERTIES, ("id",))
HUB = NodeType(("Stop", "Hub"), PROPERTIES, ("id",))
NEXT = [
    EdgeType("NEXT", a.name, b.name, (Property("w", Type(Kind.INTEGER)),))
    for a in (STOP, HUB)
    for b in (STOP, HUB)
]
SCHEMA = SchemaGraph("stops", (STOP, HUB), tuple(NEXT))
ROWS: dict[str, list[tuple[Any, ...]]] = {
    STOP.name: [(1, "Ash", 1, ["a", "b"]), (2, "Bay", 1, []), (3, "Cove", None, None)],
    HUB.name: [(4, "Dock", 2, ["a"])],
    NEXT[0].name: [(1, 2, 1), (2, 3, 2)],
    NEXT[1].name: [(3, 4, 3)],
    NEXT[3].name: [(4, 4, 8)],
}
LANGUAGES = {"cypher": "cypher", "gql": "gql", "cypher-grafeo": "cypher", "gql-grafeo": "gql"}
DECLARED = {fault.code: fault for fault in Grafeo.unsound}


class Example:
    """A query, what it should answer (None: it must be refused), and the fault it shows."""

    def __init__(self, block: str) -> None:
        *comments, self.text, wanted = block.strip().splitlines()
        self.code = comments[0].removeprefix("-- ") if comments else ""
        self.wanted = None if wanted == "!" else json.loads(wanted)
        self.statement: ir.Statement = bind(parse(self.text), SCHEMA).statement

    def faults(self, dialect: str) -> set[str]:
        return {
            fault.code
            for fault in Grafeo.unsound
            if dialect in fault.dialects and fault.applies(self.statement)
        }

    def verdict(self, engine: IsolatedEngine, dialect: str) -> str:
        """right, wrong, error, or refused by our own translator or checker."""
        try:
            plain = dialect == "cypher"
            text = self.text if plain else render(self.statement, dialect, SCHEMA).text
            found = engine.run(text, language=LANGUAGES[dialect], timeout=60)
        except (Refused, QueryTextError):
            return "refused"
        except EngineError:
            return "error"
        if self.wanted is None:
            return "wrong"
        wanted = Result(found.columns, tuple(map(tuple, self.wanted)))
        return "right" if same_bag(found, wanted) else "wrong"


def examples(name: str) -> list[Any]:
    blocks = (HERE / name).read_text(encoding="utf-8").split("\n\n")
    return [pytest.param(found, id=found.text) for found in map(Example, blocks)]


@pytest.fixture(scope="module")
def grafeo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[IsolatedEngine]:
    folder = tmp_path_factory.mktemp("stops") / "graph"

    def batches(layout: Any, name: str) -> Any:
        rows = [dict(zip(layout.names, row, strict=True)) for row in ROWS.get(name, ())]
        return pa.Table.from_pylist(rows, schema=layout).to_batches()

    with GraphWriter(folder) as writer:
        for node in SCHEMA.nodes:
            writer.nodes(node, batches(node_layout(node), node.name))
        for edge in SCHEMA.edges:
            writer.edges(edge, SCHEMA, batches(edge_layout(edge, SCHEMA), edge.name))
        writer.commit(SCHEMA, None, origin={})
    with IsolatedEngine("grafeo", folder) as engine:
        yield engine


@pytest.mark.parametrize("example", examples("unsound.cases"))
def test_a_declared_fault_is_real(grafeo: IsolatedEngine, example: Example) -> None:
    """The predicate sees it, and the plain language gets it wrong without an error."""
    assert example.code in DECLARED
    assert DECLARED[example.code].applies(example.statement)
    plain = [d for d in DECLARED[example.code].dialects if d in ("cypher", "gql")]
    assert "wrong" in {example.verdict(grafeo, dialect) for dialect in plain}


@pytest.mark.parametrize("example", examples("unsound.cases"))
def test_predicates_need_no_schema(example: Example) -> None:
    """A statement that nothing has bound is seen through as far as it types itself."""
    without = bind(parse(example.text)).statement
    fault = DECLARED[example.code]
    assert fault.applies(parse(example.text)) == fault.applies(without)


def test_every_declaration_has_a_wrong_answer_to_show(grafeo: IsolatedEngine) -> None:
    """Each fault in each dialect that it names, so that nothing is declared from hearsay."""
    shown = set()
    for parameter in examples("unsound.cases"):
        (example,) = parameter.values
        for dialect in DECLARED[example.code].dialects:
            if example.verdict(grafeo, dialect) == "wrong":
                shown.add((example.code, dialect))
    # test_pgq.py shows what SQL/PGQ has
    declared = {(f.code, d) for f in Grafeo.unsound for d in f.dialects if d in LANGUAGES}
    assert declared - shown == set()


@pytest.mark.parametrize("dialect", ["cypher-grafeo", "gql-grafeo"])
@pytest.mark.parametrize("example", examples("unsound.cases"))
def test_a_profile_is_right_or_says_so(
    grafeo: IsolatedEngine, example: Example, dialect: str
) -> None:
    """A profile avoids the fault, refuses it, or is named in its declaration."""
    assert example.verdict(grafeo, dialect) != "wrong" or example.faults(dialect)


@pytest.mark.parametrize("example", examples("sound.cases"))
def test_what_is_right_is_not_declared(grafeo: IsolatedEngine, example: Example) -> None:
    """Close relatives of the faults are answered, and rightly."""
    assert example.faults("cypher") == set()
    assert example.verdict(grafeo, "cypher") == "right"
