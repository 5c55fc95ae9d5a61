"""`[privacy] pseudonyms = true`: what a build reads instead of its sources.

Before anything is built, each source, its pairs and its lexicon are copied with all texts
replaced, into a private folder beside the corpus. The build knows these copies alone, so that
whatever it makes of them (graph, queries, questions, answers, small graphs, ledger, what a model
is asked) is free of the originals, and is proven of the copies. `pseudonyms.json` in the private
folder undoes all of it, and is never part of a corpus.

A SQLite file is copied as one. Of any other source (a server, a DuckDB file, a graph) the graph
is: SQL pairs are translated and proven on the source first, and go on as Cypher.
"""

from __future__ import annotations

import json
import re
import shutil
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from graphmill.errors import GraphmillError, SourceError
from graphmill.files import canonical, write_json_lines, write_text
from graphmill.record import Reject
from graphmill.toml_lines import TomlError, parse_toml
from pipelines.build.context import DatabaseContext, Graph
from pipelines.build.stages import prove, translate
from pipelines.configuration.config import (
    PRIVATE,
    Config,
    GraphSource,
    RelationalSource,
    Source,
    SyntheticSource,
)
from pipelines.configuration.progress import Watch
from pipelines.configuration.proposals import Candidate, pairs_of
from pipelines.pseudonyms import graph_copy, sqlite_copy
from pipelines.pseudonyms.leaks import leaks
from pipelines.pseudonyms.risks import risks
from pipelines.pseudonyms.sqlite_copy import Values
from pipelines.pseudonyms.statements import LongTexts, Quoting, replaced_prose, replaced_query, says
from pipelines.pseudonyms.words import Pseudonyms
from pipelines.release.lock import LOCK
from schemagraph.convert.service import convert
from schemagraph.folder.graphdata import graph_fingerprint

type Fill = Callable[[Path, Path, bool], str]
FILE, RISKS = "pseudonyms.json", "risks.json"


@dataclass
class _Copied:
    """One source on its way: where its original lies in private, and what it holds."""

    source: RelationalSource | GraphSource
    db: str
    original: Path
    address: str
    values: Values
    is_file: bool
    pairs: list[Candidate | Reject] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class StandIn:
    """The configuration of the copies, and their pseudonyms."""

    config: Config
    pseudonyms: Pseudonyms
    names: frozenset[str]


def private_folder(out: Path) -> Path:
    """Where the copies and `pseudonyms.json` of the corpus in `out` lie."""
    return out.with_name(f"{out.name}-private")


def stand_in(config: Config, out: Path, watch: Watch, fill: Fill) -> StandIn:
    """The copies of all sources, in the private folder of `out`; `fill` brings a source's file.

    Raises:
        GraphmillError: a source cannot be read, or a copy not be written.
    """
    folder = private_folder(out)
    originals = folder / "originals"
    try:
        shutil.rmtree(folder, ignore_errors=True)
        originals.mkdir(parents=True, mode=0o700)
        folder.chmod(0o700)
        with watch.stage("pseudonyms", len(config.source)) as tick:
            read = []
            for source in config.source:
                if not isinstance(source, SyntheticSource):
                    read.append(_read(config, source, originals, fill))
                tick()
        texts = {text for each in read for text in each.values.texts}
        numbers = {number for each in read for number in each.values.numbers}
        names = frozenset(name for each in read for name in each.values.names)
        made = Pseudonyms(texts, numbers, names, seed=config.corpus.seed)
        write_text(folder / FILE, canonical(made.to_json()) + "\n")
        (folder / FILE).chmod(0o600)
        place, risks_by_db = folder / "copies", {}
        place.mkdir()
        sources: list[Source] = []
        done = iter(read)
        for source in config.source:
            if isinstance(source, SyntheticSource):
                sources.append(source)
                continue
            one = next(done)
            sources.append(_copy(config, one, place, made))
            risks_by_db[one.db] = risks(place / one.db, one.db)
            risks_by_db[one.db]["pairs"] = dict(_changed(one, config, place, made, sources[-1]))
        write_text(folder / RISKS, json.dumps(risks_by_db, indent=1, sort_keys=True) + "\n")
        shutil.rmtree(originals)
    except OSError as problem:
        raise GraphmillError(f"Cannot write pseudonyms to {folder}: {problem}.") from problem
    watch.note(f"Pseudonyms are in {folder}: keep it private; what could still tell: {RISKS}")
    changed = config.model_copy(update={"source": tuple(sources), "private": place})
    return StandIn(changed, made, names)


