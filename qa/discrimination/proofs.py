"""Proofs that a mutant is no other query: both become the same by rewrites that keep the meaning.

Every rule holds on all graphs of the schema (its types, nulls and keys). What no rule proves is
not called equivalent.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from operator import attrgetter
from typing import Any

from graph_ir import nodes as ir
from graph_ir.bind import bind
from graph_ir.canonical import canonical
from graph_ir.variables import introduced, pattern_names
from graph_ir.walk import descend, find, rewrite, with_fields
from qa.discrimination.interpreter.clauses import Program
from qa.discrimination.interpreter.elements import MemoryGraph
from qa.discrimination.interpreter.expressions import TooMuch
from qa.discrimination.interpreter.values import Fault, Unsupported
from qa.discrimination.near import compares
from qa.fuzz.graphs import SmallGraph
from schemagraph.model import Kind, SchemaGraph

PROVABLE = frozenset(
    {
        *("dropped-predicate", "dropped-label", "dropped-edge-type", "changed-null-test"),
        *("changed-label", "changed-hops"),
        *("flipped-direction", "lost-direction", "inner-for-optional", "optional-for-inner"),
        *("lost-uniqueness", "lost-distinct", "lost-aggregate-distinct", "wrong-aggregate"),
        *("changed-count", "lost-order", "flipped-order", "lost-limit", "changed-limit"),
        *("lost-skip", "changed-union", "lost-stage", "dropped-grouping-key"),
    }
)
"""Operators whose mutants the proofs are about; to look at others would only cost time."""

LIKELY = frozenset({"lost-direction", "dropped-label", "changed-count"})
"""Those whose mutants mostly are the query itself, so that a proof is tried before any graph."""

type Rule = Callable[[ir.Statement, SchemaGraph], ir.Statement]


class Prover:
    """Proves mutants of one query; what its mutants share with it is worked out once."""

    def __init__(self, statement: ir.Statement, schema: SchemaGraph) -> None:
        self.schema = schema
        self.statement = statement
        self._simpler: dict[tuple[str, int], tuple[ir.Clause, ir.Clause]] = {}
        self._kinds: dict[int, tuple[ir.Node, frozenset[type[ir.Node]]]] = {}
        self._forms = [statement]
        for name in RULES:
            self._forms.append(self._applied(name, self._forms[-1]))
        self._canonical: dict[int, ir.Statement] = {}

    def proof(self, mutant: ir.Statement) -> str:
        """The name of the proof that a bound mutant means what the query means, or nothing.

        It is `canonical` (another spelling), `no-match`, or the rules that were needed, joined
        with `+`.
        """
        if _same_without_matches(self.statement, mutant):
            return "no-match"
        if self._spelt(0, mutant):
            return "canonical"
        own, needed = mutant, []
        for number, name in enumerate(RULES):
            before, after = self._forms[number : number + 2]
            simpler = self._applied(name, own)
            if (simpler is own) != (after is before) or (simpler is not own and own != before):
                needed.append(name)
            own = simpler
            if own == after:
                return "+".join(needed)
        return "+".join(needed) if self._spelt(len(RULES), own) else ""

    def _applied(self, name: str, statement: ir.Statement) -> ir.Statement:
        """The statement as a rule leaves it; the same object where it changes nothing."""
        rule, needs = RULES[name], NEEDS.get(name)
        parts = statement.clauses if isinstance(statement, ir.Query) else (statement,)
        if needs is not None and not any(needs & self._kinds_in(part) for part in parts):
            return statement
        if name not in LOCAL or not isinstance(statement, ir.Query):
            return rule(statement, self.schema)
        found: list[ir.Clause] = []
        for clause in statement.clauses:
            known = self._simpler.get((name, id(clause)))
            if known is None:
                known = (clause, LOCAL[name](clause, self.schema))
                self._simpler[name, id(clause)] = known
            found.append(known[1])
        if all(a is b for a, b in zip(found, statement.clauses, strict=True)):
            return statement
        return with_fields(statement, {"clauses": tuple(found)})

    def _kinds_in(self, part: ir.Node) -> frozenset[type[ir.Node]]:
        known = self._kinds.get(id(part))
        if known is None:
            known = self._kinds[id(part)] = (part, frozenset(map(type, descend(part))))
        return known[1]

    def _spelt(self, number: int, own: ir.Statement) -> bool:
        """Whether a form of a mutant is the query's, spelt otherwise."""
        form = self._forms[number]
        if _measure(own, form) != _measure(form, own):
            return False
        if number not in self._canonical:
            self._canonical[number] = canonical(form)
        return canonical(own) == self._canonical[number]


