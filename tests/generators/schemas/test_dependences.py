"""What hangs together in schemas by rule, seen in graphs that were drawn."""

from __future__ import annotations

import re
import typing
from pathlib import Path
from random import Random

import polars as pl
import pytest

from generators.prompts import prompt
from generators.schemas.author import SchemaProposal, SchemaRequest
from generators.schemas.rules import RuleSchemaAuthor
from generators.synthesis.sizes import sized
from generators.taxonomy.load import load_taxonomy, subdomain
from generators.taxonomy.relations import relation
from generators.taxonomy.values import LineError, hint
from qa.synthesis import verify_graph
from schemagraph.folder.graphdata import edge_file, node_file
from schemagraph.model import SchemaGraph
from schemagraph.specification.distributions import Distribution
from tests.generators.synthesis.drawing import draw

pytestmark = pytest.mark.slow


def proposal(path: str, wanted: str, level: int = 4) -> SchemaProposal:
    """The first schema of a domain that shows a relation of this source text."""
    request = SchemaRequest(subdomain(load_taxonomy(), path), level)
    for seed in range(60):
        made = next(RuleSchemaAuthor().generate(request, Random(seed)))
        if re.search(wanted, made.specification.model_dump_json()):
            return made
    raise AssertionError(f"no schema of {path} has {wanted}")


def joined(schema: SchemaGraph, folder: Path, edge: str) -> pl.DataFrame:
    """The edges of a type with the properties of both ends as `source.X` and `target.X`."""
    made = schema.edge_by_name[edge]
    table = pl.read_parquet(edge_file(folder, made))
    for end, name in (("source", made.source), ("target", made.target)):
        node = schema.node_by_name[name]
        rows = pl.read_parquet(node_file(folder, node))
        rows = rows.rename({column: f"{end}.{column}" for column in rows.columns})
        keys = [f"{end}.{key}" for key in node.key]
        table = table.join(rows, on=keys, how="left")
    return table


@pytest.mark.parametrize(
    ("path", "wanted"),
    [
        ("healthcare/hospital-care", r'"after","columns":\["[^"]+admi'),
        ("finance/anti-money-laundering", r'"kind":"banded"'),
        ("energy/wind-farms", r'"kind":"curve"'),
        ("retail/e-commerce", r'"kind":"product"'),
        ("education/online-learning", r'"kind":"ordinal"'),
        ("energy/ev-charging", r'"prefer":\{"column"'),
        ("technology/it-helpdesk", r'"pairs":\{"laptop slow"'),
        ("travel/restaurants", r'OF_RESTAURANT[^"]*\.(cuisine|kitchenStyle|kitchen_style)"'),
        ("travel/air-travel", r'"apart":\[\{'),
        ("energy/power-grid", r'"within":1[,}]'),
        ("retail/e-commerce", r'"kind":"aggregated"'),
        ("government/public-procurement", r'"kind":"allotted"'),
        ("insurance/motor-insurance", r'"kind":"first"'),
        ("insurance/reinsurance", r'"order":\[\{[^]]*\},\{'),
    ],
)
def test_what_a_domain_declares_is_drawn_and_holds(path: str, wanted: str, tmp_path: Path) -> None:
    made = proposal(path, wanted)
    whole = sized(made.schema, made.specification, 1_200)
    draw(made.schema, whole, 3, tmp_path)
    report = verify_graph(tmp_path, made.schema, whole)
    assert report.ok, report.problem()