def check_leaks(out: Path, standing: StandIn) -> None:
    """See that no original is in the corpus in `out`; else it is no finished corpus.

    Raises:
        GraphmillError: one is; it says in which file, not which.
    """
    leaked = leaks(out, standing.pseudonyms, standing.names)
    kinds = Counter((leak.file, leak.kind) for leak in leaked)
    if kinds:
        (out / LOCK).unlink(missing_ok=True)
        (file, kind), number = kinds.most_common(1)[0]
        raise GraphmillError(
            f"{sum(kinds.values())} original texts are left in {len({f for f, _ in kinds})} files "
            f"of {out}, such as {number} ({kind}) in {file}: it is not to be released."
        )


def _read(
    config: Config, source: RelationalSource | GraphSource, originals: Path, fill: Fill
) -> _Copied:
    """A source's original and its values."""
    db = config.database(source)
    pairs = list(pairs_of(config, source))
    if isinstance(source, RelationalSource) and (source.script or source.url.startswith("sqlite:")):
        file = originals / f"{db}.sqlite"
        fill(config.path(source.url or source.script), file, bool(source.script))
        return _Copied(source, db, file, "", sqlite_copy.values_of(file), True, pairs)
    if isinstance(source, GraphSource):
        address = config.origin(source)
    else:
        address = config.address(source) if source.is_server else str(config.path(source.url))
    graph = originals / db
    convert(address, graph, licence=source.licence)
    sql = isinstance(source, RelationalSource)
    if sql:
        pairs = list(_in_cypher(config, db, graph, address, pairs))
    return _Copied(source, db, graph, address, graph_copy.values_of(graph), False, pairs)


def _in_cypher(
    config: Config,
    db: str,
    folder: Path,
    address: str,
    pairs: list[Candidate | Reject],
) -> Iterator[Candidate | Reject]:
    """SQL pairs, proven on their source, as Cypher; what is not proven is a reject."""
    source = Path(address) if "://" not in address else address
    graph = Graph(db, folder, graph_fingerprint(folder), source=source)
    certify = config.certify
    with DatabaseContext(graph, config.corpus.languages, certify=certify) as shop:
        for pair in pairs:
            if isinstance(pair, Reject) or pair.cypher:
                yield pair
                continue
            outcome = translate(pair, shop)
            proven = outcome if isinstance(outcome, Reject) else prove(outcome, shop)
            if isinstance(proven, Reject):
                yield proven
            else:
                yield Candidate(db, pair.line, pair.question, "", proven.gold, pair.knowledge)


def _copy(config: Config, one: _Copied, place: Path, made: Pseudonyms) -> Source:
    """Write the copy of a source, and say where a build finds it."""
    source = one.source
    known = {"name": one.db, "pairs": f"{PRIVATE}{one.db}.jsonl" if one.pairs else ""}
    if one.is_file:
        sqlite_copy.copied(one.original, place / f"{one.db}.sqlite", made, one.values.numbered)
    else:
        graph_copy.copied(one.original, place / one.db, made, "pseudonyms", config.corpus.seed)
    lexicon = _lexicon(config, one)
    if lexicon is not None:
        write_text(place / f"{one.db}.toml", _replaced_lexicon(lexicon, one, made))
    known["lexicon"] = "" if lexicon is None else f"{PRIVATE}{one.db}.toml"
    if one.is_file:
        url = f"sqlite:///{PRIVATE}{one.db}.sqlite"
        return source.model_copy(update={**known, "url": url, "script": ""})
    return GraphSource(
        kind="graph",
        path=f"{PRIVATE}{one.db}",
        domain=source.domain,
        subdomain=source.subdomain,
        licence=source.licence,
        **known,
    )


