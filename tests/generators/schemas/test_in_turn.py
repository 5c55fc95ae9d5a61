"""A domain of an own file: steps that follow one another, and numbers that begin at ten."""

from __future__ import annotations

from datetime import date, timedelta
from itertools import pairwise
from pathlib import Path
from random import Random

import polars as pl

from generators.schemas.author import SchemaProposal, SchemaRequest
from generators.schemas.rules import RuleSchemaAuthor
from generators.synthesis.sizes import sized
from generators.taxonomy.load import load_taxonomy, subdomain
from generators.taxonomy.relations import relation
from qa.synthesis import verify_graph
from schemagraph.folder.graphdata import edge_file, node_file
from tests.generators.synthesis.drawing import draw

TEXT = """
title = "Sites"
purpose = "Builds houses."
questions = ["What is late?"]
core = ["site", "step", "offer", "client"]

[site]
site_no = "code ST-#####; key"
opened_on = "date 2018..2020; need"

[step]
share = 5
step_no = "code SP-######; key"
place = "int within OF_SITE 10..15; need"
begins_on = "date 2018..2022; need"
ends_on = "date after begins_on 1..3; need"

[offer]
share = 2
offer_no = "code OF-#####; key"
made_on = "date 2018..2022; need"

[lot]
lot_no = "code LT-#####; key"
price = "int 100..400; need"

[client]
share = 2
client_no = "code CL-#####; key"
budget = "int 300..500; need"
known_since = "date 2017..2020; need"

[relations]
"step OF_SITE site" = "is of / has; n:1; in 3..6; later 20..80 by place"
"lot AT_SITE site" = "is at / has; n:1"
"offer FOR_LOT lot" = "is for / has; n:1; always"

[relations."offer MADE_TO client"]
say = "was made to / got; n:1; order target.known_since < source.made_on; within 900; \
order source.FOR_LOT.price < target.budget"
"""


def made(folder: Path, wanted: str) -> SchemaProposal:
    (folder / "homes").mkdir()
    (folder / "homes" / "sites.toml").write_text(TEXT, encoding="utf-8")
    request = SchemaRequest(subdomain(load_taxonomy((folder,)), "homes/sites"), 1)
    for seed in range(40):
        proposal = next(RuleSchemaAuthor().generate(request, Random(seed)))
        names = "".join(edge.name for edge in proposal.schema.edges).casefold().replace("_", "")
        if wanted in names:
            return proposal
    raise AssertionError(wanted)


def test_steps_follow_one_another_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    proposal = made(tmp_path, "ofsite")
    given = sized(proposal.schema, proposal.specification, 600)
    draw(proposal.schema, given, 5, tmp_path / "graph")
    report = verify_graph(tmp_path / "graph", proposal.schema, given)
    assert report.ok, report.problem()
    nodes = {node.name.casefold(): node for node in proposal.schema.nodes}
    steps, sites = (
        pl.read_parquet(node_file(tmp_path / "graph", nodes[name])) for name in ("step", "site")
    )
    edge = next(e for e in proposal.schema.edges if "ofsite" in e.name.casefold().replace("_", ""))
    pairs = pl.read_parquet(edge_file(tmp_path / "graph", edge))

    def column(table: pl.DataFrame, *words: str) -> str:
        return next(c for c in table.columns if any(word in c.casefold() for word in words))

    kinds = (edge.source.casefold(), edge.target.casefold())
    step_end, site_end = ("source", "target") if kinds[0] == "step" else ("target", "source")
    begin, end = column(steps, "begins"), column(steps, "ends")
    opened, number = column(sites, "opened"), column(steps, "place")
    table = pairs.join(steps, left_on=column(pairs, step_end), right_on=nodes["step"].key[0]).join(
        sites, left_on=column(pairs, site_end), right_on=nodes["site"].key[0]
    )
    several = 0
    for _, group in table.group_by(column(pairs, site_end)):
        rows = group.sort(number).to_dicts()
        assert [row[number] for row in rows] == list(range(10, 10 + len(rows)))
        since = rows[0][opened]
        assert isinstance(since, date)
        for row in rows:
            first = since + timedelta(days=20 + 10 * (min(row[number], 16) - 10))
            assert first <= row[begin] <= first + timedelta(days=6)
        assert all(one[end] < other[begin] for one, other in pairwise(rows[:7]))
        several += len(rows) > 1
    assert several


def test_of_a_date_and_an_amount_over_another_relation_the_date_keeps_the_distance(
    tmp_path: Path,
) -> None:
    proposal = made(tmp_path, "madeto")
    edge = next(
        part
        for name, part in proposal.specification.edges.items()
        if "madeto" in name.casefold().replace("_", "")
    )
    assert [order.within for order in edge.order] == [900, None]


def test_the_line_that_says_so() -> None:
    anchor = relation("step OF site", "is of / has; n:1; later opened_on 2..8 by place", {}).anchor
    assert anchor is not None
    assert (anchor.of, anchor.gap, anchor.by) == ("opened_on", (2, 8), "place")
