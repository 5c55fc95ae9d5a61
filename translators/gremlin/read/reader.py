"""Gremlin text to Graph-IR: the steps that mean a query over a graph, each in a function.

A traversal is read step by step into clauses. Every hop is a MATCH of its own, because a traversal
may walk an edge twice. What stands still is an expression: the current object, and what labels
name. A traverser without a result is dropped, so a value that may be null is tested first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from graph_ir import nodes as ir
from graph_ir.bind.statements import bound
from graph_ir.cypher.automaton import CHAINED, MAX_LEVELS, below
from graph_ir.walk import find
from graphmill.errors import Refused
from schemagraph.model import SchemaGraph
from translators.gremlin.integers import Widths, compared_keys
from translators.gremlin.read import (
    aggregates,
    branches,
    filters,
    hops,
    order,
    sets,
    texts,
    values,
)
from translators.gremlin.read.check import calls
from translators.gremlin.read.dates import with_dates
from translators.gremlin.read.traversal import (
    EDGE,
    GROUP,
    MAP,
    NODE,
    PAIR,
    Reading,
    Step,
    refused,
    walk,
)
from translators.gremlin.read.tree import Chain, Many, Value, parse
from translators.gremlin.read.vertex_labels import with_joined_labels
from translators.language import Origin
from translators.outer_groups import grouped_by_nothing

STEPS: dict[str, Step] = {
    **hops.STEPS,
    **filters.STEPS,
    **values.STEPS,
    **aggregates.STEPS,
    **order.STEPS,
    **branches.STEPS,
    **texts.STEPS,
    **sets.STEPS,
}


_OF_PATHS = frozenset({"path", "simplePath", "cyclicPath"})


def reader(origin: Origin) -> Callable[[str], ir.Statement]:
    """What reads a text; with a graph whose nodes all have one key of one name, `V(id)` too."""
    key = _key_of(origin.schema)
    properties = _properties_of(origin.schema)
    label_sets = tuple(node.labels for node in origin.schema.nodes) if origin.schema else ()

    def read(text: str) -> ir.Statement:
        try:
            statement = _read(parse(text))
        except RecursionError as problem:
            raise Refused("nesting", "gremlin", "The query is nested too deeply.") from problem
        if below(statement, MAX_LEVELS) is not None:
            raise Refused("nesting", "gremlin", CHAINED)
        return statement

    def _read(tree: Chain) -> ir.Statement:
        reading = Reading(STEPS, key=key, properties=properties, label_sets=label_sets)
        if any(call.name in _OF_PATHS for call, _ in calls(tree)):
            reading.passed = ()
        walk(reading, tree)
        if tree.calls[-1].name in ("min", "max", "mean", "sum") and not tree.calls[-1].args:
            _answered(reading)
        statement = grouped_by_nothing(_returned(reading))
        if origin.schema is None:
            return statement
        statement = with_joined_labels(statement, origin.schema)
        _see_numbers(statement, origin.schema, tree)
        return with_dates(statement, origin.schema)

    return read


def _see_numbers(statement: ir.Statement, schema: SchemaGraph, tree: Chain) -> None:
    """Refuse what Gremlin makes of numbers of several kinds, as nothing else does: keys of groups
    and distinct values among which it tells 1 from 1.0, and 1 of 32 bits from 1 of 64, and the
    greatest of integers beside floats, which is a float.

    Raises:
        Refused: there are some.
    """
    whole = bound(statement, schema).statement
    short = frozenset(_short_integers(tree))
    widths = Widths(whole, short.__contains__, sums=False)
    for key in compared_keys(whole):
        if key.type.mixed:
            raise Refused("mixed-keys", "dedup", "Gremlin tells 1 from 1.0 here.", key.span)
        if len(widths.of(key)) > 1:
            reason = "Gremlin tells integers of 32 bits from those of 64 here: write 1L for 1."
            raise Refused("mixed-keys", "dedup", reason, key.span)
    for agg in find(whole, ir.Agg):
        if agg.name in ("min", "max") and agg.args[0].type.mixed:
            reason = "Gremlin makes floats of integers to compare them."
            raise Refused("mixed-numbers", agg.name, reason, agg.span)


def _short_integers(tree: Chain) -> Iterator[int]:
    """The integers of 32 bits that a text writes as values."""
    for call, _ in calls(tree):
        if call.name in ("constant", "inject", "withSack"):
            for item in call.args:
                for own in item.items if isinstance(item, Many) else (item,):
                    if isinstance(own, Value) and type(own.value) is int and not own.wide:
                        yield own.value


def _answered(reading: Reading) -> None:
    """An answer that ends in a reduction has its row, null of nothing, as the engine says it."""
    last = reading.clauses[-1]
    if not isinstance(last, ir.Project):
        return
    if isinstance(last.where, ir.IsNull):
        reading.clauses[-1] = replace(last, where=None)
    elif last.where is not None and reading.here is not None and len(last.items) > 1:
        # a sum, which is 0 of nothing, beside the number of its values
        reading.clauses[-1] = replace(last, where=None)
        shown = ir.Case((ir.When(last.where, reading.here.expr),))
        reading.here = replace(reading.here, expr=shown)


def _properties_of(schema: SchemaGraph | None) -> dict[str, tuple[str, ...]]:
    """The names of all properties of nodes and of edges."""
    kinds = ((NODE, schema.nodes), (EDGE, schema.edges)) if schema is not None else ()
    return {
        kind: tuple(dict.fromkeys(each.name for own in types for each in own.properties))
        for kind, types in kinds
    }


def _key_of(schema: SchemaGraph | None) -> str:
    """The property that is the key of every node type, if it is one."""
    keys = {node.key for node in schema.nodes} if schema is not None else set()
    (only,) = keys if len(keys) == 1 else ((),)
    return only[0] if len(only) == 1 else ""


def _returned(reading: Reading) -> ir.Statement:
    here = reading.here
    if here is None:
        raise refused("g", "The traversal has no step.")
    if here.kind in (GROUP, PAIR):
        raise refused("group", "A map from keys to groups is one value, which Cypher has not.")
    if here.kind == MAP and isinstance(here.expr, ir.MapOf):
        items = tuple(ir.Item(each.value, each.key) for each in here.expr.entries)
    else:
        items = (ir.Item(here.expr, "value"),)
    return ir.Query((*reading.clauses, ir.Project(items, final=True)))
