"""What a text leaves open and the types of its values tell: the last step of reading."""

from __future__ import annotations

from dataclasses import replace

from graph_ir import nodes as ir
from graph_ir.bind.statements import bind
from graph_ir.rewrites import sum_or_null
from graph_ir.types import sum_over_integer
from graph_ir.walk import by_class, find, rewrite
from graphmill.errors import Refused
from schemagraph.model import SchemaGraph
from translators.gql.emit.expressions import no_integer
from translators.gql.emit.uniqueness import can_repeat_edge
from translators.gql.reader.build import OpenMatch
from translators.gql.reader.flavours import Flavour
from translators.gql.reader.idioms.lists import rebuilt
from translators.gql.reader.idioms.recognise import has_idioms, raised
from translators.gql.reader.idioms.values import is_truncated


def settled(statement: ir.Statement, schema: SchemaGraph | None, flavour: Flavour) -> ir.Statement:
    """`statement` with nothing left open.

    Raises:
        Refused: an implementation may choose, and the choice shows.
    """
    opened = _is_open(statement, flavour)
    idioms = has_idioms(statement)
    if not (opened or idioms):
        return statement
    plain = closed(statement)
    if idioms:
        plain = rebuilt(plain, lambda made: bind(made, schema).statement)
    typed = bind(plain, schema).statement
    if opened:
        whole = typed if not idioms else bind(closed(statement), schema).statement
        for before, after in zip(find(statement, ir.Match), find(whole, ir.Match), strict=True):
            if isinstance(before, OpenMatch):
                _check_mode(after)
    if not flavour.truncates:
        for quotient in find(typed, ir.Arith):
            if quotient.op is ir.ArithOp.DIV and not is_truncated(quotient):
                _check_quotient(quotient)
    return raised(typed) if idioms else plain


def closed(statement: ir.Statement) -> ir.Statement:
    """`statement` with every open MATCH as Cypher has it, whether that shows or not."""
    return rewrite(statement, _closed)


def _is_open(statement: ir.Statement, flavour: Flavour) -> bool:
    inside = by_class(statement)
    if OpenMatch in inside:
        return True
    if flavour.truncates or ir.Arith not in inside:
        return False
    return any(node.op is ir.ArithOp.DIV for node in find(statement, ir.Arith))


def _closed(node: ir.Node) -> ir.Node:
    if isinstance(node, OpenMatch):
        paths = tuple(
            replace(path, mode=None) if path.mode is ir.PathMode.TRAIL else path
            for path in node.paths
        )
        return ir.Match(paths, node.where, node.optional, span=node.span)
    return node


def _check_mode(match: ir.Match) -> None:
    if can_repeat_edge(match.paths):
        raise Refused(
            "open-match-mode",
            "MATCH",
            "Whether this MATCH may bind one edge twice is left open by the standard: write "
            "DIFFERENT EDGES or REPEATABLE ELEMENTS, or read the text as the profile of an "
            "engine.",
            match.span,
        )


def _check_quotient(node: ir.Arith) -> None:
    match node.left:
        case ir.Call(name="coalesce", args=(total, ir.Literal(value=0))):
            left = sum_or_null(total) or total
        case left:
            pass
    if not no_integer(node) and not sum_over_integer(left.type, node.right.type):
        raise Refused(
            "integer-division",
            "/",
            "These may both be integers, and the standard leaves open whether their quotient is "
            "one: write (a - MOD(a, b)) / b, or CAST one of them.",
            node.span,
        )
