"""Conditions that the glossary has a term for, in the place of those that chance drew."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from generators.questions.lexicon.model import Term
from generators.questions.lexicon.terms import comparison
from graph_ir import nodes as ir
from graph_ir.walk import find, rewrite

_SHARE = 0.5  # of the conditions that a term could take the place of
_SIDES = {
    ir.CompareOp.GT: {">", ">="},
    ir.CompareOp.GE: {">", ">="},
    ir.CompareOp.LT: {"<", "<="},
    ir.CompareOp.LE: {"<", "<="},
    ir.CompareOp.EQ: {"="},
}


def with_terms(statement: ir.Statement, terms: Sequence[Term], rng: Random) -> ir.Statement:
    """The query with the limits of terms: "veteran actors" for actors over 47.

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

    return rewrite(statement, change)
