"""Runs `proofs.txt`; what is proven equal answers alike on random graphs made for both queries."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from graph_ir import nodes as ir
from graph_ir.bind.statements import bind
from graph_ir.cypher.reader import parse
from graph_ir.walk import rewrite
from qa.mutation.instances import MODES, instance
from qa.mutation.interpreter.clauses import Program
from qa.mutation.interpreter.elements import MemoryGraph
from qa.mutation.mutants import mutants
from qa.mutation.plan import plan_of
from qa.mutation.proofs import RULES, Prover
from qa.mutation.verdict import tells_apart
from tests.blocks import Block, blocks
from tests.qa.mutation.test_mutants import bound, schema_of

HERE = Path(__file__).parent
BLOCKS = list(blocks(HERE / "proofs.txt"))
GRAPHS = 40


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: block.place)
def test_proofs(block: Block) -> None:
    schema = schema_of(block.settings["schema"])
    query, mutant = (bound(text, schema) for text in block.lines[:2])
    proof = Prover(query, schema).proof(mutant)
    assert (proof or "none") == block.lines[2]
    told = False
    plans = [plan_of(each, schema) for each in (query, mutant)]
    programs = Program(query), Program(mutant)
    for seed in range(GRAPHS):
        mode = MODES[seed // 2 % len(MODES)]
        small = instance(plans[:: -1 if seed % 2 else 1], schema, Random(seed), mode)
        graph = MemoryGraph(small if seed else type(small)(schema, {}))
        told |= tells_apart(programs[0].run(graph), programs[1].run(graph), loses_order=True)
    assert told is (not proof)


def test_every_proof_has_a_fixture() -> None:
    named = {name for block in BLOCKS for name in block.lines[2].split("+")}
    # Cypher cannot say that edges may repeat: the test below is for that.
    assert named == {*RULES, "canonical", "no-match", "none"} - {"different-ends"}


def test_edges_that_cannot_be_one_need_no_uniqueness() -> None:
    schema = schema_of("music")
    pattern = "MATCH (p:Person)-[:MEMBER_OF]->(b:Band)<-[:MEMBER_OF]-(q:Person)"
    for condition, proof in (("p.born < q.born", "different-ends"), ("p.born <= q.born", "")):
        query = bound(f"{pattern} WHERE {condition} RETURN b.name AS name", schema)
        loose = rewrite(
            query,
            lambda node: (
                replace(node, mode=ir.MatchMode.REPEATABLE) if isinstance(node, ir.Match) else node
            ),
        )
        mutant = bind(loose, schema).statement
        assert Prover(query, schema).proof(mutant) == proof
        plans, told = [plan_of(query, schema)], False
        for seed in range(GRAPHS):
            graph = MemoryGraph(instance(plans, schema, Random(seed), MODES[seed % len(MODES)]))
            told |= tells_apart(Program(query).run(graph), Program(mutant).run(graph))
        assert told is (not proof)


def test_nothing_that_is_proven_is_told_apart() -> None:
    """Over all mutants of the fixtures' queries."""
    proven = 0
    for name, text in dict.fromkeys((b.settings["schema"], b.lines[0]) for b in BLOCKS):
        schema = schema_of(name)
        query = bind(parse(text), schema).statement
        prover, program = Prover(query, schema), Program(query)
        for mutant in mutants(query, schema, Random(3), cap=None):
            if not prover.proof(mutant.statement):
                continue
            proven += 1
            other = Program(mutant.statement)
            plans = [plan_of(query, schema), plan_of(mutant.statement, schema)]
            for seed in range(12):
                graph = MemoryGraph(instance(plans, schema, Random(seed)))
                assert not tells_apart(program.run(graph), other.run(graph)), mutant
    assert proven > 20
