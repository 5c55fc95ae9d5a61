"""Edges join what belongs together: pairs of values, windows of days, ends that differ."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import polars as pl
import pytest

from generators.synthesis import spec
from generators.synthesis.library import partners
from generators.synthesis.sizes import sized
from qa.synthesis import verify_graph
from schemagraph.folder.graphdata import edge_file, node_file
from schemagraph.model import EdgeType, Kind, NodeType, Property, SchemaGraph, Type
from schemagraph.specification.check import check_synthesis
from tests.generators.synthesis.drawing import draw

TEXT, DAY = Type(Kind.STRING), Type(Kind.DATE)
TICKET = NodeType(
    ("Ticket",),
    (
        Property("no", TEXT, False),
        Property("subject", TEXT, False),
        Property("opened", DAY, False),
    ),
    ("no",),
)
ARTICLE = NodeType(
    ("Article",), (Property("no", TEXT, False), Property("title", TEXT, False)), ("no",)
)
FITS = {"paper jam": ("install a printer",), "no mail": ("free up space", "set up mail")}
SUBJECTS = ("paper jam", "no mail", "other")
TITLES = ("install a printer", "free up space", "set up mail", "screen repair")


def nodes() -> dict[str, spec.Nodes]:
    def column(of: spec.Distribution, unique: bool = False) -> spec.Column:
        return spec.Column(of=of, unique=unique)

    return {
        "Ticket": spec.Nodes(
            weight=4,
            properties={
                "no": column(spec.Sequence(prefix="T", digits=5), unique=True),
                "subject": column(spec.Categorical(values=SUBJECTS)),
                "opened": column(spec.Dates(start="2024-01-01", end="2024-12-31")),
            },
        ),
        "Article": spec.Nodes(
            weight=1,
            properties={
                "no": column(spec.Sequence(prefix="A", digits=5), unique=True),
                "title": column(spec.Categorical(values=TITLES)),
            },
        ),
    }


def graph(
    folder: Path, edges: tuple[EdgeType, ...], links: tuple[spec.Edges, ...]
) -> tuple[SchemaGraph, spec.Specification]:
    """Drawn with 800 nodes, after the checks of the specification."""
    schema = SchemaGraph("help", (TICKET, ARTICLE), edges)
    given = spec.Specification(
        nodes=nodes(), edges={e.name: part for e, part in zip(edges, links, strict=True)}
    )
    assert not [d for d in check_synthesis(schema, given) if d.code.startswith("impossible")]
    whole = sized(schema, given, 800)
    draw(schema, whole, 7, folder)
    return schema, whole


def ends(folder: Path, schema: SchemaGraph, edge: EdgeType, *columns: str) -> pl.DataFrame:
    """The edges with these columns of their ends."""
    table = pl.read_parquet(edge_file(folder, edge))
    for side, name in (("source", edge.source), ("target", edge.target)):
        rows = pl.read_parquet(node_file(folder, schema.node_by_name[name]))
        rows = rows.rename({column: f"{side}.{column}" for column in rows.columns})
        table = table.join(rows, on=f"{side}.no", how="left")
    return table.select(columns)


def fitting(source: str, target: str, keys: Literal["source", "target"]) -> tuple[spec.Same]:
    return (spec.Same(source=source, target=target, share=1, pairs=FITS, keys=keys),)


AHEAD = fitting("subject", "title", "source")
TURNED = fitting("title", "subject", "target")
ALIKE = (spec.Same(source="subject", target="subject", share=1),)
SOLVED = EdgeType("SOLVED_WITH", "Ticket", "Article")
SOLVED_TOO = EdgeType("SOLVED_TOO_WITH", "Ticket", "Article")
SOLVES = EdgeType("SOLVES", "Article", "Ticket")
SAME_AS = EdgeType("SAME_AS", "Ticket", "Ticket")


@pytest.mark.parametrize(
    ("edge", "part"),
    [
        (SOLVED, spec.Edges(cardinality="n:1", same=AHEAD)),
        (SOLVED, spec.Edges(weight=3, same=AHEAD)),
        (SOLVES, spec.Edges(cardinality="1:n", same=TURNED)),
        (SOLVES, spec.Edges(weight=3, same=TURNED)),
    ],
    ids=["n:1", "n:m", "1:n", "n:m turned"],
)
def test_ends_go_together(edge: EdgeType, part: spec.Edges, tmp_path: Path) -> None:
    schema, whole = graph(tmp_path, (edge,), (part,))
    subject, title = ("source.subject", "target.title")
    if edge is SOLVES:
        subject, title = ("target.subject", "source.title")
    table = ends(tmp_path, schema, edge, subject, title)
    pairs = set(table.rows())
    fitting = {(s, t) for s in SUBJECTS for t in FITS.get(s, TITLES)}
    assert pairs == fitting  # "other" goes with any
    assert verify_graph(tmp_path, schema, whole).ok


def test_a_value_that_goes_with_nothing_has_no_edge(tmp_path: Path) -> None:
    pairs = {**FITS, "other": ()}
    same = spec.Same(source="subject", target="title", share=1, pairs=pairs)
    part = spec.Edges(cardinality="n:1", same=(same,))
    schema, _ = graph(tmp_path, (SOLVED,), (part,))
    table = ends(tmp_path, schema, SOLVED, "source.subject")
    assert set(table["source.subject"]) == {"paper jam", "no mail"}


def test_who_lacks_one_of_two_values_is_bound_by_the_other_alone(tmp_path: Path) -> None:
    # A ticket that copies another has its article; all have one that goes with their subject.
    copied = spec.Edges(cardinality="n:1", same=ALIKE, source=spec.End(share=0.5))
    key = f"{SAME_AS.name}.{SOLVED_TOO.name}.no"
    alike = spec.Same(source=key, target="no", share=1)
    solved = spec.Edges(cardinality="n:1", same=(*AHEAD, alike))
    first = spec.Edges(cardinality="n:1", same=AHEAD)
    schema, whole = graph(tmp_path, (SAME_AS, SOLVED, SOLVED_TOO), (copied, solved, first))
    table = pl.read_parquet(edge_file(tmp_path, SOLVED))
    assert table.height == whole.nodes["Ticket"].count
    assert verify_graph(tmp_path, schema, whole).ok


def test_the_values_of_the_chosen_end_have_their_weights(tmp_path: Path) -> None:
    prefer = spec.Prefer(column="title", values=TITLES, weights=(70, 20, 8, 2), share=1)
    part = spec.Edges(cardinality="n:1", target=spec.End(prefer=prefer))
    schema, whole = graph(tmp_path, (SOLVED,), (part,))
    titles = ends(tmp_path, schema, SOLVED, "target.title")["target.title"]
    shares = [float((titles == title).mean()) for title in TITLES]  # type: ignore[arg-type]
    assert shares == pytest.approx([0.7, 0.2, 0.08, 0.02], abs=0.05)
    assert verify_graph(tmp_path, schema, whole).ok
    turned = prefer.model_copy(update={"weights": prefer.weights[::-1]})
    other = part.model_copy(update={"target": spec.End(prefer=turned)})
    edges = {SOLVED.name: other.model_copy(update={"count": whole.edges[SOLVED.name].count})}
    report = verify_graph(tmp_path, schema, whole.model_copy(update={"edges": edges}))
    assert not report.ok
    with pytest.raises(ValueError, match="one weight for each value"):
        spec.Prefer(column="title", values=TITLES, weights=(1,))


def test_else_any_leaves_nobody_without_an_edge(tmp_path: Path) -> None:
    pairs = {**FITS, "other": ("no such title",)}
    same = spec.Same(source="subject", target="title", share=1, pairs=pairs, else_any=True)
    part = spec.Edges(cardinality="n:1", same=(same,))
    schema, whole = graph(tmp_path, (SOLVED,), (part,))
    table = ends(tmp_path, schema, SOLVED, "source.subject", "target.title")
    assert table.height == whole.nodes["Ticket"].count
    jams = table.filter(pl.col("source.subject") == "paper jam")["target.title"]
    assert set(jams) == {"install a printer"}
    assert verify_graph(tmp_path, schema, whole).ok


def test_equal_and_within_days(tmp_path: Path) -> None:
    part = spec.Edges(
        cardinality="n:1",
        same=ALIKE,
        order=(spec.Before(first="target.opened", then="source.opened", within=10),),
    )
    schema, whole = graph(tmp_path, (SAME_AS, SOLVED), (part, spec.Edges(cardinality="n:1")))
    columns = ("source.subject", "target.subject", "source.opened", "target.opened")
    table = ends(tmp_path, schema, SAME_AS, *columns)
    days = (table["source.opened"] - table["target.opened"]).dt.total_days()
    assert table.height > 300
    assert (table["source.subject"] == table["target.subject"]).all()
    assert days.min() == 0
    assert days.max() == 10
    assert verify_graph(tmp_path, schema, whole).ok


def test_symmetric_edges_agree_too(tmp_path: Path) -> None:
    part = spec.Edges(weight=2, symmetric=True, same=ALIKE)
    schema, whole = graph(tmp_path, (SAME_AS, SOLVED), (part, spec.Edges(cardinality="n:1")))
    table = ends(tmp_path, schema, SAME_AS, "source.subject", "target.subject")
    assert table.height > 100
    assert (table["source.subject"] == table["target.subject"]).all()
    assert verify_graph(tmp_path, schema, whole).ok


@pytest.mark.parametrize("many", ["n:1", "n:m"])
def test_where_it_ends_is_not_where_it_starts(many: Literal["n:1", "n:m"], tmp_path: Path) -> None:
    read, wrote = EdgeType("READ", "Ticket", "Article"), EdgeType("WROTE", "Ticket", "Article")
    crowd = spec.End(degree=spec.PowerLaw(exponent=1.6))
    first = spec.Edges(cardinality="n:1", target=crowd)
    apart = (spec.Apart(source=f"{read.name}.no", target="no"),)
    second = spec.Edges(cardinality=many, target=crowd, apart=apart)
    schema, whole = graph(tmp_path, (read, wrote), (first, second))
    tables = [pl.read_parquet(edge_file(tmp_path, edge)) for edge in (read, wrote)]
    both = tables[0].join(tables[1], on="source.no")
    assert both.height == whole.edges[wrote.name].count
    assert (both["target.no"] != both["target.no_right"]).all()
    assert verify_graph(tmp_path, schema, whole).ok


@pytest.mark.parametrize(
    ("part", "what"),
    [
        (spec.Edges(cardinality="n:1", same=AHEAD), "do not go together"),
        (
            spec.Edges(cardinality="n:1", apart=(spec.Apart(source="no", target="no"),)),
            "source.no = target.no",
        ),
    ],
    ids=["pairs", "apart"],
)
def test_what_does_not_belong_together_is_seen(part: spec.Edges, what: str, tmp_path: Path) -> None:
    schema, whole = graph(tmp_path, (SOLVED,), (spec.Edges(cardinality="n:1"),))
    wanted = part.model_copy(update={"count": whole.edges[SOLVED.name].count})
    if "apart" in what or part.apart:  # numbers that are alike in both tables
        for node in schema.nodes:
            file = node_file(tmp_path, node)
            pl.read_parquet(file).with_columns(no=pl.col("no").str.slice(1)).write_parquet(file)
        file = edge_file(tmp_path, SOLVED)
        pl.read_parquet(file).with_columns(
            pl.col("target.no").str.slice(1), pl.col("target.no").str.slice(1).alias("source.no")
        ).write_parquet(file)
    report = verify_graph(
        tmp_path, schema, whole.model_copy(update={"edges": {SOLVED.name: wanted}})
    )
    assert [m for m in report.failures if what in m.what]


def test_the_end_that_has_about_as_many_each_is_never_without(tmp_path: Path) -> None:
    part = spec.Edges(
        weight=8,
        source=spec.End(degree=spec.PowerLaw(exponent=1.8)),
        target=spec.End(degree=spec.Spread(ratio=3)),
        same=(TURNED[0],),
    )
    schema, whole = graph(tmp_path, (SOLVES,), (part,))
    table = ends(tmp_path, schema, SOLVES, "target.no")
    assert table["target.no"].n_unique() == whole.nodes["Ticket"].count
    assert verify_graph(tmp_path, schema, whole).ok


def test_one_at_a_time_is_for_days_of_the_end_that_has_one(tmp_path: Path) -> None:
    alone = spec.Alone(start="subject", end="closed")
    part = spec.Edges(cardinality="n:1", alone=alone)
    schema = SchemaGraph("help", (TICKET, ARTICLE), (SOLVED,))
    given = spec.Specification(nodes=nodes(), edges={SOLVED.name: part})
    codes = [d.code for d in check_synthesis(schema, given) if ".alone" in d.message]
    assert codes == ["wrong-kind", "unknown-column"]
    with pytest.raises(ValueError, match="alone is for edges"):
        spec.Edges(alone=alone)


def test_values_that_nothing_names_are_one() -> None:
    """Who may have no edge is said of all keys of the other end, of which there are many."""
    status = pl.Series(["active", "dropped out", None])
    numbers = pl.Series([f"CO-{number}" for number in range(5_000)])
    for ahead in (True, False):
        ends = (status, numbers) if ahead else (numbers, status)
        mine, others, fits = partners.fitting(*ends, {"dropped out": ["-"]}, ahead)
        assert max(fits.shape) <= 3
        table = fits[mine][:, others] if ahead else fits[mine][:, others].T
        assert table.all(axis=1).tolist() == [True, False, True]
        assert table.any(axis=1).tolist() == [True, False, True]
