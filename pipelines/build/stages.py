"""The stages as plain functions: one candidate or record in, a record or a reject out.

No stage knows whether `pipelines.run` or a Prefect task calls it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from engines.base import Result
from engines.compare import same_bag
from engines.sources._texts import as_typed
from generators.queries.base import Proposal
from generators.questions.author import NoWording
from generators.questions.levels.recovery import recover
from generators.questions.levels.rules import RuleAuthor
from graph_ir import nodes as ir
from graph_ir.cypher.pair import Pair
from graph_ir.cypher.reader import parse, parsed
from graph_ir.difficulty import tier
from graph_ir.features import features
from graph_ir.rewrites import Probe, has_inner_window, leaves_lists_open, probe, with_means
from graph_ir.walk import find
from graphmill import __version__
from graphmill.errors import (
    EngineError,
    EngineUnavailable,
    GraphmillError,
    LLMError,
    QueryTextError,
    Refused,
)
from graphmill.files import canonical
from graphmill.record import Evolved, Finding, Provenance, Questions, Record, Reject
from graphmill.seed import rng
from pipelines.author.authors import ModelAuthor
from pipelines.build.candidates import Grown
from pipelines.build.context import REFEREE, DatabaseContext, engine_class, refuse_unsound
from pipelines.build.query_oracle import QueryOracle
from pipelines.build.question_writer import spoken
from pipelines.configuration.parameters import fill, has_parameters
from pipelines.configuration.proposals import Candidate
from pipelines.configuration.reach import must_prove, unproven
from qa.answerability import settle
from qa.base import Subject
from qa.certify import CERTIFICATE, Execution, Trial, certify, tried
from qa.checks import all_checks
from qa.levels import check_levels
from translators.language import Origin, difference, read
from translators.render import render

NEAR = 1e-12  # of a mean, what ten thousand floats that are added up in another order may differ by
SPLIT = "split"  # the stage in which records are proven as their split asks
TRIALS = "trials"  # what a record has in `meta` between the passes of that stage


def translate(candidate: Candidate, database: DatabaseContext) -> Pair | Reject:
    """Source query to Graph-IR, and from it the texts of every language of the corpus."""
    graph = database.graph
    try:
        statement, question, trace = _meaning(candidate, database)
        texts = _texts(statement, database)
    except (Refused, QueryTextError) as problem:
        return _refused(candidate, "translate", problem)
    record = Record(
        schema=graph.schema_fingerprint,
        db=graph.db,
        domain=graph.domain,
        subdomain=graph.subdomain,
        questions=Questions(original=question),
        queries=texts,
        source_sql=candidate.sql,
        external_knowledge=candidate.knowledge,
        provenance=Provenance(
            maker="pairs",
            version=__version__,
            seed=database.seed,
            source=f"{graph.db}:{candidate.line}",
            trace=trace,
        ),
        meta={"line": candidate.line},
    )
    return Pair.read(record)


def render_grown(grown: Grown, database: DatabaseContext) -> Pair | Reject:
    """A proposal in every language of the corpus."""
    statement = grown.proposal.statement
    try:
        texts = _texts(statement, database)
    except (Refused, QueryTextError) as problem:
        return rejected(grown, database.graph.db, "translate", problem.code, str(problem))
    return Pair.read(replace(grown_record(grown, database), queries=texts))


def grown_record(grown: Grown, database: DatabaseContext) -> Record:
    """The record of a proposal, with its Cypher alone.

    Raises:
        Refused: Cypher cannot say it.
    """
    made, graph = grown.proposal, database.graph
    return Record(
        schema=graph.schema_fingerprint,
        db=graph.db,
        domain=graph.domain,
        subdomain=graph.subdomain,
        questions=Questions(original=made.question),
        queries={"cypher": database.text(made.statement, "cypher")},
        provenance=Provenance(
            maker=made.maker,
            version=__version__,
            seed=database.seed,
            model=_model_of(made, database),
            source=f"{graph.db}:{made.archetype}" if made.archetype else graph.db,
            parent=grown.parent,
            trace=made.trace,
        ),
        meta={"grown": origin_of(grown), "may_be_empty": made.may_be_empty},
    )


def _model_of(made: Proposal, database: DatabaseContext) -> str:
    """The model that wrote the query or a step on the way to it; empty where none did."""
    by_model = made.maker == "llm" or any(s.operation.startswith("llm:") for s in made.trace)
    return database.author.model if by_model and isinstance(database.author, ModelAuthor) else ""


def rejected(grown: Grown, db: str, stage: str, code: str, reason: str) -> Reject:
    """The ledger's line for a grown candidate."""
    try:
        text = render(grown.proposal.statement, "cypher").text
    except GraphmillError:
        text = ""
    question = grown.proposal.question
    return Reject(stage, code, reason, db, question, text, evidence=origin_of(grown))


