"""Figures of a corpus for card, report and explorer, read from its files record by record.

Nothing is held but counts, so that memory does not grow with the corpus; of records and rejects a
few are kept as examples.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from graphmill.files import checked, read_rows
from graphmill.record import DIFFICULTIES, SPLITS
from graphmill.record_rows import json_in
from pipelines.pictures.texts import LEVELS as LEVEL_NAMES
from pipelines.pictures.texts import language, listed
from pipelines.release.ledger import LEDGER, ledger_lines

LEVELS = {
    "original": "question",
    "syntactic": "question_syntactic",
    "logical": "question_logical",
    "business": "question_business",
}
FORMS = ("original", "short", "plain", *list(LEVELS)[1:])
"""Kinds of questions: `question` is a given pair's own, `short` (as somebody types it into a
search box) where a grown record has it beside other levels, and `plain` where it is alone."""

WORST = ("differs", "repaired", "said", "unknown")
"""Outcomes of readings that are worse than `harmless`, the worst first."""

EXAMPLES = 3  # rejects of one code, and records
_DISTINCT = 400_000  # distinct words of one level that are told apart
_SAMPLED = 40  # databases that records are kept of as examples
_PATHS = frozenset(("variable-length", "quantified-path", "shortest-path"))
_EDGES = frozenset(("directed-edge", "undirected-edge", "quantified-path", "shortest-path"))
_NOT_STEPS = ("bind-parameters", "write-questions", "translate-back")


def words(text: str) -> list[str]:
    """The words of a question, without case and punctuation around them."""
    stripped = (word.strip(".,;:?!()'\"“”‘’").casefold() for word in text.split())
    return [word for word in stripped if word]


def asked(row: Mapping[str, Any]) -> dict[str, str]:
    """The questions of a record by their form."""
    texts = {level: row[name] for level, name in LEVELS.items() if row[name]}
    if row["provenance"]["maker"] == "pairs" or "original" not in texts:
        return texts
    form = "short" if len(texts) > 1 else "plain"
    return {form if level == "original" else level: text for level, text in texts.items()}


@dataclass(slots=True)
class Texts:
    """Texts of one kind: how many, their lengths in words, their distinct words."""

    number: int = 0
    lengths: Counter[int] = field(default_factory=Counter)
    distinct: set[str] = field(default_factory=set)

    def add(self, text: str) -> None:
        """Count one text."""
        each = words(text)
        self.number += 1
        self.lengths[len(each)] += 1
        if len(self.distinct) < _DISTINCT:
            self.distinct.update(each)

    @property
    def mean(self) -> float:
        """Words of a text, on average."""
        return sum(length * n for length, n in self.lengths.items()) / max(self.number, 1)


@dataclass(slots=True)
class Figures:
    """All that is counted in records and rejects."""

    records: int = 0
    pairs: int = 0
    splits: Counter[str] = field(default_factory=Counter)
    databases: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    places: dict[str, tuple[str, str]] = field(default_factory=dict)  # domain, sub-domain
    tiers: Counter[str] = field(default_factory=Counter)
    characters: Counter[str] = field(default_factory=Counter)  # of Cypher, by tier
    constructs: Counter[tuple[str, str]] = field(default_factory=Counter)
    questions: dict[str, Texts] = field(default_factory=dict)
    knowledge: Texts = field(default_factory=Texts)
    traversing: int = 0  # records whose query walks along edges
    unbounded: int = 0  # records with paths that no fixed number of joins says
    languages: Counter[str] = field(default_factory=Counter)
    executed: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    unexecuted: Counter[str] = field(default_factory=Counter)  # texts, by language
    runs: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    agreeing: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    proving: dict[str, set[str]] = field(default_factory=dict)  # engines of a database
    witnesses: Counter[int] = field(default_factory=Counter)  # engines of a record
    scores: Counter[float] = field(default_factory=Counter)  # mutants told apart
    mutants: Counter[str] = field(default_factory=Counter)
    told_apart: Counter[str] = field(default_factory=Counter)
    readings: Counter[str] = field(default_factory=Counter)  # pairs, by their worst outcome
    depths: Counter[int] = field(default_factory=Counter)
    steps: Counter[str] = field(default_factory=Counter)
    makers: Counter[str] = field(default_factory=Counter)
    models: Counter[str] = field(default_factory=Counter)
    answers: Counter[int] = field(default_factory=Counter)  # rows
    samples: dict[tuple[str, str], tuple[tuple[int, str], dict[str, Any]]] = field(
        default_factory=dict
    )  # the best record of a tier and a database
    rejects: Counter[tuple[str, str]] = field(default_factory=Counter)
    dropped_by: dict[tuple[str, str], Counter[str]] = field(
        default_factory=lambda: defaultdict(Counter)
    )  # archetypes and operators
    dropped: dict[tuple[str, str], list[dict[str, Any]]] = field(
        default_factory=lambda: defaultdict(list)
    )

    def add(self, row: dict[str, Any]) -> None:
        """Count one record, as its file has it."""
        tier = row["difficulty"] or ""
        queries = {name: text for name, text in row["queries"].items() if text}
        texts = asked(row)
        self.records += 1
        self.pairs += len(queries) * len(texts)
        self.splits[row["split"]] += 1
        self.databases[row["db"]][row["split"]] += 1
        self.places[row["db"]] = (row["domain"] or "", row["subdomain"] or "")
        self.tiers[tier] += 1
        self.characters[tier] += len(queries.get("cypher", ""))
        self.constructs.update((name, tier) for name in row["constructs"])
        self.traversing += bool(_EDGES & set(row["constructs"]))
        self.unbounded += bool(_PATHS & set(row["constructs"]))
        self.languages.update(queries.keys())
        for form, text in texts.items():
            self.questions.setdefault(form, Texts()).add(text)
        if row["external_knowledge"]:
            self.knowledge.add(row["external_knowledge"])
        self._proof(row, queries)
        self._read_otherwise(row.get("readings"))
        self._lineage(row["provenance"])
        answer = row["answer"] or {"rows": 0}
        self.answers[answer["rows"]] += 1
        worth = (_dull(row, queries), row["id"])
        place = (tier, row["db"])
        if place in self.samples:
            if worth < self.samples[place][0]:
                self.samples[place] = (worth, row)
        elif len(self.databases) <= _SAMPLED:
            self.samples[place] = (worth, row)

    def _proof(self, row: dict[str, Any], queries: Collection[str]) -> None:
        engines = set()
        ran = set()
        for run in row["certificates"]:
            key = (run["engine"], run["version"], run["dialect"])
            self.runs[key] += 1
            self.agreeing[key] += bool(run["agrees"])
            spoken = run["dialect"].split("-")[0]
            self.executed[spoken].add(run["engine"])
            ran.add(spoken)
            engines.add(run["engine"])
        self.unexecuted.update(set(queries) - ran)
        self.witnesses[len(engines)] += 1
        self.proving.setdefault(row["db"], set()).update(engines)
        apart = row["discrimination"]
        if apart and apart["score"] is not None:
            self.scores[round(float(apart["score"]), 4)] += 1
            detail = json_in(row, "discrimination", "detail") or {}
            self.mutants.update(detail.get("mutants", {}))
            self.told_apart.update(detail.get("told_apart", {}))

    def _read_otherwise(self, readings: list[dict[str, str]] | None) -> None:
        """Count a pair whose readings were tried; older corpora have none."""
        if readings is not None:
            outcomes = {each["outcome"] for each in readings}
            self.readings[next((o for o in WORST if o in outcomes), "harmless")] += 1

    def _lineage(self, made: dict[str, Any]) -> None:
        steps = [s["operation"] for s in made["trace"] if s["operation"] not in _NOT_STEPS]
        self.depths[len(steps)] += 1
        self.steps.update(steps)
        self.makers[made["maker"]] += 1
        if made["model"]:
            self.models[made["model"]] += 1

    def drop(self, row: dict[str, Any]) -> None:
        """Count one line of the ledger."""
        key = (str(row["stage"]), str(row["code"]))
        self.rejects[key] += 1
        evidence = row.get("evidence")
        if isinstance(evidence, dict) and evidence.get("maker"):
            self.dropped_by[key][str(evidence.get("archetype") or evidence["maker"])] += 1
        examples, text = self.dropped[key], (row.get("reason"), row.get("query"))
        if len(examples) < EXAMPLES and text not in [(e["reason"], e["query"]) for e in examples]:
            examples.append({**row, "evidence": {}})

    @property
    def forms(self) -> list[str]:
        """The forms of questions that there are, in their order."""
        return [form for form in FORMS if form in self.questions]

    @property
    def levels(self) -> list[str]:
        """How the question of one record can differ: the forms, of which own, short and plain
        questions are one, as a record has one of them at most."""
        first = [form for form in self.forms if form not in LEVELS or form == "original"]
        rest = [form for form in self.forms if form not in first]
        names = [LEVEL_NAMES[form] for form in first]
        return [*([listed(names, "or")] if names else []), *(LEVEL_NAMES[form] for form in rest)]

    @property
    def languages_ranked(self) -> list[str]:
        """The languages, those of most records first."""
        return sorted(self.languages, key=lambda name: (-self.languages[name], name))

    @property
    def languages_unexecuted(self) -> list[str]:
        """The languages with texts that no engine ran, each with how many where some ran."""
        names = []
        for name in self.languages_ranked:
            number, of = self.unexecuted[name], self.languages[name]
            if number:
                names.append(language(name) + (f" ({number:,} of {of:,})" if number < of else ""))
        return names

    @property
    def executions(self) -> int:
        """Executions that are certified."""
        return self.runs.total()

    @property
    def disagreeing(self) -> int:
        """Certified executions that do not say that they agree."""
        return self.runs.total() - self.agreeing.total()

    @property
    def engines(self) -> list[tuple[str, str]]:
        """Engines with their versions, by name."""
        return sorted({(engine, version) for engine, version, _ in self.runs})

    @property
    def score(self) -> float | None:
        """The share of all mutants that answers tell apart; of an older corpus, which does not
        count them, the mean over its records."""
        if self.mutants:
            return self.told_apart.total() / self.mutants.total()
        number = self.scores.total()
        return sum(s * n for s, n in self.scores.items()) / number if number else None

    @property
    def domains(self) -> dict[str, list[str]]:
        """The databases of each domain."""
        databases: dict[str, list[str]] = defaultdict(list)
        for db, (domain, _) in sorted(self.places.items()):
            databases[domain or "not stated"].append(db)
        return dict(sorted(databases.items()))

    def length(self, tier: str) -> float:
        """Characters of a tier's Cypher, on average."""
        return self.characters[tier] / self.tiers[tier] if self.tiers[tier] else 0.0

    def table_3(self) -> list[tuple[str, list[int]]]:
        """Domains, sub-domains, databases, examples: in all, and in each split."""
        by_split = {
            split: [db for db, counts in self.databases.items() if counts[split]]
            for split in SPLITS
        }
        groups = [list(self.databases), *by_split.values()]
        return [
            ("domains", [len({self.places[db][0] for db in dbs}) for dbs in groups]),
            ("sub-domains", [len({self.places[db] for db in dbs}) for dbs in groups]),
            ("databases", [len(dbs) for dbs in groups]),
            ("examples", [self.records, *(self.splits[split] for split in SPLITS)]),
        ]


