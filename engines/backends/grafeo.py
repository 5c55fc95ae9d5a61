"""grafeo, the embedded default: Cypher and ISO GQL in process, no service.

What version 0.6 answers wrongly is declared in `unsound`. It has no read-only mode in
memory and no query timeout, and its LOAD reads any file. So the graph is saved to a scratch file
and opened read-only, and after that the process can open no file at all.
"""

from __future__ import annotations

import re
import tempfile
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar, Self

from engines.backends._grafeo_unsound import UNSOUND
from engines.base import Engine, Needs, Result, Unsound
from engines.graph import Key, Row, edge_batches, key_of, node_batches
from engines.guard import bare, refuse_files
from engines.hazards.stored import Hazard, StoredValues, refuse_hazards, stored_values
from engines.values import NANOS, Duration, duration_text, plain
from graphmill.errors import EngineUnavailable, QueryError, QueryUnsound, shortened
from schemagraph.folder.serde import load_schema
from schemagraph.folder.small import schema_folder
from schemagraph.model import Kind, NodeType, Property, SchemaGraph

KINDS = {"Q001": "syntax", "Q002": "semantic", "T003": "semantic"}

_ADDS = re.compile(r"\bsum\s*\(", re.IGNORECASE)
_INSIDE = r"(?:[^()]|\((?:[^()]|\([^()]*\))*\))"
_ADDED = rf"(?i:\b(?:CASE|WHEN)\b(?:(?!\bTHEN\b){_INSIDE})*\bTHEN\b|(?!\b(?:CASE|WHEN)\b)[^()])*"
"""What stands in a sum before a name, conditions as a whole: those only choose what is added."""
_INFINITE = "grafeo has NaN for sums with an infinite float."
_ANYWHERE = r"-|\(\w*\)"
HAZARDS = (
    Hazard(
        "infinite",
        rf"(?i:{_ADDS.pattern}){_ADDED}\.`?NAME(?!\w)",
        r"[<>=]",
        _INFINITE,
        _ANYWHERE,
    ),
    Hazard(
        "cancelling",
        r"(?i:\bavg\s*\()[^()]*\.`?NAME(?!\w)",
        "",
        "grafeo loses digits of means of integers beyond 2^53, some below zero and some above.",
        _ANYWHERE,
    ),
    Hazard(
        "below_zero",
        r'\."?NAME(?!\w)',
        r"(?i:\bGRAPH_TABLE\b)[\s\S]*(?:\s[<>]=?\s+(?!-?[\d.]*[1-9])|(?i:\bORDER\s+BY\b))",
        "grafeo has -0.0 for no less than 0.0 in SQL.",
        _ANYWHERE,
    ),
    Hazard(
        "below_integers",
        r"\.[`\"]?NAME(?!\w)",
        r"(?i:\bORDER\s+BY\b|\b(?:min|max)\s*\()",
        "grafeo has neither of -0.0 and the integer 0 before the other.",
        _ANYWHERE,
    ),
    Hazard(
        "two_zeros",
        r"\.[`\"]?NAME(?!\w)",
        r"(?i:\b(?:DISTINCT|UNION|GROUP\s+BY)\b|\b(?:count|sum|avg|min|max|collect\w*)\s*\()",
        "grafeo has lists with -0.0 and 0.0 for one value where rows are told apart.",
        _ANYWHERE,
    ),
    Hazard(  # in the branches of a CASE stands what tells the zeros apart
        "both_zeros",
        r"(?i:(?<!WHEN )(?<!AND )(?<!ELSE )\b(?:min|max)\s*\([^()]*\.[`\"]?NAME(?!\w))",
        r"(?i:\bORDER\s+BY\b)[\s\S]*?\b1\.0(?:E0)? / ",
        "grafeo has either of -0.0 and 0.0 for the least or greatest, which is sorted by here.",
        _ANYWHERE,
    ),
)

# Entries of the dictionary of a node or edge, which hide properties of these names.
INTERNAL = frozenset(("_id", "_labels", "_source", "_target", "_type"))

