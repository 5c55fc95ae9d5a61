"""NebulaGraph: nGQL on the user's server by URL (GRAPHMILL_NEBULA_URL, _USER, _PASSWORD).

A graph gets a space of its own, which is dropped at the end. A new space, tag or edge type can be
used after two heartbeats of the server, 20 seconds by default, for which it is waited. No server
has run here: what is sent is held by one of our own that speaks its protocol
(`tests/engines/nebula_server.py`); that the product takes it is from its manual.

Source: NebulaGraph 3.8 manual, "CREATE SPACE", "INSERT VERTEX", "INSERT EDGE".
"""

from __future__ import annotations

import os
import re
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar, Self
from urllib.parse import urlsplit

from engines.backends._nebula_values import literal, plain
from engines.base import MAX_ROWS, Engine, Needs, Result, Unsound
from engines.graph import edge_batches, key_of, node_batches
from graphmill.errors import EngineUnavailable, QueryError, QueryTooLarge
from schemagraph.folder.serde import load_schema
from schemagraph.model import EdgeType, Kind, NodeType, SchemaGraph
from schemagraph.nebula import Tags, vid
from schemagraph.targets.nebula import TARGET, quoted

_PREFIX = "GRAPHMILL_NEBULA"
_VARIABLES = tuple(f"{_PREFIX}_{word}" for word in ("URL", "USER", "PASSWORD"))
_BATCH = 256  # rows of one INSERT
_HELD = frozenset(
    {Kind.BOOLEAN, Kind.INTEGER, Kind.FLOAT, Kind.STRING, Kind.DATE, Kind.TIME, Kind.DATETIME}
)
_QUOTED = re.compile(
    r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`[^`]*`|(?:\#|//)[^\n]*|/\*.*?\*/""", re.S
)
_BEGIN = re.compile(r"(?:\A|;)\s*(?:\$\w+\s*=\s*)?(\w+)")
_PIPED = re.compile(r"[|=]\s*(\w+)")
_READ_WORDS = """
    MATCH OPTIONAL GO FETCH LOOKUP RETURN UNWIND WITH YIELD FIND GET"""
_READS = frozenset(_READ_WORDS.split())
_WRITE_WORDS = """
    INSERT UPDATE UPSERT DELETE DROP CREATE ALTER CLEAR ADD REMOVE REBUILD SUBMIT KILL STOP RECOVER
    GRANT REVOKE CHANGE MERGE USE DOWNLOAD INGEST"""
_WRITES = frozenset(_WRITE_WORDS.split())


class Nebula(Engine):
    """One space of a NebulaGraph 3 server."""

    name: ClassVar[str] = "nebula"
    languages: ClassVar[tuple[str, ...]] = ("ngql",)
    profiles: ClassVar[dict[str, str]] = {"ngql": "ngql"}
    unsound: ClassVar[tuple[Unsound, ...]] = ()
    family: ClassVar[str] = "nebula"
    packages: ClassVar[tuple[str, ...]] = ("nebula3",)
    by_name: ClassVar[bool] = True
    url_variable: ClassVar[str] = f"{_PREFIX}_URL"
    needs: ClassVar[Needs] = Needs(environment=_VARIABLES, reloads=True, farewell=30.0)
    PATIENCE: ClassVar[float] = 90.0  # seconds that a new space or tag may take
    PAUSE: ClassVar[float] = 1.0  # seconds between two tries

    def __init__(self, url: str = "") -> None:
        self.url = url or os.environ.get(_VARIABLES[0], "")
        self._connection: Any = None
        self._session = 0
        self._space = ""
        self._loaded = 0
        self._keys: dict[str, tuple[tuple[str, ...], tuple[str, ...], tuple[Any, ...]]] = {}

    def __enter__(self) -> Self:
        if not self.url:
            text = f"The engine nebula is a server: give its URL as {_VARIABLES[0]}."
            raise EngineUnavailable(text)
        try:
            from nebula3.Exception import AuthFailedException
            from nebula3.fbthrift.Thrift import TException
            from nebula3.gclient.net.Connection import Connection
        except ImportError as problem:
            text = "NebulaGraph's client is missing: pip install 'graphmill[nebula]'."
            raise EngineUnavailable(text) from problem
        parts = urlsplit(self.url if "//" in self.url else f"//{self.url}")
        user, password = (os.environ.get(name, "") for name in _VARIABLES[1:])
        connection = Connection()
        try:
            connection.open(parts.hostname or "127.0.0.1", parts.port or 9669, 0)
            session = connection.authenticate(user or "root", password or "nebula")
        except (OSError, TException, AuthFailedException) as problem:
            raise EngineUnavailable(f"NebulaGraph at {self.url}: {problem}") from problem
        self._connection, self._session = connection, session.get_session_id()
        return self

    def __exit__(self, *exc: object) -> None:
        if self._connection is not None:
            self._drop()
            self._connection.signout(self._session)
            self._connection.close()
            self._connection = None

    def version(self) -> str:
        """The version of the first host of the graph service."""
        response = self._ask("SHOW HOSTS GRAPH")
        names = [name.decode() for name in response.data.column_names]
        rows = response.data.rows
        if "Version" not in names or not rows:
            return "unknown"
        return str(plain(rows[0].values[names.index("Version")], {}))

    def load(self, graph: Path) -> None:
        """Make a space for the graph, after that of another one is dropped.

        Raises:
            EngineUnavailable: NebulaGraph cannot hold this graph as it is, or does not take it.
        """
        schema = load_schema(graph)
        declared = _declared(schema)
        self._drop()
        self._loaded += 1
        self._space = f"graphmill_{os.getpid()}_{self._loaded}"
        self._keys = {}
        self._tell(
            f"CREATE SPACE {quoted(self._space)}(partition_num = 10, replica_factor = 1, "
            "vid_type = FIXED_STRING(256))"
        )
        self._patiently(f"USE {quoted(self._space)}")
        for statement in declared:
            self._tell(statement)
        for text in self._inserts(graph, schema):
            self._patiently(text)

    def run(self, text: str, *, language: str, timeout: float) -> Result:
        """Run one read query; the worker is stopped at the time limit."""
        _check_reads(text)
        start = time.perf_counter()
        response = self._ask(text)
        took = (time.perf_counter() - start) * 1000
        if response.data is None:
            return Result((), (), took)
        if len(response.data.rows) > MAX_ROWS:
            raise QueryTooLarge(f"The answer has more than {MAX_ROWS} rows.")
        names = tuple(name.decode() for name in response.data.column_names)
        rows = ([plain(value, self._keys) for value in row.values] for row in response.data.rows)
        return Result(names, tuple(map(tuple, rows)), took)

    def _inserts(self, graph: Path, schema: SchemaGraph) -> Iterator[str]:
        """The statements that store the nodes, then the edges."""
        tags = Tags(schema)
        for node in schema.nodes:
            held = [
                (label, [p.name for p in node.properties if label in tags.holders(node, p.name)])
                for label in node.labels
            ]
            columns = [name for _, names in held for name in names]
            shown = ", ".join(f"{quoted(label)}({_names(names)})" for label, names in held)
            for batch in node_batches(graph, node, _BATCH):
                rows = []
                for row in batch:
                    key = key_of(node, row)
                    own = vid(node.name, key)
                    known = tuple(_shown(value) for value in key)
                    self._keys[own] = (node.labels, node.key, known)
                    given = ", ".join(literal(row.get(name)) for name in columns)
                    rows.append(f"{literal(own)}:({given})")
                yield f"INSERT VERTEX {shown} VALUES {', '.join(rows)}"
        ranks: Counter[tuple[str, str, str]] = Counter()
        for edge in schema.edges:
            names = [p.name for p in edge.properties]
            for edges in edge_batches(graph, schema, edge, _BATCH):
                rows = []
                for each in edges:
                    ends = vid(edge.source, each.source), vid(edge.target, each.target)
                    place = (edge.label, *ends)
                    given = ", ".join(literal(each.properties.get(name)) for name in names)
                    shown = "->".join(map(literal, ends))
                    rows.append(f"{shown}@{ranks[place]}:({given})")
                    ranks[place] += 1
                yield f"INSERT EDGE {quoted(edge.label)}({_names(names)}) VALUES {', '.join(rows)}"

    def _drop(self) -> None:
        if self._space:
            self._tell(f"DROP SPACE IF EXISTS {quoted(self._space)}")
            self._space = ""

    def _tell(self, statement: str) -> None:
        """Run a statement of ours.

        Raises:
            EngineUnavailable: the server does not take it.
        """
        try:
            self._ask(statement)
        except QueryError as problem:
            text = f"NebulaGraph does not take `{statement[:80]}`: {problem}"
            raise EngineUnavailable(text) from problem

    def _patiently(self, statement: str) -> None:
        """Run a statement of ours that needs what was made a moment ago."""
        end = time.monotonic() + self.PATIENCE
        while True:
            try:
                self._tell(statement)
            except EngineUnavailable:
                if time.monotonic() + self.PAUSE > end:
                    raise
                time.sleep(self.PAUSE)
            else:
                return

    def _ask(self, statement: str) -> Any:
        from nebula3.common.ttypes import ErrorCode
        from nebula3.Exception import IOErrorException

        if self._connection is None:
            raise EngineUnavailable("The engine nebula is closed.")
        try:
            response = self._connection.execute(self._session, statement)
        except (OSError, IOErrorException) as problem:
            raise EngineUnavailable(f"NebulaGraph at {self.url}: {problem}") from problem
        if response.error_code != ErrorCode.SUCCEEDED:
            kinds = {ErrorCode.E_SYNTAX_ERROR: "syntax", ErrorCode.E_SEMANTIC_ERROR: "semantic"}
            message = (response.error_msg or b"").decode("utf-8", "replace")
            raise QueryError(message, kinds.get(response.error_code, "engine"))
        return response


def _declared(schema: SchemaGraph) -> list[str]:
    """The statements that declare tags, edge types and indexes.

    Raises:
        EngineUnavailable: a property or a name is not held as it is.
    """
    owners: list[NodeType | EdgeType] = [*schema.nodes, *schema.edges]
    for owner in owners:
        for given in owner.properties:
            if given.type.kind not in _HELD:
                what = f"{given.type} values, as {owner.name}.{given.name} has"
                raise EngineUnavailable(f"NebulaGraph is given no {what}.")
    export = TARGET.export(schema)
    if export.losses:
        loss = export.losses[0]
        raise EngineUnavailable(f"NebulaGraph does not hold {loss.where} as it is: {loss.what}.")
    lines = export.texts["schema.ngql"].splitlines()
    return [line.rstrip(";") for line in lines if line.startswith(("CREATE TAG", "CREATE EDGE"))]


def _check_reads(text: str) -> None:
    """Refuse a text of which a statement, or a part behind a pipe, is no read.

    Raises:
        QueryError: one is not.
    """
    bare = _QUOTED.sub(" ", text)
    words = [begin[1].upper() for begin in _BEGIN.finditer(bare)]
    piped = [part[1].upper() for part in _PIPED.finditer(bare)]
    for word in [*(w for w in words if w not in _READS), *(w for w in piped if w in _WRITES)]:
        raise QueryError(f"{word} is no read of nGQL.", "semantic")


def _names(names: list[str]) -> str:
    return ", ".join(map(quoted, names))


def _shown(value: Any) -> Any:
    """A value of a key as results show it."""
    from engines.values import plain as shown

    return shown(value)


ENGINE = Nebula