def figures(folder: Path) -> Figures:
    """The figures of the corpus in `folder`.

    Raises:
        GraphmillError: a file is damaged.
    """
    corpus_figures = Figures()
    for row in rows(folder):
        corpus_figures.add(row)
    for reject in ledger_lines(folder / LEDGER):
        corpus_figures.drop(reject)
    return corpus_figures


def rows(folder: Path) -> Iterator[dict[str, Any]]:
    """Released records, field by field as their files have them, a batch at a time.

    Raises:
        GraphmillError: a file is no Parquet, decodes to more than it may, or has a row that is no
            record.
    """
    for split in SPLITS:
        for path in sorted((folder / "data").glob(f"{split}-*.parquet")):
            yield from checked(path, read_rows(path))


def tiers_of(corpus_figures: Figures) -> list[str]:
    """The tiers, those that nobody knows last."""
    return [*DIFFICULTIES, *sorted(set(corpus_figures.tiers) - set(DIFFICULTIES))]


def _dull(row: dict[str, Any], queries: dict[str, str]) -> int:
    """How little a record shows at a glance: long texts, no answer, a wide one."""
    answer = row["answer"] or {"rows": 0, "columns": []}
    long = max(map(len, queries.values()), default=0)
    penalty = 0 if 1 <= answer["rows"] <= 8 else 40
    penalty += 10 * max(0, len(answer["columns"]) - 4)
    penalty += max(0, long - 260) // 20
    penalty += max(0, len(row["question_business"] or row["question"] or "") - 140) // 10
    if not row["question_business"]:
        penalty += 30
    if not {"path", "edge", "optional-match", "variable-length"} & set(row["constructs"]):
        penalty += 5
    return penalty + (
        0 if "->" in queries.get("cypher", "") or "<-" in queries.get("cypher", "") else 8
    )
