"""Classes of errors: mutants of a known kind, and wrong queries labelled by hand."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import pytest

from evaluation.metrics.difference import classify, steps
from evaluation.metrics.idioms import idiom
from graph_ir import nodes as ir
from graph_ir.bind.statements import bind
from graph_ir.canonical import canonical, fingerprint
from graph_ir.cypher.reader import parse
from graphmill.errors import QueryTextError
from qa.mutation.mutants import OPERATORS, mutants
from schemagraph.model import SchemaGraph
from tests.blocks import Block, blocks
from tests.schema_text import read_schema

TESTS = Path(__file__).parents[1]
MUTANTS = TESTS / "qa" / "mutation" / "mutants.txt"
WRONG = Path(__file__).with_name("wrong.txt")

CLASSES = {
    "condition": {
        "dropped-predicate",
        "relaxed-comparison",
        "negated-comparison",
        "changed-constant",
        "changed-text-test",
        "changed-connective",
        "dropped-negation",
        "negated-existence",
        "changed-null-test",
        "changed-quantifier",
        "changed-arithmetic",
    },
    "schema": {
        "changed-label",
        "dropped-label",
        "changed-edge-type",
        "dropped-edge-type",
        "flipped-direction",
        "lost-direction",
        "changed-property",
    },
    "structure": {
        "changed-hops",
        "dropped-hop",
        "inner-for-optional",
        "optional-for-inner",
        "lost-uniqueness",
        "lost-distinct",
        "lost-aggregate-distinct",
        "lost-order",
        "flipped-order",
        "lost-limit",
        "changed-limit",
        "lost-skip",
        "changed-union",
        "dropped-union-branch",
        "lost-stage",
    },
    "aggregation": {
        "wrong-aggregate",
        "changed-count",
        "dropped-grouping-key",
    },
}
CLASS_OF = {operator: name for name, operators in CLASSES.items() for operator in operators}


@pytest.fixture(scope="module")
def music() -> SchemaGraph:
    return read_schema((TESTS / "translators" / "music.schema").read_text("utf-8"))


def bound(text: str, schema: SchemaGraph) -> ir.Statement:
    return bind(parse(text), schema).statement


def test_every_operator_has_a_class() -> None:
    assert set(CLASS_OF) == set(OPERATORS)


def test_mutants_of_known_kind_have_their_class(music: SchemaGraph) -> None:
    """Each mutant as it is, and with other variables and the parts in another order."""
    right: Counter[bool] = Counter()
    wrong: list[str] = []
    operators = set()
    for block in blocks(MUTANTS):
        gold = bound(block.lines[0], music)
        for mutant in mutants(gold, music, Random(1), cap=None):
            if fingerprint(mutant.statement) == fingerprint(gold):
                continue
            operators.add(mutant.operator)
            for text in (mutant.statement, canonical(mutant.statement)):
                predicted = bind(text, music).statement
                found = classify(gold, predicted, right=False, code="", parses=True, schema=music)
                is_right = found.category == CLASS_OF[mutant.operator]
                right[is_right] += 1
                if not is_right:
                    wrong.append(f"{mutant.operator}: {found} {block.lines[0]}")
                assert found.repair, block.lines[0]
    assert right.total() >= 300
    assert operators == set(OPERATORS)
    assert right[True] / right.total() >= 0.95, "\n".join(wrong)


def test_the_same_query_has_no_difference(music: SchemaGraph) -> None:
    for block in blocks(MUTANTS):
        gold = bound(block.lines[0], music)
        other = bind(canonical(gold), music).statement
        assert steps(gold, other) == [], block.lines[0]


@pytest.mark.parametrize("block", list(blocks(WRONG)), ids=lambda block: block.place)
def test_wrong_queries_have_the_class_that_a_reader_gives(block: Block, music: SchemaGraph) -> None:
    gold_text, *lines = block.lines
    gold = bound(gold_text, music)
    for line in lines:
        label, _, text = line.partition(": ")
        try:
            predicted: ir.Statement | None = bound(text, music)
            code, parses = "", True
        except QueryTextError as problem:
            predicted, parses = None, False
            code = "idiom" if idiom(text, "cypher") else problem.code
        found = classify(gold, predicted, right=False, code=code, parses=parses, schema=music)
        kind = found.details[0].replace(": ", "/") if found.details else found.category
        assert kind == label, f"{text}: {found}"
