"""Synthesis: a program draws a graph in the sandbox, `qa` measures it, then it is put in place.

The program comes from an author: ours writes one that is right; a model's may need its traceback
or what was measured wrong, and gets it back a few times. No stage of this knows who wrote it.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from generators.sandbox import Limits, Outcome, UnwritableError, run_program
from generators.synthesis.sizes import sized
from generators.synthesis.writer import write_program
from graphmill.decoded import OPTION
from graphmill.errors import GraphmillError, LLMError, SchemaError
from graphmill.files import digest, write_text
from graphmill.llm.repeatable import repeatable
from graphmill.messages import one_line
from graphmill.seed import derive
from schemagraph.folder.intake import check_intake, take_in, write_csv
from schemagraph.folder.manifest import Manifest
from schemagraph.folder.writer import GraphWriter
from schemagraph.model import SchemaGraph
from schemagraph.specification.check import check_synthesis
from schemagraph.specification.model import Specification, save_specification, specification_text

PROGRAM = "program.py"
REPORT = "verification.json"
_DRAWS = 3  # of the same program, each by a seed of its own
_MORE_DRAWS = 12  # of a small graph: they are quick, and chance often leaves nobody for an end
_FEW = 1_000  # nodes of a small graph
_REFILLS = 3  # draws more, for edges in the place of those that found no ends


class SynthesisError(GraphmillError):
    """No program drew the graph as specified; `attempts` says what was wrong with each."""

    def __init__(self, message: str, attempts: tuple[Attempt, ...]) -> None:
        super().__init__(message)
        self.attempts = attempts

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self), self.attempts)


class NotDrawnError(SynthesisError):
    """There were programs, and none drew the graph: this source has nothing to build from."""

    code = "not-drawn"


type Programs = Generator[str, str, None]


class ProgramAuthor(Protocol):
    """Writes programs that draw a graph (docs/synthesis.md has the contract of a program)."""

    name: str

    def origin(self) -> dict[str, Any]:
        """What the manifest says of the author: its model, the hash of its prompt."""
        ...

    def programs(self, schema: SchemaGraph, given: Specification) -> Programs:
        """One program after the other; `send` tells what was wrong with the last one."""
        ...


class RuleProgramAuthor:
    """The program writer, which needs one attempt."""

    name = "rules"

    def origin(self) -> dict[str, Any]:
        """Nothing beyond the name."""
        return {}

    def programs(self, schema: SchemaGraph, given: Specification) -> Programs:
        """The one program, several times: by chance alone a draw can miss a measure."""
        program = write_program(schema, given)
        for _ in range(draws_of(given)):
            yield program


def draws_of(given: Specification) -> int:
    """How often a program of ours is run, each time with another seed, until a draw is right."""
    return _MORE_DRAWS if _nodes(given) <= _FEW else _DRAWS


def _nodes(given: Specification) -> int:
    return sum(part.count or 0 for part in given.nodes.values())


@dataclass(frozen=True, slots=True)
class Attempt:
    """One run of a program: its text, how it ended, and what is wrong (empty: nothing).

    `stage` is where it failed: `run`, `files` or `measure`.
    """

    program: str
    outcome: Outcome
    problem: str = ""
    stage: str = ""
    report: dict[str, Any] = field(default_factory=dict)

    @property
    def edges(self) -> int:
        """How many edges were drawn; rules on their ends may leave fewer than specified."""
        return sum(
            measure["found"]
            for measure in self.report.get("measures", ())
            if measure["what"] == "rows" and measure["place"].startswith("edges.")
        )


@dataclass(frozen=True, slots=True)
class Synthesised:
    """A graph that is in place."""

    folder: Path
    manifest: Manifest
    specification: Specification
    attempts: tuple[Attempt, ...]
    asked: int | None = None  # edges in all

    @property
    def warnings(self) -> list[str]:
        """What is not as it was asked for."""
        drawn = self.attempts[-1].edges
        if self.asked is None or drawn == self.asked:
            return []
        return [
            f"{drawn:,} edges were drawn, and {self.asked:,} asked for: the rules on their ends "
            "leave some nodes without a partner."
        ]

    def text(self) -> str:
        """The graph as people read it: a line for each type."""
        last = self.attempts[-1]
        lines = [f"{entry.file:60} {entry.rows:>12,}" for entry in self.manifest.tables]
        lines.append(
            f"{len(last.report['measures'])} measures, all as specified; drawn in "
            f"{last.outcome.wall:.1f} s with {last.outcome.peak / 2**20:.0f} MB."
        )
        return "".join(f"{one_line(line)}\n" for line in [*lines, *self.warnings])

    def to_json(self) -> dict[str, Any]:
        """The summary that the command prints."""
        counts = {entry.file: entry.rows for entry in self.manifest.tables}
        last = self.attempts[-1]
        return {
            "graph": str(self.folder),
            "nodes": sum(n for file, n in counts.items() if file.startswith("nodes/")),
            "edges": sum(n for file, n in counts.items() if file.startswith("edges/")),
            "node_types": sum(file.startswith("nodes/") for file in counts),
            "edge_types": sum(file.startswith("edges/") for file in counts),
            "fingerprint": self.manifest.fingerprint,
            "seed": self.manifest.origin["seed"],
            "attempts": len(self.attempts),
            "measures": len(last.report["measures"]),
            "layers": list(last.outcome.layers),
            **({"warnings": self.warnings} if self.warnings else {}),
        }


def synthesise(
    schema: SchemaGraph,
    given: Specification,
    out: Path,
    *,
    nodes: int,
    edges: int | None,
    seed: int,
    origin: dict[str, Any] | None = None,
    author: ProgramAuthor | None = None,
    files: dict[str, str] | None = None,
    finish: Callable[[Path], object] = lambda _: None,
    csv: bool = False,
    licence: str = "",
    allow_degraded: bool = False,
) -> Synthesised:
    """Draw a graph of `nodes` nodes and `edges` edges and put it into the folder `out`.

    `origin` goes into the manifest, `files` (names and texts) beside it, and `finish` writes what
    is made of the whole graph into its folder. Nothing is at `out` before all is right. Where rules
    leave edges of some types without ends, others take their place in further draws; what is
    lacking after these is a warning of the result.

    Raises:
        SchemaError: schema and specification are wrong, with every violation.
        ConfigError: the numbers cannot be met.
        NotDrawnError: no program of the author's drew it as specified.
        SynthesisError: none was written.
        SandboxUnavailable: programs cannot be confined here.
    """
    schema = schema.keys_first()
    _refuse(check_synthesis(schema, given))
    whole = first = sized(schema, given, nodes, edges)
    missing, refills = 0, _REFILLS
    _refuse(check_synthesis(schema, whole))
    author = author or RuleProgramAuthor()
    attempts: list[Attempt] = []
    programs = author.programs(schema, whole)
    program = _next(programs, attempts)
    while program:
        again = sum(attempt.program == program for attempt in attempts)
        drawn = seed if not again else derive(seed, "draw", again) % 2**31
        with GraphWriter(out) as writer:
            attempt = _attempt(program, schema, whole, drawn, writer, allow_degraded)
            if attempt.problem and whole is not first:
                whole, refills = first, 0  # others in their place are too many
                continue
            if not attempt.problem and edges is not None and refills:
                missing, refills = missing + edges - attempt.edges, refills - 1
                fuller = sized(schema, given, nodes, edges, missing)
                if fuller != whole:
                    whole = fuller
                    continue
            attempts.append(attempt)
            if not attempt.problem:
                manifest = _put_in_place(
                    writer, schema, whole, attempt, files or {}, finish=finish,
                    csv=csv, licence=licence,
                    origin={
                        "kind": "synthetic",
                        **(origin or {}),
                        **_drawn(whole, seed, attempt),
                        "program": _program(author, program, len(attempts), drawn),
                    },
                )  # fmt: skip
                return Synthesised(out, manifest, whole, tuple(attempts), edges)
        program = _next(programs, attempts)
    last = attempts[-1].problem if attempts else "The author gave up."
    few = isinstance(author, RuleProgramAuthor) and _nodes(first) <= _FEW
    hint = " (with more nodes, or another seed, it may be drawn)" if few else ""
    if "[too-large]" in last:
        hint = f" (if so much is meant, set {OPTION} to more)"
    raise NotDrawnError(
        f"No program drew the graph as specified, after {len(attempts)} attempts{hint}. {last}",
        tuple(attempts),
    )


def _program(author: ProgramAuthor, text: str, attempts: int, seed: int) -> dict[str, Any]:
    """What the manifest says of the program that drew a graph."""
    return {
        "author": author.name,
        **author.origin(),
        "hash": digest(text),
        "attempts": attempts,
        "seed": seed,
    }


def _drawn(whole: Specification, seed: int, attempt: Attempt) -> dict[str, Any]:
    """What the manifest says of how a graph was drawn."""
    return {
        "nodes": _nodes(whole),
        "edges": attempt.edges,
        "seed": seed,
        "specification": digest(specification_text(whole, complete=True)),
        "layers": list(attempt.outcome.layers),
        "degraded": attempt.outcome.degraded,
    }


def _next(programs: Programs, attempts: Sequence[Attempt]) -> str:
    """The author's next program, after it was told what is wrong; empty where it gave up."""
    try:
        return programs.send(attempts[-1].problem) if attempts else next(programs)
    except StopIteration:
        return ""
    except LLMError as trouble:
        raise SynthesisError(f"No program was written: {trouble}", tuple(attempts)) from trouble


