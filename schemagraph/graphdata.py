"""Node and edge tables as Parquet beside `schema.json`, with a manifest: one graph on disk.

    DIR/schema.json  mapping.json  manifest.json
    DIR/nodes/<Type>.parquet                    key columns first, then the other properties
    DIR/edges/<Source>__<LABEL>__<Target>.parquet
        columns `source.<key>…`, `target.<key>…`, then the edge's properties

The file's stem is also the table's name in the `sql` language. In names, runs of `_`, and `&`,
`/`, `%` and what a file system forbids are percent-encoded.
"""

from __future__ import annotations

import re
from urllib.parse import unquote

from schemagraph.model import EdgeType, NodeType

SOURCE = "source."
TARGET = "target."


def encode(name: str) -> str:
    """`name` as part of a file and table name.

    >>> encode("order__item"), encode("A&B"), encode("in/out")
    ('order%5F%5Fitem', 'A%26B', 'in%2Fout')
    """

    def escape(found: re.Match[str]) -> str:
        return "".join(f"%{byte:02X}" for byte in found[0].encode())

    return re.sub(r'_{2,}|^_|_$|[&/%\\:*?"<>|\x00-\x1f]|^\.|[. ]$', escape, name)


def decode(name: str) -> str:
    """The inverse of `encode`."""
    return unquote(name)


def node_table(node: NodeType) -> str:
    """The table that holds nodes of this type: its encoded labels joined with `&`."""
    return "&".join(encode(label) for label in node.labels)


def edge_table(edge: EdgeType) -> str:
    """The table that holds edges of this type."""
    source, target = (
        "&".join(encode(label) for label in end.split("&")) for end in (edge.source, edge.target)
    )
    return f"{source}__{encode(edge.label)}__{target}"
