"""Values and predicates of GQL: one method a rule of gql.lark."""

from __future__ import annotations

import re
from typing import Any

from graph_ir import nodes as ir
from graph_ir.cypher.build_expressions import Expressions as CypherExpressions
from graph_ir.cypher.operators import binary, extent
from graph_ir.cypher.patterns import labels_of
from graph_ir.cypher.scanning import Token, failed
from graph_ir.lowerings import substitute
from graphmill.errors import Refused, Span
from translators.gql.reader import functions
from translators.gql.reader.flavours import Flavour
from translators.gql.reader.operators import Test, cyphers, neo4js, resolve, standard
from translators.gql.reader.subqueries import counted, value_of

type Children = list[Any]

_ESCAPE = re.compile(
    r"\\(u(?P<high>[dD][89abAB][0-9a-fA-F]{2})\\u(?P<low>[dD][c-fC-F][0-9a-fA-F]{2})"
    r"|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{6}|.)|''|\"\"",
    re.DOTALL,
)
_PLAIN = {
    "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "\\": "\\", "'": "'", '"': '"',
    "`": "`",
}  # fmt: skip
_MOST_DIGITS = 1000
_TRUTHS = {"TRUE": True, "FALSE": False}


class Expressions(CypherExpressions):
    """Callbacks for expressions; what GQL shares with Cypher comes from there."""

    flavour: Flavour

    def only_extended(self, token: Token, what: str) -> None:
        """Refuse what the standard does not have."""
        if not self.flavour.extended:
            raise failed(token, f"{self.flavour.title} has no {what}.", "not-in-gql")

    # --- operators -------------------------------------------------------------------------

    def resolve(self, c: Children) -> ir.Expr:
        extended = self.flavour.extended
        joined = cyphers if extended else standard
        return resolve(c[0], extended, neo4js if self.flavour.multiplies_constants else joined)

    def listed(self, c: Children) -> ir.Expr:
        raise failed(c[2], "Unexpected ','. A list stands in brackets: [a, b].", "unexpected-token")

    def is_null(self, c: Children) -> Any:
        negated = c[1] is not None
        span = c[2].span
        return Test(lambda x: ir.IsNull(x, negated, span=extent(x.span, span)), span, c[0])

    def is_truth(self, c: Children) -> Test:
        keyword, negated, word = c[0], c[1] is not None, c[2]

        def make(x: ir.Expr) -> ir.Expr:
            span = extent(x.span, word.span)
            if word.type == "UNKNOWN":
                return ir.IsNull(x, negated, span=span)
            value = _TRUTHS[word.type]
            # `x IS TRUE` is x where it is known, else false.
            test = ir.Call("coalesce", (x, ir.Literal(not value)), span=span)
            return test if value is not negated else ir.Not(test, span=span)

        return Test(make, word.span, keyword, loose=True)

    def is_labelled(self, c: Children) -> Any:
        labels = labels_of(c[3])
        negated = c[1] is not None

        def make(x: ir.Expr) -> ir.Expr:
            test = ir.LabelTest(x, labels, span=extent(x.span, labels.span))
            return ir.Not(test, span=test.span) if negated else test

        return Test(make, labels.span or c[0].span, c[0])

    def has_labels(self, c: Children) -> Test:
        labels = labels_of(c[1])
        return Test(
            lambda x: ir.LabelTest(x, labels, span=extent(x.span, labels.span)),
            labels.span or c[0].span,
            c[0],
        )

    def is_directed(self, c: Children) -> Test:
        raise Refused("is-directed", "IS DIRECTED", "IS DIRECTED is not translated.", c[0].span)

    def is_end(self, c: Children) -> Test:
        _is, negated, word, _of, edge = c
        name = "startNode" if word.type == "SOURCE" else "endNode"
        op = ir.CompareOp.EQ if negated is None else ir.CompareOp.NE

        def make(x: ir.Expr) -> ir.Expr:
            end = ir.Call(name, (ir.Var(edge.text, span=edge.span),), span=edge.span)
            return ir.Compare(op, x, end, span=extent(x.span, edge.span))

        return Test(make, edge.span, c[0])

    def is_normalized(self, c: Children) -> Test:
        raise Refused("normalized", "IS NORMALIZED", "Normal forms are not translated.", c[0].span)

    def is_typed(self, c: Children) -> Test:
        raise Refused("type-test", "IS TYPED", "Tests of types are not translated.", c[0].span)

    def has_type(self, c: Children) -> Test:
        raise Refused("type-test", "::", "Tests of types are not translated.", c[0].span)

    # --- literals --------------------------------------------------------------------------

    def integer(self, c: Children) -> ir.Literal:
        token: Token = c[0]
        digits = token.text.replace("_", "")
        if len(digits) > _MOST_DIGITS:
            raise failed(token, f"The integer {digits[:20]}… is too large.", "integer-overflow")
        value = int(digits, 0) if digits[:2].lower() in ("0x", "0o", "0b") else int(digits)
        if value > 2**63 - 1:
            before = token.source.tokens[token.index - 1] if token.index else None
            if value > 2**63 or before is None or before.type != "MINUS":
                raise failed(token, f"The integer {digits[:40]} is too large.", "integer-overflow")
        return ir.Literal(value, span=token.span)

    def float(self, c: Children) -> ir.Literal:
        value = float(c[0].text.replace("_", "").rstrip("mMfFdD"))
        if value == float("inf"):
            raise failed(c[0], f"The number {c[0].text[:40]} is too large.", "float-overflow")
        return ir.Literal(value, span=c[0].span)

    def string(self, c: Children) -> ir.Literal:
        return ir.Literal(string_of(c[0]), span=c[0].span)

    def bytes(self, c: Children) -> ir.Expr:
        raise Refused("bytes", c[0].text[:40], "Byte strings are not translated.", c[0].span)

    def unknown(self, c: Children) -> ir.Literal:
        return ir.Literal(None, span=c[0].span)

    def constant(self, c: Children) -> ir.Expr:
        return functions.constant(c[0].text, c[0].span)

    def temporal(self, c: Children) -> ir.Expr:
        return functions.literal(c[0].text, string_of(c[1]), extent(c[0].span, c[1].span))

    def temporal_map(self, c: Children) -> ir.Expr:
        raise failed(c[0], f"{c[0].text} takes a text: {c[0].text} '…'.", "temporal-text")

    def worded_list(self, c: Children) -> ir.ListOf:
        return ir.ListOf(tuple(c[2] or ()), span=extent(c[0].span, c[3].span))

    def record(self, c: Children) -> Any:
        return c[1]

    def typed_entry(self, c: Children) -> ir.Entry:
        raise Refused("typed-field", c[0].text, "A typed field is not translated.", c[0].span)

    def path_value(self, c: Children) -> Any:
        raise Refused(
            "path-value", "PATH [ … ]", "Path constructors are not translated.", c[0].span
        )

    def prop(self, c: Children) -> ir.Prop:
        return ir.Prop(c[0], c[2].text, span=extent(c[0].span, c[2].span))

    def index(self, c: Children) -> ir.Index:
        self.only_extended(c[1], "subscript")
        return super().index(c)

    def slice(self, c: Children) -> ir.Slice:
        self.only_extended(c[1], "slice")
        return super().slice(c)

    def comprehension(self, c: Children) -> ir.ListComp:
        self.only_extended(c[0], "list comprehension: write VALUE { FOR … }")
        return super().comprehension(c)

    def map_projection(self, c: Children) -> ir.MapProjection:
        self.only_extended(c[0], "map projection")
        return super().map_projection(c)

    def reduce(self, c: Children) -> ir.Reduce:
        self.only_extended(c[0], "reduce()")
        return super().reduce(c)

    def quantifier(self, c: Children) -> ir.Quantifier:
        self.only_extended(c[0], "all(), any() or none(): write EXISTS { FOR … }")
        kind = ir.QuantifierKind(c[0].text.lower())
        return ir.Quantifier(kind, c[2].text, c[4], c[5], span=extent(c[0].span, c[6].span))

    # --- CASE ------------------------------------------------------------------------------

    def when_binary(self, c: Children) -> tuple[str, ir.Expr]:
        return c[0].text, c[1]

    def when_tested(self, c: Children) -> Any:
        return c[0]

    def case(self, c: Children) -> ir.Case:
        begin, operand, whens, _else, default, end = c
        span = extent(begin.span, end.span)
        if operand is not None and not self.flavour.extended:
            tests = [t for _, tests, _ in whens for t in tests if isinstance(t, ir.Expr)]
            if not all(_is_primary(each) for each in (operand, *tests)):
                raise failed(
                    begin,
                    "What CASE compares is a value, a property or a call (clause 20.7): write "
                    "CASE WHEN … = ….",
                    "case-operand",
                )
        plain = all(isinstance(test, ir.Expr) for _, tests, _ in whens for test in tests)
        if operand is None and not (plain and all(len(tests) == 1 for _, tests, _ in whens)):
            raise failed(begin, "A CASE without operand takes one condition a WHEN.", "case-list")
        if plain or operand is None:
            branches = [ir.When(t, result, span=at) for at, tests, result in whens for t in tests]
            return ir.Case(tuple(branches), default, operand, span=span)
        branches = [
            ir.When(_test(operand, test), result, span=at)
            for at, tests, result in whens
            for test in tests
        ]
        return ir.Case(tuple(branches), default, span=span)

    # --- functions -------------------------------------------------------------------------

    def cast(self, c: Children) -> ir.Expr:
        return functions.cast(c[2], c[4].text, extent(c[0].span, c[5].span))

    def function_none(self, c: Children) -> ir.Expr:
        return functions.call(c[0], (), self.flavour, extent(c[0].span, c[2].span))

    def function_star(self, c: Children) -> ir.Expr:
        if c[0].text.upper() != "COUNT":
            raise failed(
                c[2], f"Only COUNT(*) takes a star, {c[0].text}() does not.", "star-argument"
            )
        return ir.Agg("count", (), span=extent(c[0].span, c[3].span))

    def function(self, c: Children) -> ir.Expr:
        return functions.call(c[0], tuple(c[2]), self.flavour, extent(c[0].span, c[3].span))

    def function_quantified(self, c: Children) -> ir.Expr:
        distinct = c[2].type == "DISTINCT"
        span = extent(c[0].span, c[4].span)
        return functions.aggregate(c[0], tuple(c[3]), distinct, self.flavour, span)

    def trim_spec(self, c: Children) -> tuple[str, ir.Expr | None]:
        return c[0].type, c[1]

    def trim(self, c: Children) -> ir.Expr:
        token, _open, (side, what), _from, text, end = c
        if token.text.upper() != "TRIM":
            raise failed(token, f"{token.text}() takes a plain list of arguments.", "wrong-arity")
        if text is None:
            what, text = None, what
        if text is None:
            raise failed(token, "TRIM needs a text.", "wrong-arity")
        name = {"BOTH": "trim", "LEADING": "ltrim", "TRAILING": "rtrim"}[side]
        return _trimmed(name, text, what, extent(token.span, end.span))

    def trim_from(self, c: Children) -> ir.Expr:
        token, _open, what, _from, text, end = c
        if token.text.upper() != "TRIM":
            raise failed(token, f"{token.text}() takes a plain list of arguments.", "wrong-arity")
        return _trimmed("trim", text, what, extent(token.span, end.span))

    def qualified_function(self, c: Children) -> ir.Expr:
        return self.function(c[:4])

    # --- subqueries ------------------------------------------------------------------------

    def let_value(self, c: Children) -> ir.Expr:
        result: ir.Expr = c[3]
        for item in reversed(c[1]):
            result = substitute(result, {ir.Var(item.alias): item.expr})
        return result

    def value_query(self, c: Children) -> ir.Expr:
        return value_of(c[2], extent(c[0].span, c[3].span))

    def subquery(self, c: Children) -> ir.Expr:
        keyword, _open, body, end = c
        span = extent(keyword.span, end.span)
        if keyword.type == "EXISTS":
            return ir.Exists(body, span=span)
        self.only_extended(keyword, f"{keyword.type} {{ }}: write VALUE {{ … }}")
        if keyword.type == "COUNT":
            return counted(body, span)
        return ir.CollectOf(body, span=span)


