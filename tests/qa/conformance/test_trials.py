"""The matrix has cells of everything that Graph-IR has, whatever is added to it."""

from __future__ import annotations

from dataclasses import fields
from enum import StrEnum

from graph_ir import nodes as ir
from graph_ir.functions import signatures
from graph_ir.walk import descend
from qa.conformance.constructs import Construct, constructs
from qa.conformance.trials import covered, trials
from qa.conformance.values import KINDS, expression, graph, pools
from qa.fuzz.graphs import read_graph
from schemagraph.model import Kind

NOT_ASKED = {
    **dict.fromkeys(
        ("Create", "Set", "SetItem", "Remove", "Merge", "Delete", "Foreach", "LoadCsv"),
        "writes are recognised and never run",
    ),
    "Param": "an engine that gets a text alone has no value for it",
    "Procedure": "procedures belong to one product",
    "ServerOption": "options belong to one server",
    "Yield": "procedures belong to one product",
}
NOT_CYPHER = set(ir.PathMode)  # path modes have no text that Neo4j's Cypher could be asked by
FEW_VALUES = {Kind.BOOLEAN: 3, Kind.MAP: 18, Kind.POINT: 5}


def test_every_function_has_cells() -> None:
    assert set(signatures()) == covered()


def test_every_node_and_every_option_of_the_ir_has_cells() -> None:
    classes, options = set(), set()
    for trial in trials():
        for node in descend(trial.statement([0])):
            classes.add(type(node).__name__)
            options |= {
                value
                for field in fields(node)
                if isinstance(value := getattr(node, field.name), StrEnum)
            }
    assert set(ir.NODE_CLASSES) - classes == set(NOT_ASKED)
    kinds = (
        *(ir.CompareOp, ir.BoolOp, ir.ArithOp, ir.TextOp, ir.QuantifierKind, ir.Direction),
        *(ir.PathMode, ir.SelectorKind, ir.MatchMode, ir.ExistsForm),
    )
    assert {option for kind in kinds for option in kind} - options == NOT_CYPHER


def test_every_kind_of_value_has_thirty_hostile_ones() -> None:
    for kind, name in KINDS.items():
        values = [value.text for value in pools()[name].values]
        assert len(set(values)) == len(values) >= FEW_VALUES.get(kind, 30), name
        assert "null" in values


def test_constructs_take_pools_that_exist() -> None:
    for construct in constructs():
        for names in construct.combinations():
            assert set(names) <= set(pools()), construct.name
    both = Construct("+", expression("a + b"), (("Text", "Whole"), ("Span", "Day")), pairs=True)
    assert list(both.combinations()) == [("Text", "Span"), ("Whole", "Day")]


def test_the_graph_has_a_node_for_each_value_that_can_be_stored() -> None:
    small = graph()
    for name, pool in pools().items():
        if pool.type is not None:
            assert [row[0] for row in small.rows[name]] == list(pool.kept)
    assert read_graph(small.text()).rows == small.rows
