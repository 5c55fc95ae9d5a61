"""Random schemas and queries over them, with hostile names and constants, for property tests."""

from __future__ import annotations

from hypothesis import strategies as st

from schemagraph.model import EdgeType, Kind, NodeType, Property, SchemaGraph, Type
from translators.ngql.grammar.keywords import KEYWORDS

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


def quoted(name: str) -> str:
    return f"`{name.replace('`', '``')}`"


def string_text(value: str) -> str:
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
    first, second = (quoted(edge.label) for edge in schema.edges)
    a, e, b, c = (quoted(n) for n in draw(st.lists(SAYABLE, min_size=4, max_size=4, unique=True)))
    tag, other = (quoted(node.labels[0]) for node in schema.nodes)
    key, number, text, flag, amount = (quoted(p.name) for p in left.properties)

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
        TEXTS.map(string_text), st.sampled_from([f"{a}.{text}", f"{b}.{text}", f"{e}.{text}"])
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
    rounded = draw(st.sampled_from(["abs", "ceil", "floor", "round", "sign", "toFloat"]))
    columns.append(f"{rounded}({draw(numbers)}) / 4")
    columns.append(f"COUNT {{ ({a})-[:{second}]->() }}")
    columns.append(f"coalesce({a}.{number}, {draw(st.integers(0, 3))})")
    columns.append(f"COUNT {{ MATCH ({b}) WHERE {b}.{number} IS NULL }}")
    columns = draw(st.lists(st.sampled_from(columns), min_size=1, max_size=3, unique=True))
    if draw(st.booleans()):
        aggregates = ["count(*)", f"max({a}.{number})", f"collect({b})", f"sum({a}.{amount}) / 2"]
        aggregates += [f"(sum({a}.{amount}) + 1) / 2", f"max({a}.{number}) / 4"]
        columns.append(draw(st.sampled_from(aggregates)))
    aliases = draw(st.lists(SAYABLE, min_size=4, max_size=4, unique=True))
    items = [f"{text} AS {quoted(alias)}" for text, alias in zip(columns, aliases, strict=False)]
    end = ""
    if draw(st.booleans()):
        end = f"ORDER BY {quoted(aliases[0])} DESC SKIP {draw(st.integers(0, 9))} LIMIT 3"
    once = draw(st.sampled_from(["", "", "DISTINCT "]))
    text = f"{match} {where} RETURN {once}{', '.join(items)} {end}"
    if not end and draw(st.booleans()):
        constants = (f"{n} AS {quoted(alias)}" for n, alias in zip(range(9), aliases, strict=False))
        text += f" UNION RETURN {', '.join(list(constants)[: len(items)])}"
    return text
