"""The contract from relational to graph: which table is which node or edge, and how.

It is written once, by the source reader, as `mapping.json`. The data converter and the SQL
translator both read it; neither infers anything of its own.

Every table becomes either nodes or edges. Foreign keys of a node table become edges *and* stay
as properties, so that no value is lost (an orphaned value has a property and no edge). The
foreign-key columns of an edge table are its ends and no properties.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from schemagraph.model import Type


class Affinity(StrEnum):
    """How the source compares a column with literals (SQLite datatype3, section 3)."""

    TEXT = "TEXT"
    NUMERIC = "NUMERIC"
    INTEGER = "INTEGER"
    REAL = "REAL"
    BLOB = "BLOB"  # no conversion


class TextForm(StrEnum):
    """How every text of a column is written; EMPTY: there is none."""

    EMPTY = "empty"
    INTEGER = "integer"  # at most 15 digits, no plus, no leading zero
    DECIMAL = "decimal"  # at most 15 digits before and after an optional point
    WORD = "word"  # decimals, or words that do not begin like a number; of mixed columns: words
    DATE = "date"  # 2024-02-29
    DATETIME = "datetime"  # 2024-02-29 12:00:00
    TIME = "time"  # 12:00:00
    FREE = ""


class Semantics(StrEnum):
    """Whose comparisons, order, arithmetic and texts the source's values have."""

    PROPERTY = ""  # those of the property's values
    LABELS = "labels"  # an order of their own, as declared: of an enumerated type
    UUID = "uuid"  # those of texts of which constants have other spellings
    YEAR = "year"  # those of numbers of which constants below 100 are other ones: of MySQL's YEAR
    CHAR = "char"  # those of texts of which constants lose blanks at the end: full char(n)
    BITS = "bits"  # those of numbers whose texts are their bytes: of MySQL's BIT
    NUL = "nul"  # those of texts that functions and patterns read to the first U+0000: of SQLite
    SINGLE = "single"  # those of 32-bit floats, each of which is widened to 64 bits
    OWN = "own"  # their own altogether
    ROW = "row"  # their own, and NULL where all of its fields are: of a composite type


@dataclass(frozen=True, slots=True)
class Column:
    """One column and the property it became.

    `nullable` is what the data says: False means that no stored value is NULL, and of a
    table without rows that it is declared so.
    `mixed` columns hold several storage classes that no one type can carry: they are STRING,
    numbers in their shortest text, and no text of the column looks like one of its numbers.
    `literals` columns are mixed ones where that does not tell the classes apart: each value is
    its SQL literal (`1`, `1.0`, `'a'`, `X'00'`).
    `integers` is True where a FLOAT column stores some values as integers, for which the source
    divides as integers; of a mixed column without numeric affinity, where some numbers are real,
    so that equal ones may have two texts (`1` and `1.0`).
    `unseen` columns are of tables without rows and declared as nothing that says what they hold (no
    type in SQLite): `mixed`, `integers` and STRING stand for anything, and nothing is converted.
    `undecodable` columns hold text that is not UTF-8: they are BYTES, all values text.
    `collation` is how the source compares the column's text; BINARY is by bytes.
    `unique`: declared so (alone), and no two rows hold the same non-NULL value.
    `form` and `ascii` are facts of a STRING column: how all of its texts are written, and whether
    they are all ASCII; of a `mixed` column, `form` says it of what is text in the source. They
    decide which functions mean the same in a graph. `special_casing` are the letters in its texts
    whose case is no letter for a letter (`schemagraph.text_forms`), None where that is not known
    or `ascii` says it.
    `padding` is for columns whose texts are compared without regard to blanks at the end: what of
    `schemagraph.text_forms.Blanks` occurs in them, in words; None where blanks count.
    `signs` and `casings` are for columns of which the collation equates texts that differ
    (`schemagraph.text_forms.Spelling`): which characters but letters and digits of ASCII occur in
    them, None where that is not known or there are others than accented Latin letters, and the
    words of `schemagraph.text_forms.Casing` that all of them have.
    `one_spelling`: the source says that it takes no two of the column's texts for equal.
    `decimals` is for columns of exact numbers: how many digits each has after the point, -1 where
    each has as many as it needs. INTEGER and FLOAT hold them without loss; a STRING holds them as
    the source prints them.
    `digits` is for integers of 64 bits or more, and doubles, of engines that make decimals of
    either: how many digits the largest, or the longest, has without its sign; None where that is
    not known. `most` is for exact numbers: the whole number that none of them is larger than, in
    either direction; None where that is not known.
    `format` is for dates and times: the pattern in which the source holds or would print them
    (`schemagraph.temporal`), empty for ISO 8601.
    `required` (NOT NULL) and `values` (CHECK, ENUM) are declared. `semantics`: where the source's
    type compares, orders, computes or prints otherwise than a graph does the property's values.
    A BOOLEAN column of SQLite is stored as 0/1 in the source and is true/false in the graph.
    """

    name: str
    property: str
    declared: str
    affinity: Affinity
    type: Type
    nullable: bool = True
    mixed: bool = False
    integers: bool = False
    unique: bool = False
    literals: bool = False
    undecodable: bool = False
    collation: str = "BINARY"
    form: TextForm = TextForm.FREE
    ascii: bool = False
    special_casing: str | None = None
    padding: str | None = None
    signs: str | None = None
    casings: str = ""
    one_spelling: bool = False
    decimals: int | None = None
    digits: int | None = None
    most: int | None = None
    format: str = ""
    required: bool = False
    values: tuple[str | int, ...] = ()
    unseen: bool = False
    semantics: Semantics = Semantics.PROPERTY


