"""The Cypher front end: what it reads, and what it says of what it cannot read."""

from __future__ import annotations

import re
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph_ir import nodes as ir
from graph_ir.cypher.build import Build
from graph_ir.cypher.reader import parse
from graph_ir.cypher.tables import as_text, grammar, make, tables
from graph_ir.walk import find
from graphmill.errors import QueryTextError, Span
from translators.cypher.dialect import Cypher

HERE = Path(__file__).parent


def blocks(name: str) -> list[tuple[str, str]]:
    """Pairs of a query and the line under it."""
    lines = (HERE / name).read_text("utf-8").split("\n")
    lines = [line for line in lines if not line.startswith("--")]
    groups = "\n".join(lines).split("\n\n")
    pairs = [group.strip("\n").split("\n") for group in groups if group.strip()]
    return [(pair[0], pair[1]) for pair in pairs]


def failure(text: str) -> QueryTextError:
    """The error that a text raises."""
    with pytest.raises(QueryTextError) as caught:
        parse(text)
    return caught.value


@pytest.mark.parametrize(("text", "expected"), blocks("errors.pairs"))
def test_errors(text: str, expected: str) -> None:
    code, place, said = expected.split(" ", 2)
    error = failure(text)
    assert (error.code, f"{error.line}:{error.column}") == (code, place)
    assert said in str(error).split("\n", 1)[0]
    assert error.kind == "syntax"


def test_an_error_shows_its_line_with_a_caret() -> None:
    error = failure("MATCH (n)\nWHERE n.x != 1\nRETURN n")
    assert str(error) == (
        "Unexpected '!'. 'Not equal' is written <>. (line 2, column 11)\n"
        "  WHERE n.x != 1\n"
        "            ^"
    )


def test_text_behind_the_query_is_named() -> None:
    error = failure("MATCH (n)\nRETURN n\n\nThis query returns all nodes.")
    assert (error.code, error.line, error.column) == ("trailing-text", 4, 1)


def test_the_stored_tables_are_those_of_the_grammar() -> None:
    stored = (HERE.parents[1] / "graph_ir" / "cypher" / "tables.json").read_text("utf-8")
    again = "run: python -m graph_ir.cypher.tables graph_ir.cypher cypher.lark"
    assert stored == as_text(make(grammar("graph_ir.cypher", "cypher.lark"))), again


def test_every_rule_has_its_callback() -> None:
    build = Build()
    for rule in tables("graph_ir.cypher", "cypher.lark").rules:
        if rule.callback:
            assert callable(build.method(rule.callback))


# --- what texts mean -----------------------------------------------------------------------


def only(text: str) -> ir.Expr:
    """The IR of one expression."""
    statement = parse(f"RETURN {text} AS x")
    assert isinstance(statement, ir.Query)
    last = statement.clauses[-1]
    assert isinstance(last, ir.Project)
    return last.items[0].expr


