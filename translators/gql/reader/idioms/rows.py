"""The rows of a GQL query that walks a list by FOR, which idioms are made of."""

from __future__ import annotations

from dataclasses import dataclass

from graph_ir import nodes as ir
from translators.gql.emit.values import nullable


@dataclass(frozen=True, slots=True)
class ItemRows:
    """`FOR var IN list FILTER test`."""

    list: ir.Expr
    var: str
    test: ir.Expr | None


def item_rows(query: ir.Statement) -> ItemRows | None:
    """The rows of a query that walks a list and returns the item or a constant."""
    if isinstance(query, ir.Union) or not isinstance(query.clauses[0], ir.Unwind):
        return None
    first, rest = query.clauses[0], query.clauses[1:]
    test: ir.Expr | None = None
    if rest and isinstance(rest[0], ir.Project) and only_filters(rest[0]):
        test, rest = rest[0].where, rest[1:]
    if len(rest) > 1:
        return None
    if rest:
        last = rest[0]
        if not isinstance(last, ir.Project) or not is_bare(last) or last.where is not None:
            return None
        if len(last.items) != 1 or not (
            last.items[0].expr == ir.Var(first.alias) or isinstance(last.items[0].expr, ir.Literal)
        ):
            return None
    return ItemRows(first.expr, first.alias, test)


def is_bare(project: ir.Project) -> bool:
    """Whether a projection neither groups, sorts, cuts nor drops repeats."""
    return not (
        project.distinct
        or project.order
        or project.group is not None
        or project.skip is not None
        or project.limit is not None
    )


def only_filters(project: ir.Project) -> bool:
    """Whether a projection is a FILTER: it hands all that it has on."""
    return (
        project.where is not None
        and not project.final
        and is_bare(project)
        and all(item.expr == ir.Var(item.alias) for item in project.items)
    )


def can_be_null(rows: ItemRows) -> bool:
    """Whether a test over these rows can be null."""
    return nullable(rows.list) or rows.test is None or nullable(rows.test)


def existing_rows(node: ir.Expr, *, tested: bool = False) -> ItemRows | None:
    """The rows that an EXISTS walks, also where it has become the quantifier that it is.

    `tested`: the node is a condition, where null and false do the same.
    """
    match node:
        case ir.Exists(query):
            return item_rows(query)
        case ir.Quantifier(ir.QuantifierKind.ANY, var, listed, test):
            if tested or not node.type.nullable:
                return ItemRows(listed, var, test)
    return None
