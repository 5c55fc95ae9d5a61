"""What both profiles of grafeo print in the same way."""

from __future__ import annotations

from graph_ir import nodes as ir
from graph_ir.reference.element_order import refuse_ordered_elements
from graph_ir.reference.folding import folds_as_floats, refuse_folded, refuse_picked_zero
from graph_ir.walk import find
from graphmill.errors import Refused
from schemagraph.model import SchemaGraph
from translators.grafeo.asked import truths
from translators.grafeo.comparisons import exact_comparisons
from translators.grafeo.confusions import check_edge_types, refuse_borrowed_names
from translators.grafeo.elements import by_identity, named_elements, refuse_mapped
from translators.grafeo.extremes import signed_extremes
from translators.grafeo.functions import exact_functions
from translators.grafeo.temporal import exact_temporal
from translators.grafeo.texts import exact_texts


def exact(statement: ir.Statement, schema: SchemaGraph | None) -> ir.Statement:
    """The statement as grafeo has to be asked so that its values mean what Cypher's do.

    Raises:
        Refused: there is no such statement.
    """
    check_edge_types(statement, schema)
    refuse_borrowed_names(statement)
    refuse_folded(statement)
    refuse_ordered_elements(statement, sorts=True)
    refuse_picked_zero(statement)
    refuse_mapped(statement)
    statement = truths(statement)
    named = named_elements(by_identity(statement), schema)
    compared = signed_extremes(exact_comparisons(named, schema))
    _refuse_constants(compared)
    return exact_temporal(exact_texts(exact_functions(compared, schema)), schema)


def _refuse_constants(statement: ir.Statement) -> None:
    """Beside aggregates constants stay as they are written; grafeo compares them by value.

    Raises:
        Refused: Neo4j has some for equal as floats.
    """
    for node in find(statement, ir.Compare):
        if folds_as_floats(node.left, node.right):
            reason = "Constants beyond 2^53 that are one float are compared beside an aggregate."
            raise Refused("comparison", node.op.value, reason, node.span)


def same_texts(left: str, right: str) -> str:
    """Whether two lists or maps print alike: texts do so with quotation marks, at any depth."""
    return f"toString({left}) = toString({right})"
