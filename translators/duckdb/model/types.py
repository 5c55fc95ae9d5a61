"""What kind of value a piece of SQL yields, and how DuckDB stores it.

The static type decides the representation: nodes and edges are structs of their identity and the
properties that the query needs, maps with known keys are structs, and a value whose type is not
known before the query runs (`ANY`) is tagged JSON (`translators.duckdb.expressions.dynamic`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

from schemagraph.model import Kind, Property, Type


@dataclass(frozen=True, slots=True)
class T:
    """A static type. `of` names the candidate types of an element, `fields` those of a map.

    `mixed` on FLOAT: some of the values were integers, which matters to `/` and to text.
    `nothing` on FLOAT: it may be a sum of nothing, which is the integer 0.
    `nan` on FLOAT: the value can be NaN, for which DuckDB compares unlike Cypher.
    `infinite` on FLOAT: the value can be infinite, or so large that what is computed of it is.
    `fine` on TIME and DATETIME: nanoseconds, where DuckDB's own types have microseconds.
    A PATH has the fields `nodes` and `edges`.
    """

    kind: Kind
    item: T | None = None
    of: tuple[str, ...] = ()
    fields: tuple[tuple[str, T], ...] = ()
    mixed: bool = False
    nothing: bool = False
    nan: bool = False
    infinite: bool = False
    fine: bool = False

    @property
    def element(self) -> bool:
        """Whether this is a node or an edge."""
        return self.kind in (Kind.NODE, Kind.EDGE)

    @property
    def number(self) -> bool:
        """Whether this is an integer or a float."""
        return self.kind in (Kind.INTEGER, Kind.FLOAT)

    @property
    def whole(self) -> bool:
        """Whether it is an integer, or may turn out to be one."""
        return self.kind is Kind.INTEGER or self.mixed or self.nothing


NULL = T(Kind.NULL)
ANY = T(Kind.ANY)
BOOLEAN = T(Kind.BOOLEAN)
INTEGER = T(Kind.INTEGER)
FLOAT = T(Kind.FLOAT)
STRING = T(Kind.STRING)
DATE = T(Kind.DATE)
TIME = T(Kind.TIME)
DATETIME = T(Kind.DATETIME)
ZONED_TIME = T(Kind.ZONED_TIME)
ZONED_DATETIME = T(Kind.ZONED_DATETIME)
DURATION = T(Kind.DURATION)

SCALARS = {
    Kind.BOOLEAN: "BOOLEAN",
    Kind.INTEGER: "BIGINT",
    Kind.FLOAT: "DOUBLE",
    Kind.STRING: "VARCHAR",
    Kind.BYTES: "BLOB",
    Kind.DATE: "DATE",
    Kind.TIME: "TIME",
    Kind.DATETIME: "TIMESTAMP",
    Kind.ZONED_TIME: 'STRUCT("at" BIGINT, "offset" INTEGER)',
    Kind.ZONED_DATETIME: 'STRUCT("at" HUGEINT, "offset" INTEGER, zone VARCHAR)',
    Kind.DURATION: "STRUCT(months BIGINT, days BIGINT, nanos HUGEINT)",
}
FINE = {Kind.TIME: "BIGINT", Kind.DATETIME: "HUGEINT"}


def list_of(item: T) -> T:
    """The type of a list of `item`."""
    return T(Kind.LIST, item)


def makes_nan(of: T) -> bool:
    """Whether an aggregate over such values may be NaN."""
    return of.nan or of.infinite


@cache
def from_schema(declared: Type) -> T:
    """The static type of a property declared with `declared`."""
    if declared.kind is Kind.LIST:
        return list_of(from_schema(declared.item) if declared.item else ANY)
    if declared.kind in (Kind.MAP, Kind.NODE, Kind.EDGE, Kind.PATH, Kind.NULL, Kind.POINT):
        return ANY
    return T(declared.kind)


def stored_as(given: Property) -> T:
    """The static type of a property: its values may be infinite where the data have such."""
    of = from_schema(given.type)
    if not given.observed.infinite:
        return of
    if of.item is not None:
        return list_of(replace(of.item, infinite=of.item.kind is Kind.FLOAT))
    return replace(of, infinite=of.kind is Kind.FLOAT)


def merge_of(a: tuple[str, ...], b: tuple[str, ...]) -> tuple[str, ...]:
    """Candidates of either; `a` first, so that the order is stable."""
    return a + tuple(name for name in b if name not in a)


def unify(a: T, b: T) -> T:
    """The narrowest type that holds the values of both; ANY where there is none.

    >>> unify(INTEGER, NULL).kind.value, unify(INTEGER, STRING).kind.value
    ('INTEGER', 'ANY')
    """
    if a == b or b.kind is Kind.NULL:
        return a
    if a.kind is Kind.NULL:
        return b
    if a.number and b.number:
        mixed = a.mixed or b.mixed or a.kind is not b.kind
        nothing = a.nothing or b.nothing
        infinite = a.infinite or b.infinite
        return T(Kind.FLOAT, mixed=mixed, nothing=nothing, nan=a.nan or b.nan, infinite=infinite)
    if a.kind is not b.kind:
        return ANY
    if a.kind in FINE:
        return replace(a, fine=True)
    if a.kind is Kind.LIST and a.item and b.item:
        item = unify_items(a.item, b.item)
        return list_of(item)
    if a.element:
        return replace(a, of=tuple(sorted({*a.of, *b.of})))
    if a.kind is Kind.PATH:
        pairs = zip(a.fields, b.fields, strict=True)
        return replace(a, fields=tuple((name, unify(x, y)) for (name, x), (_, y) in pairs))
    if a.kind is Kind.MAP and [n for n, _ in a.fields] == [n for n, _ in b.fields]:
        pairs = zip(a.fields, b.fields, strict=True)
        return replace(a, fields=tuple((n, unify_items(x, y)) for (n, x), (_, y) in pairs))
    return ANY


def unify_items(a: T, b: T) -> T:
    """As `unify`, for values inside a list or map: integers stay apart from floats."""
    unified = unify(a, b)
    if unified.kind is Kind.FLOAT and unified.mixed and not (a.mixed or b.mixed):
        return ANY
    return unified


def sortable(of: T) -> bool:
    """Whether DuckDB orders values of this type as Cypher does."""
    if of.kind is Kind.LIST:
        return of.item is None or sortable(of.item)
    return of.kind not in (Kind.ANY, Kind.MAP, Kind.PATH, Kind.DURATION)


def distinguishable(of: T) -> bool:
    """Whether DuckDB takes the same values of this type for equal as DISTINCT of Cypher does."""
    inner = [of.item] if of.item else []
    return (
        of.kind is not Kind.ANY
        and not of.nan
        and all(distinguishable(part) for part in (*inner, *(t for _, t in of.fields)))
    )