def var(name: str) -> ir.Var:
    return ir.Var(name)


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("a OR b XOR c AND NOT d = e", "a OR (b XOR (c AND (NOT (d = e))))"),
        ("a = b + c * d ^ -e", "a = (b + (c * (d ^ (-e))))"),
        ("a - b - c", "(a - b) - c"),
        ("a ^ b ^ c", "(a ^ b) ^ c"),
        ("-a.b[0]", "-((a.b)[0])"),
        ("NOT a IN b", "NOT (a IN b)"),
        ("a IN b + c", "a IN (b + c)"),
        ("a = b IS NULL", "a = (b IS NULL)"),
        ("a STARTS WITH b AND c", "(a STARTS WITH b) AND c"),
        ("a:B OR c", "(a:B) OR c"),
        ("a < b < c", "a < b AND b < c"),
        ("a AND b AND c", "a AND (b AND c)"),
        ("NOT NOT a", "NOT (NOT (a))"),
        ("- 5", "-5"),
        ("+a", "a"),
        ("a || b", "a + b"),
        ("CASE a WHEN 1, 2 THEN 3 END", "CASE a WHEN 1 THEN 3 WHEN 2 THEN 3 END"),
        (
            "CASE a.x WHEN > 2 * 3, IS NULL THEN 1 WHEN 4 THEN 2 WHEN STARTS WITH 'b' THEN 3 END",
            "CASE WHEN a.x > 2 * 3 THEN 1 WHEN a.x IS NULL THEN 1 WHEN a.x = 4 THEN 2"
            " WHEN a.x STARTS WITH 'b' THEN 3 END",
        ),
        ("CASE a WHEN is THEN 3 END", "CASE a WHEN `is` THEN 3 END"),
        ("a {.b, .c}", "a {.b, c: a.c}"),
        ("exists(a.b)", "a.b IS NOT NULL"),
        ("COUNT { (a)-->() }", "count{ MATCH (a)-->() }"),
        ("'\\'\\\\\\n\\u00e9'", '"\'\\\\\nÃ©"'.replace("Ã©", "\u00e9")),
    ],
)
def test_one_meaning_for(text: str, same: str) -> None:
    assert only(text) == only(same)


NOT_C = ir.LabelNot(ir.LabelName("C"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("n.order", ir.Prop(var("n"), "order")),
        ("COUNT(*)", ir.Agg("count", ())),
        ("count(DISTINCT n)", ir.Agg("count", (var("n"),), True)),
        ("TOUPPER(n)", ir.Call("toUpper", (var("n"),))),
        ("Duration.Between(a, b)", ir.Call("duration.between", (var("a"), var("b")))),
        ("count", var("count")),
        ("type.type", ir.Prop(var("type"), "type")),
        ("n IS NOT NULL", ir.IsNull(var("n"), True)),
        ("-9223372036854775808", ir.Literal(-(2**63))),
        ("0x7F", ir.Literal(127)),
        ("0o17", ir.Literal(15)),
        ("1.5e-3", ir.Literal(0.0015)),
        (".5", ir.Literal(0.5)),
        ("$1", ir.Param("1")),
        ("$`a b`", ir.Param("a b")),
        ("[1..2]", None),
        ("l[1..2]", ir.Slice(var("l"), ir.Literal(1), ir.Literal(2))),
        ("[x IN l]", ir.ListComp("x", var("l"))),
        ("[(x IN l)]", ir.ListOf((ir.In(var("x"), var("l")),))),
        ("[x IN l, true]", ir.ListOf((ir.In(var("x"), var("l")), ir.Literal(True)))),
        ("any(x)", ir.Call("any", (var("x"),))),
        (
            "[a:B|!C]",
            ir.ListOf(
                (ir.LabelTest(var("a"), ir.LabelOr((ir.LabelName("B"), NOT_C))),)
            ),
        ),
    ],
)  # fmt: skip
def test_expression(text: str, expected: ir.Expr | None) -> None:
    if expected is None:
        failure(f"RETURN {text} AS x")
    else:
        assert only(text) == expected


def test_words_are_keywords_only_where_they_can_be() -> None:
    plain = (
        "MATCH (a:b {c: 1})-[d:e]->(f) WHERE a.g = d.h WITH a AS i, 1 AS j, f AS k"
        " RETURN CASE i WHEN k THEN j ELSE k.l END AS m ORDER BY m LIMIT 1"
    )
    names = "match MATCH return where WHERE order with union distinct end skip limit in"
    words = dict(zip("abcdefghijklm", names.split(), strict=True))
    text = re.sub(r"\b[a-m]\b", lambda found: words[found[0]], plain)
    quoted = re.sub(r"\b[a-m]\b", lambda found: f"`{words[found[0]]}`", plain)
    assert parse(text) == parse(quoted)


