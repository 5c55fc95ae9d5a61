"""A pair's test suite: its small graphs, on each of which independent engines give one answer."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from engines import ENGINES, default_engines
from engines.base import Result
from engines.compare import Verdict, allowed
from engines.isolation import IsolatedEngine
from graph_ir import nodes as ir
from graph_ir.bind.statements import bind
from graph_ir.rewrites import Probe, leaves_lists_open, probe
from graphmill.errors import EngineError, GraphmillError, Refused
from graphmill.files import write_text
from graphmill.record import Finding
from qa.mutation.interpreter.clauses import Program
from qa.mutation.interpreter.expressions import TooMuch
from qa.mutation.interpreter.values import Fault, Unsupported
from qa.mutation.pool import Instance, Pool
from schemagraph.folder.serde import save_schema
from schemagraph.model import SchemaGraph
from translators.render import render

REFEREE = "duckdb"
WITNESSES = tuple((name, each) for each, name in default_engines().items() if name != REFEREE)
"""Engine and language of those that must agree with the referee; the first that can is asked."""

FOLDER = "instances"


@dataclass(frozen=True, slots=True)
class Case:
    """A query, and the names of the small graphs that it is to be run on."""

    statement: ir.Statement
    instances: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Texts:
    """A query as the referee and a witness run it."""

    asked: Probe
    referee: str
    witness: tuple[str, str, str]
    program: Program | None
    open_lists: bool


class Suites:
    """Engines that take one small graph of a schema after the other, each in one process.

    It is for queries that graphmill has rendered: the processes are not sealed between graphs.
    """

    def __init__(self, schema: SchemaGraph, *, timeout: float = 5.0, memory_mb: int = 1024) -> None:
        self.schema = schema
        self.timeout = timeout
        self._memory = memory_mb
        self._stack = ExitStack()
        self._engines: dict[str, IsolatedEngine] = {}
        self._folder = Path()

    def __enter__(self) -> Self:
        self._folder = Path(self._stack.enter_context(tempfile.TemporaryDirectory(prefix="suite-")))
        save_schema(self._folder, self.schema)
        (self._folder / FOLDER).mkdir()
        for name in (REFEREE, *dict.fromkeys(name for name, _ in WITNESSES)):
            engine = IsolatedEngine(name, None, memory_mb=self._memory, persists=True, reloads=True)
            self._engines[name] = self._stack.enter_context(engine)
        return self

    def __exit__(self, *exc: object) -> None:
        self._stack.close()

    def certify(self, cases: Sequence[Case], pool: Pool) -> list[Finding]:
        """For each case whether the referee and a witness agree on all of its small graphs.

        Codes: `instance-disagrees` (with both answers), `instance-fails` (the referee has no
        answer), `instance-alone` (no witness can run the query), `instance-misread` (the search
        for mutants took another answer than the engines give). `pool` holds the graphs.
        """
        texts = [self._texts(case.statement) for case in cases]
        findings: dict[int, Finding] = {}
        users: dict[str, list[int]] = {}
        for number, (case, text) in enumerate(zip(cases, texts, strict=True)):
            if isinstance(text, Finding):
                findings[number] = text
                continue
            for name in case.instances:
                users.setdefault(name, []).append(number)
        for name, numbers in users.items():
            instance = pool.named(name)
            self._load(name, instance.rows())
            for number in numbers:
                text = texts[number]
                if number not in findings and isinstance(text, _Texts):
                    wrong = self._run(instance, text)
                    if wrong is not None:
                        findings[number] = wrong
        return [findings.get(number, Finding("instances", ok=True)) for number in range(len(cases))]

    def _load(self, name: str, rows: Mapping[str, Any]) -> None:
        path = self._folder / FOLDER / f"{name}.json"
        write_text(path, json.dumps(rows))
        for engine in self._engines.values():
            engine.use(path)

    def _texts(self, statement: ir.Statement) -> _Texts | Finding:
        asked = probe(statement)
        if asked is None:
            return Finding("instances", False, "instance-fails", "SKIP and LIMIT must be numbers.")
        try:
            referee = render(asked.statement, "sql", self.schema).text
        except GraphmillError as problem:
            return Finding("instances", False, "instance-fails", str(problem))
        bound = bind(statement, self.schema).statement
        for name, language in WITNESSES:
            kind = ENGINES.get(name)
            dialect = kind.profiles.get(language, language)
            if any(dialect in f.dialects and f.applies(bound) for f in kind.unsound):
                continue
            try:
                text = render(statement, dialect, self.schema).text
            except Refused:
                continue
            witness = (name, language, text)
            return _Texts(asked, referee, witness, _program(bound), leaves_lists_open(statement))
        return Finding("instances", False, "instance-alone", "Only the referee can run this.")

    def _run(self, instance: Instance, texts: _Texts) -> Finding | None:
        """What is wrong with the answers on the graph that is loaded."""
        name = instance.name
        engine, language, text = texts.witness
        try:
            rows = self._engines[REFEREE].run(texts.referee, language="sql", timeout=self.timeout)
            answer = self._engines[engine].run(text, language=language, timeout=self.timeout)
        except EngineError as problem:
            return Finding("instances", False, "instance-fails", f"{name}: {problem}")
        verdict = _held(answer, rows, texts)
        evidence = {"instance": name, "engine": engine, "text": text, "rows": _shown(answer)}
        if not verdict:
            detail = f"{engine} and the referee give different answers on {name}: {verdict.reason}"
            return Finding("instances", False, "instance-disagrees", detail, evidence)
        own = _own(texts.program, instance)
        if own is not None and not _held(own, rows, texts):
            detail = f"The search took another answer on {name} than engines give."
            evidence = {**evidence, "search": _shown(own)}
            return Finding("instances", False, "instance-misread", detail, evidence)
        return None


def _held(answer: Result, rows: Result, texts: _Texts) -> Verdict:
    return allowed(
        answer,
        rows,
        keys=texts.asked.keys,
        skip=texts.asked.skip,
        limit=texts.asked.limit,
        unordered_lists=texts.open_lists,
    )


def _program(statement: ir.Statement) -> Program | None:
    try:
        return Program(statement)
    except Unsupported:
        return None


def _own(program: Program | None, instance: Instance) -> Result | None:
    """The interpreter's answer, None where it has none, or where ties inside leave it open."""
    if program is None:
        return None
    try:
        answer = program.result(instance.graph)
    except (Unsupported, Fault, TooMuch):
        return None
    return None if program.machine.open else answer


def _shown(answer: Result) -> list[list[Any]]:
    return [list(row) for row in answer.rows[:5]]
