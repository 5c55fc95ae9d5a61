"""Texts that MySQL and MariaDB compare under a collation that equates some that differ.

Of texts of ASCII the collations below equate what is equal in lower case, and no more: every
character but a letter has a weight of its own, and an accented Latin letter that of the letter
without accents or, where accents count, another one (dev.mysql.com: Unicode Character Sets; MariaDB
10.11, all of these characters and texts of ASCII). Graph languages compare what is there. So both
sides are compared in lower case and without accents, or as they are where all of their texts have
the case that one of `schemagraph.text_forms.Casing` gives them. What makes one of equal texts shows
any spelling of them, so that it has to be the only one.

What is made of a text has its collation, which a constant takes (dev.mysql.com: Collation
Coercibility in Expressions). What is made of no column's text, constants and numbers, has that of
the connection, which no mapping knows: by default one that folds case, and pads with blanks or does
not. So it is compared where all of these agree with the numbers of the characters.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import reduce
from typing import TYPE_CHECKING
from unicodedata import combining, normalize

from sqlglot import exp

from graph_ir import nodes as ir
from graph_ir.walk import children, substitute
from schemagraph.mapping import Column, TextForm
from schemagraph.model import Kind
from schemagraph.text_forms import (
    NO_TEXT,
    SIGNS,
    UNKNOWN_SPELLING,
    Blanks,
    Casing,
    Spelling,
    accented,
    cased,
    of_word,
)
from translators.from_sql.statement.padding import in_texts
from translators.from_sql.statement.terms import casts_text, is_recast
from translators.from_sql.statement.values import Value

if TYPE_CHECKING:
    from translators.from_sql.statement.context import Site

UNKNOWN = "unknown"  # a collation
CONNECTION = "CONNECTION"  # that of texts of no column, whichever it is
OF_DIGITS = frozenset({TextForm.DATE, TextForm.DATETIME, TextForm.TIME})
# What has the collation and the texts of its parts as its handler says; a cast, of the connection.
_WHOLE = (
    *(exp.Column, exp.Paren, exp.Alias, exp.Subquery, exp.Select, exp.Min, exp.Max),
    *(exp.Case, exp.If, exp.Coalesce, exp.Nullif, exp.Greatest, exp.Least, exp.Collate),
)
_ANY_PART = frozenset({Casing.LOWER, Casing.UPPER})  # of which parts of a text have the casing
_MOST_LETTERS = 12  # accented ones that a text has others for


_OF_CONNECTION = "compares texts of no column, by the collation of the connection"


# A form of a date whose texts have digits in the same places, and the same signs in the others.
_ALIGNED = re.compile(r"(%[YmdHMSjy]|[^%])+")


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
_RUSSIAN = "абвгдежзийклмнопрстуфхцчшщъыьэюя"
BEFORE_DIGITS = "\t\n\v\f\r -,!.'\"()*/&#%+$"


def collation(name: str) -> Collation | None:
    """What is known of a collation by its name; blanks at the end are no matter here.

    >>> collation("utf8mb4_unicode_520_nopad_ci") == collation("utf8mb3_unicode_ci")
    True
    """
    return _KNOWN.get(re.sub("_nopad(?=_)", "", name.lower()))


def spelled_alike(a: Column, b: Column) -> bool:
    """Whether equality of two columns under their collation is equality of their characters."""
    known = collation(a.collation) if a.collation == b.collation else None
    if known is None or a.signs is None or b.signs is None or not known.knows(a.signs + b.signs):
        return False
    return not known.folds or bool({*a.casings.split()} & {*b.casings.split()})


@dataclass(frozen=True, slots=True)
class Texts:
    """What is known of the texts of an expression: the collations that it may have, how they are
    spelled, the columns, of which one has them all and no two that are equal, and the constants of
    which each is one, None where there are others."""

    collations: frozenset[str] = frozenset()
    spelled: Spelling = NO_TEXT
    columns: frozenset[str] = frozenset()
    words: frozenset[str] | None = frozenset()

    @property
    def collation(self) -> str:
        """The one collation; that of the connection where there is none."""
        return next(iter(self.collations), CONNECTION) if len(self.collations) < 2 else UNKNOWN

    def __or__(self, other: Texts) -> Texts:
        words = None if self.words is None or other.words is None else self.words | other.words
        whole = self.spelled | other.spelled
        return Texts(self.collations | other.collations, whole, words=words)

    def cut(self, casings: frozenset[Casing] = _ANY_PART) -> Texts:
        """What is known of parts of the texts, or of what these are parts of."""
        kept = Spelling(self.spelled.signs, self.spelled.casings & casings)
        return Texts(self.collations, kept, words=None)

    def in_case(self, casing: Casing) -> Texts:
        """The texts in lower or upper case."""
        plain = self.spelled.signs is not None and self.spelled.signs.isascii()
        known = frozenset({casing} if plain else ())
        return Texts(self.collations, Spelling(self.spelled.signs, known), words=None)

    def then(self, other: Texts, *, words: bool) -> Texts:
        """These texts with others behind them, of which each begins a word as if alone or not."""
        parts = (self | other).cut(_ANY_PART | ({Casing.TITLE} if words else set()))
        if other.letters == "":  # after which the casing is that of what comes before
            parts = replace(parts, spelled=replace(parts.spelled, casings=self.spelled.casings))
        if parts.collations or self.letters is None or other.letters is None:
            return parts
        return replace(parts, columns=frozenset({_LETTERS + self.letters + other.letters}))

    @property
    def ends(self) -> bool:
        """Whether some end in a blank, of those that are constants."""
        return any(word.endswith(" ") for word in self.words or ())

    @property
    def letters(self) -> str | None:
        """The letters that each of the texts has in this order and case, with digits and signs
        between them, so that no two differ in case alone; None where they may differ."""
        if self.spelled.casings >= _ANY_PART:
            return ""
        if self.words is not None and len(self.words) == 1 and all(map(str.isascii, self.words)):
            return "".join(filter(str.isalpha, *self.words))
        each = (name for name in self.columns if name.startswith(_LETTERS))
        return next((name.removeprefix(_LETTERS) for name in each), None)


_NOTHING_KNOWN = Texts(frozenset({UNKNOWN}), UNKNOWN_SPELLING, words=None)
# Of integers and days: digits have the casing of every letter.
_NUMBERS = Texts(spelled=Spelling("-", frozenset(Casing)), words=None)
_LETTERS = "letters "  # among the names of columns


def of_value(value: Value) -> Texts:
    """What is known of a text that is no part of another."""
    if value.kind is Kind.NULL:
        return Texts()
    if isinstance(value.expr, ir.Literal):
        return _of_word(value.expr.value)
    free = value.collation == CONNECTION
    collations = frozenset() if free else frozenset({value.collation})
    return Texts(collations, value.spelled, value.columns, value.words)


def _of_word(word: object) -> Texts:
    """What is known of a constant."""
    return Texts(spelled=of_word(word), words=frozenset({str(word)}))


def _constant(value: Value) -> Value:
    """A constant with what is known of it where it stands in a column."""
    known = _of_word(getattr(value.expr, "value", None))
    return replace(value, collation=CONNECTION, spelled=known.spelled, words=known.words)


def of_choices(site: Site, values: Iterable[Value]) -> Texts:
    """What is known of a text that is one of several."""
    every = [value for value in values if value.kind is not Kind.NULL]
    texts = reduce(operator.or_, map(of_value, every), Texts())
    words = {str(value.expr.value) for value in every if isinstance(value.expr, ir.Literal)}
    own = list(dict.fromkeys(value for value in every if not value.constant))
    if not texts.collations:  # which have that of the connection
        if texts.words is None and any(of_value(value).ends for value in every):
            return texts.cut(frozenset())
        return texts if words or not own else replace(texts, columns=_common(own))
    columns = _common(own)
    if words:
        stored = site.values(own[0].expr) if len(own) == 1 else ()
        known, signs = collation(own[0].collation), texts.spelled.signs
        if not stored or known is None or signs is None or not known.knows(signs):
            return texts
        if len({known.plain(word) for word in (*stored, *words)}) < len({*stored, *words}):
            return texts
        columns = frozenset(f"{column} or {sorted(words)}" for column in columns)
    return replace(texts, columns=columns)


def _common(values: Sequence[Value]) -> frozenset[str]:
    """The columns of which each has all texts of all values and no two that are equal."""
    return frozenset.intersection(*(value.columns for value in values))


def _apart(words: Iterable[str]) -> bool:
    """Whether no collation makes equal two of these texts that differ: of letters beside digits and
    signs of ASCII, those are known that Unicode makes of ASCII and marks, and Russian ones."""
    decomposed = {word: normalize("NFKD", word) for word in words}
    if any(len(c.casefold()) > 1 for text in decomposed.values() for c in text):
        return False
    plain = {
        word: "".join(c for c in normalize("NFKD", text.casefold()) if not combining(c))
        for word, text in decomposed.items()
    }
    letters = {c for text in plain.values() for c in text}
    others = {c for c in letters if not (c.isascii() or c in _RUSSIAN)}
    if any(c.isalnum() or not c.isprintable() for c in others):
        return False
    if any(c.isascii() and not c.isalnum() and c not in SIGNS for c in letters):
        return False
    if others:  # signs that may be equal to some of ASCII, or nothing
        plain = {word: "".join(filter(str.isalnum, text)) for word, text in plain.items()}
    return len({text.rstrip(" ") for text in plain.values()}) == len(plain)


def _in_one_order(words: Iterable[str]) -> bool:
    """Whether all collations have these texts in the order of their characters' numbers."""
    every = sorted(words)
    if not all(word.isascii() for word in every) or not _apart(every):
        return False
    signs = {letter for word in every for letter in word if not letter.isalnum()}
    if not signs <= {*BEFORE_DIGITS} or any(sign < " " for sign in signs):
        return False
    by_uca = sorted(every, key=lambda word: list(map(_weight, word)))
    return every == by_uca == sorted(every, key=str.upper)