def _measure(statement: ir.Statement, other: ir.Statement) -> Counter[Any]:
    """What no other spelling changes: how many nodes of a kind and content there are.

    Clauses that another statement has, too, are left out.
    """
    parts: Sequence[ir.Node] = (statement,)
    if isinstance(statement, ir.Query) and isinstance(other, ir.Query):
        shared = {id(clause) for clause in other.clauses}
        parts = [clause for clause in statement.clauses if id(clause) not in shared]
    return Counter(_content(node) for part in parts for node in descend(part))


def _content(node: ir.Node) -> Any:
    """The kind of a node, and what of its content is spelt in one way only."""
    read = _CONTENT.get(type(node))
    return type(node) if read is None else (type(node), read(node))


_CONTENT: dict[type[ir.Node], Callable[[Any], Any]] = {
    ir.LabelName: attrgetter("name"),
    ir.Call: attrgetter("name"),
    ir.Prop: attrgetter("key"),
    ir.Entry: attrgetter("key"),
    ir.Literal: attrgetter("value", "kind"),
    ir.Agg: attrgetter("name", "distinct"),
    ir.Bool: attrgetter("op"),
    ir.Text: attrgetter("op"),
    ir.Arith: attrgetter("op"),
    ir.Project: attrgetter("distinct", "final"),
    ir.SortKey: attrgetter("descending"),
    ir.Match: attrgetter("optional", "mode"),
    ir.EdgePattern: lambda edge: edge.direction is ir.Direction.BOTH,
    ir.Hops: attrgetter("lo", "hi"),
    ir.IsNull: attrgetter("negated"),
}


def _same_without_matches(gold: ir.Statement, mutant: ir.Statement) -> bool:
    """Whether one only has OPTIONAL before its first MATCH, and no match leaves no trace.

    What follows reads no graph, so that it does the same with the one row of nulls everywhere.
    """
    if not (isinstance(gold, ir.Query) and isinstance(mutant, ir.Query)):
        return False
    first, other = gold.clauses[0], mutant.clauses[0]
    if not (isinstance(first, ir.Match) and isinstance(other, ir.Match)):
        return False
    rest = gold.clauses[1:]
    if first.optional is other.optional or rest != mutant.clauses[1:]:
        return False
    if replace(first, optional=False) != replace(other, optional=False):
        return False
    if any(True for clause in rest for _ in find(clause, ir.Path)):
        return False
    nothing = MemoryGraph(SmallGraph(SchemaGraph("nothing", ()), {}))
    try:
        mine, theirs = Program(gold).run(nothing), Program(mutant).run(nothing)
    except (Unsupported, Fault, TooMuch):
        return False
    return not (mine.open or theirs.open) and mine.window == theirs.window


def _types[N: ir.Node](statement: N, schema: SchemaGraph) -> N:
    """Labels as the node types that the pattern's neighbours leave; directions that are forced;
    lengths that a path to and fro between two types can have.

    What must exist beside a node (EXISTS in its MATCH's condition) leaves types, too.
    """
    statement = rewrite(statement, _narrowed)

    def change(node: ir.Node) -> ir.Node:
        match node:
            case ir.NodePattern() if node.type.of:
                return with_fields(node, {"labels": _any_of(node.type.of)})
            case ir.EdgePattern() if node.type.of:
                return with_fields(node, {"types": _any_of(node.type.of)})
            case ir.Path():
                return _even(_directed(node, schema), schema)
        return node

    return rewrite(statement, change)


@lru_cache(maxsize=1024)
def _any_of(types: tuple[str, ...]) -> ir.LabelName:
    return ir.LabelName(" ".join(sorted(types)))


