"""The Arrow types of GraphData's columns."""

from __future__ import annotations

from typing import Any

from schemagraph.model import Kind, Type


def arrow_type(kind: Type) -> Any:
    """The Arrow type of a property in GraphData."""
    import pyarrow as pa

    if kind.kind is Kind.LIST:
        return pa.list_(arrow_type(kind.item or Type(Kind.STRING)))
    plain = {
        Kind.BOOLEAN: pa.bool_(),
        Kind.INTEGER: pa.int64(),
        Kind.FLOAT: pa.float64(),
        Kind.DATE: pa.date32(),
        Kind.TIME: pa.time64("us"),
        Kind.DATETIME: pa.timestamp("us"),
        Kind.BYTES: pa.binary(),
    }
    return plain.get(kind.kind, pa.string())
