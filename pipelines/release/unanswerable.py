"""Questions that a graph cannot answer: drawn for a release from the pairs that it can, and held
against these again (docs/questions.md)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from generators.questions.lexicon.completion.store import lexicon_of
from generators.questions.realise.unanswerable import REASONS, Reason, Spoiler
from graph_ir import nodes as ir
from graph_ir.cypher.reader import parsed
from graphmill.files import read_json_lines
from graphmill.record import Provenance, Record
from graphmill.seed import rng
from pipelines.build.context import Graph
from pipelines.configuration.config import Config
from pipelines.release.hub import UNANSWERABLE
from pipelines.release.ledger import LEDGER
from pipelines.release.lock import LOCK
from schemagraph.folder.graph import Graph as Folder
from schemagraph.folder.statistics import gather_statistics

_LIKE_PARENT = ("db", "schema", "domain", "subdomain")
_OF_PAIRS = ("difficulty", "constructs", "source_sql", "external_knowledge", "readings")
"""What is of a query, which such a question has none of."""

type Row = tuple[str, str, str, Record]
"""The split of a row's file, the row's place, the id that stands in it, and what it says."""
type Fault = tuple[str, str, str]
"""Where something does not hold, a code for it, and how."""


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


def unanswerable_problems(
    folder: Path,
    lock: Mapping[str, Any],
    rows: Sequence[Row],
    number: int,
    known: Mapping[str, Record],
    lost: Collection[str] = (),
) -> Iterator[Fault]:
    """What is wrong with the rows of `unanswerable/`, of which there are `number` with those that
    cannot be read, given the released records by their ids; a record of the splits that are `lost`
    may be none of these, and so one whose id is not its own."""
    reviewed = _reviewed(folder)
    pairs = {record.id: record for record in known.values()} | dict(known)
    for split, where, stored, record in rows:
        yield from _of_row(where, stored, record, split)
        if split not in lost or record.provenance.parent in pairs:
            yield from _of_parent(where, record, split, pairs, reviewed)
    for stored, times in Counter(stored for _, _, stored, _ in rows).items():
        if times + (stored in known) > 1:
            detail = f"The id stands in the corpus {times + (stored in known)} times."
            yield f"{stored} ({UNANSWERABLE}/)", "twice", detail
    counted = lock.get(UNANSWERABLE, number)  # which locks of before have not
    if counted != number:
        detail = f"{LOCK} counts {counted} questions without an answer, and there are {number}."
        yield UNANSWERABLE, "records", detail


def _of_row(where: str, stored: str, record: Record, split: str) -> Iterator[Fault]:
    if stored != record.id:
        yield where, "id", "The id is not the hash of the record's content."
    why = record.unanswerable
    if why.get("reason") not in REASONS or not why.get("missing"):
        given = f"reason {why.get('reason', '')!r}, missing {why.get('missing', '')!r}"
        detail = f"It does not say why it has no answer ({given}); reasons: {', '.join(REASONS)}."
        yield where, UNANSWERABLE, detail
    if record.queries or record.answer is not None or record.certificates or record.discrimination:
        yield where, UNANSWERABLE, "It has a query, an answer or a certificate."
    if strange := [name for name in _OF_PAIRS if getattr(record, name)]:
        detail = f"It has {', '.join(strange)}, which only a pair with a query has."
        yield where, UNANSWERABLE, detail
    if record.split != split:
        detail = f"It lies in the file of {split}, and says that its split is {record.split}."
        yield where, "split", detail


def _of_parent(
    where: str,
    record: Record,
    split: str,
    known: Mapping[str, Record],
    reviewed: Collection[str],
) -> Iterator[Fault]:
    parent = record.provenance.parent
    pair = known.get(parent)
    if pair is None:
        if parent not in reviewed:
            detail = f"The pair that it is made of ({parent or 'none is named'}) is not released."
            yield where, "parent", detail
        return
    if pair.split != split:
        detail = f"It is in {split}, and the pair that it is made of is in {pair.split}."
        yield where, "splits", detail
    wrong = [name for name in _LIKE_PARENT if getattr(record, name) != getattr(pair, name)]
    if wrong:
        detail = f"Of the pair that it is made of it has another {', '.join(wrong)}."
        yield where, "parent", detail


def _reviewed(folder: Path) -> set[str]:
    """The pairs that experts took out, of which questions without an answer stay."""
    gone: set[str] = set()
    path = folder / LEDGER
    for _, line in read_json_lines(path) if path.is_file() else ():
        if isinstance(line, dict) and line.get("stage") == "review":
            evidence = line.get("evidence")
            if isinstance(evidence, dict):
                gone.add(str(evidence.get("record")))
    return gone