def _narrowed(node: ir.Node) -> ir.Node:
    """A MATCH whose nodes have only the types that its EXISTS conditions leave them."""
    if not isinstance(node, ir.Match) or node.where is None or node.optional:
        return node
    left: dict[str, set[str]] = {}
    for part in conjuncts(node.where):
        if isinstance(part, ir.Exists) and isinstance(part.query, ir.Query):
            first = part.query.clauses[0]
            if isinstance(first, ir.Match) and not first.optional:
                for inner in (n for path in first.paths for n in find(path, ir.NodePattern)):
                    if inner.var is not None and inner.type.of:
                        left.setdefault(inner.var, set(inner.type.of)).intersection_update(
                            inner.type.of
                        )

    def change(each: ir.Node) -> ir.Node:
        if isinstance(each, ir.NodePattern) and each.var in left:
            of = tuple(name for name in each.type.of if name in left[each.var or ""])
            if of and of != each.type.of:
                return replace(each, type=replace(each.type, of=of))
        return each

    return (
        replace(node, paths=tuple(rewrite(path, change) for path in node.paths)) if left else node
    )


def _directed(path: ir.Path, schema: SchemaGraph) -> ir.Path:
    """A step of either direction that only one direction can take."""
    left = path.head
    steps = []
    for step in path.steps:
        edge = step.edge
        if (
            isinstance(edge, ir.EdgePattern)
            and edge.direction is ir.Direction.BOTH
            and edge.hops is None
            and edge.type.of
        ):
            out = _possible(edge, left, step.node, schema)
            into = _possible(edge, step.node, left, schema)
            if out != into:
                way = ir.Direction.OUT if out else ir.Direction.IN
                step = replace(step, edge=replace(edge, direction=way))
        steps.append(step)
        left = step.node
    return replace(path, steps=tuple(steps)) if tuple(steps) != path.steps else path


def _even(path: ir.Path, schema: SchemaGraph) -> ir.Path:
    """Lengths that a step of several edges can have: some, where its ends are different nodes; an
    even number on the way back to one of the two kinds of node that the edges are between."""
    left = path.head
    steps = []
    for step in path.steps:
        edge = step.edge
        if isinstance(edge, ir.EdgePattern) and edge.hops is not None:
            odd = _is_odd(edge, left, step.node, schema)
            lo, hi = edge.hops.lo, edge.hops.hi
            lo = max(lo, int(_are_told_apart(left, step.node)))
            if odd is not None:
                lo += lo % 2 != odd
                hi = None if hi is None else hi - (hi % 2 != odd)
            if hi is None or lo <= hi:
                step = replace(step, edge=replace(edge, hops=ir.Hops(lo, hi)))
        steps.append(step)
        left = step.node
    return replace(path, steps=tuple(steps)) if tuple(steps) != path.steps else path


def _are_told_apart(one: ir.NodePattern, other: ir.NodePattern) -> bool:
    """Whether two patterns want different values of one property."""
    wanted = [
        {e.key: e.value.value for e in node.props.entries if isinstance(e.value, ir.Literal)}
        for node in (one, other)
        if isinstance(node.props, ir.MapOf)
    ]
    return len(wanted) == 2 and any(
        type(wanted[0][key]) is type(wanted[1][key]) and wanted[0][key] != wanted[1][key]
        for key in wanted[0].keys() & wanted[1].keys()
    )


def _is_odd(
    edge: ir.EdgePattern, left: ir.NodePattern, right: ir.NodePattern, schema: SchemaGraph
) -> bool | None:
    """Whether every path of such edges between the two has an odd length; None: either may be."""
    kinds = [e for e in schema.edges if e.name in edge.type.of]
    sides = {e.source for e in kinds}, {e.target for e in kinds}
    if edge.direction is not ir.Direction.BOTH or not kinds or sides[0] & sides[1]:
        return None
    at = [[set(n.type.of) <= side for side in sides] for n in (left, right) if n.type.of]
    if len(at) != 2 or not all(map(any, at)):
        return None
    return at[0] != at[1]


def _possible(
    edge: ir.EdgePattern, source: ir.NodePattern, target: ir.NodePattern, schema: SchemaGraph
) -> bool:
    return any(
        e.source in source.type.of and e.target in target.type.of
        for e in schema.edges
        if e.name in edge.type.of
    )


