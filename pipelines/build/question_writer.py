"""Who writes questions in a build, and how a model's calls for many records run side by side."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor

from generators.queries.model.context import samples
from generators.questions.levels.authors import QuestionAuthor, QuestionSet, author_named
from generators.questions.levels.model import ModelQuestionAuthor, Objection
from generators.questions.lexicon.model import Lexicon, Path
from generators.questions.realise.chains import followed
from generators.questions.realise.links import is_agent_of
from graph_ir import nodes as ir
from graph_ir.cypher.pair import Pair
from graphmill.llm.client import Client
from graphmill.processes import result
from graphmill.record import Provenance, Record
from graphmill.seed import rng
from pipelines.author.authors import ModelAuthor
from qa.levels import level_findings
from qa.mentions import Spoken
from schemagraph.folder.statistics import GraphStatistics
from schemagraph.model import SchemaGraph
from translators.render import render

CALLS = 3  # that one record has in flight: its levels


class QuestionWriter:
    """Writes the questions of records, ahead of those who ask where that saves time.

    `ahead` is how many records are begun at a time; 0 writes each when it is asked for.
    """

    def __init__(
        self, author: QuestionAuthor, schema: SchemaGraph, seed: int, ahead: int = 0
    ) -> None:
        self._author = author
        self._schema = schema
        self._seed = seed
        self._ahead = ahead
        self._pool = ThreadPoolExecutor(ahead) if ahead else None
        self._coming: dict[tuple[str, str], int] = {}
        self._pairs: Sequence[Pair] = ()
        self._begun: dict[tuple[str, str], Future[QuestionSet]] = {}

    def expect(self, pairs: Sequence[Pair]) -> None:
        """Say which pairs will be asked for, in this order; some may not be."""
        self._pairs = pairs
        self._coming = {_key(pair): place for place, pair in enumerate(pairs)}

    def write(self, pair: Pair) -> QuestionSet:
        """The questions of a pair.

        Raises:
            GraphmillError: as the author's `write`.
        """
        if self._pool is None:
            return self._write(pair)
        start = self._coming.get(_key(pair))
        near = [pair] if start is None else self._pairs[start : start + self._ahead]
        for each in near:
            if _key(each) not in self._begun:
                self._begun[_key(each)] = self._pool.submit(self._write, each)
        return result(self._begun.pop(_key(pair)))

    def close(self) -> None:
        """Begin no more. What was begun ends with the client, which waits for paid calls only."""
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)

    def _write(self, pair: Pair) -> QuestionSet:
        random = rng(self._seed, "questions", pair.record.db, pair.gold)
        return self._author.write(pair.statement, self._schema, random)


def _key(pair: Pair) -> tuple[str, str]:
    return pair.gold, pair.record.questions.original


def model_author(
    author: ModelAuthor,
    client: Client,
    schema: SchemaGraph,
    statistics: GraphStatistics,
    words: Lexicon,
) -> ModelQuestionAuthor:
    """The model as an author of questions, held to the checks of every question."""
    fallback = author_named("rules", words) if author.fallback == "rules" else None

    graph_words = spoken(words)

    def judge(statement: ir.Statement, questions: QuestionSet) -> list[Objection]:
        return list(_objections(statement, questions, schema, graph_words))

    return ModelQuestionAuthor(client, judge, samples(statistics), fallback)


def spoken(lexicon: Lexicon) -> Spoken:
    """The graph's words for its names, as checks take them.

    A junction and the edges on a path are named by what is said along the path.
    """
    nodes: dict[str, list[str]] = {}
    edges: dict[str, list[str]] = {}
    for name, thing in lexicon.things.items():
        nouns = [noun for noun in (thing.singular, thing.plural, *thing.also) if noun]
        nodes.setdefault(name.partition("&")[0], []).extend(nouns)
    for path in lexicon.paths.values():
        phrases = _phrases(path)
        for end in (path.start, path.end):
            nouns = nodes.get(end.partition("&")[0], [])
            nouns += _deeds(path, nouns)
        for place, step in enumerate(path.along):
            if place % 2:
                edges.setdefault(step.strip("<>"), []).extend(phrases)
            elif 0 < place < len(path.along) - 1:
                nodes.setdefault(step.partition("&")[0], []).extend(phrases)
    properties = {
        (owner, name): (words.noun, *words.also)
        for owner, wordings in lexicon.properties.items()
        for name, words in wordings.items()
        if words.noun
    }
    return Spoken(
        {name: tuple(wordings) for name, wordings in nodes.items()},
        {name: tuple(wordings) for name, wordings in edges.items()},
        properties,
    )


def _deeds(path: Path, nouns: Sequence[str]) -> list[str]:
    """What is said to be done by those of these nouns: what is "owned by" somebody has an owner."""
    done = [p for p in (path.forward, path.backward) if p is not None and p.particle == "by"]
    return [f"{p.be} by" for p in done if p.be and any(is_agent_of(noun, p) for noun in nouns)]


def _phrases(path: Path) -> list[str]:
    """What is said along a path, and that both ends belong together, where it has no verb."""
    phrases = [path.forward, path.backward]
    if path.start == path.end:  # a manager is somebody whom one reports to, directly or indirectly
        once = phrases[:]
        phrases += [followed(each, borne=borne) for each in once for borne in (True, False)]
    verbs = [f"{p.verb or p.be or p.noun} {p.particle}".strip() for p in phrases if p is not None]
    ends = [path.start, path.end]
    return [phrase for phrase in (*verbs, path.together) if phrase] or ends


def _objections(
    statement: ir.Statement, questions: QuestionSet, schema: SchemaGraph, graph_words: Spoken
) -> Iterable[Objection]:
    record = Record(
        schema="",
        db=schema.name,
        questions=questions.questions,
        queries={"cypher": render(statement, "cypher", schema).text},
        provenance=Provenance("llm", "", 0),
        external_knowledge=questions.knowledge,
    )
    for finding in level_findings(Pair(record, statement), schema, graph_words):
        yield Objection(finding.evidence["level"], finding.code, finding.detail)
