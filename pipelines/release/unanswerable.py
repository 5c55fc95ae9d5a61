"""Questions that a graph cannot answer, drawn for a release from the pairs that it can."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from generators.questions.lexicon.derive.store import lexicon_of
from generators.questions.realise.unanswerable import REASONS, Reason, Spoiler
from graph_ir import nodes as ir
from graph_ir.cypher.reader import parsed
from graphmill.record import Provenance, Record
from graphmill.seed import rng
from pipelines.build.context import Graph
from pipelines.configuration.config import Config
from pipelines.release.hub import UNANSWERABLE
from schemagraph.folder.graph import Graph as Folder
from schemagraph.folder.statistics import gather_statistics


def unanswerable_file(out: Path, split: str) -> Path:
    """Where the unanswerable questions of one split lie."""
    return out / UNANSWERABLE / f"{split}-00000-of-00001.parquet"


def unanswerable(config: Config, graph: Graph, records: Sequence[Record]) -> Iterator[Record]:
    """As many as the configuration asks for, as far as they can be made; reasons take turns.

    Each has the split and the domain of the pair that it is made of, which is its parent.
    """
    wanted = round(config.questions.unanswerable * len(records))
    if not wanted:
        return
    spoiler = _spoiler(config, graph)
    seed = config.corpus.seed
    random = rng(seed, "unanswerable", graph.db)
    order = random.sample(list(records), len(records))
    used: set[tuple[Reason, str]] = set()
    asked: set[str] = set()
    made, tries = 0, 0
    while made < wanted and tries < len(order):
        for reason in REASONS:
            record = _next(spoiler, order, reason, used, asked, config, made + tries)
            if record is not None and made < wanted:
                made += 1
                yield record
        tries += 1


def _next(
    spoiler: Spoiler,
    order: Sequence[Record],
    reason: Reason,
    used: set[tuple[Reason, str]],
    asked: set[str],
    config: Config,
    turn: int,
) -> Record | None:
    """The first that a pair not yet tried for this reason gives."""
    for record in order:
        if (reason, record.id) in used:
            continue
        used.add((reason, record.id))
        statement = parsed(record.queries["cypher"])
        if not isinstance(statement, ir.Query):
            continue
        random = rng(config.corpus.seed, "unanswerable", record.id, reason, turn)
        made = spoiler.spoil(statement, reason, random)
        if made is None or made.questions.business in asked:
            continue
        asked.add(made.questions.business)
        return Record(
            record.schema,
            record.db,
            made.questions,
            {},
            Provenance("unanswerable", "1", config.corpus.seed, parent=record.id),
            domain=record.domain,
            subdomain=record.subdomain,
            split=record.split,
            unanswerable={"reason": made.reason, "missing": made.missing},
        )
    return None


def _spoiler(config: Config, graph: Graph) -> Spoiler:
    schema = graph.schema
    statistics = gather_statistics(graph.folder, schema, config.corpus.seed)
    whole = lexicon_of(schema, lambda: statistics, graph.lexicon)
    tables = Folder(graph.folder).tables()

    @cache
    def values(owner: str, key: str) -> list[Any]:
        column: list[Any] = tables[owner].column(key).to_pylist()
        return column

    return Spoiler(schema, whole.at(config.questions.confidence), statistics, values)
