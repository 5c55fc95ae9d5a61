"""The stage that tries other plain readings of a pair's questions (`qa.readings`).

A grown query is repaired before it is rendered, and its pair goes where a reading that its
wording leaves open gives another answer; a given one is marked and stays.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from graph_ir.bind.statements import bound
from graph_ir.cypher.pair import Pair
from graph_ir.cypher.reader import parsed
from graphmill.errors import QueryTextError, Refused
from graphmill.record import Record, Reject
from pipelines.build.candidates import REPAIRED, Grown
from pipelines.build.context import DatabaseContext
from pipelines.build.mutation import INSTANCES
from pipelines.build.query_oracle import asked_of
from pipelines.build.stages import reject, rejected, render_grown
from qa.mutation.interpreter.elements import MemoryGraph
from qa.readings.judge import judge, repair
from qa.readings.legal import legal
from qa.readings.vacuous import vacuous_part
from qa.readings.wordings import LEFT_OPEN, wordings
from schemagraph.model import SchemaGraph

STAGE = "readings"


def plain(grown: Grown, database: DatabaseContext) -> Pair | Reject:
    """A proposal in every language, with the plain reading as its own and no vacuous part."""
    grown, schema = as_written(grown, database), database.graph.schema
    finding = vacuous_part(grown.proposal.statement, schema)
    if not finding.ok:
        return rejected(grown, database.graph.db, STAGE, finding.code, finding.detail)
    statement, mended = repair(grown.proposal.statement, schema, partial(asked_of, database))
    if not mended:
        return render_grown(grown, database)
    made = render_grown(
        replace(grown, proposal=replace(grown.proposal, statement=statement)), database
    )
    if isinstance(made, Reject):
        return made
    return made.changed(meta={**made.record.meta, REPAIRED: list(mended)})


def as_written(grown: Grown, database: DatabaseContext) -> Grown:
    """A proposal whose tree is that which its text is read as, where both say the same.

    A tree that was drafted has marks that no text has, such as names that are not written.
    """
    try:
        read = parsed(database.text(grown.proposal.statement, "cypher"))
    except (Refused, QueryTextError):
        return grown  # the stages say what is wrong
    if read != grown.proposal.statement:
        return grown
    return replace(grown, proposal=replace(grown.proposal, statement=read))


def read_otherwise(pairs: Sequence[Pair], database: DatabaseContext) -> list[Pair | Reject]:
    """Pairs with their readings; grown ones whose questions have another go."""
    schema = database.graph.schema
    outcomes: list[Pair | Reject] = []
    for pair in pairs:
        record = pair.record
        judged = judge(
            bound(pair.statement, schema).statement,
            schema,
            wordings(record.questions, record.meta.get(LEFT_OPEN)),
            _small(record, schema),
            partial(asked_of, database),
            record.meta.get(REPAIRED, ()),
        )
        finding = judged.finding()
        if not finding.ok and "grown" in record.meta:
            outcomes.append(reject(record, STAGE, finding.code, finding.detail, finding))
        else:
            outcomes.append(pair.changed(readings=judged.readings))
    return outcomes


def _small(record: Record, schema: SchemaGraph) -> list[MemoryGraph]:
    """The small graphs that tell the record's query from its mutants."""
    return [
        MemoryGraph(legal(rows, schema))
        for _, rows in sorted(record.meta.get(INSTANCES, {}).items())
    ]
