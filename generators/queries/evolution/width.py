"""How often the pattern of a query is matched, whatever its answer is."""

from __future__ import annotations

from dataclasses import replace

from generators.queries.archetypes.estimates import Estimates
from generators.queries.base import Ground
from graph_ir import nodes as ir
from graph_ir.bind.statements import bound
from graph_ir.features import SUBQUERIES
from graph_ir.lowerings import conjunction, conjuncts
from graph_ir.walk import find

MOST_MATCHES = 100_000  # of a pattern; with more, engines differ in seconds, not in milliseconds
MOST_ASKED = 20_000  # of one with a subquery among its conditions, which is run for each of them


def exceeded(statement: ir.Statement, ground: Ground) -> str:
    """Why the first pattern of a query is matched too often; empty where it is not.

    Engines find every match, though the answer may have one row; they run subqueries for each.
    The matches are counted only where figures of the data say that there may be so many.
    """
    own = bound(statement, ground.schema).statement
    first: list[ir.Match] = []
    most = MOST_MATCHES
    for clause in own.clauses if isinstance(own, ir.Query) else ():
        if not isinstance(clause, ir.Match):
            break
        tests = conjuncts(clause.where)
        plain = [test for test in tests if next(find(test, *SUBQUERIES), None) is None]
        most = most if len(plain) == len(tests) else MOST_ASKED
        first.append(replace(clause, where=conjunction(*plain)))
    if Estimates(ground.schema, ground.statistics).matches(first) <= most:
        return ""
    one = ir.Project((ir.Item(ir.Literal(1), "one"),), limit=ir.Literal(most + 1))
    number = ir.Project((ir.Item(ir.Agg("count"), "number"),), final=True, group=())
    counted = ground.ask(ir.Query((*first, one, number)))
    fits = counted is not None and counted.rows[0][0] <= most
    return "" if fits else f"Its pattern has more than {most:,} matches."
