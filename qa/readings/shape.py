"""What the families of rewrites share: the stages of a query, its things, their properties."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from graph_ir import nodes as ir
from graph_ir.lowerings import conjuncts
from graph_ir.rewrites import without_aliases
from graph_ir.variables import introduced
from graph_ir.walk import find, rewrite
from schemagraph.model import EdgeType, Kind, NodeType, Property, SchemaGraph

type Derive = Callable[[ir.Query, SchemaGraph], Iterator[ir.Query]]
"""A family's reading: the bound query as it would be if its question were read that way."""

MOST = 3
"""Rewrites of one reading that are tried for one query."""


@dataclass(frozen=True, slots=True)
class Stage:
    """A projection, the place of it, and the clauses since the one before."""

    query: ir.Query
    at: int
    project: ir.Project
    before: tuple[ir.Clause, ...]

    def with_clauses(self, *clauses: ir.Clause) -> ir.Query:
        """The query with other clauses in the place of the stage's, its projection too."""
        start = self.at - len(self.before)
        kept = self.query.clauses
        return replace(self.query, clauses=(*kept[:start], *clauses, *kept[self.at + 1 :]))

    @property
    def match(self) -> ir.Match | None:
        """The stage's only MATCH, where it has one that is not optional, and nothing else."""
        match self.before:
            case (ir.Match(optional=False) as only,):
                return only
        return None


def stages(query: ir.Query) -> Iterator[Stage]:
    """The projections of a query, from its beginning."""
    start = 0
    for number, clause in enumerate(query.clauses):
        if isinstance(clause, ir.Project):
            yield Stage(query, number, clause, query.clauses[start:number])
            start = number + 1


def read_by(project: ir.Project) -> tuple[str, ...]:
    """The variables that a projection reads, in its order."""
    parts = [item.expr for item in project.items]
    parts += [without_aliases(key.expr, project) for key in project.order]
    return tuple(dict.fromkeys(var.name for part in parts for var in find(part, ir.Var)))


def node_patterns(clauses: Sequence[ir.Clause]) -> Iterator[ir.NodePattern]:
    """The node patterns of the MATCH clauses, without those of subqueries."""
    for clause in clauses:
        if isinstance(clause, ir.Match):
            for path in clause.paths:
                yield path.head
                yield from (step.node for step in path.steps)


def edge_patterns(clauses: Sequence[ir.Clause]) -> Iterator[ir.EdgePattern]:
    """The edge patterns of the MATCH clauses, without those of subqueries."""
    for clause in clauses:
        if isinstance(clause, ir.Match):
            for path in clause.paths:
                edges = (step.edge for step in path.steps)
                yield from (edge for edge in edges if isinstance(edge, ir.EdgePattern))


def named_nodes(clauses: Sequence[ir.Clause]) -> dict[str, ir.NodePattern]:
    """The node patterns with a variable, by its name; of several, the first."""
    nodes: dict[str, ir.NodePattern] = {}
    for node in node_patterns(clauses):
        if node.var:
            nodes.setdefault(node.var, node)
    return nodes


def hides(stage: Stage, kept: Sequence[str]) -> bool:
    """Whether the clauses before match something that is not among `kept`, so that rows of these
    may repeat."""
    variables = [
        *(each.var for each in node_patterns(stage.before)),
        *(each.var for each in edge_patterns(stage.before)),
    ]
    bound = {name for clause in stage.before for name in introduced(clause)}
    return any(name not in kept for name in variables) or bool(bound - set(kept))


def only(names: Sequence[str]) -> ir.Project:
    """`WITH DISTINCT` of some variables."""
    return ir.Project(tuple(ir.Item(ir.Var(name), name) for name in names), distinct=True)


def renamed[N: ir.Node](node: N, names: Mapping[str, str]) -> N:
    """A node with other names of variables."""

    def change(each: ir.Node) -> ir.Node:
        match each:
            case ir.Var(name) if name in names:
                return replace(each, name=names[name])
            case ir.NodePattern(str(var)) | ir.EdgePattern(str(var)) if var in names:
                return replace(each, var=names[var])
        return each

    return rewrite(node, change)


def both(*conditions: ir.Expr | None) -> ir.Expr | None:
    """The conjunction of what is there."""
    parts = [part for each in conditions for part in conjuncts(each)]
    return ir.Bool(ir.BoolOp.AND, tuple(parts)) if len(parts) > 1 else next(iter(parts), None)


def types_of(expr: ir.Expr | ir.NodePattern, schema: SchemaGraph) -> list[NodeType | EdgeType]:
    """The node or edge types that an element can be of; none where that is not known."""
    known: Mapping[str, NodeType | EdgeType] = (
        schema.edge_by_name if expr.type.kind is Kind.EDGE else schema.node_by_name
    )
    return [known[name] for name in expr.type.of if name in known]


def properties_of(prop: ir.Prop, schema: SchemaGraph) -> list[Property]:
    """What the schema says of a property that is read of a variable, of each type it can be of."""
    if not isinstance(prop.base, ir.Var):
        return []
    properties = (each.property(prop.key) for each in types_of(prop.base, schema))
    return [each for each in properties if each is not None]


def identifies(prop: ir.Prop, schema: SchemaGraph) -> bool:
    """Whether a property tells the things of its type apart: it is their key, or unique."""
    if not isinstance(prop.base, ir.Var):
        return True
    own = types_of(prop.base, schema)
    return bool(own) and all(
        isinstance(each, EdgeType)
        or each.key == (prop.key,)
        or any(p.name == prop.key and (p.unique or p.observed.unique) for p in each.properties)
        for each in own
    )


def key_of(name: str, node: ir.NodePattern, schema: SchemaGraph) -> ir.Prop | None:
    """The property that is the whole key of a node, if there is one."""
    own = types_of(node, schema)
    if len(own) == 1 and isinstance(own[0], NodeType) and len(own[0].key) == 1:
        return ir.Prop(ir.Var(name), own[0].key[0])
    return None


def at_end(query: ir.Query, last: ir.Clause, *between: ir.Clause) -> ir.Query:
    """The query with another last clause, and others before it."""
    return replace(query, clauses=(*query.clauses[:-1], *between, last))
