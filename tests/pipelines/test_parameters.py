"""Parameters get the values that came with the query, else some that the data has."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from graph_ir import nodes as ir
from graph_ir.bind.parameters import Role, uses
from graph_ir.cypher.reader import parse
from graphmill.errors import QueryTextError
from pipelines.configuration.parameters import Filled, fill
from schemagraph.convert.service import convert
from schemagraph.folder.serde import load_schema
from translators.render import render

CONFIG = {
    "schema": [
        {"label": "acc", "type": "VERTEX", "primary": "id", "properties": [
            {"name": "id", "type": "INT64"},
            {"name": "opened", "type": "DATE"},
            {"name": "owner", "type": "STRING"}]},
        {"label": "pays", "type": "EDGE", "constraints": [["acc", "acc"]], "properties": [
            {"name": "amount", "type": "DOUBLE"}]},
    ],
    "files": [
        {"path": "acc.csv", "label": "acc", "columns": ["id", "opened", "owner"]},
        {"path": "pays.csv", "label": "pays", "SRC_ID": "acc", "DST_ID": "acc",
         "columns": ["SRC_ID", "DST_ID", "amount"]},
    ],
}  # fmt: skip


@pytest.fixture(scope="module")
def bank(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A graph of ten accounts, of which each pays the next one."""
    folder = tmp_path_factory.mktemp("bank")
    (folder / "import.json").write_text(json.dumps(CONFIG))
    rows = [f"{n},2024-01-{n:02},owner {n}" for n in range(1, 11)]
    (folder / "acc.csv").write_text("\n".join(rows))
    (folder / "pays.csv").write_text("\n".join(f"{n},{n + 1},{n * 10}.5" for n in range(1, 10)))
    convert(str(folder / "import.json"), folder / "graph")
    return folder / "graph"


def filled(bank: Path, text: str, given: Mapping[str, Any], seed: int = 1) -> Filled:
    """The query with values; every draw is good enough."""
    return fill(parse(text), given, load_schema(bank), bank, lambda _: True, (seed, "bank", 1))


def test_given_values_take_the_type_of_what_they_are_compared_with(bank: Path) -> None:
    text = "MATCH (a:acc {id: $id}) WHERE a.opened > $since AND a.owner IN $names RETURN a.owner"
    given = {"id": 3, "since": "2024-01-02", "names": ["it's", "b"]}
    made = filled(bank, text, given)
    assert made.statement == parse(
        "MATCH (a:acc {id: 3}) WHERE a.opened > date('2024-01-02') "
        "AND a.owner IN ['it\\'s', 'b'] RETURN a.owner"
    )
    assert json.loads(made.text) == given


def test_roles_are_read_from_both_sides_and_through_lists(bank: Path) -> None:
    text = (
        "MATCH (a:acc)-[e:pays*1..2]->(b) WHERE $lo < a.id <= $hi AND "
        "all(x IN e WHERE x.amount > $least) AND a.owner STARTS WITH $p "
        "RETURN b.id SKIP $s LIMIT $l"
    )
    found = uses(parse(text), load_schema(bank))
    assert {name: [use.role for use in each] for name, each in found.items()} == {
        "lo": [Role.ABOVE],
        "hi": [Role.BELOW],
        "least": [Role.ABOVE],
        "p": [Role.PREFIX],
        "s": [Role.START],
        "l": [Role.COUNT],
    }
    assert found["least"][0].owner.of == ("acc-pays-acc",)


def test_drawn_values_are_in_the_data_and_depend_on_the_seed_alone(bank: Path) -> None:
    text = "MATCH (a:acc {id: $id})-[e:pays]->(b) WHERE b.opened < $day AND e.amount > $m RETURN b"
    drawn = [dict(filled(bank, text, {}, seed).values) for seed in (1, 1, 2, 3, 4)]
    assert drawn[0] == drawn[1]
    assert len({value["id"] for value in drawn}) > 1
    for value in drawn:
        assert value["id"] in range(1, 11)
        assert date(2024, 1, 7) < date.fromisoformat(value["day"]) <= date(2024, 1, 10)
        assert value["m"] in (10.5, 20.5, 30.5)


def test_draws_go_on_until_there_is_an_answer(bank: Path) -> None:
    tried: list[Any] = []

    def answers(statement: ir.Statement) -> bool:
        tried.append(statement)
        return len(tried) == 4

    made = fill(
        parse("MATCH (a:acc {id: $id}) RETURN a"), {}, load_schema(bank), bank, answers, (1, "b", 1)
    )
    assert len(tried) == 4
    assert made.statement == tried[3]


@pytest.mark.parametrize(
    ("text", "given", "code"),
    [
        ("MATCH (a:acc) WHERE a.id * 2 = $x RETURN a", {}, "unbound-parameter"),
        ("MATCH (a:acc {id: $x.y}) RETURN a", {}, "unbound-parameter"),
        ("MATCH (a:acc $props) RETURN a", {}, "unbound-parameter"),
        ("MATCH (a:acc $props) RETURN a", {"props": 5}, "bad-parameter"),
        ("MATCH (a:acc {id: $x}) RETURN a", {"x": object()}, "bad-parameter"),
        ("MATCH (a:acc {id: $x}) RETURN a", {"x": {"$bytes": "AA=="}}, "bad-parameter"),
        ("RETURN $x AS x", {"x": [{"$bytes": "AA=="}]}, "bad-parameter"),
        ("MATCH (a:acc {id: $x}) RETURN a", {"x": 2**63}, "integer-overflow"),
        ("MATCH (a:acc) WHERE a.id IN $x RETURN a", {"x": [1, -(2**63) - 1]}, "integer-overflow"),
    ],
)
def test_what_has_no_value(bank: Path, text: str, given: Mapping[str, Any], code: str) -> None:
    with pytest.raises(QueryTextError) as caught:
        filled(bank, text, given)
    assert caught.value.code == code


def test_a_map_of_properties(bank: Path) -> None:
    made = filled(bank, "MATCH (a:acc $props) RETURN a.id", {"props": {"id": 4}})
    assert "(a:acc {id: 4})" in render(made.statement, "cypher").text
