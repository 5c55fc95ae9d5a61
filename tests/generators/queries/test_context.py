"""What a prompt shows of a graph: instances that differ in value and in what is around them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

import pytest

from engines.base import Result
from generators.queries.model.context import INSTANCES, LETTERS, instance_lines
from graph_ir import nodes as ir
from graph_ir.cypher.reader import parse
from schemagraph.folder.statistics import GraphStatistics
from tests.generators.queries.choirs import SCHEMA

QUERY = parse("MATCH (h:Hall) RETURN h.name")


@dataclass
class Halls:
    """A `Ground` with two hundred halls, whose properties are told by a number."""

    properties: Callable[[int], dict[str, Any]]
    schema = SCHEMA
    statistics = GraphStatistics({}, {}, {})

    def ask(self, statement: ir.Statement, limit: int | None = None) -> Result:
        """A row for each hall; in every tenth one a choir is at home, else there are concerts."""
        assert isinstance(statement, ir.Query)
        last = statement.clauses[-1]
        assert isinstance(last, ir.Project)
        columns = tuple(item.alias for item in last.items)
        rows = []
        for number in range(200):
            hall = {"labels": ["Hall"], "properties": self.properties(number)}
            kind, label = ("BASED_AT", "Choir") if number % 10 == 9 else ("HELD_AT", "Concert")
            other = {"labels": [label], "properties": {"title": f"no. {number}"}}
            whole = (hall, {"type": kind, "properties": {}}, other)
            rows.append(whole[: len(columns)])
        return Result(columns, tuple(rows))


def halls(properties: Callable[[int], dict[str, Any]], seed: int) -> list[str]:
    """The lines of rows, without those of neighbours."""
    lines = instance_lines(QUERY, Halls(properties), Random(seed))
    return [line for line in lines if ";" not in line]


@pytest.mark.parametrize("seed", range(20))
def test_rare_values_are_among_the_instances(seed: int) -> None:
    lines = halls(lambda n: {"name": f"Hall {n}", "style": "tent" if n == 77 else "brick"}, seed)
    assert len(lines) == INSTANCES
    assert sum("tent" in line for line in lines) == 1


@pytest.mark.parametrize("seed", range(20))
def test_numbers_come_from_every_quarter(seed: int) -> None:
    lines = halls(lambda n: {"rent": 10 * n + 0.5}, seed)
    rents = sorted(float(line.split("rent: ")[1].split("}")[0]) for line in lines)
    assert [int(rent // 500) for rent in rents] == [0, 1, 2, 3]


@pytest.mark.parametrize("seed", range(20))
def test_a_missing_value_is_an_instance(seed: int) -> None:
    def rents(number: int) -> dict[str, Any]:
        return {"name": f"Hall {number}", **({} if number == 5 else {"rent": 12.5})}

    assert any("rent" not in line for line in halls(rents, seed))


@pytest.mark.parametrize("seed", range(20))
def test_each_kind_of_neighbour_has_its_turn(seed: int) -> None:
    lines = instance_lines(QUERY, Halls(lambda n: {"name": f"Hall {n}"}), Random(seed))
    beside = [line for line in lines if ";" in line]
    assert ["BASED_AT" in line for line in beside[:2]].count(True) == 1
    assert ["BASED_AT" in line for line in beside].count(True) == len(beside) // 2


def test_the_lines_fit_into_their_room() -> None:
    lines = instance_lines(QUERY, Halls(lambda n: {"name": f"{n} " + 3000 * "x"}), Random(1))
    assert sum(map(len, lines)) <= LETTERS
