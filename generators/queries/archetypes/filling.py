"""A template with its slots filled: the statement that is proposed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from generators.queries.archetypes.choosing import Choice
from generators.queries.archetypes.facets import Facets
from generators.queries.archetypes.load import Archetype
from generators.queries.archetypes.template import KEY, NAME, Template
from graph_ir import nodes as ir
from graph_ir.lowerings import conjuncts
from graph_ir.rewrites import has_aggregate
from graph_ir.walk import find, substitute
from graphmill.english.spoken import spoken
from schemagraph.model import NodeType, SchemaGraph

_TURNED = {ir.Direction.OUT: ir.Direction.IN, ir.Direction.IN: ir.Direction.OUT}


def labels_of(node: NodeType, schema: SchemaGraph) -> ir.LabelExpr:
    """The label that only this type has, or all of its labels where each is shared."""
    alone = [
        label for label in node.labels if sum(label in other.labels for other in schema.nodes) == 1
    ]
    if alone or len(node.labels) == 1:
        return ir.LabelName((alone or node.labels)[0])
    return ir.LabelAnd(tuple(map(ir.LabelName, node.labels)))


def fill(
    archetype: Archetype, choice: Choice, constants: Mapping[str, ir.Expr], facets: Facets
) -> ir.Statement:
    """The statement of an archetype with this choice of types, properties and constants."""
    return _Filling(archetype, choice, constants, facets).fill(archetype.template.statement)


def _names(template: Template, choice: Choice) -> dict[str, str]:
    """Variables called after what they stand for: the first letter, with a number if need be."""
    taken = {path.var for path in find(template.statement, ir.Path)}
    taken |= {item.alias for item in find(template.statement, ir.Item) if item.named}
    names: dict[str, str] = {}
    for variable, slot in template.variables.items():
        letter = next((c for c in choice.label(slot).lower() if "a" <= c <= "z"), "x")
        name, number = letter, 1
        while name in taken:
            number += 1
            name = f"{letter}{number}"
        names[variable] = name
        taken.add(name)
    return names


class _Filling:
    def __init__(
        self,
        archetype: Archetype,
        choice: Choice,
        constants: Mapping[str, ir.Expr],
        facets: Facets,
    ) -> None:
        self.template = archetype.template
        self.choice = choice
        self.constants = constants
        self.facets = facets
        self.names = _names(self.template, choice)
        self.union = isinstance(self.template.statement, ir.Union)

    def fill[N: ir.Node](self, node: N) -> N:
        """A part of the template with its slots filled."""
        return substitute(node, self._filled)

    def _filled(self, node: ir.Node) -> ir.Node | None:
        match node:
            case ir.Var(name) if name in self.names:
                return replace(node, name=self.names[name])
            case ir.Param(name):
                return self.constants[name]
            case ir.Match() if len(kept := self._kept(node.where)) < len(conjuncts(node.where)):
                where = ir.Bool(ir.BoolOp.AND, kept) if len(kept) > 1 else next(iter(kept), None)
                return self.fill(replace(node, where=where))
            case ir.NodePattern():
                return self._node(node)
            case ir.EdgePattern():
                return self._edge(node)
            case ir.Prop(base=ir.Var(name)) if name in self.names:
                return self._property(node, self._sole(node))
            case ir.Project():
                return self._project(node)
            case ir.Quantifier() if node.var in self.names:
                inner = self.fill(node.list), self.fill(node.where)
                return replace(node, var=self.names[node.var], list=inner[0], where=inner[1])
            case ir.Subquery():
                imports = tuple(self.names.get(name, name) for name in node.imports)
                return replace(node, query=self.fill(node.query), imports=imports)
        return None

    def _kept(self, where: ir.Expr | None) -> tuple[ir.Expr, ...]:
        """The conditions of a template without IS NOT NULL of what the schema says is never null:
        it would say nothing."""
        return tuple(part for part in conjuncts(where) if not self._never_fails(part))

    def _never_fails(self, part: ir.Expr) -> bool:
        match part:
            case ir.IsNull(ir.Prop(ir.Var(name), key), True) if key in self.choice.properties:
                slot = self.template.variables.get(name, "")
                node = self.choice.nodes.get(slot)
                known = node.property(self.choice.properties[key]) if node is not None else None
                return known is not None and not known.nullable
        return False

    def _node(self, node: ir.NodePattern) -> ir.NodePattern:
        labels = node.labels
        if isinstance(labels, ir.LabelName):
            labels = labels_of(self.choice.nodes[labels.name], self.facets.schema)
        props = node.props
        if isinstance(props, ir.MapOf):
            variable = ir.Var(node.var or "")
            props = ir.MapOf(
                tuple(
                    ir.Entry(self._sole(ir.Prop(variable, e.key)), self.fill(e.value))
                    for e in props.entries
                )
            )
        return replace(
            node,
            var=self.names.get(node.var or "", node.var),
            labels=labels,
            props=props,
            where=self.fill(node.where) if node.where else None,
        )

    def _edge(self, edge: ir.EdgePattern) -> ir.EdgePattern:
        assert isinstance(edge.types, ir.LabelName)  # noqa: S101 - read_template says so
        hop = self.choice.hops[edge.types.name]
        direction = edge.direction if hop.forward else _TURNED.get(edge.direction, edge.direction)
        return replace(
            edge,
            var=self.names.get(edge.var or "", edge.var),
            types=ir.LabelName(hop.edge.label),
            direction=direction,
            where=self.fill(edge.where) if edge.where else None,
        )

    def _meant(self, prop: ir.Prop) -> tuple[str, ...]:
        """The properties that a template's property stands for."""
        assert isinstance(prop.base, ir.Var)  # noqa: S101 - so are they told
        slot = self.template.variables[prop.base.name]
        if prop.key not in (NAME, KEY):
            return (self.choice.properties[prop.key],)
        shown = self.facets.shown[self.choice.nodes[slot].name]
        return shown.key if prop.key == KEY else shown.name

    def _sole(self, prop: ir.Prop) -> str:
        """The one property that a template's property stands for where only one can stand."""
        if prop.key == NAME and isinstance(prop.base, ir.Var):
            slot = self.template.variables[prop.base.name]
            return self.facets.shown[self.choice.nodes[slot].name].sole
        return self._meant(prop)[0]

    def _property(self, prop: ir.Prop, key: str) -> ir.Prop:
        return replace(prop, base=self.fill(prop.base), key=key)

    # --- projections -----------------------------------------------------------------------

    def _project(self, project: ir.Project) -> ir.Project:
        taken = {*self.names.values(), *(i.alias for i in project.items if i.named)}
        items = [made for item in project.items for made in self._items(item, project, taken)]
        if project.final and not self.union:  # what names a node may be its detail, too
            items = list({item.expr: item for item in reversed(items)}.values())[::-1]
        order = [made for key in project.order for made in self._keys(key, project)]
        group = project.group
        if group is not None:
            group = tuple(item.expr for item in items if not has_aggregate(item.expr))
        return replace(
            project,
            items=tuple(items),
            order=tuple(dict.fromkeys(order)),
            skip=self.fill(project.skip) if project.skip else None,
            limit=self.fill(project.limit) if project.limit else None,
            where=self.fill(project.where) if project.where else None,
            group=group,
        )

    def _items(self, item: ir.Item, project: ir.Project, taken: set[str]) -> Iterator[ir.Item]:
        if self._is_property(item.expr) and not item.named:
            assert isinstance(item.expr, ir.Prop)  # noqa: S101 - _is_property says so
            for key in self._columns(item.expr):
                alias = self._alias(item.expr, key, taken)
                yield ir.Item(self._property(item.expr, key), alias)
        elif isinstance(item.expr, ir.Var) and not item.named:
            name = self.names.get(item.expr.name, item.expr.name)
            yield ir.Item(ir.Var(name), name)
        else:
            alias = self.names.get(item.alias, item.alias)
            yield replace(item, expr=self.fill(item.expr), alias=alias)

    def _keys(self, key: ir.SortKey, project: ir.Project) -> Iterator[ir.SortKey]:
        if not self._is_property(key.expr):
            yield replace(key, expr=self.fill(key.expr))
            return
        assert isinstance(key.expr, ir.Prop)  # noqa: S101 - _is_property says so
        meant = self._meant(key.expr)
        if key.expr.key == NAME and not project.distinct:
            slot = self.template.variables[key.expr.base.name]  # type: ignore[attr-defined]
            shown = self.facets.shown[self.choice.nodes[slot].name]
            meant = shown.name if shown.unique else (*shown.name, *shown.key)
        for each in dict.fromkeys(meant):
            yield replace(key, expr=self._property(key.expr, each))

    def _columns(self, prop: ir.Prop) -> tuple[str, ...]:
        """The properties of a plain column: a name comes with its key where it tells too little."""
        if prop.key != NAME or self.union:
            return self._meant(prop)
        assert isinstance(prop.base, ir.Var)  # noqa: S101 - so are they told
        slot = self.template.variables[prop.base.name]
        return self.facets.shown[self.choice.nodes[slot].name].whole

    def _is_property(self, expr: ir.Expr) -> bool:
        return (
            isinstance(expr, ir.Prop)
            and isinstance(expr.base, ir.Var)
            and expr.base.name in self.names
        )

    def _alias(self, prop: ir.Prop, key: str, taken: set[str]) -> str:
        """A column's name: the property's, with the node's before it where that is taken."""
        assert isinstance(prop.base, ir.Var)  # noqa: S101 - so are they told
        slot = self.template.variables[prop.base.name]
        stem = "_".join(word.lower() for word in spoken(self.choice.label(slot)))
        alias, number = key, 1
        while alias in taken:
            alias = f"{stem}_{key}" if number == 1 else f"{stem}_{key}_{number}"
            number += 1
        taken.add(alias)
        return alias
