"""Terms of the glossary whose condition is one comparison, which sentences say and growth asks.

Others stay in the file for whoever reads it: a condition of several parts has no one place in a
sentence.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from generators.questions.lexicon.model import Lexicon, Term
from graph_ir import nodes as ir
from graph_ir.cypher.reader import parse
from graphmill.errors import QueryTextError

type Comparison = tuple[str, str, bool | int | float | str]  # property, operator, value


def comparison(term: Term) -> Comparison | None:
    """The property, operator and value that a term compares; None where it asks something else."""
    return _comparison(term.holds)


def term_for(lexicon: Lexicon, owner: str, key: str, op: str, value: Any) -> Term | None:
    """The term for the nodes of a type whose property compares so with a value."""
    for term in lexicon.terms(owner):
        asked = comparison(term)
        if asked == (key, op, value) and isinstance(asked[2], bool) == isinstance(value, bool):
            return term
    return None


@cache
def _comparison(holds: str) -> Comparison | None:
    try:
        statement = parse(f"MATCH (n) RETURN {holds} AS holds")
    except QueryTextError:
        return None
    last = statement.clauses[-1] if isinstance(statement, ir.Query) else None
    match last.items[0].expr if isinstance(last, ir.Project) else None:
        case ir.Prop(ir.Var("n"), key):
            return key, "=", True
        case ir.Compare(
            op, ir.Prop(ir.Var("n"), key), ir.Literal(bool() | int() | float() | str() as value)
        ):
            return (key, op.value, value) if op is not ir.CompareOp.NE else None
    return None
