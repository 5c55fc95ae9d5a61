"""What the stages work with for one database: its graph, its engines, its settings."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import cached_property
from operator import itemgetter
from pathlib import Path
from typing import Any, Self

from engines import ENGINE_OF, ENGINES, SOURCE_ENGINES
from engines.base import Engine, Result
from engines.isolation import IsolatedEngine
from generators.questions.levels.rules import RuleAuthor
from generators.questions.lexicon.completion.store import lexicon_of, load_lexicon
from generators.questions.lexicon.model import CONFIDENCE, Lexicon
from generators.questions.lexicon.toml_file import lexicon_text
from graph_ir import nodes as ir
from graph_ir.bind.statements import bound
from graph_ir.identity_cache import once
from graph_ir.rewrites import without_repeats
from graph_ir.variables import columns
from graphmill.errors import ConfigError, EngineError, EngineUnavailable, QueryUnsound
from graphmill.files import digest
from graphmill.llm.client import Client
from graphmill.record import Reject
from pipelines.author.authors import Author, ModelAuthor, RulesAuthor
from pipelines.build.question_writer import CALLS, QuestionWriter, model_author
from pipelines.configuration.certify import Certify
from pipelines.configuration.reach import start_options
from schemagraph.folder.manifest import load_manifest
from schemagraph.folder.serde import (
    declared_fingerprint,
    load_mapping,
    load_schema,
    schema_to_json,
)
from schemagraph.folder.statistics import GraphStatistics, gather_statistics
from schemagraph.folder.tables import tables
from schemagraph.mapping import Mapping
from schemagraph.model import Kind, SchemaGraph
from translators.render import render

REFEREE = "duckdb"
_written = once(64)(repr)  # the same tree in five languages
_TEXTS = 4096  # rendered texts that are remembered
_ANSWERS = 1024  # answers of the referee that are remembered, and the rows up to which they are
_ROWS = 2_000


@dataclass(frozen=True)
class Graph:
    """One converted graph: where it lies, what it is called, what it comes from.

    `fingerprint` covers schema and data. `source` is the relational database beside it, if any:
    a file, or the address of a server. `rejects` are what a model wrote of it in vain.
    """

    db: str
    folder: Path
    fingerprint: str
    domain: str = ""
    subdomain: str = ""
    source: Path | str | None = None
    rejects: tuple[Reject, ...] = ()

    @property
    def source_engine(self) -> str:
        """The name of the engine that runs SQL on the source; empty where there is none."""
        if self.source is None or self.mapping is None:
            return ""
        return ENGINE_OF.get(self.mapping.dialect, "")

    @cached_property
    def schema(self) -> SchemaGraph:
        """The graph's schema."""
        return load_schema(self.folder)

    @cached_property
    def schema_fingerprint(self) -> str:
        """The fingerprint of the schema without what the data alone say."""
        return declared_fingerprint(self.schema)

    @cached_property
    def mapping(self) -> Mapping | None:
        """How tables became this graph; None without a relational origin."""
        return load_mapping(self.folder)

    @cached_property
    def lexicon(self) -> Lexicon | None:
        """What the folder's lexicon.toml says, if there is one.

        Raises:
            LexiconError: it is wrong, or does not fit the schema.
        """
        return load_lexicon(self.folder, self.schema)


@dataclass(frozen=True, slots=True)
class Lookup:
    """What the data were asked, as JSON values, and a hash of what they say; empty where they had
    no answer."""

    question: tuple[Any, ...]
    answer: str


