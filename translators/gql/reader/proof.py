"""Whether a text of GQL is read back as what it was made of.

The comparison is of canonical forms. What GQL says in other words than Cypher, and the reader
does not take back, is brought into one form first; each rule here is an equality.
"""

from __future__ import annotations

import re
from dataclasses import replace

from graph_ir import nodes as ir
from graph_ir.bind.statements import bound
from graph_ir.canonical import canonical
from graph_ir.lowerings import keeps_rows, split_grouping, substitute
from graph_ir.rewrites import has_aggregate, without_aliases
from graph_ir.variables import introduced
from graph_ir.walk import descend, find, rewrite
from graphmill.errors import QueryTextError, Refused
from schemagraph.model import Kind, SchemaGraph
from translators.gql.emit import temporal
from translators.gql.emit.functions import year_bounds
from translators.gql.emit.values import kind_of, nullable
from translators.language import Origin, reader
from translators.searches import FUNCTIONS, into_search

_VARIABLE = re.compile(r"(?:Var\(name|var|alias)='[^']*'")


def difference(
    statement: ir.Statement, text: str, language: str, schema: SchemaGraph | None
) -> str:
    """Why `text`, read back, is not `statement`; empty where nothing speaks against it."""
    try:
        again = reader(language, Origin(schema=schema))(text)
    except (QueryTextError, Refused) as problem:
        return f"The text is not read back: {problem}"
    equal = is_equal(statement, again, schema)
    return "" if equal else "The text is read back as another query."


def is_equal(statement: ir.Statement, again: ir.Statement, schema: SchemaGraph | None) -> bool:
    """Whether both have one canonical form."""
    return canonical(normal(statement, schema)) == canonical(normal(again, schema))


def normal(statement: ir.Statement, schema: SchemaGraph | None) -> ir.Statement:
    """One form of queries that GQL says in the same words."""
    statement = split_grouping(rewrite(statement, _first), _is_mixed)
    typed = bound(statement, schema).statement
    if schema is not None:
        typed = rewrite(typed, lambda node: _label_names(node, schema))
    return rewrite(typed, _plain)


def _first(node: ir.Node) -> ir.Node:
    """What must be alike before groups are taken apart."""
    match node:
        case ir.Call("size", (ir.Agg("collect", args, distinct),)):
            return ir.Agg("count", args, distinct)
        case ir.Project(group=group) if group is not None:
            keys = (rewrite(without_aliases(k.expr, node), _first) for k in node.order)
            pairs = zip(node.order, keys, strict=True)
            return replace(node, order=tuple(replace(key, expr=expr) for key, expr in pairs))
        case ir.Query():
            return _unshadowed(node)
    return node


def _unshadowed(query: ir.Query) -> ir.Query:
    """A query in which no name is bound again after a projection dropped it."""
    clauses = list(query.clauses)
    visible: set[str] = set()
    ever: set[str] = set()
    for number, clause in enumerate(clauses):
        if isinstance(clause, ir.Project):
            ever |= visible
            visible = set(introduced(clause))
            continue
        for name in set(introduced(clause)) - visible:
            if name in ever:
                other = f"{name}#{number}"
                clauses[number:] = [_renamed(each, name, other) for each in clauses[number:]]
        visible |= set(introduced(clauses[number]))
    return replace(query, clauses=tuple(clauses))


def _renamed(clause: ir.Clause, name: str, other: str) -> ir.Clause:
    def change(node: ir.Node) -> ir.Node:
        match node:
            case ir.Var(renamed) if renamed == name:
                return replace(node, name=other)
            case (
                ir.NodePattern(var=renamed) | ir.EdgePattern(var=renamed) | ir.Path(var=renamed)
            ) if renamed == name:
                return replace(node, var=other)
            case ir.Unwind(alias=renamed) if renamed == name:
                return replace(node, alias=other)
            case ir.Subquery(imports=imports) if name in imports:
                return replace(node, imports=tuple(other if i == name else i for i in imports))
            case ir.Project(final=False):
                items = (replace(i, alias=other) if i.alias == name else i for i in node.items)
                return replace(node, items=tuple(items))
        return node

    return rewrite(clause, change)


