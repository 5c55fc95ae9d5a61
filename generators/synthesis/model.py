"""The program author that asks a model: a program, its traceback or what was measured, again."""

from __future__ import annotations

import json
import re
from collections.abc import Generator
from dataclasses import replace
from typing import Any

from generators.prompts import prompt
from generators.sandbox import lint
from graphmill.errors import LLMError
from graphmill.files import canonical
from graphmill.llm.base import LETTERS, Ask, Message, quoted
from graphmill.llm.client import Client
from graphmill.record import Reject
from schemagraph.folder.graphdata import SOURCE, TARGET, edge_table, node_table
from schemagraph.model import Kind, Property, SchemaGraph, Type
from schemagraph.specification.model import Specification, specification_to_json

STAGE = "program"
ROUNDS = 3
ROOM = (4_000, 500)  # tokens of a program: for the whole, and for each node or edge type

_DTYPES = {
    Kind.BOOLEAN: "Boolean",
    Kind.INTEGER: "Int64",
    Kind.FLOAT: "Float64",
    Kind.STRING: "String",
    Kind.DATE: "Date",
    Kind.DATETIME: "Datetime(us)",
}
_FENCE = re.compile(r"```(?:python|py)?[ \t]*\n(.*?)(?:\n```|\Z)", re.DOTALL)
_MAIN = """

if __name__ == "__main__":
    import json as _json
    import pathlib as _pathlib
    import sys as _sys

    import numpy as _numpy

    _specification, _seed, _folder = _sys.argv[1:]
    generate(
        _json.loads(_pathlib.Path(_specification).read_text(encoding="utf-8")),
        _numpy.random.default_rng(int(_seed)),
        _pathlib.Path(_folder),
    )
"""


class ModelProgramAuthor:
    """Writes programs for the sandbox, at most three for one graph.

    `rejects` are the ledger's lines of answers that never ran: without a program, with one that
    cannot be read, or that imports what it must not.
    """

    name = "llm"

    def __init__(self, client: Client, seed: int) -> None:
        self.client = client
        self.seed = seed
        self.rejects: list[Reject] = []

    def origin(self) -> dict[str, Any]:
        """Who wrote, for the manifest."""
        return {"model": self.client.name, "prompt": prompt("program").hash}

    def ask(self, schema: SchemaGraph, given: Specification) -> Ask:
        """The first request for a program."""
        messages = prompt("program").render(
            name=schema.name,
            tables=tables(schema),
            specification=canonical(specification_to_json(given)),
        )
        room = ROOM[0] + ROOM[1] * (len(schema.nodes) + len(schema.edges))
        return Ask(messages, temperature=0.2, max_tokens=room, seed=self.seed % 2**31, stage=STAGE)

    def programs(self, schema: SchemaGraph, given: Specification) -> Generator[str, str, None]:
        """One program after the other; `send` tells what was wrong with the last one.

        Raises:
            LLMError: no answer came: the endpoint failed, the model declined, the budget is up.
        """
        first = self.ask(schema, given)
        ask, last = first, ""
        for number in range(1, ROUNDS + 1):
            try:
                answer = self.client.ask(ask).text
                program, problem = program_in(answer)
            except LLMError as trouble:
                if trouble.code != "truncated":
                    self._reject(schema, number, trouble.code, str(trouble), "")
                    raise
                answer, program, problem = "", "", str(trouble)
            if problem:
                self._reject(schema, number, "no-program", problem, answer)
            else:
                problem = yield program
            if answer and answer == last:
                return  # asked once more, in the same words, it would be paid for once more
            last = answer
            ask = _again(first, answer, problem, number)

    def _reject(
        self, schema: SchemaGraph, number: int, code: str, reason: str, answer: str
    ) -> None:
        evidence = {"round": number, "reply": answer}
        self.rejects.append(Reject("program-author", code, reason, schema.name, evidence=evidence))


def tables(schema: SchemaGraph) -> str:
    """Every table with its columns and their polars types, a line each."""
    lines = []
    for node in schema.nodes:
        lines.append(f"nodes/{node_table(node)}.parquet: {_columns(node.properties)}")
    for edge in schema.edges:
        ends = []
        for prefix, name in ((SOURCE, edge.source), (TARGET, edge.target)):
            node = schema.node_by_name[name]
            keys = [(given.name, given.type) for given in node.properties if given.name in node.key]
            ends += [f"{prefix}{key} {_dtype(kind)}" for key, kind in keys]
        own = _columns(edge.properties)
        columns = ", ".join([*ends, *([own] if own else [])])
        lines.append(f"edges/{edge_table(edge)}.parquet: {columns}")
    return "\n".join(lines)


def program_in(answer: str) -> tuple[str, str]:
    """The program in an answer, and what is wrong with it at first sight (empty: nothing).

    >>> program_in("Here:\\n```python\\ndef generate(spec, rng, out):\\n    pass\\n```")[0][:13]
    'def generate('
    >>> program_in("I cannot.")[1]
    'The answer has no function generate(spec, rng, out).'
    """
    blocks = _FENCE.findall(answer)
    program = max(blocks, key=len) if blocks else answer
    if not re.search(r"^def generate\(", program, re.MULTILINE):
        return "", "The answer has no function generate(spec, rng, out)."
    problem = lint(program)
    if problem:
        return "", problem
    if "__name__" not in program:
        program += _MAIN
    return program.rstrip() + "\n", ""


def _again(first: Ask, answer: str, problem: str, number: int) -> Ask:
    """The first request with the last answer and what is wrong with it, always asked anew."""
    shown = quoted(answer, first.max_tokens * LETTERS) or "(cut)"
    correction = (
        f"That program cannot be used:\n{problem}\n"
        "Answer with the whole program again, corrected, in one ```python block."
    )
    return replace(
        first,
        messages=(*first.messages, Message("assistant", shown), Message("user", correction)),
        repetition=number,
        varying=True,
    )


def _columns(properties: tuple[Property, ...]) -> str:
    columns = []
    for given in properties:
        missing = "" if given.nullable else " not null"
        columns.append(f"{json.dumps(given.name)[1:-1]} {_dtype(given.type)}{missing}")
    return ", ".join(columns)


def _dtype(kind: Type) -> str:
    if kind.kind is Kind.LIST and kind.item is not None:
        return f"List({_dtype(kind.item)})"
    return _DTYPES.get(kind.kind, "String")