def origin_of(grown: Grown) -> dict[str, Any]:
    """Where a candidate comes from, for the ledger."""
    made = grown.proposal
    steps = [step.operation for step in made.trace]
    return {
        "maker": made.maker,
        "archetype": made.archetype,
        "parent": grown.parent,
        "steps": steps,
    }


def _texts(statement: ir.Statement, database: DatabaseContext) -> dict[str, str]:
    """The statement in the languages of the corpus, and in those of `also` that can say it.

    Raises:
        Refused, QueryTextError: a language that every record has cannot say it.
    """
    texts = {name: _read_back(statement, name, database) for name in database.languages}
    _same_meaning(statement, texts["cypher"])
    return {**texts, **_further(statement, texts, database)}


def _further(
    statement: ir.Statement, known: Collection[str], database: DatabaseContext
) -> dict[str, str]:
    """The statement in those languages of `also` that are not `known` and can say it."""
    texts = {}
    for name in database.also:
        if name not in known:
            with suppress(Refused, QueryTextError):
                texts[name] = _read_back(statement, name, database)
    return texts


def _read_back(statement: ir.Statement, language: str, database: DatabaseContext) -> str:
    """The text of a statement, which says the same when it is read again.

    Raises:
        Refused: it cannot be said, or the text is read as something else.
    """
    text = database.text(statement, language)
    why = difference(language, statement, text, database.graph.schema)
    if why and not _answers_alike(statement, language, text, database):
        raise Refused("read-back", language, why, statement.span)
    return text


def _answers_alike(
    statement: ir.Statement, language: str, text: str, database: DatabaseContext
) -> bool:
    """Whether a text in other words, read back, is written as it is and has the same answer."""
    try:
        again = read(language, Origin(schema=database.graph.schema))(text)
        if database.text(again, language) != text:
            return False
        asked, other = probe(statement), probe(again)
        if asked is None or other is None:
            return False
        expected, actual = (database.answer(each.statement) for each in (asked, other))
    except EngineUnavailable:
        raise
    except (Refused, QueryTextError, EngineError):
        return False
    return bool(same_bag(actual, expected, unordered_lists=leaves_lists_open(statement)))


def prove(pair: Pair, database: DatabaseContext) -> Pair | Reject:
    """Run every text of the record on every engine that can, and hold the answers together."""
    known = _referee(pair, database)
    if isinstance(known, Reject):
        return known
    trials = _trials(pair, database, *known)
    outcome = _proven(pair, trials, database.certify.engines, database.also)
    asked, referee = known
    if isinstance(outcome, Pair) and not _keeps_clear_of_means(asked.statement, referee, database):
        reason = "A value is so near a mean that an engine may take it for more, or for less."
        return reject(outcome.record, "prove", "near-mean", reason)
    return outcome


def _referee(pair: Pair, database: DatabaseContext) -> tuple[Probe, Result] | Reject:
    """What the referee is asked to judge the executions of a pair by, and its answer."""
    asked = probe(pair.statement)
    if asked is None:
        return reject(pair.record, "prove", "open-window", "SKIP and LIMIT must be numbers.")
    try:
        return asked, database.answer(asked.statement)
    except EngineUnavailable:
        raise
    except (Refused, EngineError) as problem:
        reason = f"The referee has no answer: {problem}"
        return reject(pair.record, "prove", _code(problem), reason)


def _trials(pair: Pair, database: DatabaseContext, asked: Probe, referee: Result) -> list[Trial]:
    runs = _executions(pair.record, pair.statement, database)
    return tried(runs, referee, asked, open_lists=leaves_lists_open(pair.statement))


