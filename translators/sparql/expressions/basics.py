"""Constants, variables, properties, connectives, arithmetic, CASE."""

from __future__ import annotations

from graph_ir import nodes as ir
from schemagraph.model import NUMERIC, TEMPORAL, Kind, Type
from translators.printing import LOOSE, Code
from translators.sparql.expressions import json
from translators.sparql.expressions.core import (
    BOOLEAN,
    FLOAT,
    INTEGER,
    MINUS,
    NEGATION,
    NULL,
    OPERATORS,
    STRING,
    bound,
    expression,
    known,
    refused,
)
from translators.sparql.expressions.dates import component, constant
from translators.sparql.model import terms
from translators.sparql.model.compiler import Compiler, Element, Emits, Sx, Walk
from translators.sparql.model.numbers import either

EMITS = Emits()


@EMITS.of(ir.Literal)
def _literal(cx: Compiler, node: ir.Literal) -> Sx:
    match node.value:
        case None:
            return NULL
        case bool(value):
            return Sx("true" if value else "false", BOOLEAN, null=False)
        case int(value):
            return Sx(terms.integer(value), INTEGER, null=False)
        case float(value):
            return Sx(terms.number(value), FLOAT, null=False)
        case str(value):
            return Sx(terms.string(value), STRING, null=False)
    raise refused("unsupported-expression", node, "This constant has no form.")


@EMITS.of(ir.Var)
def _var(cx: Compiler, node: ir.Var) -> Sx:
    variable = cx.env.get(node.name)
    match variable:
        case Element():
            kind = Kind.EDGE if variable.is_edge else Kind.NODE
            return Sx(variable.var, Type(kind, of=node.type.of), variable.null)
        case Walk():
            return json.of_walk(cx, variable, node)
        case Sx():
            return variable
    raise refused("scope", node, f"'{node.name}' is not in scope here.")


@EMITS.of(ir.Prop)
def _prop(cx: Compiler, node: ir.Prop) -> Sx:
    made = constant(node)
    if made is not None:
        return made
    if isinstance(node.base, ir.Var) and isinstance(cx.env.get(node.base.name), Element):
        return property_of(cx, node)
    base = expression(cx, node.base)
    if base.type.kind in TEMPORAL:
        return component(base, node)
    if base.type.kind in (Kind.NODE, Kind.EDGE) and base.variable:
        element = Element(
            *(base.text, base.type, base.type.kind is Kind.EDGE, base.null, cx.group, cx.group),
            inner=not base.null,
        )
        return cx.read(element, node.key, node.type)
    if base.type.kind is Kind.MAP:
        raise refused("map-value", node, "A map as a value has no parts in SPARQL.")
    raise refused("untyped-property", node, "Whether this is a property or a part is not known.")


def property_of(cx: Compiler, node: ir.Prop, *, needed: bool = False) -> Sx:
    """A property of a variable."""
    assert isinstance(node.base, ir.Var)  # noqa: S101 # the caller looked
    element = cx.element(node.base.name, node)
    hint = cx.preferred.get((node.base.name, node.key), "")
    return cx.read(element, node.key, node.type, hint=hint, needed=needed)


@EMITS.of(ir.Bool)
def _bool(cx: Compiler, node: ir.Bool) -> Sx:
    args = [truth(cx, arg) for arg in node.args]
    null = any(arg.null for arg in args)
    if node.op is ir.BoolOp.XOR:
        first = args[0]
        for arg in args[1:]:
            a, b = first.text, arg.text
            one, other = OPERATORS["&&"](a, NEGATION(b)), OPERATORS["&&"](NEGATION(a), b)
            first = Sx(OPERATORS["||"](one, other), BOOLEAN, null)
        return first
    sign = "&&" if node.op is ir.BoolOp.AND else "||"
    return Sx(OPERATORS[sign].chain(arg.text for arg in args), BOOLEAN, null)


def truth(cx: Compiler, node: ir.Expr) -> Sx:
    """An operand of a connective: SPARQL takes other values for true or false, Cypher does not."""
    sx = expression(cx, node)
    if sx.type.kind in (Kind.BOOLEAN, Kind.NULL):
        return sx
    if sx.type.kind is Kind.ANY and sx.type.of:
        raise refused("type", node, "Not all of these values are truth values.")
    if sx.type.kind is Kind.ANY:
        return Sx(OPERATORS["="](sx.text, "true"), BOOLEAN, sx.null)
    raise refused("type", node, f"A {sx.type.kind.value} value is no condition.")


@EMITS.of(ir.Not)
def _not(cx: Compiler, node: ir.Not) -> Sx:
    arg = truth(cx, node.arg)
    if arg.atom and arg.text.startswith("EXISTS {"):
        return Sx(f"NOT {arg.text}", BOOLEAN, null=False)
    if arg.text in ("true", "false"):
        return Sx("false" if arg.text == "true" else "true", BOOLEAN, null=False)
    return Sx(NEGATION(arg.text), BOOLEAN, arg.null)


