"""What GoogleSQL's static types ask of an expression, decided before a text is written.

Cypher compares and mixes values of any types and answers null; GoogleSQL refuses the text
("Conversion rules", supertypes; "Operators", comparison). So kinds are known and fit, or the
construct is refused.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from graph_ir import nodes as ir
from graphmill.errors import Refused
from schemagraph.model import NUMERIC, Kind, Type
from schemagraph.spanner import spanner_type
from translators.base import Caveat
from translators.gql.emit import temporal
from translators.gql.emit.dialect import Gql
from translators.gql.emit.values import kind_of

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


def one_type(node: ir.Expr, parts: Sequence[ir.Expr], what: str) -> None:
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
    lists = [part for part in parts if kind_of(part) is Kind.LIST and part != ir.ListOf(())]
    items = {item_kind(part.type) for part in lists} - {Kind.ANY}
    if len(items) > 1:
        # "Conversion rules": arrays of different items have no type in common.
        names = ", ".join(sorted(items))
        raise Refused("mixed-types", what, f"{what} mixes lists of {names}.", node.span)


def known(node: ir.Expr, what: str) -> None:
    """Refuse a null, or a list of no other, without a type: GoogleSQL takes it for INT64.

    Raises:
        Refused
    """
    nulls = isinstance(node, ir.ListOf) and all(item == ir.Literal(None) for item in node.items)
    of_nulls = kind_of(node) is Kind.LIST and item_kind(node.type) is Kind.NULL
    if kind_of(node) is Kind.NULL or nulls or of_nulls:
        raise Refused("dynamic-value", what, f"{what} of a null or an empty list.", node.span)


def with_items(parts: Sequence[ir.Expr]) -> tuple[ir.Expr, ...]:
    """`parts` with the type that their lists have on those that hold nothing but nulls."""
    kinds = [p.type for p in parts if kind_of(p) is Kind.LIST and item_kind(p.type) not in _OPEN]
    if not kinds:
        return tuple(parts)
    return tuple(replace(p, type=kinds[0]) if only_nulls(p) else p for p in parts)


def only_nulls(node: ir.Expr) -> bool:
    """Whether a list is written with nulls alone."""
    items = node.items if isinstance(node, ir.ListOf) else ()
    return bool(items) and all(item == ir.Literal(None) for item in items)


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


def instants(gql: Gql, what: str, *values: ir.Expr) -> None:
    """Say that stored moments are compared as instants, which is not all that Cypher compares.

    Neo4j tells moments of one instant and two offsets apart; a TIMESTAMP keeps no offset.
    """
    moments = [each for each in values if kind_of(each) is Kind.ZONED_DATETIME]
    offsets = {offset_of(each) for each in moments}
    if len(offsets) < 2 and None not in offsets:
        return
    if None not in offsets:
        reason = "Moments are compared as instants, without their offsets."
        raise Refused("stored-offset", what, reason, values[0].span)
    caveat = Caveat(
        "stored-offset",
        what,
        "Moments are compared as instants: this is the same if equal instants are stored with "
        "one offset.",
        values[0].span,
    )
    if all(known.construct != what for known in gql.caveats):
        gql.caveats.append(caveat)


def offset_of(node: ir.Expr) -> str | None:
    """The time zone of a moment that the query makes, or None."""
    if isinstance(node, ir.Arith) and kind_of(node.left) is Kind.ZONED_DATETIME:
        return offset_of(node.left)
    if not (isinstance(node, ir.Call) and node.name == "datetime"):
        return None
    if not node.args:
        return "UTC"
    (arg,) = node.args
    if isinstance(arg, ir.Literal) and isinstance(arg.value, str):
        return _offset(temporal.constant("datetime", arg.value))
    return None


def _offset(text: str) -> str:
    """The time zone in the extended form of a moment, as GoogleSQL calls it.

    >>> _offset("2024-07-21T21:40:00Z"), _offset("2024-07-21T21:40:00-03:30")
    ('UTC', '-03:30')
    """
    return "UTC" if text.endswith("Z") else text[-6:]
