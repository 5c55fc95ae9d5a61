"""Properties of the nGQL dialect over random queries with hostile names and constants."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graph_ir import nodes as ir
from graph_ir.bind.statements import bind
from graph_ir.cypher.reader import parse
from graph_ir.walk import descend, find
from graphmill.errors import QueryTextError, Refused
from schemagraph.model import EdgeType, Kind, NodeType, Property, SchemaGraph, Type
from translators.ngql.emit.dialect import Ngql
from translators.ngql.emit.native import native_form
from translators.ngql.grammar.check import check
from translators.ngql.grammar.keywords import KEYWORDS
from translators.ngql.read.reader import read_back
from translators.render import render

pytestmark = pytest.mark.slow

TEXTS = st.text(st.characters(codec="utf-8"), max_size=12)
HARD = ["`", "``", "a`b", "with space", 'quo"te', "quo'te", "back\\slash", "ünï", "новый", "a.b"]
NAMES = st.one_of(
    st.sampled_from(sorted(KEYWORDS)).map(str.lower),
    st.sampled_from(HARD),
    TEXTS.filter(bool),
)
SAYABLE = NAMES.filter(lambda name: "." not in name)
INTEGERS = st.integers(-(2**63), 2**63 - 1)
FLOATS = st.floats(allow_nan=False, allow_infinity=False)


def _quoted(name: str) -> str:
    return f"`{name.replace('`', '``')}`"


def _string(value: str) -> str:
    return "'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'"


@st.composite
def schemas(draw: st.DrawFn) -> SchemaGraph:
    """Two node types that may share a label, and two edge types between them."""
    names = draw(st.lists(SAYABLE, min_size=10, max_size=10, unique=True))
    one, two, three, first, second, *keys = names
    kinds = (Kind.INTEGER, Kind.STRING, Kind.BOOLEAN, Kind.FLOAT)
    properties = tuple(Property(k, Type(kind), True) for k, kind in zip(keys, kinds, strict=False))
    key = Property(keys[4], Type(Kind.INTEGER, nullable=False), nullable=False)
    left = NodeType((one, three), (key, *properties), (key.name,))
    right = NodeType((two, three) if draw(st.booleans()) else (two,), (key, *properties[:2]))
    edges = (
        EdgeType(first, left.name, right.name, properties),
        EdgeType(second, left.name, left.name, ()),
    )
    return SchemaGraph("random", (left, right), edges)


@st.composite
def queries(draw: st.DrawFn, schema: SchemaGraph) -> str:
    """A query over the schema: names, constants and operators drawn at random."""
    left, _ = schema.nodes
    first, second = (_quoted(edge.label) for edge in schema.edges)
    a, e, b, c = (_quoted(n) for n in draw(st.lists(SAYABLE, min_size=4, max_size=4, unique=True)))
    tag, other = (_quoted(node.labels[0]) for node in schema.nodes)
    key, number, text, flag, amount = (_quoted(p.name) for p in left.properties)

    integers = st.one_of(
        INTEGERS.map(str), st.sampled_from([f"{a}.{number}", f"{b}.{key}", f"{e}.{number}"])
    )
    numbers = st.recursive(
        st.one_of(integers, FLOATS.map(repr), st.just(f"{a}.{amount}")),
        lambda inner: st.one_of(
            st.builds("({} {} {})".format, inner, st.sampled_from("+-*"), inner),
            st.builds("(- {})".format, inner),
            st.builds("abs({})".format, inner),
            st.builds("CASE WHEN {} > {} THEN {} ELSE {} END".format, inner, inner, inner, inner),
        ),
        max_leaves=5,
    )
    strings = st.one_of(
        TEXTS.map(_string), st.sampled_from([f"{a}.{text}", f"{b}.{text}", f"{e}.{text}"])
    )
    conditions = st.recursive(
        st.one_of(
            st.builds(
                "{} {} {}".format,
                numbers,
                st.sampled_from(["=", "<>", "<", "<=", ">", ">="]),
                numbers,
            ),
            st.builds(
                "{} {} {}".format,
                strings,
                st.sampled_from(["STARTS WITH", "ENDS WITH", "CONTAINS", "=", "<>"]),
                strings,
            ),
            st.builds("{} IN [{}, {}]".format, strings, strings, strings),
            st.builds("{} IS NOT NULL".format, strings),
            st.just(f"{a}.{flag}"),
            st.just(f"EXISTS {{ ({a})-[:{first}]->({c}) WHERE {c}.{number} > {b}.{key} }}"),
            st.just(f"COUNT {{ ({b})<-[:{first}]-({c}:{tag}) WHERE {c}.{flag} }} > 1"),
            st.just(f"({a})-[:{second}*1..2]->(:{tag})"),
        ),
        lambda inner: st.one_of(
            st.builds("({} AND {})".format, inner, inner),
            st.builds("({} OR {})".format, inner, inner),
            st.builds("({} XOR {})".format, inner, inner),
            st.builds("(NOT {})".format, inner),
        ),
        max_leaves=6,
    )
    inline = draw(st.sampled_from(["", f" {{{text}: {draw(strings)}}}"]))
    match = f"MATCH ({a}:{tag})-[{e}:{first}]->({b}:{other}{inline})"
    if draw(st.booleans()):
        match += f", ({a})-[:{first}]->()"
    where = f"WHERE {draw(conditions)}" if draw(st.booleans()) else ""
    columns = [draw(numbers), draw(strings), f"{a}.{flag}", b, e, draw(conditions)]
    columns = draw(st.lists(st.sampled_from(columns), min_size=1, max_size=3, unique=True))
    if draw(st.booleans()):
        columns.append(draw(st.sampled_from(["count(*)", f"max({a}.{number})", f"collect({b})"])))
    aliases = draw(st.lists(SAYABLE, min_size=4, max_size=4, unique=True))
    items = [f"{text} AS {_quoted(alias)}" for text, alias in zip(columns, aliases, strict=False)]
    end = ""
    if draw(st.booleans()):
        end = f"ORDER BY {_quoted(aliases[0])} DESC SKIP {draw(st.integers(0, 9))} LIMIT 3"
    return f"{match} {where} RETURN {', '.join(items)} {end}"


@settings(deadline=None)
@given(st.data())
def test_what_is_said_is_accepted_and_reads_back(data: st.DataObject) -> None:
    schema = data.draw(schemas())
    query = data.draw(queries(schema))
    statement = parse(query)
    try:
        text = render(statement, "ngql", schema).text
    except (Refused, QueryTextError):
        return
    bound = bind(statement, schema).statement
    lowered = Ngql(schema).lowered(bound)
    assert check(text) == []
    assert read_back(text) == lowered
    assert _constants(bound) <= _constants(lowered)
    native = native_form(bound, schema)
    assert native is None or check(native) == []


def _constants(statement: ir.Statement) -> set[str]:
    """The constants and labels; numbers as text, so that 1 and 1.0 differ."""
    values = {repr(literal.value) for literal in find(statement, ir.Literal)}
    return values | {n.name for n in descend(statement) if isinstance(n, ir.LabelName)}


@settings(deadline=None)
@given(TEXTS, NAMES)
def test_constants_and_names_come_back(value: str, name: str) -> None:
    query = f"RETURN {_string(value)} AS {_quoted(name)}"
    if "." in name:
        with pytest.raises(Refused, match="dot-in-name"):
            render(parse(query), "ngql", None)
        return
    found = read_back(render(parse(query), "ngql", None).text)
    (item,) = find(found, ir.Item)
    assert item.alias == name
    assert item.expr == ir.Literal(value)


@settings(deadline=None)
@given(st.text(max_size=60))
def test_any_text_is_judged(text: str) -> None:
    problems = check(text)
    try:
        read_back(text)
    except QueryTextError:
        pass
    except Refused:
        assert problems == []
    else:
        assert problems == []