def _not_null[N: ir.Node](statement: N, schema: SchemaGraph) -> N:
    """count(x) of what is never null counts rows; IS NOT NULL of it is true."""

    def change(node: ir.Node) -> ir.Node:
        match node:
            case ir.Agg("count", (arg,), False) if _sure(arg):
                return ir.Agg("count")
            case ir.IsNull(arg, negated) if _sure(arg):
                return ir.Literal(negated)
            case ir.Bool(ir.BoolOp.AND, args) if ir.Literal(True) in args:
                left = tuple(arg for arg in args if arg != ir.Literal(True))
                return left[0] if len(left) == 1 else replace(node, args=left)
            case ir.Match(where=ir.Literal(True)) | ir.Project(where=ir.Literal(True)):
                return replace(node, where=None)
        return node

    return rewrite(statement, change)


def _sure(expr: ir.Expr) -> bool:
    return not expr.type.nullable and expr.type.kind not in (Kind.ANY, Kind.NULL)


def _null_skipped(statement: ir.Statement, schema: SchemaGraph) -> ir.Statement:
    """IS NOT NULL beside a condition, or before aggregates, that no null passes."""

    def change(node: ir.Node) -> ir.Node:
        if isinstance(node, ir.Query):
            clauses = [
                _without_nulls(clause, after)
                for clause, after in zip(node.clauses, (*node.clauses[1:], None), strict=True)
            ]
            same = all(a is b for a, b in zip(clauses, node.clauses, strict=True))
            return node if same else replace(node, clauses=tuple(clauses))
        return node

    return rewrite(statement, change)


def _without_nulls(clause: ir.Clause, after: ir.Clause | None) -> ir.Clause:
    if not isinstance(clause, ir.Match | ir.Project) or clause.where is None:
        return clause
    parts = conjuncts(clause.where)
    kept = []
    for number, part in enumerate(parts):
        others = (*parts[:number], *parts[number + 1 :])
        if isinstance(part, ir.IsNull) and part.negated:
            if any(_rejects_null(other, part.arg) for other in others):
                continue
            if not (isinstance(clause, ir.Match) and clause.optional) and _skips(after, part.arg):
                continue
        kept.append(part)
    if len(kept) == len(parts):
        return clause
    where = ir.Bool(ir.BoolOp.AND, tuple(kept)) if len(kept) > 1 else next(iter(kept), None)
    return replace(clause, where=where)


def conjuncts(where: ir.Expr) -> tuple[ir.Expr, ...]:
    """The conditions that AND joins."""
    if isinstance(where, ir.Bool) and where.op is ir.BoolOp.AND:
        return where.args
    return (where,)


def _rejects_null(condition: ir.Expr, expr: ir.Expr) -> bool:
    """Whether a condition is never true where `expr` is null."""
    match condition:
        case ir.Compare(_, left, right) | ir.Text(_, left, right):
            return _null_where(left, expr) or _null_where(right, expr)
        case ir.In(item, ir.ListOf(items)):
            return bool(items) and _null_where(item, expr)
    return False


def _skips(after: ir.Clause | None, expr: ir.Expr) -> bool:
    """Whether aggregates over all rows skip those where `expr` is null."""
    if not isinstance(after, ir.Project) or after.group != ():
        return False
    aggregates = [agg for item in after.items for agg in find(item, ir.Agg)]
    return all(agg.args and _null_where(agg.args[0], expr) for agg in aggregates)


def _null_where(expr: ir.Expr, null: ir.Expr) -> bool:
    """Whether `expr` is null where `null` is."""
    if expr == null:
        return True
    match expr:
        case ir.Prop(base):
            return _null_where(base, null)
        case ir.Arith(_, left, right):
            return _null_where(left, null) or _null_where(right, null)
        case ir.Call(name, args) if name in _STRICT:
            return any(_null_where(arg, null) for arg in args)
    return False


_STRICT = frozenset(
    {"toLower", "toUpper", "size", "abs", "round", "floor", "ceil", "substring", "trim", "left"}
)


def _one_row[N: ir.Node](statement: N, schema: SchemaGraph) -> N:
    """Aggregates without keys give one row: its order, DISTINCT and LIMIT mean nothing."""

    def change(node: ir.Node) -> ir.Node:
        if not isinstance(node, ir.Project) or node.group != ():
            return node
        limit = node.limit
        if isinstance(limit, ir.Literal) and isinstance(limit.value, int) and limit.value > 0:
            limit = None
        found = replace(node, distinct=False, order=(), limit=limit)
        return node if found == node else found

    return rewrite(statement, change)


