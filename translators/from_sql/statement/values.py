"""`Value`, an IR expression with what SQLite knows of it: kind, affinity, nullability."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from graph_ir import nodes as ir
from schemagraph.mapping import Affinity, Column, Semantics, TextForm
from schemagraph.model import NUMERIC, TEMPORAL, Kind
from schemagraph.temporal import ISO, Format, format_of
from schemagraph.text_forms import UNKNOWN_SPELLING, Blanks, Casing, Spelling, special_casing
from translators.from_sql.statement.exactness import DIGITS, Exactness, of_column

# Texts that begin with a number, but are none.
DATES = (TextForm.DATE, TextForm.DATETIME)
SECOND = 1_000_000  # microseconds
_MOST_DIGITS = 300  # of a float; Python converts 4,300 to an integer
_SPACE = " \t\n\v\f\r"
_LEADING = re.compile(r"[ \t\n\v\f\r]*[+-]?\d{1,15}(?!\d)")
_PRECISION = re.compile(r"\([1-6]\)")
_REAL = re.compile(r"[+-]?\d{1,15}\.\d{1,15}")
_SHORT = frozenset({"integer", "int", "int4", "smallint", "int2", "serial"})
_SMALL = frozenset({"smallint", "int2"})
_BIT = re.compile(r"bit\b", re.IGNORECASE)
_PLACES = {"timestamp_ms": 3, **dict.fromkeys(("timestamp", "timestamp_ns"), 6)}
NUMBERS = frozenset({Affinity.NUMERIC, Affinity.INTEGER, Affinity.REAL})


@dataclass(frozen=True, slots=True)
class Value:
    """A translated expression.

    `kind` is the kind of the graph's value; `affinity` is SQLite's, None for what is no column.
    `row` is the variable of a row that may be missing, where the value is null for no other
    reason. A text that is a number of a fixed `width` (a year, a month) has that `number`, an
    interval the one of its microseconds.
    `short` integers have 32 bits at most in the source, if the mapping is of one with such types,
    and `small` ones 16. A constant `of_text` is of that type, and of no other's beside it.
    `format` is how the source writes a temporal value; `day_of` is the date and time of which it
    is the day, `midnight` the day that begins with it. `others` are affinities that it may have
    instead. `loose` are mixed values whose texts do not tell which are equal. `places` are the
    digits of a fraction of a second that a text keeps where a typed source compares it with the
    value. `exact` is known of numbers of a typed source that are no binary floats. An integer that
    is `fractional` is a decimal (NUMERIC) or a double (REAL) in the source, and divided as one. A
    moment `of_session` has the session's time zone, taken as UTC. Of texts under a collation that
    equates some that differ, it is known how they are `spelled`, and the `columns` of which one has
    them all and no two that are equal, or the constant `words` of which each is one; `layout` is
    the form of a date that has digits and signs in the same places of all of its texts. `labels`
    are those of an enumerated type, where they are known. No double of `few` digits has more than
    15, so that each is the decimal that PostgreSQL makes of it. A double is `unsettled`, by a
    refusal's code, where its last digits may be others in the source. The other facts are those of
    `schemagraph.mapping.Column`.
    """

    expr: ir.Expr
    kind: Kind
    nullable: bool = True
    affinity: Affinity | None = None
    mixed: bool = False
    literals: bool = False
    loose: bool = False
    integers: bool = False
    unique: bool = False
    collation: str = "BINARY"
    form: TextForm = TextForm.FREE
    ascii: bool = False
    special_casing: str | None = None
    padding: frozenset[Blanks] | None = None
    spelled: Spelling = UNKNOWN_SPELLING
    columns: frozenset[str] = frozenset()
    words: frozenset[str] | None = None
    layout: str = ""
    number: ir.Expr | None = None
    width: int = 0
    row: str = ""
    short: bool = False
    small: bool = False
    of_text: bool = False
    format: Format = ISO
    places: int = 0
    day_of: Value | None = None
    midnight: ir.Expr | None = None
    others: tuple[Affinity | None, ...] = ()
    unseen: bool = False
    exact: Exactness | None = None
    fractional: Affinity | None = None
    of_session: bool = False
    semantics: Semantics = Semantics.PROPERTY
    labels: frozenset[str] = frozenset()
    few: bool = False
    unsettled: str = ""

    @property
    def affinities(self) -> tuple[Affinity | None, ...]:
        """The affinities that it may have."""
        return (self.affinity, *self.others)

    @property
    def constant(self) -> bool:
        """Whether it is a literal."""
        return isinstance(self.expr, ir.Literal)

    @property
    def numeric(self) -> bool:
        """Whether it is a number for sure."""
        return self.kind in NUMERIC and not self.mixed

    @property
    def temporal(self) -> bool:
        """Whether the graph holds a temporal value where the source holds text."""
        return self.kind in TEMPORAL

    @property
    def whole(self) -> bool:
        """Whether the source may hold an integer here, so that it divides as integers."""
        return self.kind in (Kind.INTEGER, Kind.BOOLEAN) or self.integers

    @property
    def special_letters(self) -> frozenset[str] | None:
        """Letters with a case of their own in its texts; None where that is not known."""
        if self.ascii:
            return frozenset()
        if self.constant:
            return special_casing() & set(str(getattr(self.expr, "value", "")))
        return None if self.special_casing is None else frozenset(self.special_casing)

    @property
    def local(self) -> Value:
        """A moment of the session's time zone as it is read there; any other value as it is."""
        if not self.of_session:
            return self
        match self.expr:
            case ir.Call("datetime", (ir.Literal(str(word)),)):
                expr: ir.Expr = ir.Call("localdatetime", (ir.Literal(word.removesuffix("Z")),))
            case ir.Call("datetime", (inner,)):
                expr = inner
            case zoned:
                expr = ir.Call("localdatetime", (zoned,))
        return replace(self, expr=expr, kind=Kind.DATETIME, of_session=False)

    def at_session(self) -> Value:
        """A local moment as one of the session's time zone, taken as UTC."""
        zoned = ir.Call("datetime", (self.expr,))
        return replace(self, expr=zoned, kind=Kind.ZONED_DATETIME, midnight=None, of_session=True)

    def like(self, expr: ir.Expr) -> Value:
        """Another expression with the same value, such as a variable it was bound to."""
        return replace(self, expr=expr, row="", number=None, midnight=None)