# What a GQL text may begin with. All else changes data, schema or the session, or reads files.
READS = frozenset(
    (
        *("MATCH", "OPTIONAL", "LET", "FILTER", "FOR", "RETURN", "CALL", "USE", "SELECT"),
        *("WITH", "UNWIND", "FROM", "ORDER", "FINISH"),
    )
)
_WORD = re.compile(r"\s*(\w+)")


class Grafeo(Engine):
    """One graph in memory; nodes in answers are told by their keys.

    With `reloads` one process takes one graph after the other, and is not sealed between them:
    that is for texts that graphmill itself has rendered.
    """

    name: ClassVar[str] = "grafeo"
    languages: ClassVar[tuple[str, ...]] = ("cypher", "gql", "pgq")
    profiles: ClassVar[dict[str, str]] = {
        "cypher": "cypher-grafeo",
        "gql": "gql-grafeo",
        "pgq": "pgq-grafeo",
    }
    default_for: ClassVar[tuple[str, ...]] = ("cypher", "gql")
    family: ClassVar[str] = "grafeo"
    trust: ClassVar[int] = 1
    unsound: ClassVar[tuple[Unsound, ...]] = UNSOUND
    packages: ClassVar[tuple[str, ...]] = ("grafeo",)
    needs: ClassVar[Needs] = Needs()

    def __init__(self, reloads: bool = False) -> None:
        self._reloads = reloads
        self._db: Any = None
        self._module: Any = None
        self._starts: list[int] = []
        self._types: list[NodeType] = []
        self._shadowed = False
        self._stored = StoredValues()
        self._known: tuple[Path, SchemaGraph] | None = None

    def __enter__(self) -> Self:
        try:
            import grafeo
        except ImportError as problem:
            text = "The engine grafeo is not installed: pip install 'grafeo>=0.6,<0.7'"
            raise EngineUnavailable(text) from problem
        self._module = grafeo
        self._db = grafeo.GrafeoDB()
        return self

    def __exit__(self, *exc: object) -> None:
        if self._db is not None:
            self._db.close()
            self._db = None

    def version(self) -> str:
        """The version of the package."""
        return str(self._module.__version__)

    def load(self, graph: Path) -> None:
        """Load all nodes and edges, then seal the database and the process."""
        schema = self._schema(schema_folder(graph))
        if self._reloads:
            self._db.close()
            self._db, self._starts, self._types = self._module.GrafeoDB(), [], []
        self._shadowed = any(
            p.name in INTERNAL
            for properties in [
                *(n.properties for n in schema.nodes),
                *(e.properties for e in schema.edges),
            ]
            for p in properties
        )
        try:
            self._fill(graph, schema)
            self._stored = stored_values(graph, schema, texts=False)
            if not self._reloads:
                self._seal()
        except self._module.GrafeoError as problem:
            raise EngineUnavailable(f"grafeo cannot load {graph}: {problem}") from problem

    def _schema(self, folder: Path) -> SchemaGraph:
        """The schema, read once for all small graphs of a folder."""
        if self._known is None or self._known[0] != folder:
            self._known = (folder, load_schema(folder))
        return self._known[1]

    def run(self, text: str, *, language: str, timeout: float) -> Result:
        """Run one read query; `timeout` is the caller's business (grafeo has none)."""
        refuse_writes(text, language)
        refuse_hazards(HAZARDS, self._stored, text)
        asks = {"cypher": self._db.execute_cypher, "pgq": self._db.execute_sql}
        try:
            answer = asks.get(language, self._db.execute)(text)
            columns = tuple(answer.columns)
            rows = [tuple([row[name] for name in columns]) for row in answer]
        except self._module.GrafeoError as problem:
            raise _error(problem, text if language == "cypher" else "") from problem
        except (ValueError, OverflowError) as problem:
            raise QueryError(f"grafeo cannot hand over this answer: {problem}") from problem
        if _ADDS.search(text) and any(cell != cell for row in rows for cell in row):
            raise QueryUnsound(f"{_INFINITE} This answer has NaN.")
        return Result(columns, tuple([tuple(map(self._plain, row)) for row in rows]))

    def _fill(self, graph: Path, schema: SchemaGraph) -> None:
        ids: dict[str, dict[Key, int]] = {}
        for node in schema.nodes:
            ids[node.name] = {}
            late = _late(node.properties)
            for rows in node_batches(graph, node):
                new = self._db.batch_create_nodes_with_props(
                    list(node.labels), [_early(row, late) for row in rows]
                )
                self._remember(node, new)
                ids[node.name].update(zip((key_of(node, row) for row in rows), new, strict=True))
                self._set("MATCH (x) WHERE id(x) = row.id", late, rows, new)
        for edge in schema.edges:
            sources, targets = ids[edge.source], ids[edge.target]
            late = _late(edge.properties)
            label = edge.label.replace("`", "``")
            degrees: tuple[Counter[int], Counter[int]] = (Counter(), Counter())
            for batch in edge_batches(graph, schema, edge):
                ends = [(sources[row.source], targets[row.target]) for row in batch]
                new = self._db.batch_create_edges(
                    [
                        (*end, edge.label, _early(row.properties, late))
                        for end, row in zip(ends, batch, strict=True)
                    ]
                )
                if not late:
                    continue
                for end in (0, 1):
                    degrees[end].update(pair[end] for pair in ends)
                # grafeo looks for an edge among those of a node: the end that has fewer of them
                nearer = [int(degrees[1][b] < degrees[0][a]) for a, b in ends]
                for end, pattern in enumerate((f"(n)-[x:`{label}`]->()", f"()-[x:`{label}`]->(n)")):
                    chosen = [k for k, side in enumerate(nearer) if side == end]
                    self._set(
                        f"MATCH {pattern} WHERE id(n) = row.end AND id(x) = row.id",
                        late,
                        [batch[k].properties for k in chosen],
                        [new[k] for k in chosen],
                        [ends[k][end] for k in chosen],
                    )

    def _set(
        self,
        match: str,
        late: dict[str, str],
        rows: Sequence[Row],
        ids: list[int],
        ends: Sequence[int] = (),
    ) -> None:
        """Values that the batch calls cannot take go in through Cypher's functions."""
        for name, made in late.items():
            given = [
                {"id": new, "value": _argument(row[name]), "end": end}
                for row, new, end in zip(rows, ids, ends or ids, strict=True)
                if name in row
            ]
            quoted = name.replace("`", "``")
            text = f"UNWIND $rows AS row {match} SET x.`{quoted}` = {made}"
            if given:
                self._db.execute_cypher(text, {"rows": given})

    def _remember(self, node: NodeType, ids: list[int]) -> None:
        """Ids of one batch are consecutive; each run of them belongs to one type."""
        if ids and ids != list(range(ids[0], ids[0] + len(ids))):
            raise EngineUnavailable("grafeo gave ids that are not consecutive.")
        if ids:
            self._starts.append(ids[0])
            self._types.append(node)

    def _seal(self) -> None:
        path = Path(tempfile.mkdtemp()) / "graph.grafeo"
        self._db.save(str(path))
        self._db.close()
        self._db = self._module.GrafeoDB.open_read_only(str(path))
        _open_no_more_files()

    def _plain(self, value: Any) -> Any:
        rest: dict[Any, Any]
        match value:
            case None | bool() | int() | float() | str():
                return value
            case list():
                return [self._plain(item) for item in value]
            case {"_id": int(number), "_labels": list(), **rest}:
                if self._shadowed:
                    rest = self._db.get_node(number).properties()
                return {**self._reference(number), "properties": self._own(rest)}
            case {"_id": int(own), "_source": int(a), "_target": int(b), "_type": of, **rest}:
                if self._shadowed:
                    rest = self._db.get_edge(own).properties()
                ends = {"source": self._reference(a), "target": self._reference(b)}
                return {"type": of, **ends, "properties": self._own(rest)}
            case {"months": int(months), "days": int(days), "nanos": int(nanos)} if len(value) == 3:
                return duration_text(months, days, nanos)
            case dict():
                return self._own(value)
            case _:
                return plain(value)

    def _own(self, properties: dict[Any, Any]) -> dict[str, Any]:
        return {name: self._plain(value) for name, value in sorted(properties.items())}

    def _reference(self, number: int) -> dict[str, Any]:
        """Labels and key of the node with an internal id."""
        node = self._types[bisect_right(self._starts, number) - 1]
        stored = self._db.get_node(number).properties()
        key = {name: self._plain(stored.get(name)) for name in node.key}
        return {"labels": list(node.labels), "key": key}


