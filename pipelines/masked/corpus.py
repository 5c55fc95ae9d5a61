"""The folder of `graphmill masked`: a corpus like any other, with masked pairs beside its records.

It has splits, a lock, a card and a report; `verify`, `serve`, `report`, `diff` and `export` take
it as they take what `build` writes.
"""

from __future__ import annotations

import json
import re
import shutil
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from graph_ir.canonical import shape
from graph_ir.cypher.reader import parsed
from graphmill.errors import ConfigError, GraphmillError, SchemaError
from graphmill.files import canonical, copying, remove, write_text
from graphmill.record import Record, Reject
from pipelines.author.authors import Author
from pipelines.build.context import Graph
from pipelines.build.splits import splits_of
from pipelines.claim import claimed, remove_ruin
from pipelines.configuration.config import Config, Corpus, GraphSource, Privacy
from pipelines.configuration.progress import Watch
from pipelines.masked.pseudonyms import pseudonymous
from pipelines.pseudonyms.risks import risks
from pipelines.pseudonyms.stand_in import FILE, RISKS, StandIn, check_leaks, private_folder
from pipelines.release.folder import release
from pipelines.release.ledger import ledger_text
from pipelines.release.lock import lay_aside
from pipelines.release.masked import COVERAGE, write_pairs
from pipelines.verification.integrity import settled
from schemagraph.folder.graphdata import graph_fingerprint
from schemagraph.folder.manifest import load_manifest
from schemagraph.folder.writer import check_place

LANGUAGES, ALSO = ("cypher", "gql"), ("ngql",)


@dataclass(frozen=True, slots=True)
class MaskedRecord:
    """A record, and its nine fields."""

    record: Record
    fields: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class About:
    """What is said of the corpus: domain and sub-domain of its graph, and its licence."""

    domain: str = ""
    subdomain: str = ""
    licence: str = ""


@dataclass(frozen=True, slots=True)
class Place:
    """A corpus folder that is held, and the graph in it."""

    out: Path
    config: Config
    graph: Graph
    standing: StandIn | None = None

    def finish(
        self,
        made: Sequence[MaskedRecord],
        rejects: Sequence[Reject],
        coverage: Mapping[str, Any],
    ) -> None:
        """Write everything; the lock comes last.

        Raises:
            GraphmillError: no pair was released, an original text is left, or a file cannot be
                written.
        """
        corpus = self.config.corpus
        shapes = [(each.record.db, shape(parsed(each.record.queries["cypher"]))) for each in made]
        splits = splits_of(shapes, corpus.splits, corpus.seed, by="shape")
        records = [
            replace(each.record, split=split) for each, split in zip(made, splits, strict=True)
        ]
        write_pairs(self.out, [each.fields for each in made], records)
        write_text(self.out / COVERAGE, canonical(coverage) + "\n")
        release(
            self.config,
            self.out,
            [self.graph],
            [(self.graph.db, records)],
            [ledger_text(rejects)],
            _funnel(len(records), rejects),
            masked=coverage["settings"],
            dealt=True,
        )
        if self.standing is not None:
            check_leaks(self.out, self.standing)


def _funnel(released: int, rejects: Sequence[Reject]) -> dict[str, Any]:
    counts = Counter((each.stage, each.code) for each in rejects)
    reasons = [{"stage": s, "code": c, "count": n} for (s, c), n in sorted(counts.items())]
    stages = {"candidates": released + len(rejects), "released": released}
    return {"stages": stages, "rejects": reasons, "grown": []}


@contextmanager
def place_for(
    graph: Path,
    out: Path,
    about: About,
    author: Author,
    watch: Watch,
    seed: int,
    *,
    pseudonyms: bool,
) -> Iterator[Place]:
    """Hold the folder `out` for the masked pairs of `graph`, of which it gets a copy; with
    `pseudonyms` one in which every text is replaced.

    Raises:
        ConfigError: the folder is another corpus's or no corpus, or one of the two folders lies
            in the other.
        GraphmillError: the graph is damaged, or a file cannot be written.
    """
    if graph_fingerprint(graph, deep=True) != load_manifest(graph).fingerprint:
        raise SchemaError(f"{graph} is damaged: its tables are not what its manifest describes.")
    real, target = graph.resolve(), out.resolve()
    if real.is_relative_to(target) or target.is_relative_to(real):
        raise ConfigError(f"{out} and {graph} lie in one another; give another folder with --out.")
    config = _config(graph, real.name, about, author, seed, pseudonyms)
    db = config.database(config.source[0])
    copy = out / "graphs" / db
    with claimed(config, out, watch.warn), settled(out, watch.warn):
        remove_ruin(out, db)
        check_place(copy)
        lay_aside(out)
        standing: StandIn | None = None
        try:
            remove(copy)
            if pseudonyms:
                standing = _pseudonymous(graph, copy, out, config)
                watch.note(f"Pseudonyms are in {private_folder(out)}: keep it private.")
            else:
                shutil.copytree(graph, copy, ignore=shutil.ignore_patterns(".*", "instances"))
        except OSError as problem:
            raise GraphmillError(f"Cannot copy {graph} to {copy}: {copying(problem)}.") from problem
        domains = (config.source[0].domain, config.source[0].subdomain)
        yield Place(out, config, Graph(db, copy, graph_fingerprint(copy), *domains), standing)


def _config(
    graph: Path, name: str, about: About, author: Author, seed: int, pseudonyms: bool
) -> Config:
    """What a configuration of this corpus would say."""
    db = re.sub(r"[^\w.-]+", "-", name)[:72] or "graph"
    licence = load_manifest(graph).licence or "not stated"  # of the data; --licence is the corpus's
    source = GraphSource(
        kind="graph",
        path=name,
        name=db,
        domain=about.domain or db,
        subdomain=about.subdomain or about.domain or db,
        licence=licence,
    )
    return Config(
        corpus=Corpus(
            name=f"{db}-masked",
            seed=seed,
            languages=LANGUAGES,
            also=ALSO,
            licence=about.licence or "not stated",
        ),
        source=(source,),
        author=author,
        privacy=Privacy(pseudonyms=pseudonyms),
    )


def _pseudonymous(graph: Path, copy: Path, out: Path, config: Config) -> StandIn:
    """The copy without originals; what undoes it lies beside the corpus, for its owner alone."""
    folder = private_folder(out)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True, mode=0o700)
    folder.chmod(0o700)
    made, names = pseudonymous(graph, copy, config.corpus.seed)
    write_text(folder / FILE, canonical(made.to_json()) + "\n")
    (folder / FILE).chmod(0o600)
    db = config.database(config.source[0])
    by_db = {db: risks(copy, db)}
    write_text(folder / RISKS, json.dumps(by_db, indent=1, sort_keys=True) + "\n")
    return StandIn(config, made, names)
