"""GO, LOOKUP and FETCH: the native statement that is the idiom for a query, where there is one.

The query must be one node, or one directed edge of one type, with conditions on them. Then

- a node whose key is constant is fetched by its id: `FETCH PROP ON Tag "Type/key" YIELD …`;
- a node with a condition is looked up: `LOOKUP ON Tag WHERE Tag.p > 1 YIELD …`;
- an edge is walked from such a node: `… | GO FROM $-.vid OVER TYPE YIELD $$.Tag.p AS p`;

and grouping, sorting and cutting are pipes behind it. More steps mean something else: GO walks
edges again where MATCH does not. LOOKUP needs an index on the tag, and compares one property
with constants. Source: NebulaGraph 3.8 manual, "GO", "LOOKUP", "FETCH", "Property reference",
"Pipe operators".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from graph_ir import nodes as ir
from graph_ir.lowerings import conjuncts
from graph_ir.walk import descend, find
from graphmill.errors import Refused
from schemagraph.model import Kind, NodeType, Property, SchemaGraph
from schemagraph.nebula import vid
from translators.ngql.emit.dialect import Ngql
from translators.ngql.emit.scope import label_names
from translators.ngql.grammar.check import check

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
)
_CONSTANTS: dict[Kind, tuple[type, ...]] = {
    Kind.INTEGER: (int,),
    Kind.FLOAT: (int, float),
    Kind.STRING: (str,),
    Kind.BOOLEAN: (bool,),
}
_BOOLEAN_OPS = (ir.BoolOp.AND, ir.BoolOp.OR)


def native_form(statement: ir.Statement, schema: SchemaGraph) -> str | None:
    """The native statement of a bound statement, or None where MATCH is the idiom.

    Raises:
        Refused: nGQL cannot say the query in any form.
    """
    lowered = Ngql(schema).lowered(statement)
    if isinstance(lowered, ir.Union):
        return None
    match, *rest = lowered.clauses
    projects = [clause for clause in rest if isinstance(clause, ir.Project)]
    if not isinstance(match, ir.Match) or match.optional or len(projects) != len(rest):
        return None
    if len(match.paths) != 1:
        return None
    (path,) = match.paths
    if path.var or path.selector or len(path.steps) > 1:
        return None
    try:
        text = _Native(schema, match, path, projects).text()
    except (_Other, Refused):
        return None
    return None if check(text) else text


class _Other(Exception):
    """The query is no native idiom."""


@dataclass(frozen=True, slots=True)
class _End:
    """A node of the pattern: its name, its tag and what must hold of it alone."""

    name: str
    tag: str
    tests: tuple[ir.Expr, ...]


class _Text(Ngql):
    """Prints expressions over `$^`, `$$`, an edge type, a looked-up tag, and columns `$-.x`."""

    def __init__(self, schema: SchemaGraph) -> None:
        super().__init__(schema)
        self.nodes: dict[str, str] = {}
        self.edges: dict[str, str] = {}
        self.looked_up = ""
        self.has_input = False

    def all_of(self, tests: Iterable[ir.Expr]) -> str:
        """` WHERE a AND b`, or nothing."""
        parts = tuple(tests)
        if not all(_is_simple(part) for part in parts):
            raise _Other
        whole = ir.Bool(ir.BoolOp.AND, parts) if len(parts) > 1 else None
        return f" WHERE {self.emit(whole or parts[0])}" if parts else ""

    def emit_Var(self, node: ir.Var) -> str:
        if not self.has_input:
            raise _Other
        return f"$-.{self.ident(node.name, node)}"

    def emit_Prop(self, node: ir.Prop) -> str:
        base = node.base
        if not isinstance(base, ir.Var) or self.has_input:
            raise _Other
        key = self.ident(node.key, node)
        if base.name in self.edges:
            return f"{self.ident(self.edges[base.name], node)}.{key}"
        if base.name not in self.nodes or not self.schema:
            raise _Other
        tags = self._tags_of(node)
        if len(tags) != 1 or (self.looked_up and tags[0] != self.looked_up):
            raise _Other
        types = [self.schema.node_by_name[name] for name in base.type.of]
        if not types or not all(tags[0] in node_type.labels for node_type in types):
            raise _Other  # what the reference gives for a vertex without the tag is not defined
        place = "" if self.looked_up else f"{self.nodes[base.name]}."
        return f"{place}{self.ident(tags[0], node)}.{key}"

    def _id(self, node: ir.Expr) -> str:
        if isinstance(node, ir.Var) and node.name in self.nodes and not self.has_input:
            return f"id({self.nodes[node.name]})"
        raise _Other

    def _edges_compared(self, node: ir.Compare) -> str:
        raise _Other

    def column(self, item: ir.Item) -> str:
        """One column of YIELD."""
        expr = item.expr
        if not self.has_input and isinstance(expr, ir.Var):
            return f"{self._element(expr)} AS {self.ident(item.alias, item)}"
        if not _is_simple(expr):
            raise _Other
        text = self.emit(expr)
        named = item.named or isinstance(expr, ir.Var)
        return f"{text} AS {self.ident(item.alias, item)}" if named else text

    def _element(self, expr: ir.Var) -> str:
        if expr.name in self.edges:
            return "edge"
        place = self.nodes.get(expr.name)
        if not place or not self.schema:
            raise _Other
        types = list(self.schema.with_label(self.looked_up)) if self.looked_up else []
        if any(len(node_type.labels) > 1 for node_type in types):
            raise _Other  # `vertex` has the properties of the one tag that was asked for
        return place


class _Native:
    def __init__(
        self, schema: SchemaGraph, match: ir.Match, path: ir.Path, projects: list[ir.Project]
    ) -> None:
        self.schema = schema
        self.printer = _Text(schema)
        self.conditions = list(conjuncts(match.where))
        self.path = path
        self.projects = projects

    def text(self) -> str:
        """The whole statement."""
        head = self._walk() if self.path.steps else self._one_node()
        first, *others = self.projects
        parts = [f"{head} {self._first(first)}", *self._after(first)]
        before = first
        for project in others:
            if project.group is not None:
                raise _Other
            if before.where or not _same_columns(before, project):
                where = self.printer.all_of([before.where] if before.where else [])
                parts.append(f"{self._yield(project)}{where}")
            parts += self._after(project)
            before = project
        return " | ".join(parts)

    # --- where it starts -----------------------------------------------------------------

    def _one_node(self) -> str:
        end = self._end(self.path.head)
        if end is None or any(test not in end.tests for test in self.conditions):
            raise _Other
        self.printer.nodes = {end.name: "vertex"}
        self.printer.looked_up = end.tag
        lookup, rest = self._by_key(end)
        if lookup and not rest:
            return f"FETCH PROP ON {self.printer.ident(end.tag)} {lookup}"
        return self._lookup(end)

    def _lookup(self, end: _End) -> str:
        kinds = self._kinds(end.tag)
        if not all(_can_look_up(test, kinds) for test in end.tests):
            raise _Other
        return f"LOOKUP ON {self.printer.ident(end.tag)}{self.printer.all_of(end.tests)}"

    def _walk(self) -> str:
        (step,) = self.path.steps
        edge = step.edge
        if not isinstance(edge, ir.EdgePattern) or edge.hops or edge.direction is ir.Direction.BOTH:
            raise _Other
        if not isinstance(edge.types, ir.LabelName) or self.path.head.var == (step.node.var or ""):
            raise _Other
        forward = edge.direction is ir.Direction.OUT
        start, other = self._end(self.path.head), step.node
        if start is None or not start.tests:
            turned = self._end(step.node)
            if turned and (turned.tests or start is None):
                start, other, forward = turned, self.path.head, not forward
        if start is None:
            raise _Other
        self._check_other_end(edge.types.name, start, other, forward=forward)
        return self._go(start, other, edge, edge.types.name, forward=forward)

    def _go(
        self,
        start: _End,
        other: ir.NodePattern,
        edge: ir.EdgePattern,
        label: str,
        *,
        forward: bool,
    ) -> str:
        tests = [c for c in self.conditions if c not in start.tests]
        walk, rest = self._by_key(start)
        if walk:
            origin = f"GO FROM {walk}"
            tests = [*rest, *tests]
        else:
            self.printer.nodes = {start.name: "vertex"}
            self.printer.looked_up = start.tag
            origin = f"{self._lookup(start)} YIELD id(vertex) AS vid | GO FROM $-.vid"
        self.printer.looked_up = ""
        self.printer.nodes = {start.name: "$^", _name(other): "$$"}
        self.printer.edges = {_name(edge): label}
        tests += [*_equalities(other), *_equalities(edge)]
        way = "" if forward else " REVERSELY"
        over = f"OVER {self.printer.ident(label)}{way}"
        return f"{origin} {over}{self.printer.all_of(tests)}"

    def _check_other_end(
        self, label: str, start: _End, other: ir.NodePattern, *, forward: bool
    ) -> None:
        """GO cannot test the tags of the other end: the schema must say that it has them."""
        wanted = label_names(other.labels)
        if wanted is None:
            raise _Other
        for edge in self.schema.edges:
            here, there = (edge.source, edge.target) if forward else (edge.target, edge.source)
            if edge.label != label or start.tag not in self.schema.node_by_name[here].labels:
                continue
            if not set(wanted) <= set(self.schema.node_by_name[there].labels):
                raise _Other

    def _end(self, pattern: ir.NodePattern) -> _End | None:
        """A node to begin at, with the conditions on it alone; it must have one tag."""
        labels = label_names(pattern.labels)
        if labels is None or len(labels) != 1:
            return None
        name = _name(pattern)
        own = (c for c in self.conditions if {v.name for v in find(c, ir.Var)} == {name})
        return _End(name, labels[0], (*_equalities(pattern), *own))

    def _kinds(self, tag: str) -> dict[str, Property]:
        """The properties that have one type and nullability wherever the tag is."""
        types = list(self.schema.with_label(tag))
        shared = types[0].properties if types else ()
        return {p.name: p for p in shared if all(t.property(p.name) == p for t in types)}

    def _by_key(self, end: _End) -> tuple[str, list[ir.Expr]]:
        """The vertex id that the tests name, and the tests that remain."""
        types: list[NodeType] = list(self.schema.with_label(end.tag))
        if len(types) != 1 or not types[0].key:
            return "", []
        (node_type,) = types
        rest = list(end.tests)
        values: list[object] = []
        for key in node_type.key:
            prop = node_type.property(key)
            for test in rest:
                match test:
                    case ir.Compare(ir.CompareOp.EQ, ir.Prop(key=own), ir.Literal(value=value)) if (
                        own == key and prop and _fits(value, prop.type.kind)
                    ):
                        values.append(value)
                        rest.remove(test)
                        break
        if len(values) < len(node_type.key):
            return "", []
        return self.printer.emit(ir.Literal(vid(node_type.name, values))), rest

    # --- what it yields ------------------------------------------------------------------

    def _first(self, project: ir.Project) -> str:
        """The YIELD of the statement itself; aggregates follow in a pipe."""
        text = self._yield(project) if project.group is None else self._grouped(project)
        self.printer.has_input = True
        return text

    def _grouped(self, project: ir.Project) -> str:
        if project.distinct:
            raise _Other
        inner: list[str] = []
        outer: list[str] = []
        keys: list[str] = []
        taken = {item.alias for item in project.items if item.named}
        for number, item in enumerate(project.items, 1):
            alias = item.alias if item.named else _unused(_stem(item.expr), taken)
            name = self.printer.ident(alias, item)
            if not isinstance(item.expr, ir.Agg):
                inner.append(self.printer.column(replace(item, alias=alias, named=True)))
                keys.append(f"$-.{name}")
                outer.append(f"$-.{name} AS {name}")
                continue
            value = _unused(f"value_{number}", taken)
            argument = self._argument(item.expr)
            if argument:
                inner.append(f"{argument} AS {value}")
            column = ir.Agg(
                item.expr.name,
                (ir.Var(value),) if argument else (),
                distinct=item.expr.distinct,
            )
            self.printer.has_input = True
            outer.append(f"{self.printer.emit(column)} AS {name}")
            self.printer.has_input = False
        if not inner:
            inner.append("edge AS e" if self.path.steps else "id(vertex) AS vid")
        group = f"GROUP BY {', '.join(keys)} YIELD" if keys else "YIELD"
        return f"YIELD {', '.join(inner)} | {group} {', '.join(outer)}"

    def _argument(self, agg: ir.Agg) -> str:
        """What is aggregated, or nothing where rows are counted."""
        if not agg.args:
            return ""
        (value,) = agg.args
        if isinstance(value, ir.Var):
            if agg.name != "count" or value.type.kind not in (Kind.NODE, Kind.EDGE):
                raise _Other
            if not agg.distinct:
                return ""  # an element of a pattern is never null
            return self.printer._id(value)
        if not _is_simple(value):
            raise _Other
        return self.printer.emit(value)

    def _yield(self, project: ir.Project) -> str:
        word = "YIELD DISTINCT" if project.distinct else "YIELD"
        return f"{word} {', '.join(self.printer.column(item) for item in project.items)}"

    def _after(self, project: ir.Project) -> Iterator[str]:
        if project.order:
            yield f"ORDER BY {', '.join(self.printer.emit(key) for key in project.order)}"
        if project.limit:
            counts = [_count(part) for part in (project.skip, project.limit) if part]
            yield f"LIMIT {', '.join(counts)}"
        elif project.skip:
            raise _Other


def _name(pattern: ir.NodePattern | ir.EdgePattern) -> str:
    """The variable, or something that no variable of the query is named."""
    return pattern.var or f"\0{type(pattern).__name__}{id(pattern)}"


def _equalities(pattern: ir.NodePattern | ir.EdgePattern) -> Iterator[ir.Expr]:
    """What the properties in a pattern say, as comparisons."""
    element = ir.Var(_name(pattern), type=pattern.type)
    if isinstance(pattern.props, ir.MapOf):
        for entry in pattern.props.entries:
            yield ir.Compare(ir.CompareOp.EQ, ir.Prop(element, entry.key), entry.value)


def _is_simple(expr: ir.Expr) -> bool:
    return all(isinstance(part, _SIMPLE) for part in descend(expr))


def _fits(value: object, kind: Kind) -> bool:
    """Whether a constant has just the type of the property."""
    boolean = isinstance(value, bool)
    return isinstance(value, _CONSTANTS.get(kind, ())) and boolean == (kind is Kind.BOOLEAN)


def _can_look_up(test: ir.Expr, known: Mapping[str, Property]) -> bool:
    """Whether LOOKUP takes the condition: one property, compared with constants of its type."""
    match test:
        case ir.Bool():
            one = {prop.key for prop in find(test, ir.Prop)}
            parts = all(_can_look_up(arg, known) for arg in test.args)
            return parts and len(one) == 1 and test.op in _BOOLEAN_OPS
        case ir.Not(ir.In(ir.Prop(key=key))) if key in known:
            return not known[key].nullable and _can_look_up(test.arg, known)
        case ir.Compare(op, ir.Prop(key=key), value) if key in known:
            plain = op is not ir.CompareOp.NE or not known[key].nullable
            return plain and _is_constant(value, known[key].type.kind)
        case ir.In(ir.Prop(key=key), ir.ListOf(items)) if key in known and items:
            return all(_is_constant(item, known[key].type.kind) for item in items)
        case ir.Text(ir.TextOp.STARTS, ir.Prop(key=key), value) if key in known:
            text = known[key].type.kind is Kind.STRING
            return text and _is_constant(value, Kind.STRING)
    return False


def _is_constant(value: ir.Expr, kind: Kind) -> bool:
    if isinstance(value, ir.Call):
        literal = len(value.args) == 1 and isinstance(value.args[0], ir.Literal)
        return literal and value.name == "date" and kind is Kind.DATE
    return isinstance(value, ir.Literal) and _fits(value.value, kind)


def _count(part: ir.Expr) -> str:
    if not isinstance(part, ir.Literal) or type(part.value) is not int:
        raise _Other
    return str(part.value)


def _same_columns(before: ir.Project, project: ir.Project) -> bool:
    """Whether a projection only passes on what the one before it gave."""
    given = [item.alias for item in before.items]
    plain = [i.expr.name if isinstance(i.expr, ir.Var) else "" for i in project.items]
    return not project.distinct and given == plain == [item.alias for item in project.items]


def _stem(expr: ir.Expr) -> str:
    """A name for a column that has none."""
    match expr:
        case ir.Prop(key=name) | ir.Var(name) | ir.Agg(name):
            return name
    return "value"


def _unused(stem: str, taken: set[str]) -> str:
    name = stem
    while name in taken:
        name += "_"
    taken.add(name)
    return name
