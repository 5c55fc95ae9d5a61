"""`graphmill masked`: StockGQL's seven steps over a graph, into a corpus with its nine fields.

Sub-schemas, masked pairs, entities, the query told back, short names, other tones, proof. What
falls by the way is in the ledger.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any, Literal

from engines.base import Result
from generators.masked.author import MaskedAuthor, ModelMaskedAuthor, RuleMaskedAuthor
from generators.masked.back_translation import BackTranslator, threshold_for
from generators.masked.base import Language, MaskedPair, masked_text, shown, sub_schema_json
from generators.masked.chinese import Chinese, is_chinese
from generators.masked.english import English
from generators.masked.filling import Filled, fill
from generators.masked.oral import ShortForms, restyled
from generators.masked.pool import Pool
from generators.masked.uniqueness import Uniqueness
from generators.prompts import prompt
from generators.questions.levels.authors import NotExpressible
from generators.questions.levels.model import Said
from generators.questions.lexicon.completion.store import merged, read_for
from generators.questions.lexicon.model import Lexicon, ThingKind
from graph_ir import nodes as ir
from graph_ir.cypher.reader import parsed
from graph_ir.difficulty import tier
from graph_ir.features import features
from graph_ir.values import lost
from graphmill import __version__
from graphmill.errors import ConfigError, Diagnostic, LLMError
from graphmill.files import digest
from graphmill.llm.base import WASTED, Ask
from graphmill.llm.client import Client
from graphmill.record import Provenance, Questions, Record, Reject
from graphmill.seed import rng
from graphmill.similarity.texts import similarity_named
from pipelines.author.authors import REPLIES, ModelAuthor, RulesAuthor
from pipelines.build.context import DatabaseContext
from pipelines.build.query_oracle import QueryOracle
from pipelines.build.stages import prove, translate
from pipelines.checking import opened
from pipelines.configuration.lock import WORK
from pipelines.configuration.progress import Watch
from pipelines.configuration.proposals import Candidate
from pipelines.masked.corpus import ALSO, LANGUAGES, About, MaskedRecord, Place, place_for
from schemagraph.model import EdgeType, NodeType, SchemaGraph
from schemagraph.views import Hop, SubSchema, count_sub_schemas, sample_sub_schemas, sub_schemas
from translators.render import render

HOPS = 6
STAGE = "masked"
AGAIN = 2  # more pairs that are tried for a sub-schema that has none
REST = 6  # pairs that are tried for a property that no pair reads yet
TONES = ("friendly and short", "formal, as in a letter", "in a hurry, in few words", "curious")


@dataclass(frozen=True)
class Settings:
    """What is made of a graph.

    `repeat` are the pairs a sub-schema (m), `shots` those that a model is shown (K), `most` the
    sub-schemas of each number of hops (0: all). `oral` and `restyle` are shares of the questions.
    """

    language: Language = "en"
    hops: int = HOPS
    repeat: int = 1
    shots: int = 4
    most: int = 0
    similarity: str = "trigrams"
    threshold: float | None = None
    oral: float = 0.3
    restyle: float = 0.5
    lexicon: Path | None = None
    pool: Path | None = None
    pseudonyms: bool = False
    seed: int = 7
    replay: bool = False

    def __post_init__(self) -> None:
        wrong = []
        if not 0 <= self.hops <= HOPS:
            wrong.append(f"--hops is a number from 0 to {HOPS}")
        wrong += [f"--{n} is at least 1" for n in ("repeat", "shots") if getattr(self, n) < 1]
        wrong += [
            f"--{name} is a share from 0 to 1"
            for name in ("oral", "restyle")
            if not 0 <= getattr(self, name) <= 1
        ]
        if wrong:
            raise ConfigError(f"{'; '.join(wrong)}.", wrong)


@dataclass
class Coverage:
    """What was reached: by hops, and of the schema's properties."""

    hops: dict[int, dict[str, int]] = field(default_factory=dict)
    properties: set[tuple[str, str]] = field(default_factory=set)
    rejects: Counter[str] = field(default_factory=Counter)

    def to_json(self, schema: SchemaGraph) -> dict[str, Any]:
        """As it is printed and written."""
        owners: list[NodeType | EdgeType] = [*schema.nodes, *schema.edges]
        every = {(owner.name, each.name) for owner in owners for each in owner.properties}
        missing = sorted(every - self.properties)
        return {
            "hops": [{"hops": hops, **counts} for hops, counts in sorted(self.hops.items())],
            "properties": {
                "in_schema": len(every),
                "covered": len(every & self.properties),
                "missing": [f"{owner}.{name}" for owner, name in missing],
            },
            "rejects": dict(sorted(self.rejects.items())),
        }