def _lexicon(config: Config, one: _Copied) -> str | None:
    if one.source.lexicon:
        return config.path(one.source.lexicon).read_text(encoding="utf-8")
    if isinstance(one.source, GraphSource) and "://" not in one.address:
        own = Path(one.address) / "lexicon.toml"
        return own.read_text(encoding="utf-8") if own.is_file() else None
    return None


def _replaced_lexicon(text: str, one: _Copied, made: Pseudonyms) -> str:
    """A lexicon whose words are not of the data: values in it, and long originals, are replaced;
    comments go. Names of the schema stay.

    Raises:
        SourceError: it is no lexicon any more.
    """
    names, long = {name.casefold() for name in one.values.names}, LongTexts(made)

    def replacement(match: re.Match[str]) -> str:
        if match[0].startswith("#"):
            return ""
        value = json.loads(match[0]) if match[0][0] == '"' else match[0][1:-1]
        if value.casefold() in names:
            return match[0]
        new = made.texts.get(value) or long.replaced(value)
        return match[0] if new == value else json.dumps(new, ensure_ascii=False)

    try:
        text = re.sub(r"\"(?:[^\"\\\n]|\\.)*\"|'[^'\n]*'|#[^\n]*", replacement, text)
        parse_toml(text)
    except (ValueError, TomlError) as problem:
        raise SourceError(
            f"The lexicon of {one.db} cannot be had with pseudonyms: {problem}."
        ) from problem
    return text


def _changed(
    one: _Copied, config: Config, place: Path, made: Pseudonyms, source: Source
) -> Mapping[str, int]:
    """Write the pairs of a source, replaced; how many were kept whole, lost their question because
    it does not say a value as the query does, or were left out."""
    long = LongTexts(made)
    names = frozenset(name.lower() for name in one.values.names)
    counts: Counter[str] = Counter()

    def lines() -> Iterator[dict[str, Any]]:
        for pair in one.pairs:
            if isinstance(pair, Reject):
                counts["left out"] += 1
                yield {pair.code: True}
                continue
            quoting: Quoting = "cypher" if pair.cypher else "sql"
            query = replaced_query(pair.query, quoting, made, names)
            given = dict(pair.parameters)
            constants = [*query.constants, *_known(given, made)]
            kept = not pair.question or all(says(pair.question, each) for each in constants)
            counts["whole" if kept else "without their question"] += 1
            yield {
                "question": replaced_prose(pair.question, constants, made, long) if kept else "",
                quoting: long.replaced(query.text),
                "evidence": replaced_prose(pair.knowledge, constants, made, long) if kept else "",
                "parameters": _values(given, made),
            }

    if one.pairs:
        write_json_lines(place / f"{one.db}.jsonl", lines())
    return counts


def _known(given: Any, made: Pseudonyms) -> Iterator[str]:
    """The originals among the values of parameters."""
    if isinstance(given, str) and made.knows(given):
        yield given
    for each in given.values() if isinstance(given, dict) else given if _is_list(given) else ():
        yield from _known(each, made)


def _values(given: Any, made: Pseudonyms) -> Any:
    if isinstance(given, str):
        return made.text(given)
    if isinstance(given, int) and not isinstance(given, bool):
        return made.numbers.get(given, given)
    if isinstance(given, dict):
        return {name: _values(each, made) for name, each in given.items()}
    return [_values(each, made) for each in given] if _is_list(given) else given


def _is_list(given: Any) -> bool:
    return isinstance(given, list | tuple)
