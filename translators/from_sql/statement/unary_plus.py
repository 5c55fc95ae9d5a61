"""Unary plus, which the parser leaves out: it takes the affinity of a column, and makes of the
place of a column a number.

https://www.sqlite.org/datatype3.html section 3.2; `ORDER BY +1` orders by nothing.
"""

from __future__ import annotations

from functools import cache
from typing import Any, ClassVar, cast

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect
from sqlglot.parser import Parser
from sqlglot.tokenizer_core import TokenType

from graphmill.errors import Refused
from translators.from_sql.statement.rules import Rules


class UnaryPlus(exp.Expression, exp.Func):
    """`+x`, of which messages show `+(x)`."""

    arg_types: ClassVar[dict[str, bool]] = {"this": True}
    _sql_names: ClassVar[list[str]] = ["+"]


def _plus(parser: Parser) -> exp.Expr:
    return parser.expression(UnaryPlus(this=parser._parse_unary()))


@cache
def dialect(rules: Rules) -> Dialect:
    """The dialect of `rules` for the parser, which keeps unary plus, and date_part(), a double,
    apart from EXTRACT(), a decimal."""
    made = Dialect.get_or_raise(rules.name)
    own = made.parser_class
    unary = {**own.UNARY_PARSERS, TokenType.PLUS: _plus}
    parsers = {name: each for name, each in own.FUNCTION_PARSERS.items() if name != "DATE_PART"}
    changed = {"UNARY_PARSERS": unary, "FUNCTION_PARSERS": parsers}
    made.parser_class = cast("Any", type(own.__name__, (own,), changed))
    return made


def plain(tree: exp.Query, rules: Rules) -> exp.Query:
    """The tree without unary plus, where that changes nothing.

    Raises:
        Refused: it stands before a number that would say the place of a column.
    """
    for node in list(tree.find_all(UnaryPlus)):
        over = node.this.unnest()
        if isinstance(node.parent, exp.Ordered | exp.Group) and isinstance(over, exp.Literal):
            sentence = "It orders or groups by a number, not by a column of that place."
            raise Refused("unsupported-expression", "+", sentence)
        if not rules.affinity or isinstance(over, exp.Literal):
            node.replace(node.this)
    return tree
