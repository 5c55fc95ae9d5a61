"""Small graphs as the schema's owner could have them: its relations are as declared and observed.

Those that tell a query from its mutants may give a loan two museums, where the schema says one; a
reading that differs there alone is plain to nobody.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from qa.fuzz.graphs import Row, SmallGraph
from schemagraph.model import EdgeType, SchemaGraph


def legal(rows: Mapping[str, Any], schema: SchemaGraph) -> SmallGraph:
    """A small graph without the edges that its schema rules out, of each the later ones.

    An edge type says how many targets a source has, and sources a target; two edges of a type
    without properties between the same two nodes are one.
    """
    legal_rows: dict[str, tuple[Row, ...]] = {
        node.name: tuple(map(tuple, rows.get(node.name, ()))) for node in schema.nodes
    }
    for edge in schema.edges:
        legal_rows[edge.name] = _kept(edge, tuple(map(tuple, rows.get(edge.name, ()))), schema)
    return SmallGraph(schema, {name: own for name, own in legal_rows.items() if own})


def _kept(edge: EdgeType, rows: tuple[Row, ...], schema: SchemaGraph) -> tuple[Row, ...]:
    start = len(schema.node_by_name[edge.source].key)
    width = start + len(schema.node_by_name[edge.target].key)
    one_target = edge.targets in ("1", "0..1") or edge.observed_one[0]
    one_source = edge.sources in ("1", "0..1") or edge.observed_one[1]
    sources, targets, ends = set(), set(), set()
    kept = []
    for row in rows:
        source, target = row[:start], row[start:width]
        if (
            (one_target and source in sources)
            or (one_source and target in targets)
            or (not edge.properties and (source, target) in ends)
        ):
            continue
        sources.add(source)
        targets.add(target)
        ends.add((source, target))
        kept.append(row)
    return tuple(kept)
