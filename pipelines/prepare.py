"""A source beside the corpus, and the graph that is made of it."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

from graph_ir.cypher.reader import parse
from graph_ir.features import most_frequent
from graphmill.errors import EmptySourceError, GraphmillError, naming
from graphmill.files import file_digest, remove
from pipelines.build.context import Graph
from pipelines.build.damage import unharmed
from pipelines.build.synthetic_source import draw, drawn
from pipelines.claim import remove_ruin
from pipelines.configuration.config import FILES, Config, RelationalSource, Source, SyntheticSource
from pipelines.configuration.progress import Watch
from pipelines.configuration.proposals import Candidate, pairs_of
from pipelines.configuration.store import Store, a_text
from pipelines.jobs.executor import Executor, called
from pipelines.jobs.fill import fill
from pipelines.lexicon import place_lexicon
from schemagraph.convert.service import content_of, convert, takes_wishes
from schemagraph.folder.graphdata import graph_fingerprint

MOST_ASKED = 40  # values of one property that data is made for


def prepare(
    config: Config, source: Source, out: Path, store: Store, watch: Watch, executor: Executor
) -> Graph:
    """The source beside the corpus, and the graph made of it, with the source's lexicon."""
    graph = _prepared(config, source, out, store, watch, executor)
    place_lexicon(config, source, graph.folder)
    return graph


def _prepared(
    config: Config, source: Source, out: Path, store: Store, watch: Watch, executor: Executor
) -> Graph:
    db = config.database(source)
    folder = out / "graphs" / db
    database: Path | str | None = None
    asked: dict[str, list[Any]] = {}
    if isinstance(source, SyntheticSource):
        label = f"{db}: drawing"
        return drawn(
            config, source, folder, store, watch,
            lambda order: called(executor, draw, order, label=label),
            lambda: remove_ruin(out, db),
        )  # fmt: skip
    if isinstance(source, RelationalSource) and source.is_server:
        database = origin = config.address(source)
        content = []
    elif isinstance(source, RelationalSource):
        database = _origin(config, source, out, store, watch, executor)
        origin, content = str(database), [file_digest(database)]
    else:
        origin = config.origin(source)
        content = content_of(origin)
        asked = _asked(config, source, origin)
    key = store.key("convert", content, db, source.licence, asked)

    def work() -> str:
        watch.note(f"Converting {db}")
        remove_ruin(out, db)
        label = f"{db}: conversion"
        wanted = (origin, folder, db, source.licence, asked)
        fingerprint, warnings = called(executor, converted, *wanted, label=label)
        for warning in warnings:
            watch.note(f"warning: {db}: {warning}")
        return fingerprint

    if "://" in origin:  # a server, whose content is not known before it is read
        return Graph(db, folder, work(), source.domain, source.subdomain, database)
    fingerprint = store.done(key, work, a_text)
    if not unharmed(folder, fingerprint, watch):
        fingerprint = store.renew(key, work)
    return Graph(db, folder, fingerprint, source.domain, source.subdomain, database)


def converted(
    origin: str, folder: Path, db: str, licence: str, asked: dict[str, list[Any]]
) -> tuple[str, list[str]]:
    """Convert a source to the graph in `folder`: its fingerprint, and warnings.

    Raises:
        EmptySourceError: it has no rows.
    """
    report = convert(origin, folder, licence=licence, asked=asked)
    if not sum(report.nodes.values()):
        raise EmptySourceError(f"{db} has no rows, so no answer of its queries could be proven.")
    return graph_fingerprint(folder), list(report.warnings)


def _asked(config: Config, source: Source, origin: str) -> dict[str, list[Any]]:
    """What the pairs of a source without data compare its properties with."""
    if not takes_wishes(origin):
        return {}
    statements = []
    for item in pairs_of(config, source):
        if isinstance(item, Candidate) and item.cypher:
            try:
                statements.append(parse(item.cypher))
            except GraphmillError:
                continue  # the stage that translates says what is wrong
    return most_frequent(statements, MOST_ASKED)


def _origin(
    config: Config,
    source: RelationalSource,
    out: Path,
    store: Store,
    watch: Watch,
    executor: Executor,
) -> Path:
    """The source's file beside the corpus, so that the corpus can be verified alone."""
    db = config.database(source)
    endings = {scheme: ending for ending, scheme in FILES.items()}
    ending = endings.get(source.url.partition("///")[0] + "///", ".sqlite")
    origin, copy = config.path(source.url or source.script), out / "sources" / f"{db}{ending}"
    script = bool(source.script)
    key = store.key("source", [file_digest(path) for path in _inputs(origin, script)], db)

    def work() -> str:
        watch.note(f"Filling {db}" if script else f"Copying {origin.name}")
        return called(executor, brought, origin, copy, script, label=f"{db}: source")

    known = store.done(key, work, a_text)
    there = file_digest(copy) if copy.is_file() else ""
    if known != there:
        if there:
            watch.warn(f"warning: {copy} is not as it was written; it is made anew.")
        store.renew(key, work)
    return copy


def brought(origin: Path, copy: Path, script: bool) -> str:
    """Put a source's file in its place, or have the user's program fill it; its hash."""
    copy.parent.mkdir(parents=True, exist_ok=True)
    draft = copy.with_name(f".{copy.name}.{os.getpid()}.part")
    with naming(draft, copy):
        if script:
            fill(origin, draft)
        else:
            shutil.copyfile(origin, draft)
        if copy.is_dir():
            remove(copy)
        draft.replace(copy)
    return file_digest(copy)


def _inputs(origin: Path, script: bool) -> list[Path]:
    """The files that a source's content depends on: for a program, all that lie beside it."""
    return (
        sorted(path for path in origin.parent.iterdir() if path.is_file()) if script else [origin]
    )
