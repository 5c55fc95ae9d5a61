"""The small graphs that tell a query from its mutants: written beside its graph, and run again."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engines import default_engines
from engines.compare import allowed
from engines.isolation import IsolatedEngine
from graph_ir.cypher.reader import parsed
from graph_ir.rewrites import leaves_lists_open, probe
from graphmill.errors import EngineError, EngineLost, GraphmillError, Refused
from graphmill.files import canonical, digest, remove, write_bytes
from graphmill.json_lines import read_json
from graphmill.record import Record
from pipelines.build.context import REFEREE, goes_on
from pipelines.build.mutation import instances_of
from qa.mutation.analysis import SHIPPED
from schemagraph.folder.small import keeps_cardinalities, read_rows
from schemagraph.model import SchemaGraph
from translators.render import render

FOLDER = "instances"
# engines that load a small graph without a server
EMBEDDED = (*sorted({*default_engines().values()} - {REFEREE}), REFEREE)
# SPARQL has no parallel edges where the schema declares one, Gremlin counts ends as they come.
RELYING = frozenset({"oxigraph", "tinkergraph"})
ASKED = "by --without"
MORE_EDGES = "on small graphs with more edges than the schema declares, on which its texts rely"
BEYOND = "on small graphs beyond --instances"


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Executions of an engine that are not repeated, and why: a phrase behind a number."""

    engine: str
    why: str
    number: int = 1


def write_instances(out: Path, databases: Sequence[str], records: Sequence[Record]) -> None:
    """Write the small graphs of the records to `graphs/DB/instances`, and nothing else there;
    `os.sync()` has still to be called."""
    instances = instances_of(records)
    for db in databases:
        folder = out / "graphs" / db / FOLDER
        wanted = {f"{name}.json": rows for name, rows in instances.get(db, {}).items()}
        if not folder.is_dir():
            remove(folder)
        for path in folder.glob("*.json"):
            if path.name not in wanted or path.is_dir():
                remove(path)
        for name, rows in sorted(wanted.items()):
            text, path = canonical(rows) + "\n", folder / name
            if not (path.is_file() and path.read_bytes() == text.encode()):  # most stay as they are
                write_bytes(path, text.encode(), sync=False)


def run_instances(
    folder: Path,
    schema: SchemaGraph,
    records: Sequence[tuple[str, Record]],
    without: Sequence[str],
    timeout: float,
    most: int | None = None,
    spare: dict[str, IsolatedEngine] | None = None,
) -> Iterator[tuple[str, str, str] | LeftOut | None]:
    """Run records on their small graphs: for each execution None, that it is left out, or place,
    code and detail of what is wrong.

    `most` takes those graphs only that most records need. `spare` are engines that run and go on
    with these graphs, and those that are started here and can go on afterwards.
    """
    users: dict[str, list[tuple[str, Record]]] = defaultdict(list)
    for stored, record in records:
        for name in record.discrimination.get("instances", ()):
            if name != SHIPPED:
                users[name].append((stored, record))
    with ExitStack() as stack:
        engines = {}
        for name in EMBEDDED:
            if name in without and name != REFEREE:
                continue
            if spare is not None and goes_on(name):
                engines[name] = spare.setdefault(name, IsolatedEngine(name, None, persists=True))
            else:
                one = IsolatedEngine(name, None, persists=True, **_options(name))
                engines[name] = stack.enter_context(one)
        ranked = sorted(users, key=lambda name: (-len(users[name]), name))
        chosen = ranked[:most]
        for left in ranked[len(chosen) :]:
            for each, number in sorted(_engines(users[left]).items()):
                yield LeftOut(each, _why(each, without, BEYOND), number)
        for name, mine in ((name, users[name]) for name in chosen):
            place = folder / f"{name}.json"
            try:
                _check(place, name)
            except GraphmillError as problem:
                yield f"instances/{name}", "file-changed", str(problem)
                continue
            keeps = keeps_cardinalities(schema, read_rows(place))
            able = {each: engines[each] for each in engines if keeps or each not in RELYING}
            for engine in able.values():
                engine.use(place)
            for stored, record in mine:
                yield from _runs(f"{stored} on {name}", record, schema, able, without, timeout)


def _options(name: str) -> dict[str, Any]:
    """What makes an engine take one graph after the other, where it does not by itself."""
    return {} if goes_on(name) else {"reloads": True}


def _why(engine: str, without: Sequence[str], embedded: str = MORE_EDGES) -> str:
    """Why an engine is not run on a small graph; `embedded` is told of those that could be."""
    if engine in without:
        return ASKED
    return embedded if engine in EMBEDDED else "on small graphs, where it is not run"


def _engines(records: Sequence[tuple[str, Record]]) -> Counter[str]:
    """The number of certificates of each engine."""
    return Counter(c.engine for _, record in records for c in record.certificates)


def _check(place: Path, name: str) -> None:
    """See that a small graph is the one that it is called after.

    Raises:
        GraphmillError: the file is missing or holds something else.
    """
    raw = read_json(place)
    if digest(raw)[: len(name)] != name:
        raise GraphmillError(f"The content of {place.name} is not what it is called after.")


def _runs(
    where: str,
    record: Record,
    schema: SchemaGraph,
    engines: dict[str, IsolatedEngine],
    without: Sequence[str],
    timeout: float,
) -> Iterator[tuple[str, str, str] | LeftOut | None]:
    statement = parsed(record.queries["cypher"])
    asked = probe(statement)
    if asked is None:
        return
    try:
        text = render(asked.statement, "sql", schema).text
        referee = engines[REFEREE].run(text, language="sql", timeout=timeout)
    except (EngineError, EngineLost, Refused) as problem:
        yield where, "fails", str(problem)
        return
    for certificate in record.certificates:
        engine = engines.get(certificate.engine)
        if engine is None:
            yield LeftOut(certificate.engine, _why(certificate.engine, without))
            continue
        dialect = certificate.dialect
        try:
            # What graphmill says, not what a file says: the engine's process serves other graphs.
            text = render(statement, dialect, schema).text
            answer = engine.run(text, language=dialect.split("-")[0], timeout=timeout)
        except (EngineError, EngineLost, Refused) as problem:
            yield f"{where} {certificate.engine} ({dialect})", "fails", str(problem)
            continue
        verdict = allowed(
            answer,
            referee,
            keys=asked.keys,
            skip=asked.skip,
            limit=asked.limit,
            rough=asked.rough,
            unordered_lists=leaves_lists_open(statement),
        )
        detail = f"The answer differs from the referee's: {verdict.reason}"
        place = f"{where} {certificate.engine} ({dialect})"
        yield None if verdict.ok else (place, "differs", detail)
