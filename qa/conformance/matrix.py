"""Run trials in dialects and judge every cell against Neo4j."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

from engines import ENGINES
from engines.base import Result, Unsound
from engines.compare import allowed, same_bag
from engines.isolation import IsolatedEngine
from graph_ir import nodes as ir
from graph_ir.bind.statements import bound
from graph_ir.rewrites import leaves_lists_open, probe
from graphmill.errors import EngineError, EngineUnavailable, QueryError, QueryTextError, Refused
from graphmill.files import digest
from qa.agreement import MEMORY_MB, RUNS, Run
from qa.conformance.trials import Constants, Groups, Stored, Trial, Variables, Whole, Withs
from qa.fuzz.search import cypher
from schemagraph.model import SchemaGraph
from translators.render import render

BATCH = 30  # constants that one statement asks for
CYPHER_25 = "CYPHER 25 expressionEngine=interpreted "
_NEW = "Unknown function"  # what Neo4j says of functions that only Cypher 25 has
STORED = "This graph has such values"  # what an engine declares of what it holds
# What our own texts raise where a value turns out to be one that they cannot treat: no guess, and
# no fault of the text. grafeo has no function that raises, so its texts divide by zero.
ON_PURPOSE = (
    *("can be read here", "cannot be read", "cannot be told here", "division by zero: 1 / 0"),
    *("has characters that Java cuts in two", "has combining marks", "has too many digits"),
    *("days are not added in the zone", "is out of range"),
    # Sums and products beyond 64 bits, with which Neo4j goes on.
    *("out of range for the destination type INT64", "numeric value out of range"),
    "Out of Range Error: Overflow in",
    *("Overflow exception", "due to overflow", "long overflow", "may become longer than 64 bits"),
    STORED,
    "bad repetition operator",  # RE2 has no possessive quantifiers, and says so
)
NO_VALUE = "50N42"  # of Neo4j's driver, which has no dates past the year 9999
ALIKE = 24  # leading characters that tell one error from another
TIMEOUT = 60.0  # seconds


class Status(StrEnum):
    """What became of a cell in a dialect."""

    EQUAL = "equal"  # Neo4j's answer, or an error where Neo4j raises one
    REFUSED = "refused"  # by the dialect, or by its text when it meets a value (`ON_PURPOSE`)
    DECLARED = "declared"  # the engine declares that it gets this wrong
    DIFFERS = "differs"
    FAILS = "does not run"
    FAULT = "fault"  # the translator fell over


SILENT = frozenset({Status.DIFFERS, Status.FAILS, Status.FAULT})


@dataclass(frozen=True, slots=True)
class Outcome:
    """A cell's value, or the error in place of it."""

    value: Any = None
    error: str = ""


@dataclass(frozen=True, slots=True)
class Cell:
    """One judged cell; `truth` and `answer` are texts for people."""

    dialect: str
    construct: str
    position: str
    values: str
    status: Status
    raises: bool = False
    reason: str = ""
    truth: str = ""
    answer: str = ""
    cypher: str = ""
    text: str = ""

    @property
    def key(self) -> tuple[str, ...]:
        """What the cell is called in every run."""
        return (self.dialect, self.construct, self.position, self.values)


class Asked:
    """An engine's answers to texts, kept in a file so that no text is asked twice.

    An answer is known by the text, and where that reads the graph by the graph's digest. The file
    belongs to one version of the engine.
    """

    def __init__(self, engine: IsolatedEngine, language: str, key: str, path: Path | None) -> None:
        self._engine = engine
        self._language = language
        self._key = key
        self._path = path
        self._known: dict[str, Any] = {}
        if path is not None and path.exists():
            for line in path.read_text("utf-8").splitlines():
                record = json.loads(line)
                self._known[record["key"]] = record["answer"]

    def run(self, text: str) -> Result:
        """The answer to a text.

        Raises:
            EngineError: the engine's.
        """
        graph = self._key if "MATCH" in text else ""
        key = digest([graph, self._language, text])
        if key not in self._known:
            self._known[key] = self._fresh(text)
            if self._path is not None:
                with self._path.open("a", encoding="utf-8") as file:
                    file.write(json.dumps({"key": key, "answer": self._known[key]}) + "\n")
        answer = self._known[key]
        if isinstance(answer, str):
            raise EngineError(answer)
        return Result(tuple(answer["columns"]), tuple(map(tuple, answer["rows"])))

    def _fresh(self, text: str) -> Any:
        try:
            try:
                result = self._engine.run(text, language=self._language, timeout=TIMEOUT)
            except QueryError as problem:
                if not (self._language == "cypher" and str(problem).startswith(_NEW)):
                    raise
                result = self._engine.run(CYPHER_25 + text, language="cypher", timeout=TIMEOUT)
        except EngineUnavailable:
            raise
        except EngineError as problem:
            return _one_line(problem)[:600]
        return {"columns": result.columns, "rows": result.rows}


