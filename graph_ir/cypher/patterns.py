"""Paths and label expressions from the parts that the grammar found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from graph_ir import nodes as ir
from graph_ir.cypher.scanning import Token, failed
from graphmill.errors import QueryTextError, Span


class Group:
    """A parenthesised pattern, before it is known whether a quantifier follows."""

    def __init__(
        self, begin: Token, path: ir.Path, where: ir.Expr | None, quantifier: Token | None
    ) -> None:
        self.begin = begin
        self.path = path
        self.where = where
        self.quantifier = quantifier


def path_of(chain: Sequence[Any]) -> ir.Path:
    """A linear path of nodes, edges and groups; groups bring unnamed nodes where none stand."""
    first = chain[0]
    if isinstance(first, Group):
        if len(chain) == 1 and first.quantifier is None:
            if first.where is not None:
                raise failed(
                    first.begin,
                    "A parenthesised pattern with WHERE needs a quantifier, such as {1,3}.",
                    "unquantified-group",
                )
            return first.path
        head, rest = ir.NodePattern(), list(chain)
    else:
        head, rest = first, list(chain[1:])
    steps: list[ir.Step] = []
    position = 0
    while position < len(rest):
        part = rest[position]
        if isinstance(part, ir.NodePattern):
            raise beside(part)
        edge = quantified(part) if isinstance(part, Group) else part
        position += 1
        node = rest[position] if position < len(rest) else None
        if isinstance(node, ir.NodePattern):
            position += 1
        else:
            node = ir.NodePattern()
        steps.append(ir.Step(edge, node, span=edge.span))
    return ir.Path(head, tuple(steps), span=head.span or (steps[0].span if steps else None))


def beside(node: ir.NodePattern) -> QueryTextError:
    span = node.span or Span(1, 1)
    return QueryTextError(
        "Two nodes stand beside each other without a relationship. Write (a)-->(b), or (a), (b)"
        " for two patterns.",
        code="nodes-without-edge",
        line=span.line,
        column=span.column,
    )


def quantified(group: Group) -> ir.Quantified:
    if group.quantifier is None:
        raise failed(
            group.begin,
            "A parenthesised pattern inside a path needs a quantifier, such as {1,3}.",
            "unquantified-group",
        )
    hops = quantifier_hops(group.quantifier)
    return ir.Quantified(group.path, hops, group.where, span=group.begin.span)


def quantify(edge: ir.EdgePattern, token: Token) -> ir.EdgePattern | ir.Quantified:
    """`-[r:T]->{1,3}` is `-[r:T*1..3]->`, but its WHERE speaks of a single relationship."""
    hops = quantifier_hops(token)
    if edge.where is None:
        return replace(edge, hops=hops)
    step = ir.Step(edge, ir.NodePattern(), span=edge.span)
    return ir.Quantified(ir.Path(ir.NodePattern(), (step,)), hops, span=edge.span)


def quantifier_hops(token: Token) -> ir.Hops:
    if token.text == "+":
        return ir.Hops(1, None, span=token.span)
    if token.text == "*":
        return ir.Hops(0, None, span=token.span)
    lo, comma, hi = token.text[1:-1].partition(",")
    least = _count(lo, token) if lo.strip() else 0
    if not comma:
        if not lo.strip():
            raise failed(token, "A quantifier needs a number: {2}, {1,3}, {1,}.", "quantifier")
        return ir.Hops(least, least, span=token.span)
    return ir.Hops(least, _count(hi, token) if hi.strip() else None, span=token.span)


def _count(digits: str, token: Token) -> int:
    digits = digits.strip().lstrip("0") or "0"
    if len(digits) > 19 or int(digits) > 2**63 - 1:
        raise failed(token, f"The number {digits[:20]} is too large.", "integer-overflow")
    return int(digits)


def hops_of(token: Token) -> ir.Hops:
    lo, dots, hi = token.text[1:].partition("..")
    least = _count(lo, token) if lo else 1
    if not dots:
        return ir.Hops(least, least if lo else None, span=token.span)
    return ir.Hops(least, _count(hi, token) if hi else None, span=token.span)


def direction_of(token: Token, heads: str) -> ir.Direction:
    if heads == ">":
        return ir.Direction.OUT
    if heads == "<":
        return ir.Direction.IN
    return ir.Direction.BOTH


def labels_of(parts: Sequence[Any]) -> ir.LabelExpr:
    """`A:B|C` as a tree: `&` and `:` bind tighter than `|`; runs of one operator are flat."""
    if len(parts) == 1:
        return parts[0]  # type: ignore[no-any-return]
    either: list[ir.LabelExpr] = []
    both: list[ir.LabelExpr] = [parts[0]]
    for position in range(1, len(parts), 2):
        if parts[position] == "|":
            either.append(joined(ir.LabelAnd, both))
            both = []
        both.append(parts[position + 1])
    either.append(joined(ir.LabelAnd, both))
    return joined(ir.LabelOr, either)


def joined(kind: type[ir.LabelAnd] | type[ir.LabelOr], args: list[ir.LabelExpr]) -> ir.LabelExpr:
    flat: list[ir.LabelExpr] = []
    for arg in args:
        flat.extend(arg.args if isinstance(arg, kind) else (arg,))
    return flat[0] if len(flat) == 1 else kind(tuple(flat), span=flat[0].span)
