"""A model that is none: it knows the gold, errs at a stated rate per class of error, and repairs
with a stated probability when the prompt names the fault.

It shows that systems work end to end, and the shape of the papers' tables; its figures say nothing
of any model. It answers the prompts of `evaluation/prompts`, which it knows by their fixed words.

    python benchmarks/simulated_model.py CORPUS

serves it as an OpenAI-compatible endpoint until it is interrupted.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from evaluation.answering.schema_text import part, schema_text
from evaluation.metrics.elements import Related, related
from graph_ir import nodes as ir
from graph_ir.bind.statements import bind
from graph_ir.cypher.reader import parse
from graph_ir.features import features
from graph_ir.walk import find, substitute
from graphmill.errors import QueryTextError, Refused
from graphmill.files import read_records
from graphmill.llm.prompts import Prompt, load
from graphmill.llm.stub import Stub
from graphmill.record import SPLITS, Record
from graphmill.seed import rng
from pipelines.release.folder import split_file
from pipelines.release.lock import format_of, load_lock
from schemagraph.folder.serde import load_schema
from schemagraph.model import SchemaGraph
from translators.render import render

PROMPTS = Path(__file__).parent.parent / "evaluation" / "prompts"
KINDS = ("syntax", "label", "property", "direction", "constant", "condition", "returned")
NAMES = ("label", "property", "direction")
EMPTY = ("no rows", "nothing")


@dataclass(frozen=True, slots=True)
class Rates:
    """Probabilities: of an error of each kind in a first answer, of a repair of a named fault, of
    a missed or wrong name where entities are recognised, of an uncorrected schema. `examples` is
    the factor of the error rates where the prompt has examples, `exact` that of names (labels,
    properties, directions) where the related schema has no other than the query needs."""

    errors: Mapping[str, float] = field(default_factory=lambda: dict.fromkeys(KINDS, 0.05))
    repair: float = 0.9
    entities: float = 0.0
    schema: float = 0.0
    examples: float = 1.0
    exact: float = 1.0


@dataclass(frozen=True, slots=True)
class Wrong:
    """A wrong query, and words of which one names its fault in a prompt."""

    kind: str
    text: str
    signs: tuple[str, ...]


@dataclass(slots=True)
class Simulated:
    """`answer` is for `graphmill.llm.stub.Stub`. `counts` are its errors by kind, and repairs."""

    records: Mapping[str, Record]
    schemas: Mapping[str, SchemaGraph]
    language: str
    rates: Rates
    seed: int = 7
    info_error: bool = False  # the refiner always sends back
    counts: dict[str, int] = field(default_factory=dict)
    _queries: dict[str, str] = field(default_factory=dict)  # of its own library, by question
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @classmethod
    def of(
        cls, corpus: Path, *, language: str = "cypher", rates: Rates | None = None, seed: int = 7
    ) -> Simulated:
        """One that knows all records of a corpus by every form of their questions."""
        records: dict[str, Record] = {}
        form = format_of(load_lock(corpus))
        for split in SPLITS:
            path = split_file(corpus, split)
            for _, record in read_records(path, form) if path.is_file() else ():
                asked = record.questions
                for question in (asked.original, asked.syntactic, asked.logical, asked.business):
                    records.setdefault(question, record)
        names = {record.db for record in records.values()}
        schemas = {name: load_schema(corpus / "graphs" / name) for name in names}
        return cls(records, schemas, language, rates or Rates(), seed)

    def answer(self, messages: list[dict[str, str]]) -> str:
        """What a model would say to these messages."""
        name, values = recognised(messages)
        question = values.get("question", "")
        if name == "hr-template":
            return self._templates(values)
        if name == "hr-question":
            return self._asked(values["query"])
        if question in self._queries:
            return self._of_library(name, question, values)
        record = self.records.get(question)
        if record is None:
            return "NO QUERY"
        said = getattr(self, f"_{name.replace('-', '_')}", None)
        if said:
            return str(said(record, values))
        helped = bool(values.get("shots") or values.get("examples"))
        return self._query(record, question, self.rates.examples if helped else 1.0)

    # --- queries -------------------------------------------------------------------------

    def _query(self, record: Record, question: str, factor: float = 1.0, names: float = 1.0) -> str:
        wrong = self._wrong(record, question, factor, names)
        self._count(wrong.kind if wrong else "right")
        return wrong.text if wrong else self._gold(record)

    def _repaired(self, record: Record, question: str, query: str, fault: str) -> str:
        """The gold where the fault is named and the dice allow; else the same query again."""
        wrong = self._wrong(record, question)
        named = wrong is None or any(s.casefold() in fault.casefold() for s in wrong.signs)
        dice = rng(self.seed, "repair", question, query, fault).random()
        if query.strip() != self._gold(record).strip() and named and dice < self.rates.repair:
            self._count("repaired")
            return self._gold(record)
        self._count("not repaired")
        return query

    def _gold(self, record: Record) -> str:
        return record.source_sql if self.language == "sql" else record.queries[self.language]

    def _wrong(
        self, record: Record, question: str, factor: float = 1.0, names: float = 1.0
    ) -> Wrong | None:
        """The error of a first answer, the same for a question each time."""
        dice = rng(self.seed, "error", question)
        for kind in KINDS:
            own = factor * (names if kind in NAMES else 1.0)
            if dice.random() < own * self.rates.errors.get(kind, 0.0):
                wrong = _made(kind, record, self.schemas[record.db], self.language)
                if wrong is not None and wrong.text != self._gold(record):
                    return wrong
        return None

    def _count(self, name: str) -> None:
        with self._lock:
            self.counts[name] = self.counts.get(name, 0) + 1

    # --- the library of hybrid retrieval -------------------------------------------------

    def _templates(self, values: Mapping[str, str]) -> str:
        """Queries of the corpus of that structure, their first text constant a parameter."""
        found: list[dict[str, str]] = []
        for _, record in sorted({r.id: r for r in self.records.values()}.items()):
            schema = self.schemas[record.db]
            if schema.name != values["graph"] or len(found) == int(values["number"]):
                continue
            statement = bind(parse(record.queries["cypher"]), schema).statement
            if features(statement).shape != values["structure"]:
                continue
            query = record.queries[self.language]
            held = next(iter(_held(statement)), None)
            if held is None or self.language != "cypher" or query.count(f"'{held[0]}'") != 1:
                found.append({"template": query, "collect": ""})
                continue
            text, owners, key = held
            collect = f"MATCH (n:{owners[0]}) WHERE n.{key} IS NOT NULL RETURN n.{key} AS value"
            found.append({"template": query.replace(f"'{text}'", "$value"), "collect": collect})
        return json.dumps({"templates": found}, ensure_ascii=False)

    def _asked(self, query: str) -> str:
        question = f"What does this give: {' '.join(query.split())}"
        with self._lock:
            self._queries[question] = query
        return question

    def _of_library(self, name: str, question: str, values: Mapping[str, str]) -> str:
        """Reasoning that names all labels, and the query, wrong once at the rate of syntax."""
        query = self._queries[question]
        first = not values.get("feedback") and "second look" not in values.get("trace", "")
        dice = rng(self.seed, "library", question).random()
        if name == "hr-trace":
            names = ", ".join(re.findall(r":`?(\w+)", query))
            return f"It reads {names}." if first else f"On a second look it reads {names}."
        if first and dice < self.rates.errors.get("syntax", 0.0):
            return query.replace(")", "", 1)
        return query

    # --- roles of Multi-Agent GraphRAG ---------------------------------------------------

    def _ma_generate(self, record: Record, values: Mapping[str, str]) -> str:
        if values["query"] == "none":
            return self._query(record, values["question"])
        return self._repaired(record, values["question"], values["query"], values["feedback"])

    def _ma_evaluate(self, record: Record, values: Mapping[str, str]) -> str:
        right = values["query"].strip() == self._gold(record).strip()
        told = "" if right else "It does not answer the question."
        return json.dumps({"grade": "accept" if right else "incorrect", "feedback": told})

    def _ma_extract(self, record: Record, values: Mapping[str, str]) -> str:
        """Labels of the text, and the constants that it holds against properties."""
        labels = re.findall(r"\(\w*:`?(\w+)", values["query"])
        held: list[list[str]] = []
        try:
            statement = bind(parse(values["query"]), self.schemas[record.db]).statement
            held = [[owners[0], key, text] for text, owners, key in _held(statement)]
        except (QueryTextError, Refused):
            pass
        return json.dumps({"node_labels": labels, "node_property_values": held})

    def _ma_rank(self, record: Record, values: Mapping[str, str]) -> str:
        names = values["names"].splitlines()
        same = [name for name in names if name.casefold() == values["value"].casefold()]
        return json.dumps({"ranked": same})

    def _ma_instruct(self, record: Record, values: Mapping[str, str]) -> str:
        wrong = [line for line in values["checks"].splitlines() if "does not exist" in line]
        return "\n".join(wrong) or "none"

    def _ma_aggregate(self, record: Record, values: Mapping[str, str]) -> str:
        return f"{values['instructions']}\n{values['feedback']}"

    def _ma_interpret(self, record: Record, values: Mapping[str, str]) -> str:
        return f"The answer is: {' '.join(values['result'].split())}"

    def _ma_judge(self, record: Record, values: Mapping[str, str]) -> str:
        """Right where every value of the rows stands in the words."""
        rows = json.loads(values["rows"])
        told = all(str(value) in values["words"] for row in rows for value in row.values())
        return json.dumps({"right": told})

    # --- Adaptive Text2GQL ---------------------------------------------------------------

    def _at_repair(self, record: Record, values: Mapping[str, str]) -> str:
        return self._repaired(record, values["question"], values["query"], values["error"])

    # --- roles of NAT-NL2GQL -------------------------------------------------------------

    def _ns_recognise(self, record: Record, values: Mapping[str, str]) -> str:
        """Names of the question with the node type that holds them, as JSON."""
        schema = self.schemas[record.db]
        statement = bind(parse(record.queries["cypher"]), schema).statement
        found: dict[str, str] = {}
        for text, owners, _ in _held(statement):
            if re.search(re.escape(text), values["question"], re.IGNORECASE):
                dice = rng(self.seed, "entity", values["question"], text).random()
                if dice >= self.rates.entities:
                    found[text] = owners[0]
        return json.dumps(found, ensure_ascii=False)

    def _ns_revise(self, record: Record, values: Mapping[str, str]) -> str:
        """The schema that the gold needs, or the candidate as it is."""
        if (
            rng(self.seed, "schema", values["question"], values["history"]).random()
            < self.rates.schema
        ):
            return f"Corrected schema:\n{values['candidate']}"
        schema = self.schemas[record.db]
        needed = related(bind(parse(record.queries["cypher"]), schema).statement)
        return f"Corrected schema:\n{schema_text(part(schema, needed.nodes, needed.edges))}"

    def _ns_generate(self, record: Record, values: Mapping[str, str]) -> str:
        """A query over the schema that is given: not the gold where that lacks what it needs."""
        schema = self.schemas[record.db]
        needed = related(bind(parse(record.queries["cypher"]), schema).statement)
        if self._lacks(needed, schema, values["schema"]):
            self._count("schema lacks")
            made = (_made(kind, record, schema, self.language) for kind in ("direction", "syntax"))
            return next(wrong.text for wrong in made if wrong is not None)
        exact = schema_text(part(schema, needed.nodes, needed.edges)) == values["schema"]
        return self._query(record, values["question"], names=self.rates.exact if exact else 1.0)

    @staticmethod
    def _lacks(needed: Related, schema: SchemaGraph, text: str) -> bool:
        labels = {f"[:{schema.edge_by_name[name].label}" for name in needed.edges}
        labels |= {f"(:{schema.node_by_name[name].labels[0]}" for name in needed.nodes}
        return any(label not in text for label in labels)

    def _ns_refine(self, record: Record, values: Mapping[str, str]) -> str:
        """A corrected query; Info Error where the related schema lacks what the gold needs."""
        schema = self.schemas[record.db]
        needed = related(bind(parse(record.queries["cypher"]), schema).statement)
        if self._lacks(needed, schema, values["schema"]) or self.info_error:
            return "Info Error"
        return self._repaired(record, values["question"], values["query"], values["error"])


def _made(kind: str, record: Record, schema: SchemaGraph, language: str) -> Wrong | None:
    """The gold with one error of a kind; None where it has no place for it."""
    gold = record.queries[language]
    if kind == "syntax":
        return Wrong(kind, gold.replace(")", "", 1), ("syntax", "expected", "unexpected", "parse"))
    statement = bind(parse(record.queries["cypher"]), schema).statement
    changed, signs = _CHANGES[kind](statement)
    if changed is None:
        return None
    try:
        return Wrong(kind, render(changed, language, schema).text, signs)
    except (QueryTextError, Refused):
        return None


type Changed = tuple[ir.Statement | None, tuple[str, ...]]


def _once[N: ir.Node](
    statement: ir.Statement, kind: type[N], change: Callable[[N], N | None]
) -> ir.Statement | None:
    """The statement with the first node of a kind changed for which there is a change."""
    for node in find(statement, kind):
        new = change(node)
        if new is not None:
            by_identity: dict[int, ir.Node] = {id(node): new}
            return substitute(statement, lambda each: by_identity.get(id(each)))  # noqa: B023
    return None


def _label(statement: ir.Statement) -> Changed:
    labels = [
        label.name
        for pattern in find(statement, ir.NodePattern)
        if pattern.labels is not None
        for label in find(pattern.labels, ir.LabelName)
    ]
    if not labels:
        return None, ()
    changed = _once(
        statement,
        ir.LabelName,
        lambda node: replace(node, name=f"{node.name}s") if node.name == labels[0] else None,
    )
    return changed, (f"{labels[0]}s",)


def _property(statement: ir.Statement) -> Changed:
    names = [prop.key for prop in find(statement, ir.Prop)]
    if not names:
        return None, ()
    return _once(statement, ir.Prop, lambda p: replace(p, key=f"{p.key}_of")), (f"{names[0]}_of",)


def _direction(statement: ir.Statement) -> Changed:
    back = {ir.Direction.OUT: ir.Direction.IN, ir.Direction.IN: ir.Direction.OUT}
    changed = _once(
        statement,
        ir.EdgePattern,
        lambda e: replace(e, direction=back[e.direction]) if e.direction in back else None,
    )
    return changed, (*EMPTY, "leads nowhere")


def _constant(statement: ir.Statement) -> Changed:
    def swapped(literal: ir.Literal) -> ir.Literal | None:
        match literal.value:
            case str(text) if text.swapcase() != text:
                return ir.Literal(text.swapcase())
            case bool():
                return None
            case int(number):
                return ir.Literal(number + 1)
        return None

    return _once(statement, ir.Literal, swapped), EMPTY


def _condition(statement: ir.Statement) -> Changed:
    changed = _once(
        statement, ir.Match, lambda m: replace(m, where=None) if m.where is not None else None
    )
    return changed, ()


def _returned(statement: ir.Statement) -> Changed:
    def fewer(project: ir.Project) -> ir.Project | None:
        if not project.final or len(project.items) < 2 or project.group or project.order:
            return None
        return replace(project, items=project.items[:-1])

    return _once(statement, ir.Project, fewer), ()


_CHANGES: Mapping[str, Callable[[ir.Statement], Changed]] = {
    "label": _label,
    "property": _property,
    "direction": _direction,
    "constant": _constant,
    "condition": _condition,
    "returned": _returned,
}


def _held(statement: ir.Statement) -> Iterable[tuple[str, list[str], str]]:
    """Text constants with the node types and the property that they are held against."""
    for compare in find(statement, ir.Compare):
        for prop in find(compare, ir.Prop):
            for literal in find(compare, ir.Literal):
                if isinstance(literal.value, str) and prop.base.type.of:
                    yield literal.value, list(prop.base.type.of), prop.key
    for pattern in find(statement, ir.NodePattern):
        for entry in pattern.props.entries if isinstance(pattern.props, ir.MapOf) else ():
            for literal in find(entry.value, ir.Literal):
                if isinstance(literal.value, str) and pattern.type.of:
                    yield literal.value, list(pattern.type.of), entry.key


# --- which prompt it is ---------------------------------------------------------------------


def recognised(messages: list[dict[str, str]]) -> tuple[str, dict[str, str]]:
    """The name of the prompt that the messages were made of, and the values of its variables."""
    for name, prompt in _prompts().items():
        found: dict[str, str] = {}
        if len(prompt.turns) != len(messages):
            continue
        for (role, text), message in zip(prompt.turns, messages, strict=True):
            match = re.fullmatch(_pattern(text), message["content"], re.DOTALL)
            if role != message["role"] or match is None:
                break
            found |= match.groupdict()
        else:
            return name, found
    return "", {}


def _prompts() -> dict[str, Prompt]:
    return {path.stem: load(path) for path in sorted(PROMPTS.glob("*.md"))}


def _pattern(text: str) -> str:
    """A turn as a regular expression whose groups are its holes."""
    pieces, seen = [], set()
    for number, piece in enumerate(re.split(r"\{\{(\w+)\}\}", text)):
        if number % 2 == 0:
            pieces.append(re.escape(piece))
        elif piece in seen:
            pieces.append(f"(?P={piece})")
        else:
            seen.add(piece)
            pieces.append(f"(?P<{piece}>.*?)")
    return "".join(pieces)


def main() -> None:
    """Serve it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--language", default="cypher")
    parser.add_argument("--rate", type=float, default=0.1, help="of each kind of error")
    parser.add_argument("--repair", type=float, default=0.9)
    given = parser.parse_args()
    rates = Rates(dict.fromkeys(KINDS, given.rate), given.repair)
    model = Simulated.of(given.corpus, language=given.language, rates=rates)
    with Stub(model.answer) as server:
        sys.stdout.write(f"{server.url}\n")
        sys.stdout.flush()
        try:
            threading.Event().wait()
        except KeyboardInterrupt:
            sys.stdout.write(f"{json.dumps(model.counts)}\n")


if __name__ == "__main__":
    main()
