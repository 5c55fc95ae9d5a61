"""A query as facts that can be compared one by one: elements, conditions, columns, windows.

Aliases of WITH are written out, conditions are cut at AND, properties and predicates of patterns
are conditions like those of WHERE, and every edge runs forwards. Counting an element is counting
rows. So the same question asked in other clauses has the same facts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from graph_ir import nodes as ir
from graph_ir.rewrites import has_aggregate
from graph_ir.walk import find, rewrite
from schemagraph.model import Type

_FLIPPED = {ir.CompareOp.GT: ir.CompareOp.LT, ir.CompareOp.GE: ir.CompareOp.LE}
_SYMMETRIC = frozenset({ir.CompareOp.EQ, ir.CompareOp.NE})


@dataclass(frozen=True, slots=True)
class NodeFact:
    """One node of the patterns: its label expression (as text), the types it can be."""

    labels: str
    of: tuple[str, ...]
    optional: bool


@dataclass(frozen=True, slots=True)
class EdgeFact:
    """One edge of the patterns, from left to right; `both` where it has no direction."""

    var: str
    left: str
    right: str
    types: str
    of: tuple[str, ...]
    both: bool
    hops: str
    optional: bool


@dataclass(frozen=True, slots=True)
class Window:
    """What a projection does with its rows."""

    distinct: bool = False
    order: tuple[tuple[ir.Expr, bool], ...] = ()
    skip: ir.Expr | None = None
    limit: ir.Expr | None = None


@dataclass(slots=True)
class Facts:
    """The facts of one query without unions; `conditions` are pairs of an expression and whether
    it is asked after an aggregation. `groups` are the keys of projections that aggregate."""

    nodes: dict[str, NodeFact] = field(default_factory=dict)
    edges: list[EdgeFact] = field(default_factory=list)
    conditions: list[tuple[ir.Expr, bool]] = field(default_factory=list)
    columns: tuple[ir.Expr, ...] = ()
    aggregated: bool = False
    window: Window = Window()
    inner: list[Window] = field(default_factory=list)
    groups: list[tuple[ir.Expr, ...]] = field(default_factory=list)
    lists: list[ir.Expr] = field(default_factory=list)
    calls: list[ir.Statement] = field(default_factory=list)
    repeatable: bool = False


type Keys = Mapping[str, tuple[str, ...]]
"""The key properties of node types by name."""


def facts(query: ir.Query, *, joins: bool = False) -> Facts:
    """The facts of a bound query.

    `joins`: what must exist is read as part of the patterns, for comparison with a query that
    joins it.
    """
    return _Reader(joins).read(query)


def node_keys(
    keys: Sequence[ir.Expr], nodes: Mapping[str, NodeFact], known: Keys
) -> tuple[ir.Expr, ...]:
    """Keys of a group: for a node that is among them, whole or by its key, the node alone."""
    whole = {key.name for key in keys if isinstance(key, ir.Var)} & nodes.keys()
    owned: dict[str, set[str]] = {}
    for key in keys:
        owner = _owner(key)
        if owner and isinstance(key, ir.Prop):
            owned.setdefault(owner, set()).add(key.key)
    for name, own in owned.items():
        of = nodes[name].of if name in nodes else ()
        if of and all(known.get(each) and own.issuperset(known[each]) for each in of):
            whole.add(name)
    others = (key for key in keys if (_owner(key) or _name(key)) not in whole)
    return (*(ir.Var(name) for name in sorted(whole)), *others)


def _name(key: ir.Expr) -> str:
    return key.name if isinstance(key, ir.Var) else ""


def _owner(key: ir.Expr) -> str:
    return key.base.name if isinstance(key, ir.Prop) and isinstance(key.base, ir.Var) else ""


def branches(statement: ir.Statement) -> tuple[list[ir.Query], list[bool]]:
    """The queries that a statement unites, and for each union whether it keeps repeats."""
    if isinstance(statement, ir.Query):
        return [statement], []
    left, kinds = branches(statement.left)
    return [*left, statement.right], [*kinds, statement.all]


class _Reader:
    def __init__(self, joins: bool) -> None:
        self.facts = Facts()
        self.aliases: dict[str, ir.Expr] = {}
        self.number = 0
        self.aggregated = False
        self.joins = joins
        self.semijoin = False

    def read(self, query: ir.Query) -> Facts:
        self.joins &= not any(
            has_aggregate(item.expr)
            for clause in query.clauses
            if isinstance(clause, ir.Project)
            for item in clause.items
        )
        for clause in query.clauses:
            match clause:
                case ir.Match():
                    self._match(clause)
                case ir.Unwind(expr, alias):
                    self.facts.lists.append(self._written(expr))
                    self._name(alias, ir.Var(f"list {len(self.facts.lists)}"))
                case ir.Subquery(query=inner):
                    self.facts.calls.append(inner)
                case ir.Project():
                    self._project(clause)
        return self.facts

    def _name(self, alias: str, expr: ir.Expr) -> None:
        self.aliases[alias] = expr

    def _fresh(self) -> str:
        self.number += 1
        return f"element {self.number}"

    # --- patterns ------------------------------------------------------------------------------

    def _match(self, match: ir.Match) -> None:
        self.facts.repeatable |= match.mode is ir.MatchMode.REPEATABLE
        for number, path in enumerate(match.paths):
            if path.var is not None:
                self._name(path.var, ir.Var(f"path {len(self.facts.edges)}.{number}"))
            self._path(path, match.optional)
        if match.where is not None:
            self._conditions(match.where)

    def _path(self, path: ir.Path, optional: bool) -> None:
        kind = "" if path.selector is None else f"{path.selector.kind.value} {path.selector.count}"
        left = self._node(path.head, optional)
        for step in path.steps:
            edge = step.edge
            right = self._node(step.node, optional)
            if isinstance(edge, ir.Quantified):
                self._quantified(edge, left, right, optional, kind)
            else:
                self._edge(edge, left, right, optional, f"{_hops(edge.hops)} {kind}".strip())
            left = right

    def _quantified(
        self, part: ir.Quantified, left: str, right: str, optional: bool, kind: str
    ) -> None:
        single = len(part.path.steps) == 1
        edge = part.path.steps[0].edge if single else None
        if isinstance(edge, ir.EdgePattern) and edge.hops is None:
            self._edge(edge, left, right, optional, f"{_hops(part.hops)} {kind}".strip())
        else:
            text = text_of(part.path, {})
            self.facts.edges.append(
                EdgeFact("", left, right, text, (), False, _hops(part.hops), optional)
            )
        if part.where is not None:
            self._conditions(part.where)

    def _node(self, node: ir.NodePattern, optional: bool) -> str:
        named = self.aliases.get(node.var or "")
        name = named.name if isinstance(named, ir.Var) else node.var or self._fresh()
        labels = "" if node.labels is None else text_of(node.labels, {})
        known = self.facts.nodes.get(name)
        if known is None:
            self.facts.nodes[name] = NodeFact(labels, node.type.of, optional)
        elif labels and labels != known.labels:
            joined = " & ".join(sorted({*filter(None, known.labels.split(" & ")), labels}))
            self.facts.nodes[name] = replace(known, labels=joined, of=node.type.of)
        self._entries(name, node.props, node.type)
        if node.where is not None:
            self._conditions(node.where)
        return name

    def _edge(self, edge: ir.EdgePattern, left: str, right: str, optional: bool, hops: str) -> None:
        if edge.direction is ir.Direction.IN:
            left, right = right, left
        name = edge.var or self._fresh()
        both = edge.direction is ir.Direction.BOTH
        types = "" if edge.types is None else text_of(edge.types, {})
        fact = EdgeFact(name, left, right, types, edge.type.of, both, hops, optional)
        self.facts.edges.append(fact)
        self._entries(name, edge.props, edge.type)
        if edge.where is not None:
            self._conditions(edge.where)

    def _entries(self, name: str, props: ir.MapOf | ir.Param | None, of: Type) -> None:
        for entry in props.entries if isinstance(props, ir.MapOf) else ():
            base = ir.Prop(ir.Var(name, type=of), entry.key)
            self._conditions(ir.Compare(ir.CompareOp.EQ, base, entry.value))

    # --- conditions and projections ------------------------------------------------------------

    def _conditions(self, where: ir.Expr) -> None:
        for atom in atoms(self._written(where)):
            if isinstance(atom, ir.LabelTest) and isinstance(atom.arg, ir.Var):
                known = self.facts.nodes.get(atom.arg.name)
                if known is not None and not known.labels:
                    labels = text_of(atom.labels, {})
                    self.facts.nodes[atom.arg.name] = replace(known, labels=labels)
                    continue
            if not self._must_exist(atom):
                self.facts.conditions.append((atom, self.aggregated))

    def _must_exist(self, atom: ir.Expr) -> bool:
        """Read EXISTS of a pattern as the pattern, where no aggregate counts its rows."""
        if not (self.joins and isinstance(atom, ir.Exists) and isinstance(atom.query, ir.Query)):
            return False
        match atom.query.clauses:
            case (ir.Match(optional=False) as inner, *rest) if not _narrows(rest):
                outer = self.facts.nodes.keys() | {edge.var for edge in self.facts.edges}
                own = _pattern_names(inner) - outer - self.aliases.keys()
                self._match(_called(inner, {name: self._fresh() for name in own}))
                self.semijoin = True
                return True
        return False

    def _project(self, project: ir.Project) -> None:
        own = {item.alias: self._counted(self._written(item.expr)) for item in project.items}
        before = self.aliases
        self.aliases = {**before, **own}
        order = tuple((self._written(key.expr), key.descending) for key in project.order)
        distinct = project.distinct or (project.final and self.semijoin)
        window = Window(distinct, order, project.skip, project.limit)
        aggregates = any(has_aggregate(item.expr) for item in project.items)
        if aggregates:
            keys = tuple(own[i.alias] for i in project.items if not has_aggregate(i.expr))
            self.facts.groups.append(keys)
        if project.final:
            self.facts.columns = tuple(own.values())
            self.facts.window = window
            self.facts.aggregated = aggregates
            return
        if window != Window():
            self.facts.inner.append(window)
        self.aggregated |= aggregates
        if project.where is not None:
            self._conditions(project.where)

    def _counted(self, expr: ir.Expr) -> ir.Expr:
        """The expression with count of an element that is always there written as count(*)."""

        def change(node: ir.Node) -> ir.Node:
            match node:
                case ir.Agg("count", (ir.Var(name),), False):
                    element = self.facts.nodes.get(name)
                    if element is not None and not element.optional:
                        return ir.Agg("count")
            return node

        return rewrite(expr, change)

    def _written(self, expr: ir.Expr) -> ir.Expr:
        """The expression with aliases written out."""
        names = {node.name for node in find(expr, ir.Var)} & self.aliases.keys()
        if not names:
            return expr

        def change(node: ir.Node) -> ir.Node:
            if isinstance(node, ir.Var) and node.name in names:
                expression = self.aliases[node.name]
                return (
                    node
                    if isinstance(expression, ir.Var) and expression.name == node.name
                    else expression
                )
            return node

        return rewrite(expr, change)


def _narrows(clauses: Iterable[ir.Clause]) -> bool:
    """Whether clauses behind a MATCH in EXISTS could leave some of its rows out."""
    return any(
        not isinstance(clause, ir.Project)
        or not clause.final
        or clause.skip is not None
        or clause.limit is not None
        for clause in clauses
    )


def _pattern_names(match: ir.Match) -> set[str]:
    nodes = {node.var for node in find(match, ir.NodePattern) if node.var}
    return nodes | {edge.var for edge in find(match, ir.EdgePattern) if edge.var}


def _called(match: ir.Match, names: Mapping[str, str]) -> ir.Match:
    """The clause with its elements called otherwise."""

    def change(node: ir.Node) -> ir.Node:
        if isinstance(node, ir.Var) and node.name in names:
            return replace(node, name=names[node.name])
        if isinstance(node, ir.NodePattern | ir.EdgePattern) and node.var in names:
            return replace(node, var=names[str(node.var)])
        return node

    return rewrite(match, change)


def _hops(hops: ir.Hops | None) -> str:
    return "" if hops is None else f"{hops.lo}..{'' if hops.hi is None else hops.hi}"


def atoms(expr: ir.Expr) -> Iterator[ir.Expr]:
    """The conjuncts of a condition, each in one form of its equals."""
    if isinstance(expr, ir.Bool) and expr.op is ir.BoolOp.AND:
        for arg in expr.args:
            yield from atoms(arg)
    else:
        yield rewrite(expr, _ordered)


def _ordered(node: ir.Node) -> ir.Node:
    match node:
        case ir.Compare(op, left, right) if op in _FLIPPED:
            return replace(node, op=_FLIPPED[op], left=right, right=left)
        case ir.Compare(op, left, right) if op in _SYMMETRIC and isinstance(left, ir.Literal):
            return replace(node, left=right, right=left)
        case ir.Not(ir.Compare(ir.CompareOp.EQ) as inner):
            return replace(inner, op=ir.CompareOp.NE)
        case ir.Exists(form=form) if form is not ir.ExistsForm.SUBQUERY:
            return replace(node, form=ir.ExistsForm.SUBQUERY)
    return node


# --- texts by which parts are compared -------------------------------------------------------

_NAMED = ("var", "alias", "acc")


def text_of(node: ir.Node, names: Mapping[str, str]) -> str:
    """A text that is equal for equal parts: variables are called as `names` says, others (those
    of subqueries and lists) by the order in which they appear."""
    local: dict[str, str] = {}

    def called(name: str) -> str:
        return names.get(name) or local.setdefault(name, f"local {len(local) + 1}")

    def change(part: ir.Node) -> ir.Node:
        if isinstance(part, ir.Var):
            return replace(part, name=called(part.name))
        updates = {
            name: called(getattr(part, name)) for name in _NAMED if getattr(part, name, None)
        }
        if isinstance(part, ir.Subquery):
            updates.pop("alias", None)
        if updates:
            part = replace(part, **updates)  # type: ignore[arg-type] # names of names
        return _sorted(part)

    return repr(rewrite(node, change))


def _sorted(part: ir.Node) -> ir.Node:
    """Equal operands in one order."""
    if isinstance(part, ir.Bool):
        return replace(part, args=tuple(sorted(part.args, key=repr)))
    if isinstance(part, ir.Compare):
        if part.op is ir.CompareOp.EQ and part.right == ir.Literal(True):
            return part.left
        left, right = _number(part.left), _number(part.right)
        if part.op in _SYMMETRIC:
            left, right = sorted((left, right), key=repr)
        return replace(part, left=left, right=right)
    return part


def _number(side: ir.Expr) -> ir.Expr:
    """A constant of a comparison, in which 120.0 is 120."""
    value = side.value if isinstance(side, ir.Literal) else None
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return ir.Literal(int(value))
    return side


def masked(node: ir.Expr) -> ir.Expr:
    """The expression with every constant replaced by one."""

    def change(part: ir.Node) -> ir.Node:
        if isinstance(part, ir.Literal) and part.value is not None:
            return ir.Literal("?")
        if isinstance(part, ir.ListOf) and all(isinstance(i, ir.Literal) for i in part.items):
            return ir.ListOf((ir.Literal("?"),))
        return part

    return rewrite(node, change)


def without_operators(node: ir.Expr) -> ir.Expr:
    """The expression with comparisons, connectives, negations and tests of text taken for one."""

    def change(part: ir.Node) -> ir.Node:
        match part:
            case ir.Compare(left=left, right=right) | ir.Text(left=left, right=right):
                both = sorted((left, right), key=lambda each: isinstance(each, ir.Literal))
                return ir.Compare(ir.CompareOp.EQ, both[0], both[1])
            case ir.In(item=item, list=of):
                return ir.Compare(ir.CompareOp.EQ, item, of)
            case ir.Not(arg):
                return arg
            case ir.Bool():
                return replace(part, op=ir.BoolOp.AND)
            case ir.IsNull():
                return replace(part, negated=False)
            case ir.Quantifier():
                return replace(part, kind=ir.QuantifierKind.ALL)
            case ir.Arith():
                return replace(part, op=ir.ArithOp.ADD)
        return part

    return rewrite(node, change)


def without_properties(node: ir.Expr) -> ir.Expr:
    """The expression with every property taken for one."""

    def change(part: ir.Node) -> ir.Node:
        return replace(part, key="?") if isinstance(part, ir.Prop) else part

    return rewrite(node, change)


def without_owners(node: ir.Expr) -> ir.Expr:
    """The expression with every property taken to be of one element."""

    def change(part: ir.Node) -> ir.Node:
        if isinstance(part, ir.Prop) and isinstance(part.base, ir.Var):
            return replace(part, base=ir.Var("?"))
        return part

    return rewrite(node, change)


def without_distinct(node: ir.Expr) -> ir.Expr:
    """The expression with aggregates of all values; that of a variable counts its rows."""

    def change(part: ir.Node) -> ir.Node:
        if not isinstance(part, ir.Agg) or not part.distinct:
            return part
        rows = part.name == "count" and isinstance(part.args[0], ir.Var)
        return replace(part, distinct=False, args=() if rows else part.args)

    return rewrite(node, change)


def without_aggregates(node: ir.Expr) -> ir.Expr:
    """The expression with every aggregate taken for one."""

    def change(part: ir.Node) -> ir.Node:
        return ir.Agg("count") if isinstance(part, ir.Agg) else part

    return rewrite(node, change)


def hidden_aggregates(node: ir.Expr) -> ir.Expr:
    """The expression with every aggregate, whatever it aggregates, taken for one."""
    return rewrite(node, lambda part: ir.Agg("count") if isinstance(part, ir.Agg) else part)


def leaves(exprs: Iterable[ir.Expr]) -> Iterator[ir.Expr]:
    """The tests that connectives and negations join."""
    for expr in exprs:
        match expr:
            case ir.Bool(args=args):
                yield from leaves(args)
            case ir.Not(arg):
                yield from leaves((arg,))
            case ir.In(item, ir.ListOf(items)) if items:
                yield from (ir.Compare(ir.CompareOp.EQ, item, each) for each in items)
            case _:
                yield expr


def variables(node: ir.Node) -> set[str]:
    """The variables that a part reads."""
    return {var.name for var in find(node, ir.Var)}