def _is_mixed(project: ir.Project) -> bool:
    """Whether a projection makes something of its aggregates."""
    return any(
        has_aggregate(item.expr) and not isinstance(item.expr, ir.Agg) for item in project.items
    ) or any(has_aggregate(key.expr) for key in project.order)


def _label_names(node: ir.Node, schema: SchemaGraph) -> ir.Node:
    """`type(r)` as the CASE that names the edge types of the schema."""
    match node:
        case ir.Compare() | ir.In():
            return node
        case ir.Call("type", (edge,)):
            known = schema.edge_by_name
            of = [known[name].label for name in edge.type.of if name in known]
            labels = list(dict.fromkeys(of)) or list(schema.edge_labels)
            if len(labels) == 1 and not nullable(edge):
                return ir.Literal(labels[0])
            whens = (
                ir.When(ir.LabelTest(edge, ir.LabelName(label)), ir.Literal(label))
                for label in labels
            )
            return ir.Case(tuple(whens))
    return node


def _plain(node: ir.Node) -> ir.Node:
    match node:
        case ir.Match():
            return _match(node)
        case ir.Query():
            return replace(node, clauses=_stages(node.clauses))
        case ir.Exists(query) | ir.CountOf(query):
            return replace(node, query=_rows_of(query))
        case ir.Expr():
            return _value(node)
    return node


def _match(node: ir.Match) -> ir.Match:
    where, paths = node.where, node.paths
    if len(paths) == 1 and paths[0].selector and paths[0].selector.kind in FUNCTIONS:
        searched, where = into_search(paths[0], where)
        kinds = ir.SelectorKind
        one = paths[0].selector.kind is kinds.FUNCTION_ONE
        kind = kinds.ANY_SHORTEST if one else kinds.ALL_SHORTEST
        paths = (replace(searched, selector=ir.Selector(kind)),)
    return replace(node, where=where, paths=paths)


def _rows_of(query: ir.Statement) -> ir.Statement:
    """The query without a last projection that neither joins nor drops rows."""
    if isinstance(query, ir.Union) or len(query.clauses) < 2:
        return query
    last = query.clauses[-1]
    if isinstance(last, ir.Project) and keeps_rows(last):
        return replace(query, clauses=query.clauses[:-1])
    return query


# --- values --------------------------------------------------------------------------------


def _value(node: ir.Expr) -> ir.Expr:
    match node:
        case ir.In(item, ir.ListOf(items)):
            return _among(item, items)
        case ir.In(ir.Literal(str(name)), ir.Call("labels", (element,))):
            return ir.LabelTest(element, ir.LabelName(name))
        case ir.Text(left=left, right=right):
            known = (Kind.STRING, Kind.ANY, Kind.NULL)
            fits = all(kind_of(side) in known for side in (left, right))
            return node if fits else ir.Literal(None)
        case ir.Compare():
            return _comparison(node)
        case ir.Call():
            return _call(node)
        case ir.Index(base, ir.Literal(str(key))):
            return ir.Prop(base, key)
        case ir.PatternComp(path, result, where):
            row = ir.Project((ir.Item(result, "item"),), final=True)
            return ir.CollectOf(ir.Query((ir.Match((path,), where), row)))
        case ir.Case(whens, default, operand) if operand is not None:
            tests = tuple(
                replace(w, condition=ir.Compare(ir.CompareOp.EQ, operand, w.condition))
                for w in whens
            )
            return ir.Case(tests, default)
        case ir.Quantifier(ir.QuantifierKind.NONE, var, listed, where):
            return ir.Not(ir.Quantifier(ir.QuantifierKind.ANY, var, listed, where))
        case ir.Quantifier(ir.QuantifierKind.ALL, var, listed, where):
            opposite = where.arg if isinstance(where, ir.Not) else ir.Not(where)
            return ir.Not(ir.Quantifier(ir.QuantifierKind.ANY, var, listed, opposite))
        case ir.Not(ir.Not(arg)):
            return arg
        case ir.Bool(op, args):
            flat = tuple(
                part
                for arg in args
                for part in (arg.args if isinstance(arg, ir.Bool) and arg.op is op else (arg,))
            )
            return replace(node, args=flat)
        case ir.MapProjection(base, entries, False) if not base.type.nullable:
            return ir.MapOf(entries)
    return node


