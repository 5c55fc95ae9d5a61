"""Edges within small groups, and ends of which each node has an edge: nobody is left without."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import numpy as np
import polars as pl
import pytest

from generators.schemas.tell import edges as told
from generators.synthesis import spec
from generators.synthesis.library.partners import ends
from generators.synthesis.sizes import sized
from generators.taxonomy.model import Entity
from generators.taxonomy.relations import relation
from qa.synthesis import verify_graph
from schemagraph.folder.graphdata import edge_file, node_file
from schemagraph.model import EdgeType, Kind, NodeType, Property, SchemaGraph, Type
from tests.generators.synthesis.drawing import draw

TEXT, DAY = Type(Kind.STRING), Type(Kind.DATE)
DEPOTS = tuple(f"depot {number}" for number in range(12))
DRIVES = EdgeType("DRIVES", "Driver", "Van")


def schema() -> SchemaGraph:
    own = (Property("no", TEXT, False), Property("depot", TEXT, False))
    days = (Property("since", DAY, False), Property("upto", DAY, False))
    return SchemaGraph(
        "vans",
        (NodeType(("Driver",), (*own, *days), ("no",)), NodeType(("Van",), (*own, *days), ("no",))),
        (DRIVES,),
    )


def drawn(
    part: spec.Edges,
    folder: Path,
    nodes: int = 90,
    kinds: Mapping[str, float] = MappingProxyType({"Driver": 2.0, "Van": 1.0}),
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Drivers and vans with their days, and who drives what."""
    columns = {
        "no": spec.Column(of=spec.Sequence(prefix="N", digits=4), unique=True),
        "depot": spec.Column(of=spec.Categorical(values=DEPOTS)),
        "since": spec.Column(of=spec.Dates(start="2020-01-01", end="2023-12-31")),
        "upto": spec.Column(of=spec.After(columns=("since",), until="2024-12-31")),
    }
    given = spec.Specification(
        nodes={name: spec.Nodes(weight=each, properties=columns) for name, each in kinds.items()},
        edges={DRIVES.name: part},
    )
    whole = sized(schema(), given, nodes)
    draw(schema(), whole, 3, folder)
    report = verify_graph(folder, schema(), whole)
    assert report.ok, report.problem()
    drivers, vans = (
        table.rename({name: f"{end}.{name}" for name in table.columns})
        for node, end in zip(schema().nodes, ("source", "target"), strict=True)
        for table in [pl.read_parquet(node_file(folder, node))]
    )
    return drivers.join(vans, how="cross"), pl.read_parquet(edge_file(folder, DRIVES))


@pytest.mark.parametrize("turned", [False, True])
def test_all_pairs_of_a_small_group_may_be_taken(turned: bool, tmp_path: Path) -> None:
    same = (spec.Same(source="depot", target="depot", share=1),)
    many, few = spec.End(degree=spec.Even(), least_one=True), spec.End(degree=spec.PowerLaw())
    mine, theirs = ("target", "source") if turned else ("source", "target")
    part = spec.Edges(weight=6, same=same)
    part = part.model_copy(update={mine: many, theirs: few})
    pairs, made = drawn(part, tmp_path)
    alike = pairs.filter(pl.col("source.depot") == pl.col("target.depot"))
    able = alike.group_by(f"{mine}.no").len("able")
    had = able.join(made.group_by(f"{mine}.no").len("had"), on=f"{mine}.no", how="left")
    wanted = 2  # at least
    assert (had["had"] >= pl.Series([min(n, wanted) for n in had["able"]])).all()


def test_who_has_one_candidate_within_two_dates_finds_it(tmp_path: Path) -> None:
    order = (
        spec.Before(first="target.since", then="source.since"),
        spec.Before(first="source.since", then="target.upto"),
    )
    part = spec.Edges(weight=2, order=order, source=spec.End(degree=spec.Even(), least_one=True))
    pairs, made = drawn(part, tmp_path)
    within = pl.col("source.since").is_between("target.since", "target.upto")
    able = pairs.filter(within)["source.no"].unique()
    assert set(made["source.no"]) == set(able.to_list())


def test_one_for_each_source_though_there_are_few_pairs(tmp_path: Path) -> None:
    one = spec.End(degree=spec.Even(), least_one=True)
    part = spec.Edges(weight=1, source=one)
    pairs, made = drawn(part, tmp_path, nodes=3)  # two drivers, one van
    assert made["source.no"].n_unique() == len(made) == pairs["source.no"].n_unique()


def test_one_for_each_target_though_there_are_few_sources(tmp_path: Path) -> None:
    one = spec.End(degree=spec.Even(), least_one=True)
    part = spec.Edges(weight=1, target=one)
    _, made = drawn(part, tmp_path, nodes=9, kinds={"Driver": 1.0, "Van": 8.0})
    assert made["target.no"].n_unique() == len(made) == 8


@pytest.mark.parametrize("edges", [100, 117, 250])
def test_a_range_of_degrees_begins_at_one_where_there_are_enough(edges: int) -> None:
    end = spec.End(degree=spec.Spread(ratio=8)).model_dump(mode="json")
    nodes = ends(end, np.arange(100), edges, 1_000, np.random.default_rng(5))
    assert len(nodes) == edges
    assert np.bincount(nodes, minlength=100).min() >= 1


@pytest.mark.parametrize(
    ("line", "least"),
    [
        ("drives / is driven by; out 1..3; in power 2.2 20", (True, False)),
        ("drives / is driven by; out fixed 2", (True, False)),
        ("drives / is driven by; out 0..3; in 1..3", (False, False)),
        ("drives / is driven by; out poisson 3", (False, False)),
    ],
)
def test_who_has_one_to_three_has_one(line: str, least: tuple[bool, bool]) -> None:
    given = relation("driver DRIVES van", line, {})
    for turned in (False, True):
        made = told(
            given,
            turned=turned,
            source=Entity("driver", "driver", "drivers"),
            columns={},
            spelt=lambda _, name: name,
        )
        ends = (made.source.least_one, made.target.least_one)
        assert (ends[::-1] if turned else ends) == least
