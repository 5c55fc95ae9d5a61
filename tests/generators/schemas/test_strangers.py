"""A domain of an own file: who buys is not who sells, though both are reached from the order."""

from __future__ import annotations

from pathlib import Path
from random import Random

import polars as pl
import pytest

from generators.schemas.author import SchemaRequest
from generators.schemas.rules import RuleSchemaAuthor
from generators.synthesis.sizes import sized
from generators.taxonomy.load import load_taxonomy, subdomain
from generators.taxonomy.relations import relation
from generators.taxonomy.values import LineError
from qa.synthesis import verify_graph
from schemagraph.folder.graphdata import edge_file
from tests.generators.synthesis.drawing import draw

TEXT = """
title = "Flea market"
purpose = "Sells what members no longer need."
questions = ["Who buys from whom?"]
core = ["trader", "thing", "purchase"]

[trader]
share = 2
trader_no = "code TR-####; key"

[thing]
share = 4
thing_no = "code TH-#####; key"

[purchase]
share = 4
purchase_no = "code PU-#####; key"

[relations]
"trader SELLS thing" = "sells / is sold by; always; 1:n; out 1..9"
"purchase OF_THING thing" = "is of / was sold in; always; n:1"
"purchase BOUGHT_BY trader" = "was bought by / bought; always; n:1; apart OF_THING.SELLS"
"""


def test_who_buys_is_not_who_sells(tmp_path: Path) -> None:
    (tmp_path / "retail").mkdir()
    (tmp_path / "retail" / "flea-market.toml").write_text(TEXT, encoding="utf-8")
    request = SchemaRequest(subdomain(load_taxonomy((tmp_path,)), "retail/flea-market"), 1)
    proposals = (next(RuleSchemaAuthor().generate(request, Random(seed))) for seed in range(40))
    made = next(each for each in proposals if len(each.schema.edges) == 3)
    given = sized(made.schema, made.specification, 600)
    draw(made.schema, given, 5, tmp_path / "graph")
    report = verify_graph(tmp_path / "graph", made.schema, given)
    assert report.ok, report.problem()

    joined: dict[frozenset[str], dict[object, object]] = {}
    for edge in made.schema.edges:
        table = pl.read_parquet(edge_file(tmp_path / "graph", edge))
        pairs = list(zip(*(table[name] for name in table.columns[:2]), strict=True))
        many_first = given.edges[edge.name].cardinality == "n:1"
        several = edge.source if many_first else edge.target
        other = edge.target if many_first else edge.source
        joined[frozenset((several, other))] = dict(
            pairs if many_first else (pair[::-1] for pair in pairs)
        )
    bought, of_thing, sold = (
        joined[frozenset(types)]
        for types in (("Purchase", "Trader"), ("Purchase", "Thing"), ("Thing", "Trader"))
    )
    assert bought
    assert all(sold[of_thing[one]] != trader for one, trader in bought.items())


def test_paths_of_relations_are_read() -> None:
    both = relation("a B c", "x / y; n:1; apart FROM, OF_THING.SELLS", {})
    assert both.apart == ("FROM", "OF_THING.SELLS")


@pytest.mark.parametrize("path", ["of_thing.SELLS", "OF_THING.", "OF_THING..SELLS"])
def test_paths_that_are_refused(path: str) -> None:
    with pytest.raises(LineError):
        relation("a B c", f"x / y; n:1; apart {path}", {})
