"""Texts that MySQL and MariaDB compare under a collation that equates some that differ.

Of texts of ASCII the collations below equate what is equal in lower case, and no more: every
character but a letter has a weight of its own, and an accented Latin letter that of the letter
without accents or, where accents count, another one (dev.mysql.com: Unicode Character Sets; MariaDB
10.11, all of these characters and texts of ASCII). Graph languages compare what is there. So both
sides are compared in lower case and without accents, or as they are where all of their texts have
the case that one of `schemagraph.text_forms.Casing` gives them. What makes one of equal texts shows
any spelling of them, so that it has to be the only one.

What is made of a text has its collation, which a constant takes (dev.mysql.com: Collation
Coercibility in Expressions).
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import reduce
from typing import TYPE_CHECKING
from unicodedata import normalize

from sqlglot import exp

from graph_ir import nodes as ir
from graph_ir.walk import children, substitute
from schemagraph.mapping import Column, Mapping
from schemagraph.model import Kind
from schemagraph.text_forms import (
    NO_TEXT,
    SIGNS,
    UNKNOWN_SPELLING,
    Casing,
    Spelling,
    accented,
    cased,
    of_word,
)
from translators.from_sql.statement.values import Value

if TYPE_CHECKING:
    from translators.from_sql.statement.context import Site

UNKNOWN = "unknown"  # a collation
# What has the collation and the texts of its parts as its handler says; a cast, of the connection.
_WHOLE = (
    *(exp.Column, exp.Paren, exp.Alias, exp.Subquery, exp.Select, exp.Min, exp.Max),
    *(exp.Case, exp.If, exp.Coalesce, exp.Nullif, exp.Greatest, exp.Least, exp.Collate),
)
_ANY_PART = frozenset({Casing.LOWER, Casing.UPPER})  # of which parts of a text have the casing
_MOST_LETTERS = 12  # accented ones that a text has others for
_NUMBERS = Spelling("+-.", frozenset(Casing))


class Order(StrEnum):
    """How texts of ASCII are ordered that differ in more than case."""

    CAPITALS = "by the numbers of the characters, letters as capitals"
    UCA = "by the Unicode Collation Algorithm"


@dataclass(frozen=True, slots=True)
class Collation:
    """What of texts of ASCII a collation equates: what differs in case, or nothing (`folds`).
    `accents` of Latin letters count or do not; None where that is not known."""

    folds: bool
    order: Order | None
    accents: bool | None = None

    def knows(self, signs: str) -> bool:
        """Whether it is known what it equates of texts with these signs."""
        return signs.isascii() or self.accents is not None

    def plain(self, word: str) -> str:
        """The text in lower case, and without accents if these do not count."""
        lower = word.lower()
        letters = accented() if self.accents is False else {}
        return "".join(letters.get(letter, letter) for letter in lower)


_CAPITALS, _UCA = Collation(True, Order.CAPITALS, False), Collation(True, Order.UCA, False)
_ACCENTS, _EXACT = Collation(True, Order.UCA, True), Collation(False, None, True)
_UNICODE = {
    **dict.fromkeys(("general", "general_mysql500"), _CAPITALS),
    **dict.fromkeys(("unicode", "unicode_520", "0900_ai", "uca1400_ai"), _UCA),
    **dict.fromkeys(("0900_as", "uca1400_as"), _ACCENTS),
}
_LATIN = ("swedish", "general", "german1", "german2", "danish", "spanish")
_KNOWN = {
    **{
        f"{charset}_{name}_ci": collation
        for charset in ("utf8mb4", "utf8mb3", "utf8")
        for name, collation in _UNICODE.items()
    },
    **{f"latin1_{name}_ci": Collation(True, Order.CAPITALS) for name in _LATIN},
    "ascii_general_ci": Collation(True, Order.CAPITALS),
    "latin1_general_cs": Collation(False, None),
    **{f"utf8mb{n}_uca1400_ai_cs": Collation(False, None) for n in (3, 4)},
    **{f"utf8mb{n}_uca1400_as_cs": _EXACT for n in (3, 4)},
    "utf8mb4_0900_as_cs": _EXACT,
}
# Characters before the digits in the order of the algorithm (unicode.org/Public/UCA: allkeys.txt).
BEFORE_DIGITS = "\t\n\v\f\r -,!.'\"()*/&#%+$"


def collation(name: str) -> Collation | None:
    """What is known of a collation by its name; blanks at the end are no matter here.

    >>> collation("utf8mb4_unicode_520_nopad_ci") == collation("utf8mb3_unicode_ci")
    True
    """
    return _KNOWN.get(re.sub("_nopad(?=_)", "", name.lower()))


def folding(mapping: Mapping) -> bool:
    """Whether MySQL compares texts of a mapping under such a collation."""
    nodes = [column for table in mapping.nodes for column in table.columns]
    edges = [column for table in mapping.edges for column in (*table.columns, *table.end_columns)]
    return mapping.dialect == "mysql" and any(c.collation != "BINARY" for c in (*nodes, *edges))


def spelled_alike(a: Column, b: Column) -> bool:
    """Whether equality of two columns under their collation is equality of their characters."""
    known = collation(a.collation) if a.collation == b.collation else None
    if known is None or a.signs is None or b.signs is None or not known.knows(a.signs + b.signs):
        return False
    return not known.folds or bool({*a.casings.split()} & {*b.casings.split()})


@dataclass(frozen=True, slots=True)
class Texts:
    """What is known of the texts of an expression: the collations that it may have, how they are
    spelled, and the columns, of which one has them all and no two that are equal."""

    collations: frozenset[str] = frozenset()
    spelled: Spelling = NO_TEXT
    columns: frozenset[str] = frozenset()

    @property
    def collation(self) -> str:
        """The one collation; BINARY where there is none."""
        return next(iter(self.collations), "BINARY") if len(self.collations) < 2 else UNKNOWN

    def __or__(self, other: Texts) -> Texts:
        return Texts(self.collations | other.collations, self.spelled | other.spelled)

    def cut(self, casings: frozenset[Casing] = _ANY_PART) -> Texts:
        """What is known of parts of the texts, or of what these are parts of."""
        kept = Spelling(self.spelled.signs, self.spelled.casings & casings)
        return Texts(self.collations, kept)

    def in_case(self, casing: Casing) -> Texts:
        """The texts in lower or upper case."""
        plain = self.spelled.signs is not None and self.spelled.signs.isascii()
        known = frozenset({casing} if plain else ())
        return Texts(self.collations, Spelling(self.spelled.signs, known))


_NOTHING_KNOWN = Texts(frozenset({UNKNOWN}), UNKNOWN_SPELLING)


def of_value(value: Value) -> Texts:
    """What is known of a text that is no part of another."""
    if value.kind is Kind.NULL:
        return Texts()
    if isinstance(value.expr, ir.Literal):
        return Texts(spelled=of_word(value.expr.value))
    # What is made of no column's text has none, and what it is spelled like is known.
    free = value.collation == "BINARY" and value.spelled.signs is not None
    return Texts(
        frozenset() if free else frozenset({value.collation}), value.spelled, value.columns
    )


def of_choices(site: Site, values: Iterable[Value]) -> Texts:
    """What is known of a text that is one of several."""
    every = [value for value in values if value.kind is not Kind.NULL]
    texts = reduce(operator.or_, map(of_value, every), Texts())
    words = {str(value.expr.value) for value in every if isinstance(value.expr, ir.Literal)}
    own = list(dict.fromkeys(value for value in every if not value.constant))
    if not own:  # whose collation is that of the connection
        return texts if len(set(map(_loosely, words))) == len(words) else _NOTHING_KNOWN
    columns = frozenset.intersection(*(value.columns for value in own))
    if words:
        stored = site.values(own[0].expr) if len(own) == 1 else ()
        known, signs = collation(own[0].collation), texts.spelled.signs
        if not stored or known is None or signs is None or not known.knows(signs):
            return texts
        if len({known.plain(word) for word in (*stored, *words)}) < len({*stored, *words}):
            return texts
        columns = frozenset(f"{column} or {sorted(words)}" for column in columns)
    return replace(texts, columns=columns)


def _loosely(word: str) -> str:
    """A text without what any collation of letters might overlook."""
    letters = normalize("NFKD", word.casefold())
    return "".join(letter for letter in letters if letter in SIGNS or letter.isalnum())


def in_expression(expr: ir.Expr, known: Callable[[ir.Expr], Value | None]) -> Texts:
    """What is known of the texts that an expression makes of others; `known` are columns."""

    def of(part: ir.Node | None) -> Texts:
        return in_expression(part, known) if isinstance(part, ir.Expr) else Texts()

    described = known(expr) if isinstance(expr, ir.Prop | ir.Var) else None
    if described is not None:
        text = described.kind is Kind.STRING
        return of_value(described) if text else Texts(spelled=_NUMBERS)
    match expr:
        case ir.Literal(str()):
            return Texts(spelled=of_word(expr.value))
        case ir.Literal():
            return Texts(spelled=_NUMBERS)
        case ir.Call("toString", (part,)):
            printed = known(part)
            if printed is not None and printed.kind in (Kind.INTEGER, Kind.DATE):
                return Texts(spelled=_NUMBERS)
            return Texts(spelled=Spelling("+-.:", _ANY_PART))  # of moments
        case ir.Case():
            results = (*(when.result for when in expr.whens), expr.default)
            return reduce(operator.or_, map(of, results), Texts())
        case ir.Call("toLower", (part,)):
            return of(part).in_case(Casing.LOWER)
        case ir.Call("toUpper", (part,)):
            return of(part).in_case(Casing.UPPER)
        case ir.Call("left", (part, *_)):
            return of(part).cut(frozenset(Casing))
        case ir.Call("substring" | "right" | "btrim" | "ltrim" | "rtrim" | "split", (part, *_)):
            return of(part).cut()
        case ir.Index(ir.Call("split") as part):
            return of(part)
        case ir.Index(ir.ListOf(parts)):
            return reduce(operator.or_, map(of, parts), Texts())
        case ir.Call("replace", (part, _, new)):
            return (of(part) | of(new)).cut()
        case ir.Arith(ir.ArithOp.ADD, left, right):
            words = {Casing.TITLE} if _begins_word(left, right) else set[Casing]()
            return (of(left) | of(right)).cut(_ANY_PART | words)
        case ir.Agg("min" | "max", (part,)):
            return of(part)
        case ir.Call("coalesce", parts):
            return reduce(operator.or_, map(of, parts), Texts())
        case ir.Prop(base) if not isinstance(base, ir.Var) or known(base) is not None:
            return Texts(spelled=_NUMBERS)  # a part of a date or moment
        case ir.Var() | ir.Prop() | ir.Param():
            return _NOTHING_KNOWN
        case ir.Reduce():
            bound = {ir.Var(expr.acc), ir.Var(expr.var)}
            expr = substitute(expr, lambda node: ir.Literal("") if node in bound else None)
    return reduce(operator.or_, map(of, children(expr)), Texts()).cut(frozenset())


def _begins_word(left: ir.Expr, right: ir.Expr) -> bool:
    """Whether the first letter of `right` is in `left + right` as much the beginning of a word as
    it is by itself."""
    last = left.right if isinstance(left, ir.Arith) else left
    before = str(last.value)[-1:] if isinstance(last, ir.Literal) else ""
    if before and before != "'" and not before.isalnum():
        return True
    return isinstance(right, ir.Literal) and not str(right.value)[:1].isalpha()


def described(site: Site, node: exp.Expr, value: Value) -> Value:
    """A text with its collation and what is known of its spelling."""
    if isinstance(node, _WHOLE):
        return value
    texts = in_expression(value.expr, site.behind)
    of_connection = isinstance(node, exp.Cast) and texts.collations
    name = UNKNOWN if of_connection else texts.collation
    return replace(value, collation=name, spelled=texts.spelled, columns=texts.columns)


def folded(
    site: Site, node: exp.Expr, sides: Sequence[Value], *, order: bool = False
) -> list[Value]:
    """The sides of a comparison as graph languages compare them: in one case, or as they are where
    that is the same.

    Raises:
        Refused: they are of two collations, or it is not known what theirs equates or orders.
    """
    texts = [side for side in sides if side.kind is Kind.STRING]
    own = [side for side in texts if not side.constant]
    names = frozenset[str]().union(*(of_value(side).collations for side in own))
    if not site.house.folds or len(texts) < len(sides) or names == {"BINARY"}:
        return list(sides)
    if not names:
        if not _same_anyhow(texts, order=order):
            raise site.refused("collation", node, "compares constants by the server's collation")
        return list(sides)
    if len(names) > 1:
        raise site.refused("collation", node, "compares texts of two collations")
    known = collation(next(iter(names)))
    one_column = frozenset.intersection(*(side.columns for side in own))
    if one_column and len(own) == len(texts) and not order:
        return [replace(side, collation="BINARY") for side in sides]
    if not order and _is_stored(site, sides):
        return [replace(side, collation="BINARY") for side in sides]
    whole = reduce(operator.or_, (of_value(side).spelled for side in texts))
    if known is None or whole.signs is None or not known.knows(whole.signs):
        raise site.refused("collation", node, "compares under a collation of its own")
    if order and not _is_ordered(known, whole.signs):
        raise site.refused("collation", node, "orders by a collation of its own")
    if not known.folds:
        return [replace(side, collation="BINARY") for side in sides]
    between = order and any("Z" < sign < "a" for sign in whole.signs)
    casings = frozenset(Casing).intersection(*(side.spelled.casings for side in own))
    usable = sorted(casings & {Casing.UPPER} if between else casings)
    if usable:  # one that leaves constants as they are, if there is such
        casing = next((each for each in usable if each in whole.casings), usable[0])
        return [_changed(side, lambda word: cased(known.plain(word), casing)) for side in sides]
    if not order and (as_stored := _as_stored(site, known, sides)) is not None:
        return as_stored
    words = [str(getattr(side.expr, "value", "")) for side in texts if side.constant]
    only = "".join(map(known.plain, words)) if len(own) == 1 and words and not order else None
    case = Casing.UPPER if between else Casing.LOWER
    changed = []
    for side in sides:
        expr = _in_case(site, node, known, side, case, only)
        changed.append(_changed(side, lambda word: cased(known.plain(word), case), expr))
    return changed


def _in_case(
    site: Site, node: exp.Expr, known: Collation, text: Value, case: Casing, only: str | None
) -> ir.Expr:
    """A text in one case and without accents that do not count, as far as a text with the letters
    of `only` can be equal to it."""
    expr = text.expr
    while isinstance(expr, ir.Call) and expr.name in ("toLower", "toUpper"):
        expr = expr.args[0]  # of whose letters the case is one for one
    expr = ir.Call("toUpper" if case is Casing.UPPER else "toLower", (expr,))
    signs = text.spelled.signs or ""
    letters = {cased(sign, case): known.plain(sign) for sign in signs if not sign.isascii()}
    replaced = [
        (letter, base)
        for letter, base in sorted(letters.items())
        if letter.lower() != base and (only is None or base in only)
    ]
    if len(replaced) > _MOST_LETTERS:
        raise site.refused("collation", node, "takes very many letters for others")
    for letter, base in replaced:
        parts = (expr, ir.Literal(letter), ir.Literal(cased(base, case)))
        expr = ir.Call("replace", parts)
    return expr


def _same_anyhow(texts: Sequence[Value], *, order: bool) -> bool:
    """Whether texts of no column, which are compared under the connection's collation, are equal,
    or in order, just where their characters are, whatever that is."""
    if frozenset(Casing).intersection(*(of_value(text).spelled.casings for text in texts)):
        return True
    listed = [_constants(text.expr) for text in texts]
    words = {word for each in listed for word in each}
    return not order and all(listed) and len(set(map(_loosely, words))) == len(words)


def _constants(expr: ir.Expr | None) -> list[str]:
    """The texts of which one is what an expression is, where it is made of constants alone."""
    match expr:
        case ir.Case():
            results = [*(when.result for when in expr.whens), expr.default]
            return [word for result in results for word in _constants(result)]
        case ir.Index(ir.ListOf(items)) | ir.Call("coalesce", items):
            return [word for item in items for word in _constants(item)]
        case ir.Literal(str() as word):
            return [word]
    return []


def with_parts(
    site: Site, node: exp.Expr, text: Value, words: Sequence[str], *, begins: bool = False
) -> tuple[ir.Expr, list[str]]:
    """A text and the words that are looked for in it, as graph languages compare them; `begins`:
    the only word there is, at its beginning.

    Raises:
        Refused: it is not known what the collation of the text equates.
    """
    of_part = frozenset(Casing) if begins else _ANY_PART
    cased_words = any(letter.isalpha() for word in words for letter in word)
    if text.constant or not of_value(text).collations:  # under the connection's
        alike = [of_value(text).spelled.casings, *(of_word(word).casings for word in words)]
        if cased_words and not of_part.intersection(*alike):
            raise site.refused("collation", node, "compares constants by the server's collation")
        return text.expr, list(words)
    if text.collation == "BINARY":
        return text.expr, list(words)
    known, signs = collation(text.collation), (text.spelled | of_word("".join(words))).signs
    if known is None or signs is None or not known.knows(signs):
        raise site.refused("collation", node, "compares under a collation of its own")
    if not known.folds or not cased_words:
        return text.expr, list(words)
    plain = [known.plain(word) for word in words]
    usable = sorted(text.spelled.casings & of_part)
    if usable:
        return text.expr, [cased(word, usable[0]) for word in plain]
    return _in_case(site, node, known, text, Casing.LOWER, "".join(plain)), plain


def _is_ordered(known: Collation, signs: str) -> bool:
    """Whether texts with these signs are in the order of their characters' numbers, in one case."""
    letters = not signs.isascii()
    signs = "".join(filter(str.isascii, signs))
    if letters and known.accents is not False:
        return False
    if known.order is not Order.UCA:
        return known.order is Order.CAPITALS
    if any(sign not in BEFORE_DIGITS for sign in signs):
        return False
    return sorted(signs) == sorted(signs, key=BEFORE_DIGITS.index)