def _proven(
    pair: Pair, trials: Sequence[Trial], engines: Sequence[str], also: Collection[str]
) -> Pair | Reject:
    """A pair with the certificates of its trials, if they prove it: in the languages of `also` only
    where an engine that was to run the text could, as these need not be there."""
    able = {language for kind in map(engine_class, engines) for language in kind.languages}
    idle = able.intersection(also) - {each.language for each in trials if each.certificate}
    record, statement = pair.record, pair.statement
    queries = {name: text for name, text in record.queries.items() if name not in idle}
    shipped = [language for language in queries if language in able]
    certificates, finding = certify([t for t in trials if t.language not in idle], shipped)
    record = replace(record, queries=queries).certified(*certificates)
    if finding.code == "disagrees" and has_inner_window(statement):
        reason = f"{finding.detail} A LIMIT before the end may have cut ties, which leaves it open."
        return reject(record, "prove", "inner-tie", reason, finding)
    if not finding.ok:
        return reject(record, "prove", finding.code, finding.detail, finding)
    gold = next(each.answer for each in trials if each.answer)  # of the first graph engine
    return Pair(replace(record.judged(finding), answer=gold), statement)


def _keeps_clear_of_means(
    statement: ir.Statement, referee: Result, database: DatabaseContext
) -> bool:
    """Whether the rows stay, but for their floats, where all means are a little more or less:
    engines that add up in another order, or go on from mean to mean as Neo4j does, have others in
    their last digits, and a value that equals one lies on either side then."""
    for factor in (1 - NEAR, 1 + NEAR):
        shaken = with_means(statement, factor)
        if shaken is None:
            return True
        try:
            answer = database.answer(shaken)
        except EngineUnavailable:
            raise
        except (Refused, EngineError):
            return True  # of durations, which are no numbers
        if _without_floats(answer) != _without_floats(referee):
            return False
    return True


def _without_floats(answer: Result) -> list[str]:
    rows = ([cell for cell in row if not isinstance(cell, float)] for row in answer.rows)
    return sorted(map(repr, rows))


def prove_in_split(pair: Pair, database: DatabaseContext) -> Pair | Reject:
    """A released pair in the further languages of its split, with the trials of the engines of one
    pass beside those of earlier ones."""
    record = pair.record
    queries = {**record.queries, **_further(pair.statement, record.queries, database)}
    worded = pair.changed(queries=queries)
    known = _referee(worded, database)
    if isinstance(known, Reject):
        return replace(known, stage=SPLIT)
    trials = [each.to_json() for each in _trials(worded, database, *known)]
    return worded.changed(meta={**record.meta, TRIALS: [*record.meta.get(TRIALS, ()), *trials]})


def proven_in_split(pair: Pair, engines: Sequence[str], also: Collection[str]) -> Pair | Reject:
    """What all passes make of a pair, as if its trials had been one after the other: of its
    source, of `engines` in their order, of the referee. That it keeps clear of means was seen when
    it was first proven, on the same data."""
    record = pair.record
    meta = dict(record.meta)
    order = [*(name for name in engines if name != REFEREE), REFEREE]
    places = {name: n for n, name in enumerate(order)}
    trials = sorted(
        map(Trial.from_json, meta.pop(TRIALS)), key=lambda each: places.get(each.engine, -1)
    )
    others = tuple(each for each in record.findings if each.check != CERTIFICATE)
    bare = pair.changed(certificates=(), findings=others, meta=meta)
    outcome = _proven(bare, trials, engines, also)
    return outcome if isinstance(outcome, Pair) else replace(outcome, stage=SPLIT)


def judge(pair: Pair, database: DatabaseContext) -> Pair | Reject:
    """All checks, then the difficulty tier and the constructs."""
    record, statement = pair.record, pair.statement
    query_features = features(statement)
    assert record.answer is not None  # noqa: S101 - `prove` set it
    subject = Subject(record, statement, query_features, database.graph.schema, record.answer)
    for check in all_checks():
        finding = check.check(subject)
        if not finding.ok:
            return reject(record, "check", finding.code, finding.detail, finding)
        record = record.judged(finding)
    judged = replace(
        record, difficulty=tier(query_features), constructs=tuple(query_features.constructs)
    )
    return Pair(judged, statement)


