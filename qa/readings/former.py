"""People who have left: does "how many pilots are there" count those who retired?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from graph_ir import nodes as ir
from graph_ir.walk import find
from graphmill.english.names import words
from qa.readings.shape import both, identifies, named_nodes, read_by, stages, types_of
from schemagraph.model import SchemaGraph

_GONE = frozenset(
    {"ceased", "departed", "leaving", "left", "resignation", "resigned", "retired", "retirement"}
)


def without_former(query: ir.Query, schema: SchemaGraph) -> Iterator[ir.Query]:
    """What is shown or counted without those of whom the data say when they left."""
    nodes = named_nodes(query.clauses)
    props = list(find(query, ir.Prop))
    for name in _asked(query):
        node = nodes.get(name)
        if node is None or _is_pinned(query, name, schema):
            continue
        keys = {p.name for own in types_of(node, schema) for p in own.properties if p.holds_null}
        gone = sorted(key for key in keys if _GONE & {word.lower() for word in words(key)})
        read = {prop.key for prop in props if _is_of(prop, name)}
        if not gone or read & {*gone}:
            continue
        clauses = list(query.clauses)
        for place, clause in enumerate(clauses):
            if isinstance(clause, ir.Match) and name in named_nodes((clause,)):
                still = ir.IsNull(ir.Prop(ir.Var(name), gone[0]))
                clauses[place] = replace(clause, where=both(clause.where, still))
                yield replace(query, clauses=tuple(clauses))
                break


def _asked(query: ir.Query) -> tuple[str, ...]:
    """The variables of the nodes that are shown or counted."""
    asked: list[str] = []
    parts = list(stages(query))
    for stage in parts:
        for agg in (agg for item in stage.project.items for agg in find(item, ir.Agg)):
            asked += [var.name for var in find(agg, ir.Var)]
            if not agg.args and stage.match is not None:  # count(*) of one kind of things
                alone = [path.head.var for path in stage.match.paths if not path.steps]
                asked += [name for name in alone if name]
    return tuple(dict.fromkeys([*asked, *read_by(parts[-1].project)]))


def _is_of(prop: ir.Prop, name: str) -> bool:
    return isinstance(prop.base, ir.Var) and prop.base.name == name


def _is_pinned(query: ir.Query, name: str, schema: SchemaGraph) -> bool:
    """Whether it is one that is named, so that it is meant whatever became of it."""
    return any(
        isinstance(prop, ir.Prop) and _is_of(prop, name) and identifies(prop, schema)
        for test in find(query, ir.Compare)
        if test.op is ir.CompareOp.EQ
        for prop in (test.left, test.right)
    )
