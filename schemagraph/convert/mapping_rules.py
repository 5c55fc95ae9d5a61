"""The rules by which tables become nodes and edges, and what they are called.

A table becomes an **edge type** if it is a link table:
- it has exactly two foreign keys, on disjoint columns (both may reference one table);
- no table references it;
- its primary key is absent or contains all columns of both foreign keys;
- every row has both ends (of a table without rows, NOT NULL has to say so), the referenced columns
  identify a row, and the values can be had back from what they reference (`'1'` from `1`, but not
  `'01'`).

Its source is the first foreign key by column order, unless the table is called by both ends the
other way round (`film_actor` runs from film to actor) or only the second is one who acts
(`writes` runs from author to paper). Every other table becomes a **node type**,
with an edge type for each of its foreign keys that identifies a row of the referenced table. A
foreign key whose value finds no row leaves the value as a property and makes no edge.

The key of a node is the primary key, else a UNIQUE column set, where the data has no NULL and no
value twice in it; else a property numbers the rows. Labels differ in more than case from each
other, and so do the properties of a type; names that clash get a number.
"""

from __future__ import annotations

from collections.abc import Mapping as Dict
from collections.abc import Sequence, Set
from dataclasses import dataclass, field, replace
from typing import Any

from graphmill.english.names import words
from graphmill.errors import SourceError
from schemagraph import naming
from schemagraph.convert import edge_naming
from schemagraph.convert.column_types import ColumnType, unseen_type
from schemagraph.convert.facts import ReferenceFacts, TableFacts
from schemagraph.convert.table_choices import Choice, Choices
from schemagraph.mapping import (
    Column,
    EdgeTable,
    End,
    ForeignKey,
    Mapping,
    NodeTable,
    Semantics,
)
from schemagraph.model import EdgeType, Kind, NodeType, Property, SchemaGraph, Type
from schemagraph.relational import Reference, SourceColumn, SourceTable
from schemagraph.text_forms import Blanks

ROW_KEY = "row_number"


@dataclass(frozen=True, slots=True)
class Decided:
    """A mapping, with a sentence for each decision and each warning."""

    mapping: Mapping
    decisions: tuple[str, ...]
    warnings: tuple[str, ...]


@dataclass
class _Names:
    """Names given so far: node labels by table, and the labels of edges by their ends."""

    nodes: dict[str, str] = field(default_factory=dict)
    labels: naming.Given = field(default_factory=naming.Given)
    edges: dict[tuple[str, str], list[str]] = field(default_factory=dict)

    def node(self, table: str, wish: str) -> str:
        self.nodes[table] = self.labels.name(wish or naming.label(table))
        if wish and self.nodes[table] != wish:
            raise SourceError(f"Table {table} cannot have the label {wish}: another one has it.")
        return self.nodes[table]

    def edge(self, source: str, target: str, wishes: Sequence[str]) -> str:
        taken = self.edges.setdefault((source, target), [])
        wishes = [wish for wish in wishes if wish not in self.labels] or [f"HAS_{wishes[0]}"]
        free = [wish for wish in wishes if wish not in taken]
        label = free[0] if free else naming.distinct(wishes[0], taken)
        taken.append(label)
        return label


def decide(
    dialect: str,
    tables: Sequence[SourceTable],
    facts: Dict[str, TableFacts],
    choices: Choices,
) -> Decided:
    """Apply the rules, and what a user chose, to all tables of one database.

    Raises:
        SourceError: a choice cannot be followed.
    """
    links = set()
    problems: dict[str, str] = {}
    referenced = {reference.table for table in tables for reference in table.references}
    for table in tables:
        form = choices.get(table.name, Choice()).form
        problem = ""
        if form != "nodes":
            problem = _no_link(table, facts[table.name], referenced, chosen=form == "edges")
        if form == "edges" and problem:
            raise SourceError(f"Table {table.name} cannot be edges: {problem}.")
        if form != "nodes" and not problem:
            links.add(table.name)
        if len(table.references) == 2:
            problems[table.name] = problem or "it was chosen so"
    names = _Names()
    for table in tables:
        if table.name not in links:
            names.node(table.name, choices.get(table.name, Choice()).label)
    decisions: list[str] = []
    warnings: list[str] = []
    nodes, edges = [], []
    for table in tables:
        if table.name not in links:
            choice = choices.get(table.name, Choice())
            nodes.append(_node(table, facts[table.name], names, choice, decisions, warnings))
            if table.name in problems:
                decisions.append(f"Table {table.name} is no link table: {problems[table.name]}.")
    for table in tables:
        if table.name in links:
            choice = choices.get(table.name, Choice())
            edges.append(_edge(table, facts[table.name], names, choice, decisions))
    collations = (column.ordering for table in tables for column in table.columns)
    ordering = next((each for each in collations if each != "BINARY"), "BINARY")
    mapping = Mapping(dialect, tuple(nodes), tuple(edges), ordering=ordering)
    return Decided(mapping, tuple(decisions), tuple(warnings))


