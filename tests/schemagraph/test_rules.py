"""Tables become nodes and edges as the rules say: `rules.pairs`."""

from __future__ import annotations

from pathlib import Path

import pytest

from schemagraph.convert.service import convert
from schemagraph.folder.check import check_graph
from schemagraph.folder.serde import load_schema
from schemagraph.model import EdgeType, NodeType
from tests.schemagraph.cases import Case, cases, database


def node_line(node: NodeType, count: int) -> str:
    return f"{node.name} [{', '.join(node.key)}] {count}"


def edge_line(edge: EdgeType, count: int) -> str:
    inner = ", ".join(given.name for given in edge.properties)
    shown = f" {{{inner}}}" if inner else ""
    return f"({edge.source})-[:{edge.label}{shown}]->({edge.target}) {count}"


@pytest.mark.parametrize("case", cases("rules.pairs"), ids=lambda case: case.place)
def test_rules(case: Case, tmp_path: Path) -> None:
    out = tmp_path / "graph"
    report = convert(str(database(tmp_path, "\n".join(case.given))), out)
    schema = load_schema(out)
    lines = [node_line(node, report.nodes[node.name]) for node in schema.nodes]
    lines += [edge_line(edge, report.edges[edge.name]) for edge in schema.edges]
    warnings = [line[2:] for line in case.expected if line.startswith("! ")]
    assert lines == [line for line in case.expected if not line.startswith("! ")]
    assert len(report.warnings) == len(warnings)
    for part, warning in zip(warnings, report.warnings, strict=True):
        assert part in warning
    assert check_graph(out) == []