@dataclass
class Speaker:
    """One dialect on one engine: what it makes of the cells of a trial."""

    dialect: str
    asked: Asked
    schema: SchemaGraph
    unsound: tuple[Unsound, ...] = ()
    quick: bool = True
    texts: dict[int, str] = field(default_factory=dict)
    states: dict[int, tuple[Status, str]] = field(default_factory=dict)
    raising: Set[int] = frozenset()

    def outcomes(
        self, trial: Trial, cells: Sequence[int], raising: Set[int] = frozenset()
    ) -> dict[int, Outcome]:
        """The outcome of each cell that the dialect says; `states` has the others.

        `raising` are the cells in which Neo4j raises an error.
        """
        self.texts, self.states, self.raising = {}, {}, raising
        outcomes: dict[int, Outcome] = {}
        size = BATCH if isinstance(trial, Constants) else len(cells)
        for start in range(0, len(cells), size):
            self._ask(trial, list(cells[start : start + size]), outcomes)
        return outcomes

    def answer(self, trial: Whole) -> Result | str | tuple[Status, str]:
        """The answer to a whole statement, an error's words, or why there is no text."""
        self.texts, self.states = {}, {}
        text = self._says(trial, [0])
        if not text:
            return self.states[0]
        try:
            return self.asked.run(text)
        except EngineUnavailable:
            raise
        except EngineError as problem:
            return _one_line(problem) or "error"

    def _says(self, trial: Trial, cells: Sequence[int]) -> str:
        """The text for these cells; "" when there is none, and then the state of each is noted."""
        statement = trial.statement(cells)
        try:
            own = bound(statement, self.schema).statement
            for fault in self.unsound:
                if fault.applies(own):
                    self._note(cells, Status.DECLARED, fault.code)
                    return ""
            text = render(statement, self.dialect, self.schema).text
        except Refused as problem:
            self._note(cells, Status.REFUSED, problem.code)
            return ""
        except QueryTextError as problem:
            self._note(cells, Status.REFUSED, f"invalid: {problem.code}")
            return ""
        except EngineError:
            raise
        except Exception as problem:  # noqa: BLE001 # whatever it is, it is a fault to be shown
            self._note(cells, Status.FAULT, f"{type(problem).__name__}: {problem}")
            return ""
        for cell in cells:
            self.texts[cell] = text
        return text

    def _note(self, cells: Sequence[int], status: Status, reason: str) -> None:
        for cell in cells:
            self.states[cell] = (status, reason)

    def _ask(self, trial: Trial, cells: list[int], outcomes: dict[int, Outcome]) -> None:
        if not cells:
            return
        text = self._says(trial, cells)
        problem = ""
        if text:
            try:
                result = self.asked.run(text)
                outcomes.update(_by_cell(trial, cells, result))
                return
            except EngineUnavailable:
                raise
            except (EngineError, ValueError) as error:
                problem = _one_line(error)
        if len(cells) == 1:
            if text:
                outcomes[cells[0]] = Outcome(error=problem or "error")
            return
        if not text and trial.alike:
            return
        for cell in cells:
            self.states.pop(cell, None)
        if text and self.quick and self._fails_throughout(trial, cells, outcomes):
            return
        half = len(cells) // 2
        self._ask(trial, cells[:half], outcomes)
        self._ask(trial, cells[half:], outcomes)

    def _fails_throughout(
        self, trial: Trial, cells: list[int], outcomes: dict[int, Outcome]
    ) -> bool:
        """Whether the engine has one fault to find with the first, the middle and the last, which
        Neo4j answers; then it has the same with those between."""
        samples = [cell for cell in cells if cell not in self.raising]
        if len(samples) <= 4:
            return False
        samples = [samples[0], samples[len(samples) // 2], samples[-1]]
        for cell in samples:
            self._ask(trial, [cell], outcomes)
        errors = [outcomes[cell].error if cell in outcomes else "" for cell in samples]
        if len({error[:ALIKE] for error in errors}) > 1 or not errors[0]:
            return False
        if any(_of_error(error) is Status.REFUSED for error in errors):
            return False
        for cell in cells:
            outcomes[cell] = outcomes[samples[0]]
            self.texts[cell] = self.texts[samples[0]]
        return True


def _one_line(problem: Exception) -> str:
    """An error's words, which may quote a value with characters that end lines."""
    return " ".join(str(problem).splitlines())


def _by_cell(trial: Trial, cells: Sequence[int], result: Result) -> dict[int, Outcome]:
    """The value of each cell.

    Raises:
        ValueError: the answer's rows are not those that were asked for.
    """
    if isinstance(trial, Constants):
        (row,) = result.rows or ((),)
        if len(row) != len(cells):
            raise ValueError(f"{len(result.rows)} rows of {len(row)} columns")
        return {cell: Outcome(value) for cell, value in zip(cells, row, strict=True)}
    keys = trial.keys(cells)
    if keys is None:
        if len(result.rows) != len(cells):
            raise ValueError(f"{len(result.rows)} rows, not {len(cells)}")
        return {cell: Outcome(row[0]) for cell, row in zip(cells, result.rows, strict=True)}
    by_key = {tuple(row[:-1]): row[-1] for row in result.rows}
    if len(result.rows) != len(cells) or set(by_key) != set(keys):
        raise ValueError(f"{len(result.rows)} rows with {len(by_key)} keys, not {len(cells)}")
    return {cell: Outcome(by_key[key]) for cell, key in zip(cells, keys, strict=True)}


@dataclass
class Matrix:
    """Judges trials in dialects against Neo4j's Cypher."""

    truth: Speaker
    speakers: Mapping[str, Speaker]

    def judge(self, trial: Trial) -> Iterator[Cell]:
        """Every cell of the trial in every dialect."""
        if isinstance(trial, Whole):
            yield from self._judge_whole(trial)
            return
        every = range(len(trial.values))
        truths = self.truth.outcomes(trial, every)
        invalid = dict(self.truth.states)
        open_lists = leaves_lists_open(trial.statement([0]))
        for cell, (status, reason) in invalid.items():
            yield Cell(
                "cypher", trial.construct, trial.position, trial.values[cell], status, reason=reason
            )
        truths = {c: _delivered(self.truth, trial, c, truth) for c, truth in truths.items()}
        for cell in [cell for cell, truth in truths.items() if STORED in truth.error]:
            truths.pop(cell)
            place = (trial.construct, trial.position, trial.values[cell])
            yield Cell("cypher", *place, Status.REFUSED, reason="declared of Neo4j")
        if not truths:
            return
        raising = {cell for cell, truth in truths.items() if truth.error}
        for dialect, speaker in self.speakers.items():
            outcomes = speaker.outcomes(trial, sorted(truths), raising)
            outcomes = {c: _delivered(speaker, trial, c, own) for c, own in outcomes.items()}
            for cell, truth in truths.items():
                status, reason = speaker.states.get(cell, (Status.EQUAL, ""))
                outcome = outcomes.get(cell)
                if outcome is not None:
                    status, reason = _compared(truth, outcome, open_lists)
                elif truth.error and status is not Status.FAULT:
                    status = Status.EQUAL
                wrong = status in SILENT
                yield Cell(
                    dialect,
                    trial.construct,
                    trial.position,
                    trial.values[cell],
                    status,
                    bool(truth.error),
                    reason,
                    _shown(truth) if wrong else "",
                    _shown(outcome) if wrong and outcome else "",
                    cypher(trial.statement([cell])) if wrong else "",
                    speaker.texts.get(cell, "") if wrong else "",
                )

    def _judge_whole(self, trial: Whole) -> Iterator[Cell]:
        """The cell of a statement, with ties under its window as ties."""
        asked = probe(trial.query)
        if asked is None:
            raise ValueError(f"{cypher(trial.query)} has a window that is no literal")
        place = (trial.construct, trial.position, trial.values[0])
        referee = replace(trial, query=asked.statement) if asked.keys else trial
        rows = self.truth.answer(referee)
        if isinstance(rows, Result) and (asked.keys or asked.skip or asked.limit is not None):
            alone = self.truth.answer(trial)  # a window may hide what raises, or raise itself
            rows = rows if isinstance(alone, Result) else alone
        elif asked.keys:
            rows = self.truth.answer(trial)
        if isinstance(rows, tuple):
            status, reason = rows
            yield Cell("cypher", *place, status, reason=reason)
            return
        raises = isinstance(rows, str)
        if isinstance(rows, str) and (NO_VALUE in rows or STORED in rows):
            reason = "no value of the driver" if NO_VALUE in rows else "declared of Neo4j"
            yield Cell("cypher", *place, Status.REFUSED, reason=reason)
            return
        open_lists = leaves_lists_open(trial.query)
        for dialect, speaker in self.speakers.items():
            answer = speaker.answer(trial)
            reason, shown = "", ("", "")
            if isinstance(answer, tuple):
                status, reason = answer
                if raises and status is not Status.FAULT:
                    status = Status.EQUAL
            elif isinstance(rows, str):
                status = Status.EQUAL if isinstance(answer, str) else Status.DIFFERS
                shown = (f"error: {rows}", str(answer))
            elif isinstance(answer, str):
                status, reason = _of_error(answer), answer
            else:
                verdict = allowed(
                    answer,
                    rows,
                    keys=asked.keys,
                    skip=asked.skip,
                    limit=asked.limit,
                    rough=asked.rough,
                    unordered_lists=open_lists,
                )
                status, reason = (Status.EQUAL if verdict else Status.DIFFERS), verdict.reason
                shown = (f"missing {verdict.missing[:3]}", f"{reason} extra {verdict.extra[:3]}")
            wrong = (*shown, cypher(trial.query), speaker.texts.get(0, ""))
            yield Cell(
                dialect, *place, status, raises, reason, *(wrong if status in SILENT else ())
            )


def _delivered(speaker: Speaker, trial: Trial, cell: int, outcome: Outcome) -> Outcome:
    """What an engine says: of dates that Neo4j's driver has not, the texts that results show."""
    printed = _printed(trial) if NO_VALUE in outcome.error else None
    if printed is None:
        return outcome
    states, texts = speaker.states, speaker.texts
    own = speaker.outcomes(printed, [cell]).get(cell, outcome)
    speaker.states, speaker.texts = states, texts
    if not isinstance(own.value, str):
        return own
    return Outcome(re.sub(r"\.(\d+)|\[.*\]", _six_or_nine_digits, own.value))


def _six_or_nine_digits(part: re.Match[str]) -> str:
    """A fraction of a second as results have it; names of zones are left out."""
    digits = part[1]
    return f".{digits:0<{6 if len(digits) <= 6 else 9}}" if digits else ""


def _printed(trial: Trial) -> Trial | None:
    """The trial that asks for the texts of its values."""
    match trial:
        case Constants():
            return replace(trial, exprs=tuple(ir.Call("toString", (e,)) for e in trial.exprs))
        case Variables() | Withs() | Stored() | Groups():
            return replace(trial, template=ir.Call("toString", (trial.template,)))
    return None


def _compared(truth: Outcome, outcome: Outcome, open_lists: bool) -> tuple[Status, str]:
    if truth.error:
        return (Status.EQUAL, "") if outcome.error else (Status.DIFFERS, "answers an error")
    if outcome.error:
        return _of_error(outcome.error), outcome.error
    if repr(truth.value) == repr(outcome.value):
        return Status.EQUAL, ""
    same = same_bag(
        Result(("r",), ((outcome.value,),)),
        Result(("r",), ((truth.value,),)),
        unordered_lists=open_lists,
    )
    return (Status.EQUAL if same else Status.DIFFERS), ""


def _of_error(words: str) -> Status:
    """What an engine's error is where Neo4j has an answer."""
    return Status.REFUSED if any(own in words for own in ON_PURPOSE) else Status.FAILS


def _shown(outcome: Outcome) -> str:
    return f"error: {outcome.error}" if outcome.error else repr(outcome.value)


REFEREE = "neo4j-cypher"


def speaker(
    name: str,
    engines: Mapping[str, IsolatedEngine],
    schema: SchemaGraph,
    key: str,
    path: Path | None = None,
) -> Speaker:
    """The speaker of one of `qa.agreement.RUNS`."""
    run: Run = RUNS[name]
    faults = tuple(f for f in ENGINES.get(run.engine).unsound if run.dialect in f.dialects)
    asked = Asked(engines[run.engine], run.language, key, path)
    return Speaker(run.dialect, asked, schema, faults, quick=name != REFEREE)


def engine_of(name: str, graph: Path) -> IsolatedEngine:
    """The engine of a run over the graph; it starts with the first text."""
    engine = RUNS[name].engine
    return IsolatedEngine(engine, graph, memory_mb=MEMORY_MB.get(engine, 1500))