def _no_link(
    table: SourceTable, facts: TableFacts, referenced: Set[str], *, chosen: bool = False
) -> str:
    """Why a table is no link table; empty where it is one.

    Where no row shows that it has both ends, NOT NULL, the key or a user who `chosen` it says so.
    """
    if len(table.references) != 2:
        return f"it has {len(table.references)} foreign keys, and an edge has two ends"
    first, second = table.references
    columns = {*first.columns, *second.columns}
    if len(columns) < len(first.columns) + len(second.columns):
        return "its foreign keys share a column"
    if table.name in referenced:
        return "a table references it"
    if table.key and not columns <= set(table.key):
        return "it has a key of its own"
    for reference_facts in facts.references.values():
        if reference_facts.matched != facts.rows:
            return "a row lacks an end"
        if not (facts.rows or chosen) and any(
            _may_be_null(table, facts, column) for column in table.columns if column.name in columns
        ):
            return "a row may lack an end, as its foreign keys are not NOT NULL and it has no rows"
        if not reference_facts.unique or reference_facts.folded:
            return "a foreign key identifies no row"
        if not reference_facts.restored:
            return "values cannot be had back from what they reference"
    return ""


def _columns(table: SourceTable, facts: TableFacts) -> tuple[Column, ...]:
    taken: list[str] = []
    known: set[str] = set()  # the same, without case
    made = []
    plain = {c.name for c in table.columns if naming.property_name(c.name) == c.name}
    for column, column_facts in zip(table.columns, facts.columns, strict=True):
        name = column.name
        if name not in plain:  # a made name gives way to a column that is called so
            name = naming.distinct(naming.property_name(name), [*taken, *plain])
        elif name.casefold() in known:
            name = naming.distinct(name, taken)
        taken.append(name)
        known.add(name.casefold())
        kind = column_facts.type if facts.rows else unseen_type(column)
        full = _is_full(column, kind)
        nullable = column_facts.nulls > 0 or (not facts.rows and _may_be_null(table, facts, column))
        made.append(
            Column(
                column.name,
                name,
                column.declared,
                column.affinity,
                Type(kind.type.kind, kind.type.item, nullable=nullable),
                nullable=nullable,
                mixed=kind.mixed,
                integers=kind.integers,
                unique=column_facts.unique,
                literals=kind.literals,
                undecodable=kind.undecodable,
                collation="BINARY" if full else column.collation,
                form=kind.form,
                ascii=kind.ascii,
                special_casing=kind.special_casing,
                padding=" ".join(kind.blanks) if column.pads and not _is_char(column) else None,
                **_spelling(column, kind),
                decimals=kind.decimals,
                digits=kind.digits,
                most=kind.most,
                format=kind.format.pattern(kind.type.kind),
                required=not column.nullable and not column_facts.nulls,
                values=_closed(column.values, kind),
                unseen=kind.unseen,
                semantics=Semantics.CHAR if full else _semantics(column, kind),
            )
        )
    return tuple(made)


def _is_char(column: SourceColumn) -> bool:
    """Whether a column is a char(n) of PostgreSQL, which compares texts without blanks at the end,
    as SQLite does under RTRIM."""
    return column.pads and column.collation == "RTRIM"


def _is_full(column: SourceColumn, kind: ColumnType) -> bool:
    """Whether every text of a char(n) has its whole length, so that no blank is at the end of any:
    they are equal, in order, as long and in patterns as other texts are
    (https://www.postgresql.org/docs/current/datatype-character.html)."""
    return _is_char(column) and kind.type.kind is Kind.STRING and Blanks.END not in kind.blanks


def _spelling(column: SourceColumn, kind: ColumnType) -> dict[str, Any]:
    """What is known of texts of which the collation may take different ones for equal."""
    if not column.folds:
        return {}
    return {
        "signs": kind.spelling.signs,
        "casings": " ".join(sorted(kind.spelling.casings)),
        "one_spelling": column.one_spelling,
    }


