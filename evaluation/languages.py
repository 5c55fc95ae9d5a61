"""What a language has for judging its texts: a reader into Graph-IR, a judge, an engine."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import combinations

from engines import default_engines
from engines.judges.process import Judge
from graph_ir import nodes as ir
from graph_ir.walk import find
from graphmill.errors import Diagnostic, Refused, unknown_name
from translators.language import (
    Origin,
    checkable,
    checker,
    judge_of,
    languages,
    read_back,
    readable,
    reader,
)

# Languages whose check knows every step that writes or reaches out, and whose engine is here.
GUARDED = frozenset({"gremlin"})

type Read = Callable[[str], ir.Statement]


@dataclass(frozen=True, slots=True)
class Tools:
    """How texts of a language are judged. Without `read` they are run as they are by the
    language's own engine, behind `check`; `check` is a second opinion where there is a reader.
    Where `guard` finds nothing, the engine also runs what the reader parses and cannot say."""

    language: str
    read: Read | None
    check: Callable[[str], list[Diagnostic]] | None
    guard: Callable[[str], list[Diagnostic]] | None = None


@contextmanager
def tools(language: str, origin: Origin, *, second: bool = False) -> Iterator[Tools]:
    """The tools for one graph; `second`: ask a judge beside the reader, where there is one.

    Raises:
        UnknownNameError: nothing here can judge such texts.
    """
    read = _reader(language, origin)
    wanted = second or read is None
    guard = checker(language, origin.schema) if read is not None and language in GUARDED else None
    if not wanted or language not in checkable():
        if read is None and language not in default_engines():
            raise unknown_name("language to evaluate", language, evaluable())
        yield Tools(language, read, None, guard)
    elif name := judge_of(language):
        with Judge(name, origin.schema) as judge:
            yield Tools(language, read, judge.check, guard)
    else:
        yield Tools(language, read, checker(language, origin.schema), guard)


def evaluable() -> list[str]:
    """Languages whose predictions can be executed: by a reader, or by an engine of their own."""
    backs = [name for name, language in languages().items() if language.read_back]
    return sorted({*readable(), *backs, *default_engines()})


def _reader(language: str, origin: Origin) -> Read | None:
    if language in readable():
        return reader(language, origin)
    back = read_back(language)
    if back is None:
        return None

    def read(text: str) -> ir.Statement:
        statement = back(text)
        refuse_shared_edges(statement)
        return statement

    return read


def refuse_shared_edges(statement: ir.Statement) -> None:
    """Refuse a text whose language lets edges of two paths of one MATCH be the same one, where
    the text does not say that they differ: Graph-IR's MATCH would say it.

    Raises:
        Refused: it may be (`edge-uniqueness`).
    """
    for match in find(statement, ir.Match):
        if len(match.paths) < 2:
            continue
        distinct = {
            frozenset((left, right))
            for compare in find(match, ir.Compare)
            if compare.op is ir.CompareOp.NE
            and (left := _variable(compare.left))
            and (right := _variable(compare.right))
        }
        owned = [list(find(path, ir.EdgePattern)) for path in match.paths]
        for one, other in combinations(owned, 2):
            for a in one:
                for b in other:
                    if _may_be_one(a, b) and frozenset((a.var, b.var)) not in distinct:
                        raise Refused(
                            "edge-uniqueness",
                            "MATCH",
                            "Edges of two paths of this MATCH may be the same one.",
                            match.span,
                        )


def _variable(expr: ir.Expr) -> str:
    match expr:
        case ir.Var(name) | ir.Call(args=(ir.Var(name),)):
            return name
    return ""


def _may_be_one(a: ir.EdgePattern, b: ir.EdgePattern) -> bool:
    mine = {label.name for label in find(a, ir.LabelName)}
    theirs = {label.name for label in find(b, ir.LabelName)}
    return not mine or not theirs or bool(mine & theirs)
