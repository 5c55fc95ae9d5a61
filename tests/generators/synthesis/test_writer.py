"""The program writer: programs that stand alone, are deterministic, and do as they are told."""

import ast
import hashlib
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generators.synthesis.sizes import sized
from generators.synthesis.spec import (
    Column,
    Edges,
    End,
    Even,
    Nodes,
    Poisson,
    PowerLaw,
    Preferential,
    Same,
    Sequence,
    Specification,
    Spread,
    Zipf,
    check_synthesis,
)
from generators.synthesis.writer import write_program
from qa.synthesis import verify_graph
from schemagraph.model import EdgeType, Kind, NodeType, Property, SchemaGraph, Type
from schemagraph.specification.model import Before, Degree, specification_text
from tests.generators.synthesis.drawing import draw, parcels

pytestmark = pytest.mark.slow


def test_a_program_stands_alone_and_takes_only_what_it_needs() -> None:
    schema, spec = parcels()
    program = write_program(schema, spec)
    roots = {
        name.split(".")[0]
        for node in ast.walk(ast.parse(program))
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    }
    assert roots - set(sys.stdlib_module_names) == {"numpy", "polars", "faker"}
    defined = [n.name for n in ast.parse(program).body if isinstance(n, ast.FunctionDef)]
    assert len(defined) == len(set(defined))
    assert "generate" in defined
    assert "copied" not in defined  # no column is a copy
    assert max(map(len, program.splitlines())) <= 120


def test_names_cannot_break_out_of_the_program(tmp_path: Path) -> None:
    bad = 'A"""\nimport os #\\'
    node = NodeType((bad,), (Property('k"\n', Type(Kind.INTEGER), False),), ('k"\n',))
    schema = SchemaGraph("x\n'''", (node,), (EdgeType('é"', bad, bad),))
    spec = sized(
        schema,
        Specification(
            nodes={bad: Nodes(properties={'k"\n': Column(of=Sequence(), unique=True)})},
            edges={schema.edges[0].name: Edges()},
        ),
        20,
    )
    assert "import os" not in [line.strip() for line in write_program(schema, spec).splitlines()]
    draw(schema, spec, 1, tmp_path)
    assert len(list((tmp_path / "nodes").iterdir())) == 1


def test_the_same_seed_gives_the_same_bytes_in_two_processes(tmp_path: Path) -> None:
    schema, spec = parcels(600)
    (tmp_path / "program.py").write_text(write_program(schema, spec))
    text = specification_text(spec, complete=True)
    (tmp_path / "distributions.json").write_text(text)
    hashes = []
    for name, seed in (("a", "7"), ("b", "7"), ("c", "8")):
        command = [sys.executable, "program.py", "distributions.json", seed, name]
        subprocess.run(command, cwd=tmp_path, check=True)
        files = sorted((tmp_path / name).rglob("*.parquet"))
        assert len(files) == 11
        hashes.append([hashlib.sha256(file.read_bytes()).hexdigest() for file in files])
    assert hashes[0] == hashes[1]
    assert all(one != other for one, other in zip(hashes[0], hashes[2], strict=True))


def pair_schema(alike: bool, spec: Edges, nodes: int = 400) -> tuple[SchemaGraph, Specification]:
    """Two node types, or one, with one edge type between them."""

    def node(label: str) -> NodeType:
        properties = (
            Property("no", Type(Kind.INTEGER), False),
            Property("place", Type(Kind.STRING), False),
            Property("rank", Type(Kind.INTEGER), False),
        )
        return NodeType((label,), properties, ("no",))

    columns = {
        "no": Column(of=Sequence(), unique=True),
        "place": Column(of=Zipf(values=("north", "south", "east", "west"), exponent=0.3)),
        "rank": Column(of=Zipf(values=tuple(range(50)), exponent=0.1)),
    }
    labels = ("A",) if alike else ("A", "B")
    edge = EdgeType("E", "A", labels[-1])
    schema = SchemaGraph("pair", tuple(map(node, labels)), (edge,))
    return schema, Specification(
        nodes={label: Nodes(fixed=nodes, properties=columns) for label in labels},
        edges={edge.name: spec},
    )


DEGREES: st.SearchStrategy[Degree] = st.one_of(
    st.builds(PowerLaw, exponent=st.floats(1.8, 3.5)),
    st.builds(Preferential, exponent=st.floats(2.2, 3.5)),
    st.just(Poisson()),
    st.just(Even()),
    st.builds(Spread, ratio=st.floats(1, 20)),
)
ENDS = st.builds(End, degree=DEGREES, share=st.sampled_from([1.0, 1.0, 0.6, 0.2]))