def _semantics(column: SourceColumn, kind: ColumnType) -> Semantics:
    """Those of the type; values that no other property holds than a text have their own, and so
    has NaN, which SQL takes for equal to itself and for the greatest number. Texts of SQLite have
    those of the values, as its types say nothing."""
    if kind.nul:
        return Semantics.NUL
    kept = column.type is not None and column.type.kind is not kind.type.kind is Kind.STRING
    return Semantics.OWN if kept or kind.nan else column.semantics


def _closed(declared: tuple[str | int, ...], kind: ColumnType) -> tuple[str | int, ...]:
    """A closed set of the type that a column's values have; none where they have another."""
    of = {Kind.STRING: str, Kind.INTEGER: int}.get(kind.type.kind)
    fits = of is not None and not kind.mixed and all(isinstance(each, of) for each in declared)
    return declared if fits else ()


def _may_be_null(table: SourceTable, facts: TableFacts, column: SourceColumn) -> bool:
    """Whether a table without rows may get a NULL there: what no data show, NOT NULL has to say."""
    key = facts.keys[0] if facts.keys else ()
    return column.nullable and column.name not in (*table.key, *key)


def _node(
    table: SourceTable,
    facts: TableFacts,
    names: _Names,
    choice: Choice,
    decisions: list[str],
    warnings: list[str],
) -> NodeTable:
    label = names.nodes[table.name]
    columns = _columns(table, facts)
    key = facts.keys[0] if facts.keys else ()
    row_key = "" if key else naming.distinct(ROW_KEY, [c.property for c in columns])
    named = f"key {', '.join(key)}" if key else f"no key, so {row_key} numbers the rows"
    decisions.append(f"Table {table.name} ({facts.rows} rows) becomes nodes {label}: {named}.")
    if table.key and table.key not in facts.keys:
        warnings.append(
            f"Table {table.name}: the primary key ({', '.join(table.key)}) holds NULL or a value "
            f"twice and identifies no row."
        )
    for column, declared in zip(columns, table.columns, strict=True):
        warnings.extend(_column_warnings(table.name, column, declared))
    references = []
    for reference, reference_facts in facts.references.items():
        where = f"{table.name} ({', '.join(reference.columns)})"
        to = f"{reference.table} ({', '.join(reference.referenced)})"
        if problem := _no_edge(reference, reference_facts):
            warnings.append(f"Foreign key {where} to {to}: {problem}; it stays a property.")
            continue
        target = names.nodes[reference.table]
        given = choice.edges.get(reference)
        edge = names.edge(label, target, [given] if given else _wishes(table, reference))
        references.append(
            ForeignKey(
                reference.columns,
                reference.table,
                reference.referenced,
                edge,
                complete=reference_facts.matched == facts.rows
                and not any(one.nullable for one in columns if one.name in reference.columns),
            )
        )
        decisions.append(
            f"Foreign key {where} to {to} becomes edges "
            f"({label})-[:{edge}]->({target}): {reference_facts.matched}."
        )
        if reference_facts.matched < reference_facts.filled:
            shown = ", ".join(_shown(values) for values in reference_facts.orphans)
            warnings.append(
                f"Foreign key {where} to {to}: "
                f"{reference_facts.filled - reference_facts.matched} of {reference_facts.filled} "
                f"values find no row and make no edge, for example {shown}."
            )
    unique = tuple(each for each in facts.unique if each != key)
    return NodeTable(table.name, label, columns, key, row_key, tuple(references), unique)


def _column_warnings(table: str, column: Column, declared: SourceColumn) -> list[str]:
    where = f"Column {table}.{column.name}"
    if declared.type is not None and declared.type.kind is not column.type.kind:
        return _typed_warnings(f"{where} ({declared.declared})", column, declared.type)
    if column.unseen:
        return [f"{where}: no row and no type shows what it holds; it is compared with nothing."]
    if column.undecodable:
        return [f"{where} holds text that is not UTF-8: its property is binary."]
    if column.literals:
        return [f"{where} holds values of several types: each is kept as its SQL literal."]
    if column.mixed:
        return [f"{where} holds numbers and text: its property is text."]
    return []


def _typed_warnings(where: str, column: Column, declared: Type) -> list[str]:
    if column.type.kind is not Kind.STRING:
        return []  # decimals without a fraction are integers
    if column.decimals is not None:
        return [f"{where} holds numbers of more digits than fit: each is kept as its text."]
    return [f"{where} holds values that are no {declared} of a graph: each is kept as its text."]


