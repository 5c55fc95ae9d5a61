"""lower(), upper() and tests without regard to case.

SQLite folds ASCII letters only (https://www.sqlite.org/lang_corefunc.html#lower), PostgreSQL those
that the locale of the database names, DuckDB and MySQL a letter by a letter. Graph languages
follow Unicode's SpecialCasing.txt: `toUpper('ß')` is `SS`, `toLower('İ')` begins with an `i`.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from graph_ir import nodes as ir
from schemagraph.model import Kind
from schemagraph.text_forms import special_casing
from translators.from_sql.expressions.expressions import as_text
from translators.from_sql.statement.context import Site, ValueTable
from translators.from_sql.statement.values import Value, fold, of_letters

VALUES = ValueTable()

_MEET_LOWER = frozenset("\u212a\u0130")
"""Letters beyond ASCII whose lower case begins with one of ASCII: the Kelvin sign, `İ`."""
_MEET_UPPER = frozenset("\u0131\u017f")
"""The same for upper case, where a letter stays one: a dotless `ı`, a long `ſ`."""
_NO_ASCII = "\u0131"  # stays what it is in lower case, and is in no ASCII text


@VALUES.of(exp.Lower, exp.Upper)
def case_change(site: Site, node: exp.Lower | exp.Upper) -> Value:
    """lower() and upper(): exact of texts none of whose letters the source changes otherwise."""
    operand = as_text(site, node.this)
    if operand.kind is Kind.NULL:
        return operand
    if site.house.rules.ascii_case:
        folded = fold(operand, ascii_lower if isinstance(node, exp.Lower) else ascii_upper)
        if folded is not None:
            return folded
        if operand.ascii:
            return _called(node, operand)
        if (literals := _literals(site, node)) is None:
            raise site.refused("ascii-case", node, _REASONS[site.house.rules.affinity])
        if isinstance(node, exp.Lower):
            lower = lowered(site, node, operand, "".join(map(str, literals)))
            return Value(lower, Kind.STRING, operand.nullable)
        if any(isinstance(word, str) and word == ascii_upper(word) for word in literals):
            raise site.refused("ascii-case", node, _REASONS[site.house.rules.affinity])
        return _called(node, operand)  # beside what no upper case is: a number, "abc"
    changed = _CHANGED[type(node)]
    if operand.special_letters is None or operand.special_letters & changed:
        raise site.refused("ascii-case", node, "changes the case of some letters otherwise")
    return _called(node, operand)


_REASONS = {
    True: "changes the case of ASCII letters only",
    False: "changes the case of letters beyond ASCII as the locale of the database has it",
}
_CHANGED = {
    exp.Lower: frozenset("\u0130\u03a3"),
    exp.Upper: frozenset(letter for letter in special_casing() if len(letter.upper()) > 1),
}


def _called(node: exp.Lower | exp.Upper, operand: Value) -> Value:
    name = "toLower" if isinstance(node, exp.Lower) else "toUpper"
    made = Value(ir.Call(name, (operand.expr,)), Kind.STRING, operand.nullable)
    return of_letters(made, operand)


def lowered(
    site: Site, node: exp.Expr, operand: Value, literal: str, *, by_letter: bool = False
) -> ir.Expr:
    """`operand` in lower case, for a test against the ASCII letters of `literal`.

    What is no letter of ASCII must not become one: such are put aside where they occur or may.
    `by_letter`: the test counts letters, and `İ` becomes two.
    """
    special = operand.special_letters
    rules = site.house.rules
    if not rules.affinity:  # the locale decides: of letters that no locale changes otherwise
        if special is None or special & (_MEET_LOWER | _MEET_UPPER):
            raise site.refused("ascii-case", node, _REASONS[False])
        return ir.Call("toLower", (operand.expr,))
    return with_ascii_folded(operand, literal, by_letter=by_letter)


def with_ascii_folded(operand: Value, literal: str, *, by_letter: bool = False) -> ir.Expr:
    """`operand` with ASCII letters in lower case, as far as the letters of `literal` tell."""
    expr, special = operand.expr, operand.special_letters
    if by_letter or set("ki") & set(literal.lower()):
        for letter in sorted(_MEET_LOWER if special is None else _MEET_LOWER & special):
            expr = ir.Call("replace", (expr, ir.Literal(letter), ir.Literal(_NO_ASCII)))
    return ir.Call("toLower", (expr,))


def in_lower_case(site: Site, node: exp.Expr) -> exp.Expr | None:
    """`upper(x) = 'A'` and `upper(x) IN ('A', 'B')` as the same of lower(), which makes no `S` of
    what is no letter of ASCII; None for everything else."""
    if not site.house.rules.ascii_case or not isinstance(node, exp.EQ | exp.NEQ | exp.In):
        return None
    for side in (node.this, node.args.get("expression")):
        upper = side.unnest() if side is not None else None
        if not isinstance(upper, exp.Upper):
            continue
        words, operand = _literals(site, upper), as_text(site, upper.this)
        if words is None or operand.ascii:
            continue
        texts = [word for word in words if isinstance(word, str) and word == ascii_upper(word)]
        if len(texts) != len(words):
            continue
        if not site.house.rules.affinity and (operand.special_letters or frozenset()) & _MEET_UPPER:
            raise site.refused("ascii-case", node, _REASONS[False])
        lower = exp.Lower(this=upper.this.copy())
        items = [exp.Literal.string(ascii_lower(word)) for word in texts]
        made = (
            exp.In(this=lower, expressions=items)
            if isinstance(node, exp.In)
            else type(node)(this=lower, expression=items[0])
        )
        made.parent = node.parent
        return made
    return None


def _literals(site: Site, node: exp.Lower | exp.Upper) -> Sequence[object] | None:
    """The ASCII literals that a call is held against for equality, where nothing else is done
    with it: then it does not matter what becomes of other letters."""
    parent = node.parent
    while isinstance(parent, exp.Paren):
        parent = parent.parent
    if isinstance(parent, exp.EQ | exp.NEQ):
        others = [side.unnest() for side in (parent.this, parent.expression)]
        others = [side for side in others if node not in (side, *side.find_all(type(node)))]
    elif isinstance(parent, exp.In) and not parent.args.get("query"):
        others = [item.unnest() for item in parent.expressions]
    else:
        return None
    calls = [call for other in others for call in other.find_all(exp.Lower, exp.Upper)]
    if any(fold(as_text(site, call.this), str) is None for call in calls):
        return None  # its own other side is the call here
    values = [site.value(other).expr for other in others]
    words = [value.value for value in values if isinstance(value, ir.Literal)]
    plain = len(words) == len(values) and all(str(word).isascii() for word in words)
    return words if words and plain else None


def ascii_lower(word: str) -> str:
    """Lower case of ASCII letters.

    >>> ascii_lower("ÄB")
    'Äb'
    """
    return "".join(letter.lower() if letter.isascii() else letter for letter in word)


def ascii_upper(word: str) -> str:
    """Upper case of ASCII letters."""
    return "".join(letter.upper() if letter.isascii() else letter for letter in word)
