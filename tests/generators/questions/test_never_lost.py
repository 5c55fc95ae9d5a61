"""Whatever the constants and the shape: a value is in every level, or the author declines."""

from __future__ import annotations

from datetime import date
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from generators.questions.levels.authors import NotExpressible
from graph_ir import nodes as ir
from graph_ir.values import lost, mentioned_values, spoken_forms
from schemagraph.model import Kind
from tests.generators.questions.test_rules import AUTHOR, SCHEMA

TEXTS = st.text(min_size=1, max_size=12).filter(lambda text: bool(text.strip()))
NUMBERS = st.one_of(
    st.integers(min_value=-(2**40), max_value=2**70),
    st.floats(allow_nan=False, allow_infinity=False, width=32),
)
DAYS = st.dates(min_value=date(1000, 1, 1))
OPS = st.sampled_from(list(ir.CompareOp))


def prop(var: str, key: str) -> ir.Prop:
    return ir.Prop(ir.Var(var), key)


def constant(kind: Kind, draw: st.DrawFn) -> ir.Expr | None:
    if kind is Kind.STRING:
        return ir.Literal(draw(TEXTS))
    if kind in (Kind.INTEGER, Kind.FLOAT):
        return ir.Literal(draw(NUMBERS))
    if kind is Kind.BOOLEAN:
        return ir.Literal(draw(st.booleans()))
    if kind is Kind.DATE:
        return ir.Call("date", (ir.Literal(draw(DAYS).isoformat()),))
    return None


@st.composite
def conditions(draw: st.DrawFn, var: str, label: str, depth: int = 2) -> ir.Expr:
    if depth and draw(st.integers(0, 4)) == 0:
        inner = [draw(conditions(var, label, depth - 1)) for _ in range(2)]
        op = draw(st.sampled_from([ir.BoolOp.AND, ir.BoolOp.OR]))
        found: ir.Expr = ir.Bool(op, tuple(inner))
        return ir.Not(found) if draw(st.booleans()) else found
    known = draw(st.sampled_from(SCHEMA.node_by_name[label].properties))
    left = prop(var, known.name)
    right = constant(known.type.kind, draw)
    if right is None:
        return ir.IsNull(left, draw(st.booleans()))
    if known.type.kind is Kind.STRING and draw(st.booleans()):
        test = draw(st.sampled_from(list(ir.TextOp)))
        return ir.Text(test, left, right)
    if draw(st.integers(0, 5)) == 0:
        return ir.In(left, ir.ListOf((right, right)))
    op_ = draw(OPS)
    sides = (left, right) if draw(st.booleans()) else (right, left)
    return ir.Compare(op_, *sides)


@st.composite
def queries(draw: st.DrawFn) -> ir.Query:
    edge = draw(st.sampled_from(SCHEMA.edges))
    ways = [
        (edge.source, ir.Direction.OUT, edge.target),
        (edge.target, ir.Direction.IN, edge.source),
    ]
    left, direction, right = draw(st.sampled_from(ways))
    step = ir.Step(
        ir.EdgePattern(types=ir.LabelName(edge.label), direction=direction),
        ir.NodePattern("b", ir.LabelName(right)),
    )
    path = ir.Path(ir.NodePattern("a", ir.LabelName(left)), (step,))
    where = [draw(conditions("a", left)), draw(conditions("b", right))]
    shape = draw(st.sampled_from(["list", "count", "group", "exists", "top"]))
    key = draw(st.sampled_from(SCHEMA.node_by_name[left].properties)).name
    item = ir.Item(prop("a", key), key)
    counted = ir.Item(ir.Agg("count"), "n")
    match = ir.Match((path,), ir.Bool(ir.BoolOp.AND, tuple(where)))
    if shape == "exists":
        inside: ir.Expr = ir.Exists(ir.Query((ir.Match((path,), where[1]),)))
        inside = ir.Not(inside) if draw(st.booleans()) else inside
        alone = ir.Path(ir.NodePattern("a", ir.LabelName(left)))
        match = ir.Match((alone,), ir.Bool(ir.BoolOp.AND, (where[0], inside)))
        return ir.Query((match, ir.Project((item,), final=True)))
    if shape == "count":
        return ir.Query((match, ir.Project((counted,), final=True, group=())))
    if shape == "group":
        having = ir.Compare(draw(OPS), ir.Var("n"), ir.Literal(draw(st.integers(0, 10**9))))
        grouped = ir.Project((item, counted), group=(item.expr,), where=having)
        last = (ir.Item(ir.Var(key), key), ir.Item(ir.Var("n"), "n"))
        return ir.Query((match, grouped, ir.Project(last, final=True)))
    order: tuple[ir.SortKey, ...] = ()
    limit = skip = None
    if shape == "top":
        order = (ir.SortKey(item.expr, draw(st.booleans())),)
        limit = ir.Literal(draw(st.integers(1, 10**6)))
        skip = ir.Literal(draw(st.integers(1, 99))) if draw(st.booleans()) else None
    final = ir.Project((item,), draw(st.booleans()), order, skip, limit, final=True)
    return ir.Query((match, final))


@settings(max_examples=300, deadline=None)
@given(queries(), st.integers(0, 5))
def test_values_are_carried_or_the_author_declines(query: ir.Query, seed: int) -> None:
    try:
        written = AUTHOR.write(query, SCHEMA, Random(seed))
    except NotExpressible:
        return
    asked = written.questions
    for text in (asked.syntactic, asked.logical, asked.business):
        assert lost(query, f"{text} {written.knowledge}") == ()
        for value in mentioned_values(query):
            if isinstance(value, str) and not spoken_forms(value):
                folded = " ".join(value.casefold().split())
                assert folded in " ".join(f"{text} {written.knowledge}".casefold().split())


@settings(max_examples=60, deadline=None)
@given(queries())
def test_the_author_is_deterministic(query: ir.Query) -> None:
    results = []
    for _ in range(2):
        try:
            results.append(AUTHOR.write(query, SCHEMA, Random(3)).questions)
        except NotExpressible as declined:
            results.append(str(declined))  # type: ignore[arg-type]
    assert results[0] == results[1]
