"""EXISTS, COUNT, COLLECT, pattern comprehensions, tests of labels."""

from __future__ import annotations

from dataclasses import replace

from graph_ir import nodes as ir
from graph_ir.lowerings import counting
from graph_ir.variables import introduced
from graph_ir.walk import find
from translators.sparql.expressions.core import BOOLEAN, OPERATORS, expression, refused
from translators.sparql.model import terms
from translators.sparql.model.compiler import Compiler, Element, Emits, Sx
from translators.sparql.model.group import Block, Group, Select, Triple, inline

EMITS = Emits()


@EMITS.of(ir.Exists)
def _exists(cx: Compiler, node: ir.Exists) -> Sx:
    return Sx(f"EXISTS {inline(exists_group(cx, node))}", BOOLEAN, null=False)


def exists_group(cx: Compiler, node: ir.Exists) -> Group:
    """The group of an existence test.

    Raises:
        Refused: it holds what makes a subselect, which sees nothing from outside.
    """
    if isinstance(node.query, ir.Union):
        raise refused("subquery", node, "A UNION inside EXISTS.")
    for project in find(node.query, ir.Project):
        if project.group is not None or project.skip is not None or project.limit is not None:
            raise refused("subquery", node, "A subselect inside EXISTS sees nothing from outside.")
    clauses = [c for c in node.query.clauses if not (isinstance(c, ir.Project) and c.final)]
    clauses = [
        replace(c, distinct=False, order=()) if isinstance(c, ir.Project) else c for c in clauses
    ]
    inner = Group(outer=cx.group)
    alike, cx.alike = cx.alike, True
    keys, cx.keys = cx.keys, None
    try:
        with cx.inside(inner):
            cx.run(cx, clauses, True)
    finally:
        cx.alike, cx.keys = alike, keys
    return inner


@EMITS.of(ir.LabelTest)
def _label_test(cx: Compiler, node: ir.LabelTest) -> Sx:
    if not isinstance(node.arg, ir.Var):
        raise refused("label-test", node, "Labels of a variable are tested, not of an expression.")
    element = cx.element(node.arg.name, node)
    test = labels(cx.safe(element), node.labels, is_edge=element.is_edge, cx=cx)
    if not element.null:
        return Sx(test.text, BOOLEAN, null=False)
    return Sx(f"IF(BOUND({element.var}), {test.text}, {terms.ERROR})", BOOLEAN)


def labels(subject: str, of: ir.LabelExpr, *, is_edge: bool, cx: Compiler) -> Sx:
    """The test of a label expression."""
    match of:
        case ir.LabelName(name):
            shown = terms.edge(name) if is_edge else terms.label(name)
            return Sx(f"EXISTS {{ {subject} a {shown} }}", BOOLEAN, null=False)
        case ir.LabelAny():
            if is_edge:
                return Sx("true", BOOLEAN, null=False)
            var = cx.name("class")
            text = f"EXISTS {{ {subject} a {var} FILTER({var} != pg:Node) }}"
            return Sx(text, BOOLEAN, null=False)
        case ir.LabelNot(arg):
            inner = labels(subject, arg, is_edge=is_edge, cx=cx)
            if inner.atom and inner.text.startswith("EXISTS {"):
                return Sx(f"NOT {inner.text}", BOOLEAN, null=False)
            return Sx(f"!({inner.text})", BOOLEAN, null=False)
        case ir.LabelAnd(args) | ir.LabelOr(args):
            joined = OPERATORS["&&" if isinstance(of, ir.LabelAnd) else "||"]
            parts = [labels(subject, arg, is_edge=is_edge, cx=cx).text for arg in args]
            return Sx(joined.chain(parts), BOOLEAN, null=False)


@EMITS.of(ir.CountOf)
def _count_of(cx: Compiler, node: ir.CountOf) -> Sx:
    query = counting(node.query)
    if query is None:
        raise refused("subquery", node, "A UNION inside COUNT.")
    (made,) = correlated(cx, query, node)
    return replace(made, type=node.type, null=False, text=f"COALESCE({made.text}, 0)")