def refuse_writes(text: str, language: str) -> None:
    """Refuse what is no read of the graph before the engine sees it.

    Raises:
        QueryError: the text writes, changes the session or reads files.
    """
    refuse_files(text)
    word = _WORD.match(bare(text))
    reads = {"gql": READS, "pgq": frozenset(("SELECT",))}.get(language)
    if reads is not None and word and word[1].upper() not in reads:
        raise QueryError(f"{word[1]} is no read. Only reads are run.", "semantic")


_QUOTED = re.compile(
    r"""'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|//[^\n]*|/\*.*?\*/"""
    r"|(?P<name>`(?:``|[^`])*`)",
    re.DOTALL,
)


def _error(problem: Exception, cypher: str) -> QueryError:
    """grafeo's error with its kind, told by the code in its text; of a Cypher text that has a name
    with a backtick in it, which grafeo reads as two names, that it has one."""
    message = str(problem)
    match = re.match(r"GRAFEO-(\w+):", message)
    kind = KINDS.get(match[1], "engine") if match else "engine"
    names = (each["name"] or "" for each in _QUOTED.finditer(cypher))
    if kind == "syntax" and (name := next((each for each in names if "``" in each), "")):
        reason = f"grafeo's Cypher reads no name with a backtick in it, as {shortened(name)} is."
        return QueryError(f"{reason} Use another name, or GQL.", kind)
    if _TOO_DEEP in message:
        reason = (
            "grafeo reads nothing that nests more than 64 levels deep, to which each `+` of a"
            " chain adds one: compute a part in a WITH before."
        )
        return QueryError(reason, "engine")
    if _ON_PURPOSE in message:
        message = f"{message.strip()}. {_WHY}"
    return QueryError(message.strip(), kind)


