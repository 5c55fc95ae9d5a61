"""What a model's query text is worth: read, bound, run; or a code and a sentence that says why not.

A model's text is hostile until this is through. The sentences go back to the model.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from engines.base import Result
from generators.queries.base import Ground
from graph_ir import nodes as ir
from graph_ir.bind.statements import bind
from graph_ir.cypher.reader import parse
from graph_ir.rewrites import is_repeatable, probe
from graph_ir.values import lost
from graph_ir.walk import find
from graphmill.errors import GraphmillError, QueryTextError, Refused
from graphmill.llm.base import excerpt
from translators.render import render

MAX_QUERY = 4_000  # characters; a longer text is no query that a person would check
MAX_QUESTION = 600
SHOWN_ROWS = 5

_FENCE = re.compile(r"\A\s*```\w*\n(.*?)\n?```\s*\Z", re.DOTALL)


class Unfit(GraphmillError):
    """A proposal that cannot be used.

    `code` is that of the parser or the binder, of a refusal of SQL, or one of `too-long`,
    `writes`, `has-parameters`, `not-repeatable`, `no-pattern`, `open-window`, `no-answer`,
    `empty-answer`, `lone-zero`, `only-nulls`, `no-question`, `value-lost`.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True, slots=True)
class Understood:
    """A query with a meaning and an answer that says something."""

    statement: ir.Statement
    answer: Result


def read(text: str, ground: Ground) -> Understood:
    """The meaning of a query text, and its answer in this graph.

    Raises:
        Unfit: it is no read of this graph, or its answer says nothing.
    """
    statement = meaning(text, ground)
    answer = ground.ask(statement)
    if answer is None:
        raise Unfit("no-answer", "The query failed or ran into its time limit.")
    if not answer.rows:
        raise Unfit("empty-answer", "The query returns no row of this data.")
    if len(answer.rows) == 1 and all(value in (None, 0) for value in answer.rows[0]):
        raise Unfit("lone-zero", "The query returns one row that holds only 0 or NULL.")
    if all(value is None for row in answer.rows for value in row):
        raise Unfit("only-nulls", "The query returns nothing but NULL.")
    return Understood(statement, answer)


def meaning(text: str, ground: Ground) -> ir.Statement:
    """The statement that a text says, if it is a read of this graph that can be proven.

    Raises:
        Unfit: it is not.
    """
    if len(text) > MAX_QUERY:
        raise Unfit("too-long", f"The query is longer than {MAX_QUERY} characters.")
    fenced = _FENCE.match(text)
    try:
        statement = parse((fenced[1] if fenced else text).strip().removesuffix(";"))
    except QueryTextError as problem:
        raise Unfit(problem.code, str(problem)) from problem
    except RecursionError as problem:
        raise Unfit("too-deep", "The query is nested too deeply.") from problem
    write = next(find(statement, *ir.WRITES, ir.Procedure), None)
    if write is not None:
        raise Unfit("writes", f"{type(write).__name__} is no read; only reads are allowed.")
    if any(find(statement, ir.Param)):
        raise Unfit("has-parameters", "Put the values themselves in place of the parameters.")
    if not is_repeatable(statement):
        raise Unfit("not-repeatable", "The query reads the clock or draws random values.")
    if not any(find(statement, ir.Match)):
        raise Unfit("no-pattern", "The query has no MATCH, so it does not ask the graph.")
    for error in bind(statement, ground.schema).errors:
        raise Unfit(error.code, f"{error.message} (line {error.line}, column {error.column})")
    asked = probe(statement)
    if asked is None:
        raise Unfit("open-window", "SKIP and LIMIT must be numbers.")
    try:
        render(asked.statement, "sql", ground.schema)
    except (Refused, QueryTextError) as problem:
        raise Unfit(problem.code, str(problem)) from problem
    return statement


def worded(question: str, statement: ir.Statement) -> str:
    """The question on one line, if it has every value of the query.

    Raises:
        Unfit: `no-question`, `too-long` or `value-lost`.
    """
    text = " ".join("".join(c if c.isprintable() else " " for c in question).split())
    if not text:
        raise Unfit("no-question", "There is no question.")
    if len(text) > MAX_QUESTION:
        raise Unfit("too-long", f"The question is longer than {MAX_QUESTION} characters.")
    if gone := lost(statement, text):
        values = ", ".join(map(repr, gone))
        raise Unfit("value-lost", f"The question does not say {values} of the query.")
    return text


def problem_text(problem: GraphmillError) -> str:
    """What is wrong as a model is told it."""
    return f"[{getattr(problem, 'code', 'error')}] {excerpt(str(problem), 500)}"


def sketch(answer: Result, rows: int = SHOWN_ROWS) -> str:
    """The first rows of an answer for a prompt: columns, then a line for each row."""
    lines = [" | ".join(answer.columns)]
    lines += [" | ".join(_cell(value) for value in row) for row in answer.rows[:rows]]
    more = len(answer.rows) - rows
    return "\n".join([*lines, *([f"… {more} more rows"] if more > 0 else [])])


def _cell(value: object) -> str:
    return excerpt(str(value), 80)


def listed(lines: Sequence[str]) -> str:
    """Lines as a list for a prompt; `none` where there is nothing."""
    return "\n".join(f"- {line}" for line in lines) or "none"