def masked(
    graph: Path,
    out: Path,
    settings: Settings,
    author: RulesAuthor | ModelAuthor,
    watch: Watch,
    about: About | None = None,
) -> dict[str, Any]:
    """Write the corpus of a graph's masked pairs; what was covered is returned.

    Raises:
        GraphmillError: the graph cannot be read, a file is wrong, the model does not answer, or no
            pair was released.
    """
    seed, hidden = settings.seed, settings.pseudonyms
    with place_for(graph, out, about or About(), author, watch, seed, pseudonyms=hidden) as place:
        records, rejects, summary = _pairs(place, settings, author, watch)
        place.finish(records, rejects, summary)
    return summary


def _pairs(
    where: Place, settings: Settings, author: RulesAuthor | ModelAuthor, watch: Watch
) -> tuple[list[MaskedRecord], list[Reject], dict[str, Any]]:
    """The pairs of a graph, what fell by the way, and what was covered."""
    place = where.graph
    records: list[MaskedRecord] = []
    rejects: list[Reject] = []
    coverage = Coverage()
    shop = DatabaseContext(
        place,
        LANGUAGES,
        also=ALSO,
        author=author,
        seed=settings.seed,
        replies=where.out / WORK / REPLIES,
        replay=settings.replay,
    )
    with shop, opened("ngql", place.folder) as checked:
        mill = Mill(shop, settings, author, checked)
        for hops in range(settings.hops + 1):
            paths = list(_paths(place.schema, hops, settings))
            with watch.stage(f"{place.db}: {hops} hops", len(paths)) as tick:
                counts = {"sub_schemas": count_sub_schemas(place.schema, hops), "tried": len(paths)}
                counts |= {"covered": 0, "pairs": 0}
                for path in paths:
                    made, dropped = _sorted_out(mill.records(path, settings.repeat))
                    for turn in range(AGAIN):  # another form may have an answer, or be told alike
                        if made:
                            break
                        made, more = _sorted_out(mill.records(path, 1, f"again {turn}"))
                        dropped += more
                    counts["covered"] += bool(made)
                    counts["pairs"] += len(made)
                    records += made
                    rejects += dropped
                    tick()
            coverage.hops[hops] = counts
        for path in mill.uncovered(settings.hops):
            made, dropped = _sorted_out(mill.records(path, REST, "rest"))
            coverage.hops[len(path.hops)]["pairs"] += len(made)
            records += made
            rejects += dropped
        coverage.properties = mill.properties
        rejects += mill.author.rejects
    coverage.rejects = Counter(reject.code for reject in rejects)
    summary = {"database": place.db, "settings": mill.chosen(), **coverage.to_json(place.schema)}
    return records, rejects, summary


def _sorted_out(
    outcomes: Iterable[MaskedRecord | Reject],
) -> tuple[list[MaskedRecord], list[Reject]]:
    made = list(outcomes)
    records = [each for each in made if isinstance(each, MaskedRecord)]
    return records, [each for each in made if isinstance(each, Reject)]


def _paths(schema: SchemaGraph, hops: int, settings: Settings) -> Iterator[SubSchema]:
    if settings.most and count_sub_schemas(schema, hops) > settings.most:
        random = rng(settings.seed, "masked", "paths", hops)
        yield from sample_sub_schemas(schema, hops, settings.most, random)
    else:
        yield from sub_schemas(schema, hops)


