"""Scoring the predictions of one database in one language."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from engines.base import Result
from engines.ladder import Gold, rows_in_any_columns
from evaluation.base import Metric, Pair
from evaluation.execution import Bench, Failure, Judgement, held
from evaluation.languages import Tools
from evaluation.metrics.clauses import same_parts
from evaluation.metrics.difference import classify
from evaluation.metrics.elements import (
    hit_rate,
    jaccard,
    related,
    touch_the_same,
    twigs,
)
from evaluation.metrics.idioms import idiom
from evaluation.metrics.text import exact, gleu, jaro_winkler, normalised
from evaluation.reading import Reading, judged, read, with_meaning
from evaluation.score import Prediction, Score
from graph_ir import nodes as ir
from graph_ir.bind.statements import Bound, bind
from graph_ir.canonical import fingerprint
from graph_ir.cypher.reader import parse
from graphmill.record import Record

SHIPPED = "shipped"  # among a record's instances: the graph itself


class SqlRunner(Protocol):
    """What runs the texts of a record's source, for predictions in the source's SQL."""

    numbers_as_booleans: bool

    def answer(self, text: str, bound: Bound) -> Result | Failure:
        """The answer of a text, its values as `bound`'s columns have them in the graph."""
        ...


@dataclass(slots=True)
class Case:
    """A record in one language, with all that its predictions are held against."""

    record: Record
    text: str
    bound: Bound
    own: Bound | None
    gold: Gold | Failure
    instances: tuple[str, ...]
    groups: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    touched: frozenset[str] | None = None

    @property
    def statement(self) -> ir.Statement:
        """What the gold query means."""
        return self.bound.statement

    @property
    def compared(self) -> ir.Statement:
        """The meaning as it is read from the gold text of the language, where it can be."""
        return self.statement if self.own is None else self.own.statement


@dataclass(slots=True)
class Pending:
    """A prediction that is right on the shipped graph, to be tried on the small ones."""

    score: Score
    case: Case
    statement: ir.Statement


type Golds = dict[str, tuple[Bound, Gold | Failure]]
"""What the gold queries mean and answer, by id: the same in all languages."""