def test_what_is_measured_in_a_stay_lies_within_it(tmp_path: Path) -> None:
    made = proposal("healthcare/hospital-care", r'"after","columns":\["[^"]+admi', 5)
    whole = sized(made.schema, made.specification, 1_500)
    draw(made.schema, whole, 3, tmp_path)
    checked = 0
    for node in made.schema.nodes:
        for name, column in whole.nodes[node.name].properties.items():
            of = column.of
            if of.kind != "after" or not of.before:
                continue
            edge, _, start = of.columns[0].rpartition(".")
            end = of.before[0].rpartition(".")[2]
            table = joined(made.schema, tmp_path, edge)
            side = "source" if made.schema.edge_by_name[edge].source == node.name else "target"
            other = "target" if side == "source" else "source"
            day, first, last = (
                table[column].cast(pl.Date)
                for column in (f"{side}.{name}", f"{other}.{start}", f"{other}.{end}")
            )
            within = (day >= first) & (day <= last).fill_null(True)
            assert within.all()
            checked += 1
    assert checked


def test_the_lines_that_say_so() -> None:
    made = relation("reading DURING stay", "was taken in / has; n:1; during", {})
    assert made.anchor is not None
    assert made.anchor.gap is None
    later = relation("bill FOR stay", "is for / led to; n:1; later ended_on 2..8h", {}).anchor
    assert later is not None
    assert (later.of, later.gap, later.unit) == ("ended_on", (2, 8), "hours")
    assert relation("a B c", "x / y; n:1; only state = open, new", {}).only == (
        "state",
        ("open", "new"),
    )
    fits = relation(
        "a B c", "x / y; n:1; fits kind = name; fits level = level: low, mid > high | high > -", {}
    ).fits
    assert [(f.ours, f.theirs, f.listed) for f in fits] == [
        ("kind", "name", False),
        ("level", "level", True),
    ]
    assert dict(fits[1].pairs) == {"low": ("high",), "mid": ("high",), "high": ()}
    both = relation("a B c", "x / y; n:1; via SOLD_BY.country = name; apart FROM; within 9", {})
    assert (both.via, both.apart, both.within) == ((("SOLD_BY.country", "name"),), ("FROM",), 9)
    assert hint("total", "money 1..9; without HAS_LINE, OF").without == ("HAS_LINE", "OF")
    recent = hint("status", "open 2 | done 8; recent opened_on 60: open").recent
    assert recent is not None
    assert (recent.of, recent.days) == ("opened_on", 60)


@pytest.mark.parametrize(
    "line",
    [
        "money product units",
        "int elapsed starts_on",
        "int elapsed starts_on ends_on weeks",
        "float curve wind 3=0",
        "float curve wind 3 12=1",
        "int within HAS_LESSON",
        "int year filed_on 1..2 3..4",
        "open | done; recent opened_on: open",
        "int 1..9; recent opened_on 60: open",
        "code A-##; key; null 0.1",
        "int 1..9; unit m; unit km",
        "date 2020..2024 workdays shopdays",
        "date 2020..2024 busy 3 only 4",
        "date after begun_on 30..90 yearly lasts",
        "date after begun_on 30..90 monthly on 06-30",
        "open | done; as quantity",
    ],
)
def test_lines_that_are_refused(line: str) -> None:
    with pytest.raises(LineError):
        hint("x", line)


@pytest.mark.parametrize(
    "line",
    [
        "fits kind",
        "fits a = b: c",
        "fits a = b: c > ",
        "within soon",
        "via country = name",
        "apart x",
    ],
)
def test_options_of_relations_that_are_refused(line: str) -> None:
    with pytest.raises(LineError):
        relation("a B c", f"x / y; n:1; {line}", {})


def test_every_kind_of_value_and_its_settings_are_named_in_the_prompt() -> None:
    """What a model may write, it must have been told of."""
    words = prompt("schema")
    text = " ".join(turn.text for turn in words.render(**dict.fromkeys(words.variables, "x")))
    untold = {"kind", "decimals", "start", "exponent", "arguments", "pool", "growth", "ascending"}
    untold |= {"step", "until", "unit", "check"}
    for model in typing.get_args(typing.get_args(Distribution.__value__)[0]):
        kind = model.model_fields["kind"].default
        assert kind in text, kind
        for name in model.model_fields.keys() - untold:
            assert re.search(rf"\b{name}\b", text), f"{kind}.{name}"