def of_microseconds(count: ir.Expr, size: int, *, nullable: bool) -> Value:
    """Microseconds as a decimal number of units of so many, which Cypher has as a float."""
    made = ir.Arith(ir.ArithOp.DIV, count, ir.Literal(float(size)))
    exact = Exactness(None, wide=True, drifts=True, cancels=True)
    return Value(made, Kind.FLOAT, nullable, exact=exact)


def microseconds_of(expr: ir.Expr) -> tuple[ir.Expr, int] | None:
    """What `of_microseconds` was made of; None for all else."""
    match expr:
        case ir.Arith(ir.ArithOp.DIV, count, ir.Literal(float(size))):
            inner = count.args[0] if isinstance(count, ir.Agg) and count.args else count
            match inner:
                case ir.Prop(ir.Call("duration.inSeconds"), "microseconds"):
                    return count, int(size)
    return None


def by_length(value: Value) -> Value:
    """An interval as the number of its microseconds, by which it is compared and put in order."""
    if value.kind is not Kind.DURATION or value.number is None:
        return value
    return Value(value.number, Kind.INTEGER, value.nullable)


def of_letters(made: Value, *parts: Value) -> Value:
    """A text that is made of the letters of other ones."""
    known = [part.special_letters for part in parts if part.kind is not Kind.NULL]
    plain = all(
        part.ascii or (part.constant and str(getattr(part.expr, "value", "")).isascii())
        for part in parts
    )
    special = None
    if all(letters is not None for letters in known):
        special = "".join(sorted(frozenset().union(*(letters or () for letters in known))))
    return replace(made, ascii=plain, special_casing=special)


NULL = Value(ir.Literal(None), Kind.NULL)


def text(value: str) -> Value:
    """A text literal."""
    return Value(ir.Literal(value), Kind.STRING, nullable=False)


def number(value: int | float) -> Value:
    """A number literal."""
    kind = Kind.FLOAT if isinstance(value, float) else Kind.INTEGER
    short = isinstance(value, int) and abs(value) < 2**31
    return Value(ir.Literal(value), kind, nullable=False, short=short)


def truth(expr: ir.Expr, *parts: Value) -> Value:
    """A predicate over `parts`, null when one of them can be."""
    return Value(expr, Kind.BOOLEAN, nullable=any(part.nullable for part in parts))


def is_null(value: Value, *, negated: bool = False) -> ir.Expr:
    """Whether a value is null; of a row that may be missing, whether it is."""
    return ir.IsNull(ir.Var(value.row) if value.row else value.expr, negated)


