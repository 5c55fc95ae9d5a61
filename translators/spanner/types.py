"""What GoogleSQL's static types ask of an expression, decided before a text is written.

Cypher compares and mixes values of any types and answers null; GoogleSQL refuses the text
("Conversion rules", supertypes; "Operators", comparison). So kinds are known and fit, or the
construct is refused.
"""

from __future__ import annotations

from collections.abc import Iterable

from graph_ir import nodes as ir
from graphmill.errors import Refused
from schemagraph.model import NUMERIC, Kind, Type
from schemagraph.spanner import spanner_type
from translators.gql.values import kind_of

ELEMENTS = frozenset({Kind.NODE, Kind.EDGE, Kind.PATH})
_OPEN = frozenset({Kind.ANY, Kind.NULL})
_ORDERED = frozenset(
    {Kind.BOOLEAN, Kind.INTEGER, Kind.FLOAT, Kind.STRING, Kind.BYTES, Kind.DATE}
    | {Kind.DATETIME, Kind.ZONED_DATETIME}
)


def comparable(node: ir.Expr, left: ir.Expr, right: ir.Expr, *, equality: bool) -> None:
    """Refuse a comparison of values that GoogleSQL does not compare.

    Raises:
        Refused
    """
    kinds = {kind_of(left), kind_of(right)} - _OPEN
    if kinds <= NUMERIC or (len(kinds) == 1 and kinds <= _ORDERED):
        return
    if equality and len(kinds) == 1 and kinds <= {Kind.NODE, Kind.EDGE}:
        return
    names = " and ".join(sorted(kinds))
    if kinds & (ELEMENTS | {Kind.MAP}):
        raise Refused(
            "element-comparison", names, f"Spanner does not compare values of {names}.", node.span
        )
    raise Refused("type", names, f"Spanner does not compare {names} so.", node.span)


def one_type(node: ir.Expr, parts: Iterable[ir.Expr], what: str) -> None:
    """Refuse values that have no type in common, where GoogleSQL wants one.

    Raises:
        Refused
    """
    kinds = {kind_of(part) for part in parts} - _OPEN
    if kinds & ELEMENTS:
        # "Graph element typed expression is not allowed here": an element is a variable.
        raise Refused("element-expression", what, f"{what} of nodes, edges or paths.", node.span)
    if len(kinds) > 1 and not kinds <= NUMERIC:
        names = ", ".join(sorted(kinds))
        raise Refused("mixed-types", what, f"{what} mixes values of {names}.", node.span)


def known(node: ir.Expr, what: str) -> None:
    """Refuse a null, or a list of no other, without a type: GoogleSQL takes it for INT64.

    Raises:
        Refused
    """
    nulls = isinstance(node, ir.ListOf) and all(item == ir.Literal(None) for item in node.items)
    if node == ir.Literal(None) or nulls:
        raise Refused("dynamic-value", what, f"{what} of a null or an empty list.", node.span)


def typed_null(of: ir.Expr) -> str | None:
    """NULL of the type that `of` has, or None where the type is not known."""
    known = spanner_type(of.type) or spanner_type(Type(kind_of(of)))
    return f"CAST(NULL AS {known})" if known else None


def storable(node: ir.Expr, what: str) -> None:
    """Refuse what can be neither a column nor an item of an array.

    "Graph elements cannot be returned"; a STRUCT is no column (Spanner documentation, "Work with
    STRUCT objects"), and an array holds no arrays ("Data types").

    Raises:
        Refused
    """
    of = node.type
    kind = kind_of(node)
    inner = of.item.kind if kind is Kind.LIST and of.item is not None else None
    if kind in ELEMENTS or inner in ELEMENTS:
        raise Refused(
            "element-output",
            what,
            "Spanner neither returns nodes, edges and paths nor collects them.",
            node.span,
        )
    if Kind.MAP in (kind, inner):
        raise Refused("map-value", what, "A map has no exact form in Spanner's GQL.", node.span)
    if Kind.DURATION in (kind, inner):
        raise Refused("duration", what, "A duration is no value in Spanner.", node.span)


def item_kind(of: Type) -> Kind:
    """The kind of a list's items; ANY where it is not known."""
    return of.item.kind if of.item is not None else Kind.ANY
