"""Scalar functions, by name."""

from __future__ import annotations

import re
from collections.abc import Callable

from graph_ir import nodes as ir
from graph_ir.numbers import holds_huge
from graph_ir.walk import find
from schemagraph.model import ANY, NUMERIC, TEMPORAL, Kind, Type
from translators.sparql.expressions import json
from translators.sparql.expressions.basics import text_of
from translators.sparql.expressions.core import (
    FLOAT,
    INTEGER,
    NULL,
    OPERATORS,
    STRING,
    expression,
    refused,
)
from translators.sparql.expressions.dates import constant
from translators.sparql.model import terms
from translators.sparql.model.compiler import Compiler, Emits, Sx, Walk
from translators.sparql.model.group import Block, Group, Select
from translators.sparql.model.numbers import either
from translators.tables import Table

EMITS = Emits()

type Function = Callable[[Compiler, ir.Call], Sx]
FUNCTIONS: Table[str, Function] = Table()
_CLOCKS = frozenset({"date", "time", "localtime", "datetime", "localdatetime", "timestamp"})
# A capital sigma behind a mark or a digit, or before a mark within a word.
_SIGMA = re.compile(r"(?:[\d_]|[^\w\s])\u03a3|\u03a3[^\w\s]\w")
_WHITE = "\\t\\n\u000b\\f\\r\u001c-\u0020\u1680\u2000-\u2006\u2008-\u200a\u2028\u2029\u205f\u3000"


@EMITS.of(ir.Call)
def _call(cx: Compiler, node: ir.Call) -> Sx:
    made = constant(node)
    if made is not None:
        return made
    if node.name in _CLOCKS and not node.args:
        raise refused("current-time", node, "The answer depends on the clock.")
    emit = FUNCTIONS.get(node.name)
    if emit is None:
        raise refused("function", node, f"SPARQL has no {node.name}().")
    return emit(cx, node)


def _argument(cx: Compiler, node: ir.Call, *kinds: Kind, place: int = 0) -> Sx:
    """An argument of these kinds.

    Raises:
        Refused: it is not known to be.
    """
    sx = expression(cx, node.args[place])
    if sx.type.kind is Kind.NULL:
        return sx
    if sx.type.kind not in kinds or (sx.form and sx.form != "joined"):
        code = "dynamic-value" if sx.type.kind is Kind.ANY else "type"
        raise refused(code, node, f"This takes {' or '.join(kind.value for kind in kinds)}.")
    return sx


def _number(cx: Compiler, node: ir.Call) -> Sx:
    return _argument(cx, node, *sorted(NUMERIC))


@FUNCTIONS.of("coalesce")
def _coalesce(cx: Compiler, node: ir.Call) -> Sx:
    args = [expression(cx, arg) for arg in node.args]
    if any(arg.form for arg in args):
        raise refused("function", node, "Lists and maps have no coalesce().")
    of = either(arg.type for arg in args)
    null = all(arg.null for arg in args)
    return Sx(f"COALESCE({', '.join(arg.text for arg in args)})", of, null)


@FUNCTIONS.of("toLower", "toUpper")
def _case_of(cx: Compiler, node: ir.Call) -> Sx:
    arg = _argument(cx, node, Kind.STRING, Kind.ANY)
    if arg.type.kind is Kind.ANY and not isinstance(node.args[0], ir.Prop):
        raise refused("dynamic-value", node, "This takes a text.")
    texts = (each.value for each in find(node, ir.Literal) if isinstance(each.value, str))
    if node.name == "toLower" and any(_SIGMA.search(text) for text in texts):
        # Engines tell the end of a word by rules of their own where a mark or a digit is beside it.
        raise refused("function", node, "Where a word ends, and with it a sigma, is not one thing.")
    name = "LCASE" if node.name == "toLower" else "UCASE"
    return Sx(f"{name}({arg.text})", STRING, arg.null)


@FUNCTIONS.of("size")
def _size(cx: Compiler, node: ir.Call) -> Sx:
    given = node.args[0]
    if isinstance(given, ir.PatternComp):
        match = ir.Match((given.path,), given.where)
        return expression(cx, ir.CountOf(ir.Query((match,)), span=node.span, type=node.type))
    if isinstance(given, ir.Agg) and given.name == "collect":
        return expression(cx, ir.Agg("count", given.args, given.distinct, span=given.span))
    if isinstance(given, ir.ListOf):
        return Sx(str(len(given.items)), INTEGER, null=False)
    arg = expression(cx, given)
    if arg.type.kind is Kind.STRING:
        return Sx(f"STRLEN({arg.text})", INTEGER, arg.null)
    if arg.form == "stored" and arg.variable and isinstance(given, ir.Prop):
        return _length(cx, arg, given.key)
    if arg.type.kind is Kind.ANY:
        raise refused("untyped-size", node, "Whether this is a text or a list is not known.")
    raise refused("function", node, "Only texts and stored lists have a size here.")


