"""Two corpora compared: what `graphmill diff` prints, and whether they are equal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from graphmill.errors import GraphmillError
from graphmill.files import checked, file_digest, read_rows
from graphmill.record import SPLITS
from pipelines.difference.beside import contents, rows_of
from pipelines.difference.records import Change, Known, changes, multiset
from pipelines.release.corpus import Corpus
from pipelines.release.figures import Figures, figures
from pipelines.release.folder import split_file
from pipelines.release.hub import MASKED, UNANSWERABLE
from pipelines.release.lock import format_of
from pipelines.verification.integrity import refuse_damaged
from schemagraph.describe import Size, describe
from schemagraph.folder.graphdata import graph_fingerprint
from schemagraph.folder.serde import load_schema
from schemagraph.model import EdgeType, NodeType, SchemaGraph

_INSIDE = ("code", "libraries")  # of the lock: told, and no difference of what the corpus says


@dataclass(frozen=True, slots=True)
class Difference:
    """All that differs. `notes` are other versions of code and libraries, which alone do not make
    two corpora differ; figures are rows of group, name, old and new."""

    old: Corpus
    new: Corpus
    records: list[Change]
    lines: list[dict[str, Any]]
    figures: list[tuple[str, str, int, int]]
    notes: list[dict[str, Any]]

    @property
    def is_equal(self) -> bool:
        """Whether the two say the same: records, questions without an answer, rejects, schemas,
        graphs, configuration."""
        return not self.records and not self.lines and not self.figures

    def of(self, kind: str) -> list[Change]:
        """Records that are `added`, `gone` or `changed`."""
        return [change for change in self.records if change.kind == kind]

    def __str__(self) -> str:
        if self.is_equal:
            return "The corpora are equal."
        kinds = Counter(change.kind for change in self.records)
        parts = [f"{kinds[kind]:,} records {kind}" for kind in ("added", "gone", "changed")]
        others = Counter(line["what"] for line in self.lines)
        parts += [f"{what}: {number:,} differ" for what, number in sorted(others.items())]
        return f"The corpora differ: {'; '.join(parts)}."

    def to_json(self) -> Iterator[dict[str, Any]]:
        """Lines of output: records, then all else, then figures, then notes."""
        for change in self.records:
            yield change.to_json()
        yield from self.lines
        for group, name, old, new in self.figures:
            yield {"what": "figure", "group": group, "name": name, "old": old, "new": new}
        yield from self.notes


def compare(old: Path, new: Path) -> Difference:
    """What differs between the corpora in two folders.

    Raises:
        GraphmillError: one of them is no finished corpus, or not what its lock says; a file of it
            is damaged.
    """
    first, second = Corpus(old), Corpus(new)
    for corpus in (first, second):
        refuse_damaged(corpus.folder, corpus.lock)
    records = changes(_known(first), _known(second))
    lines = [
        *_rejects(first, second),
        *_unanswerable(first, second),
        *_values("masked pair", _masked(first), _masked(second)),
        *_graphs(first, second),
        *_values("configuration", _flat(_config(first)), _flat(_config(second))),
        *_values("file", contents(first, second), contents(second, first)),
    ]
    notes = list(_values("version", _versions(first), _versions(second)))
    rows = list(_figures(figures(old), figures(new)))
    return Difference(first, second, records, lines, rows, notes)


def _known(corpus: Corpus) -> Iterator[Known]:
    for split in SPLITS:
        file = split_file(corpus.folder, split)
        if file.relative_to(corpus.folder).as_posix() in corpus.lock["files"]:
            yield from _known_rows(corpus, file, read_rows(file))


def _known_rows(corpus: Corpus, file: Path, rows: Iterable[dict[str, Any]]) -> Iterator[Known]:
    try:
        for row in checked(file, rows, form=format_of(corpus.lock)):
            yield Known.of(row)
    except (KeyError, TypeError, AttributeError) as problem:
        raise GraphmillError(
            f"{corpus.folder} has records without the fields of a corpus: {problem}."
        ) from problem


def _versions(corpus: Corpus) -> dict[str, Any]:
    return _flat({name: corpus.lock.get(name) for name in _INSIDE})


def _config(corpus: Corpus) -> dict[str, Any]:
    return dict(corpus.lock.get("config") or {})


def _rejects(old: Corpus, new: Corpus) -> Iterator[dict[str, Any]]:
    """Reject codes whose lines differ: how many came and went."""
    before, after = multiset(old.rejects()), multiset(new.rejects())
    came, went = after - before, before - after
    added: Counter[str] = Counter()
    gone: Counter[str] = Counter()
    for (code, _), number in came.items():
        added[code] += number
    for (code, _), number in went.items():
        gone[code] += number
    for code in sorted({*added, *gone}):
        yield {"what": "rejects", "name": code, "added": added[code], "gone": gone[code]}


def _apart(corpus: Corpus, name: str) -> Iterator[Path]:
    """The files of a folder beside the records, as far as the lock has them."""
    for split in SPLITS:
        file = corpus.folder / name / split_file(corpus.folder, split).name
        if file.relative_to(corpus.folder).as_posix() in corpus.lock["files"]:
            yield file


def _unanswerable(old: Corpus, new: Corpus) -> Iterator[dict[str, Any]]:
    """Questions without an answer that came, went and changed, as records do."""
    before, after = (
        chain.from_iterable(
            _known_rows(corpus, file, read_rows(file)) for file in _apart(corpus, UNANSWERABLE)
        )
        for corpus in (old, new)
    )
    for change in changes(before, after):
        line = change.to_json()
        line |= {"what": UNANSWERABLE, "name": line.pop("id"), "of": line.pop("db")}
        yield line


def _masked(corpus: Corpus) -> dict[str, str]:
    """The rows of each record in the configuration `masked`, which `pairs.jsonl` has as the paper
    has them."""
    return rows_of(list(_apart(corpus, MASKED)))


def _graphs(old: Corpus, new: Corpus) -> Iterator[dict[str, Any]]:
    for db in sorted({*old.lock["graphs"], *new.lock["graphs"]}):
        sides = [corpus for corpus in (old, new) if db in corpus.lock["graphs"]]
        if len(sides) == 1:
            change = "gone" if sides[0] is old else "added"
            yield {"what": "graph", "change": change, "name": db}
            continue
        places = [corpus.folder / "graphs" / db for corpus in sides]
        schemas = [load_schema(place) for place in places]
        yield from _schema(db, *schemas)
        prints = [graph_fingerprint(place, deep=True) for place in places]
        if prints[0] != prints[1]:
            yield {"what": "graph", "change": "changed", "name": db}
        before, after = (_instances(place) for place in places)
        yield from _values("small graph", before, after, within=db)


def _schema(db: str, old: SchemaGraph, new: SchemaGraph) -> Iterator[dict[str, Any]]:
    """Types that came, went and changed, each as its line of Cypher-like text."""
    before, after = _types(old), _types(new)
    yield from _values("schema", before, after, within=db)
    if before == after and old != new:
        yield {"what": "schema", "change": "changed", "name": "order or notes", "of": db}


def _types(schema: SchemaGraph) -> dict[str, str]:
    def text(nodes: tuple[NodeType, ...], edges: tuple[EdgeType, ...]) -> str:
        return describe(SchemaGraph(schema.name, nodes, edges), Size.FULL)

    nodes = {node.name: text((node,), ()) for node in schema.nodes}
    return nodes | {edge.name: text((), (edge,)) for edge in schema.edges}


def _instances(place: Path) -> dict[str, str]:
    return {path.name: file_digest(path) for path in sorted(place.glob("instances/*.json"))}


def _flat(value: Any, name: str = "") -> dict[str, Any]:
    """A JSON value's leaves by their dotted names; items of lists by number."""
    if isinstance(value, Mapping) and value:
        parts = {str(key): each for key, each in value.items()}
    elif isinstance(value, list) and value:
        parts = {str(number): each for number, each in enumerate(value)}
    else:
        return {name: value} if name else {}
    leaves = {}
    for key, each in parts.items():
        leaves.update(_flat(each, f"{name}.{key}" if name else key))
    return leaves