class Mill:
    """Takes the sub-schemas of one graph through all steps."""

    def __init__(
        self,
        shop: DatabaseContext,
        settings: Settings,
        author: RulesAuthor | ModelAuthor,
        checked: Any,
    ) -> None:
        self.shop = shop
        self.settings = settings
        self.schema = shop.graph.schema
        self.ground = QueryOracle(shop, shop.statistics)
        self.properties: set[tuple[str, str]] = set()
        self.client: Client | None = None
        self._checked = checked
        self._short: dict[tuple[str, str], ShortForms] = {}
        self._ids: set[str] = set()
        self.lexicon = self._lexicon()
        unique = Uniqueness.of(self.ground)
        chinese = Chinese(self.schema, self.lexicon, unique)
        speech = (
            chinese if settings.language == "zh" else English(self.schema, self.lexicon, unique)
        )
        self.author: MaskedAuthor = RuleMaskedAuthor(self.ground, speech, settings.language)
        if isinstance(author, ModelAuthor):
            self.client = shop.client
            pool = Pool(settings.language, settings.pool)
            self.author = ModelMaskedAuthor(
                self.ground, self.client, settings.language, pool, settings.shots
            )
        threshold = settings.threshold
        if threshold is None:
            threshold = threshold_for(settings.similarity, settings.language)
        by = chinese if settings.language == "zh" else English(self.schema, self.lexicon)
        self.back_translator = BackTranslator(
            self.schema, similarity_named(settings.similarity), by, threshold
        )

    def chosen(self) -> dict[str, Any]:
        """The settings as a reader of the figures needs them."""
        chosen = self.settings
        return {
            "author": self.author.name,
            "language": chosen.language,
            "repeat": chosen.repeat,
            "shots": chosen.shots,
            "similarity": chosen.similarity,
            "threshold": self.back_translator.threshold,
            "oral": chosen.oral,
            "restyle": chosen.restyle,
            "seed": chosen.seed,
        }

    def records(
        self, path: SubSchema, count: int, turn: str = ""
    ) -> Iterator[MaskedRecord | Reject]:
        """`count` records of a sub-schema, and the ledger's lines of what fell by the way."""
        random = rng(self.settings.seed, "masked", str(path), turn)
        for pair in self.author.write(path, count, random):
            yield self._record(pair, random)

    def uncovered(self, hops: int) -> Iterator[SubSchema]:
        """The least sub-schema of each property that no record reads yet, so long as one is."""
        for node in self.schema.nodes:
            names = {(node.name, each.name) for each in node.properties}
            if names - self.properties:
                yield SubSchema(node.name)
        for edge in self.schema.edges if hops else ():
            names = {(edge.name, each.name) for each in edge.properties}
            if names - self.properties:
                yield SubSchema(edge.source, (Hop(edge, forward=True),))

    def _record(self, pair: MaskedPair, random: Random) -> MaskedRecord | Reject:
        filled = fill(pair, self.ground, random)
        if isinstance(filled, str):
            return self._reject(pair, filled, _REASONS[filled])
        question = shown(pair.question, filled.names)
        try:
            retelling = self.back_translator.translate(filled, question, random)
        except NotExpressible as problem:
            return self._reject(pair, "not-told", str(problem), filled.statement)
        wrong = self.back_translator.objection(filled, question, retelling)
        if wrong is not None:
            return self._reject(pair, *wrong, filled.statement, question)
        proven = self._proven(filled, question)
        if isinstance(proven, Reject):
            return proven
        short = self._short_names(pair, filled, random)
        spoken = shown(pair.question, {**filled.names, **{m: s for m, (s, _) in short.items()}})
        if random.random() < self.settings.restyle:
            kept = [short[n][0] if n in short else value for n, value in filled.names.items()]
            spoken = self._restyled(spoken, kept, filled, random)
        record = self._whole(proven, pair, spoken)
        if record.id in self._ids:
            return self._reject(pair, "duplicate", "The pair is there already.", filled.statement)
        self._ids.add(record.id)
        self.properties.update(pair.properties)
        fields = {
            "Qid": digest("masked", self.schema.name, proven.queries["cypher"], spoken)[:16],
            "Query_masked": pair.question,
            "GQL_masked": masked_text(
                pair, self.schema, lambda s: render(s, "ngql", self.schema).text
            ),
            "Query": spoken,
            "GQL": proven.queries["ngql"],
            "SubSchema": sub_schema_json(filled.statement, self.schema),
            "Masked_name": {f"[{name}]": value for name, value in filled.names.items()},
            "Oral_name": dict(short.values()),
            "Answer": columns(filled.answer),
            "graphmill": {
                "db": self.shop.graph.db,
                "language": pair.language,
                "author": pair.author,
                "hops": len(pair.path.hops),
                "path": str(pair.path),
                "form": pair.form,
                "told_back": retelling.text,
                "similarity": round(retelling.similarity, 4),
                "queries": {name: t for name, t in proven.queries.items() if name != "ngql"},
                "certificates": [
                    f"{c.engine} {c.version}: {c.dialect}" for c in proven.certificates if c.agrees
                ],
                "ngql": "checked against its grammar and the schema; not executed",
            },
        }
        return MaskedRecord(record, fields)

    def _whole(self, proven: Record, pair: MaskedPair, question: str) -> Record:
        """The record of a proven pair, with its question, its maker and what its query has."""
        traits = features(parsed(proven.queries["cypher"]))
        author = self.shop.author
        model = author.model if isinstance(author, ModelAuthor) and pair.author == "llm" else ""
        source = f"{proven.db}:{pair.form}"
        made = Provenance("masked", __version__, self.settings.seed, model=model, source=source)
        return replace(
            proven,
            questions=Questions(original=question),
            provenance=made,
            difficulty=tier(traits),
            constructs=tuple(traits.constructs),
            findings=(),
            meta={},
        )

    def _proven(self, filled: Filled, question: str) -> Record | Reject:
        """The query in all languages, executed on the engines; nGQL by its checker alone."""
        text = render(filled.statement, "cypher", self.schema).text
        candidate = Candidate(self.shop.graph.db, 0, question, cypher=text)
        made = translate(candidate, self.shop)
        if isinstance(made, Reject):
            return made
        if "ngql" not in made.record.queries:
            return self._reject(filled.pair, "no-ngql", "nGQL cannot say it.", filled.statement)
        problems: list[Diagnostic] = self._checked(made.record.queries["ngql"])
        for each in problems:
            if each.severity == "error":
                return self._reject(filled.pair, each.code, each.message, filled.statement)
        proven = prove(made, self.shop)
        return proven if isinstance(proven, Reject) else proven.record

    def _short_names(
        self, pair: MaskedPair, filled: Filled, random: Random
    ) -> dict[str, tuple[str, str]]:
        """Masks with (short form, formal name), on a random part of the questions."""
        if random.random() >= self.settings.oral:
            return {}
        short_names = {}
        for mask in pair.masks:
            name = filled.names[mask.name]
            short = self._forms(mask.owner, mask.property).of(name)
            if short:
                short_names[mask.name] = (short, name)
        return short_names

    def _forms(self, owner: str, name: str) -> ShortForms:
        if (owner, name) not in self._short:
            node = self.schema.node_by_name[owner]
            var = ir.Var("n")
            pattern = ir.NodePattern("n", ir.LabelName(node.labels[0]))
            items = (ir.Item(ir.Prop(var, name), "name"),)
            match = ir.Match((ir.Path(pattern),))
            distinct_values = self.ground.ask(
                ir.Query((match, ir.Project(items, True, final=True)))
            )
            texts = (
                [str(row[0]) for row in distinct_values.rows if row[0]] if distinct_values else []
            )
            words = self.shop.lexicon.thing(owner)
            people = words is not None and words.kind is ThingKind.PERSON
            self._short[owner, name] = ShortForms(texts, people=people)
        return self._short[owner, name]

    def _restyled(self, question: str, names: list[str], filled: Filled, random: Random) -> str:
        """The question in another tone; as it is where the model's lost a name or a value."""
        if self.client is None:
            return restyled(question, self.settings.language, random)
        language: Literal["English", "Chinese"] = (
            "Chinese" if self.settings.language == "zh" else "English"
        )
        messages = prompt("restyle").render(
            language=language,
            tone=random.choice(TONES),
            question=question,
            names="; ".join(names) or "none",
        )
        ask = Ask(messages, 0.8, 300, random.getrandbits(31), stage="restyle")
        try:
            rewritten = self.client.fill(ask, Said).value.question
        except LLMError as problem:
            if problem.code not in WASTED:
                raise
            return question
        before = set(lost(filled.statement, question))
        kept = (
            all(name in rewritten for name in names)
            and set(lost(filled.statement, rewritten)) <= before
        )
        return rewritten if kept else question

    def _lexicon(self) -> Lexicon:
        """The words of the language: for English the graph's own, with those of --lexicon on top.

        Raises:
            ConfigError: there are no Chinese words.
            LexiconError: a file is wrong, or does not fit the schema.
        """
        folder, given = self.shop.graph.folder, self.settings.lexicon
        if self.settings.language == "en":
            own = self.shop.lexicon
            return own if given is None else merged(read_for(given, self.schema), own, keep=True)
        path = given or folder / f"lexicon.{self.settings.language}.toml"
        if given is not None or path.is_file():
            return read_for(path, self.schema)
        if not any(map(is_chinese, self.schema.labels)):
            raise ConfigError(
                f"{self.shop.graph.db} has no Chinese labels; give Chinese words with --lexicon."
            )
        return Lexicon()

    def _reject(
        self,
        pair: MaskedPair,
        code: str,
        reason: str,
        statement: ir.Query | None = None,
        question: str = "",
    ) -> Reject:
        query = "" if statement is None else render(statement, "cypher", self.schema).text
        evidence = {"path": str(pair.path), "form": pair.form, "author": pair.author}
        return Reject(
            STAGE,
            code,
            reason,
            self.shop.graph.db,
            question=question or pair.question,
            query=query,
            evidence=evidence,
        )


_REASONS = {
    "no-instance": "The data has no such path.",
    "no-answer": "The query failed or ran into its time limit.",
    "empty-answer": "The query returns nothing, only NULL, or a lone 0.",
}


def columns(answer: Result) -> dict[str, list[Any]]:
    """An answer as column to values."""
    return {name: [row[place] for row in answer.rows] for place, name in enumerate(answer.columns)}