def blanks_of(described: Column) -> frozenset[Blanks] | None:
    """What of `Blanks` is in a column's texts; None where blanks at the end count."""
    words = described.padding
    return None if words is None else frozenset(map(Blanks, words.split()))


def column(expr: ir.Expr, described: Column, *, row: str, optional: bool, table: str = "") -> Value:
    """A column of a `table`, as `expr`; `row` is the variable of its row."""
    written = format_of(described.format)
    if written == Format("T", 0) and _PRECISION.search(described.declared):
        written = ISO  # MySQL prints as many digits as are declared
    digits = described.type.kind in TEMPORAL and written.separator == " "  # no letter to fold
    return Value(
        expr,
        described.type.kind,
        nullable=described.nullable or optional,
        affinity=described.affinity,
        mixed=described.mixed,
        literals=described.literals,
        loose=described.mixed and described.integers,
        unseen=described.unseen,
        integers=described.integers and not described.mixed,
        unique=described.unique,
        collation="BINARY" if digits and described.collation == "NOCASE" else described.collation,
        form=described.form,
        ascii=described.ascii,
        special_casing=described.special_casing,
        padding=blanks_of(described),
        spelled=Spelling(described.signs, frozenset(map(Casing, described.casings.split()))),
        columns=frozenset({f"{table}.{described.name}"} if described.one_spelling else ()),
        row=row if optional and not described.nullable else "",
        short=described.declared.lower() in _SHORT,
        small=described.declared.lower() in _SMALL,
        format=written,
        places=_PLACES.get(described.declared.lower(), 0),
        exact=of_column(
            described.declared,
            described.decimals,
            whole=described.type.kind is Kind.INTEGER,
            digits=described.digits,
            most=described.most,
        ),
        semantics=Semantics.BITS if _is_bits(described) else described.semantics,
        labels=frozenset(map(str, described.values))
        if described.semantics is Semantics.LABELS
        else frozenset(),
        few=described.type.kind is Kind.FLOAT and (described.digits or DIGITS + 1) <= DIGITS,
    )


def _is_bits(described: Column) -> bool:
    """Whether a column is MySQL's BIT, also of mappings that do not say so."""
    numeric = described.type.kind in (Kind.INTEGER, Kind.BOOLEAN)
    plain = described.semantics is Semantics.PROPERTY
    return numeric and plain and _BIT.match(described.declared) is not None


def as_float(value: Value) -> Value:
    """A number as a binary float."""
    if value.kind is not Kind.INTEGER and not value.integers:
        return value
    if isinstance(value.expr, ir.Literal) and isinstance(value.expr.value, int):
        return replace(number(float(value.expr.value)), affinity=Affinity.REAL)
    called = ir.Call("toFloat", (value.expr,))
    return replace(
        value, expr=called, kind=Kind.FLOAT, affinity=Affinity.REAL, integers=False, exact=None
    )


def as_integer(value: Value) -> Value:
    """A truth value as SQLite has it: 1, 0 or null."""
    if value.kind is not Kind.BOOLEAN:
        return value
    if isinstance(value.expr, ir.Literal):
        return number(int(bool(value.expr.value)))
    no = ir.Literal(0)
    whens: tuple[ir.When, ...] = (ir.When(value.expr, ir.Literal(1)),)
    default: ir.Expr | None = no
    if value.nullable:
        whens = (*whens, ir.When(ir.Not(value.expr), no))
        default = None
    return replace(value, expr=ir.Case(whens, default), kind=Kind.INTEGER)


def as_number(value: Value) -> Value | None:
    """A value as the number that SQLite reads, or None where that is not sure.

    Texts that are all numerals are exactly their numbers; where decimals stand among them, some
    may be integers for SQLite, which it divides as integers.
    """
    operand = as_integer(value)
    if operand.numeric or operand.kind is Kind.NULL:
        return operand
    if isinstance(operand.expr, ir.Literal) and isinstance(operand.expr.value, str):
        return _leading_number(operand.expr.value)
    year = _year(operand)
    if year is not None:
        return Value(year, Kind.INTEGER, operand.nullable)
    if operand.kind is not Kind.STRING or (operand.mixed and operand.form is not TextForm.WORD):
        return None
    plain = Value(operand.expr, operand.kind, operand.nullable)
    if operand.number is not None:
        return replace(plain, expr=operand.number, kind=Kind.INTEGER)
    if operand.form in (TextForm.INTEGER, TextForm.EMPTY):
        return replace(plain, expr=ir.Call("toInteger", (operand.expr,)), kind=Kind.INTEGER)
    if operand.form is TextForm.DECIMAL:
        called = ir.Call("toFloat", (operand.expr,))
        return replace(plain, expr=called, kind=Kind.FLOAT, integers=True)
    if operand.form is TextForm.WORD:
        # A word is 0 where a number is asked for.
        zero = ir.Literal(0.0)
        called = ir.Call("coalesce", (ir.Call("toFloat", (operand.expr,)), zero))
        if not operand.nullable:
            return replace(plain, expr=called, kind=Kind.FLOAT, integers=True)
        there = ir.IsNull(operand.expr, negated=True)
        cased = ir.Case((ir.When(there, called),))
        return replace(plain, expr=cased, kind=Kind.FLOAT, integers=True)
    return None