class Scorer:
    """Scores predictions of one database in one language. `engine` runs texts as they are.

    `golds` may be shared by the scorers of several languages.
    """

    def __init__(
        self,
        bench: Bench,
        tools: Tools,
        *,
        engine: str = "",
        source: SqlRunner | None = None,
        metrics: Sequence[Metric] = (),
        suites: bool = True,
        golds: Golds | None = None,
    ) -> None:
        self.bench = bench
        self.tools = tools
        self.engine = engine
        self.source = source
        self.metrics = tuple(metrics)
        self.suites = suites
        self.golds: Golds = {} if golds is None else golds
        self.pending: list[Pending] = []

    def case(self, record: Record, text: str) -> Case:
        """What the predictions for a record are held against; `text` is gold in the language.

        Raises:
            QueryTextError: the record's Cypher is damaged.
        """
        if record.id not in self.golds:
            bound = bind(parse(record.queries["cypher"]), self.bench.schema)
            self.golds[record.id] = bound, self.bench.gold(bound.statement)
        bound, gold = self.golds[record.id]
        own = None
        if self.tools.language != "cypher" and self.tools.read is not None:
            own = read(text, self.tools.read, self.bench.schema).bound
        instances = record.discrimination.get("instances", ())
        names = tuple(name for name in instances if name != SHIPPED)
        return Case(record, text, bound, own, gold, names)

    def score(self, prediction: Prediction, case: Case) -> Score:
        """All measures of one prediction but those on the small graphs, which `finish` takes."""
        text = prediction.query or ""
        score = Score(prediction.id, case.record.db, prediction.language, prediction.form)
        score.groups = case.groups
        _costs(score, prediction)
        if prediction.query is None:
            score.abstained = True
            score.category = "abstained"
            score.gleu, score.gam, score.psjs = gleu(case.text, ""), False, 0.0
            return score
        reading = self.reading(text, case)
        score.parses = reading.parses
        if self.tools.read is not None and self.tools.check is not None:
            score.second = judged(text, self.tools.check).parses
        score.error, score.message = reading.code, reading.message
        self._texts(score, case.text, text)
        self._meaning(score, case, reading)
        judgement = self._judgement(reading, case)
        self._executed(score, case, reading, judgement)
        if score.gam is None and not score.right:
            score.gam = False  # equal queries have equal answers, also where no reader tells
        self._linked(score, case, prediction)
        self._classes(score, case, reading)
        pair = Pair(
            case.record,
            prediction.language,
            case.text,
            text,
            self.bench.schema,
            case.compared,
            reading.statement,
            score.right,
        )
        for metric in self.metrics:
            score.more[metric.name] = metric.measure(pair)
        return score

    def reading(self, text: str, case: Case) -> Reading:
        """The predicted text, read or judged; a text that is the record's own has its meaning."""
        if self.tools.read is None:
            reading = judged(text, self.tools.check) if self.tools.check else Reading(text, True)
        else:
            reading = read(text, self.tools.read, self.bench.schema)
        own = not reading.runs and reading.parses and reading.kind in ("", "unread")
        if own and normalised(text) == normalised(case.text):
            return with_meaning(reading, case.bound)
        return reading

    def _texts(self, score: Score, gold: str, text: str) -> None:
        score.exact = exact(gold, text)
        score.text = normalised(gold) == normalised(text)
        score.clauses = same_parts(gold, text)
        score.gleu = gleu(gold, text)
        score.similarity = jaro_winkler(gold, text)

    def _meaning(self, score: Score, case: Case, reading: Reading) -> None:
        statement = reading.statement
        if self.tools.read is None and statement is None:
            return
        if statement is None:
            score.gam, score.related = False, False
            return
        known = {fingerprint(case.statement), fingerprint(case.compared)}
        score.gam = fingerprint(statement) in known
        score.related = related(statement).same_types(related(case.compared))

    def _judgement(self, reading: Reading, case: Case) -> Judgement:
        """Run a prediction that may be run."""
        if isinstance(case.gold, Failure):
            return Judgement(case.gold)
        text = reading.text
        if self.source is not None:
            if not reading.parses or reading.kind in ("writes", "limit", "fault", "syntax"):
                return Judgement(Failure(reading.kind, reading.message))
            answer = self.source.answer(text, case.bound)
            judgement = held(answer, case.gold, booleans=not self.source.numbers_as_booleans)
            return self._sure(judgement, reading, case.gold)
        if self._runs_unread(reading):
            return held(self.bench.raw(text, self.tools.language, self.engine), case.gold)
        if reading.kind or not reading.parses:
            return Judgement(Failure(reading.kind or "syntax", reading.message))
        if self.engine or reading.statement is None:
            answer = self.bench.raw(text, self.tools.language, self.engine)
            return self._sure(held(answer, case.gold), reading, case.gold)
        return self.bench.judge(reading.statement, case.statement, case.gold)

    def _sure(self, judgement: Judgement, reading: Reading, gold: Gold) -> Judgement:
        """The judgement of a text's own answer, without luck as far as its meaning is known."""
        if reading.statement is None:
            return judgement
        return self.bench.without_luck(judgement, reading.statement, gold)

    def _runs_unread(self, reading: Reading) -> bool:
        """Whether a text without a meaning in Graph-IR is run as it is: it parses, its language
        has an engine, and the language's check finds nothing in it."""
        guard = self.tools.guard
        if reading.kind != "unread" or guard is None:
            return False
        return not any(diagnostic.severity == "error" for diagnostic in guard(reading.text))

    def _executed(self, score: Score, case: Case, reading: Reading, judgement: Judgement) -> None:
        outcome, statement = judgement.outcome, reading.statement
        score.ran, score.rung = judgement.ran, judgement.rung
        if isinstance(outcome, Failure):
            score.error = score.error or outcome.kind
            score.message = score.message or outcome.message
        elif isinstance(case.gold, Gold):
            booleans = self.source is None or not self.source.numbers_as_booleans
            score.any_columns = (
                judgement.rung
                if judgement.right
                else rows_in_any_columns(outcome, case.gold, booleans=booleans)
            )
        if statement is not None and judgement.ran:
            score.psjs = 1.0 if score.gam else self._overlap(case, statement)
        elif self.tools.read is not None and statement is None:
            score.psjs = 0.0
        if score.right and statement is not None and self.suites and case.instances:
            self.pending.append(Pending(score, case, statement))

    def _overlap(self, case: Case, statement: ir.Statement) -> float | None:
        if touch_the_same(statement, case.statement, self.bench.schema):
            return 1.0
        if case.touched is None:
            case.touched = self.bench.touched(case.statement)
        mine = self.bench.touched(statement)
        return None if mine is None or case.touched is None else jaccard(case.touched, mine)

    def _linked(self, score: Score, case: Case, prediction: Prediction) -> None:
        """What a system's trace says that it linked, against what the gold query needs."""
        linked, schema = prediction.trace.get("twigs"), prediction.trace.get("schema")
        if isinstance(linked, list):
            score.twigs = hit_rate(list(map(str, linked)), twigs(case.statement, self.bench.schema))
        if isinstance(schema, list):
            needed = related(case.statement)
            labels = {self.bench.schema.edge_by_name[name].label for name in needed.edges}
            names = {str(name) for name in schema if "." not in str(name)}
            score.linked = names == needed.nodes | labels

    def _classes(self, score: Score, case: Case, reading: Reading) -> None:
        """The class of what is wrong, and the smallest repair."""
        if score.gam:
            return
        if reading.parses:
            _class(self.bench, score, case, reading.statement, right=score.right)
        else:
            carried = idiom(reading.text, self.tools.language)
            score.category = "idiom" if carried or reading.code == "sql" else "syntax"


