"""Small pieces of Graph-IR that the translation of SQL builds and looks at."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from sqlglot import exp

from graph_ir import nodes as ir
from graph_ir.walk import descend, rewrite

COUNTED = "counted"
"""Marks divisions in the syntax tree by what is never 0, such as the number of a group's rows."""
GUARDED = "guarded"
"""Marks divisions that decide nothing where the divisor is 0, by what stands beside them."""
OF_TEXT = "of text"
"""Marks constants in the syntax tree that are of the type text, being items of an array or rows."""
OF_ROWS = "of rows"
"""Marks names in the syntax tree that are columns of FROM, whatever output columns are called."""
_RECAST = "recast"  # marks casts of what is made of columns' texts, or that it is not


def all_of(parts: Iterable[ir.Expr]) -> ir.Expr:
    """The parts joined with AND, flat."""
    return _joined(ir.BoolOp.AND, parts)


def any_of(parts: Iterable[ir.Expr]) -> ir.Expr:
    """The parts joined with OR, flat."""
    return _joined(ir.BoolOp.OR, parts)


def _joined(op: ir.BoolOp, parts: Iterable[ir.Expr]) -> ir.Expr:
    flat: list[ir.Expr] = []
    for part in parts:
        same = isinstance(part, ir.Bool) and part.op is op
        flat.extend(part.args if same and isinstance(part, ir.Bool) else (part,))
    return flat[0] if len(flat) == 1 else ir.Bool(op, tuple(flat))


def piped(statement: ir.Statement) -> tuple[ir.Clause, ...]:
    """The statement's clauses with its columns as variables for what follows."""
    if isinstance(statement, ir.Union):
        return (ir.Subquery(statement),)
    last = statement.clauses[-1]
    assert isinstance(last, ir.Project)  # noqa: S101 - a translated query ends in RETURN
    return (*statement.clauses[:-1], replace(last, final=False))


def conjunction(parts: Iterable[ir.Expr]) -> ir.Expr | None:
    """The parts joined with AND, flat; None for no part."""
    listed = list(parts)
    return all_of(listed) if listed else None


def variables(*nodes: ir.Node) -> set[str]:
    """Every variable that occurs in the nodes, in expressions and in patterns."""
    names: set[str] = set()
    for root in nodes:
        for node in descend(root):
            match node:
                case (
                    ir.Var(name=name)
                    | ir.NodePattern(var=str(name))
                    | ir.EdgePattern(var=str(name))
                ):
                    names.add(name)
                case ir.Subquery(imports=imports):
                    names.update(imports)
    names.discard("")
    return names


def with_names(clauses: tuple[ir.Clause, ...], change: dict[str, str]) -> tuple[ir.Clause, ...]:
    """The clauses with other names for some variables."""
    if not change:
        return clauses

    def renamed(node: ir.Node) -> ir.Node:
        match node:
            case ir.Var(name=name) if name in change:
                return replace(node, name=change[name])
            case ir.NodePattern(var=str(name)) if name in change:
                return replace(node, var=change[name])
            case ir.Subquery(imports=imports):
                return replace(node, imports=tuple(change.get(n, n) for n in imports))
            case ir.Item(alias=alias) if alias in change and isinstance(node.expr, ir.Var):
                return replace(node, alias=change[alias])
        return node

    return tuple(rewrite(clause, renamed) for clause in clauses)


def bound_by(clause: ir.Clause) -> list[str]:
    """The variables that a subquery clause binds."""
    if not isinstance(clause, ir.Subquery):
        return []
    statement = clause.query
    while isinstance(statement, ir.Union):
        statement = statement.left
    last = statement.clauses[-1]
    return [item.alias for item in last.items] if isinstance(last, ir.Project) else []


def is_recast(node: exp.Expr, collations: frozenset[str]) -> bool:
    """Whether a cast may give texts of columns with these collations another one: that of a cast is
    the connection's and counts as much as a column's, so that a `_bin` one wins over it (MySQL 8.4:
    Collation Coercibility in Expressions). A column's own `_bin` wins over that of a number made
    text."""
    if isinstance(node, exp.Cast):
        node.meta[_RECAST] = bool(collations)
        return bool(collations)
    own = collations == {"BINARY"}
    casts = casts_text(node)
    return bool(collations) and any(not own or cast.meta.get(_RECAST, True) for cast in casts)


def casts_text(node: exp.Expr) -> list[exp.Cast]:
    """The casts to text in an expression, which have the connection's collation in MySQL."""
    return [cast for cast in node.find_all(exp.Cast) if "CHAR" in str(cast.to.this)]
