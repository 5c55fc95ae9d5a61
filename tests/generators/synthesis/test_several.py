"""What hangs on the time of day, leads to one of several, has no edge back or a usual number of
edges: drawn as specified, and measured where it is not."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
from pydantic import ValidationError

from generators.questions.lexicon.model import Lexicon
from generators.schemas.author import SchemaProposal
from generators.schemas.fitting import fitted
from generators.synthesis import spec
from generators.synthesis.sizes import as_usual, sized
from qa.synthesis import verify_graph
from schemagraph.folder.graphdata import edge_file, node_file
from schemagraph.model import EdgeType, Kind, NodeType, Property, SchemaGraph, Type
from schemagraph.specification.check import check_synthesis
from tests.generators.synthesis.drawing import draw

TEXT, MOMENT = Type(Kind.STRING), Type(Kind.DATETIME)
BATCH = NodeType(
    ("Batch",),
    (
        Property("no", TEXT, False),
        Property("made", MOMENT, False),
        Property("shift", TEXT, False),
    ),
    ("no",),
)
PART = NodeType(("Part",), (Property("code", TEXT, False),), ("code",))
MAKER = NodeType(("Maker",), (Property("name", TEXT, False),), ("name",))
OF, BY = EdgeType("OF", "Batch", "Part"), EdgeType("MADE_BY", "Batch", "Maker")
SOLD = EdgeType("SOLD_BY", "Part", "Maker")
FEEDS = EdgeType("FEEDS", "Maker", "Maker")
NIGHT, DAY = (spec.Categorical(values=(name,)) for name in ("night", "day"))
SHIFT = spec.Banded(
    column="made",
    bands=(spec.Band(upto="05:59", of=NIGHT), spec.Band(upto="21:59", of=DAY)),
    otherwise=NIGHT,
)


def plant() -> tuple[SchemaGraph, spec.Specification]:
    """Batches of parts by makers that sell the part, who feed each other one way."""

    def key(prefix: str) -> dict[str, spec.Column]:
        of = spec.Sequence(prefix=prefix, digits=4)
        return {{"B": "no", "P": "code", "M": "name"}[prefix]: spec.Column(of=of, unique=True)}

    same = spec.Same(source=f"{OF.name}.{SOLD.name}.name", target="name", share=1.0)
    some = spec.End(degree=spec.Spread(ratio=3), least_one=True, most=3)
    schema = SchemaGraph("plant", (BATCH, PART, MAKER), (OF, BY, SOLD, FEEDS))
    made = spec.Dates(start="2024-01-01", end="2024-12-31T23:59:59")
    batches = {"made": spec.Column(of=made), "shift": spec.Column(of=SHIFT)}
    given = spec.Specification(
        nodes={
            "Batch": spec.Nodes(weight=20, properties={**key("B"), **batches}),
            "Part": spec.Nodes(weight=4, properties=key("P")),
            "Maker": spec.Nodes(weight=2, properties=key("M")),
        },
        edges={
            OF.name: spec.Edges(cardinality="n:1"),
            BY.name: spec.Edges(cardinality="n:1", same=(same,)),
            SOLD.name: spec.Edges(weight=8, source=some),
            FEEDS.name: spec.Edges(weight=4, oneway=True),
        },
    )
    return schema, given


def test_a_graph_keeps_them(tmp_path: Path) -> None:
    schema, given = plant()
    assert not [d for d in check_synthesis(schema, given) if d.severity == "error"]
    whole = sized(schema, given, 520, 1_500)
    draw(schema, whole, 5, tmp_path)
    report = verify_graph(tmp_path, schema, whole)
    assert report.ok, report.problem()

    batches = pl.read_parquet(node_file(tmp_path, BATCH))
    late = (pl.col("made").dt.hour() < 6) | (pl.col("made").dt.hour() >= 22)
    assert batches.filter(late != (pl.col("shift") == "night")).is_empty()
    assert batches["shift"].n_unique() == 2

    of, by = (pl.read_parquet(edge_file(tmp_path, edge)) for edge in (OF, BY))
    sold = pl.read_parquet(edge_file(tmp_path, SOLD))
    made = of.join(by, on="source.no").select("target.code", "target.name")
    ours = made.join(
        sold, left_on=["target.code", "target.name"], right_on=["source.code", "target.name"]
    )
    assert len(made) == len(ours) == len(batches)
    assert sold.group_by("source.code").len()["len"].max() > 1  # type: ignore[operator]

    feeds = pl.read_parquet(edge_file(tmp_path, FEEDS))
    ends = ["source.name", "target.name"]
    assert feeds.join(feeds, left_on=ends, right_on=ends[::-1]).is_empty()


def test_an_edge_back_and_another_shift_are_measured(tmp_path: Path) -> None:
    schema, given = plant()
    whole = sized(schema, given, 520, 1_500)
    draw(schema, whole, 5, tmp_path)
    file = edge_file(tmp_path, FEEDS)
    feeds = pl.read_parquet(file)
    back = feeds.head(1).rename({"source.name": "target.name", "target.name": "source.name"})
    pl.concat([feeds.head(-1), back.select(feeds.columns)]).write_parquet(file)
    nodes = node_file(tmp_path, BATCH)
    batches = pl.read_parquet(nodes)
    batches.with_columns(shift=pl.lit("night")).write_parquet(nodes)
    problems = verify_graph(tmp_path, schema, whole).problem()
    assert "edges with their reverse" in problems
    assert "shift" in problems


def test_no_type_has_more_edges_than_is_usual_while_others_have_place() -> None:
    schema, given = plant()
    parts = sized(schema, given, 520).nodes["Part"].count or 0
    whole = sized(schema, given, 520, 1_250)
    assert as_usual(schema, whole)
    assert (whole.edges[SOLD.name].count or 0) <= 3 * parts
    assert sum(part.count or 0 for part in whole.edges.values()) == 1_250
    stretched = sized(schema, given, 520, 1_900)
    assert not as_usual(schema, stretched)
    assert sum(part.count or 0 for part in stretched.edges.values()) == 1_900


def test_edges_without_one_back_have_room_for_half_of_the_pairs() -> None:
    schema, given = plant()
    few = given.nodes["Maker"].model_copy(update={"fixed": 2})
    small = given.model_copy(update={"nodes": {**given.nodes, "Maker": few}})
    whole = sized(schema, small, 520)
    assert whole.edges[FEEDS.name].count == 1


def test_a_schema_that_is_not_stretched_comes_before_others() -> None:
    schema, given = plant()
    sold = given.edges[SOLD.name]
    loose = sold.model_copy(update={"source": sold.source.model_copy(update={"most": None})})
    free = given.model_copy(update={"edges": {**given.edges, SOLD.name: loose}})
    proposals = [SchemaProposal(schema, one, Lexicon()) for one in (given, free)]
    assert fitted(iter(proposals), 520, 1_250).specification == given
    assert fitted(iter(proposals), 520, 1_900).specification == free
    alone = fitted(iter(proposals[:1]), 520, 1_900).specification  # with more of some nodes
    assert as_usual(schema, sized(schema, alone, 520, 1_900))


@pytest.mark.parametrize(
    ("made", "told"),
    [
        (lambda: spec.Edges(oneway=True, symmetric=True), "oneway edges cannot be symmetric"),
        (lambda: spec.Edges(oneway=True, cardinality="n:1"), "oneway and triangles are for"),
        (
            lambda: spec.Banded(
                column="made",
                bands=(spec.Band(upto="05:59", of=DAY), spec.Band(upto="2024-01-01", of=DAY)),
                otherwise=DAY,
            ),
            "of one sort",
        ),
    ],
)
def test_what_does_not_go_together_is_refused(made: object, told: str) -> None:
    with pytest.raises(ValidationError, match=told):
        made()  # type: ignore[operator]


def test_the_time_of_day_is_that_of_moments() -> None:
    schema, given = plant()
    by_text = SHIFT.model_copy(update={"column": "no"})
    part = given.nodes["Batch"]
    columns = {**part.properties, "shift": spec.Column(of=by_text)}
    wrong = given.model_copy(
        update={"nodes": {**given.nodes, "Batch": part.model_copy(update={"properties": columns})}}
    )
    told = [d.message for d in check_synthesis(schema, wrong)]
    assert any("no cannot be compared with 05:59" in message for message in told)