@EMITS.of(ir.CollectOf)
def _collect_of(cx: Compiler, node: ir.CollectOf) -> Sx:
    raise refused("collect", node, "COLLECT keeps nulls and an order.")


@EMITS.of(ir.PatternComp)
def _pattern_comp(cx: Compiler, node: ir.PatternComp) -> Sx:
    number = ir.Project(
        (ir.Item(ir.Agg("collect", (node.result,), type=node.type), "collected"),),
        final=True,
        group=(),
    )
    query = ir.Query((ir.Match((node.path,), node.where), number))
    with_nulls = expression_nullable(node.result)
    if with_nulls:
        raise refused("list-with-null", node, "The list would hold nulls, which are dropped.")
    (made,) = correlated(cx, query, node)
    text = f'COALESCE(STR({made.text}), "[]")'
    return Sx(text, node.type, null=False, form="json")


def expression_nullable(node: ir.Expr) -> bool:
    """Whether a value may be null, by its type."""
    return node.type.nullable


def _named_columns(cx: Compiler, inner: Compiler, last: ir.Project) -> tuple[list[str], list[Sx]]:
    """The columns of a subselect, and the variables that the query around has for them."""
    columns, made = [], []
    for item in last.items:
        sx = expression(inner, item.expr)
        var = cx.name(item.alias)
        text = f"STRDT({sx.text}, rdf:JSON)" if sx.form == "json" else sx.text
        columns.append(f"({text} AS {var})")
        made.append(Sx(var, sx.type, form=sx.form))
    return columns, made


def correlated(cx: Compiler, query: ir.Query, node: ir.Expr) -> list[Sx]:
    """A query of aggregates over what matches from the current row, as an OPTIONAL subselect.

    It is grouped by the elements that it takes from the row, which its own patterns bind again;
    without a match there is no row, and the variables of the aggregates are unbound.

    Raises:
        Refused: it takes values from the row, or elements that its patterns do not name.
    """
    if cx.keys is not None:
        raise refused("subquery", node, "A subquery beside aggregates.")
    own = [name for clause in query.clauses for name in introduced(clause)]
    taken = dict.fromkeys(
        var.name for var in find(query, ir.Var) if var.name in cx.env
    ) | dict.fromkeys(name for name in own if name in cx.env)
    matches = [clause for clause in query.clauses if isinstance(clause, ir.Match)]
    last = query.clauses[-1]
    if len(matches) != len(query.clauses) - 1 or not isinstance(last, ir.Project):
        raise refused("subquery", node, "The subquery is more than patterns.")
    first = {name for match in matches[:1] if not match.optional for name in introduced(match)}
    inner = cx.fork()
    scopes = []
    for name in taken:
        bound = cx.env[name]
        if not isinstance(bound, Element) or bound.is_edge or name not in first:
            raise refused("subquery", node, f"'{name}' is taken from outside.")
        var = cx.safe(bound)
        scopes.append(bound.scope)
        inner.env[name] = Element(var, bound.type, False, False, inner.group, inner.group)
    place = scopes[0] if scopes else cx.group
    if any(scope is not place for scope in scopes):
        raise refused("subquery", node, "The subquery takes elements of several clauses.")
    inner.run(inner, list(query.clauses[:-1]), False)
    for name in reversed(taken):
        bound = inner.env[name]
        if isinstance(bound, Element) and not inner.group.binds(bound.var):
            # a subselect sees nothing of the row: what begins with the element has to bind it
            inner.group.parts.insert(0, Triple(bound.var, "a", "pg:Node"))
    heads = [cx.env[name] for name in taken]
    names = " ".join(cx.safe(each) for each in heads if isinstance(each, Element))
    inner.grouped = bool(names)
    inner.keys = {}
    columns, made = _named_columns(cx, inner, last)
    head = f"SELECT {names} {' '.join(columns)}".replace("  ", " ")
    tail = (f"GROUP BY {names}",) if names else ()
    place.parts.append(Block((Group([Select(head, inner.group, tail)]),), "OPTIONAL"))
    return made