def _values(
    what: str, old: Mapping[str, Any], new: Mapping[str, Any], within: str = ""
) -> Iterator[dict[str, Any]]:
    for name in sorted({*old, *new}):
        if name in old and name in new and old[name] == new[name]:
            continue
        change = "changed" if name in old and name in new else "added" if name in new else "gone"
        line: dict[str, Any] = {"what": what, "change": change, "name": name}
        line |= {"of": within} if within else {}
        line |= {"old": old[name]} if name in old else {}
        line |= {"new": new[name]} if name in new else {}
        yield line


def _figures(old: Figures, new: Figures) -> Iterator[tuple[str, str, int, int]]:
    """Numbers that differ."""
    pairs: Mapping[str, Callable[[Figures], Mapping[str, int]]] = {
        "size": lambda counted: {"records": counted.records, "pairs": counted.pairs},
        "split": lambda counted: {name: counted.splits[name] for name in SPLITS},
        "database": lambda counted: {db: each.total() for db, each in counted.databases.items()},
        "tier": lambda counted: counted.tiers,
        "language": lambda counted: counted.languages,
        "level": lambda counted: {name: each.number for name, each in counted.questions.items()},
        "maker": lambda counted: counted.makers,
        "executions of": lambda counted: _engines(counted),
    }
    for group, numbers in pairs.items():
        a, b = numbers(old), numbers(new)
        for name in sorted({*a, *b}):
            if a.get(name, 0) != b.get(name, 0):
                yield group, name, a.get(name, 0), b.get(name, 0)


def _engines(counted: Figures) -> Counter[str]:
    engines: Counter[str] = Counter()
    for (engine, *_), number in counted.runs.items():
        engines[engine] += number
    return engines
