"""A template: Cypher text in which labels, edge types, properties and parameters are slots.

Every label and edge type in it is the name of a slot. Of properties, `name` stands for what names
a node and `id` for its key; any other is a slot. Every parameter is a value to be drawn. A
direction is the way in which the relation is walked, not that of the edges in the graph.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from graph_ir import nodes as ir
from graph_ir.cypher.reader import parse
from graph_ir.walk import descend, find
from graphmill.errors import GraphmillError, QueryTextError

_KEEPS = {
    ir.CompareOp.GT: True,
    ir.CompareOp.GE: True,
    ir.CompareOp.LT: False,
    ir.CompareOp.LE: False,
}
NAME = "name"
KEY = "id"


class TemplateError(GraphmillError):
    """A template is wrong; `violations` has every fault as a sentence."""

    def __init__(self, violations: list[str]) -> None:
        super().__init__(" ".join(violations))
        self.violations = tuple(violations)


@dataclass(frozen=True, slots=True)
class EdgeUse:
    """One edge pattern: its slot, the label slots where it begins and ends, walked that way.

    `hops` is how often it may be walked, `both` says that its direction is left open, `search`
    that paths are searched for the shortest. `left` and `right` tell the nodes apart: variables,
    or positions of those that have none.
    """

    slot: str
    start: str
    end: str
    left: str
    right: str
    both: bool
    hops: ir.Hops
    search: bool

    @property
    def long(self) -> bool:
        """Whether it may be walked more than once."""
        return self.hops != ir.Hops(1, 1)


@dataclass(frozen=True, slots=True)
class Template:
    """A parsed template with its slots.

    `properties` has for each property slot the slots of labels and edges that own it. `named` are
    the label slots of which `Label.name` is asked for (as `A.name`), `single` those whose name or
    key has to be one property, `anchors` the variables whose name or key a parameter gives.
    """

    statement: ir.Statement
    labels: tuple[str, ...]
    edges: tuple[EdgeUse, ...]
    properties: dict[str, tuple[str, ...]]
    parameters: tuple[str, ...]
    variables: dict[str, str]
    named: tuple[str, ...]
    single: tuple[str, ...]
    anchors: tuple[str, ...]

    def above(self, parameter: str) -> bool | None:
        """Whether a condition keeps what is above a parameter, or below it; None if neither."""
        kept = [
            _KEEPS[node.op]
            for node in find(self.statement, ir.Compare)
            if node.op in _KEEPS and node.right == ir.Param(parameter)
        ]
        return kept[0] if len(kept) == 1 else None


def read_template(text: str) -> Template:
    """Parse a template and find its slots.

    Raises:
        TemplateError: it is no Cypher, or its slots cannot be told.
    """
    try:
        statement = parse(text)
    except QueryTextError as problem:
        raise TemplateError([str(problem)]) from problem
    faults: list[str] = []
    owners = dict(_owners(statement, faults))
    edges = tuple(_edges(statement, owners, faults))
    properties: dict[str, list[str]] = {}
    named: set[str] = set()
    for prop in _properties(statement):
        owner = owners.get(prop.base.name) if isinstance(prop.base, ir.Var) else None
        if owner is None:
            if not _is_component(prop):
                faults.append(f"a property {prop.key} is not of a node or an edge of the pattern.")
        elif prop.key in (NAME, KEY):
            named.add(f"{owner}.{prop.key}")
        elif owner not in (known := properties.setdefault(prop.key, [])):
            known.append(owner)
    parameters = tuple(dict.fromkeys(each.name for each in find(statement, ir.Param)))
    if faults:
        raise TemplateError(faults)
    types = {each.slot for each in edges}
    return Template(
        statement,
        tuple(dict.fromkeys(slot for slot in _labels(statement) if slot not in types)),
        edges,
        {name: tuple(slots) for name, slots in properties.items()},
        parameters,
        owners,
        tuple(sorted(named)),
        tuple(sorted(set(_single(statement, owners)))),
        tuple(sorted(set(_anchors(statement)))),
    )


def _properties(statement: ir.Statement) -> Iterator[ir.Prop]:
    """Every property that is read, those in the maps of node patterns included."""
    yield from find(statement, ir.Prop)
    for node in find(statement, ir.NodePattern):
        if isinstance(node.props, ir.MapOf):
            yield from (ir.Prop(ir.Var(node.var or ""), e.key) for e in node.props.entries)


def _is_component(prop: ir.Prop) -> bool:
    """Whether it is a part of a moment, as `a.p.year`."""
    return isinstance(prop.base, ir.Prop)


def _labels(statement: ir.Statement) -> Iterator[str]:
    for node in find(statement, ir.NodePattern):
        if isinstance(node.labels, ir.LabelName):
            yield node.labels.name


def _owners(statement: ir.Statement, faults: list[str]) -> Iterator[tuple[str, str]]:
    """Variables of nodes and edges with the slot that says what they are."""
    for node in find(statement, ir.NodePattern):
        if isinstance(node.labels, ir.LabelName):
            if node.var:
                yield node.var, node.labels.name
        elif node.labels is not None:
            faults.append("a node has one label, which is a slot.")
    for edge in find(statement, ir.EdgePattern):
        if not isinstance(edge.types, ir.LabelName):
            faults.append("every edge has one type, which is a slot.")
        elif edge.var:
            yield edge.var, edge.types.name
    paths = {path.var: path for path in find(statement, ir.Path) if path.var}
    for each in find(statement, ir.Quantifier):
        match each.list:
            case ir.Call("nodes", (ir.Var(name),)) if name in paths:
                head = paths[name].head.labels
                if isinstance(head, ir.LabelName):
                    yield each.var, head.name
            case ir.Call("relationships", (ir.Var(name),)) if name in paths:
                for edge in find(paths[name], ir.EdgePattern):
                    if isinstance(edge.types, ir.LabelName):
                        yield each.var, edge.types.name


def _edges(statement: ir.Statement, owners: dict[str, str], faults: list[str]) -> Iterator[EdgeUse]:
    for number, path in enumerate(find(statement, ir.Path)):
        left = path.head
        for at, step in enumerate(path.steps):
            right, edge = step.node, step.edge
            if isinstance(edge, ir.Quantified) or not isinstance(edge.types, ir.LabelName):
                faults.append("every edge has one type, which is a slot.")
                return
            ends = [
                (_label(node, owners, faults), node.var or f" {number}.{place}")
                for place, node in ((at, left), (at + 1, right))
            ]
            if edge.direction is ir.Direction.IN:
                ends.reverse()
            yield EdgeUse(
                edge.types.name,
                ends[0][0],
                ends[1][0],
                ends[0][1],
                ends[1][1],
                edge.direction is ir.Direction.BOTH,
                edge.hops or ir.Hops(1, 1),
                path.selector is not None,
            )
            left = right


def _label(node: ir.NodePattern, owners: dict[str, str], faults: list[str]) -> str:
    if isinstance(node.labels, ir.LabelName):
        return node.labels.name
    label = owners.get(node.var or "")
    if label is None:
        faults.append(f"the node {node.var or 'without a name'} has no label.")
    return label or ""


def _single(statement: ir.Statement, owners: dict[str, str]) -> Iterator[str]:
    """Labels whose name or key stands where only one property can: not as a plain column."""
    plain: set[int] = set()
    for project in find(statement, ir.Project):
        for item in project.items:
            if not item.named:
                plain.add(id(item.expr))
        plain |= {id(key.expr) for key in project.order}
    for node in descend(statement):
        match node:
            case ir.Prop(base=ir.Var(name), key=key) if key in (NAME, KEY) and name in owners:
                if id(node) not in plain:
                    yield f"{owners[name]}.{key}"
            case ir.NodePattern(var=str(name), props=ir.MapOf(entries)) if name in owners:
                yield from (f"{owners[name]}.{e.key}" for e in entries if e.key in (NAME, KEY))


def _anchors(statement: ir.Statement) -> Iterator[str]:
    for node in descend(statement):
        match node:
            case ir.Compare(ir.CompareOp.EQ, ir.Prop(ir.Var(name), key), ir.Param()):
                if key in (NAME, KEY):
                    yield name
            case ir.NodePattern(var=str(name), props=ir.MapOf(entries)):
                if any(entry.key in (NAME, KEY) for entry in entries):
                    yield name
