"""The stage that tells queries from their mutants, on small graphs that ship with the corpus.

The graphs of a record depend on it alone and are named by their content.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from graph_ir.bind.statements import bound
from graph_ir.cypher.pair import Pair
from graphmill.files import digest
from graphmill.record import Record, Reject
from graphmill.seed import rng
from pipelines.build.context import DatabaseContext, Lookup
from pipelines.build.query_oracle import QueryOracle
from pipelines.build.stages import reject
from qa.mutation.analysis import SHIPPED, discriminate
from qa.mutation.pool import Pool
from schemagraph.folder.statistics import GraphStatistics

STAGE = "discriminate"
INSTANCES = "instances"  # where a record's `meta` holds its small graphs, by name


def mutation_test(
    pairs: Sequence[Pair],
    database: DatabaseContext,
    statistics: GraphStatistics,
    threshold: float,
) -> list[Pair | Reject]:
    """The pairs that their answers tell from enough of their mutants, with the graphs needed."""
    ground = QueryOracle(database, statistics)

    def values(owner: str, name: str) -> Sequence[Any]:
        common = common_values(statistics, owner, name)
        if database.on_lookup is not None:
            database.on_lookup(Lookup(("values", owner, name), digest(repr(common))))
        return common

    pool = Pool(ground.schema, values)
    outcomes: list[Pair | Reject] = []
    for pair in pairs:
        record = pair.record
        statement = bound(pair.statement, ground.schema).statement
        random = rng(database.seed, STAGE, record.db, pair.gold)
        made = discriminate(statement, ground.schema, ground.ask, pool, random)
        finding = made.finding(threshold)
        if not finding.ok:
            outcomes.append(reject(record, STAGE, finding.code, finding.detail, finding))
            continue
        graphs = {name: _rows(pool, name) for name in made.instances if name != SHIPPED}
        names = {name: digest(rows)[:12] for name, rows in graphs.items()}
        discrimination = made.to_json()
        discrimination["instances"] = [names.get(name, name) for name in made.instances]
        kept = {names[name]: rows for name, rows in graphs.items()}
        tested = pair.changed(discrimination=discrimination, meta={**record.meta, INSTANCES: kept})
        outcomes.append(tested.judged(finding))
    return outcomes


def common_values(statistics: GraphStatistics, owner: str, name: str) -> tuple[Any, ...]:
    """The most frequent values of a property, of which small graphs are made."""
    known = statistics.properties.get((owner, name))
    return () if known is None else tuple(value for value, _ in known.common)


def _rows(pool: Pool, name: str) -> dict[str, list[list[Any]]]:
    rows = pool.named(name).small.rows
    return {of: [list(row) for row in rows[of]] for of in sorted(rows) if rows[of]}


def instances_of(records: Iterable[Record]) -> dict[str, dict[str, Any]]:
    """The small graphs of all records, by database and name."""
    instances: dict[str, dict[str, Any]] = {}
    for record in records:
        instances.setdefault(record.db, {}).update(record.meta.get(INSTANCES, {}))
    return instances
