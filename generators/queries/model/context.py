"""What a prompt shows of a graph: the schema as Cypher-like text, with one value a property, and
instances of an answer that differ in their values and in what is around them.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import accumulate, count, zip_longest
from random import Random
from typing import Any

from generators.queries.base import Ground, Wanted
from graph_ir import nodes as ir
from graph_ir.coverage import GROUPS
from graph_ir.walk import find
from graphmill.record import DIFFICULTIES, Difficulty
from schemagraph.describe import Size, describe, shown
from schemagraph.folder.statistics import GraphStatistics
from schemagraph.model import SchemaGraph
from schemagraph.views import near

POOL = 200  # rows that instances are drawn from
INSTANCES = 4  # rows of the pattern that are shown
NEIGHBOURS = 6
LETTERS = 4_000  # of all instances: about a thousand tokens
MOST_WANTED = 6

type _Stratum = tuple[tuple[int, str], str]


def schema_text(schema: SchemaGraph, statistics: GraphStatistics) -> str:
    """The schema for a prompt; a property is shown with a value where the data has one."""
    return describe(schema, Size.TYPES, samples(statistics))


def samples(statistics: GraphStatistics) -> dict[tuple[str, str], Any]:
    """A value of each property: one of the sample, else the most frequent one."""
    by_property = {}
    for name, figures in statistics.properties.items():
        values = [*figures.sample, *(value for value, _ in figures.common)]
        if values:
            by_property[name] = values[0]
    return by_property


def lacking(wanted: Wanted, least: Difficulty = "easy", hops: int | None = None) -> str:
    """What still has a place, for a prompt, each defined by example: the largest numbers first.

    Tiers below `least` are left out (a pair is made harder than that), and kinds that need longer
    paths than the part of the schema that is shown has (`hops`). A kind is asked for only in the
    tiers that are open.

    >>> print(lacking(Wanted({"hard": 3, "easy": 0}, {"variable-length": 9})))
    - 3 hard: two edges, OPTIONAL MATCH, EXISTS { }, an aggregate in a condition, three conditions
    - of these, 9 with a path of several lengths: (a)-[:X*1..3]->(b)
    >>> lacking(Wanted({"medium": 1}, {"three-hops": 2}), hops=1).count("three edges")
    0
    """
    open_tiers = [t for t in DIFFICULTIES if wanted.tiers.get(t, 0) > 0]
    asked = [t for t in open_tiers if DIFFICULTIES.index(t) >= DIFFICULTIES.index(least)]
    asked = asked or open_tiers
    lines = [
        f"- {wanted.tiers[t]} {t.replace('_', ' ')}: {_TIERS[t]}"
        for t in sorted(asked, key=lambda t: (-wanted.tiers[t], t))
    ]
    hardest = max(map(DIFFICULTIES.index, asked), default=len(DIFFICULTIES) - 1)
    kinds = sorted(wanted.groups, key=lambda name: (-wanted.groups[name], name))
    for name in kinds[:MOST_WANTED]:
        fits = name in _KINDS and DIFFICULTIES.index(GROUPS[name].least) <= hardest
        short = name == "three-hops" and hops is not None and hops < 3
        if wanted.groups[name] > 0 and fits and not short:
            lines.append(f"- of these, {wanted.groups[name]} with {_KINDS[name]}")
    return "\n".join(lines) or "- whatever fits"


_TIERS: dict[Difficulty, str] = {
    "easy": "one node or one edge, at most one plain condition, no aggregate, no order",
    "medium": "an aggregate, an order, two conditions, or one edge with a condition",
    "hard": "two edges, OPTIONAL MATCH, EXISTS { }, an aggregate in a condition, three conditions",
    "extra_hard": "three edges, a MATCH after a WITH, or an aggregate of an aggregate",
}
_KINDS = {
    "variable-length": "a path of several lengths: (a)-[:X*1..3]->(b)",
    "three-hops": "three edges in one pattern: (a)-->(b)-->(c)-->(d)",
    "optional": "OPTIONAL MATCH",
    "negation": "NOT EXISTS { } or <>",
    "optional-or-negation": "OPTIONAL MATCH, or NOT EXISTS { }",
    "multi-stage": "a WITH whose result the next clause reads",
    "several-reads": "a MATCH after a WITH, or an aggregate of an aggregate",
    "aggregation": "count, sum, avg, min or max",
    "filtered-aggregate": "a condition on an aggregate: WITH a, count(*) AS n WHERE n > 3",
    "subquery": "EXISTS { } or COUNT { }",
    "set-operation": "UNION",
    "order": "ORDER BY, with a LIMIT that no tie crosses",
    "cycle": "a cycle: (a)-->(b)-->(c)<--(a)",
}


def surroundings(schema: SchemaGraph, statement: ir.Statement) -> SchemaGraph:
    """The part of a schema that a statement names, and what is one hop from it."""
    return near(schema, {label.name for label in find(statement, ir.LabelName)})


def named_part(schema: SchemaGraph, statement: ir.Statement) -> SchemaGraph:
    """The part of a schema that a statement names and no more; all of it where it names nothing."""
    labels = {label.name for label in find(statement, ir.LabelName)}
    nodes = {n.name for n in schema.nodes if labels & set(n.labels)}
    edges = tuple(e for e in schema.edges if e.label in labels and {e.source, e.target} & nodes)
    if not edges:
        edges = tuple(e for e in schema.edges if e.label in labels)
    shown = nodes | {end for edge in edges for end in (edge.source, edge.target)}
    kept = tuple(n for n in schema.nodes if n.name in shown)
    return SchemaGraph(schema.name, kept, edges) if kept else schema


def instance_lines(statement: ir.Statement, ground: Ground, rng: Random) -> list[str]:
    """Nodes that the first MATCH binds and what is around one of them, a line each.

    Drawn by the seed from the first rows in the order of their keys, stratified by value: each row
    shows as many values as it can that those before it did not. Of each kind of neighbour there is
    one before a second one, as far as a prompt has room.
    """
    named = _first_match(statement)
    if named is None:
        return []
    match, nodes = named
    bound = [node.var for node in nodes if node.var]
    rows = _rows(ground, (match,), bound, nodes)
    start = rng.choice(nodes)
    edge, other = ir.EdgePattern("edge", direction=ir.Direction.BOTH), ir.NodePattern("other")
    around = ir.Match((ir.Path(ir.NodePattern(start.var), (ir.Step(edge, other),)),))
    columns = [start.var or "", "edge", "other"]
    beside = _rows(ground, (match, around), columns, [start])
    rng.shuffle(rows)
    rng.shuffle(beside)
    chosen = [*_spread(rows, INSTANCES), *_by_kind(beside, NEIGHBOURS)]
    lines = list(dict.fromkeys("; ".join(_element(value) for value in row) for row in chosen))
    room = accumulate(len(line) for line in lines)
    return [line for line, used in zip(lines, room, strict=True) if used <= LETTERS]


def _by_kind(rows: Sequence[Sequence[Any]], most: int) -> list[Sequence[Any]]:
    """Rows `(node, edge, neighbour)`: of each kind of edge and neighbour one, then a second one."""
    kinds: dict[str, list[Sequence[Any]]] = {}
    for row in rows:
        edge, other = row[1], row[2]
        kind = f"{edge['type']} {other['labels']}" if isinstance(edge, dict) else ""
        kinds.setdefault(kind, []).append(row)
    turns = zip_longest(*(_spread(group, most) for group in kinds.values()))
    return [row for turn in turns for row in turn if row is not None][:most]


def _spread(rows: Sequence[Sequence[Any]], most: int) -> list[Sequence[Any]]:
    """The first row, and so on those that show most values that were not shown yet."""
    left = dict(enumerate(_strata(rows)))
    shown: set[_Stratum] = set()
    chosen: list[int] = []
    while left and len(chosen) < most:
        best = max(left, key=lambda number: (len(left[number] - shown), -number))
        shown |= left.pop(best)
        chosen.append(best)
    return [rows[number] for number in chosen]


def _strata(rows: Sequence[Sequence[Any]]) -> list[set[_Stratum]]:
    """What each row shows: values that rows share, and the quarters in which its numbers lie."""
    strata: list[set[_Stratum]] = [set() for _ in rows]
    columns: dict[tuple[int, str], list[Any]] = {}
    for number, row in enumerate(rows):
        for place, value in enumerate(row):
            for name, inner in _parts(value):
                column = columns.setdefault((place, name), [None] * len(rows))
                column[number] = inner
    for key, values in columns.items():
        numbers = sorted(v for v in values if isinstance(v, int | float) and v == v)
        shared = 2 * len(set(map(repr, values))) <= len(values)
        if not shared and not numbers:
            continue  # names: each row has its own
        for stratum, value in zip(strata, values, strict=True):
            if shared or value is None:
                stratum.add((key, repr(value)))
            elif numbers and isinstance(value, int | float):
                stratum.add((key, str(4 * bisect_left(numbers, value) // len(numbers))))
    return strata


def _parts(value: Any) -> Iterator[tuple[str, Any]]:
    """A node's or edge's labels or type and its properties, as pairs; a plain value by itself."""
    if not isinstance(value, dict):
        yield "", value
        return
    yield "", value.get("type", value.get("labels"))
    yield from value.get("properties", {}).items()


def _rows(
    ground: Ground,
    clauses: tuple[ir.Match, ...],
    columns: Sequence[str],
    ordered: Sequence[ir.NodePattern],
) -> list[Sequence[Any]]:
    """The first rows of a pattern, in the order of the keys of some of its nodes."""
    keys = [
        ir.SortKey(ir.Prop(ir.Var(node.var), key))
        for node in ordered
        if node.var
        for key in _keys(ground.schema, node)
    ]
    items = tuple(ir.Item(ir.Var(name), name) for name in columns)
    limit = ir.Literal(POOL)
    last = ir.Project(items, order=tuple(keys), limit=limit, final=True)
    answer = ground.ask(ir.Query((*clauses, last)))
    return list(answer.rows) if answer else []


def _keys(schema: SchemaGraph, node: ir.NodePattern) -> tuple[str, ...]:
    names = {label.name for label in find(node, ir.LabelName)}
    types = [each for each in schema.nodes if not names or names & set(each.labels)]
    return tuple(dict.fromkeys(key for each in types for key in each.key))


def _first_match(statement: ir.Statement) -> tuple[ir.Match, list[ir.NodePattern]] | None:
    """The first MATCH of the statement, with names for its nodes; None where it has none."""
    match = next((clause for clause in find(statement, ir.Match) if not clause.optional), None)
    if match is None or any(path.selector for path in match.paths):
        return None
    fresh = (f"node{number}" for number in count(1))
    paths = []
    for path in match.paths:
        head = _called(path.head, fresh)
        steps = tuple(replace(step, node=_called(step.node, fresh)) for step in path.steps)
        paths.append(replace(path, head=head, steps=steps))
    nodes = [node for path in paths for node in (path.head, *(step.node for step in path.steps))]
    once = {node.var: node for node in reversed(nodes)}
    return replace(match, paths=tuple(paths)), list(once.values())[::-1]


def _called(node: ir.NodePattern, fresh: Iterator[str]) -> ir.NodePattern:
    return node if node.var else replace(node, var=next(fresh))


def _element(value: Any) -> str:
    """A node as `(:Label {name: "x"})`, an edge as `[:TYPE {…}]`, a long value cut."""
    if not isinstance(value, dict):
        return shown(value)
    pairs = ", ".join(f"{key}: {shown(v)}" for key, v in value.get("properties", {}).items())
    inner = f" {{{pairs}}}" if pairs else ""
    if "type" in value:
        return f"[:{value['type']}{inner}]"
    return f"({''.join(f':{label}' for label in value.get('labels', ()))}{inner})"
