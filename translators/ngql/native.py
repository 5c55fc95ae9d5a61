"""GO, LOOKUP and FETCH: the native statement that is the idiom for a query, where there is one.

The query must be one node, or one directed edge of one type, with conditions on them. Then

- a node whose key is constant is fetched by its id: `FETCH PROP ON Tag "Type/key" YIELD …`;
- a node with a condition is looked up: `LOOKUP ON Tag WHERE Tag.p > 1 YIELD …`;
- an edge is walked from such a node: `… | GO FROM $-.vid OVER TYPE YIELD $$.Tag.p AS p`;

and grouping, sorting and cutting are pipes behind it. More steps mean something else: GO walks
edges again where MATCH does not. LOOKUP needs an index on the tag. Source: NebulaGraph 3.8
manual, "GO", "LOOKUP", "FETCH", "Property reference", "Pipe operators".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from graph_ir import nodes as ir
from graph_ir.walk import descend
from graphmill.errors import Refused
from schemagraph.model import Kind, NodeType, SchemaGraph
from translators.dialects.ngql import Ngql
from translators.ngql.check import check
from translators.ngql.convention import vid
from translators.ngql.scope import conjuncts, label_names

_SIMPLE = (
    ir.Compare,
    ir.Bool,
    ir.Not,
    ir.In,
    ir.Text,
    ir.IsNull,
    ir.Prop,
    ir.Var,
    ir.Literal,
    ir.Arith,
    ir.Neg,
    ir.Call,
    ir.ListOf,
    ir.Agg,
)
# LOOKUP compares one property with constants; of the tests of text it has STARTS WITH.
_LOOKUP = (ir.Compare, ir.Bool, ir.In, ir.Text, ir.Prop, ir.Var, ir.Literal, ir.ListOf, ir.Not)


def native_form(statement: ir.Statement, schema: SchemaGraph) -> str | None:
    """The native statement of a bound statement, or None where MATCH is the idiom.

    Raises:
        Refused: nGQL cannot say the query in any form.
    """
    lowered = Ngql(schema).lowered(statement)
    if isinstance(lowered, ir.Union):
        return None
    match, *projects = lowered.clauses
    if not isinstance(match, ir.Match) or match.optional or len(match.paths) != 1:
        return None
    rest = [clause for clause in projects if isinstance(clause, ir.Project)]
    (path,) = match.paths
    if len(rest) != len(projects) or path.var or path.selector or len(path.steps) > 1:
        return None
    try:
        text = _Native(schema, match, path, rest).text()
    except (_Other, Refused):
        return None
    return None if check(text) else text


class _Other(Exception):
    """The query is no native idiom."""


@dataclass(frozen=True, slots=True)
class _End:
    """A node of the pattern: its name, tag and what is said of it there."""

    pattern: ir.NodePattern
    name: str
    tag: str


class _Text(Ngql):
    """Prints expressions over `$^`, `$$`, an edge type, a looked-up tag, and columns `$-.x`."""

    def __init__(self, schema: SchemaGraph) -> None:
        super().__init__(schema)
        self.nodes: dict[str, str] = {}
        self.edges: dict[str, str] = {}
        self.looked_up = ""
        self.has_input = False

    def emit_Var(self, node: ir.Var) -> str:
        if node.name in self.nodes or node.name in self.edges:
            raise _Other
        return f"$-.{self.ident(node.name, node)}" if self.has_input else super().emit_Var(node)

    def emit_Prop(self, node: ir.Prop) -> str:
        base = node.base
        if not isinstance(base, ir.Var) or self.has_input:
            raise _Other
        key = self.ident(node.key, node)
        if base.name in self.edges:
            return f"{self.ident(self.edges[base.name], node)}.{key}"
        if base.name not in self.nodes:
            raise _Other
        tags = self._tags_of(node)
        if len(tags) != 1 or (self.looked_up and tags[0] != self.looked_up):
            raise _Other
        of = [self.schema.node_by_name[name] for name in base.type.of] if self.schema else []
        if not all(tags[0] in node_type.labels for node_type in of):
            raise _Other  # what the reference gives for a vertex without the tag is not defined
        place = "" if self.looked_up else f"{self.nodes[base.name]}."
        return f"{place}{self.ident(tags[0], node)}.{key}"

    def _id(self, node: ir.Expr) -> str:
        if isinstance(node, ir.Var) and node.name in self.nodes:
            return f"id({self.nodes[node.name]})"
        raise _Other

    def _edges_compared(self, node: ir.Compare) -> str:
        raise _Other

    def column(self, item: ir.Item) -> str:
        """One column of YIELD."""
        expr = item.expr
        if not self.has_input and isinstance(expr, ir.Var):
            if expr.name in self.nodes:
                return f"{self.nodes[expr.name]} AS {self.ident(item.alias, item)}"
            if expr.name in self.edges:
                return f"edge AS {self.ident(item.alias, item)}"
        if not all(isinstance(part, _SIMPLE) for part in descend(expr)):
            raise _Other
        text = self.emit(expr)
        named = item.named or isinstance(expr, ir.Var)
        return f"{text} AS {self.ident(item.alias, item)}" if named else text


class _Native:
    def __init__(
        self, schema: SchemaGraph, match: ir.Match, path: ir.Path, projects: list[ir.Project]
    ) -> None:
        self.schema = schema
        self.printer = _Text(schema)
        self.conditions = list(conjuncts(match.where))
        self.path = path
        self.projects = projects
        for part in (p for c in self.conditions for p in descend(c)):
            if not isinstance(part, _SIMPLE):
                raise _Other

    def text(self) -> str:
        """The whole statement."""
        head = self._walk() if self.path.steps else self._one_node()
        first, *others = self.projects
        parts = [f"{head} {self._first(first)}", *self._after(first)]
        for project in others:
            parts.append(self._yield(project))
            parts += self._after(project)
        return " | ".join(parts)

    # --- where it starts -----------------------------------------------------------------

    def _one_node(self) -> str:
        end = self._end(self.path.head, "v")
        self.printer.nodes = {end.name: "vertex"}
        self.printer.looked_up = end.tag
        key = self._key(end)
        if key and not self.conditions and self._only(end, key):
            return f"FETCH PROP ON {self.printer.ident(end.tag)} {self._vid(end, key)}"
        return self._lookup(end, self.conditions)

    def _lookup(self, end: _End, conditions: Sequence[ir.Expr]) -> str:
        tests = [*self._equalities(end.pattern, end.name), *conditions]
        if not all(self._can_look_up(test) for test in tests):
            raise _Other
        where = " AND ".join(self.printer.operand(test, 3) for test in tests)
        text = f"LOOKUP ON {self.printer.ident(end.tag)}"
        return f"{text} WHERE {where}" if where else text

    def _can_look_up(self, test: ir.Expr) -> bool:
        properties = [part for part in descend(test) if isinstance(part, ir.Prop)]
        text = [part for part in descend(test) if isinstance(part, ir.Text)]
        return (
            all(isinstance(part, _LOOKUP) for part in descend(test))
            and all(part.op is ir.TextOp.STARTS for part in text)
            and not any(isinstance(p, ir.Bool) and p.op is ir.BoolOp.XOR for p in descend(test))
            and len(set(properties)) == 1
        )

    def _walk(self) -> str:
        (step,) = self.path.steps
        edge = step.edge
        if not isinstance(edge, ir.EdgePattern) or edge.hops or not edge.types:
            raise _Other
        if not isinstance(edge.types, ir.LabelName) or edge.direction is ir.Direction.BOTH:
            raise _Other
        ends = (self.path.head, step.node)
        start, other = ends
        forward = edge.direction is ir.Direction.OUT
        if not self._starts_well(start) and self._starts_well(other):
            start, other, forward = other, start, not forward
        first = self._end(start, "a")
        self._check_other_end(edge.types.name, first, other, forward=forward)
        own = [c for c in self.conditions if _names(c) <= {first.name}]
        rest = [c for c in self.conditions if c not in own]
        key = self._key(first)
        if key and self._only(first, key):
            origin = f"GO FROM {self._vid(first, key)}"
            rest = [*own, *rest]
        else:
            self.printer.nodes = {first.name: "vertex"}
            self.printer.looked_up = first.tag
            found = self._lookup(first, own)
            origin = f"{found} YIELD id(vertex) AS vid | GO FROM $-.vid"
        self.printer.looked_up = ""
        other_name = other.var or "b"
        self.printer.nodes = {first.name: "$^", other_name: "$$"}
        edge_name = edge.var or "e"
        self.printer.edges = {edge_name: edge.types.name}
        tests = [
            *rest,
            *self._equalities(other, other_name),
            *self._equalities(edge, edge_name),
        ]
        text = f"{origin} OVER {self.printer.ident(edge.types.name)}"
        text += "" if forward else " REVERSELY"
        where = " AND ".join(self.printer.operand(test, 3) for test in tests)
        return f"{text} WHERE {where}" if where else text

    def _starts_well(self, pattern: ir.NodePattern) -> bool:
        labels = label_names(pattern.labels)
        if labels is None or len(labels) != 1:
            return False
        named = {pattern.var} if pattern.var else set()
        return bool(pattern.props) or any(_names(c) == named for c in self.conditions)

    def _check_other_end(
        self, label: str, first: _End, other: ir.NodePattern, *, forward: bool
    ) -> None:
        """GO cannot test the tags of the other end: the schema must say that it has them."""
        wanted = label_names(other.labels)
        if wanted is None:
            raise _Other
        for edge in self.schema.edges:
            here, there = (edge.source, edge.target) if forward else (edge.target, edge.source)
            if edge.label != label or first.tag not in self.schema.node_by_name[here].labels:
                continue
            if not set(wanted) <= set(self.schema.node_by_name[there].labels):
                raise _Other

    def _end(self, pattern: ir.NodePattern, name: str) -> _End:
        labels = label_names(pattern.labels)
        if labels is None or len(labels) != 1:
            raise _Other
        return _End(pattern, pattern.var or name, labels[0])

    def _key(self, end: _End) -> list[ir.Entry]:
        """The entries that are the key of the one node type that the node can have."""
        types: list[NodeType] = list(self.schema.with_label(end.tag))
        props = end.pattern.props
        if len(types) != 1 or not types[0].key or not isinstance(props, ir.MapOf):
            return []
        found = {entry.key: entry for entry in props.entries}
        values = [found[key] for key in types[0].key if key in found]
        constant = all(
            isinstance(v.value, ir.Literal) and v.value.value is not None for v in values
        )
        return values if constant and len(values) == len(types[0].key) else []

    def _only(self, end: _End, key: Sequence[ir.Entry]) -> bool:
        """Whether the pattern says nothing but the key."""
        props = end.pattern.props
        return isinstance(props, ir.MapOf) and len(props.entries) == len(key)

    def _vid(self, end: _End, key: Sequence[ir.Entry]) -> str:
        (node_type,) = self.schema.with_label(end.tag)
        values = [e.value.value for e in key if isinstance(e.value, ir.Literal)]
        return self.printer.emit(ir.Literal(vid(node_type.name, values)))

    def _equalities(self, pattern: ir.NodePattern | ir.EdgePattern, name: str) -> Iterator[ir.Expr]:
        kind = ir.Var(name, type=pattern.type)
        if isinstance(pattern.props, ir.MapOf):
            for entry in pattern.props.entries:
                yield ir.Compare(ir.CompareOp.EQ, ir.Prop(kind, entry.key), entry.value)

    # --- what it yields ------------------------------------------------------------------

    def _first(self, project: ir.Project) -> str:
        """The YIELD of the statement itself; aggregates follow in a pipe."""
        if project.group is None:
            word = "YIELD DISTINCT" if project.distinct else "YIELD"
            text = f"{word} {', '.join(self.printer.column(item) for item in project.items)}"
            self.printer.has_input = True
            return text
        return self._grouped(project)

    def _grouped(self, project: ir.Project) -> str:
        inner: list[str] = []
        outer: list[str] = []
        keys: list[str] = []
        taken = {item.alias for item in project.items}
        for item in project.items:
            name = self.printer.ident(item.alias, item)
            if not isinstance(item.expr, ir.Agg):
                inner.append(self.printer.column(replace(item, named=True)))
                keys.append(f"$-.{name}")
                outer.append(f"$-.{name} AS {name}")
                continue
            argument = "*"
            if item.expr.args:
                number = len(inner) + 1
                while f"value_{number}" in taken:
                    number += 1
                taken.add(f"value_{number}")
                inner.append(f"{self._argument(item.expr.args[0])} AS value_{number}")
                argument = f"$-.value_{number}"
            distinct = "DISTINCT " if item.expr.distinct else ""
            function = self.printer.emit(ir.Agg(item.expr.name, (ir.Literal(1),))).split("(")[0]
            outer.append(f"{function}({distinct}{argument}) AS {name}")
        if not inner:
            inner.append("edge AS e" if self.path.steps else "id(vertex) AS vid")
        self.printer.has_input = True
        word = "DISTINCT " if project.distinct else ""
        group = f"GROUP BY {', '.join(keys)} YIELD" if keys else "YIELD"
        return f"YIELD {', '.join(inner)} | {group} {word}{', '.join(outer)}"

    def _argument(self, expr: ir.Expr) -> str:
        if isinstance(expr, ir.Var) and expr.type.kind is Kind.NODE:
            return f"id({self.printer.nodes.get(expr.name) or _other()})"
        if not all(isinstance(part, _SIMPLE) for part in descend(expr)):
            raise _Other
        return self.printer.emit(expr)

    def _yield(self, project: ir.Project) -> str:
        if project.group is not None:
            raise _Other
        word = "YIELD DISTINCT" if project.distinct else "YIELD"
        return f"{word} {', '.join(self.printer.column(item) for item in project.items)}"

    def _after(self, project: ir.Project) -> Iterator[str]:
        if project.order:
            yield f"ORDER BY {', '.join(self.printer.emit(key) for key in project.order)}"
        skip, limit = (
            int(part.value) if isinstance(part, ir.Literal) and part.value is not None else None
            for part in (project.skip, project.limit)
        )
        if (project.skip and skip is None) or (project.limit and limit is None):
            raise _Other
        if limit is not None:
            yield f"LIMIT {skip}, {limit}" if skip else f"LIMIT {limit}"
        elif skip:
            raise _Other
        if project.where is not None:
            if not all(isinstance(part, _SIMPLE) for part in descend(project.where)):
                raise _Other
            columns = ", ".join(
                f"$-.{self.printer.ident(item.alias)} AS {self.printer.ident(item.alias)}"
                for item in project.items
            )
            yield f"YIELD {columns} WHERE {self.printer.emit(project.where)}"


def _names(expr: ir.Expr) -> set[str]:
    return {part.name for part in descend(expr) if isinstance(part, ir.Var)}


def _other() -> str:
    raise _Other
