"""LadybugDB: Cypher over node and relationship tables, in this process.

Its tables are those of `graphmill schema --to ladybugdb`. The database is in memory; a text that
does not only read, or that reads files, is refused before LadybugDB sees it, and after loading the
process can open no file. It shares no code with the other engines: it descends from Kuzu.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from itertools import islice, pairwise
from pathlib import Path
from typing import Any, ClassVar, Self

from engines.backends._not_a_number import orders_zeros
from engines.backends._wide_numbers import compares_wide_numbers
from engines.base import MAX_ROWS, Engine, Needs, Result, Unsound
from engines.graph import BATCH, edge_batches, key_of, node_batches
from engines.guard import bare, refuse_files
from engines.hazards.stored import (
    Hazard,
    StoredValues,
    float_properties,
    refuse_hazards,
    stored_values,
)
from engines.values import plain
from graph_ir import nodes as ir
from graph_ir.walk import find
from graphmill.errors import EngineUnavailable, QueryError, QueryTimeout, QueryTooLarge
from schemagraph.folder.serde import load_schema
from schemagraph.folder.small import schema_folder
from schemagraph.model import EdgeType, Kind, NodeType, Property, SchemaGraph
from schemagraph.targets.base import Export, single_key
from schemagraph.targets.ladybugdb import TARGET, column_name, has_one_type, table_names
from schemagraph.targets.neo4j import quoted

POOL = 256 << 20  # bytes of the buffer pool
SIZE = 1 << 34  # bytes of address space that the database may take
_READ = re.compile(r"\s*(MATCH|OPTIONAL|UNWIND|WITH|RETURN)\b", re.IGNORECASE)
_OTHER = re.compile(
    r"\b(LOAD|COPY|CALL|CREATE|MERGE|DELETE|SET|DROP|ALTER|ATTACH|DETACH|INSTALL|EXPORT|IMPORT"
    r"|USE|COMMENT|BEGIN|COMMIT|ROLLBACK|CHECKPOINT)\b",
    re.IGNORECASE,
)


def _nan(statement: ir.Statement) -> bool:
    """Whether there may be a value that is no number: 0.0 / 0.0, the root of a negative."""
    roots = (call for call in find(statement, ir.Call) if call.name == "sqrt")
    quotients = (
        arith
        for arith in find(statement, ir.Arith)
        if arith.op is ir.ArithOp.DIV
        and not (isinstance(arith.right, ir.Literal) and arith.right.value)
    )
    return any(roots) or any(quotients)


def _closed(statement: ir.Statement) -> bool:
    """Whether the edges of a MATCH lead back to where it has been."""
    for match in find(statement, ir.Match):
        nodes = [node for path in match.paths for node in _nodes(path)]
        distinct = len({node.var for node in nodes if node.var}) + sum(not n.var for n in nodes)
        if sum(len(path.steps) for path in match.paths) >= distinct:
            return True
    return False


def _conditioned_end(statement: ir.Statement) -> bool:
    """Whether a MATCH, with those that follow it, has conditions on an edge and on its node that no
    other edge of it meets, or, where it has three edges, any at all: LadybugDB 0.22 then loses or
    adds rows (91 of 355 random texts of that kind, none of 476 others)."""
    for matches in _joined(statement):
        paths = [path for match in matches for path in match.paths]
        nodes = [node for path in paths for node in _nodes(path)]
        wheres = [match.where for match in matches if match.where is not None]
        props = [prop for where in wheres for prop in find(where, ir.Prop)]
        read = {prop.base.name for prop in props if isinstance(prop.base, ir.Var)}
        read |= {node.var for node in nodes if node.var and _is_conditioned(node, read)}
        steps = [
            (step.edge, ends)
            for path in paths
            for ends, step in zip(pairwise(_nodes(path)), path.steps, strict=True)
        ]
        met = Counter(_known(node) for _, ends in steps for node in ends)
        many = len(steps) >= _MANY
        for edge, ends in steps if len(steps) > 1 else ():
            at_ends = any(met[_known(n)] == 1 and _is_conditioned(n, read) for n in ends)
            conditioned = _is_conditioned(edge, read)
            if conditioned and (many or at_ends):
                return True
            if many and any(_is_conditioned(node, read) for node in ends):
                return True
    return False


def _joined(statement: ir.Statement) -> Iterator[list[ir.Match]]:
    """What is matched at once: each MATCH with those that follow it, each OPTIONAL MATCH alone."""
    for query in find(statement, ir.Query):
        matches: list[ir.Match] = []
        for clause in query.clauses:
            if isinstance(clause, ir.Match) and not clause.optional:
                matches.append(clause)
                continue
            yield matches
            matches = []
            if isinstance(clause, ir.Match):
                yield [clause]
        yield matches


_MANY = 3  # edges that are matched at once


def _known(node: ir.NodePattern) -> str:
    """What tells a node of a pattern from others."""
    return node.var or str(id(node))


def _nodes(path: ir.Path) -> list[ir.NodePattern]:
    return [path.head, *(step.node for step in path.steps)]


def _is_conditioned(part: ir.EdgePattern | ir.NodePattern | ir.Quantified, read: set[str]) -> bool:
    if isinstance(part, ir.Quantified):
        return True
    return part.props is not None or part.where is not None or part.var in read


_CASES = frozenset({"tolower", "toupper", "lower", "upper"})
_SIGNS = frozenset({"sign"})
_TRIMS = frozenset({"trim", "ltrim", "rtrim", "btrim"})


def _calls(statement: ir.Statement, names: frozenset[str]) -> bool:
    """Whether a function of these names is called."""
    return any(call.name.casefold() in names for call in find(statement, ir.Call))


_ANYWHERE = r"-\[|\]-|--|<-|->|\(\w*\)"
# What may have infinity less infinity, or infinity times 0: not with a number beside it.
_BEFORE = r"(?<![1-9.])(?<![1-9.] )[-+*/%]"
_BEHIND = r"[-+*/%](?!-|\[|>|\s*[\d.]*[1-9])"

HAZARDS = (
    Hazard(
        "below_zero",
        r"\.`?NAME_?(?!\w)",
        r"\s[<>]=?\s+(?!-?[\d.]*[1-9])|(?i:\bORDER\s+BY\b|\bDISTINCT\b|\bUNION\b)"
        r"|(?i:\b(?:count|sum|avg|min|max|collect|sign)\()",
        "LadybugDB has -0.0 and 0.0 for two values in groups, and for one in comparisons.",
        _ANYWHERE,
    ),
    Hazard(
        "infinite",
        rf"\w\.`?NAME_?`?\s*{_BEHIND}|{_BEFORE}\s*\w+\.`?NAME_?(?!\w)",
        r"\s(?:<>|[<>]=?|=)\s|(?i:\bIN\b|\bORDER\s+BY\b|\b(?:min|max)\()",
        "LadybugDB has what is no number, such as infinity less infinity, below every number.",
        _ANYWHERE,
    ),
)


_COMPARES = r"(?:<>|[<>]=?|=|\bIN\s*\[)"
_CAST = r"cast\((?:[^()]|\([^()]*\))*AS DOUBLE\)"
_WIDE_FLOAT = r"\d{16,}\.\d|\de(?:1[5-9]|[2-9]\d|\d{3})"
_WORD = r"\b(?:AND|OR|XOR|WHEN|THEN|ELSE|END|WITH|WHERE|RETURN)\b"


def _wide(schema: SchemaGraph) -> Hazard:
    """Integers beyond 2^53 that a text holds against a float: a constant, a property, what is
    cast."""
    names = {re.escape(column_name(name)) for _, name in float_properties(schema)}
    owned = "|".join(sorted(names)) or "(?!)"
    given = rf"(?:{_CAST}|\w\.`?(?:{owned})`?(?!\w)|{_WIDE_FLOAT})"
    own = r"\w\.`?NAME_?(?!\w)"
    test = rf"(?:(?!{_WORD})[^,\n])*{_COMPARES}(?:(?!{_WORD})[^,\n])*"
    listed = rf"{own}(?:(?!{_WORD})[^,\n])*\bIN\s*\[[^\]]*{given}"
    mapped = rf"\{{[^}}]*`?(?:{owned})`?: [^,}}]*{own}"
    kept = rf"\bWITH\b(?:(?!\b(?:MATCH|RETURN)\b)[^\n])*cast\({own}`? AS DOUBLE\) AS \w"
    return Hazard(
        "wide",
        rf"{own}{test}{given}|{given}{test}{own}|{listed}|{mapped}|{kept}[\s\S]*{_COMPARES}",
        _COMPARES + r"|\{",
        "Beyond 2^53 LadybugDB has an integer for equal to the float that is next to it.",
        _ANYWHERE,
    )


class Ladybug(Engine):
    """One graph in memory; nodes in answers are told by their keys."""

    name: ClassVar[str] = "ladybug"
    languages: ClassVar[tuple[str, ...]] = ("cypher",)
    profiles: ClassVar[dict[str, str]] = {"cypher": "cypher-ladybug"}
    family: ClassVar[str] = "ladybug"
    trust: ClassVar[int] = 0
    unsound: ClassVar[tuple[Unsound, ...]] = (
        Unsound(
            "closing-path",
            ("cypher-ladybug",),
            "A pattern that closes a circle loses rows where edges are parallel.",
            _closed,
        ),
        Unsound(
            "conditioned-end",
            ("cypher-ladybug",),
            "Of several edges, some with conditions on them and on their nodes add or lose rows.",
            _conditioned_end,
        ),
        Unsound(
            "nan",
            ("cypher-ladybug",),
            "What is no number is less than every number.",
            lambda statement: (
                _nan(statement)
                and (
                    any(find(statement, ir.Compare, ir.SortKey, ir.Agg))
                    or _calls(statement, _SIGNS)
                )
            ),
        ),
        Unsound(
            "wide-comparison",
            ("cypher-ladybug",),
            "Beyond 2^53 an integer equals the float that is next to it.",
            compares_wide_numbers,
        ),
        Unsound(
            "zero-order",
            ("cypher-ladybug",),
            "-0.0 is not before 0.0.",
            orders_zeros,
        ),
        Unsound(
            "letter-case",
            ("cypher-ladybug",),
            "Letters whose case is another number of letters, or depends on their place, differ.",
            lambda statement: _calls(statement, _CASES),
        ),
        Unsound(
            "trim",
            ("cypher-ladybug",),
            "Blanks beyond ASCII are not trimmed.",
            lambda statement: _calls(statement, _TRIMS),
        ),
    )
    packages: ClassVar[tuple[str, ...]] = ("ladybug",)
    needs: ClassVar[Needs] = Needs(grace=1.0, reloads=True, address_space=False, usual_mb=450)

    def __init__(self) -> None:
        self._connection: Any = None
        self._database: Any = None
        self._types: dict[str, NodeType] = {}
        self._stored = StoredValues()
        self._hazards: tuple[Hazard, ...] = HAZARDS
        self._edges: dict[str, tuple[str, dict[str, Property]]] = {}

    def __enter__(self) -> Self:
        try:
            import ladybug
        except ImportError as problem:
            raise EngineUnavailable(
                "LadybugDB is not installed: pip install 'graphmill[ladybug]'."
            ) from problem
        self._module: Any = ladybug
        return self

    def __exit__(self, *exc: object) -> None:
        self._close()

    def _close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._database.close()
            self._connection = self._database = None

    def version(self) -> str:
        """The version of the package."""
        return version("ladybug")

    def load(self, graph: Path) -> None:
        """Make the tables and load all nodes and edges, in the place of those that are there."""
        schema = load_schema(schema_folder(graph))
        self._close()
        self._database = self._module.Database(
            ":memory:", buffer_pool_size=POOL, max_db_size=SIZE, max_num_threads=1
        )
        self._connection = self._module.Connection(self._database, num_threads=1)
        nodes, types = table_names(schema)
        self._types = {nodes[node.name]: node for node in schema.nodes}
        self._edges = {types[label]: (label, {}) for label in schema.edge_labels}
        for edge in schema.edges:
            self._edges[types[edge.label]][1].update({p.name: p for p in edge.properties})
        try:
            for statement in TARGET.export(schema).texts["schema.cypher"].splitlines():
                if statement and not statement.startswith("//"):
                    self._connection.execute(statement)
            for node in schema.nodes:
                self._load_nodes(graph, node, nodes[node.name])
            for edge in schema.edges:
                self._load_edges(graph, schema, edge, nodes, types[edge.label])
            self._stored = stored_values(graph, schema)
            self._hazards = (*HAZARDS, _wide(schema))
        except RuntimeError as problem:
            raise EngineUnavailable(f"LadybugDB cannot load {graph}: {problem}") from problem

    def _load_nodes(self, graph: Path, node: NodeType, table: str) -> None:
        key = single_key(node, Export())
        columns = node.properties
        number = 0
        for batch in node_batches(graph, node):
            rows = []
            for row in batch:
                given = {f"c{i}": _stored(row.get(p.name), p) for i, p in enumerate(columns)}
                if key.made:
                    number += 1
                    given["key"] = _made_key(key_of(node, row) or (number,))
                rows.append(given)
            entries = {f"c{i}": _quoted(p.name) for i, p in enumerate(columns)}
            if key.made:
                entries = {"key": _quoted(key.name), **entries}
            self._insert(f"CREATE (:{quoted(table)}", ")", entries, rows)

    def _load_edges(
        self, graph: Path, schema: SchemaGraph, edge: EdgeType, nodes: dict[str, str], label: str
    ) -> None:
        ends = [schema.node_by_name[end] for end in (edge.source, edge.target)]
        keys = [single_key(end, Export()) for end in ends]
        columns = [
            p
            for p in edge.properties
            if has_one_type(p.name, [e for e in schema.edges if e.label == edge.label])
        ]
        entries = {f"c{i}": _quoted(p.name) for i, p in enumerate(columns)}
        for batch in edge_batches(graph, schema, edge):
            rows = []
            for row in batch:
                given = {
                    f"c{i}": _stored(row.properties.get(p.name), p) for i, p in enumerate(columns)
                }
                for name, key, value, end in zip(
                    ("source", "target"), keys, (row.source, row.target), ends, strict=True
                ):
                    of = end.property(key.name)
                    given[name] = _made_key(value) if key.made else _stored(value[0], of)
                rows.append(given)
            match = (
                f"MATCH (a:{quoted(nodes[edge.source])} {{{_quoted(keys[0].name)}: row.source}}), "
                f"(b:{quoted(nodes[edge.target])} {{{_quoted(keys[1].name)}: row.target}})"
            )
            self._insert(f"{match} CREATE (a)-[:{quoted(label)}", "]->(b)", entries, rows)

    def _insert(
        self, head: str, tail: str, entries: dict[str, str], rows: Sequence[dict[str, Any]]
    ) -> None:
        """Create what `head` begins, with the values of `entries` (column by name in a row)."""
        for batch in _batches(rows):
            # a column that is null in the whole batch has no type, which LadybugDB takes for text
            given = [name for name in entries if any(row[name] is not None for row in batch)]
            shown = ", ".join(f"{entries[name]}: row.{name}" for name in given)
            text = f"{head} {{{shown}}}{tail}" if given else f"{head}{tail}"
            self._connection.execute(f"UNWIND $rows AS row {text}", {"rows": batch})

    def run(self, text: str, *, language: str, timeout: float) -> Result:
        """Run one read query, stopped by LadybugDB at the limit of time."""
        refuse_files(text)
        seen = bare(text)
        other = _OTHER.search(seen)
        if seen.strip() and (other or not _READ.match(seen) or ";" in seen):
            word = other[1].upper() if other else "This"
            raise QueryError(f"{word} is no read of the graph. Only reads are run.", "semantic")
        if self._connection is None:
            raise EngineUnavailable("LadybugDB has loaded no graph.")
        refuse_hazards(self._hazards, self._stored, text)
        self._connection.set_query_timeout(max(1, int(timeout * 1000)))
        try:
            answer = self._connection.execute(text)
            columns = tuple(answer.get_column_names())
            rows = tuple(
                tuple(map(self._plain, row)) for row in islice(_rows(answer), MAX_ROWS + 1)
            )
        except RuntimeError as problem:
            raise _error(str(problem)) from problem
        except (IndexError, OverflowError, ValueError) as problem:
            raise QueryError(f"LadybugDB cannot hand over this answer: {problem}") from problem
        if len(rows) > MAX_ROWS:
            raise QueryTooLarge(f"More than {MAX_ROWS:,} rows.")
        return Result(columns, rows)

    def _plain(self, value: Any) -> Any:
        rest: dict[Any, Any]
        match value:
            case {"_ID": _, "_LABEL": str(label), "_SRC": source, "_DST": target, **rest}:
                ends = {"source": self._end(source), "target": self._end(target)}
                name, properties = self._edges[label]
                return {"type": name, **ends, "properties": self._own(rest, properties)}
            case {"_ID": _, "_LABEL": str(label), **rest}:
                node = self._types[label]
                own = self._own(rest, {p.name: p for p in node.properties})
                return {**self._reference(node, own), "properties": own}
            case {"_NODES": list(nodes), "_RELS": list(edges)}:
                return {
                    "nodes": [self._plain(node) for node in nodes],
                    "edges": [self._plain(edge) for edge in edges],
                }
            case list():
                return [self._plain(item) for item in value]
            case dict():
                return {key: self._plain(item) for key, item in value.items()}
        plain_value = plain(value)
        if (
            isinstance(plain_value, float)
            and type(value).__name__ == "Decimal"
            and value == int(value)
        ):
            return int(value)  # sums of integers have 128 bits
        return plain_value

    def _own(self, cells: dict[Any, Any], of: dict[str, Property]) -> dict[str, Any]:
        """The properties of an element; lists come back out of their text."""
        own: dict[str, Any] = {}
        for name, given in sorted(of.items()):
            value = cells.get(column_name(name))
            if value is not None:
                listed = given.type.kind is Kind.LIST
                own[name] = json.loads(value) if listed else self._plain(value)
        return own

    def _reference(self, node: NodeType, own: dict[str, Any]) -> dict[str, Any]:
        return {"labels": list(node.labels), "key": {name: own.get(name) for name in node.key}}

    def _end(self, identity: dict[str, int]) -> dict[str, Any]:
        """The labels and key of the node that an edge names by its place in a table."""
        place = f"internal_id({identity['table']}, {identity['offset']})"
        answer = self._connection.execute(f"MATCH (n) WHERE id(n) = {place} RETURN n")
        node = self._plain(answer.get_next()[0])
        return {"labels": node["labels"], "key": node["key"]}


def _rows(answer: Any) -> Iterator[list[Any]]:
    while answer.has_next():
        yield answer.get_next()


def _batches(rows: Sequence[dict[str, Any]]) -> Iterator[Sequence[dict[str, Any]]]:
    for start in range(0, len(rows), BATCH):
        yield rows[start : start + BATCH]


def _stored(value: Any, of: Property | None) -> Any:
    """A value for its column: what LadybugDB has no type for is its text."""
    if value is None or of is None or TARGET.type_of(of.type) is not None:
        return value
    plain_value = plain(value)
    return (
        plain_value if isinstance(plain_value, str) else json.dumps(plain_value, ensure_ascii=False)
    )


def _made_key(values: tuple[Any, ...]) -> str:
    return repr(tuple(map(plain, values)))


def _quoted(name: str) -> str:
    """The column of a property."""
    return quoted(column_name(name))


def _error(message: str) -> QueryError | QueryTimeout:
    first = message.strip().splitlines()[0] if message.strip() else "error"
    if "Interrupted" in message or "timeout" in message.lower():
        return QueryTimeout(first)
    kind = {"Parser": "syntax", "Connection": "syntax", "Binder": "semantic", "Catalog": "semantic"}
    return QueryError(first, kind.get(first.split(" ", 1)[0], "engine"))


ENGINE = Ladybug