_TOO_DEEP = "Maximum nesting depth"
_ON_PURPOSE = "division by zero: 1 / 0"
_WHY = (
    "A text that graphmill wrote divides 1 by 0 on purpose where Cypher raises an error, or where "
    "grafeo would answer otherwise than Cypher."
)


def _late(properties: tuple[Property, ...]) -> dict[str, str]:
    """Properties that the batch calls drop (durations) or change (zones, lists of floats, which
    become vectors of 32 bits), with what makes them in Cypher."""
    expressions = {}
    for p in properties:
        if p.type.kind in _MADE:
            expressions[p.name] = _MADE[p.type.kind]
        elif p.type.item is not None and p.type.item.kind is Kind.FLOAT:
            expressions[p.name] = _FLOATS
    return expressions


_MADE = {
    Kind.ZONED_DATETIME: "datetime(row.value)",
    Kind.DURATION: "duration(row.value)",
}
_FLOATS = "row.value[1..]"  # after a text, which makes a list of it and no vector


def _argument(value: Any) -> Any:
    """What makes the value: grafeo reads a negative fraction of a duration's text wrongly."""
    if isinstance(value, list):
        return ["", *value]
    if not isinstance(value, Duration):
        return plain(value)
    seconds, nanos = divmod(value.nanos, NANOS)
    whole = {"months": value.months, "days": value.days, "seconds": seconds}
    return {**whole, "nanoseconds": nanos}


def _early(row: Row, late: dict[str, str]) -> Row:
    return {name: value for name, value in row.items() if name not in late} if late else row


def _open_no_more_files() -> None:
    """Files that are open stay so; from here on no query can make the process open one.

    The limit is 1 and not 0, because `poll` takes no more descriptors than the limit.
    """
    import resource

    resource.setrlimit(resource.RLIMIT_NOFILE, (1, 1))


ENGINE = Grafeo
