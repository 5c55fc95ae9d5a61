"""Edges and columns that depend on more than their own ends, seen in a domain of an own file: codes
that begin with their parent's, one at a time, ends that a schema hides, heads of departments, a
relation that has become a node, orders over another relation."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from random import Random

import polars as pl
import pytest

from generators.schemas.author import SchemaProposal, SchemaRequest
from generators.schemas.blueprint import blueprint
from generators.schemas.reified import reified
from generators.schemas.rules import RuleSchemaAuthor
from generators.synthesis.sizes import sized
from generators.synthesis.spec import Specification, Template
from generators.taxonomy.load import load_taxonomy, subdomain
from generators.taxonomy.model import Number
from generators.taxonomy.relations import relation
from generators.taxonomy.values import LineError, hint
from qa.synthesis import verify_graph
from schemagraph.folder.graphdata import edge_file, node_file
from schemagraph.model import SchemaGraph
from tests.generators.synthesis.drawing import draw

TEXT = '''
title = "Flying"
purpose = "Flies."
questions = ["Who flies?"]
core = ["flight", "pilot", "exam", "department"]
uses = ["city"]

[airline]
share = 0.3
airline_code = "code ??; key; noun airline code"
motto = "up 50 | away 50; need"

[flight]
share = 6
flight_no = "code F####; need; prefix FLOWN_BY.airline_code ###"
leaves_at = "datetime 2024..2025; need"
lands_at = "datetime after leaves_at 60..120m; without SERVED_ON"

[plane]
tail_no = "code D-????; key; noun tail number"
bought_on = "date 2001..2003; need"
hull = "wide 50 | slim 50; need"
nickname = "by hull: wide = {colour} {bird} | else {colour} {fish}; need; unique"

[lists]
colour = "red | blue"
bird = "heron | stork"
fish = "pike | trout"

[charter]
share = 3
charter_no = "code CH-#####; key"
begins_on = "date 2010..2025; need"
ends_on = "date after begins_on 20..200; need"

[meal]
share = 5
meal_no = "code ME-#####; key"
served_at = "datetime 2024..2025; need"

[pilot]
share = 2
pilot_no = "code PI-####; key"
hired_on = "date 2010..2024; need"
grade = "captain 50 | copilot 50; need"

[department]
share = 0.3
department_no = "code DE-##; key"
title = "long haul 50 | short haul 50; need"

[exam]
share = 2
exam_no = "code EX-####; key"
held_on = "date 2012..2025; need"
form = "simulator 50 | theory 50; need"

[relations]
"flight FLOWN_BY airline" = "is flown by / flies; n:1"
"charter OF_PLANE plane" = "is of / has; n:1; alone"
"plane OWNED_BY airline" = "is owned by / owns; n:1"
"meal SERVED_ON flight" = "was served on / had; n:1; during"
"pilot FLEW flight" = "flew / was flown by; order hired_on < leaves_at"
"pilot WORKS_IN department" = "works in / employs; n:1"
"department HEADED_BY pilot" = "is headed by / heads; 1:1"
"department LOCATED_IN city" = "is in / has; n:1"
"meal PAID_BY airline" = "was paid by / paid; n:1"

[relations."pilot SAT exam"]
say = """sat / was sat by; node attempt: BY_PILOT was made by / made, IN_EXAM was made in / has;
 order hired_on < held_on; fits grade = form: captain > simulator | copilot > theory"""
tried_on = "date after target.held_on 0..5; need"
seat = "int within target 1..40; need"
'''

type Drawn = tuple[SchemaGraph, Specification, Path]
type Row = dict[str, object]


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> Drawn:
    folder = tmp_path_factory.mktemp("flying")
    (folder / "air").mkdir()
    (folder / "air" / "flying.toml").write_text(TEXT, encoding="utf-8")
    domain = subdomain(load_taxonomy((folder,)), "air/flying")
    made: SchemaProposal | None = None
    for seed in range(200):
        proposal = next(RuleSchemaAuthor().generate(SchemaRequest(domain, 3), Random(seed)))
        if len(proposal.schema.edges) == len(domain.relations) + 1:  # all, one of them as a node
            made = proposal
            break
    assert made is not None
    given = sized(made.schema, made.specification, 1_500)
    draw(made.schema, given, 5, folder / "graph")
    report = verify_graph(folder / "graph", made.schema, given)
    assert report.ok, report.problem()
    return made.schema, given, folder / "graph"


def plain(name: str) -> str:
    return name.casefold().replace("_", "")


def edges(drawn: Drawn, kind: str) -> Iterator[tuple[Row, Row]]:
    """The nodes at both ends of all edges of a type, in the direction of the taxonomy, with their
    properties in small letters."""
    schema, _, folder = drawn
    ends = {"source": {}, "target": {}}  # type: dict[str, dict[tuple[object, ...], Row]]
    edge = next(e for e in schema.edges if plain(e.label) == kind)
    for end, name in (("source", edge.source), ("target", edge.target)):
        node = schema.node_by_name[name]
        for row in pl.read_parquet(node_file(folder, node)).to_dicts():
            key = tuple(row[k] for k in node.key)
            ends[end][key] = {"": key, **{plain(k): v for k, v in row.items()}}
    for row in pl.read_parquet(edge_file(folder, edge)).to_dicts():
        found = []
        for end, name in (("source", edge.source), ("target", edge.target)):
            keys = schema.node_by_name[name].key
            found.append(ends[end][tuple(row[f"{end}.{k}"] for k in keys)])
        yield found[0], found[1]


def test_codes_begin_with_the_code_of_their_parent(drawn: Drawn) -> None:
    pairs = list(edges(drawn, "flownby"))
    assert pairs
    assert all(
        str(flight["flightno"]).startswith(str(airline["airlinecode"])) for flight, airline in pairs
    )
    assert len({str(flight["flightno"]) for flight, _ in pairs}) > len(pairs) / 2


def test_texts_that_must_differ_do_though_there_are_fewer_than_planes(drawn: Drawn) -> None:
    schema, _, folder = drawn
    node = next(n for n in schema.nodes if "Plane" in n.name)
    rows = pl.read_parquet(node_file(folder, node)).rename(plain)
    names = rows["nickname"]
    assert len(names) > 8
    assert names.n_unique() == len(names)
    birds = names.str.contains("heron|stork")
    assert ((rows["hull"] == "wide") == birds).all()


def test_a_plane_has_one_charter_at_a_time(drawn: Drawn) -> None:
    spells = defaultdict(list)
    for charter, plane in edges(drawn, "ofplane"):
        spells[plane[""]].append((str(charter["beginson"]), str(charter["endson"])))
    assert max(map(len, spells.values())) > 2
    for each in spells.values():
        each.sort()
        assert all(one[1] <= other[0] for one, other in pairwise(each))


def test_a_field_has_one_crop_at_a_time_until_it_is_harvested() -> None:
    """The shipped crops end with their harvest."""
    domain = subdomain(load_taxonomy(), "agriculture/crop-farming")
    found = 0
    for seed in range(12):
        made = next(RuleSchemaAuthor().generate(SchemaRequest(domain, 2), Random(seed)))
        ends = {"planting", "sowing", "cultivation", "field", "plot", "parcel"}
        for edge in made.schema.edges:
            if {plain(edge.source), plain(edge.target)} <= ends and edge.source != edge.target:
                assert made.specification.edges[edge.name].alone is not None
                found += 1
    assert found


def test_who_drives_or_flies_is_busy_until_the_arrival() -> None:
    """The ends of what is under way are called after the arrival, not after an end."""
    for path in ("travel/rail-travel", "travel/air-travel"):
        domain = subdomain(load_taxonomy(), path)
        found = 0
        for seed in range(12):
            made = next(RuleSchemaAuthor().generate(SchemaRequest(domain, 3), Random(seed)))
            for edge in made.specification.edges.values():
                if edge.alone is not None and edge.alone.end is not None:
                    found += "arriv" in plain(edge.alone.end)
        assert found, path


def test_what_belongs_to_an_episode_falls_into_it_though_its_end_is_hidden(drawn: Drawn) -> None:
    pairs = list(edges(drawn, "servedon"))
    assert pairs
    assert not any("landsat" in flight for _, flight in pairs)
    for meal, flight in pairs:
        minutes = (meal["servedat"] - flight["leavesat"]).total_seconds() / 60  # type: ignore[operator]  # moments
        assert 0 <= minutes <= 120


def test_who_heads_a_department_works_there(drawn: Drawn) -> None:
    works = {pilot[""]: department[""] for pilot, department in edges(drawn, "worksin")}
    heads = [(pilot[""], department[""]) for department, pilot in edges(drawn, "headedby")]
    assert len(heads) > 3
    assert all(works[pilot] == department for pilot, department in heads)


def test_a_relation_that_is_a_node_keeps_what_it_says_of_its_ends(drawn: Drawn) -> None:
    pilots = {attempt[""]: pilot for attempt, pilot in edges(drawn, "bypilot")}
    attempts = list(edges(drawn, "inexam"))
    assert len(attempts) > 20
    for attempt, exam in attempts:
        pilot = pilots[attempt[""]]
        assert str(pilot["hiredon"]) <= str(exam["heldon"])
        assert exam["form"] == {"captain": "simulator", "copilot": "theory"}[str(pilot["grade"])]
        days = (attempt["triedon"] - exam["heldon"]).days  # type: ignore[operator]  # days
        assert 0 <= days <= 5


def test_a_relation_that_is_a_node_is_numbered_within_its_end(drawn: Drawn) -> None:
    seats = defaultdict(list)
    for attempt, exam in edges(drawn, "inexam"):
        seats[exam[""]].append(attempt["seat"])
    assert max(map(len, seats.values())) > 2
    for each in seats.values():
        assert sorted(each, key=str) == sorted(range(1, len(each) + 1), key=str)


def test_a_line_without_its_goods_costs_what_some_of_the_table_do() -> None:
    domain = subdomain(load_taxonomy(), "retail/grocery-stores")
    node, _ = reified(domain, next(r for r in domain.relations if r.type == "LISTS"))
    price = node.property("price")
    assert price is not None
    assert isinstance(price.value, Number)
    rows = domain.rows[domain.entities["grocery_product"].rows]
    assert set(price.value.parameters) == {float(cost) for cost in rows.column("base_price")}


def test_an_office_is_called_after_its_city(tmp_path: Path) -> None:
    domain = subdomain(load_taxonomy(), "government/public-procurement")
    for seed in range(60):
        made = next(RuleSchemaAuthor().generate(SchemaRequest(domain, 3), Random(seed)))
        named = {
            name: column.of.text
            for node in made.specification.nodes.values()
            for name, column in node.properties.items()
            if isinstance(column.of, Template) and column.of.text.endswith(" {buying_office}")
            if "." in column.of.text
        }
        if named:
            break
    name, text = named.popitem()
    edge, hint = text.split("{")[1].rstrip("} ").split(".")
    at = made.schema.edge_by_name[edge]
    draw(made.schema, sized(made.schema, made.specification, 600), 5, tmp_path)
    ends = [made.schema.node_by_name[end] for end in (at.source, at.target)]
    office, city = (
        pl.read_parquet(node_file(tmp_path, node))
        for node in sorted(ends, key=lambda node: hint in {p.name for p in node.properties})
    )
    towns = tuple(city[hint])
    assert len(office) > 1
    assert all(called.startswith(towns) for called in office[name])


def test_who_lacks_an_address_lives_in_the_country_too(tmp_path: Path) -> None:
    domain = subdomain(load_taxonomy(), "telecommunications/mobile-network")
    for seed in range(60):
        made = next(RuleSchemaAuthor().generate(SchemaRequest(domain, 4), Random(seed)))
        parts = made.specification.edges
        found = [
            n for n, p in parts.items() if p.target.prefer and p.same and "." in p.same[0].source
        ]
        if found:
            break
    edge = made.schema.edge_by_name[found[0]]
    end = made.specification.edges[edge.name].target
    way = made.specification.edges[edge.name].same[0].source.split(".")[0]
    assert end.prefer is not None
    assert end.prefer.share == 1.0
    draw(made.schema, sized(made.schema, made.specification, 600), 5, tmp_path)
    ends = pl.read_parquet(edge_file(tmp_path, edge))
    others = pl.read_parquet(node_file(tmp_path, made.schema.node_by_name[edge.target]))
    assert len(pl.read_parquet(edge_file(tmp_path, made.schema.edge_by_name[way]))) < len(ends)
    key = made.schema.node_by_name[edge.target].key[0]
    home = others.filter(pl.col(end.prefer.column).is_in(end.prefer.values))[key].to_list()
    assert len(home) < len(others)
    assert ends[f"target.{key}"].is_in(home).all()


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("code F####; prefix FLOWN_BY.code ###", ""),
        ("code F####; prefix FLOWN_BY.code", "prefix OPERATED_BY.code"),
        ("code F####; prefix code ###", "prefix OPERATED_BY.code"),
        ("code iban; prefix HELD_AT.bic bban", "prefix HELD_AT.bic iban"),
    ],
)
def test_lines_of_codes(line: str, wrong: str) -> None:
    if not wrong:
        assert hint("number", line).copied[0].own == "###"
        return
    with pytest.raises(LineError, match=wrong):
        hint("number", line)


def test_an_order_may_lead_over_other_relations() -> None:
    made = relation(
        "a B c", "x / y; n:1; order target.OF.PART_OF.since < source.done_on; alone", {}
    )
    assert made.order == (("target.OF.PART_OF.since", "source.done_on"),)
    assert made.alone


def test_a_relation_that_is_always_there_is_in_every_schema_with_both_ends(tmp_path: Path) -> None:
    (tmp_path / "air").mkdir()
    line = '"plane OWNED_BY airline" = "is owned by / owns; n:1"'
    text = TEXT.replace(line, line[:-1] + '; always"')
    (tmp_path / "air" / "flying.toml").write_text(text, encoding="utf-8")
    domain = subdomain(load_taxonomy((tmp_path,)), "air/flying")
    both = 0
    for seed in range(40):
        chosen = blueprint(domain, 3, Random(seed))
        if {"plane", "airline"} <= {entity.name for entity in chosen.entities}:
            both += 1
            assert "OWNED_BY" in {relation.type for relation in chosen.relations}
    assert both


def test_several_properties_of_the_ends_may_be_equal() -> None:
    made = relation("a B c", "x / y; n:1; match name = title; match area = area", {})
    assert made.match == (("name", "title"), ("area", "area"))


def test_a_distance_is_kept_by_the_first_order_and_orders_of_what_is_left_out_are(
    tmp_path: Path,
) -> None:
    (tmp_path / "air").mkdir()
    line = '"meal PAID_BY airline" = "was paid by / paid; n:1"'
    more = '"meal BEFORE charter" = "was before / was after; n:1; order served_at < begins_on;'
    more += ' order cleared_at < begins_on; within 90"'
    text = TEXT.replace(line, f"{line}\n{more}").replace(
        'served_at = "datetime 2024..2025; need"',
        'served_at = "datetime 2024..2025; need"\n'
        'cleared_at = "datetime after served_at 1..3h; without SERVED_ON"',
    )
    (tmp_path / "air" / "flying.toml").write_text(text, encoding="utf-8")
    domain = subdomain(load_taxonomy((tmp_path,)), "air/flying")
    seen = set()
    for seed in range(60):
        chosen = blueprint(domain, 3, Random(seed))
        types = {relation.type for relation in chosen.relations}
        if "BEFORE" not in types:
            continue
        before = next(r for r in chosen.relations if r.type == "BEFORE")
        seen.add((len(before.order), "SERVED_ON" in types))
        made = next(RuleSchemaAuthor().generate(SchemaRequest(domain, 3), Random(seed)))
        orders = [
            [order.within for order in edge.order]
            for edge in made.specification.edges.values()
            if any(order.within == 90 for order in edge.order)
        ]
        assert all(order in ([90], [90, None]) for order in orders)
    assert seen <= {(1, True), (2, False)}
    assert (1, True) in seen