def _leading_number(word: str) -> Value | None:
    """The number that SQLite computes with where it reads a text literal.

    >>> [_leading_number(w).expr.value for w in ("12 apples", "-3", "x", "1.50")]
    [12, -3, 0, 1.5]
    """
    match = _LEADING.match(word)
    if match is None:
        return None if word[:1].strip(_SPACE) in (".", "+", "-") else number(0)
    rest = word[match.end() :]
    if rest[:1] not in (".", "e", "E"):
        return number(int(match[0]))
    return number(float(word)) if _REAL.fullmatch(word) else None


def _year(operand: Value) -> ir.Expr | None:
    """What SQLite reads of a date as a number: the digits that it begins with."""
    if operand.kind in (Kind.DATE, Kind.DATETIME):
        return ir.Prop(operand.expr, "year")
    if operand.kind is Kind.STRING and operand.form in DATES:
        first = ir.Call("left", (operand.expr, ir.Literal(4)))
        return ir.Call("toInteger", (first,))
    return None


def one_print(values: Sequence[Value]) -> bool:
    """Whether texts are equal just where the source's values are, among these that are text in the
    graph: numbers of mixed columns print alike only where all are as integers where they can be, or
    all are real, and no text beside them may look like one of their numbers."""
    mixed = [value for value in values if value.mixed]
    if not mixed:
        return True
    real = {value.affinity is Affinity.REAL for value in mixed}
    literals = {value.literals for value in mixed}
    if len(real) > 1 or len(literals) > 1 or any(value.loose for value in mixed):
        return False
    if len(mixed) > 1 and any(value.affinity is None for value in mixed):
        return False  # an expression does not say which it is
    rest = [value for value in values if not value.mixed and value.kind is not Kind.NULL]
    return not rest or (literals == {False} and all(_no_number(value) for value in rest))


def _no_number(value: Value) -> bool:
    """Whether no text of a value looks like a number."""
    if isinstance(value.expr, ir.Literal):
        return isinstance(value.expr.value, str) and parsed_number(value.expr.value) is None
    return value.temporal or value.form in (*DATES, TextForm.TIME)


def real_text(value: float) -> str | None:
    """SQLite's text of a real number, where it is sure.

    >>> real_text(2.0), real_text(0.5), real_text(1e20)
    ('2.0', '0.5', None)
    """
    shown = repr(value)
    plain = "e" not in shown and "n" not in shown and len(shown.strip("-0.").replace(".", "")) <= 15
    return shown if plain else None


def parsed_number(word: str) -> int | float | None:
    """The number that SQLite's numeric affinity makes of a text, or None if it stays text.

    https://www.sqlite.org/datatype3.html section 3

    >>> parsed_number(" 5 "), parsed_number("5.0"), parsed_number("5e1"), parsed_number("0x5")
    (5, 5, 50, None)
    """
    stripped = word.strip(" \t\n\v\f\r")
    if not stripped or not stripped.isascii() or "_" in stripped:
        return None
    if any(letter not in "0123456789+-.eE" for letter in stripped):
        return None
    try:
        if len(stripped) <= _MOST_DIGITS:
            return _integer_if_exact(int(stripped))
    except ValueError:
        pass
    try:
        return _integer_if_exact(float(stripped))
    except ValueError:
        return None


def _integer_if_exact(value: int | float) -> int | float:
    if isinstance(value, int):
        return value if -(2**63) <= value < 2**63 else float(value)
    return int(value) if value.is_integer() and abs(value) < 2**53 else value


def fold(value: Value, change: Callable[[str], str]) -> Value | None:
    """A text literal changed, or None for what is no literal."""
    if isinstance(value.expr, ir.Literal) and isinstance(value.expr.value, str):
        return text(change(value.expr.value))
    return None
