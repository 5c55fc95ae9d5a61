"""Patterns of nGQL's MATCH form back to Graph-IR, and the kinds of what their names stand for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from lark import Token, Tree

from graph_ir import nodes as ir
from graphmill.errors import Refused, Span
from translators.ngql.grammar.check import name_of, trees
from translators.ngql.grammar.parser import Node


class PatternReader:
    """Reads patterns; knows which names stand for vertices, to tell `v.Tag.p` from `m.a.b`."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.kinds: dict[str, str] = {}  # variable -> node, edge, path or nodes, edges

    def read_map(self, node: Node) -> ir.MapOf:
        """The IR of a map's tree."""
        raise NotImplementedError

    def refuse(self, node: Node, construct: str, reason: str) -> Refused:
        """A refusal at the place of `node`."""
        meta = node.meta
        span = None if meta.empty else Span(meta.line, meta.column)
        return Refused("not-cypher", construct, reason, span)

    def path(self, node: Node) -> ir.Path:
        """One path of a MATCH, which binds its names."""
        parts = list(trees(node))
        var = name_of(parts.pop(0)) if parts[0].data == "name" else None
        selector = None
        if parts[0].data in ("shortest", "all_shortest"):
            one = parts[0].data == "shortest"
            kind = ir.SelectorKind.FUNCTION_ONE if one else ir.SelectorKind.FUNCTION_ALL
            selector = ir.Selector(kind)
            parts = list(trees(parts[0]))
        path = self.chain(parts, binds=True)
        if var:
            self.bind(var, "path")
        return replace(path, var=var, selector=selector)

    def chain(self, parts: list[Node], *, binds: bool) -> ir.Path:
        """Nodes and edges in turn."""
        head = self._node(parts[0], binds=binds)
        steps = tuple(
            ir.Step(self._edge(edge, binds=binds), self._node(node, binds=binds))
            for edge, node in zip(parts[1::2], parts[2::2], strict=True)
        )
        return ir.Path(head, steps)

    def _node(self, node: Node, *, binds: bool) -> ir.NodePattern:
        var = None
        props: ir.MapOf | None = None
        labels: list[ir.LabelExpr] = []
        for child in trees(node):
            match child.data:
                case "paren":
                    inner = next(trees(child))
                    if inner.data == "map":
                        props = self.read_map(inner)
                    else:
                        var = name_of(next(trees(inner)))
                case "name":
                    var = name_of(child)
                case "map":
                    props = self.read_map(child)
                case "node_label":
                    label, *own = trees(child)
                    if props is not None:
                        raise self.refuse(child, "tag-properties", "The last tag has them all.")
                    labels.append(ir.LabelName(name_of(label)))
                    props = self.read_map(own[0]) if own else None
        if var and binds:
            self.bind(var, "node")
        every = ir.LabelAnd(tuple(labels)) if len(labels) > 1 else labels[0] if labels else None
        return ir.NodePattern(var, every, props)

    def _edge(self, node: Node, *, binds: bool) -> ir.EdgePattern:
        tokens = [str(token) for token in node.children if isinstance(token, Token)]
        left, right = tokens[0].startswith("<"), tokens[-1].endswith(">")
        direction = ir.Direction.BOTH
        if left != right:
            direction = ir.Direction.IN if left else ir.Direction.OUT
        edge = ir.EdgePattern(direction=direction)
        for child in trees(node):
            match child.data:
                case "name":
                    edge = replace(edge, var=name_of(child))
                case "edge_types":
                    names = tuple(ir.LabelName(name_of(n)) for n in trees(child))
                    edge = replace(edge, types=ir.LabelOr(names) if len(names) > 1 else names[0])
                case "steps":
                    edge = replace(edge, hops=_hops(child))
                case "map":
                    edge = replace(edge, props=self.read_map(child))
        if edge.var and binds:
            self.bind(edge.var, "edges" if edge.hops else "edge")
        return edge

    def pattern(self, node: Node) -> ir.Path:
        """The path of a pattern in an expression, which binds nothing."""
        return self.chain(list(trees(node)), binds=False)

    # --- kinds of values, to tell `v.Tag.p` from `m.a.b` -----------------------------------

    def bind(self, name: str, kind: str) -> None:
        """From here on `name` stands for something of this kind."""
        if kind:
            self.kinds[name] = kind
        else:
            self.kinds.pop(name, None)

    def kind(self, expr: ir.Expr) -> str:
        """`node`, `edge`, `path`, a list of one of those (`nodes`), or nothing."""
        match expr:
            case ir.Var(name):
                return self.kinds.get(name, "")
            case ir.Call("nodes"):
                return "nodes"
            case ir.Call("relationships"):
                return "edges"
            case ir.Index(base) | ir.Call("head" | "last", (base,)):
                return item_kind(self.kind(base))
            case ir.Slice(base) | ir.Call("tail" | "reverse", (base,)):
                return self.kind(base)
            case ir.Agg("collect", (argument,)):
                inner = self.kind(argument)
                return f"{inner}s" if inner in ("node", "edge") else ""
            case ir.ListComp(list=items, result=None):
                return self.kind(items)
            case ir.Call("coalesce", (first, *_)):
                return self.kind(first)
            case ir.Arith(ir.ArithOp.ADD, left, right):
                return self.kind(left) or self.kind(right)
        return ""

    def loop(self, name: str, items: ir.Expr, body: Callable[[], Any]) -> Any:
        """The result of `body`, read where `name` stands for an item of `items`."""
        outer = dict(self.kinds)
        self.bind(name, item_kind(self.kind(items)))
        try:
            return body()
        finally:
            self.kinds = outer


def tree_of(child: object) -> Node:
    """`child`, which the grammar makes a tree."""
    if not isinstance(child, Tree):
        raise TypeError(f"expected a tree, not {child!r}")
    return child


def item_kind(kind: str) -> str:
    """The kind of an item of a list of this kind."""
    return kind.removesuffix("s") if kind in ("nodes", "edges") else ""


def _hops(node: Node) -> ir.Hops:
    words = [str(token) for token in node.children][1:]
    if not words:
        return ir.Hops(1, None)
    if ".." not in words:
        return ir.Hops(int(words[0]), int(words[0]))
    at = words.index("..")
    lo, hi = words[:at], words[at + 1 :]
    return ir.Hops(int(lo[0]) if lo else 1, int(hi[0]) if hi else None)