@EMITS.of(ir.IsNull)
def _is_null(cx: Compiler, node: ir.IsNull) -> Sx:
    arg = expression(cx, node.arg)
    if arg.form == "json" and not arg.null:
        return Sx("true" if node.negated else "false", BOOLEAN, null=False)
    test = bound(arg)
    if node.negated:
        return Sx(test, BOOLEAN, null=False)
    if test == "true":
        return Sx("false", BOOLEAN, null=False)
    return Sx(f"!{test}", BOOLEAN, null=False)


@EMITS.of(ir.Arith)
def _arith(cx: Compiler, node: ir.Arith) -> Sx:
    made = constant(node)
    if made is not None:
        return made
    left, right = expression(cx, node.left), expression(cx, node.right)
    kinds = (left.type.kind, right.type.kind)
    if Kind.NULL in kinds:
        return NULL
    null = left.null or right.null
    if all(kind in NUMERIC for kind in kinds):
        return _numbers(node, left, right, null)
    if node.op is ir.ArithOp.ADD and Kind.STRING in kinds and Kind.ANY not in kinds:
        parts = [text_of(sx, node) for sx in (left, right)]
        inner = [
            p.removeprefix("CONCAT(").removesuffix(")") if sx.form == "joined" else p
            for p, sx in zip(parts, (left, right), strict=True)
        ]
        return Sx(f"CONCAT({', '.join(inner)})", STRING, null, form="joined")
    if Kind.ANY in kinds:
        code = "untyped-plus" if node.op is ir.ArithOp.ADD else "mixed-numbers"
        raise refused(code, node, "The types of these values are not known.")
    if any(kind in TEMPORAL for kind in kinds):
        raise refused("temporal", node, "SPARQL 1.1 does not calculate with temporal values.")
    raise refused("unsupported-expression", node, "Only numbers and texts are calculated with.")


def _numbers(node: ir.Arith, left: Sx, right: Sx, null: bool) -> Sx:
    mixed = any(sx.type.mixed for sx in (left, right)) or bool(right.type.of_nothing)
    if mixed and node.op is ir.ArithOp.DIV:
        raise refused("mixed-numbers", node, "Whether this divides integers is not known.")
    whole = left.type.kind is right.type.kind is Kind.INTEGER
    a, b = left.operand, right.operand
    known = isinstance(node.right, ir.Literal)
    if node.op in (ir.ArithOp.DIV, ir.ArithOp.MOD):
        zero = node.right == ir.Literal(0)  # null by zero is an error, too
        if zero or (right.type.kind is Kind.INTEGER and not known):
            reason = "Division by zero is an error, and is null in SPARQL."
            raise refused("division-by-zero", node, reason)
    if node.op in (ir.ArithOp.DIV, ir.ArithOp.MOD) and whole:
        quotient = f"xsd:integer({a} / {b})"
        if node.op is ir.ArithOp.DIV:  # Jena makes "-0" of -0.05, which is another term than 0
            return Sx(OPERATORS[ir.ArithOp.ADD](quotient, "0"), INTEGER, null)
        return Sx(Code(f"{a} - {b} * {quotient}", LOOSE), INTEGER, null)
    if node.op is ir.ArithOp.MOD:
        raise refused("modulo-float", node, "SPARQL has no remainder.")
    if node.op is ir.ArithOp.POW:
        raise refused("function", node, "SPARQL has no powers.")
    text = OPERATORS[node.op](left.text, right.text)
    if whole:
        return Sx(text, INTEGER, null)
    nothing = node.type.of_nothing
    mixed = node.type.mixed or nothing == "any"
    return Sx(text, Type(Kind.FLOAT, mixed=mixed, of_nothing=nothing), null)


@EMITS.of(ir.Neg)
def _neg(cx: Compiler, node: ir.Neg) -> Sx:
    arg = expression(cx, node.arg)
    if arg.type.kind not in NUMERIC:
        raise refused("untyped-plus", node, "The type of this value is not known.")
    if arg.type.kind is Kind.FLOAT:  # Neo4j takes it from 0: of 0.0 it is no -0.0
        return Sx(OPERATORS[ir.ArithOp.SUB]("0", arg.text), arg.type, arg.null)
    return Sx(MINUS(arg.text), arg.type, arg.null)


def text_of(sx: Sx, node: ir.Expr) -> str:
    """Cypher's text of a value, as `+` and toString() give it."""
    match sx.type.kind:
        case Kind.STRING:
            return sx.text
        case Kind.INTEGER | Kind.BOOLEAN | Kind.DATE:
            return f"STR({sx.text})"
    raise refused("text-of-value", node, "SPARQL prints these values in another form.")


@EMITS.of(ir.Case)
def _case(cx: Compiler, node: ir.Case) -> Sx:
    default = expression(cx, node.default) if node.default is not None else NULL
    results = [expression(cx, when.result) for when in node.whens]
    if any(sx.form for sx in (*results, default)):
        raise refused("unsupported-expression", node, "CASE chooses between plain values only.")
    of = either(sx.type for sx in (*results, default))
    text, null = default.text, default.null
    for when, result in zip(reversed(node.whens), reversed(results), strict=True):
        condition = when.condition
        if node.operand is not None:
            condition = ir.Compare(ir.CompareOp.EQ, node.operand, condition)
        test = known(truth(cx, condition))
        text = f"IF({test.text}, {result.text}, {text})"
        null = null or result.null
    return Sx(text, of, null)
