"""What a released record says of itself, held against its query, its execution and its place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from engines import ENGINE_OF, ENGINES, family
from engines.base import Result
from engines.compare import allowed
from engines.values import as_json
from graph_ir.bind.statements import bound
from graph_ir.cypher.reader import parsed
from graph_ir.difficulty import tier
from graph_ir.features import features
from graph_ir.rewrites import Probe, leaves_lists_open
from graphmill.errors import QueryTextError
from graphmill.files import canonical
from graphmill.record import Answer, Certificate, Record, Split
from graphmill.seed import rng
from pipelines.build.context import Graph
from pipelines.configuration.certify import Certify
from pipelines.release.lock import setting
from pipelines.verification.integrity import Problem
from qa.certify import SAMPLE_ROWS
from qa.mutation.analysis import SHIPPED
from qa.mutation.mutants import mutants

UNREADABLE = "unreadable"  # a Cypher text that is none, so that nothing of its record can run


def place_problems(rows: Iterable[tuple[Split | None, str, Record]]) -> Iterator[Problem]:
    """Records that stand in a corpus twice, or in the file of another split than their own; of
    each record are given the split of its file, None where that is of none, and the id that stands
    there."""
    seen: Counter[str] = Counter()
    for split, stored, record in rows:
        seen[stored] += 1
        if split is not None and record.split != split:
            detail = f"It lies in the file of {split}, and says that its split is {record.split}."
            yield Problem(stored, "split", detail)
    for stored, number in seen.items():
        if number > 1:
            yield Problem(stored, "twice", f"The id stands in the corpus {number} times.")


def proving_engines(lock: Mapping[str, Any], split: Split | None = None) -> tuple[str, ...]:
    """The engines that prove the records of a corpus, as its configuration names them: of every
    record, and of those of a `split` besides."""
    given, more = setting(lock, "certify", "engines"), setting(lock, "split", str(split), "engines")
    named = given if isinstance(given, list) else [*Certify().engines]
    named = [*named, *(more if isinstance(more, list) else ())]
    return tuple(dict.fromkeys(name for name in named if name in ENGINES.names()))


def query_problems(stored: str, record: Record) -> Iterator[Problem]:
    """An id that is not of the content, a Cypher text that is none, and a difficulty and constructs
    that are not the query's: all that needs no graph."""
    if stored != record.id:
        yield Problem(stored, "id", "The id is not the hash of the record's content.")
    try:
        statement = parsed(record.queries.get("cypher", ""))
    except QueryTextError as problem:
        yield Problem(stored, UNREADABLE, str(problem))
        return
    traits = features(statement)
    if record.difficulty != tier(traits):
        detail = f"The query is {tier(traits)}, and the record says {record.difficulty}."
        yield Problem(stored, "difficulty", detail)
    if sorted(record.constructs) != sorted(traits.constructs):
        wrong = sorted({*record.constructs} ^ {*traits.constructs})
        detail = f"The constructs are not the query's: {', '.join(wrong) or 'one is there twice'}."
        yield Problem(stored, "constructs", detail)


def certificate_problems(stored: str, record: Record, engines: Sequence[str]) -> Iterator[Problem]:
    """Certificates that do not prove the record, by the rule of a build: each is of an engine that
    runs its dialect, none is there twice, all agree, two engines without code in common ran it, and
    each of its languages that one of `engines` can run."""
    runs = Counter((each.engine, each.dialect) for each in record.certificates)
    for (engine, dialect), number in runs.items():
        if number > 1:
            detail = f"It has {number} certificates of one engine and dialect."
            yield Problem(f"{stored} {engine} ({dialect})", "certificate-twice", detail)
    for each in record.certificates:
        where = f"{stored} {each.engine} ({each.dialect})"
        if each.agrees is not True:
            yield Problem(where, "disagrees", "The certificate does not say that it agrees.")
        if not fits(each):
            known = ", ".join(sorted(dialects_of(each.engine)))
            detail = f"There is no engine {each.engine}."
            if known:
                detail = f"The engine {each.engine} runs {known}, and no {each.dialect}."
            yield Problem(where, "engine", detail)
    proven = [each for each in record.certificates if fits(each)]
    if len({family(each.engine) for each in proven} - {""}) < 2:
        detail = "Fewer than two engines that have no code in common ran the query."
        yield Problem(stored, "one-witness", detail)
    able = {language for name in engines for language in ENGINES.get(name).languages}
    ran = {each.dialect.split("-")[0] for each in proven}
    missing = sorted(able.intersection(record.queries) - ran)
    if missing:
        detail = f"No certificate is of the text in {', '.join(missing)}."
        yield Problem(stored, "not-executed", detail)


def dialects_of(engine: str) -> frozenset[str]:
    """What a build has an engine run: profiles of its languages, an engine of sources the source's
    own SQL; nothing where there is no such engine."""
    if engine in ENGINE_OF.values():
        return frozenset({engine})
    if engine not in ENGINES.names():
        return frozenset()
    kind = ENGINES.get(engine)
    return frozenset(kind.profiles.get(language, language) for language in kind.languages)


def fits(certificate: Certificate) -> bool:
    """Whether its engine can have given a certificate."""
    return certificate.dialect in dialects_of(certificate.engine)


def instance_problems(stored: str, record: Record, there: Collection[str]) -> Iterator[Problem]:
    """Small graphs that a record names and its database has not, and none where it needs some;
    `there` are the names of those that there are."""
    named = record.discrimination.get("instances", ())
    if not isinstance(named, list | tuple) or not all(isinstance(each, str) for each in named):
        yield Problem(stored, "instance", "`instances` of discrimination is no list of names.")
        return
    for name in sorted({*named} - {SHIPPED, *there}):
        detail = f"Its database has no small graph {name!r}, which discrimination names."
        yield Problem(stored, "instance", detail)
    if record.discrimination.get("told_apart") and not named:
        detail = "Mutants are told apart, it says, and it names no graph that does it."
        yield Problem(stored, "instance", detail)