def _refuse(findings: list[Any]) -> None:
    errors = [finding for finding in findings if finding.severity == "error"]
    if errors:
        shown = "; ".join(f"{finding.message.rstrip('.')} [{finding.code}]" for finding in errors)
        raise SchemaError(f"The schema cannot be synthesised: {shown}.")


def limits_for(given: Specification) -> Limits:
    """What a program may use to draw a graph of this size."""
    rows = _nodes(given)
    rows += sum(part.count or 0 for part in given.edges.values())
    millions = rows / 1e6
    return Limits(
        memory=int((4 + 0.5 * millions) * (1 << 30)),
        cpu=int(120 + 60 * millions),
        wall=120 + 60 * millions,
        file=int((256 + 256 * millions) * (1 << 20)),
        disk=int((1024 + 512 * millions) * (1 << 20)),
        files=10 + 2 * (len(given.nodes) + len(given.edges)),
    )


def _attempt(
    program: str,
    schema: SchemaGraph,
    given: Specification,
    seed: int,
    writer: GraphWriter,
    allow_degraded: bool,
) -> Attempt:
    """Run a program in the sandbox, take its tables into `writer` and measure them."""
    from qa.synthesis import verify_graph

    counts = {name: part.count or 0 for name, part in given.nodes.items()}
    counts |= {name: part.count or 0 for name, part in given.edges.items()}
    with _scratch(writer) as place:
        drawn = Path(place) / "out"
        outcome = run_program(
            program,
            {"distributions.json": specification_text(given, complete=True).encode()},
            drawn,
            limits_for(given),
            arguments=["distributions.json", str(seed), "out"],
            allow_degraded=allow_degraded,
        )
        if not outcome.ok:
            return Attempt(program, outcome, outcome.problem(), "run")
        drawn.mkdir(exist_ok=True)
        wrong = check_intake(drawn, schema, counts)
        if wrong:
            lines = [f"{finding.message} [{finding.code}]" for finding in wrong[:12]]
            return Attempt(program, outcome, repeatable("\n".join(lines)), "files")
        try:
            take_in(drawn, schema, writer)
        except SchemaError as problem:
            return Attempt(program, outcome, repeatable(str(problem)), "files")
        shutil.rmtree(drawn)
    report = verify_graph(writer.folder, schema, given)
    stage = "" if report.ok else "measure"
    return Attempt(program, outcome, report.problem(), stage, report.to_json())


@contextmanager
def _scratch(writer: GraphWriter) -> Iterator[str]:
    """A folder for what a program writes, beside the graph that it becomes; where there is no room
    for it, the graph's place is named."""
    try:
        with tempfile.TemporaryDirectory(prefix=".drawn.", dir=writer.folder) as place:
            yield place
    except UnwritableError as problem:
        raise GraphmillError(f"Cannot write {writer.out}: {problem.reason}.") from problem


def _put_in_place(
    writer: GraphWriter,
    schema: SchemaGraph,
    given: Specification,
    attempt: Attempt,
    files: dict[str, str],
    *,
    finish: Callable[[Path], object],
    csv: bool,
    licence: str,
    origin: dict[str, Any],
) -> Manifest:
    save_specification(writer.folder, given, complete=True)
    write_text(writer.folder / PROGRAM, attempt.program)
    text = json.dumps(attempt.report, ensure_ascii=False, indent=1) + "\n"
    write_text(writer.folder / REPORT, text)
    for name, content in files.items():
        write_text(writer.folder / name, content)
    if csv:
        write_csv(writer.folder, schema)
    return writer.commit(schema, None, origin=origin, licence=licence, finish=finish)