def test_columns_without_alias_are_called_as_they_are_written() -> None:
    statement = parse("RETURN  1+ 2 , COUNT( * ) /* c */, [ 'a' ]  ORDER BY 1")
    assert isinstance(statement, ir.Query)
    project = statement.clauses[0]
    assert isinstance(project, ir.Project)
    assert [i.alias for i in project.items] == ["1+ 2", "COUNT( * )", "[ 'a' ]"]
    assert not any(item.named for item in project.items)


def test_grouping_keys_are_the_items_without_aggregates() -> None:
    statement = parse("MATCH (n) RETURN n.a, n.b + 1 AS b, count(*) + 1")
    (project,) = find(statement, ir.Project)
    assert project.group == (only("n.a"), only("n.b + 1"))
    (plain,) = find(parse("RETURN 1 AS a"), ir.Project)
    assert plain.group is None
    (all_rows,) = find(parse("MATCH (n) RETURN count(n)"), ir.Project)
    assert all_rows.group == ()


def test_star_is_every_variable_in_alphabetical_order() -> None:
    assert parse("MATCH (c)-[b]->(a) WITH *, 1 AS x RETURN *") == parse(
        "MATCH (c)-[b]->(a) WITH a, b, c, 1 AS x RETURN a, b, c, x"
    )
    assert parse("MATCH (a) WHERE EXISTS { MATCH (a)-->(b) RETURN * } RETURN a") == parse(
        "MATCH (a) WHERE EXISTS { MATCH (a)-->(b) RETURN a, b } RETURN a"
    )


@pytest.mark.parametrize(
    ("text", "computed"),
    [
        ("x * 0.7 * 10", "x * (0.7 * 10)"),
        ("0.7 * x * 10", "x * (0.7 * 10)"),
        ("10 * (0.7 * x)", "x * (0.7 * 10)"),
        ("x * 1.1 * 1.2 * 1.3", "x * (1.1 * 1.2 * 1.3)"),
        ("x * y * 0.7 * -10", "(x * y) * (0.7 * -10)"),
        ("-x * 0.7 * (5 + 5)", "(-x) * (0.7 * (5 + 5))"),
        ("x * 0.7 * 10 * y", "(x * (0.7 * 10)) * y"),
    ],
)
def test_the_constants_of_a_product_are_multiplied_first(text: str, computed: str) -> None:
    """As Neo4j 2026.08 does, in which `x * 0.7 * 10` of 3.0 is 21.0."""
    before = "UNWIND [3.0] AS x WITH x, 7.0 AS y RETURN "
    assert parse(f"{before}{text} AS v") == parse(f"{before}{computed} AS v")


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("x * 0.7 / 10", "x * (0.7 / 10)"),
        ("x / 0.7 * 10", "x / (0.7 * 10)"),
        ("x + 0.7 + 10", "x + (0.7 + 10)"),
        ("x * 0.7 * y * 10", "x * y * 0.7 * 10"),
        ("x * 0.7 * toFloat(10)", "x * (0.7 * toFloat(10))"),
        ("-(x * 0.7) * 10", "-x * (0.7 * 10)"),
    ],
)
def test_nothing_else_is_computed_in_another_order(text: str, other: str) -> None:
    before = "UNWIND [3.0] AS x WITH x, 7.0 AS y RETURN "
    assert parse(f"{before}{text} AS v") != parse(f"{before}{other} AS v")


@pytest.mark.parametrize(
    ("items", "key", "read"),
    [
        ("a.x AS id, id AS old, a.x AS again", "id", "old"),
        ("a.x AS id, id AS old, id AS older, a.x AS again", "-id", "-old"),
        ("id AS a, a.x AS id, a.x AS again", "id", "a"),
        ("a.x AS again, id AS old, a.x AS id", "id", "id"),
        ("a.x AS id, id + 0 AS old, a.x AS again", "id", "id"),
        ("a.x AS id, id AS old, a.y AS again", "id", "id"),
        ("a.x AS id, id AS old, a.x AS again", "again", "again"),
    ],
)
def test_a_column_whose_expression_comes_again_is_hidden_by_the_variable_of_its_name(
    items: str, key: str, read: str
) -> None:
    """As Neo4j 2026.08 sorts and filters."""
    before = "MATCH (a) WITH a, a.k AS id "
    assert parse(f"{before}RETURN {items} ORDER BY {key}") == parse(
        f"{before}RETURN {items} ORDER BY {read}"
    )
    assert parse(f"{before}WITH {items} WHERE {key} > 1 RETURN 1 AS one") == parse(
        f"{before}WITH {items} WHERE {read} > 1 RETURN 1 AS one"
    )


