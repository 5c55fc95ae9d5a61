"""A structured schema gets a graph that has all of it, with values that it shows."""

from __future__ import annotations

import csv
import json
import math
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from graphmill.errors import SourceError
from schemagraph.convert.service import convert, takes_wishes
from schemagraph.folder.graphdata import edge_rows, node_rows
from schemagraph.folder.serde import load_schema

EXAMPLE = Path(__file__).parent / "examples" / "text2cypher" / "schemas.jsonl"
CHOIR = {"node_props": {"Singer": [{"property": "name", "type": "STRING"}]}, "relationships": []}


def test_the_graph_has_the_whole_schema(tmp_path: Path) -> None:
    report = convert(f"{EXAMPLE}#harbour", tmp_path / "out")
    schema = load_schema(tmp_path / "out")
    assert schema.name == "harbour"
    assert [(n.name, n.key) for n in schema.nodes] == [
        ("Ship", ("imo",)),
        ("Berth", ("name",)),
        ("Flag", ("name",)),
        ("Note", ("id",)),
    ]
    types = {p.name: str(p.type) for node in schema.nodes[:2] for p in node.properties}
    assert types == {
        "imo": "STRING",
        "tonnage": "INTEGER",
        "draught": "FLOAT",
        "built": "DATE",
        "flags": "LIST<STRING>",
        "insured": "BOOLEAN",
        "name": "STRING",
        "at": "STRING",
        "level": "INTEGER",
    }
    called = schema.edge_by_name["Ship-CALLED_AT-Berth"]
    assert [str(p.type) for p in called.properties] == ["ZONED_DATETIME", "DURATION"]
    assert report.warnings[0] == "Relationship type LOST connects nothing: it is left out."
    assert all(count > 0 for count in (*report.nodes.values(), *report.edges.values()))


def test_values_are_those_of_the_statistics(tmp_path: Path) -> None:
    convert(f"{EXAMPLE}#harbour", tmp_path / "out")
    schema = load_schema(tmp_path / "out")
    ships = list(node_rows(tmp_path / "out", schema.nodes[0]))
    assert len(ships) == 40
    assert {"9074729", "9074731"} <= {ship["imo"] for ship in ships}
    tonnage = [ship["tonnage"] for ship in ships if ship["tonnage"] is not None]
    assert (min(tonnage), max(tonnage)) == (300, 180_000)
    assert {flag for ship in ships for flag in ship["flags"] or ()} <= {"Malta", "Panama", "Norway"}
    berths = list(node_rows(tmp_path / "out", schema.nodes[1]))
    assert {"North Quay", "South Pier", "East Mole"} <= {berth["name"] for berth in berths}
    assert {berth["level"] for berth in berths} - {None} <= {1, 2, 3, 4}
    follows = list(edge_rows(tmp_path / "out", schema.edge_by_name["Ship-FOLLOWS-Ship"], schema))
    assert all(row.source != row.target for row in follows)
    degrees = [sum(row.source == (ship["imo"],) for row in follows) for ship in ships]
    assert max(degrees) >= 3 > min(degrees)


def test_what_is_asked_for_is_there(tmp_path: Path) -> None:
    asked: dict[str, list[Any]] = {
        "imo": ["123", "124", 5],
        "tonnage": [4711, "x", 0.5],
        "built": ["1999-12-31", "no date"],
        "flags": ["Chile"],
        "none of its": ["y"],
    }
    assert takes_wishes(f"{EXAMPLE}#harbour")
    convert(f"{EXAMPLE}#harbour", tmp_path / "out", asked=asked)
    schema = load_schema(tmp_path / "out")
    ships = list(node_rows(tmp_path / "out", schema.nodes[0]))
    assert {"9074729", "123", "124"} <= {ship["imo"] for ship in ships}
    assert 4711 in {ship["tonnage"] for ship in ships}
    assert date(1999, 12, 31) in {ship["built"] for ship in ships}
    assert any("Chile" in (ship["flags"] or ()) for ship in ships)


