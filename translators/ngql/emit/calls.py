"""Functions of Cypher under NebulaGraph's names, where they mean the same.

NebulaGraph's string functions count bytes and change the case of ASCII letters only, its
conversions from text differ, and its regular expressions are those of C++. Source: NebulaGraph
3.8 manual, chapter "Functions and expressions".
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from graph_ir import nodes as ir
from graph_ir.types import FLOAT
from graphmill.errors import Refused
from schemagraph.model import NUMERIC, TEMPORAL, Kind
from translators.ngql.emit import temporal
from translators.ngql.emit.scope import refuse
from translators.ngql.grammar.keywords import words

SAME = words(
    """
    abs ceil floor sqrt exp log log10 sin cos tan asin acos atan radians pi e sign rand head last
    tail range coalesce nodes relationships labels type length toFloat toInteger toString size
    reverse split replace date duration datetime localdatetime localtime toLower toUpper trim
    ltrim rtrim left right substring
    """
)
"""Functions that can be called, some only with arguments of some types."""

NAMES = {"localdatetime": "datetime", "localtime": "time", "datetime": "datetime"}
"""Functions that have another name there."""

_BYTES = frozenset({"left", "right", "substring"})
_ASCII = frozenset({"toLower", "toUpper", "trim", "ltrim", "rtrim"})
_CLOCK = frozenset({"localdatetime", "localtime"})

# Literal characters, `.*`, `.+`, ASCII classes without negation, groups, alternatives and
# repetitions of those mean the same in Java and in ECMAScript over bytes; `^` and `$` do at the
# ends, where a whole match is asked for.
_REGEX_ATOM = re.compile(
    r"\.[*+]|\[(?!\^)(?:[A-Za-z0-9_ ](?:-[A-Za-z0-9])?|[.,;:@#%&+*?!/_=-])+\]"
    r"|\\[.^$*+?()\[\]{}|\\/-]|\\[dws]|[A-Za-z0-9 _,;:@#%&!<>=~\"'/-]|\((?:\?:)?|\)|\|"
    r"|[\x80-\U0010ffff](?![*+?{])|\A\^|\$\Z"
)
_REGEX_REPEAT = re.compile(r"[*+?](?![*+?])|\{\d{1,3}(?:,\d{0,3})?\}(?![*+?])")


def check(node: ir.Call) -> None:
    """Refuse a call that NebulaGraph has not, or answers differently.

    Raises:
        Refused: see the codes in `translators.refusals`.
    """
    if node.name not in SAME:
        raise refuse("function", node, f"{node.name}()", f"nGQL has no {node.name}().")
    rule = _RULES.get(node.name)
    if rule is not None:
        problem = rule(node)
        if problem is not None:
            raise problem


def check_regex(node: ir.Text) -> None:
    """Refuse a regular expression that Java and C++ could read differently.

    Raises:
        Refused: it is no constant, or uses more than both are known to share.
    """
    pattern = node.right
    if isinstance(pattern, ir.Literal) and isinstance(pattern.value, str):
        at = 0
        text = pattern.value
        while at < len(text):
            atom = _REGEX_ATOM.match(text, at)
            if atom is None:
                break
            at = atom.end()
            repeat = _REGEX_REPEAT.match(text, at)
            if repeat and not atom[0].startswith((".", "(", "|")):
                at = repeat.end()
        else:
            return
    raise refuse(
        "regular-expression",
        node,
        "=~",
        "Java's and C++'s regular expressions share constants of plain characters, classes,"
        " groups and repetitions.",
    )


def _first(node: ir.Call) -> ir.Expr | None:
    return node.args[0] if node.args else None


def _ascii_text(node: ir.Call) -> Refused | None:
    if len(node.args) > 1:
        return refuse(
            "arguments", node, f"{node.name}()", f"{node.name}() of NebulaGraph takes one argument."
        )
    argument = _first(node)
    if isinstance(argument, ir.Literal) and str(argument.value).isascii():
        return None
    return refuse(
        "ascii-function",
        node,
        f"{node.name}()",
        f"{node.name}() of NebulaGraph knows ASCII characters only.",
    )


def _byte_text(node: ir.Call) -> Refused | None:
    argument = _first(node)
    if isinstance(argument, ir.Literal) and str(argument.value).isascii():
        if node.name in _BYTES and not all(map(_is_count, node.args[1:])):
            return refuse(
                "slice-bound",
                node,
                f"{node.name}()",
                f"Cypher's {node.name}() of a negative number is an error; NebulaGraph's is none.",
            )
        return None
    return refuse(
        "byte-strings",
        node,
        f"{node.name}()",
        f"{node.name}() of NebulaGraph counts bytes, not characters.",
    )


def _is_count(number: ir.Expr) -> bool:
    """Whether a number is not negative, as far as the query tells."""
    if isinstance(number, ir.Literal):
        return number.value is None or (isinstance(number.value, int) and number.value >= 0)
    return isinstance(number, ir.Call) and number.name in ("size", "length")


def _list_or_bytes(node: ir.Call) -> Refused | None:
    argument = _first(node)
    if argument is not None and argument.type.kind in (Kind.LIST, Kind.MAP):
        return None
    if argument is not None and argument.type.kind is Kind.STRING:
        return _byte_text(node)
    return _untyped(node)


def _untyped(node: ir.Call) -> Refused:
    return refuse(
        "untyped-size",
        node,
        f"{node.name}()",
        f"{node.name}() means something else for text; the type of its argument is not known.",
    )


def _to_number(node: ir.Call) -> Refused | None:
    argument = _first(node)
    if argument is not None and argument.type.kind in NUMERIC:
        return None
    return refuse(
        "text-to-number",
        node,
        f"{node.name}()",
        "NebulaGraph reads numbers from text by other rules ('12.7' is no integer there).",
    )


def _to_string(node: ir.Call) -> Refused | None:
    argument = _first(node)
    kinds = (Kind.STRING, Kind.INTEGER, Kind.BOOLEAN, Kind.DATE)
    if argument is not None and argument.type.kind in kinds:
        return None
    return refuse(
        "text-of-value",
        node,
        "toString()",
        "NebulaGraph writes floats and times differently.",
    )


def _separated(node: ir.Call) -> Refused | None:
    """split and replace: an empty separator means something else."""
    separator = node.args[1] if len(node.args) > 1 else None
    if isinstance(separator, ir.Literal) and separator.value:
        return None
    return refuse(
        "empty-separator",
        node,
        f"{node.name}()",
        "An empty separator means something else in NebulaGraph; it must be a constant.",
    )


def _moment(node: ir.Call) -> Refused | None:
    if not node.args:
        if node.name in _CLOCK:
            return refuse("temporal", node, f"{node.name}()", "NebulaGraph's clock has UTC only.")
        return None
    if node.name == "duration":
        return _length(node)
    if temporal.value(node) is not None:
        return None
    return refuse(
        "temporal",
        node,
        f"{node.name}()",
        f"NebulaGraph's {node.name}() takes constants of one notation.",
    )


def _length(node: ir.Call) -> Refused | None:
    argument = _first(node)
    if not isinstance(argument, ir.MapOf):
        return refuse("temporal", node, "duration()", "nGQL's duration() takes a map.")
    if any(entry.key not in temporal.UNITS for entry in argument.entries):
        return refuse(
            "month-arithmetic",
            node,
            "duration()",
            "A month later NebulaGraph rolls over where Cypher stops at the month's end.",
        )
    return None


def _path_length(node: ir.Call) -> Refused | None:
    argument = _first(node)
    if argument is not None and argument.type.kind is Kind.PATH:
        return None
    return _untyped(node)


_RULES: dict[str, Callable[[ir.Call], Refused | None]] = {
    **dict.fromkeys(_ASCII, _ascii_text),
    **dict.fromkeys(_BYTES, _byte_text),
    "size": _list_or_bytes,
    "reverse": _list_or_bytes,
    "length": _path_length,
    "toInteger": _to_number,
    "toFloat": _to_number,
    "toString": _to_string,
    "split": _separated,
    "replace": _separated,
    **dict.fromkeys(("date", "datetime", "localdatetime", "localtime", "duration"), _moment),
}


def check_arith(node: ir.Arith) -> None:
    """Refuse arithmetic that NebulaGraph does differently, or whose types are not known.

    Raises:
        Refused: text and what is no integer, untyped sums, moments and durations in months or
            with hours on a date.
    """
    kinds = [node.left.type.kind, node.right.type.kind]
    if any(kind in TEMPORAL for kind in kinds):
        _check_moment(node, kinds)
    if node.op is not ir.ArithOp.ADD or Kind.LIST in kinds:
        return
    text = Kind.STRING in kinds
    safe = {Kind.STRING, Kind.INTEGER, Kind.NULL}
    if text and not safe.issuperset(kinds):
        raise refuse(
            "text-of-value", node, "+", "NebulaGraph writes floats and times differently into text."
        )
    if Kind.ANY in kinds and Kind.INTEGER not in kinds:
        raise refuse(
            "untyped-plus",
            node,
            "+",
            "Floats are added to text differently; the types are not known.",
        )


def float_divisor(node: ir.Arith) -> ir.Arith:
    """A quotient or remainder whose divisor is no integer 0 where Cypher has Infinity or NaN.

    NebulaGraph divides by the integer 0 to a null or an error, by 0.0 to an infinite value or NaN
    (vesoft-inc/nebula, tests/tck, "Yield 1/0.0"). Integers by 0 are an error in Cypher, too.

    Raises:
        Refused: whether the numbers are integers is not known.
    """
    left, right = node.left.type, node.right.type
    zero = node.right == ir.Literal(0)
    if isinstance(node.right, ir.Literal) and node.right.value and not zero:
        return node
    floats = [of.kind is Kind.FLOAT and not of.mixed for of in (left, right)]
    if node.op is ir.ArithOp.MOD and (Kind.FLOAT in (left.kind, right.kind)):
        message = "What NebulaGraph makes of the remainder of a float by 0 is not known."
        raise refuse("modulo", node, "%", message)
    if floats[1] or left.kind is right.kind is Kind.INTEGER:
        return node
    if left.kind is Kind.ANY or (floats[0] and right.kind is Kind.ANY):
        message = "A number that is an integer or a float is divided by what can be 0."
        raise refuse("mixed-numbers", node, str(node.op), message)
    if not floats[0]:
        if left.kind is Kind.FLOAT:
            message = "A number that is an integer or a float is divided by what can be 0."
            raise refuse("mixed-numbers", node, str(node.op), message)
        return node
    if right.kind not in (Kind.INTEGER, Kind.FLOAT):
        return node
    divisor = ir.Call("toFloat", (node.right,), type=replace(FLOAT, nullable=right.nullable))
    return replace(node, right=ir.Literal(0.0, type=FLOAT) if zero else divisor)


def _check_moment(node: ir.Arith, kinds: list[Kind]) -> None:
    moment, shift = kinds
    units = _units(node.right)
    if moment is Kind.DURATION or shift is not Kind.DURATION or moment not in TEMPORAL:
        raise refuse("temporal", node, node.op, "Only a duration moves a moment.")
    if units is None:
        raise refuse(
            "month-arithmetic",
            node,
            node.op,
            "A month later NebulaGraph rolls over where Cypher stops at the month's end.",
        )
    if moment is Kind.DATE and units - {"days"}:
        raise refuse("temporal", node, node.op, "Hours do not move a date everywhere.")


def _units(expr: ir.Expr) -> set[str] | None:
    """The units of a constant duration without months."""
    if isinstance(expr, ir.Call) and expr.name == "duration" and expr.args:
        (argument,) = expr.args
        if isinstance(argument, ir.MapOf):
            units = {entry.key for entry in argument.entries}
            return units if units <= set(temporal.UNITS) else None
    return None
