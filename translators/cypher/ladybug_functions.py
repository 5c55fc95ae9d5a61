"""Functions as LadybugDB has them: under other names, counted from 1, or said by others."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from graph_ir import nodes as ir
from graphmill.errors import Refused
from schemagraph.model import Kind
from translators.cypher.ladybug_items import casts_wide
from translators.gql.emit.values import kind_of, nullable
from translators.tables import Table

if TYPE_CHECKING:
    from translators.cypher.ladybug import CypherLadybug

type Make = Callable[[CypherLadybug, ir.Call], str]

NUMBERS = (Kind.INTEGER, Kind.FLOAT)
SORTED = (*NUMBERS, Kind.STRING, Kind.BOOLEAN, Kind.DATE, Kind.DATETIME)
FUNCTIONS: Table[str, Make] = Table()

_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_MOMENT = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,6})?")
_LITERAL = re.compile(r"(\(\?i\))?((?:[A-Za-z0-9 _@,:;'\"-]|\.[*+]?|\\\.)*)")
_MOST = "9.223372036854776e18"
_FINITE = "1.7976931348623157e308"
_ANY = r"[^\n\r\x{85}\x{2028}\x{2029}]"  # what a dot of Java's patterns stands for


def _refused(node: ir.Call, why: str) -> Refused:
    return Refused("function", node.name, f"LadybugDB has no equal function {why}.", node.span)


def _want(node: ir.Call, *kinds: tuple[Kind, ...]) -> None:
    given = tuple(map(kind_of, node.args))
    if len(given) != len(kinds) or any(g not in k for g, k in zip(given, kinds, strict=True)):
        shown = ", ".join(kind.value for kind in given)
        raise _refused(node, f"of ({shown})")


def regular(node: ir.Expr) -> str:
    """A regular expression of Java's in RE2's form: letters of any case and dots are spelt out.

    Raises:
        Refused: it is no constant, or says more than characters and dots.
    """
    literal = _LITERAL.fullmatch(node.value) if _is_text(node) else None  # type: ignore[attr-defined] # a literal
    if literal is None:
        raise Refused("regular-expression", "=~", "Not of plain characters and dots.", node.span)
    parts = re.findall(r"\\\.|\.[*+]?|.", literal[2])
    return "".join(_pattern(part, folds=bool(literal[1])) for part in parts)


def _is_text(node: ir.Expr) -> bool:
    return isinstance(node, ir.Literal) and isinstance(node.value, str)


def _pattern(part: str, *, folds: bool) -> str:
    if part.startswith("."):
        return _ANY + part[1:]
    if folds and part.isalpha():
        return f"[{part.lower()}{part.upper()}]"
    return part


@FUNCTIONS.of("toLower", "toUpper", "trim")
def _of_text(say: CypherLadybug, node: ir.Call) -> str:
    _want(node, (Kind.STRING,))
    name = {"toLower": "lower", "toUpper": "upper"}.get(node.name, node.name)
    return f"{name}({say.emit(node.args[0])})"


@FUNCTIONS.of("replace")
def _replace(say: CypherLadybug, node: ir.Call) -> str:
    _want(node, *[(Kind.STRING,)] * 3)
    if not (_is_text(node.args[1]) and node.args[1].value):  # type: ignore[attr-defined] # a literal
        raise _refused(node, "where nothing may be replaced")
    return f"replace({', '.join(map(say.emit, node.args))})"


@FUNCTIONS.of("size")
def _size(say: CypherLadybug, node: ir.Call) -> str:
    _want(node, (Kind.LIST,))  # of a text LadybugDB counts what looks like one character
    return f"size({say.emit(node.args[0])})"


@FUNCTIONS.of("length")
def _length(say: CypherLadybug, node: ir.Call) -> str:
    return f"length({_path(say, node)})"


@FUNCTIONS.of("nodes", "relationships")
def _parts(say: CypherLadybug, node: ir.Call) -> str:
    schema = say.tables.schema
    if say.tables.clashes(schema.nodes) or say.tables.clashes(schema.edges):
        raise Refused("property-conflict", node.name, "Tables differ in types.", node.span)
    return f"{'nodes' if node.name == 'nodes' else 'rels'}({_path(say, node)})"


def _path(say: CypherLadybug, node: ir.Call) -> str:
    (path,) = node.args
    if kind_of(path) is not Kind.PATH or not isinstance(path, ir.Var) or nullable(path):
        raise Refused("path-function", node.name, "The path may be null.", node.span)
    return say.emit(path)


@FUNCTIONS.of("type")
def _type(say: CypherLadybug, node: ir.Call) -> str:
    _want(node, (Kind.EDGE,))
    of, types = node.args[0].type.of, say.tables.types
    labels = {t.label for t in say.tables.schema.edges if not of or t.name in of}
    if any(types[label] != label for label in labels):
        raise Refused("type-function", "type", "A table has another name.", node.span)
    return _label(say, node, "label({})")


@FUNCTIONS.of("labels")
def _labels(say: CypherLadybug, node: ir.Call) -> str:
    _want(node, (Kind.NODE,))
    for kind in say.tables.schema.nodes:
        if kind.labels != (say.tables.nodes[kind.name],):
            raise Refused("labels-function", "labels", "A node of several labels.", node.span)
    return _label(say, node, "[label({})]")


def _label(say: CypherLadybug, node: ir.Call, form: str) -> str:
    (of,) = node.args
    if not isinstance(of, ir.Var):
        raise Refused("element-expression", node.name, "Of a variable only.", node.span)
    name = say.ident(of.name)
    text = form.format(name)  # which does not look whether there is an element
    return f"CASE WHEN {name} IS NULL THEN null ELSE {text} END" if nullable(of) else text


@FUNCTIONS.of("coalesce")
def _coalesce(say: CypherLadybug, node: ir.Call) -> str:
    kinds = {kind_of(arg) for arg in node.args} - {Kind.NULL}
    if not kinds:
        return next(map(say.emit, node.args))  # any of the nulls
    if len(kinds) != 1 or not kinds <= {*SORTED, Kind.LIST} or casts_wide(node.args):
        raise Refused("mixed-types", "coalesce", "LadybugDB casts them.", node.span)
    text = f"coalesce({', '.join(map(say.emit, node.args))})"
    # as a condition by itself it lets the first row pass as often as it holds
    return say.OPERATORS[ir.CompareOp.EQ](text, "true") if kinds == {Kind.BOOLEAN} else text


@FUNCTIONS.of("abs", "sign")
def _of_number(say: CypherLadybug, node: ir.Call) -> str:
    _want(node, NUMBERS)
    return f"{node.name}({say.emit(node.args[0])})"


@FUNCTIONS.of("ceil", "floor", "sqrt")
def _of_float(say: CypherLadybug, node: ir.Call) -> str:
    _want(node, NUMBERS)
    return f"{node.name}({_float(say, node.args[0])})"


@FUNCTIONS.of("round")
def _round(say: CypherLadybug, node: ir.Call) -> str:
    _want(node, NUMBERS)  # halves go up
    text = _float(say, node.args[0])
    if kind_of(node.args[0]) is Kind.INTEGER:
        return text
    return (  # what is larger than any integer becomes the largest; NaN is less than all numbers
        f"CASE WHEN {text} <> {text} OR abs({text}) > {_FINITE} THEN {text} "
        f"WHEN {text} >= {_MOST} THEN {_MOST} WHEN {text} <= -{_MOST} THEN -{_MOST} "
        f"WHEN {text} - floor({text}) >= 0.5 THEN floor({text}) + 1.0 ELSE floor({text}) + 0.0 END"
    )


@FUNCTIONS.of("toFloat")
def _to_float(say: CypherLadybug, node: ir.Call) -> str:
    _want(node, NUMBERS)
    return _float(say, node.args[0])


def _float(say: CypherLadybug, node: ir.Expr) -> str:
    text = say.emit(node)
    if kind_of(node) is Kind.INTEGER:
        return f"cast({text} AS DOUBLE)"
    return text if isinstance(node, ir.Var | ir.Prop | ir.Call | ir.Agg) else f"({text})"


@FUNCTIONS.of("toInteger")
def _to_integer(say: CypherLadybug, node: ir.Call) -> str:
    _want(node, NUMBERS)
    text = say.emit(node.args[0])
    if kind_of(node.args[0]) is Kind.INTEGER:
        return text
    text = _float(say, node.args[0])
    return f"cast(CASE WHEN {text} < 0 THEN ceil({text}) ELSE floor({text}) END AS INT64)"


@FUNCTIONS.of("toString")
def _to_string(say: CypherLadybug, node: ir.Call) -> str:
    _want(node, (Kind.INTEGER, Kind.STRING, Kind.BOOLEAN, Kind.DATE))
    text, kind = say.emit(node.args[0]), kind_of(node.args[0])
    if kind is Kind.STRING:
        return text
    cast = f"cast({text} AS STRING)"
    return f"lower({cast})" if kind is Kind.BOOLEAN else cast


@FUNCTIONS.of("date")
def _date(say: CypherLadybug, node: ir.Call) -> str:
    if len(node.args) != 1:
        raise Refused("current-time", "date", "The answer depends on the clock.", node.span)
    (of,) = node.args
    if kind_of(of) is Kind.DATE:
        return say.emit(of)
    if kind_of(of) is Kind.DATETIME:
        return f"cast({say.emit(of)} AS DATE)"
    if not _is_text(of) or not _DATE.fullmatch(of.value):  # type: ignore[attr-defined] # a literal
        raise Refused("date-text", "date", "The text is no plain date.", node.span)
    return f"date({say.emit(of)})"


@FUNCTIONS.of("localdatetime")
def _moment(say: CypherLadybug, node: ir.Call) -> str:
    of = node.args[0] if node.args else None
    if of is None or not _is_text(of) or not _MOMENT.fullmatch(of.value):  # type: ignore[attr-defined] # a literal
        raise Refused("date-text", node.name, "The text is no plain date and time.", node.span)
    return f"timestamp({say.emit(of)})"


@FUNCTIONS.of("head", "last")
def _end(say: CypherLadybug, node: ir.Call) -> str:
    return say.item(node.args[0], 0 if node.name == "head" else -1)


@FUNCTIONS.of("range")
def _range(say: CypherLadybug, node: ir.Call) -> str:
    bounds = [a.value if isinstance(a, ir.Literal) else None for a in node.args]
    if not all(type(b) is int for b in bounds) or len(bounds) > 2 or bounds[0] > bounds[1]:  # type: ignore[operator] # they are numbers
        raise Refused("range", "range", "Its bounds are no constants in order.", node.span)
    return f"range({bounds[0]}, {bounds[1]})"