def _is_primary(node: ir.Expr) -> bool:
    """Whether an operand of the simple CASE can be one: an operator makes none, a sign neither."""
    if isinstance(node, ir.Literal):
        return not (isinstance(node.value, int | float) and node.value < 0)
    return not isinstance(node, ir.Arith | ir.Neg | ir.Compare | ir.Bool | ir.Not | ir.IsNull)


def _test(operand: ir.Expr, test: Any) -> ir.Expr:
    if isinstance(test, Test):
        made: ir.Expr = test.make(operand)
        return made
    if isinstance(test, ir.Expr):
        return binary("=", operand, test)
    return binary(test[0], operand, test[1])


def _trimmed(name: str, text: ir.Expr, what: ir.Expr | None, span: Span | None) -> ir.Expr:
    if what is None or what == ir.Literal(" "):
        return ir.Call(name, (text,), span=span)
    known = {"trim": "btrim"}.get(name, name)
    return ir.Call(known, (text, what), span=span)


def string_of(token: Token) -> str:
    """The value of a string (clause 21.2).

    Raises:
        QueryTextError: an escape that GQL does not have, or half of a surrogate pair.
    """
    text = token.text
    if text[0] == "@":
        quote = text[1]
        return text[2:-1].replace(quote * 2, quote)
    quote, body = text[0], text[1:-1]
    if "\\" not in body and quote not in body:
        return body

    def plain(match: re.Match[str]) -> str:
        whole, code = match[0], match[1]
        if code is None:
            return quote if whole[0] == quote else whole
        if match["low"]:
            high, low = int(match["high"], 16), int(match["low"], 16)
            return chr(0x10000 + (high - 0xD800) * 0x400 + low - 0xDC00)
        if len(code) > 1:
            value = int(code[1:], 16)
            if 0xD800 <= value <= 0xDFFF:
                raise failed(
                    token, f"The escape {whole} is half of a surrogate pair.", "lone-surrogate"
                )
            if value <= 0x10FFFF:
                return chr(value)
        elif code in _PLAIN:
            return _PLAIN[code]
        raise failed(
            token,
            f"Unknown escape '{whole}' in a string; a backslash is written \\\\.",
            "invalid-escape",
        )

    return _ESCAPE.sub(plain, body)
