"""What holds for every graph source: whole, the same bytes again, and no surprise when broken."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest
from pyarrow.parquet import read_schema

from graphmill.errors import GraphmillError
from schemagraph.convert.service import convert
from schemagraph.folder.check import check_graph
from schemagraph.folder.graphdata import edge_file, node_file
from schemagraph.folder.serde import load_schema
from schemagraph.report import ConversionReport

pytestmark = pytest.mark.slow

EXAMPLES = Path(__file__).parent / "examples"


@dataclass(frozen=True)
class Example:
    """A source among the examples, with how many nodes and edges were written into it by hand."""

    source: str
    kind: str
    nodes: dict[str, int]
    edges: dict[str, int]


ALL = [
    Example(
        "tugraph/import.json",
        "tugraph",
        {"gardener": 3, "植物": 2, "plot": 2},
        {
            "gardener-种植-植物": 4,
            "植物-grows_in-plot": 3,
            "gardener-helps-gardener": 3,
        },
    ),
    Example(
        "ldbc_csv",
        "ldbc-csv",
        {"Account": 4, "Loan": 0, "Person": 2, "Emailaddress": 2},
        {
            "Account-transfer-Account": 3,
            "Loan-deposit-Account": 0,
            "Person-email-Emailaddress": 3,
            "Person-own-Account": 3,
        },
    ),
    Example(
        "graphml/trails.graphml",
        "graphml",
        {"Place&Hut": 1, "Place": 1, "Node": 1},
        {"Place&Hut-LEADS_TO-Place": 2, "Place-RELATED_TO-Node": 1},
    ),
    # made up: as many singers as the statistics know
    Example("text2cypher/schemas.jsonl#choir", "text2cypher", {"Singer": 31}, {}),
]
each = pytest.mark.parametrize("example", ALL, ids=lambda example: example.kind)


def files_of(folder: Path) -> dict[str, bytes]:
    """All files below a folder."""
    found = sorted(path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in found}


@each
def test_all_of_it_arrives_and_again_with_the_same_bytes(example: Example, tmp_path: Path) -> None:
    source = str(EXAMPLES / example.source)
    first = convert(source, tmp_path / "one", licence="CC0-1.0")
    assert (first.kind, first.nodes, first.edges) == (example.kind, example.nodes, example.edges)
    assert check_graph(tmp_path / "one") == []
    convert(source, tmp_path / "two", licence="CC0-1.0")
    assert files_of(tmp_path / "one") == files_of(tmp_path / "two")


@each
def test_tables_begin_with_keys(example: Example, tmp_path: Path) -> None:
    convert(str(EXAMPLES / example.source), tmp_path / "graph")
    schema = load_schema(tmp_path / "graph")
    for node in schema.nodes:
        columns = read_schema(node_file(tmp_path / "graph", node)).names
        assert tuple(columns[: len(node.key)]) == node.key
    for edge in schema.edges:
        columns = read_schema(edge_file(tmp_path / "graph", edge)).names
        first = [f"source.{key}" for key in schema.node_by_name[edge.source].key]
        first += [f"target.{key}" for key in schema.node_by_name[edge.target].key]
        assert columns == [*first, *(p.name for p in edge.properties)]


@each
def test_a_file_cut_anywhere_is_a_typed_error_or_a_smaller_graph(
    example: Example, tmp_path: Path
) -> None:
    top = Path(example.source).parts[0]
    for name, content in files_of(EXAMPLES / top).items():
        for share in (0.0, 0.35, 0.85):
            folder = tmp_path / "broken"
            shutil.rmtree(folder, ignore_errors=True)
            shutil.copytree(EXAMPLES / top, folder)
            (folder / name).write_bytes(content[: int(share * len(content))])
            source = folder.joinpath(*Path(example.source).parts[1:])
            outcome = attempt(str(source), tmp_path / "out")
            if isinstance(outcome, GraphmillError):
                assert str(folder) in str(outcome)
                assert not (tmp_path / "out").exists()
            else:
                assert sum(outcome.edges.values()) <= sum(example.edges.values())
                shutil.rmtree(tmp_path / "out")


def attempt(source: str, out: Path) -> ConversionReport | GraphmillError:
    """The report of a conversion, or the error it ends in."""
    try:
        return convert(source, out)
    except GraphmillError as problem:
        return problem
