"""`Sql`, a typed piece of text, and `Binding`, what a variable of the query stands for."""

from __future__ import annotations

from dataclasses import dataclass, field

from graph_ir.temporal.values import Moment, Span
from translators.duckdb.model.types import T


@dataclass(frozen=True, slots=True)
class Sql:
    """An expression's text and type.

    `atom`: needs no parentheses as an operand. `null`: can be NULL. `literal`: a bare number,
    which DuckDB may take for a 32-bit integer or, in GROUP BY, for a position. `const` is the value
    of a temporal constant.
    """

    text: str
    type: T
    atom: bool = True
    null: bool = True
    literal: bool = False
    const: bool | int | float | str | Moment | Span | None = None

    @property
    def operand(self) -> str:
        """The text, in parentheses where it could fall apart beside an operator."""
        return self.text if self.atom else f"({self.text})"


def composed(text: str, of: T, *, null: bool = True) -> Sql:
    """An expression with an operator at its top."""
    return Sql(text, of, atom=False, null=null)


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