def _among(item: ir.Expr, items: tuple[ir.Expr, ...]) -> ir.Expr:
    if isinstance(item, ir.Call) and item.name == "type" and items:
        names = [each.value for each in items if isinstance(each, ir.Literal)]
        labels = tuple(ir.LabelName(name) for name in names if isinstance(name, str))
        if len(labels) == len(items):
            joined = labels[0] if len(labels) == 1 else ir.LabelOr(labels)
            return ir.LabelTest(item.args[0], joined)
    tests = tuple(_comparison(ir.Compare(ir.CompareOp.EQ, item, each)) for each in items)
    if not tests:
        return ir.Literal(False)
    return tests[0] if len(tests) == 1 else ir.Bool(ir.BoolOp.OR, tests)


def _comparison(node: ir.Compare) -> ir.Expr:
    equal = node.op is ir.CompareOp.EQ
    if equal or node.op is ir.CompareOp.NE:
        for left, right in ((node.left, node.right), (node.right, node.left)):
            match left, right:
                case ir.Call("type", (edge,)), ir.Literal(str(name)):
                    test = ir.LabelTest(edge, ir.LabelName(name))
                    return test if equal else ir.Not(test)
                case ir.Call("id", (one,)), ir.Call("id", (other,)):
                    return replace(node, left=one, right=other)
                case ir.Call("left" | "right" as side, (text, ir.Literal(int(n)))), ir.Literal(
                    str(part)
                ) if equal and n == len(part):
                    op = ir.TextOp.STARTS if side == "left" else ir.TextOp.ENDS
                    return ir.Text(op, text, right)
    bounds = year_bounds(node)
    if bounds is None:
        return node
    joint = ir.BoolOp.AND if equal else ir.BoolOp.OR
    return bounds[0] if len(bounds) == 1 else ir.Bool(joint, bounds)


_NOTHING_TO_DO = {
    "toString": Kind.STRING,
    "toInteger": Kind.INTEGER,
    "toFloat": Kind.FLOAT,
    "toBoolean": Kind.BOOLEAN,
    "date": Kind.DATE,
    "datetime": Kind.ZONED_DATETIME,
    "localdatetime": Kind.DATETIME,
    "time": Kind.ZONED_TIME,
    "localtime": Kind.TIME,
}
_INSTANTS = frozenset({"date", "datetime", "localdatetime", "time", "localtime"})


def _call(node: ir.Call) -> ir.Expr:
    first = node.args[0] if node.args else None
    if first is None:
        return node
    if len(node.args) == 1 and _NOTHING_TO_DO.get(node.name) is kind_of(first):
        return first
    match node.name, first:
        case "coalesce", _ if len(node.args) == 1:
            return first
        case "head", _:
            return ir.Index(first, ir.Literal(0))
        case "last", _:
            return ir.Index(first, ir.Literal(-1))
        case "tail", _:
            return ir.Slice(first, ir.Literal(1))
        case "size", ir.Agg("collect", args, distinct):
            return ir.Agg("count", args, distinct)
        case "size", ir.CollectOf(query):
            return ir.CountOf(_rows_of(query))
        case "size", ir.ListComp(var, listed, where, _):
            return ir.Call("size", (ir.ListComp(var, listed, where),))
        case "size", ir.Call("relationships", (path,)):
            return ir.Call("length", (path,))
        case "isEmpty", _:
            size = _call(ir.Call("size", (first,)))
            return ir.Compare(ir.CompareOp.EQ, size, ir.Literal(0))
        case name, ir.Literal(str(text)) if name in _INSTANTS:
            return _constant(node, name, text)
        case "duration", ir.Literal(str(text)):
            return _constant(node, "duration", text)
        case "duration" | "date", ir.MapOf(entries):
            return _from_map(node, entries)
    return node


def _constant(node: ir.Call, name: str, text: str) -> ir.Call:
    try:
        plain = (
            temporal.duration_text(text) if name == "duration" else temporal.constant(name, text)
        )
    except Refused:
        return node
    return replace(node, args=(ir.Literal(plain),))


def _from_map(node: ir.Call, entries: tuple[ir.Entry, ...]) -> ir.Call:
    parts = {e.key: e.value.value for e in entries if isinstance(e.value, ir.Literal)}
    numbers = {key: value for key, value in parts.items() if isinstance(value, int)}
    if len(numbers) < len(entries):
        return node
    try:
        made = temporal.duration_of if node.name == "duration" else temporal.date_of
        return replace(node, args=(ir.Literal(made(numbers)),))
    except Refused:
        return node


