"""`Sql`, a typed piece of text, DuckDB's operators, and what a variable of the query stands for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from graph_ir.temporal.values import Moment, Span
from translators.duckdb.model.types import T
from translators.printing import (
    ATOM,
    Code,
    Infix,
    Postfix,
    Prefix,
    between,
    chained,
    level_of,
    wrap,
)

# How tightly a text binds: every operation is in parentheses beside another one, because DuckDB
# has its own order of them, and a connective beside a connective, so that nobody has to know it.
CONNECTIVE, OPERATION = 1, 2
OPERATORS: Final[Mapping[str, Infix]] = {
    "AND": between("AND", CONNECTIVE, OPERATION),
    "OR": between("OR", CONNECTIVE, OPERATION),
    **{
        sign: between(sign, OPERATION, ATOM)
        for sign in ("=", "<>", "<", "<=", ">", ">=", "+", "-", "*", "/", "//", "%", "||", "IN")
    },
}
GUARD: Final = chained("AND", OPERATION)  # of a test that is part of another one
NEGATION, MINUS = Prefix("NOT ", OPERATION, ATOM), Prefix("-", OPERATION, ATOM)
IS_NULL, IS_NOT_NULL = (Postfix(sign, OPERATION, ATOM) for sign in (" IS NULL", " IS NOT NULL"))


@dataclass(frozen=True, slots=True)
class Sql:
    """An expression's text and type.

    `null`: can be NULL. `literal`: a bare number, which DuckDB may take for a 32-bit integer or, in
    GROUP BY, for a position; `chosen`: one of several such numbers. `const` is the value of a
    temporal constant.
    """

    text: str
    type: T
    null: bool = True
    literal: bool = False
    const: bool | int | float | str | Moment | Span | None = None
    chosen: bool = False

    @property
    def short(self) -> bool:
        """Whether DuckDB may take it for a 32-bit integer, and then computes with 32 bits."""
        return self.literal or self.chosen

    @property
    def atom(self) -> bool:
        """Whether it needs no parentheses as an operand."""
        return level_of(self.text) == ATOM

    @property
    def operand(self) -> str:
        """The text, in parentheses where it could fall apart beside an operator."""
        return wrap(self.text, ATOM)


def composed(text: str, of: T, *, null: bool = True) -> Sql:
    """An expression with an operator at its top."""
    return Sql(operation(text), of, null=null)


def operation(text: str) -> Code:
    """A text with an operator at its top."""
    return Code(text, OPERATION)


def infix(sign: str, a: Sql, b: Sql, of: T) -> Sql:
    """An operator between two operands, NULL where one of them is."""
    return Sql(OPERATORS[sign](a.text, b.text), of, null=a.null or b.null)


@dataclass(frozen=True, slots=True)
class Value:
    """A variable that is one expression: a column, an item of a list."""

    sql: Sql

    @property
    def type(self) -> T:
        """The static type."""
        return self.sql.type


@dataclass(frozen=True, slots=True)
class Element:
    """A node or edge of the current FROM, never NULL.

    `base`: `alias` names a node or edge table itself, so that identity is made of its rowid;
    otherwise it names a relation with `$id` and the fields of the layout.
    """

    alias: str
    type: T
    base: bool


@dataclass(frozen=True, slots=True)
class Hopping:
    """The edges of a variable-length pattern: `alias` is a relation of walks.

    Its columns are `edges`, `nodes` (those after the first, the last included) and `ids` (the
    identities of the edges); `type` and `nodes` are the types of one edge and one node.
    """

    alias: str
    type: T
    nodes: T


@dataclass(frozen=True, slots=True)
class PathBinding:
    """A path variable over elements of the current FROM: node, edge, node, …

    A `Hopping` among the edges brings its nodes along, the one at its end included.
    """

    nodes: tuple[Element | Value, ...]
    edges: tuple[Element | Value | Hopping, ...]
    type: T


type Binding = Value | Element | PathBinding | Hopping


@dataclass(frozen=True, slots=True)
class Scope:
    """Variables that an expression sees.

    `order` sorts what `collect` collects. `ungrouped` are those that mean something else inside
    an aggregate: a grouping key there is a row's value, not the group's.
    """

    env: dict[str, Binding] = field(default_factory=dict)
    order: tuple[str, ...] = ()
    ungrouped: dict[str, Binding] = field(default_factory=dict)