@dataclass
class DatabaseContext:
    """A graph with engines that start when first asked for and stop at the end.

    `replies` is the file in which a model's answers are recorded; with `replay` it is not asked
    for others. `spare` are running engines of a database that is closed, which go on with this
    one: to start a server takes longer than to load another graph. `on_lookup` is told of all that
    the data are asked through this context, beside the executions that certify.
    """

    graph: Graph
    languages: tuple[str, ...]
    also: tuple[str, ...] = ()
    certify: Certify = field(default_factory=Certify)
    author: Author = field(default_factory=RulesAuthor)
    seed: int = 7
    confidence: float = CONFIDENCE
    replies: Path | None = None
    replay: bool = False
    spare: dict[str, IsolatedEngine] = field(default_factory=dict)
    on_lookup: Callable[[Lookup], None] | None = None
    _stack: ExitStack = field(default_factory=ExitStack)
    _engines: dict[str, IsolatedEngine] = field(default_factory=dict)
    _texts: OrderedDict[tuple[str, str], str] = field(default_factory=OrderedDict)
    _answers: OrderedDict[str, Result | EngineError] = field(default_factory=OrderedDict)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        try:
            self._stack.close()
        finally:
            for engine in (*self._engines.values(), *self.spare.values()):
                engine.close()
            self._engines.clear()
            self.spare = {}

    @cached_property
    def settings(self) -> str:
        """A hash of all that a stage's result depends on beside its input: part of the key of its
        work."""
        return digest(self.graph.fingerprint, *self.given)

    @cached_property
    def standing(self) -> str:
        """The same without the data, as far as they show in the schema alone."""
        return digest(schema_to_json(self.graph.schema), *self.given)

    @cached_property
    def given(self) -> list[Any]:
        """What the configuration and the graph's own lexicon give, as JSON values."""
        return [
            self.graph.db,
            self.graph.domain,
            self.graph.subdomain,
            "" if self.graph.lexicon is None else lexicon_text(self.graph.lexicon),
            self.confidence,
            self.languages,
            self.also,
            self.certify.model_dump(),
            self.author.wording(),
            self.seed,
        ]

    @cached_property
    def client(self) -> Client:
        """The configuration's model.

        Raises:
            ConfigError: the rules write here.
            LLMError: the package openai or the key is missing.
        """
        if not isinstance(self.author, ModelAuthor) or self.replies is None:
            raise ConfigError("There is no model to ask: author.kind is 'rules'.")
        client = self.author.connect(self.replies, seed=self.seed, replay=self.replay)
        return self._stack.enter_context(client)

    def dollars(self) -> float:
        """US dollars that the model's answers cost through this context."""
        client: Client | None = self.__dict__.get("client")  # to ask the property would connect
        return 0.0 if client is None else client.budget.now

    @cached_property
    def statistics(self) -> GraphStatistics:
        """What the graph's data is like."""
        return gather_statistics(self.graph.folder, self.graph.schema, self.seed)

    @cached_property
    def lexicon(self) -> Lexicon:
        """The graph's whole lexicon: its own words, the rest by rule."""
        return lexicon_of(self.graph.schema, lambda: self.statistics, self.graph.lexicon)

    @cached_property
    def sure_words(self) -> Lexicon:
        """The lexicon without what is below the configuration's confidence."""
        return self.lexicon.at(self.confidence)

    @cached_property
    def words_digest(self) -> str:
        """A hash of these words."""
        return digest(lexicon_text(self.sure_words))

    @cached_property
    def rules(self) -> RuleAuthor | None:
        """The rules, where it is they who write the questions."""
        if isinstance(self.author, ModelAuthor) and self.author.questions != "rules":
            return None
        return RuleAuthor(self.sure_words)

    @cached_property
    def scribe(self) -> QuestionWriter:
        """Who writes the questions."""
        schema = self.graph.schema
        if self.rules is not None:
            return QuestionWriter(self.rules, schema, self.seed)
        assert isinstance(self.author, ModelAuthor)  # noqa: S101 - the rules write all else
        author = model_author(self.author, self.client, schema, self.statistics, self.sure_words)
        scribe = QuestionWriter(author, schema, self.seed, max(1, self.author.concurrency // CALLS))
        self._stack.callback(scribe.close)
        return scribe

    def engine(self, name: str) -> IsolatedEngine:
        """The running engine called `name`, with the graph (or the source) loaded."""
        if name not in self._engines:
            options: dict[str, Any] = {}
            folder: Path | None = self.graph.folder
            if name == self.graph.source_engine:
                options["source"] = str(self.graph.source)
                folder = None  # the source is the data
            if name in SOURCE_ENGINES.names():
                options["kinds"] = SOURCE_ENGINES
            options |= start_options(name, self.certify)
            known = self.spare.pop(name, None)
            if known is not None:
                known.use(self.graph.folder)
                self._engines[name] = known
                return known
            self._engines[name] = IsolatedEngine(
                name,
                folder,
                memory_mb=self.certify.memory_mb,
                persists=True,
                **options,
            )
        return self._engines[name]

    def hand_over(self) -> dict[str, IsolatedEngine]:
        """The engines that can go on with another graph; they are no longer this database's."""
        names = [name for name in self._engines if goes_on(name)]
        kept = {name: self._engines.pop(name) for name in names} | self.spare
        self.spare = {}
        return kept

    def recycle(self) -> None:
        """End the engines' processes; each starts anew with its next query."""
        for engine in self._engines.values():
            engine.close()

    def text(self, statement: ir.Statement, dialect: str) -> str:
        """The statement in a language or profile, remembered; raises as `render`."""
        key = (dialect, _written(statement))  # equality would take 1 for 1.0 and for true
        text = self._texts.get(key)
        if text is None:
            text = render(statement, dialect, self.graph.schema).text
            _remember(self._texts, key, text, _TEXTS)
        return text

    def tables_named(self, text: str) -> str:
        """A hash of the content of all tables whose names are in an SQL text, so of all that its
        answer depends on."""
        low = text.casefold()
        return digest([one for name, *one in self._contents if name in low])

    @cached_property
    def _contents(self) -> list[tuple[str, str, str]]:
        """Of each table its name as an SQL text has it, in lower case, its file, and its hash."""
        names, hashes = tables(self.graph.schema), load_manifest(self.graph.folder).tables
        own = [("nodes", table) for table in names.nodes.values()]
        own += [("edges", table) for table in names.edges.values()]
        by_file = {entry.file: entry.sha256 for entry in hashes}
        return [
            (table.name.replace('"', '""').casefold(), file, by_file[file])
            for folder, table in own
            for file in (f"{folder}/{table.stem}.parquet",)
        ]

    def kinds(self, statement: ir.Statement) -> list[Kind]:
        """The kinds of a statement's columns in the graph."""
        return [kind.kind for _, kind in bound(statement, self.graph.schema).columns]

    def run(self, engine: str, text: str, language: str) -> Result:
        """Run a text; raises EngineError."""
        return self.engine(engine).run(text, language=language, timeout=self.certify.timeout)

    def refer(self, text: str, timeout: float | None = None, most: int | None = None) -> Result:
        """The referee's answer to SQL, remembered: it gives the same text the same rows again.

        With `most`, what has more rows is cut behind the first one that is too many.

        Raises:
            EngineError: it has none within `timeout` (the configuration's, unless given).
        """
        hashed = ""
        try:
            answer = self._referred(text, timeout, most)
            if self.on_lookup is not None:
                hashed = answer_digest(answer)
            return answer
        finally:
            if self.on_lookup is not None:
                self.on_lookup(Lookup(("sql", text, timeout, most), hashed))

    def _referred(self, text: str, timeout: float | None, most: int | None) -> Result:
        remembered = self._answers.get(text)
        if isinstance(remembered, Result):
            return remembered
        if remembered is not None:
            raise remembered
        limit = self.certify.timeout if timeout is None else min(timeout, self.certify.timeout)
        asked = text if most is None else f"{text}\nLIMIT {most + 1}"
        try:
            answer = self.engine(REFEREE).run(asked, language="sql", timeout=limit)
        except EngineUnavailable:
            raise
        except EngineError as problem:
            _remember(self._answers, text, problem, _ANSWERS)
            raise
        if len(answer.rows) <= (_ROWS if most is None else min(most, _ROWS)):
            _remember(self._answers, text, answer, _ANSWERS)
        return answer

    def answer(
        self, statement: ir.Statement, timeout: float | None = None, most: int | None = None
    ) -> Result:
        """The referee's answer to a statement; see `refer`.

        Raises:
            Refused: SQL cannot say it.
            EngineError: it has none.
        """
        asked, places = without_repeats(statement)
        narrowed = self.refer(self.text(asked, "sql"), timeout, most)
        if not places:
            return narrowed
        if len(places) == 1:
            rows = tuple((row[places[0]],) for row in narrowed.rows)
        else:
            rows = tuple(map(itemgetter(*places), narrowed.rows))
        return Result(columns(statement), rows)


def answer_digest(answer: Result) -> str:
    """A hash of columns and rows, which tells 1 from 1.0 and from true, and keeps their order."""
    return digest(repr((answer.columns, answer.rows)))


def _remember[K, V](known: OrderedDict[K, V], key: K, value: V, most: int) -> None:
    known[key] = value
    if len(known) > most:
        known.popitem(last=False)


def engine_class(name: str) -> type[Engine]:
    """The engine's declarations (languages, profiles, unsound constructs)."""
    return ENGINES.get(name)


def goes_on(name: str) -> bool:
    """Whether an engine that runs can go on with another graph: a server, which starts slowly."""
    return name in ENGINES.names() and engine_class(name).needs.reloads


def refuse_unsound(engine: type[Engine], dialect: str, statement: ir.Statement) -> None:
    """Raise QueryUnsound where `engine` is known to answer this construct wrongly."""
    for fault in engine.unsound:
        if dialect in fault.dialects and fault.applies(statement):
            raise QueryUnsound(f"{engine.name} answers this wrongly in {dialect}: {fault.why}")