def _groups[N: ir.Node](statement: N, schema: SchemaGraph) -> N:
    """Groups whose keys are all columns are distinct rows; min and max do not count."""

    def change(node: ir.Node) -> ir.Node:
        match node:
            case ir.Project(distinct=True, group=keys) if keys is not None:
                return replace(node, distinct=False)
            case ir.Agg("min" | "max", distinct=True):
                return replace(node, distinct=False)
        return node

    return rewrite(statement, change)


def _unseen_order(statement: ir.Statement, schema: SchemaGraph) -> ir.Statement:
    """An order inside the query that no window, collection or list sees."""
    if any(agg.name == "collect" for agg in find(statement, ir.Agg)) or any(
        True for _ in find(statement, ir.CollectOf)
    ):
        return statement

    def change(node: ir.Node) -> ir.Node:
        if not isinstance(node, ir.Project) or node.final or not node.order:
            return node
        return node if node.limit is not None or node.skip is not None else replace(node, order=())

    return rewrite(statement, change)


def _keys(statement: ir.Statement, schema: SchemaGraph) -> ir.Statement:
    """DISTINCT where the columns hold the key of the only element that the rows differ in."""
    if not isinstance(statement, ir.Query) or len(statement.clauses) != 2:
        return statement
    match, last = statement.clauses
    if not isinstance(match, ir.Match) or not isinstance(last, ir.Project) or match.optional:
        return statement
    if len(match.paths) != 1 or match.paths[0].steps or last.group not in (None, ()):
        return statement
    head = match.paths[0].head
    if head.var is None or len(head.type.of) != 1:
        return statement
    node = schema.node_by_name[head.type.of[0]]
    keyed = bool(node.key)

    def holds(exprs: tuple[ir.Expr, ...]) -> bool:
        whole = ir.Var(head.var or "")
        return whole in exprs or (keyed and all(ir.Prop(whole, k) in exprs for k in node.key))

    def change(agg: ir.Node) -> ir.Node:
        if isinstance(agg, ir.Agg) and agg.distinct and holds(agg.args[:1]):
            return replace(agg, distinct=False)
        return agg

    plain = rewrite(last, change)
    if plain.distinct and plain.group is None and holds(tuple(i.expr for i in plain.items)):
        plain = replace(plain, distinct=False)
    if plain is last:
        return statement
    return bind(replace(statement, clauses=(match, plain)), schema).statement


def _empty_row(statement: ir.Statement, schema: SchemaGraph) -> ir.Statement:
    """An OPTIONAL MATCH after which a clause asks for what it may not have found."""

    def change(node: ir.Node) -> ir.Node:
        if not isinstance(node, ir.Query):
            return node
        clauses = list(node.clauses)
        for number, clause in enumerate(node.clauses):
            if not isinstance(clause, ir.Match) or not clause.optional:
                continue
            known = {name for each in node.clauses[:number] for name in introduced(each)}
            new = set(introduced(clause)) - known
            if new and _leaves_no_trace(node.clauses[number + 1 :], new, first=number == 0):
                clauses[number] = replace(clause, optional=False)
        return node if tuple(clauses) == node.clauses else replace(node, clauses=tuple(clauses))

    found = rewrite(statement, change)
    return statement if found is statement else bind(found, schema).statement


def _leaves_no_trace(rest: tuple[ir.Clause, ...], names: set[str], *, first: bool) -> bool:
    """Whether rows in which all of `names` are null go nowhere."""
    for clause in rest:
        match clause:
            case ir.Project(group=(), items=items):
                aggregates = [agg for item in items for agg in find(item, ir.Agg)]
                nulls = [ir.Var(name) for name in sorted(names)]
                return all(
                    agg.args and any(_null_where(agg.args[0], null) for null in nulls)
                    for agg in aggregates
                )
            case ir.Match(optional=False, paths=paths):
                return any(name in names for path in paths for name in pattern_names(path))
            case ir.Project() if clause.group != () and (
                first or (clause.limit is None and clause.skip is None)
            ):
                passed = {
                    item.alias
                    for item in clause.items
                    if isinstance(item.expr, ir.Var) and item.expr.name in names
                }
                if not passed or (clause.group is None and not first and clause.distinct):
                    return False
                names = passed
            case _:
                return False
    return False


