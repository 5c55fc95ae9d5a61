"""Conditions that the glossary has a term for, in the place of those that chance drew."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from generators.questions.lexicon.model import Term
from generators.questions.lexicon.terms import comparison
from graph_ir import nodes as ir
from graph_ir.lowerings import conjunction, conjuncts
from graph_ir.walk import find, rewrite

_SHARE = 0.5  # of the conditions that a term could take the place of
_ADDED = 0.3  # of the queries about what has terms that are asked of those alone
_SIDES = {
    ir.CompareOp.GT: {">", ">="},
    ir.CompareOp.GE: {">", ">="},
    ir.CompareOp.LT: {"<", "<="},
    ir.CompareOp.LE: {"<", "<="},
    ir.CompareOp.EQ: {"="},
}


def with_terms(statement: ir.Statement, terms: Sequence[Term], rng: Random) -> ir.Statement:
    """The query with the limits of terms: "veteran actors" for actors over 47, or for actors.

    A query that shows only the first few is left alone, as its window was set at a gap of the data.
    """
    if not terms or any(p.limit is not None for p in find(statement, ir.Project)):
        return statement
    types = {
        node.var: node.labels.name
        for node in find(statement, ir.NodePattern)
        if node.var and isinstance(node.labels, ir.LabelName)
    }

    def change(node: ir.Node) -> ir.Node:
        match node:
            case ir.Compare(op, ir.Prop(ir.Var(name), key), ir.Literal()) if name in types:
                fitting = [
                    asked
                    for term in terms
                    if term.of == types[name] and (asked := comparison(term)) is not None
                    if asked[0] == key and asked[1] in _SIDES.get(op, ())
                ]
                if fitting and rng.random() < _SHARE:
                    _, side, value = rng.choice(fitting)
                    return replace(node, op=ir.CompareOp(side), right=ir.Literal(value))
        return node

    changed = rewrite(statement, change)
    held = [clause.where for clause in find(statement, ir.Match) if clause.where is not None]
    return changed if held else _narrowed(changed, types, terms, rng)


def _narrowed(
    statement: ir.Statement, types: dict[str, str], terms: Sequence[Term], rng: Random
) -> ir.Statement:
    """The query of those alone that a term holds for."""
    if not isinstance(statement, ir.Query) or not isinstance(statement.clauses[0], ir.Match):
        return statement
    first = statement.clauses[0]
    fitting = [
        (name, asked)
        for name, type_ in types.items()
        for term in terms
        if term.of == type_ and (asked := comparison(term)) is not None
        if any(node.var == name for path in first.paths for node in find(path, ir.NodePattern))
    ]
    if first.optional or not fitting or rng.random() >= _ADDED:
        return statement
    name, (key, op, value) = rng.choice(fitting)
    test = ir.Compare(ir.CompareOp(op), ir.Prop(ir.Var(name), key), ir.Literal(value))
    where = conjunction(*conjuncts(first.where), test)
    return replace(statement, clauses=(replace(first, where=where), *statement.clauses[1:]))
