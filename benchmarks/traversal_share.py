"""How many joins on a declared foreign key become traversals.

    python benchmarks/traversal_share.py FOLDER GOLD.jsonl --work DIR

FOLDER and GOLD are those of `sql_proof.py`; DIR holds the graphs that it kept (or they are made
there). Counts, with the foreign keys that SQLite lists and apart from the translation, the
joins of a query that equate all columns of a foreign key between two tables of one FROM; then
looks in the translation for a comparison of the properties that such a key became, which would
be a join by value. Exits with 1 where there is one.
"""

from __future__ import annotations

import argparse
import json
import sqlite3
import sys
from collections import defaultdict
from contextlib import closing
from pathlib import Path

import sqlglot
from sqlglot import exp

from benchmarks.fill_databases import Spots, Table, tables_of
from graph_ir import nodes as ir
from graph_ir.walk import find
from graphmill.errors import GraphmillError
from schemagraph.convert.service import convert
from schemagraph.folder.serde import load_mapping, load_schema
from schemagraph.mapping import Mapping
from translators.from_sql.reader import SqlTranslator


def key_joins(tables: dict[str, Table], tree: exp.Expr) -> int:
    """The joins of a query on all columns of a declared foreign key."""
    spots = Spots(tables, tree)
    equal: dict[tuple[int, str, str], set[tuple[str, str]]] = defaultdict(set)
    for node in tree.find_all(exp.EQ):
        one, other = spots.find(node.this), spots.find(node.expression)
        if one is None or other is None or one[0] != other[0] or one[1] == other[1]:
            continue
        equal[one[0], one[1], other[1]].add((one[2], other[2]))
        equal[one[0], other[1], one[1]].add((other[2], one[2]))
    found = 0
    for (select, child, parent), pairs in equal.items():
        for own, table, referenced in tables[spots.sources[select, child]].foreign:
            wanted = set(zip(own, referenced, strict=True))
            found += spots.sources[select, parent] == table and wanted <= pairs
    return found


def value_joins(mapping: Mapping, statement: ir.Statement) -> int:
    """The comparisons of a translation that say again what an edge says."""
    labels: dict[str, str] = {}
    for pattern in find(statement, ir.NodePattern):
        if pattern.var and isinstance(pattern.labels, ir.LabelName):
            labels[pattern.var] = pattern.labels.name
    forbidden = set()
    for table in mapping.nodes:
        names = {c.name: c.property for c in table.columns}
        for key in table.foreign_keys:
            target = mapping.node_by_table[key.table]
            others = {c.name: c.property for c in target.columns}
            if len(key.columns) == 1:
                one = (table.label, names[key.columns[0]])
                two = (target.label, others[key.referenced[0]])
                forbidden |= {(one, two), (two, one)}
    found = 0
    for test in find(statement, ir.Compare):
        sides = [s for s in (test.left, test.right) if isinstance(s, ir.Prop)]
        ends = [(labels.get(s.base.name, ""), s.key) for s in sides if isinstance(s.base, ir.Var)]
        found += test.op is ir.CompareOp.EQ and len(ends) == 2 and tuple(ends) in forbidden
    return found


def main() -> int:
    """Count."""
    arguments = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    arguments.add_argument("folder", type=Path)
    arguments.add_argument("gold", type=Path)
    arguments.add_argument("--work", type=Path, required=True)
    options = arguments.parse_args()
    gold: dict[str, dict[str, None]] = defaultdict(dict)
    for line in options.gold.read_text().splitlines():
        record = json.loads(line)
        gold[record["database"]][record["sql"]] = None
    queries = joins = by_value = 0
    for database, texts in sorted(gold.items()):
        path = options.folder / database
        graph = options.work / path.stem
        if not (graph / "schema.json").is_file():
            convert(str(path), graph)
        mapping = load_mapping(graph)
        assert mapping is not None
        translator = SqlTranslator(mapping, load_schema(graph))
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
            tables = tables_of(connection, rows=False)
        for sql in texts:
            try:
                statement = translator.translate(sql)
            except GraphmillError:
                continue
            number = key_joins(tables, sqlglot.parse_one(sql, dialect="sqlite"))
            values = value_joins(mapping, statement) if number else 0
            queries += bool(number)
            joins += number
            by_value += values
            if values:
                print(f"{path.stem}: {' '.join(sql.split())}")
    print(f"{queries} queries join on {joins} declared foreign keys; {by_value} by value")
    return int(by_value > 0)


if __name__ == "__main__":
    sys.exit(main())
