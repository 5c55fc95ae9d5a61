"""`Record`, one line of a corpus, and its parts, with their JSON form (design: artefacts).

Records are values: a check returns findings, and `judged` makes a new record with them. The id
is the hash of database, schema without data, questions and queries, so the same content has the
same id, and data may grow.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

type Difficulty = Literal["easy", "medium", "hard", "extra_hard"]
type Split = Literal["train", "validation", "test"]

FORMAT = 3
"""The format of a corpus, as `corpus.lock` names it: what its ids are hashes of (of the database,
too, from 2 on), and whether the lock has a hash of its own (from 3 on)."""

DIFFICULTIES: tuple[Difficulty, ...] = ("easy", "medium", "hard", "extra_hard")
SPLITS: tuple[Split, ...] = ("train", "validation", "test")


@dataclass(frozen=True, slots=True)
class Questions:
    """One question at four levels; `original` is the source's own and may be empty."""

    original: str = ""
    syntactic: str = ""
    logical: str = ""
    business: str = ""


@dataclass(frozen=True, slots=True)
class Evolved:
    """One step of an evolution: what was done to which query, on which evidence."""

    operation: str
    before: str
    evidence: str = ""


@dataclass(frozen=True, slots=True)
class Provenance:
    """Who made a record, from what, in which steps."""

    maker: str
    version: str
    seed: int
    model: str = ""
    source: str = ""
    parent: str = ""
    trace: tuple[Evolved, ...] = ()


@dataclass(frozen=True, slots=True)
class Certificate:
    """One execution: engine, version, dialect, the text it ran, rows, hash of the answer.

    `agrees` is None when there was no other execution to compare with.
    """

    engine: str
    version: str
    dialect: str
    rows: int
    hash: str
    agrees: bool | None = None
    text: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """The gold answer: columns, number of rows, hash of all rows, and the first few."""

    columns: tuple[str, ...]
    rows: int
    hash: str
    sample: tuple[tuple[Any, ...], ...] = ()

    @classmethod
    def from_json(cls, raw: Mapping[str, Any]) -> Answer:
        """An answer from the JSON form of its fields."""
        sample = tuple(tuple(row) for row in raw["sample"])
        return cls(tuple(raw["columns"]), raw["rows"], raw["hash"], sample)


@dataclass(frozen=True, slots=True)
class Finding:
    """What one check found in a record; `code` names the reason when it is not ok."""

    check: str
    ok: bool
    code: str = ""
    detail: str = ""
    evidence: Mapping[str, Any] = field(default_factory=dict)


type Outcome = Literal["harmless", "said", "repaired", "differs", "unknown"]


@dataclass(frozen=True, slots=True)
class Reading:
    """Another plain reading of a question, and what came of it (docs/readings.md).

    `level` is that of the question, `reading` one of `qa.readings.READINGS`.
    """

    reading: str
    level: str
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class Record:
    """A question with its queries, and all that proves them.

    `schema` is the fingerprint of the graph's schema without its data; `format` is that of the
    corpus that the record belongs to, which its id depends on.

    `unanswerable` has `reason` and `missing` where the graph has no answer: no queries then.

    `discrimination` says how well its answers tell the query from its mutants, and on which small
    graphs (`qa.mutation.analysis.Discrimination.to_json`); it is empty where nobody asked.
    """

    schema: str
    db: str
    questions: Questions
    queries: Mapping[str, str]
    provenance: Provenance
    domain: str = ""
    subdomain: str = ""
    source_sql: str = ""
    external_knowledge: str = ""
    difficulty: Difficulty | None = None
    split: Split | None = None
    constructs: tuple[str, ...] = ()
    answer: Answer | None = None
    certificates: tuple[Certificate, ...] = ()
    discrimination: Mapping[str, Any] = field(default_factory=dict)
    readings: tuple[Reading, ...] = ()
    unanswerable: Mapping[str, str] = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()
    meta: Mapping[str, Any] = field(default_factory=dict)
    format: int = FORMAT

    @property
    def id(self) -> str:
        """Hash of database, schema, questions and queries (16 hex digits of SHA-256).

        In a corpus of the first format the database was no part of it.
        """
        content: list[Any] = [self.schema, _fields(self.questions), dict(self.queries)]
        if self.format > 1:
            content.insert(0, self.db)
        text = json.dumps(content, sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    @property
    def ok(self) -> bool:
        """True when no check objected."""
        return all(finding.ok for finding in self.findings)

    def judged(self, *findings: Finding) -> Record:
        """This record with more findings."""
        return replace(self, findings=(*self.findings, *findings))

    def certified(self, *by: Certificate) -> Record:
        """This record with more certificates."""
        return replace(self, certificates=(*self.certificates, *by))

    def to_json(self) -> dict[str, Any]:
        """Plain JSON values, the inverse of `from_json`; mappings are the record's own."""
        trace = [_fields(step) for step in self.provenance.trace]
        return {
            **_fields(self),
            "questions": _fields(self.questions),
            "provenance": {**_fields(self.provenance), "trace": trace},
            "answer": self.answer and _fields(self.answer),
            "certificates": [_fields(each) for each in self.certificates],
            "readings": [_fields(each) for each in self.readings],
            "findings": [_fields(each) for each in self.findings],
            "id": self.id,
        }

    @classmethod
    def from_json(cls, raw: Mapping[str, Any]) -> Record:
        """A record from its JSON form; a stored `id` is not trusted but derived again."""
        values = {key: value for key, value in raw.items() if key != "id"}
        answer = values["answer"]
        trace = tuple(Evolved(**step) for step in values["provenance"]["trace"])
        return cls(
            **{
                **values,
                "questions": Questions(**values["questions"]),
                "provenance": Provenance(**{**values["provenance"], "trace": trace}),
                "constructs": tuple(values["constructs"]),
                "answer": answer and Answer.from_json(answer),
                "certificates": tuple(Certificate(**c) for c in values["certificates"]),
                "readings": tuple(Reading(**each) for each in values.get("readings") or ()),
                "findings": tuple(Finding(**f) for f in values["findings"]),
            }
        )


def _fields(value: Any) -> dict[str, Any]:
    """The fields of a dataclass with slots; `asdict` would copy all that is in them."""
    return {name: getattr(value, name) for name in value.__slots__}


@dataclass(frozen=True, slots=True)
class Reject:
    """A candidate that is not released: at which stage, why, and the evidence.

    `code` is stable; `reason` is a sentence; `evidence` holds what one needs to look again.
    """

    stage: str
    code: str
    reason: str
    db: str
    question: str = ""
    query: str = ""
    line: int = 0
    evidence: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """One line of `rejects.jsonl`."""
        return _fields(self)

    @classmethod
    def from_json(cls, raw: Mapping[str, Any]) -> Reject:
        """The inverse of `to_json`."""
        return cls(**raw)
