"""Strict ISO GQL: the text form of the international standard ISO/IEC 39075:2024.

What the standard cannot say exactly is refused. Writes are said, too: whoever wants reads only,
as the corpora do, has to ask the query (`graph_ir.nodes.WRITES`). Profiles of engines
(`gql-grafeo`, `gql-neo4j`) are subclasses with declared differences.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from graph_ir import nodes as ir
from translators.base import OPTION
from translators.gql.emit.clauses import Clauses

READS_ONLY: Mapping[type[ir.Node], tuple[str, str]] = dict.fromkeys(
    (*ir.WRITES, ir.SetItem), ("write", "Only queries that read are translated.")
)


class Gql(Clauses):
    """ISO GQL from bound IR."""

    name: ClassVar[str] = "gql"
    UNSUPPORTED: ClassVar[Mapping[type[ir.Node], tuple[str, str]]] = {
        ir.Foreach: ("foreach", "ISO GQL has no FOREACH; at the end, of one clause, it is FOR."),
        ir.LoadCsv: ("load-csv", "ISO GQL reads no files."),
        ir.Merge: ("merge", "ISO GQL has no MERGE: it matches, or it inserts."),
        ir.PathExpr: ("path-expression", "ISO GQL searches paths in MATCH only."),
        ir.ServerOption: OPTION,
    }