def _weight(letter: str) -> tuple[int, str]:
    """The place of a sign, digit or letter in the order of the algorithm."""
    place = BEFORE_DIGITS.find(letter)
    return (place, "") if place >= 0 else (len(BEFORE_DIGITS), letter.lower())


def in_expression(expr: ir.Expr, known: Callable[[ir.Expr], Value | None]) -> Texts:
    """What is known of the texts that an expression makes of others; `known` are columns."""

    def of(part: ir.Node | None) -> Texts:
        return in_expression(part, known) if isinstance(part, ir.Expr) else Texts()

    described = known(expr) if isinstance(expr, ir.Prop | ir.Var) else None
    if described is not None:
        text = described.kind is Kind.STRING
        return of_value(described) if text else _NUMBERS
    match expr:
        case ir.Literal(None):
            return Texts()
        case ir.Literal(str()):
            return _of_word(expr.value)
        case ir.Literal():
            return _NUMBERS
        case ir.Call("toString", (part,)):
            printed = known(part)
            if printed is not None and printed.kind in (Kind.INTEGER, Kind.DATE):
                return _NUMBERS
            if isinstance(part, ir.Arith | ir.Prop) and printed is None:
                of_moment = isinstance(part, ir.Prop) and not isinstance(part.base, ir.Var)
                return _NUMBERS if of_moment or isinstance(part, ir.Arith) else _NOTHING_KNOWN
            return Texts(spelled=Spelling("+-.:", _ANY_PART), words=None)  # of moments
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
            return of(left).then(of(right), words=_begins_word(left, right))
        case ir.Agg("min" | "max", (part,)):
            return of(part)
        case ir.Call("coalesce", parts):
            return reduce(operator.or_, map(of, parts), Texts())
        case ir.Prop(base) if not isinstance(base, ir.Var) or known(base) is not None:
            return _NUMBERS  # a part of a date or moment
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
    if value.constant:
        return _constant(value)
    if isinstance(node, _WHOLE):
        return value
    texts = in_expression(value.expr, site.behind)
    written = node.args["format"] if isinstance(node, exp.TimeToStr) else None
    form = written.name if isinstance(written, exp.Literal) else ""
    free = not texts.collations and texts.words is None
    blanks = " " in (texts.spelled.signs or "")
    ends = not form or form.endswith(" ")  # of a date no part is empty or ends in a blank
    if free and blanks and ends and Blanks.END in in_texts(value.expr, site.house.padded):
        texts = replace(texts.cut(frozenset()), columns=frozenset())
    name = UNKNOWN if is_recast(node, texts.collations) else texts.collation
    known = replace(value, spelled=texts.spelled, columns=texts.columns, words=texts.words)
    layout = value.layout if isinstance(node, exp.Left | exp.Substring) else form
    return replace(known, collation=name, layout=layout if _ALIGNED.fullmatch(layout) else "")