def finish(bench: Bench, scorers: Iterable[Scorer]) -> None:
    """Take the measures on small graphs of all predictions since the last time, graph after graph,
    and forget what was kept for them."""
    users: dict[str, list[Pending]] = defaultdict(list)
    for scorer in scorers:
        for each in scorer.pending:
            for name in each.case.instances:
                users[name].append(each)
        scorer.pending.clear()
    for name in filter(bench.is_possible, sorted(users)):
        bench.use(name)
        golds: dict[str, Gold | Failure] = {}
        for each in users[name]:
            if each.score.suite is False:
                continue
            key = each.case.record.id
            if key not in golds:
                golds[key] = bench.gold(each.case.statement, small=True)
            gold = golds[key]
            if isinstance(gold, Failure):
                continue
            verdict = bench.judge(each.statement, each.case.statement, gold, small=True)
            each.score.suite_size += 1
            each.score.suite = verdict.right
            if not verdict.right:
                each.score.failed_on = name
                _class(bench, each.score, each.case, each.statement, right=False)
    bench.forget()


def _class(
    bench: Bench, score: Score, case: Case, statement: ir.Statement | None, *, right: bool
) -> None:
    difference = classify(
        case.compared,
        statement,
        right=right,
        code=score.error,
        parses=True,
        schema=bench.schema,
    )
    score.category, score.details, score.repair = (
        difference.category,
        difference.details,
        difference.repair,
    )


def missing(record: Record, language: str, gold: str, form: str = "") -> Score:
    """The score of a record that nobody predicted a query for: wrong, and counted apart."""
    score = Score(record.id, record.db, language, form, missing=True, category="missing")
    score.gleu = gleu(gold, "")
    score.gam, score.psjs = False, 0.0
    return score


def _costs(score: Score, prediction: Prediction) -> None:
    judged = prediction.trace.get("judged")
    score.judged = judged if isinstance(judged, bool) else None
    calls = prediction.calls
    if not calls:
        return
    score.calls = len(calls)
    score.prompt_tokens = int(_sum(calls, "prompt_tokens"))
    score.completion_tokens = int(_sum(calls, "completion_tokens"))
    score.usd = round(_sum(calls, "usd"), 9)
    if any("seconds" in call for call in calls):
        score.seconds = round(_sum(calls, "seconds"), 6)
    parts: dict[str, int] = defaultdict(int)
    for call in calls:
        own = call.get("parts")
        for name, number in own.items() if isinstance(own, Mapping) else ():
            if isinstance(number, int):
                parts[str(name)] += number
    score.parts = dict(parts)
    repairs = prediction.trace.get("repairs")
    score.repairs = repairs if isinstance(repairs, int) else None


def _sum(calls: Iterable[Mapping[str, Any]], name: str) -> float:
    values = (call.get(name) for call in calls)
    return sum(v for v in values if isinstance(v, int | float) and not isinstance(v, bool))
