"""What joins are made of: classes of equal columns, edges of a pattern, equalities."""

from __future__ import annotations

from dataclasses import dataclass, field

from sqlglot import exp

from schemagraph.mapping import Affinity, NodeTable
from schemagraph.mapping import Column as SourceColumn
from schemagraph.model import NUMERIC, TEMPORAL, Kind
from schemagraph.temporal import format_of
from schemagraph.text_forms import Blanks
from translators.from_sql.expressions.conditions import Column, Condition
from translators.from_sql.statement.from_items import EdgeItem, FromItem, NodeItem
from translators.from_sql.statement.spelling import spelled_alike
from translators.from_sql.statement.values import blanks_of

type Key = tuple[str, str]  # variable, column of its table


class Classes:
    """Columns known to be equal (union-find)."""

    def __init__(self) -> None:
        self._parent: dict[Key, Key] = {}

    def find(self, key: Key) -> Key:
        """The representative of the key's class."""
        while (up := self._parent.get(key, key)) != key:
            key = up
        return key

    def copy(self) -> Classes:
        """Another set of classes, equal so far."""
        other = Classes()
        other._parent = dict(self._parent)
        return other

    def union(self, one: Key, other: Key) -> None:
        """The two are equal."""
        self._parent[self.find(other)] = self.find(one)

    def same(self, one: Key, other: Key) -> bool:
        """Whether the two are known to be equal."""
        return self.find(one) == self.find(other)


@dataclass(frozen=True, slots=True)
class Link:
    """One edge of the pattern: of a link table (`var`), or of a foreign key (`columns`)."""

    type: str
    source: str
    target: str
    var: str | None = None
    columns: tuple[str, ...] = ()


@dataclass(eq=False, slots=True)
class Pattern:
    """What a block matches: new node variables with their tables, edges, and what is left."""

    nodes: dict[str, NodeTable] = field(default_factory=dict)
    links: list[Link] = field(default_factory=list)
    rest: list[Condition] = field(default_factory=list)
    equal: list[tuple[Column, Column]] = field(default_factory=list)


def key_of(column: Column) -> Key:
    reference = column.source.ref(column.name)
    if reference is None:
        return (f"derived {id(column.source)}", column.name)
    source, exact = reference
    assert isinstance(source, NodeItem | EdgeItem)  # noqa: S101 - only those are tables
    return source.var, exact.name


def equality(condition: Condition) -> tuple[Column, Column] | None:
    """The two columns that a condition equates, if that is what it does."""
    node, site = condition.node, condition.site
    if condition.maybe:
        return None
    if condition.partner is not None:
        sides = [(site, node.unnest()), (condition.partner[0], condition.partner[1].unnest())]
    elif isinstance(node, exp.EQ):
        sides = [(site, node.this.unnest()), (site, node.expression.unnest())]
    else:
        return None
    columns = []
    for where, side in sides:
        holder = where.holder(side) if isinstance(side, exp.Column) else None
        if holder is None or holder[0].ref(holder[1]) is None:
            return None
        columns.append(Column(*holder))
    return columns[0], columns[1]


def _is_end(own: tuple[FromItem, SourceColumn], other: tuple[FromItem, SourceColumn]) -> bool:
    """Whether a column of a link table's one end is compared with what it references alone."""
    (edge, column), (node, referenced) = own, other
    if not isinstance(edge, EdgeItem) or not isinstance(node, NodeItem):
        return False
    return any(
        end.table is node.table
        and (end.columns, end.referenced) == ((column.name,), (referenced.name,))
        for end in edge.ends
    )


def comparable(one: Column, other: Column) -> bool:
    """Whether equality of the two is equality of the graph's values."""
    left, right = one.source.ref(one.name), other.source.ref(other.name)
    if left is None or right is None or left[0] is right[0]:
        return False
    a, b = left[1], right[1]
    if _is_end(left, right) or _is_end(right, left):
        return True  # the converter made the edge by SQL's comparison, whatever the types
    return alike(a, b)


def alike(a: SourceColumn, b: SourceColumn) -> bool:
    """Whether equality of two columns is equality of the graph's values."""
    binary = {a.collation, b.collation} == {"BINARY"}
    if not (binary or spelled_alike(a, b)) or a.literals or b.literals:
        return False
    paddings = {blanks_of(a), blanks_of(b)}
    mixed = len(paddings) > 1 and None in paddings
    if mixed or any(each and Blanks.END in each for each in paddings):
        return False
    if a.mixed or b.mixed:
        real = {a.affinity is Affinity.REAL, b.affinity is Affinity.REAL}
        return a.mixed and b.mixed and len(real) == 1 and not (a.integers or b.integers)
    if a.type.kind in TEMPORAL and not format_of(a.format).alike(format_of(b.format)):
        return False
    numbers = {a.type.kind, b.type.kind} <= NUMERIC
    return numbers or (a.type.kind is b.type.kind and a.type.kind is not Kind.BYTES)