@dataclass(frozen=True, slots=True)
class ForeignKey:
    """A declared reference of a node table, which became the edge type `edge`.

    The edge runs from this table's node to the referenced table's node.
    `complete`: every row has a non-NULL value that exists in the referenced table.
    """

    columns: tuple[str, ...]
    table: str
    referenced: tuple[str, ...]
    edge: str
    complete: bool = False


@dataclass(frozen=True, slots=True)
class NodeTable:
    """A table whose rows are nodes of the type `label`.

    `key` are the columns that identify a row; when there are none, `row_key` is the name of the
    property that numbers the rows (1, 2, …) in the source's order. `unique` are further sets of
    several columns, declared, in which no two rows agree.
    """

    table: str
    label: str
    columns: tuple[Column, ...]
    key: tuple[str, ...] = ()
    row_key: str = ""
    foreign_keys: tuple[ForeignKey, ...] = ()
    unique: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class End:
    """One end of an edge table: its columns, the table they reference, the columns there."""

    columns: tuple[str, ...]
    table: str
    referenced: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class EdgeTable:
    """A link table whose rows are edges of the type `edge` from `source` to `target`.

    `columns` are those that became edge properties; the ends' columns are not among them but in
    `end_columns`, for names and affinity. All rows have both ends. `order` has the names of all
    columns as the table has them, which is what `SELECT *` gives.
    """

    table: str
    edge: str
    source: End
    target: End
    columns: tuple[Column, ...] = ()
    end_columns: tuple[Column, ...] = ()
    key: tuple[str, ...] = ()
    order: tuple[str, ...] = ()


@dataclass(frozen=True)
class Mapping:
    """How every table of one database became part of a graph; `edge` names are edge labels.

    `ordering` is a collation that orders texts of the source otherwise than by their characters'
    numbers, though it tells different ones apart; BINARY where there is none.
    """

    dialect: str
    nodes: tuple[NodeTable, ...]
    edges: tuple[EdgeTable, ...] = ()
    version: int = 1
    ordering: str = "BINARY"

    @cached_property
    def by_table(self) -> dict[str, NodeTable | EdgeTable]:
        """Tables by case-folded name, as SQL resolves them."""
        tables: list[NodeTable | EdgeTable] = [*self.nodes, *self.edges]
        return {t.table.casefold(): t for t in tables}

    @cached_property
    def node_by_table(self) -> dict[str, NodeTable]:
        """Node tables by exact name."""
        return {t.table: t for t in self.nodes}

    def edge_name(self, source: str, label: str, target: str) -> str:
        """The `EdgeType.name` of edges between the nodes of two tables."""
        ends = (self.node_by_table[source].label, self.node_by_table[target].label)
        return f"{ends[0]}-{label}-{ends[1]}"