def write_questions(pair: Pair, database: DatabaseContext) -> Pair | Reject:
    """The questions at all levels and the external knowledge, written and checked.

    A query that somebody gave is never dropped for its wording: where the rules have none it keeps
    the question that it came with, and has level 1 besides.
    """
    record = pair.record
    try:
        written = database.scribe.write(pair)
    except LLMError:
        raise  # it ends the work; what is finished is kept
    except NoWording as problem:
        if not _is_given(record):
            return reject(record, "questions", problem.code, str(problem))
        return _as_given(pair, database)
    except GraphmillError as problem:
        return reject(record, "questions", _code(problem), str(problem))
    asked = record.questions.original or written.questions.original
    by_rule = not written.origin
    questions = replace(written.questions, original=asked)
    knowledge = "\n".join(filter(None, (record.external_knowledge, written.knowledge)))
    record = replace(record, questions=questions, external_knowledge=knowledge)
    if written.origin:
        made = record.provenance
        step = Evolved("write-questions", "", canonical(dict(written.origin)))
        by = replace(made, model=written.origin["model"], trace=(*made.trace, step))
        record = replace(record, provenance=by)
    schema, graph_words = database.graph.schema, spoken(database.sure_words)
    worded, open_ones = settle(Pair(record, pair.statement), schema, graph_words)
    for finding in (check_levels(worded, schema, graph_words), *open_ones):
        if not finding.ok and by_rule and _is_given(record):
            return _as_given(pair, database)
        if not finding.ok:
            return reject(worded.record, "questions", finding.code, finding.detail, finding)
        worded = worded.judged(finding)
    return _translated_back(worded, database)


def _is_given(record: Record) -> bool:
    """Whether somebody gave the query, which is never dropped for its wording."""
    return record.provenance.maker == "pairs"


def _as_given(pair: Pair, database: DatabaseContext) -> Pair | Reject:
    """A given pair without wording: its own question, and that of level 1."""
    record = pair.record
    random = rng(database.seed, "questions", record.db, record.queries["cypher"])
    try:
        first = RuleAuthor(database.sure_words).engineer(pair.statement, random)
    except GraphmillError as problem:
        return reject(record, "questions", _code(problem), str(problem))
    worded = pair.changed(questions=replace(record.questions, syntactic=first))
    finding = check_levels(worded)
    if not finding.ok:
        return reject(worded.record, "questions", finding.code, finding.detail, finding)
    return worded.judged(finding)


def _translated_back(pair: Pair, database: DatabaseContext) -> Pair | Reject:
    """With `back_translations`: whether the business question leads back to the query, and what
    the knowledge is worth for that, as a step of the record's trace."""
    author, record = database.author, pair.record
    if not isinstance(author, ModelAuthor) or not author.back_translations:
        return pair
    known = record.external_knowledge
    recovery = recover(
        database.client,
        QueryOracle(database, database.statistics),
        pair.statement,
        record.questions.business,
        known,
        trials=author.back_translations,
        rng=rng(database.seed, "back", record.db, record.queries["cypher"]),
    )
    evidence = {**recovery.to_json(), "knowledge": recovery.worth(known)}
    if not recovery.recovered:
        reason = "No translation of the business question gives the query's answer."
        finding = Finding("translates-back", False, "not-recovered", reason, evidence)
        return reject(record, "questions", finding.code, reason, finding)
    made = record.provenance
    step = Evolved("translate-back", record.questions.business, canonical(evidence))
    return pair.changed(provenance=replace(made, trace=(*made.trace, step)))


def _meaning(
    candidate: Candidate, database: DatabaseContext
) -> tuple[ir.Statement, str, tuple[Evolved, ...]]:
    """What the query means, its question, and how values came to their parameters."""
    if candidate.cypher:
        statement = parse(candidate.cypher)
        _only_reads(statement)
        if not has_parameters(statement):
            return statement, candidate.question, ()
        seed = (database.seed, candidate.db, candidate.line)
        graph = database.graph
        try:
            filled = fill(
                statement,
                candidate.parameters,
                graph.schema,
                graph.folder,
                lambda made: _finds_something(made, database),
                seed,
            )
        except QueryTextError:
            for name in database.languages:  # a refusal is told as that, whatever values it lacks
                database.text(statement, name)
            raise
        trace = (Evolved("bind-parameters", candidate.cypher, filled.text),)
        return filled.statement, filled.asked(candidate.question), trace
    if database.graph.mapping is None:
        reason = "The source is a graph, so its pairs need Cypher, not SQL."
        raise Refused("no-mapping", "sql", reason)
    from translators.from_sql.reader import SqlTranslator  # whose parser is slow to import

    mapping = database.graph.mapping
    translator = SqlTranslator(mapping, database.graph.schema, mapping.dialect)
    return translator.translate(candidate.sql), candidate.question, ()


