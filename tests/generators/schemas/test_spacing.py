"""A domain of an own file: calves of one dam are a gestation apart, episodes come week by week."""

from __future__ import annotations

from datetime import date, timedelta
from itertools import pairwise
from pathlib import Path
from random import Random

import polars as pl
import pytest

from generators.schemas.author import SchemaRequest
from generators.schemas.rules import RuleSchemaAuthor
from generators.synthesis import spec
from generators.synthesis.sizes import sized
from generators.taxonomy.load import load_taxonomy, subdomain
from generators.taxonomy.relations import relation
from generators.taxonomy.values import LineError
from qa.synthesis import verify_graph
from schemagraph.folder.graphdata import edge_file, node_file
from tests.generators.synthesis.drawing import draw

TEXT = """
title = "Herds"
purpose = "Films herds."
questions = ["Who is whose calf?"]
core = ["cow", "series", "episode"]

[cow]
share = 4
ear_tag = "code CO-#####; key"
born_on = "date 2010..2020; need"

[series]
series_no = "code SE-####; key"
ordered_on = "date 2012..2018; need"

[episode]
share = 4
episode_no = "code EP-#####; key"
number = "int within OF_SERIES 1..10; need"
aired_on = "date 2012..2019; need"

[relations]
"cow CALF_OF cow" = "is a calf of / is the dam of; n:1?; role chain; within 3000; alone 330"
"episode OF_SERIES series" = "is of / has; n:1; in 2..8; later 7..77 by number sharp"
"series SHOWS cow" = "shows / is shown in; n:1"
"""


def test_births_and_weeks(tmp_path: Path) -> None:
    (tmp_path / "film").mkdir()
    (tmp_path / "film" / "herds.toml").write_text(TEXT, encoding="utf-8")
    request = SchemaRequest(subdomain(load_taxonomy((tmp_path,)), "film/herds"), 1)
    proposals = (next(RuleSchemaAuthor().generate(request, Random(seed))) for seed in range(40))
    made = next(each for each in proposals if len(each.schema.edges) == 3)
    given = sized(made.schema, made.specification, 900)
    draw(made.schema, given, 5, tmp_path / "graph")
    report = verify_graph(tmp_path / "graph", made.schema, given)
    assert report.ok, report.problem()

    dates: dict[str, dict[object, date]] = {}
    for node in made.schema.nodes:
        table = pl.read_parquet(node_file(tmp_path / "graph", node))
        day = next(name for name in table.columns if table[name].dtype == pl.Date)
        dates[node.name] = dict(zip(table[node.key[0]], table[day], strict=True))
    born = next(days for name, days in dates.items() if name == "Cow")
    calves: dict[object, list[date]] = {}
    aired: dict[object, list[date]] = {}
    for edge in made.schema.edges:
        table = pl.read_parquet(edge_file(tmp_path / "graph", edge))
        ends = zip(*(table[name] for name in table.columns[:2]), strict=True)
        many_first = given.edges[edge.name].cardinality == "n:1"
        for pair in ends:
            many, one = pair if many_first else reversed(pair)
            if edge.source == edge.target:
                calves.setdefault(one, []).append(born[many])
            elif "Episode" in (edge.source, edge.target):
                aired.setdefault(one, []).append(dates["Episode"][many])
    gaps = [b - a for days in calves.values() for a, b in pairwise(sorted(days))]
    assert len(gaps) > 50
    assert min(gaps) >= timedelta(days=330)
    weeks = {b - a for days in aired.values() for a, b in pairwise(sorted(days))}
    assert weeks == {timedelta(days=7)}


def test_lines_that_say_so() -> None:
    assert relation("a B c", "x / y; n:1; alone 330", {}).alone_days == 330
    for wrong in ("alone soon", "alone 0", "later 7..70 by place often"):
        with pytest.raises(LineError, match=r"may stand|how many days"):
            relation("a B c", f"x / y; n:1; {wrong}", {})


def test_a_spell_has_an_end_or_days() -> None:
    with pytest.raises(ValueError, match="an end or days"):
        spec.Alone(start="came_on")
    with pytest.raises(ValueError, match="an end or days"):
        spec.Alone(start="came_on", end="left_on", days=3)
