"""Strict ISO GQL: the text form of the international standard ISO/IEC 39075:2024.

What the standard cannot say exactly is refused. Profiles of engines (`gql-grafeo`, `gql-neo4j`)
are subclasses with declared differences.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from graph_ir import nodes as ir
from translators.base import OPTION
from translators.gql.clauses import Clauses

_WRITE = ("write", "Only queries that read are translated.")


class Gql(Clauses):
    """ISO GQL from bound IR."""

    name: ClassVar[str] = "gql"
    UNSUPPORTED: ClassVar[Mapping[type[ir.Node], tuple[str, str]]] = {
        ir.Create: _WRITE,
        ir.Delete: _WRITE,
        ir.Foreach: _WRITE,
        ir.LoadCsv: _WRITE,
        ir.Merge: _WRITE,
        ir.PathExpr: ("path-expression", "ISO GQL searches paths in MATCH only."),
        ir.Remove: _WRITE,
        ir.Set: _WRITE,
        ir.SetItem: _WRITE,
        ir.ServerOption: OPTION,
    }


DIALECT = Gql
