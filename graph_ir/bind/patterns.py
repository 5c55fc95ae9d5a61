"""Scopes, types and checks of patterns; a part of `graph_ir.bind`.

Candidates of nodes and edges are narrowed over a whole MATCH at once, by labels, by what is known
of bound variables, by label tests in WHERE and by the edges that connect them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from graph_ir import nodes as ir
from graph_ir.bind.calls import Scope
from graph_ir.bind.expressions import Expressions
from graph_ir.bind.label_inference import Index, Tie, propagate
from graph_ir.types import PATH, UNKNOWN, list_of, nullable
from graph_ir.walk import find
from schemagraph.model import Kind, Type

_NODE = Type(Kind.NODE, nullable=False)
_EDGE = Type(Kind.EDGE, nullable=False)


@dataclass(slots=True)
class _Plan:
    """What one clause's patterns declare, and how their candidates hang together.

    `nodes` holds the vertex of each node pattern and `links` the tie of each edge pattern, in the
    order in which they are declared and later rebuilt.
    """

    vertices: list[int] = field(default_factory=list)
    ties: list[Tie] = field(default_factory=list)
    edges: list[ir.EdgePattern] = field(default_factory=list)
    names: dict[str, int] = field(default_factory=dict)
    nodes: list[int] = field(default_factory=list)
    links: list[int] = field(default_factory=list)
    declared: dict[str, Type] = field(default_factory=dict)
    first: dict[str, ir.Node] = field(default_factory=dict)
    inner: dict[str, Type] = field(default_factory=dict)


@dataclass(slots=True)
class _Rebuild:
    """A plan while its patterns are rebuilt, one after the other."""

    plan: _Plan
    nodes: Iterator[int]
    links: Iterator[int]


class Patterns(Expressions):
    """Binding of patterns that match."""

    def paths(
        self,
        paths: Sequence[ir.Path],
        scope: Scope,
        where: ir.Expr | None = None,
        *,
        optional: bool = False,
        binds: bool = True,
    ) -> tuple[tuple[ir.Path, ...], Scope]:
        """The patterns of one MATCH with types, and the scope behind it."""
        plan = _Plan()
        for path in paths:
            if path.var is not None:
                self._declare_path(path, path.var, scope, plan)
        for path in paths:
            self._declare(path, scope, plan)
        if not binds:
            self._only_known(plan, scope)
        if self.index is not None:
            self._narrow(self.index, plan, where)
        after = {**scope}
        for name, type in plan.declared.items():
            after[name] = self._settled(plan, name, type, scope.get(name), optional)
        inside = {**after, **plan.inner} if plan.inner else after
        rebuild = _Rebuild(plan, iter(plan.nodes), iter(plan.links))
        bound = tuple([self._path(path, rebuild, inside) for path in paths])
        for path in bound:
            if path.var is not None and self.index is not None:
                after[path.var] = replace(after[path.var], of=_passed(self.index, path))
        return bound, after

    def pattern(self, path: ir.Path, scope: Scope, *, binds: bool) -> tuple[ir.Path, Scope]:
        """A pattern inside an expression."""
        bound, after = self.paths((path,), scope, binds=binds)
        return bound[0], after

    # --- variables -----------------------------------------------------------------------

    def _declare_path(self, path: ir.Path, name: str, scope: Scope, plan: _Plan) -> None:
        if name in scope or name in plan.declared:
            self.report.error(
                path,
                "variable-already-bound",
                f"The variable '{name}' is already bound; a path needs a new name.",
            )
        plan.declared[name] = PATH
        plan.first[name] = path

    def _declare(self, path: ir.Path, scope: Scope, plan: _Plan) -> None:
        left = self._declare_node(path.head, scope, plan)
        for step in path.steps:
            right = self._declare_node(step.node, scope, plan)
            if isinstance(step.edge, ir.Quantified):
                self._declare_group(step.edge, scope, plan, left, right)
            else:
                self._declare_edge(step.edge, scope, plan, left, right)
            left = right

    def _declare_node(self, node: ir.NodePattern, scope: Scope, plan: _Plan) -> int:
        known: Type | None = None
        if node.var is not None:
            known = plan.declared.get(node.var) or scope.get(node.var)
            if known is not None and known.kind not in (Kind.NODE, *UNKNOWN):
                self._conflict(node, node.var, known, "a node")
                known = None
            plan.declared[node.var] = _NODE
            plan.first.setdefault(node.var, node)
        if node.labels is not None:
            self.check_labels(node.labels, Kind.NODE)
        index = self.index
        if index is None:
            return 0
        if node.labels is None and known is None and node.var in index.node_labels:
            self._missing_colon(node, f"(:{node.var})", "label")
        mask = index.all_nodes
        if known is not None and known.kind is Kind.NODE:
            mask = index.mask(known)
        vertex = plan.names.get(node.var) if node.var is not None else None
        if vertex is None:
            vertex = len(plan.vertices)
            plan.vertices.append(mask)
            if node.var is not None:
                plan.names[node.var] = vertex
        if node.labels is not None:
            exact = index.labelled(Kind.NODE, node.labels)
            wanted = exact or _wanted(index, Kind.NODE, node.labels)
            mask = plan.vertices[vertex] & wanted
            known_labels = all(n.name in index.node_labels for n in find(node.labels, ir.LabelName))
            if known_labels and not (exact and mask):
                self.report.warning(
                    node, "impossible-labels", "The schema has no node with all these labels."
                )
            plan.vertices[vertex] = mask or wanted
        plan.nodes.append(vertex)
        return vertex

    def _declare_edge(
        self, edge: ir.EdgePattern, scope: Scope, plan: _Plan, left: int, right: int
    ) -> None:
        name = edge.var
        long = edge.hops is not None
        if name is not None:
            if name in plan.declared:
                kind = plan.declared[name].kind
                if kind is Kind.EDGE or (kind is Kind.LIST and long):
                    self.report.error(
                        edge,
                        "relationship-repeated",
                        f"The relationship '{name}' stands twice in one MATCH: that never matches.",
                    )
                else:
                    self._conflict(edge, name, plan.declared[name], "a relationship")
            elif name in scope:
                self._check_bound_edge(edge, name, scope[name], long)
            plan.declared[name] = list_of(_EDGE) if long else _EDGE
            plan.first.setdefault(name, edge)
        if edge.types is not None:
            self.check_labels(edge.types, Kind.EDGE)
        index = self.index
        if index is None:
            return
        mask = index.all_edges
        if edge.types is None and name in index.edge_labels and name not in scope:
            self._missing_colon(edge, f"[:{name}]", "type")
        if edge.types is not None:
            mask = _wanted(index, Kind.EDGE, edge.types)
        known = scope.get(name) if name is not None else None
        if known is not None and known.kind is Kind.EDGE:
            mask = mask & index.mask(known) or mask
        plan.links.append(len(plan.ties))
        plan.ties.append(Tie(left, right, mask, edge.direction, edge.hops))
        plan.edges.append(edge)

    def _check_bound_edge(self, edge: ir.EdgePattern, name: str, known: Type, long: bool) -> None:
        if known.kind in UNKNOWN:
            return
        if long:
            item = known.item.kind if known.item is not None else Kind.ANY
            if known.kind is Kind.LIST and item in (Kind.EDGE, *UNKNOWN):
                return
            self._conflict(edge, name, known, "a list of relationships")
        elif known.kind is not Kind.EDGE:
            self._conflict(edge, name, known, "a relationship")

    def _declare_group(
        self, group: ir.Quantified, scope: Scope, plan: _Plan, left: int, right: int
    ) -> None:
        """A quantified path: its variables are single inside and lists outside."""
        inner = _Plan()
        outside = {**scope, **plan.declared}
        if group.path.var is not None:
            self._declare_path(group.path, group.path.var, outside, inner)
        self._declare(group.path, scope, inner)
        for name, type in inner.declared.items():
            if name in outside:
                self.report.error(
                    group,
                    "variable-already-bound",
                    f"The variable '{name}' is bound outside of the quantified pattern.",
                )
            plan.declared[name] = list_of(type)
        if self.index is not None:
            self._narrow(self.index, inner, group.where)
            if group.hops.lo > 0:
                for vertex, end in ((left, inner.nodes[0]), (right, inner.nodes[-1])):
                    mask = plan.vertices[vertex] & inner.vertices[end]
                    plan.vertices[vertex] = mask or plan.vertices[vertex]
        for name, type in inner.declared.items():
            plan.inner[name] = self._settled(inner, name, type, None, False)
            plan.declared[name] = list_of(plan.inner[name])
        offset, first = len(plan.vertices), len(plan.ties)
        plan.vertices += inner.vertices
        plan.edges += inner.edges
        for tie in inner.ties:
            plan.ties.append(
                Tie(tie.left + offset, tie.right + offset, tie.edges, tie.direction, tie.hops)
            )
        plan.nodes += [vertex + offset for vertex in inner.nodes]
        plan.links += [link + first for link in inner.links]

    def _missing_colon(self, at: ir.Node, meant: str, what: str) -> None:
        self.report.warning(
            at, "missing-colon", f"This is a variable that is called like a {what}: {meant}?"
        )

    def _conflict(self, at: ir.Node, name: str, known: Type, use: str) -> None:
        kind = "a relationship" if known.kind is Kind.EDGE else f"a {known.kind.value.lower()}"
        self.report.error(
            at,
            "variable-type-conflict",
            f"The variable '{name}' is {kind} and cannot be {use} as well.",
        )

    def _only_known(self, plan: _Plan, scope: Scope) -> None:
        """A pattern that is a predicate binds nothing."""
        for name, at in plan.first.items():
            if name not in scope:
                self.report.error(
                    at,
                    "undefined-variable",
                    f"The variable '{name}' is not defined; a pattern as a predicate cannot bind"
                    " it. EXISTS { } can.",
                )

    # --- candidates ----------------------------------------------------------------------

    def _narrow(self, index: Index, plan: _Plan, where: ir.Expr | None) -> None:
        if where is not None:
            for test in _label_tests(where):
                vertex = plan.names.get(test.arg.name) if isinstance(test.arg, ir.Var) else None
                if vertex is not None:
                    mask = index.labelled(Kind.NODE, test.labels) & plan.vertices[vertex]
                    plan.vertices[vertex] = mask or plan.vertices[vertex]
        if not plan.ties:
            return
        before = list(plan.vertices)
        edges = [tie.edges for tie in plan.ties]
        failed = propagate(index, plan.vertices, plan.ties)
        if failed is None:
            return
        narrowed = list(plan.vertices)
        plan.vertices[:] = before
        for tie, mask in zip(plan.ties, edges, strict=True):
            tie.edges = mask
        for edge, tie in zip(plan.edges, plan.ties, strict=True):
            if not all(tie.narrow(index, before[tie.left], before[tie.right])):
                self._impossible(index, edge, tie, before)  # this one alone is impossible
                return
        edge = next(e for e, tie in zip(plan.edges, plan.ties, strict=True) if tie is failed)
        self._impossible(index, edge, failed, narrowed)

    def _impossible(
        self, index: Index, edge: ir.EdgePattern, tie: Tie, vertices: list[int]
    ) -> None:
        """Say why an edge pattern fits nothing in the schema."""
        left, right = vertices[tie.left], vertices[tie.right]
        known = [f"(:{e.source})-[:{e.label}]->(:{e.target})" for e in index.edges(tie.edges)]
        shown = ", ".join(known[:4]) + (", …" if len(known) > 4 else "")
        if tie.direction is not ir.Direction.BOTH:
            back = ir.Direction.IN if tie.direction is ir.Direction.OUT else ir.Direction.OUT
            turned = Tie(tie.left, tie.right, tie.edges, back, tie.hops)
            if all(turned.narrow(index, left, right)):
                self.report.error(
                    edge,
                    "impossible-direction",
                    f"No relationship runs this way, only the other: the schema has {shown}.",
                )
                return
        self.report.error(
            edge,
            "impossible-pattern",
            f"No relationship connects these nodes: the schema has {shown}.",
        )

    def _settled(
        self, plan: _Plan, name: str, type: Type, known: Type | None, optional: bool
    ) -> Type:
        """The type of a declared variable behind the clause."""
        index = self.index
        if known is not None and known.kind not in UNKNOWN and optional:
            return known
        if type.kind is Kind.NODE:
            if index is None:
                return nullable(_NODE, optional)
            mask = plan.vertices[plan.names[name]]
            return index.element(Kind.NODE, mask, nullable=optional)
        if index is not None and type.kind in (Kind.EDGE, Kind.LIST):
            for edge, tie in zip(plan.edges, plan.ties, strict=True):
                if edge.var == name and name not in plan.inner:
                    single = index.element(Kind.EDGE, tie.edges, nullable=False)
                    variable_type = list_of(single) if edge.hops is not None else single
                    return nullable(variable_type, optional)
        return nullable(type, optional)

    # --- rebuilding ----------------------------------------------------------------------

    def _path(self, path: ir.Path, plan: _Rebuild, scope: Scope) -> ir.Path:
        head = self._node(path.head, plan, scope)
        steps = tuple([self._step(step, plan, scope) for step in path.steps])
        return ir.Path(head, steps, path.var, path.selector, path.mode, span=path.span)

    def _step(self, step: ir.Step, plan: _Rebuild, scope: Scope) -> ir.Step:
        node = self._node(step.node, plan, scope)
        edge: ir.EdgePattern | ir.Quantified
        if isinstance(step.edge, ir.Quantified):
            group = step.edge
            where = None if group.where is None else self._where(group.where, scope)
            inner = self._path(group.path, plan, scope)
            edge = ir.Quantified(inner, group.hops, where, span=group.span)
        else:
            edge = self._edge(step.edge, plan, scope)
        return ir.Step(edge, node, span=step.span)

    def _node(self, node: ir.NodePattern, rebuild: _Rebuild, scope: Scope) -> ir.NodePattern:
        type = _NODE
        if self.index is not None:
            mask = rebuild.plan.vertices[next(rebuild.nodes)]
            type = self.index.element(Kind.NODE, mask)
        props = None if node.props is None else self._props(node.props, type, scope)
        where = None if node.where is None else self._where(node.where, scope)
        return ir.NodePattern(node.var, node.labels, props, where, span=node.span, type=type)

    def _edge(self, edge: ir.EdgePattern, rebuild: _Rebuild, scope: Scope) -> ir.EdgePattern:
        type = _EDGE
        if self.index is not None:
            mask = rebuild.plan.ties[next(rebuild.links)].edges
            type = self.index.element(Kind.EDGE, mask)
        props = None if edge.props is None else self._props(edge.props, type, scope)
        where = edge.where
        if where is not None:
            single = {**scope, edge.var: type} if edge.var is not None else scope
            where = self._where(where, single)
        return ir.EdgePattern(
            edge.var,
            edge.types,
            edge.direction,
            edge.hops,
            props,
            where,
            span=edge.span,
            type=type,
        )

    def _where(self, where: ir.Expr, scope: Scope) -> ir.Expr:
        outer, self.place = self.place, "WHERE"
        bound = self.condition(where, scope)
        self.place = outer
        return bound

    def _props(self, props: ir.MapOf | ir.Param, owner: Type, scope: Scope) -> ir.MapOf | ir.Param:
        """The property map of a pattern, each value checked against the stored type."""
        if isinstance(props, ir.Param):
            if self.place == "CREATE":
                return props
            self.report.error(
                props,
                "parameter-map",
                f"A pattern cannot take all its properties from one parameter, ${props.name}.",
            )
            return props
        outer, self.place = self.place, self.place or "a pattern"
        entries: list[ir.Entry] = []
        for entry in props.entries:
            value = self.expr(entry.value, scope)
            if self.index is not None:
                stored = ir.Prop(
                    ir.Var("", type=owner),
                    entry.key,
                    type=self._property(entry, owner, entry.key),
                )
                self._check_literal(entry, stored, value.type, value)
            entries.append(ir.Entry(entry.key, value, span=entry.span))
        self.place = outer
        return ir.MapOf(tuple(entries), span=props.span, type=Type(Kind.MAP, nullable=False))


def _wanted(index: Index, kind: Kind, labels: ir.LabelExpr) -> int:
    """The candidates of a label expression; never none, so that the work can go on."""
    mask = index.labelled(kind, labels)
    if not mask:
        for name in find(labels, ir.LabelName):
            mask |= index.labelled(kind, name)
    return mask or (index.all_nodes if kind is Kind.NODE else index.all_edges)


def _label_tests(where: ir.Expr) -> Iterator[ir.LabelTest]:
    """Label tests that hold for every row that passes."""
    parts = where.args if isinstance(where, ir.Bool) and where.op is ir.BoolOp.AND else (where,)
    return (part for part in parts if isinstance(part, ir.LabelTest))


def _passed(index: Index, path: ir.Path) -> tuple[str, ...]:
    """The names of the node and edge types that a path can pass; none where they are not known."""
    between: dict[str, None] = {}
    types = [part.type for part in find(path, ir.NodePattern)]
    for part in find(path, ir.EdgePattern):
        types.append(part.type)
        if part.hops is not None:  # and the nodes between
            for edge in index.edges(index.mask(part.type)):
                between |= dict.fromkeys((edge.source, edge.target))
    if not all(of.of for of in types):
        return ()
    return tuple(dict.fromkeys((*(name for of in types for name in of.of), *between)))