def test_numbers_are_finite(tmp_path: Path) -> None:
    shape = {"property": "x", "type": "FLOAT", "min": "0.5", "max": "NaN", "values": ["inf", "2.5"]}
    path = tmp_path / "schema.json"
    path.write_text(json.dumps({"structured_schema": {"node_props": {"A": [shape]}}}))
    convert(str(path), tmp_path / "out")
    (node,) = load_schema(tmp_path / "out").nodes
    found = {row["x"] for row in node_rows(tmp_path / "out", node)} - {None}
    assert 2.5 in found
    assert all(map(math.isfinite, found))


@pytest.mark.parametrize("form", ["object", "list", "schema", "csv", "csv-python"])
def test_all_layouts(tmp_path: Path, form: str) -> None:
    record = {"database": "choir", "structured_schema": CHOIR}
    path = tmp_path / "choir.data"
    if form.startswith("csv"):
        text = repr(CHOIR) if form == "csv-python" else json.dumps(CHOIR)
        with path.open("w", newline="") as stream:
            csv.writer(stream).writerows(
                [["database", "schema", "structured_schema"], ["choir", "Node properties", text]]
            )
    else:
        path.write_text(
            json.dumps({"object": record, "list": [record], "schema": CHOIR}[form], indent=2)
        )
    report = convert(str(path), tmp_path / "out")
    assert (report.kind, report.source) == ("text2cypher", "choir")


@pytest.mark.parametrize(
    ("part", "said"),
    [
        ("", "holds 2 databases: give one as schemas.jsonl#NAME. There are: choir, harbour"),
        ("#harbor", "no database harbor. Did you mean 'harbour'"),
    ],
)
def test_a_file_of_several_databases_wants_a_name(tmp_path: Path, part: str, said: str) -> None:
    with pytest.raises(SourceError, match=said):
        convert(f"{EXAMPLE}{part}", tmp_path / "out")


def test_other_kinds_have_no_parts(tmp_path: Path) -> None:
    (tmp_path / "g.json").write_text('{"nodes": [{"id": 1}], "links": []}')
    with pytest.raises(SourceError, match="node-link JSON file, which has no parts such as #x"):
        convert(f"{tmp_path / 'g.json'}#x", tmp_path / "out")


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        ({"node_props": []}, 'an object "node_props"'),
        ({"node_props": {}}, "the schema has no label"),
        ({"node_props": {"A": {}}}, "node_props, A: its properties are a list"),
        ({"node_props": {"A": [{"property": "x", "type": "INT"}]}}, "A, x: unknown type 'INT'"),
        ({"node_props": {"A": [{"type": "STRING"}]}}, 'an object with a text "property"'),
        (
            {"node_props": {"A": [{"property": "x", "type": "DATE"}] * 2}},
            "A: property x is there twice",
        ),
        ({"node_props": {"A&B": []}}, "'A&B' is no label"),
        ({"node_props": {"A": []}, "relationships": [{"start": "A"}]}, "relationship 1: an object"),
        ({"node_props": {"A": []}, "rel_props": [1]}, "rel_props: it is an object from names"),
    ],
)
def test_what_is_no_schema(tmp_path: Path, schema: Any, said: str) -> None:
    path = tmp_path / "schema.json"
    path.write_text(json.dumps({"structured_schema": schema}))
    with pytest.raises(SourceError, match=said):
        convert(str(path), tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    "shape",
    [
        {"type": "INTEGER", "min": "9" * 40, "max": "1"},
        {"type": "FLOAT", "min": "nan", "max": "inf"},
        {"type": "DATE", "min": "yesterday", "max": "2024-01-01"},
        {"type": "DATE_TIME", "min": "2024-01-01", "max": "2024-01-01T00:00:00.123456789Z"},
        {"type": "LIST", "min_size": 10**9, "max_size": 1},
        {"type": "STRING", "values": [None, "", 5], "distinct_count": -3},
        {"type": "TIME"},
        {"type": "LOCAL_TIME", "values": ["12:00"]},
        {"type": "LOCAL_DATE_TIME", "distinct_count": "many"},
    ],
)
def test_statistics_that_make_no_sense_still_give_a_graph(tmp_path: Path, shape: Any) -> None:
    path = tmp_path / "schema.json"
    schema = {"node_props": {"A": [{"property": "x", **shape}]}, "rel_props": {}}
    path.write_text(json.dumps({"structured_schema": schema}))
    assert sum(convert(str(path), tmp_path / "out").nodes.values()) > 0