# --- projections ---------------------------------------------------------------------------


def _stages(clauses: tuple[ir.Clause, ...]) -> tuple[ir.Clause, ...]:
    """The clauses without columns that nothing asks for, and filters where they belong."""
    joined: list[ir.Clause] = []
    for clause in _asked([_sorted_by_values(clause) for clause in clauses]):
        before = joined[-1] if joined else None
        together = (
            _joined(before, clause)
            if isinstance(before, ir.Project) and isinstance(clause, ir.Project)
            else None
        )
        if together is None:
            joined.append(clause)
        else:
            joined[-1] = together
    return tuple(joined)


def _asked(clauses: list[ir.Clause]) -> list[ir.Clause]:
    """The clauses without the columns, and the projections, that nothing behind them asks for."""
    kept: list[ir.Clause] = []
    for number in range(len(clauses) - 1, -1, -1):
        clause = clauses[number]
        if isinstance(clause, ir.Project) and not clause.final and _computes(clause):
            used = {name for later in kept for name in _names(later)}
            used |= _names(clause.where) if clause.where is not None else set()
            items = tuple(item for item in clause.items if item.alias in used)
            dropped = _bound_before(clauses[:number]) - {item.alias for item in items}
            again = {name for later in kept for name in introduced(later)}
            idle = all(item.expr == ir.Var(item.alias) for item in items)
            if idle and clause.where is None and not dropped & again:
                continue
            clause = replace(clause, items=items)
        kept.insert(0, clause)
    return kept


def _joined(before: ir.Project, clause: ir.Project) -> ir.Project | None:
    """Two projections as one, where the first only computes or the second only filters."""
    if before.where is not None:
        return None
    if _computes(before) and not before.final:
        values: dict[ir.Expr, ir.Expr] = {ir.Var(i.alias): i.expr for i in before.items}
        return _with_values(clause, values)
    filters = not clause.final and clause.where is not None and _computes(clause)
    if filters and all(item.expr == ir.Var(item.alias) for item in clause.items):
        return _pruned(replace(before, where=clause.where), clause.items)
    return None


def _with_values(project: ir.Project, values: dict[ir.Expr, ir.Expr]) -> ir.Project:
    """A projection in terms of what stands before the one that computes `values`."""
    group = project.group
    return replace(
        project,
        items=tuple(replace(i, expr=substitute(i.expr, values)) for i in project.items),
        order=tuple(replace(k, expr=substitute(k.expr, values)) for k in project.order),
        group=None if group is None else tuple(substitute(key, values) for key in group),
    )


def _pruned(project: ir.Project, wanted: tuple[ir.Item, ...]) -> ir.Project:
    """A projection that only computes keeps the columns that the filter behind it kept."""
    if not _computes(project):
        return project
    names = {item.alias for item in wanted}
    return replace(project, items=tuple(i for i in project.items if i.alias in names))


def _sorted_by_values(clause: ir.Clause) -> ir.Clause:
    if not isinstance(clause, ir.Project):
        return clause
    keys = (replace(key, expr=without_aliases(key.expr, clause)) for key in clause.order)
    if not clause.final:
        clause = replace(clause, items=tuple(sorted(clause.items, key=_nameless)))
    return replace(clause, order=tuple(k for k in keys if not isinstance(k.expr, ir.Literal)))


def _nameless(item: ir.Item) -> str:
    """A key by which the columns that pass on are ordered, whatever they are called."""
    return _VARIABLE.sub("", repr(item.expr))


def _computes(project: ir.Project) -> bool:
    return keeps_rows(replace(project, where=None)) and not project.order


def _bound_before(clauses: list[ir.Clause]) -> set[str]:
    return {name for clause in clauses for name in introduced(clause)}


def _names(node: ir.Node) -> set[str]:
    names = {var.name for var in find(node, ir.Var)}
    for part in descend(node):
        if isinstance(part, ir.NodePattern | ir.EdgePattern | ir.Path) and part.var is not None:
            names.add(part.var)
        elif isinstance(part, ir.Subquery):
            names.update(part.imports)
    return names