def _changed(side: Value, change: Callable[[str], str], expr: ir.Expr | None = None) -> Value:
    """A side of a comparison: a constant changed, anything else as `expr`, if that is given."""
    if isinstance(side.expr, ir.Literal):
        return side.like(ir.Literal(change(str(side.expr.value))))
    if expr is None:
        return replace(side, collation="BINARY")
    return replace(side.like(expr), collation="BINARY", unique=False)


def _is_stored(site: Site, sides: Sequence[Value]) -> bool:
    """Whether constants stand in a column, so that they are equal to nothing else in it."""
    own = [side for side in sides if not side.constant]
    stored = site.values(own[0].expr) if len(own) == 1 and own[0].columns else ()
    words = (getattr(side.expr, "value", None) for side in sides if side.constant)
    return bool(stored) and all(word in stored for word in words)


def _as_stored(site: Site, known: Collation, sides: Sequence[Value]) -> list[Value] | None:
    """A column of a few values beside constants, of each of which it has one spelling at most:
    these as they are spelled there."""
    own = [side for side in sides if not side.constant]
    values = site.values(own[0].expr) if len(own) == 1 < len(sides) else ()
    if not values:
        return None
    made = []
    for side in sides:
        if isinstance(side.expr, ir.Literal):
            word = str(side.expr.value)
            plain = known.plain(word)
            spelled = [value for value in values if known.plain(value) == plain] or [word]
            if len(spelled) > 1:
                return None
            made.append(side.like(ir.Literal(spelled[0])))
        else:
            made.append(replace(side, collation="BINARY"))
    return made


def one_spelling(site: Site, node: exp.Expr, value: Value) -> None:
    """See that of equal texts that become one all are spelled alike.

    Raises:
        Refused: they may not be.
    """
    known, signs = collation(value.collation), value.spelled.signs
    exact = known is not None and not known.folds and signs is not None and known.knows(signs)
    alike = value.columns or (known is not None and value.spelled.casings)
    if value.kind is Kind.STRING and value.collation != "BINARY" and not (alike or exact):
        raise site.refused("collation", node, "makes one of texts that may differ in case")


def together(site: Site, node: exp.Expr, values: Sequence[Value]) -> None:
    """See that texts of which one value is made have one collation.

    Raises:
        Refused: they have two.
    """
    texts = [value for value in values if value.kind is Kind.STRING]
    if len(frozenset[str]().union(*(of_value(value).collations for value in texts))) > 1:
        raise site.refused("collation", node, "makes one of texts of two collations")