def _counted[N: ir.Node](statement: N, schema: SchemaGraph) -> N:
    """OPTIONAL in a COUNT that is compared with more than one."""

    def change(node: ir.Node) -> ir.Node:
        match node:
            case ir.Compare(op, ir.CountOf(ir.Query((ir.Match(optional=True) as only,))), other):
                if isinstance(other, ir.Literal) and isinstance(other.value, int):
                    zero, one = (compares(count, op.value, other.value) for count in (0, 1))
                    if zero == one:
                        inner = ir.Query((replace(only, optional=False),))
                        return replace(node, left=ir.CountOf(inner))
        return node

    return rewrite(statement, change)


def _different_ends[N: ir.Node](statement: N, schema: SchemaGraph) -> N:
    """Edges that may repeat, where one edge in two places would make one node unlike itself."""

    def change(node: ir.Node) -> ir.Node:
        if not isinstance(node, ir.Match) or node.mode is not ir.MatchMode.REPEATABLE:
            return node
        unlike = {
            frozenset((a.name, b.name))
            for part in (conjuncts(node.where) if node.where is not None else ())
            for a, b in _unlike(part)
        }
        edges = [
            (left, step.edge, step.node)
            for path in node.paths
            for left, step in zip(
                (path.head, *(s.node for s in path.steps)), path.steps, strict=False
            )
        ]
        for number, one in enumerate(edges):
            for other in edges[number + 1 :]:
                if not _cannot_meet(one, other, unlike):
                    return node
        return replace(node, mode=ir.MatchMode.DIFFERENT_EDGES)

    return rewrite(statement, change)


type _Step = tuple[ir.NodePattern, ir.EdgePattern | ir.Quantified, ir.NodePattern]


def _unlike(part: ir.Expr) -> Iterator[tuple[ir.Var, ir.Var]]:
    match part:
        case ir.Compare(op, ir.Prop(ir.Var() as a, x), ir.Prop(ir.Var() as b, y)):
            if x == y and op in (ir.CompareOp.LT, ir.CompareOp.GT, ir.CompareOp.NE):
                yield a, b
        case ir.Compare(ir.CompareOp.NE, ir.Var() as a, ir.Var() as b):
            yield a, b


def _cannot_meet(one: _Step, other: _Step, unlike: set[frozenset[str]]) -> bool:
    ends = []
    for left, edge, right in (one, other):
        if not isinstance(edge, ir.EdgePattern) or edge.hops is not None:
            return False
        if edge.direction is ir.Direction.BOTH:
            return False
        ends.append((left, right) if edge.direction is ir.Direction.OUT else (right, left))
    if not set(one[1].type.of) & set(other[1].type.of):  # type: ignore[union-attr] # looked above
        return True
    return any(
        (not set(a.type.of) & set(b.type.of))
        or (a.var is not None and b.var is not None and frozenset((a.var, b.var)) in unlike)
        for a, b in zip(*ends, strict=True)
    )


LOCAL: dict[str, Callable[[ir.Clause, SchemaGraph], ir.Clause]] = {
    "not-null": _not_null,
    "one-row": _one_row,
    "groups": _groups,
    "counted": _counted,
    "different-ends": _different_ends,
    "types": _types,
}
"""Rules that look at one clause at a time."""

RULES: dict[str, Rule] = {
    "empty-row": _empty_row,
    "key": _keys,
    "not-null": _not_null,
    "null-skipped": _null_skipped,
    "one-row": _one_row,
    "groups": _groups,
    "unseen-order": _unseen_order,
    "counted": _counted,
    "different-ends": _different_ends,
    "types": _types,
}

NEEDS: dict[str, frozenset[type[ir.Node]]] = {
    "not-null": frozenset({ir.Agg, ir.IsNull}),
    "null-skipped": frozenset({ir.IsNull}),
    "one-row": frozenset({ir.Agg}),
    "groups": frozenset({ir.Agg}),
    "unseen-order": frozenset({ir.SortKey}),
    "counted": frozenset({ir.CountOf}),
}
"""Kinds of node without which a rule changes nothing."""