def folded(
    site: Site, node: exp.Expr, sides: Sequence[Value], *, order: bool = False
) -> list[Value]:
    """The sides of a comparison as graph languages compare them: in one case, or as they are where
    that is the same.

    Raises:
        Refused: they are of two collations, or it is not known what theirs equates or orders.
    """
    sides = _folded(site, node, sides, order=order)
    free = (CONNECTION, "BINARY")  # whose characters are compared from now on
    return [replace(s, collation="BINARY") if s.collation in free else s for s in sides]


def _folded(site: Site, node: exp.Expr, sides: Sequence[Value], *, order: bool) -> Sequence[Value]:
    texts = [side for side in sides if side.kind is Kind.STRING]
    own = [side for side in texts if not side.constant]
    names = frozenset[str]().union(*(of_value(side).collations for side in own))
    if not site.house.rules.folds or len(texts) < len(sides) or names == {"BINARY"}:
        return sides
    if not names:
        if not _same_anyhow(texts, order=order):
            raise site.refused("collation", node, _OF_CONNECTION)
        return sides
    if len(names) > 1:
        raise site.refused("collation", node, "compares texts of two collations")
    known = collation(next(iter(names)))
    free_letters = any(
        s.collation == CONNECTION and not s.spelled.casings >= _ANY_PART for s in own
    )
    if free_letters and (known is None or known.folds) and casts_text(node):
        raise site.refused("collation", node, "compares texts of two collations")
    one_column = frozenset.intersection(*(side.columns for side in own))
    if one_column and len(own) == len(texts) and not order:
        return [replace(side, collation="BINARY") for side in sides]
    if not order and _is_stored(site, sides):
        return [replace(side, collation="BINARY") for side in sides]
    whole = reduce(operator.or_, (of_value(side).spelled for side in texts))
    if known is None or whole.signs is None or not known.knows(whole.signs):
        raise site.refused("collation", node, "compares under a collation of its own")
    free = order and any(side.collation == CONNECTION for side in own)  # which may win
    if free or (order and not _is_ordered(known, whole.signs)):
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
    every = [of_value(text) for text in texts]
    whole = reduce(operator.or_, every)
    if whole.words is not None:
        return _in_one_order(whole.words) if order else _apart(whole.words)
    if whole.spelled.signs is None or any(each.ends for each in every):
        return False
    if order and len({(text.form, text.layout) for text in texts}) == 1:
        text = texts[0]  # whose signs may stand in the same places
        if not text.constant and (text.layout or text.form in OF_DIGITS):
            return True
    if order:
        control = any(sign < " " for sign in whole.spelled.signs)
        ordered = not control and _is_ordered(_UCA, whole.spelled.signs)
        return ordered and bool(whole.spelled.casings)
    letters = {each.letters for each in every}
    return bool(whole.spelled.casings) or (len(letters) == 1 and None not in letters)


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
        every = [of_value(text).spelled, *map(of_word, words)]
        alike = of_part.intersection(*(each.casings for each in every))
        if (cased_words and not alike) or any(each.signs is None for each in every):
            raise site.refused("collation", node, _OF_CONNECTION)
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
    if value.kind is Kind.STRING and (value.constant or value.collation == CONNECTION):
        if not _same_anyhow([value], order=False):
            raise site.refused("collation", node, "makes one of texts that may differ in case")
        return
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
