"""Limits that stand at a gap in the data, so that "the top three" are three."""

from __future__ import annotations

from dataclasses import replace

from engines.compare import tied
from generators.queries.archetypes.rounding import FIRSTS
from generators.queries.base import Ground
from graph_ir import nodes as ir
from graph_ir.rewrites import probe

_MOST = 11  # rows that are looked at: up to ten that a question asks for, and the next


def at_gap(statement: ir.Statement, ground: Ground) -> ir.Statement | None:
    """The statement with its limit where no two rows tie: as it is where it can stay, else the
    nearest one; None where there is none.

    Only the first limit is looked at; a statement without one stays as it is.
    """
    if not isinstance(statement, ir.Query):
        return statement
    limited = [
        (place, clause)
        for place, clause in enumerate(statement.clauses)
        if isinstance(clause, ir.Project) and isinstance(clause.limit, ir.Literal)
    ]
    if not limited:
        return statement
    place, clause = limited[0]
    wanted = clause.limit.value if isinstance(clause.limit, ir.Literal) else None
    if not isinstance(wanted, int):
        return statement
    open_ended = replace(clause, limit=ir.Literal(_MOST), where=None, final=True)
    asked = probe(ir.Query((*statement.clauses[:place], open_ended)))
    if asked is None:
        return None
    answer = ground.ask(asked.statement, _MOST + 1)
    if answer is None:
        return None
    width = len(answer.columns) - asked.keys
    keys = [row[width:] for row in answer.rows]
    gaps = [n for n in range(1, len(keys)) if not tied(keys[n - 1], keys[n], asked.rough)]
    gaps = [n for n in gaps if (n == 1) == (wanted == 1)]
    gaps = [n for n in gaps if n in FIRSTS] or gaps
    if not gaps:
        return None
    best = min(gaps, key=lambda n: (abs(n - wanted), n))
    changed = replace(clause, limit=ir.Literal(best))
    return replace(
        statement, clauses=(*statement.clauses[:place], changed, *statement.clauses[place + 1 :])
    )