def _length(cx: Compiler, stored: Sx, key: str) -> Sx:
    """The number of cells of a stored list, counted in a subselect."""
    inner = Group()
    cell, number = cx.name("cell"), cx.name("size")
    cells = stored.text
    if stored.null:
        cells = cx.name("list")
        cx.group.line(f"BIND(COALESCE({stored.text}, {terms.NOTHING}) AS {cells})")
    inner.triple(cx.name("owner"), terms.prop(key), cells)
    inner.triple(cells, "rdf:rest*", cell)
    head = f"SELECT {cells} (COUNT(DISTINCT {cell}) - 1 AS {number})"
    select = Select(head, inner, (f"GROUP BY {cells}",))
    cx.group.parts.append(Block((Group([select]),), "OPTIONAL"))
    return Sx(number, INTEGER, stored.null)


@FUNCTIONS.of("length")
def _path_length(cx: Compiler, node: ir.Call) -> Sx:
    walk = _walk(cx, node)
    text = walk.length or str(len(walk.parts) // 2)
    return Sx(text, INTEGER, walk.null and bool(walk.length))


@FUNCTIONS.of("nodes", "relationships")
def _of_path(cx: Compiler, node: ir.Call) -> Sx:
    walk = _walk(cx, node)
    if walk.json or walk.null:
        raise refused("path-elements", node, "How long this path is, is not known.")
    parts = walk.parts[::2] if node.name == "nodes" else walk.parts[1::2]
    return Sx(json.ids_text(parts), node.type, null=False, form="json")


def _walk(cx: Compiler, node: ir.Call) -> Walk:
    arg = node.args[0]
    bound = cx.env.get(arg.name) if isinstance(arg, ir.Var) else None
    if not isinstance(bound, Walk) or bound.edges_only:
        raise refused("path-expression", node, "This takes the variable of a path.")
    return bound


@FUNCTIONS.of("type")
def _type(cx: Compiler, node: ir.Call) -> Sx:
    arg = node.args[0]
    if not isinstance(arg, ir.Var):
        raise refused("type-function", node, "This takes a variable.")
    element = cx.element(arg.name, node)
    names = {cx.schema.edge_by_name[of].label for of in arg.type.of} if cx.schema else set()
    if len(names) == 1 and not element.null:
        return Sx(terms.string(names.pop()), STRING, null=False)
    key = (element.var, "\0type")
    if key not in element.home.reads:
        kind, name = cx.name(f"{arg.name}_type"), cx.name(f"{arg.name}_type_name")
        subject, home = element.var, element.home
        if element.null and not element.inner:
            subject, home = cx.safe(element), element.scope
        inner = Group(outer=home)
        inner.triple(subject, "a", kind)
        inner.triple(kind, "rdfs:label", name)
        home.parts.append(Block((inner,), "OPTIONAL"))
        home.reads[key] = Sx(name, STRING, element.null)
    made: Sx = element.home.reads[key]
    return made


@FUNCTIONS.of("labels")
def _labels(cx: Compiler, node: ir.Call) -> Sx:
    arg = node.args[0]
    of = arg.type.of if isinstance(arg, ir.Var) and cx.schema else ()
    if isinstance(arg, ir.Var) and len(of) == 1 and cx.schema is not None:
        element = cx.element(arg.name, node)
        labels = cx.schema.node_by_name[of[0]].labels
        made = json.of_list([terms.string(terms.string(label)) for label in labels])
        if element.null:
            made = f"IF(BOUND({element.var}), {made}, {terms.ERROR})"
        return Sx(made, node.type, element.null, form="json")
    raise refused("labels-function", node, "Labels have no form as a list here.")


@FUNCTIONS.of("startNode", "endNode")
def _end(cx: Compiler, node: ir.Call) -> Sx:
    arg = node.args[0]
    if not isinstance(arg, ir.Var):
        raise refused("element-expression", node, "This takes a variable.")
    element = cx.element(arg.name, node)
    predicate = "pg:from" if node.name == "startNode" else "pg:to"
    key = (element.var, f"\0{predicate}")
    if key not in element.home.reads:
        subject, home = element.var, element.home
        var = cx.name(f"{arg.name}_{'start' if node.name == 'startNode' else 'end'}")
        if element.null and not element.inner:
            subject, home = cx.safe(element), element.scope
            inner = Group(outer=home)
            inner.triple(subject, predicate, var)
            home.parts.append(Block((inner,), "OPTIONAL"))
        else:
            home.triple(subject, predicate, var)
        element.home.reads[key] = Sx(var, Type(Kind.NODE, of=node.type.of), element.null)
    made: Sx = element.home.reads[key]
    return made


@FUNCTIONS.of("exists")
def _exists(cx: Compiler, node: ir.Call) -> Sx:
    return expression(cx, ir.IsNull(node.args[0], negated=True))


# --- texts -------------------------------------------------------------------------------------


@FUNCTIONS.of("trim", "ltrim", "rtrim", "btrim")
def _trim(cx: Compiler, node: ir.Call) -> Sx:
    if len(node.args) > 1:
        raise refused("arguments", node, "Only white space is trimmed.")
    arg = _argument(cx, node, Kind.STRING)
    parts = {"ltrim": f"^[{_WHITE}]+", "rtrim": f"[{_WHITE}]+$"}
    white = parts.get(node.name, f"^[{_WHITE}]+|[{_WHITE}]+$")
    return Sx(f'REPLACE({arg.text}, {terms.string(white)}, "")', STRING, arg.null)


@FUNCTIONS.of("substring")
def _substring(cx: Compiler, node: ir.Call) -> Sx:
    arg = _argument(cx, node, Kind.STRING)
    start, *rest = (_constant(node, place) for place in range(1, len(node.args)))
    more = f", {rest[0]}" if rest else ""
    return Sx(f"SUBSTR({arg.text}, {start + 1}{more})", STRING, arg.null)


@FUNCTIONS.of("left")
def _left(cx: Compiler, node: ir.Call) -> Sx:
    arg = _argument(cx, node, Kind.STRING)
    return Sx(f"SUBSTR({arg.text}, 1, {_constant(node, 1)})", STRING, arg.null)


def _constant(node: ir.Call, place: int) -> int:
    given = node.args[place]
    if not isinstance(given, ir.Literal) or type(given.value) is not int or given.value < 0:
        raise refused("substring", node, "Places in a text are whole numbers here, not negative.")
    return given.value


@FUNCTIONS.of("replace")
def _replace(cx: Compiler, node: ir.Call) -> Sx:
    arg = _argument(cx, node, Kind.STRING)
    old, new = node.args[1], node.args[2]
    if not isinstance(old, ir.Literal) or not isinstance(old.value, str):
        raise refused("replace", node, "What is replaced is no literal.")
    if not isinstance(new, ir.Literal) or not isinstance(new.value, str) or len(node.args) > 3:
        raise refused("replace", node, "What replaces it is no literal.")
    if not old.value:
        raise refused("empty-separator", node, "Nothing is replaced.")
    escaped = re.sub(r"([.\\*+?()\[\]{}|^$-])", r"\\\1", old.value)
    made = new.value.replace("\\", "\\\\").replace("$", "\\$")
    shown = f"{terms.string(escaped)}, {terms.string(made)}"
    return Sx(f"REPLACE({arg.text}, {shown})", STRING, arg.null)


@FUNCTIONS.of("toString")
def _to_string(cx: Compiler, node: ir.Call) -> Sx:
    arg = expression(cx, node.args[0])
    if arg.type.kind is Kind.NULL:
        return NULL
    return Sx(text_of(arg, node), STRING, arg.null)


# --- numbers -----------------------------------------------------------------------------------


@FUNCTIONS.of("abs")
def _abs(cx: Compiler, node: ir.Call) -> Sx:
    arg = _number(cx, node)
    return Sx(f"ABS({arg.text})", arg.type, arg.null)


@FUNCTIONS.of("ceil", "floor")
def _whole(cx: Compiler, node: ir.Call) -> Sx:
    arg = _number(cx, node)
    return Sx(f"{node.name.upper()}({_double(arg)})", FLOAT, arg.null)


@FUNCTIONS.of("round")
def _round(cx: Compiler, node: ir.Call) -> Sx:
    if len(node.args) > 1:
        raise refused("round", node, "SPARQL rounds to whole numbers.")
    if holds_huge(node.args[0]):
        raise refused("round", node, "Cypher rounds to integers of 64 bits.")
    arg = _number(cx, node)
    # no -0.0, as in Neo4j
    return Sx(OPERATORS[ir.ArithOp.ADD](f"ROUND({_double(arg)})", "0.0e0"), FLOAT, arg.null)


@FUNCTIONS.of("toFloat")
def _to_float(cx: Compiler, node: ir.Call) -> Sx:
    arg = expression(cx, node.args[0])
    if arg.type.kind is Kind.STRING:
        raise refused("text-to-number", node, "SPARQL reads numbers from text by other rules.")
    if arg.type.kind not in NUMERIC:
        raise refused("dynamic-value", node, "This takes a number.")
    return Sx(_double(arg), FLOAT, arg.null)


@FUNCTIONS.of("toInteger")
def _to_integer(cx: Compiler, node: ir.Call) -> Sx:
    arg = expression(cx, node.args[0])
    if arg.type.kind is Kind.INTEGER:
        return arg
    if arg.type.kind is Kind.STRING:
        raise refused("text-to-number", node, "SPARQL reads numbers from text by other rules.")
    raise refused("cast", node, "SPARQL has integers of any size.")


@FUNCTIONS.of("sign")
def _sign(cx: Compiler, node: ir.Call) -> Sx:
    arg = _number(cx, node)
    return Sx(f"IF({arg.operand} > 0, 1, IF({arg.operand} < 0, -1, 0))", INTEGER, arg.null)


def _double(sx: Sx) -> str:
    return sx.text if sx.type.kind is Kind.FLOAT and not sx.type.mixed else f"xsd:double({sx.text})"


# --- dates -------------------------------------------------------------------------------------


@FUNCTIONS.of("date")
def _date(cx: Compiler, node: ir.Call) -> Sx:
    arg = expression(cx, node.args[0])
    if arg.type.kind is Kind.DATE:
        return arg
    if arg.type.kind in (Kind.DATETIME, Kind.ZONED_DATETIME):
        shown = f"STRDT(SUBSTR(STR({arg.text}), 1, 10), xsd:date)"
        return Sx(shown, Type(Kind.DATE), arg.null)
    raise refused("date-text", node, "Whether this is a date is not known.")


@FUNCTIONS.of("datetime", "localdatetime", "time", "localtime")
def _moment(cx: Compiler, node: ir.Call) -> Sx:
    arg = expression(cx, node.args[0])
    same = {
        "datetime": Kind.ZONED_DATETIME,
        "localdatetime": Kind.DATETIME,
        "localtime": Kind.TIME,
        "time": Kind.ZONED_TIME,
    }
    if arg.type.kind is same[node.name]:
        return arg
    code = "temporal" if arg.type.kind in TEMPORAL else "date-text"
    raise refused(code, node, "Whether this text is such a value is not known.")


# --- lists -------------------------------------------------------------------------------------


@FUNCTIONS.of("head", "last")
def _end_of_list(cx: Compiler, node: ir.Call) -> Sx:
    return item(cx, expression(cx, node.args[0]), 0 if node.name == "head" else -1, node)


@EMITS.of(ir.Index)
def _index(cx: Compiler, node: ir.Index) -> Sx:
    if isinstance(node.index, ir.Literal) and isinstance(node.index.value, str):
        return expression(cx, ir.Prop(node.base, node.index.value, type=node.type))
    if not isinstance(node.index, ir.Literal) or type(node.index.value) is not int:
        raise refused("dynamic-property", node, "The place is computed.")
    made = _split(cx, node)
    return made or item(cx, expression(cx, node.base), node.index.value, node)


def _split(cx: Compiler, node: ir.Index) -> Sx | None:
    """The first part of a text that is split."""
    given = node.base
    if not isinstance(given, ir.Call) or given.name != "split":
        return None
    by = given.args[1]
    if not isinstance(by, ir.Literal) or not isinstance(by.value, str) or not by.value:
        raise refused("empty-separator", node, "The separator is computed or empty.")
    if not isinstance(node.index, ir.Literal) or node.index.value != 0:
        raise refused("function", node, "Only the first part of a text that is split has a form.")
    arg = _argument(cx, given, Kind.STRING)
    shown = terms.string(by.value)
    text = f"IF(CONTAINS({arg.text}, {shown}), STRBEFORE({arg.text}, {shown}), {arg.text})"
    return Sx(text, STRING, arg.null)


def item(cx: Compiler, stored: Sx, place: int, node: ir.Expr) -> Sx:
    """An item of a stored list, by its place."""
    if stored.form != "stored" or not stored.variable:
        raise refused("unsupported-expression", node, "Only stored lists have items here.")
    if abs(place) > 20:
        raise refused("range", node, "The place is far from the list's ends.")
    var, inner = cx.name("item"), Group(outer=cx.group)
    head = stored.text
    if stored.null:
        head = cx.name("list")
        cx.group.line(f"BIND(COALESCE({stored.text}, rdf:nil) AS {head})")
    if place >= 0:
        inner.triple(head, "/".join([*["rdf:rest"] * place, "rdf:first"]), var)
    else:
        cell = cx.name("cell")
        inner.triple(head, "rdf:rest*", cell)
        inner.triple(cell, "/".join(["rdf:rest"] * -place), "rdf:nil")
        inner.triple(cell, "rdf:first", var)
    cx.group.parts.append(Block((inner,), "OPTIONAL"))
    return Sx(var, stored.type.item or ANY)