@st.composite
def edges_of_any_kind(draw: st.DrawFn) -> tuple[bool, Edges]:
    """Edge types that the checker admits: whether both ends are of one type, and how."""
    alike = draw(st.booleans())
    cardinality = draw(st.sampled_from(["1:1", "1:n", "n:1", "n:m", "n:m"]))
    choice: dict[str, object] = {"cardinality": cardinality}
    rule = draw(st.sampled_from(["none", "none", "same", "order", "acyclic", "loops"]))
    if rule == "same" and cardinality != "1:1":
        choice["same"] = (Same(source="place", target="place", share=draw(st.floats(0.1, 1))),)
    if rule == "order":
        choice["order"] = (Before(first="source.rank", then="target.rank"),)
    if alike and rule == "acyclic":
        choice["acyclic"] = True
        if draw(st.booleans()):
            ranks = draw(st.permutations(["source.rank", "target.rank"]))
            choice["order"] = (Before(first=ranks[0], then=ranks[1]),)
    if alike and rule == "loops":
        choice["loops"] = True
    ends = draw(ENDS), draw(ENDS)
    if cardinality == "n:m":
        # Two fifths of all pairs, or of those that a rule leaves.
        most = 400 * ends[0].share * 400 * ends[1].share * (0.4 if rule == "none" else 0.1)
        choice["fixed"] = 2 * draw(st.integers(200, min(1_500, int(most / 2))))
        choice["parallel"] = draw(st.booleans())
        if alike and rule == "none":
            extra = draw(st.sampled_from(["", "symmetric", "reciprocity", "triangles"]))
            if extra == "symmetric":
                choice |= {"symmetric": True, "parallel": False}
            elif extra:
                choice[extra] = draw(st.floats(0.05, 0.35))
    return alike, Edges(source=ends[0], target=ends[1], **choice)  # type: ignore[arg-type]


@settings(max_examples=25, deadline=None)
@given(edges_of_any_kind(), st.integers(0, 2**32))
def test_edges_of_any_kind_are_drawn_as_specified(
    tmp_path_factory: pytest.TempPathFactory, made: tuple[bool, Edges], seed: int
) -> None:
    alike, edges = made
    schema, spec = pair_schema(alike, edges)
    assert check_synthesis(schema, spec) == []
    total = 400 if alike else 800
    spec = sized(schema, spec, total)
    out = tmp_path_factory.mktemp("drawn")
    draw(schema, spec, seed, out)
    report = verify_graph(out, schema, spec)
    assert report.ok, report.problem()


def test_a_template_reads_other_columns_and_a_unique_one_is_numbered(tmp_path: Path) -> None:
    schema, spec = parcels(2_000)
    customer = spec.nodes["Customer"]
    email = customer.properties["email"].model_copy(update={"unique": True, "null": 0.0})
    customer = customer.model_copy(update={"properties": {**customer.properties, "email": email}})
    spec = spec.model_copy(update={"nodes": {**spec.nodes, "Customer": customer}})
    draw(schema, spec, 3, tmp_path)
    table = pl.read_parquet(tmp_path / "nodes" / "Customer.parquet")
    assert table["email"].n_unique() == len(table)
    assert table["email"].str.contains(r"^[a-z.]+[0-9]*@(sapo|mail|clix)\.example$").all()


@pytest.mark.parametrize("parallel", [False, True])
def test_one_node_alone_has_no_edge_to_itself(tmp_path: Path, parallel: bool) -> None:
    alone = Edges(cardinality="n:m", acyclic=not parallel, parallel=parallel)
    schema, spec = pair_schema(True, alone, nodes=1)
    spec = sized(schema, spec, 1)
    draw(schema, spec, 1, tmp_path)
    (edges,) = (tmp_path / "edges").glob("*.parquet")
    assert len(pl.read_parquet(edges)) == 0
    report = verify_graph(tmp_path, schema, spec)
    assert report.ok, report.problem()


def test_a_few_nodes_without_an_open_triangle_have_their_edges(tmp_path: Path) -> None:
    """How many there are goes before how they hang together."""
    alike = Edges(cardinality="n:m", symmetric=True, parallel=False, triangles=0.7, fixed=6)
    schema, spec = pair_schema(True, alike, nodes=4)
    for seed in range(20):
        draw(schema, sized(schema, spec, 4), seed, tmp_path / str(seed))
        (edges,) = (tmp_path / str(seed) / "edges").glob("*.parquet")
        assert len(pl.read_parquet(edges)) == 6
