"""Texts that a source compares without regard to blanks at the end, as MySQL does under most
collations (PAD SPACE): the shorter text is taken with blanks behind it.

Graph languages compare what is there. So a text that may end in a blank is compared without its
blanks, or refused where it is grouped; and where a character that sorts before a blank may stand in
one, no order is said: `'a' || char(9)` is below `'a'`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from graph_ir import nodes as ir
from schemagraph.mapping import Affinity, Mapping
from schemagraph.text_forms import Blanks
from translators.from_sql.statement.values import Value, blanks_of

type Found = frozenset[Blanks]
type Columns = dict[str, Found]

_ANY: Found = frozenset({Blanks.EMPTY, Blanks.SOME, Blanks.END})
_CASES = ("toLower", "toUpper")
_CUTS = ("left", "right", "substring", "head", "ltrim")
_TRIMS = ("btrim", "rtrim")
_TEXTS = ("char", "text", "enum", "set")  # in declared types whose texts have a collation


def padded_columns(mapping: Mapping) -> tuple[Columns, bool]:
    """What of `Blanks` is in the texts that are compared without them, by property, and whether
    there are texts beside them whose blanks count."""
    nodes = [column for table in mapping.nodes for column in table.columns]
    edges = [column for table in mapping.edges for column in table.columns]
    columns = [*nodes, *edges]
    padded: dict[str, Found] = {}
    for column in columns:
        if (blanks := blanks_of(column)) is not None:
            padded[column.property] = blanks | padded.get(column.property, frozenset())
    texts = [c for c in columns if c.affinity is Affinity.TEXT and c.padding is None]
    return padded, any(kind in c.declared.lower() for c in texts for kind in _TEXTS)


def of_constant(value: object) -> Found:
    """What of `Blanks` is in a constant.

    >>> sorted(of_constant("a "))
    [<Blanks.END: 'end'>, <Blanks.SOME: 'some'>]
    """
    if not isinstance(value, str):
        return frozenset()
    tests = {
        Blanks.EMPTY: not value,
        Blanks.SOME: " " in value,
        Blanks.END: value.endswith(" "),
        Blanks.CONTROL: any(letter < " " for letter in value),
    }
    return frozenset(each for each, there in tests.items() if there)


def in_texts(expr: ir.Expr, columns: Columns) -> Found:
    """What of `Blanks` may be in the texts of an expression over `columns`."""

    def of(part: ir.Expr | None) -> Found:
        return in_texts(part, columns) if part is not None else frozenset()

    match expr:
        case ir.Literal():
            return of_constant(expr.value)
        case ir.Prop(_, key) if key in columns:
            return columns[key]
        case ir.Arith(ir.ArithOp.ADD, left, right):
            return _joined(of(left), of(right))
        case ir.Case():
            return _all((*(of(when.result) for when in expr.whens), of(expr.default)))
        case ir.Agg("min" | "max", (part,)):
            return of(part)
        case ir.Call("toString"):
            return frozenset()  # of numbers and moments
        case ir.Call("coalesce", parts):
            return _all(map(of, parts))
        case ir.Call(name, (part, *_)) if name in _CASES:
            return of(part)
        case ir.Call(name, (part, ir.Literal(" "))) if name in _TRIMS:
            return _cut(of(part)) - {Blanks.END} if Blanks.END in of(part) else of(part)
        case ir.Call(name, (part, *_)) if name in (*_CUTS, *_TRIMS):
            return _cut(of(part))
        case ir.Call("replace", (part, _, new)):
            return _cut(of(part) | of(new))
        case ir.Index(ir.Call("split", (part, *_))):
            return _cut(of(part))
        case ir.Index(ir.ListOf(parts)):
            return _all(map(of, parts))
    return _ANY | _all(columns.values())


def _all(parts: Iterable[Found]) -> Found:
    return frozenset().union(*parts)


def _joined(left: Found, right: Found) -> Found:
    """`left + right`: what ends `left` ends both where `right` may be empty."""
    both = left | right
    ends = Blanks.END in right or (Blanks.EMPTY in right and Blanks.END in left)
    kept = both - (frozenset() if ends else {Blanks.END})
    return kept - (frozenset() if Blanks.EMPTY in left & right else {Blanks.EMPTY})


def _cut(whole: Found) -> Found:
    """A part of a text: none of it, or as far as a blank."""
    ends = {Blanks.END} if Blanks.SOME in whole else frozenset()
    return whole | {Blanks.EMPTY} | ends


def trimmed(value: Value) -> Value:
    """A text without blanks at the end."""
    literal = value.expr.value if isinstance(value.expr, ir.Literal) else None
    if isinstance(literal, str):
        return value.like(ir.Literal(literal.rstrip(" ")))
    blanks = value.padding or frozenset()
    if Blanks.END not in blanks:
        return value
    blank = ir.Literal(" ")
    # Neo4j 2026.08 leaves the first character of a text that has no other ones.
    nothing = ir.Compare(ir.CompareOp.EQ, ir.Call("btrim", (value.expr, blank)), ir.Literal(""))
    rest = ir.Call("rtrim", (value.expr, blank))
    case = ir.Case((ir.When(nothing, ir.Literal("")),), rest)
    kept = (blanks - {Blanks.END}) | {Blanks.EMPTY}
    return replace(value.like(case), unique=False, padding=kept)