@pytest.mark.parametrize(
    ("text", "written_out"),
    [
        ("MATCH (p)-->(x) WITH *, x AS p RETURN p", "MATCH (p)-->(x) WITH x, x AS p RETURN p"),
        ("MATCH (p)-->(x) RETURN *, x.id AS p", "MATCH (p)-->(x) RETURN x, x.id AS p"),
        (
            "MATCH (p)-->(x) WITH *, count(*) AS x RETURN x",
            "MATCH (p)-->(x) WITH p, count(*) AS x RETURN x",
        ),
        (
            "MATCH (p) CALL (p) { MATCH (p)-->(q) WITH *, q.k AS r RETURN * } RETURN r",
            "MATCH (p) CALL (p) { MATCH (p)-->(q) WITH p, q, q.k AS r RETURN q, r } RETURN r",
        ),
        (
            "MATCH (p) CALL (*) { MATCH (p)-->(q) RETURN * UNION MATCH (q) RETURN * } RETURN q",
            "MATCH (p) CALL (p) { MATCH (p)-->(q) RETURN q UNION MATCH (q) RETURN q } RETURN q",
        ),
        (
            "MATCH (p) CALL { WITH p MATCH (p)-->(q) WITH q RETURN * } RETURN q",
            "MATCH (p) CALL { WITH p MATCH (p)-->(q) WITH q RETURN q } RETURN q",
        ),
    ],
)
def test_a_star_leaves_out_what_a_column_hides_and_what_a_call_imports(
    text: str, written_out: str
) -> None:
    """As Neo4j 2026.08 answers."""
    assert parse(text) == parse(written_out)


def test_a_star_does_not_return_what_a_with_imports() -> None:
    with pytest.raises(QueryTextError, match=r"bound outside \(p\)"):
        parse("MATCH (p) CALL { WITH p MATCH (p)-->(q) RETURN * } RETURN q")


def test_importing_with_and_variable_scope_are_one() -> None:
    assert parse("MATCH (a) CALL { WITH a MATCH (a)-->(b) RETURN b } RETURN b") == parse(
        "MATCH (a) CALL (a) { MATCH (a)-->(b) RETURN b } RETURN b"
    )


def test_exists_remembers_how_it_was_written() -> None:
    text = "MATCH (a) WHERE (a)-->() AND exists((a)-->()) AND EXISTS { (a)-->() } RETURN a"
    forms = [node.form for node in find(parse(text), ir.Exists)]
    assert forms == [ir.ExistsForm.PATTERN, ir.ExistsForm.FUNCTION, ir.ExistsForm.SUBQUERY]
    assert len(set(find(parse(text), ir.Exists))) == 1


def test_parentheses_hold_an_expression_unless_an_edge_follows() -> None:
    assert only("(a) - b") == only("a - b")
    assert only("(a:B)") == ir.LabelTest(var("a"), ir.LabelName("B"))
    assert only("(a) < -b") == only("a < (-b)")
    assert isinstance(only("(a)--(b)"), ir.Exists)
    assert isinstance(only("(a:B {c: ')'})<-[:T]-()"), ir.Exists)
    assert isinstance(only("(a /* ) */ )-->(b)"), ir.Exists)


def test_spans_point_into_the_text() -> None:
    statement = parse("MATCH (n)\nRETURN n.name AS x,\n  count(*)")
    prop = next(find(statement, ir.Prop))
    assert prop.span == Span(2, 8, 2, 14)
    (agg,) = find(statement, ir.Agg)
    assert agg.span == Span(3, 3, 3, 11)


