"""The static check of Gremlin: its grammar, its steps, and nothing beyond reads of a graph.

Without a server. TinkerPop's own parser is the second opinion (`engines.judges.gremlin`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from graphmill.errors import Diagnostic, QueryTextError, did_you_mean
from schemagraph.model import SchemaGraph
from translators.gremlin.read.steps import BEYOND, PREDICATES, READS, VALUES, WRITES
from translators.gremlin.read.tree import Call, Chain, Item, Many, Pairs, Value, error, parse

_CHAINED = frozenset({"and", "or", "negate"})
_EDGES = frozenset({"out", "in", "both", "outE", "inE", "bothE"})


def checker(schema: SchemaGraph | None) -> Callable[[str], list[Diagnostic]]:
    """The check; with a schema also of edge labels and property keys."""

    def check(text: str) -> list[Diagnostic]:
        try:
            tree = parse(text)
        except QueryTextError as problem:
            return [Diagnostic("error", problem.code, str(problem), problem.line, problem.column)]
        diagnostics = [*_steps(text, tree), *(_names(text, tree, schema) if schema else ())]
        return sorted(diagnostics, key=lambda each: (each.line, each.column))

    return check


def calls(item: Item) -> Iterator[tuple[Call, bool]]:
    """Every call of a tree, and whether it may be a step (else it is a predicate or a value)."""
    match item:
        case Chain():
            first = item.calls[0].name
            step = item.root in ("g", "__") or (item.root == "" and first not in PREDICATES)
            if first == "not" and item.root == "":
                step = not _of_predicate(item.calls[0])
            for call in item.calls:
                yield call, step and not (item.root == "" and call.name in VALUES)
                for argument in call.args:
                    yield from calls(argument)
        case Many(items=items):
            for each in items:
                yield from calls(each)
        case Pairs(items=pairs):
            for key, value in pairs:
                yield from calls(key)
                yield from calls(value)
        case _:
            return


def _of_predicate(call: Call) -> bool:
    return all(isinstance(a, Chain) and a.calls[0].name in PREDICATES for a in call.args)


def _steps(text: str, tree: Chain) -> Iterator[Diagnostic]:
    for call, step in calls(tree):
        if call.name in WRITES:
            yield _at(text, call, "write", f"{call.name}() writes; only reads are taken.")
        elif call.name in BEYOND:
            message = f"{call.name}() reaches beyond reads of the graph."
            yield _at(text, call, "beyond-reads", message)
        elif step and call.name not in READS:
            near = did_you_mean(call.name, set(READS))
            yield _at(text, call, "unknown-step", f"Gremlin has no step {call.name}().{near}")
        elif not step and call.name not in PREDICATES | _CHAINED | VALUES:
            near = did_you_mean(call.name, set(PREDICATES))
            yield _at(text, call, "unknown-predicate", f"There is no {call.name}().{near}")


def _names(text: str, tree: Chain, schema: SchemaGraph) -> Iterator[Diagnostic]:
    edges = set(schema.edge_labels)
    nodes = {"::".join(node.labels) for node in schema.nodes} | {"vertex"}
    keys = {p.name for node in schema.nodes for p in node.properties}
    keys |= {p.name for edge in schema.edges for p in edge.properties}
    for call, _ in calls(tree):
        texts = [a for a in call.args if isinstance(a, Value) and isinstance(a.value, str)]
        if call.name in _EDGES:
            known, what = edges, "edge label"
        elif call.name == "hasLabel":
            known, what = nodes | edges, "label"
        elif call.name == "values":
            known, what = keys, "property"
        else:
            continue
        for each in texts:
            name = str(each.value)
            if name not in known:
                near = did_you_mean(name, known)
                message = f"The schema has no {what} '{name}'.{near}"
                yield _at(text, Call(name, (), each.place), "unknown-name", message)


def _at(text: str, call: Call, code: str, message: str) -> Diagnostic:
    placed = error(text, call.place, message, code)
    return Diagnostic("error", code, message, placed.line, placed.column)