def _only_reads(statement: ir.Statement) -> None:
    """A corpus asks its graphs; languages have writes and procedures all the same."""
    for clause in find(statement, *ir.WRITES, ir.Procedure):
        code = "procedure" if isinstance(clause, ir.Procedure) else "write"
        reason = "A corpus holds queries that read their graph and nothing else."
        raise Refused(code, type(clause).__name__, reason, clause.span)


def _finds_something(statement: ir.Statement, database: DatabaseContext) -> bool:
    """Whether the referee's answer says more than 0 or NULL; where it cannot be asked, no draw is
    better."""
    try:
        rows = database.refer(database.text(statement, "sql")).rows
        return any(value not in (None, 0) for row in rows for value in row)
    except Refused:
        return True
    except EngineUnavailable:
        raise
    except EngineError:
        return False


def _same_meaning(statement: ir.Statement, text: str) -> None:
    """The Cypher that is shipped must read back as the very IR it was made from."""
    if parsed(text) != statement:
        reason = "The Cypher text reads back as another query; this is a defect of graphmill."
        raise Refused("round-trip", text, reason)


def _executions(
    record: Record, statement: ir.Statement, database: DatabaseContext
) -> Iterator[Execution]:
    """The source on its own engine, every language on every engine, the meaning as SQL; where the
    referee is none of the engines, its own and the source's are another pass's."""
    origin, refers = database.graph.source_engine, REFEREE in database.certify.engines
    if record.source_sql and origin and refers:
        yield _execute(database, origin, "source", origin, record.source_sql, statement)
    for name in database.certify.engines:
        if name == REFEREE:
            continue
        for language in engine_class(name).languages:
            if language in record.queries:
                dialect = engine_class(name).profiles.get(language, language)
                yield _execute(database, name, language, dialect, None, statement)
    if refers:
        yield _execute(database, REFEREE, "sql", "sql", None, statement)


def _execute(
    database: DatabaseContext,
    name: str,
    language: str,
    dialect: str,
    text: str | None,
    statement: ir.Statement,
) -> Execution:
    """One execution; a refusal, an unsound construct and a failure are outcomes, not ends.

    Raises:
        EngineUnavailable: of an engine without which nothing is proven.
    """
    outcome: Result | EngineError | Refused
    version = ""
    try:
        if text is None:
            refuse_unsound(engine_class(name), dialect, statement)
            text = database.text(statement, dialect)
        if name == REFEREE:
            outcome = database.refer(text)
        else:
            outcome = database.run(name, text, "sql" if language == "source" else language)
        if language == "source":
            outcome = as_typed(outcome, database.kinds(statement))
        version = database.engine(name).version()
    except EngineUnavailable as problem:
        if must_prove(name):
            raise unproven(name, problem) from problem
        outcome = problem
    except (EngineError, Refused) as problem:
        outcome = problem
    return Execution(name, version, language, dialect, text or "", outcome)


def _refused(candidate: Candidate, stage: str, problem: Refused | QueryTextError) -> Reject:
    return Reject(
        stage=stage,
        code=problem.code,
        reason=str(problem),
        db=candidate.db,
        question=candidate.question,
        query=candidate.query,
        line=candidate.line,
        evidence=problem.as_json(),
    )


def reject(
    record: Record, stage: str, code: str, reason: str, finding: Finding | None = None
) -> Reject:
    return Reject(
        stage=stage,
        code=code,
        reason=reason,
        db=record.db,
        question=record.questions.original,
        query=record.source_sql or record.queries["cypher"],
        line=int(record.meta.get("line", 0)),
        evidence={**(finding.evidence if finding else {}), **record.meta.get("grown", {})},
    )


def _code(problem: GraphmillError) -> str:
    """The stable code of an error: its own, or its kind."""
    return str(getattr(problem, "code", None) or getattr(problem, "kind", "error"))
