"""What `import graphmill as gm` offers: the functions of the commands, for programs.

Each imports what it needs when it is called. Errors are those of `graphmill.errors`; what a
command prints is what a function here returns. A graph is given as a `Graph` or by its folder.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from os import PathLike, fspath
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, cast

from graphmill.errors import (
    ConfigError,
    Diagnostic,
    EngineError,
    EngineUnavailable,
    GraphmillError,
    LLMError,
    LosslessError,
    QueryError,
    QueryTextError,
    QueryTimeout,
    QueryTooLarge,
    QueryUnsound,
    Refused,
    SchemaError,
    ShadowedError,
    SourceError,
    UnknownNameError,
)

if TYPE_CHECKING:
    from engines.base import Result
    from pipelines.configuration.progress import Watch
    from pipelines.execution import Runner
    from pipelines.release.corpus import Corpus
    from pipelines.verification.verify import Verified
    from schemagraph.folder.graph import ConvertedGraph, Graph
    from translators.service import Translation, Translator

type Folder = str | PathLike[str]
# a function that is called with each line, such as `print`; or what a command shows
type Progress = Callable[[str], object] | Watch | None

__all__ = [
    "ConfigError",
    "Corpus",
    "Diagnostic",
    "EngineError",
    "EngineUnavailable",
    "Graph",
    "GraphmillError",
    "LLMError",
    "LosslessError",
    "QueryError",
    "QueryTextError",
    "QueryTimeout",
    "QueryTooLarge",
    "QueryUnsound",
    "Refused",
    "Result",
    "Runner",
    "SchemaError",
    "ShadowedError",
    "SourceError",
    "Translation",
    "UnknownNameError",
    "Verified",
    "build",
    "check",
    "convert",
    "evaluate",
    "preview",
    "run",
    "synth",
    "translate",
    "verify",
]

_CLASSES = {
    "Corpus": "pipelines.release.corpus",
    "Graph": "schemagraph.folder.graph",
    "Result": "engines.base",
    "Runner": "pipelines.execution",
    "Translation": "translators.service",
    "Verified": "pipelines.verification.verify",
}


def __getattr__(name: str) -> object:
    """The classes, which are loaded on first use, too."""
    if name not in _CLASSES:
        raise AttributeError(f"module 'pipelines.api' has no attribute '{name}'")
    from importlib import import_module

    value: object = getattr(import_module(_CLASSES[name]), name)
    globals()[name] = value
    return value


def convert(
    source: Folder,
    out: Folder,
    *,
    tables: Folder | None = None,
    propose: Folder | None = None,
    dialect: str = "",
    licence: str = "",
) -> ConvertedGraph:
    """Turn a database, a graph file or a folder of tables into the graph in the folder `out`.

    `source` is a file, a folder or the address of a database. `tables` is a TOML file with keys,
    references and names that you chose; `propose` is one to write, with what was found. `dialect`
    is that of DDL text. The graph's `report` says what became what.

    Raises:
        SourceError: there is no such source, or it cannot be read.
        LosslessError: source and graph differ.
        GraphmillError: `out` cannot be written.
    """
    from schemagraph.convert.service import convert as convert_source
    from schemagraph.folder.graph import ConvertedGraph

    report = convert_source(
        fspath(source),
        Path(out),
        licence=licence,
        tables=None if tables is None else Path(tables),
        propose=None if propose is None else Path(propose),
        dialect=dialect,
    )
    return ConvertedGraph(out, report)


def translate(
    text: str,
    *,
    source: str,
    to: str,
    graph: Graph | Folder | None = None,
    dialect: str | None = None,
    parameters: Mapping[str, Any] | None = None,
) -> Translation:
    """Say a query exactly the same in another language, or refuse.

    `source` is the language of `text` and `to` a language or profile; an unknown one is an error
    that lists those that there are. `dialect` is that of SQL, unless the graph's source has it.
    The values of `parameters` are put in their places.

    Raises:
        Refused: the target cannot say exactly this; it has a `code` and a `reason`.
        QueryTextError: the text is wrong; with `line` and `column`.
        UnknownNameError: there is no such language.
    """
    from schemagraph.folder.graph import folder_of

    folder = folder_of(graph)
    translator = _translator(source, to, folder, dialect, _stamp(folder))
    return translator.translation(text, parameters)


@lru_cache(maxsize=16)
def _translator(
    source: str, to: str, folder: Path | None, dialect: str | None, stamp: tuple[int, ...]
) -> Translator:
    """Schema and mapping are read once for many texts; another `stamp` is another graph."""
    from translators.service import Translator

    return Translator(origin=source, to=to, graph=folder, dialect=dialect)


def _stamp(folder: Path | None) -> tuple[int, ...]:
    """What changes when the schema or the mapping of a graph is written again."""
    if folder is None:
        return ()
    files = [folder / "schema.json", folder / "mapping.json"]
    stats = [file.stat() for file in files if file.is_file()]
    return tuple(number for each in stats for number in (each.st_mtime_ns, each.st_ino))


def check(
    text: str, *, language: str = "cypher", graph: Graph | Folder | None = None
) -> list[Diagnostic]:
    """What is wrong with a query, without running it: grammar, and names and types of `graph`.

    Raises:
        UnknownNameError: there is no check of that name.
        EngineUnavailable: the language's own analyser cannot be started.
    """
    from pipelines.checking import opened
    from schemagraph.folder.graph import folder_of

    with opened(language, folder_of(graph)) as checker:
        return checker(text)


def run(
    text: str,
    *,
    graph: Graph | Folder | None = None,
    language: str = "cypher",
    engine: str | None = None,
    source: str | None = None,
    parameters: Mapping[str, Any] | None = None,
    timeout: float = 30.0,
    memory_mb: int = 4096,
    neo4j_url: str | None = None,
    gremlin_url: str | None = None,
    as_is: bool = False,
) -> Result:
    """Run one query on an engine in a process of its own; `Runner` keeps one open for many.

    `engine` is the language's own unless it is named; engines of sources run on the database
    `source`. `timeout` is in seconds, starting and loading not counted, `memory_mb` in megabytes.
    An engine with a dialect of its own (`cypher-grafeo`) gets the text in that dialect, which the
    result then has as `text`; `as_is` gives it the text itself. What makes the answer doubtful is
    the result's `unsound`.

    Raises:
        QueryTextError: a value of `parameters` is missing or cannot be written.
        QueryError: the engine rejects the query or fails on it.
        QueryTimeout, QueryTooLarge: it ran into a limit.
        EngineUnavailable: the engine cannot be started; the message says what to install.
        ConfigError: engine, language and graph do not fit.
    """
    from pipelines.execution import Runner

    with Runner(
        graph=graph,
        language=language,
        engine=engine,
        source=source,
        timeout=timeout,
        memory_mb=memory_mb,
        neo4j_url=neo4j_url,
        gremlin_url=gremlin_url,
        as_is=as_is,
    ) as runner:
        return runner.run(text, parameters)


def synth(
    domain: str | None,
    out: Folder,
    *,
    schema: Folder | None = None,
    nodes: int | None = None,
    edges: int | None = None,
    seed: int = 7,
    level: int = 3,
    taxonomy: Sequence[Folder] = (),
    csv: bool = False,
    allow_degraded: bool = False,
) -> Graph:
    """Make schema and data of a domain, `industry/sub-domain`, or data for a `schema` of yours.

    By rule, without a model. `nodes` and `edges` are numbers in all, `level` is the size of the
    schema from 1 to 5, `taxonomy` files or folders with domains of yours.

    Raises:
        UnknownNameError: there is no such domain; the nearest are named.
        ConfigError: the numbers cannot be met, or domain and schema are both given or missing.
        GraphmillError: the program could not be run, or drew something else.
    """
    from pipelines.synth.domains import order_for
    from schemagraph.folder.graph import Graph

    order = order_for(
        domain,
        Path(out),
        schema=None if schema is None else Path(schema),
        nodes=nodes,
        edges=edges,
        seed=seed,
        level=level,
        taxonomy=[Path(path) for path in taxonomy],
        csv=csv,
        allow_degraded=allow_degraded,
    )
    return Graph(order.make().folder)


def build(
    config: Folder,
    out: Folder | None = None,
    *,
    limit: int | None = None,
    size: str = "",
    replace: bool = False,
    allow_degraded: bool = False,
    jobs: int | None = 1,
    scheduler: str = "",
    store: str = "",
    since: Folder | None = None,
    telemetry: str = "",
    without: Sequence[str] = (),
    progress: Progress = None,
) -> Corpus:
    """Build a corpus, or go on with the one in `out` (`corpora/NAME` unless told).

    `config` is a TOML file, or `example:NAME`. `limit` is how many given and how many grown
    candidates of each database are tried, `size` one of the configuration's sizes. `progress` is
    called with each line, such as `print`; None is silence. With `replace`, nothing is left of a
    corpus that is in `out`. `jobs` is how
    many workers build it, None one for each processor; the corpus is the same. `scheduler` is the
    address of a Dask cluster that builds it instead (`local` starts one), `store` the address of
    finished work that machines share (docs/scale.md). `since` is an earlier release: what was grown
    for it is asked again of sources that have changed, before anything new is. `telemetry` is the
    URL of an OpenTelemetry collector that is sent the build's spans, `without` are engines of the
    configuration that are left out.

    Raises:
        ConfigError: the configuration is wrong; `violations` has all of it.
        GraphmillError: a source or an engine cannot be had, or nothing was released.
    """
    from pipelines.configuration.config import load
    from pipelines.jobs.choose import executor_for
    from pipelines.release.corpus import Corpus
    from pipelines.run import build as build_corpus

    loaded = load(configuration(config)).chosen(size, without)
    if allow_degraded:
        loaded = loaded.degraded()
    folder = Path("corpora") / loaded.corpus.name if out is None else Path(out)
    watch = _watch(progress)
    funnel = build_corpus(
        loaded,
        folder,
        watch,
        limit,
        replace=replace,
        executor=lambda: executor_for(loaded, jobs, scheduler, watch.warn),
        store=store,
        since=None if since is None else Path(since),
        collector=telemetry,
    )
    return Corpus(folder, funnel.to_json())


def preview(
    config: Folder, *, limit: int = 5, progress: Progress = None
) -> Iterator[dict[str, Any]]:
    """Records of a small build, field by field as they are released; nothing is kept.

    Raises:
        ConfigError: the configuration is wrong; `violations` has all of it.
        GraphmillError: as `build`, when the first record is asked for.
    """
    from pipelines.configuration.config import load
    from pipelines.preview import preview as preview_records

    return preview_records(load(configuration(config)), limit, _watch(progress))


def verify(
    corpus: Corpus | Folder,
    *,
    without: Iterable[str] = (),
    neo4j_url: str = "",
    instances: int | None = 50,
    sample: float = 1.0,
    seed: int = 0,
    progress: Progress = None,
) -> Verified:
    """Run every gold and every certificate of a corpus again, from its folder alone.

    `without` names engines to leave out, `instances` is how many small graphs of each database
    are run (None: all), `sample` the share of the records that are run, drawn by `seed`; all else
    is verified of all. The result's `problems` is empty where all of it holds.

    Raises:
        GraphmillError: it is no corpus.
        EngineUnavailable: an engine cannot be had and is not left out.
    """
    from pipelines.release.corpus import Corpus
    from pipelines.verification.verify import verify as verify_corpus

    folder = corpus.folder if isinstance(corpus, Corpus) else Path(corpus)
    return verify_corpus(
        folder, _watch(progress), tuple(without), neo4j_url, instances, sample, seed
    )


def evaluate(
    corpus: Corpus | Folder,
    predictions: Folder | IO[bytes] | Iterable[dict[str, Any]] | None = None,
    *,
    system: str | None = None,
    settings: Mapping[str, str] | None = None,
    model: Mapping[str, Any] | None = None,
    calls: int | None = None,
    orders: int = 1,
    per_database: int | None = None,
    oral: bool = False,
    replay: bool = False,
    judge: bool = False,
    language: str | None = None,
    common: Sequence[str] = (),
    split: str | None = None,
    question: str | None = None,
    knowledge: bool | None = None,
    out: Folder | None = None,
    against: Sequence[Folder] = (),
    engine: str | None = None,
    neo4j_url: str = "",
    metrics: Sequence[str] = (),
    timeout: float = 10.0,
    memory_mb: int = 1500,
    seed: int = 7,
    suites: bool = True,
    second_opinion: bool = False,
    jobs: int | None = None,
    progress: Progress = None,
) -> dict[str, Any]:
    """Score predicted queries, or those of a system, against a corpus, which is only read.

    `predictions` is a file of JSON lines `{"id", "query"}` or `{"id", "queries"}`, an open one, or
    the objects themselves. `common` names languages that are compared on the records all have.
    `against` are folders of other runs, `out` the folder of this one (scores, tables, report and
    trace). `engine` runs texts as they are; else their meaning is run. Returned are the figures of
    `scores.json` (docs/evaluation.md).

    With `system` that one is asked the questions of `split` (`test`) in the form `question`
    (`business`), or so many of each database (`per_database`), with `oral` with names as people
    write them, with its named `settings`; a question may take so many `calls` of the model. `model`
    are the options of the command line by name: `model`, `base_url`, `api_key_env`, `budget_usd`,
    `prices`, `max_tokens`; its answers are recorded in `out`, and with `replay` it is not asked.
    With `judge` it compares answers in words with the gold's rows.

    Raises:
        UnknownNameError, ConfigError: a name or an option is wrong.
        LLMError: the model cannot be asked (any more); what is paid for is kept.
        GraphmillError: it is no corpus, or a file cannot be read or written.
    """
    from pipelines.evaluate.database import Options
    from pipelines.evaluate.service import evaluate_predictions
    from pipelines.release.corpus import Corpus

    folder = corpus.folder if isinstance(corpus, Corpus) else Path(corpus)
    if (predictions is None) == (system is None):
        raise ConfigError("Give either predictions or a system.")
    if system is not None or predictions is None:
        from pipelines.evaluate.answering import Order, evaluate_system

        if common or engine or neo4j_url:
            raise ConfigError("common, engine and neo4j_url are for predictions.")
        order = Order(
            folder,
            system or "",
            language=language or "cypher",
            form=cast(Any, question or "business"),
            knowledge=bool(knowledge),
            split=split or "test",
            calls=calls,
            orders=orders,
            per_database=per_database,
            oral=oral,
            settings=settings or {},
            model=model or {},
            replay=replay,
            judge=judge,
            out=None if out is None else Path(out),
            against=tuple(Path(each) for each in against),
            metrics=tuple(metrics),
            timeout=timeout,
            memory_mb=memory_mb,
            seed=seed,
            suites=suites,
            second_opinion=second_opinion,
            jobs=jobs,
        )
        return evaluate_system(order, _watch(progress))
    own = (settings, model, calls is not None, orders != 1, per_database is not None)
    if any(own) or oral or replay or judge:
        raise ConfigError(
            "settings, model, calls, orders, per_database, oral, replay, judge are for a system."
        )
    options = Options(
        languages=(language,) if language else (),
        common=tuple(common),
        split=split or "",
        engine=engine or "",
        neo4j_url=neo4j_url,
        timeout=timeout,
        memory_mb=memory_mb,
        seed=seed,
        suites=suites,
        second_opinion=second_opinion,
        jobs=jobs,
    )
    return evaluate_predictions(
        folder,
        Path(predictions) if isinstance(predictions, str | PathLike) else predictions,
        options,
        _watch(progress),
        form=question or "",
        knowledge=knowledge,
        out=None if out is None else Path(out),
        against=[Path(each) for each in against],
        metrics=metrics,
    )


def configuration(config: Folder) -> Path:
    """The file of a configuration; `example:NAME` is one that graphmill ships.

    Raises:
        UnknownNameError: there is no such example.
    """
    from graphmill.files import example

    name = fspath(config)
    return example(name.removeprefix("example:")) if name.startswith("example:") else Path(name)


def _watch(progress: Progress) -> Watch:
    from pipelines.configuration.progress import Listener, Watch

    return progress if isinstance(progress, Watch) else Listener(progress)