def mutant_problems(stored: str, record: Record, graph: Graph) -> Iterator[Problem]:
    """A record that was told from no mutant, though its query has some that differ."""
    apart = record.discrimination
    if not apart or apart.get("mutants") or apart.get("equivalent"):
        return
    try:
        statement = bound(parsed(record.queries.get("cypher", "")), graph.schema).statement
    except QueryTextError:
        return  # which is told of the query
    if mutants(statement, graph.schema, rng(0, "verify"), cap=1):
        detail = "It was told from no mutant, it says, and its query has mutants."
        yield Problem(stored, "discrimination", detail)


def repeatable(record: Record, there: Collection[str]) -> Record:
    """The record with what can be repeated alone: certificates that their engine can have given,
    once each, and small graphs that are `there`. What is left out is told by `certificate_problems`
    and `instance_problems`."""
    runs: dict[tuple[str, str], Certificate] = {}
    for each in record.certificates:
        if fits(each):
            runs.setdefault((each.engine, each.dialect), each)
    named = record.discrimination.get("instances", ())
    known = [name for name in named if name in there] if isinstance(named, list | tuple) else []
    discrimination = {**record.discrimination, "instances": known}
    return replace(record, certificates=tuple(runs.values()), discrimination=discrimination)


def gold_certificate(record: Record) -> Certificate | None:
    """The execution that the gold answer is of: the first of the Cypher text on a graph engine."""
    for each in record.certificates:
        if each.dialect.split("-")[0] == "cypher" and each.engine not in ENGINE_OF.values():
            return each
    return None


def graph_problems(stored: str, record: Record, graph: Graph) -> Iterator[Problem]:
    """A record that says it is of another schema or domain than its graph."""
    for name, mine, of_graph in (
        ("schema", record.schema, graph.schema_fingerprint),
        ("domain", record.domain, graph.domain),
        ("subdomain", record.subdomain, graph.subdomain),
    ):
        if of_graph and mine != of_graph:
            yield Problem(
                stored, name, f"It is {mine or 'missing'}; of its graph it is {of_graph}."
            )


def answer_problems(stored: str, record: Record) -> Iterator[Problem]:
    """A gold answer that is none, that is not the one of its certificate, or whose sample has not
    the rows that it has: all of it that needs no execution."""
    answer, certificate = record.answer, gold_certificate(record)
    if answer is None or not record.certificates:
        yield Problem(stored, "no-gold", "The record has no answer to check.")
        return
    if certificate is None or (answer.hash, answer.rows) != (certificate.hash, certificate.rows):
        yield Problem(stored, "gold", "Hash and rows of the answer are not its certificate's.")
    size = min(SAMPLE_ROWS, answer.rows)
    if len(answer.sample) != size:
        yield Problem(stored, "sample", f"The sample has {len(answer.sample)} rows, not {size}.")


def sample_problems(
    stored: str, answer: Answer, run: Result | None, referee: Result, asked: Probe
) -> Iterator[Problem]:
    """A gold answer that is not what its execution gives.

    `run` is that execution repeated, None where it was not; `referee` is the answer to `asked`.
    """
    sample = as_json(answer.sample)
    if run is not None and (wrong := _kinds(sample) - _kinds(as_json(run.rows))):
        strangers = ", ".join(sorted(f"{kind} in column {column + 1}" for column, kind in wrong))
        yield Problem(stored, "sample", f"The sample has {strangers}, and the answer has not.")
    if run is not None and answer.columns != run.columns:
        detail = f"The columns are {', '.join(run.columns)}, not {', '.join(answer.columns)}."
        yield Problem(stored, "columns", detail)
    size = min(SAMPLE_ROWS, answer.rows)
    if len(answer.sample) != size:
        return  # which `answer_problems` tells
    if run is None or canonical(sample) != canonical(as_json(run.rows[:size])):
        width = len(referee.columns) - asked.keys
        if any(len(row) != width for row in answer.sample):
            yield Problem(stored, "sample", f"The rows of the sample have not {width} values.")
            return
        # Other rows may come first, where the order of the query leaves it open.
        verdict = allowed(
            Result(referee.columns[:width], tuple(map(tuple, sample))),
            replace(referee, rows=tuple(map(tuple, as_json(referee.rows)))),
            keys=asked.keys,
            skip=asked.skip,
            limit=size,
            rough=asked.rough,
            unordered_lists=leaves_lists_open(asked.statement),
        )
        if not verdict.ok:
            detail = f"The sample is not of the answer: {verdict.reason}"
            yield Problem(stored, "sample", detail)


def _kinds(rows: Iterable[Sequence[Any]]) -> set[tuple[int, str]]:
    """What kinds of values stand in which column: 1 and 1.0 are equal, and not the same.

    >>> sorted(_kinds([[1, [2.5, None]]]))
    [(0, 'int'), (1, 'NoneType'), (1, 'float'), (1, 'list')]
    """
    return {(n, kind) for row in rows for n, value in enumerate(row) for kind in _kinds_of(value)}


def _kinds_of(value: Any) -> Iterator[str]:
    yield type(value).__name__ if not isinstance(value, tuple) else "list"
    if isinstance(value, list | tuple):
        for item in value:
            yield from _kinds_of(item)
    elif isinstance(value, dict):
        for item in value.values():
            yield from _kinds_of(item)