def test_byte_order_mark_and_line_ends_are_space() -> None:
    assert parse("\ufeffMATCH (n)\r\nRETURN n\r\n;") == parse("MATCH (n) RETURN n")


def test_arrows_and_dashes_of_other_alphabets() -> None:
    assert parse("MATCH (a)—[:T]—⟩(b)⟨–(c) RETURN a".replace("⟨–", "⟨––")) == parse(
        "MATCH (a)-[:T]->(b)<--(c) RETURN a"
    )


# --- hostile texts -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "RETURN " + "(" * 10_000 + "1" + ")" * 10_000,
        "RETURN " + "[" * 10_000 + "]" * 10_000,
        "RETURN " + "NOT " * 10_000 + "true",
        "RETURN " + "-" * 10_001 + "a",
        "RETURN 1" + " + 1" * 10_000,
        "RETURN a" + ".b" * 10_000,
        "RETURN " + "NOT " * 40_000 + "true",
        "RETURN " + "{a: " * 10_000 + "1" + "}" * 10_000,
        "RETURN 1 " + "UNION RETURN 1 " * 10_000,
        "MATCH (a:" + "!" * 10_000 + "A) RETURN a",
        "RETURN " + "CASE WHEN true THEN " * 5_000 + "1" + " END" * 5_000,
    ],
)
def test_depth_is_refused(text: str) -> None:
    assert failure(text).code == "nesting-too-deep"


def test_long_texts_are_read_in_time() -> None:
    wide = "MATCH (n) WHERE " + " AND ".join(f"n.a{i} = {i}" for i in range(5_000)) + " RETURN n"
    assert len(list(find(parse(wide), ir.Compare))) == 5_000
    labels = " OR ".join(["n:A|B"] * 2_000)
    assert len(list(find(parse(f"MATCH (n) RETURN [1, ({labels})]"), ir.LabelTest))) == 2_000
    chain = "MATCH (a)" + "-->()" * 3_000 + " RETURN a"
    assert len(list(find(parse(chain), ir.EdgePattern))) == 3_000
    failure("RETURN " + " " * 50_000 + "?")


def test_threads_do_not_share_state() -> None:
    found: list[ir.Statement] = []
    text = "MATCH (n:A)-->(m) WITH *, n.x + 1 AS y RETURN *, count(*)"
    threads = [
        threading.Thread(target=lambda: found.extend(parse(text) for _ in range(50)))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 200
    assert set(found) == {parse(text)}


WORDS = """
    MATCH ( ) [ ] { } - > < : | , . .. = <> + * / % ^ n m r Person KNOWS name 1 2.5 'x' $p RETURN
    WITH WHERE AND OR NOT IN IS NULL count sum CASE WHEN THEN ELSE END EXISTS COUNT ORDER BY LIMIT
    SKIP DISTINCT AS UNWIND OPTIONAL CALL UNION ALL any reduce shortestPath -[ ]-> <-[ --> --
"""


@given(st.lists(st.sampled_from(WORDS.split()), max_size=30))
def test_any_text_is_read_or_refused(parts: list[str]) -> None:
    text = " ".join(parts)
    try:
        statement = parse(text)
    except QueryTextError:
        return
    printed = Cypher().generate(statement).text
    assert parse(printed) == statement


@given(st.text(max_size=40))
def test_any_string_and_name_survives(value: str) -> None:
    name = value.replace("\x00", "") or "x"
    statement = ir.Query(
        (
            ir.Match((ir.Path(ir.NodePattern("n", ir.LabelName(name))),)),
            ir.Project(
                (
                    ir.Item(ir.Prop(ir.Var("n"), name), name),
                    ir.Item(ir.Literal(value), "value"),
                    ir.Item(ir.Param(name), "param"),
                ),
                final=True,
            ),
        )
    )
    assert parse(Cypher().generate(statement).text) == statement