def _shown(values: tuple[object, ...]) -> str:
    text = ", ".join(repr(value) for value in values)
    return text if len(values) == 1 else f"({text})"


def _no_edge(reference: Reference, reference_facts: ReferenceFacts) -> str:
    if not reference.referenced:
        return f"it names no columns of {reference.table}, whose primary key does not fit"
    if not reference_facts.unique:
        return "several rows there hold the same value, so that it identifies none"
    if reference_facts.folded:
        return "the collation of the columns equates values that differ"
    return ""


def _wishes(table: SourceTable, reference: Reference) -> list[str]:
    """Labels for the edges of a foreign key, the best first."""
    best = edge_naming.reference_label(
        table.name, reference.columns, reference.table, reference.referenced
    )
    parts = [word for column in reference.columns for word in words(column)]
    return [best, naming.upper_snake(["has", *parts])]


def _edge(
    table: SourceTable, facts: TableFacts, names: _Names, choice: Choice, decisions: list[str]
) -> EdgeTable:
    order = {column.name: n for n, column in enumerate(table.columns)}
    first, second = sorted(table.references, key=lambda r: order[r.columns[0]])
    if edge_naming.runs_backwards(table.name, first.table, second.table) != choice.reverse:
        first, second = second, first
    source, target = names.nodes[first.table], names.nodes[second.table]
    wish = edge_naming.link_label(table.name, first.table, second.table, second.columns)
    plain = naming.upper_snake(words(naming.label(table.name)))
    edge = names.edge(source, target, [choice.label] if choice.label else [wish, plain])
    ends = {*first.columns, *second.columns}
    columns = _columns(table, facts)
    decisions.append(
        f"Table {table.name} ({facts.rows} rows) becomes edges "
        f"({source})-[:{edge}]->({target}): a link table."
    )
    return EdgeTable(
        table.name,
        edge,
        End(first.columns, first.table, first.referenced),
        End(second.columns, second.table, second.referenced),
        tuple(column for column in columns if column.name not in ends),
        tuple(
            replace(column, type=replace(column.type, nullable=False), nullable=False)
            for column in columns
            if column.name in ends
        ),
        table.key,
        tuple(column.name for column in table.columns),
    )


def schema_of(mapping: Mapping, name: str) -> SchemaGraph:
    """The schema of the graph that a mapping describes."""
    nodes, edges = [], []
    for node in mapping.nodes:
        by_name = {column.name: column for column in node.columns}
        first = [_property(replace(by_name[column], required=True)) for column in node.key]
        if node.row_key:
            whole = Type(Kind.INTEGER, nullable=False)
            note = "The number of the row in its table."
            first = [Property(node.row_key, whole, nullable=False, note=note)]
        rest = [_property(column) for column in node.columns if column.name not in node.key]
        key = tuple(p.name for p in first)
        sets = tuple(tuple(by_name[name].property for name in each) for each in node.unique)
        nodes.append(NodeType((node.label,), (*first, *rest), key, unique=sets))
        for reference in node.foreign_keys:
            target = mapping.node_by_table[reference.table].label
            own = [by_name[column] for column in reference.columns]
            needed = all(column.required for column in own)
            only = len(own) == 1 and (own[0].unique or tuple(node.key) == reference.columns)
            edges.append(
                EdgeType(
                    reference.edge,
                    node.label,
                    target,
                    targets="1" if needed and reference.complete else "0..1",
                    sources="0..1" if only else "",
                )
            )
    for link in mapping.edges:
        source = mapping.node_by_table[link.source.table].label
        target = mapping.node_by_table[link.target.table].label
        properties = tuple(_property(column) for column in link.columns)
        once = {(column.name,) for column in link.end_columns if column.unique}
        edges.append(
            EdgeType(
                link.edge,
                source,
                target,
                properties,
                targets="0..1" if link.source.columns in once else "",
                sources="0..1" if link.target.columns in once else "",
            )
        )
    return SchemaGraph(name, tuple(nodes), tuple(edges))


def _property(column: Column) -> Property:
    note = ""
    if column.literals:
        note = "Values of several types, each as its SQL literal."
    elif column.unseen:
        note = "Of what type its values are, no row shows."
    elif column.mixed:
        note = "Numbers and texts, as text."
    elif column.undecodable:
        note = "Text that is not UTF-8, as its bytes."
    return Property(
        column.property,
        replace(column.type, nullable=not column.required),
        not column.required,
        note,
        unique=column.unique,
        values=column.values,
    )
