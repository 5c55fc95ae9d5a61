"""A copy of a graph in which every entity has a made-up name, the same wherever it stands.

What is made of the copy (queries, questions, answers) is then consistent by itself.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

from generators.masked.base import mask_property
from generators.masked.chinese import is_chinese
from generators.queries.archetypes.facets import Facets
from graphmill.errors import ConfigError
from graphmill.files import file_digest, write_text
from graphmill.seed import rng
from schemagraph.folder.graphdata import batches, edge_file, node_file
from schemagraph.folder.manifest import (
    MANIFEST,
    Manifest,
    TableEntry,
    content,
    load_manifest,
    manifest_text,
)
from schemagraph.folder.serde import load_mapping, load_schema
from schemagraph.folder.statistics import gather_statistics
from schemagraph.model import Kind
from schemagraph.staging.hashing import TableDigest

_STARTS = (
    *("b", "d", "f", "g", "h", "k", "l", "m", "n", "p", "r", "s", "t", "v", "w", "z"),
    *("br", "dr", "fl", "gr", "kl", "pr", "st", "tr"),
)
_VOWELS = ("a", "e", "i", "o", "u", "a", "e", "i", "o", "u", "ai", "ei", "oa")
_ENDS = ("", "", "l", "n", "r", "s", "th", "nd", "rk", "m")
_HAN = tuple("安柏川岱恩枫歌海嘉凯岚铭宁沛青荣舒棠薇溪雅泽珂墨远")


def pseudonymous(graph: Path, out: Path, seed: int) -> dict[str, str]:
    """Write the copy to `out`; returns real name to pseudonym.

    Names are the values of the property by which each node type is asked for, where it is text.
    A text that is a name is replaced in every column, keys of edges included.

    Raises:
        ConfigError: `out` is not empty.
        SchemaError: the graph is damaged.
    """
    if out.exists() and any(out.iterdir()):
        raise ConfigError(f"{out} is not empty; give another folder.")
    schema, mapping, manifest = load_schema(graph), load_mapping(graph), load_manifest(graph)
    facets = Facets(schema, gather_statistics(graph, schema, seed))
    names: set[str] = set()
    for node in schema.nodes:
        column = mask_property(facets, node)
        known = node.property(column)
        if known is not None and known.type.kind is Kind.STRING:
            for batch in batches(node_file(graph, node)):
                names.update(value for value in batch.column(column).to_pylist() if value)
    chosen = made_up(sorted(names), rng(seed, "pseudonyms", schema.name))
    shutil.copytree(graph, out, dirs_exist_ok=True)
    files = [node_file(out, node) for node in schema.nodes]
    files += [edge_file(out, edge) for edge in schema.edges]
    entries = {entry.file: entry for entry in manifest.tables}
    for path in files:
        if path.is_file():
            entry = _renamed(path, out, chosen)
            entries[entry.file] = entry
    tables = tuple(entries[entry.file] for entry in manifest.tables)
    origin = {**manifest.origin, "pseudonyms": seed}
    made = Manifest.of(schema, mapping, tables, origin, manifest.licence)
    write_text(out / MANIFEST, manifest_text(made))
    return chosen


def made_up(names: list[str], random: Random) -> dict[str, str]:
    """A pseudonym for each name, all different and none a real one; as many words as it has.

    >>> from random import Random
    >>> made = made_up(["Ada Berg", "Oslo", "王小明"], Random(1))
    >>> len(set(made.values())), len(made["Ada Berg"].split()), is_chinese(made["王小明"])
    (3, 2, True)
    """
    taken = set(names)
    found = {}
    for name in names:
        while True:
            one = _word_of_han(name, random) if is_chinese(name) else _words(name, random)
            if one not in taken:
                break
        taken.add(one)
        found[name] = one
    return found


def _words(name: str, random: Random) -> str:
    words = []
    for _ in name.split():
        parts = (random.choice(_STARTS) + random.choice(_VOWELS) for _ in range(2))
        words.append(("".join(parts) + random.choice(_ENDS)).capitalize())
    return " ".join(words)


def _word_of_han(name: str, random: Random) -> str:
    return "".join(random.choice(_HAN) for _ in range(max(2, min(len(name), 6))))


def _renamed(path: Path, out: Path, chosen: Mapping[str, str]) -> TableEntry:
    """The table with its names replaced in place, and its entry of the manifest."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pq.read_table(path)
    for place, column in enumerate(table.schema):
        if pa.types.is_string(column.type) or pa.types.is_large_string(column.type):
            values = [chosen.get(v, v) if v else v for v in table.column(place).to_pylist()]
            table = table.set_column(place, column, pa.array(values, column.type))
    draft = path.with_name(f".{path.name}.part")
    pq.write_table(table, draft, compression="zstd")
    draft.replace(path)
    digest: Any = TableDigest(tuple(table.schema.names))
    for batch in table.to_batches():
        digest.add([content(each) for each in batch.columns], batch.num_rows)
    return TableEntry.of(path.relative_to(out).as_posix(), digest, file_digest(path))
